"""A lecturer's text: what markup means, what stays as it is typed, and what is refused where."""

import subprocess
import sys
import time

import pytest

from attnsolve.prose import blocks, has_markup, read
from attnsolve.prose.tree import (
    Blocks,
    Break,
    Bullets,
    Code,
    CodeBlock,
    Display,
    Emphasis,
    Figure,
    Formula,
    Grid,
    Link,
    Numbered,
    Paragraph,
    Side,
    Strong,
    Words,
)


def said(*words: str) -> Blocks:
    """A paragraph for each sentence."""
    return tuple(Paragraph((Words(one),)) for one in words)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One sentence.", said("One sentence.")),
        ("One,\nover lines.\n\nTwo.", said("One, over lines.", "Two.")),
        ("Find $Z$.", (Paragraph((Words("Find "), Formula("Z"), Words("."))),)),
        ("Very *soft*.", (Paragraph((Words("Very "), Emphasis((Words("soft"),)), Words("."))),)),
        (
            "**Bold** and `code`.",
            (Paragraph((Strong((Words("Bold"),)), Words(" and "), Code("code"), Words("."))),),
        ),
        ("one\\\ntwo", (Paragraph((Words("one"), Break(), Words("two"))),)),
        ("It costs \\$5 \\* 2.", said("It costs $5 * 2.")),
        ("so $$a = b$$ holds", (*said("so"), Display("a = b"), *said("holds"))),
        ("$$\na\n= b\n$$", (Display("a = b"),)),
        ("- a\n- b", (Bullets((said("a"), said("b"))),)),
        ("- a\n\n- b", (Bullets((said("a"), said("b")), False),)),
        ("3. a\n4. b", (Numbered((said("a"), said("b")), True, 3),)),
        ("- a\n  - b", (Bullets(((*said("a"), Bullets((said("b"),))),)),)),
        ("```python\nx = 1\n\ny\n```", (CodeBlock(("x = 1", "", "y"), "python"),)),
        ("```math\nx\n```", (CodeBlock(("x",)),)),  # GitHub would take it for maths
        (
            "[a *b*](https://x.org)",
            (Paragraph((Link((Words("a "), Emphasis((Words("b"),))), "https://x.org"),)),),
        ),
        ("<https://x.org>", (Paragraph((Link((Words("https://x.org"),), "https://x.org", True),)),)),
        ("<a@b.org>", (Paragraph((Link((Words("a@b.org"),), "mailto:a@b.org", True),)),)),
        ("![A plot](f/p.png)", (Figure("f/p.png", "A plot"),)),
        (
            '![A](p.png "The *first* **row** of `W`, \\*x\\* and \\"y\\"")',
            (
                Figure(
                    "p.png",
                    "A",
                    (
                        Words("The "),
                        Emphasis((Words("first"),)),
                        Words(" "),
                        Strong((Words("row"),)),
                        Words(" of "),
                        Code("W"),
                        Words(', *x* and "y"'),
                    ),
                ),
            ),
        ),
        ("![A](p.png '[B](https://c.d)')", (Figure("p.png", "A", (Link((Words("B"),), "https://c.d"),)),)),
        ('![A](p.png "Of $x$"){width=60%}', (Figure("p.png", "A", (Words("Of "), Formula("x")), 60),)),
        (
            "| a | b |\n|---|--:|\n| $x$ | 2 |",
            (
                Grid(
                    ((Words("a"),), (Words("b"),)),
                    (((Formula("x"),), (Words("2"),)),),
                    (Side.LEFT, Side.RIGHT),
                ),
            ),
        ),
    ],
)
def test_markup_becomes_a_tree(text: str, expected: Blocks) -> None:
    found = read(text)
    assert () == found.complaints
    assert expected == found.blocks
    assert repr(expected) == repr(found.blocks)  # records of different kinds may be equal as tuples


