"""The lines that lead from a query to its scores, weights and output."""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.derivations.attention import Head, Solved
from attnsolve.derivations.derivation import Line, Passage, Reason, Topic
from attnsolve.derivations.expansion import Expansion
from attnsolve.derivations.setting import OUTPUT, WEIGHTS, Setting
from attnsolve.derivations.vectors import Member, Vector, as_tree, gram
from attnsolve.statements.claim import Relation
from attnsolve.statements.tree import (
    ONE,
    ZERO,
    Dot,
    Name,
    Product,
    Quotient,
    Sum,
    Summation,
    Tree,
    exponential,
    over,
    product,
    put_in,
    total,
)

EQUAL = Relation.EQUAL


def passages(solved: Solved) -> Iterator[Passage]:
    """Scores, denominator, weights and output of every head, and of all together."""
    several = len(solved.heads) > 1
    for number, head in enumerate(solved.heads, start=1):
        place = number if several else 0
        yield scores(solved, head, place)
        yield denominator(solved, head, place)
        yield weights(solved, head, place)
        if head.asked.values:
            yield output(solved, head, place)
    if several and solved.attention.combined is not None:
        yield together(solved)


def scores(solved: Solved, head: Head, number: int) -> Passage:
    """q · k_j for every key, the nameless ones at once."""
    chains = tuple(tuple(score_lines(solved, head, index)) for index in solved.seen(head))
    hidden = tuple(head.key(index) for index in head.asked.hidden)
    return Passage(Topic.SCORES, chains, number, for_others=letter(solved), hidden=hidden)


def letter(solved: Solved) -> str:
    """The letter of the nameless indices, where there are any."""
    return solved.setting.generic if solved.setting.generic in solved.indices else ""


def score_lines(solved: Solved, head: Head, index: str) -> Iterator[Line]:
    """Definition, bilinearity, the dot products of the family, the sum."""
    setting = solved.setting
    plain = Expansion(setting)
    key = head.key(index)
    query, right = plain.vector(head.query), plain.vector(key)
    query = {one: share for one, share in query.items() if share != ZERO}
    if not query:
        yield Line(Dot(head.query, key), EQUAL, ZERO, Reason.DEFINITION)
        return
    shown = as_sum(query, solved, letter=setting.running), as_sum(right, solved)
    left: Tree | None = Dot(head.query, key)
    if shown != (head.query, key):
        yield Line(left, EQUAL, Dot(*shown), Reason.DEFINITION)
        left = None
    pairs = [
        (product((share, other)), one, two) for one, share in query.items() for two, other in right.items()
    ]
    if len(pairs) > 1 or pairs[0][0] != ONE:
        spread = [
            product((share, Dot(member(one, setting), member(two, setting)))) for share, one, two in pairs
        ]
        yield Line(left, EQUAL, Sum(tuple(spread)) if len(spread) > 1 else spread[0], Reason.BILINEARITY)
        left = None
    known = [(share, gram(one, two, setting)) for share, one, two in pairs]
    filled = [times(share, value) for share, value in known]
    whole = Sum(tuple(filled)) if len(filled) > 1 else filled[0]
    reason = reason_of(solved, pairs)
    if whole != head.scores[index]:
        yield Line(left, EQUAL, whole, reason)
        yield Line(None, EQUAL, head.scores[index])
    else:
        yield Line(left, EQUAL, head.scores[index], reason)


def reason_of(solved: Solved, pairs: list[tuple[Tree, Member, Member]]) -> Reason:
    """What the dot products of these members are known by."""
    vectors = solved.setting.assumptions.vectors
    families = [vectors[member.family] for _, one, two in pairs for member in (one, two)]
    if all(family.is_orthonormal or family.orthogonal_to for family in families):
        return Reason.ORTHONORMALITY
    return Reason.ORTHOGONALITY if all(family.between == ZERO for family in families) else Reason.DOT_PRODUCTS


def times(share: Tree, value: Tree) -> Tree:
    """share · value, with a 0 or a 1 still to be seen."""
    if share == ONE:
        return value
    factors = share.factors if isinstance(share, Product) else (share,)
    return Product((*factors, value))


def member(one: Member, setting: Setting) -> Tree:
    """A vector by its name, or the sum of those without one."""
    return as_tree({one: ONE}, setting, letter=setting.running)


def as_sum(vector: Vector, solved: Solved, *, letter: str = "") -> Tree:
    """A combination in brackets, a common factor in front, or over a common denominator."""
    shares = list(vector.values())
    below = {share.under for share in shares if isinstance(share, Quotient)}
    if len(vector) > 1 and len(below) == 1 and all(isinstance(share, Quotient) for share in shares):
        groups: dict[Tree, Vector] = {}
        for member, share in vector.items():
            assert isinstance(share, Quotient)
            groups.setdefault(share.over, {})[member] = ONE
        made = [product((factor, as_tree(group, solved.setting))) for factor, group in groups.items()]
        return Quotient(total(made), below.pop())
    if len(vector) > 1 and shares[0] != ONE and all(share == shares[0] for share in shares):
        return Product((shares[0], as_tree(dict.fromkeys(vector, ONE), solved.setting, letter=letter)))
    return as_tree(vector, solved.setting, letter=letter)


