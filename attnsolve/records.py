"""Records: `typing.NamedTuple`, made at a tenth of its cost, since every start makes more than a hundred."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import namedtuple
    from collections.abc import Callable
    from functools import cache
    from types import FunctionType

    @cache  # a dozen sizes
    def of_size(size: int) -> type:
        """A named tuple of so many fields: all that takes long to make does not depend on their names."""
        return namedtuple("OfSize", [f"field{place}" for place in range(size)])

    def replaced(self: Any, /, **changes: Any) -> Any:
        """The same with other values in some fields."""
        made = self._make(map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"Got unexpected field names: {list(changes)!r}")
        return made

    def remade(self: Any, /, **changes: Any) -> Any:
        """Likewise, of a record that looks at itself when it is made."""
        return type(self)(**{**self._asdict(), **changes})

    def looked_at(new: Callable[..., Any]) -> Callable[..., Any]:
        """A constructor that lets a record refuse what it is made of."""

        def made(cls: type, *args: Any, **fields: Any) -> Any:
            self = new(cls, *args, **fields)
            self.__post_init__()
            return self

        return made

    def shown(self: Any) -> str:
        """The record as one would write it."""
        fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({fields})"

    class Made(type):
        """Makes a named tuple of a class body; its annotations stay the texts they are, read by nobody.

        A `__post_init__` is called as that of a dataclass is.
        """

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            """The tuple with its defaults, its docstring, its methods and properties."""
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}
            usual = of_size(len(fields))
            code = usual.__new__.__code__.replace(co_varnames=("_cls", *fields))
            new = FunctionType(code, usual.__new__.__globals__, "__new__", tuple(defaults.values()))
            new.__qualname__ = f"{name}.__new__"
            is_looked_at = "__post_init__" in body
            having = vars(usual)
            named = {
                "_fields": fields,
                "_field_defaults": defaults,
                "_replace": remade if is_looked_at else replaced,
                "__new__": looked_at(new) if is_looked_at else new,
                "__repr__": shown,
                "__match_args__": fields,
                **{field: having[f"field{place}"] for place, field in enumerate(fields)},
            }
            same = {key: having[key] for key in ("__slots__", "__getnewargs__", "_make", "_asdict")}
            return type(name, (tuple,), same | named | body)

    NamedTuple = type.__new__(Made, "NamedTuple", (), {})

__all__ = ["NamedTuple"]
