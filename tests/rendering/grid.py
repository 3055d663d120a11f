"""Every recipe in every convention: small problems whose pages all have to be valid."""

from collections.abc import Iterator, Sequence
from functools import cache

from rendering.samples import problem

from attnsolve.engine import solve
from attnsolve.loader import loads
from attnsolve.ops import NORMALISERS
from attnsolve.problem import CONVENTIONS
from attnsolve.trace import Trace

# Weights are square, so that they fit every convention; only W_c is laid as each has it.
GIVEN = """
given:
  X: 1 0; 0 -1; 2 1
  Y: 1 1; -1 1/2
  q: 1 -2
  S: 2 1/2 -1; 0 2 1; 1 1 3
  W: 1 1; 0 2
  B: 2 1; -1 1
  U: 0 1; 1 -1
  v: 1 -1
  b: 1/2
  b_1: 1 -1
  M: 1 0 0; 1 1 0; 0 1 1
  gamma: 1 2
  beta: 0 -1
  W_Q: 1 0 1 0; 0 1 0 1; 1 1 0 0; 0 0 1 -1
  E: 1 0 2 1; 0 1 1 -1
  R: 1 0; 0 1; -1 1/2
"""
W_C = {"rows": "1 0; 0 -1; 1/2 0; 0 1", "columns": "1 0 1/2 0; 0 -1 0 1", "torch": "1 0 1/2 0; 0 -1 0 1"}
SCORES = {
    "dot": "score: dot",
    "bilinear": "score: {bilinear: {W: B, b: b}}",
    "cosine": "score: cosine",
    "relative": "score: {relative: {R: R}}",
}
PLACES = (
    "{rotary: {angle: pi/2}}",
    "{rotary: {base: 100, positions_from: 1}}",
    "{alibi: {slope: 1/2}}",
    "{distance_bias: {B: 1 0 -1}}",
    "{bucket_bias: {B: 1 0 2 1, longest: 4}}",
)
ADDITIVE = "score: {additive: {W: W, U: U, v: v}}"
# Those that need something said with their name; a new one is in the grid by itself.
SPELLED = {"entmax": "{entmax: {alpha: 5/4}}", "top_k": "{top_k: {k: 2, ties: first}}"}
WEIGHTS = tuple(SPELLED.get(op.name, op.name) for op in NORMALISERS)
MASKS = (
    "{causal: true}",
    "{lengths: [1, 2, 3]}",
    "{drop_keys: [2]}",
    "{window: 1, sinks: 1}",
    "{blocks: 2}",
    "{keep: M}",
    "{drop: 0 1 0; 0 0 1; 0 0 0}",
    "{add: 0 -1 0; 0 0 -inf; 0 0 0}",
)
PROJECTED = "W_Q: W, W_K: U, W_V: W"
HEADS = f"heads: [{{{PROJECTED}}}, {{W_Q: U, W_K: W, W_V: U}}]"

GATES = "W_z: W, U_z: U, b_z: b_1, W_r: U, U_r: W, W_n: B, U_n: U, b_n: b_1"

