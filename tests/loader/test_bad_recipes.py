"""Recipes and plans that cannot be carried out: names, settings, and shapes told as the file writes them."""

# ruff: noqa: E501 (messages are quoted whole, as a lecturer reads them)

from pathlib import Path

import pytest
from badfiles import ATTEND, DATA, TOP, check, part

from attnsolve.ops import NORMALISERS, OPS

WEIGHTS = ", ".join(op.name for op in NORMALISERS)

RECIPES: dict[str, tuple[str | bytes, *tuple[str, ...]]] = {
    "a bare scale": (
        part("    attend: {queries: q, keys: X, scale: 30}\n"),
        "9:35: parts.a.attend: a bare 'scale' does not say which way (papers divide, torch multiplies); use divide_by: sqrt(d_k) or multiply_by: 1/sqrt(d_k)",
    ),
    "divide and multiply": (
        part("    attend: {queries: q, keys: X, divide_by: 2, multiply_by: 2}\n"),
        "9:62: parts.a.attend.multiply_by: divide_by and multiply_by exclude each other; keep one of them",
    ),
    "divide by zero": (
        part("    attend: {queries: q, keys: X, divide_by: 0}\n"),
        "9:46: parts.a.attend.divide_by: this is 0; a number other than 0 is needed",
    ),
    "divide by an unknown size": (
        part("    attend: {queries: q, keys: X, divide_by: sqrt(d_v)}\n"),
        "9:51: parts.a.attend.divide_by: 'd_v' is not something I can read; did you mean 'd_k'?",
    ),
    "divide scores by a size nobody knows": (
        part("    attend: {scores: 1 2, divide_by: sqrt(d_k)}\n"),
        "9:43: parts.a.attend.divide_by: d_k is not known here; write its value, such as sqrt(2)",
    ),
    "a temperature beside the weights": (
        part("    attend: {queries: q, keys: X, temperature: 2}\n"),
        "9:35: parts.a.attend: a temperature is a setting of softmax; say weights: {softmax: {temperature: 2}}",
    ),
    "weights misspelt": (
        part("    attend: {queries: q, keys: X, weights: sofmax}\n"),
        f"9:44: parts.a.attend.weights: 'sofmax' is not one of {WEIGHTS}; did you mean 'softmax'?",
    ),
    "a setting of softmax misspelt": (
        part("    attend: {queries: q, keys: X, weights: {softmax: {temp: 2}}}\n"),
        "9:55: parts.a.attend.weights.softmax: unknown key 'temp'; did you mean 'temperature'?",
    ),
    "a temperature of zero": (
        part("    attend: {queries: q, keys: X, weights: {softmax: {temperature: 0}}}\n"),
        "9:68: parts.a.attend.weights.softmax.temperature: this is 0; a number other than 0 is needed",
    ),
    "a tie rule misspelt": (
        part("    attend: {queries: q, keys: X, weights: {argmax: {ties: last}}}\n"),
        "9:60: parts.a.attend.weights.argmax.ties: 'last' is not one of first, split, refuse",
    ),
    "settings for relu": (
        part("    attend: {queries: q, keys: X, weights: {relu: {ties: first}}}\n"),
        "9:51: parts.a.attend.weights: relu has no settings; write weights: relu",
    ),
    "an unknown given": (
        part("    attend: {queries: q, keys: Y}\n"),
        "9:32: parts.a.attend.keys: there is no given 'Y'; the givens are X, q, W",
    ),
    "a given in the wrong case": (
        part("    attend: {queries: Q, keys: x}\n"),
        "9:23: parts.a.attend.queries: there is no given 'Q'; did you mean 'q'?",
        "9:32: parts.a.attend.keys: there is no given 'x'; did you mean 'X'?",
    ),
    "a result that is not there yet": (
        part("    attend: {queries: b.Z, keys: X}\n"),
        "9:23: parts.a.attend.queries: there is no earlier result 'b.Z'; no part before this one makes any",
    ),
    "an earlier result misspelt": (
        part(ATTEND + "  - {ask: v, attend: {queries: a.z, keys: X}}\n"),
        "10:32: parts.b.attend.queries: there is no earlier result 'a.z'; did you mean 'a.Z'?",
    ),
    "no keys": (
        part("    attend: {queries: q}\n"),
        "9:13: parts.a.attend: the key 'keys' is missing; say keys: X, or start from scores: S",
    ),
    "scores and queries": (
        part("    attend: {scores: 1 2, queries: q}\n"),
        "9:36: parts.a.attend.queries: 'queries' makes scores, but 'scores' gives them; keep one of the two",
    ),
    "queries of another width": (
        part("    attend: {queries: 1 2 3, keys: X}\n"),
        "9:36: parts.a.attend.keys: 3 numbers per token in queries, but 2 in X; queries and keys need the same width (queries is 1×3, X is 3×2)",
    ),
    "a query written upright": (
        part("    attend: {queries: 1; 2, keys: X}\n"),
        "9:35: parts.a.attend.keys: 1 number per token in queries, but 2 in X; queries and keys need the same width (queries is 2×1, X is 3×2); if queries is one vector, write it in one row, without ';'",
    ),
    "values that do not pair with keys": (
        part("    attend: {queries: q, keys: X, values: 1 2; 3 4}\n"),
        "9:43: parts.a.attend.values: 3 keys but 2 values (values is 2×2); every key needs its value",
    ),
    "a projection that does not fit": (
        part("    self_attention: {input: X, W_Q: ones(4x2), W_K: W}\n"),
        "9:37: parts.a.self_attention.W_Q: W_Q is 4×2, but X is 3×2, with 2 numbers per token; W_Q needs 2 rows: 2×2; its transpose would fit (the conventions columns and torch write it that way round)",
    ),
    "a projection the other way round": (
        part("    self_attention: {input: X, W_Q: ones(3x2), W_K: W}\n"),
        "9:37: parts.a.self_attention.W_Q: W_Q is 3×2, but X is 3×2, with 2 numbers per token; W_Q needs 2 rows: 2×2; its transpose would fit (the conventions columns and torch write it that way round)",
    ),
    "a projection that does not fit, in columns": (
        "convention: columns\n" + part("    self_attention: {input: X, W_Q: ones(2x4), W_K: W}\n"),
        "10:37: parts.a.self_attention.W_Q: W_Q is 2×4, but X is 3×2, with 2 numbers per token; W_Q needs 2 columns: 2×2; its transpose would fit (convention: rows writes it that way round)",
    ),
    "projections of different width": (
        part("    self_attention: {input: X, W_Q: W, W_K: ones(2x3)}\n"),
        "9:45: parts.a.self_attention.W_K: 2 numbers per token in Q, but 3 in K; queries and keys need the same width (Q is 3×2, K is 3×3)",
    ),
    "a head inside self_attention that does not fit": (
        part("    self_attention: {input: X, heads: [{W_Q: ones(4x2)}]}\n"),
        "9:46: parts.a.self_attention.heads[1].W_Q: W_Q is 4×2, but X is 3×2, with 2 numbers per token; W_Q needs 2 rows: 2×2; its transpose would fit (the conventions columns and torch write it that way round)",
    ),
    "several heads in self_attention": (
        part("    self_attention: {input: X, heads: [{W_Q: W}, {W_K: W}]}\n"),
        "9:39: parts.a.self_attention.heads: one head with its matrices is expected here; several heads go into multi_head",
    ),
    "a bias of another length": (
        part("    self_attention: {input: X, W_Q: W, b_Q: 1 2 3}\n"),
        "9:45: parts.a.self_attention.b_Q: b_Q is 1×3, but W makes 2 numbers per token; b_Q needs one row: 1×2",
    ),
    "a bias without its matrix": (
        part("    self_attention: {input: X, b_Q: 1 2}\n"),
        "9:37: parts.a.self_attention.b_Q: a bias is added to a projection; give W_Q too",
    ),
    "a query that is not there": (
        part("    self_attention: {input: X, queries: [4]}\n"),
        "9:41: parts.a.self_attention.queries: there is no token 4; X has the tokens 1 to 3",
    ),
    "a query counted from zero that is not there": (
        "index_from: 0\n" + part("    self_attention: {input: X, queries: [3]}\n"),
        "10:41: parts.a.self_attention.queries: there is no token 3; X has the tokens 0 to 2",
    ),
    "a query that is no number": (
        part("    self_attention: {input: X, queries: [first]}\n"),
        "9:42: parts.a.self_attention.queries: 'first' is not a whole number from 1 to 64",
    ),
    "no input": (
        part("    self_attention: {W_Q: W}\n"),
        "9:21: parts.a.self_attention: the key 'input' is missing: the tokens, a row each",
    ),
    "cross-attention without a context": (
        part("    cross_attention: {input: X}\n"),
        "9:22: parts.a.cross_attention: the key 'context' is missing: the tokens that keys and values come from",
    ),
    "a context of another width": (
        part("    cross_attention: {input: X, context: 1 2 3; 4 5 6}\n"),
        "9:42: parts.a.cross_attention.context: 2 numbers per token in X, but 3 in context; queries and keys need the same width (X is 3×2, context is 2×3)",
    ),
    "values for fewer tokens than there are keys": (
        part("    cross_attention: {input: X, context: X, value_context: 1; 2}\n"),
        "9:60: parts.a.cross_attention.value_context: each key has a value: 3 tokens are expected, not 2",
    ),
    "values of their own beside a latent": (
        part("    cross_attention: {input: X, context: X, value_context: X, W_DKV: W, W_K: W, W_V: W}\n"),
        "9:60: parts.a.cross_attention.value_context: a latent is made of one context; leave W_DKV or this out",
    ),
    "heads that are nothing": (
        part("    multi_head: {input: X, heads: [b, 3]}\n"),
        "9:36: parts.a.multi_head.heads[1]: a head is a map such as {W_Q: …, W_K: …, W_V: …} or the id of an earlier part; no part comes before this one",
        "9:39: parts.a.multi_head.heads[2]: a head is a map such as {W_Q: …, W_K: …, W_V: …} or the id of an earlier part; no part comes before this one",
    ),
    "no heads": (
        part("    multi_head: {input: X, W_O: W}\n"),
        "9:17: parts.a.multi_head: the key 'heads' is missing: a list of heads, each its matrices or the id of an earlier part; or how many",
    ),
    "a head that is a question in words": (
        TOP + DATA + "parts:\n  - {ask: w, discuss: d}\n  - {ask: v, multi_head: {heads: [a]}}\n",
        "9:35: parts.b.multi_head.heads[1]: part 'a' cannot be a head: it makes no output Z",
    ),
    "a second head that does not fit": (
        part("    multi_head: {input: X, heads: [{W_Q: W}, {W_V: ones(4x1)}], W_O: W}\n"),
        "9:52: parts.a.multi_head.heads[2].W_V: W_V is 4×1, but X is 3×2, with 2 numbers per token; W_V needs 2 rows: 2×1",
    ),
    "an output matrix that does not fit": (
        part("    multi_head: {input: X, heads: [{W_Q: W}, {W_V: W}], W_O: W}\n"),
        "9:62: parts.a.multi_head.W_O: W is 2×2, but C is 3×4, with 4 numbers per token; W needs 4 rows: 4×2",
    ),
    "an output bias that does not fit": (
        part("    multi_head: {input: X, heads: 2, W_O: W, b_O: 1 2 3}\n"),
        "9:51: parts.a.multi_head.b_O: b_O is 1×3, but W makes 2 numbers per token; b_O needs one row: 1×2",
    ),
    "a shared divisor of several heads": (
        part("    multi_head: {input: X, heads: [{W_Q: W}], divide_by: sqrt(x)}\n"),
        "9:63: parts.a.multi_head.divide_by: 'x' is not something I can read",
    ),
    "columns that heads cannot share": (
        part("    multi_head: {input: X, heads: 2, W_Q: ones(2x3), W_K: ones(2x3)}\n"),
        "9:35: parts.a.multi_head.heads: Q has 3 numbers per token, which 2 heads cannot share equally; say head_sizes: [...]",
    ),
    "head sizes that do not add up": (
        part("    multi_head: {input: X, heads: 2, head_sizes: [1, 2]}\n"),
        "9:50: parts.a.multi_head.head_sizes: Q has 2 numbers per token, but these sizes add up to 3; they must add up to 2",
    ),
    "too few head sizes": (
        part("    multi_head: {input: X, heads: 3, head_sizes: [1, 1]}\n"),
        "9:50: parts.a.multi_head.head_sizes: 2 sizes for 3 heads; write a size for each head",
    ),
    "a wide matrix beside a list of heads": (
        part("    multi_head: {input: X, heads: [{W_Q: W}], W_K: W}\n"),
        "9:52: parts.a.multi_head.W_K: W_K stands beside a list of heads; write it into them, or say heads: 1",
    ),
    "one matrix for two uses": (
        part("    self_attention: {input: X, W_Q: X}\n"),
        "9:37: parts.a.self_attention.W_Q: 'X' is used as tokens before and as weights here; give the two uses two names",
    ),
}

