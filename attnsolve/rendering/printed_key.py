"""Whether the sheet's own key is right: what is said of its numbers, on pages and by `lint`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from attnsolve.findings import Finding, Fit
from attnsolve.languages import decimal, message
from attnsolve.problem import Part
from attnsolve.published import judge
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.text import Piece, Segments, formula, say, sentence
from attnsolve.trace import Trace


class Words(NamedTuple):
    """What is said of one number, and of several of one kind."""

    one: str
    several: str


WORDS = {
    Fit.CUT_OFF: Words(
        message("the sheet prints {typed}, which is cut off; rounded it is {expected}"),
        message("{count} numbers on the sheet are cut off instead of rounded: {places}"),
    ),
    Fit.LAST_DIGIT: Words(
        message("the sheet prints {typed}, whose last digit is off by one; it should be {expected}"),
        message("{count} numbers on the sheet are off by one in their last digit: {places}"),
    ),
    Fit.NOISE: Words(
        message("the sheet prints {typed}, which has the noise of a machine in it; it is {expected}"),
        message("{count} numbers on the sheet have the noise of a machine in their last digits: {places}"),
    ),
    Fit.FOLLOWS: Words(
        message("the sheet prints {typed}, which was made of rounded numbers; it should be {expected}"),
        message("{count} numbers on the sheet were made of rounded numbers: {places}"),
    ),
    Fit.WRONG: Words(
        message("the sheet prints {typed}, which is wrong; it should be {expected}"),
        message("{count} numbers on the sheet are wrong: {places}"),
    ),
    Fit.UNDECIDED: Words(
        message("the sheet prints {typed}; whether that is exact could not be decided"),
        message("{count} numbers on the sheet may be exact or not, which could not be decided: {places}"),
    ),
}


def published(trace: Trace, part: Part, notation: Notation) -> tuple[Segments, ...]:
    """Whether the sheet's own key is right: one word if all of it is, else a line for each kind of fault."""
    findings = judge(trace, part)
    if all(finding.fit.is_fine for finding in findings):
        return (say("The answers printed on the source sheet agree with these."),)
    kinds = {fit: [finding for finding in findings if finding.fit is fit] for fit in WORDS}
    return tuple(told(found, fit, notation) for fit, found in kinds.items() if found)


def told(findings: Sequence[Finding], fit: Fit, notation: Notation) -> Segments:
    """What is said of all published numbers of one kind, with their places."""
    places = [
        formula(notation.entry(finding.target.name, finding.target.row or 0, finding.target.column or 0))
        for finding in findings
    ]
    if len(findings) == 1:
        (only,) = findings
        words = say(WORDS[fit].one, typed=decimal(only.typed), expected=decimal(only.expected))
        return say("{place}: {finding}.", place=places[0], finding=words)
    listed: list[Piece] = []
    for place, finding in zip(places, findings, strict=True):
        right, typed = decimal(finding.expected), decimal(finding.typed)
        listed += [", "] if listed else []
        listed.append(say("{place} = {right}, not {typed}", place=place, right=right, typed=typed))
    return say("{finding}.", finding=say(WORDS[fit].several, count=len(findings), places=sentence(*listed)))
