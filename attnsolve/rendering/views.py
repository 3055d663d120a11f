"""From a trace to plain records of str, int, bool and tuples: all that a template ever sees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from attnsolve.errors import Undecided
from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.attention import Exponentials
from attnsolve.exact.closed import canonical
from attnsolve.ops import NORMALISERS
from attnsolve.problem import Part, Problem, Target
from attnsolve.published import judge
from attnsolve.rendering import formulas, numerals, sentences
from attnsolve.rendering.maps import Map, attention_map
from attnsolve.rendering.notation import Notation, bmatrix, is_selection
from attnsolve.rendering.pitfalls import Pitfall, differs, wrong_values
from attnsolve.rendering.printing import show
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.tables import Table, denominator_symbol, weights_table
from attnsolve.rendering.text import Segments, formula, paragraphs, prose, sentence
from attnsolve.rendering.widths import PAGE, laid_out, width
from attnsolve.trace import Step, Trace
from attnsolve.working import Line

# Exact forms longer than this many rows are given by their first one.
MOST_EXACT_ROWS = 4
# An exact form wider than this is left to its decimals.
WIDEST_FORM = 2 * PAGE

Rows = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StepView:
    """One step in print: formula, numbers put in, working, result, and what can be said about it."""

    name: str
    number: int
    title: str
    marks: int
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


@dataclass(frozen=True, slots=True)
class GroupView:
    """The steps of one head or case, or those that belong to none."""

    title: str
    note: Segments
    steps: tuple[StepView, ...]


@dataclass(frozen=True, slots=True)
class PartView:
    """One question and its answer."""

    id: str
    title: Segments
    ask: tuple[Segments, ...]
    marks: int
    givens: tuple[str, ...]
    groups: tuple[GroupView, ...]
    answers: tuple[str, ...]
    discuss: tuple[Segments, ...]
    maps: tuple[Map, ...]
    pitfall: Pitfall | None
    published: tuple[Segments, ...]
    note: Segments


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A whole sheet."""

    name: str
    title: Segments
    source: Segments
    intro: tuple[Segments, ...]
    parts: tuple[PartView, ...]
    marks: int
    several: bool
    rounding: Segments
    detail: str


def document(trace: Trace, settings: Settings) -> DocumentView:
    """A problem and its solution as a reader sees them."""
    problem = trace.problem
    shown: set[str] = set()
    numbers = Numbering()
    parts = []
    for part in problem.parts:
        notation = notation_for(problem, part, settings)
        parts.append(part_view(trace, part, notation, settings, shown, numbers))
    return DocumentView(
        name=problem.name,
        title=prose(problem.title),
        source=prose(problem.source),
        intro=paragraphs(problem.intro),
        parts=tuple(parts),
        marks=sum(part.total for part in problem.parts),
        several=len(problem.parts) > 1,
        rounding=rounding_note(problem),
        detail=settings.detail,
    )


def notation_for(problem: Problem, part: Part, settings: Settings) -> Notation:
    """How this part is written, after what the reader chose and what the file says."""
    style = settings.numbers or problem.numbers
    places = problem.places if settings.places is None else settings.places
    return Notation(problem, part, style=style, places=places)


def rounding_note(problem: Problem) -> Segments:
    """How the sheet wants intermediate values rounded."""
    if problem.rounding is None:
        return ()
    word = {"half_up": "rounded", "half_even": "rounded half to even", "truncate": "cut off"}[problem.rounding.mode]
    return sentence(f"Every intermediate value is {word} to {problem.rounding.carry} places before it is used again.")


class Numbering:
    """Step numbers, and what has been worked out in full already."""

    def __init__(self) -> None:
        self.done: dict[tuple[object, ...], str] = {}

    def earlier(self, step: Step) -> str | None:
        """The part in which the very same step was carried out before."""
        key = (step.call.op, resolved(step), repr(sorted(step.call.options.items())))
        known = self.done.get(key)
        self.done.setdefault(key, step.call.out)
        return known if known is not None and known.partition(".")[0] != step.call.part else None


def resolved(step: Step) -> tuple[int, ...]:
    """The inputs themselves: the same matrix object means the same numbers."""
    return tuple(map(id, step.inputs))


