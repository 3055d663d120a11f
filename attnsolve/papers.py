"""Exam papers as data: what variants and exams hand to rendering."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from attnsolve.languages import ENGLISH
from attnsolve.problem_set import Solved


@dataclass(frozen=True, slots=True)
class Paper:
    """One person's exam: a solved variant, its code, and whose it is."""

    code: str
    trace: Solved
    student: str = ""  # the number or login from the roster
    name: str = ""  # the person's name from the roster
    effort: int = 0


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
    inseparable: tuple[str, ...] = ()  # mistakes that no numbers tell apart, one sentence each
    words: tuple[str, ...] = ()  # texts with numbers in them that all variants share, such as b.note
    variety: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # different answers, of how many
    lineups: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # exercises of the sheet, by code

    @property
    def shared(self) -> dict[str, tuple[int, int]]:
        """What is asked for and has the same answer in more than a tenth of the variants."""
        return shared(self.variety)


def shared(variety: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Those of which fewer than 90 % are different."""
    return {name: counts for name, counts in variety.items() if 10 * counts[0] < 9 * counts[1]}
