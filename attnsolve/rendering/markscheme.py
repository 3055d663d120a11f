"""The mark scheme of a problem: what each step is worth, what it should be, and what costs marks."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from attnsolve.errors import Undecided
from attnsolve.marks import in_figures
from attnsolve.mistakes import wrong_values
from attnsolve.problem import Part, Target
from attnsolve.problem_set import Exercise
from attnsolve.prose.tree import Blocks
from attnsolve.rendering.answers import in_decimals, shows
from attnsolve.rendering.notation import Notation, is_selection
from attnsolve.rendering.pictures import illustrated
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.steps import step_title
from attnsolve.rendering.tables import Table
from attnsolve.rendering.text import Segments, in_a_row, prose, say, say_count, sentence
from attnsolve.scheme import Scheme, tick_worth, total_of, worth
from attnsolve.trace import Step, Trace

if TYPE_CHECKING:
    from attnsolve.rendering.choices import ChoiceView

NOTHING = Fraction(0)


class PartScheme(NamedTuple):
    """One question: its steps with their marks, what they should be, and the mistakes known for them."""

    id: str
    title: Segments
    marks: str
    table: Table | None
    results: tuple[str, ...]
    mistakes: tuple[Segments, ...]
    words: Blocks
    choice: ChoiceView | None = None


class SchemeView(NamedTuple):
    """A whole mark scheme."""

    name: str
    title: Segments
    source: Segments
    rules: tuple[Segments, ...]
    parts: tuple[PartScheme, ...]
    several: bool
    number: str = ""  # in a problem set


def scheme_view(trace: Trace, settings: Settings, *, exercise: Exercise | None = None) -> SchemeView:
    """What a TA needs beside the scripts; in a problem set, steps are called as they are there."""
    problem = trace.problem
    called = str if exercise is None else exercise.outer
    asked = problem.places if problem.rounding is None else problem.rounding.carry
    told: set[str] = set()  # a mistake is explained where it is first possible
    return SchemeView(
        name=problem.name,
        title=say("Mark scheme: {title}", title=prose(problem.title)),
        source=prose(problem.source),
        rules=rules(problem.scheme, asked) if problem.assumptions is None else stated_rules(problem.parts),
        parts=tuple(part_scheme(trace, part, settings, told, called) for part in problem.parts),
        several=len(problem.parts) > 1,
        number="" if exercise is None else str(exercise.number),
    )


def rules(scheme: Scheme, asked: int) -> tuple[Segments, ...]:
    """How marks are given, whatever the step."""
    follows = (
        say("A number that is right for the student's own earlier numbers earns method and accuracy marks.")
        if scheme.follow_through
        else say("A number that is right for the student's own earlier numbers earns method marks only.")
    )
    cut = (
        say("Cut-off decimals count as rounded.") if scheme.truncation else say("Cut-off decimals are wrong.")
    )
    few = (
        say("Fewer digits than asked for lose the accuracy marks.")
        if scheme.all_digits
        else say(
            "Fewer digits than asked for lose the accuracy marks only where numbers are off for it, or where "
            "they do not show what was done."
        )
    )
    asked_for = say_count(
        "Numbers are asked for to {count} place; a written number stands for all that round to it.",
        "Numbers are asked for to {count} places; a written number stands for all that round to it.",
        asked,
    )
    return (
        follows,
        in_a_row((asked_for, cut, few)),
        say(
            "A step that is not written but must have been done, because a later one is right, has its marks."
        ),
        say("A value replaced by zeros or an identity earns nothing for the steps that this makes trivial."),
    )


def stated_rules(parts: tuple[Part, ...]) -> tuple[Segments, ...]:
    """How marks are given for statements about symbols, as far as the parts ask for such."""
    said = [say("A result is right in any form that is proven equal; each formula of it counts alike.")]
    if any(part.entries and part.entries.solve for part in parts):
        said.append(
            say(
                "All solutions are wanted: each counts alike, and a wrong one takes as much away. A decimal "
                "that a solution rounds to will do."
            )
        )
    if any(part.entries and part.entries.limits for part in parts):
        said.append(say("For a limit, all weights are enough, or all outputs."))
    if any(part.entries and part.entries.monotony for part in parts):
        said.append(say("How a number changes may be said in words or by its derivative."))
    if any(part.abstract and part.abstract.claims for part in parts):
        said.append(
            say(
                "Calling a claim false that holds under a condition only earns half; so does seeing that "
                "there is one without naming the right one."
            )
        )
    said.append(
        say(
            "A step that is not written but must have been done, because a later one is right, has its marks."
        )
    )
    return tuple(said)


def part_scheme(
    trace: Trace, part: Part, settings: Settings, told: set[str], called: Callable[[str], str]
) -> PartScheme:
    """One question."""
    places = trace.problem.places if settings.places is None else settings.places
    notation = Notation(trace.problem, part, style=settings.numbers or trace.problem.numbers, places=places)
    steps = [step for step in trace.of_part(part.id) if not is_selection(step.call)]
    return PartScheme(
        id=part.id,
        title=prose(part.title),
        marks=in_figures(total_of(trace.problem, part)),
        table=marks_table(trace, part, steps, notation, called),
        results=()
        if trace.problem.assumptions is not None  # whose table has them
        else tuple(
            equation
            for step in steps
            for equation in in_decimals(
                notation.symbol(step.call.out), Target(step.call.out), step.value, notation
            )
        ),
        mistakes=known_mistakes(trace, part, told) if part.choice is None else (),
        words=illustrated(part.discuss, trace.problem, settings.to),
        choice=options_ticked(trace, part, settings) if part.choice else None,
    )


def marks_table(
    trace: Trace, part: Part, steps: list[Step], notation: Notation, called: Callable[[str], str]
) -> Table | None:
    """What has marks in a part; the rooms for symbols are entered only for these."""
    if trace.problem.assumptions is None:
        return steps_table(part, steps, notation, called) if steps or part.choice else None
    if part.abstract is not None:
        from attnsolve.rendering.derivations.claim_lines import scheme_table

        return scheme_table(trace.problem, part, called)
    from attnsolve.rendering.derivations.letter_lines import letters_table

    return letters_table(trace, part, steps, notation, called)


def options_ticked(trace: Trace, part: Part, settings: Settings) -> ChoiceView:
    """The options of a question of choice; the room that makes them is entered only for that."""
    from attnsolve.rendering.choices import choice_view

    return choice_view(trace, part, to=settings.to, solved=True)


def steps_table(
    part: Part, steps: list[Step], notation: Notation, called: Callable[[str], str]
) -> Table | None:
    """A row for each step that is worth something: method, accuracy; and what that comes to."""
    header = (say("step"), say("method"), say("accuracy"))
    worths = [(step, worth(notation.problem, part, step.call)) for step in steps]
    marked = [(step, value) for step, value in worths if value.total]
    rows = [
        row(
            sentence(
                (True, notation.symbol(step.call.out)),
                f" ({called(step.call.out)}) ",
                step_title(step.call, notation),
            ),
            value.method,
            value.accuracy,
        )
        for step, value in marked
    ]
    ticked, words = tick_worth(notation.problem, part), Fraction(part.in_words)
    if ticked:
        rows.append(row(sentence(say("Choice"), f" ({called(part.ticked)})"), NOTHING, ticked))
    if words:
        rows.append(row(sentence(say("Question"), f" ({called(part.question)})"), NOTHING, words))
    if len(rows) > 1:
        method = sum((value.method for _, value in marked), start=NOTHING)
        accuracy = sum((value.accuracy for _, value in marked), start=words + ticked)
        rows.append(row(say("together"), method, accuracy))
    return Table((), header, tuple(rows), has_sums=len(rows) > 1) if rows else None


def row(name: Segments, method: Fraction, accuracy: Fraction) -> tuple[Segments, ...]:
    """A line of the table."""
    return name, sentence(in_figures(method)), sentence(in_figures(accuracy))


def known_mistakes(trace: Trace, part: Part, told: set[str]) -> tuple[Segments, ...]:
    """Every catalogued mistake that shows in the answer and that no earlier part has, with its advice."""
    if not part.calls or trace.problem.assumptions is not None:
        return ()
    target, new = part.find[-1], {}
    for mistake, advice, values in wrong_values(trace, part):
        try:
            if mistake not in told and shows(values, trace, target, trace.problem.places):
                new[mistake] = advice
        except Undecided:
            continue  # nobody can tell what this one gives
    told.update(new)
    return tuple(
        say("{mistake}: {advice}", mistake=mistake, advice=say(advice)) for mistake, advice in new.items()
    )
