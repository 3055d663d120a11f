"""What became of a submission: its report or why there is none, as it is kept in the journal, as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from attnsolve.causes import NamedMistake, Slip, SlipKind, Spread
from attnsolve.notes import Note, NoteKind
from attnsolve.report import PartMark, Report, StepReport, Verdict
from attnsolve.stored.reasons import WHY

# The fields of a step that JSON has as they are.
OTHERS = ("earned", "possible", "mistakes", "notes", "slips")
PLAIN = [name for name in StepReport.__dataclass_fields__ if name not in OTHERS]
FIELDS = ("source", "student", "variant", "trouble", "details", "by_hand", "is_seen")
# Reading a fraction takes longer than all else, and a class has few different marks.
marks = lru_cache(maxsize=1024)(Fraction)


@dataclass(frozen=True, slots=True)
class Graded:
    """What became of one submission: its report, or why there is none."""

    source: str
    student: str = ""
    variant: str = ""
    report: Report | None = None
    trouble: str = ""  # not read, or undecided, and why
    details: str = ""  # of a bug of ours, for whoever mends it
    by_hand: str = ""  # a hash of what a person has said about it in a file of its own
    is_seen: bool = False  # whether a person has looked at it and found nothing that is left out

    @property
    def is_complete(self) -> bool:
        """Whether nothing was left out of the marks."""
        report = self.report
        return report is not None and (self.is_seen or not report.unread) and not self.doubts

    @property
    def doubts(self) -> tuple[StepReport, ...]:
        """The steps that a person has to look at, and has not marked."""
        if self.report is None or self.is_seen:
            return ()
        given = {part.name for part in self.report.parts}
        unmarked = (step for step in self.report.steps if not step.overridden and step.part not in given)
        return tuple(step for step in unmarked if step.verdict.is_open or step.is_partly_unread)


def record(graded: Graded) -> dict[str, Any]:
    """A mark as JSON has it; fractions are text."""
    made = {name: getattr(graded, name) for name in FIELDS}
    kept = {name: value for name, value in made.items() if value}
    if graded.report is not None:
        report = graded.report
        kept["report"] = {
            "problem": report.problem,
            "unread": report.unread,
            "remarks": report.remarks,
            "steps": [step_record(step) for step in report.steps],
            **({"parts": [part_record(part) for part in report.parts]} if report.parts else {}),
            **({"lineup": report.lineup} if report.lineup else {}),
        }
    return kept


def step_record(step: StepReport) -> dict[str, Any]:
    """A step as JSON has it, without what it does not have."""
    made = {name: value for name in PLAIN if (value := getattr(step, name))}
    made |= {"earned": str(step.earned), "possible": str(step.possible)}
    if step.mistakes:
        made["mistakes"] = [asdict(named) for named in step.mistakes]
    if step.notes:
        made["notes"] = step.notes
    if step.slips:
        made["slips"] = step.slips
    return made


def part_record(part: PartMark) -> dict[str, Any]:
    """The total of a part as JSON has it."""
    made = {"name": part.name, "notes": part.notes, "reason": part.reason}
    return {**made, "earned": str(part.earned), "possible": str(part.possible)}


def restored_part(kept: dict[str, Any]) -> PartMark:
    """The total of a part that a record was made of."""
    notes = tuple(restored_note(*note) for note in kept["notes"])
    earned, possible = marks(kept["earned"]), marks(kept["possible"])
    return PartMark(kept["name"], earned, possible, notes, kept["reason"])


def restored_note(kind: str, *data: Any) -> Note:
    """The note that a record was made of."""
    typed, meant, *numbers = data
    return Note(NoteKind(kind), typed, meant if isinstance(meant, str) else WHY.read(meant), *numbers)


def restored(kept: dict[str, Any]) -> Graded:
    """The mark that a record was made of."""
    found, report = dict(kept), None
    made = found.pop("report", None)
    if made is not None:
        report = Report(
            problem=made["problem"],
            student=found.get("student", ""),
            variant=found.get("variant", ""),
            steps=tuple(map(restored_step, made["steps"])),
            unread=tuple(map(WHY.read, made["unread"])),
            remarks=tuple(one if isinstance(one, str) else WHY.read(one) for one in made["remarks"]),
            parts=tuple(map(restored_part, made.get("parts", ()))),
            lineup=tuple(made.get("lineup", ())),
        )
    return Graded(**found, report=report)


def restored_step(kept: dict[str, Any]) -> StepReport:
    """The step that a record was made of."""
    made = dict(kept)
    cell = made.pop("cell", None)
    return StepReport(
        **{
            **made,
            "title": made.get("title", ""),
            "earned": marks(made["earned"]),
            "possible": marks(made["possible"]),
            "cell": None if cell is None else (cell[0], cell[1]),
            "verdict": Verdict(made["verdict"]),
            "mistakes": tuple(map(restored_mistake, made.get("mistakes", ()))),
            "notes": tuple(restored_note(*note) for note in made.get("notes", ())),
            "slips": tuple(Slip(SlipKind(kind), product) for kind, product in made.get("slips", ())),
        }
    )


def restored_mistake(kept: dict[str, Any]) -> NamedMistake:
    """The mistake that a record was made of."""
    return NamedMistake(**{**kept, "spread": Spread(kept["spread"])})
