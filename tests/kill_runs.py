"""Stops runs at random moments: no half file has its final name, and the next run ends as if undisturbed.

By hand: `python tests/kill_runs.py --kills 50` kills each command so often, or asks it to end, with one
process and with two, looks that no worker outlives it, and starts two of each at once; with `--full-disk`
it also runs them where the disk is full or can only be read (as root, on Linux).
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
ATTNSOLVE = (sys.executable, "-m", "attnsolve")
# What a run keeps for the next one while it is not done; they may be there after a kill, and only then.
UNFINISHED = (".attnsolve-", ".journal", ".in-use", ".claim")
# Written before the documents, and again after them.
IN_STAGES = ("lock.json", "manifest.json", "manifest.csv")
PROBLEM = """format: 1
title: A small exam
given: {q: 1 2, K: '1 0; 0 1; 1 1', V: '2 0; 0 4; 1 1'}
parts:
  - ask: Find the weights and the output.
    attend: {queries: q, keys: K, values: V}
    find: [S, A, Z]
    marks: {scores: 1, weights: 2, output: 1}
    plot: weights
vary: {q: -3..3, K: -2..2, V: -4..4}
"""


class Job(NamedTuple):
    """A command that writes, and the folder it writes into."""

    name: str
    words: tuple[str, ...]


JOBS = (
    Job("render", ("render", "problems", "-o", "out/", "--to", "html")),
    Job("variants", ("variants", "problem.yaml", "-n", "6", "--seed", "3", "-o", "out")),
    Job("variants -j 2", ("variants", "problem.yaml", "-n", "6", "--seed", "3", "-o", "out", "-j", "2")),
    # So many that their solutions are printed in two parts, by processes of their own.
    Job("variants --to pdf", ("variants", "problem.yaml", "-n", "45", "-o", "out", "--to", "pdf")),
    Job("grade", ("grade", "problem.yaml", "answers", "-o", "out/marks.csv", "--slips", "out/slips")),
    Job("grade -j 2", ("grade", "problem.yaml", "answers", "-o", "out/marks.csv", "-j", "2")),
    Job("site", ("site", "problems", "-o", "out")),
)
# How a run may end: well, with findings, with marks to look at; and what a second one says to a first one.
ENDED, REFUSED = (0, 1, 4), (2, 3)
# How a run is stopped: killed, or asked to end, which it does in order once it has begun.
STOPS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
# What Python says of an interrupt while it starts.
STARTING = (b"Fatal Python error: init_", b"Could not import runpy module")
# Seconds that its workers may take to find out; many more than they need, for a busy machine.
PATIENCE = 20


def made_room(path: Path) -> Path:
    """A folder with an exercise, several copies of it, and a class that handed something in."""
    (path / "answers").mkdir(parents=True)
    (path / "problems").mkdir()
    (path / "problem.yaml").write_text(PROBLEM, "utf-8")
    for number in range(6):
        (path / "problems" / f"exercise-{number}.yaml").write_text(PROBLEM, "utf-8")
        (path / "answers" / f"s{number}.txt").write_text(f"S 1 2 3\nA .1 .2 .{number}\n", "utf-8")
    return path


def started(room: Path, job: Job) -> subprocess.Popen[bytes]:
    """The command, in a group of its own, so that its workers can be killed with it."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [*ATTNSOLVE, *job.words],
        cwd=room,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=heed_everything,
    )


def heed_everything() -> None:
    """Begin as a terminal starts programs: whoever started this one may ignore signals, as `nohup` does."""
    for how in set(STOPS) - {signal.SIGKILL}:
        signal.signal(how, signal.SIG_DFL)


def written(room: Path) -> dict[str, bytes]:
    """Every file that was written, but for what only an unfinished run has."""
    found = (file for file in sorted((room / "out").rglob("*")) if file.is_file())
    return {str(file.relative_to(room)): file.read_bytes() for file in found if not is_unfinished(file)}


def is_unfinished(file: Path) -> bool:
    """Whether a file is a half one, or one in which a run keeps how far it is."""
    return file.name.startswith(UNFINISHED[0]) or file.name.endswith(UNFINISHED[1:])


class Ran(NamedTuple):
    """How long a command took to its end, and what it said."""

    seconds: float
    said: str


def run(room: Path, job: Job) -> Ran:
    """Run a command to its end."""
    before = time.monotonic()
    process = started(room, job)
    _, said = process.communicate()
    if process.returncode not in ENDED:
        raise AssertionError(f"{job.name} ended with {process.returncode}: {said.decode()}")
    return Ran(time.monotonic() - before, said.decode())


