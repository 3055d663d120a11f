"""Is the sheet's own key right? Faults of one kind in one line, with the mistake behind them, if any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attnsolve.errors import Fault
from attnsolve.findings import Finding, Fit
from attnsolve.lint.notices import Notice
from attnsolve.published import judge
from attnsolve.rendering.notes import mistake_words
from attnsolve.rendering.places import place
from attnsolve.rendering.printed_key import WORDS
from attnsolve.report import Report, Verdict
from attnsolve.trace import Trace
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

SHOWN = 6


def published(trace: Trace) -> list[Notice]:
    """The published numbers that are not right, one notice for each kind of fault in each answer."""
    findings = [finding for part in trace.problem.parts for finding in judge(trace, part)]
    if all(finding.fit.is_fine for finding in findings):
        return []
    report = verified(trace, findings)
    groups: dict[tuple[str, int, Fit], list[Finding]] = {}
    for finding in (as_verified(finding, report) for finding in findings):
        if not finding.fit.is_fine:
            groups.setdefault((finding.target.name, finding.line, finding.fit), []).append(finding)
    return [notice(trace, found, report) for found in groups.values()]


def verified(trace: Trace, findings: Sequence[Finding]) -> Report:
    """What the verifier says of the sheet's key, typed number by number as a person would."""
    typed = "\n".join(f"{where(trace, finding)} {finding.typed}" for finding in findings)
    return Verifier(trace).verify(read_submission(typed, form="compact"))


def as_verified(finding: Finding, report: Report) -> Finding:
    """A finding as hand calculations are judged: numbers that rounding on the way leads to are not wrong."""
    step = next(step for step in report.steps if step.name == finding.target.name)
    is_off = finding.fit in (Fit.WRONG, Fit.LAST_DIGIT)
    return finding._replace(fit=Fit.FOLLOWS) if is_off and step.verdict is Verdict.RIGHT else finding


def notice(trace: Trace, findings: Sequence[Finding], report: Report) -> Notice:
    """What is said of all numbers of one kind in one published answer."""
    first, fit = findings[0], findings[0].fit
    if len(findings) == 1:
        said = WORDS[fit].one.format(typed=first.typed, expected=first.expected)
    else:
        said = WORDS[fit].several.format(count=len(findings), places=", ".join(listed(trace, findings)))
    if fit is Fit.WRONG:
        said += explained(first, report)
    path = where(trace, first) if len(findings) == 1 else first.target.name
    fault = Fault(trace.problem.file, first.line, first.column, path, said)
    return Notice(fault, "W101", 1 if fit is Fit.WRONG else 0)


def listed(trace: Trace, findings: Sequence[Finding]) -> Iterator[str]:
    """Each number with its place as the sheet counts it; the first few of many."""
    for finding in findings[:SHOWN]:
        place_of = where(trace, finding).removeprefix(finding.target.name)
        yield f"{place_of} {finding.typed} (should be {finding.expected})"
    if len(findings) > SHOWN:
        yield f"and {len(findings) - SHOWN} more"


def explained(finding: Finding, report: Report) -> str:
    """The known mistake that leads to the numbers of an answer, where one does."""
    step = next(step for step in report.steps if step.name == finding.target.name)
    named = " or ".join(map(mistake_words, step.mistakes))
    return f"; this is what the mistake '{named}' gives" if named else ""


def where(trace: Trace, finding: Finding) -> str:
    """A number by its name and place, as the sheet prints it: `a.A[2, 1]`."""
    target = finding.target
    return f"{target.name}{place(trace.problem, target.name, (target.row or 0, target.column or 0))}"
