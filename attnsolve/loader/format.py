"""The problem format, described once: the loader checks files by it and the JSON Schema is made from it."""

from __future__ import annotations

from attnsolve.choice import FEWEST, MOST
from attnsolve.documents import Node
from attnsolve.languages import CODES
from attnsolve.problem import CONVENTIONS
from attnsolve.recipes import RECIPES_BY_NAME, Field
from attnsolve.variation import GENERATION

FORMAT = "1"
NUMBERS = ("fractions", "decimals", "source")
MODES = ("half_up", "half_even", "truncate")
PROJECT = ("X W", "W X", "X W'")
SCORES = ("Q K'", "K' Q")
FIXED, SHUFFLED = ORDERS = ("fixed", "shuffled")

PROBLEM = (
    Field("format", "format", "the version of this format; write format: 1", required=True),
    Field("title", "text", "what the exercise is called", required=True),
    Field("source", "text", "the course and sheet it comes from"),
    Field("intro", "text", "what stands before the first part: Markdown, in which $…$ is maths"),
    Field(
        "convention",
        "convention",
        "rows (Q = X W), columns (q = W h), torch (y = x Wᵀ + b), or a map of the three choices",
        choices=tuple(CONVENTIONS),
    ),
    Field("places", "integer", "decimal places of printed answers (default 4)", low=0, high=30),
    Field(
        "index_from",
        "choice",
        "whether tokens and cells are counted from 0 or 1 (default 1)",
        choices=("0", "1"),
    ),
    Field("numbers", "choice", "how exact numbers print (default fractions)", choices=NUMBERS),
    Field("lang", "choice", "the language of the sheets (default en)", choices=CODES),
    Field(
        "assume",
        "assumptions",
        "symbols and families of vectors instead of numbers: {m: integer >= 2, k: 'orthonormal, m vectors'}",
    ),
    Field(
        "let",
        "named-numbers",
        "with assume: numbers, or letters of indices, that texts and formulas have in angle brackets: "
        "{r: 2, s: 3} for <r>, <s/(r+s)>",
    ),
    Field("given", "givens", "the matrices and vectors that are given, by name"),
    Field("parts", "parts", "the questions", required=True),
    Field(
        "macros",
        "macros",
        "commands of its own for maths, #1 for an argument: {R: '\\mathbb{R}', norm: '\\lVert #1 \\rVert'}",
    ),
    Field("symbols", "symbols", "how names print, such as {A: '\\hat\\alpha'}"),
    Field(
        "labels",
        "labels",
        "the tokens' names, such as [the, cat, sat]; or those of each given: {X: [the, cat], Y: [le, chat]}",
    ),
    Field("round", "round", "go on from rounded values: {carry: 3, mode: half_up}"),
    Field("scheme", "scheme", "what the mark scheme allows: {truncation: false, inner_places: 2}"),
    Field("vary", "vary", "what changes in exam variants"),
)

# What a part may ask about symbols, where the file has `assume:`.
ABSTRACT = (
    Field("combine", "text", "with symbols: how the outputs of several queries are joined: (a_1 + a_2)/2"),
    Field("limit", "texts", "with symbols: limits of weights and output: c -> oo"),
    Field("solve", "inequalities", "with symbols: {for: c, so that: 'alpha_a >= 1/2 - eps'}"),
    Field("monotony", "texts", "with symbols: whether the weights grow or shrink with c"),
    Field(
        "dot_product",
        "assumptions",
        "with letters: q·k of random vectors: {length: d, mean: 0, variance: 1, divide_by: sqrt(d)}",
    ),
    Field(
        "reorder",
        "assumptions",
        "with letters: attention of n tokens in any other order: {tokens: n, divide_by: sqrt(d)}; or of n "
        "keys with their values, for one query: {keys: n}",
    ),
    Field("table", "chosen", "with symbols: weights for chosen numbers: {m: [4, 64], c: [1, 10]}"),
    Field(
        "expect", "chosen", "with noise: means and variances of the weights: {m: 4, c: [1, 20], beta: [1/4]}"
    ),
    Field(
        "claims", "texts", "with symbols: statements to be judged: [alpha_a = 1/2, 'q*k_i = 0 for i != a']"
    ),
)
ABSTRACT_KEYS = tuple(field.name for field in ABSTRACT)

