"""What can be said about numbers: where the weight goes, what a reader can check, what rounding does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce

from attnsolve.errors import Undecided
from attnsolve.exact import Cell, Matrix, Rationals, Rounded
from attnsolve.exact.balls import Balls
from attnsolve.exact.cells import Closed, add, total
from attnsolve.exact.decimals import decimal_text
from attnsolve.exact.exponentials import Exponentials, counted
from attnsolve.languages import decimal, message, quoted, translated
from attnsolve.ops import SUMS_TO_1, Axis, Check
from attnsolve.problem import Call
from attnsolve.rendering import numerals
from attnsolve.rendering.forms import kept_of_call
from attnsolve.rendering.notation import HUNDREDTHS, NoForm, Notation
from attnsolve.rendering.readable import largest
from attnsolve.rendering.text import Piece, Segments, formula, in_a_row, listed, say, say_count
from attnsolve.rendering.widths import is_wider
from attnsolve.trace import Step

# The place of a label that several tokens have.
NUMBERED = re.compile(r"\u00a0\(\d+\)$")
ALL, MOST_ROWS, MOST_CELLS = 100, 6, 4
# Rounding on the way may move a number by one part in so many and is still no slip.
WRITTEN_OUT = 30  # digits before the point that somebody might still write down
FINE = 20
# A wider number is told by its decimals.
LONGEST_NUMBER = 20
# Tokens that have neither a label nor a symbol.
QUERY, KEY = message("query {number}"), message("key {number}")


def meanings(step: Step, notation: Notation, *, most: int = MOST_ROWS) -> tuple[Segments, ...]:
    """For each query, where most of its weight goes; only for the first when there are many."""
    rows = step.value.shape[0]
    said = []
    signed = step.call.op.check is Check.SIGNED_ROWS_SUM_TO_1
    for i in range(rows if rows <= most else 1):
        if signed and has_negative(step.value, i):
            continue  # a share above 100 % on one key would puzzle rather than tell
        try:
            said.append(meaning(step, i, notation))
        except Undecided:
            continue  # which weight is the largest cannot be proven, so nothing is said
    return tuple(said)


def meaning(step: Step, i: int, notation: Notation) -> Segments:
    """What is said of a row of weights, below its step and of its picture."""
    row = step.call.out, i
    known = notation.said.get(row)
    if known is None or known[0] is not step.value:
        known = notation.said[row] = step.value, where_weight_goes(step, i, notation)
    return known[1]


def where_weight_goes(step: Step, i: int, notation: Notation) -> Segments:
    """`x_2 puts 60 % of its weight on x_1.`"""
    chosen = step.value.take([i]).maxima()[0]
    seen = [mentioned(key_token(step, j, notation), notation) for j in chosen]
    if len(chosen) == 1:
        share = hundredths(step.value, i, chosen[0], notation)
    else:
        share = reduce(add, [step.value.cell(i, j) for j in chosen]).rounded(HUNDREDTHS)
    query = mentioned(query_token(step, i, notation), notation)
    places: dict[str, Piece] = {"query": query, "keys": listed(seen), "share": portion(share)}
    if len(chosen) == step.value.shape[1] > 1:
        return begun(say("{query} spreads its weight evenly over {keys}.", **places))
    if len(chosen) > 2:
        return begun(say("{query} puts {share} on {keys}, an equal part on each.", **places))
    if len(chosen) == 2:
        return begun(say("{query} puts {share} on {keys}, half on each.", **places))
    return begun(say("{query} puts {share} on {keys}.", **places))


def hundredths(value: Matrix, i: int, j: int, notation: Notation) -> Rounded:
    """A number of a matrix rounded to 2 places, from its decimals where these tell.

    What is no decimal with the places of this sheet, where these are more, is none with 2 either.
    """
    told = notation.decimals(value)[i][j]
    steps = 10 ** max(0, told.places - HUNDREDTHS)
    whole, rest = divmod(abs(told.digits), steps)
    if told.exact or told.power is not None or told.places < HUNDREDTHS or 2 * rest == steps:
        return value.cell(i, j).rounded(HUNDREDTHS)
    digits = whole + (2 * rest > steps)
    return Rounded(-digits if told.digits < 0 else digits, HUNDREDTHS, False)


def has_negative(value: Matrix, i: int) -> bool:
    """Whether some number of a row is below 0."""
    return any(value.cell(i, j).sign() < 0 for j in range(value.shape[1]))


def mentioned(token: tuple[bool, str], notation: Notation) -> tuple[bool, str]:
    """A token inside a sentence: its label in quotes, so that “is” and “the” do not read as our own words."""
    if token[0] or not notation.problem.labels:
        return token
    known = {label for names in notation.problem.labels.values() for label in names}
    label, place = (token[1], "") if token[1] in known else (NUMBERED.sub("", token[1]), token[1])
    if label not in known:
        return token
    return False, quoted(label) + place.removeprefix(label)


def begun(words: Segments) -> Segments:
    """A sentence that starts with a capital letter, if it starts with a word."""
    (is_maths, first), *rest = words
    return words if is_maths else ((False, first[:1].upper() + first[1:]), *rest)


def portion(share: Rounded) -> str:
    """How much of its weight: in whole per cent, careful with what only rounds to all of it."""
    if share.digits == ALL and share.exact:
        return translated("all of its weight")
    if share.digits == ALL:
        return translated("nearly all of its weight")
    if share.exact:
        return translated("{number}\u00a0% of its weight", number=share.digits)
    return translated("about {number}\u00a0% of its weight", number=share.digits)


def query_token(step: Step, i: int, notation: Notation) -> tuple[bool, str]:
    """The token that asks, by its label or its symbol."""
    return queries(step.call, notation)[i]


def key_token(step: Step, j: int, notation: Notation) -> tuple[bool, str]:
    """The token that is looked at, by its label or its symbol."""
    return keys(step.call, notation)[j]


@kept_of_call
def queries(call: Call, notation: Notation) -> tuple[tuple[bool, str], ...]:
    """All tokens that ask."""
    axis = notation.frame(call.out).rows
    return tuple(token(axis, i, call.args[0], 0, notation, QUERY) for i in range(axis.size))


@kept_of_call
def keys(call: Call, notation: Notation) -> tuple[tuple[bool, str], ...]:
    """All tokens that are looked at."""
    axis = notation.frame(call.out).columns
    return tuple(token(axis, j, call.args[0], 1, notation, KEY) for j in range(axis.size))


def token(
    axis: Axis, index: int, name: str, side: int, notation: Notation, numbered: str
) -> tuple[bool, str]:
    """A token in a sentence: its label, its vector, or its number."""
    place = axis.tokens[index] if axis.tokens is not None else index
    label = axis.label(place)
    if label:  # the second “the” of a sentence is told from the first by its place
        again = axis.labels.count(label) > 1
        return False, f"{label}\u00a0({place + notation.problem.index_from})" if again else label
    # A side that runs over no tokens, as where scores were joined, has keys without a name.
    known = side == 0 or axis.tokens is not None or axis.size == 1
    source = notation.tokens_behind(name, side) if known else None
    if source is not None:
        return formula(notation.vector(source, place))
    return False, translated(numbered, number=place + notation.problem.index_from)


def row_sum(value: Matrix, i: int) -> Cell:
    """The exact sum of a row."""
    return added([value.cell(i, j) for j in range(value.shape[1])])


def added(cells: Sequence[Cell]) -> Cell:
    """The sum of a few numbers; closed forms are put together in one go."""
    closed = [cell for cell in cells if isinstance(cell, Closed)]
    if len(closed) == len(cells):
        return total(quotient for cell in closed for quotient in cell.quotients)
    return reduce(add, cells)


def check(step: Step, notation: Notation) -> Segments:
    """What a reader can verify; said only when it is proven."""
    if step.call.op.check in SUMS_TO_1:
        return sums_check(step, notation)
    averaging = step.call.op.check is Check.BETWEEN_VALUES and notation.is_normalised(step.call.args[0])
    if averaging and notation.problem.rounding is None:
        V = formula(notation.symbol(step.call.args[1]))
        if notation.transposed(step.call.args[1]):
            return say("Check: each number lies between the smallest and the largest of its row of {V}.", V=V)
        return say("Check: each number lies between the smallest and the largest of its column of {V}.", V=V)
    return ()


def sums_check(step: Step, notation: Notation) -> Segments:
    """Rows that sum to 1 exactly, and those that no longer do after rounding."""
    rows = step.value.shape[0]
    if not all(sums_to_one(step.value, i) for i in range(rows)):
        return ()
    turned = notation.transposed(step.call.out)
    said = [
        say("Check: the weights sum to exactly 1.")
        if rows == 1
        else say("Check: the weights of each column sum to exactly 1.")
        if turned
        else say("Check: the weights of each row sum to exactly 1.")
    ]
    signed = step.call.op.check is Check.SIGNED_ROWS_SUM_TO_1
    if signed and any(has_negative(step.value, i) for i in range(rows)):
        said.append(say("Some are negative, so mixing with them is no averaging."))
    if notation.problem.rounding is not None:
        said.append(rounded_sums(step.carried, notation.problem.rounding.carry, notation, turned=turned))
    return in_a_row(said)


def rounded_sums(carried: Matrix, places: int, notation: Notation, *, turned: bool) -> Segments:
    """What the weights sum to after rounding, where that is no longer 1."""
    sums = [(i, row_sum(carried, i).rational()) for i in range(carried.shape[0])]
    off = [(i, found) for i, found in sums if found is not None and found != 1]
    if not off:
        return say("After rounding they still do.")
    numbered = message("{sum} (column {number})") if turned else message("{sum} (row {number})")
    told = [
        (
            False,
            translated(
                numbered,
                sum=decimal(decimal_text(int(found * 10**places), places)),
                number=i + notation.problem.index_from,
            ),
        )
        for i, found in off
    ]
    return say("After rounding they sum to {sums}.", sums=listed(told))


def sums_to_one(value: Matrix, i: int) -> bool:
    """Whether a row is proven to sum to 1."""
    if isinstance(value, Balls) and value.is_normalised:
        return True  # it is divided by its own sum
    if isinstance(value, Exponentials) and value.totals and value.totals[i].counts == counted(value.keys[i]):
        return True  # likewise
    return row_sum(value, i).rational() == 1


def is_huge(value: Matrix, notation: Notation) -> bool:
    """Whether a number has so many digits that nobody writes them down to go on with them."""
    if isinstance(value, Rationals) and largest(1, value.rows) < 10**WRITTEN_OUT:
        return False
    told = [x for row in notation.proven(value) for x in row if not isinstance(x, int)]
    return any([x.power is not None and x.power > WRITTEN_OUT for x in told])


def by_hand(step: Step, notation: Notation) -> Segments:
    """What comes out when the inputs are rounded first, where that changes the last digit."""
    if notation.problem.rounding is not None or all(isinstance(value, Rationals) for value in step.inputs):
        return ()
    places = notation.places
    if any(is_huge(value, notation) for value in step.inputs):
        return ()
    inputs = [value if isinstance(value, Rationals) else notation.rounded(value) for value in step.inputs]
    rough = step.call.op.rule(*inputs, **step.call.options)
    told, close = [], True
    for i, (row, others) in enumerate(zip(notation.proven(step.value), rough.whole(places), strict=True)):
        for j, (x, digits) in enumerate(zip(row, others, strict=True)):
            fine = x if isinstance(x, int) else x.digits
            if digits is None or digits == fine or not (isinstance(x, int) or x.power is None):
                continue
            if rough.cell(i, j).decimals(places).power is None:
                close &= abs(digits - fine) <= max(1, abs(fine) // FINE)
                told.append(
                    formula(f"{notation.entry(step.call.out, i, j)} \\approx {decimal_text(digits, places)}")
                )
    if not told:
        return ()
    names = [
        formula(notation.symbol(name))
        for name, value in zip(step.call.args, step.inputs, strict=True)
        if not isinstance(value, Rationals)
    ]
    said = [
        say("These come from unrounded numbers."),
        say_count(
            "With {names} rounded to {count} place first, by hand, one gets {numbers}.",
            "With {names} rounded to {count} places first, by hand, one gets {numbers}.",
            places,
            names=listed(names),
            numbers=listed(told[:MOST_CELLS]),
        ),
    ]
    rest = len(told) - MOST_CELLS
    if rest > 0:
        said.append(
            say_count(
                "{count} more number is off like these.", "{count} more numbers are off like these.", rest
            )
        )
    near = places >= notation.problem.places and close
    said.append(say("That is close enough.") if near else say("Keep more places on the way."))
    return in_a_row(said)


def equation(symbol: str, cell: Cell, notation: Notation) -> str:
    """`symbol = number` where that has a short exact form, else `symbol ≈ decimals`."""
    try:
        exact = notation.number(cell)
        if not is_wider(exact, LONGEST_NUMBER):
            return f"{symbol} = {exact}"
    except NoForm:
        pass
    rounded = cell.decimals(notation.places)
    return f"{symbol} {numerals.relation(rounded.exact)} {numerals.rounded(rounded)}"


def remarks(step: Step, notation: Notation) -> tuple[Segments, ...]:
    """What the op itself has to say, with its tokens named; at most a few."""
    said = []
    for remark in step.remarks()[:MOST_ROWS]:
        places: dict[str, Piece] = {}
        if remark.row is not None:
            places["row"] = mentioned(query_token(step, remark.row, notation), notation)
        if remark.columns:
            places["columns"] = listed(
                [mentioned(key_token(step, j, notation), notation) for j in remark.columns]
            )
        if remark.tau is not None:
            places["tau"] = formula(equation(r"\tau", remark.tau, notation))
        said.append(begun(say(remark.sentence, **places)))
    return tuple(said)
