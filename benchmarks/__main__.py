"""The command: run every contest, print the table, and fail where a target is missed."""

from __future__ import annotations

import json
import platform
import sys
from argparse import ArgumentParser
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from benchmarks import table
from benchmarks.contests import CONTESTS, FULL, QUICK
from benchmarks.peaks import peak_of

LIBRARIES = ("attnsolve", "numpy", "python-flint", "sympy")


def main() -> int:
    """0 if every target is met or the run was a quick one, else 1."""
    parser = ArgumentParser("python -m benchmarks", description="Processor time, medians and ratios.")
    parser.add_argument("--quick", action="store_true", help="one round: shows that it works, proves nothing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the rows to a file")
    arguments = parser.parse_args()
    effort = QUICK if arguments.quick else FULL
    rows: list[table.Row] = []
    for contest in CONTESTS:
        print(f"{contest.__name__} ...", file=sys.stderr)
        for row in contest(effort):
            rows.append(row if arguments.quick else replace(row, peak=peak_of(row.what)))
    print(table.text(rows))
    if arguments.json:
        versions = {"python": platform.python_version(), **{name: version(name) for name in LIBRARIES}}
        record = {"versions": versions, "rows": [row.record() for row in rows]}
        arguments.json.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    missed = [row.what for row in rows if not row.met]
    if missed and not arguments.quick:
        print(f"missed: {', '.join(dict.fromkeys(missed))}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
