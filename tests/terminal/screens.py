"""A real terminal, in tmux: what a command shows on it, and keys that are pressed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


class Terminal:
    """A terminal of 80 columns and 50 lines, in which a command runs."""

    def __init__(self, tmux: str, command: str, *, environment: str = "") -> None:
        self.tmux, self.name = tmux, f"attnsolve-{os.getpid()}-{time.monotonic_ns()}"
        shell = (
            f"cd {ROOT} && env {environment} {sys.executable} -m attnsolve {command}; echo ended; sleep 100"
        )
        self.call("new-session", "-d", "-s", self.name, "-x", "80", "-y", "50", shell)

    def call(self, *arguments: str) -> str:
        """What tmux says to a command; its server is our own."""
        done = subprocess.run(
            [self.tmux, "-L", self.name, *arguments], capture_output=True, text=True, check=True
        )
        return done.stdout

    def screen(self, *, until: str, styles: bool = False) -> str:
        """What is on the screen as soon as some words are."""
        for _ in range(1_000):
            shown = self.call("capture-pane", "-p", *(["-e"] if styles else []), "-t", self.name)
            if until in shown:
                return shown
            time.sleep(0.2)
        pytest.fail(f"the terminal never said {until!r}: {shown}")

    def type(self, key: str) -> None:
        """Press a key."""
        self.call("send-keys", "-t", self.name, key)

    def enter(self, line: str) -> None:
        """Type a line, and Enter behind it."""
        self.call("send-keys", "-t", self.name, "-l", line)
        self.type("Enter")

    def close(self) -> None:
        self.call("kill-server")
