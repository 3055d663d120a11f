"""Maths in a lecturer's text: what LaTeX can set and harms nobody is let through, nothing else."""

import re
from pathlib import Path

import pytest
from formulas import accepted
from rendering.programs import FLAGS, Needs, katex, pdflatex

from attnsolve.maths import complaint_about_maths, complaint_about_text, segments
from attnsolve.maths.commands import (
    ARGUMENTS,
    BARE_SIGNS,
    COMMANDS,
    DELIMITERS,
    ENVIRONMENTS,
    SIZES,
    SYMBOLS,
    Argument,
)
from attnsolve.maths.listing import listing
from attnsolve.rendering.completion import PLAIN_LETTERS
from attnsolve.rendering.matrix_columns import most_columns, room_for
from attnsolve.rendering.templates import module
from attnsolve.style import Style


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
        r"$\begin{aligned} a &= b \\ &\implies c \end{aligned}$, $a \iff b$",
        r"$f(x) = \begin{cases} x & \text{if } x > 0 \\ 0 & \text{für alle anderen} \end{cases}$",
        r"$\underbrace{Q K^\top}_{\text{scores}}$, $\operatorname*{arg\,max}_i s_i$, $x_\text{max}$",
        r"$x \in \mathbb{R}^{n \times d}$, $50\%$, $\left( a \middle| b \right)$, $\bigl( x \bigr)$",
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
        (r"$\argmax x$", r"\argmax is not allowed; write \operatorname*{argmax}", 1),
        (r"$\begin{align} x \end{align}$", r"is not allowed; write $$\begin{aligned}", 1),
        (r"$\begin{tabular} x \end{tabular}$", "the environments are matrix, pmatrix", 1),
        (r"$a \\ b$", "only inside a matrix, cases or aligned", 3),
        (r"$\begin{aligned} \left( a & b \right) \end{aligned}$", "not in brackets within it", 26),
        (r"$\begin{cases} a & b & c \end{cases}$", "cases has 2 columns at most", 21),
        (r"$\begin{aligned} [t] \end{aligned}$", "write {[}", 17),
        (r"$\begin{matrix} a \\ [2] \end{matrix}$", "write {[}", 21),
        (r"$\begin{matrix} a \\ * b \end{matrix}$", "write {*}", 21),
        (r"$x^\max$", r"after ^ put '\max' into { }", 3),
        (r"$\sqrt\frac12$", r"after \sqrt put '\frac' into { }", 6),
        (r"$\mathbb{x}$", r"\mathbb has capital letters only", 9),
        (r"$\operatorname{a_b}$", r"'_' inside \operatorname{ }", 16),
        (r"$x' '$", "a second '", 4),
        (r"$x'_1^2$", "a second ^", 5),
        (r"${\hat a_1}_2$", "a second _", 11),
        (r"$für$", r"'ü' is not allowed in maths; put words into \text{ }", 2),
        (r"$\text{日}$", "'日' is not allowed", 7),
        (r"$a \middle| b$", "between \\left and \\right only", 3),
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
        (r"$\big x$", "needs a bracket", 1),
        (r"$\left( x$", "never closed", 1),
        (r"${x$", "never closed", 1),
        (r"$x}$", "without its", 2),
        (r"$a & b$", "only inside a matrix", 3),
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


def stumbles(formulas: list[str], folder: Path, needs: Needs) -> dict[str, str]:
    """What pdflatex (in one document) and KaTeX say about formulas, in a line and displayed."""
    said = {}
    for displayed in (False, True):
        for formula, complaint in zip(
            formulas, katex([(one, displayed) for one in formulas], needs), strict=True
        ):
            if complaint:
                said[formula] = complaint
    body = "".join(
        f"\\typeout{{FORMULA {place}}}\n${formula}$\n\\[\n\\fit{{{formula}}}\n\\]\n\n"
        for place, formula in enumerate(formulas)
    )
    columns = room_for(most_columns(body))
    asked = {"letters": PLAIN_LETTERS, "matrices": columns, "style": Style(), "fragment": False, "sides": ""}
    preamble = module("dialects/latex.j2", asked).preamble("a4paper", "margin=2cm")
    source = f"{preamble}\\begin{{document}}\n{body}\\typeout{{FORMULA END}}\\end{{document}}\n"
    done = pdflatex(source, folder, needs, flags=[flag for flag in FLAGS if flag != "-halt-on-error"])
    pieces = re.split(r"^FORMULA (\w+)$", done.log, flags=re.M)
    logs = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    assert "END" in logs, done.log[-500:]
    for place, formula in enumerate(formulas):
        for complaint in re.findall(r"^!.*|.*Missing character.*", logs[str(place)], re.M):
            said[formula] = complaint
    return said


@pytest.mark.parametrize("seed", [1, 2])
def test_what_the_grammar_takes_makes_neither_latex_nor_katex_stumble(
    seed: int, tmp_path: Path, needs: Needs
) -> None:
    assert {} == stumbles(accepted(600, seed), tmp_path, needs)


def test_every_command_is_printed_by_both(tmp_path: Path, needs: Needs) -> None:
    inside = {Argument.MATHS: "a", Argument.WORDS: "Größe", Argument.CAPITALS: "R", Argument.NAME: "arg-x"}
    formulas = [
        *(f"\\{name} x" for name in SYMBOLS),
        *(f"x^\\{name} y" for name in BARE_SIGNS),
        *(
            f"\\{name}" + "".join(f"{{{inside[kind]}}}" for kind in kinds)
            for name, kinds in ARGUMENTS.items()
        ),
        *(f"\\{name}{bracket} x" for name in SIZES for bracket in DELIMITERS),
        *(f"\\left{bracket} x \\middle{bracket} y \\right{bracket}" for bracket in DELIMITERS),
        *(
            f"\\begin{{{name}}} a{' & b' * (columns - 1)} \\\\ c \\end{{{name}}}"
            for name, columns in ENVIRONMENTS.items()
        ),
    ]
    assert [] == [formula for formula in formulas if complaint_about_maths(formula)]
    assert {} == stumbles(formulas, tmp_path, needs)


def test_stumbling_would_be_heard(tmp_path: Path, needs: Needs) -> None:
    broken = [r"x^1^2", r"\sqrt\iint", "x^{\\dot{\\ddot{T' a'}}'}"]
    assert set(broken) == set(stumbles(["x", *broken], tmp_path, needs))


def test_the_listing_has_every_command() -> None:
    listed = set(re.findall(r"\\([A-Za-z]+\*?|\S)", listing()))
    assert set() == COMMANDS - {" "} - listed
    assert set(ENVIRONMENTS) == set(re.findall(r"begin\{(\w+)\}", listing()))
