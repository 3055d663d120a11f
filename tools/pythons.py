"""Every Python from 3.11 on that this machine has, one of each version: `3.12 /usr/bin/python3.12`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

# The oldest that is supported, and one more than the newest that is looked for.
FIRST, LAST = 11, 15
KEPT_BY_PYENV = Path.home() / ".pyenv" / "versions"
CAN_MAKE_FOLDERS = "import ensurepip, venv"


def candidates(version: str) -> Iterator[str]:
    """Where one of a version may be: on the path, and where pyenv keeps those it made, the newest first."""
    found = shutil.which(f"python{version}")
    made = sorted(KEPT_BY_PYENV.glob(f"{version}.*/bin/python"), reverse=True)
    yield from map(str, made)
    if found:
        yield found


def works(python: str) -> bool:
    """Whether it starts, and can make a folder of its own."""
    return 0 == subprocess.run([python, "-c", CAN_MAKE_FOLDERS], capture_output=True, check=False).returncode


def pythons() -> Iterator[tuple[str, str]]:
    """A version and the program for it, for each that is there."""
    for minor in range(FIRST, LAST):
        version = f"3.{minor}"
        for python in filter(works, candidates(version)):
            yield version, python
            break
        else:
            print(f"Python {version} was not found", file=sys.stderr)


if __name__ == "__main__":
    for version, python in pythons():
        print(version, python)
