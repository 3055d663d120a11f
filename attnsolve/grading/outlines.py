"""What all reports on a problem have in common, kept once in a journal: its steps, their titles and marks."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from attnsolve.report import Verdict

# A step, its title, and what it is worth.
Outline = list[list[str]]
NOTHING = {"verdict": str(Verdict.NOT_WRITTEN), "earned": "0"}


class Outlines:
    """The outlines that a journal has, by their hashes."""

    def __init__(self) -> None:
        self.known: dict[str, Outline] = {}

    def shortened(self, report: dict[str, Any]) -> dict[str, Any]:
        """The record of a report with the hash of its outline, and only those steps that were written."""
        outline = [[step["name"], step.get("title", ""), step["possible"]] for step in report["steps"]]
        key = sha256(json.dumps(outline).encode()).hexdigest()[:16]
        self.known[key] = outline
        steps = {step["name"]: found for step in report["steps"] if (found := own(step)) != NOTHING}
        return {**report, "outline": key, "steps": steps}

    def whole(self, report: dict[str, Any]) -> dict[str, Any]:
        """The record that was shortened."""
        steps = [
            {**report["steps"].get(name, NOTHING), "name": name, "title": title, "possible": possible}
            for name, title, possible in self.known[report["outline"]]
        ]
        return {**{key: item for key, item in report.items() if key != "outline"}, "steps": steps}


def own(step: dict[str, Any]) -> dict[str, Any]:
    """What the record of a step has besides its outline."""
    return {name: value for name, value in step.items() if name not in ("name", "title", "possible")}
