"""What the steps of a part are printed from: the trace, the notation, and what was worked out before."""

from __future__ import annotations

from collections.abc import Sequence

from attnsolve.exact import Matrix, Rationals
from attnsolve.exact.exponentials import Exponentials
from attnsolve.exact.infinity import HIDDEN
from attnsolve.exact.masked import shown, visible
from attnsolve.languages import own_words, spoken
from attnsolve.ops import Family
from attnsolve.problem import Call, Part, Problem
from attnsolve.records import NamedTuple
from attnsolve.rendering.forms import MOST_AT_ONCE, kept_of_call
from attnsolve.rendering.notation import Notation
from attnsolve.rendering.settings import Settings
from attnsolve.trace import Step, Trace


class WorkedOut:
    """What has been worked out in full already, over all parts of a sheet."""

    def __init__(self) -> None:
        # Every step that was carried out, as it was found first, and the parts that have it.
        self.done: dict[tuple[object, ...], tuple[Step, dict[str, None]]] = {}
        self.same: dict[str, str] = {}  # a value that was found again -> the one found first
        self.steps: dict[str, tuple[Step, ...]] = {}  # of each part
        self.told: set[str] = set()  # the mistakes that were warned of
        # Of (part, op) of which a step was worked out, the most matrices that one of them took.
        self.shown: dict[tuple[str, str], int] = {}

    def show(self, step: Step) -> None:
        """Remember that a part has worked out a step of this op."""
        key = step.call.part, step.call.op.name
        self.shown[key] = max(self.shown.get(key, 0), len(step.call.args))

    def is_shown(self, step: Step) -> bool:
        """Whether the part has worked out a step of this op: one projection shows how all of them go.

        A running sum that goes on from an earlier one is more than the first, which had none before it.
        """
        most = self.shown.get((step.call.part, step.call.op.name))
        return most is not None and (len(step.call.args) <= most or step.call.op.gathers)

    def earlier(self, step: Step, notation: Notation) -> tuple[str, ...]:
        """The parts in which the very same step was carried out before."""
        inputs = [self.same.get(name, name) for name in step.call.args]
        key = (step.call.op, *inputs, options_text(step.call, notation))
        first, parts = self.done.setdefault(key, (step, {}))
        own = step.call.part
        parts[own] = None
        self.same[step.call.out] = first.call.out
        return () if next(iter(parts)) == own else tuple([part for part in parts if part != own])


@kept_of_call
def options_text(call: Call, notation: Notation) -> str:
    """The options of a call, to be compared."""
    return repr(sorted(call.options.items()))


class Page(NamedTuple):
    """What the views of one part are made from."""

    trace: Trace
    part: Part
    notation: Notation
    settings: Settings
    worked: WorkedOut

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of this part; looked for once."""
        known = self.worked.steps.get(self.part.id)
        if known is None:
            known = self.worked.steps[self.part.id] = self.trace.of_part(self.part.id)
        return known

    def earlier(self, step: Step) -> str | None:
        """The first part that has the very same step, where nothing is worked out twice."""
        if self.settings.working != "fade" or len(self.trace.problem.parts) == 1:
            return None
        return next(iter(self.worked.earlier(step, self.notation)), None)

    def row_of(self, step: Step) -> int:
        """The row whose working is shown: the one that is asked for, or the first that has a choice."""
        frame = self.notation.frame(step.call.out)
        for target in self.part.find:
            if target.row is not None and self.notation.frame(target.name).rows == frame.rows:
                return target.row
        if step.call.op.family is Family.NORMALISER:
            return first_choice(step)
        if step.call.op.family is Family.ROTATION:
            return first_changed(step)
        return first_full(step) if step.call.op.formula.product else first_telling(step)

    @property
    def telling(self) -> bool:
        """Whether more than matrices is wanted: checks, meanings, what is easy to get wrong."""
        return self.settings.sheet == "solution" and self.settings.detail in ("cells", "products")


def first_choice(step: Step) -> int:
    """The first query that a mask lets see more than one key; weights of a single one show nothing."""
    return next((i for i, kept in enumerate(visible(step.inputs[0]).rows) if sum(kept) > 1), 0)


def first_changed(step: Step) -> int:
    """The first row that comes out other than it went in: at place 0 nothing is turned."""
    before, rows = step.inputs[0], range(step.value.shape[0])
    return next((i for i in rows if step.value.take([i]).same(before.take([i])) is False), 0)


def first_full(step: Step) -> int:
    """The first row of a product with more than one number that is not 0: others only repeat one of them."""
    found = first_telling(step)
    rows = numerators(step.inputs[0])
    return found if found else next((i for i, row in enumerate(rows) if sum(map(bool, row)) > 1), 0)


def numerators(value: Matrix) -> Sequence[Sequence[object]]:
    """Something for every number of a matrix that is false for 0; nothing where that takes a look at each."""
    if isinstance(value, Rationals):
        return value.rows
    if isinstance(value, Exponentials):
        return [[key is not None for key in row] for row in value.keys]
    return ()


def first_telling(step: Step) -> int:
    """The first row with a number that is no fraction, where there are such: sin 0 and cos 0 show little."""
    if shown(step.value).kind not in ("surd", "symbolic"):
        return 0
    for i, _, cell in step.value.cells():
        if cell is not HIDDEN and cell.rational() is None:
            return i
    return 0


def notation_for(problem: Problem, part: Part, settings: Settings) -> Notation:
    """How this part is written, after what the reader chose and what the file says."""
    style = settings.numbers or problem.numbers
    return Notation(problem, part, style=style, places=places_of(problem, settings))


def notation_on(settings: Settings, problem: Problem, part: Part) -> Notation:
    """How a part is written on a sheet; questions share what lists of the same problem have."""
    if settings.sheet == "exercise" and settings.numbers is None and settings.places is None:
        return plain_notation(problem, part)
    return notation_for(problem, part, settings)


def plain_notation(problem: Problem, part: Part) -> Notation:
    """The same where nobody chose anything, for lists of names and values; kept for the next list."""
    if problem.assumptions is not None:  # letters of a list have names of their own
        return notation_for(problem, part, Settings())
    words = own_words()
    key = id(problem), id(part), spoken().code, tuple(words.items()) if words else ()
    known = _plain.get(key)
    if known is None:
        if len(_plain) >= MOST_AT_ONCE:
            _plain.clear()
        known = _plain[key] = notation_for(problem, part, Settings())
    return known


# How parts are written, by which objects they and their problem are: a notation holds both.
_plain: dict[tuple[int, int, str, tuple[tuple[str, str], ...]], Notation] = {}


def places_of(problem: Problem, settings: Settings) -> int:
    """The decimal places of this sheet: what the reader chose, else what the file says."""
    return problem.places if settings.places is None else settings.places
