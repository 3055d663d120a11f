"""Lines that are claims: somebody's own, opinions on those of the sheet, and to which part they belong."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from attnsolve.submission import State, Table, Written
from attnsolve.verifier.reading.draft import Draft
from attnsolve.verifier.reading.headings import number_of, read_heading
from attnsolve.verifier.reading.names import Place

# The name of an answer that is a claim of somebody's own; an opinion on the sheet's is called claim1, claim2.
OWN = "claim"
PART = re.compile(r"(?:part\s+)?\(?(?P<part>[a-z][a-z0-9]{0,8})\)?\s*:", re.IGNORECASE | re.ASCII)
OPINION = re.compile(
    r"(?:(?P<part>[a-z][a-z0-9]{0,8})\.)?(?:claim\s*)?(?P<number>[0-9]{1,3})\s*[:.)]?\s+(?P<said>[^\W\d≈=<>].*|≈)",
    re.IGNORECASE | re.ASCII,
)
# `2a: alpha_a = 1/2` on a sheet of several exercises.
ADDRESSED = re.compile(r"\s*(?P<number>[0-9]{1,2})(?P<part>[a-z])\s*[.:)]?\s+(?P<rest>\S.*)", re.ASCII)
# `1a.A .5 .5`: a value of another exercise.
ELSEWHERE = re.compile(r"\s*(?P<number>[0-9]{1,2})[a-z]?\.[A-Za-z]")


# The exercises that are answered with claims, by who it is and which variant they had, as far as is known.
Claimed = Callable[[str, str], Collection[str]]


def none_claimed(student: str, variant: str) -> Collection[str]:
    """No exercise is answered with claims."""
    return ()


class Turn(NamedTuple):
    """The exercise and the part that a line belongs to, and the claim in it."""

    exercise: str
    part: str
    claim: str = ""


def turned_to(line: str, exercise: str, part: str, claimed: Collection[str]) -> Turn | None:
    """Where a line of a sheet belongs, if that exercise is answered with claims; None if with numbers."""
    shown = line.strip().strip("$").strip()
    elsewhere = ELSEWHERE.match(shown)
    if elsewhere and elsewhere["number"] not in claimed:
        return None
    addressed, alone = ADDRESSED.fullmatch(shown), PART.fullmatch(shown)
    if addressed and addressed["number"] in claimed:
        return Turn(addressed["number"], addressed["part"], addressed["rest"])
    if alone and exercise in claimed and not number_of(alone["part"]):
        return Turn(exercise, alone["part"].lower())
    heading = read_heading(line)
    if heading is not None:
        turned = heading.exercise or exercise
        return Turn(turned, heading.part.lower(), line[heading.end :].strip()) if turned in claimed else None
    return Turn(exercise, part, shown) if exercise in claimed else None


def add_claim(draft: Draft, text: str, part: str, line: int, *, exercise: str = "") -> None:
    """An opinion on a claim of the sheet, or a claim."""
    found = OPINION.fullmatch(text)
    name, said = (OWN, text) if found is None else (f"{OWN}{int(found['number'])}", found["said"])
    above = part if found is None else found["part"] or part
    place = Place(name, part=above, exercise=exercise)
    draft.add_rows(place, Table.of_one(Written(said, State.WORDS)), line)
