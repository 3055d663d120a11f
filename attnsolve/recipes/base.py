"""What a recipe is: the keys a file writes, and how they become a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from attnsolve.errors import AttnsolveError, ShapeError
from attnsolve.exact import Rational
from attnsolve.expressions import expression
from attnsolve.ops import Frame, Op, Option, PlanMistake
from attnsolve.problem import Call
from attnsolve.working import Expression, evaluate


class Field(NamedTuple):
    """One key of a mapping in a problem file: what it holds and what it is for."""

    name: str
    kind: str
    doc: str
    required: bool = False
    role: str = ""  # for matrices: tokens, weights, scores, row
    choices: tuple[str, ...] = ()


class FieldError(AttnsolveError):
    """Something wrong with one key of a recipe; the loader knows where it stands in the file."""

    def __init__(self, path: tuple[str | int, ...], message: str) -> None:
        super().__init__(message)
        self.path = path


class Normaliser(NamedTuple):
    """What stands after `weights:`: an op and its settings, still as text."""

    op: Op
    settings: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Recipe:
    """A kind of exercise by name: its keys, its plan, and the wrong plans people make of it."""

    name: str
    doc: str
    fields: tuple[Field, ...]
    build: Callable[[Plan, Mapping[str, Any]], None]
    mistakes: tuple[PlanMistake, ...] = ()


@dataclass
class Plan:
    """The calls of one part while they are put together, each checked for its shapes at once."""

    prefix: str
    frames: dict[str, Frame]
    calls: list[Call] = field(default_factory=list)
    path: tuple[str | int, ...] = ()
    aliases: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Errors inside the block belong to this key of the file."""
        before = self.path
        self.path = (*before, *path)
        try:
            yield
        except FieldError:
            raise
        except AttnsolveError as error:
            raise FieldError(self.path, str(error)) from None
        finally:
            self.path = before

    def inside(self, group: str) -> Plan:
        """A plan for a head or a case, adding to the same calls under a longer name."""
        return replace(self, prefix=f"{self.prefix}.{group}")

    def call(self, letter: str, op: Op, *args: str, title: str = "", **options: Any) -> str:
        """Add `prefix.letter = op(args)` and give its full name back."""
        out = f"{self.prefix}.{letter}"
        frames = [self.frames[name] for name in args]
        try:
            self.frames[out] = op.frame(*frames, **options)
        except ShapeError as error:
            shown = ", ".join(name.removeprefix(f"{self.prefix}.") for name in args)
            raise ShapeError(f"{letter} = {op.name}({shown}): {spoken(str(error), op, args)}") from None
        self.calls.append(Call(out, op, args, options, title))
        return out

    def number(self, text: str | Expression, **sizes: int) -> Expression:
        """An expression of the file that may mention sizes such as d_k, with its value not zero."""
        names = {name: Rational(size) for name, size in sizes.items()}
        tree = expression(text, names=names) if isinstance(text, str) else text
        if evaluate(tree).is_zero():
            raise AttnsolveError("this is 0, and nothing can be divided by it")
        return tree


    def option(self, option: Option, text: str, *, index_from: int = 1, **sizes: int) -> Any:
        """The value of an op's option, from the text of the file."""
        if option.kind == "number":
            return self.number(text, **sizes)
        if option.kind == "choice":
            if text not in option.choices:
                raise AttnsolveError(f"'{text}' is not one of {', '.join(option.choices)}")
            return text
        numbers = text.replace(",", " ").split()
        if not numbers or not all(n.isascii() and n.isdigit() and len(n) < 6 for n in numbers):
            raise AttnsolveError(f"'{text}' is not a whole number")
        places = tuple(int(n) - index_from for n in numbers)
        return places if option.kind == "rows" else int(numbers[0]) - (index_from if option.name == "start" else 0)


def spoken(message: str, op: Op, args: tuple[str, ...]) -> str:
    """A shape error with the op's own letters replaced by the names of this call."""
    if op.gathers:
        return message
    words = message.split(" ")
    names = dict(zip(op.parameters, (name.rpartition(".")[2] for name in args), strict=False))
    return " ".join(names.get(word, word) for word in words)


@dataclass(frozen=True, slots=True)
class Setting:
    """What a change of plan may look at: the frames of all values, and the call that made each."""

    frames: Mapping[str, Frame]
    made: Mapping[str, Call]


def edited(name: str, advice: str, change: Callable[[Call, Setting], Call | None]) -> PlanMistake:
    """A plan mistake that changes or drops calls one by one; a dropped call hands on its first input."""

    def edit(calls: tuple[Call, ...], frames: Mapping[str, Frame]) -> tuple[Call, ...]:
        setting = Setting(frames, {call.out: call for call in calls})
        kept: list[Call] = []
        renamed: dict[str, str] = {}
        for call in calls:
            new = change(call, setting)
            if new is None:
                renamed[call.out] = renamed.get(call.args[0], call.args[0])
            else:
                kept.append(replace(new, args=tuple(renamed.get(arg, arg) for arg in new.args)))
        return tuple(kept)

    return PlanMistake(name, advice, edit)
