"""Formulas as plain text, which our own grammar and SymPy read."""

from __future__ import annotations

from attnsolve.statements.tree import MINUS_ONE, Call, Name, Number, Power, Product, Quotient, Sum, Tree


def as_text(tree: Tree) -> str:
    """A formula as it is typed."""
    match tree:
        case Number(value):
            return str(value)
        case Name(name, index):
            return "_".join((name, *index))
        case Sum(terms):
            return " + ".join(map(as_text, terms)).replace("+ -", "- ")
        case Product((first, *rest)) if first == MINUS_ONE:
            return "-" + "*".join(map(inside, rest))
        case Product(factors):
            return "*".join(map(inside, factors))
        case Quotient(above, below):
            return f"{inside(above)}/{inside(below)}"
        case Power(base, exponent):
            return f"{inside(base)}^{inside(exponent)}"
        case Call(function, argument):
            return f"{function.value}({as_text(argument)})"
    raise TypeError(f"{type(tree).__name__} has no text")


def inside(tree: Tree) -> str:
    """A formula as a factor, in brackets unless it is a single piece."""
    text = as_text(tree)
    plain = isinstance(tree, Name | Call) or (isinstance(tree, Number) and text.isdigit())
    return text if plain else f"({text})"
