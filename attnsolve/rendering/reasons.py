"""Reasons in the language of the reader."""

from __future__ import annotations

from attnsolve.languages import translated
from attnsolve.reasons import Reason


def reason_words(why: Reason | str) -> str:
    """Why something could not be read or decided; a text stays as it is."""
    if isinstance(why, str):
        return why
    return translated(why.text, **{name: placed(value) for name, value in why.places})


def placed(value: str | int | Reason) -> str | int:
    """What stands at a place of a reason."""
    return reason_words(value) if isinstance(value, Reason) else value
