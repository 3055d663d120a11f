"""Where the templates and problems that come with attnsolve lie."""

from pathlib import Path

from attnsolve.errors import AttnsolveError


def data(kind: str) -> Path:
    """The folder of bundled `templates` or `problems`: a checkout's own, else the installed copy."""
    package = Path(__file__).parent
    checkout = package.parent
    # The checkout comes first: what one edits there must win over any copy an install has left behind.
    if (checkout / "pyproject.toml").is_file() and (checkout / kind).is_dir():
        return checkout / kind
    if (package / kind).is_dir():
        return package / kind
    raise AttnsolveError(f"The bundled {kind} are missing from {package}: please install attnsolve again.")


def problems_with_numbers() -> list[Path]:
    """The bundled problem files, except those with symbols."""
    return sorted(data("problems").glob("*.yaml"))


def problems_with_symbols() -> list[Path]:
    """The bundled problem files that have symbols instead of numbers."""
    return sorted((data("problems") / "symbols").glob("*.yaml"))


def problem_files() -> dict[str, Path]:
    """All bundled problem files by their names."""
    return {file.stem: file for file in (*problems_with_numbers(), *problems_with_symbols())}
