"""Masks, scores, positions, decoder steps and encoder blocks that cannot be carried out."""

# ruff: noqa: E501 (messages are quoted whole, as a lecturer reads them)

from pathlib import Path

import pytest
from badfiles import check, part

from attnsolve.engine import solve
from attnsolve.errors import UndefinedStep
from attnsolve.loader import loads

SELF = "    self_attention: {input: X, "
BLOCK = "    encoder_block: {input: X, "
STEP = "    decoder_step: {state: q, states: X, "

MASKS = {
    "a mask misspelt": (
        part(SELF + "mask: {cusal: true}}\n"),
        "9:39: parts.a.self_attention.mask: unknown key 'cusal'; did you mean 'causal'?",
    ),
    "a mask in one word": (
        part(SELF + "mask: causal}\n"),
        "9:38: parts.a.self_attention.mask: a map of keys and values is expected here, such as {causal: …}",
    ),
    "a mask that hides nothing": (
        part(SELF + "mask: {}}\n"),
        "9:38: parts.a.self_attention.mask: nothing is masked; say causal: true, lengths, drop_keys, keep, drop or add",
    ),
    "a mask that only says when": (
        part(SELF + "mask: {apply: before_scaling}}\n"),
        "9:46: parts.a.self_attention.mask.apply: nothing is masked; say causal: true, lengths, drop_keys, keep, drop or add",
    ),
    "a mask that comes at an unknown time": (
        part(SELF + "mask: {causal: true, apply: later}}\n"),
        "9:60: parts.a.self_attention.mask.apply: 'later' is not one of after_scaling, before_scaling",
    ),
    "a yes that YAML does not know": (
        part(SELF + "mask: {causal: yes}}\n"),
        "9:47: parts.a.self_attention.mask.causal: 'yes' is not a choice here; write true",
    ),
    "a mask of another size": (
        part(SELF + "mask: {keep: W}}\n"),
        "9:45: parts.a.self_attention.mask.keep: W is 2×2, but the scores are 3×3; a mask has a row for each query and a column for each key",
    ),
    "a mask to drop of another size": (
        part(SELF + "mask: {drop: 1 1; 0 1; 1 1}}\n"),
        "9:45: parts.a.self_attention.mask.drop: drop is 3×2, but the scores are 3×3; a mask has a row for each query and a column for each key",
    ),
    "a mask of another size, in columns": (
        "convention: columns\n" + part("    attend: {queries: q, keys: X, mask: {add: 1 1 1}}\n"),
        "10:47: parts.a.attend.mask.add: add is 1×3, but the scores are 3×1; a mask has a column for each query and a row for each key",
    ),
    "a mask neither for all nor for those that ask": (
        part(SELF + "queries: [2], mask: {keep: 1 0 1; 1 1 1}}\n"),
        "9:59: parts.a.self_attention.mask.keep: keep is 2×3, but the scores are 1×3; a mask has a row for each query and a column for each key",
    ),
    "a mask with a 2": (
        part(SELF + "mask: {keep: 1 0 2; 1 1 1; 1 1 1}}\n"),
        "9:45: parts.a.self_attention.mask.keep: keep has 2 in row 1, column 3; this mask has only 0 and 1 (numbers go into add)",
    ),
    "a mask with a half": (
        part(SELF + "mask: {drop: 1 0 1; 1 1/2 1; 1 1 1}}\n"),
        "9:45: parts.a.self_attention.mask.drop: drop has 1/2 in row 2, column 2; this mask has only 0 and 1 (numbers go into add)",
    ),
    "a mask with a 2, in columns": (
        "convention: columns\n" + part(SELF + "mask: {keep: 1 0 2; 1 1 1; 1 1 1}}\n"),
        "10:45: parts.a.self_attention.mask.keep: keep has 2 in row 1, column 3; this mask has only 0 and 1 (numbers go into add)",
    ),
    "a mask that keeps minus infinity": (
        part(SELF + "mask: {keep: 1 0 1; 1 1 1; 1 -inf 1}}\n"),
        "9:45: parts.a.self_attention.mask.keep: keep has -inf in row 3, column 2; this mask has only 0 and 1 (numbers go into add)",
    ),
    "a given used as a mask and as tokens": (
        part(SELF + "mask: {add: X}}\n"),
        "9:44: parts.a.self_attention.mask.add: 'X' is used as tokens before and as scores here; give the two uses two names",
    ),
    "plus infinity in a mask": (
        part(SELF + "mask: {add: 0 inf 0; 0 0 0; 0 0 0}}\n"),
        "9:46: parts.a.self_attention.mask.add[1, 2]: 'inf' is not a number that can be worked out by hand; write a plain number",
    ),
    "an unknown mask": (
        part(SELF + "mask: {keep: M}}\n"),
        "9:45: parts.a.self_attention.mask.keep: there is no given 'M'; the givens are X, q, W",
    ),
    "a length beyond the keys": (
        part(SELF + "mask: {lengths: 4}}\n"),
        "9:48: parts.a.self_attention.mask.lengths: the length 4 is not from 1 to 3, the number of keys",
    ),
    "a length of zero": (
        part(SELF + "mask: {lengths: [1, 0, 2]}}\n"),
        "9:52: parts.a.self_attention.mask.lengths: '0' is not a whole number from 1 to 64",
    ),
    "one of several lengths beyond the keys": (
        part(SELF + "mask: {lengths: [1, 2, 4]}}\n"),
        "9:48: parts.a.self_attention.mask.lengths: the length 4 is not from 1 to 3, the number of keys",
    ),
    "too many lengths": (
        part(SELF + "mask: {lengths: [1, 2, 3, 1]}}\n"),
        "9:48: parts.a.self_attention.mask.lengths: 4 lengths for 3 queries; write one for all, or one for each",
    ),
    "too few lengths": (
        part(SELF + "mask: {lengths: [1, 2]}}\n"),
        "9:48: parts.a.self_attention.mask.lengths: 2 lengths for 3 queries; write one for all, or one for each",
    ),
    "no lengths": (
        part(SELF + "mask: {lengths: []}}\n"),
        "9:48: parts.a.self_attention.mask.lengths: an empty list; write at least one number",
    ),
    "a key that is not there": (
        part(SELF + "mask: {drop_keys: [2, 4]}}\n"),
        "9:50: parts.a.self_attention.mask.drop_keys: there is no key 4; the keys are 1 to 3",
    ),
    "a key counted from zero that is not there": (
        "index_from: 0\n" + part(SELF + "mask: {drop_keys: 3}}\n"),
        "10:50: parts.a.self_attention.mask.drop_keys: there is no key 3; the keys are 0 to 2",
    ),
    "a key dropped twice": (
        part(SELF + "mask: {drop_keys: [1, 1]}}\n"),
        "9:50: parts.a.self_attention.mask.drop_keys: a key is named twice; it can be hidden only once",
    ),
    "a mask in a head": (
        part("    multi_head: {input: X, heads: [{}, {mask: {lengths: 9}}]}\n"),
        "9:57: parts.a.multi_head.heads[2].mask.lengths: the length 9 is not from 1 to 3, the number of keys",
    ),
    "a mask for all heads": (
        part("    multi_head: {input: X, heads: [{}, {}], mask: {keep: W}}\n"),
        "9:58: parts.a.multi_head.mask.keep: W is 2×2, but the scores are 3×3; a mask has a row for each query and a column for each key",
    ),
    "minus infinity in a query": (
        part("    attend: {queries: 1 -inf, keys: X}\n"),
        "9:23: parts.a.attend.queries: 'queries' has -inf in it, which only scores and an added mask may have",
    ),
    "minus infinity in a matrix": (
        part(SELF + "W_Q: 1 0; -inf 1}\n"),
        "9:37: parts.a.self_attention.W_Q: 'W_Q' has -inf in it, which only scores and an added mask may have",
    ),
    "minus infinity in a given": (
        part(SELF + "W_Q: W}\n").replace("W: 1 0; 0 1", "W: 1 0; 0 -inf"),
        "9:37: parts.a.self_attention.W_Q: 'W' has -inf in it, which only scores and an added mask may have",
    ),
    "a causal step for another number of queries": (
        part("    plan:\n      - S: dot(X, X)\n      - M: causal(S, 3)\n"),
        "11:12: parts.a.plan.M: 1 places for 3 queries; each query has one",
    ),
}

