"""Commands that a file defines for its maths: written out before anything is checked, never without end."""

import time
from itertools import pairwise

import pytest

from attnsolve.errors import ProblemError
from attnsolve.loader import loads
from attnsolve.maths.grammar import Refused
from attnsolve.maths.macros import Macro, expanded, written_out

MACROS = {
    "R": Macro("R", r"\mathbb{R}"),
    "softmax": Macro("softmax", r"\operatorname{softmax}"),
    "abs": Macro("abs", r"\lvert #1 \rvert"),
    "pair": Macro("pair", "(#1, #2)"),
    "a": Macro("a", r"\alpha"),
}
FILE = """format: 1
title: About $\\R$
macros: {macros}
intro: {intro}
given: {{q: 1 2, K: 1 0; 0 1}}
parts:
  - ask: What?
    attend: {{queries: q, keys: K}}
"""
GOOD = r"{R: '\mathbb{R}', norm: '\lVert #1 \rVert', square: '\norm{#1}^2'}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"x \in \R^n", r"x \in  \mathbb{R}^n"),
        (r"x_\R", r"x_{\mathbb{R}}"),
        (r"\hat\a", r"\hat{\alpha}"),
        (r"\a x", r"\alpha  x"),
        (r"\abs{x + \abs y}", r"\lvert x + \lvert y \rvert  \rvert "),
        (r"\pair 1{2}", "(1, 2)"),
        (r"\cdot\pair12", r"\cdot (1, 2)"),
        (r"\alpha\Rx", r"\alpha\Rx"),  # another command
    ],
)
def test_macros_are_written_out(source: str, expected: str) -> None:
    assert expected == written_out(source, MACROS).text


def test_only_maths_has_macros() -> None:
    text = r"The \R of `\R`, \$\R and $\R$ or $$\R$$"
    made = expanded(text, MACROS)
    assert r"The \R of `\R`, \$\R and $\mathbb{R}$ or $$\mathbb{R}$$" == made.text
    assert len(made.text) == len(made.origins)
    assert text.index("$$\\R") + 2 == made.origin(made.text.rindex("\\mathbb"))


@pytest.mark.parametrize("source", [r"\abs", r"\abs }", r"\pair{1}", r"\abs{x", r"{\abs}"])
def test_an_argument_must_be_there(source: str) -> None:
    with pytest.raises(Refused, match="lacks"):
        written_out(source, MACROS)


def test_texts_have_no_macros_left() -> None:
    problem = loads(FILE.format(macros=GOOD, intro=r"'So $\square{\R}$ *holds*.'"))
    assert r"About $\mathbb{R}$" == problem.title
    assert r"So $\lVert \mathbb{R} \rVert ^2$ *holds*." == " ".join(problem.intro.split())


@pytest.mark.parametrize(
    ("macros", "intro", "message"),
    [
        (r"{x: '\x'}", "a", r"3:13: macros.x: \x uses \x: a macro must not use itself"),
        (r"{x: '\y', y: '{\x}'}", "a", r"\x uses \y uses \x: a macro must not use itself"),
        (r"{x: '\input{y}'}", "a", r"\x stands for '\input{y}': the command \input is not allowed"),
        (r"{x: '\left('}", "a", "'\\left' is never closed"),
        (r"{x: '#1'}", r"'Is $\x{\def}$?'", r"4:16: intro: the command \def is not allowed"),
        (r"{x: '#1'}", r"'Is $a \x$?'", r"4:15: intro: '\x' lacks its argument"),
        (r"{x: '#2'}", "a", "arguments are #1, #2"),
        (r"{x: 'a^2'}", r"'Is $\x^3$?'", "4:15: intro: a second ^"),
        (r"{alpha: 'a'}", "a", r"3:10: macros.alpha: \alpha is there already"),
        (r"{x1: 'a'}", "a", "'x1' is no name of a command"),
        (r"{x: [a]}", "a", "what the command stands for is expected here"),
        ("[a]", "a", "a map of at most 100 commands is expected here"),
        (r"{x: '\newcommand{\y}{z}'}", "a", r"the command \newcommand is not allowed"),
    ],
)
def test_faults_have_their_place(macros: str, intro: str, message: str) -> None:
    file = FILE.format(macros=macros, intro=intro).replace("About $\\R$", "Macros")
    with pytest.raises(ProblemError) as caught:
        loads(file)
    assert message in str(caught.value)


def test_bombs_are_refused_at_once() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    doubling = ", ".join(f"z{one}: '\\z{two}\\z{two}'" for one, two in pairwise(letters))
    nested = "'$" + "\\t{" * 60 + "x" + "}" * 60 + "$'"
    for macros, intro in ((f"{{{doubling}, zz: 'xx'}}", "a"), ("{t: '#1#1#1#1#1'}", nested)):
        start = time.process_time()
        with pytest.raises(ProblemError, match="macros make more than 2000 characters"):
            loads(FILE.format(macros=macros, intro=intro).replace("About $\\R$", "Bombs"))
        assert time.process_time() - start < 5
