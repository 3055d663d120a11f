"""Whole documents on a terminal: nothing lost, nothing left of LaTeX, nothing wider than the screen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from terminal.screens import Terminal

from attnsolve.batch import solved_asked
from attnsolve.bundled import problem_files, problems_with_numbers
from attnsolve.rendering import render
from attnsolve.terminal import page, parser, steps
from attnsolve.terminal.letters import LOWERED, RAISED
from attnsolve.terminal.paragraphs import STYLE, shown_width

SHEETS = ("solution", "exercise", "markscheme")
LARGE = {small: large for signs in (RAISED, LOWERED) for large, small in signs.items() if large.isdigit()}
NUMBER = re.compile(r"\d+(?:\.\d+)?")
DISTANCE = re.compile(r"\\\\\[\d+pt\]")


@cache
def markdown(path: Path, sheet: str) -> str:
    return render(solved_asked(path), to="markdown", sheet=sheet).text


def numbers_written(text: str) -> Counter[str]:
    """The numbers of a document, out of what a parser of Markdown finds in it."""
    found: Counter[str] = Counter()
    for token in parser().parse(text):
        if token.type == "math_block":
            found.update(NUMBER.findall(DISTANCE.sub("", token.content)))
        for child in token.children or []:
            found.update(NUMBER.findall(child.content))
    return found


def numbers_shown(text: str) -> Counter[str]:
    large = re.sub(f"[{''.join(LARGE)}]+", lambda run: " " + "".join(LARGE[sign] for sign in run[0]), text)
    return Counter(NUMBER.findall(large))


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("path", problems_with_numbers(), ids=lambda path: path.stem)
def test_no_number_is_lost(path: Path, sheet: str) -> None:
    text = markdown(path, sheet)
    written, shown = numbers_written(text), numbers_shown(STYLE.sub("", page(text, width=80)))
    # The digits of an index stand one by one when they are small: compare those by themselves.
    long = {number for number in written if len(number) > 2}
    assert {number: written[number] for number in long} == {number: shown[number] for number in long}


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("path", problems_with_numbers(), ids=lambda path: path.stem)
def test_nothing_is_left_of_markup(path: Path, sheet: str) -> None:
    shown = STYLE.sub("", page(markdown(path, sheet), width=80))
    assert not re.search(r"\\|\$|\*\*|\bbmatrix\b|&|^#|\^\{", shown, re.MULTILINE)


@pytest.mark.parametrize("width", [72, 80, 100])
@pytest.mark.parametrize("name", ["ist-practical-10", "encoder-block", "causal-self-attention"])
def test_lines_fit(name: str, width: int) -> None:
    path = problem_files()[name]
    lines = page(markdown(path, "solution"), width=width).split("\n")
    assert not [line for line in lines if shown_width(line) > width]


def test_steps_together_are_the_document() -> None:
    text = markdown(problem_files()["ist-practical-10"], "solution")
    pieces = steps(text)
    assert text == "\n".join(pieces)
    assert 20 <= sum(piece.startswith("**Step") for piece in pieces)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# A\n\nB", "A\n═\n\nB\n"),
        ("> a\n> b", "│ a b\n"),
        ("- one\n- two\n  - three", "• one\n• two\n  • three\n"),
        ("3. c\n4. d", "3. c\n4. d\n"),
        ("| a | b |\n|---|---:|\n| x | $1$ |\n| yy | 22 |", "a    b\n──  ──\nx    1\nyy  22\n"),
        ("`code` and [a link](https://x.y)", "code and a link\n"),
        ("```\nx = 1\n```", "    x = 1\n"),
        ("\x1b[31mred\x07", "[31mred\n"),
        ("![alt](x.png)", "[alt]\n"),
        ("<script>x</script>\n\nafter", "after\n"),
    ],
)
def test_blocks_are_drawn(text: str, shown: str) -> None:
    assert shown == STYLE.sub("", page(text, width=40))


def test_words_of_two_columns_each_are_measured() -> None:
    lines = page("王小明 " * 20, width=40).split("\n")
    assert max(map(shown_width, lines)) <= 40


def test_a_terminal_shows_readable_maths_a_page_at_a_time(needs: Callable[[str], str]) -> None:
    terminal = Terminal(needs("tmux"), "render ist-practical-10", environment="PAGER='less -R'")
    try:
        shown = terminal.screen(until="q = [-2  1  -1]")
        assert "    X = ⎢   1   1.5  -0.5⎥,    q = [-2  1  -1]" in shown
        assert "ended" not in shown  # the pager waits
        terminal.type("q")
        terminal.screen(until="ended")
    finally:
        terminal.close()


def test_steps_come_one_at_a_time(needs: Callable[[str], str]) -> None:
    terminal = Terminal(needs("tmux"), "show ist-practical-10 --step")
    try:
        first = terminal.screen(until="[1/")
        assert "Four tokens" in first
        assert "Step 1." not in first
        for number in range(2, 5):
            terminal.type("Enter")
            shown = terminal.screen(until=f"[{number}/")
        assert "s₁ = (-2)(-2) + (1)(1) + (-1)(0.5) = 4 + 1 - 0.5 = 4.5" in shown
        assert "Step 2." not in shown
        terminal.type("q")
        terminal.screen(until="ended")
    finally:
        terminal.close()


@pytest.mark.parametrize(("environment", "is_bold"), [("NO_COLOR=1", False), ("NO_COLOR=", True)])
def test_bold_print_is_left_out_on_request(
    needs: Callable[[str], str], environment: str, is_bold: bool
) -> None:
    terminal = Terminal(needs("tmux"), "show ist-practical-10 --step", environment=environment)
    try:
        assert is_bold == ("\x1b[1m" in terminal.screen(until="[1/", styles=True))
    finally:
        terminal.close()
