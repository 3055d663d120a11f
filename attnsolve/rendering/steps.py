"""One step in print: formula, numbers put in, working, result, and what can be said about it."""

from __future__ import annotations

from typing import NamedTuple

from attnsolve import marks
from attnsolve.ops import Family
from attnsolve.problem import Call
from attnsolve.rendering import formulas, sentences
from attnsolve.rendering.forms import kept_of_call
from attnsolve.rendering.ledgers import ledger_table
from attnsolve.rendering.lines import worked
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pages import Page
from attnsolve.rendering.results import exact_rows, name_denominators, result_stages
from attnsolve.rendering.tables import Table, weights_table
from attnsolve.rendering.text import Segments, formula, prose, sentence
from attnsolve.rendering.widths import Rows, laid_out
from attnsolve.scheme import worth
from attnsolve.trace import Step


class StepView(NamedTuple):
    """One step in print: formula, numbers put in, working, result, and what can be said about it."""

    name: str
    number: int
    title: Segments
    marks: Segments
    formula: str
    sizes: str
    shapes: Segments
    put_in: Rows
    working: tuple[Rows, ...]
    rest: Segments
    table: Table | None
    exact: Rows
    result: Rows
    remarks: tuple[Segments, ...]
    check: Segments
    meanings: tuple[Segments, ...]
    by_hand: Segments
    seen: Segments
    turning: Segments


def step_view(page: Page, step: Step, number: int, *, faded: bool) -> StepView:
    """A step as a reader sees it; `faded` ones show formula and result only."""
    call, notation, settings, telling = step.call, page.notation, page.settings, page.telling
    earlier = page.worked.earlier(step, notation)
    in_full = not faded and earlier is None
    exact = exact_rows(step, notation, settings) if in_full or (telling and earlier is not None) else []
    if telling:  # only the working writes numbers over them
        name_denominators(step, notation, len(exact))
    normaliser = call.op.family is Family.NORMALISER
    exponentials = table = None
    if telling and in_full:
        exponentials = weights_table(page.trace, step, page.row_of(step), notation) if normaliser else None
        table = exponentials or ledger_table(step, page.row_of(step), notation)
    lines = telling and in_full and exponentials is None  # they hold what the lines would say again
    working, rest = worked(step, notation, settings, page.row_of(step)) if lines else ((), ())
    symbol, in_symbols = notation.symbol(call.out), formulas.symbols(call, notation)
    substituted = formulas.put_in(step, notation) if earlier is None else ""
    stages = result_stages(step, notation)
    each = formulas.each(call, notation) if telling and in_full else ""
    compact = not (working or table or each or (exact and in_full))
    if compact:  # nothing stands between formula and result: one chain of equations says it all
        stages = [("=", in_symbols), *([("=", substituted)] if substituted else []), *stages]
    return StepView(
        name=call.out,
        number=number,
        title=prose(call.title or call.op.title),
        marks=step_marks(page, call),
        formula="" if compact else in_words(f"{symbol} = {in_symbols}", each),
        sizes=formulas.sizes(call, notation),
        shapes=shapes(call, notation) if in_full else (),
        put_in=tuple(laid_out(symbol, [("=", substituted)])) if substituted and not compact else (),
        working=working,
        rest=rest,
        table=table,
        exact=tuple(row for rows in exact for row in rows) if in_full else (),
        result=tuple(laid_out(symbol, stages)),
        # A tie that decides something is always told; equal scores and weights only with the working.
        remarks=sentences.remarks(step, notation) if telling or call.op.powers is None else (),
        check=sentences.check(step, notation) if telling and earlier is None else (),
        meanings=sentences.meanings(step, notation) if telling and normaliser else (),
        by_hand=sentences.by_hand(step, notation) if telling and mixes(step) and earlier is None else (),
        turning=turning(step),
        seen=sentence(f"As in part ({earlier}).") if earlier is not None else (),
    )


def step_marks(page: Page, call: Call) -> Segments:
    """What the file gives for a step; a part's one number stands in its heading."""
    if not page.part.marks or "" in page.part.marks:
        return ()
    total = worth(page.trace.problem, page.part, call).total
    return sentence(marks.in_words(total)) if total else ()


def mixes(step: Step) -> bool:
    """Whether rounded weights would be used here by somebody who works by hand."""
    return step.call.op.check == "between-values"


def turning(step: Step) -> Segments:
    """Where a closed form ends: the reader is told that decimals go on, and why."""
    if step.value.kind != "certified" or any(value.kind == "certified" for value in step.inputs):
        return ()
    return sentence(
        "There is no exact form that could be read here, so from this step on the numbers are "
        "certified decimals: every digit shown is proven."
    )


def in_words(whole: str, each: str) -> str:
    """The formula for the whole matrix and for one of its vectors, unless they say the same."""
    return whole if not each or each == whole else rf"{whole}, \qquad {each}"


@kept_of_call
def shapes(call: Call, notation: Notation) -> Segments:
    """`(4×3)(3×2) gives 4×2`, for products of matrices."""
    if not call.op.formula_for(call.options).product or notation.frame(call.out).shape == (1, 1):
        return ()
    pieces = []
    for name, _, turned in formulas.factors(call, notation):
        rows, columns = notation.frame(name).shape
        pieces.append(f"({columns} \\times {rows})" if turned else f"({rows} \\times {columns})")
    return sentence(formula(" ".join(pieces)), " gives ", formula(notation.shape(call.out)), ".")
