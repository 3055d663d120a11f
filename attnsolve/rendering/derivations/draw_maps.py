"""Drawn weights as a picture: how often they lie in each tenth from 0 to 1."""

from __future__ import annotations

import re

from attnsolve.derivations.derivation import Draws
from attnsolve.file_names import safe_stem
from attnsolve.languages import decimal, translated
from attnsolve.problem import Part, Problem
from attnsolve.rendering.derivations.formulas import markup
from attnsolve.rendering.maps import DARK, SHADES, Map, MapCell, plain, svg
from attnsolve.rendering.text import Segments, formula, listed, say

TENTHS = 10


def draw_map(problem: Problem, part: Part, found: Draws, *, picture: bool) -> Map:
    """A row for each choice of numbers, a column for each tenth; darker is more."""
    rows = tuple(tuple(cell(many, found.count) for many in row) for row in found.tenths)
    varied = [name for number, (name, _) in enumerate(found.chosen[0]) if differs(found, number)]
    beside = tuple(
        listed(
            [
                formula(f"{markup(name)} = {markup(value, slanted=True)}")
                for name, value in one
                if name in varied or not varied
            ]
        )
        for one in found.chosen
    )
    above = tuple(((False, decimal(f"0.{tenth}")),) for tenth in range(TENTHS))
    subject = formula(markup(found.subject))
    title = say("{count} draws of {weight}", count=found.count, weight=subject)
    sides = say(
        "Each row has so many draws of the noise (seed {seed}), each column those of them with a weight "
        "from its number up to the next tenth.",
        seed=found.seed,
    )
    alt = in_words(found, beside)
    file = f"{safe_stem(problem.name)}-{part.id}-draws.svg"
    drawn = (
        svg(rows, [plain(one) for one in beside], [plain(one) for one in above], plain(title), plain(alt))
        if picture
        else ""
    )
    link = file if re.fullmatch(r"[\w.-]+", file) else f"<{file}>"
    return Map(f"{part.id}.draws", title, rows, beside, above, sides, (), alt, drawn, file, link)


def differs(found: Draws, number: int) -> bool:
    """Whether a number is not the same in all rows, so that it has to stand beside them."""
    return len({one[number][1] for one in found.chosen}) > 1


def cell(many: int, count: int) -> MapCell:
    """How often, and as dark as its share."""
    shade = SHADES * many // count
    return MapCell(str(many), shade, shade >= DARK)


def in_words(found: Draws, beside: tuple[Segments, ...]) -> Segments:
    """The picture for those who do not see it."""
    said: list[tuple[bool, str]] = []
    for row, name in zip(found.tenths, beside, strict=True):
        numbers = ", ".join(map(str, row))
        said += [
            *name,
            (False, ": " + translated("{numbers} in the ten tenths from 0 to 1.", numbers=numbers) + " "),
        ]
    return tuple(said)
