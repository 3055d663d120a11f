"""Marks by hand in a file of their own, kept across regrades: `@ student`, `mark …`, `appeal DATE …`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from attnsolve.errors import AttnsolveError, Fault, ProblemError
from attnsolve.exams.table_files import decoded
from attnsolve.exams.tables import shortened
from attnsolve.grading.people import key
from attnsolve.limits import LIMITS, Limits
from attnsolve.paper_remarks import kept_on_appeal
from attnsolve.submission import Override, Submission, printable
from attnsolve.verifier.marking.overrides import Markable, placed

HEAD = re.compile(r"\s*@\s*(?:\"(?P<quoted>[^\"]*)\"|(?P<word>\S+))?(?P<rest>.*)")
MARKS = r"(?P<marks>(?:\d+\.?\d*|\.\d+)(?:\s*/\s*(?:\d+\.?\d*|\.\d+))?)"
REASON = r"(?:\s+\"?(?P<reason>.*?)\"?)?\s*"
MARK = re.compile(rf"\s*mark\s+(?P<name>[\w.'-]+)\s*[:=]?\s*{MARKS}{REASON}", re.ASCII | re.DOTALL)
APPEAL = re.compile(
    rf"\s*appeal\s+(?P<date>\S+)\s+(?P<name>[\w.'-]+)\s*[:=]?\s*(?:{MARKS}|kept){REASON}",
    re.ASCII | re.DOTALL,
)
QUOTED = re.compile(r"\"[^\"]*\"")
PRIVATE = re.compile(r"(?:^|\s)#")
SEEN = re.compile(rf"\s*seen{REASON}")
EXAMPLES = 'mark a.A 1/2 "why", appeal 2026-03-02 a.Z 1 "why" (or kept), seen, or // a word to the student'


class HandMark(NamedTuple):
    """A mark for a step, or an appeal with its date; an appeal without marks has changed nothing."""

    name: str
    marks: str
    reason: str
    line: int
    appealed: str = ""

    @property
    def told(self) -> str:
        """The reason as it stands on a slip."""
        return ": ".join(filter(None, (f"appeal of {self.appealed}" if self.appealed else "", self.reason)))


@dataclass(frozen=True, slots=True)
class HandWork:
    """What a person has said about one student's work."""

    student: str
    typed: str  # what he is called in the file
    line: int
    marks: tuple[HandMark, ...] = ()
    remarks: tuple[str, ...] = ()
    is_seen: bool = False

    @property
    def key(self) -> str:
        """A hash of all of it but where it stands."""
        said = [[mark._replace(line=0) for mark in self.marks], self.remarks, self.is_seen]
        return sha256(json.dumps(said).encode()).hexdigest()[:16]

    def added_to(self, submission: Submission) -> Submission:
        """The answers with these marks, which stand above those that were typed with the answers."""
        given = (Override(mark.name, mark.marks, mark.told, mark.line) for mark in self.marks if mark.marks)
        kept = (kept_on_appeal(mark.name, mark.told) for mark in self.marks if not mark.marks)
        return replace(
            submission,
            overrides=(*submission.overrides, *given),
            remarks=(*submission.remarks, *kept, *self.remarks),
        )


class HandMarks:
    """The whole file, by student."""

    def __init__(self, works: Iterable[HandWork] = (), source: str = "") -> None:
        self.source = source
        self.by_student = {key(work.student): work for work in works}

    def of(self, student: str) -> HandWork | None:
        """What was said about somebody."""
        return self.by_student.get(key(student))

    def has_marks(self, student: str) -> bool:
        """Whether a person has given somebody marks."""
        work = self.of(student)
        return work is not None and any(mark.marks for mark in work.marks)

    def key(self, student: str) -> str:
        """A hash of that, or nothing."""
        work = self.of(student)
        return "" if work is None else work.key

    def record(self) -> list[dict[str, Any]]:
        """What a worker is told."""
        return [asdict(work) for work in self.by_student.values()]

    @classmethod
    def restored(cls, kept: Iterable[Mapping[str, Any]]) -> HandMarks:
        """The marks that a record was made of."""
        return cls(
            HandWork(**{**work, "marks": tuple(HandMark(*mark) for mark in work["marks"])}) for work in kept
        )

    def strays(self, graded: Iterable[str], expected: Iterable[str], *, hints: bool) -> Iterator[str]:
        """A sentence for everybody in the file whose work was not there to be marked; hints name others."""
        here, known = {key(name) for name in graded}, {key(name): name for name in expected}
        for who, work in self.by_student.items():
            if who in here:
                continue
            if who in known:
                said = f"{work.typed} handed in nothing; these marks have no place"
                yield f"{self.source}:{work.line}:1: {said}"
                continue
            close = get_close_matches(who, sorted(here | set(known)), n=1) if hints else []
            hint = f"did you mean '{close[0]}'?" if close else "nothing of theirs was handed in"
            yield f"{self.source}:{work.line}:1: nobody is called '{shortened(work.typed)}'; {hint}"


