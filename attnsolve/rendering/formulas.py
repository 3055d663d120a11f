"""An op's formula in the course's own notation: symbols first, then the numbers put in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

from attnsolve.inner_values import is_inner
from attnsolve.languages import counted_message, message, template, translated, translated_count
from attnsolve.ops import Formula, Option
from attnsolve.problem import Call
from attnsolve.records import NamedTuple
from attnsolve.rendering.forms import kept_of_call
from attnsolve.rendering.markup import ALL_SHOWN, is_elided, powered, raised
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.printing import show
from attnsolve.rendering.widths import PAGE, WIDEST_MATRIX, is_wider, side_by_side
from attnsolve.trace import Step
from attnsolve.working import Expression, Num, Symbol, evaluate

# A slot, and what is raised behind it: the symbol that fills it may have something there already.
SLOT = re.compile(r"\$\{(\w+)(?::(\w+)|(\.\.\.))?\}(?:\^(?:\{([^{}]*)\}|(\w)))?")
TRANSPOSED = r"\top"
PI = "pi"
# A product that has to be printed much smaller says less than its working.
WIDEST = WIDEST_MATRIX
OPTIONAL = re.compile(r"\$\[(\w+):([^\]]*)\]")
# Which rows or columns of a matrix are taken.
ROWS = counted_message("row {numbers}", "rows {numbers}")
COLUMNS = counted_message("column {numbers}", "columns {numbers}")
ROWS_FROM = message("rows {first} to {last}")
COLUMNS_FROM = message("columns {first} to {last}")


@kept_of_call
def symbols(call: Call, notation: Notation) -> str:
    """What a result is in symbols: `X W_Q`, `K^T Q`, `softmax(S)`."""
    formula = call.op.formula_for(call.options)
    return product(call, formula, notation) if formula.product else filled(formula.matrix, call, notation)


@kept_of_call
def each(call: Call, notation: Notation) -> str:
    """The same for one vector or cell, or nothing when the op has no such spelling."""
    formula = call.op.formula_for(call.options)
    columns = notation.problem.convention.tokens == "columns"
    source = formula.each_column if columns and formula.each_column else formula.each
    if source:
        return filled(source, call, notation)
    if formula.product:
        return f"{notation.vector(call.out, 'i')} = {product(call, formula, notation, token='i')}"
    return ""


@kept_of_call
def factors(call: Call, notation: Notation) -> list[tuple[str, bool, bool]]:
    """(name, is its symbol transposed, are its numbers) for each factor, in the order of the course.

    The engine's product is written with tokens as rows; where the result is displayed the other way
    round, the whole product is: (X W)ᵀ = Wᵀ Xᵀ.
    """
    return factors_of(call, call.op.formula_for(call.options).product, notation)


def factors_of(call: Call, slots: Iterable[str], notation: Notation) -> list[tuple[str, bool, bool]]:
    """The same for some parameters of a call: one of the products that it adds up."""
    turned = notation.transposed(call.out)
    arguments = dict(zip(call.op.parameters, call.args, strict=False))
    made = []
    for slot in slots:
        name = arguments[slot.rstrip("'")]
        internal = slot.endswith("'") != turned
        made.append((name, internal != notation.transposed(name), internal))
    return made[::-1] if turned else made


def product(call: Call, formula: Formula, notation: Notation, *, token: str = "") -> str:
    """The factors as symbols, with a bias if there is one; for a single `token` its vector stands first."""
    arguments = dict(zip(call.op.parameters, call.args, strict=False))
    products = []
    for slots in filter(None, (formula.product, formula.added)):
        listed = factors_of(call, slots, notation)
        shown = [
            notation.transpose(name) if transposed else notation.symbol(name)
            for name, transposed, _ in listed
        ]
        if token:  # the tokens are the engine's first factor, the last one where the product is turned
            place = -1 if notation.transposed(call.out) else 0
            shown[place] = notation.vector(listed[place][0], token)
        products.append(" ".join(shown))
    bias = [notation.symbol(arguments[formula.plus])] if formula.plus in arguments else []
    return " + ".join([*products, *bias])


class Operand(NamedTuple):
    """A factor of a product: its place among the inputs, its name, how it lies, whether it is given."""

    place: int
    name: str
    is_turned: bool
    is_given: bool


@kept_of_call
def operands(call: Call, notation: Notation) -> tuple[tuple[Operand, ...], ...]:
    """What stands side by side in each of the products that an op adds up; nothing where it has none."""
    formula = call.op.formula_for(call.options)
    if len(formula.product) < 2:
        return ()
    return tuple(
        tuple(
            Operand(call.args.index(name), name, turned, name in notation.problem.givens)
            for name, _, turned in factors_of(call, slots, notation)
        )
        for slots in filter(None, (formula.product, formula.added))
    )


@kept_of_call
def addend(call: Call, notation: Notation) -> int | None:
    """Where among its inputs a product has what is added to it, such as a bias."""
    plus = call.op.formula_for(call.options).plus
    arguments = dict(zip(call.op.parameters, call.args, strict=False))
    return call.args.index(arguments[plus]) if plus in arguments else None


@kept_of_call
def are_small(call: Call, notation: Notation) -> bool:
    """Whether all matrices of a step have so few rows and columns that none is shown by its corners."""
    return max(chain(*(notation.frame(name).shape for name in (*call.args, call.out)))) <= ALL_SHOWN


def put_in(step: Step, notation: Notation) -> str:
    """The product with its numbers: matrices side by side; nothing for other ops."""
    call, inputs = step.call, step.inputs
    products = []
    for factors in operands(call, notation):
        shown = []
        for place, name, turned, given in factors:
            value = inputs[place]
            if value.kind == "attention" or not (given or notation.is_readable(value)):
                return ""
            shown.append(notation.written(name, value, flipped=turned))
        products.append(side_by_side(shown))
    if not products:
        return ""
    text = " + ".join(products)
    if any([value.kind == "symbolic" for value in inputs]) and is_wider(text, PAGE / 2):
        return ""
    added = addend(call, notation)
    if added is not None:
        if inputs[added].shape[1] != step.value.shape[1]:
            return ""  # a single number that is added to every score stands in the formula already
        text += f" + {notation.matrix(call.args[added], notation.rows(inputs[added]))}"
    # A product of matrices that are shown by their corners, or run off the page, says nothing.
    return "" if (not are_small(call, notation) and is_elided(text)) or is_wider(text, WIDEST) else text


def filled(source: str, call: Call, notation: Notation, *, row: int | None = None) -> str:
    """A formula with its slots filled by the names of this call; `row` takes the place of i.

    Words in it are the reader's.
    """

    def fill(match: re.Match[str]) -> str:
        symbol, above = slot_symbol(match, call, notation, row), match[4] or match[5]
        if not above:
            return symbol
        return raised(symbol, above) if above == TRANSPOSED else powered(symbol, above)

    if r"\text{" in source:
        source = template(source)
    if "$[" in source:
        arguments = arguments_of(call)
        source = OPTIONAL.sub(lambda match: match[2] if match[1] in arguments else "", source)
    return SLOT.sub(fill, source)


def arguments_of(call: Call) -> dict[str, str]:
    """The names of a call by the parameters of its op, and of its result."""
    return dict(zip(call.op.parameters, call.args, strict=False)) | {"out": call.out}


def slot_symbol(match: re.Match[str], call: Call, notation: Notation, row: int | None) -> str:
    """What fills a slot: the symbol of a matrix, a vector or a number, an option, or all heads in a row."""
    slot, part, gathered = match.groups()[:3]
    if slot == "local":
        return notation.local(part)
    if slot == "counted":
        return counted(int(call.options.get(part, "0")), call, notation)
    if gathered or part == "beneath":
        return r"\begin{bmatrix} " + put_together(call, notation, beneath=not gathered) + r" \end{bmatrix}"
    if part == "summed":
        return " + ".join(laid(name, call, notation) for name in call.args)
    option = next((option for option in call.op.options if option.name == slot), None)
    if option is not None:
        return symbol_of(option, notation) or show(call.options.get(slot, option.default), notation)
    name = arguments_of(call)[slot]
    if part is None:
        return notation.symbol(name)
    if part == "laid":
        return laid(name, call, notation)
    if part in ("rows", "columns"):
        return taken(part, name, call, notation)
    if part == "query":
        return notation.query(name)
    if part == "target":
        return aimed_at(name, call, notation)
    if len(part) == 1:
        return notation.vector(name, part)
    return notation.entry(name, part[0] if row is None else row, part[1])


def laid(name: str, call: Call, notation: Notation) -> str:
    """The symbol of a value, transposed where the course prints it the other way round than the result."""
    turned = notation.transposed(name) != notation.transposed(call.out)
    return notation.transpose(name) if turned else notation.symbol(name)


def counted(first: int, call: Call, notation: Notation) -> str:
    """The place of token t: `t`, or `(t - 1)` where places count from 0 and the sheet's tokens from 1."""
    if notation.single(call.out):
        return str(first)
    shift = first - notation.problem.index_from
    return f"(t {'+' if shift > 0 else '-'} {abs(shift)})" if shift else "t"


