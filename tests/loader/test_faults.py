"""All faults of a file at once: in file order, each once, none that only follows from another."""

import random
import string

import pytest

from attnsolve.errors import ProblemError
from attnsolve.limits import Limits
from attnsolve.loader import loads

MANY = """\
format: 1
titel: Many faults
convention: row
given:
  X: 1 2; 3
  Y: [[1, 2], [3, x]]
  Y: 1 2
  Z: 1 2
  Q: 2*X
symbols: {A: "\\alpha", B: '\\beta'}
parts:
  - ask: uses X, which is known to be wrong
    attend: {queries: Z, keys: X}
  - ask: has a fault of its own
    attend: {queries: Z, keys: 1 2 3}
  - ask: goes on from both
    multi_head: {heads: [a, b], W_O: a.Z}
    find: C
  - ask: is like the second
    like: b
    attend: {wieghts: softmax}
  - ask: is a plan that uses Q and b
    plan: {S: 'dot(Q, b.Z)', T: 'divide(S, 0)', A: softmax(U)}
  - ask: costs $5
    discuss: ' '
    marks: some
"""


def faults(text: str, *, limits: Limits | None = None) -> list[str]:
    with pytest.raises(ProblemError) as caught:
        loads(text, name="x", limits=limits or Limits())
    return [str(fault).removeprefix("x:") for fault in caught.value.faults]


def test_several_faults_are_told_at_once_in_file_order() -> None:
    expected = [
        "2:1: unknown key 'titel'; did you mean 'title'?",
        "3:13: convention: 'row' is not one of rows, columns, torch; did you mean 'rows'?",
        "5:11: given.X: row 2 has 1 number, but row 1 has 2",
        "6:19: given.Y[2, 2]: 'x' is not something I can read",
        "7:3: given: the key 'Y' appears twice; keep one of them",
        "10:15: symbols.A: double quotes change the '\\a' of '\\alpha'; use single quotes",
        "15:32: parts.b.attend.keys: 2 numbers per token in Z, but 3 in keys",
        "21:14: parts.d.attend: unknown key 'wieghts'; did you mean 'weights'?",
        "23:52: parts.e.plan.A: there is no 'U'; ",
        "24:16: parts.f.ask: a '$' without its partner",
        "25:14: parts.f.discuss: this is empty",
        "26:12: parts.f.marks: 'some' is not a whole number",
    ]
    found = faults(MANY)
    assert expected == [text[: len(start)] for text, start in zip(found, expected, strict=False)]
    assert len(expected) == len(found)


def test_a_fault_that_two_parts_share_is_told_once() -> None:
    text = """\
format: 1
title: T
parts:
  - ask: What?
    attend: {queries: 1 y, keys: 1 2}
  - {ask: And?, like: a}
  - {ask: And then?, like: a, attend: {weights: argmax}}
"""
    assert 1 == len(faults(text))


def test_cases_share_the_faults_of_their_recipe() -> None:
    text = """\
format: 1
title: T
given: {X: 1 2}
parts:
  - ask: What?
    attend: {queries: X, keys: 1 2 3}
    cases: [{divide_by: 1}, {divide_by: 2}]
"""
    (fault,) = faults(text)
    assert fault.startswith("6:32: parts.a.attend.keys: 2 numbers per token in X, but 3 in keys")


def test_a_page_of_faults_is_enough() -> None:
    text = "format: 1\ntitle: T\n" + "".join(f"zz{i}: 1\n" for i in range(5000))
    found = faults(text, limits=Limits(faults=5))
    assert 6 == len(found)
    assert [f"{i + 3}:1: unknown key 'zz{i}'" for i in range(5)] == [
        fault.partition(";")[0] for fault in found[:5]
    ]
    assert "… and " in found[5]


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("1 2; 3 y", "4:13"),
        ("'1 2; 3 y'", "4:14"),
        ('"1 2; 3 y"', "4:14"),
        ("'1 2;\n     3 y'", "5:8"),
        ("|\n    1 2\n    3 y", "6:7"),
        ("|-\n\n\n      1 2\n      3 y\n", "8:9"),
        (">\n    1 2;\n    3 y", "6:7"),
        ("[[1, 2], [3, y]]", "4:19"),
        ("[[1, 2], [3, 'y']]", "4:20"),
        ("\n    - [1, 2]\n    - [3, y]", "6:11"),
        ("\n    - 1 2\n    - 3 y", "6:9"),
        ('"1\\t2; 3 y"', "4:15"),
        ('"1 \\x32; 3 y"', "4:17"),
        ("'1 2; 3 1+y'", "4:16"),
    ],
)
def test_a_fault_points_into_any_kind_of_quoting(written: str, place: str) -> None:
    text = f"format: 1\ntitle: T\ngiven:\n  X: {written}\nparts:\n  - {{ask: w, discuss: d}}\n"
    (fault,) = faults(text)
    assert fault.startswith(f"{place}: given.X[2, 2]: 'y' is not something I can read")


def test_a_fault_points_past_a_doubled_quote() -> None:
    text = "format: 1\ntitle: T\nparts:\n  - ask: 'It''s $\\input{x}$'\n    discuss: d\n"
    assert faults(text)[0].startswith("4:18: parts.a.ask: the command \\input is not allowed")


PIECES = [
    *"[]{}:;,#&*!|>'\"%@`\\$()^+-/.0 \n\t?=",
    "  ",
    "- ",
    "1e999",
    "**",
    "sqrt(",
    "b.Z",
    "A[2]",
    "√",
    "１",
    "$x$",
    "~",
]


def test_a_spoilt_file_is_refused_or_read_but_never_breaks() -> None:
    """Random damage to a rich file: whatever comes of it is a problem, or located faults on one line each."""
    draw = random.Random(2)
    good = MANY.replace("titel", "title").replace("3; ", "3 4; ")
    for _ in range(300):
        text = good
        for _ in range(draw.randint(1, 5)):
            place = draw.randrange(len(text))
            piece = draw.choice([*PIECES, draw.choice(string.ascii_letters)])
            text = text[:place] + piece + text[place + draw.choice((0, 0, 1, 5)) :]
        try:
            loads(text)
        except ProblemError as error:
            lines = text.splitlines()
            for fault in error.faults:
                assert 1 <= fault.line <= len(lines) + 1
                assert 1 <= fault.column
                assert "\n" not in str(fault)
