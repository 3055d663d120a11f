"""What we use of flint, without the dozens of kinds of numbers that importing the package itself loads."""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType
from typing import Any

OPENING = RLock()


class Unopened(ModuleType):
    """A package whose modules can be loaded one by one; asked for anything else, it loads them all."""

    is_unopened = True

    def __getattr__(self, name: str) -> Any:
        with OPENING:  # whoever else asks meanwhile has to wait
            if self.is_unopened:
                self.is_unopened = False
                spec = self.__spec__
                if spec is not None and spec.loader is not None:
                    spec.loader.exec_module(self)
            return self.__getattribute__(name)


if "flint" not in sys.modules and sys.platform != "win32":  # there the package itself finds its libraries
    found = find_spec("flint")
    if found is not None:
        sys.modules["flint"] = module_from_spec(found)
        sys.modules["flint"].__class__ = Unopened

from flint.pyflint import ctx  # noqa: E402
from flint.types.arb import arb  # noqa: E402
from flint.types.fmpq import fmpq  # noqa: E402
from flint.types.fmpz import fmpz  # noqa: E402

__all__ = ["arb", "ctx", "fmpq", "fmpz"]
