"""The questions of a file, second pass: plans with their shapes checked, and what is asked of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attnsolve.errors import AttnsolveError
from attnsolve.graph import Graph
from attnsolve.inner_values import inner_calls, is_inner, with_inner
from attnsolve.loader.answers import AnswerReader
from attnsolve.loader.calls import add_calls
from attnsolve.loader.givens import RESULT
from attnsolve.loader.parts import Draft, Run
from attnsolve.loader.reader import Reader
from attnsolve.loader.space import read_space
from attnsolve.loader.targets import Scope
from attnsolve.ops import Family
from attnsolve.problem import Call, Part, Target
from attnsolve.recipes import Chosen, FieldError, Plan

# Keys whose value is a number, not the name of a matrix.
# What is asked about letters, and the name under which its answer has marks.
STATED = {"limit": "limit", "solve": "solution", "monotony": "monotony"}
TEXTS = ("divide_by", "multiply_by", "epsilon", "base", "rate")


class Lost(Exception):
    """Something that a part needs comes from a part with faults of its own."""


def build_parts(reader: Reader, scope: Scope, drafts: Iterable[Draft]) -> tuple[Part, ...]:
    """The parts of a problem; `scope` grows with every result, and remembers the parts that have none."""
    parts: list[Part] = []
    steps = 0
    drafts = tuple(drafts)
    scope.later = {draft.id: tuple(call.letter for call in draft.written.calls) for draft in drafts}
    for draft in drafts:
        scope.later.pop(draft.id, None)
        before = len(reader.faults)
        plan = Plan(draft.id, scope.frames, scope.layout, scope.made)
        # A written plan with faults is still followed as far as it goes: its other lines may have some too.
        built = (draft.sound or bool(draft.written.calls)) and _build(reader, scope, draft, plan)
        scope.aliases |= plan.aliases
        if not (built and draft.sound):
            scope.lost.add(draft.id)
            continue
        part = _part(reader, scope, draft, plan)
        steps += len(part.calls)
        if steps > reader.limits.calls:
            said = f"{steps} steps up to here; the limit is {reader.limits.calls}"
            reader.fault(draft.node, draft.path, f"{said}, and --limit calls={steps} raises it")
            break
        if len(reader.faults) == before:
            parts.append(part)
    return tuple(parts)


def _build(reader: Reader, scope: Scope, draft: Draft, plan: Plan) -> bool:
    """Carry out the recipe or the written plan, once for each case; False when a fault was met."""
    sound = True
    errors: list[tuple[Run, AttnsolveError]] = []
    for run in draft.runs:
        inner = plan.inside(run.group) if run.group else plan
        if draft.recipe is None:
            sound &= add_calls(reader, scope, inner, draft.written, run.settings)
            continue
        try:
            draft.recipe.build(inner, _with_full_names(scope, draft, run.settings))
        except Lost:
            sound = False
        except AttnsolveError as error:
            errors.append((run, error))
    shared = len(errors) == len(draft.runs) and len({str(error) for _, error in errors}) == 1
    for run, fault in errors:
        _locate(reader, draft, run, fault, shared=shared)
    return sound and not errors


def _with_full_names(
    scope: Scope, draft: Draft, settings: dict[str, Any], path: tuple[str | int, ...] = ()
) -> dict[str, Any]:
    """Settings in which results of earlier parts go by the names they are kept under."""
    named: dict[str, Any] = {}
    for key, value in settings.items():
        where = (*path, key)
        if isinstance(value, list):  # heads or layers
            named[key] = [
                _head(scope, draft, item, (*where, i)) if isinstance(item, str)
                else _with_full_names(scope, draft, item, (*where, i))
                for i, item in enumerate(value)
            ]  # fmt: skip
        elif isinstance(value, Chosen):
            own = _with_full_names(scope, draft, dict(value.matrices), (*where, value.op.name))
            named[key] = value._replace(matrices=own)
        elif isinstance(value, dict):
            named[key] = _with_full_names(scope, draft, value, where)
        elif (
            isinstance(value, str)
            and key not in TEXTS
            and value not in scope.frames
            and RESULT.fullmatch(value)
        ):
            named[key] = _earlier(scope, draft, value, where)
        else:
            named[key] = value
    return named


def _earlier(scope: Scope, draft: Draft, value: str, path: tuple[str | int, ...]) -> str:
    name = scope.full_name(value, draft.id)
    if name is None:
        if scope.is_lost(value):
            raise Lost
        raise FieldError(path, scope.why_missing(value, draft.id))
    return name


def _head(scope: Scope, draft: Draft, head: str, path: tuple[str | int, ...]) -> str:
    """An earlier part that serves as a head must have an output."""
    if f"{head}.Z" not in scope.frames:
        if head in scope.lost:
            raise Lost
        why = (
            scope.why_missing(f"{head}.Z", draft.id)
            if f"{head}.Z" in scope.trimmed
            else "it makes no output Z"
        )
        raise FieldError(path, f"part '{head}' cannot be a head: {why}")
    return head


def _locate(reader: Reader, draft: Draft, run: Run, error: AttnsolveError, *, shared: bool) -> None:
    """Put a recipe's complaint where the key stands, or else where the map around it stands."""
    assert run.node is not None and draft.recipe is not None
    path = f"{draft.path}.{draft.recipe.name}"
    pieces = error.path if isinstance(error, FieldError) else ()
    if run.group and not shared and (not pieces or pieces[0] not in run.changed):
        # Only this case has it, so what the case changes is to blame, not the key that all cases share.
        reader.fault(run.node, f"{draft.path}.cases[{run.group.removeprefix('case')}]", str(error))
        return
    trail = [(run.node, path)]
    for piece in pieces:
        node, path = trail[-1]
        if isinstance(piece, int):
            trail.append((node.items[piece], f"{path}[{piece + 1}]"))
            continue
        # What a head does not say itself, the recipe says for all heads.
        holders = [
            (inner, where) for node, where in reversed(trail) if (inner := node.get(piece)) is not None
        ]
        if not holders:
            break
        inner, where = holders[0]
        outermost = where == trail[0][1]
        trail.append((inner, run.changed.get(piece, f"{where}.{piece}") if outermost else f"{where}.{piece}"))
    node, path = trail[-1]
    offset = error.offset if isinstance(error, FieldError) else None
    reader.fault(node, path, str(error), at=offset if node.is_text else None)


