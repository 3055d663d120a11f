"""Workers that can be killed: each takes one piece at a time, has limits, and is replaced when it dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any

from attnsolve.errors import AttnsolveError
from attnsolve.grading.assignment import Assignment
from attnsolve.grading.graded import Graded, restored
from attnsolve.grading.hand_marks import HandMarks
from attnsolve.grading.pieces import Piece
from attnsolve.lifeline import result_of

# -P: nothing that lies in the current folder, where submissions may be, is ever imported.
MARKER = (sys.executable, "-P", "-m", "attnsolve.grading.marker")
# The system counts processor time. By the clock a piece may take many times as long when the machine is busy,
# and marks must not hang on that: the clock is there for what does nothing, and where nobody else counts.
PATIENCE = 60 if hasattr(signal, "setitimer") else 5
START = 600
# So many pieces are handed out ahead of the one that is waited for.
AHEAD = 8


class Died(Exception):
    """A worker has ended before it was done, and why."""


class Worker:
    """One long-lived process that reads and judges; started when it is needed."""

    def __init__(
        self, assignment: Assignment, by_hand: HandMarks | None = None, *, command: Sequence[str] = MARKER
    ) -> None:
        self.assignment = assignment
        self.by_hand = by_hand or HandMarks()
        self.command = command
        self.process: subprocess.Popen[bytes] | None = None
        self.is_closed = False

    def grade(self, piece: Piece, *, skip: int = 0) -> list[Graded]:
        """The marks of everybody in a piece from the `skip`th on; who kills the worker is undecided."""
        if piece.trouble and not self.by_hand.has_marks(piece.student):
            return [Graded(piece.source, piece.student, trouble=piece.trouble)]
        if piece.trouble:
            piece = marked_on_paper(piece)
        marks: list[Graded] = []
        again = False  # whether the next one is tried for the second time
        while True:
            before = len(marks)
            try:
                if again:  # it may only have met the first pair of mistakes, which is looked up from now on
                    self.prepare(self.assignment.code_of(piece))
                for kept in self.asked({"piece": piece._asdict(), "skip": skip + len(marks)}):
                    marks.append(restored(kept))
                return marks
            except Died as death:
                if self.is_closed:
                    return marks  # nobody waits for them any more
                again = not again or len(marks) > before
                if again:
                    continue
                name = piece.student or f"number {skip + len(marks) + 1} in {piece.source}"
                marks.append(Graded(piece.source, name, trouble=f"undecided ({death})"))
                if piece.is_single:
                    return marks

    def prepare(self, code: str) -> None:
        """Let the worker find out beforehand what takes long in a variant, outside the limit of an answer."""
        for _ in self.asked({"prepare": code}, seconds=START):
            pass

    def asked(self, order: dict[str, Any], *, seconds: float | None = None) -> Iterator[dict[str, Any]]:
        """The answers to one order; a worker that takes too long is killed."""
        if self.is_closed:
            raise Died("stopped")
        process = self.process or self.start()
        assert process.stdin is not None and process.stdout is not None
        patience = seconds or self.assignment.limits.answer_seconds * PATIENCE
        try:
            process.stdin.write(json.dumps(order).encode() + b"\n")
            process.stdin.flush()
        except OSError:
            raise Died(self.autopsy(late=False)) from None
        while True:
            line, late = read_line(process, patience)
            if not line.endswith(b"\n"):
                raise Died(self.autopsy(late=late))
            made = json.loads(line)
            if "memory" in made:
                self.stop()
                raise Died(self.out_of_memory)
            if "done" in made:
                return
            yield made

    @property
    def out_of_memory(self) -> str:
        """What is said when the memory limit was met."""
        return f"memory limit {self.assignment.limits.megabytes} MB"

    def start(self) -> subprocess.Popen[bytes]:
        """A new process that knows the assignment."""
        home = str(Path(__file__).parents[2])
        path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))
        self.process = process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert process.stdin is not None
        if self.is_closed:  # just now, by another thread
            self.stop()
            raise Died("stopped")
        try:
            told = {**self.assignment.record(), "by_hand": self.by_hand.record()}
            process.stdin.write(json.dumps(told).encode() + b"\n")
        except OSError:
            raise AttnsolveError("the process that grades does not start") from None
        return process

    def autopsy(self, *, late: bool) -> str:
        """Why the process has ended."""
        status = 0 if self.process is None else self.process.wait()
        self.stop()
        if late or -status in timer_signals():
            return f"time limit {self.assignment.limits.answer_seconds} s"
        return f"its worker crashed, or met the {self.out_of_memory}"

    def close(self) -> None:
        """End the process and start no other."""
        self.is_closed = True
        self.stop()

    def stop(self) -> None:
        """End the process, if there is one."""
        process, self.process = self.process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):  # something was still to be written
                    stream.close()


def marked_on_paper(piece: Piece) -> Piece:
    """Work that only a person can read, such as a scan, and has marks by hand: a blank script otherwise."""
    name = piece.student.replace('"', "")
    return piece._replace(
        text=f'@ "{name}"', form="compact", trouble="", remark=piece.trouble, is_identified=True
    )


def read_line(process: subprocess.Popen[bytes], patience: float) -> tuple[bytes, bool]:
    """The next line of a process, and whether it was killed because it took too long."""
    assert process.stdout is not None
    late = threading.Event()

    def end() -> None:
        late.set()
        process.kill()

    watch = threading.Timer(patience, end)
    watch.daemon = True
    watch.start()
    try:
        line = process.stdout.readline()
        return line, late.is_set()
    finally:
        watch.cancel()


def timer_signals() -> tuple[int, ...]:
    """The signals by which a system ends what has used up its time."""
    names = ("SIGPROF", "SIGVTALRM", "SIGXCPU", "SIGALRM")
    return tuple(int(getattr(signal, name)) for name in names if hasattr(signal, name))


class Workers:
    """Some workers, one thread each; marks come in the order of the pieces, whoever made them."""

    def __init__(
        self,
        assignment: Assignment,
        count: int = 1,
        by_hand: HandMarks | None = None,
        *,
        command: Sequence[str] = MARKER,
    ) -> None:
        self.all = [Worker(assignment, by_hand, command=command) for _ in range(count)]
        self.free: SimpleQueue[Worker] = SimpleQueue()
        for worker in self.all:
            self.free.put(worker)
        self.threads = ThreadPoolExecutor(count)

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.threads.shutdown(wait=kind is None, cancel_futures=True)
        for worker in self.all:
            worker.close()
        self.threads.shutdown()

    def grade(self, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, list[Graded]]]:
        """Every piece with its marks, in order."""
        waiting: deque[tuple[Piece, Future[list[Graded]]]] = deque()
        for piece in pieces:
            waiting.append((piece, self.threads.submit(self._grade, piece)))
            if len(waiting) > AHEAD * len(self.all):
                first, future = waiting.popleft()
                yield first, result_of(future)
        while waiting:
            first, future = waiting.popleft()
            yield first, result_of(future)

    def _grade(self, piece: Piece) -> list[Graded]:
        worker = self.free.get()
        try:
            return worker.grade(piece)
        finally:
            self.free.put(worker)
