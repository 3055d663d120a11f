"""Reasons that are read back from kept files: whole, or refused."""

import json

import pytest

from attnsolve.reasons import Reason, as_typed, in_exercise, on_line
from attnsolve.stored import Unsuitable
from attnsolve.stored.reasons import WHY

REASONS = [as_typed("1"), on_line(3, "S", as_typed("?")), in_exercise(2, on_line(3, "S", as_typed("?")))]


@pytest.mark.parametrize("why", REASONS, ids=str)
def test_a_reason_is_read_back_as_it_was(why: Reason) -> None:
    assert why == WHY.read(json.loads(json.dumps(why)))


def test_older_files_have_only_the_words() -> None:
    assert "line 3: S: ?" == str(WHY.read("line 3: S: ?"))


HOSTILE = [
    7,
    [],
    ["x", {}],
    ["x", [["a"]]],
    ["{a.__class__}", [["a", "1"]]],
    ["{a!r:>99999999}", [["a", "1"]]],
    ["{b}", [["a", "1"]]],
    ["{", []],
    ["{a}", [["a", ["{", []]]]],
]


@pytest.mark.parametrize("kept", HOSTILE, ids=json.dumps)
def test_what_is_no_reason_is_refused(kept: object) -> None:
    with pytest.raises(Unsuitable):
        WHY.read(kept)
