"""Is the sheet's own key right? Faults of one kind in one line, with the mistake behind them, if any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attnsolve.errors import Fault
from attnsolve.findings import Finding, Fit
from attnsolve.lint.notices import Notice
from attnsolve.published import judge
from attnsolve.rendering.notes import mistake_words
from attnsolve.rendering.places import place
from attnsolve.report import Report, Verdict
from attnsolve.trace import Trace
from attnsolve.verifier.reading import read_submission
from attnsolve.verifier.verification import Verifier

# What is said of one number, and of several of one kind.
ONE = {
    Fit.CUT_OFF: "the published {typed} is cut off; rounded it is {expected}",
    Fit.LAST_DIGIT: "the last digit of the published {typed} is off by one; it should be {expected}",
    Fit.NOISE: "the published {typed} is right but for the noise of a machine; it is {expected}",
    Fit.FOLLOWS: "the published {typed} was made of rounded numbers; it should be {expected}",
    Fit.WRONG: "the published {typed} is wrong; it should be {expected}",
    Fit.UNDECIDED: "whether the published {typed} is exact could not be decided",
}
SEVERAL = {
    Fit.CUT_OFF: "{count} published numbers are cut off instead of rounded",
    Fit.LAST_DIGIT: "the last digit of {count} published numbers is off by one",
    Fit.NOISE: "{count} published numbers are right but for the noise of a machine",
    Fit.FOLLOWS: "{count} published numbers were made of rounded numbers",
    Fit.WRONG: "{count} published numbers are wrong",
    Fit.UNDECIDED: "whether {count} published numbers are exact could not be decided",
}
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
        said = ONE[fit].format(typed=first.typed, expected=first.expected)
    else:
        said = f"{SEVERAL[fit].format(count=len(findings))}: {', '.join(listed(trace, findings))}"
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
