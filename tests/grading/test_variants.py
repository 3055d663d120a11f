"""A class in which everybody had numbers of his own: found by the code, or by whose it was."""

import gc
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from exams.rooms import PROBLEM, ROOT, locked, problem, roster, variants
from grading.classes import rows

from attnsolve.batch import solved
from attnsolve.errors import AttnsolveError
from attnsolve.grading.assignment import KEPT, Assignment
from attnsolve.grading.graded import Graded
from attnsolve.grading.marker import graded_piece, obeyed
from attnsolve.grading.pieces import Piece
from attnsolve.grading.session import Session
from attnsolve.grading.sources import gather
from attnsolve.grading.workers import Died, Worker
from attnsolve.trace import Trace
from attnsolve.verifier.verification import Verifier

STUDENTS = [f"s{number}" for number in range(1, 21)]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    problem(folder)
    people = [f"{student},Name of {student}" for student in STUDENTS]
    variants(folder, "two-keys.yaml", "--roster", roster(folder, *people), "--spares", "1", "-o", "exam")
    late = roster(folder, *people, "late,Late Comer", name="late.csv")
    variants(folder, "two-keys.yaml", "--roster", late, "-o", "exam")
    return folder


def answers(course: Path, seat: str) -> str:
    """Right answers, made from the kept problem file of a seat."""
    return written(solved(course / f"exam/problems/{locked(course / 'exam')[seat]['code']}.yaml"), "SAZ")


def written(trace: Trace, names: Iterable[str]) -> str:
    lines = []
    for name in names:
        cells = [cell.text for row in trace.value(f"a.{name}").decimals(2) for cell in row]
        lines.append(f"{name} {' '.join(cells)}")
    return "\n".join(lines) + "\n"


def grade(course: Path, *words: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from attnsolve.cli import main; main()", *map(str, words)]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    done = subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True)
    assert code == done.returncode, done.stderr + done.stdout
    return done


def handed_in(text: str) -> list[dict[str, str]]:
    """The lines of the marks without those who handed in nothing."""
    return [row for row in rows(text) if row["look at"] != "nothing handed in"]


def code_of(course: Path, seat: str) -> str:
    return str(locked(course / "exam")[seat]["code"])


def test_everybody_is_graded_by_his_own_numbers(course: Path) -> None:
    pile = [f"@ {s} {code_of(course, s).lower()}\n{answers(course, s)}" for s in STUDENTS[:10]]
    pile += [f"@ {s}\n{answers(course, s)}" for s in (*STUDENTS[10:], "late")]  # who forgot the code
    (course / "pile.txt").write_text("".join(pile))
    done = grade(course, "grade", "exam/manifest.json", "pile.txt", "-o", "marks.csv", "--slips", "slips")
    assert done.stdout.startswith("21 graded\n")
    marks = rows((course / "marks.csv").read_text())
    assert [*STUDENTS, "late"] == [row["student"] for row in marks]
    assert [code_of(course, row["student"]) for row in marks] == [row["variant"] for row in marks]
    assert {("5", "5", "")} == {(row["total"], row["possible"], row["look at"]) for row in marks}
    assert 21 == len(list((course / "slips").iterdir()))


def test_numbers_of_another_are_wrong(course: Path) -> None:
    (course / "swapped.txt").write_text(f"@ s1 {code_of(course, 's1')}\n{answers(course, 's2')}")
    (marks,) = handed_in(grade(course, "grade", "exam/manifest.json", "swapped.txt").stdout)
    assert float(marks["total"]) < 5


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("@ stranger 22Z2", "the code '22Z2' is not in this exam; "),
        ("@ stranger", "there is no code, and 'stranger' is not in the roster"),
    ],
)
def test_a_wrong_code_stops_nobody_else(course: Path, head: str, said: str) -> None:
    (course / "odd.txt").write_text(f"{head}\n{answers(course, 's1')}@ s2\n{answers(course, 's2')}")
    done = grade(course, "grade", "exam/manifest.json", "odd.txt", code=4)
    first, second = handed_in(done.stdout)
    assert said.format(s1=code_of(course, "s1")) in first["look at"]
    assert ("", "5") == (first["total"], second["total"])


def test_a_wrong_code_of_somebody_known_is_graded_by_his_own_and_told(course: Path) -> None:
    (course / "wrong").mkdir()
    (course / "wrong/s1.txt").write_text(f"@ s1 22Z2\n{answers(course, 's1')}")
    (course / "wrong/s2.txt").write_text(answers(course, "s2"))
    (course / "wrong/s3.txt").write_text(f"@ 22Z2\n{answers(course, 's3')}")
    marks = handed_in(grade(course, "grade", "exam", "wrong").stdout)
    assert [("s1", "5"), ("s2", "5"), ("s3", "5")] == [(row["student"], row["total"]) for row in marks]
    said = "remark: the code '22Z2' is not in this exam; {} had {}"
    expected = [said.format(s, code_of(course, s)) for s in ("s1", "s3")]
    assert [expected[0], "", expected[1]] == [row["look at"] for row in marks]


