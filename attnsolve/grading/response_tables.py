"""A table with a line for each student in which the answers are texts: a quiz of Moodle, or a form."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from html import escape
from itertools import chain
from typing import NamedTuple

from attnsolve.errors import UsageError
from attnsolve.grading.online_text import looks_like_html
from attnsolve.grading.people import Columns, People, Person, found_columns, headings, person_in
from attnsolve.grading.pieces import Piece

# The answer to a question of a quiz, in the languages of some courses.
RESPONSE = re.compile(r"(?:response|antwort|réponse|respuesta|risposta|resposta|antwoord)\s*\d+")
# What Moodle shows where there is no answer, and for whoever has not tried.
EMPTY = ("", "-")
ROLES = ("student", "name", "email", "variant", "answers", "remark")


class Mapping(NamedTuple):
    """A column and what it holds: who somebody is, his answers, or the numbers of one step."""

    role: str
    heading: str


class Layout(NamedTuple):
    """Which columns have what, by their numbers."""

    who: Columns
    variant: int
    remark: int
    answers: tuple[tuple[str, int], ...]  # the name of a step, or nothing where the text has names


def read_mappings(text: str) -> tuple[Mapping, ...]:
    """`student=Matrikel,answers=Antwort 1,a.S=Antwort 2`; in quotes where a heading has a comma."""
    made = []
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), skipinitialspace=True))
    except csv.Error as error:
        raise UsageError(f"--columns: {error}") from None
    for item in chain.from_iterable(rows):
        role, equals, heading = (word.strip() for word in item.partition("="))
        if not (role and equals and heading):
            raise UsageError(
                f"--columns '{item}': write what it is, =, and the heading, such as student=Login; "
                f"it is one of {', '.join(ROLES)}, or the name of a step (a.S)"
            )
        made.append(Mapping(role, heading))
    if made and not any(mapping.role not in ROLES or mapping.role == "answers" for mapping in made):
        raise UsageError("--columns: say where the answers are, such as answers=Response 1")
    return tuple(made)


def layout_of(heading: Sequence[str], mappings: Sequence[Mapping], source: str) -> Layout | None:
    """The layout of a table of texts; None where it is none that is known, and nothing was said about it."""
    words = headings(heading)
    who = found_columns(words)
    if mappings:
        return mapped(words, who, mappings, source)
    answers = tuple(("", place) for place, word in enumerate(words) if RESPONSE.fullmatch(word))
    return Layout(who, -1, -1, answers) if answers and who.is_enough else None


def mapped(words: Sequence[str], who: Columns, mappings: Sequence[Mapping], source: str) -> Layout:
    """The layout that somebody has described."""
    places: dict[str, int] = {}
    answers: list[tuple[str, int]] = []
    for role, heading in mappings:
        (wanted,) = headings([heading])
        if wanted not in words:
            close = get_close_matches(wanted, words, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"there are {', '.join(map(repr, words[:12]))}"
            raise UsageError(f"{source}: no column is called '{heading}'; {hint}")
        place = words.index(wanted)
        if role in ("student", "name", "email", "variant", "remark"):
            places[role] = place
        else:
            answers.append(("" if role == "answers" else role, place))
    if "student" in places:  # and nothing else counts
        who = Columns(number=places["student"], names=who.names, email=who.email, login=who.login)
    if "name" in places:
        who = who._replace(names=(places["name"],))
    if "email" in places:
        who = who._replace(email=places["email"])
    if not who.is_enough:
        raise UsageError(f"{source}: no column says who somebody is; say which with --columns student=…")
    return Layout(who, places.get("variant", -1), places.get("remark", -1), tuple(answers))


def pieces_in(
    rows: Iterable[tuple[int, Sequence[str]]], layout: Layout, source: str, people: People
) -> Iterator[Piece]:
    """A piece for everybody who has answered something; whoever has not is only known from now on."""
    for line, cells in rows:
        person = person_in(cells, layout.who)
        if person is None:
            continue
        person = people.add(person)
        texts = [answer for name, place in layout.answers if (answer := answered(name, cells, place))]
        if texts:
            yield written(person, texts, cells, layout)._replace(source=source, line=line)


def written(person: Person, texts: Sequence[str], cells: Sequence[str], layout: Layout) -> Piece:
    """What one person answered, in the compact form, or as a page where an editor wrote one."""
    variant = cells[layout.variant].strip() if 0 <= layout.variant < len(cells) else ""
    remark = cells[layout.remark].strip() if 0 <= layout.remark < len(cells) else ""
    form = "html" if any(map(looks_like_html, texts)) else "compact"
    if form == "html":
        texts = [text if looks_like_html(text) else escape(text).replace("\n", "<br>") for text in texts]
    text = ("<br>" if form == "html" else "\n").join(texts)
    return Piece("", text, form, 1, person.student, is_identified=True, remark=remark, variant=variant)


def answered(name: str, cells: Sequence[str], place: int) -> str:
    """The text of an answer, after the name of its step if the column is that of one."""
    text = cells[place].strip() if place < len(cells) else ""
    if text in EMPTY:
        return ""
    return f"{name} {text}" if name else text
