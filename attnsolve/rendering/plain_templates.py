"""Templates of ours as plain Python: attributes are attributes, calls are calls, macros are functions.

Jinja asks at every dot and every call what a template of anybody might mean by it. Ours are given records
that have what they name, and call macros by place, so that nothing is left to ask.
"""

from __future__ import annotations

from types import FunctionType

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.utils import missing


class PlainCode(CodeGenerator):
    """Writes the Python of a template."""

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 (so Jinja calls it)
        """`step.marks` as it is."""
        self.write("(")
        self.visit(node.node, frame)
        self.write(f").{node.attr}")

    def visit_Call(  # noqa: N802
        self, node: nodes.Call, frame: Frame, forward_caller: bool = False
    ) -> None:
        """`d.text(words)` as it is: none of our tools wants the context as an argument."""
        self.write("(")
        self.visit(node.node, frame)
        self.write(")(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:
        """The function itself, which may be called with fewer arguments than it has."""
        self.write("environment.with_defaults(macro)")


class PlainEnvironment(Environment):
    """Jinja for templates of ours, which call our tools and their own macros by place."""

    code_generator_class = PlainCode

    @staticmethod
    def with_defaults(macro: FunctionType) -> FunctionType:
        """A macro that finds out itself what stands for an argument that is not given."""
        macro.__defaults__ = (missing,) * macro.__code__.co_argcount
        return macro
