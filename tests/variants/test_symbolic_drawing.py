"""Variants of problems with symbols: other numbers, the same kind of question, and answers that are right."""

import hashlib
import math
import random
from functools import cache
from pathlib import Path

import mpmath
import numpy
import pytest
from families import Family

from attnsolve.assumptions import Equations
from attnsolve.claims.sheets import judge_part
from attnsolve.claims.verdict import Verdict
from attnsolve.derivations.answers import derive
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.derivation import Outcome, Topic
from attnsolve.derivations.entries import derive_entries
from attnsolve.derivations.entry_results import results_of
from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.statements.tree import Call, Name, Number, Power, Product, Quotient, Sum, Tree
from attnsolve.variants import Blueprint, Drawer, Impossible, Variant, drawer_for, key_of_seed
from attnsolve.variants.structure import derivations_of, groups_of, kinds_of, pieces

BUNDLED = {path.stem: path for path in (Path(__file__).parents[2] / "problems/symbols").glob("*.yaml")}
ABSTRACT = ("designed-queries", "one-key", "several-heads", "statements-to-judge", "two-keys-at-once")
LETTERS = "unknown-in-a-key"
COUNT = 2


@cache
def bundled(name: str) -> Drawer:
    return drawer_for(Blueprint.read(BUNDLED[name]), key_of_seed(2026))


@cache
def variants(name: str) -> tuple[Variant, ...]:
    return tuple(bundled(name).draw(str(number)) for number in range(1, COUNT + 1))


HEAD = (
    "format: 1\ntitle: T\nassume: {m: integer >= 4, c: positive, k: 'orthonormal, m vectors', v: m vectors}\n"
)
ATTEND = "attend: {queries: q, keys: k, values: v}"


def small(
    query: str = "c*(<r>*k_a + <s>*k_b)",
    *,
    let: str = "r: 2, s: 3",
    vary: str = "r: 1..3, s: 1..3",
    more: str = "",
) -> Drawer:
    """A problem with one query, which says this about its variants."""
    part = f"parts:\n  - ask: What?\n    {ATTEND}\n{more}"
    text = f"{HEAD}let: {{{let}}}\ngiven: {{q: {query}}}\n{part}vary: {{{vary}}}\n"
    return drawer_for(Blueprint(text, name="small"), key_of_seed(1))


def value(tree: Tree, numbers: dict[str, float]) -> float:
    """A formula of letters, by Python's own arithmetic."""
    match tree:
        case Number(exact):
            return float(exact)
        case Name(name):
            return numbers[name]
        case Sum(terms):
            return math.fsum(value(term, numbers) for term in terms)
        case Product(factors):
            return math.prod(value(factor, numbers) for factor in factors)
        case Quotient(above, below):
            return value(above, numbers) / value(below, numbers)
        case Power(base, exponent):
            return float(value(base, numbers) ** value(exponent, numbers))
        case Call(function, argument):
            return float(
                getattr(math, {"ln": "log"}.get(function.value, function.value))(value(argument, numbers))
            )
    raise TypeError(tree)


@pytest.mark.parametrize("name", ABSTRACT)
def test_weights_of_variants_are_those_of_torch_on_random_families(name: str) -> None:
    drawn = random.Random(1)
    for variant in variants(name):
        problem = variant.problem
        assert problem.assumptions is not None
        for part in problem.parts:
            if part.abstract is None:
                continue
            attention = part.abstract.attention
            solved = Solved(problem.assumptions, attention)
            numbers = {"m": 6.0, "d": 8.0, "c": drawn.uniform(0.3, 3), "eps": 0.1}
            family = Family(
                problem.assumptions, attention, solved.setting.named, numbers, drawn.randrange(99)
            )
            for head, weights in zip(solved.heads, family.weights, strict=True):
                for index in solved.seen(head):
                    place = family.place.get(index, len(family.place))
                    assert value(head.weights[index], numbers) == pytest.approx(
                        float(weights[place]), rel=1e-9
                    )


def test_letters_in_matrices_of_variants_give_the_weights_of_numpy() -> None:
    drawn = random.Random(2)
    for variant in variants(LETTERS):
        numbers = {"t": drawn.uniform(-2, 2), "tau": drawn.uniform(0.5, 3)}
        trace = variant.trace
        cells = {
            name: numpy.array(
                [
                    [value(tree_at(given.value, i, j), numbers) for j in range(given.value.shape[1])]
                    for i in range(given.value.shape[0])
                ]
            )
            for name, given in trace.problem.givens.items()
        }
        for name, scores in (
            ("a.A", cells["q"] @ cells["K"].T),
            ("d.A", cells["r"] @ cells["K_1"].T / numbers["tau"]),
        ):
            powers = numpy.exp(scores)
            weights = powers / powers.sum(axis=1, keepdims=True)
            own = trace.value(name)
            for j in range(weights.shape[1]):
                assert value(tree_at(own, 0, j), numbers) == pytest.approx(weights[0, j], rel=1e-9)


