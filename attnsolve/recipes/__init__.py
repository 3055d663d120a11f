"""Every recipe, simplest first; adding one is its file and a line here."""

from collections.abc import ValuesView

from attnsolve.recipes.base import Chosen, FieldError, Plan, Recipe
from attnsolve.recipes.fields import Field
from attnsolve.shelf import Shelf

# The file of each recipe, and its record there.
RECIPES_BY_NAME: Shelf[Recipe] = Shelf(
    __name__,
    {
        "positions": "positions.POSITIONS",  # X -> X with its positions
        "attend": "attend.ATTEND",  # q, K, V -> output
        "self_attention": "self_attention.SELF_ATTENTION",  # X -> output
        "cross_attention": "self_attention.CROSS_ATTENTION",  # Y, X -> output
        "multi_head": "multi_head.MULTI_HEAD",  # X, heads -> output
        "rnn": "rnn.RNN",  # X, h -> states
        "gru": "gru.GRU",  # X, h -> states, with gates
        "lstm": "lstm.LSTM",  # X, h, c -> states, with gates and a memory
        "linear_attention": "linear_attention.LINEAR_ATTENTION",  # X -> output without a softmax
        "tiled_attention": "tiled_attention.TILED_ATTENTION",  # Q, K, V -> output, some keys at a time
        "cached_step": "cached_step.CACHED_STEP",  # x, cached K and V -> output of the new token
        "decoder_step": "decoder_step.DECODER_STEP",  # s, F -> context, state, words, loss
        "encoder_block": "encoder_block.ENCODER_BLOCK",  # X -> X after attention and feed-forward
        "model": "model.MODEL",  # words -> probabilities of the next word
        "decoder_block": "decoder_block.DECODER_BLOCK",  # X, Y -> X after attention to both, and feed-forward
        "backward": "backward.BACKWARD",  # a.Z, dZ -> gradients of what it was made from
    },
)

RECIPES: ValuesView[Recipe] = RECIPES_BY_NAME.values()

__all__ = ["RECIPES", "RECIPES_BY_NAME", "Chosen", "Field", "FieldError", "Plan", "Recipe"]
