"""Style files: what they may say, and what is said about everything else."""

import json
from pathlib import Path

import pytest
from pictures import pdf, png

from attnsolve.errors import ProblemError
from attnsolve.limits import Limits
from attnsolve.loader.style_starter import starter
from attnsolve.loader.styles import STYLE, read_style, style_schema
from attnsolve.style import REMARKS, WORDS

ROOT = Path(__file__).parents[2]


def style(folder: Path, text: str) -> Path:
    """A style file with one more line."""
    file = folder / "style.yaml"
    file.write_text(f"format: 1\n{text}\n", encoding="utf-8")
    return file


def complaint(file: Path) -> str:
    """What is said about a style, without its folder."""
    with pytest.raises(ProblemError) as refused:
        read_style(file)
    return str(refused.value).replace(f"{file.parent}/", "")


def test_everything_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "own.tex").write_text("% mine\n", encoding="utf-8")
    text = (
        "class: scrartcl\nclass_options: [twoside, 12pt]\npage: letter\nmargin: 2.5cm\npreamble: own.tex\n"
        "header: {left: 'A & B', right: '{page} of {pages}'}\n"
        "fonts: {package: mathpazo, main: TeX Gyre Pagella, size: 12}\n"
        "colours: {title: '#ff0000'}\nwords: {part: 'Exercise {number}'}\nhide: [pitfalls]"
    )
    made = read_style(style(tmp_path, text))
    assert ("scrartcl", ("twoside", "12pt"), "letter", "2.5cm") == (
        made.document_class,
        made.class_options,
        made.page,
        made.margin,
    )
    assert "% mine\n" == made.preamble
    assert ((True, "page"), (False, " of "), (True, "pages")) == made.header.right
    assert ("mathpazo", "TeX Gyre Pagella", 12) == (made.fonts.package, made.fonts.main, made.fonts.size)
    assert "FF0000" == made.colours.title
    assert {"Part ({part})": "Exercise {number}"}.items() <= made.own_words.items()
    assert "Answer." not in made.own_words
    assert (False, True) == (made.shows("pitfalls"), made.shows("checks"))
    assert ["style.yaml", "own.tex"] == [source.name for source in made.sources]


HOSTILE = [
    ("class: 'article}\\input{x'", "2:8: class: 'article}\\input{x' is not a name of letters, digits"),
    ("class: ../x", "2:8: class: '../x' is not a name of letters, digits"),
    ("class_options: ['a]{b}']", "2:17: class_options: 'a]{b}' is not an option of a class, such as twoside"),
    ("margin: 25", "2:9: margin: '25' is not a length such as 25mm or 2.5cm"),
    ("margin: '2cm]{x'", "2:9: margin: '2cm]{x' is not a length such as 25mm or 2.5cm"),
    ("fonts: {main: '}\\x'}", "2:15: fonts.main: '}\\x' is not the name of a font, such as TeX Gyre Pagella"),
    ("fonts: {size: 13}", "2:15: fonts.size: '13' is not one of 10, 11, 12"),
    ("colours: {title: red}", "2:18: colours.title: 'red' is not a colour as RRGGBB in quotes"),
    ("preamble: ../x.tex", "2:11: preamble: '../x.tex' is not the name of a .tex file beside this one"),
    ("preamble: /etc/passwd", "2:11: preamble: '/etc/passwd' is not the name of a .tex file beside this one"),
    ("preamble: none.tex", "2:11: preamble: 'none.tex' is a link or no file beside this one"),
    ("words: {part: 'Part {x}'}", "2:21: words.part: '{x}' is not filled in here; in braces may stand"),
    ("words: {given: '{id}'}", "2:17: words.given: '{id}' is not filled in here"),
    ("words: {given: 'a { b'}", "2:16: words.given: a brace by itself; leave it out"),
    ("words: {givn: x}", "2:9: words: unknown key 'givn'; did you mean 'given'?"),
    ("hide: [pitfall]", "2:8: hide: 'pitfall' is not one of source, shapes, checks"),
    ("footer: {left: '{user}'}", "2:17: footer.left: '{user}' is not filled in here; in braces may"),
    ("colors: {}", "2:1: unknown key 'colors'; did you mean 'colours'?"),
    ("logo: ../x.png", "2:7: logo: '../x.png' leads elsewhere; the file must lie in the style's folder"),
    ("logo: /etc/passwd", "2:7: logo: '/etc/passwd' leads elsewhere"),
    ("logo: x.png", "2:7: logo: there is no file 'x.png' beside the style"),
    ("logo: x.exe", "2:7: logo: 'x.exe' must end in .png, .jpg, .jpeg, .pdf or .svg"),
    ("logo: {alt: X}", "2:7: logo: the key 'file' is missing: the picture: PNG, JPEG, PDF or SVG"),
    ("cover: [name, grade]", "2:15: cover: 'grade' is not one of name, id, seat, signature, declaration"),
    ("cover: [name, name]", "2:8: cover: 'name' stands there twice; keep one of them"),
    ("cover: []", "2:8: cover: an empty list; write [name, id], or none"),
    ("declaration: '<b>x</b>'", "2:15: declaration: '<b>': HTML is not"),
    ("header: [1]", "2:9: header: a map of keys and values is expected here"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), HOSTILE)
