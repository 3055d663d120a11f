"""Records that are loaded when somebody wants them."""

import subprocess
import sys

import pytest

from attnsolve.shelf import Shelf

NUMBERS: Shelf[object] = Shelf(
    "concurrent", {"one": "futures.FIRST_COMPLETED", "all": "futures.ALL_COMPLETED"}
)


def test_a_record_is_what_its_file_has() -> None:
    assert "FIRST_COMPLETED" == NUMBERS["one"]
    assert ["FIRST_COMPLETED", "ALL_COMPLETED"] == list(NUMBERS.values())


def test_names_are_there_before_anything_is_loaded() -> None:
    nowhere: Shelf[object] = Shelf("attnsolve", {"a": "no_such_file.A"})
    assert (["a"], 1, True, False) == (list(nowhere), len(nowhere), "a" in nowhere, "b" in nowhere)
    assert nowhere.get("b") is None
    with pytest.raises(ModuleNotFoundError):
        nowhere["a"]


def test_an_op_is_loaded_when_it_is_wanted_and_not_before() -> None:
    code = (
        "import sys; from attnsolve.ops import OPS_BY_NAME; names = list(OPS_BY_NAME);"
        "before = 'attnsolve.ops.sparsemax' in sys.modules; OPS_BY_NAME['sparsemax'];"
        "print(len(names) > 80, before, 'attnsolve.ops.sparsemax' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "True False True" == done.stdout.strip()