PARTS = {
    "positions": [
        "positions: {input: E}",
        "positions: {input: X, encoding: one_hot}",
        "positions: {input: X, encoding: learned, table: R}",
    ],
    "attend": [
        *(f"attend: {{queries: X, keys: Y, {score}}}" for score in SCORES.values()),
        *(f"attend: {{queries: q, keys: X, {score}}}" for score in SCORES.values()),
        *(f"attend: {{scores: S, values: X, weights: {weights}}}" for weights in WEIGHTS),
        "attend: {queries: X, keys: Y, weights: {softmax: {temperature: 3/2}}, multiply_by: 2}",
        "attend: {queries: q, keys: X}\n    cases: [{queries: q}, {queries: Y}]",
    ],
    "self_attention": [
        f"self_attention: {{input: X, {PROJECTED}}}",
        f"self_attention: {{input: X, queries: [2], {PROJECTED}, b_Q: b_1}}",
        f"self_attention: {{input: X, {PROJECTED}}}\n    cases: [{{W_Q: W}}, {{W_Q: U}}]",
        *(f"self_attention: {{input: X, mask: {mask}}}\n    plot: weights" for mask in MASKS),
        *(f"self_attention: {{input: X, {PROJECTED}, position: {place}}}" for place in PLACES),
    ],
    "cross_attention": [
        f"cross_attention: {{input: X, context: Y, {PROJECTED}}}",
        f"cross_attention: {{input: X, context: Y, value_context: Y, {PROJECTED}}}",
    ],
    "multi_head": [
        f"multi_head: {{input: X, {HEADS}}}\n    plot: weights",
        *(f"multi_head: {{input: X, {score}, {HEADS}}}" for score in SCORES.values()),
        f"multi_head: {{input: X, queries: [3], {HEADS}, mask: {{causal: true}}}}",
        "multi_head: {input: E, heads: 2, W_Q: W_Q, W_K: W_Q, W_V: W_Q, W_O: W_Q}",
        "multi_head: {input: E, heads: 2, W_Q: W_Q, W_K: W_Q, position: alibi}",
        "multi_head: {input: E, heads: 2, kv_heads: 1, W_K: W_c, W_V: W_c, soft_cap: 2}",
        f"multi_head: {{input: X, {HEADS}}}\n    cases: [{{divide_by: 1}}, {{divide_by: 2}}]",
    ],
    "linear_attention": [
        f"linear_attention: {{input: X, {PROJECTED}}}",
        "linear_attention: {input: X, feature_map: square, order: scores_first}",
    ],
    "tiled_attention": [
        "tiled_attention: {queries: X, keys: X, tile: 2, mask: {causal: true}}",
        f"tiled_attention: {{queries: q, keys: X, tile: 1, {PROJECTED}}}",
    ],
    "cached_step": [
        f"cached_step: {{input: q, cache_keys: X, cache_values: X, {PROJECTED}}}",
        f"cached_step: {{input: q, cache_keys: X, cache_values: X, cached: 2, heads: 2, {PROJECTED}}}",
    ],
    # Numbers that only SymPy can write take their time.
    "tanh": [
        f"attend: {{queries: X, keys: Y, {ADDITIVE}}}",
        "attend: {queries: q, keys: X, score: {concat: {W: W_c, v: v}}}",
        f"multi_head: {{input: X, queries: [2], {ADDITIVE}, {HEADS}}}",
    ],
    "rnn": [
        "rnn: {input: Y, start: q, W: W, U: U, b: b_1}",
        "rnn: {input: X, start: q, W: W, U: B, activation: relu}",
    ],
    "gru": [
        f"gru: {{input: q, start: v, {GATES}}}",
        f"gru: {{input: q, start: v, {GATES}, c_n: b_1, reset: after, update: old}}",
    ],
    "lstm": [
        "lstm: {input: q, start: v, memory: v, W_i: W, U_i: U, W_f: U, U_f: W, W_n: B, U_n: W, W_o: W, "
        "U_o: B}"
    ],
    "decoder_step": [
        "decoder_step: {state: q, states: X, W_c: W_c, W_y: W, b_y: b_1, target: [2]}",
    ],
    "encoder_block": [
        f"encoder_block: {{input: X, {HEADS}, W_O: W_c, W_1: W, b_1: b_1, W_2: U, gamma_1: gamma, "
        f"beta_1: beta, norm: {norm}, activation: {activation}}}"
        for norm, activation in (("post", "relu"), ("pre", "gelu"))
    ],
    "model": [
        "model: {words: [1, 2], embedding: X, table: R, layers: 1, W_Q: W, W_K: U, W_1: W, W_2: U, "
        "temperature: 2, top_p: 1/2}",
        "model: {words: [1, 3], embedding: X, norm_kind: rms, "
        "layers: [{W_V: W}, {}], W_1: W, W_3: U, W_2: W, "
        "activation: silu, target: [2, 3], top_k: 2}",
        "model: {words: [1, 3], embedding: X, norm: post, layers: 1, cross: {W_V: W}, W_1: W, W_2: U, "
        "encoder: {words: [2], layers: [{W_Q: W}]}}",
    ],
    "decoder_block": [
        f"decoder_block: {{input: X, context: Y, self: {{{HEADS}, W_O: W_c}}, cross: {{W_V: W, W_O: U}}, "
        "norm: none, W_1: W, b_1: b_1, W_2: U}"
    ],
    # Each of them goes back from an earlier one.
    "backward": [
        f"self_attention: {{input: X, {PROJECTED}, b_Q: b_1}}",
        "backward: {of: a.Z, gradient: X, jacobian: 1}",
        "decoder_step: {state: q, states: X, W_c: W_c, W_y: W, b_y: b_1, target: [2]}",
        "backward: {of: c.L, rate: 1/2, again: true}",
        "rnn: {input: Y, start: q, W: W, U: U, b: b_1}",
        "backward: {of: e.states, gradient: Y, wrt: [W, U, b_1, q]}",
        f"multi_head: {{input: X, {HEADS}, mask: {{causal: true}}}}",
        "backward: {of: g.C, gradient: 1 0 1 1; 0 1 0 1; 1 1 2 0, wrt: [X, W]}",
    ],
}
# Symbols that have something above or below them already; what a recipe has no step for goes without.
SYMBOLS = {
    "tiled_attention": "{Z: h, l: L}",
    "backward": "{Q: \"h'\", K: 'k^*', A: 'a_0', Z: 'z^\\star', X: 'x_0', dA: 'D'}",
    "rnn": "{h: 's', Hs: 'S', X: 'x_0'}",
    "gru": "{h: 's', z: 'u', X: 'x_0'}",
    "lstm": "{h: 's', c: 'm', X: 'x_0'}",
    "positions": "{P: \"p'\", X: 'x_0'}",
    "decoder_step": "{S: 'e_*', A: 'z^*', C: \"c'\", X: 'x_0'}",
    "tanh": "{S: 's_0', A: 'z^*', X: 'x_0'}",
    "attend": "{S: 's_0', A: 'z^*', Z: \"z'\", X: 'x_0'}",
}
# So many parts of a recipe show what a sheet or a detail does to its pages.
FEW = 2
FIRST_PARTS = "-few"
USUAL = "{Q: \"h'\", K: 'k^*', A: 'a_0', Z: 'z^\\star', X: 'x_0'}"


