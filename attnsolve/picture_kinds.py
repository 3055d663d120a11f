"""The kinds of files that a figure may be."""

from __future__ import annotations

from enum import Enum


class PictureKind(Enum):
    """The kinds of files that a figure may be, by the endings of their names, the usual one first."""

    PNG = (".png",)
    JPEG = (".jpg", ".jpeg")
    PDF = (".pdf",)
    SVG = (".svg",)


ENDINGS = {ending: kind for kind in PictureKind for ending in kind.value}
