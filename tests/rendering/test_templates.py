"""Templates are written for Jinja and filled without it: both must print the same."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import BaseLoader, DictLoader, Environment, FileSystemLoader, StrictUndefined

from attnsolve import load, solve
from attnsolve.bundled import data
from attnsolve.languages import speaking
from attnsolve.rendering import filling, render, templates
from attnsolve.rendering.dialects import DIALECTS
from attnsolve.rendering.template_code import compiled_template
from attnsolve.rendering.template_tools import JINJA, TOOLS, add_tools
from attnsolve.style import PLAIN

PRINTED = [dialect.name for dialect in DIALECTS if dialect.fills_sheets]
# One idea of the language each; what is given is the same for all.
PIECES = {
    "a text": "a << word >> c\n",
    "a choice": "<% if number > 2 %>many<% elif number == 2 %>two<% else %>few<% endif %>",
    "a choice of nothing": "[<< 'tall' if not number >>]",
    "a choice with a name": "<% if number %><% set x = word %><% else %><% set x = 1 %><% endif %><< x >>",
    "a loop": "<% for x in list %><< x >>;<% endfor %>",
    "a loop that counts": "<% for x in list %><< loop.index >><< loop.index0 >><< x >>"
    "<% if not loop.first %><< loop.previtem >><% endif %><% if not loop.last %>,<% endif %><% endfor %>",
    "a loop in a loop": "<% for row in rows %><% for x in row %><< x >><< '' if loop.last else ',' >>"
    "<% endfor %><< '' if loop.last else ';' >><% endfor %>",
    "a loop over what another counts": "<% for row in rows %><% for x in rows[loop.index0] %><< x >>"
    "<% endfor %>|<% endfor %>",
    "some of a list": "<% for x in list if x is even %><< x >><< loop.last >><% endfor %>",
    "a name that a loop has too": "<% set x = 'out' %><% for x in list %><< x >><% endfor %><< x >>",
    "a name of a loop": "<% set x = 1 %><% for y in list %><% set x = y %><< x >><% endfor %><< x >>",
    "pairs": "<% for a, b in rows %><< b >><< a >><% endfor %>",
    "names at once": "<% set a, b = 1, (2, 3) %><< a >><< b[1] >>",
    "a macro": "<% macro m(a, b='x') -%>(<< a >><< b >>)<%- endmacro %><< m(1) >><< m(1, 2) >>"
    "<< m(1, b=3) >>",
    "a macro below": "<% macro m(a) %><< n(a) >><% endmacro %><% macro n(a) %>[<< a >>]<% endmacro %>"
    "<< m(1) >>",
    "a macro with a loop": "<% macro m(a) %><% for x in a %><% set y = x + 1 %><< y >><% endfor %>"
    "<% endmacro %><< m(list) >>",
    "a text by name": "<% set t %>a<< word >><% endset %><< t >><< t | length >>",
    "a long text by name": "<% set t %><% for x in list %><< x >><% endfor %><% endset %>[<< t >>]",
    "sums": "<< number * 2 + 7 % 4 - 1 >> << 7 / 2 >> << -number >>",
    "comparisons": "<< 1 < number <= 2 >> << word in 'xword' >> << word not in list >> << not word >>",
    "words together": "<< word ~ 1 ~ list[0] >>",
    "lists": "<< [1, 2][1] >><< {'a': 4}[key] >><< {'a': 1}.get('b', 3) >><< list[1:] | join('-') >>",
    "what is given": "<< word is defined >><< other is defined >>",
    "filters": "<< list | map('last') | join if no_list is defined else rows | map('last') | join >>"
    "<< ' a ' | trim | upper >><< 2.5 | round | int >><< 'A' | lower | replace('a', 'b') >><< list | min >>",
    "another template": "<% import 'macros' as m with context %><< m.m(1) >><< m.kept >>",
    "a template inside": "<% for x in list %><% set y = x %><% include 'inside' %><% endfor %>",
}
OTHERS = {
    "macros": "<% macro m(a) %><< word >><< a >><% endmacro %><% set kept = 5 %>",
    "inside": "(<< y >><< word >>)",
}
GIVEN = {"word": "word", "number": 2, "list": [1, 2, 4], "rows": [[1, 2], [3, 4]], "key": "a"}


def with_jinja(loader: BaseLoader) -> Environment:
    """Jinja as it fills templates itself."""
    made = Environment(loader=loader, undefined=StrictUndefined, **JINJA)
    add_tools(made)
    return made


def from_source(source: str) -> templates.Template:
    """A template as we fill it."""
    return templates.template_of(compiled_template(source, "sheet.j2", JINJA, TOOLS))


@pytest.mark.parametrize("name", PIECES)
def test_a_piece_prints_what_jinja_prints(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {**PIECES, **OTHERS}
    expected = with_jinja(DictLoader(sources)).get_template(name).render(GIVEN)
    monkeypatch.setattr(templates, "template", lambda each: from_source(sources[each]))
    assert templates.filled(name, GIVEN) == expected


@pytest.mark.parametrize("sheet", ["solution", "exercise", "markscheme"])
@pytest.mark.parametrize("to", PRINTED)
@pytest.mark.parametrize("problem", ["ist-practical-10", "attention-quiz"])
def test_a_sheet_prints_what_jinja_prints(
    problem: str, to: str, sheet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = solve(load(problem))
    ours = render(solved, to=to, sheet=sheet)
    jinja = with_jinja(FileSystemLoader(data("templates")))
    monkeypatch.setattr(filling, "filled", lambda name, given: jinja.get_template(name).render(given))
    assert render(solved, to=to, sheet=sheet) == ours


@pytest.mark.parametrize(
    "file", sorted(data("templates").rglob("*.j2")), ids=lambda file: f"{file.parent.name}/{file.name}"
)
def test_every_template_can_be_compiled(file: Path) -> None:
    compiled_template(file.read_text("utf-8"), str(file), JINJA, TOOLS)


def test_a_template_knows_what_it_looks_at_of_all_it_is_given() -> None:
    source = "<% macro m(x) %><< x >><< style.page >><% if sides is defined %>2<% endif %><% endmacro %>"
    assert ("sides", "style") == from_source(source).asked
    assert from_source('<% import "dialects/latex.j2" as d with context %>').asked is None


def test_macros_are_shared_by_documents_that_are_made_in_the_same_way() -> None:
    asked = templates.template("dialects/latex.j2").asked
    assert asked is not None and {"style", "sides", "fragment"} <= set(asked)
    given = dict.fromkeys(asked, "") | {"style": PLAIN}
    one = templates.module("dialects/latex.j2", given)
    assert one is templates.module("dialects/latex.j2", {**given, "doc": "another"})
    assert one is not templates.module("dialects/latex.j2", {**given, "sides": "2"})
    inked = {**given, "style": PLAIN._replace(saves_ink=True)}
    assert one is not templates.module("dialects/latex.j2", inked)


def test_macros_that_look_at_a_document_are_its_own() -> None:
    given = dict.fromkeys(templates.template("dialects/latex.j2").asked or (), "") | {"style": PLAIN}
    headed = {**given, "head_logo": ("logo.pdf", 20)}
    one, other = (templates.module("dialects/latex.j2", headed) for _ in range(2))
    assert one is not other


def test_what_our_templates_do_not_have_is_refused_with_its_line() -> None:
    with pytest.raises(NotImplementedError, match=r"sheet\.j2:2: FilterBlock"):
        compiled_template("\n<% filter upper %>a<% endfilter %>", "sheet.j2", JINJA, TOOLS)


def test_an_error_stands_on_its_line() -> None:
    with pytest.raises(AttributeError) as caught:
        from_source("a\nb << word.missing >>\n").fill({"word": "x"})
    assert caught.traceback[-1].lineno == 1  # counted from 0


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own for compiled templates."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    templates.own_cache.cache_clear()
    yield tmp_path / "attnsolve" / "templates"
    templates.own_cache.cache_clear()


def test_compiled_templates_are_kept_and_follow_their_source(cache: Path) -> None:
    file = cache.parent / "words.j2"
    first = templates.compiled(file, "a")
    (kept,) = cache.iterdir()
    assert templates.compiled(file, "a") == first
    written = kept.read_bytes()
    assert templates.compiled(file, "b") != first
    assert kept.read_bytes() != written


def test_a_damaged_cache_is_made_anew(cache: Path) -> None:
    file = cache.parent / "words.j2"
    first = templates.compiled(file, "a")
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    middle = len(whole) // 2
    places = (0, 4, 9, middle, len(whole) - 1)
    changed = (whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in places)
    for damaged in (b"", b"N", b")\0", whole[:-20], b"\xff" * 50, *changed):
        kept.write_bytes(damaged)
        assert templates.compiled(file, "a") == first
        assert kept.read_bytes() == whole


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have owners on POSIX systems")
def test_code_is_not_loaded_from_where_others_write(cache: Path) -> None:
    cache.mkdir(parents=True)
    cache.chmod(0o777)
    assert templates.own_cache() is None
    templates.compiled(cache.parent / "words.j2", "a")
    assert list(cache.iterdir()) == []


def test_a_sentence_that_is_printed_again_is_in_the_language_of_its_page() -> None:
    """A comma stands in the formulas of a German page, also behind the same page in English."""
    sentence = ((False, "so "), (True, "x = 0.5"))
    printed = []
    for code in ("en", "de", "en"):
        with speaking(code):
            dialect = templates.module("dialects/latex.j2", {"flavour": "", "style": PLAIN})
            printed.append(dialect.text(sentence))
    assert ["so $x = 0.5$", "so $x = 0{,}5$", "so $x = 0.5$"] == printed