PART = (
    Field("id", "id", "a short name, such as a; results are then a.S, a.A, a.Z"),
    Field("title", "text", "a heading for this part"),
    Field("ask", "text", "the question: Markdown, in which $…$ is maths"),
    Field(
        "explain",
        "text",
        "what is asked in words besides; discuss: has the answer, and marks: {words: 2} what it is worth",
    ),
    Field("note", "text", "a remark printed after the solution"),
    Field(
        "like",
        "id",
        "repeat that earlier part with what is written here changed (none takes a key back); marks and allow "
        "are taken over too, but title, note, published, explain, discuss, choice, lines and costs are not",
    ),
    Field(
        "cases",
        "cases",
        "run the plan several times, each with some keys changed: [{queries: q1}, {queries: q2}]",
    ),
    Field(
        "find",
        "targets",
        "what is asked for, where the plan ends: A, head2.A; A[2] is what token 2 gets, "
        "A[2, 1] the number printed with these indices",
    ),
    Field(
        "marks",
        "marks",
        "a number, or marks for each step and for the answer in words: "
        "{scores: 2, weights: {method: 1, accuracy: 2}, words: 2}",
        low=0,
        high=1000,
    ),
    Field("plot", "targets", "draw attention maps: weights, or names such as head2.A"),
    Field("published", "published", "answers printed on the sheet, to be checked: {Z: 1.88 -0.64}"),
    Field("discuss", "text", "the written answer of a question in words"),
    Field(
        "choice",
        "question-of-choice",
        "options to tick: a value that the part computes, such as Z or A[1], among those that known mistakes "
        "give; or texts: {right: …, wrong: [… , …]}",
    ),
    Field(
        "lines",
        "integer",
        "lines to write the answer in words on; papers have some anyway, by its marks",
        low=0,
        high=60,
    ),
    Field(
        "costs",
        "costs",
        "what the plans of earlier parts cost, in formulas: {of: a, beside: gru, sizes: [{l: 512, d: 512}]}",
    ),
    Field(
        "plan",
        "plan",
        "any exercise at all, step by step: [{S: 'dot(Q, K)'}, {A: 'softmax(S)', title: The weights}]",
    ),
    Field("with", "swaps", "the same plan with other matrices: {q: p}, beside like or cases"),
    Field("allow", "judges", "what variants may have in this part: [ties, small_weights]"),
    Field(
        "space",
        "space",
        "the room for working on an exam paper: none, lines, 8 lines, 6cm, page, 2 pages "
        "(default: by its marks); worksheet has an empty matrix for each step, some of it given: "
        "{worksheet: {filled: 1}}",
    ),
    *(Field(name, "recipe", "") for name in RECIPES_BY_NAME),  # what it is for, the recipe itself says
    *ABSTRACT,
)

# Under `space: {worksheet: …}`.
WORKSHEET = (
    Field(
        "filled",
        "filled",
        "what is given: so many rows of every matrix, such as 1; or values, rows and cells: [S, 'A[1]']",
        low=1,
        high=64,
    ),
    Field("steps", "targets", "the steps that have blanks (default: all of the part): [S, A]"),
)

# The head of sheets and the title pages of exams, for sheet files and for styles.
LETTERHEAD = (
    Field(
        "cover",
        "cover",
        "what is filled in on the title page of an exam (default [name, id]): "
        "name, id, seat, signature, declaration, or none",
    ),
    Field("declaration", "declaration", "what students declare there, above their signature"),
    Field(
        "logo",
        "logo",
        "a picture beside this file, for title pages and the heads of sheets: logo.pdf, or "
        "{file: logo.pdf, alt: University of Somewhere, height: 2cm}",
    ),
)
LOGO = (
    Field("file", "file", "the picture: PNG, JPEG, PDF or SVG", required=True),
    Field("alt", "text", "words for those who do not see it"),
    Field("height", "height", "how high it is printed (default 15mm)"),
)

# A sheet file: several problems as one document.
PROBLEM_SET = (
    Field("format", "format", "the version of this format; write format: 1", required=True),
    Field("title", "text", "what the sheet is called", required=True),
    Field("course", "text", "the course it belongs to"),
    Field("term", "text", "the term, such as winter 2026/27"),
    Field("date", "text", "the day it is handed out, or is due"),
    Field("lang", "choice", "the language of the sheet (default: that of its first exercise)", choices=CODES),
    Field("instructions", "text", "paragraphs before the first exercise; $…$ is maths"),
    *LETTERHEAD,
    Field(
        "order",
        "choice",
        "fixed, or shuffled: every paper of an exam has its exercises in another order (default: fixed)",
        choices=ORDERS,
    ),
    Field(
        "exercises",
        "exercises",
        "the problems in their order, by their files; or pools of them: {choose: 2, of: [a.yaml, …]}",
        required=True,
    ),
)

POOL = (
    Field("choose", "drawn", "how many of its exercises each paper of an exam has", required=True),
    Field("of", "pooled", "the exercises of the pool, as exercises: has them", required=True),
    Field("points", "worth", "what each exercise of the pool is worth"),
)

EXERCISE = (
    Field("file", "file", "a problem file beside the sheet, week-3/heads.yaml, or a bundled problem's name"),
    Field("problem", "problem", "a problem as its file would have it, instead of a file"),
    Field("folder", "file", "beside problem: the folder below the sheet's in which its data and figures lie"),
    Field("title", "text", "another title than the problem's own"),
    Field("parts", "ids", "only these parts of the problem: [a, c]"),
    Field(
        "points",
        "points",
        "what the exercise is worth, shared in the proportions of its marks: 10; "
        "or what each part is: {a: 4, b: 6}",
    ),
)

CONVENTION = (
    Field("tokens", "choice", "how tokens lie in a printed matrix", choices=("rows", "columns")),
    Field("project", "product", "how a projection is written", choices=PROJECT),
    Field("scores", "product", "how scores are written", choices=SCORES),
)