def part_view(trace: Trace, part: Part, notation: Notation, settings: Settings, shown: set[str], numbers: Numbering) -> PartView:
    solution = settings.sheet == "solution"
    steps = [step for step in trace.of_part(part.id) if not is_selection(step.call)]
    detailed = solution and settings.detail != "result"
    return PartView(
        id=part.id,
        title=prose(part.title),
        ask=paragraphs(part.ask),
        marks=part.total,
        givens=given_rows(part, notation, shown),
        groups=tuple(group_views(trace, part, steps, notation, settings, numbers)) if detailed else (),
        answers=packed(answer(trace, target, notation) for target in part.find) if solution else (),
        discuss=paragraphs(part.discuss) if solution else (),
        maps=tuple(attention_map(trace.step(name), notation) for name in part.plots) if solution else (),
        pitfall=pitfall(trace, part, notation) if detailed else None,
        published=published(trace, part, notation) if solution else (),
        note=prose(part.note) if solution else (),
    )


def given_rows(part: Part, notation: Notation, shown: set[str]) -> tuple[str, ...]:
    """The givens that this part is the first to need."""
    new = [name for name in part.givens if name in notation.problem.givens and name not in shown]
    shown.update(new)
    return packed(f"{notation.symbol(name)} = {notation.matrix(name, notation.given_rows(name))}" for name in new)


def packed(formulas: Iterable[str]) -> tuple[str, ...]:
    """Short formulas side by side, as many as a line holds."""
    lines: list[str] = []
    for text in formulas:
        if lines and width(lines[-1]) + width(text) + 6 < PAGE:
            lines[-1] += rf", \qquad {text}"
        else:
            lines.append(text)
    return tuple(lines)


def group_views(
    trace: Trace, part: Part, steps: list[Step], notation: Notation, settings: Settings, numbers: Numbering
) -> Iterable[GroupView]:
    """Heads and cases under their own headings; the first in full, later ones in matrices."""
    for alias, target in part.aliases.items():
        yield GroupView(group_title(alias), sentence(f"This is the head of part ({target}); its output is ", formula(notation.symbol(f"{target}.Z")), "."), ())
    first_heads = {step.call.group for step in steps if step.call.group}
    full = min(first_heads, default="") if not part.aliases else ""
    number = 0
    pending: list[StepView] = []
    current = steps[0].call.group if steps else ""
    for step in steps:
        if step.call.group != current:
            yield GroupView(group_title(f"{part.id}.{current}") if current else "", (), tuple(pending))
            pending, current = [], step.call.group
        number += 1
        faded = settings.working == "fade" and bool(current) and current != full
        pending.append(step_view(trace, step, number, part, notation, settings, numbers, faded=faded))
    if pending:
        together = bool(part.aliases or first_heads) and not current
        title = "Together" if together else group_title(f"{part.id}.{current}") if current else ""
        yield GroupView(title, (), tuple(pending))


def group_title(name: str) -> str:
    """`Head 2` for `c.head2`, `Case 1, head 2` for `c.case1.head2`."""
    words = [piece.replace("head", "head ").replace("case", "case ") for piece in name.split(".")[1:]]
    return ", ".join(words).capitalize()


def step_view(
    trace: Trace, step: Step, number: int, part: Part, notation: Notation, settings: Settings, numbers: Numbering, *, faded: bool
) -> StepView:
    call = step.call
    earlier = numbers.earlier(step)
    name_denominators(step, notation)
    cells = settings.detail in ("cells", "products") and not faded and earlier is None
    working, rest = worked(step, notation, settings) if cells else ((), ())
    normaliser = call.op in NORMALISERS
    table = weights_table(trace, step, 0, notation) if cells and normaliser else None
    if table is not None:
        working, rest = (), ()  # the table holds what the lines would say again
    exact = exact_rows(step, notation, settings) if earlier is None and not faded else ()
    symbol, in_symbols = notation.symbol(call.out), formulas.symbols(call, notation)
    substituted = formulas.put_in(step, notation) if earlier is None else ""
    stages = result_stages(step, notation)
    each = formulas.each(call, notation) if not faded and earlier is None else ""
    compact = not (working or table or exact or each)
    if compact:  # nothing stands between formula and result: one chain of equations says it all
        stages = [("=", in_symbols), *([("=", substituted)] if substituted else []), *stages]
    return StepView(
        name=call.out,
        number=number,
        title=call.title or call.op.title,
        marks=part.marks.get(call.out.partition(".")[2], part.marks.get(call.letter, 0) if not call.group else 0),
        formula="" if compact else in_words(f"{symbol} = {in_symbols}", each),
        sizes=formulas.sizes(call, notation),
        shapes=shapes(step, notation) if not faded and earlier is None else (),
        put_in=tuple(laid_out(symbol, [("=", substituted)])) if substituted and not compact else (),
        working=working,
        rest=rest,
        table=table,
        exact=exact,
        result=tuple(laid_out(symbol, stages)),
        remarks=sentences.remarks(step, notation),
        check=sentences.check(step, notation) if earlier is None else (),
        meanings=sentences.meanings(step, notation) if normaliser else (),
        by_hand=sentences.by_hand(step, notation) if call.op.check == "between-values" and earlier is None else (),
        seen=sentence(f"As in part ({earlier.partition('.')[0]}).") if earlier is not None else (),
    )


