"""Lines above answers: the part they are for, and whose they are."""

import pytest

from attnsolve.submission import Submission
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.reading.headings import Heading, read_heading

HEADINGS = [
    ("(a)", "a", ""),
    ("  b) ", "b", ""),
    ("Part a", "a", ""),
    ("PART (2b):", "2b", ""),
    ("Question 1", "1", ""),
    ("(a) S = 1 2", "a", "S = 1 2"),
    ("1) S 1 2", "1", "S 1 2"),
    ("a: S = 1 2", "a", "S = 1 2"),
    ("a. scores: 1 2", "a", "scores: 1 2"),
    ("(ii) softmax(S) = 1", "ii", "softmax(S) = 1"),
]


@pytest.mark.parametrize(("line", "part", "behind"), HEADINGS)
def test_heading_names_its_part(line: str, part: str, behind: str) -> None:
    heading = read_heading(line)
    assert isinstance(heading, Heading)
    assert (part, behind) == (heading.part, line[heading.end :])


@pytest.mark.parametrize(
    "line",
    ["(1)", "1)", "(1, 2)", "(pi)", "a: 1 2", "a .5 .5", "(a+1) 2", "S = 1", "a.S 1", "1. S = 2", "0.5"],
)
def test_numbers_and_answers_are_no_heading(line: str) -> None:
    assert read_heading(line) is None


def parts(submission: Submission) -> list[tuple[str, str]]:
    """The heading above each answer, and its name."""
    return [(answer.part, answer.name) for answer in submission.answers]


def test_heading_holds_until_the_next_one() -> None:
    read = read_submission("Q 1\n(a)\nS 1 2\nA 3 4\n(b) S 5 6 ; A 7 8\n")
    assert [("", "Q"), ("a", "S"), ("a", "A"), ("b", "S"), ("b", "A")] == parts(read)


def test_heading_ends_with_its_person() -> None:
    assert [("", "S")] == parts(read_submission("@ 2\nS 1 2"))


def test_row_in_brackets_goes_on_below_a_name() -> None:
    (answer,) = read_submission("S\n(1)\n(2)").answers
    assert ["1", "2"] == [row[0].text.strip("()") for row in answer.rows]


@pytest.mark.parametrize(
    ("text", "student", "variant"),
    [
        ("Name: Jane Doe\nS 1 2", "Jane Doe", ""),
        ("Student name: Jane Doe\nStudent ID: 1234567\nS 1 2", "1234567", ""),
        ("Matriculation number: 1234567\nVariant: K7Q2\nS = 1 2", "1234567", "K7Q2"),
        ("@ 7\nName: Jane Doe\nS 1 2", "7", ""),
        ("student: 7\nS: 1 2", "7", ""),  # YAML
        ("student: 7\nS: 1 2\n3 4", "7", ""),  # no YAML
    ],
)
def test_line_says_whose_answers_follow(text: str, student: str, variant: str) -> None:
    read = read_submission(text)
    assert (student, variant, ["S"]) == (read.student, read.variant, [answer.name for answer in read.answers])
    assert () == read.unread


@pytest.mark.parametrize(
    "line", ["- S: 1 2", "* S = 1 2", "## S 1 2", "**S** 1 2", "**S:** 1 2", "> S = 1 2", "`S` 1 2"]
)
def test_markdown_before_a_name_is_no_part_of_it(line: str) -> None:
    (answer,) = read_submission(line).answers
    assert ("S", ["1", "2"]) == (answer.name, [written.text for written in answer.rows[0]])


def test_places_are_told_in_the_line_as_typed() -> None:
    (said,) = map(str, read_submission("S 1\n**!** hello").unread)
    assert said.startswith("answers:2:3: ")
