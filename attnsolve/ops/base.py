"""What an op is: one record with its definition, its hand working, its torch twin and its mistakes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from attnsolve.errors import UndefinedStep
from attnsolve.exact import Cell, Matrix
from attnsolve.records import NamedTuple
from attnsolve.working import Expression, Line

# What is not a matrix: a divisor, a tie rule, a temperature.
Options = Mapping[str, Any]


class Family(StrEnum):
    """What kind of work an op does, where that matters to others than itself."""

    SELECTION = "selection"  # picks tokens, which keep their name
    LOOKUP = "look-up"  # rows of a table, one for each word: they are no tokens of the table
    PROJECTION = "projection"  # tokens times a matrix of weights
    SLICE = "slice"  # some columns of what was projected for all heads
    SCORE = "score"  # compares its first two matrices, queries and keys; stands after `score:` in a file
    SCALING = "scaling"  # every score over, or times, one number
    ROTATION = "rotation"  # queries or keys turned by their places; stands after `position:` in a file
    BIAS = "bias"  # adds to each score what the places of its query and key say; after `position:` too
    MASK = "mask"  # hides keys
    NORMALISER = "normaliser"  # scores to weights; stands after `weights:` in a file
    QUERY_MASK = "query mask"  # weights with 0 for padding that asks
    MIXTURE = "mixture"  # adds up its second matrix, the values, with the weights of its first
    INNER = "inner"  # a value inside another op: a plan has it where it is asked for


class Role(StrEnum):
    """What a matrix is to an exercise, which says how a course types and prints it."""

    TOKENS = "tokens"  # a row, or a column, each
    WEIGHTS = "weights"  # what is learned: W of X W, of W h or of x Wᵀ
    BETWEEN = "between"  # W of q W k: it stands between a query and a key in every convention
    SCORES = "scores"  # a number for each query and key
    ROW = "row"  # one row of numbers, such as a bias
    ANY = "any"  # what another use makes of it, or else tokens


class Check(StrEnum):
    """What a reader can check of a result."""

    ROWS_SUM_TO_1 = "rows-sum-to-1"
    SIGNED_ROWS_SUM_TO_1 = "signed-rows-sum-to-1"  # of numbers that may be negative
    BETWEEN_VALUES = "between-values"


# The checks that add up rows.
SUMS_TO_1 = (Check.ROWS_SUM_TO_1, Check.SIGNED_ROWS_SUM_TO_1)


class Axis(NamedTuple):
    """One side of a matrix: how long it is and, if it runs over tokens, over which (counted from 0)."""

    size: int
    tokens: tuple[int, ...] | None = None
    labels: tuple[str, ...] = ()  # the tokens' names, by their numbers; none where they have none

    def label(self, token: int) -> str:
        """The name of a token, if it has one; a wrong plan may have more tokens than names."""
        return self.labels[token] if token < len(self.labels) else ""


class Frame(NamedTuple):
    """What the rows and the columns of a matrix stand for; known before anything is computed."""

    rows: Axis
    columns: Axis
    role: Role | None = None  # of a result that lies as such a given does, as the gradient of weights

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.rows.size, self.columns.size

    def __str__(self) -> str:
        return f"{self.rows.size}×{self.columns.size}"


class Formula(NamedTuple):
    """How an op is written in symbols; `${S}` is a matrix, `${S:i}` one of its vectors, `${S:ij}` a cell.

    `product` lists the factors of a matrix product in the row convention (`K'` is a transpose), so that
    it can be printed in any convention, and `added` those of a second product that is added to it; `matrix`
    is for everything else. `each` says the same for one
    vector or cell; `each_column` is its second spelling, for courses that write tokens as columns. A
    product without them is written with the token's vector in place of its first factor. `$[b: + ${b}]`
    stands only where the optional matrix b is given. `${local:M}` is a letter of the op's own, which must
    not be one of the exercise's; `${local:u_j0}` has indices, of which numbers are places counted from 0.
    `${H...}` is all that is gathered, side by side, and `${X:beneath}` beneath each other.
    `${X:laid}` is transposed where the course prints X the other way round than the result.
    `${counted:first}` is the place of token t, counted from what the option `first` says (0 without it).
    """

    product: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    plus: str | None = None
    matrix: str = ""
    each: str = ""
    each_column: str = ""
    exponent: str = ""  # what stands above the e, for ops with `powers`


class Mistake(NamedTuple):
    """A wrong rule that people use: what it is called, what to tell them, and what it gives."""

    name: str
    advice: str
    rule: Callable[..., Matrix]
    since: int = 1  # the generation of variants that has to tell it apart


class PlanMistake(NamedTuple):
    """A wrong plan: `edit` changes the calls, and the engine carries the changed plan out."""

    name: str
    advice: str
    edit: Callable[..., Any]
    since: int = 1  # the generation of variants that has to tell it apart


class Option(NamedTuple):
    """A setting of an op that is not a matrix: `kind` is number, choice, rows, integer, count or sizes."""

    name: str
    kind: str
    doc: str
    choices: tuple[str, ...] = ()
    symbol: str = ""  # what stands for it in a formula; the expression itself when there is none
    positive: bool = False
    zero: bool = False  # whether 0 is allowed
    required: bool = False
    default: Expression | None = None  # what a reader has to be told where the file says nothing


class Remark(NamedTuple):
    """A sentence about a result; `{row}` and `{columns}` are filled with the tokens' names, `{tau}` by τ."""

    sentence: str
    row: int | None = None
    columns: tuple[int, ...] = ()
    tau: Cell | None = None  # a threshold, printed as the sheet prints numbers


