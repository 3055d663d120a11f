"""The contract of ops: what is said here holds for every op in OPS, and an op without examples fails."""

import re
from contextlib import suppress
from itertools import chain
from typing import Any

import pytest
import sympy
from ops.examples import EXAMPLES, Example
from ops.expected import EXPECTED, expected, on_paper, paper_options
from ops.matrices import CASES, IDS, carried_out, framed, our_options, ours
from ops.misfits import MISFITS, TAKES_ANY_SHAPE, Misfit
from proofs import assert_is, assert_lines_hold

from attnsolve.errors import AttnsolveError, UndefinedStep
from attnsolve.exact import matrix_of_cells
from attnsolve.expressions import expression, number
from attnsolve.ops import (
    NORMALISERS,
    NORMALISERS_BY_NAME,
    OPS,
    OPS_BY_NAME,
    PLACINGS_BY_NAME,
    SCORES_BY_NAME,
    SUMS_TO_1,
    Axis,
    Check,
    Family,
    Formula,
    Frame,
    Mistake,
    Op,
    Role,
)
from attnsolve.ops.misfits import Unfit
from attnsolve.recipes.shapes import FileWording, Layout
from attnsolve.working import evaluate

every_example = pytest.mark.parametrize(("op", "case"), CASES, ids=IDS)
every_op = pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
MISTAKES = [(op, mistake) for op in OPS for mistake in op.mistakes]
every_mistake = pytest.mark.parametrize(
    ("op", "mistake"), MISTAKES, ids=[f"{op.name}: {mistake.name}" for op, mistake in MISTAKES]
)


@every_op
def test_op_is_listed_by_its_name_and_where_its_family_is_chosen_from(op: Op) -> None:
    assert op is OPS_BY_NAME[op.name]
    assert (op.family is Family.NORMALISER) == (op.name in NORMALISERS_BY_NAME)
    assert (op.family is Family.SCORE) == (op.name in SCORES_BY_NAME)
    assert (op.family in (Family.ROTATION, Family.BIAS)) == (op.name in PLACINGS_BY_NAME)


@every_op
def test_op_has_examples(op: Op) -> None:
    assert len(EXAMPLES[op.name]) >= 3
    assert op.name in EXPECTED
    assert (op.name in MISFITS) != (op.name in TAKES_ANY_SHAPE)
    # One row and several; and, where there are options or a bias, with and without.
    rows = {ours(case.inputs[0]).shape[0] for case in EXAMPLES[op.name]}
    assert {1} < rows
    assert {option.name for option in op.options} == {
        name for case in EXAMPLES[op.name] for name in case.options
    }
    if op.optional:
        assert {True, False} == {len(case.inputs) == len(op.parameters) for case in EXAMPLES[op.name]}


@every_example
def test_rule_gives_what_the_definition_on_paper_gives(op: Op, case: Example) -> None:
    value, wanted = carried_out(op, case), expected(op, case)
    assert wanted.shape == value.shape
    for i, j, cell in value.cells():
        assert_is(wanted[i, j], cell)


@every_example
def test_every_stage_of_every_line_is_the_cell(op: Op, case: Example) -> None:
    inputs, options = list(map(ours, case.inputs)), our_options(op, case)
    value = op.rule(*inputs, **options)
    names = tuple("PQRSTU"[: len(inputs)])
    lines = op.lines(*inputs, value=value, options=options, names=names)
    assert_lines_hold(lines, value, *inputs)


@every_example
def test_torch_agrees(op: Op, case: Example) -> None:
    torch = pytest.importorskip("torch")

    def tensor(matrix: Any) -> Any:
        rows = [[float(sympy.N(x, 30)) for x in row] for row in matrix.tolist()]
        return torch.tensor(rows, dtype=torch.float64)

    inputs = [tensor(on_paper(source)) for source in case.inputs]
    options = {
        name: float(value) if isinstance(value, sympy.Expr) else value
        for name, value in paper_options(op, case).items()
    }
    value = carried_out(op, case)
    middles = [[float(ball.mid()) for ball in row] for row in value.balls(64)]
    mine = torch.tensor(middles, dtype=torch.float64)
    largest = float(mine[mine.isfinite()].abs().max())
    torch.testing.assert_close(op.twin(*inputs, **options), mine, rtol=1e-12, atol=1e-12 * largest)


