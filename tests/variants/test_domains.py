"""What varies when a file does not say: numbers in the style of the original."""

import pytest
from variants.drawn import ATTEND, blueprint, small

from attnsolve.variants import Variant


def domains(data: str, *, vary: str = "", parts: str = ATTEND) -> dict[str, list[str]]:
    made = blueprint(vary, data=data, parts=parts)
    found = made.form(made.selections()[0]).domains
    return {name: [entry.text for entry in domain.entries] for name, domain in found.items()}


def given(K: str, *, q: str = "1 2", V: str = "1 0; 0 1; 2 3") -> str:
    return f"given:\n  q: {q}\n  K: {K}\n  V: {V}\n"


STYLES = {
    "whole numbers stay whole, within the range of the original": (
        "1 0; -3 1; 1 2",
        ["-3", "-2", "-1", "0", "1", "2"],
    ),
    "a range has -1 and 1 in it": ("0 1; 0 0; 1 1", ["-1", "0", "1"]),
    "halves stay halves": ("1/2 0; 0 1; 1 1", ["-1", "-1/2", "0", "1/2", "1"]),
    "and are spelled as in the original": ("0.5 0; 0 1; 1 1", ["-1", "-0.5", "0", "0.5", "1"]),
    "a range ends with a whole number": ("1.5 0; 0 1; 1 1", ["-1", "-0.5", "0", "0.5", "1", "1.5", "2"]),
    "quarters as decimals": (
        "0.25 0; 0 1; 1 1",
        ["-1", "-0.75", "-0.5", "-0.25", "0", "0.25", "0.5", "0.75", "1"],
    ),
    "thirds and halves": (
        "1/3 1/2; 0 1; 1 1",
        ["-1", "-2/3", "-1/2", "-1/3", "0", "1/3", "1/2", "2/3", "1"],
    ),
}


@pytest.mark.parametrize(("typed", "expected"), STYLES.values(), ids=STYLES)
def test_numbers_like_those_of_the_original(typed: str, expected: list[str]) -> None:
    assert expected == domains(given(typed))["K"]


STAYING = {
    "ones": ("ones(3x2)", ATTEND),
    "an identity": ("identity(2)", ATTEND),
    "a rule": ("fill(3x2, i + j)", ATTEND),
    "numbers that are not rational": ("ln(2) 0; 0 1; 1 1", ATTEND),
    "a given made from others": ("2*V", ATTEND),
}


@pytest.mark.parametrize(("typed", "parts"), STAYING.values(), ids=STAYING)
def test_what_is_made_by_rule_or_cannot_be_imitated_stays(typed: str, parts: str) -> None:
    values = "1 0; 0 3" if typed == "identity(2)" else "1 0; 0 1; 2 3"
    assert {"q", "V"} == set(domains(given(typed, V=values), parts=parts))


def test_a_mask_of_zeros_and_ones_is_left_alone() -> None:
    data = "given:\n  X: 1 2; 0 1; 1 1\n  M: 1 0 0; 1 1 0; 1 1 1\n"
    parts = "  - ask: What?\n    self_attention: {input: X, mask: {keep: M}}\n"
    assert {"X"} == set(domains(data, parts=parts))


def test_what_is_fixed_stays() -> None:
    assert {"q", "V"} == set(domains(given("1 0; 0 1; 1 1"), vary="fixed: K"))


def test_only_what_is_named_varies_once_something_is() -> None:
    assert {"q": ["-1", "0", "1"]} == domains(given("1 0; 0 1; 1 1"), vary="q: -1..1")


def drawn(data: str, parts: str = ATTEND) -> list[Variant]:
    drawer = small("", data=data, parts=parts)
    return [drawer.draw(str(number)) for number in range(5)]


def test_halves_are_drawn_and_written_as_in_the_original() -> None:
    texts = {
        word
        for variant in drawn(given("0.5 0; 0 1; 1 1", q="1/2 2"))
        for line in variant.text.splitlines()
        if line.startswith(("  q:", "  K:"))
        for word in line[5:].replace(";", " ").split()
    }
    assert {"0.5", "-0.5", "1/2"} & texts == texts - {"-2", "-1", "0", "1", "2", "-1/2", "3/2"}
    assert {"0.5", "-0.5"} & texts
    assert {"1/2", "-1/2", "3/2"} & texts


def test_a_given_made_from_others_follows_them() -> None:
    data = "given:\n  H: 1 2; 0 1; 1 -1; 2 1\n  h_4: H[4]\n  V: 1 0; 0 1; 2 3; 1 1\n"
    parts = "  - ask: What?\n    attend: {queries: h_4, keys: H, values: V}\n    allow: [ties]\n"
    seen = set()
    for variant in drawn(data, parts):
        givens = variant.problem.givens
        assert "  h_4: H[4]\n" in variant.text
        assert givens["H"].value.texts()[3] == givens["h_4"].value.texts()[0]
        # The query that was solved with is the new one: its scores are row 4 of H Hᵀ.
        rows = [[int(text) for text in row] for row in givens["H"].typed]
        scores = [sum(a * b for a, b in zip(rows[3], row, strict=True)) for row in rows]
        assert [str(score) for score in scores] == variant.trace.value("a.S").texts()[0]
        seen.add(givens["h_4"].value.texts()[0][0])
    assert len(seen) > 1