class Inner(NamedTuple):
    """A value inside an op that people write down: an op of its own on the same matrices and settings."""

    name: str  # what a file and an answer call it: tau
    op: Op
    replaces: tuple[str, ...] = ()  # what nobody looks at again once it is there
    spoken: tuple[str, ...] = ()  # what people call it


class Onward(NamedTuple):
    """How a result is made from inner values that are there already; the rule takes all by their names."""

    start: tuple[str, ...]  # the inner values it can start from
    rule: Callable[..., Matrix]


class Ledger(NamedTuple):
    """The small table a person keeps for one row of a result; headers are formulas, filled like an op's.

    Row k of it belongs to column `keys[k]` of the result, if it belongs to one; words may stand for numbers.
    """

    headers: tuple[str, ...]
    rows: tuple[tuple[Expression | str, ...], ...]
    keys: tuple[int, ...] = ()
    caption: str = ""  # what the table holds, when that is not the numbers of one row
    means: tuple[tuple[str, Cell] | None, ...] = ()  # a last line: of some columns the symbol and the mean


class UndefinedRow(UndefinedStep):
    """A query whose scores have no weights; like a remark, it leaves the tokens' names to who knows them."""

    def __init__(self, sentence: str, row: int, columns: Sequence[int] = ()) -> None:
        super().__init__(sentence.format(row=row + 1, columns=", ".join(str(j + 1) for j in columns)))
        self.remark = Remark(sentence, row, tuple(columns))


class Passing(NamedTuple):
    """What the settings of a gradient may depend on: those of the op, its matrices' frames, and which one."""

    options: Options
    frames: tuple[Frame, ...]
    place: int  # of the matrix whose gradient is made


def no_settings(passing: Passing) -> Options:
    """A gradient that needs none."""
    return {}


# What a gradient is made of besides the matrices of its op.
GRADIENT, RESULT, PARTIAL, SECOND = "gradient", "result", "partial", "second"


class Gradient(NamedTuple):
    """How the gradient of one matrix of an op is made from that of its result: by another op.

    `arguments` are parameters of the op itself, GRADIENT for the gradient of its result, RESULT for that
    result, PARTIAL and SECOND for what `partials` make first. Without `by` the gradient is handed on.
    """

    parameter: str
    by: Callable[[], Op] | None = None  # ops refer to each other, so each is looked up when it is needed
    arguments: tuple[str, ...] = ()
    title: str = ""
    settings: Callable[[Passing], Options] = no_settings
    partials: tuple[tuple[Callable[[], Op], tuple[str, ...]], ...] = ()


