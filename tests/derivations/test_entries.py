"""Letters in matrices of numbers: formulas against numpy and torch, solutions against bisection."""

# ruff: noqa: E501 (formulas are quoted whole)

import itertools
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from attnsolve.assumptions import RandomDotProduct
from attnsolve.derivations import moments
from attnsolve.derivations.derivation import Derivation, Outcome, Topic
from attnsolve.derivations.entries import derive_entries, results_of
from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError, ProblemError
from attnsolve.exact.formulas.cells import tree_of
from attnsolve.exact.formulas.letters import Letters
from attnsolve.exact.formulas.signs import Sign
from attnsolve.exact.formulas.values import at
from attnsolve.loader import load, loads
from attnsolve.problem import Problem
from attnsolve.rendering import Settings, render
from attnsolve.statements.grammar import formula
from attnsolve.statements.tree import Name, Tree
from attnsolve.trace import Trace

BUNDLED = Path(__file__).parents[2] / "problems/symbols/unknown-in-a-key.yaml"
FACTS = BUNDLED.with_name("attention-facts.yaml")
HEAD = "format: 1\ntitle: Letters\n"
SOFTMAX = HEAD + "assume: {x: real, y: real, tau: positive}\ngiven: {S: x y 0}\nparts:\n"
MANY = (
    HEAD
    + """assume: {t: real, s: positive}
given:
  X: 1 0; 0 1; 1 1
  W: 1 t; 0 1
  V: 1 t; 2 0; 0 s
  R: sqrt(2) 1; 0 1
parts:
  - ask: Letters in the values alone.
    attend: {queries: 1 2, keys: X, values: V}
  - ask: Two heads.
    multi_head: {input: X, heads: [{W_Q: W, W_K: identity(2), W_V: identity(2)}, {W_Q: identity(2), W_K: W, W_V: R}], W_O: 1 0; 0 1; 1 1; 0 t}
  - ask: Functions.
    plan: [{P: 'product(X, W)'}, {B: 'tanh(P)'}, {G: 'sigmoid(P)'}]
  - ask: A temperature inside softmax.
    attend: {queries: 1 2, keys: X, values: X, divide_by: none, weights: {softmax: {temperature: s}}}
"""
)


def at_point(trace: Trace, name: str, **numbers: float) -> np.ndarray:
    """A result with numbers for its letters, worked out from its formulas."""
    point = {Name(letter): Fraction(size) for letter, size in numbers.items()}
    value = trace.value(name)
    return np.array([number(tree_of(cell), point) for _, _, cell in value.cells()]).reshape(value.shape)


def number(tree: Tree, point: Mapping[Name, Fraction] | None = None) -> float:
    return float(at(tree, point or {}).ball(64).mid())


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def answered(trace: Trace, part: str) -> Derivation:
    """What the part with this id derives."""
    asked = next(one for one in trace.problem.parts if one.id == part)
    return derive_entries(results_of(trace, asked), asked.entries)


@pytest.fixture(scope="module")
def bundled() -> Trace:
    return solve(load(BUNDLED))


@pytest.mark.parametrize("t", [-1.75, 0.0, 0.3125, 4.5])
def test_formulas_are_what_numpy_finds(bundled: Trace, t: float) -> None:
    q, K, V = np.array([1.0, 1.0]), np.array([[1, 0], [0, t], [1, 1]]), np.array([[2, 0], [0, 4], [2, 4.0]])
    weights = softmax((K @ q)[None])
    np.testing.assert_allclose(at_point(bundled, "a.A", t=t), weights, rtol=1e-12)
    np.testing.assert_allclose(at_point(bundled, "a.Z", t=t), weights @ V, rtol=1e-12)
    X = np.array([[1, t], [0, 1]])
    hidden = np.where(np.tri(2, dtype=bool), X @ X.T / np.sqrt(2), -np.inf)
    np.testing.assert_allclose(at_point(bundled, "e.Z", t=t), softmax(hidden) @ X, rtol=1e-12)


