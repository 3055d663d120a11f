"""Logos and what is filled in, as documents show them."""

from __future__ import annotations

from typing import NamedTuple

from attnsolve.errors import AttnsolveError
from attnsolve.languages import message, translated
from attnsolve.letterhead import CoverField, Letterhead
from attnsolve.prose import blocks
from attnsolve.prose.tree import Blocks
from attnsolve.rendering.dialects import DIALECTS_BY_NAME
from attnsolve.rendering.pictures import embedded, version_for
from attnsolve.rendering.text import Segments, say

LABELS = {
    CoverField.NAME: message("Name"),
    CoverField.ID: message("Number"),
    CoverField.SEAT: message("Seat"),
    CoverField.SIGNATURE: message("Signature"),
}
DECLARATION = message("This is my own work, done with permitted aids only.")


class LogoView(NamedTuple):
    """A logo in a document: a file beside it."""

    file: str
    alt: str
    height: int  # millimetres


class FieldView(NamedTuple):
    """A line that is filled in, or a declaration that is signed."""

    kind: str
    label: Segments = ()
    words: Blocks = ()


def logo_view(letterhead: Letterhead, to: str) -> LogoView | None:
    """The version of a logo that a format can show."""
    logo = letterhead.logo
    if logo is None:
        return None
    picture = version_for(logo.versions, logo.name, to, named_in=logo.named_in)
    file = embedded(picture) if DIALECTS_BY_NAME[to].embeds else picture.file
    return LogoView(file, logo.alt or translated("Logo"), logo.height)


def logo_pictures(letterhead: Letterhead, to: str) -> tuple[tuple[str, bytes], ...]:
    """The file of a logo, which is copied to where the document is written."""
    logo = letterhead.logo
    if logo is None or DIALECTS_BY_NAME[to].embeds:
        return ()
    picture = version_for(logo.versions, logo.name, to, named_in=logo.named_in)
    return ((picture.file, picture.data),)


def with_logo(
    pictures: tuple[tuple[str, bytes], ...], letterhead: Letterhead, to: str
) -> tuple[tuple[str, bytes], ...]:
    """The figures of a document and its logo, which must not have the name of another picture."""
    own = logo_pictures(letterhead, to)
    for name, data in own:
        if dict(pictures).get(name, data) != data:
            raise AttnsolveError(f"the logo '{name}' has the name of another figure; rename one of them")
    return tuple(dict((*pictures, *own)).items())


def field_views(letterhead: Letterhead) -> tuple[FieldView, ...]:
    """What is filled in on a title page, in its order."""
    return tuple(
        FieldView(field.value, words=blocks(letterhead.declaration or translated(DECLARATION)))
        if field is CoverField.DECLARATION
        else FieldView(field.value, say(LABELS[field]))
        for field in letterhead.asked
    )
