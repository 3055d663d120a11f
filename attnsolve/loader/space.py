"""The room that a paper leaves for an answer: none, lines, 8 lines, 6cm, page, or a worksheet with blanks."""

from __future__ import annotations

import re

from attnsolve.documents import Node
from attnsolve.loader.answers import AnswerReader
from attnsolve.loader.format import WORKSHEET
from attnsolve.loader.reader import shortened
from attnsolve.problem import Call, Space, Target, Worksheet

# What a page holds: more is written as pages.
MOST_MILLIMETRES, MOST_LINES, MOST_PAGES = 240, 25, 9
BLANKS = "worksheet"
SPACE = (
    r"none|lines|(?P<lines>[0-9]{1,3}) lines?|(?P<pages>[0-9]{1,2}) pages?|page"
    rf"|(?P<size>[0-9]{{1,3}})(?P<half>\.5)? ?(?P<unit>cm|mm)|{BLANKS}"
)


def read_space(answers: AnswerReader, node: Node, calls: tuple[Call, ...]) -> Space | None:
    """How much room there is for the answer to a part whose steps are known."""
    reader, path = answers.reader, f"{answers.path}.space"
    if node.is_map:
        return _with_worksheet(answers, node, calls)
    text = reader.word(node, path, "the room for an answer, such as 6cm")
    if text is None:
        return None
    if text == BLANKS:
        return _blanks(answers, node, Worksheet(), calls)
    found = re.fullmatch(SPACE, text)
    space = None if found is None else _space(text, found)
    if space is None:
        said = f"'{shortened(text)}' is no room on a paper; write none, lines, 8 lines, 6cm, page or 2 pages"
        most = f"at most {MOST_LINES} lines, {MOST_MILLIMETRES // 10}cm or {MOST_PAGES} pages"
        reader.fault(node, path, f"{said} ({most}), or {BLANKS}")
    return space


def _space(text: str, found: re.Match[str]) -> Space | None:
    """The room that a text asks for; None where that is none, or too much."""
    size = int(found["size"] or 0) * (10 if found["unit"] == "cm" else 1)
    if found["half"]:
        size += 5 if found["unit"] == "cm" else 1
    lines, pages = int(found["lines"] or 0), int(found["pages"] or (text == "page"))
    space = Space(size, lines, is_ruled=text == "lines" or bool(lines), pages=pages)
    if size > MOST_MILLIMETRES or lines > MOST_LINES or pages > MOST_PAGES:
        return None
    return space if any(space) or text == "none" else None


def _with_worksheet(answers: AnswerReader, node: Node, calls: tuple[Call, ...]) -> Space | None:
    """`{worksheet: {filled: 1}}`."""
    reader, path = answers.reader, f"{answers.path}.space"
    if [key.text for key, _ in node.entries] != [BLANKS]:
        said = "a map has room for a worksheet only; write {worksheet: {filled: 1}}, or a text such as 6cm"
        reader.fault(node, path, said)
        return None
    entries = reader.mapping(node.entries[0][1], f"{path}.{BLANKS}", WORKSHEET, what="filled: 1")
    filled, steps = entries.get("filled"), entries.get("steps")
    rows = None
    if filled is not None and filled.is_text and filled.text.strip().lstrip("-").isdigit():
        field = WORKSHEET[0]
        rows = reader.integer(filled, f"{path}.{BLANKS}.filled", field.low, field.high)
        filled = None
    given = _of_part(answers, filled, "filled", calls)
    chosen = _of_part(answers, steps, "steps", calls)
    if steps is not None and any(target.row is not None for target in chosen):
        said = "a step has blanks as a whole, not a row or a cell of it; write its name only"
        reader.fault(steps, f"{path}.{BLANKS}.steps", said)
    names = tuple(dict.fromkeys(target.name for target in chosen))
    return _blanks(answers, node, Worksheet(names, given, rows or 0), calls)


def _blanks(answers: AnswerReader, node: Node, worksheet: Worksheet, calls: tuple[Call, ...]) -> Space | None:
    """A worksheet, if there is anything to fill in."""
    if not calls:
        said = "a worksheet has blanks for the steps of a part, and this one has none; write lines"
        answers.reader.fault(node, f"{answers.path}.space", said)
        return None
    return Space(worksheet=worksheet)


def _of_part(
    answers: AnswerReader, node: Node | None, key: str, calls: tuple[Call, ...]
) -> tuple[Target, ...]:
    """The values, rows or cells that a key names, all of them results of this part."""
    found = answers.targets(node, f"space.{BLANKS}.{key}")
    own = [call.out for call in calls]
    for target in found:
        if node is not None and target.name not in own:
            steps = ", ".join(name.removeprefix(f"{answers.part}.") for name in own)
            said = f"{target.name} is no step that this part works out; its steps are {steps}"
            answers.reader.fault(node, f"{answers.path}.space.{BLANKS}.{key}", said)
    return found
