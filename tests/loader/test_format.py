"""What lecturers must be able to say in a problem file; every number here is worked out by hand."""

import pytest

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.problem import Problem, Rounding, Target
from attnsolve.trace import Trace

TOP = "format: 1\ntitle: T\n"
# Scores with X: rows times rows. X Xᵀ = [[1, 0, 1], [0, 1, 1], [1, 1, 2]].
DATA = "given:\n  X: 1 0; 0 1; 1 1\n  q: 2 0\n  S: 0 ln(3)\n  V: 4 0; 0 8\n"


def sheet(*parts: str, front: str = "") -> Problem:
    """A file with these parts, each a body of indented lines."""
    return loads(TOP + front + DATA + "parts:\n" + "".join(f"  - ask: What?\n{part}" for part in parts))


def solved(*parts: str, front: str = "") -> Trace:
    return solve(sheet(*parts, front=front))


def names(trace: Trace) -> list[str]:
    return [step.call.out for step in trace.steps]


ATTEND = "    attend: {queries: q, keys: X, divide_by: none, weights: relu}\n"
SELF = "    self_attention: {input: X, divide_by: none, weights: relu}\n"


def test_an_ordinary_exercise_fits_in_a_dozen_lines() -> None:
    text = """\
format: 1
title: Self-attention by hand
given:
  X: 1 0; 0 1
  W_Q: 2 0; 0 2
  W_K: 1 0; 0 1
  W_V: 3 0; 0 3
parts:
  - ask: Find the attention weights and the output.
    self_attention: {input: X, W_Q: W_Q, W_K: W_K, W_V: W_V, weights: argmax}
    marks: {weights: 2, output: 1}
    plot: weights
"""
    assert 12 == len(text.splitlines())
    trace = solve(loads(text))
    assert ["a.Q", "a.K", "a.V", "a.S", "a.T", "a.A", "a.Z"] == names(trace)
    assert [["sqrt(2)", "0"], ["0", "sqrt(2)"]] == trace.value("a.T").texts()
    assert [["3", "0"], ["0", "3"]] == trace.value("a.Z").texts()


# -- start anywhere -----------------------------------------------------------------------------


def test_start_from_queries_keys_and_values() -> None:
    trace = solved(
        "    attend: {queries: q, keys: X, values: 1 2; 3 4; 5 6, divide_by: none, weights: relu}\n"
    )
    assert [["2", "0", "2"]] == trace.value("a.S").texts()
    assert [["1/2", "0", "1/2"]] == trace.value("a.A").texts()
    assert [["3", "4"]] == trace.value("a.Z").texts()


def test_values_are_the_keys_when_left_out() -> None:
    assert [["1", "1/2"]] == solved(ATTEND).value("a.Z").texts()


def test_start_from_scores_alone() -> None:
    trace = solved("    attend: {scores: S, values: V}\n")
    assert ["a.A", "a.Z"] == names(trace)
    assert [["1/4", "3/4"]] == trace.value("a.A").texts()
    assert [["1", "6"]] == trace.value("a.Z").texts()


def test_scores_without_values_end_at_the_weights() -> None:
    assert ["a.T", "a.A"] == names(solved("    attend: {scores: S, divide_by: 1/2}\n"))


def test_projections_may_stand_in_attend() -> None:
    trace = solved(
        "    attend: {queries: q, keys: X, W_Q: 0 1; 1 0, W_V: 2 0; 0 2, divide_by: none, weights: argmax}\n"
        "    find: [Q, S, V]\n"
    )
    assert [["0", "2"]] == trace.value("a.Q").texts()
    assert [["0", "2", "2"]] == trace.value("a.S").texts()
    assert [["2", "0"], ["0", "2"], ["2", "2"]] == trace.value("a.V").texts()


def test_cross_attention_has_queries_of_one_and_keys_of_the_other() -> None:
    trace = solved("    cross_attention: {input: q, context: X, divide_by: none, weights: relu}\n")
    assert [["2", "0", "2"]] == trace.value("a.S").texts()
    assert [["1", "1/2"]] == trace.value("a.Z").texts()


