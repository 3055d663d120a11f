"""One step in print: formula, numbers put in, working, result, and what can be said about it."""

from __future__ import annotations

from attnsolve.languages import message, template
from attnsolve.marks import in_words
from attnsolve.ops import Check, Family
from attnsolve.ops.base import no_remarks
from attnsolve.pace import Pace, Work
from attnsolve.problem import Call
from attnsolve.records import NamedTuple
from attnsolve.rendering import formulas, sentences
from attnsolve.rendering.forms import kept_of_call
from attnsolve.rendering.ledgers import ledger_table
from attnsolve.rendering.lines import others, worked
from attnsolve.rendering.markup import is_elided
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pages import Page
from attnsolve.rendering.results import exact_rows, name_denominators, result_stages
from attnsolve.rendering.tables import Table, weights_table
from attnsolve.rendering.text import Segments, formula, prose, say, sentence
from attnsolve.rendering.widths import Rows, laid_out
from attnsolve.scheme import worth
from attnsolve.trace import Step

# What a course prints the other way round than others is transposed where it stands: torch's weights.
TURNED_ALREADY = message("Transpose: it is printed so already")


class StepView(NamedTuple):
    """One step in print: formula, numbers put in, working, result, and what can be said about it."""

    name: str
    number: int
    title: Segments
    heading: Segments  # `Step 3. Scale the scores.`
    marks: Segments
    formula: str
    sizes: str
    shapes: Segments
    lead: Segments
    working: tuple[Rows, ...]
    rest: Segments
    tables: tuple[Table, ...]
    exact: Rows
    exact_rest: Segments
    result: Rows
    elided: Segments
    remarks: tuple[Segments, ...]
    check: Segments
    meanings: tuple[Segments, ...]
    by_hand: Segments
    seen: Segments
    turning: Segments

    @property
    def table(self) -> Table | None:
        """The first of its tables."""
        return self.tables[0] if self.tables else None

    @property
    def result_first(self) -> bool:
        """Whether one chain of equations says it all, and working for one row only explains it."""
        return not self.formula

    @property
    def is_brief(self) -> bool:
        """Whether it is a title and one equation, which can stand beside another one's."""
        if len(self.result) > 1 or self.formula or self.shapes or self.sizes:
            return False
        said = (self.lead, self.working, self.tables, self.exact, self.elided, self.remarks)
        also = (self.check, self.meanings, self.by_hand, self.turning, self.seen)
        return not any(said) and not any(also)


class StepForm(NamedTuple):
    """What of a step in print is the same whatever its numbers are."""

    title: Segments
    marks: Segments
    symbol: str
    in_symbols: str
    sizes: str
    shapes: Segments
    is_normaliser: bool
    has_remarks: bool
    is_whole: bool  # whether no number can be left out of it


@kept_of_call
def step_form(call: Call, notation: Notation) -> StepForm:
    """What is found out about a step once for all variants of a problem."""
    return StepForm(
        title=step_title(call, notation),
        marks=step_marks(call, notation),
        symbol=notation.symbol(call.out),
        in_symbols=formulas.symbols(call, notation),
        sizes=formulas.sizes(call, notation),
        shapes=shapes(call, notation),
        is_normaliser=call.op.family is Family.NORMALISER,
        has_remarks=call.op.remarks is not no_remarks,
        is_whole=formulas.are_small(call, notation) and not is_elided(formulas.symbols(call, notation)),
    )


@kept_of_call
def step_heading(call: Call, notation: Notation, number: int) -> Segments:
    """What stands above a step."""
    return say("Step {number}. {title}.", number=number, title=step_title(call, notation))


def step_view(page: Page, step: Step, number: int, *, faded: bool) -> StepView:
    """A step as a reader sees it; `faded` ones show formula and result only."""
    call, notation, settings, telling = step.call, page.notation, page.settings, page.telling
    Pace.begin(Work.WRITING, (call.out, call.op.name))
    form = step_form(call, notation)
    earlier = page.earlier(step)
    faded |= settings.working == "fade" and page.worked.is_shown(step)
    in_full = not faded and earlier is None
    is_exact = form.is_normaliser and (in_full or (telling and earlier is not None))
    exact = exact_rows(step, notation, settings) if is_exact else []
    if telling:  # only the working writes numbers over them
        name_denominators(step, notation, len(exact))
    row = page.row_of(step) if telling and in_full else 0
    tables = step_tables(page, step, row) if telling and in_full else ()
    # A table of exponentials holds what the lines would say again.
    lines = telling and in_full and not (tables and form.is_normaliser and call.op.powers is not None)
    working, rest = worked(step, notation, settings, row) if lines else ((), ())
    substituted = formulas.put_in(step, notation) if earlier is None else ""
    stages = result_stages(step, notation, is_worked=bool(working))
    each = formulas.each(call, notation) if telling and in_full else ""
    chained = not (tables or (exact and in_full))
    if chained:  # nothing has to stand between formula and result: one chain of equations says it all
        stages = [("=", form.in_symbols), *([("=", substituted)] if substituted else []), *stages]
    if working:
        page.worked.show(step)
    return StepView(
        name=call.out,
        number=number,
        title=form.title,
        heading=step_heading(call, notation, number),
        marks=form.marks,
        formula="" if chained else for_all_and_each(f"{form.symbol} = {form.in_symbols}", each),
        sizes=form.sizes,
        shapes=form.shapes if in_full else (),
        lead=lead(call, notation, each, row, bool(working), settings.working)
        if chained and (working or each)
        else (),
        working=working,
        rest=() if chained else rest,
        tables=tables,
        exact=tuple(row for rows in exact for row in rows) if in_full else (),
        exact_rest=others(step, notation, len(exact)) if exact and in_full else (),
        result=tuple(laid_out(form.symbol, stages)),
        elided=elided(call, notation)
        if not form.is_whole and any([is_elided(text) for _, text in stages])
        else (),
        # A tie that decides something is always told; equal scores and weights only with the working.
        remarks=sentences.remarks(step, notation)
        if form.has_remarks and (telling or call.op.powers is None)
        else (),
        check=sentences.check(step, notation) if telling and earlier is None else (),
        meanings=sentences.meanings(step, notation) if telling and form.is_normaliser else (),
        by_hand=sentences.by_hand(step, notation) if telling and mixes(step) and earlier is None else (),
        turning=turning(step),
        seen=say("As in part ({part}).", part=earlier) if earlier is not None else (),
    )


