"""Codes instead of names until marks are released; who is who is kept in a file of its own."""

from __future__ import annotations

import csv
import io
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from attnsolve.errors import AttnsolveError
from attnsolve.grading.graded import Graded
from attnsolve.grading.people import People, key
from attnsolve.input_files import opened
from attnsolve.reasons import Reason
from attnsolve.stored import Damaged
from attnsolve.whole_files import replace_file

# Without letters and digits that look alike.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
LENGTH = 5
CODE = re.compile(f"[{ALPHABET}]{{{LENGTH}}}")
CURE = "it says who is who, so restore it from a copy"
HEADING = ["code", "student", "name"]
# A shorter name or number may stand for something else, and is only taken out in quotes.
SHORTEST = 4


def names_beside(output: Path) -> Path:
    """Where it is kept who is who."""
    return output.with_name(f"{output.name}.names")


class Codes:
    """A code for everybody, drawn at random and never changed."""

    def __init__(self, path: Path, people: People) -> None:
        self.path = path
        self.people = people
        self.known: dict[str, tuple[str, str]] = {}  # code and student, by student as compared
        self._kept = 0  # how many of them the file has
        if path.is_symlink():
            raise AttnsolveError(f"'{path}' is a symbolic link; name another place for the marks")
        if path.exists():
            self._read()

    def _read(self) -> None:
        try:
            with opened(self.path) as stream:
                text = stream.read().decode("utf-8-sig")
            heading, *rows = list(csv.reader(io.StringIO(text, newline=""))) or [[]]
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            why = "it is not UTF-8" if isinstance(error, ValueError) else getattr(error, "strerror", error)
            raise Damaged(f"'{self.path}' cannot be read: {why}; {CURE}") from None
        if heading != HEADING:  # it would be taken for empty, and written anew
            raise Damaged(f"{self.path}:1:1: the heading {','.join(HEADING)} is expected here; {CURE}")
        for line, row in enumerate(rows, start=2):
            code, student = (*row, "", "")[:2]
            if not CODE.fullmatch(code) or not student or not student.isprintable():
                said = f"a code of {LENGTH} letters and a student are expected here"
                raise Damaged(f"{self.path}:{line}:1: {said}; {CURE}")
            self.known[key(student)] = code, student
        self._kept = len(self.known)
        if len({code for code, _ in self.known.values()}) < len(rows):
            raise Damaged(f"{self.path}: a code or a student stands there twice; {CURE}")

    def code(self, student: str) -> str:
        """The code of somebody, drawn when it is first asked for."""
        if key(student) not in self.known:
            taken = {code for code, _ in self.known.values()}
            while (code := "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))) in taken:
                pass
            self.known[key(student)] = code, student
        return self.known[key(student)][0]

    def student(self, name: str) -> str:
        """Whom a code means; any other name is left as it is."""
        return next((who for code, who in self.known.values() if key(code) == key(name)), name)

    def write(self) -> None:
        """Keep who is who where only the owner of the file can read it."""
        stream = io.StringIO(newline="")
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(HEADING)
        names = self.people.names
        for code, student in sorted(self.known.values()):
            writer.writerow([code, student, names.get(student.casefold(), "")])
        self.path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self.path, stream.getvalue(), mode=0o600)
        self._kept = len(self.known)

    @cached_property
    def everybody(self) -> Veil:
        """Hides whoever is in the roster."""
        return Veil(self, [Graded("", person.student) for person in self.people.all])

    def for_journal(self, marks: Sequence[Graded]) -> list[Graded]:
        """The marks of a piece without names, once it is kept who is who."""
        own, all_others = Veil(self, marks), self.everybody
        made = [with_texts(own.over(one), all_others.clean) for one in marks]
        if len(self.known) > self._kept:
            self.write()
        return made

    def from_journal(self, graded: Graded) -> Graded:
        """A mark with the student that its code means; a KeyError where nobody has this code."""
        student = dict(self.known.values())[graded.student]
        report = None if graded.report is None else replace(graded.report, student=student)
        return replace(graded, student=student, report=report)

    def hidden(self, marks: Iterable[Graded]) -> list[Graded]:
        """The marks without names, in the order of the codes, which says nothing about anybody."""
        every = list(marks)
        for one in every:
            self.code(one.student or one.source)
        veil = Veil(self, every)
        return sorted(map(veil.over, every), key=lambda one: one.student)


class Veil:
    """Takes the names of a class out of what is said about it."""

    def __init__(self, codes: Codes, marks: Sequence[Graded]) -> None:
        self.codes = codes
        self.names: dict[str, str] = {}
        for one in marks:
            code = codes.code(one.student or one.source)
            person = codes.people.find(one.student)
            called = (*(person.names if person else ()), one.student, one.source)
            self.names |= {key(name): code for name in called if name}
        long = sorted((name for name in self.names if len(name) >= SHORTEST), key=len, reverse=True)
        short = "|".join(re.escape(name) for name in self.names if len(name) < SHORTEST)
        quoted = f"(?<=['\"])(?:{short})(?=['\"])" if short else ""
        self.pattern = words_of((*map(re.escape, long), *filter(None, [quoted])))

    def over(self, graded: Graded) -> Graded:
        """The same under its code."""
        code = self.codes.code(graded.student or graded.source)
        person = self.codes.people.find(graded.student)
        parts = person.name.split() if person else ()
        own = words_of([re.escape(part) for part in parts if len(part) >= SHORTEST])

        veiled = with_texts(graded, lambda text: own.sub(code, self.clean(text)))
        report = None if veiled.report is None else replace(veiled.report, student=code)
        return replace(veiled, source=code, student=code, report=report)

    def clean(self, text: str) -> str:
        """A text with codes for the names of all."""
        return self.pattern.sub(lambda found: self.names.get(key(found[0]), "…"), text)


def with_texts(graded: Graded, clean: Callable[[str], str]) -> Graded:
    """A mark whose texts for people, and answers in words, are made anew."""
    report = graded.report
    if report is not None:
        report = replace(
            report,
            unread=tuple(why.each(clean) for why in report.unread),
            remarks=tuple(
                said.each(clean) if isinstance(said, Reason) else clean(said) for said in report.remarks
            ),
            steps=tuple(
                replace(step, reason=clean(step.reason), typed=clean(step.typed))
                if step.reason or step.is_question
                else step
                for step in report.steps
            ),
            parts=tuple(replace(part, reason=clean(part.reason)) for part in report.parts),
        )
    return replace(graded, report=report, trouble=clean(graded.trouble))


def words_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """Any of the patterns where it stands for itself, between signs or underscores; nothing for none."""
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(patterns) or '(?!)'})(?![^\W_])", re.IGNORECASE)
