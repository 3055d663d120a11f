"""One asked value of a paper: its equations in maths, and its rows for a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from attnsolve.exact import Matrix
from attnsolve.exact.masked import shown
from attnsolve.problem import Target
from attnsolve.rendering import numerals
from attnsolve.rendering.answers import in_decimals, in_full, sliced
from attnsolve.rendering.key_legend import joined
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.text import Segments, formula
from attnsolve.trace import Step, Trace

# The rows of a value, each as `a b c`.
Rows = tuple[Segments, ...]


class KeyValue(NamedTuple):
    """One asked value of a paper: its equations in maths, and its rows for a table."""

    equations: tuple[str, ...]
    rows: Rows
    has_letters: bool = False


def key_value(trace: Trace, target: Target, notation: Notation) -> KeyValue:
    """A value as a student should have it, laid as the course lays it."""
    step = trace.step(target.name)
    left, value = sliced(target, step.carried, notation)
    equations = key_equations(step, target, left, value, notation)
    has_letters = shown(step.value).kind == "formula"
    if step.carried is step.value and not has_letters:
        typed = map(typed_row, notation.laid(target.name, notation.decimal_rows(value)))
        return KeyValue(equations, tuple(typed), has_letters)
    rows = numbers(step, value, notation)
    laid = list(zip(*rows, strict=True)) if notation.transposed(target.name) else rows
    return KeyValue(equations, tuple(map(spaced, laid)), has_letters)


def key_equations(
    step: Step, target: Target, left: str, value: Matrix, notation: Notation
) -> tuple[str, ...]:
    """`A ≈ …`, in decimals as a student should have them; several where one is too wide for a page."""
    if step.carried is step.value:
        return in_decimals(left, target, value, notation)
    relation = numerals.relation(step.carried.same(step.value) is True)
    return in_full(left, relation, target, notation, notation.carried_rows(value))


def numbers(step: Step, value: Matrix, notation: Notation) -> list[list[tuple[bool, str]]]:
    """What is no plain decimal: formulas, and numbers that were rounded on the way."""
    if shown(value).kind == "formula":
        return [[formula(text) for text in row] for row in notation.rows(value)]
    return [[(False, minus(text)) for text in row] for row in notation.carried_rows(value)]


def typed_row(row: Sequence[str]) -> Segments:
    """Decimals as they can be typed, with spaces between them."""
    together = " ".join(row)
    return spaced([number(text) for text in row]) if "\\" in together else ((False, minus(together)),)


def number(text: str) -> tuple[bool, str]:
    """A rounded number as text; one with a power of ten, or without an end, as maths."""
    return formula(text) if "\\" in text else (False, minus(text))


def minus(text: str) -> str:
    """A number with a real minus sign."""
    return text.replace("-", "−")


def spaced(row: Sequence[tuple[bool, str]]) -> Segments:
    """Numbers with spaces between them."""
    if not any([is_maths for is_maths, _ in row]):
        return ((False, " ".join([text for _, text in row])),)
    return joined([(cell,) for cell in row], " ")
