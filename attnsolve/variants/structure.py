"""What variants of a problem with symbols have in common: which scores are equal, the kinds of answers.

Everything here is read off the derivations, in which it is proven.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from attnsolve.claims.sheets import judge_part
from attnsolve.claims.verdict import Judgement, Verdict
from attnsolve.derivations.answers import derive
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.derivation import Circumstance, Derivation, Line, Outcome, Passage, Table, Topic
from attnsolve.derivations.entries import derive_entries
from attnsolve.derivations.entry_results import results_of
from attnsolve.derivations.results import WEIGHTS
from attnsolve.exact import Matrix
from attnsolve.exact.formulas.cells import tree_of
from attnsolve.exact.formulas.letters import Letters
from attnsolve.exact.masked import shown, visible
from attnsolve.ops import Family
from attnsolve.problem import Problem
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import ZERO, Name, Tree, walk
from attnsolve.trace import Step, Trace

NUMBER = 4  # what a decimal in a table counts, as everywhere


class Groups(NamedTuple):
    """How many scores of one query are equal, group by group; whether the keys without names are in it."""

    sizes: tuple[tuple[int, bool], ...]


class Kind(NamedTuple):
    """Of which kind an answer is, whatever its numbers are."""

    topic: Topic
    head: int
    at_infinity: bool
    conditions: tuple[int, int, int]  # how many formulas have to be positive, zero, not zero
    ends: tuple[tuple[Relation, bool], ...]  # of each chain: its last relation, whether a weight vanishes
    outcomes: tuple[Outcome, ...]


class TableKind(NamedTuple):
    """How large a table is."""

    rows: int
    columns: int
    left_out: int


def groups_of(problem: Problem, steps: Iterable[Step]) -> Iterator[Groups]:
    """The groups of equal scores, for every query of every part; no step is taken before it is asked for."""
    for part in problem.parts:
        if part.abstract is not None and problem.assumptions is not None:
            solved = Solved(problem.assumptions, part.abstract.attention)
            generic = solved.setting.generic
            for head in solved.heads:
                sizes = ((len(group), generic in group) for group in solved.groups(head))
                yield Groups(tuple(sorted(sizes)))
    letters = Letters(problem.assumptions.symbols if problem.assumptions is not None else {})
    for step in steps:
        if step.call.op.family is Family.NORMALISER:
            yield from row_groups(step.inputs[0], letters)


def row_groups(scores: Matrix, letters: Letters) -> Iterator[Groups]:
    """The same for each row of a matrix; what is equal is so for all that the letters may stand for."""
    numbers, keep = shown(scores), visible(scores).rows
    for i, row in enumerate(keep):
        groups: dict[Tree, int] = {}
        for tree in (tree_of(numbers.cell(i, j)) for j, kept in enumerate(row) if kept):
            alike = next((other for other in groups if letters.same(other, tree)), tree)
            groups[alike] = groups.get(alike, 0) + 1
        yield Groups(tuple(sorted((size, False) for size in groups.values())))


def derivations_of(trace: Trace) -> tuple[Derivation, ...]:
    """What every part asks about symbols, answered."""
    problem, made = trace.problem, list[Derivation]()
    for part in problem.parts:
        if part.abstract is not None and problem.assumptions is not None:
            made.append(derive(problem.assumptions, part.abstract))
        if part.entries is not None and part.entries.about:
            made.append(derive_entries(results_of(trace, part), part.entries))
    return tuple(made)


def kinds_of(trace: Trace, derivations: Sequence[Derivation]) -> tuple[Kind | TableKind, ...]:
    """Of which kind every answer is, whichever of several columns of numbers it is about."""
    made: list[Kind | TableKind] = []
    # The key that a query is made of is another one than the rest; the columns of a matrix are alike.
    in_order = trace.problem.assumptions is not None and trace.problem.assumptions.has_families
    weights = {WEIGHTS, *(call.out for call in trace.problem.calls() if call.op.family is Family.NORMALISER)}
    for one in derivations:
        kinds = [kind_of(passage, weights) for passage in one.passages]
        made += kinds if in_order else map(in_any_order, kinds)
        made += [size_of(table) for table in (one.table, one.expectations) if table is not None]
    return tuple(made)


def kind_of(passage: Passage, weights: Collection[str]) -> Kind:
    """The kind of one passage; whether a weight vanishes counts, whether an output does is chance."""
    ends = [(chain[-1].relation, vanishes(passage, chain, weights)) for chain in passage.chains if chain]
    return Kind(
        passage.topic,
        passage.head,
        passage.at_infinity,
        counted(passage.circumstance),
        tuple(ends),
        tuple(remark.outcome for remark in passage.remarks),
    )


def in_any_order(kind: Kind) -> Kind:
    """A kind whose chains may stand in any order."""
    ends, outcomes = sorted(kind.ends, key=repr), sorted(kind.outcomes, key=repr)
    return kind._replace(ends=tuple(ends), outcomes=tuple(outcomes))


def vanishes(passage: Passage, chain: Sequence[Line], weights: Collection[str]) -> bool:
    """Whether a chain says that a weight tends to 0."""
    first, last = chain[0].left, chain[-1]
    is_weight = isinstance(first, Name) and first.name in weights
    return passage.topic is Topic.LIMIT and is_weight and last.right == ZERO


def counted(case: Circumstance) -> tuple[int, int, int]:
    """How many conditions a case has."""
    return len(case.positive), len(case.zero), len(case.nonzero)


def size_of(table: Table) -> TableKind:
    """The kind of a table."""
    return TableKind(len(table.rows), len(table.subjects), table.left_out)


def judgements_of(trace: Trace) -> dict[str, tuple[Judgement, ...]]:
    """What is found of the claims of each part that has some."""
    return {
        part.id: judge_part(trace.problem, part)
        for part in trace.problem.parts
        if part.abstract is not None and part.abstract.claims
    }


def verdicts_of(judgements: Sequence[Judgement]) -> tuple[Verdict, ...]:
    """The verdicts, in the order of the claims."""
    return tuple(one.verdict for one in judgements)


def work_of(trace: Trace, derivations: Sequence[Derivation]) -> int:
    """The work of all that is derived: the pieces of every formula that is written down."""
    formulas = (
        tree
        for one in derivations
        for passage in one.passages
        for chain in passage.chains
        for line in chain
        for tree in (line.left, line.right)
        if tree is not None
    )
    tables = [one.table for one in derivations if one.table is not None]
    cells = (tree_of(cell) for step in trace.steps for _, _, cell in step.value.cells())
    decimals = sum(NUMBER * len(table.rows) * len(table.subjects) for table in tables)
    return sum(map(pieces, formulas)) + sum(map(pieces, cells)) + decimals


def work_of_claim(found: Judgement) -> int:
    """The work of one claim: the pieces of what is claimed."""
    return pieces(found.claim.left) + pieces(found.claim.right)


def pieces(tree: Tree) -> int:
    """How many numbers, letters, functions and operations a formula has."""
    return sum(1 for _ in walk(tree))
