"""A trace read back from its JSON is the trace that was written, and nothing false is believed."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pictures import png
from rendering.samples import BUNDLED, NAMES, problem, trace_of

import attnsolve
from attnsolve.errors import AttnsolveError
from attnsolve.exact import Matrix
from attnsolve.exact.cells import Cell
from attnsolve.exact.masked import shown
from attnsolve.limits import Limits
from attnsolve.ops import Op, PlanMistake
from attnsolve.rendering.trace_reading import TraceError, loads_trace
from attnsolve.rendering.trace_schema import trace_schema
from attnsolve.trace import Trace

ROOT = Path(__file__).parents[2]
VALIDATOR = Draft202012Validator(trace_schema())
# Where something stood in a file, which is another one now.
PLACES = ("file", "line", "column")
RAISED = Limits(tokens=128, calls=2000, parts=200)


@cache
def written(name: str, detail: str = "matrices") -> str:
    return attnsolve.render(trace_of(name), to="json", detail=detail)


def comparable(thing: Any) -> Any:
    """All of a record, with matrices as their exact texts, and what has no text by thirty proven digits."""
    if isinstance(thing, Matrix):
        closed = shown(thing).kind != "certified"
        digits = [[cell.text for cell in row] for row in thing.decimals(30)]
        return thing.kind, thing.texts() if closed else None, digits
    if isinstance(thing, Op | PlanMistake):
        return type(thing).__name__, thing.name
    if isinstance(thing, Cell):
        return type(thing).__name__, thing.text()
    if isinstance(thing, tuple) and hasattr(thing, "_fields"):
        kept = [name for name in thing._fields if name not in PLACES]
        return type(thing).__name__, {name: comparable(getattr(thing, name)) for name in kept}
    if isinstance(thing, Mapping):
        return {str(key): comparable(value) for key, value in thing.items()}
    return [comparable(item) for item in thing] if isinstance(thing, tuple | list) else thing


def different(before: Any, after: Any, place: str) -> Iterator[str]:
    """The places at which two such records differ."""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        for key, value in before.items():
            yield from different(value, after[key], f"{place}.{key}")
    elif isinstance(before, list | tuple) and type(before) is type(after) and len(before) == len(after):
        for index, value in enumerate(before):
            yield from different(value, after[index], f"{place}[{index}]")
    elif before != after:
        yield f"{place}: {before} / {after}"


def test_the_committed_schema_is_current() -> None:
    """If this fails: attnsolve schema --trace > trace.schema.json."""
    Draft202012Validator.check_schema(trace_schema())
    committed = (ROOT / "trace.schema.json").read_text("utf-8")
    assert json.dumps(trace_schema(), indent=2, ensure_ascii=False) + "\n" == committed


@pytest.mark.parametrize("name", NAMES)
def test_a_trace_comes_back_as_it_was_but_for_its_path(name: str) -> None:
    back = loads_trace(written(name), limits=RAISED)
    differing = [*different(comparable(trace_of(name)), comparable(back), "")]
    assert [] == differing
    assert written(name) == attnsolve.render(back, to="json", detail="matrices")


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize("choices", [{}, {"detail": "cells", "places": 7}, {"sheet": "exercise"}])
def test_every_bundled_trace_keeps_to_the_schema(name: str, choices: dict[str, Any]) -> None:
    record = json.loads(attnsolve.render(trace_of(name), to="json", **choices))
    assert [] == [error.message for error in VALIDATOR.iter_errors(record)]


def test_working_is_compared_too() -> None:
    text = written("ist-practical-10", "products")
    assert isinstance(loads_trace(text), Trace)
    with pytest.raises(TraceError, match=r"steps\[0\]\.lines\[0\]\.stages"):
        loads_trace(changed_in(text, put("9/3", "steps", 0, "lines", 0, "stages", 0, "text")))


def test_a_variant_comes_back() -> None:
    trace = attnsolve.solve(attnsolve.draw("ist-practical-10", "1234567", seed=3))
    assert [] == [
        *different(comparable(trace), comparable(loads_trace(attnsolve.render(trace, to="json"))), "")
    ]


SHEET = """\
format: 1
title: Week 3
course: Attention
exercises:
  - {file: problems/ist-practical-10.yaml, parts: [a, b], points: 12}
  - problem:
      format: 1
      title: In the sheet itself
      given: {X: {file: X.csv}, V: 1 0; 0 1}
      parts:
        - ask: |
            Find the output.

            ![A plot](plot.png)
          attend: {queries: X, keys: X, values: V}
    folder: week-3
