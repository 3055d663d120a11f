"""A problem as pure data: what is given, what is asked, and the plan that answers it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attnsolve.exact import Matrix
from attnsolve.languages import ENGLISH
from attnsolve.ops import Family, Frame, Op, PlanMistake, Role
from attnsolve.records import NamedTuple

if TYPE_CHECKING:  # only some problems need them
    from attnsolve.assumptions import AbstractPart, Assumptions, EntryPart
    from attnsolve.choice import ChoiceQuestion
    from attnsolve.prose.pictures import Versions
    from attnsolve.variation import Vary

# What the answer in words is called, beside the steps of its part, and what is ticked.
WORDS, CHOICE = "words", "choice"
# Whole in a problem file; a problem set may scale them.
Marks = int | Fraction


class Derivative(NamedTuple):
    """What a gradient is the gradient of: a value, in something, from a first gradient on."""

    value: str
    of: str  # what is differentiated
    start: str  # the gradient of that, from which all others are made
    through: str = ""  # the result whose share in it this is, where it is not the whole


class Call(NamedTuple):
    """One line of a plan: `out = op(args)`, by name. Knows no numbers."""

    out: str
    op: Op
    args: tuple[str, ...]
    options: Mapping[str, Any] = {}
    title: str = ""
    named: bool = False  # whether the file itself gave the result its name
    inside: str = ""  # the step that it makes a value inside of, where its name says so: N1 of a.N1.mean
    derivative: Derivative | None = None  # where it makes a gradient

    @property
    def part(self) -> str:
        """The part this call belongs to: `c` of `c.head2.A`."""
        return self.out.partition(".")[0]

    @property
    def group(self) -> str:
        """The head or case this call belongs to: `head2` of `c.head2.A`, or nothing."""
        return ".".join(self.out.split(".")[1:-1]).removesuffix(self.inside).removesuffix(".")

    @property
    def letter(self) -> str:
        """The last piece of the name: `A` of `c.head2.A`."""
        return self.out.rpartition(".")[2]


class Given(NamedTuple):
    """A matrix of the problem file, tokens as rows; `typed` keeps how each number was spelled."""

    name: str
    value: Matrix
    frame: Frame
    role: Role
    typed: tuple[tuple[str, ...], ...] = ()
    vector: bool = False
    shown: bool = True  # inline matrices of a part are shown with that part
    made_from: str = ""  # the expression of a given that is made from other givens


class Target(NamedTuple):
    """What a part asks for: a whole value, one of its rows, or one cell (counted from 0)."""

    name: str
    row: int | None = None
    column: int | None = None

    def of(self, value: Matrix) -> Matrix:
        """All of a value, a row, or a cell, as it is asked for."""
        if self.row is None:
            return value
        row = value.take([self.row])
        return row if self.column is None else row.columns(self.column, self.column + 1)


class Published(NamedTuple):
    """An answer printed on the sheet itself, as text, with the place it belongs to."""

    target: Target
    rows: tuple[tuple[str, ...], ...]
    line: int = 1
    column: int = 1


class Convention(NamedTuple):
    """Three choices of a course: how tokens lie, how a projection and how scores are written."""

    tokens: str = "rows"  # rows | columns
    project: str = "X W"  # X W | W X | X W'
    scores: str = "Q K'"  # Q K' (queries as rows) | K' Q (queries as columns)

    @property
    def weights_transposed(self) -> bool:
        """Whether a weight matrix is written out × in."""
        return self.project != "X W"

    def types_transposed(self, role: Role) -> bool:
        """Whether a file has a given of this role the other way round than the engine keeps it."""
        return (role is Role.WEIGHTS and self.weights_transposed) or (
            role is Role.SCORES and self.queries_as_columns
        )

    def turns(self, role: Role | None, frame: Frame) -> bool:
        """Whether the course prints a value the other way round than the engine keeps it."""
        role = role or frame.role
        if role is Role.WEIGHTS:
            return self.weights_transposed
        if role is Role.BETWEEN:  # it stands between a query and a key in every convention
            return False
        return self.queries_as_columns if frame.columns.tokens is not None else self.tokens == "columns"

    @property
    def queries_as_columns(self) -> bool:
        """Whether a column of the scores, not a row, belongs to a query."""
        return self.scores == "K' Q"


CONVENTIONS = {
    "rows": Convention(),
    "columns": Convention("columns", "W X", "K' Q"),
    "torch": Convention("rows", "X W'", "Q K'"),
}


class Rounding(NamedTuple):
    """Go on from values rounded to `carry` places, as a student with a pencil must."""

    carry: int
    mode: str = "half_up"

    def carried(self, call: Call, value: Matrix) -> Matrix:
        """What the next step receives: nobody rounds numbers that were only moved, such as a given's row."""
        return value if call.op.moves else value.rounded(self.carry, mode=self.mode)


class CostRequest(NamedTuple):
    """Whose costs a part asks for, what stands beside them, and for which sizes numbers are wanted."""

    of: tuple[str, ...]
    beside: str = ""  # gru
    sizes: tuple[Mapping[str, int], ...] = ()


class Worksheet(NamedTuple):
    """Blanks to fill in, one for each step of a part, and what of them is given."""

    steps: tuple[str, ...] = ()  # which ones, where not all
    filled: tuple[Target, ...] = ()  # values, rows or cells that are given
    rows: int = 0  # so many rows of every matrix are given


