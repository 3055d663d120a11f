"""A run that was stopped goes on; what is unchanged is not graded again; who moved is told."""

from pathlib import Path

import pytest
from grading.classes import PROBLEM, RIGHT, WRONG, pile, problem, rows

from attnsolve.errors import AttnsolveError
from attnsolve.grading import session as session_room
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.journal import beside
from attnsolve.grading.session import Session
from attnsolve.grading.sources import gather
from attnsolve.grading.workers import Worker
from attnsolve.whole_files import replace_file


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The students whose answers were really judged."""
    seen: list[str] = []
    grade = Worker.grade

    def spy(self: Worker, piece, **more):  # type: ignore[no-untyped-def]
        seen.append(piece.student)
        return grade(self, piece, **more)

    monkeypatch.setattr(Worker, "grade", spy)
    return seen


class Class:
    """A class in a folder, graded as often as one likes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "pile.txt"
        self.output = folder / "marks.csv"

    def session(self, text: str, *, problem_text: str = PROBLEM, **more: bool) -> Session:
        self.file.write_text(text)
        # A file that is solved is kept by its path: a changed one has another here, as in another run.
        path = self.folder / str(abs(hash(problem_text)))
        path.mkdir(exist_ok=True)
        return Session(Assignment(problem(path, problem_text)), gather([self.file]), self.output, **more)

    def grade(self, text: str, **more: bool | str) -> Session:
        session = self.session(text, **more)  # type: ignore[arg-type]
        list(session.run())
        session.write()
        return session


@pytest.fixture
def course(tmp_path: Path) -> Class:
    return Class(tmp_path)


def test_unchanged_answers_are_not_graded_again(course: Class, judged: list[str]) -> None:
    course.grade(pile("a", "b"))
    marks = course.output.read_bytes()
    assert ["a", "b"] == judged
    course.grade(pile("a", "b"))
    assert (["a", "b"], marks) == (judged, course.output.read_bytes())
    course.grade(pile("a") + pile("b", answers=WRONG) + pile("c"))
    assert ["a", "b", "b", "c"] == judged
    course.grade(pile("a"), fresh=True)
    assert ["a", "b", "b", "c", "a"] == judged


@pytest.mark.parametrize("is_there", [False, True])
def test_a_run_that_is_killed_as_it_writes_the_marks_is_gone_on_with(
    course: Class, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    """Just before the marks are in their place, or just after: the next run knows them as its own."""
    course.grade(pile("a"))

    def killed(file: Path, text: str) -> None:
        if is_there:
            replace_file(file, text)
        raise KeyboardInterrupt

    monkeypatch.setattr(session_room, "replace_file", killed)
    with pytest.raises(KeyboardInterrupt):
        course.grade(pile("a", "b"))
    monkeypatch.undo()
    course.grade(pile("a", "b"))
    assert ["a", "b"] == [row["student"] for row in rows(course.output.read_text())]
    course.output.write_text("changed by hand")
    with pytest.raises(AttnsolveError, match="was changed since"):
        course.grade(pile("a", "b"))


def test_stopped_run_goes_on_where_it_was(course: Class, judged: list[str]) -> None:
    class_of_ten = pile(*"abcdefghij")
    run = course.session(class_of_ten).run()
    for _ in range(4):
        next(run)
    run.close()  # as Ctrl-C or a kill would: no marks were written, the journal is
    assert not course.output.exists()
    with beside(course.output).open("a") as stream:
        stream.write('{"assignment": "torn li')
    del judged[:]
    session = course.grade(class_of_ten)
    assert list("efghij") == judged
    assert list("abcdefghij") == [one.student for one in session.marks]
    whole = course.output.read_bytes()
    course.output.unlink()
    beside(course.output).unlink()
    course.grade(class_of_ten)
    assert whole == course.output.read_bytes()


def test_who_moved_is_told_when_the_scheme_changes(course: Class) -> None:
    answers = pile("good") + pile("slip", answers=WRONG) + '@ seen\ns 1 3\nmark s 1/2 "method clear"\n'
    assert [] == course.grade(answers).moves()
    assert [] == course.grade(answers).moves()
    changed = course.grade(answers, problem_text=PROBLEM.replace("output: 1", "output: 3"))
    moved = {move.student: str(move) for move in changed.moves()}
    assert "good: 5 -> 7 (a.Z 1 of 1 -> 3 of 3)" == moved["good"]
    assert {"good", "slip", "seen"} == set(moved) | {"seen"}
    by_hand = next(one.report for one in changed.marks if one.student == "seen")
    assert by_hand is not None
    scores = next(step for step in by_hand.steps if step.name == "a.S")
    assert ("1", "method clear") == (str(scores.earned), scores.reason)
    assert [] == course.grade(answers, problem_text=PROBLEM.replace("output: 1", "output: 3")).moves()


def test_moved_verdict_is_told(course: Class) -> None:
    course.grade(pile("a"))
    moves = course.grade(pile("a"), problem_text=PROBLEM.replace("q: 1 2", "q: 1 3")).moves()
    assert ["a"] == [move.student for move in moves]
    assert any(reason.startswith("a.S right 2 of 2 -> ") for reason in moves[0].reasons)


def test_marks_changed_by_hand_are_not_lost(course: Class) -> None:
    course.grade(pile("a"))
    course.output.write_text(course.output.read_text() + "b,,5\n")
    with pytest.raises(AttnsolveError, match="was changed since, or is not ours; --force overwrites it"):
        course.session(pile("a"))
    course.grade(pile("a"), force=True)
    assert 1 == len(rows(course.output.read_text()))


def test_links_are_not_written_through(course: Class) -> None:
    beside(course.output).symlink_to(course.folder / "elsewhere")
    with pytest.raises(AttnsolveError, match="symbolic link"):
        course.session(RIGHT)


def test_another_version_judges_anew(tmp_path: Path) -> None:
    path = problem(tmp_path)
    assert Assignment(path, version="1").key != Assignment(path, version="2").key


def test_file_of_somebody_else_is_not_lost(course: Class) -> None:
    course.output.write_text("mine\n")
    with pytest.raises(AttnsolveError, match="is there already; --force overwrites it"):
        course.session(RIGHT)


def test_data_beside_the_problem_counts(tmp_path: Path) -> None:
    text = PROBLEM.replace("V: 2 0; 0 4", "V: {file: V.csv}")
    keys = []
    for number, table in enumerate(("2,0\n0,4\n", "2,0\n0,5\n")):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "V.csv").write_text(table)
        keys.append(Assignment(problem(folder, text)).key)
    assert keys[0] != keys[1]
