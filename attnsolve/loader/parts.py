"""The questions of a file, first pass: what each of them says, and what every matrix in it is for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attnsolve.documents import Node
from attnsolve.loader.calls import WrittenPlan, read_plan
from attnsolve.loader.format import ABSTRACT_KEYS, PART
from attnsolve.loader.givens import Givens
from attnsolve.loader.kinds import SETTING_KINDS
from attnsolve.loader.overlays import is_none, overlaid
from attnsolve.loader.reader import Reader, did_you_mean, listing, shortened
from attnsolve.loader.settings import SettingsReader
from attnsolve.problem import CostRequest
from attnsolve.recipes import RECIPES_BY_NAME, Recipe
from attnsolve.records import NamedTuple

IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9-]{0,19}")
WINDOWS_DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)),
}
TEXTS = ("title", "ask", "explain", "note", "discuss")
PLANS = (*RECIPES_BY_NAME, "plan")
# What belongs to one question only and is not repeated by `like`.
UNLIKE = ("id", "title", "published", "note", "explain", "discuss", "choice", "lines", "costs")
# What `none` takes back when it is repeated.
UNSET = ("find", "marks", "plot", "cases", "allow", "with")
# What answers a question without any steps of its own.
WITHOUT_PLAN = ("discuss", "choice", "costs")


class Run(NamedTuple):
    """A recipe's settings, or the names a written plan swaps: for the part itself or for one of its cases."""

    group: str
    node: Node | None
    changed: Mapping[str, str]  # the paths of what a case has changed
    settings: dict[str, Any]


class Draft:
    """A part half read: its keys are known, its plan is not built yet."""

    def __init__(self, name: str, node: Node, entries: dict[str, Node], path: str) -> None:
        self.id = name
        self.node = node
        self.entries = entries
        self.path = path
        self.recipe: Recipe | None = None
        self.runs: list[Run] = []
        self.written = WrittenPlan()
        self.texts: dict[str, str] = {}
        self.costs: CostRequest | None = None
        self.sound = True

    @property
    def cases(self) -> tuple[str, ...]:
        """The names of the cases, if there are any."""
        return tuple(run.group for run in self.runs if run.group)


