"""Records behave as `typing.NamedTuple` does."""

from __future__ import annotations

import copy
import inspect
import typing
from typing import Any

import pytest

from attnsolve.records import NamedTuple


class Ours(NamedTuple):
    """A record."""

    name: str
    rows: tuple[tuple[int, ...], ...] = ()
    size: int = 1

    @property
    def doubled(self) -> int:
        """Twice the size."""
        return 2 * self.size

    def __str__(self) -> str:
        return f"{self.name}!"


class Theirs(typing.NamedTuple):
    """A record."""

    name: str
    rows: tuple[tuple[int, ...], ...] = ()
    size: int = 1

    @property
    def doubled(self) -> int:
        """Twice the size."""
        return 2 * self.size

    def __str__(self) -> str:
        return f"{self.name}!"


@pytest.mark.parametrize(
    "told",
    [
        lambda kind: kind("a", size=3)._replace(rows=((1,),)),
        lambda kind: kind("a") == ("a", (), 1),
        lambda kind: kind("a", ((2,),), 4)._asdict(),
        lambda kind: repr(kind("a")).partition("(")[2],
        lambda kind: (str(kind("a")), kind("a", size=5).doubled, hash(kind("a"))),
        lambda kind: (kind._fields, kind._field_defaults, kind.__match_args__, kind.__doc__),
        lambda kind: (kind.__module__, kind.__mro__[1:], kind.doubled.__doc__),
        lambda kind: (copy.copy(kind("a")), copy.deepcopy(kind("a", ((1,),)))),
        lambda kind: list(kind.__annotations__),
        lambda kind: tuple(kind._make(("a", (), 2))),
        lambda kind: [(one.name, one.default) for one in inspect.signature(kind).parameters.values()],
    ],
)
def test_a_record_is_what_typing_makes(told: Any) -> None:
    assert told(Theirs) == told(Ours)


@pytest.mark.parametrize("wrong", [lambda: Ours(), lambda: Ours("a", other=1), lambda: Ours("a", (), 1, 2)])  # type: ignore[call-arg]
def test_wrong_arguments_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"Ours|__new__"):
        wrong()


@pytest.mark.parametrize(
    "wrong", [lambda kind: kind("a")._replace(other=1), lambda kind: kind._make(("a", ()))]
)
def test_what_does_not_fit_is_refused_in_the_same_words(wrong: Any) -> None:
    said = []
    for kind in (Theirs, Ours):
        with pytest.raises((TypeError, ValueError)) as refused:
            wrong(kind)
        said.append(str(refused.value))
    assert said[0] == said[1]