PLANS: dict[str, tuple[str | bytes, *tuple[str, ...]]] = {
    "a plan in words": (
        part("    plan: compute the scores\n"),
        "9:11: parts.a.plan: a list of steps is expected here, such as - S: dot(Q, K)",
    ),
    "other matrices for a recipe": (
        part(f"{ATTEND}    with: {{q: X}}\n"),
        "10:11: parts.a.with: 'with' gives a plan other matrices, such as {q: p}; "
        "the keys of a recipe are changed under its own name",
    ),
    "other matrices that a plan does not use": (
        part("    plan: [{S: 'dot(q, X)'}]\n    with: {p: q}\n"),
        "10:12: parts.a.with: the plan does not use 'p'; it uses X, q",
    ),
    "scores beside given weights": (
        part("    attend: {given_weights: 1 0 0, values: X, keys: X}\n"),
        "9:53: parts.a.attend.keys: 'keys' makes weights, but 'given_weights' gives them; keep one of the two",
    ),
    "given weights without values": (
        part("    attend: {given_weights: 1 0 0}\n"),
        "9:13: parts.a.attend: the key 'values' is missing; say which values are averaged, such as values: V",
    ),
    "a title without a step": (
        part("    plan:\n      - title: Compare\n"),
        "10:9: parts.a.plan[1]: one step a line is expected here, such as - S: dot(Q, K), "
        "or with a title: {S: …, title: …}",
    ),
    "a result that is made later": (
        part("    plan:\n      - A: softmax(S)\n      - S: dot(q, X)\n"),
        "10:12: parts.a.plan.A: 'S' is made later in this plan; put that step before this one",
    ),
    "a result made from itself": (
        part("    plan:\n      - S: softmax(S)\n"),
        "10:12: parts.a.plan.S: 'S' is what this step makes; it cannot be made from itself",
    ),
    "a result of another part, before and after": (
        part(
            "    plan: [{S: 'dot(q, X)'}, {A: 'softmax(T)'}]\n  - ask: b\n    plan: [{T: 'dot(q, X)'}, {U: 'softmax(T)'}]\n"
        )
        + "  - ask: c\n    plan: [{A: 'softmax(S)'}, {B: 'softmax(d.S)'}, {C: 'softmax(T)'}]\n"
        + "  - {ask: d, attend: {queries: T, keys: X}}\n  - {ask: e, attend: {queries: q, keys: X}, find: U}\n",
        "9:34: parts.a.plan.A: there is no 'T'; it is made in part b, which comes later",
        "13:16: parts.c.plan.A: there is no 'S'; it is a result of part a: write a.S",
        "13:35: parts.c.plan.B: there is no 'd.S' here; part d comes later, and only earlier results can be used",
        "13:56: parts.c.plan.C: there is no 'T'; it is a result of part b: write b.T",
        "14:32: parts.d.attend.queries: there is no given 'T'; part b makes it, so write b.T",
        "15:51: parts.e.find: there is no 'U' here; it is a result of part b: write b.U",
    ),
    "a step that is no call": (
        part("    plan:\n      - S: q times X\n"),
        "10:12: parts.a.plan.S: 'q times X' is not a step; write op(arguments), such as softmax(S)",
    ),
    "an unknown op": (
        part("    plan:\n      - S: dott(q, X)\n      - A: softmax(S)\n"),
        "10:12: parts.a.plan.S: unknown op 'dott'; did you mean 'dot'?",
    ),
    "an op that there is not, of a name that another's is like": (
        part("    plan:\n      - S: rope(X)\n"),
        # There are so many by now that a message has room for the first of them only.
        f"10:12: parts.a.plan.S: unknown op 'rope'; the ops are {', '.join(op.name for op in list(OPS)[:40])},",
    ),
    "an unknown argument": (
        part("    plan:\n      - S: dot(q, Y)\n      - A: softmax(S)\n"),
        "10:12: parts.a.plan.S: there is no 'Y'; known here are X, q, W",
    ),
    "too few arguments": (
        part("    plan:\n      - S: dot(q)\n"),
        "10:12: parts.a.plan.S: dot takes (Q, K); here it has 1: (q)",
    ),
    "too many arguments": (
        part("    plan:\n      - S: dot(q, X, X)\n"),
        "10:12: parts.a.plan.S: dot takes (Q, K); here it has 3: (q, X, X)",
    ),
    "a setting that is missing": (
        part("    plan:\n      - S: dot(q, X)\n      - T: divide(S)\n"),
        "11:12: parts.a.plan.T: divide needs a number for 'by', such as divide(S, sqrt(2))",
    ),
    "a setting misspelt": (
        part("    plan:\n      - S: dot(q, X)\n      - A: softmax(S, temp=2)\n"),
        "11:12: parts.a.plan.A: softmax has no setting 'temp'; did you mean 'temperature'?",
    ),
    "a result made twice": (
        part("    plan:\n      - S: dot(q, X)\n      - S: dot(X, X)\n"),
        "11:9: parts.a.plan.S: 'S' is made twice; give the second result another name",
    ),
    "a result with an odd name": (
        part("    plan:\n      - S-1: dot(q, X)\n"),
        "10:9: parts.a.plan.S-1: 'S-1' cannot be a name; use letters and digits, such as S",
    ),
    "shapes that do not fit in a plan": (
        part("    plan:\n      - S: dot(q, X)\n      - Z: mix(S, q)\n"),
        "11:12: parts.a.plan.Z: 3 keys but 1 value (q is 1×2); every key needs its value",
    ),
    "a size that a plan does not know": (
        part("    attend: {queries: q, keys: X}\n  - ask: v\n    plan:\n      - T: divide(a.Z, sqrt(d_v))\n"),
        "12:12: parts.b.plan.T: 'd_v' is not something I can read; did you mean 'd_k'?",
    ),
    "several faults in one plan": (
        part(
            "    plan:\n      - S: dott(q, X)\n      - T: divide(S, 2)\n      - A: softmax(U)\n      - B: relu(q, X)\n"
        ),
        "10:12: parts.a.plan.S: unknown op 'dott'; did you mean 'dot'?",
        "12:12: parts.a.plan.A: there is no 'U'; known here are X, q, W",
        "13:12: parts.a.plan.B: relu takes (S); here it has 2: (q, X)",
    ),
}

CASES = RECIPES | PLANS


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_bad_file_is_refused(case: tuple[str | bytes, *tuple[str, ...]], tmp_path: Path) -> None:
    file, *expected = case
    check(file, tuple(expected), tmp_path)
