"""Bad keys, bad numbers and bad questions: where each stands, what is wrong, and what would be right."""

# ruff: noqa: E501 (messages are quoted whole, as a lecturer reads them)

from pathlib import Path

import pytest
from badfiles import ATTEND, DATA, SELF, TOP, WORDS, check, given, part

from attnsolve.recipes import RECIPES

KEYS: dict[str, tuple[str | bytes, *tuple[str, ...]]] = {
    "an unknown key": (
        "format: 1\ntitel: T\n" + WORDS,
        "2:1: unknown key 'titel'; did you mean 'title'?",
    ),
    "another word for a key": (
        TOP + "data: {X: 1 2}\n" + WORDS,
        "3:1: unknown key 'data'; did you mean 'given'?",
    ),
    "a key that is nothing like any": (
        TOP + "zzz: 1\n" + WORDS,
        "3:1: unknown key 'zzz'",
    ),
    "a key twice": (
        TOP + "title: again\n" + WORDS,
        "3:1: the key 'title' appears twice; keep one of them",
    ),
    "a given twice": (
        TOP + "given:\n  X: 1 2\n  X: 3 4\n" + WORDS,
        "5:3: given: the key 'X' appears twice; keep one of them",
    ),
    "missing keys": (
        "source: x\n",
        "1:1: the key 'format' is missing: the version of this format; write format: 1",
        "1:1: the key 'title' is missing: what the exercise is called",
        "1:1: the key 'parts' is missing: the questions",
    ),
    "another format": (
        TOP.replace("1", "2") + WORDS,
        "1:9: format: format '2' is not known; this release reads format: 1",
    ),
    "a title that is a list": (
        TOP.replace("T", "[a, b]") + WORDS,
        "2:8: title: a text is expected here; put it into single quotes if it starts with [ or {",
    ),
    "an empty title": (
        TOP.replace("T", "''") + WORDS,
        "2:8: title: this is empty; write the text, or leave the key out",
    ),
    "a dollar alone": (
        TOP + "intro: It costs $5\n" + WORDS,
        "3:17: intro: a '$' without its partner; maths stands between two of them",
    ),
    "maths that LaTeX cannot set": (
        TOP + "intro: Find $x^2^3$ and $\\frac{1}$\n" + WORDS,
        "3:17: intro: a second ^ on the same letter; group it with { }",
    ),
    "places that are no number": (
        TOP + "places: four\n" + WORDS,
        "3:9: places: 'four' is not a whole number from 0 to 30",
    ),
    "places out of bounds": (
        TOP + "places: 31\n" + WORDS,
        "3:9: places: '31' is not a whole number from 0 to 30",
    ),
    "index_from 2": (
        TOP + "index_from: 2\n" + WORDS,
        "3:13: index_from: '2' is not one of 0, 1",
    ),
    "numbers misspelt": (
        TOP + "numbers: fraction\n" + WORDS,
        "3:10: numbers: 'fraction' is not one of fractions, decimals, source; did you mean 'fractions'?",
    ),
    "a convention misspelt": (
        TOP + "convention: row\n" + WORDS,
        "3:13: convention: 'row' is not one of rows, columns, torch; did you mean 'rows'?",
    ),
    "a mixed convention misspelt": (
        TOP + "convention: {tokens: cols, project: X V, scores: Q K}\n" + WORDS,
        "3:22: convention.tokens: 'cols' is not one of rows, columns; did you mean 'columns'?",
        "3:37: convention.project: 'X V' is not one of X W, W X, X W'",
        "3:50: convention.scores: 'Q K' is not one of Q K', K' Q",
    ),
    "round without its places": (
        TOP + "round: {mode: up}\n" + WORDS,
        "3:8: round: the key 'carry' is missing: the places every intermediate value is rounded to",
        "3:15: round.mode: 'up' is not one of half_up, half_even, truncate",
    ),
    "round as a number": (
        TOP + "round: 3\n" + WORDS,
        "3:8: round: a map of keys and values is expected here, such as {carry: 3, mode: half_up}",
    ),
    "labels as a text": (
        TOP + "labels: the cat\n" + WORDS,
        "3:9: labels: a list of token names is expected here, such as [the, cat, sat]",
    ),
    "labels of a given that has no tokens": (
        part(ATTEND) + "labels: {W: [the, cat]}\n",
        "10:10: labels.W: there are no tokens of a given 'W'; the givens with tokens are X, q",
    ),
    "labels that do not fit their given": (
        part(ATTEND) + "labels: {X: [the, cat]}\n",
        "10:10: labels.X: 2 labels, but there are 3 tokens; name each token once",
    ),
    "labels that fit no tokens": (
        part(ATTEND) + "labels: [the, cat]\n",
        "10:9: labels: 2 labels, but there are 3 tokens; name each token once",
    ),
    "a symbol for nothing": (
        part(ATTEND) + "symbols: {B: '\\beta'}\n",
        "10:11: symbols: nothing here is called 'B'; the names here are A, S, T, W, X, Z, q",
    ),
    "symbols as a list": (
        part(ATTEND) + "symbols: [A, B]\n",
        "10:10: symbols: a map is expected here, such as {A: '\\alpha'}",
    ),
    "parts as a map": (
        TOP + "parts: {ask: w}\n",
        "3:8: parts: a list of questions is expected here, each starting with '- ask: …'",
    ),
    "a part that is a text": (
        TOP + "parts:\n  - What is attention?\n",
        "4:5: parts[1]: a map of keys and values is expected here, such as {ask: …}",
    ),
}