class Shortcut(NamedTuple):
    """A way back to what the first matrix was made from, past the op that made it, if it is one of these."""

    past: tuple[str, ...]  # their names
    gradient: Gradient


def no_lines(*inputs: Matrix, value: Matrix, options: Options, names: tuple[str, ...]) -> tuple[Line, ...]:
    """Nothing to work out: the result is read off."""
    return ()


def no_remarks(*inputs: Matrix, value: Matrix, options: Options) -> tuple[Remark, ...]:
    """Nothing worth saying."""
    return ()


class Op(NamedTuple):
    """One thing a person does with matrices, defined once for solving, showing, checking and going wrong."""

    name: str
    title: str
    parameters: tuple[str, ...]
    formula: Formula
    frame: Callable[..., Frame]
    rule: Callable[..., Matrix]
    twin: Callable[..., Any]
    # How large the numbers are that cancel inside the twin, where torch takes a way on which some do.
    cancelling: Callable[..., Any] | None = None
    lines: Callable[..., tuple[Line, ...]] = no_lines
    mistakes: tuple[Mistake, ...] = ()
    remarks: Callable[..., tuple[Remark, ...]] = no_remarks
    options: tuple[Option, ...] = ()
    check: Check | None = None
    optional: tuple[str, ...] = ()
    gathers: bool = False  # takes any number of matrices, as a concatenation does
    by_rows: bool = True  # makes row i of its result from row i of its first matrix
    moves: bool = False  # its numbers are those of its inputs, put elsewhere: there is nothing to round
    # The formula when an option is set, or set to a word: (("temperature", …), ("at=deviation", …)).
    variants: tuple[tuple[str, Formula], ...] = ()
    # What is exponentiated, so that a table can show the exponentials a student writes down.
    powers: Callable[..., Matrix] | None = None
    # The table of one row: `ledger(*inputs, value=, options=, row=)`, where the working needs one.
    ledger: Callable[..., Ledger] | None = None
    # The rule for matrices that only count, where `rule` looks at numbers; Uncountable if that has no answer.
    counting: Callable[..., Matrix] | None = None
    counted_as: str = ""  # what is counted, in words, where the formula does not show it
    family: Family | None = None
    scale_free: bool = False  # whether a positive factor of its first matrix makes no difference
    roles: tuple[Role, ...] = ()  # of each argument
    why: str = ""  # what it is good for, in a sentence for whoever is stuck before it
    symbol: str = ""  # of its result, where neither a recipe nor a file has a letter for it
    inner: tuple[Inner, ...] = ()  # what can be asked for inside it, in the order in which it is worked out
    # How gradients go back through it; None where nobody has said, () where none go through.
    gradients: tuple[Gradient, ...] | None = None
    no_gradient: str = ""  # why none can go through it, such as that its result jumps
    shortcut: Shortcut | None = None
    onward: Onward | None = None

    def formula_for(self, options: Options) -> Formula:
        """The formula as it reads with these options."""
        if not self.variants:
            return self.formula
        chosen = {*options, *(f"{name}={value}" for name, value in options.items() if isinstance(value, str))}
        return next((formula for name, formula in self.variants if name in chosen), self.formula)

    @property
    def signature(self) -> str:
        """How a plan calls it: `project(X, W[, b])`, `divide(S, by)`, `concatenate(H, …)`."""
        needed = [name for name in self.parameters if name not in self.optional]
        settings = [option.name for option in self.options if option.required]
        left_out = [option.name for option in self.options if not option.required]
        taken = ", ".join([*needed, *["…"] * self.gathers, *settings])
        return f"{self.name}({taken}{''.join(f'[, {name}]' for name in (*self.optional, *left_out))})"

    # An op is equal to itself only: comparing all its fields is slow.
    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"<op {self.name}>"