def symbol_of(option: Option, notation: Notation) -> str:
    """What stands for an option; nothing, so that its number does, where the exercise calls something so."""
    return "" if notation.is_taken(option.symbol) else option.symbol


def put_together(call: Call, notation: Notation, *, beneath: bool) -> str:
    """Matrices side by side or beneath each other; the other way round where tokens are columns."""
    turned = notation.transposed(call.out)
    return (r" \\ " if beneath != turned else " & ").join(notation.symbol(name) for name in call.args)


def taken(what: str, name: str, call: Call, notation: Notation) -> str:
    """`X, row 2` or `Q, columns 1 to 2`, as a reader says it."""
    first = notation.problem.index_from
    along = notation.transposed(name)
    if what == "rows":
        chosen = next(call.options[option.name] for option in call.op.options if option.kind == "rows")
        which = translated_count(*(COLUMNS if along else ROWS), len(chosen), numbers=numbered(chosen, first))
    else:
        start, stop = call.options["start"] + first, call.options["stop"] - 1 + first
        if start == stop:
            which = translated_count(*(ROWS if along else COLUMNS), 1, numbers=start)
        else:
            which = translated(ROWS_FROM if along else COLUMNS_FROM, first=start, last=stop)
    return rf"{notation.symbol(name)} \text{{, {which}}}"


