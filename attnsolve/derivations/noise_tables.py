"""Means and variances of noisy weights for chosen numbers, beside draws of them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attnsolve.assumptions import AbstractPart
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.derivation import Draws, Table, TableRow
from attnsolve.derivations.noise import NoisyAttention, Point, chances, expected, still
from attnsolve.derivations.numbers import at
from attnsolve.derivations.steps import weight_symbol
from attnsolve.derivations.tables import chosen_points
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Cell
from attnsolve.exact.cells import Rational, add, multiply
from attnsolve.exact.expectations import drawn_tenths
from attnsolve.statements.tree import ONE, Call, Function, Name, Tree, names, number, over

MOST_ROWS = 50
DRAWS, SEED = 400, 1


def check(solved: Solved, asked: AbstractPart) -> None:
    """Complain about what cannot be worked out, before it is."""
    noisy = NoisyAttention(solved)
    missing = needed(noisy) - set(asked.expect)
    if missing:
        raise AttnsolveError(f"numbers for {', '.join(sorted(name.name for name in missing))} are needed too")
    for _, point in chosen_points(asked.expect, (), solved.setting, most=MOST_ROWS)[0]:
        noisy.moments(point)


def table(solved: Solved, asked: AbstractPart) -> Table:
    """Means and variances for chosen numbers, every digit proven; a last line has their limits."""
    noisy, chosen = NoisyAttention(solved), asked.expect
    several = len(solved.heads) > 1
    kept = [(place, group[0]) for place, head in enumerate(solved.heads) for group in noisy.groups(head)]
    subjects: list[Tree] = []
    for place, index in kept:
        weight = weight_symbol(index, place + 1 if several else 0)
        subjects += [expected(weight), Call(Function.VARIANCE, weight)]
    rows = []
    points, left_out = chosen_points(chosen, (), solved.setting, most=MOST_ROWS)
    for shown, point in points:
        found, listed = noisy.moments(point)
        values: list[object] = []
        for one in kept:
            there = listed.index(one) if one in listed else None
            values += [None, None] if there is None else [found.mean(there), found.variance(there)]
        rows.append(TableRow(shown, tuple(values)))
    return Table(tuple(chosen), tuple(subjects), (*rows, *limit_rows(noisy, asked, kept)), left_out)


def draws(solved: Solved, asked: AbstractPart) -> Draws:
    """Drawn weights of the first key, for the same numbers as in the table, in tenths."""
    noisy = NoisyAttention(solved)
    chosen, tenths = [], []
    for shown, point in chosen_points(asked.expect, (), solved.setting, most=MOST_ROWS)[0]:
        found, _ = noisy.moments(point)
        chosen.append(shown)
        tenths.append(drawn_tenths(found, 0, count=DRAWS, seed=SEED))
    subject = weight_symbol(solved.indices[0], 1 if len(solved.heads) > 1 else 0)
    return Draws(subject, DRAWS, SEED, tuple(chosen), tuple(tenths))


def needed(noisy: NoisyAttention) -> set[Name]:
    """Every symbol that weights, mean and variance hang on, but for the noise itself."""
    trees = [tree for head in noisy.solved.heads for tree in head.weights.values()]
    found = {name for tree in (*trees, noisy.law.mean, noisy.law.variance) for name in names(tree)}
    return found - set(noisy.noisy)


def limit_rows(noisy: NoisyAttention, asked: AbstractPart, kept: list[tuple[int, str]]) -> Iterator[TableRow]:
    """What means and variances tend to, for the numbers that are left."""
    for approach in asked.limits:
        if approach.variable not in asked.expect or len(noisy.solved.heads) > 1:
            continue
        found = chances(noisy, noisy.solved.heads[0], approach)
        if found is None:
            continue
        others = {name: values for name, values in asked.expect.items() if name != approach.variable}
        for shown, point in chosen_points(others, (), noisy.solved.setting, most=MOST_ROWS)[0]:
            numbers = {**dict(shown), approach.variable: Name("oo")}
            row = tuple((name, numbers[name]) for name in asked.expect)
            yield TableRow(row, tuple(limit_values(noisy, found, kept, point)))


def limit_values(
    noisy: NoisyAttention, found: tuple[Tree, Tree, list[str]], kept: list[tuple[int, str]], point: Point
) -> Iterator[Cell | None]:
    """The limits of the mean and the variance of every weight."""
    winning, none, group = found
    for _, index in kept:
        there = at(noisy.solved.multiplicity(index), point).rational() or 0
        rest = at(still(noisy, noisy.solved.heads[0]), point).rational() or 0
        if there <= 0:
            yield from (None, None)
            continue
        alone = over(ONE, number(len(group)))  # without other keys one of these always wins
        tree = (winning if rest else alone) if index in group else over(none, number(rest))
        mean = at(tree, point)
        # A weight that is 1/n or 0 has the mean square p/n², where p is the chance that it is 1/n.
        square = mean if index in group else at(over(none, number(rest * rest)), point)
        yield mean
        yield add(square, multiply(Rational(Fraction(-1)), multiply(mean, mean)))