def test_names_are_there_and_who_handed_in_nothing(course: Path) -> None:
    (course / "two.txt").write_text(f"@ S2\n{answers(course, 's2')}@ late\n{answers(course, 'late')}")
    done = grade(course, "grade", "exam", "two.txt", "-o", "two.csv")
    marks = rows((course / "two.csv").read_text())
    assert ["student", "name", "variant"] == list(marks[0])[:3]
    assert ["S2", "late", "s1", "s3"] == [row["student"] for row in marks[:4]]
    assert ["Name of s2", "Late Comer", "Name of s1"] == [row["name"] for row in marks[:3]]
    nothing = {("", "", "nothing handed in")}
    assert nothing == {(row["total"], row["possible"], row["look at"]) for row in marks[2:]}
    assert len(STUDENTS) + 1 == len(marks)
    assert done.stdout.startswith("2 graded\n")
    assert "19 of the roster handed in nothing" in done.stderr


def test_paper_of_somebody_else_is_graded_and_told(course: Path) -> None:
    (course / "odd.txt").write_text(f"@ s1 {code_of(course, 's2')}\n{answers(course, 's2')}")
    (marks,) = handed_in(grade(course, "grade", "exam/manifest.json", "odd.txt").stdout)
    assert "5" == marks["total"]
    assert f"{code_of(course, 's2')} was printed for s2" in marks["look at"]


def test_a_spare_belongs_to_whoever_used_it(course: Path) -> None:
    (course / "odd.txt").write_text(f"@ s1 {code_of(course, 'spare 1')}\n{answers(course, 'spare 1')}")
    (marks,) = handed_in(grade(course, "grade", "exam/manifest.json", "odd.txt").stdout)
    assert ("s1", "5", "") == (marks["student"], marks["total"], marks["look at"])


def test_files_may_be_named_after_the_code(course: Path) -> None:
    (course / "files").mkdir()
    for seat in ("s3", "s4"):
        (course / f"files/{code_of(course, seat)}.txt").write_text(answers(course, seat))
    marks = handed_in(grade(course, "grade", "exam/manifest.json", "files").stdout)
    assert {("s3", "5"), ("s4", "5")} == {(row["student"], row["total"]) for row in marks}


def test_one_calculation_is_verified_by_its_code(course: Path) -> None:
    (course / "one.txt").write_text(f"@ s5 {code_of(course, 's5')}\n{answers(course, 's5')}")
    for exam in ("exam/manifest.json", "exam", "exam/"):
        grade(course, "verify", exam, "one.txt")
    (course / "one.txt").write_text(f"@ s5 22Z2\n{answers(course, 's5')}")
    assert "the code '22Z2' is not in this exam" in grade(course, "verify", "exam", "one.txt").stdout
    (course / "one.txt").write_text(f"@ stranger 22Z2\n{answers(course, 's5')}")
    assert "the code '22Z2'" in grade(course, "verify", "exam/manifest.json", "one.txt", code=1).stderr


def test_after_an_erratum_everybody_is_graded_by_his_numbers_in_the_right_problem(
    course: Path, tmp_path: Path
) -> None:
    """With the scores halved s9's first answers have other weights, and his second are right."""
    right = course / "corrected.yaml"
    right.write_text(PROBLEM.replace("divide_by: none", "divide_by: 2"))
    own = tmp_path / "own.yaml"
    text = (course / f"exam/problems/{code_of(course, 's9')}.yaml").read_text()
    own.write_text(text.replace("divide_by: none", "divide_by: 2"))
    pile = course / "erratum.txt"
    pile.write_text(f"@ s8\n{answers(course, 's8')}@ s9\n{written(solved(own), 'SAZ')}")
    words = ("grade", "exam", "erratum.txt", "-o", "erratum.csv")
    grade(course, *words)
    first = {row["student"]: float(row["total"]) for row in handed_in((course / "erratum.csv").read_text())}
    assert first["s8"] == 5 > first["s9"]
    done = grade(course, *words, "--corrected", "corrected.yaml")
    marks = {row["student"]: row for row in rows((course / "erratum.csv").read_text())}
    assert float(marks["s8"]["total"]) < float(marks["s8"]["possible"])
    assert marks["s9"]["total"] == marks["s9"]["possible"] == "5"
    assert "moved since the last time: 2\n" in done.stdout
    (course / "one.txt").write_text(f"@ s9\n{written(solved(own), 'SAZ')}")
    grade(course, "verify", "exam", "one.txt", "--corrected", "corrected.yaml")
    grade(course, "verify", "exam", "one.txt", code=1)
    done = grade(course, "verify", "two-keys.yaml", "one.txt", "--corrected", "corrected.yaml", code=2)
    assert "--corrected is for exams" in done.stderr


