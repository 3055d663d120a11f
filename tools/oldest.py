"""The oldest version of each library that pyproject.toml allows, as constraints for pip."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
BOUNDED = re.compile(r"(?P<name>[A-Za-z0-9_.-]+)(?:\[[^]]*\])?\s*>=\s*(?P<version>[0-9.]+)")


def oldest(project: Path = PROJECT) -> Iterator[str]:
    """`click==8.1`, for each library that attnsolve itself needs."""
    with project.open("rb") as file:
        needed = tomllib.load(file)["project"]["dependencies"]
    for requirement in needed:
        found = BOUNDED.match(requirement)
        if found is None:
            raise SystemExit(f"{requirement} has no lower bound in {project.name}")
        yield f"{found['name']}=={found['version']}"


if __name__ == "__main__":
    print("\n".join(oldest()))
