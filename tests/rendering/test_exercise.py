"""The exercise sheet: every question and everything that is given, and nothing of the answers."""

import re

import pytest
from rendering import recomputed
from rendering.calculator import BLOCK, decimals, equations, value
from rendering.samples import MADE, NAMES, problem, trace_of
from rendering.web import Page

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.rendering import Settings, render
from attnsolve.rendering.dialects import DIALECTS_BY_NAME, PRINTED, TARGETS
from attnsolve.rendering.views import document

FORMATS = TARGETS


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("name", NAMES)
def test_every_question_is_there(name: str) -> None:
    text = squeezed(render(trace_of(name), sheet="exercise").text)
    for part in trace_of(name).problem.parts:
        plain = [piece for i, piece in enumerate(re.split(r"\$", part.ask)) if i % 2 == 0]
        longest = max((" ".join(piece.split()) for piece in plain), key=len)
        escaped = re.sub(r"([\\`*_\[\]<>|#~^])", r"\\\1", longest).replace("&", "&amp;")
        assert escaped.replace("'", "’") in text


@pytest.mark.parametrize("name", NAMES)
def test_everything_given_is_there_once(name: str) -> None:
    """Every matrix that a part needs is shown before or with that part, with its numbers, and only once."""
    trace = trace_of(name)
    shown = [equation for part in document(trace, Settings(sheet="exercise")).parts for line in part.givens
             for equation in equations(line)]  # fmt: skip
    needed = {arg for part in trace.problem.parts for arg in part.givens if arg in trace.problem.givens}
    assert len(needed) <= len(shown)
    wanted = [recomputed.values(name)[given] for given in needed]
    for equation in shown:
        ((relation, text),) = equation.stages
        assert "=" == relation
        if BLOCK in equation.left:
            continue  # the pieces of a large matrix are put together in test_blocks.py
        if equation.left == r"\varepsilon":
            assert "10^{-5}" == text  # torch's own, where the file has none
            continue
        found = value(text)
        assert any(alike(found, grid) or alike(found, recomputed.turned(grid)) for grid in wanted)


def alike(a: recomputed.Grid, b: recomputed.Grid) -> bool:
    if (len(a), len(a[0])) != (len(b), len(b[0])):
        return False
    return all(
        x == y or abs(x - y) < 1e-40 for p, q in zip(a, b, strict=True) for x, y in zip(p, q, strict=True)
    )


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("name", NAMES)
def test_no_result_is_there(name: str, to: str) -> None:
    """No decimal of a result: those with at least three places, that the questions do not have themselves."""
    trace = trace_of(name)
    text = render(trace, sheet="exercise", to=to).text
    text = Page(text).text if to == "html" else text
    typed = {cell for given in trace.problem.givens.values() for row in given.typed for cell in row}
    results = set()
    for step in trace.steps:
        for cell in (cell for row in recomputed.values(name)[step.call.out] for cell in row):
            results.add(f"{float(cell):.4f}".rstrip("0"))
    telling = {text for text in results if re.fullmatch(r"-?\d+\.\d{3,}", text)} - typed
    assert [] == [number for number in telling if number in text]


@pytest.mark.parametrize("name", NAMES)
def test_no_step_is_there(name: str) -> None:
    trace = trace_of(name)
    for part in document(trace, Settings(sheet="exercise")).parts:
        assert ((), (), (), (), (), None, (), ()) == (
            part.groups, part.answers, part.costs, part.discuss, part.maps,
            part.pitfall, part.published, part.note,
        )  # fmt: skip
    for to in PRINTED:
        text = render(trace, sheet="exercise", to=to).text
        for word in (
            "Step 1",
            "Answer",
            "Easy to get wrong",
            "Attention map",
            "softmax(",
            "Check:",
        ):
            assert word not in text or any(word in part.ask for part in trace.problem.parts)


SECRET = """
given:
  X: 1 2; 3 4
  q: 1 1
parts:
  - id: a
    ask: Find the output.
    marks: 3
    attend: {{queries: q, keys: X, values: X, divide_by: {divisor}, weights: {weights}}}
    find: Z
    published: {{A: {published}}}
    note: {note}
    plot: weights
  - id: b
    ask: What does it mean?
    discuss: {discuss}
"""
EASY = dict(
    divisor="sqrt(d)", weights="softmax", published="0.5 0.5", note="Look at it.", discuss="Much."
)
HARD = dict(
    divisor="7", weights="argmax", published="0.1 0.9", note="Mind the gap.", discuss="Little, $x$."
)


