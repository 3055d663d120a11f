"""Answers that nobody would write, read and judged: `python tests/fuzz_answers.py --seconds 60`.

Real answers are taken apart and put together anew, in every form. A crash and a text that takes too long are
told with the number of the text, which `--first` makes again; a memory that grows is told, too.
"""

from __future__ import annotations

import argparse
import csv
import gc
import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from attnsolve import batch
from attnsolve.errors import AttnsolveError
from attnsolve.limits import LIMITS
from attnsolve.rendering.feedback import feedback
from attnsolve.rendering.submissions import understood
from attnsolve.verifier.reading import read_submissions
from attnsolve.verifier.verification import Verifier

ROOT = Path(__file__).resolve().parent.parent
CLASS = "ist-practical-10"
FORMS = ("", "compact", "yaml", "json", "csv")
STUDENTS = 12
# What one text may take, reading and judging, on a machine that does other things too.
SECONDS = 2 * LIMITS.answer_seconds
# How much more memory may be in use at the end than at half time, when the caches are nearly full.
MEGABYTES = 150

PIECES = (
    *"()[]{}\\&;,.:=@~?-+*/^%$\"'|! \n\t\x00e9½√²−π≈…",
    *(
        " ; ",
        "~~",
        "~~3.5~~ ",
        "ln2",
        "2ln2 ",
        "sqrt3",
        "√2",
        "e^2.598",
        "/(2e^2.598+2)",
        "(4,5; 0)",
        "0,67",
        "1,500",
    ),
    *(
        "1e9",
        "1e-9",
        "-inf",
        "nan",
        "null",
        "ok",
        "?",
        "1/0",
        "0.00",
        "9**9",
        "10^-30",
        "1e999",
        "\\frac{1}{2}",
        "%",
    ),
    *(
        "(a) ",
        "\nPart b\n",
        "\nName: x\n",
        "A^{(1)} = ",
        "S_{1,2} = ",
        "QK^T = ",
        "softmax(",
        "| 1 | 2 |\n|---|---|\n",
        "1/2*[",
        "4 1/2 ",
        "2,72/18,5",
    ),
    *(
        "mark a 1/2",
        "a.S ",
        "\nb.A ",
        "a.A[2] ",
        "@ 7\n",
        "\\begin{bmatrix}",
        "\\end{bmatrix}",
        "array([",
        ".T",
        "// ",
    ),
)


class Text(NamedTuple):
    """A text to be read, and the problem it is an answer to."""

    number: int
    problem: str
    form: str
    text: str


class Finding(NamedTuple):
    """What went wrong with a text."""

    text: Text
    said: str


@cache
def seeds() -> tuple[tuple[str, str], ...]:
    """Problems, each with an answer that was really typed."""
    sys.path.insert(0, str(ROOT))  # where the benchmarks are, when this is run by hand
    from benchmarks.classes import hand_in

    with (ROOT / "tests" / "answers.tsv").open(encoding="utf-8", newline="") as file:
        table = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        typed = [(row["problem"], row["typed"]) for row in table]
    typed += [(CLASS, text) for text in hand_in(judge(CLASS).trace, STUDENTS)]
    return tuple(typed)


def spelled(answer: str, form: str) -> str:
    """A compact answer in one of the forms, with a value for every line."""
    lines = [line.partition(" ") for line in answer.splitlines() if line]
    named = {name.replace("@", "student"): behind for name, _, behind in lines}
    if form == "yaml":
        quoted = {name: behind.replace("'", "''") for name, behind in named.items()}
        return "".join(f"{name}: '{behind}'\n" for name, behind in quoted.items())
    if form == "json":
        return json.dumps(named, ensure_ascii=False)
    if form == "csv":
        doubled = {name: behind.replace('"', '""') for name, behind in named.items()}
        return "name,value\n" + "".join(f'"{name}","{behind}"\n' for name, behind in doubled.items())
    return answer


@cache
def judge(problem: str) -> Verifier:
    """A solved problem and its judge, one for all texts as for a class."""
    return Verifier(batch.solved(batch.find(problem)))