def _part(reader: Reader, scope: Scope, draft: Draft, plan: Plan) -> Part:
    """The part with its answers; values that nothing asked for needs are dropped."""
    entries, answers = draft.entries, AnswerReader(reader, scope, draft.id, draft.path, draft.cases)
    scope.offer(plan.calls)
    find = answers.targets(entries.get("find"), "find")
    choice = None
    if "choice" in entries:
        from attnsolve.loader.choice_questions import ChoiceReader  # few parts are questions of choice

        choice, chosen = ChoiceReader(reader, answers, draft, tuple(plan.calls)).read(entries["choice"])
        find = chosen or find
    published = answers.published(entries.get("published"))
    answers.ask_marked(entries.get("marks"), plan.calls)
    scope.inner = {}
    calls = trimmed(with_inner(plan.calls, scope.asked), find)
    if find and not calls:
        names = ", ".join(target.name for target in find)
        reader.fault(
            entries["find"],
            f"{draft.path}.find",
            f"nothing is left to do here: {names} is known before this part",
        )
    made = {call.out for call in calls}
    used = {name for call in calls for name in call.args} - made
    ticked = "choice" in entries
    in_words = "explain" in entries if ticked and not calls else "discuss" in entries
    stated = tuple(name for key, name in STATED.items() if key in entries) if reader.letters else ()
    marks, methods = answers.marks(
        entries.get("marks"), calls, in_words=in_words, ticked=ticked, stated=stated
    )
    allow: tuple[str, ...] = ()
    if "allow" in entries:
        from attnsolve.loader.variation import read_allowed  # only exams need it

        allow = read_allowed(reader, entries["allow"], f"{draft.path}.allow")
    part = Part(
        id=draft.id,
        ask=draft.texts.get("ask", ""),
        title=draft.texts.get("title", ""),
        note=draft.texts.get("note", ""),
        explain=draft.texts.get("explain", ""),
        discuss=draft.texts.get("discuss", ""),
        lines=answers.lines(entries.get("lines")),
        calls=calls,
        find=find or tuple(map(Target, plan.answers)) or default_find(calls),
        marks=marks,
        methods=methods,
        plots=answers.plots(entries.get("plot"), calls),
        published=published,
        mistakes=draft.recipe.mistakes if draft.recipe else (),
        givens=tuple(name for name in scope.frames if name in used),
        aliases=plan.aliases,
        cases=draft.cases,
        costs=draft.costs,
        choice=choice,
        allow=allow,
        space=read_space(answers, entries["space"], calls) if "space" in entries else None,
    )
    if draft.costs is not None:
        from attnsolve.loader.costs import check_costs

        check_costs(reader, scope, entries["costs"], f"{draft.path}.costs", draft.costs)
    for name in (*(call.out for call in plan.calls), *scope.asked):
        if name not in made:
            scope.trimmed.add(name)
            del scope.frames[name]
    scope.made |= {call.out: call for call in calls}
    return part


def trimmed(calls: tuple[Call, ...], find: tuple[Target, ...]) -> tuple[Call, ...]:
    """The calls that lead to what is asked for, and the values inside them that marks or answers name."""
    if not find:
        return calls
    behind = {call.out for call in Graph(calls).behind(target.name for target in find)}
    inside = {call.out for name, group in inner_calls(calls).items() if name in behind for call in group}
    return tuple(call for call in calls if call.out in behind or call.out in inside)


def default_find(calls: tuple[Call, ...]) -> tuple[Target, ...]:
    """The weights and the output of a single head; only the last result of anything larger; of every case."""
    calls = tuple(call for call in calls if not is_inner(call))
    if not calls:
        return ()
    last = calls[-1]
    if last.group.startswith("case"):
        case = last.group.partition(".")[2]
        ends = [
            call.out for call in calls if call.letter == last.letter and call.group.partition(".")[2] == case
        ]
        return tuple(map(Target, ends))
    weights = [call.out for call in calls if call.op.family is Family.NORMALISER and call.group == ""]
    single = len(weights) == 1 and last.group == ""
    return tuple(Target(name) for name in dict.fromkeys([*weights * single, last.out]))
