"""Letters of options as people write them."""

import pytest

from attnsolve.verifier.reading.letters import are_ticks, read_letters


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("B", "B"),
        ("b", "B"),
        (" B ", "B"),
        ("B)", "B"),
        ("(B)", "B"),
        ("[b]", "B"),
        ("B.", "B"),
        ("**B**", "B"),
        ("'B'", "B"),
        ("option B", "B"),
        ("Answer: B", "B"),
        ("A, C", "AC"),
        ("C,A", "AC"),
        ("A and C", "AC"),
        ("A & C", "AC"),
        ("A; C", "AC"),
        ("A C", "AC"),
        ("a, c", "AC"),
        ("AC", "AC"),
        ("(A), (C)", "AC"),
        ("H", "H"),
        ("", ""),
        ("I", ""),
        ("2", ""),
        ("AA", ""),
        ("A, A", ""),
        ("D b C", ""),
        ("bad", ""),
        ("ac", ""),
        ("B because", ""),
        ("A or C", ""),
        ("not B", ""),
        ("~B", ""),
        ("B" * 1000, ""),
        ("A, " * 1000, ""),
    ],
)
def test_letters_are_read_and_nothing_is_guessed(text: str, letters: str) -> None:
    assert letters == read_letters(text)


@pytest.mark.parametrize(
    ("text", "ticks"),
    [
        (" A, C", True),
        ("B)", True),
        (" B", True),
        ("", False),
        ("S 1 2", False),
        ("1 2", False),
        ("bad", False),
    ],
)
def test_a_line_of_letters_is_told_from_others(text: str, ticks: bool) -> None:
    assert ticks is are_ticks(text)