def aimed_at(name: str, call: Call, notation: Notation) -> str:
    """The entry of the right word: `y_2`, or `Y_{i, t_i}` for several rows."""
    target = call.options["target"]
    return notation.entry(name, 0, target[0]) if len(target) == 1 else notation.entry(name, "i", "t_i")


@kept_of_call
def sizes(call: Call, notation: Notation) -> str:
    """What the symbols of an option are worth: `d_k = 2, \\sqrt{d_k} = \\sqrt{2}`, or `\\tau = 3`."""
    for option in call.op.options:
        tree = call.options.get(option.name, option.default) if option.kind == "number" else None
        if tree is None or (is_inner(call) and not mentions(call, option)):
            continue
        value, named = notation.constant(evaluate(tree)), size_of(tree)
        known = f"{show(named, notation)} = {notation.constant(named.cell)}" if named is not None else ""
        own = symbol_of(option, notation)
        symbol = own or show(tree, notation)
        worth = "" if tree is named or not (own or known) else f"{symbol} = {value}"
        if known or worth:
            return ", \\quad ".join(filter(None, (known, worth)))
    return hidden_keys(call, notation)


def defaults(calls: Iterable[Call], notation: Notation) -> tuple[str, ...]:
    """What settings are worth that a file leaves to us: `\\varepsilon = 10^{-5}`."""
    made = [
        f"{symbol_of(option, notation)} = {notation.constant(evaluate(option.default))}"
        for call in calls
        for option in call.op.options
        if option.default is not None and option.symbol and option.name not in call.options
    ]
    return tuple(dict.fromkeys(made))


def mentions(call: Call, option: Option) -> bool:
    """Whether the formula of a call has an option in it; a value inside a step may not need all settings."""
    formula = call.op.formula_for(call.options)
    return f"${{{option.name}}}" in f"{formula.matrix} {formula.each}"


def hidden_keys(call: Call, notation: Notation) -> str:
    """What a mask with a list hides: `hidden: key 4`, `padding: query 4`, or how many keys are real."""
    first = notation.problem.index_from
    if "keys" in call.options:
        keys = call.options["keys"]
        return words_in_maths(
            translated_count(
                "hidden: key {numbers}", "hidden: keys {numbers}", len(keys), numbers=numbered(keys, first)
            )
        )
    if "queries" in call.options:
        axis = notation.frame(call.out).rows
        tokens = [axis.tokens[i] if axis.tokens is not None else i for i in call.options["queries"]]
        return words_in_maths(
            translated_count(
                "padding: query {numbers}",
                "padding: queries {numbers}",
                len(tokens),
                numbers=numbered(tokens, first),
            )
        )
    if "lengths" in call.options:
        return words_in_maths(
            translated("real keys: {numbers}", numbers=numbered(call.options["lengths"], 0))
        )
    return ""


def numbered(places: Iterable[int], first: int) -> str:
    """Places as the sheet counts them."""
    return ", ".join(str(place + first) for place in places)


def words_in_maths(text: str) -> str:
    """Words inside a formula."""
    return rf"\text{{{text}}}"


def size_of(tree: Expression) -> Symbol | None:
    """The first named size in an expression; π is what it is."""
    if isinstance(tree, Symbol):
        return None if tree.name == PI else tree
    for piece in tree:
        if isinstance(piece, tuple) and not isinstance(piece, Num):
            found = size_of(piece)  # type: ignore[arg-type]
            if found is not None:
                return found
    return None
