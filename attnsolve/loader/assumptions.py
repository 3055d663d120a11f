"""What a file assumes: `m: integer >= 2`, `k: orthonormal, m vectors`, `k: lambda*mu`."""

from __future__ import annotations

import re
from fractions import Fraction

from attnsolve.assumptions import Assumptions, Domain, Normal, Numbers, Scaled, Vectors
from attnsolve.documents import Node
from attnsolve.errors import ExpressionError
from attnsolve.loader.reader import Reader, shortened
from attnsolve.statements.grammar import formula
from attnsolve.statements.tokens import NAMES, cleaned
from attnsolve.statements.tree import ONE, ZERO, Name, Number, Power, Tree, number

NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
TAKEN = {"e", "E", "exp", "ln", "sqrt", "oo", "alpha", "a", "T", "O", "D", "lim", "sum", "for", "as", "frac"}
NUMBER = r"(?P<{}>-?[0-9]+(?:/[0-9]+)?(?:\.[0-9]+)?)"
SCALAR = re.compile(
    r"(?P<word>positive|nonnegative|real|integer|number)?\s*"
    rf"(?:(?P<sign>>=|>|<=|<)\s*(?:{NUMBER.format('bound')}|(?P<other>[A-Za-z]\w*)))?"
)
BETWEEN = re.compile(rf"between\s+{NUMBER.format('low')}\s+and\s+{NUMBER.format('high')}")
COUNTED = re.compile(r"(?:(?P<what>.*?),\s*)?(?P<count>[A-Za-z]\w*|[0-9]{1,3})\s+(?P<noun>vectors|numbers)")
NORMAL = re.compile(r"normal with mean (?P<mean>.+?) and variance (?P<variance>.+)")
SCALED = re.compile(r"(?P<numbers>[A-Za-z]\w*)\s*\*\s*(?P<vectors>[A-Za-z]\w*)")
SINGLE = re.compile(r"(?P<unit>unit )?vector(?:,? orthogonal to (?P<to>[A-Za-z]\w*))?")
NORMS = re.compile(r"orthogonal with norm (?P<norm>.+)")
ANGLES = re.compile(r"unit with products (?P<product>.+)")
EXAMPLES = (
    "integer >= 2; positive; between 0 and 1/2; orthonormal, m vectors; m vectors; "
    "orthogonal with norm beta, m vectors; unit with products rho, m vectors; positive, m numbers; lambda*mu"
)


