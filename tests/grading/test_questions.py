"""Questions that only a person can mark: in the gradebook, in the summary, at the desk, in the journal."""

from pathlib import Path

from grading.classes import PROBLEM, RIGHT, problem, rows

from attnsolve.grading import reporting
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.desk import Desk
from attnsolve.grading.session import Session
from attnsolve.grading.sources import gather
from attnsolve.grading.summary import lines, record, summarise
from attnsolve.stored import records_in

WORDS = PROBLEM + "  - {id: b, ask: Why?, discuss: Because., marks: 3}\n"


def session(folder: Path, pile: str, output: Path | None = None) -> Session:
    """A graded pile of a problem with the question (b) in words."""
    file = folder / "pile.txt"
    file.write_text(pile, encoding="utf-8")
    made = Session(Assignment(problem(folder, WORDS)), gather([file]), output)
    list(made.run())
    return made


def test_the_gradebook_has_its_column_and_says_once_that_it_waits(tmp_path: Path) -> None:
    pile = (
        f'@ a\n{RIGHT}@ b\n{RIGHT}mark b 2 "good"\n@ c\nb Because of softmax\n@ d\nmark b 0\n@ e\nmark b 9\n'
    )
    found = rows(session(tmp_path, pile).write())
    assert ["", "2", "", "0", "3"] == [row["b"] for row in found]
    assert ["5", "7", "0", "0", "3"] == [row["total"] for row in found]
    assert {"8"} == {row["possible"] for row in found}
    assert {""} == {row["first wrong"] for row in found}
    waits, cut = "to be marked by hand: b", "b: 9 was given by hand, but 3 is the most there is"
    assert [waits, "", waits, "", cut] == [row["look at"] for row in found]


def test_who_waits_for_a_mark_is_complete(tmp_path: Path) -> None:
    made = session(tmp_path, f"@ a\n{RIGHT}")
    assert (0, []) == (reporting.exit_code(made), list(reporting.complaints(made)))


def test_the_summary_counts_who_waits(tmp_path: Path) -> None:
    made = session(tmp_path, f"@ a\n{RIGHT}@ b\n{RIGHT}mark b 2\n@ c\n{RIGHT}")
    found = summarise(made.assignment.trace().problem, made.marks)
    assert "to be marked by hand: b (2 of 3)" in list(lines(found))
    assert not any(line.startswith("  b ") for line in lines(found))
    assert [{"step": "b", "count": 2}] == record(found)["waiting"]
    assert {"not judged": 3} == record(found)["steps"]["b"]


def test_the_summary_is_silent_when_all_is_marked(tmp_path: Path) -> None:
    made = session(tmp_path, f"@ a\n{RIGHT}mark b 1\n")
    found = summarise(made.assignment.trace().problem, made.marks)
    assert not any("to be marked" in line for line in lines(found))
    assert [] == record(found)["waiting"]


def test_a_pile_of_words_is_graded_and_what_cannot_be_read_alone_is_not(tmp_path: Path) -> None:
    words, nothing = session(tmp_path, "@ a\nb Because\nnonsense 4\n@ b\nnonsense 4\n").marks
    assert words.report is not None
    assert "Because" == words.report.steps[-1].typed
    assert nothing.report is None


def test_the_journal_keeps_it_and_a_new_mark_is_taken(tmp_path: Path) -> None:
    output = tmp_path / "marks.csv"
    session(tmp_path, f"@ a\n{RIGHT}@ b\n{RIGHT}b Because\n", output).write()
    kept = list(records_in(Path(f"{output}.journal").read_text("utf-8")))
    assert "Because" == kept[-1]["marks"][0]["report"]["steps"]["b"]["typed"]
    again = session(tmp_path, f"@ a\n{RIGHT}mark b 3\n@ b\n{RIGHT}b Because\n", output)
    assert ["8", "5"] == [row["total"] for row in rows(again.write())]


def test_a_mark_is_typed_at_the_desk(tmp_path: Path) -> None:
    with Desk(Assignment(problem(tmp_path, WORDS))) as desk:
        typed = ["@ 17", "b Because", "mark b 2", 'mark b 2 "well said"', 'mark b 0 "no"']
        found = [words.strip() for words in desk.judge(f"{line}\n" for line in typed)]
    assert [
        "17: 0 of 8",
        'b not judged: write mark b 3 "why"',
        "17: 0 of 8",
        "b 2 of 3. Marked by hand.",
        "17: 2 of 8",
        "b 2 of 3. Marked by hand: well said.",
        "17: 2 of 8",
        "b 0 of 3. Marked by hand: no.",
        "17: 0 of 8",
    ] == found
