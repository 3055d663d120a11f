"""What a template sees is plain data, and what a reader sees is true: worked out again with a calculator."""

import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from itertools import chain
from typing import Any

import pytest
import sympy
from rendering import recomputed
from rendering.calculator import (
    BLOCK,
    CONTEXT,
    Equation,
    Grid,
    assert_true,
    decimals,
    equations,
    is_numeric,
    value,
)
from rendering.samples import NAMES, page_of, trace_of

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.problem import Target
from attnsolve.rendering import Settings, render
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.pages import first_choice, notation_for
from attnsolve.rendering.views import document
from attnsolve.trace import Trace

PLAIN = (str, int, bool, type(None))
CHOICES = (
    Settings(),
    Settings(detail="cells", working="all", numbers="fractions"),
    Settings(detail="matrices", numbers="decimals", places=2),
    Settings(detail="result", numbers="source", places=6),
    Settings(sheet="exercise"),
)
# On these sheets a student goes on from rounded numbers, so that a value may be a unit away from its working.
ROUNDED = ("rounded", "truncated", "rounded-mask")
LONGEST_FORM = 2_000
DENOMINATOR = re.compile(r"D(?:\^\{[(\[]\d+[)\]]\})?(?:_\{\d+\})?")
DISPLAYED = re.compile(r"^\$\$\n(.*?)\n\$\$$", re.M | re.S)
INLINE = re.compile(r"(?<!\$)\$([^$\n]+)\$")


@cache
def view_of(name: str, settings: Settings) -> Any:
    return document(trace_of(name), settings)


@cache
def text_of(name: str, to: str, settings: Settings) -> str:
    if settings == Settings():
        return page_of(name, to)
    return render(trace_of(name), settings=settings._replace(to=to)).text


def fields_of(record: Any) -> list[tuple[str, Any]]:
    """The fields of a view, or of a lecturer's text as a tree, by name."""
    if hasattr(record, "_asdict"):
        return list(record._asdict().items())
    return [(field.name, getattr(record, field.name)) for field in fields(record)]


def oddities(thing: Any, path: str) -> Iterator[str]:
    """Where a view holds anything but plain data."""
    if type(thing) is tuple:
        for i, item in enumerate(thing):
            yield from oddities(item, f"{path}[{i}]")
    elif type(thing).__module__.startswith(("attnsolve.rendering.", "attnsolve.prose.tree")):
        for name, item in fields_of(thing):
            yield from oddities(item, f"{path}.{name}")
    elif type(thing) not in PLAIN:
        yield f"{path}: {type(thing).__name__}"


@pytest.mark.parametrize("name", NAMES)
def test_views_hold_plain_data_only(name: str) -> None:
    for settings in CHOICES:
        assert [] == list(oddities(view_of(name, settings), "document"))


@pytest.mark.parametrize(
    "thing", [1.0, sympy.Integer(1), sympy.Matrix([[1]]), [1], {"a": 1}, trace_of("ties")]
)
def test_the_walk_sees_what_is_not_plain(thing: Any) -> None:
    assert [f"view[0]: {type(thing).__name__}"] == list(oddities((thing,), "view"))


# -- the printed numbers ------------------------------------------------------------------------------


def parts(name: str, settings: Settings) -> Iterator[tuple[Trace, Any, Notation]]:
    trace = trace_of(name)
    for part, view in zip(trace.problem.parts, view_of(name, settings).parts, strict=True):
        yield trace, view, notation_for(trace.problem, part, settings)


def steps(part: Any) -> Iterator[Any]:
    return (step for group in part.groups for step in group.steps)


def joined(rows: tuple[tuple[str, str], ...]) -> str:
    """Rows of an aligned block as the template puts them."""
    return r"\begin{aligned}" + r" \\ ".join(f"{left} &{right}" for left, right in rows) + r"\end{aligned}"


