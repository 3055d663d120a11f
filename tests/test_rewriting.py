"""A document written anew: what was asked for changes, and every other line stays as it was typed."""

from collections.abc import Mapping
from textwrap import dedent

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from attnsolve.documents import parse
from attnsolve.rewriting import Path, found, rewritten, written


def changed(text: str, changes: Mapping[Path, str | None]) -> str:
    return rewritten(parse(text.encode(), "x.yaml"), changes)


# -- a document put together by the test, so that the test knows which lines belong to what -----------

NEW = "0 ln(2); -1/2 7"
# How a given is typed: the lines after `  X:`, and what is left of them once NEW stands there.
STYLES = {
    "on one line": (" 1 -2; 3/2 4", ""),
    "on one line, with a comment": (" 1 -2; 3/2 4   # two tokens", "   # two tokens"),
    "in brackets": (" [[1, -2], [3/2, 4]] # two", " # two"),
    "in brackets on two lines": (" [[1, -2],\n    [3/2, 4]]", ""),
    "in quotes": (" '1 -2; 3/2 4'", ""),
    "in double quotes": (' "1 -2; 3/2 4"', ""),
    "below its key": ("\n    1 -2; 3/2 4", None),
    "plain on two lines": (" 1 -2;\n    3/2 4", ""),
    "a pasted block": (" |\n    1 -2\n    3/2 4", ""),
    "a pasted block with a comment": (" |-  # pasted\n    1 -2\n    3/2 4", "  # pasted"),
    "a folded block": (" >-\n    1 -2;\n    3/2 4", ""),
    "a list": ("\n    - 1 -2\n    - 3/2 4", ""),
    "a list with a comment": ("    # tokens\n    - [1, -2]\n    - [3/2, 4]", "    # tokens"),
    "a list that is not indented": ("\n  - [1, -2]\n  - [3/2, 4]", ""),
    "a list of lists": ("\n    - - 1\n      - -2\n    - - 3/2\n      - 4", ""),
}
BETWEEN = ("", "\n", "  # a comment\n", "# at the margin\n\n", "  # 'quoted: {[\n")


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, str]:
    """A file with givens in many styles, and the same with some of them changed as they must be."""
    before = after = "# top\nformat: 1\ngiven:  # data\n"
    names = draw(st.lists(st.sampled_from("ABCDEFG"), min_size=1, max_size=4, unique=True))
    for name in names:
        body, rest = STYLES[draw(st.sampled_from(sorted(STYLES)))]
        between = draw(st.sampled_from(BETWEEN))
        touched = draw(st.booleans())
        before += f"{between}  {name}:{body}\n"
        put = f"\n    {NEW}" if rest is None else f" {NEW}{rest}"
        after += f"{between}  {name}:{put if touched else body}\n"
    end = draw(st.sampled_from(("", "# the end\n", "parts:\n  - ask: 'What: is # that?'\n")))
    return before + end, after + end


@given(documents())
@settings(derandomize=True, max_examples=150)
def test_givens_in_any_style_are_replaced_and_all_other_lines_stay(pair: tuple[str, str]) -> None:
    before, after = pair
    wanted = yaml.load(after, yaml.BaseLoader)["given"]
    touched = [name for name, value in wanted.items() if value == NEW]
    assert after == changed(before, {("given", name): NEW for name in touched})


KEYS = {
    "id": "b",
    "ask": "'{[ # ]}'",
    "note": ">-\n      It is said\n\n      at length: twice.",
    "allow": "[ties,\n      small_weights]",
    "published": "\n      S: 1 2\n      A:\n      - 1 2",
    "find": "Z   # the output",
}
FLOW = {"id": "b", "ask": "'{[ # ]}'", "allow": "[ties, small_weights]", "published": "{S: 1 2}", "find": "Z"}


@given(st.permutations(sorted(KEYS)), st.sets(st.sampled_from(sorted(KEYS)), max_size=5), st.booleans())
@settings(derandomize=True, max_examples=120)
def test_keys_are_taken_out_of_a_block_with_all_their_lines(
    order: list[str], gone: set[str], commented: bool
) -> None:
    comment = "    # between\n" if commented else ""

    def text(names: list[str]) -> str:
        lines = [f"{name}:{'' if KEYS[name][0] == chr(10) else ' '}{KEYS[name]}\n" for name in names]
        return f"parts:\n  - ask: first\n{comment}  - " + "    ".join(lines) + "# end\nplaces: 4\n"

    kept = [name for name in order if name not in gone]
    assert text(kept) == changed(text(order), dict.fromkeys([("parts", 1, name) for name in gone]))