SCORES = {
    "bilinear scores without a matrix": (
        part(SELF + "score: bilinear}\n"),
        "9:39: parts.a.self_attention.score: bilinear needs more: score: {bilinear: {W: …}}",
    ),
    "bilinear scores with nothing": (
        part(SELF + "score: {bilinear: {}}}\n"),
        "9:50: parts.a.self_attention.score.bilinear: the key 'W' is missing: the matrix W of bilinear",
    ),
    "bilinear scores with a name alone": (
        part(SELF + "score: {bilinear: W}}\n"),
        "9:50: parts.a.self_attention.score.bilinear: a map of keys and values is expected here, such as {W: …}",
    ),
    "a bilinear matrix of another size": (
        part("    attend: {queries: 1 2 3, keys: X, score: {bilinear: {W: W}}}\n"),
        "9:61: parts.a.attend.score.bilinear.W: W is 2×2, but a query has 3 numbers and a key 2; W needs 3 rows and 2 columns: 3×2",
    ),
    "a bilinear matrix of another size, in columns": (
        "convention: columns\n"
        + part("    attend: {queries: 1 2 3, keys: X, score: {bilinear: {W: ones(2x3)}}}\n"),
        "10:61: parts.a.attend.score.bilinear.W: W is 2×3, but a query has 3 numbers and a key 2; W needs 3 rows and 2 columns: 3×2",
    ),
    "a bilinear bias of another size": (
        part(SELF + "score: {bilinear: {W: W, b: 1 2}}}\n"),
        "9:60: parts.a.self_attention.score.bilinear.b: b is 1×2, but the bias of these scores is a single number; b needs one number: 1×1",
    ),
    "a bilinear bias written upright": (
        part(SELF + "score: {bilinear: {W: W, b: 1; 2}}}\n"),
        "9:60: parts.a.self_attention.score.bilinear.b: b is 2×1, but the bias of these scores is a single number; b needs one number: 1×1",
    ),
    "an unknown key of bilinear": (
        part(SELF + "score: {bilinear: {W: W, c: 1}}}\n"),
        "9:57: parts.a.self_attention.score.bilinear: unknown key 'c'; the keys here are W, b",
    ),
    "an unknown matrix of bilinear": (
        part(SELF + "score: {bilinear: {W: Z}}}\n"),
        "9:54: parts.a.self_attention.score.bilinear.W: there is no given 'Z'; the givens are X, q, W",
    ),
    "two scores": (
        part(SELF + "score: {bilinear: {W: W}, dot: {}}}\n"),
        "9:39: parts.a.self_attention.score: one of dot, bilinear, additive, concat, cosine, relative is expected here, or {bilinear: {W: …, b: …}}",
    ),
    "a score misspelt": (
        part(SELF + "score: bilinar}\n"),
        "9:39: parts.a.self_attention.score: 'bilinar' is not one of dot, bilinear, additive, concat, cosine, relative; did you mean 'bilinear'?",
    ),
    "a score that has no settings": (
        part(SELF + "score: {cosine: {}}}\n"),
        "9:48: parts.a.self_attention.score: cosine has no settings; write score: cosine",
    ),
    "additive scores without matrices": (
        part(SELF + "score: additive}\n"),
        "9:39: parts.a.self_attention.score: additive needs more: score: {additive: {W: …, U: …, v: …}}",
    ),
    "additive scores without v": (
        part(SELF + "score: {additive: {W: W, U: W}}}\n"),
        "9:50: parts.a.self_attention.score.additive: the key 'v' is missing: the matrix v of additive",
    ),
    "an additive W of another size": (
        part("    attend: {queries: 1 2 3, keys: X, score: {additive: {W: W, U: W, v: 1 2}}}\n"),
        "9:61: parts.a.attend.score.additive.W: W is 2×2, but queries is 1×3, with 3 numbers per token; W needs 3 rows: 3×2",
    ),
    "an additive W of another size, in columns": (
        "convention: columns\n"
        + part("    attend: {queries: 1 2 3, keys: X, score: {additive: {W: ones(4x2), U: W, v: 1 2}}}\n"),
        "10:61: parts.a.attend.score.additive.W: W is 4×2, but queries is 1×3, with 3 numbers per token; W needs 3 columns: 4×3",
    ),
    "an additive U of another size": (
        part(SELF + "score: {additive: {W: W, U: ones(3x2), v: 1 2}}}\n"),
        "9:60: parts.a.self_attention.score.additive.U: U is 3×2, but X is 3×2, with 2 numbers per token; U needs 2 rows: 2×2; its transpose would fit (the conventions columns and torch write it that way round)",
    ),
    "an additive U that makes too many": (
        part(SELF + "score: {additive: {W: W, U: ones(2x3), v: 1 2}}}\n"),
        "9:60: parts.a.self_attention.score.additive.U: U makes 3 numbers of a key, but W makes 2 of a query; both are added, so they must make equally many",
    ),
    "an additive v of another length": (
        part(SELF + "score: {additive: {W: W, U: W, v: 1 2 3}}}\n"),
        "9:66: parts.a.self_attention.score.additive.v: v is 1×3, but W makes 2 numbers; v needs one row: 1×2",
    ),
    "an additive v written upright": (
        part(SELF + "score: {additive: {W: W, U: W, v: 1; 2}}}\n"),
        "9:66: parts.a.self_attention.score.additive.v: v is 2×1, but W makes 2 numbers; v needs one row: 1×2",
    ),
    "a concat matrix for the query alone": (
        part(SELF + "score: {concat: {W: W, v: 1 2}}}\n"),
        "9:52: parts.a.self_attention.score.concat.W: W is 2×2, but query and key together have 4 numbers (2 and 2); W needs 4 rows: 4×2",
    ),
    "a concat matrix for the query alone, in torch": (
        "convention: torch\n" + part(SELF + "score: {concat: {W: ones(3x2), v: 1 2 3}}}\n"),
        "10:52: parts.a.self_attention.score.concat.W: W is 3×2, but query and key together have 4 numbers (2 and 2); W needs 4 columns: 3×4",
    ),
    "a concat v of another length": (
        part(SELF + "score: {concat: {W: ones(4x3), v: 1 2}}}\n"),
        "9:66: parts.a.self_attention.score.concat.v: v is 1×2, but W makes 3 numbers; v needs one row: 1×3",
    ),
    "a score shared by heads": (
        part("    multi_head: {input: X, heads: [{W_Q: ones(2x3)}, {}], score: {bilinear: {W: W}}}\n"),
        "9:81: parts.a.multi_head.score.bilinear.W: W is 2×2, but a query has 3 numbers and a key 2; W needs 3 rows and 2 columns: 3×2",
    ),
    "cosines of different width": (
        part("    attend: {queries: 1 2 3, keys: X, score: cosine}\n"),
        "9:36: parts.a.attend.keys: 3 numbers per token in queries, but 2 in X; queries and keys need the same width (queries is 1×3, X is 3×2)",
    ),
    "a score of scores": (
        part("    attend: {scores: 1 2, score: cosine}\n"),
        "9:34: parts.a.attend.score: 'score' makes scores, but 'scores' gives them; keep one of the two",
    ),
    "a softmax with nothing set": (
        part(SELF + "weights: {softmax: {}}}\n"),
        "9:51: parts.a.self_attention.weights.softmax: nothing is set here; write weights: softmax, or {softmax: {temperature: …}}",
    ),
    "a score with nothing": (
        part(SELF + "score: {}}\n"),
        "9:39: parts.a.self_attention.score: one of dot, bilinear, additive, concat, cosine, relative is expected here, or {bilinear: {W: …, b: …}}",
    ),
}

