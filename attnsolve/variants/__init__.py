"""Exam variants: numbers that are fair, computable by hand, and able to tell mistakes apart."""

from attnsolve.variants.blueprint import Blueprint, Selection
from attnsolve.variants.culprits import Impossible
from attnsolve.variants.drawing import Drawer, Variant, drawer_for
from attnsolve.variants.generator import Stream, key_of_secret, key_of_seed

__all__ = [
    "Blueprint",
    "Drawer",
    "Impossible",
    "Selection",
    "Stream",
    "Variant",
    "drawer_for",
    "key_of_secret",
    "key_of_seed",
]
