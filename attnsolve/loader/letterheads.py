"""What sheet files and styles say about the head of documents: cover, declaration, logo."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attnsolve.documents import Node
from attnsolve.letterhead import LOGO_HEIGHT, CoverField, Letterhead, Logo
from attnsolve.loader.figures import read_figure
from attnsolve.loader.reader import Reader, shortened
from attnsolve.loader.sheet_format import LETTERHEAD, LOGO
from attnsolve.picture_kinds import ENDINGS
from attnsolve.prose import blocks, figures
from attnsolve.prose.pictures import Versions
from attnsolve.recipes.schemas import TEXT, Schema, choice, either, listed, mapped

NONE = "none"
FIELDS = tuple(field.value for field in CoverField)
HEIGHT = re.compile(r"(?P<size>[0-9]{1,3}) ?(?P<unit>mm|cm)")
HEIGHT_FORM = "[0-9]{1,3} ?(mm|cm)"
LEAST_HEIGHT, MOST_HEIGHT = 5, 60


def read_letterhead(reader: Reader, entries: Mapping[str, Node], *, of: str) -> Letterhead:
    """What the keys of a sheet file or a style say; `of` is what that file is called."""
    found = {field.name: entries[field.name] for field in LETTERHEAD if field.name in entries}
    return Letterhead(
        read_cover(reader, found["cover"], "cover") if "cover" in found else None,
        read_declaration(reader, found["declaration"], "declaration") if "declaration" in found else "",
        read_logo(reader, found["logo"], "logo", of=of) if "logo" in found else None,
    )


def read_cover(reader: Reader, node: Node, path: str) -> tuple[CoverField, ...] | None:
    """What students fill in on the title page, in this order; `none` for nothing."""
    if node.is_text and node.text.strip() == NONE:
        return ()
    items = node.items if node.is_list else (node,)
    if not items:
        reader.fault(node, path, "an empty list; write [name, id], or none")
        return None
    words = [reader.choice(item, path, FIELDS) for item in items]
    fields = [CoverField(word) for word in words if word is not None]
    for place, field in enumerate(fields):
        if field in fields[:place]:
            reader.fault(node, path, f"'{field.value}' stands there twice; keep one of them")
            return None
    return tuple(fields)


def read_declaration(reader: Reader, node: Node, path: str) -> str:
    """What students sign."""
    text = reader.prose(node, path)
    return without_figures(reader, node, path, text)


def without_figures(reader: Reader, node: Node, path: str, text: str) -> str:
    """A text at the head of a document, where figures have no place."""
    if text and figures(blocks(text)):
        reader.fault(node, path, "figures have no place here; they stand in exercises (logo: is for a logo)")
    return text


def read_logo(reader: Reader, node: Node, path: str, *, of: str) -> Logo | None:
    """A picture by its file, or with words for it and its height: {file: logo.pdf, alt: …, height: 2cm}."""
    alt, height, file = "", LOGO_HEIGHT, node
    if node.is_map:
        entries = reader.mapping(node, path, LOGO, what="file: logo.pdf, alt: University of Somewhere")
        if "file" not in entries:
            return None
        file = entries["file"]
        alt = reader.text(entries["alt"], f"{path}.alt") if "alt" in entries else ""
        read = read_height(reader, entries["height"], f"{path}.height") if "height" in entries else None
        height = LOGO_HEIGHT if read is None else read
    name = reader.word(file, path, "the name of a picture, such as logo.pdf")
    if name is None:
        return None
    try:
        pictures = read_figure(reader.folder, name, of=of, limits=reader.limits)
    except (ValueError, OSError) as error:
        reader.fault(file, path, str(error))
        return None
    return Logo(name, Versions(pictures, file.line, file.column), reader.file, alt, height)


def read_height(reader: Reader, node: Node, path: str) -> int | None:
    """The height of a logo in millimetres."""
    text = reader.word(node, path, "a height such as 15mm or 2cm")
    if text is None:
        return None
    found = HEIGHT.fullmatch(text)
    size = int(found["size"]) * (10 if found["unit"] == "cm" else 1) if found else 0
    if not LEAST_HEIGHT <= size <= MOST_HEIGHT:
        most = f"{LEAST_HEIGHT}mm to {MOST_HEIGHT // 10}cm"
        reader.fault(node, path, f"'{shortened(text)}' is no height of a logo; write 15mm or 2cm ({most})")
        return None
    return size


def cover_schema() -> Schema:
    """The words for what is filled in, or none."""
    return either(listed(choice(FIELDS)), choice((*FIELDS, NONE)))


def logo_schema() -> Schema:
    """A file name, or a map that says more."""
    endings = "|".join(ending.removeprefix(".") for ending in ENDINGS)
    file: Schema = {"type": "string", "pattern": rf"\.(?:{endings})$"}
    height: Schema = {"type": "string", "pattern": f"^(?:{HEIGHT_FORM})$"}
    own = {"file": file, "alt": TEXT, "height": height}
    return either(file, mapped(LOGO, lambda field: own[field.name]))