"""


def test_a_sheet_comes_back_with_its_marks_its_data_and_its_figures(tmp_path: Path) -> None:
    (tmp_path / "problems").mkdir()
    (tmp_path / "week-3").mkdir()
    bundled = (ROOT / "problems/ist-practical-10.yaml").read_text("utf-8")
    (tmp_path / "problems/ist-practical-10.yaml").write_text(bundled, "utf-8")
    (tmp_path / "week-3/X.csv").write_text("1,1/3\n0,2\n", "utf-8")
    (tmp_path / "week-3/plot.png").write_bytes(png())
    (tmp_path / "sheet.yaml").write_text(SHEET, "utf-8")
    solved = attnsolve.solve(tmp_path / "sheet.yaml")
    text = attnsolve.render(solved, to="json", detail="matrices")
    record = json.loads(text)
    assert [] == [error.message for error in VALIDATOR.iter_errors(record)]
    assert ["1a.S", "1a.T"] == [step["id"] for step in record["exercises"][0]["steps"]][:2]
    back = loads_trace(text)
    assert text == attnsolve.render(back, to="json", detail="matrices")
    assert [] == [*different(comparable(solved.traces), comparable(back.traces), "")]
    assert 12 == sum(part.total for part in back.traces[0].problem.parts)


def changed(name: str, change: Callable[[dict[str, Any]], Any]) -> str:
    return changed_in(written(name), change)


def changed_in(text: str, change: Callable[[dict[str, Any]], Any]) -> str:
    record = json.loads(text)
    change(record)
    return json.dumps(record)


def put(value: Any, *path: Any) -> Callable[[dict[str, Any]], Any]:
    def change(record: dict[str, Any]) -> None:
        inner: Any = record
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put("4.6", "steps", 0, "exact", 0, 0), r'steps\[0\]\.exact\[0\]\[0\]: the trace says "4\.6", its'),
        (put("0.4655", "steps", 2, "decimals", 0, 0), r"steps\[2\]\.decimals"),
        (put("7", "given", "X", 0, 0), r"given\.X\[0\]\[0\]: the trace says"),
        (put("__import__('os')", "steps", 0, "exact", 0, 0), "the trace says"),
        (put("mix", "steps", 0, "op"), r"steps\[0\]\.op"),
        (put([], "steps"), "steps: the trace says"),
        (put(1, "schema"), "a trace with schema 2 is expected, not 1"),
        (put("exercise", "sheet"), "has no steps; write the solution"),
        (lambda record: record.pop("file"), "no problem file in it"),
        (lambda record: record.pop("parts"), "not a trace that attnsolve wrote"),
        (put({"../x.csv": "1"}, "file", "data"), "leads elsewhere"),
        (put({"/etc/x.csv": "1"}, "file", "data"), "leads elsewhere"),
        (put("format: 1", "file", "text"), "title"),
        (put(17, "file", "data"), "not a trace"),
    ],
)
def test_what_is_not_so_is_refused_with_its_place(change: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(AttnsolveError, match=said):
        loads_trace(changed("ist-practical-10", change))


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "17", "[" * 100_000, '{"schema": 2}', '{"schema": 2, "set": 1}']
)
def test_what_is_no_trace_at_all_is_refused(text: str) -> None:
    with pytest.raises(TraceError):
        loads_trace(text)


def test_another_spelling_of_a_number_is_as_good() -> None:
    """9/2 is 4.5, and e^(9/2) over a sum may be written otherwise; a wrong one is not."""
    other = changed("ist-practical-10", put("4.5", "steps", 0, "exact", 0, 0))
    assert comparable(trace_of("ist-practical-10")) == comparable(loads_trace(other))


def test_the_answers_in_words_are_not_on_an_exercise_sheet() -> None:
    """The file has them, so that an exercise has no file."""
    assert "file" not in json.loads(attnsolve.render(trace_of("cases"), to="json", sheet="exercise"))


def test_the_face_reads_what_it_wrote() -> None:
    solved = attnsolve.solve(
        attnsolve.loads(problem("given: {S: 1 2}\nparts: [{ask: x, attend: {scores: S}}]"))
    )
    assert isinstance(attnsolve.loads_trace(attnsolve.render(solved, to="json")), Trace)