POSITIONS = {
    "an odd number of waves": (
        part("    positions: {input: X, width: 3}\n"),
        "9:34: parts.a.positions.width: 3 numbers a token; sines and cosines come in pairs, so the width must be even",
    ),
    "waves for tokens of odd width": (
        part("    positions: {input: 1 2 3; 4 5 6}\n"),
        "9:24: parts.a.positions.input: 3 numbers a token; sines and cosines come in pairs, so the width must be even",
    ),
    "waves that cannot be added": (
        part("    positions: {input: X, width: 4}\n"),
        "9:34: parts.a.positions.width: 2 numbers per token in X, but 4 in P; only matrices of the same size can be added",
    ),
    "one-hot codes that cannot be added": (
        part("    positions: {input: X, encoding: one_hot, combine: add}\n"),
        "9:55: parts.a.positions.combine: 2 numbers per token in X, but 3 in P; only matrices of the same size can be added",
    ),
    "one-hot codes that are too short": (
        part("    positions: {input: X, encoding: one_hot, length: 2}\n"),
        "9:54: parts.a.positions.length: X is 3×2: 3 tokens do not fit into one-hot codes of length 2",
    ),
    "a width of one-hot codes": (
        part("    positions: {input: X, encoding: one_hot, width: 2}\n"),
        "9:53: parts.a.positions.width: one_hot positions have no 'width'",
    ),
    "a length of waves": (
        part("    positions: {input: X, length: 3}\n"),
        "9:35: parts.a.positions.length: sinusoidal positions have no 'length'",
    ),
    "an encoding misspelt": (
        part("    positions: {input: X, encoding: onehot}\n"),
        "9:37: parts.a.positions.encoding: 'onehot' is not one of sinusoidal, one_hot, learned; did you mean 'one_hot'?",
    ),
    "a base of zero": (
        part("    positions: {input: X, base: 0}\n"),
        "9:33: parts.a.positions.base: this is 0; a number other than 0 is needed",
    ),
    "a negative base": (
        part("    positions: {input: X, base: -2}\n"),
        "9:33: parts.a.positions.base: the base is -2; it must be above 0",
    ),
    "frequencies from two": (
        part("    positions: {input: X, frequencies_from: 2}\n"),
        "9:45: parts.a.positions.frequencies_from: '2' is not one of 0, 1",
    ),
    "positions of nothing": (
        part("    positions: {}\n"),
        "9:16: parts.a.positions: the key 'input' is missing; say input: X, or places: 0; 1; 2",
    ),
}

