"""The trace as JSON: each step with its inputs by name, exact strings, decimals and working."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from attnsolve.exact import Matrix
from attnsolve.exact.masked import shown
from attnsolve.problem import Part, Problem, Target
from attnsolve.problem_set import Solved, SolvedSet
from attnsolve.rendering.plain_lines import plain
from attnsolve.rendering.settings import Settings
from attnsolve.trace import Step, Trace
from attnsolve.working import Decimal

SCHEMA = 2
# What a set says itself.
ABOUT_SETS = ("title", "course", "term", "date", "instructions")


def dumps(solved: Solved, settings: Settings) -> str:
    """The whole trace as one JSON object, or those of all exercises of a problem set."""
    record = set_record(solved, settings) if isinstance(solved, SolvedSet) else trace_record(solved, settings)
    return json.dumps(record, ensure_ascii=False, indent=2)


def set_record(solved: SolvedSet, settings: Settings) -> dict[str, Any]:
    """A problem set: what it says itself, and its exercises; their names are those of their problems."""
    asked = solved.problem
    about = {key: getattr(asked, key) for key in ABOUT_SETS}
    pools = [{"choose": pool.choose, "of": list(pool.numbers)} for pool in asked.pools]
    return {
        "schema": SCHEMA,
        "set": asked.name,
        **about,
        **({"order": "shuffled"} if asked.is_shuffled else {}),
        **({"pools": pools} if pools else {}),
        "exercises": [
            {
                "number": one.number,
                **({"origin": one.origin} if one.origin else {}),
                **trace_record(trace, settings, address=one.outer),
            }
            for one, trace in solved
        ],
    }


def trace_record(trace: Trace, settings: Settings, *, address: Callable[[str], str] = str) -> dict[str, Any]:
    """A trace for programs; matrices have tokens as rows whatever the course's convention.

    `address` makes the id of a step from its name: the same, or `2b.A` in a problem set.
    """
    problem = trace.problem
    places = problem.places if settings.places is None else settings.places
    return {
        "schema": SCHEMA,
        "problem": problem.name,
        "title": problem.title,
        "source": problem.source,
        "lang": problem.lang,
        "sheet": settings.sheet,
        "detail": settings.detail,
        "places": places,
        "index_from": problem.index_from,
        "given": {name: given.value.texts() for name, given in problem.givens.items()},
        "parts": [
            {
                "id": part.id,
                "ask": part.ask,
                "marks": part.total if isinstance(part.total, int) else str(part.total),
                "find": [target_text(target, problem) for target in part.find],
                **({"explain": part.explain} if part.explain else {}),
                **({"discuss": part.discuss} if part.discuss and settings.sheet == "solution" else {}),
                **cost_record(problem, part, settings),
                **claims_record(problem, part, settings),
                **choice_record(trace, part, settings),
            }
            for part in problem.parts
        ],
        "steps": [
            {"id": address(step.call.out), **step_record(step, places, problem.index_from, settings)}
            for step in trace.steps
        ]
        if settings.sheet == "solution"
        else [],
        **file_record(problem, settings),
    }


def file_record(problem: Problem, settings: Settings) -> dict[str, Any]:
    """The problem file, from which the trace can be read again; it has the answers in words in it."""
    if settings.sheet != "solution" or not problem.written.text:
        return {}
    text, data = problem.written
    pictures = {
        picture.file: encoded(picture.data)
        for versions in problem.pictures.values()
        for picture in versions.pictures
    }
    beside = (("data", dict(data)), ("pictures", pictures))
    return {"file": {"text": text, **{name: found for name, found in beside if found}}}


def encoded(data: bytes) -> str:
    """Bytes as text."""
    from base64 import b64encode  # few problems have pictures

    return b64encode(data).decode()


def cost_record(problem: Problem, part: Part, settings: Settings) -> dict[str, Any]:
    """What a part costs, if it asks for that."""
    if part.costs is None or settings.sheet != "solution":
        return {}
    from attnsolve.rendering.costs.costs_json import record

    return {"costs": record(problem, part, settings)}


def claims_record(problem: Problem, part: Part, settings: Settings) -> dict[str, Any]:
    """The verdicts on the claims of a part, if it has some."""
    if part.abstract is None or not part.abstract.claims or settings.sheet != "solution":
        return {}
    from attnsolve.claims.sheets import judge_part
    from attnsolve.rendering.derivations.verdicts import record

    return {"claims": [record(one) for one in judge_part(problem, part)]}


def choice_record(trace: Trace, part: Part, settings: Settings) -> dict[str, Any]:
    """The options of a question of choice; which are right is known to solutions only."""
    if part.choice is None:
        return {}
    from attnsolve.choice_options import options_of, places_of

    record = []
    for option in options_of(trace, part):
        shown = (
            {"text": option.text}
            if option.value is None
            else {"decimals": decimals(option.value, places_of(trace.problem))}
        )
        behind = {"right": option.is_right, "mistake": option.mistake, "why": option.why}
        record.append({"letter": option.letter, **shown, **(behind if settings.sheet == "solution" else {})})
    return {"choice": record}


def target_text(target: Target, problem: Problem) -> str:
    """A target as a file writes it: `b.A`, `b.A[2, 1]`, the indices as the course prints them."""
    frame = problem.frames[target.name]
    places = [
        str((place if axis.tokens is None else axis.tokens[place]) + problem.index_from)
        for place, axis in ((target.row, frame.rows), (target.column, frame.columns))
        if place is not None
    ]
    if len(places) == 2 and problem.convention.turns(None, frame):
        places.reverse()
    return f"{target.name}[{', '.join(places)}]" if places else target.name


def step_record(step: Step, places: int, index_from: int, settings: Settings) -> dict[str, Any]:
    """One step for programs."""
    call, has_letters = step.call, shown(step.value).kind == "formula"
    record: dict[str, Any] = {
        "part": call.part,
        "name": call.out,
        "op": call.op.name,
        "inputs": list(call.args),
        "options": {name: option_text(value) for name, value in call.options.items()},
        "shape": list(step.value.shape),
        "kind": step.value.kind,
        "exact": step.value.texts() if shown(step.value).kind != "certified" else None,
        "decimals": None if has_letters else decimals(step.value, places),
    }
    if step.carried is not step.value:
        record["carried"] = step.carried.texts()
    if settings.detail in ("cells", "products"):
        record["lines"] = [
            {
                "cell": [line.i + index_from, line.j + index_from],
                "stages": [
                    {"relation": stage.relation, "text": plain(stage.expression, index_from=index_from)}
                    for stage in line.stages
                    if (settings.detail == "products" or not stage.fine)
                    and not (has_letters and isinstance(stage.expression, Decimal))
                ],
            }
            for line in step.lines()
        ]
    return record


def decimals(value: Matrix, places: int) -> list[list[str]]:
    """Certified decimals as text: a JSON number would be read as a float."""
    return [[cell.text for cell in row] for row in value.decimals(places)]


def option_text(value: Any) -> Any:
    """An option as text: `sqrt(d_k)`; plain values stay."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return plain(value)  # type: ignore[arg-type]
    return list(value) if isinstance(value, tuple) else value
