"""Claims about results with letters: what numbers tend to, how they change, what their derivatives are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from attnsolve.assumptions import Approach, Assumptions
from attnsolve.claims.examples import FAILS, search
from attnsolve.claims.growing import TRENDS
from attnsolve.claims.tendency import ALONE, INFINITE, tends
from attnsolve.claims.verdict import Verdict
from attnsolve.claims.worlds import World, shifted, world
from attnsolve.derivations.entry_results import Results
from attnsolve.derivations.monotony import slope, trend, with_derivatives
from attnsolve.errors import AttnsolveError
from attnsolve.exact.formulas.letters import Letters
from attnsolve.statements.claim import Relation, Statement
from attnsolve.statements.tree import ZERO, Limit, Name, Tree, differentiated, names, negative

ALL, HALF, NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of letters, as a setting."""

    setting: Letters


@dataclass(frozen=True, slots=True)
class Change:
    """`alpha_2 increases with t`, or what the derivative of it is."""

    subject: Tree
    variable: Name
    relation: Relation
    derivative: Tree | None = None  # what it is said to be, or to be compared with


def approach_of(claim: Statement) -> Approach | None:
    """Where the symbol of a claim about a limit goes."""
    if isinstance(claim.left, Limit):
        return Approach(claim.left.variable, claim.left.at_infinity)
    tending = [one for one in claim.conditions if one.relation is Relation.TENDS]
    return Approach(tending[0].variable, tending[0].at_infinity) if tending else None


def subject_of(claim: Statement) -> Tree:
    """What a claim speaks of: the number below a limit, or the left side."""
    return claim.left.body if isinstance(claim.left, Limit) else claim.left


def change_of(claim: Statement) -> Change | None:
    """The trend or the derivative that a claim is about."""
    if claim.relation in TRENDS and isinstance(claim.right, Name):
        return Change(claim.left, claim.right, claim.relation)
    found = differentiated(claim.left)
    return None if found is None else Change(*found, claim.relation, claim.right)


class LetterJudge:
    """How much claims about results with letters are worth; None where nobody can tell."""

    def __init__(self, results: Results, assumptions: Assumptions) -> None:
        self.results, self.assumptions = results, assumptions

    def value(self, tree: Tree) -> Tree:
        """A formula in which results and derivatives are worked out."""
        results = self.results

        def plain(inside: Tree) -> Tree:
            return results.scalar(results.named(inside))

        return plain(with_derivatives(results.letters, tree, plain))

    def limit(self, claim: Statement) -> Fraction | None:
        """All for the limit, half where it is that in one case only and no case is named."""
        approach = approach_of(claim)
        assert approach is not None
        try:
            seen = world(claim, self.assumptions)
            left, right = self._shifted(seen)
            known = Known(Letters(seen.assumptions.symbols))
            if INFINITE in names(right):
                return self._infinite(known, approach, left, right)
            found = tends(known, approach, {ALONE: left}, {ALONE: right})
        except AttnsolveError:
            return None
        if found.verdict is Verdict.CONDITIONAL:
            return HALF if found.holds.positive else NOTHING
        return {Verdict.TRUE: ALL, Verdict.FALSE: NOTHING}.get(found.verdict)

    def _infinite(self, known: Known, approach: Approach, left: Tree, right: Tree) -> Fraction | None:
        """Whether something grows beyond all bounds, and to which side as far as its sign is known."""
        if tends(known, approach, {ALONE: left}, None).verdict is Verdict.TRUE:
            return NOTHING  # it stays bounded
        sign = known.setting.sign(left if right == INFINITE else negative(left)).value
        return None if sign is None else ALL if sign > 0 else NOTHING

    def _shifted(self, seen: World) -> tuple[Tree, Tree]:
        left, right = self.value(seen.left), self.value(seen.right)
        return shifted(left, seen.shifts), shifted(right, seen.shifts)

    def change(self, change: Change) -> Fraction | None:
        """All for the right trend or derivative, also where it stands still in some case."""
        try:
            tree = self.value(change.subject)
            if change.derivative is None:
                return self._trend(tree, change)
            risen = slope(self.results.letters, tree, change.variable)
            return self._compared(risen, change.relation, self.value(change.derivative))
        except AttnsolveError:
            return None

    def _trend(self, tree: Tree, change: Change) -> Fraction | None:
        outcome, _, risen = trend(self.results.letters, tree, change.variable)
        if outcome in TRENDS[change.relation]:
            return ALL
        if any(outcome in found for found in TRENDS.values()):
            return NOTHING
        rising = change.relation is Relation.INCREASES
        fails: Callable[[int], bool] = (lambda sign: sign <= 0) if rising else (lambda sign: sign >= 0)
        return None if search(risen, ZERO, self.results.letters, fails) is None else NOTHING

    def _compared(self, left: Tree, relation: Relation, right: Tree) -> Fraction | None:
        """Whether `left relation right` is proven, or fails for some numbers."""
        letters = self.results.letters
        if relation is Relation.EQUAL and letters.same(left, right):
            return ALL
        if relation.is_order and right == ZERO:
            sign = letters.sign(left).value
            weak = relation in (Relation.AT_LEAST, Relation.AT_MOST)
            wanted = 1 if relation in (Relation.GREATER, Relation.AT_LEAST) else -1
            if sign is not None and (sign * wanted == 2 or (weak and sign * wanted >= 0)):
                return ALL
        return None if search(left, right, letters, FAILS[relation]) is None else NOTHING
