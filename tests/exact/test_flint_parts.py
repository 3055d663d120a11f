"""Our numbers load a part of flint; whoever else wants flint in the same process has all of it."""

from __future__ import annotations

import subprocess
import sys

import pytest

PARTLY = "import sys, attnsolve.exact; print('flint.types.nmod' in sys.modules)"
ASKED = "import attnsolve.exact, flint; print(flint.nmod(3, 5), flint.arb is attnsolve.exact.flint_parts.arb)"
STARRED = "import attnsolve.exact; from flint import *; print(nmod(3, 5), acb(1).is_exact())"
UNKNOWN = "import attnsolve.exact, flint; print(hasattr(flint, 'nothing'), hasattr(flint, 'nmod'))"
BEFORE = (
    "import flint, attnsolve.exact; print(type(flint).__name__, flint.arb is attnsolve.exact.flint_parts.arb)"
)
AT_ONCE = """
from concurrent.futures import ThreadPoolExecutor
import attnsolve.exact, flint
with ThreadPoolExecutor(8) as threads:
    print(len(set(threads.map(lambda _: flint.fq_default_poly, range(8)))))
"""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (PARTLY, "False"),
        (ASKED, "3 True"),
        (STARRED, "3 True"),
        (UNKNOWN, "False True"),
        (BEFORE, "module True"),
        (AT_ONCE, "1"),
    ],
)
def test_flint_is_loaded_in_part_and_whole_for_others(code: str, said: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (said, "") == (done.stdout.strip(), done.stderr)
