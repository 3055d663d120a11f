"""The languages that sheets are printed in: their sentences, and how they write numbers and quotations.

Sentences stand in the source in English, whole, with named places. `make messages` gathers them into
catalogues, which the standard library's gettext reads; English needs none.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from attnsolve.records import NamedTuple

if TYPE_CHECKING:
    from gettext import GNUTranslations

CATALOGUES = Path(__file__).parent / "catalogues"
PLACE = re.compile(r"\{(\w+)\}")  # of a sentence
DECIMAL_POINT = re.compile(r"(?<=\d)\.(?=\d)")


class Language(NamedTuple):
    """A language, and what of its typography differs from the others'."""

    code: str  # as files and `--lang` have it
    name: str  # as its speakers call it
    hyphenation: str  # as LaTeX's babel calls it
    decimal_comma: bool
    quotes: tuple[str, str]
    capital_nouns: bool = False

    @property
    def separator(self) -> str:
        """What stands between the numbers of a vector."""
        return ";" if self.decimal_comma else ","


ENGLISH = Language("en", "English", "english", decimal_comma=False, quotes=("“", "”"))
LANGUAGES = (
    ENGLISH,
    Language("de", "Deutsch", "ngerman", decimal_comma=True, quotes=("„", "“"), capital_nouns=True),
    Language("pt", "português", "portuguese", decimal_comma=True, quotes=("«", "»")),
    Language("fr", "français", "french", decimal_comma=True, quotes=("«\u00a0", "\u00a0»")),
)
LANGUAGES_BY_CODE = {language.code: language for language in LANGUAGES}
CODES = tuple(LANGUAGES_BY_CODE)

_spoken: ContextVar[Language] = ContextVar("language", default=ENGLISH)
_reworded: ContextVar[Mapping[str, str]] = ContextVar("rewording", default=MappingProxyType({}))


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Everything said inside is said in that language."""
    token = _spoken.set(LANGUAGES_BY_CODE[code])
    try:
        yield
    finally:
        _spoken.reset(token)


def spoken() -> Language:
    """The language that is spoken now."""
    return _spoken.get()


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(code: str) -> GNUTranslations:
    """The sentences of a language other than English."""
    from gettext import GNUTranslations

    with (CATALOGUES / f"{code}.mo").open("rb") as file:
        return GNUTranslations(file)


@contextmanager
def rewording(words: Mapping[str, str]) -> Iterator[None]:
    """Everything said inside has these words for those sentences, whatever the language."""
    token = _reworded.set(words)
    try:
        yield
    finally:
        _reworded.reset(token)


def own_words() -> Mapping[str, str]:
    """The words of whoever prints now, in place of ours."""
    return _reworded.get()


def message(text: str) -> str:
    """A sentence that stands in a table and is translated where it is printed: the text itself."""
    return text


def counted_message(one: str, many: str) -> tuple[str, str]:
    """The same for a sentence about a number of things: of one thing, of several."""
    return one, many


def template(text: str) -> str:
    """A sentence in the spoken language, with its places still open."""
    language = _spoken.get()  # asked for on every line
    return text if language is ENGLISH or not text else catalogue(language.code).gettext(text)


def counted_template(one: str, many: str, count: int) -> str:
    """The form of a sentence that the spoken language has for this number of things, places still open."""
    language = spoken()
    if language is ENGLISH:
        return one if count == 1 else many
    return catalogue(language.code).ngettext(one, many, count)


def worded(text: str, places: Container[str]) -> str:
    """A sentence in the words of whoever prints it, else as the spoken language has it, places still open.

    Own words that need another place are not for this page.
    """
    reworded, language = _reworded.get(), _spoken.get()
    own = reworded.get(text) if reworded else None
    if own and all(name in places for name in PLACE.findall(own)):
        return own
    return text if language is ENGLISH else template(text)


def worded_count(one: str, many: str, count: int, places: Container[str]) -> str:
    """The same for a number of things."""
    usual = one if count == 1 else many
    own = worded(usual, places) if usual in _reworded.get() else usual
    return own if own != usual else counted_template(one, many, count)


def translated(text: str, /, **places: object) -> str:
    """A sentence in the spoken language, with its named places filled in."""
    said = worded(text, places)
    return said.format(**places) if places else said


def translated_count(one: str, many: str, count: int, /, **places: object) -> str:
    """The same for a number of things; `{count}` is that number."""
    places = {"count": count, **places}
    return worded_count(one, many, count, places).format(**places)


def decimal(text: str) -> str:
    """Numbers in plain text with the decimal sign of the spoken language: 0.5 or 0,5."""
    return DECIMAL_POINT.sub(",", text) if spoken().decimal_comma else text


def decimal_maths(source: str) -> str:
    """The same in maths markup, where a bare comma would be followed by a space: 0.5 or 0{,}5."""
    return DECIMAL_POINT.sub("{,}", source) if _spoken.get().decimal_comma else source


def lowered(title: str) -> str:
    """A title inside a sentence, where most languages have no capital."""
    return title if spoken().capital_nouns else title[:1].lower() + title[1:]


def quoted(text: str) -> str:
    """A text in the quotation marks of the spoken language."""
    before, after = spoken().quotes
    return f"{before}{text}{after}"
