"""Whole answers as typed and pasted: rows, separators, brackets, commas that may be decimal commas."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from noted import words
from strategies import tables
from verifier.outlines import outline

from attnsolve.limits import Limits
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.reading.budget import Budget
from attnsolve.verifier.reading.tables import read_table

SQUARE = "1 2; 3 4"

PASTED = [
    # Typed.
    ("1 2; 3 4", SQUARE),
    ("1 2;3 4;", SQUARE),
    ("1 2\n3 4", SQUARE),
    ("1, 2; 3, 4", SQUARE),
    ("1,2,3", "1 2 3"),
    ("1, 2, 3", "1 2 3"),
    ("1 2\n\n3 4\n", SQUARE),
    ("0.5,0.25", "1/2 1/4"),
    ("1/2,1/3", "1/2 1/3"),
    ("1 / 2 1/ 3 1 /4", "1/2 1/3 1/4"),
    ("1 + 2 3", "3 3"),
    ("1 - 2", "1 - 2"),
    ("1 -2", "1 -2"),
    ("58.5 % 41.5 %", "117/200 83/200"),
    ("≈ 0.5 ≈ 0.25", "1/2 1/4"),
    ("2/3 ≈ 0.67", "2/3"),
    ("1/2 = 0.5 1/4 = 0.25", "1/2 1/4"),
    ("1/2 ≈0.25", "!"),
    ("sqrt (4) (1 + 2)/(2 + 3) 1", "2 3/5 1"),
    ("2 × 3 4 · 5", "6 20"),
    ("ln2 0; 0 ln3; 2ln2 -ln3", "log(2) 0; 0 log(3); 2*log(2) -log(3)"),
    ("ln 2 0 2ln 3 sqrt 4", "log(2) 0 2*log(3) 2"),
    ("- ? ~ ~3 4", "- ? ~ ~ 4"),
    ("1, , 3", "1 - 3"),
    # MATLAB.
    ("[1 2; 3 4]", SQUARE),
    ("[1, 2; 3, 4];", SQUARE),
    ("[1 2\n 3 4]", SQUARE),
    ("[1 2 3]'", "1; 2; 3"),
    ("[1;2;3]", "1; 2; 3"),
    # numpy, torch, SymPy, plain Python.
    ("array([[1., 2.], [3., 4.]])", SQUARE),
    ("np.array([[1, 2], [3, 4]])", SQUARE),
    ("array([[1., 2.],\n       [3., 4.]])", SQUARE),
    ("array([[1., 2.],\n       [3., 4.]], dtype=float32)", SQUARE),
    ("tensor([[1., 2.], [3., 4.]], grad_fn=<MmBackward0>)", SQUARE),
    ("tensor([1., 2.])", "1 2"),
    ("Matrix([[1, 2], [3, 4]])", SQUARE),
    ("[[1. 2.]\n [3. 4.]]", SQUARE),
    ("[[1. 2.\n  3.]\n [4. 5.\n  6.]]", "1 2 3; 4 5 6"),
    ("[[1.00e+00 2.00e+00]\n [3.00e+00 4.00e+00]]", SQUARE),
    ("[[nan 2.]\n [-inf 4.]]", "- 2; -oo 4"),
    ("[[[1, 2], [3, 4]]]", SQUARE),
    ("[1, 2], [3, 4]", SQUARE),
    ("[1, 2]\n[3, 4]", SQUARE),
    ("[1,2]", "1 2"),
    ("[[1,2],[3,4]]", SQUARE),
    ("(1, 2, 3)", "1 2 3"),
    ("((1, 2), (3, 4))", SQUARE),
    ("(1, 2, 3)^T", "1; 2; 3"),
    ("[[1, 2], [3, 4]].T", "1 3; 2 4"),
    ("[1 2 3", "1 2 3"),
    ("1 2; 3 4]", SQUARE),
    # LaTeX.
    (r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}", SQUARE),
    (r"\begin{pmatrix}1&2\\3&4\\\end{pmatrix}", SQUARE),
    (r"\begin{matrix} 1 & 2 \\[2pt] 3 & 4 \end{matrix}", SQUARE),
    (r"\begin{bmatrix*}[r] 1 & 2 \\ 3 & 4 \end{bmatrix*}", SQUARE),
    (r"\left[\begin{array}{cc} 1 & 2 \\ \hline 3 & 4 \end{array}\right]", SQUARE),
    (r"\left( \begin{array}{c|c} 1 & 2 \\ 3 & 4 \end{array} \right).", SQUARE),
    ("\\begin{bmatrix}\n1 & 2 \\\\\n3 & 4\n\\end{bmatrix}", SQUARE),
    (r"\begin{bmatrix} 1 \\ 2 \end{bmatrix}^\top", "1 2"),
    (r"\begin{bmatrix} 1 \\ 2 \end{bmatrix}^{T}", "1 2"),
    (r"\begin{bmatrix} \frac{1}{2} & \tfrac{1}{3} \\ \sqrt{4} & 1 + 2 \end{bmatrix}", "1/2 1/3; 2 3"),
    (r"\begin{bmatrix} 1 & \\ & 4 \end{bmatrix}", "1 -; - 4"),
    (r"\approx \begin{bmatrix} 1 & 2 \end{bmatrix}", "1 2"),
    (r"$\begin{bmatrix} 1 & 2 \end{bmatrix}$", "1 2"),
    (r"\[ \begin{bmatrix} 1 & 2 \end{bmatrix} \]", "1 2"),
    (r"1 & 2 \\ 3 & 4", SQUARE),
    (r"\left(1, 2, 3\right)", "1 2 3"),
    (r"\frac{1}{2} \frac{1}{3} \sqrt{4}", "1/2 1/3 2"),
    (r"\frac{1} {2} 2 \cdot 3", "1/2 6"),
    # A block of a spreadsheet, where an empty cell is a blank.
    ("1\t2\n3\t4", SQUARE),
    ("1\t2\r\n3\t4".replace("\r", ""), SQUARE),
    ("1\t\n3\t4", "1 -; 3 4"),
    ("1\t2\n\t4", "1 2; - 4"),
    ("0,5\t1\n1\t0,25", "1/2 1; 1 1/4"),
    ("1\t2 \n3 \t4", SQUARE),
    ("\t1 2\n\t3 4", SQUARE),
    # Decimal commas, where they are clear.
    ("0,5", "1/2"),
    ("0,5 0,25", "1/2 1/4"),
    ("0,5; 0,25", "1/2; 1/4"),
    ("[0,5 0,25]", "1/2 1/4"),
    ("−0,5 −0,25", "-1/2 -1/4"),
    (r"0{,}5 & 0{,}25 \\", "1/2 1/4"),
    # In round brackets with semicolons between them, unless it may be a matrix.
    ("(4,5; 0; 4,5; 0)", "9/2; 0; 9/2; 0"),
    ("(4,5;0;−4,5;0)", "9/2; 0; -9/2; 0"),
    (r"\left(4,5; 0\right)", "9/2; 0"),
    ("(4,5; 0)^T", "9/2 0"),
    ("(0,4654; 0,0346; 0,4654)", "2327/5000; 173/5000; 2327/5000"),
    ("(4.5; 0; 4.5)", "9/2; 0; 9/2"),
    ("(1 2; 3 4)", SQUARE),
    ("(1, 2; 3, 4)", SQUARE),
    ("(1,2; 3,4)", SQUARE),
    ("(1,500; 0; 2)", "!; 0; 2"),
    ("[4,5; 0]", "4 5; 0 -"),  # MATLAB's brackets have MATLAB's commas
    # Struck out in Markdown's way: what stands behind it is the number.
    ("4.5 0 ~~3.5~~ 4.5 0", "9/2 0 9/2 0"),
    ("4.5 0 ~~3.5~~4.5 0", "9/2 0 9/2 0"),
    ("~~3~~ ~~4~~ 5", "5"),
    ("~~3 4~~ 5 6", "5 6"),
    ("~~1/2~~ 1 / 3 2", "1/3 2"),
    ("~~1,5~~ 2,5 1", "5/2 1"),
    ("1 & ~~2~~ 3 & 4", "1 3 4"),
    ("[1, ~~2~~ 3]", "1 3"),
    ("1\t~~2~~ 3", "1 3"),
    ("~~3.5~~ ?", "?"),
    ("~~3.5~~ x", "!"),
    # With nothing behind it, it is a place that was crossed out.
    ("~~3.5~~", "~"),
    ("4.5 ~~3.5~~", "9/2 ~"),
    ("1 ~~2~~; 3 4", "1 ~; 3 4"),
    ("4.5, ~~0~~, 4.5, 0", "9/2 ~ 9/2 0"),
    ("~~3.5~~ -", "~"),
    # And where its row would be too short by just as many.
    ("4.5 ~~0~~ 4.5; 1 2 3", "9/2 ~ 9/2; 1 2 3"),
    ("~~1~~ ~~2~~ 3; 4 5 6", "~ ~ 3; 4 5 6"),
    ("~~3.5 4", "~ 4"),
    # And where commas are not clear.
    ("0,67, 0,33", "! !"),
    ("[0,67, 0,33]", "! !"),
    ("0,67,0,33", "!"),
    ("[0,67]", "!"),
    ("0,5, 1", "! 1"),
    ("1,05,2,10", "!"),
    ("1,000.5 2", "! 2"),
    ("1.234,56", "!"),
    ("0.585,1", "117/200 1"),
    ("0·5 4", "! 4"),
    # Memory, with blanks or with what could not be read.
    ("1 2; 3", "1 2; 3 -"),
    ("1 2; -; 3 4", "1 2; - -; 3 4"),
    ("1 2; ?", "1 2; ? ?"),
    ("1 x 3", "1 ! 3"),
    ("(1 2 3", "! 2 3"),
    ("1) 2", "! 2"),
    ("[0.1 ... 0.9]", "1/10 ! 9/10"),
    ("2*[1 2]", "2 4"),
    ("[1 2]*2", "2 4"),
    ("[1 2] + [3 4]", "!"),
    ("1.0e+03 *\n\n  1.2 3.4\n  5.6 7.8", "1200 3400; 5600 7800"),
    (r"\frac{1}{2}\begin{bmatrix} 1 & 2 \end{bmatrix}", "1/2 1"),
    (r"\begin{bmatrix} 1 & 2", "!"),
    ("", "-"),
    ("[]", "-"),
    ("-", "-"),
]


@pytest.mark.parametrize(("text", "expected"), PASTED)
def test_pasted_answer_is_read(text: str, expected: str) -> None:
    assert expected == outline(read_table(text, Budget()))


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("0,67, 0,33", "column 1: '0,67' beside other commas may be one number or two; write 0.67"),
        ("[0,67]", "the commas of '0,67' may stand between numbers or inside them"),
        ("1 2; 3", "row 2 has fewer numbers (1) than the longest row (2)"),
        ("[3]*[1 2]", "something stands before or after the matrix; multiply it out"),
        ("0,5 1", "'0,5' was read as 0.5; decimals use a point"),
        ("4.5 0 ~~3.5~~ 4.5 0", "3.5 was struck out"),
        ("~~3.5~~ 4,5", "'4,5' was read as 4.5; decimals use a point; 3.5 was struck out"),
    ],
)
def test_note_says_what_is_unclear(text: str, note: str) -> None:
    told = ["; ".join(words(written.notes)) for row in read_table(text, Budget()) for written in row]
    assert any(note in said for said in told)


def test_typed_text_is_kept() -> None:
    (row,) = read_table(r"−0.50 & \frac{1}{2} & ０．５", Budget())
    assert ["−0.50", r"\frac{1}{2}", "０．５"] == [written.text for written in row]


def latex(value: Fraction) -> str:
    sign = "-" if value < 0 else ""
    return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


# What stands before, between the cells, between the rows, and behind; and how a number is written.
SHAPES: dict[str, tuple[str, str, str, str, Callable[[Any], str]]] = {
    "typed": ("", " ", "; ", "", str),
    "lines": ("", "  ", "\n", "", str),
    "spreadsheet": ("", "\t", "\n", "", str),
    "matlab": ("[", " ", "; ", "]", str),
    "matlab with commas": ("[", ", ", "; ", "]", str),
    "list": ("[[", ", ", "], [", "]]", str),
    "numpy": ("array([[", ", ", "],\n       [", "]])", str),
    "numpy shown": ("[[", " ", "]\n [", "]]", str),
    "latex": (r"\begin{bmatrix}", " & ", r" \\ ", r"\end{bmatrix}", latex),
    "array": (r"\left(\begin{array}{cc}", "&", r"\\", r"\end{array}\right)", latex),
    "fullwidth": ("", " ", "；", "", lambda value: str(value).translate(WIDE)),
    "minus": ("", " ", "; ", "", lambda value: str(value).replace("-", "−")),
}
WIDE = {48 + digit: 0xFF10 + digit for digit in range(10)}


def in_form(form: str, table: list[list[Any]]) -> str:
    before, cell, row, behind, write = SHAPES[form]
    return before + row.join(cell.join(map(write, line)) for line in table) + behind


@pytest.mark.parametrize("form", SHAPES)
@given(table=tables())
def test_fractions_written_in_each_form_are_read_back(form: str, table: list[list[Fraction]]) -> None:
    rows = read_table(in_form(form, table), Budget())
    assert table == [[written.cell and written.cell.rational() for written in row] for row in rows]
    assert {None, 0} >= {written.places for row in rows for written in row}


@given(
    table=tables(entries=st.tuples(st.integers(-9999, 9999), st.integers(1, 4))),
    form=st.sampled_from([name for name in SHAPES if name not in ("latex", "array")]),
    comma=st.booleans(),
)
def test_decimals_are_read_back_with_their_places(
    table: list[list[tuple[int, int]]], form: str, comma: bool
) -> None:
    def decimal(number: tuple[int, int]) -> str:
        digits, places = number
        text = str(abs(digits)).rjust(places + 1, "0")
        sign = "-" if digits < 0 else ""
        return f"{sign}{text[:-places]}{',' if comma and places != 3 else '.'}{text[-places:]}"

    if comma and (
        form in ("matlab with commas", "list", "numpy") or ("[" in SHAPES[form][0] and 1 == len(table[0]))
    ):
        return  # these have commas of their own, and [1,2] is a list
    written = [[decimal(number) for number in row] for row in table]
    rows = read_table(in_form(form, written), Budget())  # type: ignore[arg-type]
    expected = [[(Fraction(digits, 10**places), places) for digits, places in row] for row in table]
    assert expected == [[(w.cell and w.cell.rational(), w.places) for w in row] for row in rows]


@given(form=st.sampled_from(list(SHAPES)), table=tables())
def test_a_form_may_stand_in_a_compact_answer(form: str, table: list[list[Fraction]]) -> None:
    text = f"@ 1\nA = {in_form(form, table)}\nB 7 // the next one\n"
    first, second = read_submission(text).answers
    assert table == [[written.cell and written.cell.rational() for written in row] for row in first.rows]
    assert ("B", "7") == (second.name, outline(second.rows))


def test_ragged_answer_does_not_grow() -> None:
    limits = Limits(numbers=100)
    text = "1 " * 60 + "; 1" * 30
    (answer,) = read_submission(f"A {text}", limits=limits).answers
    assert "!" == outline(answer.rows)
