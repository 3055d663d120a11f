"""Each flavour of Markdown gives back the formulas that were written, and no markup that was not meant."""

import itertools
import re
from functools import cache
from typing import Any, NamedTuple

import pytest
from markdown_it.token import Token
from rendering.programs import Needs, commonmark, displays_and_inlines, literal, nodes, tree
from rendering.programs import words as pandoc_words
from rendering.samples import BUNDLED, MADE, NAMES, page_of, problem, trace_of

from attnsolve.choice import LETTERS
from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.rendering import Settings, render
from attnsolve.rendering.template_tools import spread
from attnsolve.rendering.views import document
from attnsolve.verifier.reading import read_submission

FLAVOURS = ("github", "pandoc", "myst", "jupyter")
# Every bundled problem in every flavour; of those made for the page, the ones that are new to a parser.
TRICKY = ("cases", "columns", "huge-scores", "labels", "published")
CASES = [
    *itertools.product((*BUNDLED, *TRICKY), FLAVOURS),
    *((name, "pandoc") for name in MADE if name not in TRICKY),
]
# The sentences that are printed bold start like this; anything else in bold was not meant.
BOLD = ("Step ", "Given", "Answer.", "Easy to get wrong.", "Attention map of ")


class Seen(NamedTuple):
    """What a parser makes of a document."""

    displayed: list[str]
    inline: list[str]
    kinds: list[str]
    bold: list[str]
    headings: list[str]
    quotes: list[str]
    answers: list[str]  # paragraphs that begin with Answer.
    tables: list[list[list[str]]]  # the maths, else the text, of every cell


def text_of(name: str, flavour: str) -> str:
    return page_of(name, flavour=flavour)


# -- reading it with a parser ----------------------------------------------------------------------------


@cache
def by_pandoc(text: str, needs: Needs) -> Seen:
    blocks = tree(text, needs)["blocks"]
    found = list(nodes(blocks))
    maths = [(content[0]["t"], content[1]) for kind, content in found if kind == "Math"]
    rows = [[cells(row) for row in rows_of(content)] for kind, content in found if kind == "Table"]
    return Seen(
        displayed=[source.strip() for kind, source in maths if kind == "DisplayMath"],
        inline=[source for kind, source in maths if kind == "InlineMath"],
        kinds=[kind for kind, _ in found],
        bold=[pandoc_words(content) for kind, content in found if kind == "Strong"],
        headings=[pandoc_words(content[2]) for kind, content in found if kind == "Header"],
        quotes=[pandoc_words(content) for kind, content in found if kind == "BlockQuote"],
        answers=[
            said
            for said in (pandoc_words(c) for kind, c in found if kind == "Para")
            if said.startswith("Answer. ")
        ],
        tables=rows,
    )


def rows_of(table: Any) -> list[Any]:
    """Every row of pandoc's table: head, then bodies."""
    _, _, _, head, bodies, _ = table
    return [*head[1], *(row for body in bodies for row in body[3])]


def cells(row: Any) -> list[str]:
    return [pandoc_words(cell[4]) for cell in row[1]]


@cache
def by_commonmark(text: str, flavour: str) -> Seen:
    tokens = commonmark(flavour).parse(text)
    flat = [inner for token in tokens for inner in (token, *(token.children or ()))]
    displayed = [token.content.strip() for token in flat if token.type == "math_block"]
    if flavour == "github":
        displayed = [
            token.content.strip() for token in flat if token.type == "fence" and token.info == "math"
        ]
    return Seen(
        displayed=displayed,
        inline=[source for token in tokens for source in inline_maths(token.children or [], flavour)],
        kinds=[token.type for token in flat],
        bold=[
            words(bold)
            for token in tokens
            for bold in between(token.children or [], "strong_open", "strong_close")
        ],
        headings=[words(group[0].children) for group in between(tokens, "heading_open", "heading_close")],
        quotes=[
            "".join(words(t.children) for t in q)
            for q in between(tokens, "blockquote_open", "blockquote_close")
        ],
        answers=[said for said in (words(token.children) for token in tokens) if said.startswith("Answer. ")],
        tables=[
            [
                [words(cell[0].children) for cell in cells_of(row)]
                for row in between(table, "tr_open", "tr_close")
            ]
            for table in between(tokens, "table_open", "table_close")
        ],
    )


