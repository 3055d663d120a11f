"""Steps whose numbers have letters in them, in print: formulas all the way, and no decimals."""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.exact import Matrix
from attnsolve.exact.formulas.cells import Formula
from attnsolve.exact.masked import shown
from attnsolve.ops import Family
from attnsolve.rendering import formulas
from attnsolve.rendering.derivations.formulas import markup
from attnsolve.rendering.lines import is_too_wide, others
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pages import Page
from attnsolve.rendering.printing import show
from attnsolve.rendering.steps import StepView, shapes, step_heading, step_marks, step_title
from attnsolve.rendering.text import Segments, formula, listed, say, sentence
from attnsolve.rendering.widths import PAGE, WIDEST_MATRIX, Rows, laid_out, width
from attnsolve.statements.tree import Name, Quotient, Sum, Tree
from attnsolve.trace import Step
from attnsolve.working import Decimal, Line

# A sum of exponentials that is wider than this gets a name.
LONG_SUM = PAGE / 8
# So many numbers are all worked out; of larger results one row is.
MOST_WORKED = 6


def has_letters(step: Step) -> bool:
    """Whether a step works with formulas."""
    return any(shown(value).kind == "formula" for value in (step.value, *step.inputs))


def letter_step_view(page: Page, step: Step, number: int, *, faded: bool) -> StepView:
    """A step as a reader sees it; `faded` ones show formula and result only."""
    call, notation = step.call, page.notation
    earlier = page.earlier(step)
    named = name_sums(step, notation)
    faded |= page.settings.working == "fade" and page.worked.is_shown(step)
    is_full = page.telling and not faded and earlier is None
    rows = rows_worked(page, step)
    working = tuple(worked(page, step, rows)) if is_full else ()
    if working:
        page.worked.show(step)
    matrix = notation.matrix(call.out, notation.rows(step.value))
    symbol, in_symbols = notation.symbol(call.out), formulas.symbols(call, notation)
    stages = [("=", in_symbols)]
    is_short = all(shown(value).is_short() for value in step.inputs)
    put_in = formulas.put_in(step, notation) if is_full and is_short else ""
    stages += [("=", put_in)] if put_in else []
    is_wide = width(matrix) > WIDEST_MATRIX
    result = laid_out(symbol, stages if is_wide else [*stages, ("=", matrix)])
    result += entries(step, notation) if is_wide else []
    return StepView(
        name=call.out,
        number=number,
        title=step_title(call, notation),
        heading=step_heading(call, notation, number),
        marks=step_marks(call, notation),
        formula="",
        sizes=formulas.sizes(call, notation),
        shapes=shapes(call, notation) if is_full else (),
        lead=lead(call.op.family, named) if working else (),
        working=working,
        rest=others(step, notation, len(rows)) if working else (),
        tables=(),
        exact=(),
        exact_rest=(),
        result=tuple(result),
        elided=(),
        remarks=() if working else tuple(say("Here {sizes}.", sizes=sum_) for sum_ in named),
        check=(),
        meanings=(),
        by_hand=(),
        seen=say("As in part ({part}).", part=earlier) if earlier is not None else (),
        turning=(),
    )


def lead(family: Family | None, sums: list[Segments]) -> Segments:
    """What stands before the working."""
    if sums:
        return say("The exponentials of a row are divided by their sum, {sums}:", sums=listed(sums))
    if family is Family.NORMALISER:
        return say("The exponentials of a row are divided by their sum:")
    return say("Number by number:")


def rows_worked(page: Page, step: Step) -> range:
    """The rows whose working is shown."""
    rows, columns = step.value.shape
    if page.settings.working == "all" or rows * columns <= MOST_WORKED:
        return range(rows)
    row = page.row_of(step)
    return range(row, row + 1)


def worked(page: Page, step: Step, rows: range) -> Iterator[Rows]:
    """The working of some rows; what is nothing but the result again is left out."""
    block: list[tuple[str, str]] = []
    lines = [(line, stages_of(page, step, line)) for line in step.lines() if line.i in rows]
    telling = [(line, stages) for line, stages in lines if len(stages) > 1]
    for line, stages in telling if 2 * len(telling) > len(lines) else ():
        block += laid_out(page.notation.entry(step.call.out, line.i, line.j), stages)
    if block:
        yield tuple(block)


def stages_of(page: Page, step: Step, line: Line) -> list[tuple[str, str]]:
    """What is equal to one number, one after the other, down to its formula."""
    notation, texts = page.notation, list[str]()
    flipped = notation.transposed(step.call.out)
    for stage in line.stages:
        if isinstance(stage.expression, Decimal) or (stage.fine and page.settings.detail != "products"):
            continue
        texts.append(show(stage.expression, notation, flipped=flipped))
    texts.append(notation.number(step.value.cell(line.i, line.j)))
    kept = [text for place, text in enumerate(texts) if text not in texts[:place] and not is_too_wide(text)]
    return [("=", text) for text in kept]


def entries(step: Step, notation: Notation) -> list[tuple[str, str]]:
    """A result that is too wide for a matrix, number by number."""
    made: list[tuple[str, str]] = []
    for i, j, cell in step.value.cells():
        made += laid_out(notation.entry(step.call.out, i, j), [("=", notation.number(cell))])
    return made


def name_sums(step: Step, notation: Notation) -> list[Segments]:
    """Names for long sums of exponentials, which results are divided by, and what they stand for."""
    new = [tree for tree in sums_below(step.value) if tree not in notation.sums]
    long = [tree for tree in new if width(markup(tree)) > LONG_SUM]
    single = len(long) == 1 and not notation.sums
    said = []
    for tree in long:
        name = Name("D", () if single else (str(len(notation.sums) + 1),))
        notation.sums[tree] = name
        said.append(sentence(formula(f"{markup(name)} = {markup(tree)}")))
    return said


def sums_below(value: Matrix) -> list[Tree]:
    """The sums of exponentials that the numbers of a matrix are divided by, in their order."""
    found: dict[Tree, None] = {}
    for _, _, cell in value.cells():
        tree = cell.tree if isinstance(cell, Formula) else None
        for term in tree.terms if isinstance(tree, Sum) else (tree,):
            if isinstance(term, Quotient):
                found[term.under] = None
    return list(found)
