"""Bad problem files in a table: what is typed, and every fault it must be refused with, in file order."""

import time
from pathlib import Path

from attnsolve.errors import ProblemError
from attnsolve.expressions import number
from attnsolve.loader import load

TOP = "format: 1\ntitle: T\n"  # lines 1 and 2
DATA = "given:\n  X: 1 2; 3 4; 5 6\n  q: 1 2\n  W: 1 0; 0 1\n"  # lines 3 to 6
WORDS = "parts:\n  - ask: Why?\n    discuss: Because.\n"
ATTEND = "    attend: {queries: q, keys: X}\n"
SELF = "    self_attention: {input: X}\n"
SECONDS = 1.0
number("tanh(1)")  # loads SymPy and the grammar: their start is not the fault of the first file


def part(body: str) -> str:
    """A good file but for the body of its only part, which starts in line 9."""
    return f"{TOP}{DATA}parts:\n  - ask: What?\n{body}"


def given(text: str) -> str:
    """A good file but for its only matrix, in line 4 from column 6 on."""
    return f"{TOP}given:\n  X: {text}\n{WORDS}"


def check(file: str | bytes, expected: tuple[str, ...], folder: Path) -> None:
    """Each fault begins as expected (`line:column: path: message`), and all are found within a second."""
    path = folder / "x.yaml"
    path.write_bytes(file if isinstance(file, bytes) else file.encode("utf-8", "surrogatepass"))
    started = time.process_time()
    try:
        load(path)
    except ProblemError as error:
        found = [str(fault).removeprefix(f"{path}:") for fault in error.faults]
    else:
        found = ["this file was not refused"]
    spent = time.process_time() - started
    begun = [text[: len(wanted)] for text, wanted in zip(found, expected, strict=False)]
    assert list(expected) == begun + found[len(expected) :]
    assert spent < SECONDS
