"""Which numbers a given may become: `-2..2`, a list of numbers, or either of them with settings."""

from __future__ import annotations

import re
from fractions import Fraction

from attnsolve.documents import Node
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Rational
from attnsolve.exact.infinity import MINUS_INFINITY
from attnsolve.expressions import normalise, number
from attnsolve.loader.numbers import read_number
from attnsolve.loader.reader import Reader, shortened
from attnsolve.loader.variation_format import DOMAIN
from attnsolve.problem import Given
from attnsolve.variation import Domain, Entry, ranged

END = r"([-+]?(?:\d+(?:[./]\d+)?|\.\d+))"
RANGE = re.compile(rf"\s*{END}\s*\.\.(?!\.)\s*{END}\s*")
LARGEST_DOMAIN = 1000


def given_domain(reader: Reader, node: Node, path: str, given: Given) -> Domain | None:
    """What the numbers of a given may become, unless others decide them."""
    if given.made_from:
        reader.fault(node, path, f"'{given.name}' is made from other givens and varies with them")
        return None
    return read_domain(reader, node, path, decimals=any("." in text for row in given.typed for text in row))


def read_domain(reader: Reader, node: Node, path: str, *, decimals: bool) -> Domain | None:
    """`-2..2`, `[0, 1, 1/2]`, `{entries: -2..2, denominators: [1, 2]}` or `{set: [0, ln(2)]}`."""
    if node.is_text:
        return _range(reader, node, path, (1,), decimals=decimals)
    if node.is_list:
        return _set(reader, node, path)
    entries = reader.mapping(node, path, DOMAIN, what="entries: -2..2, denominators: [1, 2]")
    if ("set" in entries) == ("entries" in entries):
        said = "either entries: -2..2 or set: [0, 1, ln(2)] is expected here"
        reader.fault(node, path, said)
        return None
    if "set" in entries:
        return _set(reader, entries["set"], f"{path}.set")
    denominators: tuple[int | None, ...] = (1,)
    if "denominators" in entries:
        inner = entries["denominators"]
        items = inner.items if inner.is_list else (inner,)
        denominators = tuple(reader.integer(item, f"{path}.denominators", 1, 1000) for item in items)
    whole = tuple(bottom for bottom in denominators if bottom is not None)
    return _range(reader, entries["entries"], f"{path}.entries", whole, decimals=decimals)


def _range(
    reader: Reader, node: Node, path: str, denominators: tuple[int, ...], *, decimals: bool
) -> Domain | None:
    """Every number from one end to the other, spelled as the original spells its numbers."""
    found = RANGE.fullmatch(normalise(node.text)) if node.is_text else None
    ends = [read_fraction(reader, text) for text in found.groups()] if found else [None, None]
    low, high = ends
    if low is None or high is None or low >= high:
        said = f"'{shortened(node.text)}' is not a range; write the least and the largest number: -2..2"
        reader.fault(node, path, said)
        return None
    if (high - low) * sum(denominators) >= LARGEST_DOMAIN:
        reader.fault(node, path, f"more than {LARGEST_DOMAIN} numbers; nobody checks them all by hand")
        return None
    domain = ranged(low, high, denominators, decimals=decimals)
    if len(domain.entries) < 2:
        reader.fault(node, path, "fewer than two numbers lie in this range")
        return None
    return domain


def read_fraction(reader: Reader, text: str) -> Fraction | None:
    """A rational number, or None for any other text."""
    try:
        return number(text, limits=reader.limits).rational()
    except AttnsolveError:
        return None


def _set(reader: Reader, node: Node, path: str) -> Domain | None:
    """The numbers of a list, each of them once."""
    items = node.items if node.is_list else ()
    if not 2 <= len(items) <= LARGEST_DOMAIN:
        reader.fault(node, path, "a list of two numbers or more is expected here, such as [0, 1, ln(2)]")
        return None
    before = len(reader.faults)
    entries = tuple(_entry(reader, item, path) for item in items)
    # Numbers are the same whatever their spelling: 0.5 and 1/2.
    numbers = {x if (x := entry.value.rational()) is not None else entry.text for entry in entries}
    if len(numbers) < len(entries) and len(reader.faults) == before:
        reader.fault(node, path, "a number stands here twice; write each once")
    return Domain(entries) if len(reader.faults) == before else None


def _entry(reader: Reader, node: Node, path: str) -> Entry:
    """A number as it may stand in a matrix, where a space would begin the next one."""
    if MINUS_INFINITY.fullmatch(node.text.strip()):
        reader.fault(node, path, "-inf is not a number to draw")
        return Entry("0", Rational(0))
    cell, text = read_number(reader, node, path, node.text.strip(), at=0)
    return Entry("0" if cell.rational() == 0 else "".join(text.split()), cell)
