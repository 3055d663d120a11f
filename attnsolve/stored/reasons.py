"""Reasons in kept files: as data, so that they can be told in any language later."""

from __future__ import annotations

import re

from attnsolve.languages import PLACE
from attnsolve.reasons import Reason, as_typed
from attnsolve.stored.kinds import TEXT, Way, expected


class Why:
    """A reason as JSON has it; older files have only its words."""

    def read(self, value: object, way: Way = ()) -> Reason:
        """The reason with all that stands in it."""
        if isinstance(value, str):
            return as_typed(TEXT.read(value, way))
        if not isinstance(value, list) or len(value) != 2 or not isinstance(value[1], list):
            raise expected(way, "a reason")
        places = tuple(self.place(one, way) for one in value[1])
        text, names = TEXT.read(value[0], way), {name for name, _ in places}
        # Nothing but the places is ever filled in.
        if re.search(r"[{}]", PLACE.sub("", text)) or not names.issuperset(PLACE.findall(text)):
            raise expected(way, "a sentence with its places")
        return Reason(text, places)

    def place(self, value: object, way: Way) -> tuple[str, str | int | Reason]:
        """A place by its name, and what stands there."""
        if not isinstance(value, list) or len(value) != 2:
            raise expected(way, "a place of a sentence")
        name, filling = TEXT.read(value[0], way), value[1]
        if isinstance(filling, list):
            return name, self.read(filling, way)
        return name, filling if isinstance(filling, int) else TEXT.read(filling, way)


WHY = Why()