MATRICES: dict[str, tuple[str | bytes, *tuple[str, ...]]] = {
    "a decimal comma": (
        given("0,67"),
        "4:6: given.X[1, 1]: '0,67' is not a number; decimals use a point: 0.67",
    ),
    "a decimal comma in a row": (
        given("0,5 1; 2 3"),
        "4:6: given.X[1, 1]: '0,5' is not a number; decimals use a point: 0.5",
    ),
    "a decimal comma in a list": (
        given("[0,5, 1]"),
        "4:7: given.X: '0,5' here is two numbers; decimals use a point: 0.5 (if two are meant, put a space after every comma)",
    ),
    "a decimal comma in a list of lists": (
        given("[[0,5, 1], [2, 3]]"),
        "4:8: given.X: '0,5' here is two numbers; decimals use a point: 0.5 (if two are meant, put a space after every comma)",
    ),
    "a decimal comma that makes a row longer": (
        given("[[0,5], [2]]"),
        "4:15: given.X: row 2 has 1 number, but row 1 has 2; if a decimal comma was meant, write a point: 0.5",
    ),
    "a decimal comma inside { }": (
        TOP + "given: {X: 0,67}\n" + WORDS,
        "3:14: given: a comma starts a new key here; decimals use a point: 0.67",
    ),
    "decimal commas in a pasted block": (
        given("|\n    0,5\t1\n    2\t3,25"),
        "5:5: given.X[1, 1]: '0,5' is not a number; decimals use a point: 0.5",
        "6:7: given.X[2, 2]: '3,25' is not a number; decimals use a point: 3.25",
    ),
    "MATLAB commas that could be decimals": (
        given("'[1,2;3,4]'"),
        "4:8: given.X[1, 1]: '1,2' is not a number; decimals use a point: 1.2",
        "4:12: given.X[2, 1]: '3,4' is not a number; decimals use a point: 3.4",
    ),
    "rows of different length": (
        given("1 2; 3 4.5 5"),
        "4:11: given.X: row 2 has 3 numbers, but row 1 has 2; all rows need the same length",
    ),
    "rows on lines without a bar": (
        given("1 2\n     3 4"),
        "4:6: given.X: YAML joins these lines into one row; write | after the colon and the rows below it",
    ),
    "an empty cell": (
        given("[[1, ], [2, '']]"),
        "4:15: given.X: row 2 has 2 numbers, but row 1 has 1; all rows need the same length",
        "4:18: given.X[2, 2]: a number is expected here",
    ),
    "an empty matrix": (
        given(""),
        "4:5: given.X: this is empty; write numbers such as 1 2; 3 4",
    ),
    "an empty list": (
        given("[]"),
        "4:6: given.X: a row in [ ] is expected here, not an empty list, such as [1, 2]",
    ),
    "an empty row": (
        given("[[1, 2], []]"),
        "4:15: given.X: a row in [ ] is expected here, not an empty list, such as [1, 2]",
    ),
    "a row that is no list": (
        given("[[1, 2], 3]"),
        "4:15: given.X: a row in [ ] is expected here, like the other rows, such as [1, 2]",
    ),
    "a map for a number": (
        given("[[1, {a: b}]]"),
        "4:11: given.X[1, 2]: a number is expected here",
    ),
    "a name in a number": (
        given("1 y"),
        "4:8: given.X[1, 2]: 'y' is not something I can read",
    ),
    "a root without brackets": (
        given("sqrt2 1"),
        "4:6: given.X[1, 1]: 'sqrt2' reads as one name; did you mean sqrt(2)?",
    ),
    "the root of a negative number": (
        given("1 sqrt(-1)"),
        "4:8: given.X[1, 2]: sqrt of a negative number is not a real number",
    ),
    "division by zero": (
        given("1 2/0"),
        "4:10: given.X[1, 2]: division by zero",
    ),
    "a bracket left open": (
        given("1 (2+"),
        "4:11: given.X[1, 2]: a number, name or bracket is missing at the end",
    ),
    "a clock time": (
        given("12:30 1"),
        "4:8: given.X[1, 1]: cannot read ':' here",
    ),
    "ones with a comma": (
        given("ones(3, 2)"),
        "4:6: given.X: 'ones(3, 2)' cannot be made; write ones(3x2)",
    ),
    "ones without columns": (
        given("ones(3)"),
        "4:6: given.X: 'ones(3)' cannot be made; write ones(3x2)",
    ),
    "zeros of nothing": (
        given("zeros(0x2)"),
        "4:6: given.X: 'zeros(0x2)' has no numbers; write zeros(3x2)",
    ),
    "an identity that is not square": (
        given("identity(2x3)"),
        "4:6: given.X: 'identity(2x3)' is not square; write identity(4)",
    ),
    "fill without a rule": (
        given("fill(2x2)"),
        "4:6: given.X: 'fill(2x2)' cannot be made; write fill(3x2, i + j)",
    ),
    "fill with an unknown letter": (
        given("fill(2x2, i + k)"),
        "4:20: given.X: 'k' is not something I can read",
    ),
    "a name that is no name": (
        TOP + "given:\n  W_Q_1: 1 2\n  sqrt: 1\n" + WORDS,
        "4:3: given: 'W_Q_1' cannot be a name; use letters, digits and one _, as in W_Q",
        "5:3: given: 'sqrt' means something else in expressions; choose another name",
    ),
    "given as a list": (
        TOP + "given: [1, 2]\n" + WORDS,
        "3:8: given: a map of names is expected here, such as X: 1 2; 3 4",
    ),
    "a given made from nothing known": (
        TOP + "given:\n  K: 1 2; 3 4\n  q: 50*(L[1] + K[2])\n" + WORDS,
        "5:10: given.q: there is no given 'L'; the givens are K, q",
    ),
    "a row that is not there": (
        TOP + "given:\n  K: 1 2; 3 4\n  q: K[3]\n" + WORDS,
        "5:6: given.q: K has no row 3; they go from 1 to 2",
    ),
    "a product of matrices": (
        TOP + "given:\n  K: 1 2; 3 4\n  q: K*K\n" + WORDS,
        "5:6: given.q: a matrix is multiplied or divided by a number only; products of matrices go into a plan",
    ),
    "shapes that cannot be added": (
        TOP + "given:\n  K: 1 2; 3 4\n  q: K + K[1]\n" + WORDS,
        "5:6: given.q: a 2×2 and a 1×2 matrix cannot be added; they need the same shape",
    ),
    "rows of different width put together": (
        TOP + "given:\n  a: 1 2\n  b: 1 2 3\n  X: a; b\n" + WORDS,
        "6:9: given.X: rows of 2 and 3 numbers cannot stand below each other",
    ),
    "a given made from itself": (
        TOP + "given:\n  X: 2*Y\n  Y: X + X\n" + WORDS,
        "4:6: given.X: 'X' is made from itself",
    ),
}

