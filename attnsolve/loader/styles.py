"""From a style file to a Style: everything checked, every fault located, all of them at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from attnsolve.documents import Node, read
from attnsolve.errors import Fault
from attnsolve.letterhead import Letterhead
from attnsolve.limits import LIMITS, Limits
from attnsolve.loader.letterheads import cover_schema, logo_schema, read_cover, read_declaration, read_logo
from attnsolve.loader.reader import Reader, shortened
from attnsolve.loader.sheet_format import LETTERHEAD
from attnsolve.recipes import Field
from attnsolve.recipes.schemas import TEXT, Schema, choice, listed, mapped
from attnsolve.style import PLACE, PLACES, REMARKS, WORDS, Colours, Fonts, Line, Source, Style, pieces

FORMAT = "1"
FULL, SAVING = INK = ("full", "saving")
FILE = "style.yaml"
# Words that reach LaTeX as they are, so they have nothing in them that means something there.
NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,40}")
OPTION = re.compile(r"[A-Za-z0-9][A-Za-z0-9=.-]{0,40}")
FONT = re.compile(r"[A-Za-z][A-Za-z0-9 .-]{0,60}")
LENGTH = re.compile(r"\d{1,3}(?:\.\d{1,2})?(?:mm|cm|in|pt)")
COLOUR = re.compile(r"#?[0-9A-Fa-f]{6}")
BESIDE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}\.(?:tex|sty)")
TEMPLATE = re.compile(r"(?:sheets|macros)/[a-z][a-z-]{0,40}\.j2")

SIDES = tuple(
    Field(side, "line", f"what stands {where}; {{page}}, {{pages}} and {{title}} are filled in")
    for side, where in (("left", "on the left"), ("centre", "in the middle"), ("right", "on the right"))
)
FONTS = (
    Field("package", "name", "a font package for pdflatex, such as libertinus or mathpazo"),
    Field("main", "font", "a font of the system for lualatex, such as TeX Gyre Pagella"),
    Field("sans", "font", "the font without serifs, for lualatex"),
    Field("mono", "font", "the typewriter font, for lualatex"),
    Field("size", "choice", "the size of letters in points (default 11)", choices=("10", "11", "12")),
)
COLOURS = (
    Field("title", "colour", "the title, as RRGGBB in quotes: '1F4E79'"),
    Field("headings", "colour", "the headings, as RRGGBB in quotes"),
)
SAID = tuple(Field(key, "word", f"{word.doc} (default: {word.usual})") for key, word in WORDS.items())
STYLE = (
    Field("format", "format", "the version of this format; write format: 1", required=True),
    Field("class", "name", "the document class of the department (default article)"),
    Field("class_options", "options", "options of the class: [twoside, 12pt]"),
    Field("page", "choice", "the size of the paper (default a4)", choices=("a4", "letter")),
    Field("margin", "length", "the margin on all sides: 25mm"),
    Field("preamble", "file", "a .tex file beside this one: your own TeX, put into the preamble as it is"),
    Field("header", "map", "the head of each page: {left: Deep Learning, right: '{page}'}", fields=SIDES),
    Field("footer", "map", "the foot of each page", fields=SIDES),
    Field("fonts", "map", "fonts for pdflatex and for lualatex", fields=FONTS),
    Field("colours", "map", "colours of the title and the headings", fields=COLOURS),
    Field("words", "map", "what sections are called: {part: 'Exercise {number}'}", fields=SAID),
    Field("hide", "remarks", "remarks that are left out: [pitfalls, checks]", choices=REMARKS),
    *LETTERHEAD,
    Field("ink", "choice", "saving: no colours and shades, smaller letters and margins", choices=INK),
)


def read_style(path: Path, *, limits: Limits = LIMITS) -> Style:
    """The style in a folder, or in a file; templates are in the folder `templates` beside it."""
    file = path / FILE if path.is_dir() else path
    faults: list[Fault] = []
    root = read(file, limits=limits, faults=faults)
    reader = Reader(str(file), file.parent, limits, faults=faults)
    values = read_map(reader, root, "", STYLE)
    templates = read_templates(reader)
    reader.finish()
    preamble: Source | None = values.get("preamble")
    with file.open(encoding="utf-8-sig") as stream:
        own = Source(FILE, str(file), stream.read())
    return Style(
        document_class=values.get("class") or "article",
        class_options=values.get("class_options", ()),
        page=values.get("page", ""),
        margin=values.get("margin", ""),
        preamble="" if preamble is None else preamble.text,
        header=Line(**values.get("header", {})),
        footer=Line(**values.get("footer", {})),
        fonts=Fonts(**values.get("fonts", {})),
        colours=Colours(**values.get("colours", {})),
        words=tuple(values.get("words", {}).items()),
        hide=values.get("hide", ()),
        saves_ink=values.get("ink") == SAVING,
        letterhead=Letterhead(values.get("cover"), values.get("declaration", ""), values.get("logo")),
        templates=templates,
        sources=(own, *((preamble,) if preamble else ()), *templates),
    )


def read_map(reader: Reader, node: Node, path: str, fields: tuple[Field, ...]) -> dict[str, Any]:
    """The values of a map; what is wrong is left out after a complaint."""
    entries = reader.mapping(node, path, fields)
    known = {field.name: field for field in fields}
    made = {}
    for name, entry in entries.items():
        field = known[name]
        value = KINDS[field.kind].read(reader, entry, f"{path}.{name}" if path else name, field)
        if value is not None:
            made[name] = value
    return made


def read_templates(reader: Reader) -> tuple[Source, ...]:
    """Every template of the style, by its name below `templates`; anything else there is a fault."""
    folder = reader.folder / "templates"
    found = []
    for file in sorted(folder.rglob("*")) if folder.is_dir() and not folder.is_symlink() else ():
        if file.is_dir() and not file.is_symlink():
            continue
        name = file.relative_to(folder).as_posix()
        if not TEMPLATE.fullmatch(name):
            said = f"'{shortened(name)}' is no template: they are sheets/NAME.j2 and macros/FORMAT.j2"
            reader.faults.append(Fault(str(file), 1, 1, "", said))
            continue
        text = text_of(reader, file)
        if text is not None:
            found.append(Source(f"templates/{name}", str(file), text))
    return tuple(found)


def text_of(reader: Reader, file: Path) -> str | None:
    """The text of a file of the style: a file itself, no link to another one, and none that is endless."""
    said = ""
    if file.is_symlink():
        said = "a symbolic link; put the file itself here"
    elif not file.is_file():
        said = "there is no such file"
    elif file.stat().st_size > reader.limits.file_bytes:
        said = f"the file has more than {reader.limits.file_bytes} bytes, the limit"
    else:
        try:
            return file.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            said = "cannot be read as UTF-8"
    reader.faults.append(Fault(str(file), 1, 1, "", said))
    return None


class Kind(NamedTuple):
    """A kind of value: how it is read, None after a complaint, and what a JSON Schema says of it."""

    read: Callable[[Reader, Node, str, Field], Any]
    schema: Callable[[Field], Schema]


def matching(pattern: re.Pattern[str], what: str) -> Kind:
    """A word of a certain form."""

    def read_word(reader: Reader, node: Node, path: str, field: Field) -> str | None:
        text = reader.word(node, path, what)
        if text is not None and not pattern.fullmatch(text):
            reader.fault(node, path, f"'{shortened(text)}' is not {what}")
            return None
        return text

    return Kind(read_word, lambda field: {"type": ["string", "number"], "pattern": f"^{pattern.pattern}$"})


def _format(reader: Reader, node: Node, path: str, field: Field) -> None:
    if not node.is_text or node.text.strip() != FORMAT:
        said = f"format '{shortened(node.text)}' is not known; this release reads format: {FORMAT}"
        reader.fault(node, path, said)


def _several(one: Kind) -> Kind:
    """A value or a list of values."""

    def read_list(reader: Reader, node: Node, path: str, field: Field) -> tuple[Any, ...]:
        items = node.items if node.is_list else (node,)
        return tuple(v for item in items if (v := one.read(reader, item, path, field)) is not None)

    return Kind(read_list, lambda field: listed(one.schema(field)))


def _text(reader: Reader, node: Node, path: str, places: tuple[str, ...]) -> str | None:
    """A line of plain text; in braces stand the names of what is filled in."""
    text = reader.word(node, path, "a text")
    if text is None:
        return None
    listing = f"; in braces may stand {', '.join(f'{{{place}}}' for place in places)}" if places else ""
    for match in PLACE.finditer(text):
        if match[1] not in places:
            reader.fault(node, path, f"'{match[0]}' is not filled in here{listing}", at=match.start())
            return None
    if "{" in PLACE.sub("", text) or "}" in PLACE.sub("", text):
        reader.fault(node, path, f"a brace by itself{listing or '; leave it out'}")
        return None
    return text if len(text) <= reader.limits.characters else None


def _line(reader: Reader, node: Node, path: str, field: Field) -> Any:
    text = _text(reader, node, path, PLACES)
    return None if text is None else pieces(text)


def _word(reader: Reader, node: Node, path: str, field: Field) -> str | None:
    return _text(reader, node, path, WORDS[field.name].places)


def _choice(reader: Reader, node: Node, path: str, field: Field) -> Any:
    chosen = reader.choice(node, path, field.choices)
    return int(chosen) if chosen is not None and chosen.isdigit() else chosen


def _colour(reader: Reader, node: Node, path: str, field: Field) -> str | None:
    found: str | None = HEX.read(reader, node, path, field)
    return None if found is None else found.removeprefix("#").upper()


def _file(reader: Reader, node: Node, path: str, field: Field) -> Source | None:
    """A file beside the style, which is read as it is."""
    name: str | None = FILE_NAME.read(reader, node, path, field)
    if name is None:
        return None
    file = reader.folder / name
    if file.is_symlink() or not file.is_file():
        reader.fault(node, path, f"'{name}' is a link or no file beside this one")
        return None
    text = text_of(reader, file)
    return None if text is None else Source(name, str(file), text)


HEX = matching(COLOUR, "a colour as RRGGBB in quotes, such as '1F4E79'")
FILE_NAME = matching(BESIDE, "the name of a .tex file beside this one")
OPTIONS = matching(OPTION, "an option of a class, such as twoside")
KINDS: dict[str, Kind] = {
    "format": Kind(_format, lambda field: {"enum": [int(FORMAT), FORMAT]}),
    "name": matching(NAME, "a name of letters, digits and hyphens"),
    "font": matching(FONT, "the name of a font, such as TeX Gyre Pagella"),
    "length": matching(LENGTH, "a length such as 25mm or 2.5cm"),
    "options": _several(OPTIONS),
    "choice": Kind(_choice, lambda field: choice(field.choices)),
    "remarks": _several(Kind(_choice, lambda field: choice(field.choices))),
    "file": Kind(_file, FILE_NAME.schema),
    "colour": Kind(_colour, HEX.schema),
    "cover": Kind(
        lambda reader, node, path, field: read_cover(reader, node, path), lambda field: cover_schema()
    ),
    "declaration": Kind(
        lambda reader, node, path, field: read_declaration(reader, node, path), lambda field: TEXT
    ),
    "logo": Kind(
        lambda reader, node, path, field: read_logo(reader, node, path, of="style"),
        lambda field: logo_schema(),
    ),
    "line": Kind(_line, lambda field: TEXT),
    "word": Kind(_word, lambda field: TEXT),
    "map": Kind(
        lambda reader, node, path, field: read_map(reader, node, path, field.fields),
        lambda field: mapped(field.fields, _schema_of),
    ),
}


def _schema_of(field: Field) -> Schema:
    return KINDS[field.kind].schema(field)


def style_schema() -> Schema:
    """The JSON Schema (draft 2020-12) of a style file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"attnsolve style file, format {FORMAT}",
        **mapped(STYLE, _schema_of),
    }
