"""Every command by name: it is loaded from its room when it is called, and --help loads none."""

from __future__ import annotations

from importlib import import_module

import click


class Elsewhere(click.Command):
    """A command as the overview shows it; the real one is the function of its name in a room of the cli."""

    def __init__(self, name: str, room: str, about: str) -> None:
        super().__init__(name, help=about)
        self.room = room

    def loaded(self) -> click.Command:
        """The real one."""
        found: click.Command = getattr(import_module(f"attnsolve.cli.{self.room}"), str(self.name))
        return found


class Commands(click.Group):
    """A group of commands that are elsewhere."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called, loaded."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.loaded() if isinstance(command, Elsewhere) else command, rest


# The first sentence of each is that of the real command; a test compares them.
COMMANDS = (
    Elsewhere("render", "sheets", "Write the worked solution, or the exercise sheet, of problems."),
    Elsewhere("show", "shows", "Show a solution or sheet on the terminal, whole or one step at a time."),
    Elsewhere(
        "practice",
        "practice",
        "Practise a problem: type value after value, with a verdict at once and hints that rise.",
    ),
    Elsewhere(
        "plot",
        "plots",
        "Draw attention maps, heads side by side, or weights against temperature, as SVG or PNG.",
    ),
    Elsewhere(
        "site",
        "site",
        "Make a practice site: a static folder with exercises that browsers judge by themselves.",
    ),
    Elsewhere("lint", "sheets", "Check problem files: faults, steps without a value, published answers."),
    Elsewhere("new", "sheets", "Write a commented starter file NAME.yaml that renders at once."),
    Elsewhere("problems", "sheets", "List the bundled problems."),
    Elsewhere("schema", "sheets", "Print the JSON Schema of the problem format, for editors."),
    Elsewhere("ops", "sheets", "List every op that a plan can call, with its matrices and settings."),
    Elsewhere("maths", "sheets", "List what a text may hold: its markup, and the commands of maths in it."),
    Elsewhere("limits", "sheets", "Print every limit and its value."),
    Elsewhere(
        "style",
        "styles",
        "Make a house style: `attnsolve style new DIR`, then --style DIR wherever documents are made.",
    ),
    Elsewhere(
        "check",
        "layers",
        "Run problems through PyTorch itself, step by step and as whole layers, and compare.",
    ),
    Elsewhere(
        "explain",
        "layers",
        "Work out a trained nn.MultiheadAttention by hand, from its state dict (.pt, .safetensors).",
    ),
    Elsewhere(
        "verify",
        "answers",
        "Judge a hand calculation: ANSWERS is a file, - for the screen's input, or the answers themselves.",
    ),
    Elsewhere(
        "grade",
        "grading",
        "Grade a class: a folder of answers, a CSV, a pile in one text (`@ student`), or a zip.",
    ),
    Elsewhere(
        "variants",
        "variants",
        "Draw an exam: for each student other numbers, the same work, and mistakes told apart.",
    ),
)
