"""PDFs: a document in the format that an engine prints, and what that makes of it."""

from __future__ import annotations

from collections.abc import Mapping

from attnsolve.pdf_engines import Engine


def pdf_of(source: str, pictures: Mapping[str, bytes], engine: Engine) -> bytes:
    """The PDF of a document with its pictures."""
    if engine is Engine.TYPST:
        from attnsolve.rendering.typst_engine import typst_pdf

        return typst_pdf(source, pictures)
    from attnsolve.rendering.tex_engine import tex_pdf

    return tex_pdf(source, pictures, engine)
