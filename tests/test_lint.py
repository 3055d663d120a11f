"""Linting: faults with their places, and what is not right about an answer key."""

from pathlib import Path

import pytest

from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError, Undecided
from attnsolve.lint import Notice, check
from attnsolve.loader import load
from attnsolve.rendering import render

# By hand: q·k = 0 and 1, so the weights are 1/(1 + e) = 0.2689414… and e/(1 + e) = 0.7310585…,
# and the output is (4 · 0.7310585…, 2 · 0.2689414…) = (2.9242343…, 0.5378828…).
PROBLEM = """\
format: 1
title: Two keys
given:
  q: 1 1
  K: 1 -1; 1 0
  V: 0 2; 4 0
parts:
  - ask: Find the weights.
    attend: {{queries: q, keys: K, values: V, divide_by: none}}
    published: {{{published}}}
"""


def linted(tmp_path: Path, published: str) -> list[Notice]:
    file = tmp_path / "sheet.yaml"
    file.write_text(PROBLEM.format(published=published), encoding="utf-8")
    return check(file)


RIGHT = (
    "A: 0.27 0.73",
    "A: 0.2689 0.7311",
    "A: 0.26894 0.73106",
    "A: 0.3 0.7",
    "A: 1/(1+exp(1)) 1/(1+exp(-1))",
    "'A[1, 1]': 0.269",
    "S: 0 1",
    "S: 0.0 1.00",
)


@pytest.mark.parametrize("published", RIGHT)
def test_a_right_key_is_passed_over(tmp_path: Path, published: str) -> None:
    assert [] == linted(tmp_path, published)


@pytest.mark.parametrize(
    ("published", "place", "said", "code"),
    [
        ("A: 0.26 0.73", "a.A[1]", "0.26, which is cut off; rounded it is 0.27", 0),
        ("A: 0.2689 0.7310", "a.A[2]", "0.7310, which is cut off; rounded it is 0.7311", 0),
        ("A: 0.28 0.73", "a.A[1]", "0.28, which is wrong; it should be 0.27", 1),
        ("A: 0.2689 0.7312", "a.A[2]", "0.7312, whose last digit is off by one; it should be 0.7311", 0),
        ("'A[1, 2]': 0.62", "a.A[2]", "0.62, which is wrong; it should be 0.73", 1),
        ("S: 1 1", "a.S[1]", "1, which is wrong; it should be 0", 1),
        ("Z: 2.92 0.53", "a.Z[2]", "0.53, which is cut off; rounded it is 0.54", 0),
        ("Z: 2.92 0.65", "a.Z[2]", "0.65, which is wrong; it should be 0.54", 1),
        # 4 · 0.7311 = 2.9244, where 4 · 0.73105… = 2.9242.
        ("Z: 2.9244 0.5379", "a.Z[1]", "2.9244, which was made of rounded numbers; it should be 2.9242", 0),
    ],
)
def test_a_key_that_is_not_right_is_told_where_it_stands(
    tmp_path: Path, published: str, place: str, said: str, code: int
) -> None:
    (notice,) = linted(tmp_path, published)
    assert said in notice.fault.message
    assert place == notice.fault.path
    assert code == notice.exit_code
    assert (str(tmp_path / "sheet.yaml"), 10) == (notice.fault.file, notice.fault.line)


def test_every_wrong_number_is_told(tmp_path: Path) -> None:
    found = linted(tmp_path, "A: 0.5 0.5, Z: 1 2")
    assert ["a.A", "a.Z"] == [notice.fault.path for notice in found]
    assert [
        "2 numbers on the sheet are wrong: [1] 0.5 (should be 0.3), [2] 0.5 (should be 0.7)",
        "2 numbers on the sheet are wrong: [1] 1 (should be 3), [2] 2 (should be 1)",
    ] == [notice.fault.message for notice in found]


def test_the_mistake_behind_a_wrong_key_is_named(tmp_path: Path) -> None:
    # Divided by sqrt(2), which nobody asked for: e^0.7071 = 2.0281, so 1/3.0281 = 0.3302 and 0.6698.
    (notice,) = linted(tmp_path, "A: 0.3302 0.6698")
    assert notice.fault.message.endswith("; this is what the mistake 'scaled-unasked' gives")


