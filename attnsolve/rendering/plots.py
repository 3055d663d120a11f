"""Pictures of a solved problem by themselves: the maps of its heads side by side, one row for each part."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from attnsolve.errors import UsageError
from attnsolve.languages import speaking, translated
from attnsolve.ops import Family
from attnsolve.problem import Part
from attnsolve.rendering.maps import Drawing, attention_map, framed, plain, squares, written
from attnsolve.rendering.notation import Notation
from attnsolve.trace import Step, Trace

GAP, TITLE, LINE, LETTER = 28, 30, 20, 7
# More maps than this stand in the next row.
MOST_IN_A_ROW = 4


class Plot(NamedTuple):
    """A picture: SVG, its title, and what it shows in words."""

    svg: str
    title: str
    alt: str


class Panel(NamedTuple):
    """One of the drawings of a picture, with what is said above it and about it."""

    title: str
    drawing: Drawing
    alt: str
    said: tuple[str, ...]  # how it is to be read


def plot_maps(trace: Trace, names: Sequence[str] = (), *, lang: str | None = None) -> Plot:
    """The maps of some values, or of those that the file plots, or of all weights."""
    with speaking(lang or trace.problem.lang):
        rows = [[panel(trace, part, step) for step in steps] for part, steps in chosen_steps(trace, names)]
        return together(rows, trace.problem.title)


def chosen_steps(trace: Trace, names: Sequence[str]) -> list[tuple[Part, list[Step]]]:
    """The steps whose maps are wanted, by their parts."""
    problem = trace.problem
    weights = [step.call.out for step in trace.steps if step.call.op.family is Family.NORMALISER]
    wanted = list(names) or [name for part in problem.parts for name in part.plots] or weights
    if not wanted:
        raise UsageError(f"'{problem.name}' has no attention weights; name the values that are to be drawn")
    known = {step.call.out: step for step in trace.steps}
    steps = []
    for name in wanted:
        if problem.resolve(name) not in known:
            raise UsageError(f"there is no value '{name}'; its weights are {', '.join(weights) or 'none'}")
        steps.append(known[problem.resolve(name)])
    parts = {part.id: part for part in problem.parts}
    grouped: dict[str, list[Step]] = {}
    for step in steps:
        grouped.setdefault(step.call.part, []).append(step)
    return [(parts[name], found) for name, found in grouped.items()]


def panel(trace: Trace, part: Part, step: Step) -> Panel:
    """The map of one value."""
    places = trace.problem.places
    drawn = attention_map(
        step, Notation(trace.problem, part, style="fractions", places=places), picture=False
    )
    beside, above = ([plain(token) for token in tokens] for tokens in (drawn.beside, drawn.above))
    title = translated("{value}, part ({part})", value=plain(drawn.title), part=part.id)
    said = (plain(drawn.sides), translated("Darker is more."), *filter(None, [plain(drawn.signs)]))
    return Panel(title, squares(drawn.rows, beside, above), plain(drawn.alt).strip(), said)


def together(rows: Sequence[Sequence[Panel]], title: str) -> Plot:
    """Panels in rows, each below its title, and at the bottom how they are read."""
    lines = [
        list(row[start : start + MOST_IN_A_ROW])
        for row in rows
        for start in range(0, len(row), MOST_IN_A_ROW)
    ]
    parts: list[str] = []
    width, top = 0, GAP // 2
    for line in lines:
        left = GAP // 2
        for each in line:
            wide = max(each.drawing.width, LETTER * len(each.title))
            parts.append(f'<g transform="translate({left} {top})">')
            parts.append(written(each.title, 0, TITLE - 10, anchor="start"))
            parts.append(f'<g transform="translate(0 {TITLE})">')
            parts += [*each.drawing.parts, "</g>", "</g>"]
            left += wide + GAP
        width = max(width, left)
        top += TITLE + max(each.drawing.height for each in line) + GAP
    said = dict.fromkeys(words for line in lines for each in line for words in each.said)
    for words in textwrap.wrap(" ".join(said), max(30, width // LETTER - 4)):
        parts.append(written(words, GAP // 2, top, anchor="start", ink="#333333"))
        top += LINE
    alt = " ".join(f"{each.title}: {each.alt}" for line in lines for each in line)
    return Plot(framed(Drawing(width, top, tuple(parts)), title, alt), title, alt)
