"""The last touch to a document: pieces end up as the whole does, wherever it is cut."""

from random import Random

import pytest

from attnsolve.rendering.completion import LETTERS, MATRICES, completed, completed_pieces, tidied
from attnsolve.rendering.prose import EMPTY_LINE
from attnsolve.rendering.web_pages import OUTLINE

HEAD = f"\n\n\\documentclass{{article}}\n{LETTERS}\n{MATRICES}\\begin{{document}}\n"
BODIES = (
    "\\startpaper{A}\n\n\n\nText\u00a0here\n\n\\[\nx\n\\]\n\n\\closepaper\n",
    "\\startpaper{B}\n\\inscript{han}{王小明}\n\n\n\\closepaper\n\n",
    f"\\startpaper{{C}}\n{EMPTY_LINE}\n\\[\n{EMPTY_LINE}\n{EMPTY_LINE}\nfin  \n",
    "\\startpaper{D}\n\\begin{bmatrix}" + " & ".join("0" * 13) + "\\end{bmatrix}\n\\closepaper\n",
)
END = "\\end{document}\n  \n\n"


@pytest.mark.parametrize("dialect", ["latex", "markdown", "html", "typst"])
def test_pieces_are_completed_as_the_whole_is(dialect: str) -> None:
    chance = Random(dialect)
    for _ in range(60):
        pieces = [HEAD if dialect == "latex" else "\n\n", *chance.choices(BODIES, k=4), END]
        assert completed("".join(pieces), dialect) == "".join(completed_pieces(lambda: pieces, dialect))  # noqa: B023


def test_what_a_preamble_needs_is_found_in_the_last_piece() -> None:
    """What all pieces together need stands in the first of what is written."""
    first, *_ = completed_pieces(lambda: [HEAD, *BODIES, END], "latex")
    assert "lualatex" in first
    made = "".join(completed_pieces(lambda: [HEAD, *BODIES, END], "latex"))
    assert "\\setcounter{MaxMatrixCols}{13}\n" in made
    assert "\\IfFontExistsTF" in made
    assert "Text~here\n\\[\nx" in made  # no blank line before a display


def test_a_web_page_of_papers_is_outlined_piece_by_piece() -> None:
    """Names are counted and headings listed over all papers, wherever the page was cut."""
    paper = '<article class="paper">\n<h2>Part</h2>\n<p id="a"></p>\n<a href="#a">x</a>\n</article>\n'
    text = f"<body>\n{OUTLINE}\n<main>\n{paper * 5}</main>\n</body>\n"
    chance = Random(1)
    for _ in range(60):
        cuts = sorted(chance.choices(range(len(text) + 1), k=4))
        pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        made = list(completed_pieces(lambda: pieces, "html"))  # noqa: B023
        assert len(made) > 1
        for number in range(1, 6):
            assert "".join(made).count(f'<h2 id="section-{number}">Part</h2>') == 1
            assert f'<li class="level-2"><a href="#section-{number}">Part</a></li>' in made[0]
            name = "a" if number == 1 else f"a-{number}"
            assert f'<p id="{name}"></p>\n<a href="#{name}">x</a>' in "".join(made)


@pytest.mark.parametrize("seed", range(40))
def test_blank_lines_are_drawn_together_wherever_a_text_is_cut(seed: int) -> None:
    chance = Random(seed)
    text = "".join(chance.choices(["a", "\n", "\n", " ", EMPTY_LINE, "b c\n", "\n\n\n"], k=60))
    expected = text
    while "\n\n\n" in expected:
        expected = expected.replace("\n\n\n", "\n\n")
    expected = expected.strip().replace(EMPTY_LINE, "") + "\n"
    cuts = sorted(chance.choices(range(len(text) + 1), k=7))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert expected == "".join(tidied(pieces))
