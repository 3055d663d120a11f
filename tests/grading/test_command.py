"""The command `attnsolve grade`: files written, codes given."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from grading.classes import RIGHT, WRONG, pile, problem, rows

ROOT = Path(__file__).parents[2]


def grade(folder: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from attnsolve.cli import main; main()", "grade", *words]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    return subprocess.run(command, cwd=folder, env=environment, input=typed, capture_output=True, text=True)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    problem(tmp_path)
    (tmp_path / "pile.txt").write_text(pile("17", "18") + pile("19", answers=WRONG))
    return tmp_path


def test_class_is_graded(course: Path) -> None:
    done = grade(course, "two-keys.yaml", "pile.txt", "-o", "marks.csv", "--slips", "slips")
    assert (0, "") == (done.returncode, done.stderr)
    assert done.stdout.startswith("3 graded\n")
    assert ["17", "18", "19"] == [row["student"] for row in rows((course / "marks.csv").read_text())]
    assert 3 == len(list((course / "slips").iterdir()))
    again = grade(course, "two-keys.yaml", "pile.txt", "-o", "marks.csv", "--json")
    assert {"graded": 3, "ok": True, "moved": []}.items() <= json.loads(again.stdout).items()


def test_slips_and_the_report_may_be_pdfs(course: Path) -> None:
    pytest.importorskip("typst")
    words = ("--slips", "slips", "--to", "pdf", "--report", "report.pdf")
    done = grade(course, "two-keys.yaml", "pile.txt", "-o", "marks.csv", *words)
    assert (0, "") == (done.returncode, done.stderr)
    made = [*(course / "slips").iterdir(), course / "report.pdf"]
    assert {"17.pdf", "18.pdf", "19.pdf", "report.pdf"} == {path.name for path in made}
    assert all(path.read_bytes().startswith(b"%PDF-") for path in made)


SLIPS = ("two-keys.yaml", "pile.txt", "-o", "marks.csv", "--slips", "slips")


def everything(folder: Path) -> dict[str, bytes]:
    """Marks and slips as they are."""
    return {path.name: path.read_bytes() for path in (folder / "marks.csv", *(folder / "slips").iterdir())}


def change_the_problem(folder: Path) -> None:
    file = folder / "two-keys.yaml"
    file.write_text(file.read_text().replace("output: 1", "output: 3"))


def test_regrading_replaces_its_own_slips(course: Path) -> None:
    grade(course, *SLIPS)
    before = everything(course)
    change_the_problem(course)
    done = grade(course, *SLIPS)
    assert (0, "") == (done.returncode, done.stderr)
    assert "moved since the last time: 3\n  17: 5 -> 7 (a.Z 1 of 1 -> 3 of 3)\n" in done.stdout
    after = everything(course)
    assert before.keys() == after.keys()
    assert [] == [name for name in before if before[name] == after[name]]


def test_what_is_refused_is_refused_before_anything_is_written(course: Path) -> None:
    grade(course, *SLIPS)
    note = course / "slips" / "19.txt"
    note.write_text(note.read_text() + "Come and see me.\n")
    before = everything(course)
    change_the_problem(course)
    done = grade(course, *SLIPS)
    assert (1, "", "'slips/19.txt' was changed since, or is not ours; --force overwrites it\n") == (
        done.returncode,
        done.stdout,
        done.stderr,
    )
    assert before == everything(course)
    # Nothing is forgotten by that: who moved is told as soon as it is done.
    forced = grade(course, *SLIPS, "--force")
    assert (0, "") == (forced.returncode, forced.stderr)
    assert "moved since the last time: 3\n" in forced.stdout
    assert "Come and see me." not in note.read_text()


def test_slips_of_another_gradebook_are_not_replaced(course: Path) -> None:
    grade(course, *SLIPS)
    change_the_problem(course)
    other = [word.replace("marks.csv", "others.csv") for word in SLIPS]
    assert 1 == grade(course, *other).returncode
    assert not (course / "others.csv").exists()


def test_the_way_must_be_free(course: Path) -> None:
    (course / "file").write_text("")
    (course / "folder").mkdir()
    for words, said in (
        (("--slips", "file"), "'file' is no folder; name another place for the slips\n"),
        (("-o", "folder", "--force"), "'folder' is a folder; name a file for the marks\n"),
    ):
        done = grade(course, "two-keys.yaml", "pile.txt", *words)
        assert (1, "", said) == (done.returncode, done.stdout, done.stderr)


def test_bytes_are_the_same_with_two_processes(course: Path) -> None:
    one = grade(course, "two-keys.yaml", "pile.txt", "-o", "one.csv")
    two = grade(course, "two-keys.yaml", "pile.txt", "-o", "two.csv", "-j", "2")
    assert (0, 0, one.stdout) == (one.returncode, two.returncode, two.stdout)
    assert (course / "one.csv").read_bytes() == (course / "two.csv").read_bytes()


def test_marks_are_printed_without_a_file(course: Path) -> None:
    done = grade(course, "two-keys.yaml", "pile.txt", "--bom")
    assert 3 == len(rows(done.stdout))
    assert "3 graded" in done.stderr
    assert not list(course.glob("*.journal"))


def test_code_says_that_something_was_not_read(course: Path) -> None:
    (course / "bad.txt").write_bytes(b"\xff\xfe")
    done = grade(course, "two-keys.yaml", "pile.txt", "bad.txt", "-o", "marks.csv")
    assert 4 == done.returncode
    assert "bad.txt: not read: line 1 is not UTF-8 (byte 0xFF)" in done.stderr
    assert 4 == len(rows((course / "marks.csv").read_text()))


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["two-keys.yaml"], 2, "name what was handed in"),
        (["two-keys.yaml", "pile.txt", "--type"], 2, "name no files"),
        (["no-such-problem", "pile.txt"], 2, "there is no file or bundled problem"),
        (["bad.yaml", "pile.txt"], 3, "bad.yaml:"),
        (["manifest.json", "pile.txt"], 3, "manifest.json: this is not the manifest of an exam"),
        (["two-keys.yaml", "x.zip"], 3, "x.zip: this zip cannot be read"),
    ],
)
def test_what_cannot_be_meant_is_told(course: Path, words: list[str], code: int, said: str) -> None:
    (course / "bad.yaml").write_text("format: 1\ntitle: x\n")
    (course / "manifest.json").write_text("{}")
    (course / "x.zip").write_text("no zip")
    done = grade(course, *words)
    assert code == done.returncode
    assert said in done.stderr and "bug" not in done.stderr


def test_lines_are_judged_as_they_are_typed(course: Path) -> None:
    done = grade(course, "two-keys.yaml", "--type", typed=f"@ 17\n{RIGHT}")
    assert (0, "17: 5 of 5") == (done.returncode, done.stdout.splitlines()[-1].strip())


def test_places_that_do_not_exist_are_told(course: Path) -> None:
    done = grade(course, "two-keys.yaml", "nowhere", "-o", "marks.csv")
    assert (2, "there is no file or folder 'nowhere'\n") == (done.returncode, done.stderr)


def test_slips_and_reports_have_the_style(course: Path) -> None:
    (course / "style.yaml").write_text("format: 1\npreamble: own.tex\n", encoding="utf-8")
    (course / "own.tex").write_text("% of the house\n", encoding="utf-8")
    documents = ("--to", "latex", "--report", "report.tex", "--style", "style.yaml")
    done = grade(course, *SLIPS, *documents)
    assert (0, "") == (done.returncode, done.stderr)
    for file in (course / "report.tex", *(course / "slips").iterdir()):
        assert 1 == file.read_text("utf-8").count("% of the house"), file.name


def test_slips_and_the_report_speak_a_language(course: Path) -> None:
    words = ("two-keys.yaml", "pile.txt", "--slips", "slips", "--report", "class.md", "-o", "marks.csv")
    done = grade(course, *words, "--lang", "de")
    assert (0, "") == (done.returncode, done.stderr)
    slip = (course / "slips" / "17.txt").read_text(encoding="utf-8")
    assert "richtig" in slip
    assert "right" not in slip
    assert "Median" in (course / "class.md").read_text(encoding="utf-8")


def test_slips_have_the_words_of_a_style(course: Path) -> None:
    (course / "house").mkdir()
    (course / "house" / "style.yaml").write_text("format: 1\nheader: {left: Somewhere}\n", encoding="utf-8")
    grade(course, *SLIPS, "--to", "latex", "--style", "house")
    assert "Somewhere" in (course / "slips" / "17.tex").read_text(encoding="utf-8")