def in_words(whole: str, each: str) -> str:
    """The formula for the whole matrix and for one of its vectors, unless they say the same."""
    return whole if not each or each == whole else rf"{whole}, \qquad {each}"


def name_denominators(step: Step, notation: Notation) -> None:
    """Give each row's denominator a name, so that later results can be written over it."""
    if not isinstance(step.value, Exponentials) or step.value.totals is None:
        return
    rows = step.value.shape[0]
    for i, below in enumerate(step.value.totals):
        whole = below.terms()
        _, short = canonical(whole, whole)
        if len(short.terms) < 2:
            continue
        generator = next(iter(short.terms))
        scale = whole.terms.get(generator, Fraction(1)) / short.terms[generator]
        if whole != short.scaled(scale):
            continue
        name = denominator_symbol(i, notation, single=rows == 1, superscript=notation.superscript(step.call.out))
        notation.denominators[short] = (name, scale)


def shapes(step: Step, notation: Notation) -> Segments:
    """`(4×3)(3×2) gives 4×2`, for products of matrices."""
    made = step.call.op.formula_for(step.call.options)
    if not made.product or step.value.shape == (1, 1):
        return ()
    pieces = []
    for name, _, turned in formulas.factors(step.call, made, notation):
        rows, columns = notation.frame(name).shape
        pieces.append(f"({columns} \\times {rows})" if turned else f"({rows} \\times {columns})")
    return sentence(formula(" ".join(pieces)), " gives ", formula(notation.shape(step.call.out)), ".")


def worked(step: Step, notation: Notation, settings: Settings) -> tuple[tuple[Rows, ...], Segments]:
    """The working of the first row, or of all rows; and a word on the others."""
    lines = step.lines()
    if not lines:
        return (), ()
    rows = step.value.shape[0]
    if settings.working == "fade" and not step.call.op.formula.product:
        # The same is done to every number: one of them shows how, a zero would show nothing.
        telling = next((line for line in lines if not step.value.cell(line.i, line.j).is_zero()), lines[0])
        return (tuple(line_rows(step, telling, notation, settings)),), sentence("The others in the same way.")
    wanted = rows if settings.working == "all" else 1
    blocks = []
    for i in range(wanted):
        block: list[tuple[str, str]] = []
        for line in lines:
            if line.i == i:
                block += line_rows(step, line, notation, settings)
        blocks.append(tuple(block))
    word = "column" if notation.transposed(step.call.out) else "row"
    rest = sentence(f"The other {word}s in the same way.") if wanted < rows else ()
    return tuple(blocks), rest


def line_rows(step: Step, line: Line, notation: Notation, settings: Settings) -> list[tuple[str, str]]:
    """One line of working, broken where the page ends."""
    flipped = notation.transposed(step.call.out)
    stages: list[tuple[str, str]] = []
    for stage in line.stages:
        if stage.fine and settings.detail != "products":
            continue
        sign = relation(stage.relation == "=")
        text = show(stage.expression, notation, flipped=flipped)
        if stages and (text == stages[-1][1] or (sign != "=" and step.value.cell(line.i, line.j).decimals(notation.places).exact)):
            continue
        if sign == "=" and width(text) > WIDEST_FORM:
            continue
        stages.append((sign, text))
    return laid_out(notation.entry(step.call.out, line.i, line.j), stages)


def exact_rows(step: Step, notation: Notation, settings: Settings) -> Rows:
    """Weights row by row over their named denominators; other results are exact in `result`."""
    value = step.value
    if not isinstance(value, Exponentials) or value.totals is None:
        return ()
    rows = value.shape[0]
    many = rows if settings.working == "all" else min(rows, MOST_EXACT_ROWS)
    made: list[tuple[str, str]] = []
    for i in range(many):
        name = denominator_symbol(i, notation, single=rows == 1, superscript=notation.superscript(step.call.out))
        powers = [numerals.combination(power_terms(value, i, j), notation.style) for j in range(value.shape[1])]
        left = notation.line(step.call.out, i)
        matrix = bmatrix([[power] for power in powers] if notation.transposed(step.call.out) else [powers])
        below = numerals.combination(value.totals[i].terms(), notation.style)
        if width(below) > WIDEST_FORM:
            return ()
        made += laid_out(left, [("=", f"\\frac{{1}}{{{name}}} {matrix},"), (rf"\quad {name} =", below)])
    return tuple(made)


