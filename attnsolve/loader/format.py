"""The format of problem files, described once: files are checked by it, the JSON Schema is made from it."""

from __future__ import annotations

from attnsolve.choice import FEWEST, MOST
from attnsolve.languages import CODES
from attnsolve.problem import CONVENTIONS
from attnsolve.recipes import RECIPES_BY_NAME, Field

FORMAT = "1"
NUMBERS = ("fractions", "decimals", "source")
MODES = ("half_up", "half_even", "truncate")
PROJECT = ("X W", "W X", "X W'")
SCORES = ("Q K'", "K' Q")

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
