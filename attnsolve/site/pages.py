"""The pages of a site: the list, an exercise, and one for a teacher's own file."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from attnsolve.languages import LANGUAGES_BY_CODE, message, spoken, translated
from attnsolve.practice.drill import Drill
from attnsolve.practice.pages import body
from attnsolve.practice.source import Source
from attnsolve.rendering.text import Segments, prose, say, sentence
from attnsolve.rendering.web_templates import fill_web
from attnsolve.site.topics import Topic, work_of

POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self'; "
    "img-src 'self' data:; font-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"
)
# What the scripts say by themselves.
WORDS = {
    "ready": message("Ready: what you type is judged here, in your browser."),
    "failed": message("What judges answers could not be loaded; the questions can be read anyway."),
    "unkept": message("This browser keeps nothing, so progress is lost when the page is closed."),
    "soon": message("One moment: it is judged as soon as everything is loaded."),
    "drawing": message("Drawing other numbers …"),
    "empty": message("Nothing is typed yet."),
    "copied": message("(copied)"),
    "imported": message("Progress was taken over."),
    "refused": message("This file has no progress that was exported here."),
}
LOADING = (
    message("Loading Python (about 15 MB, the first time only) …"),
    message("Loading exact arithmetic …"),
    message("Loading attnsolve …"),
    message("Loading SymPy, which this exercise needs …"),
)
KEYS = ("-", "/", "√", "e^", "(", ")", "∞")


class Listed(NamedTuple):
    """An exercise as the list has it."""

    name: str
    title: str
    topic: Topic
    products: int


class LineView(NamedTuple):
    """An exercise in the list: where it is, what it is called, and how much work it is."""

    name: str
    file: str
    title: Segments
    work: str  # in a word, if it has numbers
    products: int


class GroupView(NamedTuple):
    """The exercises of a topic, the shortest first."""

    title: Segments
    exercises: tuple[LineView, ...]


class Names(NamedTuple):
    """What files are called: those of the first language plainly, the others with their code."""

    codes: Sequence[str]

    def page(self, name: str, code: str = "") -> str:
        """The file of a page in a language, or in the spoken one."""
        code = code or spoken().code
        return f"{name}.html" if code == self.codes[0] else f"{name}.{code}.html"

    def others(self, name: str) -> list[tuple[str, str, str]]:
        """The same page in all languages: their codes, what their speakers call them, and the files."""
        known = [LANGUAGES_BY_CODE[code] for code in self.codes]
        return [(one.code, one.name, self.page(name, one.code)) for one in known if len(known) > 1]


def in_page(record: object) -> str:
    """JSON inside a page, in which nothing closes the element around it."""
    return json.dumps(record, ensure_ascii=False).replace("<", "\\u003c")


def exercise_page(listed: Listed, source: Source, drill: Drill, names: Names, *, example: str) -> str:
    """An exercise with its own numbers, to be read at once and typed into."""
    return page(
        names,
        listed.name,
        kind="exercise",
        title=prose(listed.title),
        body=body(drill),
        problem=in_page(source.text),
        files=in_page({name: b64encode(content).decode() for name, content in source.files.items()}),
        example=example,
    )


def own_page(starter: str, names: Names) -> str:
    """A page for a teacher's own file."""
    return page(names, "own", kind="own", title=say("Your own exercise"), starter=starter)


def list_page(exercises: list[Listed], title: str, names: Names) -> str:
    """All exercises by what they are about, and within that by how much work they are."""
    ordered = sorted(exercises, key=lambda one: (list(Topic).index(one.topic), one.products, one.name))
    groups = [
        GroupView(say(topic.value), tuple(line_of(one, names) for one in some))
        for topic, some in groupby(ordered, key=lambda one: one.topic)
    ]
    heading = sentence(title) if title else say("Practice")
    return page(names, "index", kind="list", title=heading, groups=groups)


def line_of(one: Listed, names: Names) -> LineView:
    """An exercise in the list."""
    work = work_of(one.products)
    word = "" if work is None else translated(work.value)
    return LineView(one.name, names.page(one.name), prose(one.title), word, one.products)


def page(names: Names, name: str, **values: object) -> str:
    """A page with what all of them have."""
    words = {key: translated(text) for key, text in WORDS.items()}
    words["far"] = translated("{right} of {total}", right="{right}", total="{total}")
    usual: dict[str, object] = {
        "name": name,
        "body": "",
        "example": "",
        "policy": POLICY,
        "words": in_page({**words, "loading": [translated(text) for text in LOADING]}),
        "keys": ("," if spoken().decimal_comma else ".", *KEYS),
        "languages": names.others(name),
        "index": names.page("index"),
        "own": names.page("own"),
    }
    return fill_web("page", **(usual | values))