def without_dots(text: str, whole: Grid) -> tuple[str, Grid]:
    """A large matrix shown by its corners, and what stands in those corners."""
    rows = [row.split(" & ") for row in text.split(r" \\ ")]
    across = [i for i, row in enumerate(rows) if set(row) <= {r"\vdots", r"\cdots", r"\ddots"}]
    along = rows[0].index(r"\cdots") if r"\cdots" in rows[0] else None
    kept = [row for i, row in enumerate(rows) if i not in across]
    if along is not None:
        kept = [row[:along] + row[along + 1 :] for row in kept]
    below = len(rows) - across[0] - 1 if across else 0
    beside = len(rows[0]) - along - 1 if along is not None else 0
    known = whole[: across[0]] + whole[-below:] if across else whole
    if along is not None:
        known = tuple(row[:along] + row[-beside:] for row in known)
    return r" \\ ".join(map(" & ".join, kept)), known


def units(name: str) -> str:
    return "1" if name in ROUNDED else "0.5"


@pytest.mark.parametrize("settings", CHOICES[:3], ids=lambda s: s.detail)
@pytest.mark.parametrize("name", NAMES)
def test_every_result_is_the_value_of_its_step(name: str, settings: Settings) -> None:
    """`= exact ≈ decimals`: the exact form is the step's value, and the decimals are its right rounding."""
    checked = 0
    for _, part, notation in parts(name, settings):
        for step in steps(part):
            (equation,) = equations(joined(step.result))
            exact = recomputed.values(name)[step.name]
            shown = recomputed.turned(exact) if notation.transposed(step.name) else exact
            for relation, text in equation.stages:
                seen, known = without_dots(text, shown)
                if is_numeric(seen):
                    stage = Equation(equation.left, ((relation, seen),))
                    checked += assert_true(stage, known=known, units=units(name))
            assert_true(equation, units=units(name))
    assert checked, "nothing was compared"


@pytest.mark.parametrize("settings", CHOICES[:2], ids=lambda s: s.detail)
@pytest.mark.parametrize("name", NAMES)
def test_every_line_of_working_is_true(name: str, settings: Settings) -> None:
    """Also where a line names a denominator: it must be one that this part defines."""
    checked = 0
    for trace, part, notation in parts(name, settings):
        below: dict[str, str] = {}
        for step in steps(part):
            below |= {
                e.left: e.stages[-1][1]
                for e in equations(joined(step.exact))
                if DENOMINATOR.fullmatch(e.left)
            }
            shape = trace.step(step.name).value.shape
            places = {
                notation.entry(step.name, i, j): (i, j) for i in range(shape[0]) for j in range(shape[1])
            }
            for block in step.working:
                for line in equations(joined(block)):
                    i, j = places[line.left]
                    known = ((recomputed.values(name)[step.name][i][j],),)
                    stages = tuple((relation, put_in(text, below)) for relation, text in line.stages)
                    checked += assert_true(Equation(line.left, stages), known=known)
    assert checked, "nothing was compared"


def put_in(text: str, below: dict[str, str]) -> str:
    """Named denominators written out."""
    for name in DENOMINATOR.findall(text):
        assert name in below, f"{name} is used in {text}, but this part does not say what it is"
    return DENOMINATOR.sub(lambda match: f"({below[match[0]]})", text)


@pytest.mark.parametrize("settings", CHOICES[:4], ids=lambda s: f"{s.detail}-{s.places}")
@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_true(name: str, settings: Settings) -> None:
    for _, view, notation in parts(name, settings):
        shown = [equation for line in view.answers for equation in equations(line)]
        if any(BLOCK in equation.left for equation in shown):
            continue  # the pieces of a large matrix are put together in test_blocks.py
        printed = [target for target in notation.part.find if not stands_above(target, view)]
        assert len(printed) == len(shown)
        for target, equation in zip(printed, shown, strict=True):
            exact = recomputed.values(name)[notation.problem.resolve(target.name)]
            rows = exact if target.row is None else exact[target.row : target.row + 1]
            asked = rows if target.column is None else ((rows[0][target.column],),)
            for relation, shown_text in equation.stages:
                known, text = asked, shown_text
                if text.startswith("("):
                    known, text = (tuple(x for row in asked for x in row),), in_brackets(text)
                elif notation.transposed(target.name):
                    known = recomputed.turned(asked)
                stage = Equation(equation.left, ((relation, text),))
                assert 1 == assert_true(stage, known=known, units=units(name)), f"{text} is no number"


def stands_above(target: Target, view: Any) -> bool:
    """Whether an answer is the result of the last step, which is not printed twice."""
    last = view.groups[-1].steps[-1].name if view.groups and view.groups[-1].steps else ""
    return bool(view.found) and target == Target(last)


