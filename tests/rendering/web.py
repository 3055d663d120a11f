"""A reader of web pages that is stricter than browsers: every tag is closed, every place is called once."""

from html.parser import HTMLParser

VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}
WORDS = "html head meta title style script body nav main section article h1 h2 h3 h4 p div span a bdi wbr"
LISTS = "details summary ul ol li table caption thead tbody tr th td figure figcaption img input label button"
MARKS = "strong em b i code pre svg desc rect text math munderover mpadded mphantom menclose"
MATHS = "mrow mi mn mo mtext mspace msup msub msubsup mfrac msqrt mroot mtable mtr mtd munder mover"
KNOWN = {*WORDS.split(), *LISTS.split(), *MARKS.split(), *MATHS.split(), *VOID}


class Page(HTMLParser):
    """What is in a page, and what is wrong with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag in self.open]
        names = [attributes["id"] for _, attributes in self.tags if "id" in attributes]
        self.faults += [f"#{name} is there twice" for name in set(names) if names.count(name) > 1]
        links = [attributes.get("href", "") for _, attributes in self.tags]
        self.faults += [
            f"{link} leads nowhere" for link in links if link[:1] == "#" and link[1:] not in names
        ]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.tags.append((tag, attributes))
        if tag not in KNOWN:
            self.faults.append(f"<{tag}> is unknown")
        for name, value in attributes.items():
            if name == "style" or name.startswith("on"):
                self.faults.append(f"<{tag}> has {name}={value!r}")
            if name in ("src", "srcset", "data", "action") and not value.startswith("data:"):
                self.faults.append(f"<{tag}> loads {value!r}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} closes nothing")

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def text(self) -> str:
        """All that is read."""
        return "".join(self.words)

    def all(self, tag: str) -> list[dict[str, str]]:
        """The attributes of all elements of a kind."""
        return [attributes for name, attributes in self.tags if name == tag]
