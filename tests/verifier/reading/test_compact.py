"""The compact form: blocks, lines, overrides, remarks; one bad line or block leaves the others alone."""

import pytest
from verifier.outlines import outline, told

from attnsolve.limits import Limits
from attnsolve.rendering.submissions import understood
from attnsolve.submission import Override, Submission
from attnsolve.verifier.reading import read_submission, read_submissions

LINES = [
    ("s ok", ["s = ok"]),
    ("s ok ; s[3] 3.5", ["s = ok", "s[3] = 7/2"]),
    ("s ok; s[3] 3.5; s[4] -", ["s = ok", "s[3] = 7/2", "s[4] = -"]),
    ("a .5 .25 .125 .125", ["a = 1/2 1/4 1/8 1/8"]),
    ("A .5 .5; 0 1", ["A = 1/2 1/2; 0 1"]),
    ("A .5 .5; 0 1; Z 1 2", ["A = 1/2 1/2; 0 1", "Z = 1 2"]),
    ("A .5 .5; 0 1; Z: 1 2; 3 4", ["A = 1/2 1/2; 0 1", "Z = 1 2; 3 4"]),
    ("A=1 2; B=3", ["A = 1 2", "B = 3"]),
    ("A := 1 2", ["A = 1 2"]),
    ("A[2] 1 2; A[3] 4 5", ["A[2] = 1 2", "A[3] = 4 5"]),
    ("A[2, 1] 0.5", ["A[2, 1] = 1/2"]),
    ("A[2,1]=0.5", ["A[2, 1] = 1/2"]),
    ("A[2][1] 0.5", ["A[2, 1] = 1/2"]),
    ("A[2]: 1 2", ["A[2] = 1 2"]),
    ("A [2] 1 2", ["A[2] = 1 2"]),
    ("A [2, 1]", ["A = 2 1"]),
    ("A [1 2; 3 4]", ["A = 1 2; 3 4"]),
    ("A[[1, 2], [3, 4]]", ["A = 1 2; 3 4"]),
    ("A = [1 2; 3 4]; B = [5 6];", ["A = 1 2; 3 4", "B = 5 6"]),
    ("α 1", ["α = 1"]),
    ("e 1 2; exp 3 4", ["e = 1 2", "exp = 3 4"]),
    ("A 1 2; nan 3; NA 4", ["A = 1 2; - 3; - 4"]),
    ("q -", ["q = -"]),
    ("q", ["q = -"]),
    ("q ?", ["q = ?"]),
    ("q ~", ["q = ~"]),
    ("q ~3.5 4", ["q = ~ 4"]),
    ("q 1 2 // the rest is torn off", ["q = 1 2"]),
    ("q 1\n  2\n  3", ["q = 1; 2; 3"]),
    ("q\n1 2\n3 4\ns ok", ["q = 1 2; 3 4", "s = ok"]),
    ("q\n1\t2\n\t4", ["q = 1 2; - 4"]),
    ("q 1 2\n\n// half a page\n3 4", ["q = 1 2; 3 4"]),
    ("A = array([[1., 2.],\n           [3., 4.]])\ns 1", ["A = 1 2; 3 4", "s = 1"]),
    ("A =\n\\begin{bmatrix}\n1 & 2 \\\\\n3 & 4\n\\end{bmatrix}\ns 1", ["A = 1 2; 3 4", "s = 1"]),
    (r"$A = \begin{bmatrix} 1 & 2 \end{bmatrix}$", ["A = 1 2"]),
    (r"A = 1\;; s 2", ["A = 1", "s = 2"]),
    ("A\u00a01\u00a02；3 4", ["A = 1 2; 3 4"]),
    ("s ok\r\na 1 2\r\n", ["s = ok", "a = 1 2"]),
    ("\ufeffs ok", ["s = ok"]),
    ("a = 1/2 = 0.5", ["a = 1/2"]),
    (r"\alpha = .5 .5", ["alpha = 1/2 1/2"]),
    ("s 1 2\nW_{Q} = 1 2; 3 4\n\\hat{\\alpha} = 3", ["s = 1 2", "W_Q = 1 2; 3 4", "alpha = 3"]),
    ("A 1.e5 2.e-1", ["A = 100000 1/5"]),
    # A function with a number behind it is a number, not the name of the next answer.
    ("S ln2 0; ln2 ln3; Z 1", ["S = log(2) 0; log(2) log(3)", "Z = 1"]),
    ("S ln2 0\nln2 ln3\nZ 1", ["S = log(2) 0; log(2) log(3)", "Z = 1"]),
    ("S ln 2 0; ln 3 1", ["S = log(2) 0; log(3) 1"]),
    ("S 1 2; sqrt3 2; log2 √3", ["S = 1 2; sqrt(3) 2; log(2) sqrt(3)"]),
    ("S 1; ln2", ["S = 1; log(2)"]),
    ("ln2 1 2", ["ln2 = 1 2"]),  # here it can be nothing but a name
    ("S 1; ln2 = 3; ln3: 4; ln4[2] 5", ["S = 1", "ln2 = 3", "ln3 = 4", "ln4[2] = 5"]),
    ("S 1; ln2.A 3; ln = 4", ["S = 1", "ln2.A = 3", "ln = 4"]),
]