def cells_of(row: list[Token]) -> list[list[Token]]:
    return between(row, "th_open", "th_close") or between(row, "td_open", "td_close")


def inline_maths(children: list[Token], flavour: str) -> list[str]:
    if flavour != "github":
        return [token.content for token in children if token.type == "math_inline"]
    found = []
    for before, token, after in zip(children, children[1:], children[2:], strict=False):
        if token.type == "code_inline" and before.content.endswith("$") and after.content.startswith("$"):
            found.append(token.content)
    return found


def between(tokens: list[Token], opened: str, closed: str) -> list[list[Token]]:
    """What stands between every pair of tokens of these types."""
    found, group = [], None
    for token in tokens:
        if token.type == opened:
            group = []
        elif token.type == closed and group is not None:
            found.append(group)
            group = None
        elif group is not None:
            group.append(token)
    return found


def words(children: list[Token] | None) -> str:
    texts = [
        token.content
        for token in children or ()
        if token.type in ("text", "text_special", "code_inline", "math_inline")
    ]
    return "".join(texts)


def parsed(text: str, flavour: str, needs: Needs) -> list[Seen]:
    """What every reader of a flavour makes of a document."""
    readers = [by_pandoc(text, needs)] if flavour in ("pandoc", "jupyter") else []
    return readers + ([by_commonmark(text, flavour)] if flavour != "pandoc" else [])


# -- the tests ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "flavour"), CASES)
def test_formulas_come_back_as_they_were_displays_and_inlines(name: str, flavour: str, needs: Needs) -> None:
    text = text_of(name, flavour)
    displayed, inline = displays_and_inlines(text, flavour)
    assert displayed
    for seen in parsed(text, flavour, needs):
        assert displayed == seen.displayed
        assert inline == seen.inline


@pytest.mark.parametrize("name", [*BUNDLED, *TRICKY])
def test_all_flavours_have_the_same_formulas(name: str) -> None:
    made = [displays_and_inlines(text_of(name, flavour), flavour) for flavour in FLAVOURS]
    assert [made[0]] * len(FLAVOURS) == made


@pytest.mark.parametrize("name", NAMES)
def test_latex_has_the_same_formulas(name: str) -> None:
    """One sheet, two dialects: what Markdown displays, LaTeX displays."""
    displayed, _ = displays_and_inlines(text_of(name, "pandoc"), "pandoc")
    text = page_of(name, "latex")
    found = re.findall(r"^\\\[\n\\fit(?:tall)?\{(.*?)\}\n\\\]$", text, re.M | re.S)
    assert displayed == [spread(formula.strip()) for formula in found]


@pytest.mark.parametrize(("name", "flavour"), CASES)
def test_nothing_becomes_markup_that_was_not_meant(name: str, flavour: str, needs: Needs) -> None:
    view = document(trace_of(name), Settings(flavour=flavour))
    quotes = sum(len(part.ask) + len(part.explain) for part in view.parts)
    headings = 1 + sum(view.several or bool(part.title or part.marks) for part in view.parts)
    headings += sum(bool(group.title) for part in view.parts for group in part.groups)
    unmeant = {
        *(
            "Emph",
            "Code",
            "CodeBlock",
            "Link",
            "Image",
            "RawInline",
            "RawBlock",
            "Cite",
            "Note",
            "Span",
            "Div",
        ),
        *("OrderedList", "DefinitionList", "LineBlock", "HorizontalRule", "Strikeout"),
        *("Superscript", "Subscript", "LineBreak"),
        *(
            "em_open",
            "link_open",
            "image",
            "html_inline",
            "html_block",
            "ordered_list_open",
        ),
        *(
            "hr",
            "s_open",
            "hardbreak",
            "softbreak",
            "code_block",
            "front_matter",
            "footnote_ref",
            "colon_fence",
        ),
        *("myst_role", "myst_target", "myst_line_comment", "myst_block_break"),
    }
    ticked = sum(part.choice is not None for part in view.parts)
    most = max((len(part.choice.options) for part in view.parts if part.choice), default=0)
    letters = tuple(LETTERS[:most])
    for seen in parsed(text_of(name, flavour), flavour, needs):
        assert ticked == seen.kinds.count("BulletList") + seen.kinds.count("bullet_list_open")
        assert set() == unmeant & set(seen.kinds)
        assert headings == len(seen.headings)
        assert quotes == seen.kinds.count("BlockQuote") + seen.kinds.count("blockquote_open")
        own = tuple(plain(section.title) for part in view.parts for section in part.costs if section.title)
        bold = [words for words in seen.bold if not words.startswith((*BOLD, *own))]
        assert [] == [words for words in bold if words not in letters]
        assert len(displays_and_inlines(text_of(name, flavour), flavour)[0]) == len(seen.displayed)


