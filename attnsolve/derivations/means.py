"""The means of noisy weights as numbers of their own: equal ones are one, and all of them sum to 1."""

from __future__ import annotations

from attnsolve.derivations.attention import Solved
from attnsolve.derivations.noise import NoisyAttention
from attnsolve.derivations.setting import MEAN
from attnsolve.derivations.vectors import REST
from attnsolve.statements.tree import ONE, Name, Tree, minus, number, over, product, total


class NoisyMeans(NoisyAttention):
    """What is known of the means without any quadrature; what is not known has a letter: E[α_i]."""

    def __init__(self, solved: Solved) -> None:
        super().__init__(solved)
        self._groups = [self.groups(head) for head in solved.heads]

    def of(self, head: int, index: str) -> Tree:
        """E[α_index]: that of its group; that of the first group is what the others leave of 1."""
        setting = self.solved.setting
        if index == REST or index not in self.solved.indices:
            index = setting.generic
        first, *others = self._groups[head]
        if index not in first:
            group = next(group for group in others if index in group)
            return self.letter(head, group)
        taken = [
            product((total(self.solved.multiplicity(one) for one in group), self.letter(head, group)))
            for group in others
        ]
        return over(minus(ONE, total(taken)), number(len(first)))

    def letter(self, head: int, group: list[str]) -> Tree:
        """The mean of a group as a number that lies between 0 and 1."""
        shown = str(head + 1) if len(self.solved.heads) > 1 else "0"
        return Name(MEAN, (shown, group[0]))
