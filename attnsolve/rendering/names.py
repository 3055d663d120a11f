"""What values are called in print: symbols, indices, rows or columns. Decided here only."""

from __future__ import annotations

import re

from attnsolve.graph import graph_of
from attnsolve.inner_values import is_inner
from attnsolve.ops import Axis, Check, Family, Frame, Role
from attnsolve.problem import Call, Derivative, Part, Problem
from attnsolve.rendering.clashes import is_ambiguous, is_crowded, primes
from attnsolve.rendering.forms import kept, known_of
from attnsolve.rendering.letters import Symbols, of_result, of_typed_in_place, spelled
from attnsolve.rendering.markup import indexed, mark, raised

Index = int | str


class Names:
    """What the values of one part are called, and how they lie on the page."""

    def __init__(self, problem: Problem, part: Part, style: str) -> None:
        self.problem = problem
        self.part = part
        self.style = style
        self.known = known_of(problem, part, style)
        self._graph = graph_of(problem)
        self._aliases = {target: alias for alias, target in part.aliases.items()}

    # -- layout ---------------------------------------------------------------------------------

    def frame(self, name: str) -> Frame:
        """What the rows and columns of a value stand for."""
        return self.problem.frames[name]

    @kept
    def transposed(self, name: str) -> bool:
        """Whether the course writes this value the other way round than the engine keeps it."""
        given = self.problem.givens.get(name)
        return self.problem.convention.turns(given.role if given is not None else None, self.frame(name))

    @kept
    def shape(self, name: str) -> str:
        """`4 \\times 2`, as displayed."""
        rows, columns = self.frame(name).shape
        return f"{columns} \\times {rows}" if self.transposed(name) else f"{rows} \\times {columns}"

    # -- names ----------------------------------------------------------------------------------

    @kept
    def _pieces(self, name: str) -> tuple[str, str, str]:
        """(matrix symbol, vector symbol, superscript) of a name."""
        call = self._graph.maker(name)
        if call is not None and is_selection(call):
            return self._pieces(call.args[0])
        return (*self.plain(name).primed(self._primes(name)), self.superscript(name))

    @kept
    def plain(self, name: str) -> Symbols:
        """How a name is spelled before it is told apart from others."""
        letter = name.rpartition(".")[2]
        chosen = self.problem.symbols.get(name) or self.problem.symbols.get(letter)
        if chosen:
            return Symbols(chosen, chosen.lower() if len(chosen) == 1 else chosen)
        given, call = self.problem.givens.get(name), self._graph.maker(name)
        if call is not None and call.derivative is not None:
            return self._gradient(call.derivative)
        if call is not None:
            return of_result(letter, named=call.named, symbol=call.op.symbol)
        if given is not None and not given.shown:
            return of_typed_in_place(letter, vector=given.vector)
        return spelled(letter)

    def _gradient(self, derivative: Derivative) -> Symbols:
        """dS after the symbol of S; what comes through Q alone has that above it."""
        whole, vector = self._told_apart(derivative.value)
        above = f"({self._consumer(derivative.through)})" if derivative.through else ""
        return Symbols(raised(rf"\mathrm{{d}}{whole}", above), raised(rf"\mathrm{{d}}{vector}", above))

    def _consumer(self, name: str) -> str:
        """A value that uses another one, above the share that it has in a gradient."""
        symbols, axis = self._told_apart(name), self.frame(name).rows
        marks = "".join(map(mark, name.split(".")[1:-1]))
        if axis.size > 1 or axis.tokens is None:
            return raised(symbols.whole, marks)
        return indexed(symbols.vector, marks, [self._index(axis.tokens[0])])

    def _told_apart(self, name: str) -> Symbols:
        """A value as its gradient knows it: tokens picked from X are X', whose gradient is not that of X."""
        call = self._graph.maker(name)
        picked = call is not None and is_selection(call) and name.count(".") == 1  # a tile has its number
        return self.plain(name).primed("'" if picked else self._primes(name))

    def _primes(self, name: str) -> str:
        """The primes that tell a name from others of its own part, in which it is printed first."""
        part = next((part for part in self.problem.parts if part.id == name.partition(".")[0]), None)
        if part is None or "." not in name:
            return ""
        key = "primes", part.id
        if key not in self.known:
            self.known[key] = primes(self.problem, part, self)
        found: str = self.known[key].get(name, "")
        return found

    @kept
    def superscript(self, name: str) -> str:
        """`(2)` for head 2; another part's result carries that part's id."""
        part, *groups = name.split(".")[:-1] or [""]
        if not part:
            return ""
        if part != self.part.id:
            alias = next((a for t, a in self._aliases.items() if name.startswith(f"{t}.")), None)
            if alias is not None:
                groups = alias.split(".")[1:]
            elif is_ambiguous(name, self.part, self):
                groups = [f"({part})", *groups]
        return "".join(map(mark, groups))

    @kept
    def _crowded(self, name: str) -> bool:
        """Whether another value has the small letter of this one's vectors."""
        _, vector, superscript = self._pieces(name)
        return not self.single(name) and is_crowded(name, vector, superscript, self.part, self)

    @kept
    def single(self, name: str) -> bool:
        """Whether a value is one token's vector, written with a small letter."""
        given = self.problem.givens.get(name)
        if given is not None:
            return given.vector and given.role is not Role.WEIGHTS
        return self.frame(name).rows.size == 1

    @kept
    def symbol(self, name: str) -> str:
        """The symbol of a whole value: `A`, `\\tilde{S}^{(2)}`, `q`, `q_{2}`."""
        upper, lower, superscript = self._pieces(name)
        tokens = self.frame(name).rows.tokens
        if not self.single(name):
            chosen = self._chosen_rows(name)
            return (
                indexed(upper, superscript, self._lines(name, chosen))
                if chosen
                else raised(upper, superscript)
            )
        given = self.problem.givens.get(name)
        if given is not None:
            return raised(upper, superscript)
        return indexed(lower, superscript, [self._index(tokens[0])] if tokens else [])

    @kept
    def transpose(self, name: str) -> str:
        """The symbol of the transpose; a superscript that is there already is shared."""
        return raised(self.symbol(name), r"\top")

    @kept
    def local(self, name: str) -> str:
        """A letter that an op needs for itself, primed where the exercise has it: `M`, `u'_j`, `u_{j1}`."""
        letter, _, below = name.partition("_")
        while letter in self._letters(indexed=bool(below)):
            letter += "'"
        place = re.sub(r"\d+", lambda found: self._index(int(found[0])), below)
        return letter if not below else f"{letter}_{{{place}}}" if len(place) > 1 else f"{letter}_{place}"

    @kept
    def is_taken(self, symbol: str) -> bool:
        """Whether a value of this part is called so."""
        return symbol in self._letters(indexed=False)

    def _letters(self, *, indexed: bool) -> set[str]:
        """What stands for a given or a result of this part; with an index, their tokens' vectors too."""
        names = [*self.part.givens, *(call.out for call in self.part.calls)]
        vectors = [name for name in names if self.frame(name).rows.tokens is not None]
        return {*map(self.symbol, names), *(self._pieces(name)[1] for name in vectors if indexed)}

    def line(self, name: str, i: Index) -> str:
        """One query's row of a matrix of weights: `A_{1,:}`, or the vector's own symbol."""
        if self.single(name):
            return self.symbol(name)
        upper, _, superscript = self._pieces(name)
        return indexed(upper, superscript, self._lines(name, self._along(self.frame(name).rows, i)))

    def _lines(self, name: str, places: str) -> list[str]:
        """The index of some of a value's rows, which may be printed as columns."""
        return [f":,{places}" if self.transposed(name) else f"{places},:"]

    def _chosen_rows(self, name: str) -> str:
        """`\\{1,3\\}` for a value that is only some tokens of another, else nothing."""
        call, axis = self._graph.maker(name), self.frame(name).rows
        if call is None or not is_selection(call) or axis.size == self.frame(call.args[0]).rows.size:
            return ""
        return rf"\{{{','.join(self._along(axis, i) for i in range(axis.size))}\}}"

    def vector(self, name: str, i: Index) -> str:
        """The symbol of one token's vector: `q_{i}`, or `Q_{i,:}` where another value is called q."""
        if self._crowded(name):
            return self.line(name, i)
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
            lower = upper if name in self.problem.givens else lower  # a given prints as it is called
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
        if self._is_of_rows(name):
            return indexed(lower, superscript, [first])
        order = [second, first] if self.transposed(name) else [first, second]
        return indexed(upper, superscript, order)

    def _is_of_rows(self, name: str) -> bool:
        """Whether a value is one number for each row of another, such as a mean: μ_2, not μ_{2,1}."""
        call, columns = self._graph.maker(name), self.frame(name).columns
        return call is not None and is_inner(call) and columns.size == 1 and columns.tokens is None

    def _along(self, axis: Axis, index: Index) -> str:
        if isinstance(index, str):
            return index
        return self._index(axis.tokens[index] if axis.tokens is not None else index)

    def _index(self, index: Index) -> str:
        return index if isinstance(index, str) else str(index + self.problem.index_from)

    def query(self, name: str) -> str:
        """The index of the token that asks: i, or its number when only one does."""
        return self._along(self.frame(name).rows, 0) if self.single(name) else "i"

    @kept
    def is_normalised(self, name: str) -> bool:
        """Whether a value was made by an op whose rows sum to 1, so that mixing with it is averaging."""
        call = self._graph.maker(name)
        return call is not None and call.op.check is Check.ROWS_SUM_TO_1

    def tokens_behind(self, name: str, side: int) -> str | None:
        """The given tokens behind a side of a value: 0 its rows, 1 its columns."""
        origin, frame = self._graph.origin(name, side), self.frame(name)
        axis = frame.columns if side else frame.rows
        given = self.problem.givens.get(origin)
        if given is None or given.role is not Role.TOKENS:
            return None
        last = max(axis.tokens) if axis.tokens else axis.size - 1
        return origin if last < self.frame(origin).rows.size else None  # a cache has grown by a token


def is_selection(call: Call) -> bool:
    """Whether a call only picks tokens: it keeps their name, and needs no step of its own in print."""
    return call.op.family is Family.SELECTION