CHOICE = (
    Field("of", "target", "the value, row or number of the part that is right: Z, A[1], A[1, 2]"),
    Field("options", "integer", "how many options there are (default 4)", low=FEWEST, high=MOST),
    Field("mistakes", "names", "mistakes that give the wrong ones, by name (default: the first that show)"),
    Field("right", "texts", "the right option in words, or a list of several"),
    Field("wrong", "wrong-texts", "the wrong options in words, each a text or {text: …, why: …}"),
    Field("shuffle", "flag", "whether the options in words are printed in another order (default true)"),
    Field("order", "integer", "any number; another one gives another order", low=0, high=999999),
)

WRONG_TEXT = (
    Field("text", "text", "the option", required=True),
    Field("why", "text", "why it is wrong, for the solution and for whoever ticks it"),
)

COSTS = (
    Field("of", "ids", "the earlier part whose steps are counted, or a list of such parts", required=True),
    Field("beside", "choice", "what they are compared with: a GRU of the same width", choices=("gru",)),
    Field("sizes", "letters", "sizes to put in, such as {l: 512, d: 512}; or a list of such"),
)

# Under `vary:` these stand beside the names of givens, and of numbers under `let:`.
VARY = (
    Field("fixed", "names", "givens that stay as they are, when nothing says which ones vary: [W_O]"),
    Field("shapes", "shapes", "sizes to choose from, all of them changed together: [{X: 3x2}, {X: 4x2}]"),
    Field(
        "choose",
        "choose",
        "keys of parts and what may stand there: {b.queries: [[1], [2]]}; "
        "or a list of maps, whose keys are chosen together: [{b.queries: [1], b.ask: …}, …]",
    ),
    Field(
        "claims",
        "claim-counts",
        "with symbols: how many claims of a part each paper has, by their verdicts: {e: {true: 2, false: 1}}",
    ),
    Field("design", "design", "weights that a part is to have, in any order: {a: [1/2 1/3 1/6, 1/4 3/4]}"),
    Field("omit", "keys", "what holds for the original's numbers only and variants leave out: [b.note]"),
    Field("judges", "judge-settings", "how strict the judges of variants are: {smallest_weight: 0.02}"),
    Field("allow", "judges", "what any part may have: [ties]"),
    Field("want", "wants", "what every variant must have: [ties]"),
    Field("band", "share", "how far the work of a variant may be from the usual: 10%"),
    Field("version", "integer", "raise it to get other numbers for everybody (default 1)", low=1, high=9999),
    Field(
        "generation",
        "integer",
        "which judges, mistakes and search decide (default: the newest; an exam keeps its own)",
        low=1,
        high=GENERATION,
    ),
)

# Under `vary: {claims: {e: …}}`: how many claims with each verdict a paper has.
MOST_CLAIMS = 20
CLAIM_COUNTS = (
    Field("true", "integer", "claims that are true", low=0, high=MOST_CLAIMS),
    Field("conditional", "integer", "claims that are true only under a condition", low=0, high=MOST_CLAIMS),
    Field("approximate", "integer", "claims that are approximately true", low=0, high=MOST_CLAIMS),
    Field("false", "integer", "claims that are false", low=0, high=MOST_CLAIMS),
)

JUDGE_SETTINGS = (
    Field("smallest_weight", "share", "no weight is below this (default 0.01)"),
    Field("largest_weight", "share", "no weight is above this (default 0.95)"),
    Field(
        "digits",
        "integer",
        "the digits of a numerator and a denominator together (default 6)",
        low=1,
        high=40,
    ),
    Field("negatives", "share", "how many of the drawn numbers may be negative: 1/2, 50% (default all)"),
    Field("fractions", "share", "how many of them may be fractions (default all)"),
    Field("rational_scale", "flag", "scores are divided by rational numbers only"),
)

DOMAIN = (
    Field("entries", "range", "from the least number to the largest: -2..2"),
    Field("denominators", "sizes", "the denominators that entries may have (default 1)"),
    Field("set", "cells", "the numbers themselves: [0, 1/2, ln(2)]"),
)

WORTH = (
    Field("method", "integer", "marks for doing the right thing", low=0, high=1000),
    Field("accuracy", "integer", "marks for the right numbers", low=0, high=1000),
)

SCHEME = (
    Field("truncation", "flag", "whether cut-off decimals count as rounded ones (default true)"),
    Field(
        "inner_places",
        "integer",
        "roots and exponentials may be rounded to so many places (default: as many as one works with)",
        low=0,
        high=30,
    ),
    Field("follow_through", "flag", "accuracy marks for what is right for one's own numbers (default true)"),
    Field("all_digits", "flag", "fewer digits than asked for cost the accuracy mark (default false)"),
)

ROUND = (
    Field(
        "carry", "integer", "the places every intermediate value is rounded to", required=True, low=0, high=30
    ),
    Field("mode", "choice", "how numbers are rounded (default half_up)", choices=MODES),
)


def is_set(root: Node) -> bool:
    """Whether a document is a sheet file: it has exercises instead of parts."""
    return root.is_map and root.get("exercises") is not None and root.get("parts") is None