@every_example
def test_frame_is_the_shape_of_the_result(op: Op, case: Example) -> None:
    frames = [framed("{}×{}".format(*ours(source).shape)) for source in case.inputs]
    assert op.frame(*frames, **our_options(op, case)).shape == carried_out(op, case).shape


@pytest.mark.parametrize(
    ("name", "wrong"), [(name, misfit) for name, misfits in MISFITS.items() for misfit in misfits]
)
def test_frame_refuses_what_does_not_fit(name: str, wrong: Misfit) -> None:
    op = OPS_BY_NAME[name]
    with pytest.raises(Unfit) as refused:
        op.frame(*map(framed, wrong.shapes), **wrong.options)
    for word in wrong.said:
        assert word in str(refused.value)
    found = refused.value.misfit
    assert wrong.blamed == found.parameter
    # Who knows what the file calls the matrices can say it too.
    args = tuple(f"a.M{place}" for place in range(len(wrong.shapes)))
    frames = dict(zip(args, map(framed, wrong.shapes), strict=True))
    told = FileWording(op, args, frames, Layout(index_from=0)).said(found)
    assert "{" not in told
    assert not re.search(rf"\b({'|'.join(op.parameters)}) (is|has|makes|needs)\b", told)


@every_op
def test_what_has_to_be_a_single_row_is_refused_with_two(op: Op) -> None:
    for place, role in enumerate(op.roles):
        if role is Role.ROW:
            case = next(case for case in EXAMPLES[op.name] if len(case.inputs) > place)
            frames = [framed("{}×{}".format(*ours(source).shape)) for source in case.inputs]
            frames[place] = Frame(Axis(2), frames[place].columns)
            with pytest.raises(Unfit) as refused:
                op.frame(*frames, **our_options(op, case))
            assert op.parameters[place] == refused.value.misfit.parameter


@every_mistake
def test_mistake_gives_other_numbers(op: Op, mistake: Mistake) -> None:
    others = 0
    for case in EXAMPLES[op.name]:
        try:
            wrong = carried_out(op, case, mistake.rule)
            wrong.balls(256)
        except AttnsolveError:
            continue  # not defined on these numbers: nobody can have made it
        others += carried_out(op, case).same(wrong) is False
    assert others > 0


@every_mistake
def test_mistake_speaks_to_the_student(op: Op, mistake: Mistake) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", mistake.name)
    assert re.fullmatch(r"[A-Z].*[^.]\.", mistake.advice)


def test_names_are_unique() -> None:
    assert len(OPS) == len(OPS_BY_NAME)
    for op in OPS:
        assert len(op.mistakes) == len({mistake.name for mistake in op.mistakes})
        assert len(op.mistakes) == len({mistake.rule for mistake in op.mistakes})
        words = [*op.parameters, *(option.name for option in op.options), "out"]
        assert len(words) == len(set(words))


SLOT = re.compile(
    r"\$\{(\w+)(?::(?:[a-z]|[a-z][a-z]|rows|columns|query|target|beneath|laid|summed)|\.\.\.)?\}"
)
LOCAL = re.compile(r"\$\{local:[A-Za-z](?:_[a-z]?\d*)?\}")
OPTIONAL = re.compile(r"\$\[(\w+):([^\]]*)\]")
COUNTED = re.compile(r"\$\{counted:(\w+)\}")


