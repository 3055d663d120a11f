"""Properties that are found out once and kept in their object."""

from __future__ import annotations

from attnsolve.found_once import found_once


class Asked:
    """Counts how often it had to look."""

    def __init__(self) -> None:
        self.looked = 0

    @found_once
    def answer(self) -> list[int]:
        """What it was asked for."""
        self.looked += 1
        return [self.looked]


def test_it_is_found_out_when_it_is_asked_for_and_once() -> None:
    asked = Asked()
    assert 0 == asked.looked
    assert asked.answer is asked.answer
    assert 1 == asked.looked


def test_each_object_has_its_own() -> None:
    first, second = Asked(), Asked()
    assert first.answer is not second.answer


def test_the_class_keeps_the_words_about_it() -> None:
    assert "What it was asked for." == Asked.answer.__doc__
