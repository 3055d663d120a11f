"""`lint` tells what looks like markup and is none, where it stands, with what to write."""

from pathlib import Path

import pytest

from attnsolve.bundled import problems_with_numbers
from attnsolve.lint import check

FILE = """format: 1
title: A problem
intro: |
  First line.

  {}
given: {{q: 1 2, K: 1 0; 0 1}}
parts:
  - ask: What?
    attend: {{queries: q, keys: K}}
"""


def notices(text: str, folder: Path) -> list[str]:
    path = folder / "problem.yaml"
    path.write_text(FILE.format(text), encoding="utf-8")
    return [
        str(notice.fault).partition("problem.yaml:")[2] for notice in check(path) if notice.code == "W103"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            r"So \[ x \]",
            r"6:6: intro: '\[' prints as it is typed; display maths stands between double dollars: $$x$$",
        ),
        (r"So \( x \)", r"6:6: intro: '\(' prints as it is typed; maths stands between dollars"),
        (
            r"A \textbf{bold} word",
            r"6:5: intro: '\textbf' prints as it is typed; bold words are written **so**",
        ),
        (r"A \emph{word}", "emphasis is written *so*"),
        (r"In \texttt{code}", "code is written `so`"),
        (r"\begin{itemize} \item a", "lists have lines that start with"),
        (r"\begin{align} x", "maths and its environments stand between double dollars"),
        (r"An \alpha", r"commands of LaTeX stand in maths only: $\alpha$"),
        (r"\includegraphics{a.png}", "figures are written ![what it shows]"),
        ("It is ~~wrong~~", "there is no strikethrough"),
        ("See[^1]", "there are no footnotes"),
        ("See https://example.org", "an address is a link only in angle brackets"),
    ],
)
def test_what_looks_like_markup_is_told(text: str, message: str, tmp_path: Path) -> None:
    (said,) = notices(text, tmp_path)
    assert message in said


@pytest.mark.parametrize(
    "text",
    [
        "A *soft*, **bold** look at `\\textbf{x}`, $\\alpha$ and [it](https://example.org/~~x) or <https://a.org>.",
        "$$\\begin{aligned} a &= b \\end{aligned}$$",
        "It costs \\$5, 5 \\* 3, in 2021-22 ~ 5 [sic].",
    ],
)
def test_what_is_markup_is_not(text: str, tmp_path: Path) -> None:
    assert [] == notices(text, tmp_path)


def test_bundled_problems_have_nothing_of_it() -> None:
    found = [notice for path in problems_with_numbers() for notice in check(path)]
    assert [] == [notice for notice in found if notice.code == "W103"]
