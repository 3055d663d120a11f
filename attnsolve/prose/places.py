"""Where something that a parser found stands in the text, although the parser has taken indentation away."""

from __future__ import annotations


class Places:
    """A text by its lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0]
        for line in text.split("\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def line(self, number: int) -> int:
        """The first character of a line that is no blank."""
        start = self.starts[min(number, len(self.starts) - 1)]
        rest = self.text[start:]
        return start + len(rest) - len(rest.lstrip()) if rest.strip() else start

    def first(self, number: int, content: str) -> int:
        """Where the content of a paragraph begins in its first line, behind what marks a list."""
        start, end = self.starts[number], self.starts[number + 1] - 1
        written = self.text[start:end].rstrip()
        shown = content.split("\n", 1)[0].rstrip()
        return start + len(written) - len(shown) if written.endswith(shown) else self.line(number)

    def within(self, number: int, content: str, begin: int) -> int:
        """Where the content of a cell begins in its line, from `begin` on."""
        found = self.text.find(content, begin, self.starts[number + 1])
        if found >= 0:
            return found
        rest = self.text[begin : self.starts[number + 1]]
        return begin + len(rest) - len(rest.lstrip(" |"))

    def after(self, sign: str, begin: int) -> int:
        """Behind the next such sign."""
        found = self.text.find(sign, begin)
        return begin if found < 0 else found + len(sign)

    def walk(self, begin: int, content: str, offset: int) -> int:
        """Where a character of some content stands that begins at `begin`; blanks may differ."""
        left = sum(not character.isspace() for character in content[:offset])
        place = begin
        while place < len(self.text) and (left or self.text[place].isspace()):
            left -= not self.text[place].isspace()
            place += 1
        return min(place, len(self.text) - 1)
