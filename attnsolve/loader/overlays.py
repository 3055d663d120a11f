"""Maps laid over maps: what a case, or a part that is like another, changes, adds and takes back."""

from __future__ import annotations

from attnsolve.documents import Node
from attnsolve.recipes import Recipe


def is_none(node: Node) -> bool:
    """Whether `none` stands here, which takes back what an earlier part says."""
    return node.is_text and node.text.strip() == "none"


def overlaid(base: Node, changes: Node, recipe: Recipe) -> Node:
    """A map with keys replaced, added, or taken back by `none`; it stands where the changes stand."""
    own = {key.text for key, _ in changes.entries}
    # Dividing and multiplying exclude each other, so the new one takes the old one's place.
    own |= {"divide_by", "multiply_by"} if own & {"divide_by", "multiply_by"} else set()
    # Of these, `none` is something that can be chosen.
    chosen = {"divide_by", *(field.name for field in recipe.fields if "none" in field.choices)}
    kept = [(key, value) for key, value in base.entries if key.text not in own]
    added = [(key, value) for key, value in changes.entries if key.text in chosen or not is_none(value)]
    return changes._replace(entries=(*kept, *added))
