"""The verdict on what somebody claims about symbols: results that were asked for, and opinions on claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from attnsolve.assumptions import AbstractPart, Assumptions, Result
from attnsolve.claims.judging import claims_of_line, judge
from attnsolve.claims.opinions import read_opinion, share
from attnsolve.claims.results import Stated, stated
from attnsolve.claims.verdict import Judgement
from attnsolve.claims.wanted import TITLES, ways_to
from attnsolve.derivations.attention import Solved
from attnsolve.errors import AttnsolveError, ExpressionError, UsageError
from attnsolve.languages import message
from attnsolve.notes import Note, NoteKind
from attnsolve.problem import Part
from attnsolve.reasons import Reason, on_line, reason
from attnsolve.report import Report, StepReport, Verdict
from attnsolve.scheme import stated_worth
from attnsolve.statements.claim import Statement
from attnsolve.submission import Answer, Submission
from attnsolve.trace import Trace
from attnsolve.verifier.marking.overrides import is_marked, overridden, part_marks, placed
from attnsolve.verifier.memory import Memory
from attnsolve.verifier.reading.claim_lines import OWN

CLAIM = message("Verdict on a claim")
# Who has a later one of these right has had the ones before it.
CHAIN = (Result.SCORES, Result.WEIGHTS, Result.OUTPUT)
ALL = Fraction(1)


class ClaimVerifier:
    """Judges what any number of people claim about one problem with symbols."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.problem = trace.problem
        assert trace.problem.assumptions is not None
        self.assumptions: Assumptions = trace.problem.assumptions
        self.parts = {part.id: part for part in self.problem.parts if part.abstract is not None}
        self.solved: dict[str, Solved] = {}
        self.judgements: Memory[Judgement] = Memory()

    @property
    def placing(self) -> ClaimVerifier:
        """What tells which result or part a mark by hand is for: this one itself."""
        return self

    def marked(self, typed: str, part: str = "") -> str:
        """The result, claim or part that a mark by hand is for."""
        known = {name for one in self.problem.parts for name in (one.id, *one.stated)}
        for name in (typed, f"{part}.{typed}"):
            if name in known:
                return name
        raise UsageError(f"there is no '{typed}'; there are {', '.join(sorted(known))}")

    def knows(self, name: str, part: str) -> bool:
        """Whether there is a result or a claim that is called so."""
        return is_marked(self, name, part)

    def prepare(self) -> None:
        """Work everything out beforehand, so that nobody's time is spent on it."""
        for part in self.parts.values():
            for number in range(1, len(asked(part).judged) + 1):
                self.judgement_of(part, number)

    def as_understood(self, submission: Submission) -> Submission:
        """The claims as they were read."""
        return submission

    def verify(self, submission: Submission) -> Report:
        """The report on one person's claims."""
        claims, opinions, lost = self.sorted(submission)
        kept, unplaced = placed(self, submission.overrides)
        steps: list[StepReport] = []
        beside: list[str] = []
        for part in self.problem.parts:
            steps += self.question(part)
            if part.abstract is None:
                continue
            own = claims.get(part.id, [])
            found = {name: self.stated(part, name, own) for name in asked(part).results}
            steps += with_marks_before([self.result(part, name, one) for name, one in found.items()])
            used = {claim.text for one in found.values() for claim in one.claims}
            beside += [text for text in dict.fromkeys(claim.text for claim in own) if text not in used]
            for number, name in enumerate(asked(part).judged, start=1):
                steps.append(self.opinion(part, number, opinions.get(f"{part.id}.{name}", "")))
        marked = tuple(overridden(step, kept) for step in steps if step.possible or step.typed)
        return Report(
            problem=self.problem.name,
            student=submission.student,
            variant=submission.variant,
            steps=marked,
            unread=(*submission.unread, *lost, *unplaced),
            remarks=(
                *submission.remarks,
                *(reason("{claim} states nothing that was asked for there", claim=text) for text in beside),
            ),
            parts=part_marks(marked, kept) if kept else (),
        )

    def question(self, part: Part) -> Iterator[StepReport]:
        """A question in words beside those about symbols, which a person marks."""
        if part.question:
            possible = Fraction(part.in_words)
            yield StepReport(part.question, part.title, Verdict.NOT_JUDGED, possible=possible)

    def sorted(
        self, submission: Submission
    ) -> tuple[dict[str, list[Statement]], dict[str, str], list[Reason]]:
        """Claims by part, opinions by the claim that they are about, and what cannot be read."""
        claims: dict[str, list[Statement]] = {}
        opinions: dict[str, str] = {}
        lost: list[Reason] = []
        first = next(iter(self.parts), "")
        for answer in submission.answers:
            text, part = answer.rows[0][0].text, answer.part or first
            try:
                if part not in self.parts:
                    there = ", ".join(self.parts)
                    raise AttnsolveError(
                        reason("there is no part {part}; there are {parts}", part=part, parts=there)
                    )
                if answer.name == OWN:
                    claims.setdefault(part, []).extend(claims_of_line(text, self.assumptions))
                else:
                    opinions[self.claim_meant(answer, part)] = text
            except AttnsolveError as error:
                lost.append(on_line(answer.line, text, error.reason))
        return claims, opinions, lost

    def claim_meant(self, answer: Answer, part: str) -> str:
        """The claim of the sheet that an opinion is about."""
        if answer.name not in asked(self.parts[part]).judged:
            raise AttnsolveError(
                reason("part {part} has no {name}", part=part, name=answer.name.replace(OWN, "claim "))
            )
        return f"{part}.{answer.name}"

    def result(self, part: Part, name: Result, found: Stated) -> StepReport:
        """What becomes of a result: its marks are shared by all that has to be stated for it."""
        full = f"{part.id}.{name}"
        possible = stated_worth(self.problem, part, full)
        verdict, typed = Verdict.RIGHT, found.claims[0].text if found.claims else ""
        if not found.claims:
            verdict = Verdict.NOT_WRITTEN
        elif found.is_undecided:
            verdict = Verdict.UNDECIDED
        elif found.wrong is not None:
            verdict, typed = Verdict.WRONG, found.wrong.text
        is_part = verdict is Verdict.RIGHT and found.share < ALL
        notes = (Note(NoteKind.NOT_ALL_STATED),) if is_part else ()
        return StepReport(
            full, TITLES[name], verdict, possible * found.share, possible, typed=typed, notes=notes
        )

    def stated(self, part: Part, name: Result, claims: list[Statement]) -> Stated:
        """How much of a result somebody's claims state."""
        solved = self.solved.setdefault(part.id, Solved(self.assumptions, asked(part).attention))
        return stated(
            ways_to(name, solved, asked(part)), claims, solved, lambda claim: self.judged(part, claim)
        )

    def judged(self, part: Part, claim: Statement) -> Judgement:
        """The judgement of a claim, found out once for a class."""
        cause = (part.id, claim)
        known = self.judgements.get(cause)
        if known is not None:
            return known
        return self.judgements.keep(cause, judge(claim, self.assumptions, asked(part).attention))

    def judgement_of(self, part: Part, number: int) -> Judgement:
        """The judgement of a claim of the sheet."""
        lines = (claims_of_line(one.text, self.assumptions) for one in asked(part).claims)
        return self.judged(part, [claim for line in lines for claim in line][number - 1])

    def opinion(self, part: Part, number: int, said: str) -> StepReport:
        """What becomes of somebody's opinion on a claim."""
        name = f"{part.id}.{OWN}{number}"
        possible = stated_worth(self.problem, part, name)
        blank = StepReport(name, CLAIM, Verdict.NOT_WRITTEN, possible=possible, typed=said)
        if not said:
            return blank
        found = self.judgement_of(part, number)
        try:
            opinion = read_opinion(said, self.assumptions)
        except ExpressionError as error:
            note = Note(NoteKind.UNREAD, said, error.reason)
            return StepReport(name, CLAIM, Verdict.NOT_READ, possible=possible, typed=said, notes=(note,))
        part_right = share(opinion, found, self.assumptions, asked(part).attention)
        if part_right is None:
            return StepReport(name, CLAIM, Verdict.UNDECIDED, possible=possible, typed=said)
        verdict = Verdict.RIGHT if part_right == ALL else Verdict.WRONG
        return StepReport(name, CLAIM, verdict, possible * part_right, possible, typed=said)


def asked(part: Part) -> AbstractPart:
    """What a part asks about symbols."""
    assert part.abstract is not None
    return part.abstract


def with_marks_before(results: list[StepReport]) -> list[StepReport]:
    """Who has the weights right, but not all scores, has the marks of these too."""
    chain = [step for step in results if step.name.rpartition(".")[2] in CHAIN]
    made = {step.name: step for step in results}
    for place, step in enumerate(chain):
        later = any(other.possible == other.earned > 0 for other in chain[place + 1 :])
        if later and step.verdict in (Verdict.NOT_WRITTEN, Verdict.RIGHT):
            made[step.name] = replace(step, earned=step.possible, notes=())
    return list(made.values())
