"""Simulated classes, graded: `python tests/verifier/simulated --students 2000 --seed 1`.

Prints the first scripts with an unfair or wrong report in full, and what became of each kind of student.
`--kind slipping --first 17 --students 1` makes one of them again.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from verifier.simulated.classes import KINDS, Graded, Tally, grade  # noqa: E402
from verifier.simulated.exercises import problem_text  # noqa: E402
from verifier.simulated.spelled import OTHER_SPELLINGS  # noqa: E402


def shown(graded: Graded) -> str:
    """One script in full: the problem, what was written, what was said, and what is wrong with that."""
    report = graded.reports[0]
    lines = [
        f"== {graded.kind}, seed {graded.seed}, student {graded.number}: {', '.join(graded.script.traits)}",
        *(f"WHY: {complaint.short}: {complaint.said}" for complaint in graded.complaints),
        "-- problem",
        problem_text(graded.script.exercise),
        "-- script",
        graded.script.text,
        f"-- report: {report.earned} of {report.possible}",
    ]
    for step in report.steps:
        names = ", ".join(named.name for named in step.mistakes)
        where = f" typed {step.typed}, expected {step.expected}" if step.typed or step.expected else ""
        notes = "".join(f" [{' '.join(str(told) for told in note if told)}]" for note in step.notes)
        lines.append(f"{step.name:12} {step.verdict:11} {step.earned}/{step.possible} {names}{where}{notes}")
    lines += [f"not read: {said}" for said in report.unread]
    if graded.kind == "slipping":
        lines += [
            "-- the same without the slip",
            graded.script.others[0],
            f"{graded.reports[1].earned} marks",
        ]
    if graded.kind == "spelled":
        spelled = dict(zip(OTHER_SPELLINGS, graded.script.others, strict=True))
        for complaint in graded.complaints:
            lines += [f"-- {complaint.short}", spelled[complaint.short]]
    return "\n".join([*lines, ""])


def summary(tally: Tally) -> str:
    """One line of the table."""
    counts = (
        tally.students,
        tally.wrong,
        tally.right,
        tally.named,
        tally.named_rightly,
        tally.full,
        len(tally.offending),
    )
    return f"{tally.kind:10}" + "".join(f"{count:>15}" for count in counts)


def broken_down(tally: Tally) -> str:
    """What is wrong with the reports, and how many students with each trait have such a report."""
    told = "".join(f"    {count:5}           {short}\n" for short, count in tally.complaints.most_common())
    lines = [
        f"    {tally.offending_traits[trait]:5} of {count:5}  {trait}{named_of(tally, trait)}"
        for trait, count in sorted(tally.traits.items())
        if tally.offending_traits[trait] or tally.named_rightly
    ]
    return told + "\n".join(lines)


def named_of(tally: Tally, trait: str) -> str:
    """How many with this trait had their mistake named, where mistakes have names."""
    return f" ({tally.named_traits[trait]} named)" if tally.named_rightly else ""


def main() -> int:
    """Grade the classes that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kind", choices=list(KINDS), action="append")
    parser.add_argument(
        "--students", type=int, default=200, help="in each class; a tenth of them in all spellings"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first student")
    parser.add_argument("--show", type=int, default=3, help="how many offending scripts are printed")
    parser.add_argument("--into", type=Path, help="a folder for all offending scripts")
    chosen = parser.parse_args()
    columns = (
        "students",
        "called wrong",
        "called right",
        "named",
        "named rightly",
        "full marks",
        "offending",
    )
    tallies = []
    for kind in chosen.kind or KINDS:
        tally, start = Tally(kind), time.monotonic()
        students = max(1, chosen.students // 10) if kind == "spelled" and not chosen.kind else chosen.students
        for number in range(chosen.first, chosen.first + students):
            graded = grade(kind, number, chosen.seed)
            tally.add(graded)
            if graded.complaints and len(tally.offending) <= chosen.show:
                print(shown(graded), flush=True)
        tallies.append(tally)
        print(f"{kind}: {students} students, {time.monotonic() - start:.0f} s", file=sys.stderr)
        if chosen.into:
            chosen.into.mkdir(parents=True, exist_ok=True)
            (chosen.into / f"{kind}.txt").write_text("\n".join(map(shown, tally.offending)))
    print(f"{'kind':10}" + "".join(f"{column:>15}" for column in columns))
    for tally in tallies:
        print(summary(tally))
        print(broken_down(tally))
    return int(any(tally.offending for tally in tallies))


if __name__ == "__main__":
    sys.exit(main())
