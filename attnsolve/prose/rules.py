"""Rules for markdown-it of our own: where a token stands, what a lone dollar is, no emphasis within words."""

from __future__ import annotations

from collections.abc import Callable

from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter

Rule = Callable[[StateInline, bool], bool]


def tracked(rule: Rule) -> Rule:
    """The same rule, and every token that it makes knows where it was found."""

    def followed(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        found = rule(state, silent)
        for token in state.tokens[before:]:
            token.meta.setdefault("at", start)
        return found

    return followed


def lone_dollar(state: StateInline, silent: bool) -> bool:
    """A dollar that neither opens nor closes maths, and is not escaped: somebody forgot its partner."""
    if state.src[state.pos] != "$":
        return False
    if not silent:
        state.push("lone_dollar", "", 0)
    state.pos += 1
    return True


def whole_words_only(state: StateInline, silent: bool) -> bool:
    """Emphasis as CommonMark has it, but * means nothing within a word, as _ does not: 2*3*4 is a product."""
    marker = state.src[state.pos]
    if silent or marker not in "_*":
        return False
    scanned = state.scanDelims(state.pos, False)
    for _ in range(scanned.length):
        token = state.push("text", "", 0)
        token.content = marker
        state.delimiters.append(
            Delimiter(
                marker=ord(marker),
                length=scanned.length,
                token=len(state.tokens) - 1,
                end=-1,
                open=scanned.can_open,
                close=scanned.can_close,
            )
        )
    state.pos += scanned.length
    return True
