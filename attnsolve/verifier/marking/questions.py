"""Questions answered in words or formulas, alone or beside steps: not judged, but marked by a person."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from fractions import Fraction

from attnsolve.errors import AttnsolveError
from attnsolve.limits import LIMITS
from attnsolve.loader.reader import shortened
from attnsolve.report import StepReport, Verdict
from attnsolve.submission import Answer, Override, State, Submission, Table, Written, printable
from attnsolve.trace import Trace
from attnsolve.verifier.reading.placing import Placing

FULL = "1/1"
# Behind the name of a step so many words at least are a sentence, and no number that could not be read.
FEWEST_WORDS = 3
WORD = re.compile(r"[(\"“'‘]?[^\W\d_]+[^\d]*$")


class Questions:
    """Every question of a problem that only a person can mark, and what people answer to it."""

    def __init__(self, trace: Trace, placing: Placing) -> None:
        self.placing = placing
        self.entries = {
            part.question: StepReport(
                part.question, part.title, Verdict.NOT_JUDGED, possible=Fraction(part.in_words)
            )
            for part in trace.problem.parts
            if part.question
        }
        self.order = {part.id: number for number, part in enumerate(trace.problem.parts)}

    def set_apart(self, submission: Submission) -> Submission:
        """The same answers, those to questions as one text each; `f ok` is a mark that a person gives."""
        if not self.entries or not any(one.name in self.entries or one.part for one in submission.answers):
            return submission
        answers, given = [], []
        for answer in submission.answers:
            answer = self.by_full_name(answer)
            question = self.above(answer)
            if question:
                words = f"{typed_name(answer)} {'ok' if answer.right else text_of(answer.rows)}".strip()
                answers.append(Answer(question, None, None, in_words(words), answer.line))
            elif not self.is_answered_by(answer):
                answers.append(answer)
            elif answer.right:
                given.append(Override(answer.name, FULL, "", answer.line))
            else:
                answers.append(answer._replace(rows=in_words(text_of(answer.rows))))
        # A mark in figures stands above an ok.
        return replace(submission, answers=tuple(answers), overrides=(*given, *submission.overrides))

    def by_full_name(self, answer: Answer) -> Answer:
        """An answer below a heading, named as it is named without one: `words` below (a) is `a.words`."""
        full = f"{answer.part}.{answer.name}"
        return answer._replace(name=full) if full in self.entries else answer

    def above(self, answer: Answer) -> str:
        """The question below whose heading an answer stands that is in words; "" where it is none.

        Where a part has no steps, everything is. Beside steps it is what can only be words: most of it no
        number, and behind the name of a step nothing but words.
        """
        if not answer.part or not self.entries or answer.name in self.entries:
            return ""
        try:
            part = self.placing.lookup.part(answer.part)
            is_step = bool(self.placing.lookup.named(answer.name, answer.part))
        except AttnsolveError:
            return ""
        if part.question not in self.entries:
            return ""
        if is_step:
            return part.question if is_sentence(answer) else ""
        return part.question if part.question == part.id or is_mostly_words(answer) else ""

    def is_answered_by(self, answer: Answer) -> bool:
        """Whether an answer is to a question, and no numbers of a step that is called like it."""
        if answer.name not in self.entries:
            return False
        if is_mostly_words(answer):
            return True
        try:
            self.placing.name(answer.name)
        except AttnsolveError:
            return True
        return False

    def among(self, steps: list[StepReport], submission: Submission) -> list[StepReport]:
        """The reports on all steps with the questions between them, as on the sheet."""
        for name, entry in self.entries.items():
            said = [
                answer.rows[0][0].text
                for answer in submission.answers
                if answer.name == name and answer.in_words
            ]
            place = sum(self.order[step.part] <= self.order[entry.part] for step in steps)
            steps.insert(place, replace(entry, typed=" ".join(said)) if said else entry)
        return steps


def is_mostly_words(answer: Answer) -> bool:
    """Whether more than half of what stands there is no number."""
    places = [written for row in answer.rows for written in row]
    return 2 * sum(written.state is State.UNREAD for written in places) > len(places)


def is_sentence(answer: Answer) -> bool:
    """Whether several words stand there and nothing else: `Scores grow with the length of a vector.`"""
    places = [written for row in answer.rows for written in row]
    words = [written for written in places if written.state is State.UNREAD and WORD.match(written.text)]
    return FEWEST_WORDS <= len(words) == len(places)


def in_words(text: str) -> Table:
    """A text as an answer that nobody judges."""
    return Table.of_one(Written(text, State.WORDS))


def typed_name(answer: Answer) -> str:
    """What was taken for the name of a value, as it was typed."""
    numbers = [str(number) for number in (answer.row, answer.column) if number is not None]
    return f"{answer.name}[{', '.join(numbers)}]" if numbers else answer.name


def text_of(rows: Table, *, without: Container[State] = (State.BLANK,)) -> str:
    """What was typed, on one line, but for what says nothing."""
    words = " ".join(written.text for row in rows for written in row if written.state not in without)
    return printable(shortened(words, most=LIMITS.text))