@pytest.mark.parametrize(
    "text",
    [
        "2*3*4 is a product, and so is 5 * 3 * 2.",
        "a_b_c, d_k and _ alone",
        "1. Find the weights.",
        "12) Find the weights.",
        "In 2021. 1. is no list here",
        "a < b and c > d, a<b",
        "AT&T &amp; others, 50% #1 ~5 [see above] (x) {y} a|b",
        "Is it so? - Yes - and + no.",
        "    indented by four",
        "Title\n=====",
        "C:\\dir and \\input",
        "https://example.org is no link by itself",
        "2021-22, a--b, a...b, 'x' \"y\"",
        "*",
    ],
)
def test_what_is_no_markup_stays_as_it_is_typed(text: str) -> None:
    found = read(text)
    assert () == found.complaints
    assert said(" ".join(text.split())) == found.blocks


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("a <b>bold</b> word", "'<b>': HTML is not allowed; write Markdown", "<b>"),
        ("fine\n\n<script>alert(1)</script>", "HTML is not allowed", "<script"),
        ("a <!-- c --> b", "HTML is not allowed", "<!--"),
        ("- a\n- b <img src=x onerror=y>", "HTML is not allowed", "<img"),
        (
            "see [it](javascript:alert(1))",
            "a link to 'javascript:alert(1)'; links begin with https://",
            "[it]",
        ),
        ("see [it](JaVaScRiPt:x)", "links begin with https://", "[it]"),
        ("see [it](data:text/html,x)", "links begin with https://", "[it]"),
        ("see [it](file:///etc/passwd)", "links begin with https://", "[it]"),
        ("see [it](../other)", "links begin with https://", "[it]"),
        ("see [](https://x.org)", "a link needs words", "[]"),
        ("x ![a](b.png) y", "a figure stands in a paragraph of its own", "!["),
        ("![](b.png)", "a figure needs words for those who do not see it", "!["),
        ("![a](b.png){width=900%}", "a width of 900%; it must be from 5% to 100%", "!["),
        ("# Title", "would be a heading; use title:", "#"),
        ("> quoted", "would be a quotation", ">"),
        ("a\n\n---\n\nb", "would be a rule", "---"),
        ("costs **$5**", "a '$' without its partner", "$"),
        ("*a* $x$ and $y", "a '$' without its partner", "$y"),
        ("**so** $$ $$", "nothing stands between these dollars", "$$"),
        ("*so* $x^2^3$", "a second ^", "^3"),
        ("- a\n- $\\input{x}$", "the command \\input is not allowed", "\\input"),
        ("- a:\n\n  $$\n  a \\\\ b\n  $$", "only inside a matrix", "\\\\"),
        ("so $$\\def$$ *x*", "the command \\def is not allowed", "\\def"),
        ("*a $$x$$ b*", "a display has no place inside of emphasis", "$$x"),
        ("|a|b|\n|-|-|\n|c|$\\x$|", "the command \\x is not allowed", "\\x"),
        ("|a|\n|-|\n|$|x|$|", "in a table '|' ends a cell, so write \\vert", "$|x"),
        ("|a|\n|-|\n|`x\\|y`|", "a '|' in code has no place in a table", "`x"),
        ("- a\n  - b\n    - c\n      - d\n        - e", "lists nested deeper than 4", "- e"),
    ],
)
def test_what_is_refused_says_where_and_what_instead(text: str, message: str, at: str) -> None:
    (complaint, *_) = read(text).complaints
    assert message in complaint.message
    assert text[complaint.offset :].startswith(at)


@pytest.mark.parametrize(
    "text",
    [
        "*" * 20_000,
        "*a " * 6_000,
        "**a_b" * 4_000,
        "[" * 20_000,
        "![" * 10_000,
        "[a](" * 5_000,
        "<" * 20_000,
        "`" * 9_999 + " " + "`" * 10_000,
        "$x " * 6_001,
        "$$" * 9_999,
        "> " * 9_000,
        "- " * 9_000,
        "1. " * 6_000,
        "|" * 20_000 + "\n" + "|-" * 100,
        "\\" * 20_000,
        "*a **b " * 2_500,
        "_*" * 10_000,
        "<a " * 6_000,
        "&" * 20_000,
        "\n".join("  " * depth + "- a" for depth in range(130)),
    ],
    ids=lambda text: text[:6],
)
def test_hostile_texts_take_no_time(text: str) -> None:
    start = time.process_time()
    read(text)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("text", ["A plain sentence, d_k and all.", "With $W_Q^2 \\cdot x$ in it, 1/2 - 3."])
def test_a_plain_text_loads_no_parser(text: str) -> None:
    assert not has_markup(text)
    code = (
        f"import sys; from attnsolve.prose import read; read({text!r}); print('markdown_it' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "False" == done.stdout.strip()


def test_the_parser_finds_nothing_in_a_plain_text() -> None:
    """A text that is sent to it by mistake comes out the same."""
    from attnsolve.prose.markdown import read_markdown

    for text in ("One, $x$ two.\nThree.\n\nFour $y$", "a - b: (c)", "Why?"):
        assert not has_markup(text)
        assert repr(read_markdown(text).blocks) == repr(blocks(text))
