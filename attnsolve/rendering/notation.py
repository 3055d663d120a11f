"""What values and names look like in print: symbols, indices, rows or columns. Decided here only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from attnsolve.errors import ExpressionError
from attnsolve.exact import Cell, Closed, Matrix, Rationals, Rounded
from attnsolve.exact.balls import Enclosed
from attnsolve.exact.combinations import Combination
from attnsolve.exact.decimals import decimal_text
from attnsolve.exact.infinity import HIDDEN
from attnsolve.expressions import expression
from attnsolve.limits import Limits
from attnsolve.ops import OPS_BY_NAME, Axis, Frame
from attnsolve.problem import Call, Part, Problem
from attnsolve.recipes.heads import LETTERS
from attnsolve.rendering import numerals
from attnsolve.rendering.markup import bmatrix, indexed, mark, typed_number

# Results by letter: the symbol of the matrix, and of one of its vectors.
SYMBOLS = {
    "S": ("S", "s"),
    "T": (r"\tilde{S}", r"\tilde{s}"),
    "M": (r"\bar{S}", r"\bar{s}"),
    "M1": (r"\hat{S}", r"\hat{s}"),
    "M2": (r"\check{S}", r"\check{s}"),
    "A": ("A", r"\alpha"),
    "Z": ("Z", "z"),
    "H": (r"\tilde{H}", r"\tilde{h}"),
    "Y": (r"\hat{Y}", r"\hat{y}"),
}
# Names that are letters: `gamma_1` prints as γ₁.
GREEK = ("alpha", "beta", "gamma", "delta", "epsilon", "theta", "lambda", "mu", "sigma", "phi", "omega")
# Matrices typed right into a part have no name of their own; they are called by what they are for.
TYPED_IN_PLACE = LETTERS | {
    "input": "X",
    "context": "Y",
    "state": "S",
    "states": "F",
    "keep": "M",
    "drop": "M",
    "add": "M",
}
# A SymPy expression longer than this is shown by its decimals.
LONGEST_FORM = 120
# A fraction with more bits above or below the line is shown by its decimals: nobody reads 2^1054.
LONGEST_FRACTION = 128
PRINTED = Limits(bits=1_000_000, characters=10_000)

Index = int | str


class NoForm(Exception):
    """A number has no exact form that a reader could take in: only its decimals can be shown."""


class Notation:
    """How one part of a problem is written."""

    def __init__(self, problem: Problem, part: Part, *, style: str, places: int) -> None:
        self.problem = problem
        self.part = part
        self.style = self._style(style)
        self.source_style = style == "source"
        self.places = places
        self.denominators: dict[Combination, tuple[str, Fraction]] = {}
        self._symbols: dict[str, tuple[str, str, str]] = {}
        self._rows: dict[int, tuple[Matrix, list[list[str]]]] = {}
        self._decimals: dict[int, tuple[Matrix, tuple[tuple[Rounded, ...], ...]]] = {}
        self._made = {call.out: call for call in problem.calls()}
        self._aliases = {target: alias for alias, target in part.aliases.items()}

    def _style(self, style: str) -> str:
        if self.problem.rounding is not None:
            return "decimals"  # whoever rounds as he goes writes decimals
        if style != "source":
            return style
        typed = (text for given in self.problem.givens.values() for row in given.typed for text in row)
        return "decimals" if any("." in text for text in typed) else "fractions"

    # -- layout ---------------------------------------------------------------------------------

    def frame(self, name: str) -> Frame:
        """What the rows and columns of a value stand for."""
        return self.problem.frames[name]

    def transposed(self, name: str) -> bool:
        """Whether the course writes this value the other way round than the engine keeps it."""
        given = self.problem.givens.get(name)
        return self.problem.convention.turns(given.role if given is not None else "", self.frame(name))

    def shape(self, name: str) -> str:
        """`4 \\times 2`, as displayed."""
        rows, columns = self.frame(name).shape
        return f"{columns} \\times {rows}" if self.transposed(name) else f"{rows} \\times {columns}"

    # -- names ----------------------------------------------------------------------------------

    def _pieces(self, name: str) -> tuple[str, str, str]:
        """(matrix symbol, vector symbol, superscript) of a name; put together once, asked for often."""
        known = self._symbols.get(name)
        if known is None:
            known = self._symbols[name] = self._spelled(name)
        return known

    def _spelled(self, name: str) -> tuple[str, str, str]:
        call = self._made.get(name)
        if call is not None and is_selection(call):
            return (*self._pieces(call.args[0])[:2], "")
        given = self.problem.givens.get(name)
        letter = name.rpartition(".")[2]
        chosen = self.problem.symbols.get(name) or self.problem.symbols.get(letter)
        if chosen:
            lower = chosen.lower() if len(chosen) == 1 else chosen
            return chosen, lower, self.superscript(name)
        if letter in SYMBOLS and (given is None or not given.shown):
            prime = self._prime(name)
            upper, lower = SYMBOLS[letter]
            return upper + prime, lower + prime, self.superscript(name)
        if given is not None and not given.shown and letter in TYPED_IN_PLACE:
            letter = TYPED_IN_PLACE[letter].lower() if given.vector else TYPED_IN_PLACE[letter]
        numbered = re.fullmatch(r"([A-Za-z])(\d+)", letter)
        base, _, below = f"{numbered[1]}_{numbered[2]}".partition("_") if numbered else letter.partition("_")
        subscript = f"_{{{below}}}" if below else ""
        roman = base if len(base) == 1 else f"\\{base}" if base in GREEK else f"\\mathit{{{base}}}"
        lower = base.lower() if len(base) == 1 else roman
        tail = subscript + self._prime(name)
        return roman + tail, lower + tail, self.superscript(name)

    def _prime(self, name: str) -> str:
        """A prime for a result whose letter the file has given to something else; a vector's is small."""
        if name not in self._made:
            return ""
        letter = name.rpartition(".")[2]
        upper, lower = SYMBOLS.get(letter, (letter, letter.lower()))
        letters = {upper, lower} if self.single(name) else {upper}
        taken = (given for given in self.problem.givens.values() if given.shown and given.name in letters)
        return "'" if any(given.name == upper or given.vector for given in taken) else ""

    def superscript(self, name: str) -> str:
        """`^{(2)}` for head 2; another part's result carries that part's id."""
        part, *groups = name.split(".")[:-1] or [""]
        if not part:
            return ""
        if part != self.part.id:
            alias = next((a for t, a in self._aliases.items() if name.startswith(f"{t}.")), None)
            if alias is not None:
                groups = alias.split(".")[1:]
            elif self._has_own(name.rpartition(".")[2]):
                groups = [f"({part})", *groups]
        return f"^{{{''.join(map(mark, groups))}}}" if groups else ""

    def _has_own(self, letter: str) -> bool:
        """Whether this part has a result of the same letter, from which another part's must be told apart."""
        return any(call.letter == letter for call in self.part.calls)

    def single(self, name: str) -> bool:
        """Whether a value is one token's vector, written with a small letter."""
        given = self.problem.givens.get(name)
        if given is not None:
            return given.vector and given.role != "weights"
        return self.frame(name).rows.size == 1

    def symbol(self, name: str) -> str:
        """The symbol of a whole value: `A`, `\\tilde{S}^{(2)}`, `q`, `q_{2}`."""
        upper, lower, superscript = self._pieces(name)
        if not self.single(name):
            return upper + superscript
        tokens = self.frame(name).rows.tokens
        given = self.problem.givens.get(name)
        if given is not None:
            return upper + superscript
        return indexed(lower, superscript, [self._index(tokens[0])] if tokens else [])

    def transpose(self, name: str) -> str:
        """The symbol of the transpose; a superscript that is there already is shared."""
        symbol = self.symbol(name)
        return (
            f"{symbol[:-1]} \\top}}"
            if self.superscript(name) and symbol.endswith("}")
            else f"{symbol}^{{\\top}}"
        )

    def line(self, name: str, i: int) -> str:
        """One query's row of a matrix of weights: `A_{1,:}`, or the vector's own symbol."""
        if self.single(name):
            return self.symbol(name)
        upper, _, superscript = self._pieces(name)
        place = self._along(self.frame(name).rows, i)
        return f"{upper}{superscript}_{{{':,' + place if self.transposed(name) else place + ',:'}}}"

    def vector(self, name: str, i: Index) -> str:
        """The symbol of one token's vector: `q_{i}`."""
        _, lower, superscript = self._pieces(name)
        tokens = self.frame(name).rows.tokens
        if self.single(name) and tokens is None:
            return self.symbol(name)
        if self.single(name) and isinstance(i, str) and tokens is not None:
            i = 0
        shown = self._index(tokens[i] if tokens is not None else i) if isinstance(i, int) else i
        return indexed(lower, superscript, [shown])

    def entry(self, name: str, i: Index, j: Index) -> str:
        """The symbol of one number, its indices in the order of the displayed matrix."""
        upper, lower, superscript = self._pieces(name)
        frame = self.frame(name)
        second = self._along(frame.columns, j)
        if self.single(name):
            if frame.shape == (1, 1) and frame.columns.tokens is None:
                return self.vector(name, i)
            if frame.rows.tokens is None:
                return indexed(lower, superscript, [second])
            first = self._along(frame.rows, 0)
            if frame.columns.tokens is not None:
                order = [second, first] if self.transposed(name) else [first, second]
                return indexed(lower, superscript, order)
            return f"({indexed(lower, superscript, [first])})_{{{second}}}"
        first = self._along(frame.rows, i)
        order = [second, first] if self.transposed(name) else [first, second]
        return indexed(upper, superscript, order)

    def _along(self, axis: Axis, index: Index) -> str:
        if isinstance(index, str):
            return index
        return self._index(axis.tokens[index] if axis.tokens is not None else index)

    def _index(self, index: Index) -> str:
        return index if isinstance(index, str) else str(index + self.problem.index_from)

    def query(self, name: str) -> str:
        """The index of the token that asks: i, or its number when only one does."""
        return self._along(self.frame(name).rows, 0) if self.single(name) else "i"

    def is_normalised(self, name: str) -> bool:
        """Whether a value was made by an op whose rows sum to 1, so that mixing with it is averaging."""
        return name in self._made and self._made[name].op.check == "rows-sum-to-1"

    def tokens_behind(self, name: str, side: int) -> str | None:
        """The given tokens behind a side of a value (0 rows, 1 columns): follow the plan back to the file."""
        while name in self._made:
            call = self._made[name]
            if call.op.family == "score":
                name, side = call.args[side], 0
            else:
                name = call.args[0]
        given = self.problem.givens.get(name)
        return name if given is not None and given.role == "tokens" else None

    # -- numbers --------------------------------------------------------------------------------

    def number(self, cell: Cell) -> str:
        """An exact number, denominators by name where they have one; NoForm when it cannot be written."""
        if isinstance(cell, Closed):
            return numerals.number(cell, self.style, self.denominators)
        if cell is HIDDEN:
            return r"-\infty"
        from attnsolve.rendering.printing import show

        text = cell.text()
        if isinstance(cell, Enclosed) or len(text) > LONGEST_FORM:
            raise NoForm
        try:
            return show(expression(text, limits=PRINTED), self)
        except ExpressionError:
            raise NoForm from None

    def has_form(self, value: Matrix) -> bool:
        """Whether the numbers of a matrix can be written exactly, and shortly enough to be read."""
        if isinstance(value, Rationals):
            return is_short(value)
        if value.kind not in ("symbolic", "certified"):
            return True
        try:
            self.rows(value)
        except NoForm:
            return False
        return True

    def decimal(self, cell: Cell) -> str:
        """A number rounded to the places of this sheet."""
        return numerals.rounded(cell.decimals(self.places))

    def decimals(self, value: Matrix) -> tuple[tuple[Rounded, ...], ...]:
        """Every number of a matrix rounded to the places of this sheet; found once, shown often."""
        known = self._decimals.get(id(value))
        if known is None:
            known = (value, value.decimals(self.places))
            self._decimals[id(value)] = known  # the matrix is kept too, so that its id stays its own
        return known[1]

    def rounded(self, value: Matrix) -> Rationals:
        """The matrix a person goes on with who rounds to the places of this sheet."""
        digits = [[cell.digits if cell.power is None else 0 for cell in row] for row in self.decimals(value)]
        return Rationals(digits, 10**self.places)

    def carried_rows(self, value: Matrix) -> list[list[str]]:
        """Rounded values as a student writes them on: every one with as many places as are carried."""
        assert isinstance(value, Rationals) and self.problem.rounding is not None
        places = self.problem.rounding.carry
        return [[decimal_text(x, places) for x in row] for row in value.over(10**places).rows]

    def given_rows(self, name: str) -> list[list[str]]:
        """The numbers of a given, in the style of the source when that is asked for."""
        given = self.problem.givens[name]
        if self.source_style and given.typed:
            return [[typed_number(text) for text in row] for row in given.typed]
        return self.rows(given.value)

    def rows(self, value: Matrix) -> list[list[str]]:
        """Every number of a matrix, exactly; written once, shown often."""
        known = self._rows.get(id(value))
        if known is None:
            known = (value, self._written(value))
            self._rows[id(value)] = known
        return known[1]

    def _written(self, value: Matrix) -> list[list[str]]:
        if isinstance(value, Rationals):  # most are, and their fractions need not be made one by one
            below, style = value.denominator, self.style
            return [[numerals.ratio(x, below, style) for x in row] for row in value.rows]
        rows, columns = map(range, value.shape)
        return [[self.number(value.cell(i, j)) for j in columns] for i in rows]

    def matrix(self, name: str, rows: Sequence[Sequence[str]], *, flipped: bool | None = None) -> str:
        """A matrix in brackets, laid as the course lays this value (or as `flipped` says)."""
        turned = self.transposed(name) if flipped is None else flipped
        return bmatrix(list(zip(*rows, strict=True)) if turned else rows)


def is_selection(call: Call) -> bool:
    """Whether a call only picks tokens: it keeps their name, and needs no step of its own in print."""
    return call.op is OPS_BY_NAME["select"]


def is_short(value: Rationals) -> bool:
    """Whether no fraction of a matrix is too long to be read; most are short even before they are reduced."""
    longest = max(x.bit_length() for row in (*value.rows, (value.denominator,)) for x in row)
    if longest <= LONGEST_FRACTION:
        return True
    rows, columns = map(range, value.shape)
    parts = (part for i in rows for j in columns for part in value.fraction(i, j).as_integer_ratio())
    return max(part.bit_length() for part in parts) <= LONGEST_FRACTION
