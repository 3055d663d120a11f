"""Claims of our own and what becomes of them, by hand; and that no claim is called true that torch refutes."""

# ruff: noqa: E501 (formulas are quoted whole)

from functools import cache
from pathlib import Path

import pytest

from attnsolve.assumptions import AbstractPart, Assumptions
from attnsolve.claims.judging import judge_line
from attnsolve.claims.verdict import Judgement, Verdict
from attnsolve.derivations.setting import Setting
from attnsolve.errors import AttnsolveError, ExpressionError
from attnsolve.loader import load
from attnsolve.rendering.derivations.verdicts import record
from attnsolve.statements.claim import Relation, Statement
from attnsolve.statements.claims import statements
from attnsolve.statements.tree import Limit, Name, Number, Order, Tree, replaced, walk

PROBLEMS = Path(__file__).parents[2] / "problems/symbols"
T, C, A, F, U = (
    Verdict.TRUE, Verdict.CONDITIONAL, Verdict.APPROXIMATE, Verdict.FALSE, Verdict.UNDECIDED,
)  # fmt: skip
E, D = "e^{c/sqrt(d)}", "(2e^{c/sqrt(d)} + m - 2)"
# Of q = c (k_a + k_b) with orthonormal keys: a claim, its verdict, and what is said to hold only then.
TWO_KEYS = [
    ("q*k_a = c", T, ""),
    ("q*k_b = c", T, ""),
    ("q*k_i = 0 for i != a, b", T, ""),
    ("q*q = 2c^2", T, ""),
    ("k_a*k_a = 1", T, ""),
    ("k_a*k_b = 0", T, ""),
    ("k_i*k_j = 0 for i != j", T, ""),
    (f"alpha_a = {E}/{D}", T, ""),
    (f"alpha_i = 1/{D} for i != a, b", T, ""),
    ("alpha_a = 1/(2 + (m-2) e^{-c/sqrt(d)})", T, ""),
    (r"\alpha_a = \frac{\exp(c/\sqrt{d})}{2\exp(c/\sqrt{d}) + m - 2}", T, ""),
    (r"\alpha_i = \frac{\exp(q \cdot k_i/\sqrt{d})}{\sum_{j=1}^m \exp(q \cdot k_j / \sqrt{d})}", T, ""),
    ("alpha_a = alpha_b", T, ""),
    ("alpha_a + alpha_b + (m-2) alpha_i = 1 for i != a, b", T, ""),
    ("sum_i alpha_i = 1", T, ""),
    ("sum_{i != a, b} alpha_i = 1 - 2 alpha_a", T, ""),
    ("alpha_a/alpha_i = e^{c/sqrt(d)} for i != a, b", T, ""),
    (f"a = ({E} (v_a + v_b) + sum_{{i != a, b}} v_i)/{D}", T, ""),
    ("a = sum_i alpha_i v_i", T, ""),
    ("1/2 v_a + 1/2 v_b = 1/2 (v_a + v_b)", T, ""),
    ("lim c->oo alpha_a = 1/2", T, ""),
    (
        r"\lim_{c \to \infty} \alpha_i = 0 \quad (i \neq a, b)".replace("(", r"\text{for }").replace(
            "b)", "b"
        ),
        T,
        "",
    ),
    ("alpha_a -> 1/m as c -> 0", T, ""),
    ("lim_{d -> oo} alpha_a = 1/m", T, ""),
    ("a -> 1/2 (v_a + v_b) as c -> oo", T, ""),
    ("alpha_a <= 1/2", T, ""),
    ("alpha_a > 0", T, ""),
    ("alpha_a > alpha_i for i != a, b", T, ""),
    (f"1/2 - alpha_a = (m-2)/(2 {D})", T, ""),
    ("1/2 - alpha_a <= (m-2)/4 e^{-c/sqrt(d)}", T, ""),
    ("1/2 - alpha_a = (m-2)/4 e^{-c/sqrt(d)} + O(e^{-2c/sqrt(d)}) as c -> oo", T, ""),
    ("alpha_a >= 1/2 - eps if c >= sqrt(d) ln((m-2)(1-2eps)/(4eps))", T, ""),
    ("alpha_a decreases with m", T, ""),
    ("alpha_i decreases with c for i != a, b", T, ""),
    ("alpha_a = 1/2 if m = 2", T, ""),
    ("alpha_a = m/(3m - 2) if c = sqrt(d)*ln(m)", T, ""),
    ("alpha_a < 1/2 if m >= 3", T, ""),
    ("alpha_a = 1/2", C, "m = 2"),
    ("alpha_a = 1/m", C, "m = 2"),
    ("a = 1/2 (v_a + v_b)", C, "m = 2"),
    ("a = alpha_a v_a + alpha_b v_b", C, "m = 2"),
    ("q*k_a = 1", C, "c = 1"),
    ("q*k_i = 0", C, r"i \ne a, b"),
    ("k_i*k_j = 0", C, r"i \ne j"),
    ("alpha_i = alpha_a", C, "i = a i = b"),
    ("alpha_a < 1/2", C, r"m \ne 2"),
    ("alpha_a >= 1/4", C, r"c \ge \sqrt{d}\,\ln"),
    ("alpha_a >= 1/2 - eps", C, r"c \ge \sqrt{d}\,\ln"),
    ("alpha_a = 1/3 if m = 4", C, r"c = \sqrt{d}\,\ln (2)"),
    ("alpha_a increases with c", C, r"m \ne 2"),
    ("v_a = v_b", C, "v_a = v_b"),
    ("1/2 (v_a + v_b) = v_a", C, "v_a = v_b"),
    ("2 v_a = 3 v_b", C, r"v_a = \frac{3}{2} v_b"),
    ("alpha_a ≈ 1/2", A, "m = 2"),
    ("alpha_i ≈ 0 for i != a, b", A, ""),
    ("a ≈ 1/2 (v_a + v_b)", A, "m = 2"),
    ("alpha_a ≈ 1/m", A, "m = 2"),
    ("alpha_a ≈ alpha_i for i != a, b", A, ""),
    ("alpha_a = 2/3", F, ""),
    ("alpha_a ≈ 2/3", F, ""),
    ("alpha_a = e^c/(2e^c + m - 2)", C, ""),
    ("q*k_a = 2c", F, ""),
    ("k_a*k_a = 0", F, ""),
    ("alpha_a > 1/2", F, ""),
    ("alpha_i > alpha_a for i != a, b", F, ""),
    ("lim c->oo alpha_a = 1", F, ""),
    ("lim c->oo a = v_a", F, ""),
    ("alpha_i increases with c for i != a, b", F, ""),
    ("sum_i alpha_i = m", F, ""),
    ("1/2 - alpha_a = (m-2)/2 e^{-c/sqrt(d)} + O(e^{-2c/sqrt(d)}) as c -> oo", F, ""),
    ("lim_{m -> oo} alpha_a = 0", U, ""),  # d ≥ m would have to grow too
    ("alpha_a = ln(m)", F, ""),
    ("(m - 2)*(alpha_a - 1/3) = 0", C, "m = 2"),
    ("c != m", C, r"c \ne m"),
]


