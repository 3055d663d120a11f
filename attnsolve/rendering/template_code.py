"""Our templates as Python: each one a function of what is printed, its macros plain functions inside it.

Jinja reads a template; what is written here of it runs without Jinja. It is as much of the language as our
templates have: anything else is refused when a template is compiled, which happens once.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from types import CodeType
from typing import Any, NamedTuple

from jinja2 import Environment, nodes

from attnsolve.rendering.python_pieces import as_read, called, function, loaded, placed, shown, stored
from attnsolve.rendering.template_values import GIVEN, TOOL, WITH_OTHERS, Loop, Values

# A template's function, and the list of what is printed in it.
FUNCTION, TEXT = "_template", "_text"


class Printed(NamedTuple):
    """Something that is printed, before it is known where to."""

    pieces: list[ast.expr]


Written = list[ast.stmt | Printed]


class Compiled(NamedTuple):
    """The code of a template's function; what it looks at of all it is given, None where it hands all on."""

    code: CodeType
    asked: tuple[str, ...] | None


def compiled_template(source: str, file: str, settings: dict[str, Any], tools: Collection[str]) -> Compiled:
    """A template as Python; `settings` are Jinja's, `tools` what every template can call."""
    tree = Environment(**settings).parse(source, filename=file)
    writer = Writer(file, tools)
    module = ast.Module([writer.template(tree)], type_ignores=[])
    made = compile(ast.fix_missing_locations(module), file, "exec")
    code = next(each for each in made.co_consts if isinstance(each, CodeType))
    return Compiled(code, None if writer.hands_on else tuple(sorted(writer.asked)))


