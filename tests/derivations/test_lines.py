"""Every line of every derivation, worked out anew by torch on random families of vectors."""

# ruff: noqa: E501 (formulas are quoted whole)

from pathlib import Path

import pytest

from attnsolve.derivations.answers import derive
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.derivation import Passage, Topic
from attnsolve.loader import load, loads
from attnsolve.problem import Problem
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import Call, Function, walk

families = pytest.importorskip("families")
PROBLEMS = Path(__file__).parents[2] / "problems/symbols"
BUNDLED = ("one-key", "two-keys-at-once", "noisy-keys", "two-queries", "softmax-facts", "designed-queries", "several-heads")
OTHERS = {
    "norms": ("k: orthogonal with norm beta, m vectors", "c*k_a"),
    "angles": ("k: unit with products rho, m vectors", "c*(k_a - 2*k_b)"),
    "three keys": ("k: orthonormal, m vectors", "c*(k_a + k_b + k_e)"),
    "a difference": ("k: orthonormal, m vectors", "c*k_a - k_b"),
    "all keys": ("k: unit with products rho, m vectors", "c*k_a + sum_i k_i"),
}
NUMBERS = {"x": 0.7, "y": -0.4, "t": 1.1, "tau": 0.8, "m": 6, "d": 7, "c": 1.3, "eps": 0.05, "beta": 1.7, "rho": 0.2}


def other(name: str) -> Problem:
    keys, query = OTHERS[name]
    return loads(f"""
format: 1
title: {name}
assume: {{m: integer >= 3, d: integer >= m, c: positive, beta: positive, rho: between 0 and 1, v: 'm vectors', {keys.replace(": ", ": '", 1)}'}}
given: {{q: {query}}}
parts:
  - ask: Find the weights.
    attend: {{queries: q, keys: k, values: v, divide_by: sqrt(d)}}
    limit: c -> oo
    monotony: [c, m]
""")


def of(name: str) -> Problem:
    return load(PROBLEMS / f"{name}.yaml") if name in BUNDLED else other(name)


def is_about_means(passage: Passage) -> bool:
    """Whether it speaks of expectations, which other tests hold against another quadrature."""
    lefts = [line.left for chain in passage.chains for line in chain if line.left is not None]
    calls = [piece for left in lefts for piece in walk(left) if isinstance(piece, Call)]
    return any(piece.function is Function.EXPECTATION for piece in calls)


def checked(passage: Passage, family: families.Family) -> int:
    """How many lines were compared with the first left side of their chain."""
    count = 0
    for chain in passage.chains:
        wanted = None
        for line in chain:
            if line.left is not None:
                wanted = family.of(line.left)
            if line.relation is Relation.EQUAL:
                assert families.close(wanted, family.of(line.right)), line
                count += 1
    return count


@pytest.mark.parametrize("name", [*BUNDLED, *OTHERS])
def test_every_equation_holds_for_random_vectors(name: str) -> None:
    problem, count = of(name), 0
    assert problem.assumptions is not None
    for part in problem.parts:
        if part.abstract is None:
            continue
        solved = Solved(problem.assumptions, part.abstract.attention)
        values = {key: NUMBERS[key] for key in problem.assumptions.symbols}
        passages = derive(problem.assumptions, part.abstract).passages
        for seed in (1, 2):
            family = families.Family(
                problem.assumptions, part.abstract.attention, solved.setting.named, values, seed
            )
            for passage in passages:
                if passage.topic not in (Topic.MONOTONY, Topic.SOLUTION) and not is_about_means(passage):
                    count += checked(passage, family)
    assert count > 10


@pytest.mark.parametrize("name", ["one-key", "two-keys-at-once", "angles", "norms"])
def test_derivatives_are_those_of_differences(name: str) -> None:
    problem = of(name)
    assert problem.assumptions is not None
    part = next(part for part in problem.parts if part.abstract and part.abstract.monotony)
    assert part.abstract is not None
    solved = Solved(problem.assumptions, part.abstract.attention)
    values = {key: NUMBERS[key] for key in problem.assumptions.symbols}
    step = 1e-5

    def family(c: float) -> families.Family:
        moved = {**values, "c": c}
        return families.Family(problem.assumptions, part.abstract.attention, solved.setting.named, moved, 3)

    passages = [p for p in derive(problem.assumptions, part.abstract).passages if p.topic is Topic.MONOTONY]
    for (line,), remark in zip(passages[0].chains, passages[0].remarks, strict=True):
        above, below = family(values["c"] + step), family(values["c"] - step)
        slope = (above.of(remark.subject) - below.of(remark.subject)) / (2 * step)
        assert slope == pytest.approx(family(values["c"]).of(line.right), rel=1e-6, abs=1e-9)
