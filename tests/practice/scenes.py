"""A session without a screen: lines are typed, and what is said to them comes back as plain text."""

from __future__ import annotations

from functools import cache

from attnsolve.batch import find
from attnsolve.practice.drill import Drill
from attnsolve.practice.events import Said, Shown
from attnsolve.practice.progress import Progress
from attnsolve.practice.prompt import prompt, understood
from attnsolve.practice.session import Reply, opened, reply
from attnsolve.practice.source import Source


@cache
def source(name: str) -> Source:
    path = find(name)
    return Source(path.read_text("utf-8"), path.stem, path.parent)


@cache
def drill(name: str, variant: int = 0) -> Drill:
    return source(name).drill(variant)


class Scene:
    """Somebody who practises one exercise."""

    def __init__(self, name: str, *lines: str) -> None:
        self.drill = drill(name)
        self.last: Reply = opened(self.drill, Progress())
        self.progress = self.last.progress
        for line in lines:
            self.type(line)

    def type(self, line: str) -> str:
        """What is said to a line."""
        meant = understood(self.drill, self.progress, line)
        if isinstance(meant, Said):
            self.last = Reply(self.progress, (meant,))
            return self.said
        self.last = reply(self.drill, self.progress, meant)
        self.progress = self.last.progress
        return self.said

    @property
    def said(self) -> str:
        return "\n".join(map(plain, self.last.said))

    @property
    def prompt(self) -> str:
        return prompt(self.drill, self.progress)


def plain(one: Said | Shown) -> str:
    """What is said, as one line."""
    if isinstance(one, Shown):
        return f"[{one.what} {one.name}]"
    return f"{one.tone}: " + "".join(piece for _, piece in one.words)
