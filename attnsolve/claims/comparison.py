"""A claim whose indices are told apart, in its world: what every judge needs to know."""

from __future__ import annotations

from typing import NamedTuple

from attnsolve.claims.worlds import World
from attnsolve.derivations.attention import Solved
from attnsolve.derivations.setting import Setting
from attnsolve.statements.claim import Statement


class Comparison(NamedTuple):
    """The claim, the attention it is about, and its conditions."""

    claim: Statement
    solved: Solved
    seen: World

    @property
    def setting(self) -> Setting:
        """What is assumed, and which indices have names."""
        return self.solved.setting