@kept_of_call
def step_title(call: Call, notation: Notation) -> Segments:
    """What a step does: in the words of the file as they are, or in ours in the reader's language."""
    if not call.title and is_turned_already(call, notation):
        return prose(template(TURNED_ALREADY))
    return prose(template(call.title or call.op.title))


def is_turned_already(call: Call, notation: Notation) -> bool:
    """Whether a step only transposes, and the course prints its matrix as it prints the transpose."""
    product = call.op.formula_for(call.options).product
    return len(product) == 1 and product[0].endswith("'") and not formulas.factors(call, notation)[0][1]


@kept_of_call
def lead(call: Call, notation: Notation, each: str, row: int, is_worked: bool, working: str) -> Segments:
    """What comes after a result: which of its numbers are worked out, and by which formula."""
    rows, columns = notation.frame(call.out).shape
    by = formula(each)
    told = bool(each) and "=" in each
    if not is_worked or rows * columns == 1:
        return say("That is, {formula}.", formula=by) if told else ()
    if working == "all" or (rows == 1 and call.op.formula.product):
        return say("Number by number from {formula}:", formula=by) if told else say("Number by number:")
    if not call.op.formula.product:
        return say("For example from {formula}:", formula=by) if told else say("For example:")
    number = row + notation.problem.index_from
    if notation.transposed(call.out):
        with_formula = message("Column {number} from {formula}; the others in the same way:")
        without = message("Column {number}; the others in the same way:")
    else:
        with_formula = message("Row {number} from {formula}; the others in the same way:")
        without = message("Row {number}; the others in the same way:")
    return say(with_formula if told else without, number=number, formula=by)


def step_tables(page: Page, step: Step, shown: int) -> tuple[Table, ...]:
    """The tables of the row that is worked out, `shown`, or of all rows."""
    every = page.settings.working == "all"
    made = []
    for row in range(step.value.shape[0]) if every else (shown,):
        exponentials = weights_table(page.trace, step, row, page.notation)
        table = exponentials or ledger_table(step, row, page.notation)
        made += [table] if table is not None and table not in made else []
    return tuple(made)


def elided(call: Call, notation: Notation) -> Segments:
    """A word on what dots stand for: nothing that is asked for is left out of the answer."""
    size, symbol = formula(notation.shape(call.out)), formula(notation.symbol(call.out))
    return say("Not every number of the {size} matrix {symbol} is shown here.", size=size, symbol=symbol)


@kept_of_call
def step_marks(call: Call, notation: Notation) -> Segments:
    """What the file gives for a step; a part's one number stands in its heading."""
    if not notation.part.marks or "" in notation.part.marks:
        return ()
    total = worth(notation.problem, notation.part, call).total
    return sentence(in_words(total).replace(" ", "\u00a0")) if total else ()


def mixes(step: Step) -> bool:
    """Whether rounded weights would be used here by somebody who works by hand."""
    return step.call.op.check is Check.BETWEEN_VALUES


def turning(step: Step) -> Segments:
    """Where a closed form ends: the reader is told that decimals go on, and why."""
    if step.value.kind != "certified" or any(value.kind == "certified" for value in step.inputs):
        return ()
    return say(
        "There is no exact form that could be read here, so from this step on the numbers are "
        "certified decimals: every digit shown is proven."
    )


def for_all_and_each(whole: str, each: str) -> str:
    """The formula for the whole matrix and for one of its vectors, unless they say the same."""
    return whole if not each or each == whole else rf"{whole}, \qquad {each}"


@kept_of_call
def shapes(call: Call, notation: Notation) -> Segments:
    """`(4×3)(3×2) gives 4×2`, for products of matrices."""
    formula_of = call.op.formula_for(call.options)
    if len(formula_of.product) < 2 or formula_of.added or notation.frame(call.out).shape == (1, 1):
        return ()
    pieces = []
    for name, _, turned in formulas.factors(call, notation):
        rows, columns = notation.frame(name).shape
        pieces.append(f"({columns} \\times {rows})" if turned else f"({rows} \\times {columns})")
    product, size = formula(" ".join(pieces)), formula(notation.shape(call.out))
    return say("{product} gives {size}.", product=product, size=size)
