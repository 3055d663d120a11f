"""Weights against temperature over the cases of a part: a panel for each query, a line for each key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from attnsolve.errors import UsageError
from attnsolve.exact import Cell
from attnsolve.exact.cells import Rational
from attnsolve.languages import decimal, speaking, translated
from attnsolve.ops import Family
from attnsolve.problem import Part
from attnsolve.rendering.escaping import html_code
from attnsolve.rendering.maps import Drawing, hidden_keys, map_places, plain, written
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.plots import Panel, Plot, together
from attnsolve.rendering.sentences import key_token, query_token
from attnsolve.trace import Step, Trace
from attnsolve.working import evaluate

LEFT, TOP, WIDTH, HEIGHT, BELOW = 52, 12, 340, 240, 52
APART = 17  # labels of lines that end close to each other
BITS = 64
# Lines are told apart by their marks, their dashes and their labels; colour is the least of it.
DASHES = ("", "7 4", "2 4", "9 3 2 3")
INKS = ("#0c2c5c", "#a03000", "#1c6b3a", "#6a3d9a")
LONGEST_LABEL = 5
QUARTERS = ("0", "0.25", "0.5", "0.75", "1")
OPTION = "temperature"


class Point(NamedTuple):
    """A weight at a temperature, in pixels, and as it is printed."""

    x: int
    y: int
    text: str


def plot_temperatures(trace: Trace, *, lang: str | None = None) -> Plot:
    """How the weights of each part with such cases change with the temperature."""
    with speaking(lang or trace.problem.lang):
        rows = [list(panels(trace, part, steps)) for part, steps in tempered(trace)]
        if not rows:
            raise UsageError(
                f"'{trace.problem.name}' has no part whose cases differ in their temperature; "
                "write cases: [{weights: {softmax: {temperature: 1/2}}}, …]"
            )
        return together(rows, trace.problem.title)


def tempered(trace: Trace) -> Iterator[tuple[Part, list[Step]]]:
    """Parts with cases at several temperatures: the weights of each case, coldest first."""
    for part in trace.problem.parts:
        steps = [
            step
            for step in trace.of_part(part.id)
            if part.cases and step.call.op.family is Family.NORMALISER and has_temperature(step)
        ]
        ordered = sorted(steps, key=lambda step: size(temperature(step)))
        if (
            len({temperature(step).text() for step in ordered}) > 1
            and len({s.value.shape for s in steps}) == 1
        ):
            yield part, ordered


def has_temperature(step: Step) -> bool:
    """Whether a step takes a temperature at all."""
    return any(option.name == OPTION for option in step.call.op.options)


def temperature(step: Step) -> Cell:
    """The temperature of a step, which is 1 where none is said."""
    value = step.call.options.get(OPTION)
    return Rational(Fraction(1)) if value is None else evaluate(value)


def size(cell: Cell) -> float:
    """Where a number stands among others, for a picture."""
    return float(cell.ball(BITS).mid())


def panels(trace: Trace, part: Part, steps: Sequence[Step]) -> Iterator[Panel]:
    """A panel for each query."""
    notation = Notation(trace.problem, part, style="fractions", places=trace.problem.places)
    first, hidden = steps[0], hidden_keys(steps[0])
    temperatures = [label(temperature(step)) for step in steps]
    for i in range(first.value.shape[0]):
        query = plain((query_token(first, i, notation),))
        title = translated("Weights of {query} against temperature, part ({part})", query=query, part=part.id)
        keys = [j for j in range(first.value.shape[1]) if (i, j) not in hidden]
        lines = {plain((key_token(first, j, notation),)): points(steps, i, j, notation) for j in keys}
        alt = " ".join(
            translated(
                "{key} has {weights} at temperatures {temperatures}.",
                key=key,
                weights=", ".join(point.text for point in line),
                temperatures=", ".join(temperatures),
            )
            for key, line in lines.items()
        )
        unseen = [
            plain((key_token(first, j, notation),)) for j in range(first.value.shape[1]) if j not in keys
        ]
        said = [translated("Points are computed; lines only join them.")]
        said += [translated("Hidden by a mask: {keys}.", keys=", ".join(unseen))] if unseen else []
        yield Panel(title, drawing(lines, temperatures), alt, tuple(said))


def label(cell: Cell) -> str:
    """A temperature as it is typed where that is short, else rounded."""
    text = cell.text()
    return text if len(text) <= LONGEST_LABEL else f"≈ {decimal(cell.rounded(2).text)}"


def points(steps: Sequence[Step], i: int, j: int, notation: Notation) -> list[Point]:
    """The weight of one key at each temperature; equal ratios of temperatures are equally far apart."""
    sizes = [temperature(step).ball(BITS).log() for step in steps]
    low, high = sizes[0], sizes[-1]
    made = []
    for step, place in zip(steps, sizes, strict=True):
        weight = step.value.cell(i, j)
        x = LEFT + round(float(((place - low) / (high - low) * WIDTH).mid()))
        y = TOP + HEIGHT - HEIGHT * max(0, min(1000, weight.rounded(3).digits)) // 1000
        made.append(Point(x, y, decimal(weight.rounded(map_places(notation)).text)))
    return made


def drawing(lines: dict[str, list[Point]], temperatures: Sequence[str]) -> Drawing:
    """Axes, a line with its own marks and dashes for each key, and its name where it ends."""
    parts = [*axes(next(iter(lines.values())), temperatures)]
    ends = spread_out([line[-1].y for line in lines.values()])
    for number, ((key, line), end) in enumerate(zip(lines.items(), ends, strict=True)):
        ink, dash = INKS[number % len(INKS)], DASHES[number % len(DASHES)]
        joined = " ".join(f"{point.x},{point.y}" for point in line)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<polyline points="{joined}" fill="none" stroke="{ink}" stroke-width="2"{dashes}/>')
        parts += [mark(point, number, ink) for point in line]
        parts.append(written(f"{key}  {line[-1].text}", LEFT + WIDTH + 14, end + 5, anchor="start", ink=ink))
    longest = max(len(key) + len(line[-1].text) + 2 for key, line in lines.items())
    return Drawing(LEFT + WIDTH + 24 + 9 * longest, TOP + HEIGHT + BELOW, tuple(parts))


def axes(line: Sequence[Point], temperatures: Sequence[str]) -> Iterator[str]:
    """Weights from 0 to 1 upwards, the temperatures of the cases to the right."""
    for quarter in range(len(QUARTERS)):
        y = TOP + HEIGHT - HEIGHT * quarter // 4
        yield f'<line x1="{LEFT}" y1="{y}" x2="{LEFT + WIDTH}" y2="{y}" stroke="#cccccc"/>'
        yield written(decimal(QUARTERS[quarter]), LEFT - 8, y + 5, anchor="end")
    for point, text in zip(line, temperatures, strict=True):
        ends = f'x1="{point.x}" y1="{TOP + HEIGHT}" x2="{point.x}" y2="{TOP + HEIGHT + 5}"'
        yield f'<line {ends} stroke="#666666"/>'
        yield written(text, point.x, TOP + HEIGHT + 20)
    yield written(translated("temperature"), LEFT + WIDTH // 2, TOP + HEIGHT + 42)


def spread_out(places: Sequence[int]) -> list[int]:
    """Where labels stand that would cover each other at the places of their lines."""
    order = sorted(range(len(places)), key=lambda number: places[number])
    made = list(places)
    for before, after in pairwise(order):
        made[after] = max(made[after], made[before] + APART)
    return made


def mark(point: Point, number: int, ink: str) -> str:
    """A circle, a square, a triangle or a diamond, with its weight for those who point at it."""
    x, y = point.x, point.y
    shape = (
        f'<circle cx="{x}" cy="{y}" r="5"',
        f'<rect x="{x - 4}" y="{y - 4}" width="9" height="9"',
        f'<polygon points="{x},{y - 6} {x + 6},{y + 5} {x - 6},{y + 5}"',
        f'<polygon points="{x},{y - 6} {x + 6},{y} {x},{y + 6} {x - 6},{y}"',
    )[number % 4]
    name = shape[1 : shape.index(" ")]
    return f'{shape} fill="{ink}"><title>{html_code(point.text)}</title></{name}>'