@cache
def part_of(name: str, place: int = 0) -> tuple[Assumptions, AbstractPart]:
    problem = load(PROBLEMS / f"{name}.yaml")
    abstract = problem.parts[place].abstract
    assert problem.assumptions is not None and abstract is not None
    return problem.assumptions, abstract


def judged(text: str, name: str = "two-keys-at-once", place: int = 0) -> tuple[Judgement, ...]:
    assumptions, abstract = part_of(name, place)
    return judge_line(text, assumptions, abstract.attention)


def test_there_are_enough_claims() -> None:
    assert len(TWO_KEYS) >= 60


@pytest.mark.parametrize(("text", "verdict", "only_if"), TWO_KEYS)
def test_claims_about_two_keys(text: str, verdict: Verdict, only_if: str) -> None:
    (found,) = judged(text)
    assert verdict is found.verdict
    if only_if:
        assert only_if in " ".join(record(found)["only_if"])
    if verdict is F and found.claim.relation is Relation.EQUAL and not is_limit(found.claim):
        assert found.example is not None and found.right is not None


def is_limit(claim: Statement) -> bool:
    return bool(
        isinstance(claim.left, Limit)
        or claim.conditions
        or any(isinstance(piece, Order) for piece in walk(claim.right))
    )


# Lines of the published solution (the golden file judges them in words) as claims, with our verdicts.
LINES = {
    "1.1-a": [("one-key", 3, "1 - alpha_j <= (m-1)*exp(-c/sqrt(d))", T)],
    "1.1-b": [("one-key", 3, "alpha_j ≈ 1", A), ("one-key", 3, "alpha_i ≈ 0 for i != j", A)],
    "1.1-c": [
        ("one-key", 4, "alpha_j ≈ 1", F),
        ("one-key", 5, "alpha_j = exp(c/sqrt(d))/(exp(c/sqrt(d)) + m - 1)", T),
    ],
    "1.2-a": [("two-keys-at-once", 4, "(p - k_a)*(p - k_a) = (p - k_b)*(p - k_b) = 1", T)],
    "1.2-b": [("two-keys-at-once", 4, "p*k_a = 1, p*k_b = 1, p*k_i = 0 for i != a, b", T)],
    "1.2-c": [("two-keys-at-once", 4, "alpha_a = alpha_b", T)],
    "1.2-d": [
        ("two-keys-at-once", 4, "alpha_i ≈ 0 for i != a, b", F),
        ("two-keys-at-once", 4, "alpha_a/alpha_i <= e for i != a, b", T),
    ],
    "1.2-e": [("two-keys-at-once", 4, "alpha_a ≈ 1/2, alpha_b ≈ 1/2", C)],
    "1.2-f": [("two-keys-at-once", 4, "a ≈ alpha_a v_a + alpha_b v_b", C)],
    "1.2-g": [("two-keys-at-once", 4, "1/2 v_a + 1/2 v_b = 1/2 (v_a + v_b)", T)],
    "1.3-b": [("noisy-keys", 2, "p*k_a = lambda_a, p*k_b = lambda_b, p*k_i = 0 for i != a, b", T)],
    "1.3-c": [("noisy-keys", 2, "k_i*mu_a = 0, k_i*mu_b = 0 for i != a, b", T)],
    "1.3-d": [("noisy-keys", 2, "alpha_i = exp(p*k_i/sqrt(d))/sum_j exp(p*k_j/sqrt(d))", T)],
    "1.3-e": [
        (
            "noisy-keys", 2,
            r"\alpha_a \approx \frac{\exp(\lambda_a / \sqrt{d})}{\exp(\lambda_a / \sqrt{d}) + \exp(\lambda_b / \sqrt{d})}",
            C,
        )
    ],
    "1.3-f": [
        (
            "noisy-keys", 2,
            r"\alpha_b \approx \frac{\exp(\lambda_b / \sqrt{d})}{\exp(\lambda_a / \sqrt{d}) + \exp(\lambda_b / \sqrt{d})}",
            C,
        )
    ],
    "1.3-g": [("noisy-keys", 2, "alpha_a/alpha_b = exp((lambda_a - lambda_b)/sqrt(d))", T)],
    "1.4-a": [("two-queries", 0, "a_1 ≈ v_a, a_2 ≈ v_b, a ≈ 1/2 (v_a + v_b)", A)],
    "1.4-b": [("two-queries", 3, "a -> 1/2 (v_a + v_b) as c -> oo", C)],
    "1.4-c": [("two-queries", 2, "p_1*k_a = lambda_a, p_1*k_b = lambda_b, p_2*k_a = lambda_a, p_2*k_b = -lambda_b", T)],
    "1.4-d": [("two-queries", 3, "a -> v_a as c -> oo", C), ("two-queries", 0, "a -> 1/2 (v_a + v_b) as c -> oo", T)],
    "1.4-e": [("two-queries", 2, "a_1 ≈ 1/2 (v_a + v_b)", F)],
    "1.4-f": [("two-queries", 2, "a_2 ≈ 1/2 (v_a - v_b)", F), ("two-queries", 3, "a_2 ≈ v_a", A)],
    "1.4-g": [("two-queries", 2, "1/2 (1/2 (v_a + v_b) + 1/2 (v_a - v_b)) = 1/2 (v_a + (v_a - v_b)/2)", C)],
    "1.4-h": [("two-queries", 2, "1/2 (v_a + (v_a - v_b)/2) = 1/2 (v_a + v_b)", C)],
    "1.4-i": [("two-queries", 2, "a ≈ 1/2 (v_a + v_b)", F)],
}  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_lines_of_the_published_solution(line: str) -> None:
    for name, place, text, verdict in LINES[line]:
        assert {verdict} == {one.verdict for one in judged(text, name, place)}, text