def denominator(solved: Solved, head: Head, number: int) -> Passage:
    """The sum of all exponentials, equal ones taken together."""
    setting, generic = solved.setting, solved.setting.generic
    left, seen = symbol("D", number), solved.seen(head)
    power = exponential(over(Dot(head.query, head.key("j")), head.divisor))
    lines = [Line(left, EQUAL, Summation("j", power, head.asked.hidden))]
    apart: list[Tree] = [exponential(head.exponents[index]) for index in seen if index in setting.named]
    if generic in seen:
        other = head.exponents[generic]
        apart.append(Summation(generic, shown_exponential(other), setting.named))
        lines.append(Line(None, EQUAL, total(apart) if len(apart) > 1 else apart[0], Reason.GROUPING))
    grouped = []
    for group in solved.groups(head):
        count = setting.tidy(total(map(solved.multiplicity, group)))
        grouped.append(product((count, shown_exponential(head.exponents[group[0]]))))
    if len(grouped) < len(seen) or generic in seen:
        lines.append(Line(None, EQUAL, total(grouped), Reason.EQUAL_EXPONENTS))
    if total(grouped) != head.denominator or len(lines) == 1:
        lines.append(Line(None, EQUAL, head.denominator))
    return Passage(Topic.DENOMINATOR, (tuple(lines),), number, for_others=letter(solved))


def shown_exponential(exponent: Tree) -> Tree:
    """e^exponent, also where that is 1."""
    from attnsolve.statements.tree import Call, Function

    return Call(Function.EXP, exponent)


def weights(solved: Solved, head: Head, number: int) -> Passage:
    """The share of every key; keys with equal exponents have the same."""
    chains = []
    for group in solved.groups(head):
        first, *others = [weight_symbol(index, number) for index in group]
        lines = [Line(first, EQUAL, other, Reason.EQUAL_EXPONENTS) for other in others[:1]]
        lines += [Line(None, EQUAL, other) for other in others[1:]]
        share = head.weights[group[0]]
        lines.append(Line(None if lines else first, EQUAL, share, Reason.SOFTMAX))
        chains.append(tuple(lines))
    for index in head.asked.hidden:
        chains.append((Line(weight_symbol(index, number), EQUAL, ZERO, Reason.HIDDEN),))
    return Passage(Topic.WEIGHTS, tuple(chains), number, for_others=letter(solved))


def weight_symbol(index: str, number: int) -> Name:
    """α_a, or α_{1,a} of the first head."""
    return Name(WEIGHTS, (str(number), index) if number else (index,))


def symbol(name: str, number: int) -> Name:
    """D, or D_1 of the first head."""
    return Name(name, (str(number),) if number else ())


def output(solved: Solved, head: Head, number: int) -> Passage:
    """The weighted sum of the values, over the one denominator."""
    setting, generic, seen = solved.setting, solved.setting.generic, solved.seen(head)
    every = Summation("j", product((weight_symbol("j", number), head.value("j"))))
    apart: list[Tree] = [
        product((weight_symbol(index, number), head.value(index))) for index in seen if index in setting.named
    ]
    lines = [Line(symbol(OUTPUT, number), EQUAL, every, Reason.WEIGHTED_SUM)]
    if generic in seen:
        rest = Summation(generic, head.value(generic), setting.named)
        apart.append(product((weight_symbol(generic, number), rest)))
    lines.append(Line(None, EQUAL, total(apart), Reason.GROUPING))
    lines.append(Line(None, EQUAL, fraction(solved, head), Reason.INSERTING))
    return Passage(Topic.OUTPUT, (tuple(lines),), number)


def fraction(solved: Solved, head: Head) -> Tree:
    """(e^s (v_a + v_b) + Σ v_i) / (2 e^s + m - 2)."""
    setting, terms = solved.setting, []
    for group in solved.groups(head):
        inside: list[Tree] = []
        for index in group:
            one: Tree = head.value(index)
            inside.append(one if index in setting.named else Summation(index, one, setting.named))
        power = exponential(head.exponents[group[0]])
        terms.append(product((power, total(inside))))
    return over(total(terms), head.denominator)


def together(solved: Solved) -> Passage:
    """What the heads give together: the combination, and what multiplies each value."""
    combined = solved.attention.combined
    assert combined is not None
    lines = (
        Line(Name(OUTPUT), EQUAL, combined, Reason.DEFINITION),
        Line(None, EQUAL, joined(solved), Reason.RESULTS_PUT_IN),
    )
    return Passage(Topic.TOGETHER, (lines,))


def joined(solved: Solved) -> Tree:
    """The combination of the heads with their outputs put in."""
    assert solved.attention.combined is not None
    outputs: dict[Name, Tree] = {
        Name(OUTPUT, (str(place),)): fraction(solved, head)
        for place, head in enumerate(solved.heads, start=1)
    }
    return put_in(solved.attention.combined, outputs)
