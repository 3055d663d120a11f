"""A property that is found out once and kept in its object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class found_once(Generic[Value]):  # noqa: N801 - it is written above a method as `property` is
    """As `functools.cached_property`, which in Python 3.11 takes a lock each time: it costs a third."""

    def __init__(self, find_out: Callable[[Any], Value]) -> None:
        self.find_out = find_out
        self.__doc__ = find_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, one: None, owner: type) -> Self: ...

    @overload
    def __get__(self, one: object, owner: type) -> Value: ...

    def __get__(self, one: object | None, owner: type) -> Self | Value:
        if one is None:
            return self
        value = one.__dict__[self.name] = self.find_out(one)
        return value