STEPS = {
    "a step without states": (
        part("    decoder_step: {state: q}\n"),
        "9:19: parts.a.decoder_step: the key 'states' is missing: the encoder's hidden states, a row each",
    ),
    "a state of another width": (
        part("    decoder_step: {state: 1 2 3, states: X}\n"),
        "9:42: parts.a.decoder_step.states: 3 numbers per token in state, but 2 in X; queries and keys need the same width (state is 1×3, X is 3×2)",
    ),
    "a layer for the context alone": (
        part(STEP + "W_c: W}\n"),
        "9:46: parts.a.decoder_step.W_c: W is 2×2, but G is 1×4, with 4 numbers per token; W needs 4 rows: 4×2",
    ),
    "a layer for the context alone, in columns": (
        "convention: columns\n" + part(STEP + "W_c: W}\n"),
        "10:46: parts.a.decoder_step.W_c: W is 2×2, but G is 4×1, with 4 numbers per token; W needs 4 columns: 2×4",
    ),
    "a bias without its layer": (
        part(STEP + "b_c: 1 2}\n"),
        "9:46: parts.a.decoder_step.b_c: a bias is added to a projection; give W_c too",
    ),
    "a bias of the layer that does not fit": (
        part(STEP + "W_c: ones(4x2), b_c: 1 2 3}\n"),
        "9:62: parts.a.decoder_step.b_c: b_c is 1×3, but W_c makes 2 numbers per token; b_c needs one row: 1×2",
    ),
    "a read-out that does not fit": (
        part(STEP + "W_c: ones(4x2), W_y: ones(3x5)}\n"),
        "9:62: parts.a.decoder_step.W_y: W_y is 3×5, but H is 1×2, with 2 numbers per token; W_y needs 2 rows: 2×5",
    ),
    "a target without a read-out": (
        part(STEP + "target: 1}\n"),
        "9:49: parts.a.decoder_step.target: 'target' belongs to the read-out; give W_y too",
    ),
    "a word that is not there": (
        part(STEP + "W_y: ones(4x5), target: 6}\n"),
        "9:65: parts.a.decoder_step.target: there is no word 6; the words are 1 to 5",
    ),
    "a word counted from zero that is not there": (
        "index_from: 0\n" + part(STEP + "W_y: ones(4x5), target: 5}\n"),
        "10:65: parts.a.decoder_step.target: there is no word 5; the words are 0 to 4",
    ),
    "too many targets": (
        part(STEP + "W_y: ones(4x5), target: [1, 2]}\n"),
        "9:65: parts.a.decoder_step.target: 2 targets for 1 row of probabilities; each row has one right word",
    ),
    "an order of joining": (
        part(STEP + "join: both}\n"),
        "9:47: parts.a.decoder_step.join: 'both' is not one of context_first, state_first",
    ),
}

