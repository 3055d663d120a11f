"""Keys with noise: what is derived of their means, the stored chances, and what is refused."""

import json
from pathlib import Path

import pytest

from attnsolve.derivations.answers import derive
from attnsolve.derivations.derivation import Derivation
from attnsolve.engine import solve
from attnsolve.errors import ProblemError
from attnsolve.exact import Cell
from attnsolve.loader import load, loads
from attnsolve.rendering import render
from attnsolve.rendering.derivations.formulas import markup

ROOT = Path(__file__).parents[2]
STORED = json.loads((ROOT / "tests/golden.json").read_text("utf-8"))["s004_1_3"]["steps"]
PROBLEM = """
format: 1
title: Noise
assume:
  m: integer >= 2
  c: positive
  beta: positive
  mu: orthonormal, m vectors
  lambda: normal with mean 1 and variance beta, m numbers
  k: lambda*mu
  v: m vectors
given: {q: c*(mu_a + mu_b), r: c*(mu_a - mu_b), s: c*mu_a}
parts:
  - ask: Find the means.
    attend: {queries: q, keys: k, values: v}
    expect: {m: 4, c: 1, beta: 1/4}
    limit: c -> oo
"""


def derived(text: str) -> Derivation:
    problem = loads(text)
    abstract = problem.parts[0].abstract
    assert problem.assumptions is not None and abstract is not None
    return derive(problem.assumptions, abstract)


def lines(made: Derivation) -> list[str]:
    chains = [line for passage in made.passages for chain in passage.chains for line in chain]
    return [f"{markup(line.left)} {line.relation.value} {markup(line.right)}" for line in chains if line.left]


def test_equal_noise_gives_equal_means_and_the_chances_of_the_largest() -> None:
    found = lines(derived(PROBLEM))
    none = r"\Phi(-1/\sqrt{\beta})^{2}"
    for expected in (
        r"\mathrm{E}[\alpha_a] = \mathrm{E}[\alpha_b]",
        r"2 \mathrm{E}[\alpha_a] + (m - 2) \mathrm{E}[\alpha_i] = 1",
        rf"\mathrm{{E}}[\alpha_a] → \frac{{1 - {none}}}{{2}}",
        rf"\mathrm{{E}}[\alpha_i] → \frac{{{none}}}{{m - 2}}",
    ):
        assert expected in found


def test_limits_are_the_stored_chances() -> None:
    problem = load(ROOT / "problems/symbols/noisy-keys.yaml")
    abstract = problem.parts[3].abstract
    assert problem.assumptions is not None and abstract is not None
    made = derive(problem.assumptions, abstract).expectations
    assert made is not None
    names = {"beta=1/100": 4, "beta=1/4": 5}  # the rows of the limit
    for name, row in names.items():
        mean, _, other, _ = made.rows[row].values
        stored = STORED["limit_probabilities"][name]
        assert isinstance(mean, Cell) and isinstance(other, Cell)
        assert float(stored["P_output_is_va"]) == pytest.approx(float(mean.ball(256).mid()), rel=1e-15)
        assert float(stored["P_both_negative"]) == pytest.approx(2 * float(other.ball(256).mid()), rel=1e-15)
    cell = made.rows[1].values[0]
    assert isinstance(cell, Cell) and STORED["quadrature"]["m=4,d=4,c=1,beta=1/4"]["E_alpha_a"].startswith(
        "0.31257"
    )
    assert "0.31257" == cell.decimals(5).text


def test_a_key_that_has_a_name_elsewhere_is_one_of_the_others() -> None:
    found = lines(
        derived(
            PROBLEM.replace("given: {", "given: {x: mu_e, ").replace("m: integer >= 2", "m: integer >= 3")
        )
    )
    assert r"\mathrm{E}[\alpha_e] → \frac{\Phi(-1/\sqrt{\beta})^{2}}{m - 2}" in found


def test_without_other_keys_each_wins_as_often() -> None:
    made = derived(PROBLEM.replace("m: 4", "m: 2")).expectations
    assert made is not None
    mean, variance, other, _ = made.rows[-1].values
    assert isinstance(mean, Cell) and isinstance(variance, Cell) and other is None
    assert "1/2" == mean.text() and "1/4" == variance.text()


def test_opposite_rates_are_not_said_to_be_equal() -> None:
    found = lines(derived(PROBLEM.replace("queries: q", "queries: r")))
    assert r"\mathrm{E}[\alpha_a] = \mathrm{E}[\alpha_b]" not in found
    assert not any("Phi" in line for line in found)


def test_one_noisy_key_wins_where_it_is_positive() -> None:
    found = lines(derived(PROBLEM.replace("queries: q", "queries: s")))
    assert r"\mathrm{E}[\alpha_a] → 1 - \Phi(-1/\sqrt{\beta})" in found


REFUSED = [
    ("expect: {m: 4, c: 1, beta: 1/4}", "expect: {m: 4, c: 1}", "numbers for beta are needed too"),
    ("m: 4, c: 1, beta", "m: 2, c: 1, beta", "the assumptions allow none of these numbers"),
    ("normal with mean 1 and variance beta, m", "real, m", "nothing here is normal"),
    ("q: c*(mu_a + mu_b)", "q: c*(mu_a + mu_b + mu_e)", "3 noisy numbers"),
    ("q: c*(mu_a + mu_b)", "q: c*(k_a + mu_b)", "no multiple of its noisy number"),
]


@pytest.mark.parametrize(("before", "after", "said"), REFUSED)
def test_what_cannot_be_worked_out_is_refused_when_it_is_read(before: str, after: str, said: str) -> None:
    with pytest.raises(ProblemError, match=said):
        loads(PROBLEM.replace("m: integer >= 2", "m: integer >= 3").replace(before, after))


@pytest.mark.parametrize("to", ["markdown", "latex", "html", "typst"])
def test_draws_are_shown_in_every_format(to: str) -> None:
    made = render(solve(loads(PROBLEM)), to=to, maps=True)
    assert "400 draws" in made.text.replace("\\ ", " ")
    if to == "markdown":
        ((name, svg),) = made.figures
        assert name.endswith("-draws.svg") and svg.startswith("<svg")