MASKED = """\
format: 1
title: Masked scores
given: {{X: 1 0; 0 1}}
parts:
  - ask: Find the masked scores.
    self_attention: {{input: X, divide_by: none, mask: {{causal: true}}}}
    find: M
    published: {{M: {published}}}
"""


@pytest.mark.parametrize(
    ("published", "said"),
    [
        ("1 -inf; 0 1", []),
        ("1 −∞; 0 1", []),
        ("1 -1e9; 0 1", []),
        ("1 -999; 0 1", []),
        ("1 0; 0 1", ["the sheet prints 0, which is wrong; it should be -∞"]),
        ("-inf -inf; 0 1", ["the sheet prints -inf, which is wrong; it should be 1"]),
    ],
)
def test_minus_infinity_is_understood(tmp_path: Path, published: str, said: list[str]) -> None:
    file = tmp_path / "sheet.yaml"
    file.write_text(MASKED.format(published=published), encoding="utf-8")
    assert said == [notice.fault.message for notice in check(file)]


COLUMNS = """\
format: 1
title: Square, columns
convention: columns
given: {{X: 1 0; 2 1, W_Q: 1 1; 0 2}}
parts:
  - ask: Find Q.
    self_attention: {{input: X, W_Q: W_Q, W_K: W_Q, W_V: W_Q}}
    find: Q
    published: {{Q: {published}}}
"""


# W (1, 0) = (1, 0) and W (2, 1) = (3, 2), which the sheet prints as columns.
@pytest.mark.parametrize(("published", "paths"), [("1 3; 0 2", []), ("1 4; 0 2", ["a.Q[1, 2]"])])
def test_tokens_are_published_as_the_sheet_prints_them(
    tmp_path: Path, published: str, paths: list[str]
) -> None:
    file = tmp_path / "sheet.yaml"
    file.write_text(COLUMNS.format(published=published), encoding="utf-8")
    assert paths == [notice.fault.path for notice in check(file)]


def test_a_record_has_what_programs_need(tmp_path: Path) -> None:
    (notice,) = linted(tmp_path, "'A[1, 1]': 0.5")
    record = notice.record()
    assert {"file", "line", "column", "path", "message", "code"} == set(record)
    assert "W101" == record["code"]
    assert (10, 28) == (record["line"], record["column"])


