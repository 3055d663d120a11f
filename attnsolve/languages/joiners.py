"""Characters that nobody sees and that some scripts need: they join letters, or keep them apart (Persian)."""

from __future__ import annotations

import re

JOINERS = "\u200c\u200d"
# Arabic, the scripts of India and their neighbours.
JOINED = r"\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\ua840-\ua8ff\ufb50-\ufdff\ufe70-\ufefc"
STRAY = f"(?<![{JOINED}{JOINERS}])[{JOINERS}]+"


def without_stray_joiners(text: str) -> str:
    """A text in which joiners stand only behind letters that they mean something for."""
    return re.sub(STRAY, "", text)
