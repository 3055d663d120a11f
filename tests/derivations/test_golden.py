"""Closed forms, thresholds and decimals against the values that were worked out elsewhere; SymPy judges."""



import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy

from attnsolve.assumptions import Approach
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.limits import Tending
from attnsolve.derivations.numbers import at
from attnsolve.derivations.thresholds import solve
from attnsolve.loader import load
from attnsolve.statements.claims import statements
from attnsolve.statements.grammar import formula
from attnsolve.statements.tree import (
    ZERO,
    Call,
    Name,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Tree,
)

ROOT = Path(__file__).parents[2]
GOLDEN = json.loads((ROOT / "tests/golden.json").read_text("utf-8"))


def found(tree: Any, name: str) -> Any:
    """An entry of the golden file, wherever it stands."""
    if isinstance(tree, dict):
        if name in tree:
            return tree[name]
        tree = list(tree.values())
    for inside in tree if isinstance(tree, list) else ():
        entry = found(inside, name)
        if entry is not None:
            return entry
    return None


def entry(name: str) -> Any:
    return found(GOLDEN, name)["steps"]


def by_sympy(tree: Tree) -> sympy.Expr:
    """A formula as SymPy has it, for a second opinion."""
    match tree:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Name(name, index):
            return sympy.Symbol("_".join((name, *index)), positive=True)
        case Sum(terms):
            return sympy.Add(*map(by_sympy, terms))
        case Product(factors):
            return sympy.Mul(*map(by_sympy, factors))
        case Quotient(above, below):
            return by_sympy(above) / by_sympy(below)
        case Power(base, exponent):
            return by_sympy(base) ** by_sympy(exponent)
        case Call(function, argument):
            return {"exp": sympy.exp, "ln": sympy.log, "sqrt": sympy.sqrt}[function.value](by_sympy(argument))
    raise TypeError(tree)


c, d, m, la, lb, eps = (
    sympy.Symbol(name, positive=True) for name in ("c", "d", "m", "lambda_a", "lambda_b", "eps")
)
s = c / sympy.sqrt(d)
E, A, B = sympy.exp(s), sympy.exp(la * s), sympy.exp(lb * s)
a1, b1 = sympy.exp(la / sympy.sqrt(d)), sympy.exp(-lb / sympy.sqrt(d))
# (problem, part, head, index) and the weight as the golden file spells it.
WEIGHTS = [
    ("one-key", 0, 0, "j", E / (E + m - 1)),
    ("one-key", 0, 0, "i", 1 / (E + m - 1)),
    ("two-keys-at-once", 0, 0, "a", E / (2 * E + m - 2)),
    ("two-keys-at-once", 0, 0, "b", E / (2 * E + m - 2)),
    ("two-keys-at-once", 0, 0, "i", 1 / (2 * E + m - 2)),
    ("noisy-keys", 0, 0, "a", A / (A + B + m - 2)),
    ("noisy-keys", 0, 0, "i", 1 / (A + B + m - 2)),
    ("two-queries", 0, 0, "a", A / (A + m - 1)),
    ("two-queries", 0, 1, "b", B / (B + m - 1)),
    ("two-queries", 2, 1, "a", a1 / (a1 + b1 + m - 2)),
    ("two-queries", 2, 1, "b", b1 / (a1 + b1 + m - 2)),
]


def solved(name: str, part: int = 0) -> Solved:
    problem = load(ROOT / f"problems/symbols/{name}.yaml")
    abstract = problem.parts[part].abstract
    assert problem.assumptions is not None and abstract is not None
    return Solved(problem.assumptions, abstract.attention)


@pytest.mark.parametrize(("name", "part", "head", "index", "expected"), WEIGHTS)
def test_weights_are_symbolically_those_of_the_golden_file(
    name: str, part: int, head: int, index: str, expected: sympy.Expr
) -> None:
    weight = by_sympy(solved(name, part).heads[head].weights[index])
    assert sympy.simplify(sympy.together(weight - expected)) == 0


def decimals(tree: Tree, point: dict[str, str | int], digits: str) -> str:
    """As many decimals as are stored, and the same way."""
    places = len(digits.partition(".")[2])
    numbers = {Name(*spelt(key)): Fraction(value) for key, value in point.items()}
    return at(tree, numbers).decimals(places).text


def spelt(key: str) -> tuple[str, tuple[str, ...]]:
    name, _, index = key.partition("_")
    return name, (index,) if index else ()


def rows(name: str, key: str) -> list[tuple[dict[str, str], Any]]:
    """The rows of a table for scaled scores, with their numbers."""
    made = []
    for words, value in entry(name)[key].items():
        pieces = words.split(",")
        if pieces[-1] == "scaled":
            made.append((dict(piece.split("=") for piece in pieces[:-1]), value))
    return made


