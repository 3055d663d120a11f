"""Runs that somebody stops: they say so, end with their workers, and the next run ends as if undisturbed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import kill_runs
import pytest
from kill_runs import ROOT, Job, made_room, outliving, run, written

from attnsolve.cli.stopping import AGAIN, AskedToEnd, exit_code, heeding

# So long nobody waits; a busy machine may need it.
PATIENCE = 120
ASKED_AGAIN = 15
GO_ON = "stopped; run the same command again to go on\n"
# Drawing that comes to a variant with which it is never done.
STUCK_DRAWING = """
import sys, time
from attnsolve.exams import drawing

draw = drawing.variant_of

def stuck(drawer, wanted):
    if wanted.identity == "25":
        time.sleep(600)
    return draw(drawer, wanted)

drawing.variant_of = stuck
import attnsolve.exams.printing
attnsolve.exams.printing.variant_of = stuck
"""
STUCK_GRADING = f"""
import sys
from attnsolve.grading import workers

workers.MARKER = (sys.executable, {str(ROOT / "tests/grading/misbehaving_marker.py")!r})
"""
RUN = "from attnsolve.cli import main; main()"
DRAW = Job("variants", ("variants", "problem.yaml", "-n", "45", "--seed", "3", "-o", "out", "-j", "2"))
GRADE = Job("grade", ("grade", "problem.yaml", "answers", "-o", "out/marks.csv", "-j", "2"))
STUCK = [(DRAW, STUCK_DRAWING, "out/lock.json.journal"), (GRADE, STUCK_GRADING, "out/marks.csv.journal")]

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are seen in /proc")


def stuck(room: Path, job: Job, program: str, journal: str) -> subprocess.Popen[bytes]:
    """A run whose workers are at work, some of which is kept, and will never be done."""
    process = subprocess.Popen(
        [sys.executable, "-c", program + RUN, *job.words],
        cwd=room,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=kill_runs.heed_everything,
    )
    wait_until(lambda: len(kill_runs.alive(process.pid)) == 3 and is_begun(room / journal), process)
    return process


def stopped(process: subprocess.Popen[bytes], how: signal.Signals) -> bytes:
    """What a run says that is asked to end; again, should Python lose what was raised in a callback."""
    until = time.monotonic() + PATIENCE
    while True:
        process.send_signal(how)
        try:
            return process.communicate(timeout=ASKED_AGAIN)[1]
        except subprocess.TimeoutExpired:
            assert time.monotonic() < until


def is_begun(journal: Path) -> bool:
    return journal.exists() and journal.stat().st_size > 0


def wait_until(is_so: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize(("job", "program", "journal"), STUCK, ids=[job.name for job, *_ in STUCK])
def test_a_run_that_is_stopped_takes_its_workers_along_and_the_next_one_goes_on(
    job: Job, program: str, journal: str, tmp_path: Path
) -> None:
    whole, room = made_room(tmp_path / "whole"), made_room(tmp_path / "room")
    for each in (whole, room):
        for name in ("sleep", "somebody", "somebody-else"):  # who comes later keeps the other worker waiting
            (each / "answers" / f"{name}.txt").write_text("S 1 2 3\n", "utf-8")
    run(whole, job)
    for how in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
        process = stuck(room, job, program, journal)
        said = stopped(process, how)
        assert [] == outliving(process.pid)
        is_asked = how != signal.SIGKILL
        assert (128 + how if is_asked else -how, GO_ON if is_asked else "") == (
            process.returncode,
            said.decode(),
        )
        names = [file.name for file in (room / "out").rglob("*") if kill_runs.is_unfinished(file)]
        assert not is_asked or [Path(journal).name] == names
    run(room, job)
    assert written(whole) == written(room)


@pytest.fixture
def heeded() -> Iterator[None]:
    """Signals are answered as usual, also where the tests themselves run under `nohup`."""
    known = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, before in known.items():
        signal.signal(number, before)


@pytest.mark.usefixtures("heeded")
def test_what_asks_again_at_once_is_answered_once_and_later_again() -> None:
    """`timeout` sends its signal to the process and to its group."""
    with heeding():
        with pytest.raises(AskedToEnd):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        time.sleep(AGAIN)
        with pytest.raises(AskedToEnd) as asked:
            signal.raise_signal(signal.SIGHUP)
    assert 129 == exit_code(asked.value)
    assert signal.SIG_DFL == signal.getsignal(signal.SIGTERM)


def test_who_ignores_a_closed_terminal_goes_on() -> None:
    """`nohup attnsolve …`."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with heeding():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
