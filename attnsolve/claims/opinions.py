"""What somebody thinks of a claim (`true`, `false`, `only if m = 2`) against what it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from attnsolve.assumptions import Assumptions, Attention
from attnsolve.claims.judging import KNOWN, judge
from attnsolve.claims.verdict import Judgement, Verdict
from attnsolve.derivations.setting import Setting
from attnsolve.errors import AttnsolveError, ExpressionError
from attnsolve.exact.formulas.algebra import rational
from attnsolve.limits import LIMITS, Limits
from attnsolve.statements.claim import Condition, Relation
from attnsolve.statements.claims import ClaimReader
from attnsolve.statements.tree import Name, Tree, minus

# English, German, Portuguese, French; the longest are tried first.
ONLY_IF = (
    "true only if", "true only for", "only if", "only for", "true if", "true for", "if", "for",
    "nur wenn", "nur falls", "nur für", "falls", "wenn", "só se", "apenas se", "verdadeira se", "se",
    "seulement si", "vraie si", "si",
)  # fmt: skip
SAID = {
    Verdict.APPROXIMATE: ("approximately true", "approximately", "approx", "≈", "näherungsweise", "ungefähr",
                          "aproximadamente", "approximativement", "environ"),
    Verdict.TRUE: ("true", "right", "holds", "correct", "wahr", "richtig", "gilt", "verdadeira", "verdadeiro",
                   "certa", "vraie", "vrai", "juste"),
    Verdict.FALSE: ("false", "wrong", "incorrect", "falsch", "gilt nicht", "falsa", "falso", "errada",
                    "fausse", "faux"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Opinion:
    """A verdict that somebody gave, and the condition that he named."""

    verdict: Verdict
    conditions: tuple[Condition, ...] = ()


def read_opinion(text: str, assumptions: Assumptions, *, limits: Limits = LIMITS) -> Opinion:
    """`true`, `false`, `approximately true` or `only if m = 2`."""
    said = " ".join(text.strip().rstrip(".").split())
    lowered = said.lower()
    for words in sorted(ONLY_IF, key=len, reverse=True):
        if lowered.startswith(f"{words} "):
            reader = ClaimReader(f"if {said[len(words) + 1 :]}", assumptions.names | KNOWN, limits)
            found = reader.conditions()
            reader.expect_end()
            return Opinion(Verdict.CONDITIONAL, found)
    for verdict, spellings in SAID.items():
        if any(re.fullmatch(rf"{re.escape(word)}(?:\s*[,;(–-].*)?", lowered) for word in spellings):
            return Opinion(verdict)
    raise ExpressionError("write true, false, approximately true or only if m = 2")


def share(
    opinion: Opinion, found: Judgement, assumptions: Assumptions, attention: Attention
) -> Fraction | None:
    """How far an opinion is right; None where a person has to tell.

    Whoever calls a claim false that holds under a condition only has half of it; so has whoever sees that
    there is one and names none, or another.
    """
    if found.verdict is Verdict.UNDECIDED:
        return None
    if opinion.verdict is found.verdict and found.verdict is not Verdict.CONDITIONAL:
        return Fraction(1)
    if found.verdict is Verdict.APPROXIMATE:
        return Fraction(opinion.verdict is Verdict.TRUE)
    if found.verdict is not Verdict.CONDITIONAL or opinion.verdict in (Verdict.TRUE, Verdict.APPROXIMATE):
        return Fraction(0)
    if opinion.verdict is Verdict.FALSE or not opinion.conditions:
        return Fraction(1, 2)
    if names_condition(opinion, found, assumptions, attention):
        return Fraction(1)
    return None if is_enough(opinion, found, assumptions, attention) else Fraction(1, 2)


def names_condition(
    opinion: Opinion, found: Judgement, assumptions: Assumptions, attention: Attention
) -> bool:
    """Whether somebody names the condition that was found, or all of several."""
    setting = Setting(assumptions, attention)
    wanted = len(found.condition.zero) + len(found.bounds)
    wanted += len(found.condition.positive) + len(found.condition.nonzero)
    wanted += len({one for one, _ in found.apart}) + bool(found.same)
    return wanted <= len(opinion.conditions) and all(
        is_found(one, found, setting) for one in opinion.conditions
    )


def is_found(one: Condition, found: Judgement, setting: Setting) -> bool:
    """Whether a condition is among those that were found."""
    if one.relation is Relation.UNEQUAL and found.apart:
        told = {(one.variable.name, value.name) for value in one.values if isinstance(value, Name)}
        return told == set(found.apart)
    if one.relation is Relation.EQUAL and found.same:
        return any((one.variable.name, v.name) in found.same for v in one.values if isinstance(v, Name))
    kinds = {
        Relation.EQUAL: (found.condition.zero, (1, -1)),
        Relation.UNEQUAL: (found.condition.nonzero, (1, -1)),
        Relation.GREATER: (found.condition.positive, (1,)),
        Relation.LESS: (found.condition.positive, (-1,)),
    }
    trees, signs = kinds.get(one.relation, ((), ()))
    try:
        for value in one.values:
            if any(direction(tree, minus(one.variable, value), setting) in signs for tree in trees):
                return True
        return any(
            bound.variable == one.variable
            and bound.relation is one.relation
            and setting.same(bound.bound, one.values[0])
            for bound in found.bounds
        )
    except AttnsolveError:
        return False


def direction(tree: Tree, other: Tree, setting: Setting) -> int:
    """1 where one formula is a positive multiple of another, -1 where a negative, 0 where it is none."""
    algebra, _ = setting.algebra(tree, other)
    below = algebra.value(other)
    ratio = rational(algebra.value(tree) / below) if below else None
    return 0 if not ratio else 1 if ratio > 0 else -1


def is_enough(opinion: Opinion, found: Judgement, assumptions: Assumptions, attention: Attention) -> bool:
    """Whether a claim is true under the condition that somebody names, which may be more than it needs."""
    claim = replace(found.claim, conditions=(*found.claim.conditions, *opinion.conditions))
    try:
        return judge(claim, assumptions, attention).verdict is Verdict.TRUE
    except AttnsolveError:
        return False