def test_faults_are_all_told_with_their_places(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text("format: 2\ntitle: T\nplaces: many\nparts: []\nnosuch: 1\n", encoding="utf-8")
    found = check(file)
    assert [1, 3, 4, 5] == [notice.fault.line for notice in found]
    assert {("E301", 3)} == {(notice.code, notice.exit_code) for notice in found}


def test_a_key_is_judged_only_where_the_problem_can_be_solved(tmp_path: Path) -> None:
    """An answer key for a step that has no value: said once, with the file."""
    file = tmp_path / "undefined.yaml"
    text = PROBLEM.format(published="A: 1 0").replace("divide_by: none", "divide_by: none, weights: relu")
    file.write_text(text.replace("1 -1; 1 0", "-1 -1; -1 0"), encoding="utf-8")
    (notice,) = check(file)
    assert 0 != notice.exit_code
    assert "no score is above 0" in notice.fault.message
    assert str(file) == notice.fault.file


TIES = """\
format: 1
title: A tie
given:
  q: 1 1
  K: 1 0; 0 1; -1 0
  X: 1 0; 0 1; 1 1
  W: 1 0; 0 1
  S: 2 2 1
  R: 2 1 1
  u: sin(1)^2+cos(1)^2 1
parts:
  - ask: Find.
    PART
"""


# By hand: q·k is 1, 1, -1, so keys 1 and 2 are largest together; S has 2 twice; sin² + cos² is 1.
@pytest.mark.parametrize(
    ("part", "line", "column", "path", "code"),
    [
        ("attend: {queries: q, keys: K, values: K, weights: argmax}", 13, 55, "parts.a.attend.weights", 1),
        ("attend:\n      queries: q\n      keys: K\n      values: K\n      weights: {argmax: {ties: refuse}}",
         17, 16, "parts.a.attend.weights", 1),
        ("plan: [{T: 'divide(S, 2)'}, {A: 'argmax(T)'}]", 13, 37, "parts.a.plan.A", 1),
        ("plan: [{A: 'argmax(u)'}]", 13, 16, "parts.a.plan.A", 4),
        ("attend: {queries: q, keys: K, values: K, score: cosine}\n"
         "  - ask: Again.\n    like: a\n    attend: {queries: zeros(1x2)}", 16, 13, "parts.b.attend", 1),
        ("plan: [{A: 'argmax(R)'}]\n    cases: [{R: R}, {R: S}]", 14, 21, "parts.a.cases[2]", 1),
        ("attend: {queries: q, keys: X, values: K, weights: argmax}\n    cases: [{queries: q}, {keys: K}]",
         14, 27, "parts.a.cases[2]", 1),
        ("multi_head:\n      input: X\n      heads:\n        - {W_Q: W, W_K: W, W_V: W}\n"
         "        - {W_Q: W, W_K: W, W_V: W, weights: argmax}",
         17, 45, "parts.a.multi_head.heads[2].weights", 1),
    ],
)  # fmt: skip
def test_a_step_without_a_value_is_told_where_it_is_chosen(
    tmp_path: Path, part: str, line: int, column: int, path: str, code: int
) -> None:
    """What `render` would refuse is said, with the key that chose the op."""
    file = tmp_path / "tie.yaml"
    file.write_text(TIES.replace("PART", part), encoding="utf-8")
    (notice,) = check(file)
    assert (str(file), line, column, path) == (
        notice.fault.file,
        notice.fault.line,
        notice.fault.column,
        notice.fault.path,
    )
    assert ("E401", code) == (notice.code, notice.exit_code)
    with pytest.raises(AttnsolveError) as refused:
        solve(load(file))
    assert str(refused.value) == notice.fault.message


def test_a_plan_that_is_repeated_is_told_where_it_is_repeated(tmp_path: Path) -> None:
    file = tmp_path / "tie.yaml"
    part = "plan: [{A: 'argmax(S)'}]\n  - ask: Again.\n    like: a"
    file.write_text(TIES.replace("PART", part), encoding="utf-8")
    assert [(13, 16), (15, 11)] == [(notice.fault.line, notice.fault.column) for notice in check(file)]


def test_every_step_without_a_value_is_told_but_not_what_follows_from_it(tmp_path: Path) -> None:
    file = tmp_path / "ties.yaml"
    part = (
        "plan: [{A: 'argmax(S)'}, {Z: 'mix(A, K)'}, {B: 'argmax(R)'}]\n"
        "  - ask: On.\n    plan: [{Y: 'mix(a.A, X)'}, {C: 'argmax(S)'}]"
    )
    file.write_text(TIES.replace("PART", part), encoding="utf-8")
    assert ["parts.a.plan.A", "parts.b.plan.C"] == [notice.fault.path for notice in check(file)]


def test_a_tie_rule_settles_it(tmp_path: Path) -> None:
    file = tmp_path / "ties.yaml"
    part = "attend: {queries: q, keys: K, values: K, weights: {argmax: {ties: split}}}"
    file.write_text(TIES.replace("PART", part), encoding="utf-8")
    assert [] == check(file)


LIKE = """\
format: 1
title: Again
given: {{q: 1 1, K: 1 -1; 1 0}}
parts:
  - ask: Find the weights.
    attend: {{queries: q, keys: K}}
    find: A
    {first}
  - ask: Without scaling.
    like: a
    attend: {{divide_by: none}}
    {second}
"""


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("marks: 4", "", "4 marks as in part 'a'; write here what is meant"),
        ("marks: {weights: 1}", "", "1 mark as in part 'a'"),
        ("allow: [ties]", "", "allow: [ties] as in part 'a'"),
        ("{marks: 4, allow: [ties]}", "", "4 marks and allow: [ties] as in part 'a'"),
        ("{marks: 4, allow: [ties]}", "marks: 3", "allow: [ties] as in part 'a'"),
    ],
)
def test_marks_that_are_only_repeated_are_mentioned(
    tmp_path: Path, first: str, second: str, said: str
) -> None:
    file = tmp_path / "again.yaml"
    keys = first.strip("{}").replace(", allow", "\n    allow") if first.startswith("{") else first
    file.write_text(LIKE.format(first=keys, second=second), encoding="utf-8")
    (notice,) = check(file)
    assert notice.fault.message.startswith(said)
    line = 10 + keys.count("\n")
    assert (line, 11, "parts.b.like") == (notice.fault.line, notice.fault.column, notice.fault.path)
    assert ("W102", 0) == (notice.code, notice.exit_code)