class Space(NamedTuple):
    """The room that an exam paper leaves for the working of a part, or for an answer in words."""

    millimetres: int = 0
    lines: int = 0  # ruled ones; where there are some and none are counted, as many as the marks ask for
    is_ruled: bool = False
    pages: int = 0
    worksheet: Worksheet | None = None


class Scheme(NamedTuple):
    """What the mark scheme allows, and what an answer that only follows from an earlier slip earns."""

    truncation: bool = True  # cut-off decimals count as rounded ones
    # √3 may be taken as 1.73 (2), and e^x rounded likewise; None: as many places as somebody works with.
    inner_places: int | None = None
    follow_through: bool = True  # accuracy marks for numbers that are right for one's own earlier ones
    all_digits: bool = False  # fewer digits than were asked for cost the accuracy mark


class Part(NamedTuple):
    """One question: what it asks, the calls that answer it, or an answer in words."""

    id: str
    ask: str
    title: str = ""
    calls: tuple[Call, ...] = ()
    find: tuple[Target, ...] = ()
    explain: str = ""  # what is asked in words besides
    discuss: str = ""
    lines: int | None = None  # to answer in words on; None: as many as its marks ask for
    marks: Mapping[str, Marks] = {}
    # How many of a step's marks are for its method, where the file says so.
    methods: Mapping[str, Marks] = {}
    plots: tuple[str, ...] = ()
    published: tuple[Published, ...] = ()
    mistakes: tuple[PlanMistake, ...] = ()
    givens: tuple[str, ...] = ()
    # `c.head1` is `b` when part c takes part b as its first head.
    aliases: Mapping[str, str] = {}
    cases: tuple[str, ...] = ()
    note: str = ""
    costs: CostRequest | None = None
    choice: ChoiceQuestion | None = None  # options to tick, instead of numbers or words to write
    allow: tuple[str, ...] = ()  # the judges of variants that this part silences
    space: Space | None = None  # on a paper; None: as its marks ask for
    abstract: AbstractPart | None = None  # what it asks about an attention with symbols
    entries: EntryPart | None = None  # what it asks about results with letters in them

    @property
    def total(self) -> Marks:
        """The marks of this part."""
        return sum(self.marks.values())

    @property
    def written(self) -> tuple[Call, ...]:
        """The calls whose results somebody writes down: all but those that only move numbers elsewhere."""
        asked = {target.name for target in self.find}
        return tuple(
            call
            for call in self.calls
            if not call.op.moves or call.op.family is Family.MASK or call.out in asked
        )

    @property
    def is_judged(self) -> bool:
        """Whether there is something in it that need not be looked at by a person."""
        return bool(self.calls or self.choice or self.stated)

    @property
    def stated(self) -> tuple[str, ...]:
        """What is stated or judged about symbols and may have marks: `a.weights`, `c.claim2`."""
        asked = self.abstract or self.entries
        return tuple(f"{self.id}.{name}" for name in asked.marked) if asked else ()

    @property
    def is_for_a_person(self) -> bool:
        """Whether only a person can mark it: it has marks, and nothing that could be judged."""
        return bool(self.total) and not self.is_judged

    @property
    def in_words(self) -> Marks:
        """The marks that only a person can give."""
        return self.marks.get(WORDS, 0) if self.is_judged else self.total

    @property
    def question(self) -> str:
        """What a person marks in it: the part itself, `a.words` beside its steps, or nothing."""
        beside = f"{self.id}.{WORDS}" if self.is_judged else self.id
        return beside if self.in_words else ""

    @property
    def ticked(self) -> str:
        """What is ticked in it, by its name: `b.choice`; nothing where there is nothing to tick."""
        return f"{self.id}.{CHOICE}" if self.choice else ""


class Written(NamedTuple):
    """A problem file as it was read: its text, and the data beside it by the names of their files."""

    text: str = ""
    data: Mapping[str, str] = {}


class Problem(NamedTuple):
    """Everything a problem file says, ready to be carried out."""

    name: str
    title: str
    parts: tuple[Part, ...]
    givens: Mapping[str, Given]
    frames: Mapping[str, Frame]
    source: str = ""
    intro: str = ""
    convention: Convention = CONVENTIONS["rows"]
    places: int = 4
    index_from: int = 1
    symbols: Mapping[str, str] = {}
    # The tokens' names by the given whose tokens they are; under "" those of every matrix with so many.
    labels: Mapping[str, tuple[str, ...]] = {}
    numbers: str = "fractions"
    lang: str = ENGLISH.code
    rounding: Rounding | None = None
    scheme: Scheme = Scheme()
    file: str = ""
    vary: Vary | None = None
    pictures: Mapping[str, Versions] = {}  # the figures of its texts, by their files
    written: Written = Written()  # from which it can be read again
    assumptions: Assumptions | None = None  # of a problem with symbols instead of numbers

    def calls(self) -> Iterator[Call]:
        """Every call, in reading order."""
        for part in self.parts:
            yield from part.calls

    def resolve(self, name: str) -> str:
        """The name under which a value is kept: `c.head1.A` may be `b.A`."""
        for part in self.parts:
            for alias, target in part.aliases.items():
                if name.startswith(f"{alias}."):
                    return self.resolve(target + name[len(alias) :])
        return name