@pytest.mark.parametrize(("text", "expected"), LINES)
def test_line_is_read(text: str, expected: list[str]) -> None:
    submission = read_submission(text)
    assert expected == [told(answer) for answer in submission.answers]
    assert () == tuple(map(str, submission.unread))


def test_names_of_every_kind_start_an_answer() -> None:
    text = "b.Z 1; c.head2.A 2; weights 3; W_Q 4; 1.A 5; h' 6; multi-head 7"
    names = ["b.Z", "c.head2.A", "weights", "W_Q", "1.A", "h'", "multi-head"]
    assert names == [answer.name for answer in read_submission(text).answers]


def test_functions_start_no_answer() -> None:
    (answer,) = read_submission("A e^2 1; e^3 2; sqrt(4) 3; exp (0) 4").answers
    assert "exp(2) 1; exp(3) 2; 2 3; 1 4" == outline(answer.rows)


def test_line_that_names_something_else_is_no_row() -> None:
    submission = read_submission("s 1 2\n2. scores = 3 4\n5 6", source="x")
    assert ["s = 1 2; 5 6"] == [told(answer) for answer in submission.answers]
    assert str(submission.unread[0]).startswith("x:2:1: cannot read '2. scores = 3 4'")


PILE = """\
// Monday's pile
@ 1234567 K7Q2
s ok ; s[3] 3.5   // two digits swapped
a .585 .044 .328 .044
mark a 1/2 "method clear; see // b"

@ 7654321
!!!
Z 1 2
mark a many
@1111111 B2 // came late
@ "Ada Lovelace" C3 extra
s 1 x 3
"""


def test_pile_has_a_submission_for_each_block() -> None:
    first, second, third, fourth = read_submissions(PILE, "monday.txt")
    assert ("1234567", "K7Q2", "monday.txt") == (first.student, first.variant, first.source)
    assert ["s = ok", "s[3] = 7/2", "a = 117/200 11/250 41/125 11/250"] == [told(a) for a in first.answers]
    assert [3, 3, 4] == [answer.line for answer in first.answers]
    assert (Override("a", "1/2", "method clear; see // b", 5),) == first.overrides
    assert ("two digits swapped",) == first.remarks
    assert ("7654321", "") == (second.student, second.variant)
    assert ["Z = 1 2"] == [told(answer) for answer in second.answers]
    assert str(second.unread[0]).startswith("monday.txt:8:1: cannot read '!!!'; write a name")
    assert str(second.unread[1]).startswith("monday.txt:10:1: cannot read 'mark a many'; write mark a.A 1/2")
    assert ("1111111", "B2", ("came late",), ()) == (
        third.student,
        third.variant,
        third.remarks,
        third.answers,
    )
    assert ("Ada Lovelace", "C3") == (fourth.student, fourth.variant)
    assert str(fourth.unread[0]).startswith("monday.txt:12:21: 'extra' is one word too many")
    assert ["s = 1 ! 3"] == [told(answer) for answer in fourth.answers]


OVERRIDES = [
    ('mark a 1/2 "method clear"', Override("a", "1/2", "method clear")),
    ("mark a 1", Override("a", "1", "")),
    ("mark b.Z[2] 0.5 “half of it”", Override("b.Z[2]", "0.5", "half of it")),
    ("mark a 1 / 2 no quotes", Override("a", "1/2", "no quotes")),
    ("mark 1 2/3 'x'", Override("1", "2/3", "'x'")),
    ("mark a .5", Override("a", ".5", "")),
    ("mark a: 1/2", Override("a", "1/2", "")),
]


@pytest.mark.parametrize(("text", "expected"), OVERRIDES)
def test_mark_given_by_hand_is_kept(text: str, expected: Override) -> None:
    submission = read_submission(f"s ok; {text}")
    assert ((expected,), ["s = ok"]) == (submission.overrides, [told(a) for a in submission.answers])


@pytest.mark.parametrize("text", ["mark", "mark a", "mark a much", "mark a -1", "mark a 1/", 'mark "a" 1'])
def test_mark_that_is_none_is_told(text: str) -> None:
    submission = read_submission(f"s ok\n{text}", source="x.txt")
    assert str(submission.unread[0]).startswith(f"x.txt:2:1: cannot read '{text}'; write mark a.A 1/2")


def test_head_without_a_student_is_told() -> None:
    (submission,) = read_submissions("@\ns ok", "x.txt")
    assert ("x.txt:1:2: nobody is named after the @; write @ 1234567",) == tuple(map(str, submission.unread))


def test_answers_before_the_first_head_are_kept() -> None:
    found = list(read_submissions("s ok\n@ 1\ns ok"))
    assert ["", "1"] == [submission.student for submission in found]


def test_one_person_is_expected_but_two_are_there() -> None:
    submission = read_submission("@ 1\ns ok\n@ 2\ns 1")
    assert ("1", ["s = ok"]) == (submission.student, [told(a) for a in submission.answers])
    assert "more than one person" in str(submission.unread[0])