BLOCKS = {
    "a feed-forward layer without its second matrix": (
        part(BLOCK + "W_1: W}\n"),
        "9:36: parts.a.encoder_block.W_1: the feed-forward layer has two matrices; give W_2 too",
    ),
    "a feed-forward layer without its first matrix": (
        part(BLOCK + "W_2: W}\n"),
        "9:36: parts.a.encoder_block.W_2: 'W_2' belongs to the feed-forward layer; give W_1 too",
    ),
    "an activation without a feed-forward layer": (
        part(BLOCK + "activation: gelu}\n"),
        "9:43: parts.a.encoder_block.activation: 'activation' belongs to the feed-forward layer; give W_1 too",
    ),
    "a beta without gamma": (
        part(BLOCK + "beta_1: 1 2}\n"),
        "9:39: parts.a.encoder_block.beta_1: a β needs its γ; give gamma_1 too, such as ones(1x2)",
    ),
    "a gamma of another length": (
        part(BLOCK + "gamma_1: 1 2 3}\n"),
        "9:40: parts.a.encoder_block.gamma_1: gamma_1 is 1×3, but a token has 2 numbers here; gamma_1 needs one row: 1×2",
    ),
    "a gamma written upright": (
        part(BLOCK + "gamma_1: 1; 2}\n"),
        "9:40: parts.a.encoder_block.gamma_1: gamma_1 is 2×1, but a token has 2 numbers here; gamma_1 needs one row: 1×2",
    ),
    "a beta of another length": (
        part(BLOCK + "gamma_1: 1 2, beta_1: 1 2 3}\n"),
        "9:53: parts.a.encoder_block.beta_1: beta_1 is 1×3, but a token has 2 numbers here; beta_1 needs one row: 1×2",
    ),
    "a second gamma without a feed-forward layer": (
        part(BLOCK + "gamma_2: 1 2}\n"),
        "9:40: parts.a.encoder_block.gamma_2: 'gamma_2' belongs to the feed-forward layer; give W_1 too",
    ),
    "a gamma without a norm": (
        part(BLOCK + "norm: none, gamma_1: 1 2}\n"),
        "9:52: parts.a.encoder_block.gamma_1: 'gamma_1' belongs to a layer norm, but norm: none leaves them out",
    ),
    "a negative epsilon": (
        part(BLOCK + "epsilon: -1}\n"),
        "9:40: parts.a.encoder_block.epsilon: the epsilon is -1; it must be at least 0",
    ),
    "a negative epsilon in a plan": (
        part("    plan:\n      - N: layer_norm(X, epsilon=-1/2)\n"),
        "10:12: parts.a.plan.N: the epsilon is -1/2; it must be at least 0",
    ),
    "an epsilon in words": (
        part(BLOCK + "epsilon: small}\n"),
        "9:40: parts.a.encoder_block.epsilon: 'small' is not something I can read; write numbers",
    ),
    "a place of epsilon": (
        part(BLOCK + "epsilon_at: mean}\n"),
        "9:43: parts.a.encoder_block.epsilon_at: 'mean' is not one of variance, deviation",
    ),
    "a residual that does not fit": (
        part(BLOCK + "W_V: ones(2x3)}\n"),
        "9:36: parts.a.encoder_block.W_V: 2 numbers per token in X, but 3 in Z; only matrices of the same size can be added",
    ),
    "a residual that the output matrix does not fit": (
        part(BLOCK + "W_V: ones(2x3), W_O: ones(3x3)}\n"),
        "9:52: parts.a.encoder_block.W_O: 2 numbers per token in X, but 3 in Z; only matrices of the same size can be added",
    ),
    "a residual that the feed-forward layer does not fit": (
        part(BLOCK + "W_1: ones(2x3), W_2: ones(3x3)}\n"),
        "9:52: parts.a.encoder_block.W_2: 2 numbers per token in N1, but 3 in E; only matrices of the same size can be added",
    ),
    "a residual that heads do not fit": (
        part(BLOCK + "heads: [{W_V: ones(2x3)}]}\n"),
        "9:38: parts.a.encoder_block.heads: 2 numbers per token in X, but 3 in C; only matrices of the same size can be added",
    ),
    "a residual that does not fit, in a layer": (
        part(BLOCK + "layers: [{}, {W_V: ones(2x3)}]}\n"),
        "9:50: parts.a.encoder_block.layers[2].W_V: 2 numbers per token in N1, but 3 in Z; only matrices of the same size can be added",
    ),
    "a first matrix that does not fit": (
        part(BLOCK + "W_1: ones(3x3), W_2: ones(3x3)}\n"),
        "9:36: parts.a.encoder_block.W_1: W_1 is 3×3, but N1 is 3×2, with 2 numbers per token; W_1 needs 2 rows: 2×3",
    ),
    "a bias of the feed-forward layer that does not fit": (
        part(BLOCK + "W_1: ones(2x3), b_1: 1 2, W_2: ones(3x2)}\n"),
        "9:52: parts.a.encoder_block.b_1: b_1 is 1×2, but W_1 makes 3 numbers per token; b_1 needs one row: 1×3",
    ),
    "an output bias without its matrix": (
        part(BLOCK + "b_O: 1 2}\n"),
        "9:36: parts.a.encoder_block.b_O: a bias is added to a projection; give W_O too",
    ),
    "head sizes without heads": (
        part(BLOCK + "head_sizes: [1, 1]}\n"),
        "9:43: parts.a.encoder_block.head_sizes: 'head_sizes' belongs to several heads; say how many, such as heads: 2",
    ),
    "no layers": (
        part(BLOCK + "layers: 0}\n"),
        "9:39: parts.a.encoder_block.layers: '0' is not a whole number from 1 to 16",
    ),
    "an empty list of layers": (
        part(BLOCK + "layers: []}\n"),
        "9:39: parts.a.encoder_block.layers: 1 to 16 layers are expected here, such as [{W_1: …}, {W_1: …}], or how many",
    ),
    "layers that are words": (
        part(BLOCK + "layers: [a, b]}\n"),
        "9:40: parts.a.encoder_block.layers[1]: a map of keys and values is expected here, such as {heads: …}",
        "9:43: parts.a.encoder_block.layers[2]: a map of keys and values is expected here, such as {heads: …}",
    ),
    "layers in a layer": (
        part(BLOCK + "layers: [{layers: 2}]}\n"),
        "9:41: parts.a.encoder_block.layers[1]: unknown key 'layers'; the keys here are heads",
    ),
    "half a feed-forward layer in each layer": (
        part(BLOCK + "layers: [{W_1: W}, {W_2: W}]}\n"),
        "9:46: parts.a.encoder_block.layers[1].W_1: the feed-forward layer has two matrices; give W_2 too",
    ),
    "an activation of another kind": (
        part(BLOCK + "activation: tanh}\n"),
        "9:43: parts.a.encoder_block.activation: 'tanh' is not one of relu, gelu",
    ),
}

