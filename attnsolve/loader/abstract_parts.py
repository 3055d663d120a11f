"""Questions about attention with symbols: `attend`, `limit`, `solve`, `monotony`, `table`, `claims`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from attnsolve.assumptions import AbstractPart, Approach, Assumptions, Attention, ClaimText, Inequality
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.tables import table
from attnsolve.documents import Node
from attnsolve.errors import AttnsolveError, ExpressionError
from attnsolve.loader.abstract_heads import HeadReader
from attnsolve.loader.answers import AnswerReader
from attnsolve.loader.assumptions import AssumptionReader
from attnsolve.loader.format import ABSTRACT_KEYS
from attnsolve.loader.frontmatter import FrontMatter
from attnsolve.loader.givens import Givens
from attnsolve.loader.parts import PLANS, Draft, PartReader
from attnsolve.loader.reader import Reader, shortened
from attnsolve.loader.space import read_space
from attnsolve.loader.targets import Scope
from attnsolve.problem import Part, Problem, Written
from attnsolve.recipes.shapes import Layout
from attnsolve.statements.claim import Statement
from attnsolve.statements.claims import statements
from attnsolve.statements.tree import Name, Tree

# What an attention can be written as.
WAYS = ("attend", "multi_head", "plan")
# What has no meaning where there are no numbers.
NUMERICAL = ("convention", "labels", "round", "scheme", "index_from", "numbers", "symbols")
ELSEWHERE = (
    "find", "plot", "published", "cases", "with", "costs", "choice", "allow", "dot_product", "reorder",
)  # fmt: skip
MOST_NUMBERS = 20
Read = TypeVar("Read")


def build_abstract(
    reader: Reader, entries: dict[str, Node], front: FrontMatter, name: str, written: Written
) -> Problem:
    """A file with `assume:` as a problem."""
    for key in NUMERICAL:
        if key in entries:
            reader.fault(entries[key], key, f"'{key}' is for problems with numbers, and this one has symbols")
    assumptions = AssumptionReader(reader).read(entries["assume"], entries.get("given"))
    parts = AbstractPartReader(reader, assumptions)
    if "parts" in entries:
        parts.read(entries["parts"])
    built = tuple(parts.built(draft) for draft in parts.drafts)
    reader.finish()
    vary = None
    if "vary" in entries:
        from attnsolve.loader.symbolic_variation import SymbolicVaryReader  # only exams need it

        vary = SymbolicVaryReader(reader, entries, {}, parts.drafts, built).read(entries["vary"])
        reader.finish()
    return Problem(
        name=name,
        title=front.texts.get("title", ""),
        source=front.texts.get("source", ""),
        intro=front.texts.get("intro", ""),
        places=front.places,
        lang=front.lang,
        givens={},
        parts=built,
        frames={},
        file=reader.file,
        vary=vary,
        pictures=reader.pictures,
        assumptions=assumptions,
        written=written,
    )


class AbstractPartReader(PartReader):
    """Reads the parts of a problem with symbols."""

    def __init__(self, reader: Reader, assumptions: Assumptions) -> None:
        super().__init__(reader, Givens(reader))
        self.assumptions = assumptions
        self.known = assumptions.names | {"alpha", "a"}
        self.latest: Attention | None = None
        self.earlier: dict[str, Attention] = {}  # by the part that has it
        self.derived: set[Attention] = set()  # what earlier parts have worked out

    def _read_plan(self, draft: Draft) -> None:
        """Plans with numbers are read elsewhere; here each part asks about one attention."""
        for key in ELSEWHERE:
            if key in draft.entries:
                said = f"'{key}' is for problems with numbers, and this one has symbols"
                self.reader.fault(draft.entries[key], f"{draft.path}.{key}", said)
        if draft.sound and "ask" not in draft.entries:
            self.reader.fault(draft.node, draft.path, "the key 'ask' is missing: what is the question?")
        self._refuse_other_recipes(draft)
        answered = any(key in draft.entries for key in (*PLANS, "discuss", *ABSTRACT_KEYS))
        if draft.sound and not answered:
            keys = ", ".join((*WAYS, *ABSTRACT_KEYS, "discuss"))
            self.reader.fault(draft.node, draft.path, f"nothing says how to answer this; add one of {keys}")

    def _refuse_other_recipes(self, draft: Draft) -> None:
        """Recipes that work on matrices of numbers, and two plans in one part."""
        ways = [key for key in PLANS if key in draft.entries]
        for key in ways:
            if key not in WAYS:
                said = f"'{key}' works on matrices of numbers; with abstract vectors a part has one of "
                self.reader.fault(draft.entries[key], f"{draft.path}.{key}", f"{said}{', '.join(WAYS)}")
        if len(ways) > 1:
            said = f"{' and '.join(ways)} stand together; a part has one plan"
            self.reader.fault(draft.entries[ways[1]], draft.path, said)

    def built(self, draft: Draft) -> Part:
        """A part with what it asks about symbols."""
        scope = Scope({}, Layout())
        answers = AnswerReader(self.reader, scope, draft.id, draft.path, ())
        entries = draft.entries
        asked = self._asked(draft)
        marks, methods = answers.marks(
            entries.get("marks"), (), in_words="discuss" in entries, stated=asked.marked if asked else ()
        )
        return Part(
            id=draft.id,
            ask=draft.texts.get("ask", ""),
            title=draft.texts.get("title", ""),
            note=draft.texts.get("note", ""),
            explain=draft.texts.get("explain", ""),
            discuss=draft.texts.get("discuss", ""),
            lines=answers.lines(entries.get("lines")),
            marks=marks,
            methods=methods,
            space=read_space(answers, entries["space"], ()) if "space" in entries else None,
            abstract=asked,
        )

    def _asked(self, draft: Draft) -> AbstractPart | None:
        entries, path = draft.entries, draft.path
        way = next((key for key in WAYS if key in entries), "")
        attention = self._attention(draft, way) if way else self.latest
        if attention is None:
            first = next((key for key in ABSTRACT_KEYS if key in entries), None)
            if first is not None and not way:
                said = "say attend, multi_head or plan here or in an earlier part"
                self.reader.fault(entries[first], f"{path}.{first}", said)
            return None
        self.latest = attention
        self.earlier[draft.id] = attention
        is_new = bool(way) and attention not in self.derived
        self.derived.add(attention)
        asked = AbstractPart(
            attention,
            is_derived=is_new,
            limits=tuple(self._each(draft, "limit", self._approach)),
            solve=tuple(self._each(draft, "solve", self._inequality)),
            monotony=tuple(self._each(draft, "monotony", self._symbol)),
            table=self._table(entries.get("table"), f"{path}.table"),
            expect=self._table(entries.get("expect"), f"{path}.expect"),
            claims=tuple(self._each(draft, "claims", self._claim)),
        )
        return asked if self._is_solvable(draft, asked) else None

    def _is_solvable(self, draft: Draft, asked: AbstractPart) -> bool:
        """Carry it out once while the file is read, so that what cannot be done is told with its place."""
        if self.reader.faults:
            return False
        try:
            solved = Solved(self.assumptions, asked.attention)
            solved.check_counts()
        except AttnsolveError as error:
            way = next((key for key in WAYS if key in draft.entries), "")
            self.reader.fault(draft.entries.get(way, draft.node), f"{draft.path}.{way}", str(error))
            return False
        try:
            if asked.attention.combined is not None:
                solved.expansion.vector(asked.attention.combined)
        except AttnsolveError as error:
            way = (
                "combine" if "combine" in draft.entries else next(key for key in WAYS if key in draft.entries)
            )
            self.reader.fault(draft.entries[way], f"{draft.path}.{way}", f"combine: {error}")
            return False
        for wanted in asked.solve:
            try:
                solved.expansion.scalar(wanted.wanted.left), solved.expansion.scalar(wanted.wanted.right)
            except AttnsolveError as error:
                self.reader.fault(draft.entries["solve"], f"{draft.path}.solve", str(error))
        if asked.table:
            try:
                table(solved, asked.table)
            except AttnsolveError as error:
                self.reader.fault(draft.entries["table"], f"{draft.path}.table", str(error))
        if asked.expect:
            from attnsolve.derivations.noise_tables import check

            try:
                check(solved, asked)
            except AttnsolveError as error:
                self.reader.fault(draft.entries["expect"], f"{draft.path}.expect", str(error))
        return True

    def _attention(self, draft: Draft, way: str) -> Attention | None:
        """The heads of a part, and how their outputs are joined, which `combine` says in any of them."""
        node, path = draft.entries[way], f"{draft.path}.{way}"
        heads = HeadReader(self.reader, self.assumptions, self.known)
        if way == "attend":
            made = heads.attend(node, path)
        elif way == "multi_head":
            made = heads.multi_head(node, path, self.earlier)
        else:
            from attnsolve.loader.abstract_plans import PlanReader

            made = PlanReader(heads).read(node, path)
        if made is None or "combine" not in draft.entries:
            return made
        if made.combined is not None:
            said = f"{way} says already how the outputs are joined"
            self.reader.fault(draft.entries["combine"], f"{draft.path}.combine", said)
        combined = self._formula(draft.entries["combine"], f"{draft.path}.combine")
        return replace(made, combined=combined)

    def _each(self, draft: Draft, key: str, read: Callable[[Node, str], Read | None]) -> list[Read]:
        """One value, or each of a list."""
        node = draft.entries.get(key)
        if node is None:
            return []
        items = node.items if node.is_list else (node,)
        if not 0 < len(items) <= self.reader.limits.parts:
            self.reader.fault(node, f"{draft.path}.{key}", "a value, or a list of a few, is expected here")
            return []
        found = [read(item, f"{draft.path}.{key}") for item in items]
        return [one for one in found if one is not None]

    def _approach(self, node: Node, path: str) -> Approach | None:
        """`c -> oo`, `tau -> 0`."""
        text = self.reader.word(node, path, "a limit such as c -> oo") or ""
        left, arrow, right = text.replace("→", "->").partition("->")
        goal = {"oo": True, "∞": True, "infinity": True, "0": False}.get(right.strip())
        if not arrow or goal is None or left.strip() not in self.assumptions.symbols:
            self.reader.fault(node, path, f"'{shortened(text)}' is no limit; write c -> oo or c -> 0")
            return None
        return Approach(Name(left.strip()), goal)

    def _symbol(self, node: Node, path: str) -> Name | None:
        text = self.reader.word(node, path, "a symbol such as c")
        if text is not None and text not in self.assumptions.symbols:
            self.reader.fault(node, path, f"nothing is assumed of a symbol '{shortened(text)}'")
            return None
        return None if text is None else Name(text)

    def _inequality(self, node: Node, path: str) -> Inequality | None:
        """`{for: c, so that: alpha_a >= 1/2 - eps}`."""
        variable, wanted = node.get("for"), node.get("so that")
        if not node.is_map or variable is None or wanted is None or len(node.entries) != 2:
            self.reader.fault(node, path, "write {for: c, so that: alpha_a >= 1/2 - eps}")
            return None
        symbol, claims = self._symbol(variable, path), self._statements(wanted, path)
        if symbol is None or claims is None:
            return None
        if len(claims) != 1 or not claims[0].relation.is_order:
            self.reader.fault(wanted, path, "one inequality is solved, with <, <=, > or >=")
            return None
        return Inequality(symbol, claims[0])

    def _claim(self, node: Node, path: str) -> ClaimText | None:
        found = self._statements(node, path)
        return None if found is None else ClaimText(node.text.strip(), node.line, node.column, len(found))

    def _statements(self, node: Node, path: str) -> tuple[Statement, ...] | None:
        text = self.reader.word(node, path, "a statement such as alpha_a = 1/2")
        try:
            return None if text is None else statements(text, self.known, limits=self.reader.limits)
        except ExpressionError as error:
            self.reader.fault(node, path, str(error), at=max(0, error.column - 1))
            return None

    def _formula(self, node: Node, path: str) -> Tree | None:
        return HeadReader(self.reader, self.assumptions, self.known).formula(node, path)

    def _table(self, node: Node | None, path: str) -> Mapping[Name, tuple[Fraction, ...]]:
        """`{m: [4, 64], c: [1, 10]}`."""
        made: dict[Name, tuple[Fraction, ...]] = {}
        if node is None:
            return made
        if not node.is_map:
            self.reader.fault(
                node, path, "a map of numbers is expected here, such as {m: [4, 64], c: [1, 10]}"
            )
        for key, value in node.entries:
            items = value.items if value.is_list else (value,)
            symbol = self._formula(key, path)
            numbers = [self._number(item, f"{path}.{key.text}") for item in items[:MOST_NUMBERS]]
            if isinstance(symbol, Name):
                made[symbol] = tuple(number for number in numbers if number is not None)
        return made

    def _number(self, node: Node, path: str) -> Fraction | None:
        text = self.reader.word(node, path, "a number") or ""
        try:
            return Fraction(text) if len(text) < 40 else None
        except (ValueError, ZeroDivisionError):
            self.reader.fault(node, path, f"'{shortened(text)}' is no number")
            return None
