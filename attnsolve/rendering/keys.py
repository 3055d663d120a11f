"""The key of all variants: for each code every value that is asked for, part by part."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import dropwhile
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from attnsolve.papers import Paper, Passed
from attnsolve.problem import Part, Problem
from attnsolve.problem_set import Asked, Exercise, ProblemSet, exercises_of, in_sheet, name_in
from attnsolve.prose import blocks
from attnsolve.prose.tree import Blocks, Figure
from attnsolve.rendering.booklets import Words, words
from attnsolve.rendering.key_legend import asked_names, rounding, typed_names, value_headers
from attnsolve.rendering.key_values import KeyValue, Rows, key_value
from attnsolve.rendering.letter_tables import Ticked, letter_tables, ticked_on
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.packed import Packed
from attnsolve.rendering.pages import plain_notation
from attnsolve.rendering.tables import Table
from attnsolve.rendering.text import Segments, say
from attnsolve.trace import Trace

if TYPE_CHECKING:
    from attnsolve.rendering.stated_keys import StatedKey

# The answers of a paper stay on one page unless they have more lines: that would leave too much empty.
MOST_TOGETHER = 15


class KeyPart(NamedTuple):
    """What one part asks for."""

    label: str  # `(b)`, or nothing where there is only one
    values: tuple[KeyValue, ...]


class KeyRow(NamedTuple):
    """The answers of one paper."""

    code: Words
    student: Words
    parts: tuple[KeyPart, ...]
    together: bool  # on one page
    cells: tuple[Rows, ...] = ()  # below the heading of a table; empty for what the paper does not have
    lineup: str = ""  # its exercises by their numbers in the sheet, where papers have different ones


class Traits(NamedTuple):
    """What some row of a key has, and its head must say."""

    has_tiny: bool = False  # numbers that are written with a power of ten
    has_students: bool = False
    has_lineups: bool = False

    def and_of(self, other: Traits) -> Traits:
        """With what other rows have."""
        return Traits(*map(any, zip(self, other, strict=True)))


class KeyRows:
    """The answers of all papers, sorted by code; each row is made when it is printed."""

    def __init__(self, rows: Packed, codes: Sequence[str], names: Sequence[str]) -> None:
        self._rows = rows
        self._order = sorted(range(len(codes)), key=codes.__getitem__)
        self._names = names

    def __len__(self) -> int:
        return len(self._order)

    def __iter__(self) -> Iterator[KeyRow]:
        for kept, values in map(self._rows.__getitem__, self._order):
            yield restored_row(*kept)._replace(cells=tuple(values.get(name, ()) for name in self._names))

    def __contains__(self, row: object) -> bool:
        return any(one == row for one in self)


class KeyWords(NamedTuple):
    """The answer in words to a part, and the papers that have it; none are named where all do."""

    label: str
    codes: Words
    words: Blocks


class KeyView(NamedTuple):
    """The whole key."""

    rounding: Segments
    names: Segments  # what values are called where answers are typed
    header: tuple[Segments, ...]  # of a table with a column for each value
    rows: Collection[KeyRow]
    has_students: bool
    in_words: tuple[KeyWords, ...] = ()
    letters: tuple[Table, ...] = ()  # to be ticked on each paper
    has_lineups: bool = False
    stated: tuple[StatedKey, ...] = ()  # what is right about symbols on each paper

    @property
    def has_values(self) -> bool:
        """Whether some paper asks for values; without symbols, papers are listed anyway."""
        return not self.stated or any(row.parts for row in self.rows)


class Key:
    """What the key says of each paper that has gone by; their solutions are forgotten but for a few.

    All papers are variants of one problem, or of one sheet with its pools.
    """

    def __init__(self, papers: Iterable[Paper] = ()) -> None:
        self._first: Passed | None = None
        self._found: dict[int, Passed] = {}  # the first that has an exercise, by its number in the sheet
        self._codes: list[str] = []
        self._rows = Packed()  # with their values by the names in the sheet
        self._traits = Traits()
        self._words: dict[tuple[str, str], list[str]] = {}
        self._ticked: list[Ticked] = []
        self._stated: list[tuple[str, StatedKey]] = []
        for paper in papers:
            self.add(paper)

    def add(self, paper: Paper) -> None:
        """One more paper."""
        passed = Passed(paper.code, paper)
        self._first = self._first or passed
        row, values = key_row(paper)
        self._codes.append(paper.code)
        self._rows.append((row, values))
        self._traits = self._traits.and_of(traits_of(row))
        for exercise, trace in exercises_of(paper.trace):
            self._found.setdefault(number_of(exercise), passed)
            for part in trace.problem.parts:
                if part.discuss:
                    own = None if exercise is None else in_sheet(exercise)
                    label = part_label(trace.problem, part, own)
                    self._words.setdefault((label, part.discuss), []).append(paper.code)
        self._ticked.append(ticked_on(paper, part_label))
        if any(trace.problem.assumptions is not None for _, trace in exercises_of(paper.trace)):
            from attnsolve.rendering.stated_keys import stated_key

            found = stated_key(paper)
            self._stated += [] if found is None else [(paper.code, found)]

    def join(self, others: Key) -> None:
        """The papers that went by elsewhere, after these."""
        self._first = self._first or others._first
        self._found = others._found | self._found
        self._codes += others._codes
        self._rows.extend(others._rows)
        self._traits = self._traits.and_of(others._traits)
        for words_of_part, codes in others._words.items():
            self._words.setdefault(words_of_part, []).extend(codes)
        self._ticked += others._ticked if self._ticked else from_first_letters(others._ticked)
        self._stated += others._stated

    def forget_solutions(self) -> None:
        """Keep of papers what other processes are told; the others are found again by their codes."""
        self._first = self._first and self._first.unsolved()
        self._found = {number: one.unsolved() for number, one in self._found.items()}

    def recall(self, paper_of: Callable[[str], Paper]) -> None:
        """Have the solutions again of the first, and of the first with each exercise."""
        self._first = self._first and self._first.recalled(paper_of)
        self._found = {number: one.recalled(paper_of) for number, one in self._found.items()}

    @property
    def asked(self) -> Asked | None:
        """What the first paper asks for."""
        return self._first.trace.problem if self._first else None

    @property
    def exercises(self) -> tuple[tuple[Exercise | None, Trace], ...]:
        """Each exercise that some paper has, from the first that has it, in the order of the sheet."""
        return tuple(
            next(own for own in exercises_of(self._found[number].trace) if number_of(own[0]) == number)
            for number in sorted(self._found)
        )

    def view(self) -> KeyView:
        """The key, sorted by code."""
        if not self._rows:
            return KeyView((), (), (), (), False)
        exercises = tuple((None if one is None else in_sheet(one), trace) for one, trace in self.exercises)
        headers = list(value_headers(exercises))
        rows = KeyRows(self._rows, self._codes, [name for name, _ in headers])
        has_tiny, has_students, has_lineups = self._traits
        head = [say("code"), *([say("student")] if has_students else [])]
        head += [say("exercises")] if has_lineups else []
        return KeyView(
            rounding=rounding(exercises, tiny=has_tiny),
            names=typed_names(exercises),
            header=(*head, *(words for _, words in headers)),
            rows=rows,
            has_students=has_students,
            in_words=self.in_words(),
            letters=self.letters(),
            has_lineups=has_lineups,
            stated=tuple(found for _, found in sorted(self._stated, key=itemgetter(0))),
        )

    def letters(self) -> tuple[Table, ...]:
        """The letters of all papers, if there is anything to tick."""
        found = from_first_letters(self._ticked)
        return letter_tables(found) if found else ()

    def in_words(self) -> tuple[KeyWords, ...]:
        """What parts are answered with in words: once where all have it; figures are for solutions."""
        found = sorted(self._words.items(), key=lambda item: (item[0][0], min(item[1])))
        return tuple(
            KeyWords(
                label,
                () if len(codes) == len(self._rows) else words(", ".join(sorted(codes))),
                tuple(block for block in blocks(text) if not isinstance(block, Figure)),
            )
            for (label, text), codes in found
        )


def from_first_letters(papers: list[Ticked]) -> list[Ticked]:
    """The papers from the first that has something to tick: all others are not listed."""
    return list(dropwhile(lambda one: not one.letters, papers))


def number_of(exercise: Exercise | None) -> int:
    """The number of an exercise in the sheet; 0 where there is only a problem."""
    return 0 if exercise is None else exercise.identity


def part_label(problem: Problem, part: Part, exercise: Exercise | None) -> str:
    """`(b)`, `2b`, or nothing where there is only one part."""
    if exercise is not None:
        return exercise.label(part.id)
    return f"({part.id})" if len(problem.parts) > 1 else ""


def traits_of(row: KeyRow) -> Traits:
    """What a row says of the whole key."""
    values = (value for part in row.parts for value in part.values if not value.has_letters)
    has_tiny = any(is_maths for value in values for line in value.rows for is_maths, _ in line)
    return Traits(has_tiny, bool(row.student), bool(row.lineup))


def key_row(paper: Paper) -> tuple[KeyRow, dict[str, Rows]]:
    """One paper's answers, and the same by the names in the sheet that head the columns of a table."""
    parts, rows = [], {}
    for exercise, trace in exercises_of(paper.trace):
        sheet = None if exercise is None else in_sheet(exercise)
        for part in trace.problem.parts:
            if part.find:
                notation = plain_notation(trace.problem, part)
                parts.append(made := key_part(trace, notation, exercise))
                for (_, name), value in zip(asked_names(notation), made.values, strict=True):
                    rows[name_in(sheet, name)] = value.rows
    lines = sum(max(len(value.rows) for value in part.values) for part in parts)
    student = words(f"{paper.student} {paper.name}")
    problem = paper.trace.problem
    lineup = problem.lineup if isinstance(problem, ProblemSet) else ()
    together = lines <= MOST_TOGETHER
    return KeyRow(words(paper.code), student, tuple(parts), together, (), ", ".join(map(str, lineup))), rows


def restored_row(code: Words, student: Words, parts: Any, *others: Any) -> KeyRow:
    """A row as it was before it was packed."""
    values = ((label, (KeyValue(*value) for value in values)) for label, values in parts)
    return KeyRow(code, student, tuple(KeyPart(label, tuple(found)) for label, found in values), *others)


def key_part(trace: Trace, notation: Notation, exercise: Exercise | None = None) -> KeyPart:
    """Every value a part asks for, laid as the course lays it."""
    part = notation.part
    return KeyPart(
        part_label(trace.problem, part, exercise),
        tuple(key_value(trace, target, notation) for target in part.find),
    )