def corrected(course: Path, text: str) -> Path:
    """A corrected problem, and a right answer to what was asked beside it."""
    path = course / "right.yaml"
    path.write_text(text)
    (course / "s8.txt").write_text(answers(course, "s8"))
    return path


def test_who_grades_by_a_corrected_problem_sees_what_affected_says(course: Path) -> None:
    right = corrected(course, PROBLEM.replace("divide_by: none", "divide_by: 2"))
    told = variants(course, "affected", "exam", right)
    changed = sum(not line.startswith(" ") for line in told.stdout.splitlines())
    assert f"exam: {changed} of 22 codes get another key" in told.stderr
    words = ("grade", "exam", "s8.txt", "--corrected", "right.yaml", "--fresh")
    said = "another key than was printed ('attnsolve variants affected exam right.yaml' lists them)\n"
    expected = f"judged by the corrected problem:\n  {changed} of 22 codes have {said}"
    assert expected in grade(course, *words, "-o", "told.csv").stdout
    assert expected in grade(course, *words).stderr  # the marks go to stdout there
    record = json.loads(grade(course, *words, "-o", "told.csv", "--json", "--force").stdout)
    assert [f"{changed} of 22 codes have {said}".rstrip()] == record["erratum"]
    assert "erratum" not in json.loads(grade(course, *words[:3], "-o", "plain.csv", "--json").stdout)
    typed = [
        sys.executable,
        "-c",
        "from attnsolve.cli import main; main()",
        *words[:2],
        *words[3:5],
        "--type",
    ]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    done = subprocess.run(typed, cwd=course, env=environment, input="", capture_output=True, text=True)
    assert f"{changed} of 22 codes have {said}" == done.stderr


@pytest.mark.parametrize(
    ("places", "said", "is_right"),
    [
        (
            4,
            "; answers are judged to 4, although the papers ask for 2 (places: 2 judges what they ask for)",
            False,
        ),
        (1, "; answers are judged to 1", True),
    ],
)
def test_other_places_are_said_with_what_they_do_to_marks(
    course: Path, places: int, said: str, is_right: bool
) -> None:
    strict = "scheme: {all_digits: true}"
    corrected(course, PROBLEM.replace("places: 2", f"places: {places}\n{strict}"))
    done = grade(course, "grade", "exam", "s8.txt", "--corrected", "right.yaml")
    assert f"  the corrected problem has {places} places instead of 2{said}\n" in done.stderr
    assert "  0 of 22 codes have another key than was printed\n" in done.stderr
    (row,) = handed_in(done.stdout)
    assert is_right == (row["total"] == row["possible"])


def test_another_size_of_what_is_everybodys_own_is_said(course: Path) -> None:
    corrected(course, PROBLEM.replace("V: 2 0; 0 4", "V: 2 0 1; 0 4 1"))
    done = grade(course, "grade", "exam", "s8.txt", "--corrected", "right.yaml")
    assert (
        "  given V is 2x3 in the corrected problem and was 2x2 in original; every code keeps" in done.stderr
    )


def test_codes_that_the_corrected_problem_does_not_take_are_counted(course: Path) -> None:
    text = PROBLEM.replace(", V: 2 0; 0 4", ", U: 2 0; 0 4").replace("values: V", "values: U")
    corrected(course, text.replace("V:", "U:"))
    done = grade(course, "grade", "exam", "s8.txt", "--corrected", "right.yaml", code=4)
    assert "  0 of 22 codes have another key than was printed, and 22 cannot be judged by" in done.stderr


def test_a_problem_file_that_was_changed_is_refused(course: Path) -> None:
    file = course / f"exam/problems/{code_of(course, 's6')}.yaml"
    kept = file.read_text()
    file.write_text(kept.replace("marks: {scores: 2", "marks: {scores: 9"))
    try:
        (course / "odd.txt").write_text(f"@ s6\n{answers(course, 's6')}@ s7\n{answers(course, 's7')}")
        first, second = handed_in(grade(course, "grade", "exam/manifest.json", "odd.txt", code=4).stdout)
        assert "is not what was locked" in first["look at"]
        assert "5" == second["total"]
    finally:
        file.write_text(kept)


