"""The caps on what is handed in: reached is fine, passed is told with its place."""

import re

import pytest

from attnsolve.errors import ProblemError
from attnsolve.limits import Limits
from attnsolve.verifier.reading import read_submission, read_submissions


@pytest.mark.parametrize("form", ["a {}", "a [{}]", "a: [{}]", '{{"a": [{}]}}', "a,\n{},"])
def test_numbers_of_an_answer(form: str) -> None:
    comma = form[-1] not in "}]" or form.startswith("a [")
    kind = (
        "yaml" if form.startswith("a:") else "json" if form.startswith("{") else "csv" if "\n" in form else ""
    )
    for count, state in ((6, "number"), (7, "unread"), (700, "unread")):
        text = form.format((" " if comma else ", ").join(["1"] * count))
        submission = read_submission(text, source="x", form=kind, limits=Limits(numbers=6))
        assert state == submission.answers[0].rows[0][0].state
        assert (state == "unread") == bool(submission.unread)
        if submission.unread:
            assert re.match(r"x:\d+:\d+: a: an answer of \d+ \w+; the limit is", str(submission.unread[0]))


def test_numbers_of_one_person() -> None:
    submission = read_submission("a 1 2 3\nb 1 2 3\nc 1\n", source="x", limits=Limits(nodes=6))
    assert ["number", "number", "unread"] == [answer.rows[0][0].state for answer in submission.answers]
    assert ("x:3:1: c: more than 6 numbers from one person, the limit",) == tuple(map(str, submission.unread))


def test_answers_of_one_person() -> None:
    limits = Limits(answers=3)
    for text, form in (("a 1\n" * 3, ""), ("a 1\n" * 2 + "mark a 1\n", "")):
        assert () == read_submission(text, form=form, limits=limits).unread
    found = list(read_submissions("@ 1\na 1\na 1\na 1\na 1\na 1\n@ 2\na 1\n", "x", limits=limits))
    assert [3, 1] == [len(submission.answers) for submission in found]
    assert ("x:5:1: more than 3 answers from one person, the limit",) == tuple(map(str, found[0].unread))


def test_students_of_a_pile() -> None:
    limits = Limits(students=3)
    head = "student,a\n"
    for pile in ("@ 1\na 1\n@ 2\n@ 3\n", head + "1,2\n" * 3, '[{"a": 1}, {"a": 1}, {"a": 1}]'):
        assert 3 == len(list(read_submissions(pile, limits=limits)))
    for pile in ("@ 1\na 1\n" * 4, head + "1,2\n" * 4, '[{"a": 1}, {"a": 1}, {"a": 1}, {"a": 1}]'):
        with pytest.raises(ProblemError, match=r"x:[0-9]+:1: 4 students; the limit is 3"):
            read_submissions(pile, "x", limits=limits)


def test_bytes_of_a_pile_and_of_a_file() -> None:
    text = "@ 1\na 1\n"
    assert 1 == len(list(read_submissions(text, limits=Limits(pile_bytes=len(text)))))
    with pytest.raises(ProblemError, match="x:1:1: more than 7 bytes, the limit"):
        read_submissions(text, "x", limits=Limits(pile_bytes=7))
    with pytest.raises(ProblemError, match="x:1:1: more than 7 bytes, the limit"):
        read_submission(text, source="x", limits=Limits(file_bytes=7))


def test_complaints_come_to_an_end() -> None:
    submission = read_submission("!\n" * 9, source="x", limits=Limits(faults=3))
    assert 4 == len(submission.unread)
    assert "x:4:1: too much that cannot be read; nothing was read from here on" == str(submission.unread[-1])
