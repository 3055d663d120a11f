"""Every printed sentence lives in the catalogues; each language has all of them, with the same places."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from attnsolve.languages import (
    CATALOGUES,
    ENGLISH,
    LANGUAGES,
    decimal,
    decimal_maths,
    lowered,
    quoted,
    speaking,
    translated,
    translated_count,
)
from attnsolve.rendering.text import formula, listed, say
from tools.messages import gathered

OTHERS = [language.code for language in LANGUAGES if language is not ENGLISH]
WORDS_IN_MATHS = re.compile(r"\\text\{[^{}]*\}")


def kept(code: str) -> Catalog:
    with (CATALOGUES / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


sentences = cache(gathered)


def forms(message: Message) -> tuple[list[str], list[str]]:
    """The English forms of a sentence, and those of the language."""
    if message.pluralizable:
        return list(message.id), list(message.string)
    return [str(message.id)], [str(message.string)]


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("code", OTHERS)
def test_catalogues_hold_just_the_sentences_that_there_are(code: str) -> None:
    """`make messages` was run after the last change of a sentence."""
    assert {str(one.id) for one in sentences() if one.id} == {str(one.id) for one in kept(code) if one.id}


@pytest.mark.parametrize("code", OTHERS)
def test_compiled_catalogues_are_those_that_people_edit(code: str) -> None:
    compiled = BytesIO()
    write_mo(compiled, kept(code))
    assert compiled.getvalue() == (CATALOGUES / f"{code}.mo").read_bytes()


@pytest.mark.parametrize("code", OTHERS)
def test_translations_have_the_places_of_the_english_sentence(code: str) -> None:
    wrong = []
    for message in kept(code):
        if not message.id:
            continue
        english, own = forms(message)
        if r"\text{" in english[0]:
            # A formula: everything but its words is the same.
            fine = WORDS_IN_MATHS.sub("", english[0]) == WORDS_IN_MATHS.sub("", own[0])
        else:
            wanted = set().union(*map(places, english))
            # A form for one thing may say "one" instead of its number.
            fine = all(wanted - {"count"} <= places(text) <= wanted for text in own)
        wrong += [] if fine else [message.id]
    assert [] == wrong


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_is_translated(code: str) -> None:
    missing = [one.id for one in kept(code) if one.id and not all(forms(one)[1])]
    assert [] == missing


def test_sentences_put_words_and_maths_where_the_language_has_them() -> None:
    said = listed([formula("a"), (False, "b"), formula("c")])
    assert ((True, "a"), (False, ", b and "), (True, "c")) == said
    assert ((False, "Source: “x {y}”"),) == say("Source: {source}", source="“x {y}”")


@pytest.mark.parametrize(
    ("code", "number", "maths", "word"),
    [
        ("en", "0.5 of 12", r"x = 0.5", "“so”"),
        ("de", "0,5 of 12", r"x = 0{,}5", "„so“"),
        ("pt", "0,5 of 12", r"x = 0{,}5", "«so»"),
        ("fr", "0,5 of 12", r"x = 0{,}5", "«\u00a0so\u00a0»"),
    ],
)
def test_numbers_and_quotations_are_written_as_the_language_does(
    code: str, number: str, maths: str, word: str
) -> None:
    with speaking(code):
        assert (number, maths, word) == (decimal("0.5 of 12"), decimal_maths("x = 0.5"), quoted("so"))


def test_a_language_is_spoken_until_its_block_ends() -> None:
    with pytest.raises(ZeroDivisionError), speaking("de"):
        raise ZeroDivisionError
    assert "0.5" == decimal("0.5")


def test_one_thing_and_several_have_their_own_forms() -> None:
    assert "1 place" == translated_count("{count} place", "{count} places", 1)
    assert "0 places" == translated_count("{count} place", "{count} places", 0)


def test_german_nouns_keep_their_capital() -> None:
    assert "softmax" == lowered("Softmax")
    with speaking("de"):
        assert "Softmax" == lowered("Softmax")


def test_a_name_with_braces_is_no_place() -> None:
    """A lecturer's words are never read as a sentence of ours."""
    assert "{count}" == translated("{part}", part="{count}")
