"""Every recipe, simplest first; adding one is its file and a line here."""

from attnsolve.recipes.attend import ATTEND
from attnsolve.recipes.backward import BACKWARD
from attnsolve.recipes.base import Chosen, FieldError, Plan, Recipe
from attnsolve.recipes.cached_step import CACHED_STEP
from attnsolve.recipes.decoder_block import DECODER_BLOCK
from attnsolve.recipes.decoder_step import DECODER_STEP
from attnsolve.recipes.encoder_block import ENCODER_BLOCK
from attnsolve.recipes.fields import Field
from attnsolve.recipes.gru import GRU
from attnsolve.recipes.linear_attention import LINEAR_ATTENTION
from attnsolve.recipes.lstm import LSTM
from attnsolve.recipes.model import MODEL
from attnsolve.recipes.multi_head import MULTI_HEAD
from attnsolve.recipes.positions import POSITIONS
from attnsolve.recipes.rnn import RNN
from attnsolve.recipes.self_attention import CROSS_ATTENTION, SELF_ATTENTION
from attnsolve.recipes.tiled_attention import TILED_ATTENTION

RECIPES: tuple[Recipe, ...] = (
    POSITIONS,  # X -> X with its positions
    ATTEND,  # q, K, V -> output
    SELF_ATTENTION,  # X -> output
    CROSS_ATTENTION,  # Y, X -> output
    MULTI_HEAD,  # X, heads -> output
    RNN,  # X, h -> states
    GRU,  # X, h -> states, with gates
    LSTM,  # X, h, c -> states, with gates and a memory
    LINEAR_ATTENTION,  # X -> output without a softmax
    TILED_ATTENTION,  # Q, K, V -> output, some keys at a time
    CACHED_STEP,  # x, cached K and V -> output of the new token
    DECODER_STEP,  # s, F -> context, state, words, loss
    ENCODER_BLOCK,  # X -> X after attention and feed-forward
    MODEL,  # words -> probabilities of the next word
    DECODER_BLOCK,  # X, Y -> X after attention to itself and to Y, and feed-forward
    BACKWARD,  # a.Z, dZ -> gradients of what it was made from
)

RECIPES_BY_NAME = {recipe.name: recipe for recipe in RECIPES}

__all__ = ["RECIPES", "RECIPES_BY_NAME", "Chosen", "Field", "FieldError", "Plan", "Recipe"]
