"""A problem file as variants are made from it: its text, and its form for every choice it leaves open."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from attnsolve.documents import parse
from attnsolve.errors import UsageError
from attnsolve.expressions import normalise
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader import loads
from attnsolve.loader.makers import MADE
from attnsolve.problem import Problem
from attnsolve.rewriting import Path as Place
from attnsolve.rewriting import rewritten
from attnsolve.variants.forms import Form, Numbers
from attnsolve.variants.generator import Stream
from attnsolve.variation import GENERATION, Choice, Entry, Vary

MOST_SELECTIONS = 64
Made = TypeVar("Made")


class Selection(NamedTuple):
    """Which of the shapes, and which text for every choice, a variant has."""

    shape: int = 0
    picks: tuple[int, ...] = ()
    said: tuple[str, ...] = ()  # each pick in words, such as `b.queries: [2]`

    def __str__(self) -> str:
        return ", ".join([f"shape {self.shape + 1}", *self.said])


def said(choice: Choice, pick: int) -> str:
    """What was picked: the text itself, or the number of what is chosen together."""
    way = choice.ways[pick]
    return f"{choice.name}: {way[0][1]}" if len(way) == 1 else f"{choice.name} {pick + 1}"


def typed_rows(problem: Problem, name: str, rows: Sequence[Sequence[Entry]]) -> str:
    """The drawn numbers of a given as the file would have them."""
    typed = [[entry.text for entry in row] for row in rows]
    if problem.convention.types_transposed(problem.givens[name].role):
        typed = [list(column) for column in zip(*typed, strict=True)]
    return "; ".join(" ".join(row) for row in typed)


class Blueprint:
    """The text of a problem file, read once, with the forms that its choices give it."""

    def __init__(
        self,
        text: str,
        *,
        name: str,
        folder: Path = Path("."),
        limits: Limits = LIMITS,
        generation: int = GENERATION,
    ) -> None:
        self.source = text
        self.name = name
        self.folder = folder
        self.limits = limits
        self.problem = self.loaded(text)
        self._root = parse(text.encode(), name, limits=limits)
        vary = self.problem.vary or Vary()
        self.vary = vary._replace(
            fixed=(*vary.fixed, *self._made_by_rule()),
            generation=vary.generation or generation,  # a file that names none gets the one that is asked for
        )
        self._kept: dict[Hashable, Any] = {}
        if not self._can_vary():
            example = "{r: 2..5} for a number r under let:" if self.has_symbols else "{X: -2..2}"
            raise UsageError(
                f"'{name}' has nothing that could vary; say under vary: what may, such as vary: {example}"
            )

    @classmethod
    def read(cls, path: Path, *, limits: Limits = LIMITS, generation: int = GENERATION) -> Blueprint:
        """The blueprint in a problem file."""
        from attnsolve.loader import load

        load(path, limits=limits)  # its faults are told with the name of the file
        text, name = path.read_text("utf-8-sig"), path.stem
        return cls(text, name=name, folder=path.parent, limits=limits, generation=generation)

    @property
    def has_symbols(self) -> bool:
        """Whether variants are judged by their derivations."""
        return self.problem.assumptions is not None

    def _can_vary(self) -> bool:
        if self.has_symbols:
            return self.problem.vary is not None
        form = self.form(self.selections()[0])
        return bool(form.places or form.drawings or len(self.selections()) > 1)

    def selections(self) -> list[Selection]:
        """Every combination of shapes and choices."""
        choices, shapes = self.vary.choices, range(max(1, len(self.vary.shapes)))
        number = len(shapes) * prod(len(choice.ways) for choice in choices)
        if number > MOST_SELECTIONS:
            raise UsageError(
                f"'{self.name}': choices and sizes give {number} combinations, each a problem of its own; "
                f"leave it at {MOST_SELECTIONS}, or tie choices together: choose: [{{…}}, {{…}}]"
            )
        picked = product(*(range(len(choice.ways)) for choice in choices))
        return [
            Selection(shape, picks, tuple(map(said, choices, picks))) for picks in picked for shape in shapes
        ]

    def select(self, stream: Stream) -> Selection:
        """One of them."""
        return stream.choose(self.selections())

    def form(self, selection: Selection) -> Form:
        """The form that a selection gives the problem."""
        return self.kept(("form", selection), lambda: Form(self._selected(selection), self.vary))

    def kept(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What is made once for a blueprint and looked up after that."""
        if key not in self._kept:
            self._kept[key] = make()
        made: Made = self._kept[key]
        return made

    def text(self, selection: Selection, numbers: Numbers) -> str:
        """The problem file of a variant: the original with other numbers, ready to be solved or changed."""
        problem = self.form(selection).problem
        changes: dict[Place, str | None] = {
            ("given", name): typed_rows(problem, name, rows) for name, rows in numbers.items()
        }
        for place in range(len(problem.parts)):
            changes["parts", place, "published"] = changes["parts", place, "allow"] = None
        return self.changed(selection, changes)

    def changed(self, selection: Selection, changes: Mapping[Place, str | None]) -> str:
        """The file with what a selection changes in it, and more; a variant does not vary any further."""
        return rewritten(self._root, {**self._changes(selection), **changes, ("vary",): None})

    def _selected(self, selection: Selection) -> Problem:
        # Without vary, which may name what has just been left out.
        return self.loaded(self.changed(selection, {})) if self._changes(selection) else self.problem

    def _made_by_rule(self) -> list[str]:
        """Givens such as ones(3x2), which nobody has typed number by number."""
        given = self._root.get("given")
        entries = given.entries if given is not None else ()
        return [key.text for key, value in entries if MADE.fullmatch(normalise(value.text.strip()))]

    def _changes(self, selection: Selection) -> dict[Place, str | None]:
        """What a selection changes in the file."""
        changes: dict[Place, str | None] = {
            path: text
            for choice, pick in zip(self.vary.choices, selection.picks, strict=True)
            for path, text in choice.ways[pick]
        }
        changes |= dict.fromkeys(self.vary.omit)
        for name, (rows, columns) in (self.vary.shapes[selection.shape] if self.vary.shapes else {}).items():
            changes["given", name] = f"ones({rows}x{columns})"
        return changes

    def loaded(self, text: str) -> Problem:
        """The problem in the file of a variant."""
        return loads(text, name=self.name, folder=self.folder, limits=self.limits)
