"""Files that are not YAML, or that are YAML with something else in mind: refused quickly, and in plain words."""

# ruff: noqa: E501 (messages are quoted whole, as a lecturer reads them)

from pathlib import Path

import pytest
from badfiles import ATTEND, TOP, WORDS, check, given, part

YAML: dict[str, tuple[str | bytes, *tuple[str, ...]]] = {
    "a colon in an unquoted question": (
        TOP.replace("T", "two things: weights and output") + WORDS,
        "2:18: not valid YAML: a ': ' inside a text that has no quotes; put the whole text into single quotes",
    ),
    "a colon in the first line of a part": (
        TOP + "parts:\n  - ask: Find two things: A and Z\n    discuss: d\n",
        "4:25: not valid YAML: a ': ' inside a text that has no quotes; put the whole text into single quotes",
    ),
    "an unquoted hash in a question": (
        TOP + "parts:\n  - ask: What is token #1 # here?\n    discuss: d\n",
        "4:23: parts.a.ask: ' #' starts a comment, so the text ends before it; put the whole text into single quotes",
    ),
    "LaTeX in double quotes": (
        part(ATTEND) + 'symbols: {A: "\\alpha"}\n',
        "10:15: symbols.A: double quotes change the '\\a' of '\\alpha'; use single quotes",
    ),
    "LaTeX in double quotes that YAML does not know": (
        part(ATTEND) + 'symbols: {A: "\\hat s"}\n',
        "10:15: not valid YAML: double quotes take '\\' as an escape; write LaTeX in single quotes: '\\hat s'",
    ),
    "LaTeX in double quotes that looks like a code": (
        part(ATTEND) + 'symbols: {A: "\\upsilon"}\n',
        "10:14: not valid YAML: double quotes take '\\' as an escape; write LaTeX in single quotes: '\\hat s'",
    ),
    "an escaped control character": (
        TOP + 'intro: "ring \\a"\n' + WORDS,
        "3:8: intro: double quotes make a control character here; use single quotes",
    ),
    "a comma in a call inside { }": (
        part("    self_attention: {input: X, W_Q: ones(3, 2)}\n"),
        "9:37: parts[1].self_attention.W_Q: inside { } and [ ] a comma ends a text, so 'ones(3' is cut off; write ones(3x2)",
    ),
    "a comma in a step inside { }": (
        part("    plan: [{S: dot(q, X)}, {A: softmax(S)}]\n"),
        "9:16: parts[1].plan[1].S: inside { } and [ ] a comma ends a text, so 'dot(q' is cut off; put 'dot(q, X)' into single quotes",
    ),
    "a comma in a text inside { }": (
        TOP + "parts:\n  - {ask: Find A, Z and C, discuss: d}\n",
        "4:19: parts[1]: 'Z and C' has no value; a comma in { } starts a new key: put texts with commas in single quotes",
    ),
    "an index inside { }": (
        part("    attend: {queries: X[2], keys: X}\n"),
        "9:24: not valid YAML: inside { } and [ ] a name with an index needs single quotes: 'X[2]', 'A[2, 1]'",
    ),
    "a bracket never closed inside { }": (
        part("    attend: {queries: q, keys: X, divide_by: sqrt(2}\n"),
        "9:46: parts[1].attend.divide_by: the bracket in 'sqrt(2' is never closed",
    ),
    "a list never closed": (
        TOP + "given:\n  X: [1, 2\n" + WORDS,
        "4:6: not valid YAML: this list is not closed by ], or lacks a comma between two items",
    ),
    "a map never closed": (
        part("    attend: {queries: q, keys: X\n"),
        "9:13: not valid YAML: this map is not closed by }, or lacks a comma; put texts with : in single quotes",
    ),
    "a quote never closed": (
        TOP + "intro: 'It goes on\n" + WORDS,
        "3:8: not valid YAML: this quote is opened and never closed",
    ),
    "text after a closing quote": (
        TOP + "intro: 'Q' and 'K' are given\n" + WORDS,
        "3:12: not valid YAML: text goes on after a closing quote or bracket; put all of it into single quotes ('' for ')",
    ),
    "an apostrophe inside single quotes": (
        TOP + "intro: 'it's easy'\n" + WORDS,
        "3:12: not valid YAML: text goes on after a closing quote or bracket; put all of it into single quotes ('' for ')",
    ),
    "a tab as indentation": (
        TOP + "given:\n\tX: 1 2\n" + WORDS,
        "4:1: not valid YAML: a tab; indent with spaces",
    ),
    "a line without a key": (
        TOP + "intro\n" + WORDS,
        "3:1: not valid YAML: a line without a key; write key: value, with a space after the colon",
    ),
    "no space after the colon": (
        "format:1\n" + TOP + WORDS,
        "2:7: not valid YAML: the line above has no space after its colon; write key: value",
    ),
    "a line indented too far": (
        TOP + "places: 4\n  source: x\n" + WORDS,
        "4:9: not valid YAML: this line is indented too far; indent it like the key it belongs beside",
    ),
    "a line indented like none": (
        TOP + "parts:\n    - ask: w\n      discuss: d\n  - ask: v\n",
        "6:3: not valid YAML: this line is indented like none of the lines above it",
    ),
    "a question that starts with a star": (
        TOP + "parts:\n  - ask: '*'\n    discuss: *important\n",
        "5:14: anchors and aliases (& and *) are not allowed; write the value out, or put the text into single quotes",
    ),
    "a question that starts with a percent sign": (
        TOP + "intro: %X% is given\n" + WORDS,
        "3:8: not valid YAML: a text cannot start with '%'; put it into single quotes",
    ),
    "a question that starts with a dash": (
        TOP + "intro: - first\n" + WORDS,
        "3:8: not valid YAML: a '- ' after a key; start the list on its own line, or put the text into single quotes",
    ),
    "a second document": (
        TOP + WORDS + "---\ntitle: again\n",
        "6:1: a second document starts here; one file holds one problem",
    ),
    "an empty file": (
        "# nothing here\n",
        "1:1: the file is empty; 'attnsolve new NAME' writes one to start from",
    ),
    "a text instead of a map": (
        "Self-attention by hand\n",
        "1:1: a map of keys and values is expected here, such as {format: 1, title: …, parts: …}",
    ),
    "a list instead of a map": (
        "- format: 1\n- title: T\n",
        "1:1: a map of keys and values is expected here, such as {format: 1, title: …, parts: …}",
    ),
    "a key that is a list": (
        TOP + "? [a, b]\n: c\n" + WORDS,
        "3:3: a key must be plain text; put a text that starts with { or [ into single quotes",
    ),
}

