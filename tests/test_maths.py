"""Maths in a lecturer's text: what LaTeX can set and harms nobody is let through, nothing else."""

import pytest

from attnsolve.maths import complaint_about_maths, complaint_about_text, segments


@pytest.mark.parametrize(
    "text",
    [
        "no maths at all, 50% of it, a_b & c",
        r"$W_Q$ and $\hat\alpha_{ij}$",
        r"$\frac12$, $\frac{1}{2}$, $\sqrt[3]{x}$, $\sqrt 2$",
        r"$x_1^2$, $x^2_1$, $x'^2$, $h''_1$, $x^{a^b}$, $x_{i_j}$",
        r"$\left( x \right)$, $\{1, 2\}$, $\lvert x \rvert$",
        r"$\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}$",
        r"$K^\top Q$, $\mathbf{W}^Q_h$, $\text{if } x > 0$, $\operatorname{softmax}(S)$",
        r"$\alpha_1, \ldots, \alpha_n$ and $e^{-x^2}$",
        r"\input outside of maths is text",
    ],
)
def test_harmless_maths_passes(text: str) -> None:
    assert complaint_about_text(text) is None


@pytest.mark.parametrize(
    ("text", "message", "offset"),
    [
        (r"costs $5", "'$' without its partner", 6),
        (r"a $$ b", "nothing stands between", 2),
        (r"a $$x$$ b", "maths has one on each side, $x$ and not $$x$$", 2),
        (r"$\displaystyle x$", r"\displaystyle is not allowed; leave it out", 1),
        (r"$\alpah$", r"\alpah is not allowed; did you mean \alpha? allowed are Greek letters, \sqrt", 1),
        (r"$\rotatebox$", r"\rotatebox is not allowed; allowed are Greek letters, \sqrt", 1),
        (r"see $\input{x}$", r"\input is not allowed", 5),
        (r"see $x$ and $\write18{ls}$", r"\write is not allowed", 13),
        (r"$\csname input\endcsname$", r"\csname is not allowed", 1),
        (r"$\def\x{\x}$", r"\def is not allowed", 1),
        ("$^^5cinput$", "'^^' is not allowed", 1),
        ("$50%$", "'%' is not allowed", 3),
        ("$#1$", "'#' is not allowed", 1),
        ("$α$", "'α' is not allowed", 1),
        ("$x~y$", "'~' is not allowed", 2),
        (r"$x^2^3$", "a second ^", 4),
        (r"$x^{2}^3$", "a second ^", 6),
        (r"$x_1_2$", "a second _", 4),
        (r"$x^2'$", "a second '", 4),
        (r"$\frac{1}$", "one of its two arguments", 1),
        (r"$\sqrt$", "lacks its argument", 1),
        (r"$x_$", "lacks its argument", 2),
        (r"$\text{W_Q}$", "inside \\text", 8),
        (r"$\left x$", "needs a bracket", 1),
        (r"$\left( x$", "never closed", 1),
        (r"${x$", "never closed", 1),
        (r"$x}$", "without its", 2),
        (r"$a & b$", "only inside a matrix", 3),
        (r"$\begin{align} x \end{align}$", "is not allowed", 1),
        (r"$\begin{bmatrix} x$", "never closed", 1),
        (r"$\begin x$", "needs an environment", 1),
        (r"$\end{bmatrix}$", "without its", 1),
        ("$x\\$", "at the end of the maths", 2),
        ("$" + "{" * 30 + "}" * 30 + "$", "nested deeper than 20", 21),
        ("$" + "x" * 3000 + "$", "3000 characters", 1),
    ],
)
def test_everything_else_is_refused_where_it_stands(text: str, message: str, offset: int) -> None:
    complaint = complaint_about_text(text)
    assert complaint is not None
    assert message in complaint.message
    assert offset == complaint.offset


def test_a_symbol_is_maths_without_dollars() -> None:
    assert complaint_about_maths(r"\hat\alpha") is None
    assert complaint_about_maths("$x$") is not None


def test_a_text_comes_apart_at_its_dollars() -> None:
    assert [(False, "Find "), (True, "Z"), (False, " and "), (True, "A")] == list(
        segments("Find $Z$ and $A$")
    )
