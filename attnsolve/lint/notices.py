"""What is said about a problem file: a fault, a code, and how grave it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from attnsolve.errors import Fault


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to say about a file; a notice with exit code 0 is only a hint."""

    fault: Fault
    code: str
    exit_code: int

    def record(self) -> dict[str, Any]:
        """The notice for programs."""
        return {**self.fault._asdict(), "code": self.code}