@every_op
def test_formula_mentions_only_what_the_op_takes(op: Op) -> None:
    assert op.formula.product or op.formula.matrix
    options = {option.name for option in op.options}
    words = {f"{option.name}={word}" for option in op.options for word in option.choices}
    assert {name for name, _ in op.variants} <= options | words
    for formula in (op.formula, *(formula for _, formula in op.variants)):
        assert bool(formula.product) != bool(formula.matrix)
        written = (formula.matrix, formula.each, formula.each_column, formula.exponent)
        assert set(chain.from_iterable(re.findall(r"\$\[(\w+):", text) for text in written)) <= {*op.optional}
        counted = set(chain.from_iterable(COUNTED.findall(text) for text in written))
        assert counted <= {option.name for option in op.options if option.kind == "choice"}
        spellings = [COUNTED.sub("", LOCAL.sub("", OPTIONAL.sub(r"\2", text))) for text in written]
        assert bool(formula.exponent) == (op.powers is not None)
        slots = set(chain.from_iterable(SLOT.findall(text) for text in spellings))
        factors = {factor.removesuffix("'") for factor in formula.product}
        assert factors | slots <= {*op.parameters, *options, "out"}
        assert formula.plus in (None, *op.optional)
        for text in spellings:
            assert "$" not in SLOT.sub("", text)
            assert text.count("{") == text.count("}")
        for each in filter(None, (formula.each, formula.each_column)):
            assert each.startswith("${out:")


@every_op
def test_formula_with_an_option_set_mentions_it(op: Op) -> None:
    for option in op.options:
        if option.kind == "number":
            formula: Formula = op.formula_for({option.name: expression("2")})
            written = formula.matrix + formula.each
            assert f"${{{option.name}}}" in written or (option.symbol and option.symbol in written)


@every_op
def test_record_is_complete(op: Op) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]*", op.name)
    assert re.fullmatch(r"[A-Z].*[^.:;,]", op.title)
    assert op.family is None or isinstance(op.family, Family)
    assert op.check is None or isinstance(op.check, Check)
    assert len(op.parameters) == len(op.roles)
    assert all(isinstance(role, Role) for role in op.roles)
    assert op.optional == op.parameters[len(op.parameters) - len(op.optional) :]
    assert op.rule.__doc__ and op.rule.__doc__.endswith(".")
    for option in op.options:
        assert option.kind in ("number", "choice", "rows", "integer", "count", "sizes")
        assert ("choice" == option.kind) == bool(option.choices)
        assert option.doc


@every_op
def test_settings_without_a_default_are_said_to_be_required(op: Op) -> None:
    case = max(EXAMPLES[op.name], key=lambda case: len(case.options))
    inputs, options = list(map(ours, case.inputs)), our_options(op, case)
    for option in op.options:
        settings = {name: value for name, value in options.items() if name != option.name}
        if option.required:
            with pytest.raises(TypeError):
                op.rule(*inputs, **settings)
        else:
            with suppress(UndefinedStep):  # a tie that only the setting settles
                op.rule(*inputs, **settings)


@every_op
def test_weights_say_whether_a_factor_of_all_scores_shows(op: Op) -> None:
    if op.family is Family.NORMALISER:
        options = our_options(op, EXAMPLES[op.name][0])
        weights, doubled = (op.rule(ours(scores), **options) for scores in ("1/8 1/4 1/2", "1/4 1/2 1"))
        assert op.scale_free is (weights.same(doubled) is True)


@every_example
def test_weights_that_must_sum_to_1_do(op: Op, case: Example) -> None:
    if op.check not in SUMS_TO_1:
        return
    value = carried_out(op, case)
    ones = sympy.ones(value.shape[1], 1)
    sums = value @ matrix_of_cells([[number("1")]] * ones.rows)
    for _, _, cell in sums.cells():
        assert cell.ball(1024).contains(1)
        if value.kind in ("rational", "surd", "attention"):
            assert 1 == cell.rational()