# -- end anywhere -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("find", "kept", "targets"),
    [
        ("A", ["a.S", "a.A"], [Target("a.A")]),
        ("weights", ["a.S", "a.A"], [Target("a.A")]),
        ("[S]", ["a.S"], [Target("a.S")]),
        ("[scores, output]", ["a.S", "a.A", "a.Z"], [Target("a.S"), Target("a.Z")]),
        ("a.A", ["a.S", "a.A"], [Target("a.A")]),
        ("A[2]", ["a.S", "a.A"], [Target("a.A", 1)]),
        ("['A[2, 1]', 'S[3]']", ["a.S", "a.A"], [Target("a.A", 1, 0), Target("a.S", 2)]),
    ],
)
def test_find_says_where_the_plan_ends(find: str, kept: list[str], targets: list[Target]) -> None:
    problem = sheet(f"{SELF}    find: {find}\n")
    assert kept == [call.out for call in problem.calls()]
    assert tuple(targets) == problem.parts[0].find


def test_only_some_queries_ask() -> None:
    trace = solved(
        "    self_attention: {input: X, queries: [3], divide_by: none, weights: relu}\n    find: 'A[3]'\n"
    )
    assert [["1", "1", "2"]] == trace.value("a.S").texts()
    assert (Target("a.A", 0),) == trace.problem.parts[0].find


def test_counting_from_zero() -> None:
    front = "index_from: 0\n"
    part = "    self_attention: {input: X, queries: [2, 0], divide_by: none, weights: relu}\n"
    trace = solved(f"{part}    find: ['A[0, 2]', Z]\n", front=front)
    assert [["1", "1", "2"], ["1", "0", "1"]] == trace.value("a.S").texts()
    assert Target("a.A", 1, 2) == trace.problem.parts[0].find[0]


# -- scaling and weights ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "scaled"),
    [
        ("divide_by: sqrt(d_k)", "sqrt(2)"),
        ("divide_by: sqrt(d)", "sqrt(2)"),
        ("divide_by: d_model", "1"),
        ("divide_by: n", "2/3"),
        ("divide_by: sqrt(n + 1)", "1"),
        ("divide_by: 4", "1/2"),
        ("divide_by: √2", "sqrt(2)"),
        ("multiply_by: 3", "6"),
        ("multiply_by: 1/sqrt(d_k)", "sqrt(2)"),
        ("score: dot", "sqrt(2)"),  # √d_k when nothing is said
    ],
)
def test_scores_are_scaled_as_the_file_says(setting: str, scaled: str) -> None:
    trace = solved(f"    attend: {{queries: q, keys: X, {setting}}}\n    find: T\n")
    assert [[scaled, "0", scaled]] == trace.value("a.T").texts()


@pytest.mark.parametrize("setting", ["divide_by: none", "divide_by: 1"])
def test_no_scaling_is_no_step(setting: str) -> None:
    assert ["a.S", "a.A", "a.Z"] == names(solved(f"    attend: {{queries: q, keys: X, {setting}}}\n"))


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ("softmax", ["1/4", "3/4"]),
        ("{softmax: {temperature: 1/2}}", ["1/10", "9/10"]),  # e^{2 ln 3} = 9
        ("{softmax: {temperature: 2}}", None),
        ("argmax", ["0", "1"]),
        ("{argmax: {ties: first}}", ["0", "1"]),
        ("relu", ["0", "1"]),
    ],
)
def test_weights_are_made_as_the_file_says(weights: str, expected: list[str] | None) -> None:
    trace = solved(f"    attend: {{scores: S, weights: {weights}}}\n")
    if expected is not None:
        assert [expected] == trace.value("a.A").texts()
    else:  # 1/(1 + √3) by hand, to 6 places
        assert "0.366025" == trace.value("a.A").cell(0, 0).decimals(6).text


@pytest.mark.parametrize(("ties", "expected"), [("split", ["1/2", "0", "1/2"]), ("first", ["1", "0", "0"])])
def test_ties_follow_their_rule(ties: str, expected: list[str]) -> None:
    trace = solved(f"    attend: {{queries: q, keys: X, weights: {{argmax: {{ties: {ties}}}}}}}\n")
    assert [expected] == trace.value("a.A").texts()


# -- names, repetition --------------------------------------------------------------------------


def test_results_of_earlier_parts_are_data() -> None:
    trace = solved(
        ATTEND,
        "    attend: {queries: a.Z, keys: X, divide_by: none}\n    find: S\n",
        "    attend: {scores: a.scores, values: X, weights: relu}\n",
    )
    assert [["1", "1/2", "3/2"]] == trace.value("b.S").texts()  # (1, 1/2) times each row of X
    assert [["1", "1/2"]] == trace.value("c.Z").texts()


