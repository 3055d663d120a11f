"""Every Python from 3.11 on that this machine has, one of each version: `3.12 /usr/bin/python3.12`."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

# The oldest that is supported, and one more than the newest that is looked for.
FIRST, LAST = 11, 15
KEPT_BY_PYENV = Path.home() / ".pyenv" / "versions"
# What it says of itself, if it can make folders: a name such as python3.12 may stand for another one.
ASKED = "import ensurepip, sys, venv; print('{}.{}'.format(*sys.version_info))"


def candidates(version: str) -> Iterator[str]:
    """Where one of a version may be: on the path, and where pyenv keeps those it made, the newest first."""
    found = shutil.which(f"python{version}")
    made = sorted(KEPT_BY_PYENV.glob(f"{version}.*/bin/python"), key=age, reverse=True)
    yield from map(str, made)
    if found:
        yield found


def age(python: Path) -> list[int]:
    """The numbers of a version that pyenv keeps: 3.12.10 is newer than 3.12.9."""
    return [int(number) for number in re.findall(r"\d+", python.parents[1].name)]


def works(python: str, version: str) -> bool:
    """Whether it starts, is of the version, and can make a folder of its own."""
    done = subprocess.run([python, "-c", ASKED], capture_output=True, text=True, check=False)
    return 0 == done.returncode and version == done.stdout.strip()


def pythons() -> Iterator[tuple[str, str]]:
    """A version and the program for it, for each that is there."""
    for minor in range(FIRST, LAST):
        version = f"3.{minor}"
        python = next((one for one in candidates(version) if works(one, version)), None)
        if python is not None:
            yield version, python
        else:
            print(f"Python {version} was not found", file=sys.stderr)


if __name__ == "__main__":
    for version, python in pythons():
        print(version, python)
