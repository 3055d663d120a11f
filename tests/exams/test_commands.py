"""Commands on an exam that is there: one student again, one code again, two beside each other; the strain."""

import json
from pathlib import Path

import pytest
from exams.rooms import PROBLEM, contents, locked, problem, roster, variants

import attnsolve
from attnsolve.cli.commands import Elsewhere
from attnsolve.cli.variants import ON_EXAMS
from attnsolve.exams import stress
from attnsolve.loader import loads
from attnsolve.variants import key_of_seed


@pytest.fixture
def course(tmp_path: Path) -> Path:
    problem(tmp_path)
    people = roster(tmp_path, "17,Ada", "18,Bo")
    variants(tmp_path, "two-keys.yaml", "--roster", people, "--seed", "5", "--spares", "1", "-o", "exam")
    return tmp_path


@pytest.mark.parametrize("command", ON_EXAMS, ids=lambda command: command.name)
def test_the_overview_says_what_the_command_says(command: Elsewhere) -> None:
    for room in (30, 60, 90, 200):
        assert command.get_short_help_str(room) == command.loaded().get_short_help_str(room)


def test_one_student_gets_new_numbers_and_nobody_else(course: Path) -> None:
    before = json.loads((course / "exam/lock.json").read_text())["variants"]
    done = variants(course, "reissue", "exam", "17", "--seed", "5")
    after = json.loads((course / "exam/lock.json").read_text())["variants"]
    assert {**before[0], "status": "replaced"} == after[0]
    assert before[1:] == after[1:3]
    new = after[3]
    assert ("17", "Ada", 2, "current") == tuple(new[key] for key in ("student", "name", "issue", "status"))
    assert f"17: {before[0]['code']} is replaced by {new['code']}\n" == done.stdout
    assert before[0]["answers"] != new["answers"]
    exams = (course / "exam/exams.tex").read_text()
    assert new["code"] in exams and before[0]["code"] not in exams
    assert f"reprints/{new['code']}-exam.tex" in contents(course / "exam")
    variants(course, "two-keys.yaml", "--roster", "students.csv", "-o", "exam")  # changes nothing
    assert after == json.loads((course / "exam/lock.json").read_text())["variants"]
    variants(course, "reissue", "exam", new["code"].lower(), "--seed", "5")
    assert 3 == locked(course / "exam")["17"]["issue"]
    done = variants(course, "reissue", "exam", before[0]["code"], "--seed", "5", code=1)
    assert f"{before[0]['code']} is replaced; name the student instead" in done.stderr


def test_who_was_withdrawn_is_told_to_be(course: Path) -> None:
    variants(course, "two-keys.yaml", "--roster", roster(course, "18,Bo", name="s.csv"), "-o", "exam")
    code = locked(course / "exam")["17"]["code"]
    for command in ("reissue", "reprint", "pin"):
        assert (
            f"17 was withdrawn and had {code}; put" in variants(course, command, "exam", "17", code=2).stderr
        )
    done = variants(course, "reissue", "exam", code, code=1)
    assert f"{code} is withdrawn; put 17 on the roster again first" in done.stderr


def test_layout_stays_when_one_is_reissued(course: Path) -> None:
    variants(course, "two-keys.yaml", "-o", "exam", "--each", "--detail", "result")
    short = contents(course / "exam")
    variants(course, "reissue", "exam", "17", "--seed", "5")
    code = locked(course / "exam")["17"]["code"]
    other = f"solutions/{locked(course / 'exam')['18']['code']}.tex"
    assert short[other] == contents(course / "exam")[other]
    assert f"exams/{code}.tex" in contents(course / "exam")
    assert "exams.tex" not in contents(course / "exam")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["reissue", "exam", "17"], 2, "was drawn with another seed or key"),
        (["reissue", "exam", "99", "--seed", "5"], 2, "there is no code and no student '99'"),
        (["reissue", "elsewhere", "17"], 1, "is no exam"),
        (["reprint", "exam", "99"], 2, "there is no code and no student '99'"),
        (["list", "elsewhere"], 1, "is no exam"),
        (["diff"], 2, "name an exam and two codes"),
        (["diff", "exam"], 2, "name two codes of exam"),
        (["diff", "exam", "L6FS"], 2, "name two codes of exam"),
        (["affected", "exam", "no-such"], 2, "there is no file or bundled problem"),
    ],
)
def test_what_cannot_be_meant_is_told(course: Path, words: list[str], code: int, said: str) -> None:
    before = contents(course / "exam")
    assert said in variants(course, *words, code=code).stderr
    assert before == contents(course / "exam")