def in_brackets(vector: str) -> str:
    r"""(a,\ b) as a matrix of one row."""
    return r"\begin{bmatrix} " + vector[1:-1].replace(r",\ ", " & ") + r" \end{bmatrix}"


def has_exponentials(table: Any) -> bool:
    """Whether a table ends with the sum of exponentials."""
    return table is not None and table.has_sums and table.rows[-1][0] == ((False, "sum"),)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ROUNDED])
def test_tables_tell_the_numbers_of_the_first_query(name: str) -> None:
    """The last column has the weights, the one before it the exponentials, the last row their sums."""
    for trace, part, _ in parts(name, Settings()):
        for step in steps(part):
            if not has_exponentials(step.table):
                continue
            weights = recomputed.values(name)[step.name][first_choice(trace.step(step.name))]
            *keys, total = step.table.rows
            assert len(weights) == len(keys)
            powers = []
            for weight, row in zip(weights, keys, strict=True):
                assert_cell(row[-1], known=((weight,),))
                powers.append(assert_cell(row[-2]))
            if None in powers:
                continue  # an exponential without an exact form; the pocket calculator has it
            assert_cell(total[-2], known=((CONTEXT.fsum(powers),),))
            for weight, power in zip(weights, powers, strict=True):
                assert abs(weight - power / CONTEXT.fsum(powers)) < CONTEXT.mpf(10) ** -40
            assert ((True, "1"),) == total[-1]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ROUNDED])
def test_tables_can_be_checked_with_a_pocket_calculator(name: str) -> None:
    """A printed exponential over the printed sum is the printed weight, but for its last digit."""
    for _, part, notation in parts(name, Settings()):
        for step in steps(part):
            if not has_exponentials(step.table):
                continue
            *keys, total = step.table.rows
            for row in keys:
                power, below, weight = (printed(cell) for cell in (row[-2], total[-2], row[-1]))
                assert abs(power / below - weight) <= CONTEXT.mpf("1.5") * CONTEXT.mpf(10) ** -notation.places


def printed(cell: tuple[tuple[bool, str], ...]) -> Any:
    """The last number of a cell, as a student types it into a calculator."""
    ((_, text),) = cell
    return value(text.split(r"\approx")[-1])[0][0]


def assert_cell(cell: tuple[tuple[bool, str], ...], known: Grid | None = None) -> Any:
    """A cell such as `4.5`, `≈ 2.5981` or `e^{…} ≈ 13.4379`; its exact number, if it has one."""
    ((is_maths, text),) = cell
    assert is_maths
    exact, *rounded = (piece.strip() for piece in text.split(r"\approx"))
    stages = [("=", exact)] * bool(exact) + [(r"\approx", piece) for piece in rounded]
    assert stages
    assert assert_true(Equation("", tuple(stages)), known=known) == len(stages) - (known is None)
    return value(exact)[0][0] if exact else None


@pytest.mark.parametrize("name", ["ist-practical-10", "columns", "huge-scores"])
def test_exact_rows_are_the_weights(name: str) -> None:
    """`A_1 = 1/D [..], D = …`: the denominators put in, every weight comes out."""
    checked = 0
    for _, part, notation in parts(name, Settings()):
        for step in steps(part):
            found = equations(joined(step.exact)) if step.exact else []
            below = {e.left: e.stages[-1][1] for e in found if DENOMINATOR.fullmatch(e.left)}
            rows = [e for e in found if e.left not in below]
            assert below.keys() == {name for e in rows for name in DENOMINATOR.findall(e.stages[0][1])}
            for i, row in enumerate(rows):
                exact = recomputed.values(name)[step.name][i : i + 1]
                known = recomputed.turned(exact) if notation.transposed(step.name) else exact
                stages = tuple((relation, put_in(text, below)) for relation, text in row.stages)
                checked += assert_true(Equation(row.left, stages), known=known)
    assert checked


