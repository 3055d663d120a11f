"""The ops' twins as text: plain functions that stand alone, with neither type annotations nor our imports."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

# Values of a module that may be written into a function as they are.
PLAIN = (int, float, str, bytes, bool, tuple, type(None))


class Sources:
    """Functions under names that are free in a script, each after the ones that it calls."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.names: dict[Callable[..., Any], str] = {}
        self.texts: list[str] = []
        self.modules = {"torch"}

    def add(self, function: Callable[..., Any], wanted: str) -> str:
        """Take a function in, with all that it calls, and give the name it got."""
        if function not in self.names:
            self.names[function] = free(wanted, self.taken)
            self.texts.append(self.text(function))
        return self.names[function]

    def text(self, function: Callable[..., Any]) -> str:
        """The source of a function, in which helpers and libraries have the names that they have here."""
        definition = parsed(function)
        replacements: dict[str, ast.expr] = {}
        for name in dict.fromkeys(used_globals(definition, function)):
            replacements[name] = self.replacement(function, name)
        imported = {name: path for name, path in imports(definition)}
        self.modules.update(path.partition(".")[0] for path in imported.values())
        replacements |= {name: ast.parse(path, mode="eval").body for name, path in imported.items()}
        definition.name = self.names[function]
        return ast.unparse(ast.fix_missing_locations(Standalone(replacements).visit(definition)))

    def replacement(self, function: Callable[..., Any], name: str) -> ast.expr:
        """What a name of the function's module becomes: another function, or its value."""
        value = inspect.unwrap(function).__globals__[name]
        if inspect.isfunction(value):
            return ast.Name(self.add(value, name))
        if isinstance(value, PLAIN):
            return ast.parse(repr(value), mode="eval").body
        raise TypeError(f"{function.__module__}.{function.__qualname__}: no script can show its {name}")


def free(wanted: str, taken: set[str]) -> str:
    """A name that nothing else has, from now on taken."""
    while wanted in taken:
        wanted += "_"
    taken.add(wanted)
    return wanted


def parsed(function: Callable[..., Any]) -> ast.FunctionDef:
    """The definition of a function of a module; one made inside another has values that nobody would see."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    if not isinstance(tree, ast.FunctionDef) or getattr(function, "__closure__", None):
        raise TypeError(f"{function.__module__}.{function.__qualname__} must be a function of its module")
    return tree


def used_globals(definition: ast.FunctionDef, function: Callable[..., Any]) -> Iterator[str]:
    """The names in a function that its module has to know."""
    local = function.__code__.co_varnames
    body = [*definition.body, *filter(None, (*definition.args.defaults, *definition.args.kw_defaults))]
    inside = [inner for outer in body for inner in ast.walk(outer)]
    unseen = {id(node) for inner in inside for said in said_of_types(inner) for node in ast.walk(said)}
    for node in inside:
        if id(node) in unseen:  # a script has no annotations
            continue
        if isinstance(node, ast.Name) and node.id not in local and node.id in function.__globals__:
            yield node.id


def said_of_types(node: ast.AST) -> Iterator[ast.expr]:
    """What a piece of a function says about types."""
    said = (getattr(node, name, None) for name in ("annotation", "returns"))
    yield from (one for one in said if isinstance(one, ast.expr))


def imports(definition: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """What is imported in a function: the name it has there, and its full name."""
    for node in ast.walk(definition):
        if isinstance(node, ast.Import):
            yield from ((alias.asname or alias.name, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


class Standalone(ast.NodeTransformer):
    """Puts full names in, and leaves imports and annotations out."""

    def __init__(self, replacements: dict[str, ast.expr]) -> None:
        self.replacements = replacements

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.replacements.get(node.id, node)

    def visit_Import(self, node: ast.Import) -> None:
        """Left out: a script imports at its top."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Left out: the full name stands where it is used."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        self.generic_visit(node)
        return None if node.value is None else ast.Assign([node.target], node.value, lineno=node.lineno)
