"""What a page asks of Python, and what it answers, without a browser."""

import json
from typing import Any

import pytest

from attnsolve.batch import find
from attnsolve.practice.browser import Desk

IST = find("ist-practical-10").read_text("utf-8")


def asked(desk: Desk, **message: Any) -> Any:
    return json.loads(desk.handle(json.dumps(message)))


@pytest.fixture(scope="module")
def desk() -> Desk:
    made = Desk()
    assert "body" in asked(made, kind="open", text=IST, name="ist")
    return made


def test_a_page_has_buttons_and_is_not_told_what_to_type(desk: Desk) -> None:
    hints = [asked(desk, kind="wish", wish="hint", name="a.T") for _ in range(4)]
    said = [one["html"] for one in hints[-1]["said"]]
    assert "That was the last hint." == said[-1]
    assert not any("“show”" in one for one in said)
    assert {"right": 0, "total": 19} == hints[-1]["score"]
    assert "0 of 19 values are right." == hints[-1]["progress"]


def test_numbers_of_a_map_are_read_as_everywhere(desk: Desk) -> None:
    cells = [["1/2", "0,25", "25 %", "2/3"], ["-1", "7", "", "x"]]
    assert [[50, 25, 25, 67], [0, 100, None, None]] == asked(desk, kind="shares", cells=cells)["shares"]


def test_a_class_has_the_numbers_of_its_seed_and_a_link_those_of_its_variant() -> None:
    def opened(**more: Any) -> str:
        desk = Desk()
        assert "faults" not in asked(desk, kind="open", text=IST, name="ist", **more)
        return str(desk.drill.trace.problem.givens["X"].typed)

    own, first = opened(), opened(variant=1)
    seeded = opened(variant=1, seed=2026)
    assert 4 == len({own, first, seeded, opened(variant=1, seed=0)})
    assert seeded == opened(variant=1, seed=2026)


def test_words_are_kept_also_when_the_answer_is_looked_at() -> None:
    desk = Desk()
    asked(desk, kind="open", text=find("one-key").read_text("utf-8"), name="one-key")
    asked(desk, kind="wish", wish="answer", name="a", cells=[["because"]])
    answer = asked(desk, kind="wish", wish="show", name="a")
    assert "shown" == answer["stands"]["a"]
    assert [["because"]] == json.loads(answer["kept"])["values"]["a"]["cells"]
    assert "" == answer["progress"]  # nothing there can be right or wrong


# With q = c k_j and orthonormal keys the exponents are c/√d for key j and 0 for the m - 1 others.
@pytest.mark.parametrize(
    ("claim", "tone", "said"),
    [
        ("alpha_j = exp(c/sqrt(d))/(exp(c/sqrt(d)) + m - 1)", "good", "this is true."),
        ("alpha_i = 1/(exp(c/sqrt(d)) + m - 1) for i ≠ j", "good", "this is true."),
        ("alpha_j = exp(c/sqrt(d))/(exp(c/sqrt(d)) + m)", "bad", "this is false."),
        ("alpha_j = alpha_i", "note", "this is true only under a condition."),  # i = j
        ("it looks at key j", "note", "Nobody judges this."),
    ],
)
def test_claims_about_symbols_are_judged(claim: str, tone: str, said: str) -> None:
    desk = Desk()
    opened = asked(desk, kind="open", text=find("one-key").read_text("utf-8"), name="one-key")
    assert 6 == opened["body"].count('data-wish="answer"')
    [only] = asked(desk, kind="wish", wish="answer", name="a", cells=[[claim]])["said"]
    assert tone == only["tone"]
    assert only["html"].endswith(said)


def test_letters_in_matrices_are_refused() -> None:
    answer = asked(Desk(), kind="open", text=find("unknown-in-a-key").read_text("utf-8"), name="unknown")
    assert "'unknown' has letters in its matrices, which cannot be practised" == answer["faults"][0]["said"]


def test_faults_are_told_with_their_places() -> None:
    answer = asked(Desk(), kind="open", text=IST.replace("places:", "plces:"), name="ist")
    line = IST[: IST.index("places:")].count("\n") + 1
    assert [(line, 1)] == [(fault["line"], fault["column"]) for fault in answer["faults"]]
    assert answer["faults"][0]["said"].startswith(f"{line}:1: unknown key 'plces'")
