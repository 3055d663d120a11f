"""Mutations: a true claim in which one symbol is changed is not called true where numbers refute it."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from claimed import OTHERS, TWO_KEYS, part_of

from attnsolve.claims.judging import judge
from attnsolve.claims.verdict import Verdict
from attnsolve.derivations.setting import Setting
from attnsolve.errors import AttnsolveError
from attnsolve.statements.claim import Relation, Statement
from attnsolve.statements.claims import statements
from attnsolve.statements.tree import Limit, Name, Number, Order, Sum, Tree, replaced, total, walk

families = pytest.importorskip("families")
TRUE = [("two-keys-at-once", 0, text) for text, verdict, _ in TWO_KEYS if verdict is Verdict.TRUE]
TRUE += [
    (name, place, text)
    for name, place, text, verdict, _ in OTHERS
    if verdict is Verdict.TRUE and "if lambda" not in text  # torch's λ are as they come
]
MOST = 2  # mutants that are judged, of each claim
# Where numbers are put in; the limit c → ∞ is looked at from so far away that e^(-c/√d) is nothing.
POINTS = ({"m": 6, "d": 7, "c": 1.3, "eps": 0.05}, {"m": 5, "d": 9, "c": 0.4, "eps": 0.3})
FAR, NEAR = 150.0, 1e-7
FAILS: dict[Relation, Callable[[float], bool]] = {
    Relation.LESS: lambda gap: gap >= -1e-12,
    Relation.AT_MOST: lambda gap: gap > 1e-12,
    Relation.GREATER: lambda gap: gap <= 1e-12,
    Relation.AT_LEAST: lambda gap: gap < -1e-12,
}
STEPS = {Relation.INCREASES: 1, Relation.DECREASES: -1}
TURNED = {
    Relation.LESS: Relation.GREATER,
    Relation.GREATER: Relation.LESS,
    Relation.AT_MOST: Relation.AT_LEAST,
    Relation.AT_LEAST: Relation.AT_MOST,
    Relation.INCREASES: Relation.DECREASES,
    Relation.DECREASES: Relation.INCREASES,
}


def mutants(claim: Statement) -> Iterator[Statement]:
    """A claim with one symbol, number, index or sign changed, in every way that is tried."""
    if claim.relation in TURNED:
        yield replace(claim, relation=TURNED[claim.relation])
    for side in ("left", "right"):
        tree: Tree = getattr(claim, side)
        for target in dict.fromkeys(piece for piece in walk(tree) if isinstance(piece, Name | Number)):
            for other in others(target):
                done: list[bool] = []

                def change(
                    piece: Tree, target: Tree = target, other: Tree = other, done: list[bool] = done
                ) -> Tree | None:
                    if piece == target and not done:
                        done.append(True)
                        return other
                    return None

                sides = {"left": claim.left, "right": claim.right, side: replaced(tree, change)}
                yield Statement(sides["left"], claim.relation, sides["right"], claim.conditions)


def others(piece: Tree) -> list[Tree]:
    if isinstance(piece, Number):
        return [Number(piece.value + 1), *([Number(-piece.value)] if piece.value else [])]
    assert isinstance(piece, Name)
    swaps = {"c": "m", "m": "c", "d": "m", "a": "b", "b": "i", "j": "i", "i": "j"}
    if piece.index:
        return [Name(piece.name, tuple(swaps.get(index, index) for index in piece.index))]
    return [Name(swaps[piece.name])] if piece.name in ("c", "m", "d") else []


def is_refuted(claim: Statement, name: str, place: int) -> bool:
    """Whether torch's numbers are clearly not as claimed, for one choice of them at least."""
    return any(fails_at(claim, name, place, dict(point)) for point in POINTS)


def fails_at(claim: Statement, name: str, place: int, point: dict[str, float]) -> bool:
    left = claim.left.body if isinstance(claim.left, Limit) else claim.left
    goals = [
        (one.variable.name, one.at_infinity) for one in claim.conditions if one.relation is Relation.TENDS
    ]
    if isinstance(claim.left, Limit):
        goals = [(claim.left.variable.name, claim.left.at_infinity)]
    for one in claim.conditions:  # `if m = 2`, `if c >= …`: on the border, where claims are sharpest
        if one.relation not in (Relation.TENDS, Relation.UNEQUAL) and one.values and not one.variable.index:
            point[one.variable.name] = family(name, place, point).of(one.values[0])
    if goals and goals[0][0] != "c":
        return False  # d → ∞ would need vectors of that length
    if any(isinstance(piece, Order) for piece in walk(claim.right)):
        return grows(claim, name, place, point)
    if goals:
        point["c"] = FAR if goals[0][1] else NEAR
    made = family(name, place, point)
    one, other = made.of(left), None if claim.relation in STEPS else made.of(claim.right)
    if claim.relation in STEPS:
        variable = claim.right.name if isinstance(claim.right, Name) else ""
        later = family(name, place, {**point, variable: point[variable] + 1}).of(left)
        return bool(STEPS[claim.relation] * (later - one) < -1e-9)
    if claim.relation in FAILS:
        return FAILS[claim.relation](float(one - other))
    if goals:
        return not bool(families.torch.allclose(as_tensor(one), as_tensor(other), atol=1e-5))
    return not families.close(one, other)


def as_tensor(value: object) -> object:
    return families.torch.as_tensor(value, dtype=families.torch.float64)


def grows(claim: Statement, name: str, place: int, point: dict[str, float]) -> bool:
    """Whether what is left, over what stands in O, becomes a hundred times larger farther out."""
    assert isinstance(claim.right, Sum)
    (order,) = [term for term in claim.right.terms if isinstance(term, Order)]
    main = total(term for term in claim.right.terms if term is not order)
    ratios = []
    for c in (8.0, 40.0):
        made = family(name, place, {**point, "c": c})
        ratios.append(abs((made.of(claim.left) - made.of(main)) / made.of(order.body)))
    return bool(ratios[1] > 100 * max(ratios[0], 1e-9))


def family(name: str, place: int, point: dict[str, float]) -> "families.Family":
    assumptions, abstract = part_of(name, place)
    named = Setting(assumptions, abstract.attention).named
    return families.Family(assumptions, abstract.attention, named, point, 5)


@pytest.mark.parametrize(("name", "place", "text"), TRUE)
def test_a_true_claim_stands_and_no_changed_one_is_called_true_that_torch_refutes(
    name: str, place: int, text: str
) -> None:
    assumptions, abstract = part_of(name, place)
    refuted = 0
    for claim in statements(text, assumptions.names | {"alpha", "a"}):
        assert not is_refuted(claim, name, place)
        for mutant in mutants(claim):
            try:
                if refuted == MOST or not is_refuted(mutant, name, place):
                    continue
                found = judge(mutant, assumptions, abstract.attention)
            except (AttnsolveError, RuntimeError, KeyError, ArithmeticError, ValueError, TypeError):
                continue  # no formula at all, such as a number plus a vector
            assert found.verdict is not Verdict.TRUE, mutant
            refuted += 1
    assert refuted or "d -> oo" in text
