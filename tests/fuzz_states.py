"""Looks for files of ours that stop us: kept files are damaged at random, and each must be refused in words.

By hand: `python tests/fuzz_states.py --seconds 120`. A damaged file is known by its seed and number, and can
be had again with `--first`. Looked at are the lock and the journal of an exam, its manifest, the journal of
marks, who is who, rosters, marks by hand, answers, a zip, a style, a problem file, the key of an exam, and
progress in practice.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import click

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from attnsolve.cli import cli  # noqa: E402
from attnsolve.errors import AttnsolveError, BugFound  # noqa: E402

# What may stand anywhere instead of what belongs there.
STRANGE: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    10**30,
    2.5,
    float("nan"),
    float("inf"),
    "",
    "x",
    "../../etc/passwd",
    "1/0",
    "\ud800",
    "\x00\x1b[31m",
    "=1+1",
    "é" * 3000,
    [],
    [[]],
    ["x", 1, None],
    {},
    {"x": {}},
)
# What version control leaves in a file that two people have changed.
CONFLICT = "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n"
DEEP = 100_000
PROBLEM = """format: 1
title: A small exam
given: {q: 1 2, K: '1 0; 0 1; 1 1', V: '2 0; 0 4; 1 1'}
parts:
  - ask: Find the weights and the output.
    attend: {queries: q, keys: K, values: V}
    find: [S, A, Z]
    marks: {scores: 1, weights: 2, output: 1}
