"""Every recipe in every convention is a page that pdflatex and KaTeX print, with nothing over the edge."""

from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from rendering.grid import FIRST_PARTS, PARTS, first_parts, traces
from rendering.programs import Needs, compiled_together, displays_and_inlines, faults_of, katex

from attnsolve.ops import OPS
from attnsolve.problem import CONVENTIONS
from attnsolve.recipes import RECIPES
from attnsolve.rendering import render
from attnsolve.rendering.settings import DETAILS

USUAL = "products"
CHOICES: dict[str, dict[str, Any]] = {
    "products": {},
    "all": {"working": "all", "numbers": "decimals"},
    "cells": {"detail": "cells", "numbers": "source", "places": 8},
    "matrices": {"detail": "matrices"},
    "result": {"detail": "result", "places": 0},
    "exercise": {"sheet": "exercise"},
    "markscheme": {"sheet": "markscheme"},
}

# All pages as they usually are, in several documents; and a few of each recipe in the other ways.
DOCUMENTS = [
    *((USUAL, ending) for ending in (*CONVENTIONS, "symbols")),
    *((choice, FIRST_PARTS) for choice in CHOICES if choice != USUAL),
]


def sheets(choice: str, ending: str, to: str) -> dict[str, str]:
    """The pages whose name ends so; in the ways that are not the usual one each recipe in one convention."""
    turn = list(CHOICES).index(choice)
    found = traces() if choice == USUAL else first_parts(turn)
    return {
        name: render(trace, to=to, **CHOICES[choice]).text
        for name, trace in found.items()
        if name.endswith(ending)
    }


def test_the_grid_has_every_recipe_and_every_way_to_compare_hide_and_weigh() -> None:
    wanted = {f"{recipe.name}-{convention}" for recipe in RECIPES for convention in CONVENTIONS}
    assert wanted <= set(traces())
    used = {step.call.op.name for trace in traces().values() for step in trace.steps}
    assert {op.name for op in OPS if op.family in ("score", "mask", "normaliser")} <= used
    assert set(DETAILS) <= set(CHOICES)


def test_turns_bring_every_recipe_to_every_convention() -> None:
    pages = [set(first_parts(turn)) for turn in range(len(CONVENTIONS))]
    assert {f"{recipe}-{convention}{FIRST_PARTS}" for recipe in PARTS for convention in CONVENTIONS} == set(
        chain.from_iterable(pages)
    )
    for some in pages:
        assert {len(PARTS)} == {len(some)}
        assert {True} == {any(f"-{convention}-" in name for name in some) for convention in CONVENTIONS}


@pytest.mark.parametrize(("choice", "ending"), DOCUMENTS)
def test_every_page_compiles(choice: str, ending: str, tmp_path: Path, needs: Needs) -> None:
    assert {} == faults_of(compiled_together(sheets(choice, ending, "latex"), tmp_path, needs))


def test_every_formula_is_printed_by_katex(needs: Needs) -> None:
    """GitHub, notebooks and most sites show maths with KaTeX or with MathJax, which takes no less."""
    formulas: dict[tuple[str, bool], str] = {}
    for choice, ending in DOCUMENTS:
        for name, text in sheets(choice, ending, "markdown").items():
            displayed, inline = displays_and_inlines(text, "pandoc")
            formulas |= {(formula, True): name for formula in displayed}
            formulas |= {(formula, False): name for formula in inline}
    said = zip(formulas.items(), katex(list(formulas), needs), strict=True)
    assert [] == [(name, formula, fault) for ((formula, _), name), fault in said if fault]


def test_katex_would_be_heard(needs: Needs) -> None:
    formulas = (r"x^{(1) \top}_{i}", r"x^{(1)}_{i}^{\top}", r"\nosuch")
    good, twice, unknown = katex([(formula, True) for formula in formulas], needs)
    assert "" == good
    assert "Double superscript" in twice
    assert "Undefined control sequence" in unknown
