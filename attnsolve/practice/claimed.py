"""Claims about symbols in an answer in words: each is judged, and it is never said what would be right."""

from __future__ import annotations

from collections.abc import Iterator

from attnsolve.claims.judging import judge_line
from attnsolve.claims.verdict import Verdict, worst
from attnsolve.errors import AttnsolveError
from attnsolve.languages import message
from attnsolve.practice.drill import Drill, Value
from attnsolve.practice.events import Said, Tone
from attnsolve.rendering.text import say

MOST_LINES = 20  # are judged of one answer
SAID = {
    Verdict.TRUE: (Tone.GOOD, message("{claim}: this is true.")),
    Verdict.CONDITIONAL: (Tone.NOTE, message("{claim}: this is true only under a condition.")),
    Verdict.APPROXIMATE: (Tone.NOTE, message("{claim}: this is true only approximately.")),
    Verdict.FALSE: (Tone.BAD, message("{claim}: this is false.")),
    Verdict.UNDECIDED: (Tone.NOTE, message("{claim}: this could not be decided.")),
}


def claims_judged(drill: Drill, value: Value, text: str) -> Iterator[Said]:
    """The verdict on every line that is a claim; other lines are words, which nobody judges."""
    assumptions, asked = drill.trace.problem.assumptions, value.part.abstract
    if assumptions is None or asked is None:
        return
    for line in [line.strip() for line in text.splitlines() if line.strip()][:MOST_LINES]:
        try:
            found = judge_line(line, assumptions, asked.attention)
        except AttnsolveError:
            continue
        tone, words = SAID[worst(found)]
        yield Said(tone, say(words, claim=line))
