"""A question of choice as plain records: what to do, the options, and what is behind each of them."""

from __future__ import annotations

from typing import NamedTuple

from attnsolve.choice_options import Option, options_of, places_of
from attnsolve.exact import Matrix
from attnsolve.problem import Part
from attnsolve.prose.tree import Blocks
from attnsolve.rendering import numerals
from attnsolve.rendering.answers import in_full, symbol_of
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pictures import illustrated
from attnsolve.rendering.text import Segments, formula, prose, say, say_count, sentence
from attnsolve.trace import Trace


class OptionView(NamedTuple):
    """Something to tick; whether it is right and what is behind it is known to solutions only."""

    letter: str
    formulas: tuple[str, ...]  # of a computed option
    words: Blocks  # of one in words
    is_right: bool = False
    about: Segments = ()


class ChoiceView(NamedTuple):
    """A question of choice."""

    lead: Segments
    options: tuple[OptionView, ...]


def choice_view(trace: Trace, part: Part, *, to: str, solved: bool) -> ChoiceView:
    """The options of a part, with what is behind them where the sheet is a solution."""
    options = options_of(trace, part)
    notation = option_notation(trace, part)
    shown = (option_view(trace, part, option, notation, to) for option in options)
    return ChoiceView(
        lead=lead(part, notation),
        options=tuple(one if solved else one._replace(is_right=False, about=()) for one in shown),
    )


def option_notation(trace: Trace, part: Part) -> Notation:
    """How options are written: to the places of the problem, whatever places a reader asks for."""
    problem = trace.problem
    return Notation(problem, part, style=problem.numbers, places=places_of(problem))


def lead(part: Part, notation: Notation) -> Segments:
    """What to do."""
    assert part.choice is not None
    if not part.choice.is_computed:
        several = part.choice.has_several
        return say("Tick every right answer.") if several else say("Tick the right answer.")
    symbol = formula(symbol_of(part.find[0], notation))
    return say_count(
        "Tick the right value of {symbol}; numbers are rounded to {count} place.",
        "Tick the right value of {symbol}; numbers are rounded to {count} places.",
        notation.places,
        symbol=symbol,
    )


def option_view(trace: Trace, part: Part, option: Option, notation: Notation, to: str) -> OptionView:
    """One option with all that is known of it."""
    words = illustrated(option.text, trace.problem, to) if option.text else ()
    formulas = () if option.value is None else numbers(part, option.value, notation)
    return OptionView(option.letter, formulas, words, option.is_right, about(option))


def about(option: Option) -> Segments:
    """That it is right, the mistake that leads to it and what to tell whoever made it, or why it is wrong."""
    if option.is_right:
        return say("Right.")
    if option.mistake:
        return say("{mistake}: {advice}", mistake=option.mistake, advice=say(option.why))
    return prose(option.why)


def numbers(part: Part, value: Matrix, notation: Notation) -> tuple[str, ...]:
    """The numbers of an option; in several equations where they are too many for a line."""
    target = part.find[0]
    if notation.problem.rounding is None:
        rows = [[numerals.rounded(cell) for cell in row] for row in notation.decimals(value)]
    else:
        rows = notation.carried_rows(value)
    bare = in_full("", "", target, notation, rows)
    if len(bare) == 1:
        return (bare[0].strip(),)
    return in_full(symbol_of(target, notation), r"\approx", target, notation, rows)


def letters(options: tuple[Option, ...]) -> Segments:
    """The letters to be ticked: `B`, or `A, C`."""
    return sentence(", ".join(option.letter for option in options if option.is_right))
