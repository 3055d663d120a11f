"""Carrying plans out: exact or rounded, changed or not; what has no value says in which step."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from proofs import floats

from attnsolve.bundled import data
from attnsolve.engine import run, solve
from attnsolve.errors import AttnsolveError, ShapeError, UndefinedStep
from attnsolve.exact import Matrix
from attnsolve.loader import load, loads
from attnsolve.mistakes import wrong_values
from attnsolve.ops import OPS_BY_NAME, PlanMistake
from attnsolve.problem import Call, Part, Problem
from attnsolve.trace import Step, Trace
from attnsolve.working import Expression, evaluate

FILES = sorted(data("problems").glob("*.yaml"))


@cache
def bundled(name: str) -> Problem:
    return load(data("problems") / f"{name}.yaml")


def problem(text: str, **changes: str) -> Problem:
    lines = [f"{key}: {value}" for key, value in changes.items()]
    return loads("\n".join(["format: 1", "title: a test", *lines, text]))


def numbers(matrix: Matrix) -> list[list[Fraction | None]]:
    return [[matrix.cell(i, j).rational() for j in range(matrix.shape[1])] for i in range(matrix.shape[0])]


# -- rounding on the way ---------------------------------------------------------------------------

ONE_QUERY = """
given: {S: 1 0, V: 10; 20}
parts:
  - {ask: the output, attend: {scores: S, values: V, divide_by: sqrt(2)}}
"""


@pytest.mark.parametrize(
    ("mode", "scaled", "weights", "output"),
    [
        # 1/√2 = 0.7071…; 1/(1 + e^-0.71) = 0.6704…; 0.67 · 10 + 0.33 · 20
        ("half_up", ["71/100", "0"], ["67/100", "33/100"], "133/10"),
        ("half_even", ["71/100", "0"], ["67/100", "33/100"], "133/10"),
        # 1/(1 + e^-0.70) = 0.6681… and 0.3318…, which no longer sum to 1; 0.66 · 10 + 0.33 · 20
        ("truncate", ["70/100", "0"], ["66/100", "33/100"], "132/10"),
    ],
)
def test_each_step_goes_on_from_rounded_numbers(
    mode: str, scaled: list[str], weights: list[str], output: str
) -> None:
    trace = solve(problem(ONE_QUERY, round=f"{{carry: 2, mode: {mode}}}"))
    T, A, Z = trace.step("a.T"), trace.step("a.A"), trace.step("a.Z")
    assert [list(map(Fraction, scaled))] == numbers(T.carried)
    assert A.inputs == (T.carried,)
    assert [list(map(Fraction, weights))] == numbers(A.carried)
    assert Z.inputs[0] is A.carried
    assert [[Fraction(output)]] == numbers(Z.value)


def test_the_value_of_a_step_is_exact_for_its_rounded_inputs() -> None:
    trace = solve(problem(ONE_QUERY, round="{carry: 2}"))
    assert "sqrt(2)/2" == trace.value("a.T").cell(0, 0).text()
    assert "1/(1 + exp(-71/100))" == trace.value("a.A").cell(0, 0).text()


@pytest.mark.parametrize(
    ("mode", "carried"),
    [
        ("half_up", ["13/100", "-13/100"]),
        ("half_even", ["12/100", "-12/100"]),
        ("truncate", ["12/100", "-12/100"]),
    ],
)
def test_ties_are_rounded_as_the_mode_says(mode: str, carried: list[str]) -> None:
    plan = "given: {S: 1 -1}\nparts: [{ask: an eighth, plan: [{T: 'divide(S, 8)'}]}]"
    (step,) = solve(problem(plan, round=f"{{carry: 2, mode: {mode}}}")).steps
    assert [list(map(Fraction, carried))] == numbers(step.carried)
    assert [[Fraction(1, 8), Fraction(-1, 8)]] == numbers(step.value)


def test_numbers_that_are_only_moved_are_not_rounded() -> None:
    """X₁ = (1/4, 1) is given; X₁·X₁ = 1/16 + 1 = 1.0625 whether every token asks or only this one."""
    chosen = """
