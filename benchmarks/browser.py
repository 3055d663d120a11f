"""`python -m benchmarks.browser`: the Python of browsers against this one, in the same run and interleaved.

Processor time of node with Pyodide beside CPython: start, a verdict, another variant; then what the
first visit to a site loads, with its limit. It needs node, npm and, once, the network; where they are
not there it says so and measures nothing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from attnsolve.batch import find
from attnsolve.errors import AttnsolveError
from attnsolve.site.building import LATER, MOST_GZIPPED, Site, first_visit

ROUNDS = 3
HERE = Path(__file__).parent
PYTHON = HERE / "practising.py"
# What is loaded, by what it is for; the first that fits has a file.
LOADED = (
    ("Pyodide: Python itself", "engine/py", "engine/python.zip"),
    ("python-flint: exact arithmetic", "engine/flint", ""),
    ("attnsolve and its libraries", "engine/python.zip", ""),
    ("Temml, looks, scripts", "", LATER),
)


def main() -> int:
    """Print every ratio and every size; 1 where the first visit loads too much, else 0."""
    made = Site(say=lambda words: print(words, file=sys.stderr))
    try:
        made.add_engine()
    except AttnsolveError as error:
        print(f"the browser is left out: {error}", file=sys.stderr)
        return 0
    made.add_looks()
    if shutil.which("node") is None:
        print("the times in the browser are left out: there is no node", file=sys.stderr)
    else:
        contest(made)
    return sizes(made)


def contest(made: Site) -> None:
    """Print every ratio, with its smallest and largest."""
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


def sizes(made: Site) -> int:
    """Print what the first visit loads, compressed; 1 where that is over the limit, else 0."""
    found = made.sizes()
    groups = dict.fromkeys((words for words, _, _ in LOADED), 0)
    for size in found:
        if size.file != LATER:
            words = next(
                words for words, begins, but in LOADED if size.file.startswith(begins) and size.file != but
            )
            groups[words] += size.gzipped
    whole = first_visit(found)
    groups[f"together, at most {MOST_GZIPPED / 1e6:.0f} MB"] = whole
    groups["SymPy, where an exercise needs it"] = sum(size.gzipped for size in found if size.file == LATER)
    for words, count in groups.items():
        print(f"{words:34} {count / 1e6:5.1f} MB compressed")
    return int(whole > MOST_GZIPPED)


def taken(*command: str) -> dict[str, float]:
    """The processor time of each piece of work, as a process tells it."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parent, check=False)
    if done.returncode:
        raise SystemExit(f"{command[0]} failed: {done.stderr[-500:]}")
    found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


if __name__ == "__main__":
    sys.exit(main())
