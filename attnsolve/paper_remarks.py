"""What is odd about a paper that came back, said to whoever reads its slip."""

from __future__ import annotations

from attnsolve.reasons import Reason, reason


def unknown_code(typed: str, student: str, code: str) -> Reason:
    """The code that was written is nobody's, and the student had another."""
    return reason(
        "the code '{typed}' is not in this exam; {student} had {code}",
        typed=typed,
        student=student,
        code=code,
    )


def replaced(code: str, newer: str) -> Reason:
    """The paper was issued again under another code."""
    return reason("{code} was replaced by {newer}", code=code, newer=newer)


def withdrawn(code: str) -> Reason:
    """The paper belongs to nobody any more."""
    return reason("{code} was withdrawn", code=code)


def printed_for(code: str, owner: str) -> Reason:
    """The paper was somebody else's."""
    return reason("{code} was printed for {owner}", code=code, owner=owner)


def names_another(typed: str) -> Reason:
    """The text says that it is somebody else's than the platform says."""
    return reason("the text names '{typed}'", typed=typed)


def kept_on_appeal(step: str, said: str) -> Reason:
    """A person looked at a step again and changed nothing."""
    return reason("{step}: {said}; nothing was changed", step=step, said=said)
