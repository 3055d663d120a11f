"""What stands in a template between its signs, as Python: names, calls, filters, sums and comparisons."""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import NamedTuple, NoReturn

from jinja2 import nodes

from attnsolve.rendering.python_pieces import called, each_of, loaded, placed, shown

# What a template's function is called with, and its tools. No name in a template begins so.
GIVEN, FILTER, TOOL = "_given", "_filter_", "_tool_"
OPERATORS: dict[type[nodes.BinExpr], ast.operator] = {
    nodes.Add: ast.Add(),
    nodes.Sub: ast.Sub(),
    nodes.Mul: ast.Mult(),
    nodes.Div: ast.Div(),
    nodes.Mod: ast.Mod(),
}
COMPARISONS: dict[str, ast.cmpop] = {
    "eq": ast.Eq(),
    "ne": ast.NotEq(),
    "gt": ast.Gt(),
    "gteq": ast.GtE(),
    "lt": ast.Lt(),
    "lteq": ast.LtE(),
    "in": ast.In(),
    "notin": ast.NotIn(),
}


OF_LOOPS = {
    "index0": "{place}",
    "index": "{place} + 1",
    "first": "{place} == 0",
    "last": "{place} + 1 == len({items})",
    "previtem": "{items}[{place} - 1]",
}
# For these a loop has to know the others that it goes through; otherwise it holds one at a time.
WITH_OTHERS = {name for name, worth in OF_LOOPS.items() if "{items}" in worth}


class Loop(NamedTuple):
    """The variables in which a loop counts, and keeps what it goes through."""

    place: str
    items: str

    def told(self, attribute: str) -> ast.expr:
        """What `loop.last` and the like are worth."""
        return ast.parse(OF_LOOPS[attribute].format(**self._asdict()), mode="eval").body


