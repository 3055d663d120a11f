"""Every command by name: it is loaded from its room when it is called, and --help loads none."""

from __future__ import annotations

from importlib import import_module

import click

from attnsolve.cli.overview import LISTED, overview


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


class Everything(Commands):
    """All commands of attnsolve, whose overview is written without loading any."""

    def get_help(self, ctx: click.Context) -> str:
        """The overview."""
        return overview()


COMMANDS = tuple(Elsewhere(*line) for line in LISTED)
