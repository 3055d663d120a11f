"""A trace read back from its JSON: its problem is solved again, and every number there compared with it."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError, ExpressionError
from attnsolve.expressions import number
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader import loads
from attnsolve.loader.files import leads_elsewhere
from attnsolve.problem import Problem
from attnsolve.problem_set import Exercise, Pool, ProblemSet, Solved, SolvedSet, selected
from attnsolve.rendering.settings import Settings
from attnsolve.rendering.trace_json import ABOUT_SETS, SCHEMA, set_record, trace_record
from attnsolve.scheme import rescaled
from attnsolve.trace import Trace

# A trace is longer than its problem file by so much at most.
LONGER = 100
# The keys below which numbers stand as exact texts: another spelling of the same number is as good.
EXACT = ("given", "exact", "carried")


class TraceError(AttnsolveError):
    """A text that is no trace of ours, or one whose numbers are not those of its problem."""

    exit_code = 3


def loads_trace(text: str, *, limits: Limits = LIMITS) -> Solved:
    """The trace, or the solved problem set, that `attnsolve render --to json` wrote."""
    record = parsed(text, limits)
    try:
        solved, remade = read_set(record, limits) if "set" in record else read_alone(record, limits)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise TraceError(
            f"this is not a trace that attnsolve wrote ({type(error).__name__}: {error})"
        ) from None
    compare(record, remade, "", limits)
    return solved


def parsed(text: str, limits: Limits) -> dict[str, Any]:
    """The JSON object in a text, of a schema that this release reads."""
    most = LONGER * limits.file_bytes
    if len(text) > most:
        raise TraceError(f"this trace has more than {most} characters, the limit")
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise TraceError(f"{error.lineno}:{error.colno}: not valid JSON ({error.msg.lower()})") from None
    except (RecursionError, ValueError):
        raise TraceError("this JSON is nested too deep, or has a number that is too long") from None
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        found = str(record.get("schema"))[:20] if isinstance(record, dict) else type(record).__name__
        cure = "write it again with attnsolve render --to json"
        raise TraceError(f"a trace with schema {SCHEMA} is expected, not {found}; {cure}")
    return record


def settings_of(record: Mapping[str, Any]) -> Settings:
    """How a record was made."""
    return Settings(to="json", sheet=record["sheet"], detail=record["detail"], places=record["places"])


def read_alone(record: Mapping[str, Any], limits: Limits) -> tuple[Solved, dict[str, Any]]:
    """The trace of one problem, and the record that it gives."""
    trace = read_trace(record, limits)
    return trace, trace_record(trace, settings_of(record))


def read_set(record: Mapping[str, Any], limits: Limits) -> tuple[Solved, dict[str, Any]]:
    """A problem set with the traces of its exercises, and the record that it gives."""
    traces = tuple(read_trace(one, limits) for one in record["exercises"])
    exercises = tuple(
        Exercise(one["number"], trace.problem, one.get("origin", 0))
        for one, trace in zip(record["exercises"], traces, strict=True)
    )
    pools = tuple(Pool(pool["choose"], tuple(pool["of"])) for pool in record.get("pools", ()))
    about: dict[str, Any] = {key: str(record[key]) for key in ABOUT_SETS}
    shuffled = "order" in record
    asked = ProblemSet(record["set"], exercises=exercises, pools=pools, is_shuffled=shuffled, **about)
    solved = SolvedSet(asked, traces)
    return solved, set_record(solved, settings_of(record["exercises"][0]))


def read_trace(record: Mapping[str, Any], limits: Limits) -> Trace:
    """The problem of a record, solved."""
    if record["sheet"] != "solution":
        raise TraceError(f"this is the {record['sheet']} sheet, which has no steps; write the solution")
    if "file" not in record:
        raise TraceError("this trace has no problem file in it, so that it cannot be proven")
    file = record["file"]
    with laid_out(file) as folder:
        problem = loads(str(file["text"]), name=str(record["problem"]), folder=folder, limits=limits)
    own = problem._replace(name=record["problem"], title=record["title"], lang=record["lang"])
    return solve(as_marked(own, record["parts"]))


def as_marked(problem: Problem, parts: list[Mapping[str, Any]]) -> Problem:
    """The problem with the parts of a record, and with what they are worth there: a sheet may change both."""
    wanted = [part["id"] for part in parts]
    if wanted != [part.id for part in problem.parts]:
        problem = selected(problem, wanted)
    worth = {part["id"]: Fraction(part["marks"]) for part in parts}
    changed = {part.id: worth[part.id] for part in problem.parts if part.total != worth[part.id]}
    return rescaled(problem, changed) if changed else problem


@contextmanager
def laid_out(file: Mapping[str, Any]) -> Iterator[Path]:
    """A folder with the data and figures of a problem, as long as it is read; the loader looks at each."""
    beside = {name: str(text).encode() for name, text in file.get("data", {}).items()}
    beside |= {name: b64decode(str(text), validate=True) for name, text in file.get("pictures", {}).items()}
    if not beside:
        yield Path("/nowhere")
        return
    from tempfile import TemporaryDirectory  # few problems have files beside them

    with TemporaryDirectory(prefix="attnsolve-") as made:
        folder = Path(made)
        for name, content in beside.items():
            if leads_elsewhere(Path(name)):
                raise TraceError(f"'{name}' leads elsewhere; files lie beside their problem")
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        yield folder


def compare(told: Any, remade: Any, place: str, limits: Limits, *, exact: bool = False) -> None:
    """Refuse a record that says anything but what its problem gives."""
    if isinstance(remade, dict) and isinstance(told, dict) and remade.keys() == told.keys():
        for key, value in remade.items():
            inside = f"{place}.{key}" if place else key
            compare(told[key], value, inside, limits, exact=exact or key in EXACT)
    elif isinstance(remade, list) and isinstance(told, list) and len(remade) == len(told):
        for index, value in enumerate(remade):
            compare(told[index], value, f"{place}[{index}]", limits, exact=exact)
    elif told != remade and not (exact and is_same_number(told, remade, limits)):
        said, given = (json.dumps(one, ensure_ascii=False)[:60] for one in (told, remade))
        raise TraceError(f"{place}: the trace says {said}, its problem gives {given}")


def is_same_number(told: Any, remade: Any, limits: Limits) -> bool:
    """Whether two texts are proven to stand for one number."""
    if not (isinstance(told, str) and isinstance(remade, str)):
        return False
    try:
        return number(told, limits=limits).same(number(remade, limits=limits)) is True
    except ExpressionError:
        return False