@pytest.mark.parametrize(
    "text", [BUNDLED.read_text(), FACTS.read_text(), MANY], ids=["bundled", "facts", "many"]
)
def test_torch_agrees_with_every_formula(text: str) -> None:
    checking = pytest.importorskip("attnsolve.companion.checking")
    found = checking.check(solve(loads(text)))
    assert found.fine and len(found.steps) > 10
    assert any("MultiheadAttention" in layer.against for layer in found.layers)


def bisected(function: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if function(low) * function(middle) > 0 else (low, middle)
    return low


EQUATIONS = {
    "alpha_1 = alpha_2": [(lambda x: x - 2, 0, 5)],
    "alpha_1 = 1/4": [(lambda x: softmax(np.array([x, 2.0, 0.0]))[0] - 0.25, -5, 5)],
    "alpha_1 = alpha_2^2": [
        (lambda x: softmax(np.array([x, 2.0, 0.0]))[0] - softmax(np.array([x, 2.0, 0.0]))[1] ** 2, -5, 5)
    ],
    "alpha_1 = 2*alpha_2 = 2*alpha_3": [],
    "alpha_3 = 1/2": [],
    "alpha_1*alpha_2 = 1/20": [
        (lambda x: softmax(np.array([x, 2.0, 0.0]))[:2].prod() - 0.05, -6, 1),
        (lambda x: softmax(np.array([x, 2.0, 0.0]))[:2].prod() - 0.05, 1, 9),
    ],
}


@pytest.mark.parametrize("wanted", EQUATIONS)
def test_solutions_are_what_bisection_finds(wanted: str) -> None:
    text = (
        HEAD
        + f"assume: {{x: real}}\ngiven: {{S: x 2 0}}\nparts:\n  - ask: Solve.\n    plan: [{{A: softmax(S)}}]\n    solve: {{for: x, so that: '{wanted}'}}\n"
    )
    (passage,) = answered(solve(loads(text)), "a").passages
    roots = [number(one.subject) for one in passage.remarks if one.subject is not None]
    expected = [bisected(function, low, high) for function, low, high in EQUATIONS[wanted]]
    np.testing.assert_allclose(sorted(roots), sorted(expected), rtol=1e-9)


POLYNOMIALS = {  # what is set equal, the letter's domain, the solutions on paper
    "S_1 = S_2": ("x^2-1", "2*x", "real", (1 - 2**0.5, 1 + 2**0.5)),
    "S_1 = S_2 ": ("x^2-1", "2*x", "positive", (1 + 2**0.5,)),
    "S_1 = S_2  ": ("x^2+1", "0", "real", ()),
    "A_1 = A_2": ("x^3", "4*x", "real", (-2, 0, 2)),
    "A_1 = A_2 ": ("x^3", "4*x", "integer >= 1", (2,)),
}


@pytest.mark.parametrize("wanted", POLYNOMIALS)
def test_polynomials_are_solved_where_the_letter_may_lie(wanted: str) -> None:
    one, other, domain, expected = POLYNOMIALS[wanted]
    text = (
        HEAD
        + f"assume: {{x: '{domain}'}}\ngiven: {{R: {one} {other}}}\nparts:\n  - ask: Solve.\n    plan: [{{S: 'divide(R, 1)'}}, {{A: softmax(S)}}]\n    solve: {{for: x, so that: '{wanted.strip()}'}}\n"
    )
    (passage,) = answered(solve(loads(text)), "a").passages
    roots = [number(one.subject) for one in passage.remarks if one.subject is not None]
    np.testing.assert_allclose(sorted(roots), expected, atol=1e-12)


def test_what_cannot_be_solved_is_said_to_be_open() -> None:
    text = (
        HEAD
        + "assume: {x: real}\ngiven: {S: x 2 0}\nparts:\n  - ask: Solve.\n    plan: [{A: softmax(S)}]\n    solve: {for: x, so that: alpha_1 = x}\n"
    )
    (passage,) = answered(solve(loads(text)), "a").passages
    assert [Outcome.UNDECIDED] == [one.outcome for one in passage.remarks]


def test_limits_are_what_numbers_come_near_to(bundled: Trace) -> None:
    for part, letter, near in (("c", "t", [40.0]), ("d", "tau", [1 / 64, 1e9])):
        limits = [one for one in answered(bundled, part).passages if one.topic is Topic.LIMIT]
        assert len(near) == len(limits)
        for place, passage in zip(near, limits, strict=True):
            for chain in passage.chains:
                name = chain[0].left
                value = at_point(bundled, name.name, **{letter: place})[
                    int(name.index[0]), int(name.index[1])
                ]
                assert value == pytest.approx(number(chain[-1].right), abs=1e-6)


def test_the_derivative_of_softmax_by_a_score_is_torchs() -> None:
    torch = pytest.importorskip("torch")
    trace = solve(loads(SOFTMAX + "  - ask: Derive.\n    plan: [{A: softmax(S)}]\n    monotony: [x, y]\n"))
    numbers = {"x": 0.75, "y": -0.5}
    scores = torch.tensor([*numbers.values(), 0.0], dtype=torch.float64, requires_grad=True)
    jacobian = torch.autograd.functional.jacobian(lambda S: torch.softmax(S, 0), scores)
    powers = np.exp(scores.detach().numpy())
    point = {Name(letter): Fraction(size) for letter, size in numbers.items()}
    point |= {Name("D"): Fraction(powers.sum())}
    point |= {
        Name("a.A", ("0", str(key))): Fraction(share) for key, share in enumerate(powers / powers.sum())
    }
    for column, passage in enumerate(answered(trace, "a").passages):
        for row, chain in enumerate(passage.chains):
            assert 3 == len(chain)
            for line in chain:
                assert float(jacobian[row, column]) == pytest.approx(number(line.right, point)), line
    page = render(trace, settings=Settings(to="markdown")).text
    assert r"&= \alpha_{1}\,(1 - \alpha_{1})" in page and r"&= -\alpha_{2} \alpha_{1}" in page


def test_outputs_come_in_the_order_of_the_tokens() -> None:
    facts = solve(load(FACTS))
    assert [["0"], ["0"]] == facts.value("g.N").texts()
    assert ["x", "1"] == facts.value("e.Z").texts()[0]
    assert [["(x + y)/2", "(w + 1)/2"]] == facts.value("d.Z").texts()


@pytest.mark.parametrize(("mu", "sigma"), [(0, 1), (Fraction(2, 3), Fraction(5, 4))])
def test_the_variance_of_a_dot_product_is_that_of_all_outcomes(mu: Fraction, sigma: Fraction) -> None:
    """Numbers that are mu + sigma or mu - sigma, each half the time, have this mean and variance."""
    products = [q1 * k1 + q2 * k2 for q1, k1, q2, k2 in itertools.product((mu - sigma, mu + sigma), repeat=4)]
    mean = Fraction(sum(products), len(products))
    variance = sum((one - mean) ** 2 for one in products) / len(products)
    found = moments.passage(Letters({}), random_dot_product(load(FACTS)))
    point = {Name("d"): Fraction(2), Name("mu"): Fraction(mu), Name("sigma"): Fraction(sigma)}
    ends = [at(chain[-1].right, point).rational() for chain in found.chains]
    assert [mean, variance, variance / 2] == ends[3:]
    assert [mu**2, mu**2 + sigma**2, variance / 2] == ends[:3]


def random_dot_product(problem: Problem) -> RandomDotProduct:
    return next(part.entries.dot_product for part in problem.parts if part.id == "i")


def test_a_limit_that_depends_on_letters_has_cases() -> None:
    trace = solve(
        loads(
            SOFTMAX
            + "  - ask: Cool.\n    plan: [{T: 'divide(S, tau)'}, {A: softmax(T)}]\n    limit: tau -> 0\n"
        )
    )
    cases = answered(trace, "a").passages
    assert 3 == len(cases) and all(one.circumstance.positive for one in cases)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1/(1 + sqrt(2))", "sqrt(2) - 1"),
        ("sqrt(6)", "sqrt(2)*sqrt(3)"),
        ("sqrt(1/2)", "sqrt(2)/2"),
        ("exp(sqrt(8))", "exp(sqrt(2))^2"),
    ],
)
def test_roots_of_numbers_are_the_same_in_every_spelling(one: str, other: str) -> None:
    letters = Letters({})
    assert letters.same(formula(one, ()), formula(other, ()))
    assert not letters.same(formula(one, ()), formula(f"{other} + 1/1000000", ()))


