"""The questions of a file: from their keys to checked plans."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from attnsolve.documents import Node
from attnsolve.errors import AttnsolveError
from attnsolve.loader.calls import WrittenCall, add_calls, read_plan
from attnsolve.loader.format import PART
from attnsolve.loader.givens import RESULT, Givens
from attnsolve.loader.reader import Reader, did_you_mean
from attnsolve.loader.tables import read_table_node
from attnsolve.loader.targets import read_target
from attnsolve.ops import NORMALISERS, OPS_BY_NAME, Frame
from attnsolve.problem import Call, Part, Published, Target
from attnsolve.recipes import RECIPES_BY_NAME, Field, FieldError, Normaliser, Plan, Recipe
from attnsolve.recipes.heads import LETTERS, PROJECTIONS, SETTINGS

IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9-]{0,19}")


@dataclass
class Draft:
    """A part half read: its keys are known, its plan is not built yet."""

    id: str
    node: Node
    entries: dict[str, Node]
    path: str
    recipe: Recipe | None = None
    settings: list[dict[str, Any]] = field(default_factory=list)
    written: list[WrittenCall] = field(default_factory=list)


class PartReader:
    """Reads parts in two passes: first what each matrix is for, then, with the matrices laid, the plans."""

    def __init__(self, reader: Reader, givens: Givens) -> None:
        self.reader = reader
        self.givens = givens
        self.drafts: list[Draft] = []

    def read(self, node: Node) -> None:
        """First pass over `parts:`."""
        if node.kind != "list" or not node.items:
            self.reader.fault(node, "parts", "a list of questions is expected here, each with - ask: …")
            return
        if len(node.items) > self.reader.limits.parts:
            self.reader.fault(node, "parts", f"{len(node.items)} parts; the limit is {self.reader.limits.parts}")
            return
        for number, item in enumerate(node.items):
            self._draft(item, number)

    def _draft(self, item: Node, number: int) -> None:
        reader = self.reader
        entries = reader.mapping(item, f"parts[{number + 1}]", PART)
        if not entries:
            return
        name = self._identifier(entries, number)
        path = f"parts.{name}"
        if "like" in entries:
            entries = self._merged(entries, path)
        draft = Draft(name, item, entries, path)
        self.drafts.append(draft)
        if "ask" not in entries:
            reader.fault(item, path, "the key 'ask' is missing: what is the question?")
        ways = [key for key in entries if key in RECIPES_BY_NAME or key in ("plan", "discuss")]
        if not ways:
            choices = ", ".join((*RECIPES_BY_NAME, "plan", "discuss"))
            reader.fault(item, path, f"nothing says how to answer this; add one of {choices}")
        elif len([key for key in ways if key != "discuss"]) > 1:
            reader.fault(item, path, f"{' and '.join(ways)} stand together; a part has one plan")
        elif "plan" in entries:
            draft.written = read_plan(reader, self.givens, entries["plan"], f"{path}.plan")
        for key in ways:
            if key in RECIPES_BY_NAME:
                draft.recipe = RECIPES_BY_NAME[key]
                self._read_settings(draft, entries[key], f"{path}.{key}")

    def _identifier(self, entries: dict[str, Node], number: int) -> str:
        default = chr(ord("a") + number % 26) + (str(number // 26) if number > 25 else "")
        if "id" not in entries:
            return default
        node = entries["id"]
        text = self.reader.word(node, f"parts[{number + 1}].id", "a short name such as a")
        if text is None or not IDENTIFIER.fullmatch(text):
            self.reader.fault(node, f"parts[{number + 1}].id", f"id '{node.text}' may have only a-z, 0-9 and -, at most 20 of them")
            return default
        if text in {draft.id for draft in self.drafts}:
            self.reader.fault(node, f"parts[{number + 1}].id", f"a part '{text}' is there already; choose another id")
        return text

    def _merged(self, entries: dict[str, Node], path: str) -> dict[str, Node]:
        """The keys of an earlier part with this part's own on top; maps are merged one level deep."""
        name = entries["like"].text.strip()
        earlier = next((draft for draft in self.drafts if draft.id == name), None)
        if earlier is None:
            known = [draft.id for draft in self.drafts]
            hint = did_you_mean(name, known) or f"; the parts before this one are {', '.join(known) or 'none'}"
            self.reader.fault(entries["like"], f"{path}.like", f"there is no earlier part '{name}'{hint}")
            return entries
        unlike = ("id", "title", "published", "note", "cases")
        merged = {key: node for key, node in earlier.entries.items() if key not in unlike}
        for key, node in entries.items():
            base = merged.get(key)
            if base is not None and base.kind == node.kind == "map" and key in RECIPES_BY_NAME:
                own = {name.text for name, _ in node.entries}
                # dividing and multiplying exclude each other, so the new one takes the old one's place
                own |= {"divide_by", "multiply_by"} if own & {"divide_by", "multiply_by"} else set()
                kept = tuple((k, v) for k, v in base.entries if k.text not in own)
                node = replace(node, entries=(*kept, *node.entries))
            merged[key] = node
        return merged

    def _read_settings(self, draft: Draft, node: Node, path: str) -> None:
        """The keys of a recipe, once, or once for each of its cases."""
        assert draft.recipe is not None
        cases = draft.entries.get("cases")
        if cases is None:
            draft.settings.append(self._settings(draft, node, path, draft.id))
            return
        if cases.kind != "list" or not cases.items:
            self.reader.fault(cases, f"{draft.path}.cases", "a list of changes is expected here, such as [{queries: q1}, {queries: q2}]")
            return
        for number, case in enumerate(cases.items, start=1):
            if case.kind != "map":
                self.reader.fault(case, f"{draft.path}.cases[{number}]", "a map is expected here, such as {queries: q2}")
                continue
            own = {key.text for key, _ in case.entries}
            kept = tuple((k, v) for k, v in node.entries if k.text not in own)
            merged = replace(node, entries=(*kept, *case.entries))
            draft.settings.append(self._settings(draft, merged, path, f"{draft.id}.case{number}"))

    def _settings(self, draft: Draft, node: Node, path: str, prefix: str) -> dict[str, Any]:
        assert draft.recipe is not None
        return self._fields(node, path, draft.recipe.fields, prefix)

    def _fields(self, node: Node, path: str, fields: tuple[Field, ...], prefix: str) -> dict[str, Any]:
        entries = self.reader.mapping(node, path, fields)
        known = {field.name: field for field in fields}
        if "divide_by" in entries and "multiply_by" in entries:
            self.reader.fault(entries["multiply_by"], path, "divide_by and multiply_by exclude each other")
        values = {name: self._value(known[name], value, f"{path}.{name}", prefix) for name, value in entries.items()}
        return {name: value for name, value in values.items() if value is not None}

    def _value(self, field: Field, node: Node, path: str, prefix: str) -> Any:
        reader = self.reader
        if field.kind == "matrix":
            return self.givens.use(node, path, field.role, f"{prefix}.{field.name}")
        if field.kind == "scale":
            return reader.word(node, path, "a number, sqrt(d_k) or none")
        if field.kind == "choice":
            chosen = reader.choice(node, path, field.choices)
            return OPS_BY_NAME.get(chosen) if chosen and field.name == "score" else chosen
        if field.kind == "normaliser":
            return self._normaliser(node, path)
        if field.kind in ("rows", "sizes"):
            return self._numbers(node, path, field.kind)
        return self._heads(node, path, prefix)

    def _normaliser(self, node: Node, path: str) -> Normaliser | None:
        """`softmax`, or `{softmax: {temperature: 2}}`."""
        by_name = {op.name: op for op in NORMALISERS}
        if node.kind == "map" and len(node.entries) == 1:
            (key, inner), *_ = node.entries
            name = self.reader.choice(key, path, tuple(by_name))
            if name is None:
                return None
            fields = tuple(Field(o.name, "setting", o.doc) for o in by_name[name].options)
            if not fields:
                self.reader.fault(inner, path, f"{name} has no settings; write weights: {name}")
                return None
            entries = self.reader.mapping(inner, f"{path}.{name}", fields)
            settings = {k: self.reader.word(v, f"{path}.{name}.{k}", "a value") or "" for k, v in entries.items()}
            return Normaliser(by_name[name], settings)
        name = self.reader.choice(node, path, tuple(by_name)) if node.kind == "text" else None
        if node.kind != "text":
            self.reader.fault(node, path, f"one of {', '.join(by_name)} is expected here, or a map such as {{softmax: {{temperature: 2}}}}")
        return Normaliser(by_name[name]) if name else None

    def _numbers(self, node: Node, path: str, kind: str) -> tuple[int, ...] | None:
        """`[2]`, `[1, 3]` or `2`; rows are counted as the sheet counts them."""
        items = node.items if node.kind == "list" else (node,)
        first = self.reader.index_from if kind == "rows" else 1
        numbers = [self.reader.integer(item, path, first, self.reader.limits.tokens) for item in items]
        if not items:
            self.reader.fault(node, path, "an empty list; write at least one number")
        if None in numbers or not items:
            return None
        return tuple(n - (first if kind == "rows" else 0) for n in numbers if n is not None)

    def _heads(self, node: Node, path: str, prefix: str) -> list[Any] | int | None:
        """A list of heads, each its own matrices or an earlier part's id; or how many heads share wide matrices."""
        reader = self.reader
        if node.kind == "text":
            return reader.integer(node, path, 1, reader.limits.heads)
        if node.kind != "list" or not node.items:
            reader.fault(node, path, "a list of heads is expected here, or how many there are")
            return None
        if len(node.items) > reader.limits.heads:
            reader.fault(node, path, f"{len(node.items)} heads; the limit is {reader.limits.heads}")
            return None
        return [self._head(item, f"{path}[{i + 1}]", f"{prefix}.head{i + 1}") for i, item in enumerate(node.items)]

    def _head(self, node: Node, path: str, prefix: str) -> Any:
        if node.kind == "map":
            return self._fields(node, path, (*PROJECTIONS, *SETTINGS), prefix)
        name = node.text.strip() if node.kind == "text" else ""
        known = [draft.id for draft in self.drafts]
        if name not in known[:-1]:
            hint = did_you_mean(name, known[:-1]) or f"; the parts before this one are {', '.join(known[:-1]) or 'none'}"
            self.reader.fault(node, path, f"a head is a map such as {{W_Q: …, W_K: …, W_V: …}} or the id of an earlier part{hint}")
        return name

    def build(self, frames: dict[str, Frame]) -> tuple[Part, ...]:
        """Second pass: plans, targets, marks; `frames` grows with every result."""
        aliases: dict[str, str] = {}
        built = []
        for draft in self.drafts:
            before = len(self.reader.faults)
            plan = Plan(draft.id, frames, aliases={})
            self._plan(draft, plan)
            aliases |= plan.aliases
            broken = len(self.reader.faults) > before
            built.append(self._part(draft, plan, aliases) if not broken else Part(draft.id, ""))
        if sum(len(part.calls) for part in built) > self.reader.limits.calls:
            self.reader.fault(self.drafts[0].node, "parts", f"more than {self.reader.limits.calls} steps in all, the limit")
        return tuple(built)

    def _plan(self, draft: Draft, plan: Plan) -> None:
        add_calls(self.reader, plan, draft.written)
        many = "cases" in draft.entries
        for number, settings in enumerate(draft.settings, start=1):
            assert draft.recipe is not None
            inner = plan.inside(f"case{number}") if many else plan
            try:
                self._check_results(settings, plan, draft)
                for wanted in draft.recipe.fields:
                    if wanted.required and wanted.name not in settings:
                        return  # said already, where the key is missing or wrong
                draft.recipe.build(inner, settings)
            except FieldError as error:
                self._locate(draft, error)
            except AttnsolveError as error:
                self.reader.fault(draft.node, draft.path, str(error))

    def _check_results(self, settings: dict[str, Any], plan: Plan, draft: Draft) -> None:
        """Names such as `b.Z` must be results of earlier parts."""
        for name, value in settings.items():
            if isinstance(value, str) and RESULT.fullmatch(value) and value not in plan.frames and name not in ("divide_by", "multiply_by"):
                known = [key for key in plan.frames if "." in key]
                hint = did_you_mean(value, known) or f"; the results so far are {', '.join(known) or 'none'}"
                raise FieldError((name,), f"there is no earlier result '{value}'{hint}")
            if name == "heads" and isinstance(value, list):
                for i, head in enumerate(value):
                    if isinstance(head, str) and f"{head}.Z" not in plan.frames:
                        raise FieldError(("heads", i), f"part '{head}' has no output Z that could be a head")

    def _locate(self, draft: Draft, error: FieldError) -> None:
        """Put a recipe's complaint where the key stands, or where its map stands."""
        assert draft.recipe is not None
        node, path = draft.entries[draft.recipe.name], f"{draft.path}.{draft.recipe.name}"
        for piece in error.path:
            inner = None
            if isinstance(piece, int) and piece < len(node.items):
                inner, path = node.items[piece], f"{path}[{piece + 1}]"
            elif isinstance(piece, str):
                inner = node.get(piece)
                path = f"{path}.{piece}" if inner is not None else path
            if inner is None:
                break
            node = inner
        self.reader.fault(node, path, str(error))

    def _part(self, draft: Draft, plan: Plan, aliases: dict[str, str]) -> Part:
        entries, reader = draft.entries, self.reader
        texts = {key: reader.text(entries[key], f"{draft.path}.{key}") for key in ("title", "ask", "note", "discuss") if key in entries}
        find = self._targets(draft, "find", plan, aliases)
        calls = needed(plan.calls, find) if find else tuple(plan.calls)
        given = {name for call in calls for name in call.args if name not in {c.out for c in calls}}
        return Part(
            id=draft.id,
            ask=texts.get("ask", ""),
            title=texts.get("title", ""),
            note=texts.get("note", ""),
            discuss=texts.get("discuss", ""),
            calls=calls,
            find=find or default_find(calls),
            marks=self._marks(draft),
            plots=self._plots(draft, plan, aliases, calls),
            published=self._published(draft, plan, aliases),
            mistakes=draft.recipe.mistakes if draft.recipe else (),
            givens=tuple(name for name in plan.frames if name in given),
            aliases=plan.aliases,
            cases=tuple(f"case{n + 1}" for n in range(len(draft.settings))) if "cases" in entries else (),
        )

    def _targets(self, draft: Draft, key: str, plan: Plan, aliases: dict[str, str]) -> tuple[Target, ...]:
        node = draft.entries.get(key)
        if node is None:
            return ()
        items = node.items if node.kind == "list" else (node,)
        found = (read_target(self.reader, item, f"{draft.path}.{key}", draft.id, plan.frames, aliases) for item in items)
        return tuple(target for target in found if target is not None)

    def _plots(self, draft: Draft, plan: Plan, aliases: dict[str, str], calls: tuple[Call, ...]) -> tuple[str, ...]:
        node = draft.entries.get("plot")
        if node is not None and node.kind == "text" and node.text.strip() == "weights":
            made = tuple(call.out for call in calls if call.op in NORMALISERS)
            if not made:
                self.reader.fault(node, f"{draft.path}.plot", "this part has no weights to plot")
            return made
        return tuple(target.name for target in self._targets(draft, "plot", plan, aliases))

    def _marks(self, draft: Draft) -> dict[str, int]:
        """Marks for the part, or for single steps by letter or word."""
        node = draft.entries.get("marks")
        if node is None:
            return {}
        path = f"{draft.path}.marks"
        if node.kind == "text":
            number = self.reader.integer(node, path, 0, 1000)
            return {} if number is None else {"": number}
        marks = {}
        for key, value in node.entries:
            number = self.reader.integer(value, f"{path}.{key.text}", 0, 1000)
            known = [*LETTERS, *LETTERS.values()]
            if key.text not in known and "." not in key.text:
                self.reader.fault(key, path, f"no step is called '{key.text}'{did_you_mean(key.text, known)}")
            elif number is not None:
                marks[LETTERS.get(key.text, key.text)] = number
        return marks

    def _published(self, draft: Draft, plan: Plan, aliases: dict[str, str]) -> tuple[Published, ...]:
        node = draft.entries.get("published")
        if node is None:
            return ()
        if node.kind != "map":
            self.reader.fault(node, f"{draft.path}.published", "a map is expected here, such as {Z: 1.88 -0.64}")
            return ()
        found = []
        for key, value in node.entries:
            path = f"{draft.path}.published.{key.text}"
            target = read_target(self.reader, key, path, draft.id, plan.frames, aliases)
            table = read_table_node(self.reader, value, path, lambda name: None)
            if target is not None and table is not None and self._fits(value, path, target, table.value.shape, plan.frames):
                found.append(Published(target, table.typed, value.line, value.column))
        return tuple(found)

    def _fits(self, node: Node, path: str, target: Target, shape: tuple[int, int], frames: dict[str, Frame]) -> bool:
        whole = frames[target.name].shape
        wanted = whole if target.row is None else (1, whole[1] if target.column is None else 1)
        if shape != wanted:
            self.reader.fault(node, path, f"this is {shape[0]}×{shape[1]}, but {target.name} is {wanted[0]}×{wanted[1]} (a row for each token)")
        return shape == wanted


def needed(calls: Iterable[Call], targets: tuple[Target, ...]) -> tuple[Call, ...]:
    """Only the calls that lead to what is asked for, in their order."""
    made = {call.out: call for call in calls}
    wanted = {target.name for target in targets}
    for call in reversed(made.values()):
        if call.out in wanted:
            wanted.update(call.args)
    return tuple(call for call in made.values() if call.out in wanted)


def default_find(calls: tuple[Call, ...]) -> tuple[Target, ...]:
    """The weights and the output of a single head; only the last result of anything larger."""
    if not calls:
        return ()
    weights = [call.out for call in calls if call.op in NORMALISERS]
    names = [*weights, calls[-1].out] if len(weights) == 1 and calls[-1].group == "" else [calls[-1].out]
    cases = [call.out for call in calls if call.letter == calls[-1].letter and call.group.startswith("case")]
    return tuple(Target(name) for name in dict.fromkeys(cases or names))


