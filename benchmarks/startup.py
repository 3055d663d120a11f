"""Whole processes, from nothing to the last byte: what stands between a person and the first answer."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

BARE = ("-c", "pass")
HELP = ("-m", "attnsolve", "--help")
RENDER = ("-m", "attnsolve", "render", "ist-practical-10")
HTML = (*RENDER, "--to", "html")
PDF = (*RENDER, "--to", "pdf")

# An installed package has its bytecode: the first, untimed run may write it.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(arguments: tuple[str, ...]) -> None:
    """This interpreter with some arguments, in this checkout; a failure stops the benchmark."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"python {' '.join(arguments)} failed: {done.stderr.strip()}")


def children_time() -> float:
    """The processor time of every process that this one has started and seen the end of."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
