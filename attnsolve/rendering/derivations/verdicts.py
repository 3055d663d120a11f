"""Judged claims in words: the verdict, when it holds, what would be right, an example in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from attnsolve.assumptions import Approach
from attnsolve.claims.verdict import Example, Judgement, Verdict
from attnsolve.derivations.derivation import Circumstance, Outcome
from attnsolve.exact import Cell
from attnsolve.languages import message, translated
from attnsolve.rendering import numerals
from attnsolve.rendering.derivations.formulas import RELATIONS, compared, factor, markup, of_number, vanishing
from attnsolve.rendering.derivations.passages import REMARKS
from attnsolve.rendering.text import Piece, Segments, formula, listed, say, sentence
from attnsolve.statements.claim import Condition, Relation, Statement
from attnsolve.statements.tree import ZERO, Limit, Order, Sum, names

VERDICTS = {
    Verdict.TRUE: message("true"),
    Verdict.CONDITIONAL: message("true only under a condition"),
    Verdict.APPROXIMATE: message("approximately true"),
    Verdict.FALSE: message("false"),
    Verdict.UNDECIDED: message("undecided: a person has to look at this"),
}
TRENDS = {
    Relation.INCREASES: message("{subject} increases with {variable}"),
    Relation.DECREASES: message("{subject} decreases as {variable} grows"),
}
PLAIN_TRENDS = (Outcome.INCREASES, Outcome.DECREASES, Outcome.CONSTANT)
DEFINED = ("alpha", "a", "q", "p", "D")  # what a reader wants to see worked out
LONGEST = 300  # characters of a formula that is still read


class ClaimView(NamedTuple):
    """A claim, its verdict in a word or two, and what is said about it."""

    statement: Segments
    verdict: str
    said: tuple[Segments, ...]
    text: str  # as it was written


def claim_view(found: Judgement, places: int) -> ClaimView:
    """A judged claim as a template prints it."""
    said = tuple(sentences(found, places))
    return ClaimView(stated(found.claim), translated(VERDICTS[found.verdict]), said, found.claim.text)


def stated(claim: Statement) -> Segments:
    """A claim as it was understood."""
    if claim.relation in TRENDS:
        return say(
            TRENDS[claim.relation], subject=formula(markup(claim.left)), variable=formula(markup(claim.right))
        )
    whole = f"{markup(claim.left)} {RELATIONS[claim.relation]} {markup(claim.right)}"
    conditions = [condition(one) for one in claim.conditions if one.values]
    behind = r",\ ".join(conditions)
    return (formula(rf"{whole} \quad ({behind})" if conditions else whole),)


def condition(one: Condition) -> str:
    """i ≠ a, b; c → ∞; m = 2."""
    values = ", ".join(markup(value) for value in one.values)
    return f"{markup(one.variable)} {RELATIONS[one.relation]} {values}"


def sentences(found: Judgement, places: int) -> Iterator[Segments]:
    """Everything that is said about a claim."""
    if found.verdict is Verdict.TRUE:
        return
    if found.verdict is Verdict.UNDECIDED:
        yield say("Neither a proof nor a counter-example was found.")
        return
    if found.verdict is Verdict.APPROXIMATE:
        yield from approximate(found)
        return
    if found.verdict is Verdict.CONDITIONAL:
        holds = where(found)
        for other in found.also:
            holds = say("{where}, or if {other}", where=holds, other=listed(in_case(other)))
        if found.condition.positive and is_limit(found.claim):  # nothing is said of the borders of its cases
            yield say("It holds if {where}.", where=holds)
        elif holds:
            yield say("It holds only if {where}.", where=holds)
    if found.right is not None and found.claim.relation not in TRENDS:
        yield from corrected(found)
    if found.trend in PLAIN_TRENDS and found.verdict is Verdict.FALSE:
        places_of: dict[str, Piece] = {
            "subject": formula(markup(found.claim.left)),
            "variable": formula(markup(found.claim.right)),
        }
        yield say(REMARKS[found.trend], **places_of)
    elif found.claim.relation in TRENDS and found.missing is not None:
        yield say("Its derivative is {slope}.", slope=formula(markup(found.missing)))
    if found.tending and found.claim.relation is Relation.EQUAL:
        yield say("It becomes true in the limit {approach}.", approach=approaches(found.tending))
    if found.example is not None:
        yield example(found.example, found, places)


def approximate(found: Judgement) -> Iterator[Segments]:
    """The error of an approximation, where it vanishes and where it is largest."""
    assert found.missing is not None
    away = "" if found.claim.right == ZERO else f" - {factor(found.claim.right)}"
    error = f"{markup(found.claim.left)}{away} = {markup(found.missing)}"
    if len(error) > LONGEST:
        yield say("The error vanishes as {approach}.", approach=approaches(found.tending[:1]))
    elif found.first_term is not None:
        yield say(
            "The error is {error}; it vanishes as {approach}, like {first}.",
            error=formula(error),
            approach=approaches(found.tending[:1]),
            first=formula(markup(found.first_term)),
        )
    else:
        yield say(
            "The error is {error}; it vanishes as {approach}.",
            error=formula(error),
            approach=approaches(found.tending[:1]),
        )
    if found.largest is not None:
        where_to, value = found.largest
        yield say(
            "It is largest as {approach}, where it tends to {value}.",
            approach=approaches((where_to,)),
            value=formula(markup(value)),
        )
    if found.condition.zero:
        yield say("It is exact only if {where}.", where=where(found))


def corrected(found: Judgement) -> Iterator[Segments]:
    """What the left side really is."""
    assert found.right is not None
    value = markup(found.right)
    left = found.claim.left
    limit = is_limit(found.claim)
    if isinstance(found.claim.right, Order) or (
        isinstance(found.claim.right, Sum) and any(isinstance(t, Order) for t in found.claim.right.terms)
    ):
        yield say(
            "The difference, divided by what stands in {O}, tends to {value}.",
            O=formula("O"),
            value=formula(value),
        )
    elif limit and found.verdict is Verdict.CONDITIONAL:
        yield say("In another case the limit is {value}.", value=formula(value))
    elif limit:
        yield say("The limit is {value}.", value=formula(value))
    elif found.claim.relation.is_order or found.claim.relation is Relation.UNEQUAL:
        if markup(left) != value and len(value) <= LONGEST:
            yield say("Here {equation}.", equation=formula(f"{markup(left)} = {value}"))
    elif found.apart:
        yield say("Otherwise it is {value}.", value=formula(value))
    elif len(value) < len(markup(left)) or any(name.name in DEFINED for name in names(left)):
        yield say("Right would be {equation}.", equation=formula(f"{markup(left)} = {value}"))


def is_limit(claim: Statement) -> bool:
    """Whether a claim says what something tends to."""
    tends = any(one.relation is Relation.TENDS for one in claim.conditions)
    return isinstance(claim.left, Limit) or tends


def where(found: Judgement) -> Segments:
    """When a claim holds: m = 2, or c = √d ln 2; λ_a > λ_b; i ≠ a, b."""
    said: list[Piece] = [formula(vanishing(tree)) for tree in found.condition.zero]
    said += [
        formula(f"{markup(one.variable)} {RELATIONS[one.relation]} {markup(one.bound)}")
        for one in found.bounds
    ]
    if len(said) > 1:
        said = [either(said)]
    said += in_case(found.condition)
    if found.same:
        said.append(either([formula(f"{one} = {other}") for one, other in found.same]))
    for letter in dict.fromkeys(one for one, _ in found.apart):
        others = ", ".join(other for one, other in found.apart if one == letter)
        said.append(formula(rf"{letter} \ne {others}"))
    return listed(said) if said else ()


def in_case(one: Circumstance) -> list[Piece]:
    """What is positive in a case, and what is not 0."""
    made: list[Piece] = [formula(compared(tree)) for tree in one.positive]
    return made + [formula(vanishing(tree, relation=r"\ne")) for tree in one.nonzero]


def either(said: list[Piece]) -> Segments:
    """m = 2 or c = 1."""
    *most, last = said
    if not most:
        return sentence(last)
    first = sentence(*[piece for one in most for piece in (one, ", ")][:-1])
    return say("{most} or {last}", most=first, last=last)


def approaches(tending: tuple[Approach, ...]) -> Segments:
    """c → ∞."""
    goals = {True: r"\infty", False: "0"}
    return listed([formula(rf"{markup(one.variable)} \to {goals[one.at_infinity]}") for one in tending[:1]])


def example(found: Example, judged: Judgement, places: int) -> Segments:
    """Numbers that show it."""
    chosen = listed([formula(f"{markup(name)} = {of_number(value)}") for name, value in found.point])
    if found.left is None or found.right is None:
        return ()
    left, right = formula(shown(found.left, places)), formula(shown(found.right, places))
    if judged.claim.relation in TRENDS:
        return say("For {numbers} it is {value}.", numbers=chosen, value=left)
    if found.member is not None:
        member = formula(markup(found.member))
        if not found.point:
            return say(
                "On the left {member} has the factor {left}, on the right {right}.",
                member=member,
                left=left,
                right=right,
            )
        return say(
            "For {numbers} the factor of {member} is {left} on the left and {right} on the right.",
            numbers=chosen,
            member=member,
            left=left,
            right=right,
        )
    if not found.point:
        return say("The left side is {left} and the right side {right}.", left=left, right=right)
    return say(
        "For {numbers} the left side is {left} and the right side {right}.",
        numbers=chosen,
        left=left,
        right=right,
    )


def shown(cell: Cell, places: int) -> str:
    """A number of an example: exact where it is short."""
    exact = cell.rational()
    if exact is not None and max(abs(exact.numerator), exact.denominator) < 10**4:
        return of_number(exact)
    rounded = cell.decimals(places)
    return (
        f"{numerals.relation(rounded.exact)} {numerals.rounded(rounded)}"
        if not rounded.exact
        else numerals.rounded(rounded)
    )


def record(found: Judgement) -> dict[str, Any]:
    """A judgement for programs."""
    made: dict[str, Any] = {
        "claim": found.claim.text,
        "read": markup_of(found.claim),
        "verdict": found.verdict.value,
    }
    holds = maths_in(where(found))
    if holds and found.verdict in (Verdict.CONDITIONAL, Verdict.APPROXIMATE):
        made["only_if"] = holds
        if found.also:
            made["or_if"] = [maths_in(listed(in_case(one))) for one in found.also]
    if found.right is not None:
        made["right"] = markup(found.right)
    if found.missing is not None:
        made["error"] = markup(found.missing)
    if found.tending:
        made["vanishes"] = [source for _, source in approaches(found.tending)]
    if found.example is not None:
        made["example"] = {f"{markup(name)}": str(value) for name, value in found.example.point}
    return made


def maths_in(said: Segments) -> list[str]:
    """The formulas of a sentence."""
    return [source for is_maths, source in said if is_maths]


def markup_of(claim: Statement) -> str:
    """A claim in one line of maths or words."""
    return "".join(source for _, source in stated(claim))
