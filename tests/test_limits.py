"""Every cap is kept: reached is fine, passed is a fault; only who runs the tool may raise one."""

import time
from collections.abc import Callable

import pytest

from attnsolve.errors import AttnsolveError, ProblemError
from attnsolve.limits import LIMITS, Limits, raised
from attnsolve.loader import loads

TOP = "format: 1\ntitle: T\n"
WORDS = "parts:\n  - {ask: w, discuss: d}\n"
# A choice stands four levels deep and may be anything.
CHOICE = """\
  - {{id: a, ask: w, self_attention: {{input: X, queries: [1]}}}}
vary: {{choose: {{a.queries: [{}, [2]]}}}}
"""


def given(text: str) -> str:
    return f"{TOP}given:\n  X: {text}\n{WORDS}"


def parts(body: str) -> str:
    return f"{TOP}given: {{X: 1 2; 3 4}}\nparts:\n{body}"


# For each limit the file that reaches n of it, and what is said beyond.
FILES: dict[str, tuple[Callable[[int], str], str]] = {
    "file_bytes": (lambda n: (TOP + WORDS).ljust(n), "bytes, the limit"),
    "nodes": (lambda n: given(f"[{', '.join(['1'] * (n - 16))}]"), "values, the limit"),
    "depth": (lambda n: parts(CHOICE.format("[" * (n - 4) + "1" + "]" * (n - 4))), "levels, the limit"),
    "tokens": (lambda n: given("; ".join(["1"] * n)), "rows; the limit is"),
    "dimension": (lambda n: given(" ".join(["1"] * n)), "columns; the limit is"),
    "heads": (
        lambda n: parts(f"  - ask: w\n    multi_head: {{input: X, heads: [{'{W_V: 1; 1}, ' * n}]}}\n"),
        "heads; the limit is",
    ),
    "parts": (lambda n: parts("  - {ask: w, discuss: d}\n" * n), "parts; the limit is"),
    "calls": (
        lambda n: parts("  - ask: w\n    plan:\n" + "".join(f"      - S{i}: dot(X, X)\n" for i in range(n))),
        "steps; the limit is",
    ),
    "characters": (lambda n: given("0." + "1" * (n - 2)), "characters long; the limit is"),
    "brackets": (lambda n: given("(" * n + "1" + ")" * n), "brackets"),
    "operations": (lambda n: given("1" + "+1" * n), "operations"),
    "work": (
        lambda n: given("[" + ", ".join(["1+1"] * (n // 2)) + "]"),
        "operations in this file, the limit",
    ),
    "text": (lambda n: TOP + f"intro: {'x' * n}\n" + WORDS, "characters; the limit is"),
    "bits": (lambda n: given(str(2**n - 1)), "bits"),
    "exponent": (lambda n: given(f"1^{n}"), "exponents"),
    "root_bits": (lambda n: given(f"sqrt({2**n - 1})"), "bits"),
}
# Small ones, so that a file reaches them quickly.
AT = {
    "file_bytes": 100,
    "nodes": 40,
    "calls": 12,
    "characters": 60,
    "operations": 20,
    "work": 30,
    "text": 50,
    "bits": 200,
}
# `figure_bytes` is in tests/loader/test_figures.py, those of own templates in tests/rendering/test_styles.py.
ELSEWHERE = {"faults", "figure_bytes", "template_seconds", "template_characters", "tex_seconds"}
# Not about problem files: tests/verifier/reading/test_limits.py and tests/grading have these.
HANDED_IN = {"numbers", "answers", "students", "pile_bytes", "zip_bytes", "answer_seconds", "megabytes"}


def test_every_limit_is_tested() -> None:
    assert set(Limits._fields) == {*FILES, *ELSEWHERE, *HANDED_IN}


@pytest.mark.parametrize("name", FILES)
def test_a_limit_may_be_reached_but_not_passed(name: str) -> None:
    file, message = FILES[name]
    at = AT.get(name, getattr(LIMITS, name))
    limits = Limits(**{name: at})
    loads(file(at), limits=limits)
    step = 2 if name == "work" else 1
    with pytest.raises(ProblemError, match=message):
        loads(file(at + step), limits=limits)
    started = time.process_time()
    with pytest.raises(ProblemError, match=f"limit|{message}"):  # far beyond, another limit may come first
        loads(file(50 * at), limits=limits)
    assert time.process_time() - started < 5


def test_limits_are_raised_by_settings_and_by_the_environment() -> None:
    limits = raised(
        ["tokens=128"], environment={"ATTNSOLVE_LIMIT_HEADS": "32", "ATTNSOLVE_LIMIT_TOKENS": "99"}
    )
    assert (128, 32, LIMITS.dimension) == (limits.tokens, limits.heads, limits.dimension)


@pytest.mark.parametrize(
    "setting", ["token=1", "tokens", "tokens=", "tokens=0", "tokens=-1", "tokens=1e9", "tokens=٣"]
)
def test_a_limit_is_a_whole_number_above_zero(setting: str) -> None:
    with pytest.raises(AttnsolveError, match="limit"):
        raised([setting], environment={})


def test_a_problem_file_cannot_raise_a_limit() -> None:
    with pytest.raises(ProblemError, match="unknown key 'limits'"):
        loads(f"{TOP}limits: {{tokens: 999}}\n{WORDS}")


def test_more_steps_than_the_limit_are_refused_with_the_switch_that_raises_it() -> None:
    lines = "".join(f"      - S{i}: dot(X, X)\n" for i in range(401))
    text = parts(f"  - ask: w\n    plan:\n{lines}")
    with pytest.raises(ProblemError, match="401 steps; the limit is 400, and --limit calls=401 raises it"):
        loads(text)
    assert 401 == len(list(loads(text, limits=raised(["calls=401"])).calls()))
    by_environment = raised(environment={"ATTNSOLVE_LIMIT_CALLS": "401"})
    assert 401 == len(list(loads(text, limits=by_environment).calls()))


def test_steps_of_all_parts_together_are_counted() -> None:
    part = "  - {ask: w, plan: [{S: 'dot(X, X)'}, {T: 'dot(S, S)'}]}\n"
    with pytest.raises(ProblemError, match="4 steps up to here; the limit is 3, and --limit calls=4 raises"):
        loads(parts(2 * part), limits=Limits(calls=3))