QUESTIONS: dict[str, tuple[str | bytes, *tuple[str, ...]]] = {
    "a part without a question": (
        TOP + "parts:\n  - discuss: d\n",
        "4:5: parts.a: the key 'ask' is missing: what is the question?",
    ),
    "a part without a plan": (
        TOP + "parts:\n  - ask: w\n",
        "4:5: parts.a: nothing says how to answer this; add one of "
        f"{', '.join(recipe.name for recipe in RECIPES)}, plan, discuss, choice, costs",
    ),
    "a part with two plans": (
        part(ATTEND + "    self_attention: {input: X}\n"),
        "10:21: parts.a: attend and self_attention stand together; a part has one plan",
    ),
    "misspelt keys of a part": (
        TOP + DATA + "parts:\n  - aks: w\n    atend: {queries: q, keys: X}\n",
        "8:5: parts[1]: unknown key 'aks'; did you mean 'ask'?",
        "9:5: parts[1]: unknown key 'atend'; did you mean 'attend'?",
    ),
    "an id that is a path": (
        TOP + "parts:\n  - {id: ../../etc, ask: w, discuss: d}\n",
        "4:10: parts[1].id: id '../../etc' may have only a-z, 0-9 and -, at most 20 of them",
    ),
    "an id twice": (
        TOP + "parts:\n  - {id: a, ask: w, discuss: d}\n  - {id: a, ask: w, discuss: d}\n",
        "5:10: parts[2].id: a part 'a' is there already; choose another id",
    ),
    "an id that is a device": (
        TOP + "parts:\n  - {id: con, ask: w, discuss: d}\n",
        "4:10: parts[1].id: id 'con' is the name of a device on Windows; choose another",
    ),
    "like an unknown part": (
        part(ATTEND + "  - {like: b, ask: w}\n"),
        "10:12: parts.b.like: there is no earlier part 'b'; the parts before this one are a",
    ),
    "like itself": (
        TOP + "parts:\n  - {id: a, like: a, ask: w}\n",
        "4:19: parts.a.like: there is no earlier part 'a'; no part comes before this one",
    ),
    "cases as a map": (
        part(ATTEND + "    cases: {queries: q}\n"),
        "10:12: parts.a.cases: a list of 1 to 40 changes is expected here, such as [{queries: q1}, {queries: q2}]",
    ),
    "an unknown key in a case": (
        part(ATTEND + "    cases: [{querys: q}]\n"),
        "10:14: parts.a.cases[1]: unknown key 'querys'; did you mean 'queries'?",
    ),
    "a case that does not fit": (
        part(ATTEND + "    cases: [{queries: q}, {queries: 1 2 3}]\n"),
        "10:27: parts.a.cases[2]: 3 numbers per token in queries, but 2 in X; queries and keys need the same width (queries is 1×3, X is 3×2)",
    ),
    "cases of a question in words": (
        TOP + "parts:\n  - {ask: w, discuss: d, cases: [{a: b}]}\n",
        "4:33: parts.a.cases: cases repeat a plan, and this part has none",
    ),
    "a case of a plan that changes nothing": (
        part("    plan: [{S: 'dot(q, X)'}]\n    cases: [{k: X}]\n"),
        "10:14: parts.a.cases[1]: the plan does not use 'k'; it uses X, q",
    ),
    "find something else": (
        part(ATTEND + "    find: B\n"),
        "10:11: parts.a.find: there is no 'B' here; this part makes S, T, A, Z",
    ),
    "find a misspelt word": (
        part(ATTEND + "    find: wieghts\n"),
        "10:11: parts.a.find: there is no 'wieghts' here; did you mean 'weights'?",
    ),
    "find a row that is not there": (
        part(SELF + "    find: 'A[5]'\n"),
        "10:11: parts.a.find: a.A has no row 5; it has rows 1, 2, 3",
    ),
    "find a cell that is not there": (
        part(SELF + "    find: 'A[2, 7]'\n"),
        "10:11: parts.a.find: a.A has no column 7; it has columns 1, 2, 3",
    ),
    "find something that is no name": (
        part(ATTEND + "    find: A(1)\n"),
        "10:11: parts.a.find: 'A(1)' is not a name; write A, head2.A, b.Z, A[2] or A[2, 1]",
    ),
    "find a given": (
        part(ATTEND + "    find: X\n"),
        "10:11: parts.a.find: X is given; name what is worked out, such as A, b.Z or A[2]",
    ),
    "find a given and a result": (
        part(ATTEND + "    find: [A, X]\n"),
        "10:15: parts.a.find: X is given; name what is worked out, such as A, b.Z or A[2]",
    ),
    "find what an earlier part has found": (
        part(ATTEND + "  - {ask: v, attend: {queries: q, keys: X}, find: a.Z}\n"),
        "10:51: parts.b.find: nothing is left to do here: a.Z is known before this part",
    ),
    "draw a given": (
        part(ATTEND + "    plot: W\n"),
        "10:11: parts.a.plot: W is given; name what is worked out, such as A, b.Z or A[2]",
    ),
    "a published given": (
        part(ATTEND + "    published: {q: 1 2}\n"),
        "10:17: parts.a.published.q: q is given; name what is worked out, such as A, b.Z or A[2]",
    ),
    "find nothing": (
        part(ATTEND + "    find: []\n"),
        "10:11: parts.a.find: an empty list; write names such as [A, Z], or leave the key out",
    ),
    "plot yes": (
        part(ATTEND + "    plot: yes\n"),
        "10:11: parts.a.plot: 'yes' does not say what to draw; write plot: weights",
    ),
    "plot a row": (
        part(SELF + "    plot: 'A[1]'\n"),
        "10:11: parts.a.plot: a whole matrix is drawn, not a row or a cell; write its name only",
    ),
    "marks for an unknown step": (
        part(ATTEND + "    marks: {score: 2, weights: many}\n"),
        "10:13: parts.a.marks: this part has no step 'score'; did you mean 'scores'?",
        "10:32: parts.a.marks.weights: 'many' is not a whole number from 0 to 1000",
    ),
    "marks below zero": (
        part(ATTEND + "    marks: -1\n"),
        "10:12: parts.a.marks: '-1' is not a whole number from 0 to 1000",
    ),
    "marks for a step that find leaves out": (
        part(ATTEND + "    find: A\n    marks: {output: 1}\n"),
        "11:13: parts.a.marks: this part has no step 'output'; the steps are scores, scaled, weights, A, S, T",
    ),
    "marks for steps of a question in words": (
        TOP + "parts:\n  - {ask: w, discuss: d, marks: {a: 1}}\n",
        "4:33: parts.a.marks: a question in words has no steps; write one number, such as marks: 2",
    ),
    "published numbers of another shape": (
        part(ATTEND + "    published: {Z: 1 2 3}\n"),
        "10:20: parts.a.published.Z: this is 1×3, but a.Z has 1×2 numbers",
    ),
    "published numbers the other way round": (
        part(SELF + "    published: {Z: 1 2 3; 4 5 6}\n"),
        "10:20: parts.a.published.Z: this is 2×3, but a.Z has 3×2 numbers; write it the other way round",
    ),
    "a published comma": (
        part(ATTEND + "    published:\n      Z: 0,5 1\n"),
        "11:10: parts.a.published.Z[1, 1]: '0,5' is not a number; decimals use a point: 0.5",
    ),
    "published for nothing": (
        part(ATTEND + "    published: {Y: 1 2}\n"),
        "10:17: parts.a.published.Y: there is no 'Y' here; this part makes S, T, A, Z",
    ),
    "a result that find has cut off": (
        part(ATTEND + "    find: A\n  - {ask: v, attend: {queries: a.Z, keys: X}}\n"),
        "11:32: parts.b.attend.queries: 'a.Z' is never worked out, because part a ends before it; add Z to its find",
    ),
}

CASES = KEYS | MATRICES | QUESTIONS


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_bad_file_is_refused(case: tuple[str | bytes, *tuple[str, ...]], tmp_path: Path) -> None:
    file, *expected = case
    check(file, tuple(expected), tmp_path)
