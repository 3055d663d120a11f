"""What attnsolve says when something is wrong: each error carries data and is put into words late."""

from __future__ import annotations

from collections.abc import Iterable
from os import fsdecode

from attnsolve.reasons import Reason, as_typed
from attnsolve.records import NamedTuple

# Whoever mends a file wants all its faults at once, but not one for every line of what is no such file.
MOST_TOLD = 100


class AttnsolveError(Exception):
    """Anything a user can mend; `exit_code` is what the command line ends with."""

    exit_code = 1

    @property
    def reason(self) -> Reason:
        """Why, as data that can be said in any language; what was raised with a plain text is that text."""
        said = self.args[0] if self.args else ""
        return said if isinstance(said, Reason) else as_typed(str(self))


class UsageError(AttnsolveError):
    """Something on the command line that cannot be meant."""

    exit_code = 2


class BugFound(AttnsolveError):
    """Our own mistake, met while something was worked on; the cause is kept for the report."""

    exit_code = 5


class RefusedBySystem(AttnsolveError):
    """What the system does not do for us: the disk is full, a name is too long, nobody may read it."""

    def __init__(self, error: OSError) -> None:
        about = f"'{fsdecode(error.filename)}': " if isinstance(error.filename, str | bytes) else ""
        super().__init__(f"{about}{error.strerror or error}")


class UndefinedStep(AttnsolveError):
    """A step has no value on these numbers, such as 0/0 in a row."""


class Undecided(AttnsolveError):
    """A comparison or a digit could not be proven either way."""

    exit_code = 4


class Uncountable(AttnsolveError):
    """A cost that depends on the numbers themselves, so that no formula in the sizes tells it."""


class ShapeError(AttnsolveError):
    """Matrices that do not fit together; the loader adds where."""

    exit_code = 3


class LayerError(AttnsolveError):
    """A trained layer, or its input, that cannot be made into an exercise."""

    exit_code = 3


class ExpressionError(AttnsolveError):
    """A text that is not a number or an expression we read; `column` counts from 1 inside the text."""

    exit_code = 3

    def __init__(self, message: str | Reason, *, column: int = 1) -> None:
        super().__init__(message)
        self.column = column


class Fault(NamedTuple):
    """One thing wrong in a file: where it stands, what is wrong, and what would be right."""

    file: str
    line: int
    column: int
    path: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}: "
        return f"{where}{self.path}: {self.message}" if self.path else f"{where}{self.message}"


class ProblemError(AttnsolveError):
    """A problem file with faults, or several: all of them, in the order of each file."""

    exit_code = 3

    def __init__(self, faults: Iterable[Fault]) -> None:
        found = tuple(faults)
        files = {name: place for place, name in enumerate(dict.fromkeys(fault.file for fault in found))}
        self.faults = tuple(sorted(found, key=lambda fault: (files[fault.file], fault.line, fault.column)))
        more = len(self.faults) - MOST_TOLD
        beside = (f"and {more} more faults",) if more > 0 else ()
        super().__init__("\n".join((*map(str, self.faults[:MOST_TOLD]), *beside)))