def tree_at(matrix: object, i: int, j: int) -> Tree:
    from attnsolve.exact.formulas.cells import tree_of

    return tree_of(matrix.cell(i, j))  # type: ignore[attr-defined]


def test_solutions_for_a_letter_solve_the_equations_of_their_own_variant() -> None:
    mpmath.mp.dps = 40
    checked = 0
    for variant in variants(LETTERS):
        trace = variant.trace
        given = {name: one.value for name, one in trace.problem.givens.items()}
        q = [int(given["q"].cell(0, j).rational()) for j in range(2)]
        for part in trace.problem.parts:
            if part.entries is None or part.id != "b":
                continue
            target = next(
                one for one in part.entries.solve if isinstance(one, Equations) and len(one.wanted) == 1
            )
            share = target.wanted[0].right
            made = derive_entries(results_of(trace, part), part.entries)
            (found,) = [
                remark.subject
                for passage in made.passages
                for remark in passage.remarks
                if remark.outcome is Outcome.ONLY_SOLUTION
            ]
            t = mpmath.mpf(value_exactly(found))
            powers = [mpmath.e ** q[0], mpmath.e ** (q[1] * t), mpmath.e ** (q[0] + q[1])]
            assert mpmath.almosteq(powers[1] / sum(powers), value_exactly(share))
            checked += 1
    assert COUNT == checked


def value_exactly(tree: Tree | None) -> mpmath.mpf:
    """A number without letters, by mpmath."""
    match tree:
        case Number(exact):
            return mpmath.mpf(exact.numerator) / exact.denominator
        case Sum(terms):
            return mpmath.fsum(map(value_exactly, terms))
        case Product(factors):
            return mpmath.fprod(map(value_exactly, factors))
        case Quotient(above, below):
            return value_exactly(above) / value_exactly(below)
        case Power(base, exponent):
            return value_exactly(base) ** value_exactly(exponent)
        case Call(function, argument):
            return getattr(mpmath, {"ln": "log"}.get(function.value, function.value))(value_exactly(argument))
    raise TypeError(tree)


@pytest.mark.parametrize("name", ("designed-queries", "two-keys-at-once"))
def test_thresholds_of_variants_are_where_the_weight_is_as_large_as_was_asked(name: str) -> None:
    numbers = {"m": 9.0, "d": 16.0, "eps": 0.02}
    for variant in variants(name):
        problem = variant.problem
        part = next(one for one in problem.parts if one.abstract is not None and one.abstract.solve)
        assert problem.assumptions is not None and part.abstract is not None
        wanted = part.abstract.solve[0].wanted
        (passage,) = [
            one for one in derive(problem.assumptions, part.abstract).passages if one.topic is Topic.SOLUTION
        ]
        bound = value(passage.chains[0][-1].right, numbers)
        solved = Solved(problem.assumptions, part.abstract.attention)
        left = value(solved.expansion.scalar(wanted.left), {**numbers, "c": bound})
        assert left == pytest.approx(value(wanted.right, numbers), rel=1e-9)


@pytest.mark.parametrize("name", (*ABSTRACT, LETTERS))
def test_variants_have_the_structure_of_the_original(name: str) -> None:
    original = solve(bundled(name).blueprint.problem)
    groups = tuple(groups_of(original.problem, original.steps))
    kinds = kinds_of(original, derivations_of(original))
    for variant in variants(name):
        trace = solve(loads(variant.text))
        assert groups == tuple(groups_of(trace.problem, trace.steps))
        assert kinds == kinds_of(trace, derivations_of(trace))
        assert "vary" not in variant.text
        assert abs(variant.effort - bundled(name).usual_effort) * 10 <= bundled(name).usual_effort


@pytest.mark.parametrize("name", ("statements-to-judge", LETTERS))
def test_where_there_are_many_numbers_papers_differ(name: str) -> None:
    assert COUNT == len({variant.text for variant in variants(name)})


def test_each_paper_has_so_many_claims_of_each_verdict() -> None:
    for variant in variants("statements-to-judge"):
        found = [one.verdict for one in judge_part(variant.problem, variant.problem.parts[1])]
        wanted = {Verdict.TRUE: 2, Verdict.CONDITIONAL: 1, Verdict.APPROXIMATE: 1, Verdict.FALSE: 1}
        assert wanted == {verdict: found.count(verdict) for verdict in wanted}


def test_equal_factors_would_make_equal_weights_and_are_refused() -> None:
    drawer = small()
    refused = 0
    for number in range(8):
        variant = drawer.draw(str(number))
        let = variant.text.split("let: {")[1].split("}")[0]
        r, s = (int(piece.split(":")[1]) for piece in let.split(","))
        assert r != s
        refused += variant.refused.get("groups", 0)
    assert refused


def test_a_key_that_would_get_nothing_of_the_query_is_refused() -> None:
    assert "r: 0" not in small(vary="r: -1..1").draw("1").text


def test_with_groups_allowed_scores_may_become_equal() -> None:
    drawer = small(vary="r: [3, 4], allow: [groups, outcomes], band: 100%", let="r: 2, s: 3")
    assert "r: 3" in {drawer.draw(str(number)).text.split("let: {")[1][:4] for number in range(8)}