@pytest.mark.parametrize("name", NAMES)
def test_only_what_is_rounded_is_called_approximate(name: str) -> None:
    """After ≈ at least one number differs from what it stands for (looked for among fractions only)."""
    for trace, part, notation in parts(name, Settings()):
        for step in steps(part):
            if trace.step(step.name).value.kind != "rational":
                continue  # 4 - 10⁻⁶³ is not 4, but 60 digits do not tell
            (equation,) = equations(joined(step.result))
            exact = recomputed.values(name)[step.name]
            shown = recomputed.turned(exact) if notation.transposed(step.name) else exact
            for relation, text in equation.stages:
                seen, known = without_dots(text, shown)
                if relation == r"\approx":
                    pairs = zip(chain(*value(seen)), chain(*known), strict=True)
                    assert any(abs(a - b) > CONTEXT.mpf(10) ** -700 for a, b in pairs), (
                        f"{equation.left} ≈ {text}"
                    )


@pytest.mark.parametrize("name", NAMES)
def test_every_formula_of_a_document_is_true(name: str) -> None:
    """Whatever can be worked out between two relations, anywhere in it, is equal or rightly rounded."""
    text = text_of(name, "markdown", Settings())
    for formula in DISPLAYED.findall(text) + INLINE.findall(text):
        for equation in equations(formula):
            assert_true(equation, units=units(name))


def test_weights_below_all_decimals_keep_their_size() -> None:
    """Scores by hand: (31, 14)·(34, 0) = 1054, (31, 14)·(18, 21) = 852, (31, 14)·(-6, -15) = -396; d = 2."""
    (part,) = view_of("huge-scores", Settings()).parts
    powers = [CONTEXT.exp((CONTEXT.mpf(s) - 1054) / CONTEXT.sqrt(2)) for s in (1054, 852, -396)]
    ((_, text),) = equations(part.answers[0])[0].stages
    (printed,) = decimals(text)
    assert 3 == len(printed)
    for power, (shown, unit) in zip(powers, printed, strict=True):
        assert shown != 0
        assert abs(power / CONTEXT.fsum(powers) - shown) <= unit / 2


# -- what no document may hold --------------------------------------------------------------------------


@pytest.mark.parametrize("to", ["markdown", "latex", "json"])
@pytest.mark.parametrize("name", NAMES)
def test_there_is_no_negative_zero(name: str, to: str) -> None:
    for settings in CHOICES[:3:2]:
        assert [] == re.findall(r"(?<![\w.])-0(?:\.0+)?(?![\d.])", text_of(name, to, settings))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ROUNDED])
def test_no_result_is_rounded_away_to_zero(name: str) -> None:
    """0 is printed for 0 alone; what is small has its power of ten."""
    for settings in CHOICES[:4]:
        for _, part, _ in parts(name, settings):
            shown = [*part.answers, *(right for step in steps(part) for _, right in step.result)]
            tables = [step.table for step in steps(part) if step.table]
            shown += [text for table in tables for row in table.rows for cell in row for _, text in cell]
            assert [] == [text for text in shown if re.search(r"(?<![\d.])0\.0+(?!\d)", text)]


@pytest.mark.parametrize("settings", CHOICES[:2], ids=lambda s: s.detail)
@pytest.mark.parametrize("name", NAMES)
def test_no_exact_form_is_longer_than_a_person_reads(name: str, settings: Settings) -> None:
    text = text_of(name, "markdown", settings)
    for formula in DISPLAYED.findall(text) + INLINE.findall(text):
        assert LONGEST_FORM >= max(map(len, re.split(r"&|\\\\|\\approx|=", formula)))
        assert not re.search(r"\d{25}", formula), f"a number of more than 24 digits: {formula[:80]}…"


@pytest.mark.parametrize(("weights", "said"), [("softmax(S)", True), ("divide(S, 1)", False)])
def test_values_are_called_an_average_only_of_weights(weights: str, said: bool) -> None:
    """Scores used as they are can carry a result far beyond the values; no check may then be promised."""
    text = f"""
format: 1
title: T
given: {{Q: 3 0; 0 3, V: 1 2; 3 4}}
parts:
  - ask: Mix
    plan: [{{S: 'dot(Q, Q)'}}, {{A: '{weights}'}}, {{Z: 'mix(A, V)'}}]
"""
    view = document(solve(loads(text)), Settings())
    *_, last = [step for group in view.parts[0].groups for step in group.steps]
    assert said == ("lies between" in str(last.check))
