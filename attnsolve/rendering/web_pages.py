"""What web pages have besides their sheet: looks, a script, what they may load, and an outline."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from attnsolve.bundled import data
from attnsolve.languages import translated
from attnsolve.style import Colours, Style

# Stands in a page for its outline, which is known when all of it is written.
OUTLINE = "<!-- outline -->"
# A heading, with the part that it opens; and the steps, each with the name that leads to it.
HEADING = (
    r'(?:<section class="part" id="(?P<part>[^"]*)">\s*)?<h(?P<level>[2-4])>(?P<words>.*?)</h(?P=level)>'
)
STEP = r'<details open id="(?P<step>[^"]*)"><summary>(?P<title><strong>.*?)</summary>'
ENTRY = re.compile(f"{HEADING}|{STEP}", re.DOTALL)
STRONG = re.compile(r"<strong>.*?</strong>", re.DOTALL)
# A place of a page, or a link that leads to one.
ANCHOR = re.compile(r'<[^<>]*?\b(?:id="|href="(?P<hash>#))(?P<name>[^"]*)"')
STEP_LEVEL = 5
# Fewer places than this are found without an outline.
FEWEST_ENTRIES = 3


class Parts(NamedTuple):
    """The same in all pages of a style."""

    style: str
    script: str
    policy: str
    outline: str = OUTLINE


def parts(style: Style) -> Parts:
    """What goes into every page."""
    return coloured_parts(Colours() if style.saves_ink else style.colours)


@lru_cache(maxsize=8)
def coloured_parts(colours: Colours) -> Parts:
    """The looks of pages with these colours, and a policy that lets nothing else in."""
    of_style = (("h1", colours.title), ("h2, h3, h4", colours.headings))
    own = "".join(f"\n{where} {{ color: #{colour}; }}" for where, colour in of_style if colour)
    looks = asset("page.css").replace("maths.woff2", font()) + own
    script = asset("page.js")
    policy = (
        f"default-src 'none'; style-src {fingerprint(looks)}; script-src {fingerprint(script)}; "
        "img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
    )
    return Parts(looks, script, policy)


def asset(name: str) -> str:
    """A file of the pages, without what is for those who edit it."""
    lines = map(str.strip, (data("templates") / "web" / name).read_text("utf-8").split("\n"))
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/* ")))


def font() -> str:
    """The font of formulas as an address that holds all of it."""
    content = (data("templates") / "web" / "maths.woff2").read_bytes()
    return f"data:font/woff2;base64,{b64encode(content).decode()}"


def fingerprint(text: str) -> str:
    """How a policy names the one text that it allows."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


class Entry(NamedTuple):
    """A line of an outline."""

    level: int
    anchor: str
    words: str


class Places:
    """The places of a page that goes by in pieces: each has a name of its own and can be linked to."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._counts: dict[str, int] = {}

    def copy(self) -> Places:
        """The same, as far as the page has gone by."""
        other = Places()
        other.entries, other._counts = self.entries.copy(), self._counts.copy()
        return other

    def named(self, text: str) -> str:
        """The next piece, with names for its headings and counted ones for places that are called alike."""
        return ENTRY.sub(self._entered, ANCHOR.sub(self._counted, text))

    def _entered(self, match: re.Match[str]) -> str:
        if match["step"]:
            titles = STRONG.findall(match["title"])  # of steps that stand together, each
            self.entries.append(Entry(STEP_LEVEL, match["step"], " ".join(titles)))
            return match[0]
        level, words = int(match["level"]), match["words"]
        anchor = match["part"] or f"section-{len(self.entries) + 1}"
        self.entries.append(Entry(level, anchor, words))
        return match[0] if match["part"] else f'<h{level} id="{anchor}">{words}</h{level}>'

    def _counted(self, match: re.Match[str]) -> str:
        name = match["name"]
        if match["hash"] is None:
            self._counts[name] = self._counts.get(name, 0) + 1
        number = self._counts.get(name, 1)
        return match[0] if number == 1 else f'{match[0][:-1]}-{number}"'


def with_outline(pieces: Callable[[], Iterable[str]]) -> Iterator[str]:
    """A page whose places have names and are listed; what comes after its first papers is read twice."""
    texts, places = articles(pieces()), Places()
    first = places.named(next(texts))
    written = places.copy()
    for text in texts:
        places.named(text)
    yield first.replace(OUTLINE, outline(places.entries), 1)
    yield from map(written.named, islice(articles(pieces()), 1, None))


def articles(pieces: Iterable[str]) -> Iterator[str]:
    """A page cut behind its papers, where no heading is cut."""
    rest = ""
    for piece in pieces:
        papers, end, rest = (rest + piece).rpartition("</article>")
        if end:
            yield papers + end
    yield rest


def outline(entries: list[Entry]) -> str:
    """The places of a page as a list of links; nothing for a page with hardly any."""
    if len(entries) < FEWEST_ENTRIES:
        return ""
    lines = [
        f'<li class="level-{level}"><a href="#{anchor}">{words}</a></li>' for level, anchor, words in entries
    ]
    title, listed = translated("Contents"), "\n".join(["<ol>", *lines, "</ol>"])
    tools = buttons() if any(entry.level == STEP_LEVEL for entry in entries) else ""
    return f'<nav aria-label="{title}"><details><summary>{title}</summary>\n{listed}{tools}</details></nav>'


def buttons() -> str:
    """What the script needs to fold all steps at once; without it they are not shown."""
    fold, unfold = translated("Fold all steps"), translated("Unfold all steps")
    told = f'<button type="button">{fold}</button> <button type="button" data-open>{unfold}</button>'
    return f'<p class="tools" hidden>{told}</p>'
