"""Claims on the command line, in a solution and in the documentation."""



import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from attnsolve.cli import cli
from attnsolve.errors import AttnsolveError
from attnsolve.loader import loads

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/symbols.md").read_text("utf-8")


def verify(tmp_path: Path, claims: str, *options: str) -> Result:
    file = tmp_path / "claims.txt"
    file.write_text(claims, encoding="utf-8")
    done = CliRunner().invoke(cli, ["verify", "two-keys-at-once", str(file), *options])
    if isinstance(done.exception, AttnsolveError):  # as `main` ends
        done.exit_code = done.exception.exit_code
    return done


CODES = [
    ("alpha_a = alpha_b\n# a remark\n\nalpha_a ≈ 1/2\n", 0),
    ("alpha_a = alpha_b\nalpha_a = 1/2\n", 1),
    ("alpha_a = 2\n", 1),
    ("lim_{m -> oo} alpha_a = 0\n", 4),
    ("alpha_a = alpha_b\nalpha_a = (1\n", 3),
    ("part z:\nalpha_a = alpha_b\n", 2),
]


@pytest.mark.parametrize(("claims", "code"), CODES)
def test_exit_codes_are_those_of_other_answers(claims: str, code: int, tmp_path: Path) -> None:
    assert code == verify(tmp_path, claims).exit_code


def test_a_slip_has_the_condition_the_correction_and_an_example(tmp_path: Path) -> None:
    text = " ".join(verify(tmp_path, r"\alpha_a = \frac12").output.split())
    for said in ("true only under a condition", "m = 2", "c = 1, d = 4 and m = 4", "0.3112", "c → ∞"):
        assert said in text


def test_what_cannot_be_read_is_told_with_its_line_and_column(tmp_path: Path) -> None:
    done = verify(tmp_path, "alpha_a = 1\nbeta = 1\n")
    assert "claims.txt:2:1: nothing here is called 'beta'" in str(done.exception)


def test_json_has_everything(tmp_path: Path) -> None:
    (claim,) = json.loads(verify(tmp_path, "alpha_a = 1/2", "--json").output)["claims"]
    assert "true only if" == claim["verdict"]
    assert ["m = 2"] == claim["only_if"]
    assert {"c": "1", "d": "4", "m": "4"} == claim["example"]


def test_claims_of_another_part_are_about_its_query(tmp_path: Path) -> None:
    assert (
        0 == verify(tmp_path, "part e:\np*k_a = 1\nalpha_a/alpha_i = e^{1/sqrt(d)} for i != a, b\n").exit_code
    )


DESIGNS = [
    ("let q = 3*c*(k_a + k_b)\nalpha_a = 1/(2 + (m-2)*e^{-3c/sqrt(d)})\na ≈ 1/2 (v_a + v_b)\n", 0),
    ("let q = c*k_a\na ≈ 1/2 (v_a + v_b)\n", 1),
    ("let q = c*k_a\na -> v_a as c -> oo\npart b:\nalpha_a = alpha_b\n", 0),  # that has its own
    ("let q = 7\nalpha_a = alpha_b\n", 3),
    ("let x = k_a\nalpha_a = alpha_b\n", 3),
    ("let q = c*q\nalpha_a = alpha_b\n", 3),
]


@pytest.mark.parametrize(("claims", "code"), DESIGNS)
def test_a_query_of_ones_own_is_judged_for_all_numbers(claims: str, code: int, tmp_path: Path) -> None:
    assert code == verify(tmp_path, claims).exit_code


def test_a_design_is_told_from_where_on_it_is_good(tmp_path: Path) -> None:
    done = verify(tmp_path, "let q = 3*c*(k_a + k_b)\nalpha_a >= 1/2 - eps\n", "--json")
    (claim,) = json.loads(done.output)["claims"]
    (bound,) = claim["only_if"]
    assert bound.startswith(r"c \ge \frac{\sqrt{d}}{3}\,\ln")


@pytest.mark.parametrize("lang", ["en", "de", "pt", "fr"])
@pytest.mark.parametrize("to", ["markdown", "latex", "html"])
def test_solutions_are_in_every_format_and_language(lang: str, to: str) -> None:
    done = CliRunner().invoke(cli, ["render", "two-keys-at-once", "--to", to, "--lang", lang])
    assert 0 == done.exit_code
    assert "{" + "about}" not in done.output and "<code>" not in done.output
    words = {"en": "orthonormal", "de": "orthonormal", "pt": "ortonormados", "fr": "orthonormés"}
    assert words[lang] in done.output


@pytest.mark.parametrize("block", re.findall(r"```yaml\n(.*?)```", PAGE, re.S))
def test_examples_of_the_page_are_problems(block: str) -> None:
    assert loads(block).parts


@pytest.mark.parametrize(
    "claim", re.findall(r"^\| (?:equations|approx|ineq|limits|orders|trends|dot).*?\| `(.*?)`", PAGE, re.M)
)
def test_claims_of_the_page_are_read(claim: str, tmp_path: Path) -> None:
    assert verify(tmp_path, claim.replace("alpha_j", "alpha_a")).exit_code in (0, 1)