def test_the_sign_of_a_number_is_certified() -> None:
    letters = Letters({})
    assert Sign.NEGATIVE is letters.sign(formula("exp(1/sqrt(2)) - 3", ()))
    assert Sign.POSITIVE is letters.sign(formula("exp(1/sqrt(2)) - 2", ()))


BOMBS = {
    "39711 terms": "'(t+u+w+1)^60 1; 1 1'",
    "48401 terms": "'(t+u+w+1)^9 1; 1 1'",
    "524288 pieces": "; ".join(" ".join("t" if i == j == 1 else "1" for j in range(64)) for i in range(64)),
}


@pytest.mark.parametrize("estimate", BOMBS)
def test_what_nobody_could_read_is_refused_with_the_estimate(estimate: str) -> None:
    text = (
        HEAD
        + f"assume: {{t: real, u: real, w: real}}\ngiven: {{K: {BOMBS[estimate]}}}\nparts:\n  - ask: Bang.\n    attend: {{queries: K, keys: K, values: K}}\n"
    )
    with pytest.raises(AttnsolveError, match=estimate) as refused:
        solve(loads(text))
    assert refused.value.exit_code in (3, 4)


REFUSED = {
    "given.t|'t' is a letter": "given: {t: 1 2}\nparts: [{ask: x, plan: [{A: softmax(t)}]}]",
    "there is no 3|no number 3": "given: {S: t 1}\nparts: [{ask: x, plan: [{A: softmax(S)}], solve: {for: t, so that: alpha_3 = 1/2}}]",
    "write A_{1,2}: row, column": "given: {S: t 1; 1 1}\nparts: [{ask: x, plan: [{A: softmax(S)}], solve: {for: t, so that: A_1 = 1/2}}]",
    "nothing has been worked out": "given: {S: t 1}\nparts: [{ask: x, limit: t -> oo}]",
    "does not go with letters": "given: {S: t 1}\nparts: [{ask: x, plan: [{A: softmax(S)}], plot: A}]",
    "this one has letters": "given: {S: t 1}\nround: {carry: 2}\nparts: [{ask: x, plan: [{A: softmax(S)}]}]",
    "the variance not below it": "parts: [{ask: x, dot_product: {length: 2, variance: '-1'}}]",
    "write {length: d": "parts: [{ask: x, dot_product: {length: 2, spread: 1}}]",
    "'u' is not something I can read": "given: {S: u 1}\nparts: [{ask: x, plan: [{A: softmax(S)}]}]",
}


@pytest.mark.parametrize("said", REFUSED)
def test_faults_are_told_with_their_place(said: str) -> None:
    with pytest.raises(ProblemError) as refused:
        loads(HEAD + "assume: {t: real}\n" + REFUSED[said])
    assert any(piece in str(refused.value) for piece in said.split("|"))


def test_a_decision_that_depends_on_a_letter_is_left_open() -> None:
    problem = loads(HEAD + "assume: {t: real}\ngiven: {S: t 1}\nparts: [{ask: x, plan: [{A: argmax(S)}]}]")
    with pytest.raises(AttnsolveError, match="depends on its letters"):
        solve(problem)