def test_rows_of_a_given_are_typed_where_they_are_used() -> None:
    trace = solved("    attend: {queries: 'X[3]', keys: 2*X, divide_by: none, weights: relu}\n")
    assert [["2", "2", "4"]] == trace.value("a.S").texts()
    assert not trace.problem.givens["a.queries"].shown


def test_like_repeats_a_part_with_one_thing_changed() -> None:
    trace = solved(
        f"{SELF}    marks: {{weights: 1}}\n    published: {{A: 1/2 0 1/2; 0 1/2 1/2; 1/4 1/4 1/2}}\n",
        "    like: a\n    self_attention: {weights: {argmax: {ties: first}}}\n",
        "    like: a\n    attend: {scores: S, values: V}\n",
    )
    assert [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]] == trace.value("b.A").texts()
    assert [["1", "6"]] == trace.value("c.Z").texts()
    first, second, _ = trace.problem.parts
    assert (dict(first.marks), ()) == (dict(second.marks), second.published)


def test_like_lets_a_factor_take_the_place_of_a_divisor() -> None:
    trace = solved(
        "    attend: {queries: q, keys: X, divide_by: 2}\n    find: T\n",
        "    like: a\n    attend: {multiply_by: 2}\n",
    )
    assert [["1", "0", "1"]] == trace.value("a.T").texts()
    assert [["4", "0", "4"]] == trace.value("b.T").texts()


def test_cases_run_one_plan_on_several_inputs() -> None:
    trace = solved(
        f"{ATTEND}    cases: [{{queries: q}}, {{queries: 0 3, keys: 2*X}}]\n    find: [S, case2.A]\n"
    )
    assert ["a.case1.S", "a.case2.S", "a.case2.A"] == names(trace)
    assert [["2", "0", "2"]] == trace.value("a.case1.S").texts()
    assert [["0", "6", "6"]] == trace.value("a.case2.S").texts()
    (part,) = trace.problem.parts
    assert ("case1", "case2") == part.cases
    assert ["a.case1.S", "a.case2.S", "a.case2.A"] == [target.name for target in part.find]


def test_every_case_is_answered_when_nothing_is_said() -> None:
    problem = sheet(f"{ATTEND}    cases: [{{queries: q}}, {{weights: argmax}}]\n")
    assert ["a.case1.Z", "a.case2.Z"] == [target.name for target in problem.parts[0].find]


# -- several heads ------------------------------------------------------------------------------


def test_heads_of_unequal_size_stand_side_by_side() -> None:
    trace = solved(
        "    multi_head:\n"
        "      input: X\n"
        "      divide_by: none\n"
        "      weights: relu\n"
        "      heads:\n"
        "        - {W_V: 1; 1}\n"
        "        - {W_V: 1 0; 0 2, weights: {argmax: {ties: first}}}\n"
        "      W_O: 1 0; 0 1; 1 1\n"
        "      b_O: 10 20\n"
    )
    # Head 1: weights (1/2 0 1/2; 0 1/2 1/2; 1/4 1/4 1/2) on the sums 1, 1, 2; head 2: the token itself.
    assert [["3/2"], ["3/2"], ["3/2"]] == trace.value("a.head1.Z").texts()
    assert [["1", "0"], ["0", "2"], ["1", "2"]] == trace.value("a.head2.Z").texts()
    assert [["3/2", "1", "0"], ["3/2", "0", "2"], ["3/2", "1", "2"]] == trace.value("a.C").texts()
    # C W_O adds the last column to both others; then the bias.
    assert [["23/2", "21"], ["27/2", "22"], ["27/2", "23"]] == trace.value("a.Z").texts()


@pytest.mark.parametrize(
    ("setting", "first", "second"),
    [
        ("heads: 2, head_sizes: [1, 2]", [["1"], ["0"], ["1"]], [["2", "0"], ["0", "1"], ["2", "1"]]),
        ("heads: 3", [["1"], ["0"], ["1"]], [["2"], ["0"], ["2"]]),
    ],
)
def test_a_wide_matrix_is_split(setting: str, first: list[list[str]], second: list[list[str]]) -> None:
    wide = "1 2 0; 0 0 1"
    trace = solved(f"    multi_head: {{input: X, {setting}, W_Q: {wide}, W_K: {wide}, W_V: {wide}}}\n")
    assert first == trace.value("a.head1.K").texts()
    assert second == trace.value("a.head2.K").texts()
    assert (3, 3) == trace.value("a.C").shape


