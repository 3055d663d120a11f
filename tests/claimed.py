"""Claims of our own about the problems with symbols, each with its verdict by hand."""

# ruff: noqa: E501 (formulas are quoted whole)

from functools import cache
from pathlib import Path

from attnsolve.assumptions import AbstractPart, Assumptions
from attnsolve.claims.verdict import Verdict
from attnsolve.loader import load

PROBLEMS = Path(__file__).parents[1] / "problems/symbols"
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
    ("e^{e^c} = m", U, ""),
    ("sqrt(m^2 + 2*m + 1) = m + 1", U, ""),  # it is true, but roots of sums are beyond us
    ("ln(c) <= c - 1", U, ""),  # true too
    ("e^c >= 1 + c", U, ""),
]
# Of the other problems: with λ_a ≠ λ_b the scores differ, and one key alone has the weight 1/2 where e^(c/√d) = m - 1.
OTHERS = [
    ("one-key", 0, "alpha_j > alpha_i for i != j", T, ""),
    ("one-key", 0, "alpha_j decreases with d", T, ""),
    ("one-key", 0, "a - v_j = (1 - alpha_j)*(1/(m-1)*sum_{i != j} v_i - v_j)", T, ""),
    ("one-key", 0, "alpha_j = 1/2", C, r"c = \sqrt{d}\,\ln (m - 1)"),
    ("one-key", 0, "alpha_j >= 1/2", C, r"c \ge \sqrt{d}\,\ln (m - 1)"),
    ("one-key", 0, "a = v_j", F, ""),
    ("noisy-keys", 0, "q*q = 2c^2", T, ""),
    ("noisy-keys", 0, "k_a*k_a = lambda_a^2", T, ""),
    ("noisy-keys", 0, "k_a*k_b = 0", T, ""),
    ("noisy-keys", 0, "alpha_a > alpha_b if lambda_a > lambda_b", T, ""),
    ("noisy-keys", 0, "k_a*k_a = lambda_a", C, r"\lambda_a = 1 \lambda_a = 0"),
    ("noisy-keys", 0, "k_a*k_b = lambda_a*lambda_b", C, r"\lambda_b = 0 \lambda_a = 0"),
    ("noisy-keys", 0, "alpha_a = alpha_b", C, r"\lambda_a = \lambda_b"),
    ("noisy-keys", 0, "alpha_a > alpha_b", C, r"\lambda_a > \lambda_b"),
    ("noisy-keys", 0, "alpha_a + alpha_b -> 1 as c -> oo", C, r"\lambda_a > 0 \lambda_a > \lambda_b"),
    ("noisy-keys", 0, "alpha_a ≈ 1/2", F, ""),
    ("two-queries", 0, "alpha_{1,a} > alpha_{1,b}", T, ""),
    ("two-queries", 0, "a = 1/2*(a_1 + a_2)", T, ""),
    ("two-queries", 3, "r_1*r_2 = 0", T, ""),
    ("two-queries", 0, "alpha_{1,a} = alpha_{2,b}", C, r"\lambda_a = \lambda_b"),
    ("two-queries", 0, "a = 1/2*(v_a + v_b)", F, ""),
    ("two-queries", 3, "r_1*r_2 = 2c^2", F, ""),
]


@cache
def part_of(name: str, place: int = 0) -> tuple[Assumptions, AbstractPart]:
    problem = load(PROBLEMS / f"{name}.yaml")
    abstract = problem.parts[place].abstract
    assert problem.assumptions is not None and abstract is not None
    return problem.assumptions, abstract
