"""The pages of a site: the list, an exercise, and one for a teacher's own file."""

from __future__ import annotations

import json
from itertools import groupby
from typing import NamedTuple

from attnsolve.languages import message, translated
from attnsolve.practice.drill import Drill
from attnsolve.practice.pages import body
from attnsolve.rendering.text import Segments, prose, say, sentence
from attnsolve.rendering.web_templates import fill_web
from attnsolve.site.topics import Topic

POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self'; "
    "img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'"
)
# What the scripts say by themselves.
WORDS = {
    "ready": message("Ready: what you type is judged here, in your browser."),
    "failed": message("What judges answers could not be loaded; the questions can be read anyway."),
    "unkept": message("This browser keeps nothing, so progress is lost when the page is closed."),
    "soon": message("One moment: it is judged as soon as everything is loaded."),
    "empty": message("Nothing is typed yet."),
    "begun": message("begun"),
    "imported": message("Progress was taken over."),
    "refused": message("This file has no progress that was exported here."),
}
LOADING = (
    message("Loading Python (about 14 MB, the first time only) …"),
    message("Loading exact arithmetic …"),
    message("Loading attnsolve …"),
    message("Loading SymPy, which this exercise needs …"),
)
KEYS = (".", "-", "/", "√", "e^", "(", ")", ";")


class Listed(NamedTuple):
    """An exercise as the list has it."""

    name: str
    title: str
    topic: Topic
    products: int
    example: bool  # whether there is a worked example with other numbers


class GroupView(NamedTuple):
    """The exercises of a topic, the shortest first."""

    title: Segments
    exercises: tuple[tuple[str, Segments, int], ...]


def spoken_words() -> str:
    """The words of the scripts as JSON that can stand in a page."""
    record = {name: translated(text) for name, text in WORDS.items()}
    return in_page({**record, "loading": [translated(text) for text in LOADING]})


def in_page(record: object) -> str:
    """JSON inside a page, in which nothing closes the element around it."""
    return json.dumps(record, ensure_ascii=False).replace("<", "\\u003c")


def exercise_page(listed: Listed, drill: Drill, text: str) -> str:
    """An exercise with its own numbers, to be read at once and typed into."""
    return fill_web(
        "page",
        kind="exercise",
        title=prose(listed.title),
        body=body(drill),
        name=listed.name,
        problem=in_page(text),
        example=f"{listed.name}-example.html" if listed.example else "",
        **shared(),
    )


def own_page(starter: str) -> str:
    """A page for a teacher's own file."""
    title = say("Your own exercise")
    return fill_web(
        "page",
        kind="own",
        title=title,
        body="",
        name="",
        problem="",
        example="",
        starter=starter,
        **shared(),
    )


def list_page(exercises: list[Listed], title: str) -> str:
    """All exercises by what they are about, and within that by how much work they are."""
    ordered = sorted(exercises, key=lambda one: (list(Topic).index(one.topic), one.products, one.name))
    groups = [
        GroupView(say(topic.value), tuple((one.name, prose(one.title), one.products) for one in some))
        for topic, some in groupby(ordered, key=lambda one: one.topic)
    ]
    heading = sentence(title) if title else say("Practice")
    return fill_web(
        "page",
        kind="list",
        title=heading,
        body="",
        name="",
        problem="",
        example="",
        groups=groups,
        **shared(),
    )


def shared() -> dict[str, object]:
    """What all pages have."""
    return {"policy": POLICY, "words": spoken_words(), "keys": KEYS}
