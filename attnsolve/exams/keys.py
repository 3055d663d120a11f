"""What decides all draws: a seed that anybody may know, or a secret in a file that nobody else reads."""

from __future__ import annotations

import hmac
import os
import secrets
from pathlib import Path

from attnsolve.errors import AttnsolveError, UsageError
from attnsolve.input_files import opened
from attnsolve.variants import key_of_secret, key_of_seed

DEFAULT_SEED = 1
LARGEST_FILE = 65_536


def write_key(path: Path) -> None:
    """A fresh secret in a file that only its owner can read; no file is ever overwritten."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise AttnsolveError(
            f"'{path}' is there already, and an exam may depend on it; name another file"
        ) from None
    except OSError as error:
        raise AttnsolveError(f"'{path}' cannot be written: {error.strerror or error}") from None
    with os.fdopen(handle, "w", encoding="ascii") as stream:
        stream.write(f"{secrets.token_hex(32)}\n")


def chosen_key(seed: int | None, file: Path | None) -> bytes:
    """The key that the command line asks for."""
    if file is None:
        return key_of_seed(DEFAULT_SEED if seed is None else seed)
    if seed is not None:
        raise UsageError("--seed and --key both decide the numbers; choose one")
    return read_key(file)


def read_key(path: Path) -> bytes:
    """The key of the secret in a file."""
    try:
        with opened(path) as stream:
            secret = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        cure = f"; 'attnsolve variants key {path}' writes one" if isinstance(error, FileNotFoundError) else ""
        raise UsageError(f"the key '{path}' cannot be read: {said}{cure}") from None
    if len(secret) > LARGEST_FILE:
        raise UsageError(f"'{path}' has more than {LARGEST_FILE} bytes; a key is one line")
    return key_of_secret(secret)


def is_open_to_others(path: Path) -> bool:
    """Whether others than its owner may read a key."""
    return os.name == "posix" and bool(path.stat().st_mode & 0o077)


def fingerprint(key: bytes) -> str:
    """What a lock keeps, so that a wrong key is noticed; nobody gets back from it to a secret."""
    return hmac.digest(key, b"attnsolve fingerprint", "sha256").hex()[:16]
