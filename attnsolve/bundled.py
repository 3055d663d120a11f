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