vary: {q: -3..3, K: -2..2, V: -4..4}
"""


WORKSHEET = """Identifier,Full name,Email address,Status,Grade,Maximum Grade
Participant 12,Ann Lee,ann@example.org,Submitted,,10
"""
SECONDS = 20


class Quiet:
    """While it lasts, commands print nothing."""

    def __enter__(self) -> None:
        self.kept = sys.stdout, sys.stderr
        self.nowhere = sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")

    def __exit__(self, *raised: object) -> None:
        sys.stdout, sys.stderr = self.kept
        self.nowhere.close()


class Room(NamedTuple):
    """A folder with an exam and a graded class, as they were written."""

    path: Path

    def run(self, *words: str, typed: str = "") -> int:
        """A command of ours in this folder, and what is typed into it; its exit code."""
        here, keys = Path.cwd(), sys.stdin
        os.chdir(self.path)
        sys.stdin = StringIO(typed)
        try:
            cli.main(list(words), prog_name="attnsolve", standalone_mode=False)
        except SystemExit as ended:
            if ended.code not in (None, 0, 1, 4):
                raise AssertionError(f"exit code {ended.code}") from None
            return int(ended.code or 0)
        finally:
            os.chdir(here)
            sys.stdin = keys
        return 0


class Target(NamedTuple):
    """A kept file, and the command that reads it."""

    file: str
    command: tuple[str, ...]


GRADE = ("grade", "ist-practical-10", "answers", "-o")
DRAW = ("variants", "problem.yaml", "--seed", "5", "-o")
VERIFY = ("verify", "exam/manifest.json", "@ 101\na.S 1 2 3 4")
HIDDEN = (*GRADE, "hidden.csv", "--anonymous")
TARGETS = (
    Target("exam/lock.json", ("variants", "list", "exam")),
    Target("exam/lock.json", (*DRAW, "exam")),
    Target("exam/lock.json", VERIFY),
    Target("exam/manifest.json", VERIFY),
    Target("stopped/lock.json.journal", (*DRAW, "stopped", "-n", "2")),
    Target("marks.csv.journal", (*GRADE, "marks.csv")),
    Target("hidden.csv.names", HIDDEN),
    Target("hidden.csv.journal", HIDDEN),
    Target("roster.csv", (*GRADE, "marks.csv", "--roster", "roster.csv")),
    Target("by-hand.txt", (*GRADE, "marks.csv", "--overrides", "by-hand.txt")),
    Target("ann.json", ("verify", "ist-practical-10", "ann.json")),
    Target("ann.yaml", ("verify", "ist-practical-10", "ann.yaml")),
    Target("ann.csv", ("verify", "ist-practical-10", "ann.csv")),
    Target("roster.csv", (*DRAW, "other", "--roster", "roster.csv")),
    Target("worksheet.csv", (*GRADE, "moodle.csv", "--roster", "worksheet.csv", "--moodle", "grades.csv")),
    Target("up.zip", ("grade", "ist-practical-10", "up.zip", "-o", "zip.csv")),
    Target("exam.key", ("variants", "problem.yaml", "--key", "exam.key", "-o", "kept", "-n", "1")),
    Target("house/style.yaml", ("render", "ist-practical-10", "--style", "house", "-o", "page.md")),
    Target("problem.yaml", ("show", "problem.yaml")),
    Target("progress.json", ("practice", "ist-practical-10", "--progress", "progress.json")),
)


def made_room(path: Path) -> Room:
    """An exam of two, a stopped one, and a class of two with marks."""
    room = Room(path)
    (path / "answers").mkdir(parents=True)
    (path / "problem.yaml").write_text(PROBLEM, "utf-8")
    (path / "roster.csv").write_text("student number,name\n101,Ann Lee\n102,王小明\n", "utf-8")
    (path / "by-hand.txt").write_text('@ ann\nmark a.A 1/2 "why"\nappeal 2026-03-02 a.Z 1 "so"\n', "utf-8")
    for name in ("ann", "bob"):
        (path / "answers" / f"{name}.txt").write_text("a.S 4.5 0 4.5 0\na.A .4654 .0346 .4654 .9\n", "utf-8")
    answers = {"student": "ann", "answers": {"a.S": [[4.5, 0, 4.5, 0]], "a.Z": "-1.66 .93 .03"}}
    (path / "ann.json").write_text(json.dumps(answers, indent=1), "utf-8")
    (path / "ann.yaml").write_text("student: ann\nanswers:\n  a.S: 4.5 0 4.5 0\n  a.A: [[.4, .1]]\n", "utf-8")
    (path / "ann.csv").write_text("student,a.S\nann,4.5 0 4.5 0\n", "utf-8")
    (path / "worksheet.csv").write_text(WORKSHEET, "utf-8")
    (path / "exam.key").write_text("correct horse battery staple\n", "utf-8")
    with zipfile.ZipFile(path / "up.zip", "w") as archive:
        archive.writestr("ann.txt", "a.S 4.5 0 4.5 0\n")
    room.run("style", "new", "house")
    room.run("practice", "ist-practical-10", "--progress", "progress.json", typed="4.5 0 4.5 0\nquit\n")
    room.run(*DRAW, "exam", "--roster", "roster.csv")
    room.run(*DRAW, "stopped", "-n", "2")
    stop(path / "stopped")
    room.run(*GRADE, "marks.csv")
    room.run(*HIDDEN)
    return room


def stop(folder: Path) -> None:
    """Make an exam look as if its drawing had been stopped after the first variant."""
    from dataclasses import asdict

    from attnsolve.exams.folder import Folder
    from attnsolve.exams.lockfile import entry_record
    from attnsolve.stored import line_of

    lock = Folder(folder).locked()
    lines = [{"source": asdict(lock.source)}, entry_record(lock.entries[0])]
    (folder / "lock.json.journal").write_text("".join(map(line_of, lines)), "utf-8")
    for path in folder.iterdir():
        if path.is_file() and path.name != "lock.json.journal":
            path.unlink()


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a document."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    yield path
    for key, item in inside:
        yield from places(item, (*path, key))


def with_changed_value(document: Any, chance: Random) -> Any:
    """The document with one value lost, doubled, or replaced by a strange one."""
    *way, last = chance.choice(list(places(document))[1:] or [("x",)])
    holder = document
    for key in way:
        holder = holder[key]
    if not isinstance(holder, dict | list):
        return chance.choice(STRANGE)
    change = chance.randrange(6)
    if change == 0:
        del holder[last]
    elif change == 1 and isinstance(holder, list):
        holder.insert(last, holder[last])
    elif change == 1:
        holder["later"] = holder[last]
    elif change == 2 and isinstance(holder, dict):
        holder[str(last) + "x"] = holder.pop(last)
    else:
        holder[last] = chance.choice(STRANGE)
    return document


def with_changed_lines(text: str, chance: Random) -> bytes:
    """The text with lines lost, doubled, cut off, in conflict or in another encoding."""
    at = chance.randrange(len(text) + 1)
    lines = text.splitlines(keepends=True) or [""]
    number = chance.randrange(len(lines))
    half = lines[number][: chance.randrange(len(lines[number]) + 1)]
    strange = chance.choice([value for value in STRANGE if isinstance(value, str)])
    changes: tuple[Callable[[], bytes], ...] = (
        lambda: text[:at].encode(),
        lambda: "".join([*lines[:number], half, *lines[number + 1 :]]).encode(),
        lambda: "".join([*lines[:number], CONFLICT.format(lines[number], half), *lines[number:]]).encode(),
        lambda: "".join([*lines[: number + 1], *lines[number:]]).encode(),
        lambda: text.encode("utf-16"),
        lambda: "\ufeff".encode() + text.encode(),
        lambda: text[:at].encode() + b"\xff\x00" + text[at:].encode(),
        lambda: (text[:at] + strange + text[at:]).encode("utf-8", "surrogatepass"),
        lambda: b"[" * DEEP,
        lambda: b'{"a":' * DEEP,
        lambda: b"",
        lambda: "".join(chance.choice("0123456789") if c.isdigit() else c for c in text).encode(),
    )
    return chance.choice(changes)()


def with_changed_bytes(data: bytes, chance: Random) -> bytes:
    """What is no text, with bytes changed, lost or cut off."""
    at, length = chance.randrange(len(data)), chance.randrange(1, 9)
    changes = (
        data[:at],
        data[at:],
        data[:at] + data[at + length :],
        data[:at] + chance.randbytes(length) + data[at + length :],
    )
    return chance.choice(changes)


def damaged(data: bytes, file: str, chance: Random) -> bytes:
    """The file after an accident; JSON mostly stays JSON, so that what is inside it is looked at."""
    if file.endswith("zip"):
        return with_changed_bytes(data, chance)
    text = data.decode("utf-8")
    if chance.randrange(3) == 0 or not file.endswith(("json", "journal")):
        return with_changed_lines(text, chance)
    if file.endswith("journal"):
        lines = text.splitlines()
        number = chance.choice([place for place, line in enumerate(lines) if line.strip()])
        mark, _, record = lines[number].partition(" ")
        lines[number] = f"{mark} {json.dumps(with_changed_value(json.loads(record), chance))}"
        return "\n".join([*lines, ""]).encode()
    document = json.loads(text)
    document.pop("checksum", None)  # with it nothing else would be looked at
    return json.dumps(with_changed_value(document, chance), indent=1).encode()


def contents(path: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {str(file): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}


def fault(room: Path, target: Target, data: bytes) -> str:
    """What goes wrong when a kept file holds this; it may be refused in words, and then stays as it is."""
    copy = Path(tempfile.mkdtemp(prefix="attnsolve-states-"))
    try:
        shutil.copytree(room, copy, dirs_exist_ok=True)
        (copy / target.file).write_bytes(data)
        before, started = contents(copy), time.process_time()
        try:
            Room(copy).run(*target.command)
        except BugFound as error:
            return f"bug: {error}"
        except AttnsolveError as error:
            if not str(error).isprintable() and not all(c.isprintable() or c == "\n" for c in str(error)):
                return f"unprintable: {str(error)!r}"
            return "" if contents(copy) == before else f"refused, and yet changed something: {error}"
        except click.ClickException:
            return ""
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        taken = time.process_time() - started
        return f"slow: {taken:.1f} s" if taken > SECONDS else ""
    finally:
        shutil.rmtree(copy)


def run(room: Path, seed: int, enough: Callable[[int], bool], *, first: int = 0) -> tuple[int, list[str]]:
    """How many damaged files were tried until there were enough, and what went wrong."""
    found: list[str] = []
    number = first
    while True:
        chance = Random(f"{seed} {number}")
        target = chance.choice(TARGETS)
        data = damaged((room / target.file).read_bytes(), target.file, chance)
        said = fault(room, target, data)
        if said:
            found.append(f"{number}: {target.file}, {' '.join(target.command[:2])}: {said}")
        number += 1
        if enough(number - first):
            return number - first, found


def main() -> int:
    """Damage files for a while and tell what was found; 1 if there was anything."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--count", type=int, default=0, help="so many, whatever it takes")
    given = parser.parse_args()
    end = time.monotonic() + given.seconds
    with tempfile.TemporaryDirectory() as folder, Quiet():
        room = made_room(Path(folder) / "room")
        count, found = run(
            room.path,
            given.seed,
            lambda tried: tried >= given.count if given.count else time.monotonic() > end,
            first=given.first,
        )
    for said in found:
        print(said)
    print(f"{count} damaged files, {len(found)} faults")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