CORRECTED = [
    ("two-queries", 2, "1/2 (1/2 (v_a + v_b) + 1/2 (v_a - v_b)) = 1/2 (v_a + (v_a - v_b)/2)", "v_a = v_b", r"\frac{1}{2} v_a"),
    ("two-queries", 2, "1/2 (v_a + (v_a - v_b)/2) = 1/2 (v_a + v_b)", "v_a = 3 v_b", r"\frac{3}{4} v_a - \frac{1}{4} v_b"),
    ("two-queries", 3, "a -> 3/4 v_a + 1/4 v_b as c -> oo", r"\lambda_a = \lambda_b", "v_a"),
    ("two-keys-at-once", 4, "alpha_a ≈ 1/2", "m = 2", r"\frac{e^{1/\sqrt{d}}}{2 e^{1/\sqrt{d}} + m - 2}"),
]  # fmt: skip


FACTS = [
    (0, "alpha_1 = 1/2", "x = y"),
    (0, "alpha_1 > alpha_2", "x > y"),
    (2, "alpha_1 = alpha_2", "x = y"),
    (2, "lim_{tau -> 0} alpha_1 = 1", "x > y"),
    (2, "lim_{tau -> 0} alpha_1 = 1/2", "x = y"),
]


@pytest.mark.parametrize(("place", "text", "only_if"), FACTS)
def test_when_two_scores_have_certain_weights(place: int, text: str, only_if: str) -> None:
    (found,) = judged(text, "softmax-facts", place)
    assert [only_if] == record(found)["only_if"]


