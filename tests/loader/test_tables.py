"""Matrices as people type them; where a rule makes the numbers, they are worked out by hand."""

from pathlib import Path

import pytest

from attnsolve.errors import ProblemError
from attnsolve.loader import loads

WORDS = "parts:\n  - {ask: Why?, discuss: Because.}\n"


def read(text: str, *, more: str = "", front: str = "", folder: Path | str = ".") -> list[list[str]]:
    """The matrix X of a file, as exact text."""
    problem = loads(f"format: 1\ntitle: T\n{front}given:\n{more}  X: {text}\n{WORDS}", folder=folder)
    return problem.givens["X"].value.texts()


SQUARE = [["1", "2"], ["3", "4"]]


@pytest.mark.parametrize(
    "text",
    [
        "1 2; 3 4",
        "1, 2; 3, 4",
        "'[1 2; 3 4]'",
        "'[[1, 2], [3, 4]]'",
        "[[1, 2], [3, 4]]",
        "[[1,2],[3,4]]",
        "['1 2', '3 4']",
        "\n    - [1, 2]\n    - [3, 4]",
        "\n    - 1 2\n    - 3 4",
        "|\n    1 2\n    3 4",
        "|\n    1\t2\n    3\t4",  # a block copied from a spreadsheet
        "|\n    [[1 2]\n     [3 4]]",  # numpy's print
        "|\n    array([[1., 2.],\n           [3., 4.]])",  # numpy's repr
        "|\n    np.array([[1, 2],\n              [3, 4]], dtype=float)",
        '"tensor([[1., 2.], [3., 4.]])"',
        "|\n       1     2\n       3     4\n",  # MATLAB's print
        "|\n    [1 2;\n     3 4]",  # MATLAB as typed
        "|\n\n    1 2\n\n    3 4\n\n",
        "'1 2;\n    3 4'",
        ">\n    1 2;\n    3 4",
        "１ ２； ３ ４",
        "1.0 2e0; 6/2 √16",
        "+1 4/2; sqrt(9) 2^2",
        "1 exp(ln(2)); -(-3) 8*0.5",
    ],
)
def test_one_matrix_in_many_spellings(text: str) -> None:
    assert SQUARE == read(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.1 1/3 -3/2", [["1/10", "1/3", "-3/2"]]),
        ("1e-3 010 12", [["1/1000", "10", "12"]]),
        ("0.10000000000000000001", [["10000000000000000001/100000000000000000000"]]),
        ("−2 1×3", [["-2", "3"]]),
        ("sqrt(2) sqrt(1/2)", [["sqrt(2)", "sqrt(2)/2"]]),
        ("[1 + 2, 3]", [["3", "3"]]),
        ("'1,2,3;4,5,6'", [["1", "2", "3"], ["4", "5", "6"]]),
        ("'0.5,1;2,3'", [["1/2", "1"], ["2", "3"]]),
        ("-1,-2", [["-1", "-2"]]),
        ("ones(2x3)", [["1"] * 3] * 2),
        ("zeros(1x2)", [["0", "0"]]),
        ("ones( 2 × 1 )", [["1"], ["1"]]),
        ("identity(2)", [["1", "0"], ["0", "1"]]),
        ("identity(2x2)", [["1", "0"], ["0", "1"]]),
        ("fill(2x3, 10*i + j)", [["11", "12", "13"], ["21", "22", "23"]]),
        ("fill(1x2, sqrt(j))", [["1", "sqrt(2)"]]),
    ],
)
def test_numbers_are_what_they_say(text: str, expected: list[list[str]]) -> None:
    assert expected == read(text)


def test_a_rule_counts_as_the_sheet_counts() -> None:
    assert [["0", "1"], ["10", "11"]] == read("fill(2x2, 10*i + j)", front="index_from: 0\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("50*(K[1] + K[2])", [["200", "300"]]),
        ("K", [["1", "2"], ["3", "4"]]),
        ("-K/2", [["-1/2", "-1"], ["-3/2", "-2"]]),
        ("K[2] - 2*K[1]", [["1", "0"]]),
        ("K[2, 1]*K[1]", [["3", "6"]]),
        ("K[2]; K[1]; q", [["3", "4"], ["1", "2"], ["7", "8"]]),
        ("q; 2*q", [["7", "8"], ["14", "16"]]),
        ("sqrt(2)*q", [["7*sqrt(2)", "8*sqrt(2)"]]),
        ("(1/3)*q", [["7/3", "8/3"]]),
        ("Y + q", [["9", "11"]]),  # 1 2 + 1 1 + 7 8
    ],
)
def test_givens_are_made_from_givens(text: str, expected: list[list[str]]) -> None:
    more = "  K: 1 2; 3 4\n  q: 7 8\n  Y: K[1] + w\n  w: 1 1\n"
    assert expected == read(text, more=more)


def test_rows_of_a_given_count_as_the_sheet_counts() -> None:
    assert [["3", "4"]] == read("K[1]", more="  K: 1 2; 3 4\n", front="index_from: 0\n")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("X.csv", "1,2\n3,4\n"),
        ("X.csv", "\ufeff1;2\r\n3;4\r\n"),
        ("X.csv", '"1","2"\n"3","4"\n'),
        ("X.tsv", "1\t2\n3\t4"),
        ("X.txt", "1 2\n\n3 4\n"),
        ("X.json", "[[1, 2], [3.0, 4e0]]"),
        ("X.json", '[["1", "4/2"], ["sqrt(9)", 4]]'),
        ("data/X.csv", "1, 2\n3, 4\n"),
    ],
)
def test_large_data_lies_beside_the_problem(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(content, encoding="utf-8", newline="")
    assert SQUARE == read(f"{{file: {name}}}", folder=tmp_path)


def test_a_json_number_keeps_every_digit(tmp_path: Path) -> None:
    (tmp_path / "X.json").write_text("[0.10000000000000000001]")
    assert [["10000000000000000001/100000000000000000000"]] == read("{file: X.json}", folder=tmp_path)


def test_how_a_number_was_typed_is_kept() -> None:
    problem = loads(f"format: 1\ntitle: T\ngiven:\n  X: 0.50 −1/2; １ sqrt(4)\n{WORDS}")
    assert (("0.50", "-1/2"), ("1", "sqrt(4)")) == problem.givens["X"].typed


@pytest.mark.parametrize(
    ("text", "vector"),
    [("1 2", True), ("[1, 2]", True), ("[[1, 2]]", True), ("1; 2", False), ("1 2; 3 4", False)],
)
def test_a_single_row_is_a_vector(text: str, vector: bool) -> None:
    problem = loads(f"format: 1\ntitle: T\ngiven:\n  X: {text}\n{WORDS}")
    assert vector == problem.givens["X"].vector


@pytest.mark.parametrize(
    "text",
    [
        "[[[1, 2], [3, 4]], [[1, 0], [0, 1]]]",
        "'[[[1, 2], [3, 4]], [[1, 0], [0, 1]]]'",
        "|\n    tensor([[[1., 2.],\n      [3., 4.]],\n\n      [[1., 0.],\n      [0., 1.]]])",
    ],
)
def test_a_batch_is_answered_with_how_it_is_written(text: str) -> None:
    with pytest.raises(ProblemError, match="a batch is several cases"):
        read(text)


@pytest.mark.parametrize("text", ["[[[1, 2], [3, 4]]]", "'[[[1, 2], [3, 4]]]'"])
def test_a_batch_of_one_is_a_matrix(text: str) -> None:
    assert SQUARE == read(text)