def test_key_of_an_exam_depends_on_every_variant(course: Path, tmp_path: Path) -> None:
    keys = set()
    for place, change in enumerate(("", "sha256", "student")):
        folder = tmp_path / str(place)
        folder.mkdir()
        for name in ("lock.json", "manifest.json"):
            kept = json.loads((course / "exam" / name).read_text())
            kept.pop("checksum", None)  # it is changed on purpose
            if change == "sha256":
                kept["variants"][-1]["sha256"] = "0" * 64
            if change == "student":
                kept["variants"][-1]["student"] = "other"
            (folder / name).write_text(json.dumps(kept))
        keys.add(Assignment(folder / "manifest.json").key)
    assert 3 == len(keys)


def test_a_code_that_is_not_locked_is_refused(course: Path, tmp_path: Path) -> None:
    (tmp_path / "lock.json").write_bytes((course / "exam/lock.json").read_bytes())
    kept = json.loads((course / "exam/manifest.json").read_text())
    kept["variants"][0]["code"] = "22Z2"
    (tmp_path / "manifest.json").write_text(json.dumps(kept))
    with pytest.raises(AttnsolveError, match="the code 22Z2 is not in lock"):
        Assignment(tmp_path / "manifest.json").match("22Z2", "")


def test_a_process_remembers_few_variants(course: Path) -> None:
    assignment = Assignment(course / "exam/manifest.json")
    before = len(verifiers())
    for student in STUDENTS:
        piece = Piece("pile.txt", f"@ {student}\n{answers(course, 's1')}", "compact", student=student)
        assert 1 == len(list(graded_piece(assignment, piece)))
    assert len(verifiers()) - before <= KEPT < len(STUDENTS)


def verifiers() -> list[Verifier]:
    gc.collect()
    return [thing for thing in gc.get_objects() if type(thing) is Verifier]


def test_one_variant_after_the_other_is_judged_and_marks_keep_their_order(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[str] = []
    grade = Worker.grade

    def spy(self: Worker, piece: Piece, **more: int) -> list[Graded]:
        marks = grade(self, piece, **more)
        judged.extend(one.variant for one in marks)
        return marks

    monkeypatch.setattr(Worker, "grade", spy)
    codes = [code_of(course, student) for student in STUDENTS[:3]] * 3
    (course / "mixed.txt").write_text("".join(f"@ x{n} {code}\nS 1 2\n" for n, code in enumerate(codes)))
    session = Session(Assignment(course / "exam/manifest.json"), gather([course / "mixed.txt"]), None)
    assert 9 == len(list(session.run()))
    assert sorted(codes) == judged
    assert [f"x{n}" for n in range(9)] == [one.student for one in session.marks]


def test_who_met_the_limit_is_tried_again_with_his_own_variant_prepared(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders: list[dict[str, Any]] = []

    def asked(self: Worker, order: dict[str, Any], **_: float) -> Iterator[dict[str, Any]]:
        orders.append(order)
        if len(orders) == 1:
            raise Died("time limit 2 s")
        yield from obeyed_in_time(order)

    def obeyed_in_time(order: dict[str, Any]) -> Iterator[dict[str, Any]]:
        return (made for made in obeyed(assignment, order) if "done" not in made)

    assignment = Assignment(course / "exam/manifest.json")
    monkeypatch.setattr(Worker, "asked", asked)
    (one,) = Worker(assignment).grade(
        Piece("x.txt", f"@ s3\n{answers(course, 's3')}", "compact", student="s3")
    )
    assert ["piece", "prepare", "piece"] == [next(iter(order)) for order in orders]
    assert code_of(course, "s3") == orders[1]["prepare"] == one.variant
    assert one.report is not None and 5 == one.report.earned


def test_slips_of_an_exam_have_the_style_it_keeps(course: Path, tmp_path: Path) -> None:
    exam = tmp_path / "exam"
    shutil.copytree(course / "exam", exam)
    (exam / "style").mkdir()
    (exam / "style" / "style.yaml").write_text("format: 1\nheader: {left: Somewhere}\n", encoding="utf-8")
    typed = f"@ s1\n{answers(course, 's1')}"
    (tmp_path / "pile.txt").write_text(typed, encoding="utf-8")
    done = grade(tmp_path, "grade", "exam", "pile.txt", "--slips", "slips", "--to", "latex", "-o", "m.csv")
    assert 0 == done.returncode, done.stderr
    assert "Somewhere" in (tmp_path / "slips" / "s1.tex").read_text(encoding="utf-8")
