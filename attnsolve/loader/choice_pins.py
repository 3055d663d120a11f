"""What a printed paper pins down of its questions of choice, written into its file: order and mistakes.

A later release may know more mistakes, and a corrected file may be called otherwise: letters that were
printed stay what they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from attnsolve.documents import Node, parse
from attnsolve.limits import LIMITS, Limits
from attnsolve.rewriting import found, rewritten, written

# What a pin takes the place of.
REPLACED = ("order", "options", "mistakes")


class Pin(NamedTuple):
    """The order of the options of a part, and the mistakes behind them where they are computed."""

    order: str
    mistakes: tuple[str, ...] = ()

    @property
    def text(self) -> tuple[str, ...]:
        """The keys of it as YAML."""
        named = (f"mistakes: [{', '.join(self.mistakes)}]",) if self.mistakes else ()
        return (f"order: {self.order}", *named)


def pinned(text: str, pins: Mapping[int, Pin], *, limits: Limits = LIMITS) -> str:
    """A problem file with pins for some of its parts, by their places in the list; all else stays."""
    for number, pin in pins.items():
        path = ("parts", number, "choice")
        root = parse(text.encode(), "", limits=limits)
        place = found(root, path)
        if place is None:
            continue
        if place[1].is_text:
            inside = ", ".join((f"of: {written(place[1])}", *pin.text))
            text = rewritten(root, {path: f"{{{inside}}}"})
            continue
        text = rewritten(root, {(*path, key): None for key in REPLACED})
        whole = found(parse(text.encode(), "", limits=limits), path)
        assert whole is not None
        text = opened(text, whole[1], pin)
    return text


def opened(text: str, node: Node, pin: Pin) -> str:
    """A text with the keys of a pin before those of a map."""
    lines, (line, column) = text.split("\n"), (node.line - 1, node.column - 1)
    before, behind = lines[line][:column], lines[line][column:]
    if behind.startswith("{"):
        lines[line] = f"{before}{{{', '.join(pin.text)}, {behind[1:]}"
    else:
        lines[line] = f"\n{' ' * column}".join((before + pin.text[0], *pin.text[1:], behind))
    return "\n".join(lines)


def pins_in(root: Node) -> dict[int, Pin]:
    """The pins of a file, by the places of its parts."""
    parts, made = root.get("parts"), {}
    for number, part in enumerate(parts.items if parts is not None else ()):
        choice = part.get("choice")
        order = None if choice is None else choice.get("order")
        if choice is not None and order is not None:
            mistakes = choice.get("mistakes")
            names = () if mistakes is None else tuple(item.text for item in mistakes.items or (mistakes,))
            made[number] = Pin(order.text, names)
    return made