HOSTILE: dict[str, tuple[str | bytes, *tuple[str, ...]]] = {
    "an anchor": (
        TOP + "given:\n  X: &x 1 2\n  Y: *x\n" + WORDS,
        "4:6: anchors and aliases (& and *) are not allowed; write the value out, or put the text into single quotes",
    ),
    "a billion laughs": (
        "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
        "1:4: anchors and aliases (& and *) are not allowed; write the value out, or put the text into single quotes",
    ),
    "a Python tag": (
        TOP + "intro: !!python/object/apply:os.system ['ls']\n" + WORDS,
        "3:8: the YAML tag 'tag:yaml.org,2002:python/object/apply:os.system' is not allowed; write a plain value, or put the text into single quotes",
    ),
    "a merge key": (
        TOP + "<<: {intro: x}\n" + WORDS,
        "3:1: unknown key '<<'",
    ),
    "a hundred thousand brackets": (
        TOP + "given: {X: " + "[" * 100_000,
        "3:42: nested deeper than 32 levels, the limit",
    ),
    "too many values": (
        TOP + "labels: [" + "a, " * 60_000 + "a]\n" + WORDS,
        "3:149989: more than 50000 values, the limit; large data goes into a CSV file beside it",
    ),
    "more than a megabyte": (
        TOP + "intro: " + "x" * 1_000_000 + "\n" + WORDS,
        "1:1: the file has more than 1000000 bytes, the limit",
    ),
    "a very long text": (
        TOP + "intro: " + "x" * 30_000 + "\n" + WORDS,
        "3:8: intro: a text of 30000 characters; the limit is 20000",
    ),
    "a tower of powers": (
        given("9^9^9"),
        "4:6: given.X[1, 1]: the power ^387420489 is not allowed; exponents are whole numbers from -64 to 64, or 1/2",
    ),
    "a huge exponent": (
        given("1e999999999"),
        "4:6: given.X[1, 1]: the exponent of '1e999999999' is too large; write at most 3 digits after e",
    ),
    "a factorial": (
        given("factorial(10^7)"),
        "4:6: given.X[1, 1]: there is no function 'factorial'",
    ),
    "a number of many digits": (
        given("7" * 3000),
        "4:6: given.X[1, 1]: this is 3000 characters long; the limit is 1000",
    ),
    "a chain of signs": (
        given("-" * 900 + "1"),
        "4:6: given.X[1, 1]: more than 500 operations",
    ),
    "a chain of powers": (
        given("2^" * 300 + "2"),
        "4:7: given.X[1, 1]: more than 8 powers in a row",
    ),
    "a deep nest of roots": (
        given("sqrt(" * 100 + "2" + ")" * 100),
        "4:10: given.X[1, 1]: more than 64 brackets",
    ),
    "an exponential of an exponential": (
        given("exp(exp(exp(9)))"),
        "4:6: given.X[1, 1]: the number in exp(…) is too large; the limit is 1000000",
    ),
    "many hard roots": (
        given("; ".join(f"sqrt({10**36 + 7 * k})" for k in range(64))),
        "4:636: given.X[15, 1]: more than 10000 operations in this file, the limit; write numbers out",
    ),
    "a matrix too large to read": (
        given("ones(4096x3)"),
        "4:6: given.X: 4096 rows; the limit is 64 (exact solutions are meant to be read)",
    ),
    "a matrix too wide to read": (
        given(" ".join(["1"] * 65)),
        "4:6: given.X: 65 columns; the limit is 64 (exact solutions are meant to be read)",
    ),
    "a rule with too much work": (
        given("fill(64x64, i*j + i*j + i*j + i*j)"),
        "4:18: given.X: more than 10000 operations in this file, the limit; write numbers out",
    ),
    "too many heads": (
        part("    multi_head: {input: X, heads: 17}\n"),
        "9:35: parts.a.multi_head.heads: '17' is not a whole number from 1 to 16",
    ),
    "too many parts": (
        TOP + "parts:\n" + "  - {ask: w, discuss: d}\n" * 41,
        "4:3: parts: 41 parts; the limit is 40",
    ),
    "too many steps": (
        part("    multi_head: {input: X, heads: 2}\n    cases: [" + "{input: X}, " * 39 + "{input: X}]\n"),
        "8:5: parts.a: 600 steps up to here; the limit is 400",
    ),
    "code in a number": (
        given("__import__('os').system('ls')"),
        "4:6: given.X[1, 1]: '__import__' is not something I can read",
    ),
    "code in a list": (
        TOP + 'given:\n  X: [["().__class__.__bases__"]]\n' + WORDS,
        "4:9: given.X[1, 1]: '__class__' is not something I can read",
    ),
    "code in a divisor": (
        part("    attend: {queries: q, keys: X, divide_by: \"open('x')\"}\n"),
        '9:52: parts.a.attend.divide_by: cannot read "\'" here',
    ),
    "a template in a number": (
        given("'{{ 7*7 }}'"),
        "4:7: given.X[1, 1]: cannot read '{' here",
        "4:14: given.X[1, 3]: cannot read '}' here",
    ),
    "a command in a title": (
        TOP.replace("T", r"'$\input{/etc/passwd}$'") + WORDS,
        "2:10: title: the command \\input is not allowed; ",
    ),
    "a hidden command in a question": (
        TOP + "parts:\n  - ask: 'Find $^^5cinput{x}$'\n    discuss: d\n",
        "4:17: parts.a.ask: '^^' is not allowed in maths; write ^ once",
    ),
    "a definition that never ends": (
        TOP + "parts:\n  - ask: 'Find $\\def\\x{\\x}\\x$'\n    discuss: d\n",
        "4:17: parts.a.ask: the command \\def is not allowed; ",
    ),
    "a command in a symbol": (
        part(ATTEND) + "symbols: {A: '\\write18{ls}'}\n",
        "10:15: symbols.A: the command \\write is not allowed; ",
    ),
}