@pytest.mark.parametrize(("name", "place", "text", "only_if", "right"), CORRECTED)
def test_conditions_and_corrections(name: str, place: int, text: str, only_if: str, right: str) -> None:
    (found,) = judged(text, name, place)
    assert [only_if] == record(found)["only_if"]
    assert right == record(found)["right"]


UNREADABLE = [
    ("alpha_a", "a relation is expected here"),
    ("beta = 1", "nothing here is called 'beta'"),
    ("alpha_a = ", "a number, a name or a bracket is expected"),
    ("alpha_a = v_a", "a number and a vector"),
    ("__import__('os') = 1", "is expected here, not '_'"),
    ("alpha_a = lambda x", "nothing here is called 'lambda'"),
    ("alpha_a = 1 if True else 0", "was not expected here"),
    ("(" * 100 + "c" + ")" * 100 + " = c", "brackets inside one another"),
    ("c" + "+c" * 600 + " = 1", "characters long"),
    ("alpha_a -> 1/2", "say as what"),
]


@pytest.mark.parametrize(("text", "said"), UNREADABLE)
def test_what_cannot_be_read_is_said(text: str, said: str) -> None:
    with pytest.raises(ExpressionError, match=said.replace("(", r"\(")):
        judged(text)


def test_bombs_are_refused_with_an_estimate_before_any_work() -> None:
    (found,) = judged("(c + d + m + eps + 1)^40 = 0")
    assert found.verdict is U
    assert "terms; the limit is" in found.why


def mutants(claim: Statement) -> list[Statement]:
    """A claim with one symbol, number or index changed, in every way that is tried."""
    made: list[Statement] = []
    for side in ("left", "right"):
        tree: Tree = getattr(claim, side)
        for target in {piece for piece in walk(tree) if isinstance(piece, Name | Number)}:
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
                made.append(Statement(sides["left"], claim.relation, sides["right"], claim.conditions))
    return made


def others(piece: Tree) -> list[Tree]:
    if isinstance(piece, Number):
        return [Number(piece.value + 1), *([Number(-piece.value)] if piece.value else [])]
    assert isinstance(piece, Name)
    swaps = {"c": "m", "m": "c", "d": "m", "a": "b", "b": "i"}
    if piece.index:
        return [Name(piece.name, tuple(swaps.get(index, index) for index in piece.index))]
    return [Name(swaps[piece.name])] if piece.name in ("c", "m", "d") else []


def test_no_changed_claim_is_called_true_that_torch_refutes() -> None:
    families = pytest.importorskip("families")
    from attnsolve.claims.judging import judge

    assumptions, abstract = part_of("two-keys-at-once")
    named = Setting(assumptions, abstract.attention).named
    numbers = {"m": 6, "d": 7, "c": 1.3, "eps": 0.05}
    family = families.Family(assumptions, abstract.attention, named, numbers, 5)
    refuted = 0
    for text, verdict, _ in TWO_KEYS:
        if verdict is not T:
            continue
        for claim in statements(text, assumptions.names | {"alpha", "a"}):
            if claim.relation is not Relation.EQUAL or any(x in text for x in ("lim", "O(", " if ", "->")):
                continue
            assert families.close(family.of(claim.left), family.of(claim.right)), text
            for mutant in mutants(claim):
                try:
                    if families.close(family.of(mutant.left), family.of(mutant.right)):
                        continue
                    found = judge(mutant, assumptions, abstract.attention)
                except (AttnsolveError, RuntimeError, KeyError):
                    continue
                assert found.verdict is not T, mutant
                refuted += 1
    assert refuted > 80
