"""What a problem comes to, as one hash: run by CPython and by the Python of browsers, and compared."""

import json
from hashlib import sha256

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.practice.browser import Desk
from attnsolve.practice.source import Source
from attnsolve.rendering import render


def fingerprints(texts: dict[str, str], drawn: list[str]) -> dict[str, str]:
    """Hashes of every problem's values and pages, of some variants, and of some verdicts."""
    made: dict[str, str] = {}
    for name, text in texts.items():
        trace = solve(loads(text, name=name))
        for to in ("json", "latex") if name in drawn else ("json",):
            made[f"{name} {to}"] = hashed(render(trace, to=to).text)
    for name in drawn:
        source = Source(texts[name], name)
        made[f"{name} drawn"] = hashed(source.drawer.draw("1").text)
        desk = Desk()
        json.loads(desk.handle(json.dumps({"kind": "open", "text": texts[name], "name": name})))
        values = [value for value in desk.drill.values if value.kind == "numbers"][:4]
        for value in values:
            cells = [["1"] * value.shape[1]] * value.shape[0]
            asked = {"kind": "wish", "wish": "answer", "name": value.name, "cells": cells}
            answer = json.loads(desk.handle(json.dumps(asked)))
            made[f"{name} {value.name}"] = hashed(answer["kept"] + json.dumps(answer["stands"]))
    return made


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()