def stop(room: Path, job: Job, seconds: float, how: signal.Signals, *, also_workers: bool) -> str:
    """Start a command and stop it after a while, with its workers or without; what is wrong then."""
    process = started(room, job)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        if also_workers:
            os.killpg(process.pid, how)
        else:
            process.send_signal(how)
    code = process.wait()
    left = outliving(process.pid)
    for number in left:
        os.kill(number, signal.SIGKILL)
    _, said = process.communicate()
    if left:
        return f"{len(left)} workers outlived {how.name}"
    if code == -how or any(words in said for words in STARTING):  # before it had begun to heed signals
        return ""
    is_told = code in ENDED or (code == 128 + how and b"stopped" in said)
    is_well = is_told and b"Traceback" not in said
    return "" if is_well else f"ended with {code} by {how.name}: {said.decode()}"


def outliving(session: int) -> list[int]:
    """Processes of a session that are still there when they have had time to end."""
    until = time.monotonic() + PATIENCE
    while (left := alive(session)) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def alive(session: int) -> list[int]:
    """The processes of a session that have not ended; elsewhere than on Linux nobody knows."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:  # number (name) state parent group session …
            state, _, _, its, *_ = place.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(its) == session and state not in "ZX":
            found.append(int(place.parent.name))
    return found


def faults(job: Job, kills: int, seed: int) -> Iterator[str]:
    """What goes wrong when a command is stopped so often, each time in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        room = made_room(Path(folder) / "whole")
        took = run(room, job).seconds
        whole = written(room)
        for number in range(kills):
            chance = Random(f"{seed} {job.name} {number}")
            other = made_room(Path(folder) / str(number))
            for _ in range(chance.choice((1, 1, 2))):
                seconds, how = chance.random() * took, chance.choice(STOPS)
                if said := stop(other, job, seconds, how, also_workers=chance.random() < 0.5):
                    yield f"{job.name} {number}: {said}"
            for name, data in written(other).items():
                if data != whole.get(name) and not name.endswith(IN_STAGES):
                    yield f"{job.name} {number}: after the kill {name} is not what a whole run writes"
            said = run(other, job).said
            if written(other) != whole:
                now = written(other)
                names = sorted(name for name in whole.keys() | now.keys() if whole.get(name) != now.get(name))
                yield f"{job.name} {number}: the next run ends with other files: {names}; it says: {said}"
            shutil.rmtree(other)


def faults_of_two_at_once(job: Job, times: int) -> Iterator[str]:
    """What goes wrong when a command is started twice in one folder: both end well, or one is refused."""
    with tempfile.TemporaryDirectory() as folder:
        room = made_room(Path(folder) / "whole")
        run(room, job)
        for number in range(times):
            other = made_room(Path(folder) / str(number))
            for process in [started(other, job), started(other, job)]:
                _, said = process.communicate()
                if process.returncode not in ENDED + REFUSED or b"Traceback" in said:
                    yield f"two of {job.name} at once: one ended with {process.returncode}: {said.decode()}"
            run(other, job)
            if written(other) != written(room):
                yield f"two of {job.name} at once: the next run ends with other files"


@contextmanager
def disk(folder: Path, options: str) -> Iterator[Path]:
    """A disk of its own, such as one of a few blocks (`size=8k`) or one that can only be read (`ro`)."""
    place = folder / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def faults_on(job: Job, options: str) -> Iterator[str]:
    """What goes wrong on a bad disk: the run must end with a sentence, and leave no half file."""
    with tempfile.TemporaryDirectory() as folder:
        whole = made_room(Path(folder) / "whole")
        run(whole, job)
        other = made_room(Path(folder) / "other")
        with disk(Path(folder), options) as bad:
            (other / "out").mkdir()
            subprocess.run(["mount", "--bind", str(bad), str(other / "out")], check=True)
            try:
                process = started(other, job)
                _, said = process.communicate()
                if process.returncode in (0, 5) or b"Traceback" in said or not said.strip():
                    yield f"{job.name} on a disk with {options}: ended with {process.returncode}: {said!r}"
                for name, data in written(other).items():
                    if data != written(whole).get(name):
                        yield f"{job.name} on a disk with {options}: {name} is half written"
            finally:
                subprocess.run(["umount", "-l", str(other / "out")], check=True)


def main() -> int:
    """Kill every command so often and tell what was found; 1 if there was anything."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=50, help="of each command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", nargs="*", help="only these, such as: render 'grade -j 2'")
    parser.add_argument("--full-disk", action="store_true", help="also on bad disks; as root")
    given = parser.parse_args()
    count = 0
    for job in (job for job in JOBS if not given.jobs or job.name in given.jobs):
        found = [faults(job, given.kills, given.seed), faults_of_two_at_once(job, max(1, given.kills // 10))]
        found += [faults_on(job, options) for options in ("size=8k", "ro")] if given.full_disk else []
        for said in chain.from_iterable(found):
            count += 1
            print(said, flush=True)
        print(f"{job.name}: killed {given.kills} times", flush=True)
    print(f"{count} faults")
    return int(bool(count))


if __name__ == "__main__":
    sys.exit(main())