def test_what_is_pinned_stays(course: Path) -> None:
    old = locked(course / "exam")
    variants(course, "pin", "exam", "17")
    assert "is pinned" in variants(course, "reissue", "exam", "17", "--seed", "5", code=1).stderr
    people = course / "students.csv"
    variants(course, "two-keys.yaml", "--roster", people, "--seed", "6", "--fresh", "-o", "exam")
    new = locked(course / "exam")
    assert {**old["17"], "pinned": True} == new["17"]
    assert old["18"]["code"] != new["18"]["code"]
    codes = {line["code"] for line in (*old.values(), *new.values())}
    assert 5 == len(codes)  # nobody's code means other numbers now
    assert {f"problems/{code}.yaml" for code in codes} | {"problems/original.yaml"} == {
        name for name in contents(course / "exam") if name.startswith("problems/")
    }
    variants(course, "pin", "exam", old["17"]["code"], "--undo")
    variants(course, "reissue", "exam", "17", "--seed", "6")


def test_one_code_is_printed_again(course: Path) -> None:
    code = locked(course / "exam")["18"]["code"]
    done = variants(course, "reprint", "exam", "18")
    names = [f"exam/reprints/{code}-exam.tex", f"exam/reprints/{code}-solution.tex"]
    assert names == done.stdout.splitlines()
    variants(course, "two-keys.yaml", "-o", "exam", "--each")
    files = contents(course / "exam")
    assert files[f"exams/{code}.tex"] == files[f"reprints/{code}-exam.tex"]
    assert files[f"solutions/{code}.tex"] == files[f"reprints/{code}-solution.tex"]


def test_codes_are_listed(course: Path) -> None:
    lines = variants(course, "list", "exam").stdout.splitlines()
    assert [line["code"] for line in locked(course / "exam").values()] == [line[:4] for line in lines]
    assert [["17", "Ada"], ["18", "Bo"], ["spare", "1"]] == [line.split()[1:3] for line in lines]
    variants(course, "reissue", "exam", "17", "--seed", "5")
    assert 3 == len(variants(course, "list", "exam").stdout.splitlines())
    assert 4 == len(variants(course, "list", "exam", "--all").stdout.splitlines())


def test_two_files_are_compared(tmp_path: Path) -> None:
    """S = (1, 2) and (1, 4): the scores are not asked, the weights and the output are."""
    problem(tmp_path)
    (tmp_path / "other.yaml").write_text(PROBLEM.replace("K: 1 0; 0 1", "K: 1 0; 0 2"))
    lines = variants(tmp_path, "diff", "two-keys.yaml", "other.yaml").stdout.splitlines()
    cells = [line.split() for line in lines]
    assert ["two-keys.yaml", "other.yaml"] == cells[0]
    assert ["given", "K", "1", "0", "1", "0"] in cells
    assert ["0", "1", "0", "2"] in cells
    assert ["a.A", "0.27", "0.73", "0.05", "0.95"] in cells  # e/(e + e²), e/(e + e⁴)
    assert not [line for line in lines if line.startswith("given V") or "plan" in line]


