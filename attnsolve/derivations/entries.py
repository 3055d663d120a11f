"""What is asked about results with letters in them: limits, trends, tables and solutions, as passages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from attnsolve.assumptions import Approach, EntryPart, Inequality
from attnsolve.derivations import equations, thresholds
from attnsolve.derivations.derivation import (
    Circumstance,
    Derivation,
    Line,
    Outcome,
    Passage,
    Reason,
    Remark,
    Table,
    TableRow,
    Topic,
)
from attnsolve.derivations.entry_results import Results, entry
from attnsolve.derivations.limits import Tending
from attnsolve.derivations.monotony import slope, trend
from attnsolve.derivations.numbers import at
from attnsolve.derivations.tables import chosen_points
from attnsolve.errors import Undecided
from attnsolve.exact.formulas.cells import tree_of
from attnsolve.exact.formulas.writing import relative, written
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import (
    MINUS_ONE,
    ONE,
    TWO,
    ZERO,
    Name,
    Power,
    Quotient,
    Tree,
    derivative,
    exponential,
    minus,
    names,
    negative,
    over,
    product,
    total,
)

EQUAL = Relation.EQUAL
DENOMINATOR = Name("D")  # the sum of the exponentials of a row


def derive_entries(results: Results, asked: EntryPart) -> Derivation:
    """The passages that answer a part, in the order in which they are read."""
    made: list[Passage] = []
    for approach in asked.limits:
        made += limits(results, approach)
    for wanted in asked.solve:
        if isinstance(wanted, Inequality):
            inequality = replace(wanted, wanted=results.statement(wanted.wanted))
            made.append(thresholds.passage(results, inequality))
        else:
            statements = tuple(map(results.statement, wanted.wanted))
            made += equations.passages(results, statements, wanted.variable)
    made += [derivatives(results, variable) for variable in asked.monotony]
    return Derivation(tuple(made), table(results, asked.table) if asked.table else None)


def limits(results: Results, approach: Approach) -> Iterator[Passage]:
    """What every number of the results tends to, by cases where these differ."""
    moving = [
        (name, tree)
        for result in results.subjects
        for name, tree in results.cells(result)
        if approach.variable in names(tree)
    ]
    goal = (approach.variable, approach.at_infinity)
    try:
        found = [(name, tree, Tending(results, approach, tree)) for name, tree in moving]
        cases = [tending.cases(tree) for _, tree, tending in found]
    except Undecided:
        yield Passage(Topic.LIMIT, (), 0, *goal, remarks=(Remark(Outcome.UNDECIDED),))
        return
    for one in dict.fromkeys(where for of_cell in cases for where, _ in of_cell):
        chains = []
        for (name, tree, tending), of_cell in zip(found, cases, strict=True):
            values = [value for where, value in of_cell if where == one or len(of_cell) == 1]
            if values and values[0] is not None:
                chains.append(tuple(limit_lines(name, tree, tending, values[0], one)))
        yield Passage(Topic.LIMIT, tuple(chains), 0, *goal, one)


def limit_lines(name: Name, tree: Tree, tending: Tending, limit: Tree, where: Circumstance) -> Iterator[Line]:
    """A number, above and below divided by what grows fastest, and its limit."""
    if where.positive:  # what grows fastest is another term in every case
        yield Line(name, Relation.TENDS, limit)
        return
    shown = by_strongest(tree, tending)
    yield Line(name, EQUAL, tree)
    if shown is not None and shown[1] != tree:
        yield Line(None, EQUAL, shown[1], Reason.DIVIDING, shown[0])
    steady = Reason.CONTINUITY if tending.growth.vanishing else None
    yield Line(None, Relation.TENDS, limit, steady if shown is None else Reason.VANISHING)


def by_strongest(tree: Tree, tending: Tending) -> tuple[Tree, Tree] | None:
    """A quotient divided above and below by the strongest exponential of its denominator."""
    if not isinstance(tree, Quotient) or not tending.growth.rates:
        return None
    algebra = tending.algebra
    above, below = algebra.value(tree.over), algebra.value(tree.under)
    strongest = tending.growth.strongest(below.numer)
    if strongest is None:
        return None
    parts = [relative(side, strongest, algebra) for side in (above, below)]
    return written(strongest, algebra), over(*parts)


def derivatives(results: Results, variable: Name) -> Passage:
    """The derivative of every weight, by the rule for softmax and in full, and what its sign says."""
    chains, remarks = [], []
    for result in results.names.weights or results.subjects:
        for name, tree in results.cells(result):
            if variable not in names(tree):
                continue
            outcome, still, full = trend(results.letters, tree, variable)
            left = derivative(name, variable)
            lines = list(by_softmax(results, name, variable))
            lines.append(Line(None, EQUAL, full, Reason.RESULTS_PUT_IN if lines else Reason.DERIVATIVE))
            chains.append((replace(lines[0], left=left), *lines[1:]))
            remarks.append(Remark(outcome, name, variable, still))
    return Passage(Topic.MONOTONY, tuple(chains), variable=variable, remarks=tuple(remarks))


def by_softmax(results: Results, name: Name, variable: Name) -> Iterator[Line]:
    """The quotient rule, and α_j (s_j' - Σ_k α_k s_k') as it comes of it, for every softmax."""
    if name.name not in results.exponents:
        return
    row, column = map(int, name.index)
    scores = [tree_of(cell) for _, _, cell in results.exponents[name.name].take([row]).cells()]
    slopes = [slope(results.letters, score, variable) for score in scores]
    yield Line(None, EQUAL, by_quotient_rule(scores, slopes, column), Reason.QUOTIENT_OF_SUM)
    moving = {one for one in slopes if one != ZERO}
    shared = moving.pop() if len(moving) == 1 else ONE
    slopes = [one if shared == ONE or one == ZERO else ONE for one in slopes]
    mixed = [product((one, entry(name.name, row, k))) for k, one in enumerate(slopes) if one != ZERO]
    if slopes[column] == ZERO:  # -α_1 α_2
        whole = product((MINUS_ONE, shared, name, total(mixed)))
    else:
        whole = product((shared, name, total((slopes[column], *map(negative, mixed)))))
    yield Line(None, EQUAL, whole, Reason.WEIGHTS_AGAIN)


def by_quotient_rule(scores: Sequence[Tree], slopes: Sequence[Tree], column: int) -> Tree:
    """(s_j' e^(s_j) D - e^(s_j) D') / D², where D is the sum of the exponentials."""
    power = exponential(scores[column])
    risen = total(product((one, exponential(score))) for score, one in zip(scores, slopes, strict=True))
    above = minus(product((slopes[column], power, DENOMINATOR)), product((power, risen)))
    return Quotient(above, Power(DENOMINATOR, TWO))


def table(results: Results, chosen: Mapping[Name, tuple[Fraction, ...]]) -> Table:
    """A row for each combination of the chosen numbers."""
    subjects = [pair for result in results.subjects[:1] for pair in results.cells(result)]
    needed = {name for _, tree in subjects for name in names(tree)}
    points, left_out = chosen_points(chosen, needed, results.letters)
    rows = tuple(TableRow(row, tuple(at(tree, point) for _, tree in subjects)) for row, point in points)
    return Table(tuple(chosen), tuple(name for name, _ in subjects), rows, left_out)
