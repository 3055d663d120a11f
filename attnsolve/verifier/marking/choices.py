"""Questions of choice: whose letter an answer is, whether it is right, and the mistake behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from attnsolve.causes import NamedMistake
from attnsolve.choice_options import Option, options_of, places_of, right_letters
from attnsolve.errors import AttnsolveError
from attnsolve.loader.reader import shortened
from attnsolve.notes import Note, NoteKind
from attnsolve.problem import CHOICE, Part
from attnsolve.report import StepReport, Verdict
from attnsolve.scheme import tick_worth
from attnsolve.submission import Answer, Override, State, Submission, Table, printable
from attnsolve.trace import Trace
from attnsolve.verifier.marking.overrides import overridden
from attnsolve.verifier.marking.questions import FULL, in_words, text_of
from attnsolve.verifier.reading.letters import read_letters
from attnsolve.verifier.reading.lookup import Lookup


@dataclass(frozen=True)
class Question:
    """A part with options, and what the right letters are worth."""

    part: Part
    options: tuple[Option, ...]
    places: int
    worth: Fraction

    @property
    def letters(self) -> str:
        """Every letter that can be ticked."""
        return "".join(option.letter for option in self.options)

    def judge(self, typed: Sequence[str]) -> StepReport:
        """The verdict on what somebody ticked; the last counts."""
        report = StepReport(self.part.ticked, self.part.title, Verdict.NOT_WRITTEN, possible=self.worth)
        said = [text for text in typed if text]
        if not said:
            return report
        ticked, right = read_letters(said[-1]), right_letters(self.options)
        notes = (Note(NoteKind.TWICE),) if len(set(map(read_letters, said))) > 1 else ()
        # Small letters may be the answers to several questions: `a d b c`.
        is_unclear = len(ticked) > 1 and len(right) == 1 and said[-1].islower()
        if not ticked or is_unclear or not set(ticked) <= set(self.letters):
            unread = Note(NoteKind.NO_OPTION, shortened(said[-1]), ", ".join(self.letters))
            return replace(report, verdict=Verdict.NOT_READ, typed=said[-1], notes=(*notes, unread))
        report = replace(report, typed=", ".join(ticked), expected=", ".join(right), notes=notes)
        if ticked == right:
            return replace(report, verdict=Verdict.RIGHT, earned=self.worth)
        behind = tuple(self.mistakes(ticked))
        known = bool(behind) and bool(self.part.choice and self.part.choice.is_computed)
        return replace(report, verdict=Verdict.MISTAKE if known else Verdict.WRONG, mistakes=behind)

    def mistakes(self, ticked: str) -> Iterator[NamedMistake]:
        """What is behind a single wrong letter: a known mistake, or an option in words by its text."""
        for option in self.options if len(ticked) == 1 else ():
            if option.letter == ticked and not option.is_right:
                name = option.mistake or printable(shortened(option.text))
                yield NamedMistake(name, option.why, self.numbers(option), self.places, at=self.part.ticked)

    def numbers(self, option: Option) -> int:
        """How many numbers tell an option from the right one."""
        right = next(one.value for one in self.options if one.is_right)
        if option.value is None or right is None:
            return 0
        pairs = zip(option.value.whole(self.places), right.whole(self.places), strict=True)
        return sum(x != y for row, other in pairs for x, y in zip(row, other, strict=True))


class Choices:
    """Every question of choice of a problem, and what people tick."""

    def __init__(self, trace: Trace, lookup: Lookup) -> None:
        self.lookup = lookup
        places = places_of(trace.problem)
        self.questions = {
            part.id: Question(part, options_of(trace, part), places, tick_worth(trace.problem, part))
            for part in trace.problem.parts
            if part.choice is not None
        }

    def set_apart(self, submission: Submission) -> Submission:
        """The same answers, ticks as texts under the names of their questions; `b ok` is a mark by hand."""
        answers: list[Answer] = []
        given: list[Override] = []
        for answer in submission.answers:
            question, text = self.meant(answer)
            if question is None:
                answers.append(answer)
            elif answer.right:
                given.append(Override(question.part.ticked, FULL, "", answer.line))
            else:
                answers.append(Answer(question.part.ticked, None, None, in_words(text), answer.line))
        return replace(submission, answers=tuple(answers), overrides=(*given, *submission.overrides))

    def meant(self, answer: Answer) -> tuple[Question | None, str]:
        """The question that an answer is to, if it is to one, and what was written for it."""
        text, below = ticked_text(answer.rows), self.below(answer.part)
        if below is not None and not text and not answer.right and read_letters(answer.name):
            return below, answer.name  # `(b) C`, where the letter was taken for a name
        by_name = self.named(answer, below)
        if by_name is not None:
            return by_name, text
        if below is None or answer.row is not None or self.is_step(answer.name, answer.part):
            return None, ""
        return below, f"{answer.name} {text}".strip()

    def named(self, answer: Answer, below: Question | None) -> Question | None:
        """The question that is called so: `b`, `b.choice`, or `choice` below a heading."""
        head, _, last = answer.name.partition(".")
        if answer.name == CHOICE and below is not None:
            return below
        question = self.questions.get(head) or self.questions.get(head.lower())
        if question is None or last not in ("", CHOICE) or answer.row is not None:
            return None
        if last or answer.right:
            return question
        # `b 0.5 0.2` may be the numbers of a step that is called like the part.
        has_numbers = any(one.state is State.NUMBER for row in answer.rows for one in row)
        if head not in self.questions:
            return question if read_letters(ticked_text(answer.rows)) and not has_numbers else None
        is_meant = read_letters(ticked_text(answer.rows)) or not has_numbers or not self.is_step(head, "")
        return question if is_meant else None

    def below(self, part: str) -> Question | None:
        """The question in the reach of whose heading an answer stands."""
        try:
            return self.questions.get(self.lookup.part(part).id) if part else None
        except AttnsolveError:
            return None

    def is_step(self, name: str, part: str) -> bool:
        """Whether a step is called so."""
        return bool(self.lookup.named(name, part))

    def among(
        self, steps: Sequence[StepReport], submission: Submission, kept: Mapping[str, Override]
    ) -> tuple[StepReport, ...]:
        """The reports with those on ticks, each behind the steps of its part."""
        made: list[StepReport] = []
        for part in self.lookup.parts:
            own = [step for step in steps if step.part == part.id]
            made += [step for step in own if not step.is_question]
            if part.id in self.questions:
                made.append(overridden(self.judged(self.questions[part.id], submission), kept))
            made += [step for step in own if step.is_question]
        return tuple(made)

    def judged(self, question: Question, submission: Submission) -> StepReport:
        """The verdict on what one person ticked."""
        own = [one for one in submission.answers if one.in_words and one.name == question.part.ticked]
        return question.judge([ticked_text(answer.rows) for answer in own])


def ticked_text(rows: Table) -> str:
    """What was typed, on one line; nothing where it is blank or crossed out."""
    return text_of(rows, without=(State.BLANK, State.CROSSED))
