"""Codes: decided by key and identity, none twice, none that somebody or something misreads."""

import pytest

from attnsolve.exams.codes import fresh_code, is_fit
from attnsolve.variants import key_of_seed

KEY = key_of_seed(1)


def test_a_taken_code_gives_way_to_the_next_of_its_stream() -> None:
    first = fresh_code(KEY, "p", 1, "17", ())
    second = fresh_code(KEY, "p", 1, "17", {first})
    assert first != second == fresh_code(KEY, "p", 1, "17", {first, "2222"})
    assert first == fresh_code(KEY, "p", 1, "17", {second})


def test_another_problem_version_or_key_gives_another_code() -> None:
    codes = {
        fresh_code(KEY, "p", 1, "17", ()),
        fresh_code(KEY, "q", 1, "17", ()),
        fresh_code(KEY, "p", 2, "17", ()),
        fresh_code(key_of_seed(2), "p", 1, "17", ()),
    }
    assert 4 == len(codes)


@pytest.mark.parametrize(
    ("code", "fit"),
    [("K7Q2", True), ("22E4", False), ("2345", False), ("MAR5", False), ("WXYZ", False), ("E234", True)],
)
def test_codes_that_are_words_numbers_or_dates_are_passed_over(code: str, fit: bool) -> None:
    assert fit == is_fit(code)