class PartReader:
    """Collects drafts; their plans are built when every matrix has been laid."""

    def __init__(self, reader: Reader, givens: Givens) -> None:
        self.reader = reader
        self.givens = givens
        self.drafts: list[Draft] = []

    def read(self, node: Node) -> None:
        """All items of `parts:`."""
        limit = self.reader.limits.parts
        if not node.is_list or not node.items:
            self.reader.fault(
                node, "parts", "a list of questions is expected here, each starting with '- ask: …'"
            )
        elif len(node.items) > limit:
            self.reader.fault(node, "parts", f"{len(node.items)} parts; the limit is {limit}")
        else:
            for number, item in enumerate(node.items):
                self._draft(item, number)

    def _draft(self, item: Node, number: int) -> None:
        before = len(self.reader.faults)
        entries = self.reader.mapping(item, f"parts[{number + 1}]", PART, what="ask: …")
        name = self._identifier(entries, number)
        draft = Draft(name, item, entries, f"parts.{name}")
        if "like" in entries:
            draft.entries = self._merged(draft)
        draft.sound = len(self.reader.faults) == before
        self._read_plan(draft)
        for key in TEXTS:
            if key in draft.entries:
                reads = self.reader.text if key == "title" else self.reader.prose
                draft.texts[key] = reads(draft.entries[key], f"{draft.path}.{key}")
        if "costs" in draft.entries:
            from attnsolve.loader.costs import read_costs  # few files count anything

            earlier = {other.id: any(way in other.entries for way in PLANS) for other in self.drafts}
            draft.costs = read_costs(self.reader, draft.entries["costs"], f"{draft.path}.costs", earlier)
            draft.sound &= draft.costs is not None
        # Added last: a part is none of the earlier parts that it may name.
        self.drafts.append(draft)
        self.givens.made |= {call.letter: draft.id for call in draft.written.calls}

    def _read_plan(self, draft: Draft) -> None:
        """How the question is answered; nothing is missed in a part that has misspelt keys."""
        entries, before = draft.entries, len(self.reader.faults)
        ways = [key for key in PLANS if key in entries]
        if draft.sound and "ask" not in entries:
            self.reader.fault(draft.node, draft.path, "the key 'ask' is missing: what is the question?")
        asked = () if self.reader.letters is None else ABSTRACT_KEYS
        if draft.sound and not ways and not any(key in entries for key in (*WITHOUT_PLAN, *asked)):
            said = f"nothing says how to answer this; add one of {', '.join((*PLANS, *WITHOUT_PLAN))}"
            self.reader.fault(draft.node, draft.path, said)
        for key in ABSTRACT_KEYS:
            if key in entries and key not in asked:
                said = f"'{key}' asks about symbols; say what they are under assume:"
                self.reader.fault(entries[key], f"{draft.path}.{key}", said)
        if len(ways) > 1:
            second = entries[ways[1]]
            self.reader.fault(second, draft.path, f"{' and '.join(ways)} stand together; a part has one plan")
        elif ways:
            way = ways[0]
            draft.recipe = RECIPES_BY_NAME.get(way)
            if way == "plan":
                draft.written = read_plan(self.reader, self.givens, entries[way], f"{draft.path}.plan")
                draft.sound &= draft.written.unknown == set()
            self._read_runs(draft, entries[way], f"{draft.path}.{way}")
        elif "cases" in entries and draft.sound:
            self.reader.fault(
                entries["cases"], f"{draft.path}.cases", "cases repeat a plan, and this part has none"
            )
        draft.sound &= len(self.reader.faults) == before

    def _identifier(self, entries: dict[str, Node], number: int) -> str:
        default = chr(ord("a") + number % 26) + (str(number // 26) if number > 25 else "")
        taken = {draft.id for draft in self.drafts}
        path = f"parts[{number + 1}].id"
        if "id" not in entries:
            return default if default not in taken else f"part-{number + 1}"
        node = entries["id"]
        text = self.reader.word(node, path, "a short name such as a")
        if text is None:
            return default
        if not IDENTIFIER.fullmatch(text):
            self.reader.fault(
                node, path, f"id '{shortened(text)}' may have only a-z, 0-9 and -, at most 20 of them"
            )
        elif text in WINDOWS_DEVICES:
            self.reader.fault(node, path, f"id '{text}' is the name of a device on Windows; choose another")
        elif text in taken:
            self.reader.fault(node, path, f"a part '{text}' is there already; choose another id")
        return text

    def _merged(self, draft: Draft) -> dict[str, Node]:
        """The keys of an earlier part with this part's own on top, those of a recipe one by one."""
        entries = draft.entries
        name = self.reader.word(entries["like"], f"{draft.path}.like", "the id of an earlier part")
        earlier = next((other for other in self.drafts if other.id == name), None)
        if name is None or earlier is None:
            known = [other.id for other in self.drafts]
            if name is not None:
                parts = listing("the parts before this one are", known, "no part comes before this one")
                hint = did_you_mean(name, known) or parts
                said = f"there is no earlier part '{shortened(name)}'{hint}"
                self.reader.fault(entries["like"], f"{draft.path}.like", said)
            return entries
        other_way = {key for key in PLANS if any(way in entries for way in PLANS) and key not in entries}
        merged = {
            key: node for key, node in earlier.entries.items() if key not in UNLIKE and key not in other_way
        }
        for key, node in entries.items():
            base, recipe = merged.get(key), RECIPES_BY_NAME.get(key)
            if key in UNSET and is_none(node):
                merged.pop(key, None)
            elif base is not None and recipe is not None and base.is_map and node.is_map:
                merged[key] = overlaid(base, node, recipe)
            else:
                merged[key] = node
        return merged

    def _read_runs(self, draft: Draft, node: Node, path: str) -> None:
        """The keys of a recipe, once, or once for each of its cases."""
        settings = SettingsReader(
            self.reader, self.givens, [earlier.id for earlier in self.drafts], SETTING_KINDS
        )
        cases = draft.entries.get("cases")
        swapped = self._swapped(draft, settings)
        if cases is None:
            read = settings.read(node, path, draft.recipe.fields, draft.id) if draft.recipe else swapped
            draft.runs.append(Run("", node, {}, read))
        elif not cases.is_list or not cases.items or len(cases.items) > self.reader.limits.parts:
            most = self.reader.limits.parts
            said = (
                f"a list of 1 to {most} changes is expected here, such as [{{queries: q1}}, {{queries: q2}}]"
            )
            self.reader.fault(cases, f"{draft.path}.cases", said)
        else:
            for number, case in enumerate(cases.items, start=1):
                self._read_case(draft, settings, node, path, case, number)
        draft.sound &= settings.sound

    def _read_case(
        self, draft: Draft, settings: SettingsReader, node: Node, path: str, case: Node, number: int
    ) -> None:
        group, where = f"case{number}", f"{draft.path}.cases[{number}]"
        if not case.is_map or not case.entries:
            self.reader.fault(case, where, "a map of what changes is expected here, such as {queries: q2}")
            return
        changed = {key.text: f"{where}.{key.text}" for key, _ in case.entries}
        if draft.recipe is not None:
            merged = overlaid(node, case, draft.recipe) if node.is_map else node
            read = settings.read(merged, path, draft.recipe.fields, draft.id, case=group, changed=changed)
            draft.runs.append(Run(group, merged, changed, read))
            return
        swapped = self._swapped(draft, settings) | self._swaps(
            draft, settings, case, where, f"{draft.id}.{group}"
        )
        draft.runs.append(Run(group, case, changed, swapped))

    def _swapped(self, draft: Draft, settings: SettingsReader) -> dict[str, str]:
        """What `with` puts in the place of a plan's own matrices."""
        node, path = draft.entries.get("with"), f"{draft.path}.with"
        if node is None:
            return {}
        if draft.recipe is not None or not node.is_map or not node.entries:
            said = "'with' gives a plan other matrices, such as {q: p}"
            more = "; the keys of a recipe are changed under its own name" if draft.recipe is not None else ""
            self.reader.fault(node, path, f"{said}{more}")
            return {}
        return self._swaps(draft, settings, node, path, draft.id)

    def _swaps(
        self, draft: Draft, settings: SettingsReader, node: Node, path: str, prefix: str
    ) -> dict[str, str]:
        """The matrices that take the place of names in a written plan."""
        swapped = {}
        for key, value in node.entries:
            role = next((role for call in draft.written.calls if (role := call.role(key.text))), None)
            if role is None:
                used = sorted({argument for call in draft.written.calls for argument in call.arguments})
                hint = did_you_mean(key.text, used) or f"; it uses {', '.join(used)}"
                self.reader.fault(key, path, f"the plan does not use '{shortened(key.text)}'{hint}")
                continue
            name = self.givens.use(value, f"{path}.{key.text}", role, f"{prefix}.{key.text}")
            settings.sound &= name is not None
            swapped[key.text] = name or ""
        return swapped