@pytest.mark.parametrize(("first", "second"), [("marks: 4", "marks: 4"), ("", "marks: 4"), ("", "")])
def test_a_part_with_marks_of_its_own_is_passed_over(tmp_path: Path, first: str, second: str) -> None:
    file = tmp_path / "again.yaml"
    file.write_text(LIKE.format(first=first, second=second), encoding="utf-8")
    assert [] == check(file)


UNDECIDED = """format: 1
title: A tie that nobody proves
places: PLACES
given: {X: (sin(1)^2+cos(1)^2)/8}
parts:
  - ask: It is 0.125, because the squares add up to 1.
    plan: [{Y: 'add(X, X)'}, {Z: 'multiply(Y, 1/2)'}]
"""


def test_a_page_that_cannot_be_printed_is_told(tmp_path: Path) -> None:
    path = tmp_path / "undecided.yaml"
    path.write_text(UNDECIDED.replace("PLACES", "2"), encoding="utf-8")
    with pytest.raises(Undecided):
        render(solve(load(path)))
    (notice,) = check(path)
    assert ("E401", 7, 4) == (notice.code, notice.fault.line, notice.exit_code)
    assert "step a.Z (multiply): cannot decide how" in notice.fault.message


def test_a_number_that_rounds_without_a_proof_of_what_it_is_can_be_printed(tmp_path: Path) -> None:
    path = tmp_path / "decided.yaml"
    path.write_text(UNDECIDED.replace("PLACES", "4"), encoding="utf-8")
    assert [] == check(path)
    assert "0.1250" in render(solve(load(path))).text


# The weights are fine, but the table beside them has the score, of which nobody proves how it rounds.
GIVEN = """format: 1
title: A given that nobody rounds
places: 2
given: {S: (sin(1)^2+cos(1)^2)/8 1}
parts: [{ask: Find the weights., attend: {scores: S}}]
"""


def test_a_page_that_render_would_refuse_is_told_in_its_words(tmp_path: Path) -> None:
    path = tmp_path / "given.yaml"
    path.write_text(GIVEN, encoding="utf-8")
    with pytest.raises(Undecided) as refused:
        render(solve(load(path)))
    (notice,) = check(path)
    assert str(refused.value) == notice.fault.message
    assert ("E401", "--sheet solution", 4) == (notice.code, notice.fault.path, notice.exit_code)


CHOICE = """\
format: 1
title: Two keys
places: {places}
given: {{q: 1 1, K: 1 -1; 1 0, V: 0 2; 4 0}}
parts:
  - ask: Which output?
    attend: {{queries: q, keys: K, values: V}}
    choice: {{of: Z, options: {options}}}
"""


def test_fewer_options_than_asked_for_are_told(tmp_path: Path) -> None:
    file = tmp_path / "sheet.yaml"
    file.write_text(CHOICE.format(places=4, options=3), encoding="utf-8")
    assert [] == check(file)
    file.write_text(CHOICE.format(places=0, options=8), encoding="utf-8")
    (notice,) = check(file)
    assert ("W103", 0, 8, 13) == (notice.code, notice.exit_code, notice.fault.line, notice.fault.column)
    assert notice.fault.message.startswith("8 options are asked for and ")


def test_a_choice_without_options_is_told_where_it_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "sheet.yaml"
    text = CHOICE.format(places=4, options=4).replace("options: 4", "mistakes: [mask-afterwards]")
    file.write_text(text, encoding="utf-8")
    (notice,) = check(file)
    assert ("E401", 8, 13) == (notice.code, notice.fault.line, notice.fault.column)
    assert "the mistake mask-afterwards gives no value of a.Z" in notice.fault.message