@pytest.mark.parametrize("to", PRINTED)
def test_another_answer_makes_the_same_exercise(to: str) -> None:
    """Two problems with the same questions and other answers: the sheets are the same to the last byte."""
    sheets = {
        render(solve(loads(problem(SECRET.format(**s)))), sheet="exercise", to=to).text for s in (EASY, HARD)
    }
    assert 1 == len(sheets)
    solved = {render(solve(loads(problem(SECRET.format(**s)))), to=to).text for s in (EASY, HARD)}
    assert 2 == len(solved)


def test_marks_are_on_the_sheet() -> None:
    assert "[3\u00a0marks]" in render(solve(loads(problem(SECRET.format(**EASY)))), sheet="exercise").text
    assert "5\u00a0marks" in render(trace_of("ist-practical-10"), sheet="exercise").text


def test_a_sheet_that_rounds_says_so() -> None:
    """Whoever has to carry two places must be told before, not after."""
    assert "to 2 places" in render(trace_of("rounded"), sheet="exercise").text


PRECISION = [
    ("places: 2", "Give every number exactly, or rounded to 2 decimal places."),
    ("places: 1", "Give every number exactly, or rounded to 1 decimal place."),
    ("round: {carry: 3}", "Give every number to 3 decimal places."),  # what is carried is asked for
]


@pytest.mark.parametrize("to", PRINTED)
@pytest.mark.parametrize(("line", "said"), PRECISION)
def test_the_sheet_says_once_how_many_places_are_asked_for(line: str, said: str, to: str) -> None:
    trace = solve(loads(problem(f"{line}\n{SECRET.format(**EASY).strip()}")))
    shown = DIALECTS_BY_NAME[to].escape(said)  # Typst escapes full stops too
    assert 1 == render(trace, sheet="exercise", to=to).text.count(shown)
    assert "Give every number" not in render(trace, to=to).text


def test_a_sheet_that_asks_for_words_speaks_of_no_places() -> None:
    trace = solve(loads(problem("parts: [{ask: Why not?, discuss: Because.}]")))
    assert "decimal" not in render(trace, sheet="exercise").text


def test_the_check_knows_a_result_when_it_sees_one() -> None:
    """The numbers looked for are those that a solution prints."""
    text = render(trace_of("ist-practical-10")).text
    weight = f"{float(recomputed.values('ist-practical-10')['a.A'][0][0]):.4f}"
    assert "0.4654" == weight
    assert weight in text
    assert [[0.4654, 0.0346]] == [[float(n) for n, _ in row] for row in decimals(r"(0.4654,\ 0.0346)")]
    assert set(MADE) <= set(NAMES)


# What a part says of the ε of its layer norms, and what a student is told besides.
EPSILONS = [
    ("plan: [{N: layer_norm(X)}]", [r"\varepsilon = 10^{-5}"]),
    ("plan: [{N: 'layer_norm(X, epsilon_at=deviation)'}]", [r"\varepsilon = 10^{-5}"]),
    ("plan: [{N: 'layer_norm(X, epsilon=1/4)'}]", []),
    ("encoder_block: {input: X, W_1: W, W_2: W}", [r"\varepsilon = 10^{-5}"]),
    ("encoder_block: {input: X, epsilon: 0, W_1: W, W_2: W}", []),
    ("encoder_block: {input: X, norm: none, W_1: W, W_2: W}", []),
    ("self_attention: {input: X}", []),
]


@pytest.mark.parametrize(("part", "told"), EPSILONS)
def test_a_constant_that_the_file_leaves_to_us_is_told_once(part: str, told: list[str]) -> None:
    given = "given: {X: 1 2; 3 5, W: 1 0; 1 1}"
    trace = solve(loads(problem(f"{given}\nparts:\n  - ask: Find it.\n    {part}\n")))
    assert told == re.findall(r"\\varepsilon = [^$\n]*", render(trace, sheet="exercise").text)


@pytest.mark.parametrize(
    ("to", "said"),
    [
        ("markdown", "When they are typed, values are called $\\alpha$: a.A and $z$: a.Z."),
        ("latex", "$: a.A and $"),
        ("html", ": a.A and "),
    ],
)
def test_the_sheet_says_what_values_are_called_when_they_are_typed(to: str, said: str) -> None:
    assert said in squeezed(render(trace_of("ist-practical-10"), to=to, sheet="exercise").text)
    assert "When they are typed" not in render(trace_of("ist-practical-10"), to=to).text
