"""Products, transposes, differences and stacks of matrices, as a plan of a file has them."""

import pytest

from attnsolve.engine import solve
from attnsolve.errors import ProblemError
from attnsolve.loader import loads
from attnsolve.rendering import Settings, render
from attnsolve.trace import Trace


def planned(given: str, *steps: str, top: str = "") -> Trace:
    lines = "".join(f"      - {step}\n" for step in steps)
    text = f"format: 1\ntitle: T\n{top}\ngiven: {{{given}}}\nparts:\n  - ask: What?\n    plan:\n{lines}"
    return solve(loads(text))


GIVEN = "X: 1 2; 3 4; 0 1, W_Q: 1 2; 0 1, W_K: 1 0; 3 1"
QUERIES_AND_KEYS = ("Q: project(X, W_Q)", "K: project(X, W_K)", "S: dot(Q, K)")
IN_ONE_MATRIX = (
    "U: transpose(W_K)",
    "P: product(W_Q, U)",
    "R: product(X, P)",
    "V: transpose(X)",
    "M: product(R, V)",
)


def test_scores_are_one_product_of_matrices() -> None:
    """By hand: W_Q W_Kᵀ is 1 5; 0 1, X times that 1 7; 3 19; 0 1, and that times Xᵀ the scores."""
    trace = planned(GIVEN, *QUERIES_AND_KEYS, *IN_ONE_MATRIX)
    assert [["1", "5"], ["0", "1"]] == trace.value("a.P").texts()
    assert [["15", "31", "7"], ["41", "85", "19"], ["2", "4", "1"]] == trace.value("a.M").texts()


@pytest.mark.parametrize("convention", ["rows", "columns", "torch"])
def test_weights_keep_their_layout_in_a_product(convention: str) -> None:
    """What is a matrix of weights elsewhere is one in a product too."""
    trace = planned(GIVEN, *QUERIES_AND_KEYS, *IN_ONE_MATRIX, top=f"convention: {convention}")
    assert trace.value("a.S").same(trace.value("a.M")) is True


@pytest.mark.parametrize(
    ("convention", "formulas"),
    [
        ("rows", ["P = W_{Q} U", r"U = W_{K}^{\top}", r"B = \begin{bmatrix} X \\ D \end{bmatrix}"]),
        ("columns", ["P = U W_{Q}", r"U = W_{K}^{\top}", r"B = \begin{bmatrix} X & D \end{bmatrix}"]),
        ("torch", [r"P = W_{Q}^{\top} U", "U = W_{K}", r"B = \begin{bmatrix} X \\ D \end{bmatrix}"]),
    ],
)
def test_formulas_follow_the_convention(convention: str, formulas: list[str]) -> None:
    more = ("D: subtract(X, Q)", "G: times(D, X)", "B: stack(X, D)")
    trace = planned(GIVEN, *QUERIES_AND_KEYS, *IN_ONE_MATRIX, *more, top=f"convention: {convention}")
    text = render(trace, settings=Settings(to="markdown")).text
    for formula in (*formulas, "D = X - Q", r"G = D \odot X"):
        assert formula in text


def test_tokens_of_a_stack_are_counted_anew() -> None:
    trace = planned("x: 5 6, X: 1 2; 3 4", "H: stack(x, X)", "S: dot(H, H)")
    assert [["5", "6"], ["1", "2"], ["3", "4"]] == trace.value("a.H").texts()
    assert (0, 1, 2) == trace.problem.frames["a.H"].rows.tokens


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (
            "P: product(X, X)",
            "the inner sizes of this product, 2 and 3, are not equal; X is 3×2 and X is 3×2",
        ),
        (
            "D: subtract(X, W_Q)",
            "3 tokens in X, but 2 in W_Q; only matrices of the same size can be subtracted",
        ),
        (
            "H: stack(X, x)",
            "2 numbers per token in X, 3 numbers per token in x; what stands beneath each other",
        ),
    ],
)
def test_what_does_not_fit_is_told_by_the_names_of_the_file(step: str, said: str) -> None:
    with pytest.raises(ProblemError) as refused:
        planned(f"{GIVEN}, x: 1 2 3", step)
    assert said in str(refused.value)


TRANSPOSED = {
    "rows": "Transpose: rows become columns",
    "columns": "Transpose: rows become columns",
    "torch": "Transpose: it is printed so already",  # out × in, as the result is
}


@pytest.mark.parametrize(("convention", "title"), TRANSPOSED.items())
def test_a_transpose_that_is_printed_so_already_says_so(convention: str, title: str) -> None:
    steps = (*QUERIES_AND_KEYS, "U: transpose(W_K)")
    text = render(
        planned(GIVEN, *steps, top=f"convention: {convention}"), settings=Settings(to="markdown")
    ).text
    assert title in text
    assert r"(2 \times 2)$ gives $2 \times 2$.\n\n$$\nU" not in text


# Tokens are columns there and queries rows: X prints as 1 3; 2 4, and S = 5 11; 11 25 plus 1 2; 3 4 is this.
MIXED = "convention: {tokens: columns, project: X W, scores: Q'K}"
LAID = [
    ("C: add(S, X)", r"C = S + X^{\top} = \begin{bmatrix} 6 & 13 \\ 14 & 29"),
    ("C: add(X, S)", r"C = X + S^{\top} = \begin{bmatrix} 6 & 14 \\ 13 & 29"),
    ("C: subtract(S, X)", r"C = S - X^{\top} = \begin{bmatrix} 4 & 9 \\ 8 & 21"),
    ("C: times(S, X)", r"C = S \odot X^{\top} = \begin{bmatrix} 5 & 22 \\ 33 & 100"),
]


@pytest.mark.parametrize(("step", "formula"), LAID)
def test_matrices_that_are_laid_differently_are_printed_as_they_are_added(step: str, formula: str) -> None:
    trace = planned("X: 1 2; 3 4", "S: dot(X, X)", step, top=MIXED)
    assert formula in render(trace, settings=Settings(to="markdown")).text
