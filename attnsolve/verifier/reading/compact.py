"""The form with least typing: `@ 1234567 K7Q2`, `s ok ; s[3] 3.5`, `a .585 .044`, `mark a.A 1/2 "why"`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from attnsolve.expressions import normalise
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.reader import shortened
from attnsolve.problem import CHOICE
from attnsolve.reasons import reason
from attnsolve.submission import Answer, Override, Submission, Table, printable
from attnsolve.verifier.memory import LONGEST_TEXT, MOST_TEXTS
from attnsolve.verifier.reading.claim_lines import Claimed, add_claim, none_claimed, turned_to
from attnsolve.verifier.reading.draft import Draft, LimitReached, check_crowd
from attnsolve.verifier.reading.headings import Heading, Person, read_heading, read_person, without_markdown
from attnsolve.verifier.reading.letters import are_ticks
from attnsolve.verifier.reading.names import NO_NAMES, Place, read_place, starts_answer
from attnsolve.verifier.reading.tables import read_decimals

Line = tuple[int, str]

HEAD = re.compile(r"\s*@")
WORDS = re.compile(r'"([^"]*)"|(\S+)')
BLANK = re.compile(r"\s*")
# A ; with something behind it that may be a name, or a comma before a letter, perhaps with an index, and =.
NEXT = re.compile(r"(?<!\\);(?=\s*[\w$\\])|,(?=\s*[A-Za-z](?:_?\{?[0-9,]{1,6}\}?)?\s?=)")
OF_NUMBERS = "0123456789.+-; "
QUOTED = re.compile(r'"[^"]*"')
MARK = re.compile(r"\s*mark(?:\s|$)")
OVERRIDE = re.compile(
    r"""\s*mark\s+(?P<name>[\w.'-]+(?:\[[0-9,\s]{1,20}\])?)\s*[:=]?\s*
        (?P<marks>(?:\d+\.?\d*|\.\d+)(?:\s*/\s*(?:\d+\.?\d*|\.\d+))?)(?=\s|["“]|$)(?P<reason>.*)""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
# What a line may start with that goes on with the answer above it.
GOES_ON = re.compile(
    rf"\s*(?:[-+.\d\[\](){{}}\\&~?≈=√$%|−½⅓⅔¼¾]|(?:{'|'.join(sorted(NO_NAMES))})\b|\w+[.(^]|e\s*[*/]|(?:ln|log|sqrt)\s?[0-9])",
    re.IGNORECASE,
)
# A line that names something further on is no row of numbers, unless that is what numpy and torch add.
ASSIGNMENT = re.compile(r"(?<!dtype)(?<!device)(?<!grad_fn)(?<!requires_grad)(?<=[A-Za-z])\s?=")


def read_compact(
    text: str,
    source: str,
    *,
    limits: Limits = LIMITS,
    first_line: int = 1,
    claimed: Claimed = none_claimed,
) -> Iterator[Submission]:
    """A submission for each block; what stands before the first @ is nobody's, and is kept.

    `claimed` tells the exercises of somebody's sheet that are answered with claims instead of numbers.
    """
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=first_line) if line.strip()]
    heads = [place for place, (_, line) in enumerate(lines) if "@" in line and HEAD.match(line)]
    check_crowd(len(heads), source, limits, line=lines[heads[-1]][0] if heads else 1)
    for start, stop in pairwise(sorted({0, *heads, len(lines)})):
        yield from _read_block(lines[start:stop], source, limits, claimed)


def _read_block(
    block: list[Line], source: str, limits: Limits, claimed: Claimed
) -> Iterator[Submission]:
    """The one submission of a block; none where nobody is named and nothing is answered."""
    draft = Draft(source, limits)
    head = HEAD.match(block[0][1])
    if head:
        read_head(draft, *block[0])
        block = block[1:]
    size = sum([len(line) + 1 for _, line in block])
    if size > limits.file_bytes:
        said = reason(
            "a block of {length} characters; the limit is {limit}", length=size, limit=limits.file_bytes
        )
        draft.fault(block[0][0], 1, said)
    else:
        with suppress(LimitReached):
            _Block(draft, claimed).read(block)
    if head or not draft.is_empty():  # a remark above the first @ is nobody's answer
        yield draft.finish()


def read_head(draft: Draft, number: int, line: str) -> None:
    """`@ 1234567 K7Q2`: who it is, and which variant they had."""
    head, remark = _without_remark(line)
    draft.remark(remark)
    found = [quoted or word for quoted, word in WORDS.findall(head.partition("@")[2])]
    draft.identify(*(*map(normalise, found[:2]), "", "")[:2])
    if not found:
        said = reason("nobody is named after the @; write @ 1234567")
        draft.fault(number, line.index("@") + 2, said)
    if len(found) > 2:
        said = reason(
            "'{word}' is one word too many; write @ student variant, in quotes where needed",
            word=shortened(found[2]),
        )
        draft.fault(number, line.index(found[2]) + 1, said)


def _masked(line: str) -> str:
    """The line with quoted texts blotted out, so that what is in them separates nothing."""
    if '"' not in line or not ("//" in line or ";" in line):
        return line
    return QUOTED.sub(lambda quoted: '"' + "x" * (len(quoted[0]) - 2) + '"', line)


def _without_remark(line: str) -> tuple[str, str]:
    """A line in two: what it says, and the remark behind //."""
    start = _masked(line).find("//")
    return (line, "") if start < 0 else (line[:start], line[start + 2 :].strip())


def read_override(draft: Draft, text: str, line: int, column: int, **above: str) -> None:
    """`mark a.A 1/2 "method clear"`: a mark that stays, whatever the verifier thinks."""
    match = OVERRIDE.fullmatch(normalise(text))
    if match is None:
        said = reason(
            "cannot read '{typed}'; "
            'write mark a.A 1/2 "why" for half of what it is worth, or mark a.A 0.5 for half a mark',
            typed=shortened(text),
        )
        draft.fault(line, column, said)
        return
    given = shortened(text[match.start("reason") :].strip(' \t;"“”'), most=draft.limits.text)
    marks = "".join(match["marks"].split())
    draft.add_override(Override(match["name"], marks, printable(given), line, **above))


class Piece(NamedTuple):
    """A piece of a line that stands by itself, with all that it tells whatever stands above it."""

    text: str  # without the heading before it
    column: int
    is_mark: bool = False
    above: Person | Heading | None = None  # what it says about all answers below it
    place: Place | None = None  # the value that it is for, where an answer may start here
    starts_anew: bool = False  # whether one does even if it could go on with the answer above
    behind: str = ""  # what stands behind the name of that value
    decimals: Table | None = None  # that as numbers, where it is nothing but plain decimals


class Split(NamedTuple):
    """A line in its pieces, and the remark behind them."""

    pieces: Iterable[Piece]
    remark: str
    alone: Answer | None = None  # where it is one value in plain decimals and nothing else


class _Block:
    """The lines below an @, where an answer may go on over several lines."""

    def __init__(self, draft: Draft, claimed: Claimed) -> None:
        self.draft, self.claimed = draft, claimed
        self.place: Place | None = None
        self.part = self.exercise = ""
        self.texts: list[str] = []
        self.decimals: Table | None = None
        self.line = self.column = 1

    def read(self, lines: Sequence[Line]) -> None:
        """Read every line of the block into the draft."""
        limits = self.draft.limits
        longest = min(LONGEST_TEXT, limits.characters)
        if self._read_alone(lines, longest):
            return
        for number, line in lines:
            if self.claimed is not none_claimed:
                claimed = self.claimed(self.draft.student, self.draft.variant)
                if claimed and self._read_claim(line, number, claimed):
                    continue
            pieces, remark, _ = _read_line(line, limits.bits) if len(line) <= longest else _split_line(line)
            if remark:
                self.draft.remark(remark)
            for piece in pieces:
                if piece.starts_anew and piece.above is None:  # as most do
                    self._start(piece, number)
                else:
                    self._read_piece(piece, number)
        self._finish()

    def _read_alone(self, lines: Sequence[Line], longest: int) -> bool:
        """Read a block of which each line is one value in plain decimals, as nearly all are; else nothing."""
        if self.claimed is not none_claimed or len(lines) > self.draft.most:
            return False
        bits, answers = self.draft.limits.bits, []
        for number, line in lines:
            alone = _read_line(line, bits).alone if len(line) <= longest else None
            if alone is None:
                return False
            answers.append(Answer(*alone[:4], number))
        return self.draft.add_decimals(answers)

    def _read_claim(self, line: str, number: int, claimed: Collection[str]) -> bool:
        """Whether a line belongs to an exercise that is answered with claims; it is read then."""
        said, remark = _without_remark(line)
        said = without_markdown(said)
        is_other = MARK.match(said) is not None or read_person(said) is not None
        turn = None if is_other else turned_to(said, self.exercise, self.part, claimed)
        if turn is None:
            return False
        self._finish()
        if remark:
            self.draft.remark(remark)
        self.part, self.exercise = turn.part, turn.exercise
        if turn.claim:
            add_claim(self.draft, turn.claim, turn.part, number, exercise=turn.exercise)
        return True

    def _read_piece(self, piece: Piece, line: int) -> None:
        """A mark, a line about the person, a heading, an answer, or more of the answer above it."""
        above, column = piece.above, piece.column
        if piece.is_mark or above is not None:
            self._finish()
        if piece.is_mark:
            read_override(self.draft, piece.text, line, column, part=self.part, exercise=self.exercise)
            return
        if isinstance(above, Person):
            self.draft.introduce(above)
            return
        if above is not None:
            self.part, self.exercise = above.part, above.exercise or self.exercise
        self._read_answer(piece, line)

    def _read_answer(self, piece: Piece, line: int) -> None:
        """The start of an answer, or more of the one above it; a fault where it is neither."""
        text = piece.text
        if piece.place is not None and (self.place is None or piece.starts_anew):
            self._start(piece, line)
        elif self.place is None and self.part and are_ticks(text):
            self.place = Place(CHOICE, part=self.part, exercise=self.exercise)
            self.texts, self.decimals, self.line, self.column = [text], None, line, piece.column
        elif self.place is not None and GOES_ON.match(text) and not ASSIGNMENT.search(text):
            self.texts.append(text)
            self.decimals = None
        elif text.strip(" \t;"):
            said = reason(
                "cannot read '{typed}'; write a name and its numbers, such as a .585 .044 or A[2, 1] 0.5",
                typed=shortened(text),
            )
            self.draft.fault(line, piece.column, said)

    def _start(self, piece: Piece, line: int) -> None:
        """The start of an answer, below the heading that it stands under."""
        if self.place is not None:
            self._finish()
        place = piece.place
        if place is not None and self.part:
            place = place._replace(part=self.part, exercise=self.exercise)
        self.place, self.texts, self.line, self.column = place, [piece.behind], line, piece.column
        self.decimals = piece.decimals

    def _finish(self) -> None:
        """Read the answer that has come to its end."""
        if self.place is not None:
            text = self.texts[0] if len(self.texts) == 1 else "\n".join(self.texts)
            self.draft.add_text(self.place, text, self.line, self.column, decimals=self.decimals)
            self.place = None


def _pieces(line: str) -> Iterator[tuple[int, str]]:
    """The answers of a line with their columns: a `;` ends one only where the next one starts."""
    masked, start = _masked(line), 0
    numbers = len(masked.rstrip(OF_NUMBERS))  # no answer starts among the numbers at the end
    for match in NEXT.finditer(masked, 0, numbers) if numbers else ():
        end = match.end()
        if MARK.match(masked, end) or starts_answer(masked, end):
            yield _column(line, start), line[start : match.start()]
            start = end
    if line[start:].strip():
        yield _column(line, start), line[start:]


def _split_line(line: str) -> Split:
    """The pieces of a line, each read when it is wanted, and the remark behind them."""
    said, remark = _without_remark(line)
    return Split((_read_kind(text, column) for column, text in _pieces(without_markdown(said))), remark)


@lru_cache(maxsize=MOST_TEXTS)
def _read_line(line: str, bits: int) -> Split:
    """The same with its decimals, read once for a whole class, of whom many write the same line."""
    split, remark, _ = _split_line(line)
    pieces = tuple([with_decimals(piece, bits) for piece in split])
    return Split(pieces, remark, None if remark or len(pieces) != 1 else answer_of(pieces[0]))


def answer_of(piece: Piece) -> Answer | None:
    """The answer that a piece is by itself, whatever stands above it, where that is in plain decimals."""
    place, rows = piece.place, piece.decimals
    if place is None or rows is None or place.turned or piece.above is not None or not piece.starts_anew:
        return None
    return Answer(place.name, place.row, place.column, rows)


def with_decimals(piece: Piece, bits: int) -> Piece:
    """A piece with the numbers behind its name, where they are plain decimals of at most so many bits."""
    if piece.place is None or piece.is_mark:
        return piece
    return piece._replace(decimals=read_decimals(piece.behind, bits))


def _read_kind(text: str, column: int) -> Piece:
    """A piece with all that it tells."""
    if MARK.match(text):
        return Piece(text, column, is_mark=True)
    above = (read_person(text) if ":" in text else None) or read_heading(text)
    if isinstance(above, Person):
        return Piece(text, column, above=above)
    if above is not None:
        text, column = text[above.end :], column + above.end
    starts_anew = starts_answer(text)
    place = read_place(text) if starts_anew or starts_answer(text, goes_on=False) else None
    if place is None:
        return Piece(text, column, above=above)
    return Piece(text, column, False, above, place, starts_anew, text[place.end :])


def _column(line: str, start: int) -> int:
    """Where the first dark character from here on stands, counted from 1."""
    blank = BLANK.match(line, start)
    return (blank.end() if blank else start) + 1