@given(st.permutations(sorted(FLOW)), st.sets(st.sampled_from(sorted(FLOW)), max_size=5))
@settings(derandomize=True, max_examples=120)
def test_keys_are_taken_out_of_braces_with_their_comma(order: list[str], gone: set[str]) -> None:
    def text(names: list[str]) -> str:
        inside = ", ".join(f"{name}: {FLOW[name]}" for name in names)
        return f"parts: [{{id: a}}, {{{inside}}}]  # all\nplaces: 4\n"

    kept = [name for name in order if name not in gone]
    assert text(kept) == changed(text(order), dict.fromkeys([("parts", 1, name) for name in gone]))


EXAMPLES = {
    "the last key, at the end of a file without a last line break": (
        "a: 1\nvary:\n  X: -2..2",
        {("vary",): None},
        "a: 1\n",
    ),
    "a comment below a block belongs to what follows": (
        "vary:\n  X: -2..2\n\n# the questions\nparts: []\n",
        {("vary",): None},
        "\n# the questions\nparts: []\n",
    ),
    "a comment below a pasted block stays": (
        "note: |\n  a\n\n  b\n# next\nask: c\n",
        {("note",): None},
        "# next\nask: c\n",
    ),
    "a comment after the first key of an item stays": (
        "parts:\n  - allow: ties\n    # why\n    id: a\n",
        {("parts", 0, "allow"): None},
        "parts:\n  -\n    # why\n    id: a\n",
    ),
    "braces on several lines": (
        "a: {b: 1,   # one\n    c: 2}\nd: 3\n",
        {("a", "c"): None},
        "a: {b: 1,   # one\n    }\nd: 3\n",
    ),
    "all keys of a map in braces": ("a: {b: 1, c: 2}\n", {("a", "b"): None, ("a", "c"): None}, "a: {}\n"),
    "all keys of a block": (
        "a:\n  b: 1\n  c: 2\nd: 3\n",
        {("a", "b"): None, ("a", "c"): None},
        "a:\n  {}\nd: 3\n",
    ),
    "a key and something inside it": (
        "a:\n  b: 1\n  c: 2\nd: 3\n",
        {("a", "b"): "9", ("a",): None},
        "d: 3\n",
    ),
    "a key inside braces, replaced": (
        "parts:\n  - attend: {queries: [1], keys: K}  # one\n",
        {("parts", 0, "attend", "queries"): "[2]"},
        "parts:\n  - attend: {queries: [2], keys: K}  # one\n",
    ),
    "an item of a list": ("a: [1, [2, 3], 4]\n", {("a", 1): "0"}, "a: [1, 0, 4]\n"),
    "a path that leads nowhere": ("a: [1]\n", {("a", 3): "0", ("b",): None, ("a", "c"): "1"}, "a: [1]\n"),
    "letters outside ASCII before it": ("a: {ä€😀: 1, x: 2}\n", {("a", "x"): "3"}, "a: {ä€😀: 1, x: 3}\n"),
    "a value that is empty": ("a:\nb: 1\n", {("a",): None}, "b: 1\n"),
    "Windows line ends": ("a: 1\r\nb: 2\r\n", {("a",): "3"}, "a: 3\nb: 2\n"),
}


@pytest.mark.parametrize(("before", "changes", "after"), EXAMPLES.values(), ids=EXAMPLES)
def test_what_is_left_of_a_document(before: str, changes: Mapping[Path, str | None], after: str) -> None:
    assert after == changed(before, changes)


def test_the_key_and_the_value_at_a_path_are_found() -> None:
    root = parse(b"a: [{b: c}]\n", "x.yaml")
    place = found(root, ("a", 0, "b"))
    assert place is not None
    assert place[0] is not None
    assert ("b", "c") == (place[0].text, place[1].text)
    assert found(root, ("a", 1)) is None
    assert found(root, ("a", "b")) is None


scalars = st.one_of(
    st.sampled_from(["1 2; 3 4", "sqrt(d_k)", "[2]", "it's", "a: b", " x", "- 1", "", "#", "ä", "true", "~"]),
    st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S", "Zs")), max_size=8),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3), st.dictionaries(scalars, inner, min_size=1, max_size=3)
    ),
    max_leaves=6,
)


@given(values)
@settings(derandomize=True, max_examples=150)
def test_a_value_on_one_line_means_the_same(value: object) -> None:
    # Every scalar in single quotes is plain text for YAML, whatever it looks like.
    typed = yaml.dump(value, default_style="'", width=10**6, allow_unicode=True)
    line = written(parse(typed.encode(), "x.yaml"))
    assert "\n" not in line
    assert value == yaml.load(f"[{line}]", yaml.BaseLoader)[0]


def test_a_plain_value_stays_without_quotes() -> None:
    typed = dedent(
        """\
        weights:
          softmax:
            temperature: 2
        queries: [1, 2]
        """
    )
    assert "{weights: {softmax: {temperature: 2}}, queries: [1, 2]}" == written(parse(typed.encode(), "x"))