def test_two_codes_are_compared_with_their_choices(tmp_path: Path) -> None:
    problem(
        tmp_path,
        PROBLEM.replace("V: -4..4}", "V: -4..4, choose: {a.divide_by: [2, 3]}}").replace("none", "2"),
    )
    variants(tmp_path, "two-keys.yaml", "-n", "6", "-o", "exam")
    lines = locked(tmp_path / "exam")
    unlike = {line["selection"]: line["code"] for line in lines.values()}
    said = variants(tmp_path, "diff", "exam", *unlike.values()).stdout
    assert "by=2" in said and "by=3" in said
    code = lines["1"]["code"]
    assert "no givens and no answers differ" in variants(tmp_path, "diff", "exam", code, code).stdout


def test_strain_is_reported(tmp_path: Path) -> None:
    problem(tmp_path)
    one = variants(tmp_path, "stress", "two-keys.yaml", "-n", "45", "--json")
    two = variants(tmp_path, "stress", "two-keys.yaml", "-n", "45", "--json", "-j", "2")
    assert one.stdout == two.stdout
    report = json.loads(one.stdout)
    assert (True, 45, []) == (report["ok"], report["variants"], report["failures"])
    assert 45 * 2 == sum(report["weights"])  # two weights each
    assert 45 + sum(report["refused"].values()) == report["judged"]
    effort = report["effort"]
    assert (
        0.9 * effort["usual"]
        <= effort["least"]
        <= effort["median"]
        <= effort["most"]
        <= 1.1 * effort["usual"]
    )
    assert (
        "45 variants, 45 with different" in variants(tmp_path, "stress", "two-keys.yaml", "-n", "45").stdout
    )


def test_equal_answers_of_different_numbers_are_counted(tmp_path: Path) -> None:
    """Scores of 0, ±1 have few weights; the fairness report and the strain count the same."""
    problem(tmp_path)
    variants(tmp_path, "two-keys.yaml", "-n", "30", "--seed", "1", "-o", "exam")
    keys = [line["answers"]["a.A"] for line in locked(tmp_path / "exam").values()]
    different = len({str(rows) for rows in keys})
    assert different < 27
    assert f"| a.A | {different} of 30 |" in (tmp_path / "exam/fairness.md").read_text()
    said = variants(tmp_path, "stress", "two-keys.yaml", "-n", "30").stdout
    assert f"different answers: a.A {different} of 30, a.Z" in said
    assert "  a.A: fewer than 90 % are different" in said
    report = json.loads(variants(tmp_path, "stress", "two-keys.yaml", "-n", "30", "--json").stdout)
    assert {"different": different, "of": 30} == report["answers"]["a.A"]


def test_a_solution_that_cannot_be_rendered_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(trace: object, *, settings: object) -> None:
        raise ZeroDivisionError("in a template")

    run = stress.Stress(problem(tmp_path), key_of_seed(1))
    monkeypatch.setattr(stress, "render", broken)
    assert 3 == len(list(run.run(3)))
    assert ["1", "2", "3"] == [one.identity for one in run.failures]
    assert "variant 1 failed: attnsolve hit a bug: ZeroDivisionError: in a template" in list(run.lines())


def test_impossible_settings_are_told_with_the_judge(tmp_path: Path) -> None:
    problem(
        tmp_path,
        PROBLEM.replace(
            "q: -2..2, K: -2..2", "q: 0..1, K: 0..1, judges: {smallest_weight: 0.49, largest_weight: 0.491}"
        ),
    )
    for words in (("stress", "two-keys.yaml"), ("two-keys.yaml", "-o", "exam")):
        done = variants(tmp_path, *words, "-n", "2", code=1)
        assert "loosen them under vary:" in done.stderr
        assert not (tmp_path / "exam").exists()
    problem(tmp_path)
    variants(tmp_path, "two-keys.yaml", "-n", "2", "-o", "exam")
    variants(tmp_path, "two-keys.yaml", "-n", "2", "-o", "anew")
    assert contents(tmp_path / "anew") == contents(tmp_path / "exam")


