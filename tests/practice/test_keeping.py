"""Progress is kept and taken up again; what is not ours is refused with a reason."""

import json
from typing import Any

import pytest
from practice.scenes import Scene, drill

from attnsolve.practice.keeping import Foreign, kept, restored, variant_of
from attnsolve.practice.session import opened

IST, DIGEST = "ist-practical-10", "d"


def record(**changes: Any) -> str:
    made = json.loads(kept(Scene(IST, "-4.5 0 4.5 0", "hint", "4.5 0 4.5 0", "4.5 0 4.5 0").progress, DIGEST))
    return json.dumps(made | changes)


def test_what_was_kept_is_taken_up() -> None:
    scene = Scene(IST, "-4.5 0 4.5 0", "hint", "4.5 0 4.5 0", "4.5 0 4.5 0", "b.Q ½ 1; 2 3; 4 5; 6 7")
    again = restored(kept(scene.progress, DIGEST), DIGEST, drill(IST))
    assert scene.progress == again
    assert "You go on where you left." in str(opened(drill(IST), again).said)
    assert 0 == variant_of(kept(scene.progress, DIGEST), DIGEST)


def value(**changes: Any) -> dict[str, Any]:
    usual = {"cells": [], "tries": 0, "hints": 0, "helped": 0, "shown": False, "mistakes": []}
    return {"a.S": usual | changes}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not valid JSON: expecting value .line 1, column 1"),
        ('{"schema": 1,\n "at": }', "not valid JSON: expecting value .line 2, column 8"),
        ("[" * 100_000, "nested too deep"),
        ('{"schema": 1, "schema": 1}', "the key 'schema' stands twice in one map"),
        ("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n", "what version control leaves"),
        ("[]", "no progress"),
        ("1" * 1_000_001, "longer"),
        (record(schema=99), "no progress of this release"),
        (record(problem="e"), "another exercise"),
        (record(variant=-1), "'variant'"),
        (record(variant=True), "'variant'"),
        (record(variant=10**12), "'variant'"),
        (record(at="z.Z"), "at a value"),
        (record(at=["a.S"]), "at a value"),
        (record(values=[]), "no list"),
        (record(values={"z.Z": {}}), "does not have"),
        (record(values={"a.S": 1}), "does not have"),
        (record(values=value(cells=[["1", "2"]])), "columns"),
        (record(values=value(cells=[["1"] * 4] * 2)), "rows"),
        (record(values=value(cells=[[1, 2, 3, 4]])), "nobody can have typed"),
        (record(values=value(cells=[["\x1b[31m", "", "", ""]])), "nobody can have typed"),
        (record(values=value(cells=[["9" * 100_000, "", "", ""]])), "nobody can have typed"),
        (record(values=value(tries="many")), "'tries'"),
        (record(values=value(hints=9)), "'hints'"),
        (record(values=value(mistakes=["x"] * 1000)), "too long"),
        (record(rounds=[[1, 2]]), "round"),
        (record(rounds=[[1, 2, 3, 4]]), "list"),
    ],
)
def test_what_is_not_ours_is_refused(text: str, why: str) -> None:
    with pytest.raises(Foreign, match=why):
        restored(text, DIGEST, drill(IST))
