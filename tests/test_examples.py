"""The weekly sheet in `examples/`, in three languages: it loads, prints, and says the same in all of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from rendering.programs import Needs, pdflatex

from attnsolve import batch
from attnsolve.lint import check
from attnsolve.rendering import Document, render
from attnsolve.rendering.settings import SHEETS

EXAMPLES = Path(__file__).parents[1] / "examples" / "weekly-sheet"
LANGUAGES = ("en", "de", "pt")
WORDS = re.compile(r"\\text\{[^{}]*\}")


def page(lang: str, **choices: Any) -> Document:
    return render(batch.solved_asked(EXAMPLES / lang / "sheet.yaml"), **choices)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheet_has_no_fault(lang: str) -> None:
    assert [] == list(check(EXAMPLES / lang / "sheet.yaml"))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("sheet", SHEETS)
def test_the_sheet_compiles(lang: str, sheet: str, tmp_path: Path, needs: Needs) -> None:
    made = page(lang, to="latex", sheet=sheet, maps=True)
    done = pdflatex(made.text, tmp_path, needs, beside=made.pictures)
    assert (0, []) == (done.code, done.complaints())
    assert [] == [points for points in done.overfull() if points > 5]


def displays(lang: str) -> list[str]:
    """Every displayed formula, without words and with decimal points."""
    found = re.findall(r"\$\$\n(.*?)\n\$\$", page(lang, to="markdown").text, re.DOTALL)
    return [WORDS.sub("", text).replace("{,}", ".").replace(";", ",") for text in found]


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_formulas_are_the_same_in_every_language(lang: str) -> None:
    assert displays("en") == displays(lang)


def test_the_weights_are_those_of_paper() -> None:
    """Scores 2, 4, 4 over √4: e⁻¹, 1, 1 over 2 + e⁻¹ = 2.3679."""
    text = page("en", to="markdown").text
    assert r"\alpha \approx (0.155,\ 0.422,\ 0.422)" in text
    assert r"\begin{bmatrix} 1 & 1.267 \end{bmatrix}" in text
