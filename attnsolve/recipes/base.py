"""What a recipe is: the keys a file writes, and how they become a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from attnsolve.errors import AttnsolveError, ExpressionError
from attnsolve.graph import Graph
from attnsolve.ops import Family, Frame, Op, Option, Options, PlanMistake
from attnsolve.ops.misfits import Unfit
from attnsolve.problem import Call
from attnsolve.recipes.fields import Field
from attnsolve.recipes.options import OPTION_KINDS, Context, read_number
from attnsolve.recipes.shapes import FileWording, Layout
from attnsolve.records import NamedTuple
from attnsolve.working import Expression


class FieldError(AttnsolveError):
    """Something wrong with one key of a recipe; the loader knows where it stands in the file."""

    def __init__(self, path: tuple[str | int, ...], message: str, *, offset: int | None = None) -> None:
        super().__init__(message)
        self.path = path
        self.offset = offset  # the character of the key's text, when one is to blame


class Chosen(NamedTuple):
    """What stands after `weights:` or `score:`: an op, its own matrices by name, its settings as text."""

    op: Op
    matrices: Mapping[str, str] = {}
    settings: Mapping[str, str] = {}


class Recipe(NamedTuple):
    """A kind of exercise by name: its keys, its plan, and the wrong plans people make of it."""

    name: str
    doc: str
    fields: tuple[Field, ...]
    build: Callable[[Plan, Mapping[str, Any]], None]
    mistakes: tuple[PlanMistake, ...] = ()


class Plan:
    """The calls of one part while they are put together, each checked for its shapes at once."""

    def __init__(
        self, prefix: str, frames: dict[str, Frame], layout: Layout, made: Mapping[str, Call]
    ) -> None:
        self.prefix = prefix
        self.frames = frames
        self.layout = layout
        self.made = made  # the calls of earlier parts, by what they make
        self.calls: list[Call] = []
        self.path: tuple[str | int, ...] = ()
        self.aliases: dict[str, str] = {}
        self.answers: list[str] = []  # what is asked for where the file does not say

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Errors inside the block belong to this key of the file."""
        before = self.path
        self.path = (*before, *path)
        try:
            yield
        except FieldError:
            raise
        except ExpressionError as error:
            raise FieldError(self.path, str(error), offset=error.column - 1) from None
        except AttnsolveError as error:
            raise FieldError(self.path, str(error)) from None
        finally:
            self.path = before

    def refuse(self, key: str, message: str) -> NoReturn:
        """Complain about a key of the map that is being read."""
        raise FieldError((*self.path, key), message)

    def refuse_here(self, message: str) -> NoReturn:
        """Complain about what is being read."""
        raise FieldError(self.path, message)

    def inside(self, group: str) -> Plan:
        """A plan for a head or a case, adding to the same calls under a longer name."""
        inner = Plan(f"{self.prefix}.{group}", self.frames, self.layout, self.made)
        inner.calls, inner.aliases, inner.answers = self.calls, self.aliases, self.answers
        inner.path = self.path
        return inner

    def frame(self, op: Op, args: tuple[str, ...], options: Options | None = None) -> Frame:
        """What the result of an op on these matrices looks like; an Unfit says what would fit."""
        try:
            return op.frame(*(self.frames[name] for name in args), **(options or {}))
        except Unfit as error:
            error.args = (FileWording(op, args, self.frames, self.layout).said(error.misfit),)
            raise

    def call(
        self, letter: str, op: Op, *args: str, title: str = "", named: bool = False, **options: Any
    ) -> str:
        """Add `prefix.letter = op(args)` and give its full name back."""
        out = f"{self.prefix}.{letter}"
        frame = self.frame(op, args, options)
        if op.family is Family.LOOKUP and frame.rows.size == len(
            self.layout.labels
        ):  # no given has these tokens
            frame = frame._replace(rows=frame.rows._replace(labels=self.layout.labels))
        self.frames[out] = frame
        self.calls.append(Call(out, op, args, options, title, named))
        return out

    def number(self, text: str | Expression, sizes: Mapping[str, int]) -> Expression:
        """A number of the file other than 0, which may mention sizes such as d_k."""
        return read_number(text, sizes, letters=self.layout.letters)

    def option(self, option: Option, text: str, sizes: Mapping[str, int]) -> Any:
        """The value of an op's option, from the text of the file."""
        context = Context(sizes, self.layout.index_from, self.layout.letters)
        return OPTION_KINDS[option.kind].read(option, text, context)

    def chosen_options(self, chosen: Chosen) -> dict[str, Any]:
        """The settings of an op that the file chose, each complained about where it stands."""
        options = {}
        for option in chosen.op.options:
            if option.name in chosen.settings:
                with self.at(chosen.op.name, option.name):
                    options[option.name] = self.option(option, chosen.settings[option.name], {})
        return options


def present(settings: Mapping[str, Any], *keys: str) -> str:
    """The first of these keys that the file has: the best place for a complaint that concerns them all."""
    return next((key for key in keys if key in settings), keys[0])


class Setting(NamedTuple):
    """What a change of plan may look at: the frames of all values, and how they are made."""

    frames: Mapping[str, Frame]
    graph: Graph


def edited(
    name: str, advice: str, change: Callable[[Call, Setting], Call | None], *, since: int = 1
) -> PlanMistake:
    """A plan mistake that changes or drops calls one by one; a dropped call hands on its first input."""

    def edit(calls: tuple[Call, ...], frames: Mapping[str, Frame]) -> tuple[Call, ...]:
        setting = Setting(frames, Graph(calls))
        kept: list[Call] = []
        renamed: dict[str, str] = {}
        for call in calls:
            new = change(call, setting)
            if new is None:
                renamed[call.out] = renamed.get(call.args[0], call.args[0])
            else:
                kept.append(new._replace(args=tuple(renamed.get(arg, arg) for arg in new.args)))
        return tuple(kept)

    return PlanMistake(name, advice, edit, since)
