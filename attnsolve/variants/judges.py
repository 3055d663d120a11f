"""The judges of drawn numbers, each by name; all of them decide exactly, on the givens or on the trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, compress, pairwise

from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.flint_parts import arb
from attnsolve.exact.masked import shown, visible
from attnsolve.exact.matrices import BallRows
from attnsolve.exact.precision import LADDER
from attnsolve.ops import Family
from attnsolve.ops.argmax import ARGMAX
from attnsolve.problem import Call
from attnsolve.trace import Step
from attnsolve.variants.forms import Form, Numbers
from attnsolve.variation import Entry
from attnsolve.working import evaluate


def objections_to_numbers(form: Form, numbers: Numbers) -> Iterator[str]:
    """The judges that refuse the drawn numbers themselves."""
    settings = form.vary.judges
    if any(has_zero_line(rows) and not form.excuses("zero_rows", name) for name, rows in numbers.items()):
        yield "zero_rows"
    if any(has_equal_lines(rows) and not form.excuses("equal_rows", name) for name, rows in numbers.items()):
        yield "equal_rows"
    negatives = settings.negatives < 1 and not form.all_allow("negatives")
    if negatives and share(numbers, lambda x: x < 0) > settings.negatives:
        yield "negatives"
    fractions = settings.fractions < 1 and not form.all_allow("fractions")
    if fractions and share(numbers, lambda x: x.denominator > 1) > settings.fractions:
        yield "fractions"


def has_zero_line(rows: Sequence[Sequence[Entry]]) -> bool:
    """Whether a row or a column is all zeros; of a single row or column only as a whole."""
    texts = texts_of(rows)
    height, width = len(rows), len(rows[0])
    zero_row = (height == 1 or width > 1) and ("0",) * width in texts
    return zero_row or (height > 1 and ("0",) * height in zip(*texts, strict=True))


def has_equal_lines(rows: Sequence[Sequence[Entry]]) -> bool:
    """Whether two rows or two columns have the same numbers; those of a vector may."""
    texts = texts_of(rows)
    columns = list(zip(*texts, strict=True)) if len(rows) > 1 else []
    return (len(rows[0]) > 1 and len(set(texts)) < len(texts)) or len(set(columns)) < len(columns)


def texts_of(rows: Sequence[Sequence[Entry]]) -> list[tuple[str, ...]]:
    """The drawn numbers as they are typed."""
    return [tuple([entry.text for entry in row]) for row in rows]


def share(numbers: Numbers, holds: Callable[[Fraction], bool]) -> Fraction:
    """How many of the drawn numbers are so, as a share of all."""
    drawn = [entry.value.rational() for rows in numbers.values() for row in rows for entry in row]
    return Fraction(len([1 for x in drawn if x is not None and holds(x)]), max(1, len(drawn)))


def objections_to_steps(form: Form, steps: Iterable[Step]) -> Iterator[str]:
    """The judges that refuse what comes out, step by step: no step is taken that is not asked for."""
    tied = False
    for step in steps:
        call = step.call
        if is_long(step.value, form.vary.judges.digits) and not form.allows("long_numbers", call.part):
            yield "long_numbers"
        rational = form.vary.judges.rational_scale and not form.allows("irrational_scale", call.part)
        if rational and call.op.family is Family.SCALING and not is_rational(call):
            yield "irrational_scale"
        if call.op.family is not Family.NORMALISER:
            continue
        weights = step.value.balls(LADDER[0])
        if has_ties(step, weights):
            tied = True
            if form.wishes[call.out].ties:
                yield "ties"
        if form.wishes[call.out].equal and has_equal_queries(step, weights):
            yield "equal_weights"
        yield from objections_to_weights(form, step, weights)
    if "ties" in form.vary.want and not tied:
        yield "no_ties"


def is_long(value: Matrix, most: int) -> bool:
    """Whether a rational number has more digits than a person wants to carry."""
    if not isinstance(value, Rationals):
        return False
    if value.denominator * max(max(map(abs, row)) for row in value.rows) < 10 ** (most - 1):
        return False  # also before it is reduced
    fractions = [value.fraction(i, j) for i in range(value.shape[0]) for j in range(value.shape[1])]
    return any(digits(x) > most for x in fractions)


def digits(number: Fraction) -> int:
    """How many digits are written: 3 in 12/7, 2 in 12."""
    below = len(str(number.denominator)) if number.denominator > 1 else 0
    return len(str(abs(number.numerator))) + below


def is_rational(call: Call) -> bool:
    """Whether scores are scaled by a rational number."""
    return evaluate(call.options["by"]).rational() is not None


def has_ties(step: Step, weights: BallRows) -> bool:
    """Whether two scores of a row are equal and count: those that get no weight do not."""
    if step.call.op is ARGMAX:  # which gives no weight to the second of the largest either
        return any(len(columns) > 1 for columns in step.inputs[0].maxima())
    scores, keep = shown(step.inputs[0]), visible(step.inputs[0]).rows
    # Equal scores get equal weights: where those are in order there is nothing to compare.
    shared = [compress(row, own) for row, own in zip(weights, keep, strict=True)]
    open_rows = [i for i, row in enumerate(shared) if not are_ordered(row)]
    if not open_rows:
        return False
    # Rational numbers are compared as they are; of the others only those whose balls touch need a proof.
    balls = None if isinstance(scores, Rationals) else scores.balls(LADDER[0])

    def tied(i: int, j: int, k: int) -> bool:
        if isinstance(scores, Rationals):
            return scores.rows[i][j] == scores.rows[i][k]
        assert balls is not None
        # What cannot be decided counts as tied.
        return balls[i][j].overlaps(balls[i][k]) and scores.cell(i, j).same(scores.cell(i, k)) is not False

    for i in open_rows:
        places = [j for j, weight in enumerate(weights[i]) if keep[i][j] and not weight.is_zero()]
        if any(tied(i, j, k) for j, k in combinations(places, 2)):
            return True
    return False


def are_ordered(balls: Iterable[arb]) -> bool:
    """Whether no two numbers can be equal: each is proven to lie above the one before."""
    in_turn = sorted(balls, key=float)  # which only says what to compare
    return all([low < high for low, high in pairwise(in_turn)])


def has_equal_queries(step: Step, weights: BallRows) -> bool:
    """Whether two queries that choose among the same keys get the same weights; undecided counts as equal."""
    keep, value = visible(step.inputs[0]).rows, step.value
    choosing = [i for i, row in enumerate(keep) if sum(map(bool, row)) > 1]
    return any(
        all(map(arb.overlaps, weights[i], weights[k]))
        and list(keep[i]) == list(keep[k])
        and all(value.cell(i, j).same(value.cell(k, j)) is not False for j in range(value.shape[1]))
        for i, k in combinations(choosing, 2)
    )


def objections_to_weights(form: Form, step: Step, weights: BallRows) -> Iterator[str]:
    """Weights that a calculator shows as 0 or 1, where a query sees more than one key."""
    wish = form.wishes[step.call.out]
    least = form.vary.judges.smallest_weight.as_integer_ratio()
    most = form.vary.judges.largest_weight.as_integer_ratio()
    kept = visible(step.inputs[0]).rows
    for i, row in enumerate(weights):
        seen = [j for j, yes in enumerate(kept[i]) if yes]
        if len(seen) < 2:
            continue
        # Rules without exponentials give 0 to what is far away, or less, and mean it.
        judged = [row[j] for j in seen if wish.exponential or row[j] > 0]
        if wish.small and not all([weight * least[1] > least[0] for weight in judged]):
            yield "small_weights"
        if wish.large and not all([weight * most[1] < most[0] for weight in judged]):
            yield "large_weights"
