"""Marks as people write them: 2, 1½, ⅔; tables and programs have decimals instead."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from attnsolve.languages import decimal, translated, translated_count

# Every fraction that has a sign of its own; the rest would be harder to read than two decimals.
SIGNS = {
    Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(1, 4): "¼", Fraction(3, 4): "¾",
    Fraction(1, 5): "⅕", Fraction(2, 5): "⅖", Fraction(3, 5): "⅗", Fraction(4, 5): "⅘", Fraction(1, 6): "⅙",
    Fraction(5, 6): "⅚", Fraction(1, 8): "⅛", Fraction(3, 8): "⅜", Fraction(5, 8): "⅝", Fraction(7, 8): "⅞",
}  # fmt: skip


def in_figures(marks: Fraction) -> str:
    """2, 1½, ⅔, or 0.29 where a fraction has no sign."""
    whole, rest = divmod(marks, 1)
    if not rest:
        return str(whole)
    if rest in SIGNS:
        return f"{whole or ''}{SIGNS[rest]}"
    hundredths = int(marks * 100 + Fraction(1, 2))
    return decimal(f"{hundredths // 100}.{hundredths % 100:02d}")


def out_of(earned: Fraction, possible: Fraction) -> str:
    """`1½ of 2`."""
    return translated("{earned} of {possible}", earned=in_figures(earned), possible=in_figures(possible))


def in_words(marks: Fraction) -> str:
    """`1 mark`, `⅔ mark`, `1½ marks`."""
    # Half a mark is one, and one and a half are several.
    return translated_count("{marks} mark", "{marks} marks", ceil(marks), marks=in_figures(marks))