def test_the_public_face_draws_what_the_command_draws(course: Path) -> None:
    drawn = attnsolve.draw(course / "two-keys.yaml", "17", seed=5)
    kept = loads((course / f"exam/problems/{locked(course / 'exam')['17']['code']}.yaml").read_text())
    assert {name: given.value.texts() for name, given in kept.givens.items()} == {
        name: given.value.texts() for name, given in drawn.givens.items()
    }


def test_names_that_an_engine_lacks_are_told_before_anything_is_drawn(course: Path) -> None:
    roster(course, "1,王小明", "2,Ana Sousa", "3,محمد العربية", "4,Ιωάννης", name="names.csv")
    words = ("two-keys.yaml", "--roster", "names.csv", "-o", "named", "--title", "Тест")
    told = variants(course, *words).stderr
    said = "pdflatex cannot print 王小明 (Chinese), محمد العربية (Arabic); run lualatex on the .tex files"
    assert f"{said} (with --engine lualatex this is not said)\n" in told
    assert told.index(said) < told.index("named: 4 variants")
    assert "cannot print" not in variants(course, *words, "--engine", "lualatex").stderr
    # The documents are the same for both.
    assert (course / "named" / "exams.tex").read_text("utf-8").startswith("% !TeX program = lualatex\n")
    key = (course / "named" / "key.tex").read_text("utf-8")
    assert key.startswith("% !TeX program = lualatex\n") == ("王" in key)


def test_letters_of_the_problem_are_told_too(course: Path) -> None:
    text = (course / "two-keys.yaml").read_text("utf-8")
    (course / "title.yaml").write_text(text.replace("title: ", "title: 注意 "), encoding="utf-8")
    told = variants(course, "title.yaml", "-n", "2", "-o", "titled").stderr
    assert "pdflatex cannot print 注意 (Chinese)" in told


def test_an_exam_keeps_its_style(course: Path) -> None:
    house = course / "house"
    macros = house / "templates" / "macros"
    macros.mkdir(parents=True)
    (house / "style.yaml").write_text(
        "format: 1\nwords: {name: Student}\npreamble: own.tex\n", encoding="utf-8"
    )
    (house / "own.tex").write_text("% of the house\n", encoding="utf-8")
    own = "<% macro paragraph(words) %>\n\nSAID << words >>\n\n<% endmacro %>"
    (macros / "latex.j2").write_text(own, encoding="utf-8")
    words = ("two-keys.yaml", "-n", "25", "-o", "styled", "--style", "house")
    variants(course, *words, "-j", "2")
    made = (course / "styled" / "exams.tex").read_text("utf-8")
    assert 1 == made.count("% of the house")
    assert 25 == made.count("{Student:}")
    assert "SAID " in made
    kept = {name: text for name, text in contents(course / "styled").items() if name.startswith("style/")}
    assert {f"style/{name}": text for name, text in contents(house).items()} == kept
    code = next(iter(locked(course / "styled").values()))["code"]
    variants(course, "reprint", "styled", code)
    assert "% of the house" in (course / "styled" / f"reprints/{code}-exam.tex").read_text("utf-8")
    variants(course, "two-keys.yaml", "-n", "26", "-o", "styled")
    assert "% of the house" in (course / "styled" / "exams.tex").read_text("utf-8")


def test_what_is_wrong_in_a_template_is_told_and_the_exam_goes_on_when_it_is_mended(course: Path) -> None:
    macros = course / "house" / "templates" / "macros"
    macros.mkdir(parents=True)
    (course / "house" / "style.yaml").write_text("format: 1\n", encoding="utf-8")
    (macros / "latex.j2").write_text("<% macro title(words) %><< 1/0 >><% endmacro %>", encoding="utf-8")
    words = ("two-keys.yaml", "-n", "2", "-o", "styled", "--style", "house")
    told = variants(course, *words, code=3).stderr
    assert "templates/macros/latex.j2:1:1: ZeroDivisionError" in told
    (macros / "latex.j2").write_text("<% macro title(words) %>T<% endmacro %>", encoding="utf-8")
    assert "styled: 2 variants" in variants(course, *words).stderr
