"""Names of files that are safe everywhere, whatever a person or a problem is called."""

from __future__ import annotations

import os
import re
from unicodedata import normalize

# Names that Windows keeps for itself.
DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])", re.IGNORECASE)
PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}", re.ASCII)
LONGEST = 80


def safe_name(name: str, *, otherwise: str = "student") -> str:
    """A person as a file name: letters, digits and hyphens, nothing that leads to another folder."""
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    made = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST].strip("-")
    return f"{made}-" if DEVICES.fullmatch(made) else made or otherwise


def safe_stem(name: str) -> str:
    """What files that belong to a problem begin with: its name, or another where that is odd."""
    if PLAIN.fullmatch(name) and not DEVICES.fullmatch(name.partition(".")[0]):
        return name
    from hashlib import sha256  # most names are plain, and this takes long to load

    return f"{safe_name(name, otherwise='problem')}-{sha256(name.encode('utf-8', 'replace')).hexdigest()[:6]}"


def in_letters(name: str) -> str:
    """The name of a file on this machine as a text: UTF-8 whatever the locale says, or else Latin-1.

    Python has half characters for bytes that its locale does not know; no file could be written with them.
    """
    raw = os.fsencode(name)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