given: {X: 1/4 1; 1 0}
parts:
  - {id: a, ask: all, self_attention: {input: X, divide_by: none}, find: S}
  - {id: b, ask: one, self_attention: {input: X, queries: [1], divide_by: none}, find: S}
"""
    trace = solve(problem(chosen, round="{carry: 1}"))
    assert [Fraction("1.1"), Fraction("0.3")] == numbers(trace.step("a.S").carried)[0]
    assert [[Fraction("1.1"), Fraction("0.3")]] == numbers(trace.step("b.S").carried)


def test_a_mask_does_not_round_the_scores_that_are_given() -> None:
    masked = "given: {S: 1/4 1}\nparts: [{ask: x, attend: {scores: S, mask: {lengths: 1}}}]"
    trace = solve(problem(masked, round="{carry: 1}"))
    assert [[Fraction(1, 4), None]] == numbers(trace.step("a.M").carried)


def test_a_token_beyond_the_labels_is_called_by_its_number() -> None:
    """Keys and queries exchanged: the third query of a wrong plan has no label."""
    text = """
labels: [the, cat]
given: {Q: 1 0; 0 1, K: 1 0; 0 1; 1 1}
parts: [{ask: x, attend: {queries: Q, keys: K, values: K, mask: {lengths: 2}, divide_by: none}, find: A}]
"""
    trace = solve(problem(text))
    assert list(wrong_values(trace, trace.problem.parts[0]))


def test_without_rounding_the_value_itself_is_carried() -> None:
    assert all(step.carried is step.value for step in solve(bundled("ist-practical-10")).steps)


# -- changed plans ---------------------------------------------------------------------------------


def plan_mistakes() -> Iterator[tuple[str, Part, PlanMistake]]:
    for file in FILES:
        for part in bundled(file.stem).parts:
            for mistake in part.mistakes:
                yield file.stem, part, mistake


def changed(name: str, part: Part, mistake: PlanMistake) -> tuple[Call, ...]:
    return tuple(mistake.edit(part.calls, bundled(name).frames))


def essence(calls: tuple[Call, ...]) -> list[Any]:
    """What a plan does, whatever its numbers are called: √d_k and √d_model may be the same root."""

    def plain(option: Any) -> Any:
        return evaluate(option).text() if isinstance(option, Expression) else option

    return [
        (call.out, call.op.name, call.op.rule, call.args, {k: plain(v) for k, v in call.options.items()})
        for call in calls
    ]


def outcome(name: str, part: Part, mistake: PlanMistake) -> str:
    """`untouched` when the plan has nothing to get wrong this way, else `undefined`, `other` or `same`."""
    calls = changed(name, part, mistake)
    if essence(calls) == essence(part.calls):
        return "untouched"
    whole = bundled(name)
    earlier = [call for call in whole.calls() if call.part < part.id]
    try:
        *_, last = run(whole, [*earlier, *calls])
        last.value.balls(256)
    except AttnsolveError:
        return "undefined"
    right = solve(whole).value(part.calls[-1].out)
    return "same" if right.same(last.value) is not False else "other"


MISTAKES = list(plan_mistakes())
# All projections of the second head are equal, so Q, K and V are, and nobody can tell them apart.
COINCIDENCES = {
    ("ist-practical-10", "c", "keys-and-values-swapped"),
    ("ist-practical-10", "c", "queries-and-keys-swapped"),
    ("ist-practical-10", "c", "queries-as-keys"),
    # A positive factor in front of all scores cancels in ReLU weights.
    ("lab-5-scores", "e", "unscaled"),
    ("lab-5-scores", "e", "scaled-by-n"),
    ("lab-5-scores", "e", "scaled-by-norm"),
    # The keys have the length 2, and two numbers.
    ("llama-layer", "b", "scaled-by-norm"),
}


@pytest.mark.parametrize(
    ("name", "part", "mistake"), MISTAKES, ids=[f"{n}-{p.id}-{m.name}" for n, p, m in MISTAKES]
)
def test_a_wrong_plan_gives_other_numbers_or_none(name: str, part: Part, mistake: PlanMistake) -> None:
    is_same = "same" == outcome(name, part, mistake)
    assert is_same == ((name, part.id, mistake.name) in COINCIDENCES)


def test_every_plan_mistake_shows_on_some_seed_problem() -> None:
    # What no bundled problem has, such as a decoder block, is looked at beside its recipe.
    known = {mistake.name for _, _, mistake in MISTAKES}
    shown = {mistake.name for name, part, mistake in MISTAKES if "other" == outcome(name, part, mistake)}
    assert known == shown


UNASKED = """
given: {X: %s}
parts:
  - ask: the output
    self_attention: {input: X, %s}
