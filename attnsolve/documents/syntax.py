"""What PyYAML complains about, in the words of somebody who writes exercises."""

from __future__ import annotations

import re
from typing import Any

import yaml

from attnsolve.documents.conversion import QUOTE
from attnsolve.errors import Fault
from attnsolve.input_files import CONFLICT, MERGED

LATEX = "double quotes take '\\' as an escape; write LaTeX in single quotes: '\\hat s'"
INDEXED = "inside { } and [ ] a name with an index needs single quotes: 'X[2]', 'A[2, 1]'"
SYNTAX = {
    "found unknown escape": LATEX,
    "decimal number": LATEX,
    "found a tab character": "a tab; indent with spaces",
    "could not find expected ':'": "a line without a key; write key: value, with a space after the colon",
    "expected ',' or ']'": "this list is not closed by ], or lacks a comma between two items",
    "expected ',' or '}'": "this map is not closed by }, or lacks a comma; put texts with : in single quotes",
    "unexpected end of stream": "this quote is opened and never closed",
    "sequence entries": f"a '- ' after a key; start the list on its own line{QUOTE}",
    "'-' indicator": "an item that is not indented like the others of its list, or lacks its '- '",
    "alphabetic or numeric": "a text cannot start with * or &; put it into single quotes",
    "expected node content": f"a value is missing before this character; write it{QUOTE}",
    "mapping keys are not allowed": "a text cannot start with '? '; put it into single quotes",
    "comment or line break": "after | or > the text starts on the next line",
    "undefined tag handle": "a text cannot start with !; put it into single quotes",
}
# The cause of these stands where the list, the map, the quote or the line began, not where PyYAML gave up.
BEGUN_EARLIER = (
    "hexdecimal",
    "could not find",
    "expected ',' or",
    "end of stream",
    "numeric",
    "line break",
    "tag",
)


def syntax_fault(error: yaml.YAMLError, name: str, lines: list[str]) -> Fault:
    """A complaint of PyYAML in the words of this format, where the cause stands."""
    merged = next((number for number, line in enumerate(lines) if CONFLICT.match(line)), None)
    if merged is not None:
        return Fault(name, merged + 1, 1, "", MERGED)
    problem = str(getattr(error, "problem", None) or error)
    mark, began = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    here = rest_of(lines, mark)
    if began and here[:1] != "[" and any(piece in problem for piece in BEGUN_EARLIER):
        mark = began
    line, column = (mark.line, mark.column) if mark else (0, 0)
    said = in_our_words(problem, lines, line, column, here)
    return Fault(name, line + 1, column + 1, "", f"not valid YAML: {said}")


def rest_of(lines: list[str], mark: Any) -> str:
    """What stands at a mark, to the end of its line."""
    return lines[mark.line][mark.column :] if mark and mark.line < len(lines) else ""


def in_our_words(problem: str, lines: list[str], line: int, column: int, here: str) -> str:
    """What is wrong, told from what PyYAML says and from what stands there."""
    before = lines[line][:column] if line < len(lines) else ""
    if "mapping values" in problem:
        if re.search(r":\s", before):
            return "a ': ' inside a text that has no quotes; put the whole text into single quotes"
        if line and re.match(r"[-\s]*\w+:[^\s/]", lines[line - 1]):
            return "the line above has no space after its colon; write key: value"
        return "this line is indented too far; indent it like the key it belongs beside"
    if "cannot start any token" in problem:
        tab = here[:1] == "\t"
        return (
            "a tab; indent with spaces"
            if tab
            else f"a text cannot start with '{here[:1]}'; put it into single quotes"
        )
    if "did not find expected key" in problem or "<block end>" in problem:
        if before.rstrip()[-1:] in ("'", '"', "]", "}"):
            return (
                "text goes on after a closing quote or bracket; put all of it into single quotes ('' for ')"
            )
        return "this line is indented like none of the lines above it"
    if "expected ',' or" in problem and here[:1] == "[":
        return INDEXED
    return next((ours for theirs, ours in SYNTAX.items() if theirs in problem), problem)
