"""Promises name tests that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_test_that_holds_a_promise_is_there() -> None:
    page = (ROOT / "docs/guarantees.md").read_text("utf-8")
    named = set(re.findall(r"tests/[\w/]+(?:\.py)?", page))
    assert len(named) > 20
    assert [] == sorted(name for name in named if not (ROOT / name).exists())