def documents() -> Iterator[tuple[str, str]]:
    """(name, problem file): every recipe in every convention; `…-few` have its first parts only."""
    for recipe, parts in PARTS.items():
        for convention in CONVENTIONS:
            yield f"{recipe}-{convention}", document(parts, convention)
            yield f"{recipe}-{convention}{FIRST_PARTS}", document(parts[:FEW], convention)
        yield f"{recipe}-symbols", document(parts[:FEW], "columns", symbols=SYMBOLS.get(recipe, USUAL))


def document(parts: Sequence[str], convention: str, *, symbols: str = "{}") -> str:
    """A problem file with these parts."""
    asked = "\n".join(f"  - ask: Find it.\n    {part}" for part in parts)
    given = f"{GIVEN.strip()}\n  W_c: {W_C[convention]}"
    return problem(f"convention: {convention}\nsymbols: {symbols}\n{given}\nparts:\n{asked}")


@cache
def traces() -> dict[str, Trace]:
    """All of them, solved once for all tests of a process."""
    return {name: solve(loads(text, name=name)) for name, text in documents()}


def first_parts(turn: int) -> dict[str, Trace]:
    """The first parts of each recipe in one convention, which is another one for the next recipe and turn.

    How a format or a sheet writes things has nothing to do with how matrices lie: after three turns each of
    them has met every recipe and every convention, and every recipe every convention.
    """
    known = tuple(CONVENTIONS)
    names = (
        f"{recipe}-{known[(number + turn) % len(known)]}{FIRST_PARTS}" for number, recipe in enumerate(PARTS)
    )
    return {name: traces()[name] for name in names}
