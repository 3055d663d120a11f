"""Names of values as a file writes them: `A`, `weights`, `head2.A`, `b.Z`, `A[2]`, `A[2, 1]`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from attnsolve.documents import Node
from attnsolve.inner_values import inner_calls, within
from attnsolve.loader.reader import Reader, did_you_mean, listing, shortened
from attnsolve.ops import Axis, Frame
from attnsolve.problem import Call, Target
from attnsolve.recipes.letters import LETTERS
from attnsolve.recipes.shapes import Layout

TARGET = re.compile(r"([A-Za-z0-9_.-]+?)\s*(?:\[\s*([0-9]{1,6})\s*(?:,\s*([0-9]{1,6})\s*)?\])?")


class Scope:
    """Every value that the parts so far have made, and what became of those that are missing."""

    def __init__(self, frames: dict[str, Frame], layout: Layout) -> None:
        self.frames = frames
        self.layout = layout
        self.aliases: dict[str, str] = {}
        self.lost: set[str] = set()  # parts with faults: nobody knows what they would have made
        self.made: dict[str, Call] = {}
        self.own: set[str] = set()  # what the part that is read works out
        self.trimmed: set[str] = set()  # values that a part's `find` does not lead to
        # The parts that are still to be built, with the names that a written plan gives its results.
        self.later: dict[str, tuple[str, ...]] = {}
        # The values inside the steps of the part that is read, by short and full name: asked for or not.
        self.inner: dict[str, Call] = {}
        self.asked: set[str] = set()

    def full_name(self, name: str, part: str) -> str | None:
        """The kept name: `A` and `weights` of part b are `b.A`; `c.head1.A` may be another part's.

        A value inside a step, such as `tau`, becomes one of the part's values by being named.
        """
        known = found_in(self.frames, self.aliases, name, part)
        if known is not None:
            return known
        inside = found_in(self.inner, self.aliases, name, part)
        return None if inside is None else self.ask(self.inner[inside])

    def ask(self, call: Call) -> str:
        """Take a value inside a step among those of its part."""
        self.asked.add(call.out)
        self.frames[call.out] = call.op.frame(*(self.frames[name] for name in call.args), **call.options)
        return call.out

    def offer(self, calls: Iterable[Call]) -> None:
        """Let the values inside some steps be named."""
        calls = tuple(calls)
        made, owners = inner_calls(calls), {call.out: call for call in calls}
        self.own = set(owners)
        self.asked = set()
        self.inner = {
            name: call
            for owner, group in made.items()
            for inner, call in zip(owners[owner].op.inner, group, strict=True)
            for name in (call.out, within(owners[owner], inner))
        }

    def is_worked_out(self, name: str) -> bool:
        """Whether a part makes the value of this full name; what is given has no working and no answer."""
        return name in self.own or name in self.asked or name in self.made

    def is_lost(self, name: str) -> bool:
        """Whether a name belongs to a part whose own faults have been told."""
        first = self._resolved(name).partition(".")[0]
        return first in self.lost

    def why_missing(self, name: str, part: str) -> str:
        """What is wrong with a name that nothing answers to."""
        cut = found_in(dict.fromkeys(self.trimmed), self.aliases, name, part)
        if cut is not None:
            owner, _, letter = cut.partition(".")
            return (
                f"'{name}' is never worked out, because part {owner} ends before it; add {letter} to its find"
            )
        inside = sorted({call.out for key, call in self.inner.items() if key.endswith(f".{name}")})
        if inside:
            written = " or ".join(key.removeprefix(f"{part}.") for key in inside)
            return f"there is no single '{name}' here; write {written}"
        elsewhere = self.elsewhere(name, part)
        if elsewhere:
            return f"there is no '{name}' here; {elsewhere}"
        own = [key.removeprefix(f"{part}.") for key in self.frames if key.startswith(f"{part}.")]
        earlier = [key for key in self.frames if "." in key and not key.startswith(f"{part}.")]
        close = did_you_mean(name, [*own, *(w for w, letter in LETTERS.items() if letter in own), *earlier])
        if "." in name and not own:
            results = listing("the results so far are", earlier, "no part before this one makes any")
            return f"there is no earlier result '{name}'{close or results}"
        return (
            f"there is no '{name}' here{close or listing('this part makes', own, 'this part makes nothing')}"
        )

    def elsewhere(self, name: str, part: str) -> str:
        """Where a name is made, if not here: in another part, before this one or after it."""
        first, dot, _ = name.partition(".")
        if dot:
            return (
                f"part {first} comes later, and only earlier results can be used"
                if first in self.later
                else ""
            )
        letter = LETTERS.get(name, name)
        found = [key for key in self.frames if "." in key and key.rpartition(".")[2] == letter]
        if found and not any(key.startswith(f"{part}.") for key in found):
            return f"it is a result of part {found[-1].partition('.')[0]}: write {found[-1]}"
        later = next((other for other, made in self.later.items() if name in made), None)
        return f"it is made in part {later}, which comes later" if later else ""

    def _resolved(self, name: str) -> str:
        for alias, target in self.aliases.items():
            if name.startswith(f"{alias}."):
                return target + name[len(alias) :]
        return name


def found_in(names: Mapping[str, object], aliases: Mapping[str, str], name: str, part: str) -> str | None:
    """The one of `names` that a text means, looked up in its own part first, by letter or by word."""
    head, dot, last = name.rpartition(".")
    letter = f"{head}{dot}{LETTERS.get(last, last)}"
    for candidate in (f"{part}.{name}", f"{part}.{letter}", name, letter):
        for alias, target in aliases.items():
            if candidate.startswith(f"{alias}."):
                candidate = target + candidate[len(alias) :]
        if candidate in names:
            return candidate
    return None


def read_target(
    reader: Reader, scope: Scope, node: Node, path: str, part: str, cases: tuple[str, ...] = ()
) -> tuple[Target, ...]:
    """The value that a text names; in a part with cases `A` means the A of every case."""
    text = reader.word(node, path, "a name such as A, head2.A or A[2, 1]")
    if text is None:
        return ()
    match = TARGET.fullmatch(text)
    if match is None:
        reader.fault(node, path, f"'{shortened(text)}' is not a name; write A, head2.A, b.Z, A[2] or A[2, 1]")
        return ()
    # The results of the cases come first: `S` is theirs, even where a given has that name too.
    names = [scope.full_name(f"{case}.{match[1]}", part) for case in cases]
    if not names or None in names:
        names = [scope.full_name(match[1], part)]
    if None in names:
        if not scope.is_lost(match[1]):
            reader.fault(node, path, scope.why_missing(match[1], part))
        return ()
    given = next((name for name in names if name is not None and not scope.is_worked_out(name)), None)
    if given is not None:
        reader.fault(node, path, f"{given} is given; name what is worked out, such as A, b.Z or A[2]")
        return ()
    numbers = [int(group) for group in match.groups()[1:] if group is not None]
    found = [_located(reader, scope, node, path, name, numbers) for name in names if name is not None]
    return tuple(target for target in found if target is not None)


def _located(
    reader: Reader, scope: Scope, node: Node, path: str, name: str, numbers: list[int]
) -> Target | None:
    """The row or cell meant: `A[2]` is what token 2 gets, `A[2, 1]` the number printed with these indices."""
    frame, first = scope.frames[name], reader.index_from
    across = len(numbers) == 2 and scope.layout.printed_across(name, frame)
    sides = [(frame.rows, "row"), (frame.columns, "column")]
    sides = [(frame.columns, "row"), (frame.rows, "column")] if across else sides
    found = []
    for number, (axis, what) in zip(numbers, sides, strict=False):
        place = position(axis, number - first)
        if place is None:
            there = [str(token + first) for token in axis.tokens or range(axis.size)]
            listed = f"{what}s {', '.join(there[:16])}" if len(there) > 1 else f"only {what} {there[0]}"
            said = f"{name} has no {what} {number}; it has {listed}{'…' * (len(there) > 16)}"
            reader.fault(node, path, said)
            return None
        found.append(place)
    return Target(name, *(reversed(found) if across else found))


def position(axis: Axis, token: int) -> int | None:
    """Where a token stands on a side; when only some ask, `A[2]` is still the second token's row."""
    if axis.tokens is not None:
        return axis.tokens.index(token) if token in axis.tokens else None
    return token if 0 <= token < axis.size else None
