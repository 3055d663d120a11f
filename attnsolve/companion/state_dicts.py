"""A state dict while it is read: each parameter is asked for by name and shape, and none may be left over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import torch

from attnsolve.companion.listing import check_tensor, sized
from attnsolve.companion.parameters import MEANT, SAVE
from attnsolve.companion.weights import printable
from attnsolve.errors import LayerError
from attnsolve.limits import Limits


class StateDict:
    """The parameters of a layer or a model by their public names, without what stands before all of them."""

    def __init__(
        self, tensors: Mapping[str, torch.Tensor], *, what: str, prefix: str, limits: Limits
    ) -> None:
        self.tensors = tensors
        self.what = what
        self.prefix = prefix
        self.limits = limits
        self.used: set[str] = set()

    def has(self, name: str) -> bool:
        """Whether there is such a parameter."""
        return self.prefix + name in self.tensors

    def take(self, name: str, *shape: int | None, outside: bool = False) -> torch.Tensor:
        """A parameter that must be there, of this shape; None stands for any length."""
        full = name if outside else self.prefix + name
        if full not in self.tensors:
            said = (
                f"'{printable(full)}' is missing in this {self.what}; write its whole state dict with {SAVE}"
            )
            raise LayerError(said)
        value = self.tensors[full]
        self.used.add(full)
        check_tensor(full, value)
        wanted = [own if side is None else side for own, side in zip(value.shape, shape, strict=False)]
        if len(value.shape) != len(shape) or 0 in value.shape or list(value.shape) != wanted:
            needs = "×".join("…" if side is None else str(side) for side in shape)
            raise LayerError(f"{full} is {sized(value)}; in this {self.what} it must be {needs}")
        return value.detach()

    def row(self, name: str, width: int) -> torch.Tensor:
        """A bias or a gain, as a row."""
        return self.take(name, width)[None]

    def width(self, name: str, side: int, *, sides: int = 2) -> int:
        """How many numbers a token has, read off a parameter; too many are refused at once."""
        width = int(self.take(name, *[None] * sides).shape[side])
        if width > self.limits.dimension:
            said = f"{self.what}: {width} numbers a token; the limit is {self.limits.dimension} ({MEANT})"
            raise LayerError(f"{said}, and --limit dimension={width} raises it")
        return width

    def passed_over(self, *endings: str) -> None:
        """Names that hold no parameters, such as masks that are kept beside them."""
        self.used |= {name for name in self.tensors if name.endswith(endings)}

    def finish(self) -> None:
        """Refuse what nobody has asked for: it would change what the layer does."""
        left = [name for name in self.tensors if name not in self.used]
        if left:
            named = ", ".join(f"'{printable(name)}'" for name in left[:3])
            raise LayerError(f"{named}: not understood in this {self.what}; save that alone with {SAVE}")

    def numbered(self, before: str) -> range:
        """The layers of a model, which are numbered after this name from 0 on."""
        start = self.prefix + before
        found = {
            name.removeprefix(start).partition(".")[0] for name in self.tensors if name.startswith(start)
        }
        wanted = range(len(found))
        if found != {str(number) for number in wanted} or not found:
            listed = ", ".join(sorted(map(printable, found))) or "none"
            raise LayerError(f"the layers of this {self.what} are {listed}; they must be numbered from 0 on")
        if len(found) > self.limits.heads:
            raise LayerError(f"{len(found)} layers; the limit is {self.limits.heads} ({MEANT})")
        return wanted


def common_start(names: Iterable[str], *endings: str) -> str | None:
    """What stands before these names, where all of them are there; None where they are not."""
    known = set(names)
    starts = [name.removesuffix(endings[0]) for name in known if name.endswith(endings[0])]
    found = [start for start in starts if all(start + ending in known for ending in endings)]
    return found[0] if len(found) == 1 else None