def test_a_head_may_be_an_earlier_part() -> None:
    trace = solved(
        SELF,
        "    multi_head:\n      input: X\n      divide_by: none\n"
        "      heads: [a, {W_V: 1; 0, weights: {argmax: {ties: first}}}]\n"
        "    find: [head1.A, 'head2.Z[2]', C]\n",
    )
    assert trace.value("a.A").texts() == trace.value("b.head1.A").texts()
    assert (Target("a.A"), Target("b.head2.Z", 1), Target("b.C")) == trace.problem.parts[1].find
    # X averaged by the relu weights, then the first number of the chosen token.
    assert [["1", "1/2", "1"], ["1/2", "1", "0"], ["3/4", "3/4", "1"]] == trace.value("b.C").texts()


def test_biases_are_added_to_every_token() -> None:
    trace = solved(
        "    self_attention:\n"
        "      {input: X, W_Q: 1 0; 0 1, b_Q: 10 20, W_K: 1 0; 0 1, b_K: 1 1, W_V: 1; 1, b_V: 5}\n"
        "    find: [Q, K, V]\n"
    )
    assert [["11", "20"], ["10", "21"], ["11", "21"]] == trace.value("a.Q").texts()
    assert [["2", "1"], ["1", "2"], ["2", "2"]] == trace.value("a.K").texts()
    assert [["6"], ["6"], ["7"]] == trace.value("a.V").texts()


# -- plans --------------------------------------------------------------------------------------


def test_any_exercise_at_all_is_a_plan() -> None:
    trace = solved(
        "    plan:\n"
        "      - Y: select(X, [1, 3])\n"
        "      - Q: project(Y, V)\n"
        "      - E: dot(Q, X)\n"
        "      - F: divide(E, sqrt(4*d_k/2))\n"
        "      - A: argmax(F, ties=first)\n"
        "      - Z: mix(A, X)\n"
        "      - C: concatenate(Z, Y)\n"
        "    find: [E, F, C]\n"
        "    marks: {E: 2, Z: 1}\n"
    )
    # Y V = (4 0; 4 8); times each token: (4 0 4; 4 8 12), divided by √(4·2/2) = 2.
    assert [["4", "0", "4"], ["4", "8", "12"]] == trace.value("a.E").texts()
    assert [["2", "0", "2"], ["2", "4", "6"]] == trace.value("a.F").texts()
    assert [["1", "0", "1", "0"], ["1", "1", "1", "1"]] == trace.value("a.C").texts()
    assert {"E": 2, "Z": 1} == dict(trace.problem.parts[0].marks)


def test_a_plan_may_be_short() -> None:
    trace = solved("    plan: [{A: 'softmax(S, temperature=1/2)'}, {Z: 'mix(A, V)'}]\n")
    assert [["2/5", "36/5"]] == trace.value("a.Z").texts()  # (1 9)/10 times (4 0; 0 8)


def test_a_plan_goes_on_from_earlier_parts() -> None:
    trace = solved(SELF, "    plan: {T: 'multiply(a.scores, 2)', A: relu(T)}\n")
    assert [["2", "0", "2"], ["0", "2", "2"], ["2", "2", "4"]] == trace.value("b.T").texts()


def test_a_plan_has_cases_too() -> None:
    trace = solved("    plan: {S: 'dot(q, X)', A: relu(S)}\n    cases: [{q: q}, {q: 0 3}]\n    find: S\n")
    assert [["2", "0", "2"]] == trace.value("a.case1.S").texts()
    assert [["0", "3", "3"]] == trace.value("a.case2.S").texts()


# -- words, marks, print ------------------------------------------------------------------------


def test_a_question_in_words_has_a_written_answer() -> None:
    (part,) = sheet("    discuss: It keeps the softmax from saturating.\n    marks: 3\n").parts
    assert ("It keeps the softmax from saturating.", (), 3) == (part.discuss, part.calls, part.total)


def test_marks_are_given_by_word_or_letter() -> None:
    (part,) = sheet(f"{SELF}    marks: {{scores: 2, A: 1, output: 3}}\n").parts
    assert ({"S": 2, "A": 1, "Z": 3}, 6) == (dict(part.marks), part.total)


