"""Every recipe, simplest first; adding one is its file and a line here."""

from attnsolve.recipes.attend import ATTEND
from attnsolve.recipes.base import Chosen, FieldError, Plan, Recipe
from attnsolve.recipes.decoder_block import DECODER_BLOCK
from attnsolve.recipes.decoder_step import DECODER_STEP
from attnsolve.recipes.encoder_block import ENCODER_BLOCK
from attnsolve.recipes.fields import Field
from attnsolve.recipes.multi_head import MULTI_HEAD
from attnsolve.recipes.positions import POSITIONS
from attnsolve.recipes.self_attention import CROSS_ATTENTION, SELF_ATTENTION

RECIPES: tuple[Recipe, ...] = (
    POSITIONS,  # X -> X with its positions
    ATTEND,  # q, K, V -> output
    SELF_ATTENTION,  # X -> output
    CROSS_ATTENTION,  # Y, X -> output
    MULTI_HEAD,  # X, heads -> output
    DECODER_STEP,  # s, F -> context, state, words, loss
    ENCODER_BLOCK,  # X -> X after attention and feed-forward
    DECODER_BLOCK,  # X, Y -> X after attention to itself and to Y, and feed-forward
)

RECIPES_BY_NAME = {recipe.name: recipe for recipe in RECIPES}

__all__ = ["RECIPES", "RECIPES_BY_NAME", "Chosen", "Field", "FieldError", "Plan", "Recipe"]