class Values:
    """The values of one template; knows at every place which Python variable a name of it is."""

    def __init__(self, file: str, tools: Collection[str]) -> None:
        self.file = file
        self.tools = tools
        self.scopes: list[dict[str, str]] = []
        self.loops: list[Loop] = []
        self.macros: set[str] = set()
        self.asked: set[str] = set()  # which names of what is given it looks at
        self.hands_on = False  # whether it gives other templates all that it is given
        self.made = 0

    # -- names ------------------------------------------------------------------------------------

    def fresh(self, name: str) -> str:
        """A variable that nothing else in the template has."""
        self.made += 1
        return f"{name}__{self.made}"

    def declare(self, name: str) -> ast.Name:
        """The variable that a name of this scope is kept in; one of a loop is the loop's own."""
        here = self.scopes[-1]
        if name not in here:
            here[name] = self.fresh(name) if self.loops else name
        return ast.Name(here[name], ast.Store())

    def target(self, node: nodes.Node) -> ast.expr:
        """What is assigned to."""
        match node:
            case nodes.Name(name=name):
                return self.declare(name)
            case nodes.Tuple(items=items):
                return ast.Tuple([self.target(item) for item in items], ast.Store())
            case _:
                self.refuse(node)

    def name(self, name: str) -> ast.expr:
        """A name that is read: of the template itself, a tool, or something that is given."""
        for scope in reversed(self.scopes):
            if name in scope:
                return loaded(scope[name])
        if name in self.macros:  # one can call another that stands below it
            return loaded(name)
        if name in self.tools:
            return loaded(TOOL + name)
        self.asked.add(name)
        return ast.Subscript(loaded(GIVEN), ast.Constant(name), ast.Load())

    def everything(self) -> ast.expr:
        """What is given, with all names that are known at this place: another template sees them too."""
        self.hands_on = True
        known = {name: loaded(kept) for scope in self.scopes for name, kept in scope.items()}
        return ast.Dict(
            [None, *map(ast.Constant, known)],
            [loaded(GIVEN), *known.values()],
        )

    def refuse(self, node: nodes.Node) -> NoReturn:
        """No template of ours has needed this so far."""
        raise NotImplementedError(f"{self.file}:{node.lineno}: {type(node).__name__} in a template")

    def printed(self, node: nodes.Node) -> list[ast.expr]:
        """A piece of what is printed: text as it is, or the text of a value."""
        if isinstance(node, nodes.TemplateData):
            return [ast.Constant(node.data)] if node.data else []
        return [shown(self.value(node))]

    # -- values -----------------------------------------------------------------------------------

    def value(self, node: nodes.Node) -> ast.expr:
        """What an expression is worth."""
        match node:
            case nodes.Const(value=value):
                return ast.Constant(value)
            case nodes.TemplateData(data=data):
                return ast.Constant(data)
            case nodes.Name(name=name):
                return self.name(name)
            case nodes.Getattr(node=nodes.Name(name="loop"), attr=attribute) if self.loops:
                return self.loops[-1].told(attribute)
            case nodes.Getattr(node=owner, attr=attribute):
                return placed(ast.Attribute(self.value(owner), attribute, ast.Load()), node.lineno)
            case nodes.Getitem(node=owner, arg=nodes.Name() as key):  # of a record, or of a list
                return called(loaded(TOOL + "item"), self.value(owner), self.value(key))
            case nodes.Getitem(node=owner, arg=key):
                return placed(ast.Subscript(self.value(owner), self.value(key), ast.Load()), node.lineno)
            case nodes.Slice(start=start, stop=stop, step=step):
                return ast.Slice(
                    *(None if each is None else self.value(each) for each in (start, stop, step))
                )
            case nodes.Tuple(items=items):
                return ast.Tuple([*map(self.value, items)], ast.Load())
            case nodes.List(items=items):
                return ast.List([*map(self.value, items)], ast.Load())
            case nodes.Dict(items=items):
                return ast.Dict(
                    [self.value(pair.key) for pair in items], [self.value(pair.value) for pair in items]
                )
            case nodes.Call(node=tool, args=args, kwargs=kwargs, dyn_args=None, dyn_kwargs=None):
                return placed(
                    called(self.value(tool), *map(self.value, args), **self.named(kwargs)), node.lineno
                )
            case nodes.Filter() | nodes.Test():
                return placed(self.applied(node), node.lineno)
            case _:
                return self.reckoned(node)

    def reckoned(self, node: nodes.Node) -> ast.expr:
        """What is made of other values by a sign or by a word for one."""
        match node:
            case nodes.CondExpr(test=test, expr1=first, expr2=second):
                otherwise = ast.Constant("") if second is None else self.value(second)
                return ast.IfExp(self.value(test), self.value(first), otherwise)
            case nodes.Concat(nodes=pieces):
                return ast.JoinedStr([piece for each in pieces for piece in self.printed(each)])
            case nodes.And(left=left, right=right):
                return ast.BoolOp(ast.And(), [self.value(left), self.value(right)])
            case nodes.Or(left=left, right=right):
                return ast.BoolOp(ast.Or(), [self.value(left), self.value(right)])
            case nodes.Not(node=inside):
                return ast.UnaryOp(ast.Not(), self.value(inside))
            case nodes.Neg(node=inside):
                return ast.UnaryOp(ast.USub(), self.value(inside))
            case nodes.Compare(expr=first, ops=others):
                signs = [COMPARISONS[other.op] for other in others]
                return ast.Compare(self.value(first), signs, [self.value(other.expr) for other in others])
            case nodes.BinExpr(left=left, right=right) if type(node) in OPERATORS:
                return ast.BinOp(self.value(left), OPERATORS[type(node)], self.value(right))
            case _:
                self.refuse(node)

    def applied(self, node: nodes.Filter | nodes.Test) -> ast.expr:
        """A filter or a test of a value."""
        if isinstance(node, nodes.Test) and node.name == "defined" and isinstance(node.node, nodes.Name):
            self.asked.add(node.node.name)
            return ast.Compare(ast.Constant(node.node.name), [ast.In()], [loaded(GIVEN)])
        if node.node is None:
            self.refuse(node)
        value = self.value(node.node)
        match node:
            case nodes.Test(name="even"):
                rest = ast.BinOp(value, ast.Mod(), ast.Constant(2))
                return ast.Compare(rest, [ast.Eq()], [ast.Constant(0)])
            case nodes.Filter(name="map", args=[nodes.Const(value=name)], kwargs=[]):
                return each_of(value, lambda one: called(loaded(FILTER + name), one))
            case nodes.Filter(name="map", args=[], kwargs=[nodes.Keyword(value=nodes.Const(value=name))]):
                return each_of(value, lambda one: ast.Attribute(one, name, ast.Load()))
            case nodes.Filter(name=name, args=args, kwargs=[]):
                return called(loaded(FILTER + name), value, *map(self.value, args))
            case _:
                self.refuse(node)

    def named(self, keywords: list[nodes.Keyword]) -> dict[str, ast.expr]:
        """Arguments by their names."""
        return {keyword.key: self.value(keyword.value) for keyword in keywords}