def read_hand_marks(
    path: Path,
    placing: Callable[[str], Markable],
    student: Callable[[str], str],
    *,
    limits: Limits = LIMITS,
) -> HandMarks:
    """The marks in a file; all that is wrong with it is told at once, with lines.

    `placing` tells which step a name means on a student's paper.
    """
    reader = Reader(str(path), placing, student)
    for number, line in enumerate(decoded(path, limits).split("\n"), start=1):
        reader.read(number, line)
    if reader.faults:
        raise ProblemError(reader.faults)
    return HandMarks(reader.works.values(), str(path))


def apart(line: str) -> tuple[str, str]:
    """What a line says, and the remark to the student behind //; what stands behind # is for nobody."""
    masked = QUOTED.sub(lambda quoted: "x" * len(quoted[0]), line)
    private = PRIVATE.search(masked)
    end = private.start() if private else len(line)
    text, slashes, _ = masked[:end].partition("//")
    return line[: len(text)].strip(), line[len(text) + 2 : end].strip() if slashes else ""


class Reader:
    """Reads line by line, and remembers whose turn it is."""

    def __init__(
        self, source: str, placing: Callable[[str], Markable], student: Callable[[str], str]
    ) -> None:
        self.source = source
        self.placing = placing
        self.student = student  # what the marks call somebody, by any of his names
        self.works: dict[str, HandWork] = {}
        self.whose = ""
        self.taken: dict[tuple[str, str], HandMark] = {}  # by student and step
        self.faults: list[Fault] = []

    def fault(self, number: int, said: str) -> None:
        """Note what is wrong with a line."""
        self.faults.append(Fault(self.source, number, 1, "", said))

    def read(self, number: int, line: str) -> None:
        """Take one line, and the remark behind it."""
        text, remark = apart(line)
        if text.startswith("@"):
            self.begin(number, text)
        elif text and not self.whose:
            self.fault(number, f"'{shortened(text)}' is said of nobody; write @ and the student above it")
        elif SEEN.fullmatch(text):
            self.put(is_seen=True)
        elif text:
            self.mark(number, text)
        if remark and self.whose:
            self.put(remarks=(printable(remark),))

    def begin(self, number: int, line: str) -> None:
        """`@ 1234567`: whose turn it is; what stands in two places belongs together."""
        found = HEAD.fullmatch(line)
        name = (found["quoted"] or found["word"] or "").strip() if found else ""
        self.whose = ""
        if found is None or not name:
            self.fault(number, "nobody is named after the @; write @ 1234567")
            return
        if found["rest"].strip():
            said = (
                f"'{shortened(found['rest'].strip())}' is too much; a name of two words is @ \"Ada Lovelace\""
            )
            self.fault(number, said)
        student = self.student(name)
        self.whose = key(student)
        self.works.setdefault(self.whose, HandWork(student, name, number))

    def put(self, **more: Any) -> None:
        """Add something to what is said about whose turn it is."""
        work = self.works[self.whose]
        joined = {name: getattr(work, name) + value for name, value in more.items() if name != "is_seen"}
        self.works[self.whose] = replace(work, **joined, is_seen=work.is_seen or "is_seen" in more)

    def mark(self, number: int, line: str) -> None:
        """`mark a.A 1/2 "why"`, or an appeal."""
        found = MARK.fullmatch(line) or APPEAL.fullmatch(line)
        if found is None:
            self.fault(number, f"'{shortened(line.strip())}' is not understood; write {EXAMPLES}")
            return
        words = found.groupdict()
        made = HandMark(
            words["name"],
            "".join((words["marks"] or "").split()),
            printable((words["reason"] or "").strip()),
            number,
            words.get("date") or "",
        )
        if made.appealed and not is_date(made.appealed):
            self.fault(number, f"'{shortened(made.appealed)}' is no date; write it as 2026-03-02")
            return
        try:
            placing = self.placing(self.works[self.whose].student)
        except AttnsolveError as error:  # nobody knows what is on a paper that there is not
            self.fault(number, str(error))
            return
        steps, lost = placed(placing, [Override(made.name, made.marks or "0", "", number)])
        if lost:
            places = dict(lost[0].places)  # the line is that of the file
            self.fault(number, f"{places['typed']}: {places['why']}")
        else:
            self.settle(made, ", ".join(steps))

    def settle(self, made: HandMark, step: str) -> None:
        """Keep a mark; an appeal stands above what was there before, two marks for one step are a slip."""
        before = self.taken.get((self.whose, step))
        who, part = self.works[self.whose].typed, step.partition(".")[0]
        if made.marks and before is not None and before.appealed >= made.appealed:
            said = f"{step} of {who} was marked on line {before.line} already; delete one of them, or make"
            self.fault(made.line, f"{said} it an appeal with a later date")
        elif made.marks and part != step and (self.whose, part) in self.taken:
            line = self.taken[self.whose, part].line
            self.fault(made.line, f"the total of part {part} of {who} on line {line} stands above {step}")
        else:
            if made.marks:
                self.taken[self.whose, step] = made
                work = self.works[self.whose]
                kept = tuple(mark for mark in work.marks if mark != before)
                self.works[self.whose] = replace(work, marks=kept)
            self.put(marks=(made,))


def is_date(text: str) -> bool:
    """Whether a text is a day, as 2026-03-02."""
    try:
        return bool(date.fromisoformat(text)) and len(text) == len("2026-03-02")
    except ValueError:
        return False