CHARACTERS: dict[str, tuple[str | bytes, *tuple[str, ...]]] = {
    "a NUL": (
        TOP + "intro: a\0b\n" + WORDS,
        "3:9: a control character (U+0000), which no text needs; delete it",
    ),
    "an escape character": (
        TOP + "intro: a\x1b[31mb\n" + WORDS,
        "3:9: a control character (U+001B), which no text needs; delete it",
    ),
    "Latin-1": (
        (TOP + "intro: caf\xe9\n" + WORDS).encode("latin-1"),
        "3:11: not UTF-8 (byte 0xE9); save the file as UTF-8",
    ),
    "UTF-16": (
        (TOP + WORDS).encode("utf-16"),
        "1:1: not UTF-8 (byte 0xFF); save the file as UTF-8",
    ),
    "half a surrogate pair": (
        TOP + "intro: \ud800\n" + WORDS,
        "3:8: not UTF-8 (byte 0xED); save the file as UTF-8",
    ),
    "a zero-width space in a number": (
        given("1 2\u200b3"),
        "4:8: given.X[1, 2]: an invisible character (U+200B) stands in '23'; type the number anew",
    ),
    "Arabic digits": (
        given("١ ٢"),
        "4:6: given.X[1, 1]: cannot read '١' here",
        "4:8: given.X[1, 2]: cannot read '٢' here",
    ),
    "a fraction character": (
        given("½ 1"),
        "4:6: given.X[1, 1]: cannot read '½' here",
    ),
    "infinity": (
        given("1 inf"),
        "4:8: given.X[1, 2]: 'inf' is not a number that can be worked out by hand; write a plain number",
    ),
    "a fullwidth digit for places": (
        TOP + "places: ４\n" + WORDS,
        "3:9: places: '４' is not a whole number from 0 to 30",
    ),
    "a Greek letter in maths": (
        TOP + "intro: The weights $α$\n" + WORDS,
        "3:21: intro: 'α' is not allowed in maths; write it in words or as a LaTeX command",
    ),
    "CRLF does not move positions": (
        given("1 x").replace("\n", "\r\n"),
        "4:8: given.X[1, 2]: 'x' is not something I can read",
    ),
    "a BOM does not move positions": (
        "\ufeff" + "titel: T\n" + WORDS,
        "1:1: unknown key 'titel'; did you mean 'title'?",
        "1:1: the key 'format' is missing: the version of this format; write format: 1",
    ),
}

CASES = YAML | HOSTILE | CHARACTERS


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_bad_file_is_refused(case: tuple[str | bytes, *tuple[str, ...]], tmp_path: Path) -> None:
    file, *expected = case
    check(file, tuple(expected), tmp_path)
