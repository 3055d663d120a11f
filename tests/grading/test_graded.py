"""A mark as the journal keeps it: whatever it says is read back as data."""

import json
from fractions import Fraction

from attnsolve.grading.graded import Graded, record, restored
from attnsolve.notes import Note, NoteKind
from attnsolve.reasons import in_exercise, on_line, reason
from attnsolve.report import Report, StepReport, Verdict


def test_reasons_are_read_back_from_a_journal() -> None:
    why = reason("cannot decide whether {typed} equals the exact value", typed="1/3")
    notes = (Note(NoteKind.UNDECIDED, meant=why), Note(NoteKind.MARK_CUT, "3", "2"))
    step = StepReport("a.S", "Scores", Verdict.UNDECIDED, Fraction(0), Fraction(2), notes=notes)
    report = Report("p", "17", steps=(step,), unread=(in_exercise(2, on_line(3, "S", why)),))
    graded = Graded("17.txt", "17", report=report)
    assert graded == restored(json.loads(json.dumps(record(graded))))