def power_terms(value: Exponentials, i: int, j: int):  # type: ignore[no-untyped-def]
    """The exponential of one cell, before it is divided."""
    return Exponentials(value.scale, value.keys).cell(i, j).quotients[0][0]


def result_stages(step: Step, notation: Notation) -> list[tuple[str, str]]:
    """`= exact ≈ decimals`, as far as each can be read; what is carried on, when that is rounded."""
    stages: list[tuple[str, str]] = []
    exact = ""
    if step.value.kind != "attention" and notation.has_form(step.value):
        exact = notation.matrix(step.call.out, notation.rows(step.value))
        stages.append(("=", exact))
    rounded = notation.decimals(step.value)
    if not exact or not all(cell.exact for row in rounded for cell in row):
        decimals = [[numerals.rounded(cell) for cell in row] for row in rounded]
        exactly = all(cell.exact for row in rounded for cell in row)
        stages.append((relation(exactly), notation.matrix(step.call.out, decimals)))
    if notation.problem.rounding is not None and step.carried is not step.value:
        carried = notation.matrix(step.call.out, carried_rows(step.carried))
        if carried != stages[-1][1]:
            stages.append((r"\approx", carried))
    return stages


def carried_rows(value: Matrix) -> list[list[str]]:
    """Rounded values as the student writes them on."""
    assert isinstance(value, Rationals)
    places = len(str(value.denominator)) - 1
    return [[numerals.decimal_text(x, places) for x in row] for row in value.rows]


def answer(trace: Trace, target: Target, notation: Notation) -> str:
    """What was asked for, exactly where that is short, else in decimals."""
    value = trace.step(target.name).value if "." in target.name else trace.value(target.name)
    if target.row is not None and target.column is not None:
        cell = value.cell(target.row, target.column)
        left = notation.entry(target.name, target.row, target.column)
        rounded = cell.decimals(notation.places)
        if isinstance(value, Rationals):
            return f"{left} = {notation.number(cell)}"
        return f"{left} {relation(rounded.exact)} {numerals.rounded(rounded)}"
    left = notation.symbol(target.name)
    if target.row is not None:
        left, value = notation.vector(target.name, target.row), value.take([target.row])
    if isinstance(value, Rationals):
        return f"{left} = {short_matrix(target, notation, notation.rows(value))}"
    rounded_rows = notation.decimals(value)
    exact = all(cell.exact for row in rounded_rows for cell in row)
    rows = [[numerals.rounded(cell) for cell in row] for row in rounded_rows]
    return f"{left} {relation(exact)} {short_matrix(target, notation, rows)}"


def relation(exact: bool) -> str:
    """= between equal things, ≈ before rounded ones."""
    return "=" if exact else r"\approx"


def short_matrix(target: Target, notation: Notation, rows: list[list[str]]) -> str:
    """A single vector as (a, b, c); anything else in brackets."""
    if len(rows) == 1:
        return "(" + r",\ ".join(rows[0]) + ")"
    return notation.matrix(target.name, rows)


def pitfall(trace: Trace, part: Part, notation: Notation) -> Pitfall | None:
    """The first catalogued mistake that shows in the answer."""
    if not part.find or not part.calls:
        return None
    target = part.find[-1]
    try:
        for name, advice, values in wrong_values(trace, part):
            if differs(values, trace, target.name, notation.places):
                rows = [[numerals.rounded(cell) for cell in row] for row in values[target.name].decimals(notation.places)]
                left = notation.symbol(target.name)
                return Pitfall(name, sentence(advice), f"{left} \\approx {short_matrix(target, notation, rows)}")
    except Undecided:
        return None  # a box that cannot be proven is left out
    return None


VERDICTS = {
    "right": "the sheet prints {typed}, which is exactly right",
    "rounded": "the sheet prints {typed}, which is right, rounded",
    "truncated": "the sheet prints {typed}, which is cut off; rounded it is {expected}",
    "wrong": "the sheet prints {typed}, which is wrong; it should be {expected}",
    "undecided": "the sheet prints {typed}; whether that is exact could not be decided",
}


def published(trace: Trace, part: Part, notation: Notation) -> tuple[Segments, ...]:
    """Whether the sheet's own key is right: one word if all of it is, else each number that is not."""
    findings = judge(trace, part)
    if not findings:
        return ()
    bad = [finding for finding in findings if not finding.fine]
    if not bad:
        return (sentence("The answers printed on the source sheet agree with these."),)
    told = []
    for finding in bad:
        target = finding.target
        place = notation.entry(target.name, target.row or 0, target.column or 0)
        told.append(sentence(formula(place), ": ", VERDICTS[finding.verdict].format(typed=finding.typed, expected=finding.expected), "."))
    return tuple(told)
