"""Letters in matrices of numbers: what they may be called, and what may be asked about results with some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attnsolve.assumptions import (
    Assumptions,
    EntryPart,
    Equations,
    Inequality,
    RandomDotProduct,
    Reordering,
)
from attnsolve.derivations.results import ResultNames
from attnsolve.documents import Node
from attnsolve.errors import AttnsolveError
from attnsolve.exact.formulas.letters import Letters
from attnsolve.exact.formulas.signs import Sign
from attnsolve.loader.abstract_parts import AbstractPartReader
from attnsolve.loader.format import ABSTRACT_KEYS
from attnsolve.loader.parts import Draft
from attnsolve.loader.reader import Reader
from attnsolve.ops import Frame
from attnsolve.problem import Part
from attnsolve.statements.claim import Relation, Statement
from attnsolve.statements.tree import ONE, ZERO, Tree

# What needs decimals, or the options that are made from them.
NUMERICAL = ("round", "scheme")
NUMERICAL_PARTS = ("plot", "published", "choice", "allow")
QUESTIONS = ("limit", "solve", "monotony", "table", "dot_product", "reorder")
ALONE = ("dot_product", "reorder")  # which are about no results
ELSEWHERE = tuple(key for key in ABSTRACT_KEYS if key not in QUESTIONS)
DOT_PRODUCT = ("length", "mean", "variance", "divide_by")


def check_letters(reader: Reader, entries: Mapping[str, Node], assumptions: Assumptions) -> Letters:
    """The letters of a file; none may be the name of a matrix."""
    for refused in NUMERICAL:
        if refused in entries:
            said = f"'{refused}' is for problems with numbers, and this one has letters"
            reader.fault(entries[refused], refused, said)
    given = entries.get("given")
    for key, _ in given.entries if given is not None else ():
        if key.text in assumptions.symbols:
            said = f"'{key.text}' is a letter that stands for a number (assume:); choose another name"
            reader.fault(key, "given", said)
    return Letters(assumptions.symbols)


def with_questions(
    reader: Reader,
    assumptions: Assumptions,
    drafts: Iterable[Draft],
    parts: tuple[Part, ...],
    frames: Mapping[str, Frame],
) -> tuple[Part, ...]:
    """The parts with what each asks about letters."""
    by_id, latest, made = {draft.id: draft for draft in drafts}, "", []
    before: list[Part] = []
    for part in parts:
        before.append(part)
        latest = part.id if part.calls else latest
        names = ResultNames.of(tuple(before), latest, frames, reader.index_from)
        questions = EntryQuestionReader(reader, assumptions, names)
        made.append(part._replace(entries=questions.asked(by_id[part.id], latest)))
    return tuple(made)


class EntryQuestionReader(AbstractPartReader):
    """Reads what a part asks about the letters in its results."""

    def __init__(self, reader: Reader, assumptions: Assumptions, names: ResultNames) -> None:
        super().__init__(reader, assumptions)
        self.names = names
        self.known = assumptions.names | names.letters

    def asked(self, draft: Draft, about: str) -> EntryPart | None:
        """The questions of a part, about its own results or those of the part before."""
        entries, path = draft.entries, draft.path
        for key in (*NUMERICAL_PARTS, *ELSEWHERE):
            if key in entries:
                said = f"'{key}' does not go with letters in matrices"
                self.reader.fault(entries[key], f"{path}.{key}", said)
        first = next((key for key in ABSTRACT_KEYS if key in entries), None)
        if first is None:
            return None
        if not about and first not in ALONE:
            self.reader.fault(entries[first], f"{path}.{first}", "nothing has been worked out before this")
            return None
        return EntryPart(
            about,
            dot_product=self._dot_product(entries.get("dot_product"), f"{path}.dot_product"),
            reordering=self._reordering(entries.get("reorder"), f"{path}.reorder"),
            limits=tuple(self._each(draft, "limit", self._approach)),
            solve=tuple(self._each(draft, "solve", self._wanted)),
            monotony=tuple(self._each(draft, "monotony", self._symbol)),
            table=self._table(entries.get("table"), f"{path}.table"),
        )

    def _wanted(self, node: Node, path: str) -> Equations | Inequality | None:
        """`{for: t, so that: alpha_2 = 1/4}`, a chain of equations, or one inequality."""
        variable, wanted = node.get("for"), node.get("so that")
        if not node.is_map or variable is None or wanted is None or len(node.entries) != 2:
            self.reader.fault(node, path, "write {for: t, so that: alpha_2 = 1/4}")
            return None
        symbol, found = self._symbol(variable, path), self._statements(wanted, path)
        if symbol is None or found is None:
            return None
        if not all(self._is_about_results(one, wanted, path) for one in found):
            return None
        if all(one.relation is Relation.EQUAL for one in found):
            return Equations(symbol, found)
        if len(found) == 1 and found[0].relation.is_order:
            return Inequality(symbol, found[0])
        self.reader.fault(wanted, path, "equations are solved, or one inequality, with =, <, <=, > or >=")
        return None

    def _dot_product(self, node: Node | None, path: str) -> RandomDotProduct | None:
        """`{length: d, mean: 0, variance: 1, divide_by: sqrt(d)}`."""
        if node is None:
            return None
        found = {key.text: self._formula(value, path) for key, value in node.entries}
        length, variance = found.get("length"), found.get("variance")
        if not node.is_map or set(found) - set(DOT_PRODUCT) or length is None or variance is None:
            said = (
                "write {length: d, mean: 0, variance: 1, divide_by: sqrt(d)}; a mean is 0 if it is left out"
            )
            self.reader.fault(node, path, said)
            return None
        asked = RandomDotProduct(length, found.get("mean") or ZERO, variance, found.get("divide_by") or ONE)
        letters = Letters(self.assumptions.symbols)
        try:
            spread = letters.sign(variance)
            sound = letters.sign(length) is Sign.POSITIVE and letters.sign(asked.divisor).is_nonzero
        except AttnsolveError as error:
            self.reader.fault(node, path, str(error))
            return None
        if not sound or spread not in (Sign.POSITIVE, Sign.ZERO, Sign.AT_LEAST_ZERO):
            said = "the length has to be above 0, the variance not below it, and what is divided by not 0"
            self.reader.fault(node, path, said)
            return None
        return asked

    def _reordering(self, node: Node | None, path: str) -> Reordering | None:
        """`{tokens: n, divide_by: sqrt(d)}` or `{keys: n}`."""
        if node is None:
            return None
        what = [key.text for key, _ in node.entries if key.text in ("tokens", "keys")]
        known = {"tokens", "keys", "divide_by"}
        if not node.is_map or len(what) != 1 or {key.text for key, _ in node.entries} - known:
            self.reader.fault(node, path, "write {tokens: n, divide_by: sqrt(d)}, or keys: n for one query")
            return None
        counted, divided = node.get(what[0]), node.get("divide_by")
        count = None if counted is None else self._symbol(counted, path)
        divisor = ONE if divided is None else self._formula(divided, path)
        if count is None or divisor is None:
            return None
        domain = self.assumptions.symbols[count.name]
        if not domain.whole or domain.least is None or domain.least < 1:
            said = f"{count.name} counts {what[0]}; assume {count.name}: integer >= 1"
            self.reader.fault(counted or node, path, said)
            return None
        if not self._is_nonzero(divisor):
            self.reader.fault(divided or node, path, "what is divided by has to be known not to be 0")
            return None
        return Reordering(count, divisor, has_queries=what[0] == "tokens")

    def _is_nonzero(self, tree: Tree) -> bool:
        try:
            return Letters(self.assumptions.symbols).sign(tree).is_nonzero
        except AttnsolveError:
            return False

    def _is_about_results(self, statement: Statement, node: Node, path: str) -> bool:
        try:
            self.names.check(statement.left)
            self.names.check(statement.right)
        except AttnsolveError as error:
            self.reader.fault(node, path, str(error))
            return False
        return True
