"""What markdown-it is set to read: CommonMark with tables and maths, each piece with its place."""

from __future__ import annotations

from functools import lru_cache

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from attnsolve.prose.rules import lone_dollar, tracked, whole_words_only


class Trusting(MarkdownIt):
    """Takes any address for a link: what may be linked is said by who reads it, with a reason."""

    def validateLink(self, url: str) -> bool:  # noqa: N802
        return True


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """CommonMark with tables and $…$, but without indented code, underlined headings and entities."""
    made = Trusting("commonmark", {"maxNesting": 100}).enable("table")
    made.disable(["code", "lheading", "reference", "entity"])
    dollarmath_plugin(made, allow_labels=False, double_inline=True)
    made.inline.ruler.at("emphasis", whole_words_only)
    made.inline.ruler.after("math_inline", "lone_dollar", lone_dollar)
    for name, rule in zip(made.inline.ruler.get_active_rules(), made.inline.ruler.getRules(""), strict=True):
        made.inline.ruler.at(name, tracked(rule))
    return made
