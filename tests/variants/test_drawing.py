"""Every judge holds on every drawn variant: looked at again by other means."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import pytest
import yaml
from variants.drawn import PROBLEMS, drawer, variants

from attnsolve.engine import run, solve
from attnsolve.errors import AttnsolveError
from attnsolve.exact.masked import visible
from attnsolve.loader import loads
from attnsolve.mistakes import digits, wrong_plans
from attnsolve.problem import Part, Problem
from attnsolve.trace import Trace
from attnsolve.variants import Variant
from attnsolve.variants.lineups import RIGHT
from attnsolve.variation import GENERATION

torch = pytest.importorskip("torch")

# What floats of 64 bits may be off after a dozen steps.
MARGIN = 1e-9
EVERY_PROBLEM = pytest.mark.parametrize("name", PROBLEMS)
EXPONENTIAL = ("softmax", "softmax2")
# A sink takes some of the weight, and sigmoids know nothing of each other.
WITHOUT_SUM = ("sink_softmax", "sigmoid_weights")


def plain(text: str) -> dict[str, Any]:
    """A file as plain YAML, every scalar a text."""
    return yaml.load(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # type: ignore[no-any-return]


@cache
def original(name: str) -> dict[str, Any]:
    return plain(PROBLEMS[name].read_text("utf-8"))


def rows(text: str) -> list[list[str]]:
    """`1 2; 3 4` by hand."""
    return [row.split() for row in text.split(";")]


def allowed(name: str, part: str) -> set[str]:
    """What the original allows in one of its parts."""
    document = original(name)
    parts = {entry.get("id", chr(97 + n)): entry for n, entry in enumerate(document["parts"])}
    return {*document["vary"].get("allow", ()), *parts[part].get("allow", ())}


# -- the numbers themselves --------------------------------------------------------------------------


def domain(said: Any) -> set[Fraction | str]:
    """The numbers a given may have, from what the file says."""
    said = said.get("set", said) if isinstance(said, dict) else said
    if isinstance(said, list):
        return set(map(as_number, said))
    text, bottoms = (
        (said, ["1"]) if isinstance(said, str) else (said["entries"], said.get("denominators", ["1"]))
    )
    low, high = map(Fraction, text.split(".."))
    tops = range(-1000, 1001)
    numbers = {Fraction(top, int(bottom)) for bottom in bottoms for top in tops}
    return {number for number in numbers if low <= number <= high}


def drawn_givens(name: str, variant: Variant) -> Iterator[tuple[str, list[list[str]]]]:
    """The givens that vary, as the text of a variant has them."""
    document, vary = plain(variant.text), original(name)["vary"]
    designed = {"K", "L"} if name == "calculator-free" else set()  # built, and looked at in test_design.py
    for given, text in document["given"].items():
        if given in vary or given in designed:
            yield given, rows(text)


def as_number(text: str) -> Fraction | str:
    """A fraction, or what else was typed, such as ln(2)."""
    try:
        return Fraction(text)
    except ValueError:
        return text


@EVERY_PROBLEM
def test_every_number_is_one_that_the_file_allows(name: str) -> None:
    vary = original(name)["vary"]
    seen = {given: set[Fraction | str]() for given in vary if given in original(name)["given"]}
    for variant in variants(name):
        for given, table in drawn_givens(name, variant):
            if given in seen:
                seen[given] |= {as_number(text) for row in table for text in row}
    for given, numbers in seen.items():
        assert numbers <= domain(vary[given]), given
        assert len(numbers) > 1 or len(variants(name)) == 1, given


@EVERY_PROBLEM
def test_no_row_or_column_is_zero_and_no_two_are_equal(name: str) -> None:
    for variant in variants(name):
        for given, table in drawn_givens(name, variant):
            columns = [list(column) for column in zip(*table, strict=True)]
            zeros = [line for line in (*table, *columns) if not any(text != "0" for text in line)]
            if min(len(table), len(columns)) > 1:
                assert [] == zeros, (given, table)
                assert len({*map(tuple, table)}) == len(table), (given, table)
                assert len({*map(tuple, columns)}) == len(columns), (given, table)
            else:  # a vector may have zeros, but not be zero
                assert {"0"} != {text for row in table for text in row}, (given, table)


@EVERY_PROBLEM
def test_halves_are_spelled_as_the_original_spells_them(name: str) -> None:
    given = original(name)["given"]
    for variant in variants(name):
        for key, table in drawn_givens(name, variant):
            as_decimals = "." in str(given[key])
            for text in (text for row in table for text in row):
                assert not ("/" in text and as_decimals), (key, text)
                assert not ("." in text and not as_decimals), (key, text)


@EVERY_PROBLEM
def test_no_exact_number_has_more_digits_than_are_asked_for(name: str) -> None:
    most = int(original(name)["vary"].get("judges", {}).get("digits", 6))
    looked = 0
    for variant in variants(name):
        for step in variant.trace.steps:
            # Whole matrices of rational numbers; a single one among roots is not carried on as a fraction.
            if step.value.kind == "rational" and "long_numbers" not in allowed(name, step.call.part):
                for _, _, cell in step.value.cells():
                    number = cell.rational()
                    assert number is not None
                    top, bottom = str(abs(number.numerator)), str(number.denominator)
                    assert len(top) + (len(bottom) if bottom != "1" else 0) <= most, (step.call.out, number)
                    looked += 1
    assert looked


# -- the weights ---------------------------------------------------------------------------------------


def recomputed(trace: Trace) -> dict[str, Any]:
    """Every value of a trace, in float64 from the givens on, by torch."""
    from attnsolve.companion.tensors import options, tensor

    values = {name: tensor(given.value) for name, given in trace.problem.givens.items()}
    for step in trace.steps:
        inputs = [values[name] for name in step.call.args]
        values[step.call.out] = step.call.op.twin(*inputs, **options(step))
    return values


class Weighing(NamedTuple):
    """The scores and weights of a query that sees two keys or more."""

    out: str
    op: str
    allow: set[str]
    scores: list[float]
    weights: list[float]


@cache
def weighings(name: str) -> list[Weighing]:
    found = []
    for variant in variants(name):
        values = recomputed(variant.trace)
        for step in variant.trace.steps:
            if step.call.op.family != "normaliser":
                continue
            keep = visible(step.inputs[0]).rows
            scores, weights = values[step.call.args[0]].tolist(), values[step.call.out].tolist()
            for i, row in enumerate(keep):
                seen = [j for j, yes in enumerate(row) if yes]
                if len(seen) > 1:
                    own = [scores[i][j] for j in seen], [weights[i][j] for j in seen]
                    allow = allowed(name, step.call.part)
                    found.append(Weighing(step.call.out, step.call.op.name, allow, *own))
    return found


@EVERY_PROBLEM
def test_no_weight_is_under_a_hundredth_or_over_ninety_five(name: str) -> None:
    for out, op, allow, _, weights in weighings(name):
        assert op in WITHOUT_SUM or sum(weights) == pytest.approx(1, abs=MARGIN), out
        # Rules without exponentials give exactly 0, or less, to what is far away, and mean it.
        judged = [weight for weight in weights if op in EXPONENTIAL or weight > MARGIN]
        if op != "argmax" and "small_weights" not in allow:
            assert min(judged) > 0.01 - MARGIN, out
        if op != "argmax" and "large_weights" not in allow:
            assert max(judged) < 0.95 + MARGIN, out


@EVERY_PROBLEM
def test_no_two_scores_that_count_are_equal(name: str) -> None:
    for out, op, allow, scores, weights in weighings(name):
        counting = [s for s, weight in zip(scores, weights, strict=True) if abs(weight) > MARGIN]
        if "ties" not in allow:
            gaps = [abs(a - b) for a, b in combinations(counting, 2)]
            assert min(gaps, default=1.0) > MARGIN, out
        if op == "argmax" and "ties" not in allow:
            assert len([1 for score in scores if score > max(scores) - MARGIN]) == 1, out


@EVERY_PROBLEM
def test_no_two_queries_that_see_the_same_keys_get_the_same_weights(name: str) -> None:
    for variant in variants(name):
        values = recomputed(variant.trace)
        for step in variant.trace.steps:
            if step.call.op.name in EXPONENTIAL and "equal_weights" not in allowed(name, step.call.part):
                keep, weights = visible(step.inputs[0]).rows, values[step.call.out].tolist()
                for i, k in combinations([i for i, row in enumerate(keep) if sum(map(bool, row)) > 1], 2):
                    gaps = [abs(a - b) for a, b in zip(weights[i], weights[k], strict=True)]
                    assert list(keep[i]) != list(keep[k]) or max(gaps) > MARGIN, step.call.out


def test_the_looks_above_see_weights_of_every_problem_that_has_some() -> None:
    without = {name for name in PROBLEMS if not weighings(name)}
    # The first ends with scores, the others have none.
    recurrent = {"backward-through-time", "recurrent-cells"}
    assert {"eecs182-discussion-8-sequences", "gradient-step", *recurrent} == without


# -- the mistakes --------------------------------------------------------------------------------------


def asked(problem: Problem, part: Part, values: Any) -> list[Any]:
    """The digits of what a part asks for, at the asked precision; None where a mistake makes no such."""
    found = []
    for target in part.find:
        value = values.get(target.name)
        table = None if value is None else digits(value, problem.places)
        if table is not None and target.row is not None and target.row < len(table):
            row = table[target.row]
            table = [row if target.column is None else [row[target.column]]]
        found.append(table)
    return found


@cache
def all_answers(name: str, number: int) -> dict[str, list[tuple[str, list[Any]]]]:
    """By part: the right answer and that of every mistake, as a student would write them down."""
    variant = variants(name)[number]
    return {part.id: [*answers(variant, part)] for part in variant.problem.parts if part.calls}


def answers(variant: Variant, part: Part) -> Iterator[tuple[str, list[Any]]]:
    right = {step.call.out: step.value for step in variant.trace.steps}
    right |= {name: given.value for name, given in variant.problem.givens.items()}
    yield RIGHT, asked(variant.problem, part, right)
    plan = {call.out: (repr(call), call.op.rule) for call in variant.problem.calls()}
    told = set[str]()
    for name, _, calls, since in wrong_plans(variant.problem, part):
        if since > GENERATION or name in told:
            continue  # nobody's suspect when this was drawn; or a slip called as a wrong plan before it
        # A plan that is the right one, or only stops early, is no mistake in this part.
        if all(plan.get(call.out) == (repr(call), call.op.rule) for call in calls):
            continue
        try:
            values = {step.call.out: step.value for step in run(variant.problem, calls)}
        except AttnsolveError:
            continue  # undefined on these numbers: nobody can make it
        told.add(name)
        yield name, asked(variant.problem, part, {**right, **values})


@EVERY_PROBLEM
def test_no_mistake_gives_the_right_answer_and_no_two_give_the_same(name: str) -> None:
    looked = 0
    for number, variant in enumerate(variants(name)[:2]):
        separation = drawer(name).separation(variant.selection)
        idle = {(clash.part, clash.second) for clash in separation.never_seen}
        excused = {frozenset(clash) for clash in drawer(name).by_form()}
        for part, found in all_answers(name, number).items():
            if "mistakes" in allowed(name, part):
                continue
            told = [(who, what) for who, what in found if (part, who) not in idle]
            looked += len(told)
            for (first, one), (second, other) in combinations(told, 2):
                pair = frozenset((part, first, second))
                assert one != other or first == second or pair in excused, (part, first, second)
    assert looked


@EVERY_PROBLEM
def test_what_is_called_indistinguishable_is_so_in_every_variant(name: str) -> None:
    variant = variants(name)[0]
    separation = drawer(name).separation(variant.selection)
    for part, first, second in {*separation.by_form, *separation.never_seen}:
        found = dict(all_answers(name, 0)[part])
        # Whoever is undefined on these numbers is not there.
        if first in found and second in found:
            assert near(found[first], found[second]), (part, first, second)


def near(one: list[Any], other: list[Any]) -> bool:
    """Whether two answers are nowhere further apart than two units of the last place."""

    def numbers(answer: list[Any]) -> list[int | None]:
        return [x for table in answer if table is not None for row in table for x in row]

    pairs = list(zip(numbers(one), numbers(other), strict=True))
    return all(a == b or (a is not None and b is not None and abs(a - b) <= 2) for a, b in pairs)


# -- the text --------------------------------------------------------------------------------------------


@EVERY_PROBLEM
def test_the_text_of_a_variant_is_its_problem(name: str) -> None:
    for variant in variants(name):
        read = loads(variant.text, name=name, folder=PROBLEMS[name].parent)
        assert read.vary is None
        assert set(variant.problem.givens) == set(read.givens)
        for key, given in read.givens.items():
            ours = variant.problem.givens[key]
            assert (ours.typed, ours.role, ours.vector) == (given.typed, given.role, given.vector), key
            assert ours.value.texts() == given.value.texts(), key
        assert [*map(repr, variant.problem.calls())] == [*map(repr, read.calls())]
        assert [part.find for part in variant.problem.parts] == [part.find for part in read.parts]
        assert [part.allow for part in read.parts] == [()] * len(read.parts)
        assert [part.published for part in read.parts] == [()] * len(read.parts)


@EVERY_PROBLEM
def test_the_text_of_a_variant_is_solved_as_the_variant_was(name: str) -> None:
    variant = variants(name)[0]
    again = solve(loads(variant.text, name=name, folder=PROBLEMS[name].parent))
    assert [step.call.out for step in variant.trace.steps] == [step.call.out for step in again.steps]
    for one, other in zip(variant.trace.steps, again.steps, strict=True):
        assert digits(one.value, 12) == digits(other.value, 12), one.call.out


@EVERY_PROBLEM
def test_every_line_but_those_that_vary_is_the_original_one(name: str) -> None:
    source = PROBLEMS[name].read_text("utf-8")
    document = original(name)
    omitted = document["vary"].get("omit", [])
    for variant in variants(name):
        # The order of options is each variant's own: a line of its own, or the line of the choice.
        text = [line for line in variant.text.splitlines() if not line.strip().startswith("order: ")]
        changed = {given for given, _ in drawn_givens(name, variant)}
        # What may go: vary with all that is indented below it, allow, published, and notes left out.
        expected, skipping = [], None
        for line in source.splitlines():
            indent = len(line) - len(line.lstrip())
            if skipping is not None and (indent > skipping or not line.strip()):
                continue
            skipping = None
            key = line.strip().partition(":")[0]
            gone = key in ("vary", "allow", "published") or (key == "note" and omitted)
            if gone and (key != "note" or belongs(source, line, omitted)):
                skipping = indent
                continue
            if indent == 2 and key in changed and line.endswith("|"):
                skipping = indent  # a pasted block becomes one line
            expected.append(line)
        assert len(expected) == len(text)
        for before, after in zip(expected, text, strict=True):
            key = before.strip().partition(":")[0]
            if key in changed and before.startswith("  ") and not before.startswith("   "):
                assert after.startswith(f"  {key}: "), after
                assert before.partition("#")[1:] == after.partition("#")[1:]
            elif key == "choice" and before != after:
                assert after.startswith("    choice: {") and "order: " in after
            else:
                assert before == after


def belongs(source: str, line: str, omitted: str | list[str]) -> bool:
    """Whether a note is that of a part whose note is left out."""
    before = source[: source.index(line)]
    part = before.rpartition("- id: ")[2].split()[0]
    return f"{part}.note" in ([omitted] if isinstance(omitted, str) else omitted)