def mutated(text: str, other: str, chance: Random) -> str:
    """The text with a few pieces lost, doubled, exchanged, put in or taken from another one."""
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 6))):
        at, length = chance.randrange(len(text) + 1), chance.choice((1, 1, 2, 5, 20))
        before, piece, behind = text[:at], text[at : at + length], text[at + length :]
        start = chance.randrange(len(other) + 1)
        text = chance.choice(
            (
                before + behind,
                before + chance.choice(PIECES) + piece + behind,
                before + chance.choice(PIECES) + behind,
                before + piece * chance.choice((2, 2, 3, 40)) + behind,
                before + other[start : start + chance.choice((3, 10, 60))] + piece + behind,
                before + piece[::-1] + behind,
                before + "".join(chance.choice("0123456789") if c.isdigit() else c for c in piece) + behind,
            )
        )
    return text


def texts(seed: int, *, first: int = 0) -> Iterator[Text]:
    """Texts without end, the same ones for the same seed."""
    known, number = seeds(), first
    while True:
        chance = Random(f"{seed} {number}")
        (problem, answer), (_, other) = chance.choice(known), chance.choice(known)
        form = chance.choice(FORMS)
        if chance.randrange(4):  # what is typed is odd, and the file around it is sound
            text = spelled(mutated(answer, other, chance), form)
        else:
            text = mutated(spelled(answer, form), other, chance)
        yield Text(number, problem, form, text)
        number += 1


def fault(text: Text) -> str:
    """What goes wrong with a text: reading may refuse a whole file, and nothing else may stop."""
    started = time.process_time()
    try:
        found = list(read_submissions(text.text, "x", form=text.form))
    except AttnsolveError:
        found = []
    except Exception as error:
        return f"reading: {type(error).__name__}: {error}"
    try:
        for submission in found:
            understood(submission)
            verifier = judge(text.problem)
            feedback(verifier.trace, verifier.verify(submission))
    except Exception as error:
        return f"judging: {type(error).__name__}: {error}"
    taken = time.process_time() - started
    return f"slow: {taken:.1f} s" if taken > SECONDS else ""


def shortest(text: Text, said: str) -> Text:
    """The same crash from less: pieces are left out as long as the same kind of error comes."""
    kind = said.split(":")[:2]
    size = len(text.text) // 2
    while size and kind[0] != "slow":
        for at in range(0, len(text.text), size):
            less = text._replace(text=text.text[:at] + text.text[at + size :])
            if fault(less).split(":")[:2] == kind:
                text = less
                break
        else:
            size //= 2
    return text


def megabytes() -> float:
    """The memory in use; 0 where the system does not tell."""
    gc.collect()
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6
    except OSError:
        return 0.0


def run(seed: int, enough: Callable[[int], bool], *, first: int = 0) -> tuple[int, list[Finding]]:
    """How many texts were tried until there were enough, and what went wrong."""
    found: list[Finding] = []
    count = 0
    for count, text in enumerate(texts(seed, first=first), start=1):
        said = fault(text)
        if said:
            found.append(Finding(shortest(text, said), said))
        if enough(count):
            break
    return count, found


def main() -> int:
    """Try texts for a while and tell what was found; 1 if there was anything."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first text")
    given = parser.parse_args()
    for problem in {problem for problem, _ in seeds()}:
        judge(problem)
    end = time.monotonic() + given.seconds
    half = time.monotonic() + given.seconds / 2
    before, found = run(given.seed, lambda _: time.monotonic() > half, first=given.first)
    used = megabytes()
    behind, more = run(given.seed, lambda _: time.monotonic() > end, first=given.first + before)
    grown = megabytes() - used
    for text, said in (*found, *more):
        print(f"text {text.number}, {text.problem}, form {text.form or 'guessed'}: {said}\n  {text.text!r}")
    print(f"{before + behind} texts, {len(found) + len(more)} faults")
    print(f"{used:.0f} MB at half time, {grown:+.0f} MB since")
    if grown > MEGABYTES:
        print(f"the memory grows: more than {MEGABYTES} MB in the second half")
    return int(bool(found or more) or grown > MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
