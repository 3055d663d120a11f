"""The room for an answer on a paper: what a file may say, and what is printed."""

from pathlib import Path

import pytest
from badfiles import check, part

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.papers import Cover, Paper
from attnsolve.problem import Space
from attnsolve.rendering.exams import render_exams

BODY = "    attend: {queries: q, keys: X}\n    marks: 4\n"


@pytest.mark.parametrize(
    ("typed", "space"),
    [
        ("none", Space()),
        ("lines", Space(is_ruled=True)),
        ("8 lines", Space(lines=8, is_ruled=True)),
        ("1 line", Space(lines=1, is_ruled=True)),
        ("6cm", Space(60)),
        ("6 cm", Space(60)),
        ("4.5cm", Space(45)),
        ("35mm", Space(35)),
        ("page", Space(pages=1)),
        ("2 pages", Space(pages=2)),
    ],
)
def test_room_is_read(typed: str, space: Space) -> None:
    assert space == loads(part(f"{BODY}    space: {typed}\n")).parts[0].space


@pytest.mark.parametrize(
    "typed", ["much", "6", "6in", "0cm", "0 lines", "26 lines", "300mm", "10 pages", "-2cm", "1e9cm"]
)
def test_other_room_is_refused(typed: str, tmp_path: Path) -> None:
    said = (
        "write none, lines, 8 lines, 6cm, page or 2 pages (at most 25 lines, 24cm or 9 pages), or worksheet"
    )
    check(
        part(f"{BODY}    space: {typed}\n"),
        (f"11:12: parts.a.space: '{typed}' is no room on a paper; {said}",),
        tmp_path,
    )


def paper(space: str, *, to: str = "latex") -> str:
    said = f"    space: {space}\n" if space else ""
    trace = solve(loads(part(f"{BODY}{said}")))
    return render_exams([Paper("K7Q2", trace)], Cover(), to=to).text


@pytest.mark.parametrize(
    ("space", "room", "lines", "pages"),
    [
        ("", r"\vspace{32mm}", 0, 0),  # 8 mm for each of 4 marks
        ("none", "", 0, 0),
        ("lines", "", 12, 0),  # 3 for each mark
        ("5 lines", "", 5, 0),
        ("6cm", r"\vspace{60mm}", 0, 0),
        ("2 pages", "", 0, 2),
    ],
)
def test_papers_leave_the_room(space: str, room: str, lines: int, pages: int) -> None:
    text = paper(space).partition("Which?")[2] or paper(space)
    body = text[text.index("Given") :]
    assert (room in body, lines, pages) == (
        True,
        body.count("\\ruledline\n"),
        body.count("\\null\\clearpage"),
    )
    assert ("Working" in body) == bool(room or pages)
    assert r"\answerbox" in body  # numbers are written into their grids, whatever the room for working


def test_markdown_says_so_too() -> None:
    assert 2 == paper("2 pages", to="markdown").count("Working:")
    assert "(about 5 lines)" in paper("5 lines", to="markdown")


@pytest.mark.parametrize(
    ("space", "lines"), [("", 12), ("lines", 12), ("3 lines", 3), ("6cm", 0), ("none", 0)]
)
def test_a_question_in_words_has_lines_or_blank_room(space: str, lines: int) -> None:
    said = f"    space: {space}\n" if space else ""
    trace = solve(loads(part(f"    discuss: Because.\n    marks: 4\n{said}")))
    text = render_exams([Paper("K7Q2", trace)], Cover()).text
    assert lines == text.count("\\ruledline\n")
    assert (space == "6cm") == (r"\vspace{60mm}" in text)