class AssumptionReader:
    """Reads `assume:` and the definitions under `given:`."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.symbols: dict[str, Domain] = {}
        self.numbers: dict[str, Numbers] = {}
        self.vectors: dict[str, Vectors] = {}
        self.scaled: dict[str, Scaled] = {}
        self.definitions: dict[Name, Tree] = {}

    def read(self, node: Node, given: Node | None = None) -> Assumptions:
        """Everything that is assumed and defined."""
        if not node.is_map:
            self.reader.fault(node, "assume", "a map of names is expected here, such as {m: integer >= 2}")
        for key, value in node.entries:
            path = f"assume.{key.text}"
            name = NAMES.get(cleaned(key.text).strip(), cleaned(key.text).strip())
            text = self.reader.word(value, path, f"what is assumed of {key.text}")
            if not NAME.fullmatch(name) or name in TAKEN:
                self.reader.fault(
                    key, "assume", f"'{shortened(key.text)}' cannot be the name of a symbol here"
                )
            elif text is not None and not self._assume(name, text, value, path):
                said = f"'{shortened(text)}' says nothing that I can use; it may be {EXAMPLES}"
                self.reader.fault(value, path, said)
        self.reader.finish()  # whatever comes after would be refused for names that are missing
        for key, value in given.entries if given is not None else ():
            self._define(key, value)
        self.reader.finish()
        return self._made()

    def _made(self) -> Assumptions:
        return Assumptions(self.symbols, self.numbers, self.vectors, self.scaled, self.definitions)

    def _assume(self, name: str, text: str, node: Node, path: str) -> bool:
        """Whether a text says what a name is."""
        text = " ".join(text.replace("≥", ">=").replace("≤", "<=").split())
        if found := BETWEEN.fullmatch(text):
            self.symbols[name] = Domain(Fraction(found["low"]), most=Fraction(found["high"]))
            return True
        if text and (found := SCALAR.fullmatch(text)):
            return self._symbol(name, found)
        if found := COUNTED.fullmatch(text):
            return self._family(name, found, node, path)
        if found := SCALED.fullmatch(text):
            known = found["numbers"] in self.numbers and found["vectors"] in self.vectors
            if known:
                self.scaled[name] = Scaled(found["numbers"], found["vectors"])
            return known
        if found := SINGLE.fullmatch(text):
            to = (found["to"],) if found["to"] else ()
            if to and to[0] not in self.vectors:
                return False
            self.vectors[name] = Vectors(ONE, ONE if found["unit"] else None, ZERO, {}, to, is_single=True)
            return True
        return text.startswith("gram ") and self._gram(name, text.removeprefix("gram "), node, path)

    def _symbol(self, name: str, found: re.Match[str]) -> bool:
        """`integer >= 2`, `positive`, `real`, `> 1`."""
        word, sign = found["word"], found["sign"]
        least, may = {"positive": (Fraction(0), False), "nonnegative": (Fraction(0), True)}.get(
            word or "", (None, False)
        )
        most, may_be_most, above = None, False, ""
        if found["other"]:
            other = self.symbols.get(found["other"])
            if other is None or sign != ">=":
                return False
            least, may, above = other.least, other.may_be_least, found["other"]
        elif sign in (">=", ">"):
            least, may = Fraction(found["bound"]), sign == ">="
        elif sign:
            most, may_be_most = Fraction(found["bound"]), sign == "<="
        self.symbols[name] = Domain(least, may, most, may_be_most, word == "integer", above)
        return bool(word or sign)

    def _family(self, name: str, found: re.Match[str], node: Node, path: str) -> bool:
        """`orthonormal, m vectors`, `m vectors`, `positive, m numbers`."""
        count: Tree = number(int(found["count"])) if found["count"].isdigit() else Name(found["count"])
        if isinstance(count, Name) and count.name not in self.symbols:
            self.reader.fault(node, path, f"say what {count.name} is before it counts anything")
            return True
        what = found["what"] or ""
        if found["noun"] == "numbers":
            return self._numbers(name, what, count, node, path)
        if not what:
            self.vectors[name] = Vectors(count)
        elif what == "orthonormal":
            self.vectors[name] = Vectors(count, ONE, ZERO)
        elif match := NORMS.fullmatch(what):
            norm = self._formula(match["norm"], node, path)
            self.vectors[name] = Vectors(count, Power(norm, number(2)), ZERO)
        elif match := ANGLES.fullmatch(what):
            self.vectors[name] = Vectors(count, ONE, self._formula(match["product"], node, path))
        else:
            return False
        return True

    def _numbers(self, name: str, what: str, count: Tree, node: Node, path: str) -> bool:
        if match := NORMAL.fullmatch(what):
            law = Normal(
                self._formula(match["mean"], node, path), self._formula(match["variance"], node, path)
            )
            self.numbers[name] = Numbers(count, Domain(), law)
            return True
        found = SCALAR.fullmatch(what or "real")
        if found is None or not self._symbol(name, found):
            return False
        self.numbers[name] = Numbers(count, self.symbols.pop(name))
        return True

    def _gram(self, name: str, text: str, node: Node, path: str) -> bool:
        """A given Gram matrix, row by row; its vectors are called 1, 2, …."""
        rows = [row.split() for row in text.split(";")]
        if len({len(rows), *map(len, rows)}) != 1 or len(rows) > 8:
            return False
        cells = [[self._formula(cell, node, path) for cell in row] for row in rows]
        if any(cells[i][j] != cells[j][i] for i in range(len(rows)) for j in range(i)):
            self.reader.fault(node, path, "a Gram matrix is symmetric: k_1 · k_2 is k_2 · k_1")
        table = {(str(i + 1), str(j + 1)): cell for i, row in enumerate(cells) for j, cell in enumerate(row)}
        self.vectors[name] = Vectors(number(len(rows)), None, None, table)
        return True

    def _formula(self, text: str, node: Node, path: str) -> Tree:
        try:
            return formula(text, self._made().names, limits=self.reader.limits)
        except ExpressionError as error:
            self.reader.fault(node, path, str(error))
            return Number(Fraction(1))

    def _define(self, key: Node, value: Node) -> None:
        """`q: c*(k_a + k_b)`."""
        path = f"given.{key.text}"
        text = self.reader.word(value, path, "a formula such as c*(k_a + k_b)")
        base, _, index = key.text.partition("_")
        if (
            not NAME.fullmatch(base)
            or base in TAKEN
            or base in self._made().names - {name.name for name in self.definitions}
        ):
            self.reader.fault(key, "given", f"'{shortened(key.text)}' cannot be a name here")
        elif text is not None:
            try:
                made = formula(text, self._made().names, limits=self.reader.limits)
            except ExpressionError as error:
                self.reader.fault(value, path, str(error), at=max(0, error.column - 1))
                return
            self.definitions[Name(base, (index,) if index else ())] = made
