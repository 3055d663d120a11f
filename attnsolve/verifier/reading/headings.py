"""Lines that say whose answers follow, or to what: `Name: Jane Doe`, `(a)`, `Part b:`, `2 (b)`."""

from __future__ import annotations

import re
from typing import NamedTuple

from attnsolve.verifier.reading.letters import are_ticks
from attnsolve.verifier.reading.names import NO_NAMES, starts_answer
from attnsolve.verifier.reading.printed_names import PART

# Marks of Markdown before a line, and around its first words.
PREFIX = re.compile(r"\s*(?:#{1,6}|>)\s+")
BULLET = re.compile(r"\s*[-*•]\s+(?=[^\W\d][^\n]{0,60}?[=:])")
BOLD = re.compile(r"\s*(\*\*|__|`)([^*`\n]{1,60}?)\1")
# A line that only opens or closes a formula or a block of code.
FENCE = re.compile(r"\s*(?:\$\$?|\\\[|\\\]|`{3}\w*)\s*")
SPOKEN = re.compile(
    rf"\s*(?:part|(?P<whole>question|task|exercise|problem))\s+\(?(?P<part>{PART})\)?\s*[:.]?\s*",
    re.IGNORECASE,
)
# `2 (b)`, `Exercise 2, part (b)`: an exercise of several, and its part.
NUMBERED = re.compile(
    r"\s*(?:(?:question|task|exercise|problem)\s+)?(?P<number>[0-9]{1,2})\s*[.,]?\s*(?:part\s+)?"
    r"\((?P<part>[A-Za-z][A-Za-z0-9-]{0,9})\)\s*[:.]?\s*",
    re.IGNORECASE,
)
# `Exercise 2: Masks`, with the title that the sheet has.
TITLED = re.compile(
    r"\s*(?:exercise|problem)\s+(?P<part>[0-9]{1,2})\s*[:.]\s+(?P<title>[A-Za-z][A-Za-z ,'’-]*)",
    re.IGNORECASE,
)
BRACKETED = re.compile(r"\s*(?:\(([A-Za-z0-9]{1,4})\)|([A-Za-z0-9]{1,4})\))\s*[:.]?\s*")
# `a: S = 1 2`: only before a name with its own sign, because `a: 1 2` is a vector called a.
LETTERED = re.compile(r"\s*(?P<part>[A-Za-z]|[0-9]{1,2}[a-z])[:.]\s+(?=[^\W\d][^\n]{0,60}?[=:])")
# `b. C`: the letter of an option.
DOTTED = re.compile(r"\s*(?P<part>[A-Za-z]|[0-9]{1,2}[a-z])[.]\s+(?=\S)")
PERSON = re.compile(
    r"""\s*(?:(?P<name>(?:student(?:'s)?\s+|full\s+)?name)
      | (?P<student>student(?:\s*(?:id|number|no\.?))?|matric[a-z]*(?:\s*(?:number|no\.?))?|id)
      | (?P<variant>variant|version|code))\s*:\s*(?P<value>\S.*)""",
    re.VERBOSE | re.IGNORECASE,
)


class Heading(NamedTuple):
    """The part that a line turns to, and where in the line its first answer starts."""

    part: str
    end: int
    exercise: str = ""  # the number of the exercise, where one is named


class Person(NamedTuple):
    """What a line says about who handed in; empty where it says nothing."""

    name: str = ""
    student: str = ""
    variant: str = ""


def without_markdown(line: str) -> str:
    """The line with blanks for bullets, heading signs and bold type before its first word."""
    if FENCE.fullmatch(line):
        return ""
    for mark in (PREFIX, BULLET):
        found = mark.match(line)
        line = " " * found.end() + line[found.end() :] if found else line
    bold = BOLD.match(line)
    if bold is None:
        return line
    blank = " " * len(bold[1])
    return f"{line[: bold.start(1)]}{blank}{bold[2]}{blank}{line[bold.end() :]}"


def read_heading(line: str) -> Heading | None:
    """The part that a line turns to; None where it is an answer or a row of numbers."""
    found = NUMBERED.match(line)
    if found and found["part"].lower() not in NO_NAMES and is_heading(line, found.end()):
        return Heading(found["part"], found.end(), found["number"])
    found = TITLED.fullmatch(line)
    if found and NO_NAMES.isdisjoint(found["title"].lower().split()):  # `Exercise 2: s ok` is an answer
        return Heading(found["part"], found.end(), found["part"])
    found = SPOKEN.match(line) or LETTERED.match(line)
    if found and is_heading(line, found.end()):
        is_part = found.re is SPOKEN and not found["whole"]
        return Heading(found["part"], found.end(), "" if is_part else number_of(found["part"]))
    found = DOTTED.match(line)
    if found and are_ticks(line[found.end() :]):
        return Heading(found["part"], found.end(), number_of(found["part"]))
    found = BRACKETED.match(line)
    if found is None:
        return None
    part, alone = found[1] or found[2], found.end() == len(line)
    if part.lower() in NO_NAMES or (part.isdigit() and alone):  # (1) may be a number, 1) the end of a row
        return None
    return Heading(part, found.end(), number_of(part)) if is_heading(line, found.end()) else None


def is_heading(line: str, end: int) -> bool:
    """Whether nothing stands behind a heading, or the first answer below it, or the letter of an option."""
    return end == len(line) or starts_answer(line, end, goes_on=False) or are_ticks(line[end:])


def number_of(part: str) -> str:
    """The exercise in the name of a part: 2 of `2b`, if it is a number at all."""
    number = re.match(r"[0-9]{1,2}(?![0-9])", part)
    return number[0] if number else ""


def read_person(line: str) -> Person | None:
    """What a line such as `Name: Jane Doe` or `Student ID: 1234567` says; None where it is no such line."""
    found = PERSON.fullmatch(line)
    if found is None:
        return None
    value = found["value"].strip()
    return Person(*(value if found[key] else "" for key in Person._fields))