CASES: dict[str, tuple[str, *tuple[str, ...]]] = MASKS | SCORES | POSITIONS | STEPS | BLOCKS


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_bad_file_is_refused(case: tuple[str, *tuple[str, ...]], tmp_path: Path) -> None:
    file, *expected = case
    check(file, tuple(expected), tmp_path)


# -- what only the numbers show --------------------------------------------------------------------------

HIDES = "the mask hides every key, so there is nothing to give weight to; let each query see at least one key"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (SELF + "mask: {keep: 1 0 1; 0 0 0; 1 1 1}}", f"step a.M (keep): query 2 (b): {HIDES}"),
        (SELF + "mask: {drop: 1 0 1; 0 1 0; 1 1 1}}", f"step a.M (drop): query 3 (c): {HIDES}"),
        (
            SELF + "mask: {add: 0 0 0; 0 0 0; -inf -inf -inf}}",
            f"step a.M (add_mask): query 3 (c): {HIDES}",
        ),
        (SELF + "mask: {drop_keys: [1, 2, 3]}}", f"step a.M (drop_keys): query 1 (a): {HIDES}"),
        (SELF + "mask: {lengths: 1, drop_keys: 1}}", f"step a.M (drop_keys): query 1 (a): {HIDES}"),
        (SELF + "queries: [3], mask: {keep: 0 0 0}}", f"step a.M (keep): query 3 (c): {HIDES}"),
        (
            SELF + "queries: [2], mask: {keep: 1 1 1; 0 0 0; 1 1 1}}",
            f"step a.M (keep): query 2 (b): {HIDES}",
        ),
        (
            "    attend: {scores: 1 2 3; 4 5 6; -inf -inf -inf}",
            "step a.A (softmax): query 3 (c): every key is hidden, so there are no weights",
        ),
        (
            "    attend: {scores: 1 -inf 2, divide_by: -2}",
            "step a.T (divide): -∞ can only be multiplied by a number above 0",
        ),
        (
            "    attend: {queries: 0 0, keys: X, score: cosine}",
            "step a.S (cosine): query 1: it is the zero vector, which has no direction, so no cosine",
        ),
        (
            "    attend: {queries: q, keys: 1 1; 0 0; 1 2, score: cosine}",
            "step a.S (cosine): key 2 (b): it is the zero vector, which has no direction, so no cosine",
        ),
        (
            "    encoder_block: {input: 1 2; 1 1; 3 4, norm: pre, epsilon: 0}",
            "step a.N1 (layer_norm): token 2 (b): all its numbers are equal and ε is 0, so it would be divided by 0",
        ),
        (
            "    plan:\n      - S: dot(X, X)\n      - M: causal(S)\n      - Z: mix(M, X)",
            "step a.Z (mix): scores that are -∞ cannot be multiplied by a matrix; turn them into weights first",
        ),
    ],
)
def test_what_has_no_value_is_named_with_its_token(body: str, message: str) -> None:
    problem = loads("labels: [a, b, c]\n" + part(body + "\n"))
    with pytest.raises(UndefinedStep) as refused:
        solve(problem)
    assert message == str(refused.value)


def test_the_same_word_may_be_right_twice() -> None:
    problem = loads(part("    decoder_step: {state: X, states: X, W_y: ones(4x2), target: [2, 2, 1]}\n"))
    assert (1, 1, 0) == problem.parts[0].calls[-1].options["target"]


def test_no_mask_can_be_said_for_one_head() -> None:
    problem = loads(
        part("    multi_head: {input: X, heads: [{}, {mask: {causal: false}}], mask: {causal: true}}\n")
    )
    assert ["a.head1.M"] == [call.out for call in problem.parts[0].calls if call.op.family == "mask"]
