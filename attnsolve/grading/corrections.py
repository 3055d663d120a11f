"""What an erratum means for the marks of an exam: how many keys are others now, and what to know about it."""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.grading.assignment import Assignment


def told(assignment: Assignment) -> Iterator[str]:
    """What `variants affected` says about the corrected problem, for whoever grades by it."""
    erratum = assignment.erratum
    if erratum is None:
        return
    concerns = [concern for concern in erratum.concerns() if concern is not None]
    unfit = sum(bool(concern.trouble) for concern in concerns)
    command = f"attnsolve variants affected {erratum.folder.path} {assignment.corrected}"
    count = len(erratum.lock.entries)
    some = "code has" if count == 1 else "codes have"
    yield (
        f"{len(concerns) - unfit} of {count} {some} another key than was printed"
        + (f", and {unfit} cannot be judged by the corrected problem" if unfit else "")
        + (f" ('{command}' lists them)" if concerns else "")
    )
    yield from erratum.notes(marking=True)