@pytest.mark.parametrize(("name", "flavour"), CASES)
def test_tables_keep_their_cells(name: str, flavour: str, needs: Needs) -> None:
    """Parsers pad and cut rows in silence, so that every single cell is looked at."""
    view = document(trace_of(name), Settings(flavour=flavour))
    for seen in parsed(text_of(name, flavour), flavour, needs):
        told = [table for table in seen.tables if table[0][0] != ""]
        meant = []
        for part in view.parts:
            meant += [step.table for group in part.groups for step in group.steps if step.table]
            meant += [section.table for section in part.costs if section.table]
        assert len(meant) == len(told)
        for table, found in zip(meant, told, strict=True):
            rows = [[said(cell, flavour) for cell in row] for row in (table.header, *table.rows)]
            assert rows == [[squeezed(cell) for cell in row] for row in found]
        maps = [drawn for part in view.parts for drawn in part.maps]
        shown = [table for table in seen.tables if table[0][0] == ""]
        assert [[len(drawn.above) + 1] * (len(drawn.rows) + 1) for drawn in maps] == [
            [*map(len, t)] for t in shown
        ]


def plain(words: tuple[tuple[bool, str], ...]) -> str:
    """A sentence without maths in it."""
    return "".join(text for _, text in words)


def said(cell: tuple[tuple[bool, str], ...], flavour: str) -> str:
    """A cell of a view as a parser gives it back: in GitHub's form the dollars stay text."""
    dollar = "$" if flavour == "github" else ""
    return squeezed("".join(f"{dollar}{text}{dollar}" if is_maths else text for is_maths, text in cell))


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


@pytest.mark.parametrize(("name", "flavour"), CASES)
def test_displays_stand_in_column_0_with_blank_lines_around_and_none_inside(name: str, flavour: str) -> None:
    opened, closed = ("```math", "```") if flavour == "github" else ("$$", "$$")
    lines = text_of(name, flavour).splitlines()
    fences = [i for i, line in enumerate(lines) if opened in line or closed in line]
    assert fences
    for first, last in zip(fences[::2], fences[1::2], strict=True):
        assert ["", opened] == lines[first - 1 : first + 1]
        assert [closed, ""] == [*lines, ""][last : last + 2]
        assert "" not in lines[first + 1 : last]
        assert not re.search(r"(?<!\\)\$|`", "".join(lines[first + 1 : last]))


@pytest.mark.parametrize(("name", "flavour"), CASES)
def test_maths_in_tables_has_no_pipe(name: str, flavour: str) -> None:
    assert_no_pipe_in_tables(text_of(name, flavour))


def assert_no_pipe_in_tables(text: str) -> None:
    rows = [line for line in text.splitlines() if line.startswith("|")]
    for maths in re.findall(r"(?<!\\)\$(.+?)(?<!\\)\$", "\n".join(rows)):
        assert "|" not in maths


AWKWARD = problem(
    r"""
symbols: {A: '|A|', Z: 'z^*'}
labels: [a|b, c_d_e]
given:
  X: 1 2; 3 4
parts:
  - ask: |
      Find $ X $, $|x|$ and $\left\{ x^* \right\}$ of $a_1$, $b_1$ * $c_1$.

      \- This is no list, and $5 \cdot 6$ is no price; \$7 is none either.
    self_attention: {input: X}
    plot: weights
"""
).replace(r"\$7", "7")


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_awkward_maths_of_a_lecturer_comes_back(flavour: str, needs: Needs) -> None:
    text = render(solve(loads(AWKWARD)), flavour=flavour).text
    asked = ["X", "|x|", r"\left\{ x^* \right\}", "a_1", "b_1", "c_1", r"5 \cdot 6"]
    for seen in parsed(text, flavour, needs):
        assert asked == [without_pipes(formula) for formula in seen.inline[:7]]
        assert not {"OrderedList", "BulletList", "bullet_list_open", "Emph", "em_open"} & set(seen.kinds)


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_bars_in_a_symbol_split_no_table(flavour: str, needs: Needs) -> None:
    text = render(solve(loads(AWKWARD)), flavour=flavour).text
    assert_no_pipe_in_tables(text)
    for seen in parsed(text, flavour, needs):
        told, drawn = seen.tables
        assert [5] * 4 == [len(row) for row in told]
        assert all(cell for row in told[:3] for cell in row)
        # 1/(1 + e^{3√2}) = 0.0142…: the scores of the first query are 5/√2 and 11/√2
        assert [["", "a|b", "c_d_e"], ["a|b", "0.01", "0.99"]] == drawn[:2]