"""


@pytest.mark.parametrize(
    ("tokens", "settings", "scaled"),
    [
        ("1 2; 3 4", "divide_by: none", ["a.S_scaled"]),
        ("1 2; 3 4", "divide_by: none, mask: {causal: true}", ["a.S_scaled"]),
        ("1 2; 3 4", "divide_by: none, weights: sparsemax", ["a.S_scaled"]),
        # Who was asked to scale has done so already.
        ("1 2; 3 4", "divide_by: sqrt(d)", []),
        ("1 2; 3 4", "divide_by: sqrt(d), mask: {causal: true, apply: before_scaling}", []),
        ("1 2; 3 4", "multiply_by: 2", []),
        # x/s over Σ x/s is x over Σ x, and the largest stays the largest.
        ("1 2; 3 4", "divide_by: none, weights: relu", []),
        ("1 2; 3 4", "divide_by: none, weights: sum", []),
        ("1 2; 3 4", "divide_by: none, weights: argmax", []),
        # √1 = 1
        ("1; 3", "divide_by: none", []),
        # √d_k belongs to dot products.
        ("1 2; 3 4", "score: cosine", []),
    ],
)
def test_scores_are_scaled_unasked_only_where_that_shows(
    tokens: str, settings: str, scaled: list[str]
) -> None:
    whole = problem(UNASKED % (tokens, settings))
    (part,) = whole.parts
    (mistake,) = (mistake for mistake in part.mistakes if mistake.name == "scaled-unasked")
    edited = mistake.edit(part.calls, whole.frames)
    assert scaled == [call.out for call in edited if call.out not in whole.frames]
    assert scaled or edited == part.calls


def test_unasked_scaling_divides_by_the_root_of_the_width_of_a_key() -> None:
    whole = problem(UNASKED % ("1 0 0 0; 0 1 0 1", "divide_by: none"))
    (part,) = whole.parts
    (mistake,) = (mistake for mistake in part.mistakes if mistake.name == "scaled-unasked")
    values = {step.call.out: step.value for step in run(whole, mistake.edit(part.calls, whole.frames))}
    assert [[1, 0], [0, 2]] == numbers(values["a.S"])
    # Each row is 1/(1 + e^-x), with x = 1/2 and 2/2 in place of 1 and 2.
    assert "1/(1 + exp(-1/2))" == values["a.A"].cell(0, 0).text()
    assert "1/(1 + exp(-1))" == values["a.A"].cell(1, 1).text()


def test_a_changed_plan_whose_shapes_do_not_fit_is_refused() -> None:
    practical = bundled("ist-practical-10")
    wrong = Call("a.S", OPS_BY_NAME["dot"], ("q", "W_Q"))
    with pytest.raises(ShapeError, match=r"^step a\.S \(dot\): .*\(Q is 1×3, K is 3×2\)"):
        list(run(practical, [wrong]))


def test_a_plan_that_asks_for_what_nobody_made_is_refused() -> None:
    practical = bundled("ist-practical-10")
    with pytest.raises(UndefinedStep, match=r"^step a\.A \(softmax\): nothing has made 'a\.T' before it"):
        list(run(practical, [Call("a.A", OPS_BY_NAME["softmax"], ("a.T",))]))


def test_a_mistaken_rule_can_take_the_place_of_the_right_one() -> None:
    practical = bundled("ist-practical-10")
    dot = OPS_BY_NAME["dot"]
    transposed = dot._replace(rule=dot.mistakes[0].rule)
    own = [call for call in practical.calls() if call.part == "b"]
    calls = [call._replace(op=transposed) if call.op is dot else call for call in own]
    values = {step.call.out: step.value for step in run(practical, calls)}
    assert values["b.S"].same(solve(practical).value("b.S").T) is True


# -- errors name the step, and the tokens as the problem names them --------------------------------

TIED = "given: {S: 1 0 0; 2 3 3}\nparts: [{ask: the best, attend: {scores: S, weights: argmax}}]"
NEGATIVE = """
given: {X: 1 0; 0 1; -1 -1, Y: 1 1; 2 2}
parts:
  - ask: the weights
    cross_attention: {input: X, context: Y, weights: relu, divide_by: none, queries: [%s]}
