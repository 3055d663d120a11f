"""What looks like markup in a text and is none: it prints as it is typed, which nobody means."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attnsolve.documents import Node
from attnsolve.errors import Fault
from attnsolve.lint.notices import Notice

TEXTS = ("intro", "ask", "explain", "note", "discuss", "instructions")
# Code, addresses, links, figures with their widths, and maths: what stands in them is no markup.
NOT_READ = re.compile(
    r"""(`+)(?:(?!\1).)*\1 | <[^<>\s]+> | \]\([^()]*\)(?:\{[^{}]*\})? | \$\$.*?\$\$ | (?<!\\)\$[^$]*\$""",
    re.DOTALL | re.VERBOSE,
)
LOOKS_LIKE = (
    (r"\\[\[\]]", "display maths stands between double dollars: $$x$$"),
    (r"\\[()]", "maths stands between dollars: $x$"),
    (r"\\(?:textbf|bf|mathbf)\b", "bold words are written **so**"),
    (r"\\(?:emph|textit|it|em)\b", "emphasis is written *so*"),
    (r"\\(?:texttt|verb)\b", "code is written `so`"),
    (r"\\(?:url|href)\b", "links are written [words](https://…) or <https://…>"),
    (r"\\(?:item|begin\{(?:itemize|enumerate)\})", "lists have lines that start with '- ' or '1. '"),
    (r"\\includegraphics\b", "figures are written ![what it shows](figure.png){width=60%}"),
    (r"\\(?:begin|end)\{", "maths and its environments stand between double dollars: $$…$$"),
    (r"\\(?:section|subsection|paragraph)\b", "headings are the sheet's own; a part has its title:"),
    (r"\\[A-Za-z]{2,}", "commands of LaTeX stand in maths only: $\\alpha$"),
    (r"~~(?=\S)", "there is no strikethrough; leave it out"),
    (r"\[\^[^\]]+\]", "there are no footnotes; write it into the text, or as a note:"),
    (r"^\s*[-*+] \[[ xX]\] ", "there are no boxes to tick; leave them out"),
    (r"^:::", "there are no boxes; write a paragraph"),
    (r"\{\s*width\s*=", "a width stands right behind a figure, in percent: ![…](figure.png){width=60%}"),
    (r"https?://", "an address is a link only in angle brackets: <https://…>"),
)
PATTERN = re.compile(
    "|".join(f"(?P<k{place}>{look})" for place, (look, _) in enumerate(LOOKS_LIKE)), re.MULTILINE
)


def lookalikes(root: Node, file: str, path: str = "") -> Iterator[Notice]:
    """A hint for every such place in the texts of a document."""
    for key, value in root.entries:
        below = f"{path}.{key.text}" if path else key.text
        if value.is_text and key.text in TEXTS:
            yield from in_text(value, file, below)
        else:
            yield from lookalikes(value, file, below)
    for place, item in enumerate(root.items, start=1):
        name = item.get("id")
        yield from lookalikes(item, file, f"{path}.{name.text}" if name else f"{path}[{place}]")


def in_text(node: Node, file: str, path: str) -> Iterator[Notice]:
    """Each kind of it once, where it first stands."""
    # Blanks in their place keep the offsets.
    rest = NOT_READ.sub(lambda found: re.sub(r"\S", " ", found[0]), node.text)
    told: set[str] = set()
    for found in PATTERN.finditer(rest):
        said = LOOKS_LIKE[int(str(found.lastgroup)[1:])][1]
        if said not in told:
            told.add(said)
            words = f"'{found[0].strip()}' prints as it is typed; {said}"
            yield Notice(Fault(file, *node.place(found.start()), path, words), "W103", 0)
