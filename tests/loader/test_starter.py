"""The starter file: short, commented, and solved at once."""

import pytest

from attnsolve.engine import solve
from attnsolve.errors import AttnsolveError
from attnsolve.loader import loads
from attnsolve.loader.starter import starter
from attnsolve.published import judge


def test_the_starter_loads_and_solves() -> None:
    trace = solve(loads(starter("my-first-exercise")))
    assert "My first exercise" == trace.problem.title
    # Q = (1 2; 0 1; 1 3) and K = (1 0; 1 1; 2 1), worked by hand.
    assert [["1", "3", "4"], ["0", "1", "1"], ["1", "4", "5"]] == trace.value("a.S").texts()
    assert [["0", "0", "1"], ["0", "1/2", "1/2"], ["0", "0", "1"]] == trace.value("b.A").texts()


def test_the_starter_explains_itself_on_one_page() -> None:
    lines = starter("x").splitlines()
    assert len(lines) < 40
    assert max(map(len, lines)) <= 110
    assert sum("#" in line for line in lines) >= 10


def test_what_the_comments_offer_works_too() -> None:
    lines = starter("x").splitlines()
    offers = [
        line
        for line in lines
        if line.lstrip().startswith(("# labels:", "# symbols:", "# round:", "# published:"))
    ]
    assert 4 == len(offers)
    text = "\n".join(line.replace("# ", "", 1) if line in offers else line for line in lines)
    trace = solve(loads(text))
    assert {"": ("the", "cat", "sat")} == trace.problem.labels
    assert all(finding.fit.is_fine for finding in judge(trace, trace.problem.parts[0]))


@pytest.mark.parametrize("name", ["", "A", "a b", "a/b", "../a", "é", "a.yaml", "x" * 81, "con", "lpt1"])
def test_names_that_no_file_system_likes_are_refused(name: str) -> None:
    with pytest.raises(AttnsolveError):
        starter(name)