def test_values_may_be_rounded_as_by_hand() -> None:
    front = "round: {carry: 1, mode: truncate}\n"
    trace = solved("    attend: {scores: 1 2, values: V, weights: relu}\n", front=front)
    assert Rounding(1, "truncate") == trace.problem.rounding
    # 1/3 and 2/3 are carried on as 0.3 and 0.6: Z = (0.3·4, 0.6·8).
    assert [["1/3", "2/3"]] == trace.value("a.A").texts()
    assert [["6/5", "24/5"]] == trace.value("a.Z").texts()


def test_symbols_and_labels_are_for_print_only() -> None:
    front = "symbols: {weights: '\\hat\\alpha', a.Z: h', X: H, d_k: m}\nlabels: [the, cat, sat]\n"
    front += "places: 2\nnumbers: source\n"
    problem = sheet(f"{SELF}    plot: weights\n    note: Look.\n    title: One\n", front=front)
    assert {"A": r"\hat\alpha", "a.Z": "h'", "X": "H", "d_k": "m"} == dict(problem.symbols)
    assert ({"": ("the", "cat", "sat")}, 2, "source") == (problem.labels, problem.places, problem.numbers)
    assert problem.frames["a.A"].rows.labels and problem.frames["a.A"].columns.labels
    assert not problem.frames["q"].rows.labels
    (part,) = problem.parts
    assert (("a.A",), "Look.", "One") == (part.plots, part.note, part.title)


def test_none_takes_back_what_an_earlier_part_says() -> None:
    """Without its mask, its scaling and its own values, part b is a plain softmax over all keys."""
    first = "    attend: {queries: q, keys: X, values: 4; 8; 1, divide_by: 5, mask: {drop_keys: [1]}}\n"
    second = "    like: a\n    attend: {mask: none, divide_by: none, values: none}\n"
    trace = solved(f"{first}    marks: 3\n    plot: weights\n", f"{second}    marks: none\n    plot: none\n")
    part = trace.problem.parts[1]
    assert ["dot", "softmax", "mix"] == [call.op.name for call in part.calls]
    assert "X" == part.calls[-1].args[1]
    assert ({}, ()) == (part.marks, part.plots)


def test_a_plan_is_repeated_with_other_matrices() -> None:
    """X q for the first row (1, 2) of a sheet's X, then for p = (0, 1), typed in place."""
    plan = "    plan: [{S: 'dot(q, X)'}, {A: 'softmax(S)'}]\n"
    cases = "    like: a\n    with: {q: 0 1}\n    cases: [{X: 1 7; 0 3}, {X: X}]\n    find: S\n"
    trace = solved(plan, "    like: a\n    with: {q: 0 1}\n    find: S\n", cases)
    X = trace.problem.givens["X"].value
    assert [row[1] for row in X.texts()] == trace.value("b.S").texts()[0]
    assert [["7", "3"]] == trace.value("c.case1.S").texts()
    assert trace.value("b.S").texts() == trace.value("c.case2.S").texts()


def test_weights_may_be_given() -> None:
    """By hand: 1/4 · 4 + 3/4 · 0 = 1 and 1/4 · 0 + 3/4 · 8 = 6."""
    trace = solved("    attend: {given_weights: 1/4 3/4, values: 4 0; 0 8}\n")
    assert [["1", "6"]] == trace.value("a.Z").texts()


def test_parts_are_lettered_when_they_have_no_id() -> None:
    assert ["a", "x-2", "c"] == [part.id for part in sheet(SELF, f"    id: x-2\n{SELF}", SELF).parts]


def test_what_varies_is_handed_on_unread() -> None:
    assert sheet(SELF, front="vary: {X: {entries: -2..2}}\n").vary is not None


@pytest.mark.parametrize(
    "text", ["﻿format: 1", "format: 1  # a comment", "format: '1'", "# a comment\nformat: 1"]
)
def test_small_differences_do_not_matter(text: str) -> None:
    file = f"{text}\ntitle: 'One: two'\nparts:\n  - ask: >-\n      A long\n      question\n    discuss: d\n"
    for spelled in (file, file.replace("\n", "\r\n")):
        problem = loads(spelled)
        assert ("One: two", "A long question") == (problem.title, problem.parts[0].ask)
