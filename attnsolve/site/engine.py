"""What runs in the browser, taken from npm and PyPI: pinned by hashes, kept in a cache, not in our wheel."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from attnsolve.errors import AttnsolveError

WASM = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "314", "--abi", "cp314")
# Their own Python is used; what is compiled for this machine is left behind.
LINUX = ("--platform", "manylinux2014_x86_64", "--python-version", "311", "--abi", "cp311")
PATIENCE = 600


class Piece(NamedTuple):
    """A file that is had from npm or PyPI: what it is called there, and its fingerprint."""

    name: str
    version: str
    digest: str
    wants: tuple[str, ...] = ()  # what pip has to be told beside the name
    is_npm: bool = False

    @property
    def label(self) -> str:
        """`python-flint 0.9.0`."""
        return f"{self.name} {self.version}"


PYODIDE = Piece(
    "pyodide", "314.0.7", "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0", is_npm=True
)
TEMML = Piece(
    "temml", "0.13.5", "bca5b76dd26d1d6c81f8d817f6cc8bf0f0a1a7787512e281d5c22b986f8ae582", is_npm=True
)
FLINT = Piece(
    "python-flint", "0.9.0", "b31f5c00e0e36040ab58d00b3025156e20869b990d776e4bf90f870b1ee11ad3", WASM
)
PURE = (
    Piece("PyYAML", "6.0.3", "b8bb0864c5a28024fac8a632c443c87c5aa6f215c0b126c449ae1a150412f31d", LINUX),
    Piece("MarkupSafe", "3.0.4", "6da83a088f8ef93b2d483a8232a4dbf4d69d3d8496b568a03c56becac43e1808", LINUX),
    Piece("jinja2", "3.1.6", "85ece4451f492d0c13c5dd7c13a64681a86afae63a5f347908daf103ce6d2f67"),
    Piece("lark", "1.3.1", "c629b661023a014c37da873b4ff58a817398d12635d3bbb2c5a03be7fe5d1e12"),
    Piece("markdown-it-py", "4.3.0", "7aa1511a46c39138de78d9eba92ce47e63124d8003fc98b3a351909e04239efa"),
    Piece("mdit-py-plugins", "0.7.0", "7f8e30403f3dd8bfe3afcdcbc6e61066d3f2e714167507b9c26eb385ec399353"),
    Piece("mdurl", "0.1.2", "84008a41e51615a49fc9966191ff91509e3c40b939176e643fd50a5c2196b8f8"),
)
SYMPY = (
    Piece("sympy", "1.14.0", "e091cc3e99d2141a0ba2847328f5479b05d94a6635cb96148ccb3f34671bd8f5"),
    Piece("mpmath", "1.3.0", "a0b2b9fe80bbcd81a6647ff13108738cfb482d481d826cc0e02f5b35e5c88d2c"),
)
# Of the archives of npm, what a page needs.
TAKEN = {
    PYODIDE: ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"),
    TEMML: ("dist/temml.mjs",),
}


def cache() -> Path:
    """Where pieces are kept between two builds."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(home) / "attnsolve" / "site"


def had(piece: Piece, say: Callable[[str], None]) -> Path:
    """The file of a piece, from the cache or from where it is offered; an error where neither has it."""
    place = cache() / piece.digest
    if place.is_file() and fingerprint(place) == piece.digest:
        return place
    say(f"taking {piece.label} from {'npm' if piece.is_npm else 'PyPI'} …")
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        found = brought(piece, Path(folder))
        if fingerprint(found) != piece.digest:
            raise AttnsolveError(
                f"{piece.label}: what came is not what this release was tested with; nothing of it is used"
            )
        os.replace(found, place)
    return place


def brought(piece: Piece, folder: Path) -> Path:
    """The file of a piece, brought into a folder."""
    spec = f"{piece.name}@{piece.version}" if piece.is_npm else f"{piece.name}=={piece.version}"
    command = (
        ["npm", "pack", spec, "--pack-destination", str(folder), "--silent"]
        if piece.is_npm
        else [sys.executable, "-m", "pip", "download", spec, "--no-deps", "--only-binary=:all:", "--quiet",
              "--disable-pip-version-check", *piece.wants, "--dest", str(folder)]
    )  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise missing(piece, str(error)) from None
    files = [file for file in folder.iterdir() if file.suffix in (".tgz", ".whl")]
    if done.returncode or len(files) != 1:
        raise missing(piece, (done.stderr.strip().splitlines() or ["nothing came"])[-1])
    return files[0]


def missing(piece: Piece, why: str) -> AttnsolveError:
    """That a piece cannot be had, and what to do."""
    cure = "install npm (on Debian: apt install npm)" if piece.is_npm else "see that pip works"
    return AttnsolveError(
        f"{piece.label} is needed in the browser and could not be had: {why[:300]}; {cure} and be online "
        f"once, then it is kept in {cache()}"
    )


def fingerprint(file: Path) -> str:
    """The SHA-256 of a file."""
    return sha256(file.read_bytes()).hexdigest()


def taken(piece: Piece, archive: Path) -> Iterator[tuple[str, bytes]]:
    """The files of an npm archive that a page needs, by their own names."""
    with tarfile.open(archive, "r:gz") as opened:
        for name in TAKEN[piece]:
            member = opened.extractfile(f"package/{name}")
            assert member is not None
            yield Path(name).name, member.read()
