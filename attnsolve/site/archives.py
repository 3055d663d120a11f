"""The Python that a browser unpacks: attnsolve itself, and the libraries that it needs, as archives."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attnsolve.bundled import data

# Nothing of these is needed to practise.
LEFT_OUT = ("cli", "companion", "exams", "grading", "notebooks", "site")
DAY = (2026, 1, 1, 0, 0, 0)  # of every entry, so that the same files make the same archive


def own_files() -> Iterator[tuple[str, bytes]]:
    """attnsolve with its templates, and the converter of formulas that a browser has."""
    package = Path(__file__).parents[1]
    for file in sorted(package.rglob("*")):
        inside = file.relative_to(package)
        is_left = inside.parts[0] in (*LEFT_OUT, "problems", "templates") or "__pycache__" in inside.parts
        if file.is_file() and not is_left and file.suffix in (".py", ".mo", ".typed"):
            yield f"attnsolve/{inside.as_posix()}", file.read_bytes()
    templates = data("templates")
    for file in sorted(templates.rglob("*.j2")):
        yield f"attnsolve/templates/{file.relative_to(templates).as_posix()}", file.read_bytes()
    yield "math_core.py", (templates / "web" / "math_core.py").read_bytes()


def library_files(wheels: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """The Python of libraries, without what is compiled for one machine and without their tests."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as opened:
            for name in sorted(opened.namelist()):
                pieces = name.split("/")
                if (
                    name.endswith((".py", ".lark"))
                    and "tests" not in pieces
                    and not pieces[0].endswith("-info")
                ):
                    yield name, opened.read(name)


def packed(files: Iterable[tuple[str, bytes]] | Mapping[str, bytes]) -> bytes:
    """Files as one archive, the same bytes for the same files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items() if isinstance(files, Mapping) else files:
            archive.writestr(zipfile.ZipInfo(name, DAY), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()
