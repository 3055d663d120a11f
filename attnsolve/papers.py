"""Exam papers as data: what variants and exams hand to rendering."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from attnsolve.languages import ENGLISH
from attnsolve.pdf_engines import Engine
from attnsolve.problem_set import Solved
from attnsolve.reasons import Reason


class Solutions(StrEnum):
    """How worked solutions are cut into documents."""

    USUAL = "usual"  # as the papers are
    EACH = "each"  # a document for each paper
    ONE = "one"  # one document; papers that are alike share one solution
    NONE = "none"


class Sides(StrEnum):
    """How papers are printed."""

    USUAL = "usual"  # on either: each paper has an even number of pages
    ONE = "1"  # no blank pages
    TWO = "2"  # with margins for both sides; solutions have an even number of pages too


@dataclass(frozen=True, slots=True)
class Layout:
    """How documents are cut and printed, whose names file names have, how much working solutions show."""

    each: bool = False
    names: bool = False
    detail: str = "products"
    solutions: Solutions = Solutions.USUAL
    sides: Sides = Sides.USUAL
    answers_apart: bool = False  # on answer sheets, and the papers have questions only
    saves_ink: bool = False
    to: str = "latex"  # the format of the documents
    engine: Engine | None = None  # what makes PDFs of them, where that is the format
    flavour: str = "pandoc"  # of Markdown
    is_wrapped: bool = False  # blocks of a book, each with its solution
    checks: bool = False  # cells of notebooks check what is typed, and have the answers inside for that

    @property
    def solutions_each(self) -> bool:
        """Whether every solution is a document of its own."""
        return self.solutions is Solutions.EACH or (self.solutions is Solutions.USUAL and self.each)


@dataclass(frozen=True, slots=True)
class Paper:
    """One person's exam: a solved variant, its code, and whose it is."""

    code: str
    trace: Solved
    student: str = ""  # the number or login from the roster
    name: str = ""  # the person's name from the roster
    effort: int = 0
    # The codes that its solution is for: its own, unless others share it; none where it is another's.
    solves: tuple[str, ...] | None = None
    is_for_all: bool = False  # whether all papers share one solution


class Passed(NamedTuple):
    """A paper that went by; one that was solved in another process is solved here when it is wanted."""

    code: str
    paper: Paper | None

    @property
    def trace(self) -> Solved:
        """Its solution, which is here or was recalled."""
        assert self.paper is not None
        return self.paper.trace

    def unsolved(self) -> Passed:
        """The same as other processes are told of it."""
        return Passed(self.code, None)

    def recalled(self, paper_of: Callable[[str], Paper]) -> Passed:
        """The same with its solution."""
        return self if self.paper is not None else Passed(self.code, paper_of(self.code))


@dataclass(frozen=True, slots=True)
class Cover:
    """What the title page says besides the problem's own title; everything may be left empty."""

    title: str = ""
    course: str = ""
    date: str = ""
    minutes: int = 0
    instructions: str = ""
    page: str = "a4"  # a4 | letter
    lang: str = ENGLISH.code


@dataclass(frozen=True, slots=True)
class Fairness:
    """What the lecturer wants to see before printing: how alike the variants are, and what was refused."""

    title: str
    usual: int  # the work of a usual variant
    band: Fraction  # how far another may be from it
    efforts: Mapping[str, int]  # by code
    original: int | None = None  # the work of the problem as it was typed
    refused: Mapping[str, int] = field(default_factory=dict)  # candidates, by judge
    complaints: Mapping[str, str] = field(default_factory=dict)  # what each judge complains about
    accepted: int = 0
    weights: tuple[int, ...] = ()  # how many weights fall into each tenth from 0 to 1
    allowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by part, what it lets pass
    inseparable: tuple[Reason, ...] = ()  # which mistakes no numbers tell apart
    words: tuple[str, ...] = ()  # texts with numbers in them that all variants share, such as b.note
    variety: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # different answers, of how many
    lineups: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # exercises of the sheet, by code
    counts_formulas: bool = False  # whether the work is that of formulas with symbols

    @property
    def shared(self) -> dict[str, tuple[int, int]]:
        """What is asked for and has the same answer in more than a tenth of the variants."""
        return shared(self.variety)


def shared(variety: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Those of which fewer than 90 % are different."""
    return {name: counts for name, counts in variety.items() if 10 * counts[0] < 9 * counts[1]}