def without_pipes(formula: str) -> str:
    r"""Maths without the spaces at its ends; \lvert x \rvert is |x|."""
    return re.sub(r"\\[lr]vert ?| (?=\\rvert)", "|", formula.strip())


STARTS = (
    *(
        "(a) x",
        "a) x",
        "(1) x",
        "1. x",
        "1) x",
        "i. x",
        "(iv) x",
        "#. x",
        "(@) x",
        "- x",
        "+ x",
        "* x",
        "# x",
        "> x",
    ),
    *(
        "% x",
        ": x",
        "| x",
        "=== x",
        "--- x",
        "~~~ x",
        "``` x",
        "(x)= y",
        "+++ x",
        "@x y",
        "[x]: y",
        "::: x",
        "~ x",
    ),
    *(
        "Table: x",
        "a{.b}",
        "a {#b}",
        "x -- y ... z",
        "<!-- x -->",
        "&amp; x",
        "<b>x</b>",
        "http://x.y/z_a_b",
        "!x",
        "\\x",
    ),
)


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_a_question_may_start_with_anything(flavour: str, needs: Needs) -> None:
    """What would be a list, a quote, a comment or a rule is still a question where a \\ takes its meaning."""
    asks = "\n".join(
        f"  - {{ask: '{literal(start)}', title: '{start}', discuss: '{literal(start)}'}}" for start in STARTS
    )
    text = render(solve(loads(problem(f"parts:\n{asks}"))), flavour=flavour).text
    for seen in parsed(text, flavour, needs):
        assert list(STARTS) == [typed(quote) for quote in seen.quotes]
        assert list(STARTS) == [typed(heading).partition(": ")[2] for heading in seen.headings[1:]]
        assert [f"Answer. {start}" for start in STARTS] == [typed(answer) for answer in seen.answers]


def typed(text: str) -> str:
    """Typographic dashes and dots, which pandoc sets on its own, as they were typed."""
    return text.replace("\u2014", "---").replace("\u2013", "--").replace("\u2026", "...")


# The maths of a page, and how often a row of a matrix in it gets more room.
@pytest.mark.parametrize(
    ("maths", "times"),
    [
        (r"\begin{bmatrix} 1 \\ 2 \end{bmatrix}", 0),
        (r"\begin{bmatrix} \tfrac{1}{2} \\ 2 \\ 3 \end{bmatrix} = \begin{bmatrix} 1 \\ 2 \end{bmatrix}", 2),
        (r"\frac{1}{2} \begin{bmatrix} 1 \\ 2 \end{bmatrix} = \frac{1}{2}", 0),
        (r"\frac{1}{2} \\ x", 0),
    ],
)
def test_rows_of_fractions_stand_further_apart(maths: str, times: int) -> None:
    made = spread(maths)
    assert maths == made.replace("[4pt]", "")
    assert times == made.count(r"\\[4pt] ")


FRACTIONS = problem(
    """
numbers: fractions
given: {X: 1/2 1/3; 2/5 1/7}
parts:
  - ask: Find the output.
    self_attention: {input: X, divide_by: none, weights: relu}
"""
)


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_matrices_of_fractions_are_read_back_as_they_are_printed(flavour: str) -> None:
    text = render(solve(loads(FRACTIONS)), flavour=flavour).text
    given = next(line for line in text.splitlines() if line.startswith("X = "))
    printed = given.removeprefix("X = ").removesuffix(",")
    assert r"\\[4pt]" in printed
    (answer,) = read_submission(f"a.A {printed}").answers
    assert [["1/2", "1/3"], ["2/5", "1/7"]] == [[str(cell.fraction) for cell in row] for row in answer.rows]