def test_nothing_is_an_empty_submission() -> None:
    assert Submission(source="answers") == read_submission("")
    assert Submission(source="answers") == read_submission(" \n// nothing\n")
    assert [] == list(read_submissions("\n"))


def test_a_block_that_is_too_long_leaves_the_others() -> None:
    text = "@ 1\ns ok\n@ 2\n" + "s 1 2 3\n" * 100 + "@ 3\ns ok"
    one, two, three = read_submissions(text, "p.txt", limits=Limits(file_bytes=100))
    assert [["s = ok"], [], ["s = ok"]] == [[told(a) for a in s.answers] for s in (one, two, three)]
    assert ("p.txt:4:1: a block of 800 characters; the limit is 100",) == tuple(map(str, two.unread))


def test_answer_is_shown_as_it_was_understood() -> None:
    text = (
        "@ 1234567 K7Q2\ns ok; s[3] 3.5\nA 58.5% - ?; \\frac{2}{3} −3 x\nA[2, 1] 0,5; T -\\infty ~.5 0.50\n"
    )
    shown = understood(read_submission(f'{text}mark a 1/2 "clear" // torn\n!!\n', source="x.txt"))
    assert [
        "student 1234567, variant K7Q2",
        "s        right as it stands",
        "s[3]     3.5",
        "A        0.585   -    ?",
        "           2/3  -3  «x»",
    ] == shown.splitlines()[:5]
    assert shown.splitlines()[5].startswith("           row 2, number 3: 'x' was not read: column 1: 'x' is")
    assert [
        "A[2, 1]  0.5",
        "           '0,5' was read as 0.5; decimals use a point",
        "T        -∞  ~.5  0.50",
        "           number 2: '~' was read as crossed out; write ≈ for 'about'",
        'mark a 1/2: "clear"',
        "// torn",
    ] == shown.splitlines()[6:-1]
    assert shown.splitlines()[-1].startswith(
        "not read: x.txt:6:1: cannot read '!!'; write a name and its numbers"
    )


def test_nothing_is_shown_as_nothing() -> None:
    assert "nothing was handed in\n" == understood(Submission())


def test_what_would_change_a_terminal_is_not_shown() -> None:
    hostile = "@ 12\x1b[31m3\u202e4 K\n s 1\u202e2 \x1b[0m // r\u202em\x07\n\x1b[2J\n"
    shown = understood(read_submission(hostile, source="x"))
    assert all(character.isprintable() or character == "\n" for character in shown)


@pytest.mark.parametrize(
    ("text", "name", "numbers"),
    [
        ("A^{(1)} = 1 2", "A^(1)", "1 2"),
        ("b.A^{(1)} 1 2", "b.A^(1)", "1 2"),
        (r"\hat{A}_{1,2} = 3", "A_1,2", "3"),
        (r"\check{S} = 3", "S", "3"),
        (r"\ddot{S} = 3", "S", "3"),
        ("S(1, 2) = 3", "S(1,2)", "3"),
        ("S = QK^T = 1 2", "S", "1 2"),
        (r"S = \frac{QK^T}{\sqrt{2}} = 1 2", "S", "1 2"),
        ("QK^T = 1 2", "scores", "1 2"),
        ("QK^T/sqrt(2) = 1 2", "scaled", "1 2"),
        ("softmax(QK^T) V = 1 2", "output", "1 2"),
        ("A V = 1 2", "output", "1 2"),
        ("Attention weights 1 2", "attention weights", "1 2"),
        ("z = 2/3 = 0.667", "z", "2/3 = 0.667"),  # two forms of one number
        ("z = 1 2, T = 3", "z", "1 2"),
    ],
)
def test_name_as_sheets_print_it(text: str, name: str, numbers: str) -> None:
    answer = read_submission(text).answers[0]
    assert (name, numbers) == (answer.name, " ".join(written.text for written in answer.rows[0]))


@pytest.mark.parametrize("text", ["Z 1\nln(2) = 0.693", "Z 1\ne^2 = 7.389", "Z 1\nsqrt(3) ≈ 1.732"])
def test_number_with_two_forms_starts_no_answer(text: str) -> None:
    (answer,) = read_submission(text).answers
    assert [1, 1] == list(map(len, answer.rows))


@pytest.mark.parametrize("limits", [Limits(), Limits(answers=2), Limits(numbers=2), Limits(nodes=5)])
def test_block_of_plain_decimals_is_read_as_it_is_with_a_remark(limits: Limits) -> None:
    lines = ["@ 1", "a.S 1 2", "a.T .5 -0.25; 3 4", "a.Z[2] 1.5"]
    plain, beside = (
        read_submission("\n".join(text), form="compact", limits=limits)
        for text in (lines, [*lines, "// whatever stands here"])
    )
    assert (plain.answers, plain.unread) == (beside.answers, beside.unread)
    assert [2, 3, 4][: len(plain.answers)] == [answer.line for answer in plain.answers]
