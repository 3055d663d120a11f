"""`python -m benchmarks.browser`: the Python of browsers against this one, in the same run and interleaved.

Processor time of node with Pyodide beside CPython: start, a verdict, another variant. It needs node,
npm and, once, the network, so `make bench` leaves it out.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from attnsolve.batch import find
from attnsolve.site.building import Site

ROUNDS = 3
HERE = Path(__file__).parent
PYTHON = HERE / "practising.py"


def main() -> None:
    """Print every ratio, with its smallest and largest."""
    made = Site(say=lambda words: print(words, file=sys.stderr))
    made.add_engine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made.write(folder / "site", force=False)
        text = str(find("ist-practical-10"))
        times: dict[str, list[tuple[float, float]]] = {}
        for _ in range(ROUNDS):
            there = taken(
                "node", str(HERE / "browser.mjs"), str(folder / "site" / "engine"), str(PYTHON), text
            )
            here = taken(sys.executable, "-m", "benchmarks.practising", text)
            for what, seconds in there.items():
                times.setdefault(what, []).append((seconds, here[what]))
    for what, pairs in times.items():
        ratios = [one / other for one, other in pairs]
        ours, theirs = (median(side) * 1000 for side in zip(*pairs, strict=True))
        spread = f"{min(ratios):.1f} to {max(ratios):.1f}"
        print(
            f"{what:22} {ours:8.1f} ms  CPython {theirs:7.1f} ms  {median(ratios):5.1f}x as long ({spread})"
        )


def taken(*command: str) -> dict[str, float]:
    """The processor time of each piece of work, as a process tells it."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parent, check=False)
    if done.returncode:
        raise SystemExit(f"{command[0]} failed: {done.stderr[-500:]}")
    found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


if __name__ == "__main__":
    main()