@pytest.mark.parametrize(("point", "value"), rows("s004_1_1", "alpha_j"))
def test_weights_of_one_key_to_all_digits(point: dict[str, str], value: str) -> None:
    digits = decimals(solved("one-key").heads[0].weights["j"], point, value)
    assert value.rstrip("0") == digits.rstrip("0")


def test_weights_of_two_keys_to_all_digits() -> None:
    weights = solved("two-keys-at-once").heads[0].weights
    compared = 0
    for point, value in rows("s004_1_2", "table"):
        for key, index in (("alpha_a", "a"), ("alpha_b", "b"), ("alpha_other", "i")):
            stored = value[key]
            if stored is None:
                continue
            if "/" in stored or "." not in stored:
                numbers = {Name(name): Fraction(number) for name, number in point.items()}
                assert Fraction(stored) == at(weights[index], numbers).rational()
            elif "e" not in stored:
                assert float(stored) == pytest.approx(
                    float(decimals(weights[index], point, stored)), rel=1e-12
                )
            compared += 1
    assert compared > 20


def test_weights_of_noisy_keys_and_two_queries_to_all_digits() -> None:
    for case, stored in entry("s004_1_4")["examples"].items():
        inside, _, rest = case.partition("]")
        factors = [piece.strip(" '[") for piece in inside.partition("=")[2].replace("'", "").split(",")]
        point = {"lambda_a": factors[0], "lambda_b": factors[1], "m": "4"}
        point |= dict(piece.split("=") for piece in rest.strip(",").split(","))
        for part, who in ((0, "corrected"), (3, "student")):
            for number, head in enumerate(solved("two-queries", part).heads, start=1):
                expected = stored[who][f"head{number}_weights"]
                for place, index in enumerate(("a", "b", "i")):
                    if index in head.exponents:
                        value = at(
                            head.weights[index], {Name(*spelt(k)): Fraction(v) for k, v in point.items()}
                        )
                        assert float(expected[place]) == pytest.approx(
                            float(value.ball(200).mid()), rel=1e-14
                        )


def test_threshold_is_that_of_the_golden_file_symbolically_and_in_numbers() -> None:
    made = solved("two-keys-at-once")
    claim = statements("alpha_a >= 1/2 - eps", {"alpha", "eps"})[0]
    left = made.expansion.scalar(claim.left)
    answer = solve(made, left, claim.relation, claim.right, Name("c"))
    assert answer.threshold is not None and answer.threshold.relation.value == "≥"
    expected = sympy.sqrt(d) * sympy.log((m - 2) * (1 - 2 * eps) / (4 * eps))
    assert sympy.simplify(by_sympy(answer.threshold.bound) - expected) == 0
    for words, values in entry("s004_1_2")["minimum_c"].items():
        point = dict(piece.split("=") for piece in words.split(","))
        stored = values["min_c_scaled"]
        assert stored.rstrip("0") == decimals(answer.threshold.bound, point, stored).rstrip("0")


def test_deviation_and_its_first_term_are_those_of_the_golden_file() -> None:
    made = solved("two-keys-at-once")
    missing = made.setting.tidy(made.expansion.scalar(formula("1/2 - alpha_a", {"alpha"})))
    assert sympy.simplify(by_sympy(missing) - (m - 2) / (2 * (2 * E + m - 2))) == 0
    first = Tending(made, Approach(Name("c"), True), missing).leading(missing)
    assert sympy.simplify(by_sympy(first) - (m - 2) / 4 / E) == 0


LIMITS = [
    ("one-key", "alpha_j", "c", True, "1"),
    ("two-keys-at-once", "alpha_a", "c", True, "1/2"),
    ("two-keys-at-once", "alpha_i", "c", True, "0"),
    ("two-keys-at-once", "alpha_a", "c", False, "1/m"),
    ("two-keys-at-once", "alpha_a", "d", True, "1/m"),
]


@pytest.mark.parametrize(("name", "weight", "variable", "at_infinity", "expected"), LIMITS)
def test_limits_are_those_that_sympy_finds(
    name: str, weight: str, variable: str, at_infinity: bool, expected: str
) -> None:
    made = solved(name)
    tree = made.expansion.scalar(formula(weight, {"alpha"}))
    found = Tending(made, Approach(Name(variable), at_infinity), tree).only(tree)
    assert found is not None
    symbol = sympy.Symbol(variable, positive=True)
    goal = sympy.oo if at_infinity else 0
    assert sympy.simplify(by_sympy(found) - sympy.limit(by_sympy(tree), symbol, goal)) == 0
    assert made.setting.same(found, formula(expected, {"m"}))


def test_outputs_of_noisy_keys_tend_to_a_value_drawn_by_chance() -> None:
    made = solved("noisy-keys")
    weights = made.heads[0].weights
    cases = Tending(made, Approach(Name("c"), True), *weights.values()).cases(weights["a"])
    assert [value for _, value in cases].count(Number(Fraction(1))) == 1
    assert [value for _, value in cases].count(ZERO) == 2
