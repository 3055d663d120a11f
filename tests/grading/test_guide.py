"""What docs/grading.md shows about marks by hand is understood."""

import re
from pathlib import Path

from attnsolve import batch
from attnsolve.grading.hand_marks import read_hand_marks
from attnsolve.verifier.verification import Verifier

GUIDE = Path(__file__).parents[2] / "docs" / "grading.md"


def test_example_of_marks_by_hand_is_read(tmp_path: Path) -> None:
    section = GUIDE.read_text(encoding="utf-8").partition("## Marks by hand")[2]
    block = re.search(r"```\n(.*?)```", section, re.DOTALL)
    assert block is not None
    file = tmp_path / "hand.txt"
    file.write_text(block[1], encoding="utf-8")
    placing = Verifier(batch.solved(batch.find("ist-practical-10"))).placing
    work = read_hand_marks(file, lambda _: placing, lambda name: name).of("1234567")
    assert work is not None
    assert [("a.A", "1/2", "method clear"), ("a.Z", "1", "appeal of 2026-03-02: the lecture allowed it")] == [
        (mark.name, mark.marks, mark.told) for mark in work.marks[:2]
    ]
    assert ("b.A", "") == work.marks[2][:2]
    assert (True, 1) == (work.is_seen, len(work.remarks))