def test_a_trend_that_turns_is_refused() -> None:
    # With a negative factor the named key loses weight as c grows.
    drawer = small("c*<r>*k_a", let="r: 2", vary="r: [-1, 2, 3]", more="    monotony: c\n")
    assert not any("r: -1" in drawer.draw(str(number)).text for number in range(6))
    assert any(drawer.draw(str(number)).refused.get("outcomes") for number in range(6))


def test_a_claim_that_becomes_false_is_refused() -> None:
    drawer = small("c*<r>*k_a", let="r: 2", vary="r: 2..4", more="    claims: [q*k_a <= 3*c]\n")
    assert {"r: 2", "r: 3"} == {drawer.draw(str(number)).text.split("let: {")[1][:4] for number in range(9)}


def test_indices_may_have_other_letters() -> None:
    drawer = small("c*(k_<i> + 2*k_<j>)", let="i: a, j: b", vary="i: [a, j, s], j: [b, s]")
    seen = {drawer.draw(str(number)).text.split("let: {")[1].split("}")[0] for number in range(12)}
    assert 2 < len(seen)
    assert "i: s, j: s" not in seen  # which would be one key


def test_what_goes_together_is_chosen_together() -> None:
    ways = "choose: [{given.q: c*k_a, a.ask: One?}, {given.q: c*(k_a + k_b), a.ask: Two?}]"
    text = f"{HEAD}given: {{q: c*k_a}}\nparts:\n  - ask: What?\n    {ATTEND}\nvary: {{{ways}, band: 100%}}\n"
    drawer = drawer_for(Blueprint(text, name="chosen"), key_of_seed(1))
    texts = [drawer.draw(str(number)).text for number in range(6)]
    assert {True, False} == {"One?" in text for text in texts}
    assert all(("One?" in text) == ("{q: c*k_a}" in text) for text in texts)


def test_where_nothing_is_left_a_sentence_names_the_judge() -> None:
    with pytest.raises(Impossible, match=r"groups refused 100 % of them \(other scores are equal than"):
        small(vary="r: [3, 6]", let="r: 2, s: 3", query="c*(<r>*k_a + 3*k_b + 6*k_j)").draw("1")
    with pytest.raises(Impossible, match=r"too_few_claims refused 100 %"):
        small(
            more="    claims: [alpha_a = alpha_a, alpha_b = alpha_b]\n", vary="claims: {a: {false: 1}}"
        ).draw("1")


def test_letters_stay_in_their_places_while_numbers_vary() -> None:
    text = (
        "format: 1\ntitle: T\nassume: {t: real}\ngiven: {q: 1 2, K: 1 0; 0 t; 2t 1}\nparts:\n  - ask: What?\n"
        "    attend: {queries: q, keys: K, divide_by: none}\nvary: {K: 0..3}\n"
    )
    drawer = drawer_for(Blueprint(text, name="letters"), key_of_seed(1))
    for number in range(3):
        (row,) = [one for one in drawer.draw(str(number)).text.splitlines() if one.startswith("given")]
        first, second, third = row.split("K: ")[1].strip("}").split("; ")
        assert second.split()[1] == "t"
        assert third.split()[0] == "2t"
        assert set(f"{first} {second.split()[0]} {third.split()[1]}") <= set("0123 ")


def test_work_is_the_pieces_of_what_is_written() -> None:
    assert 7 == pieces(
        Quotient(Sum((Name("x"), Number(2))), Product((Name("y"), Name("z"))))
    )  # (x + 2)/(y z)


@pytest.mark.parametrize("name", ("designed-queries", LETTERS))
def test_the_order_of_drawing_changes_nothing(name: str) -> None:
    again = drawer_for(Blueprint.read(BUNDLED[name]), key_of_seed(2026))
    assert variants(name)[1].text == again.draw("2").text
    assert variants(name)[0].text == again.draw("1").text


# As in test_determinism.py: what was drawn once must come out the same in every later release.
FROZEN = {
    "designed-queries": "fcc14ca46fabf0826720ea47bf0cdb0e1bac7276789d00fd9bd77764843f9533",
    "one-key": "d4611f2322573c1c663f279b4282905792d6e463e1d4467e72a93c8bfa69a0f7",
    "several-heads": "b17132a828ed08a928557b9a02f9c6f4e92527d28c9df60f6b67953263407a8c",
    "statements-to-judge": "b371e2b5242a7215a31e050607f8302bba852aba2ac248482a00fe2d4690811a",
    "two-keys-at-once": "1a5e1692910f9bf0dc6855d4136f7ea52412617b62477ec86107e833443dd86c",
    "unknown-in-a-key": "ad635688872f6ebdc519ce5e4d4f710b76dd37d92bf3c4e5a4025ed2edf3e4f5",
}


@pytest.mark.parametrize("name", FROZEN)
def test_draws_of_earlier_releases_come_out_the_same(name: str) -> None:
    drawn = variants(name)[0]
    assert FROZEN[name] == hashlib.sha256(drawn.text.encode()).hexdigest()
