"""Hints that rise: what to do and why, which number, which slip, the value."""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.errors import AttnsolveError
from attnsolve.exact.infinity import HIDDEN
from attnsolve.languages import decimal_maths, message, template
from attnsolve.practice.drill import Drill, Value, ValueKind
from attnsolve.practice.progress import HIGHEST
from attnsolve.practice.standing import Standing
from attnsolve.rendering import formulas, numerals
from attnsolve.rendering.faults import faults
from attnsolve.rendering.hints import EARLIER, may_be_earlier
from attnsolve.rendering.lines import is_too_wide
from attnsolve.rendering.notation import NoForm, Notation
from attnsolve.rendering.printing import show
from attnsolve.rendering.steps import for_all_and_each
from attnsolve.rendering.text import Segments, formula, say, sentence
from attnsolve.report import StepReport
from attnsolve.trace import Step
from attnsolve.working import Decimal, Num

WHAT, WHERE, SLIP = 1, 2, 3
IN_WORDS = message(
    "This is answered in your own words; compare them with the written answer when you have some."
)


def hint(drill: Drill, value: Value, found: Standing, level: int) -> tuple[Segments, ...]:
    """What is told of a value at one level."""
    if value.kind is ValueKind.WORDS:
        return (say(IN_WORDS),)
    step = found.step(value.name)
    wrong = step if step is not None and step.verdict.is_off else None
    if value.kind is ValueKind.LETTERS:
        return tuple(on_letters(drill, value, wrong, level))
    if level == WHAT:
        return tuple(what_to_do(drill, value))
    if wrong is not None:
        return tuple(on_wrong(drill, value, found, wrong, level))
    return tuple(on_open(drill, value, level))


def what_to_do(drill: Drill, value: Value) -> Iterator[Segments]:
    """The step in words, its formula, and what it is good for."""
    call, notation = drill.step(value).call, drill.notation(value)
    whole = f"{notation.symbol(call.out)} = {formulas.symbols(call, notation)}"
    made = for_all_and_each(whole, formulas.each(call, notation))
    yield say("{title}: {formula}.", title=drill.title(value), formula=formula(made))
    sizes = formulas.sizes(call, notation)
    if sizes:
        yield say("Here {sizes}.", sizes=formula(sizes))
    if call.op.why:
        yield say(call.op.why)


def on_wrong(
    drill: Drill, value: Value, found: Standing, wrong: StepReport, level: int
) -> Iterator[Segments]:
    """Where and why an answer is wrong; each level tells one thing more than the one before."""
    problem, notation = drill.trace.problem, drill.notation(value)
    if level == WHERE and may_be_earlier(problem, found.report, wrong):
        yield say(EARLIER)
    told = faults(problem, wrong, notation, plain=False, level=level, whole=False)
    where, reasons = told[:1], told[1:]
    if level != SLIP:
        yield from where
    elif reasons:
        yield from reasons
    else:
        yield say("No known slip leads to this number.")
        yield from begun(drill.step(value), notation, wrong.cell)


def on_open(drill: Drill, value: Value, level: int) -> Iterator[Segments]:
    """How to begin where nothing was typed: one number, what is easy to get wrong, its value."""
    step, notation = drill.step(value), drill.notation(value)
    cell = first_cell(drill, value)
    if level == WHERE:
        told = list(begun(step, notation, cell))
        yield from told or [say("Begin with {place}.", place=formula(notation.entry(value.name, *cell)))]
    elif level == SLIP:
        advice = easy_to_get_wrong(drill, value)
        yield (
            say("Easy to get wrong: {advice}", advice=template(advice))
            if advice
            else say("There is nothing here that is often got wrong.")
        )
    else:
        yield say(
            "{place} is {value}.",
            place=formula(notation.entry(value.name, *cell)),
            value=formula(number(step, notation, cell)),
        )


def begun(step: Step, notation: Notation, cell: tuple[int, int] | None) -> Iterator[Segments]:
    """The first line of the working of one number, with the numbers put in and nothing worked out."""
    for line in step.lines():
        if (line.i, line.j) == cell and len(line.stages) > 1:
            first = line.stages[0].expression
            if isinstance(first, Num | Decimal):
                return
            try:
                text = show(first, notation, flipped=notation.transposed(step.call.out))
            except NoForm:
                return
            if not is_too_wide(text):
                left = notation.entry(step.call.out, line.i, line.j)
                yield say("Work out {formula}.", formula=formula(decimal_maths(f"{left} = {text}")))
            return


def first_cell(drill: Drill, value: Value) -> tuple[int, int]:
    """The first number that is asked for and not hidden, as the engine counts."""
    across = drill.judge.placing.across[value.name]
    wanted = sorted((j, i) if across else (i, j) for i, j in value.wanted)
    places = wanted or [(i, j) for i, j, cell in drill.step(value).value.cells() if cell is not HIDDEN]
    return places[0] if places else (0, 0)


def number(step: Step, notation: Notation, cell: tuple[int, int]) -> str:
    """One number of a value as a student should have it."""
    if step.carried is not step.value:
        return notation.carried_rows(step.carried)[cell[0]][cell[1]]
    return decimal_maths(numerals.rounded(notation.decimals(step.value)[cell[0]][cell[1]]))


def easy_to_get_wrong(drill: Drill, value: Value) -> str:
    """What to tell whoever is about to do a step: the first advice against a mistake of it."""
    call = drill.step(value).call
    own = [slip.advice for slip in call.op.mistakes]
    return next(iter(own), "")


def on_letters(drill: Drill, value: Value, wrong: StepReport | None, level: int) -> Iterator[Segments]:
    """Hints on a question of choice: how to find out, what it is not, why not, the letter."""
    question = None if drill.judge.choices is None else drill.judge.choices.questions.get(value.part.id)
    right = [] if question is None else [one.letter for one in question.options if one.is_right]
    if level == WHAT:
        yield from found_out(drill, value)
    elif level == WHERE and question is not None:
        others = [one.letter for one in question.options if not one.is_right]
        ticked = wrong.typed if wrong is not None else ""
        out = ticked if ticked in others else next(iter(others), "")
        yield say("{letter} is not right.", letter=out) if out else say("All letters are right.")
    elif level == SLIP:
        advice = [named.advice for named in wrong.mistakes if named.advice] if wrong is not None else []
        yield from (
            map(sentence, map(template, advice)) if advice else [say("Rule the options out one by one.")]
        )
    elif level == HIGHEST:
        yield say("Right: {letters}.", letters=", ".join(right))


def found_out(drill: Drill, value: Value) -> Iterator[Segments]:
    """How a question of choice is decided: by working out its last step, where it has steps."""
    calls = value.part.calls
    if not calls:
        yield say("Compare each option with the question.")
        return
    call, notation = calls[-1], drill.notation(value)
    try:
        symbols = formulas.symbols(call, notation)
    except AttnsolveError:
        symbols = ""
    title = template(call.title or call.op.title)
    if symbols:
        yield say(
            "{title}: {formula}.", title=title, formula=formula(f"{notation.symbol(call.out)} = {symbols}")
        )
    if call.op.why:
        yield say(call.op.why)