@every_example
def test_remarks_are_sentences_about_rows_that_exist(op: Op, case: Example) -> None:
    inputs, options = list(map(ours, case.inputs)), our_options(op, case)
    value = op.rule(*inputs, **options)
    for remark in op.remarks(*inputs, value=value, options=options):
        assert re.fullmatch(r"x.*y.*[^.]\.", remark.sentence.format(row="x", columns="y", tau="z"))
        assert remark.row in range(value.shape[0])
        assert set(remark.columns) <= set(range(value.shape[1]))


@every_example
def test_ledger_is_a_table_about_one_row(op: Op, case: Example) -> None:
    if op.ledger is None:
        return
    inputs, options = list(map(ours, case.inputs)), our_options(op, case)
    value = op.rule(*inputs, **options)
    known = {*op.parameters, *(option.name for option in op.options), "out"}
    for i in range(value.shape[0]):
        headers, rows, keys, *_ = op.ledger(*inputs, value=value, options=options, row=i)
        assert set(chain.from_iterable(SLOT.findall(LOCAL.sub("", header)) for header in headers)) <= known
        assert rows and {len(headers)} == set(map(len, rows))
        assert len(keys) in (0, len(rows))
        assert set(keys) <= set(range(value.shape[1])) and len(keys) == len(set(keys))
        for entry in chain.from_iterable(rows):
            assert entry if isinstance(entry, str) else evaluate(entry).ball(64).is_finite()


def test_softmax_says_which_scores_are_equal() -> None:
    scores = ours("9/2 0 9/2 0; 0 1 -1 sqrt(1/4)")
    softmax = OPS_BY_NAME["softmax"]
    said = softmax.remarks(scores, value=softmax.rule(scores), options={})
    assert [(0, (0, 2)), (0, (1, 3))] == [(remark.row, remark.columns) for remark in said]


@pytest.mark.parametrize(
    ("name", "scores", "message"),
    [
        ("argmax", "1 0 0; 2 3 3", "query 2: the scores of keys 2, 3 are equal and the largest"),
        ("argmax", "sqrt(8) 2*sqrt(2)", "query 1: the scores of keys 1, 2 are equal and the largest"),
        ("relu", "1 0; -1 -2", "query 2: no score is above 0"),
        ("relu", "0 0", "query 1: no score is above 0"),
        ("relu", "-sqrt(2) sqrt(2)-sqrt(3)", "query 1: no score is above 0"),
        ("relu", "1 0; ~3 -2", "query 2: no score is above 0"),
        ("argmax", "1 3 ~3; 2 ~5 2", "query 2: the scores of keys 1, 3 are equal and the largest"),
        ("sum", "1 -1", "query 1: its scores add up to 0"),
        ("sum", "1 2 3; sqrt(2) 1-sqrt(2) -1", "query 2: its scores add up to 0"),
        ("sum", "1 ~3 -1", "query 1: its scores add up to 0"),
        *((op.name, "1 2; ~1 -inf", "query 2: every key is hidden") for op in NORMALISERS if not op.options),
    ],
)
def test_rows_without_weights_are_named(name: str, scores: str, message: str) -> None:
    with pytest.raises(UndefinedStep) as refused:
        OPS_BY_NAME[name].rule(ours(scores))
    assert message in str(refused.value)


def test_temperature_divides() -> None:
    half = OPS_BY_NAME["softmax"].rule(ours("2 4"), temperature=expression("2"))
    assert half.same(OPS_BY_NAME["softmax"].rule(ours("1 2"))) is True


@pytest.mark.parametrize(
    ("by", "squared"), [("sqrt(3)", "3"), ("sqrt(2*8)", "16"), ("2", "4"), ("1/3", "1/9")]
)
def test_without_root_divides_by_what_stands_under_it(by: str, squared: str) -> None:
    divide = OPS_BY_NAME["divide"]
    mistake = next(mistake for mistake in divide.mistakes if mistake.name == "without-root")
    wrong = mistake.rule(ours("1"), by=expression(by))
    assert 1 / evaluate(expression(squared)).rational() == wrong.cell(0, 0).rational()  # type: ignore[operator]
