"""Maths made at random: by the grammar, and then with tokens taken out, doubled or put elsewhere."""

import random
from collections.abc import Iterator

from attnsolve.maths import complaint_about_maths, tokens_of
from attnsolve.maths.commands import ARGUMENTS, DELIMITERS, ENVIRONMENTS, SIZES, SYMBOLS, Argument

CHARACTERS = "abxyzKQTV0123456789+-=<>()[]|,.:;!?/*'"
WORDS = ("if ", "für", "não", "L'été, ", "a-b", "(i)", "x = 1!")


class Maker:
    """One piece of maths after another."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)

    def maths(self, depth: int) -> str:
        """Some signs and groups."""
        return " ".join(self.piece(depth) for _ in range(self.choose.randint(0, 3)))

    def piece(self, depth: int) -> str:
        """One of them, often with something above or below."""
        made = self.nucleus(depth)
        for mark in self.choose.choices(("", "'", "^", "_"), (4, 1, 1, 1), k=2):
            made += mark + (self.script(depth) if mark in ("^", "_") else "")
        return made

    def script(self, depth: int) -> str:
        """What stands above or below."""
        way = self.choose.randrange(3)
        if way == 0:
            return self.choose.choice(CHARACTERS)
        return self.sign() if way == 1 else f"{{{self.maths(depth - 1) if depth > 0 else 'i'}}}"

    def sign(self) -> str:
        """A command that prints something by itself."""
        return f"\\{self.choose.choice(sorted(SYMBOLS))} "

    def nucleus(self, depth: int) -> str:
        """A sign, a group, a command with its arguments, a bracket or an environment."""
        if depth <= 0 or self.choose.random() < 0.4:
            return self.choose.choice(CHARACTERS) if self.choose.random() < 0.5 else self.sign()
        way = self.choose.choice((self.group, self.command, self.command, self.brackets, self.environment))
        return way(depth - 1)

    def group(self, depth: int) -> str:
        return f"{{{self.maths(depth)}}}"

    def command(self, depth: int) -> str:
        """Any command that takes something, with braces or without."""
        name = self.choose.choice(sorted(ARGUMENTS))
        index = "[3]" if name == "sqrt" and self.choose.random() < 0.3 else ""
        return f"\\{name}{index}" + "".join(self.argument(kind, depth) for kind in ARGUMENTS[name])

    def argument(self, kind: Argument, depth: int) -> str:
        if kind is Argument.WORDS:
            return f"{{{self.choose.choice(WORDS)}}}"
        if kind is Argument.CAPITALS:
            return self.choose.choice(("{R}", " N", "{AB}"))
        if kind is Argument.NAME:
            return self.choose.choice(("{softmax}", "{square-norm}", r"{arg\,max}"))
        return (
            f"{{{self.maths(depth)}}}"
            if self.choose.random() < 0.6
            else self.choose.choice((" 2", self.sign()))
        )

    def brackets(self, depth: int) -> str:
        left, middle, right = (self.choose.choice(sorted(DELIMITERS)) for _ in range(3))
        between = f" \\middle{middle} {self.maths(depth)}" if self.choose.random() < 0.2 else ""
        sized = f" \\{self.choose.choice(SIZES)}{middle}" if self.choose.random() < 0.2 else ""
        return f"\\left{left} {self.maths(depth)}{between}{sized} \\right{right}"

    def environment(self, depth: int) -> str:
        name = self.choose.choice(sorted(ENVIRONMENTS))
        columns = min(ENVIRONMENTS[name], self.choose.randint(1, 3))
        rows = (
            " & ".join(self.maths(depth) for _ in range(columns)) for _ in range(self.choose.randint(1, 3))
        )
        inside = r" \\ ".join(rows)
        return f"\\begin{{{name}}} {inside} \\end{{{name}}}"

    def spoilt(self, source: str) -> str:
        """The same with a token out of place: often wrong, and sometimes right in a way nobody thought of."""
        tokens = [(" " if token.apart else "") + token.text for token in tokens_of(source)]
        for _ in range(self.choose.randint(1, 3)):
            if tokens:
                place, other = (self.choose.randrange(len(tokens)) for _ in range(2))
                way = self.choose.randrange(3)
                token = tokens.pop(place) if way < 2 else tokens[place]
                if way:
                    tokens.insert(min(other, len(tokens)), token)
        return "".join(spaced(tokens))


def spaced(tokens: list[str]) -> Iterator[str]:
    """Tokens with a blank wherever two would become one."""
    before = ""
    for token in tokens:
        yield " " if before[:1] == "\\" and before[-1:].isalpha() and token[:1].isalpha() else ""
        yield token
        before = token.strip()


def accepted(count: int, seed: int) -> list[str]:
    """So many different pieces of maths that the grammar takes, half of them with tokens out of place."""
    maker = Maker(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        made = maker.maths(3)
        for source in (made, maker.spoilt(made), maker.spoilt(made)):
            if source.strip() and len(source) < 250 and complaint_about_maths(source) is None:
                found[source] = None
    return list(found)[:count]
