"""Typst in a process of its own, which gives back all the memory that a long document takes.

Typst remembers what it has laid out for the next time; that goes with the process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from attnsolve.errors import AttnsolveError
from attnsolve.lifeline import end_with_input
from attnsolve.rendering.typst_engine import NoGlyph, printed

# -P: nothing that lies in the current folder is ever imported.
COMMAND = (sys.executable, "-P", "-m", "attnsolve.rendering.typst_apart")
RESULT = "document.pdf"


def printed_apart(root: Path, *, of_system: bool) -> bytes:
    """The PDF of the document in a folder; the process ends with this one, however that ends."""
    known = os.pathsep.join(filter(None, sys.path))  # it finds what this one has found
    with subprocess.Popen(
        [*COMMAND, str(root), json.dumps(of_system)],
        env={**os.environ, "PYTHONPATH": known},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        try:
            answer = process.stdout.read()
        except BaseException:
            process.kill()
            raise
    if not answer:
        ended = f"Typst's process ended with {process.returncode}"
        raise AttnsolveError(f"PDF not made: {ended}; there may be too little memory")
    refused = json.loads(answer)
    if "letters" in refused:
        raise NoGlyph(tuple(refused["letters"]))
    if refused:
        raise AttnsolveError(refused["said"])
    return (root / RESULT).read_bytes()


def main() -> None:
    """Print the document in a folder, and say what is wrong with it."""
    end_with_input()
    root, of_system = Path(sys.argv[1]), json.loads(sys.argv[2])
    refused: dict[str, object] = {}
    try:
        (root / RESULT).write_bytes(printed(root, of_system=of_system))
    except NoGlyph as error:
        refused = {"letters": error.letters}
    except (AttnsolveError, OSError) as error:
        refused = {"said": str(error)}
    print(json.dumps(refused), flush=True)


if __name__ == "__main__":
    main()
