"""Typst, which makes PDFs without TeX: locked into a folder of its own, with the same bytes every time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unicodedata import category

from attnsolve.errors import AttnsolveError
from attnsolve.rendering.engines import NOBODYS
from attnsolve.rendering.escaping import typst, visible

if TYPE_CHECKING:
    from typst import Fonts, TypstError

MISSING = "PDFs need typst: pip install 'attnsolve[pdf]' (or with TeX installed, say --engine latex)"
FONTS_WANTED = "install a font that has it, such as Debian's fonts-noto-core and fonts-noto-cjk"
# What the fonts have that come with Typst; for other letters those of the system are looked at.
INCLUDED = re.compile(
    r"[\x00-\u024f\u0300-\u04ff\u1e00-\u22ff\u2500-\u25ff\u27c0-\u2bff\U0001d400-\U0001d7ff]*"
)
NO_GLYPH = re.compile(r'the text `"((?:[^`]|`(?!`))*?)"` could not be displayed')
ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")
NAME = "document.typ"
# A document with more characters is printed by a process of its own, which gives its memory back.
LONG = 100_000
NO_FAMILY = "unknown font family: "
PLAIN_PAGE = '#set document(title: "–", date: none)\n#set smartquote(enabled: false)\n'


def typst_pdf(source: str, pictures: Mapping[str, bytes]) -> bytes:
    """The PDF of a document and its pictures, accessible as PDF/UA-1 asks."""
    plain = INCLUDED.fullmatch(source) and not pictures and "#set text(font" not in source
    if plain:
        try:
            return compiled(source, pictures, of_system=False)
        except NoGlyph:
            pass  # then the fonts of the system may have it
    return compiled(source, pictures, of_system=True)


class NoGlyph(AttnsolveError):
    """Letters that no font has."""

    def __init__(self, letters: tuple[str, ...]) -> None:
        super().__init__(f"PDF not made: no font here has {', '.join(letters)}; {FONTS_WANTED}")
        self.letters = letters


def compiled(source: str, pictures: Mapping[str, bytes], *, of_system: bool) -> bytes:
    """The PDF, by the fonts that come with Typst or by those of the system as well."""
    with TemporaryDirectory(prefix="attnsolve-") as folder:
        root = Path(folder)
        for name, data in {NAME: source.encode(), **pictures}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
        if len(source) > LONG:
            from attnsolve.rendering.typst_apart import printed_apart

            return printed_apart(root, of_system=of_system)
        return printed(root, of_system=of_system)


def printed(root: Path, *, of_system: bool) -> bytes:
    """The PDF of the document in a folder, printed in this process."""
    try:
        import typst
    except ImportError:
        raise AttnsolveError(MISSING) from None
    try:
        made, warnings = typst.compile_with_warnings(
            root / NAME,
            root=root,
            font_paths=fonts(of_system),
            pdf_standards=["ua-1"],
            package_path=root,  # nothing is fetched from anywhere
            package_cache_path=root,
        )
    except typst.TypstError as error:
        raise refusal(error) from None
    for warned in warnings:
        raise AttnsolveError(f"PDF not made: {in_our_words(warned.message)}")
    return bytes(made)


@lru_cache(maxsize=2)
def fonts(of_system: bool) -> Fonts:
    """Fonts, which are looked for once."""
    from typst import Fonts

    return Fonts(include_system_fonts=of_system)


def refusal(error: TypstError) -> AttnsolveError:
    """What is wrong with a document, in our words."""
    letters = missing_letters(error)
    if letters:
        return NoGlyph(letters)
    place = re.search(r":(\d+:\d+)", error.diagnostic)
    where = f"{NAME}:{place[1]}" if place else NAME
    return AttnsolveError(f"PDF not made: typst stopped at {where}: {error.message}")


def in_our_words(warned: str) -> str:
    """What a warning of Typst's means here."""
    if warned.startswith(NO_FAMILY):
        return f"the font '{warned.removeprefix(NO_FAMILY)}' of the style is not installed"
    return warned


def missing_letters(error: TypstError) -> tuple[str, ...]:
    """The letters that Typst found in no font."""
    texts = NO_GLYPH.findall(error.diagnostic)
    found = (ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) for text in texts)
    return tuple(dict.fromkeys(found))


def letters_without_font(texts: Iterable[str]) -> tuple[str, ...]:
    """The letters in some texts that no font here has, found out by printing them."""
    words = [visible(text) for text in texts if text and not text.isascii()]
    nobodys = {letter for text in words for letter in text if category(letter) in NOBODYS}
    rest = ["".join(letter for letter in text if letter not in nobodys) for text in words]
    try:
        if rest:
            typst_pdf(PLAIN_PAGE + "#parbreak()\n".join(map(typst, rest)), {})
    except NoGlyph as error:
        return (*sorted(nobodys), *error.letters)
    return tuple(sorted(nobodys))