def test_what_cannot_be_meant_is_told_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    assert complaint(style(tmp_path, text)).startswith(f"style.yaml:{said}")


def test_links_and_strays_are_no_part_of_a_style(tmp_path: Path) -> None:
    file = style(tmp_path, "preamble: own.tex")
    (tmp_path / "own.tex").symlink_to("/etc/passwd")
    assert "'own.tex' is a link or no file beside this one" in complaint(file)
    (tmp_path / "own.tex").unlink()
    (tmp_path / "own.tex").write_text("", encoding="utf-8")
    sheets = tmp_path / "templates" / "sheets"
    sheets.mkdir(parents=True)
    (sheets / "solution.j2").symlink_to("/etc/passwd")
    (sheets / "note.txt").write_text("x", encoding="utf-8")
    (tmp_path / "templates" / "dialects").symlink_to("/etc")
    said = complaint(file)
    assert "templates/sheets/solution.j2:1:1: a symbolic link; put the file itself here" in said
    assert "templates/sheets/note.txt:1:1: 'sheets/note.txt' is no template" in said
    assert "'dialects' is no template" in said
    assert "root:" not in said


def test_a_template_that_is_too_large_or_no_text_is_told(tmp_path: Path) -> None:
    file = style(tmp_path, "hide: [checks]")
    sheets = tmp_path / "templates" / "sheets"
    sheets.mkdir(parents=True)
    (sheets / "solution.j2").write_bytes(b"\xff\xfe")
    assert "cannot be read as UTF-8" in complaint(file)
    (sheets / "solution.j2").write_text("x" * 2_000, encoding="utf-8")
    with pytest.raises(ProblemError, match="more than 1000 bytes, the limit"):
        read_style(file, limits=Limits(file_bytes=1_000))


def test_the_starter_is_a_style_and_shows_every_key(tmp_path: Path) -> None:
    for name, text in starter("house").items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "logo.pdf").write_bytes(pdf())
    made = read_style(tmp_path)
    assert {key: word.usual for key, word in WORDS.items()} == dict(made.words)
    text = (tmp_path / "style.yaml").read_text("utf-8")
    assert [] == [
        field.name
        for field in STYLE
        if f"\n{field.name}:" not in text.replace("\n# ", "\n") and field.name != "format"
    ]
    assert [] == [remark for remark in REMARKS if remark not in text]
    bare = "\n".join(
        line.removeprefix("# ") for line in text.splitlines() if ":" in line and "attnsolve" not in line
    )
    (tmp_path / "style.yaml").write_text(bare.replace("class: scrartcl", "class: article"), encoding="utf-8")
    assert ("twoside",) == read_style(tmp_path).class_options


def test_the_schema_is_current() -> None:
    kept = json.loads((ROOT / "style.schema.json").read_text("utf-8"))
    assert style_schema() == kept


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            "logo: {file: logo.png, height: 2m}",
            "2:32: logo.height: '2m' is no height of a logo; write 15mm or",
        ),
        ("logo: {file: logo.png, height: 70mm}", "2:32: logo.height: '70mm' is no height of a logo"),
        ("logo: link.png", "2:7: logo: 'link.png' is a link that leads out of the style's folder"),
        ("logo: text.png", "2:7: logo: text.png is called .png but is no picture that we know"),
        ("declaration: '![A box](logo.png)'", "2:14: declaration: figures have no place here"),
    ],
)
def test_logos_are_as_safe_as_figures(typed: str, said: str, tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir()
    (tmp_path / "outside.png").write_bytes(png())
    (house / "logo.png").write_bytes(png())
    (house / "link.png").symlink_to(tmp_path / "outside.png")
    (house / "text.png").write_text("no picture", encoding="utf-8")
    assert complaint(style(house, typed)).startswith(f"style.yaml:{said}")
