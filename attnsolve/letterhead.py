"""What stands at the head of papers and sheets: a logo, and what students fill in there."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from attnsolve.records import NamedTuple

if TYPE_CHECKING:  # few documents have a logo
    from attnsolve.prose.pictures import Versions


class CoverField(Enum):
    """What students fill in on a title page, by the word that a file has for it."""

    NAME = "name"
    ID = "id"
    SEAT = "seat"
    SIGNATURE = "signature"
    DECLARATION = "declaration"


USUAL = (CoverField.NAME, CoverField.ID)
LOGO_HEIGHT = 15  # millimetres


class Logo(NamedTuple):
    """A picture beside a sheet file or a style, with words for those who do not see it."""

    name: str  # of the file
    versions: Versions
    named_in: str  # the file that names it
    alt: str = ""
    height: int = LOGO_HEIGHT  # in millimetres


class Letterhead(NamedTuple):
    """What a sheet file or a style says about the head of its documents; everything may be left open."""

    fields: tuple[CoverField, ...] | None = None
    declaration: str = ""
    logo: Logo | None = None

    def over(self, other: Letterhead) -> Letterhead:
        """This one, and what another says where this says nothing."""
        return Letterhead(
            other.fields if self.fields is None else self.fields,
            self.declaration or other.declaration,
            self.logo or other.logo,
        )

    @property
    def asked(self) -> tuple[CoverField, ...]:
        """What is filled in on a title page; a declaration is there to be signed below."""
        fields = USUAL if self.fields is None else self.fields
        if not self.declaration or CoverField.DECLARATION in fields:
            return fields
        place = fields.index(CoverField.SIGNATURE) if CoverField.SIGNATURE in fields else len(fields)
        return (*fields[:place], CoverField.DECLARATION, *fields[place:])


UNHEADED = Letterhead()
