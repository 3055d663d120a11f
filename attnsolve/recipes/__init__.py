"""Every recipe, simplest first; adding one is its file and a line here."""

from attnsolve.recipes.attend import ATTEND
from attnsolve.recipes.base import Field, FieldError, Normaliser, Plan, Recipe
from attnsolve.recipes.multi_head import MULTI_HEAD
from attnsolve.recipes.self_attention import CROSS_ATTENTION, SELF_ATTENTION

RECIPES: tuple[Recipe, ...] = (
    ATTEND,  # q, K, V -> output
    SELF_ATTENTION,  # X -> output
    CROSS_ATTENTION,  # Y, X -> output
    MULTI_HEAD,  # X, heads -> output
)

RECIPES_BY_NAME = {recipe.name: recipe for recipe in RECIPES}

__all__ = ["RECIPES", "RECIPES_BY_NAME", "Field", "FieldError", "Normaliser", "Plan", "Recipe"]