"""


@pytest.mark.parametrize(
    ("text", "changes", "message"),
    [
        (TIED, {}, r"step a\.A \(argmax\): query 2: the scores of keys 2, 3 are equal"),
        (TIED, {"index_from": "0"}, r"step a\.A \(argmax\): query 1: the scores of keys 1, 2 are equal"),
        (
            TIED,
            {"labels": "[the, cat, sat]"},
            r"step a\.A \(argmax\): query 2: the scores of keys 2 \(cat\), 3 \(sat\) are equal",
        ),
        (NEGATIVE % "1, 3", {}, r"step a\.A \(relu\): query 3: no score is above 0"),
        (NEGATIVE % "0, 2", {"index_from": "0"}, r"step a\.A \(relu\): query 2: no score is above 0"),
        (
            NEGATIVE % "3",
            {"labels": "[the, cat, sat]"},
            r"step a\.A \(relu\): query 3 \(sat\): no score is above 0",
        ),
    ],
)
def test_an_undefined_step_is_named(text: str, changes: dict[str, str], message: str) -> None:
    with pytest.raises(UndefinedStep, match=f"^{message}"):
        solve(problem(text, **changes))


# -- the trace -------------------------------------------------------------------------------------


def test_a_head_that_is_another_part_is_found_under_both_names() -> None:
    trace = solve(bundled("ist-practical-10"))
    assert trace.step("c.head1.A") is trace.step("b.A")
    assert trace.value("c.head1.Z") is trace.value("b.Z")
    assert trace.step("c.head2.A").call.group == "head2"


def test_givens_and_results_are_found_by_name() -> None:
    trace = solve(bundled("ist-practical-10"))
    assert trace.value("X") is trace.problem.givens["X"].value
    with pytest.raises(KeyError, match=r"there is no step 'b\.B'; the steps are a\.S, a\.T"):
        trace.step("b.B")


def test_steps_of_a_part_are_its_own() -> None:
    trace = solve(bundled("ist-practical-10"))
    assert ["a.S", "a.T", "a.A", "a.Z"] == [step.call.out for step in trace.of_part("a")]
    assert trace.steps == tuple(step for part in "abc" for step in trace.of_part(part))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_argument_is_a_given_or_an_earlier_result(file: Any) -> None:
    trace = solve(bundled(file.stem))
    known = set(trace.problem.givens)
    for step in trace.steps:
        assert set(step.call.args) <= known
        assert step.call.out not in known
        assert trace.problem.frames[step.call.out].shape == step.value.shape
        known.add(step.call.out)


# -- nothing is a float ----------------------------------------------------------------------------


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_float_in_a_problem_or_a_trace(file: Any) -> None:
    trace = solve(bundled(file.stem))
    assert [] == list(floats(trace))
    assert [] == [place for step in trace.steps for place in floats(step.lines(), step.call.out)]


def test_no_float_in_a_rounded_trace() -> None:
    assert [] == list(floats(solve(problem(ONE_QUERY, round="{carry: 2}"))))


def test_a_float_would_be_seen() -> None:
    trace = solve(problem(ONE_QUERY))
    step = trace.steps[0]
    spoiled = Trace(trace.problem, (Step(step.call._replace(options={"by": 0.5}), *_rest(step)),))
    assert [".steps[0].call.options['by']"] == list(floats(spoiled))


def _rest(step: Step) -> tuple[Any, ...]:
    return step.inputs, step.value, step.carried