class Writer(Values):
    """Writes one template, statement by statement."""

    def template(self, tree: nodes.Template) -> ast.stmt:
        """The whole template: what it prints, and what other templates can have of it."""
        self.macros = {node.name for node in tree.body if isinstance(node, nodes.Macro)}
        self.scopes.append({})
        body = [new_text(), *printing(self.statements(tree.body))]
        names = self.scopes.pop()
        exported = ast.Dict([*map(ast.Constant, names)], [*map(loaded, names.values())])
        body.append(ast.Return(ast.Tuple([whole_text(), exported], ast.Load())))
        return function(FUNCTION, [GIVEN], [], body)

    def statements(self, body: Iterable[nodes.Node]) -> Written:
        """What is printed side by side, with all that is done between."""
        written: Written = []
        for node in body:
            for made in self.statement(node):
                if isinstance(made, Printed) and written and isinstance(written[-1], Printed):
                    written[-1].pieces.extend(made.pieces)
                else:
                    written.append(made)
        return written

    def statement(self, node: nodes.Node) -> Written:
        match node:
            case nodes.Output(nodes=pieces):
                return [Printed([piece for each in pieces for piece in self.printed(each)])]
            case nodes.If():
                return [self.choice(node)]
            case nodes.For():
                return [*self.loop(node)]
            case nodes.Macro():
                return [self.macro(node)]
            case nodes.Assign(target=target, node=value):
                worth = self.value(value)
                return [placed(ast.Assign([self.target(target)], worth), node.lineno)]
            case nodes.AssignBlock(target=target, filter=None, body=body):
                return [*self.kept(target, body)]
            case nodes.Import(template=name, target=target):
                module = called(loaded(TOOL + "module"), self.value(name), self.everything())
                return [placed(ast.Assign([self.declare(target)], module), node.lineno)]
            case nodes.Include(template=name):
                text = called(loaded(TOOL + "filled"), self.value(name), self.everything())
                return [Printed([shown(text)])]
            case _:
                self.refuse(node)

    def choice(self, node: nodes.If) -> ast.stmt | Printed:
        """A condition; where only words depend on it, they are chosen in the middle of a text."""
        others = node.else_
        for branch in reversed(node.elif_):
            others = [nodes.If(branch.test, branch.body, [], others, lineno=branch.lineno)]
        test, body, otherwise = self.value(node.test), self.statements(node.body), self.statements(others)
        if are_words(body) and are_words(otherwise):
            return Printed([shown(ast.IfExp(test, text_of(body), text_of(otherwise)))])
        return placed(ast.If(test, printing(body) or [ast.Pass()], printing(otherwise)), node.lineno)

    def kept(self, target: nodes.Node, body: list[nodes.Node]) -> list[ast.stmt]:
        """What is printed, but into a name."""
        written = self.statements(body)
        if are_words(written):
            return [ast.Assign([self.target(target)], text_of(written))]
        around = self.fresh(TEXT)
        return [
            ast.Assign([stored(around)], loaded(TEXT)),
            new_text(),
            *printing(written),
            ast.Assign([self.target(target)], whole_text()),
            ast.Assign([stored(TEXT)], loaded(around)),
        ]

    def macro(self, node: nodes.Macro) -> ast.stmt:
        """A macro as a function that gives its text."""
        defaults = [self.value(default) for default in node.defaults]
        self.scopes[-1][node.name] = node.name
        around, self.loops = self.loops, []
        parameters = [argument.name for argument in node.args]
        self.scopes.append({name: name for name in parameters})
        written = self.statements(node.body)
        self.scopes.pop()
        self.loops = around
        if are_words(written):
            body: list[ast.stmt] = [ast.Return(text_of(written))]
        else:
            body = [new_text(), *printing(written), ast.Return(whole_text())]
        return placed(function(node.name, parameters, defaults, body), node.lineno)

    def loop(self, node: nodes.For) -> list[ast.stmt]:
        """A loop; what it tells of itself is counted only where it is asked."""
        if node.else_ or node.recursive:
            self.refuse(node)
        items = self.value(node.iter)
        asked = told_by_loop(node.body)
        self.scopes.append({})
        self.loops.append(Loop(self.fresh("_place"), self.fresh("_items")))
        target = self.target(node.target)
        if node.test is not None:
            each = ast.comprehension(target, items, [self.value(node.test)], 0)
            items = ast.GeneratorExp(as_read(target), [each])
        made: list[ast.stmt] = []
        place, kept = self.loops[-1]
        if asked & WITH_OTHERS:
            made.append(ast.Assign([stored(kept)], called(loaded("list"), items)))
            items = loaded(kept)
        if asked:
            items = called(loaded("enumerate"), items)
            target = ast.Tuple([stored(place), target], ast.Store())
        body = printing(self.statements(node.body))
        self.loops.pop()
        self.scopes.pop()
        return [*made, placed(ast.For(target, items, body or [ast.Pass()], []), node.lineno)]


def text_of(written: Written) -> ast.expr:
    """All that is printed, as one text."""
    pieces = [piece for made in written if isinstance(made, Printed) for piece in made.pieces]
    if len(pieces) == 1 and isinstance(pieces[0], ast.Constant):
        return pieces[0]
    return ast.JoinedStr(pieces) if pieces else ast.Constant("")


def are_words(written: Written) -> bool:
    """Whether nothing is done but printing."""
    return all(isinstance(made, Printed) for made in written)


def printing(written: Written) -> list[ast.stmt]:
    """What is done, and what is printed added to the text."""
    add = ast.Attribute(loaded(TEXT), "append", ast.Load())
    return [ast.Expr(called(add, text_of([made]))) if isinstance(made, Printed) else made for made in written]


def new_text() -> ast.stmt:
    """A text that nothing has been added to."""
    return ast.Assign([stored(TEXT)], ast.List([], ast.Load()))


def whole_text() -> ast.expr:
    """All that was added to the text."""
    return called(ast.Attribute(ast.Constant(""), "join", ast.Load()), loaded(TEXT))


def told_by_loop(body: Iterable[nodes.Node]) -> set[str]:
    """What a loop is asked about itself; `loop` in a loop inside it is that one."""
    told: set[str] = set()
    for node in body:
        match node:
            case nodes.Getattr(node=nodes.Name(name="loop"), attr=attribute):
                told.add(attribute)
            case nodes.For(iter=items):
                told |= told_by_loop([items])
            case _:
                told |= told_by_loop(node.iter_child_nodes())
    return told
