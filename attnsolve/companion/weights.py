"""Tensors from files: a state dict of torch.save, or safetensors, read so that nothing in them can run."""

from __future__ import annotations

import io
import json
import struct
import warnings
import zipfile
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import torch

from attnsolve.errors import LayerError
from attnsolve.input_files import opened
from attnsolve.limits import LIMITS, Limits

TORCH_ENDINGS = (".pt", ".pth")
ENDINGS = (*TORCH_ENDINGS, ".safetensors")
# How safetensors stores a number: struct's letter for it, and its bytes. bfloat16 is half a float32.
STORED = {"F64": ("d", 8), "F32": ("f", 4), "F16": ("e", 2), "BF16": ("f", 2)}
MOST_SIDES = 8
MOST_ENTRIES = 1_000


def read(path: Path, *, limits: Limits = LIMITS) -> Any:
    """What a file holds: tensors by name, or for torch.save also a single tensor."""
    if path.suffix.lower() not in ENDINGS:
        raise LayerError(f"'{path}' must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    try:
        with opened(path) as stream:
            data = stream.read(limits.file_bytes + 1)
    except (OSError, ValueError) as error:  # a name with a NUL in it is a ValueError
        raise LayerError(f"'{path}' cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > limits.file_bytes:
        raise LayerError(
            f"'{path}' has more than {limits.file_bytes} bytes, the limit; save one layer alone, "
            f"or raise the limit: --limit file_bytes={path.stat().st_size}"
        )
    return safetensors(data, str(path)) if path.suffix == ".safetensors" else saved(data, str(path), limits)


def saved(data: bytes, name: str, limits: Limits) -> Any:
    """What torch.save wrote, weights only: torch's own restricted reader runs no code of a file."""
    check_archive(data, name, limits)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except Exception:  # a broken or hostile file can make torch raise nearly anything
        raise LayerError(
            f"'{name}' is no plain state dict, and nothing else is read; "
            "save one with torch.save(layer.state_dict(), 'layer.pt')"
        ) from None


def check_archive(data: bytes, name: str, limits: Limits) -> None:
    """Refuse what is no archive of torch.save, or would unpack to more than its own size."""
    said = f"'{name}' is no file of torch.save; write one with torch.save(layer.state_dict(), 'layer.pt')"
    if not data.startswith(b"PK\x03\x04"):
        raise LayerError(said)
    try:
        entries = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise LayerError(said) from None
    packed = any(entry.compress_type != zipfile.ZIP_STORED for entry in entries)
    size = sum(entry.file_size for entry in entries)
    if packed or size > limits.file_bytes or len(entries) > MOST_ENTRIES:
        raise LayerError(f"'{name}' is packed, which torch.save never does; nothing was unpacked")


def safetensors(data: bytes, name: str) -> dict[str, torch.Tensor]:
    """The tensors of a safetensors file: eight bytes with the length of the header, JSON, then numbers."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise LayerError(f"'{name}' is cut off: its header should have {length} bytes")
    try:
        header = json.loads(data[8 : 8 + length].decode("utf-8"), object_pairs_hook=without_repeats)
    except (ValueError, RecursionError):  # also what is not UTF-8, and numbers of a thousand digits
        raise LayerError(
            f"'{name}' is no safetensors file: its header is not the JSON that it must be"
        ) from None
    if not isinstance(header, dict):
        raise LayerError(f"'{name}' is no safetensors file: its header is not a map of tensors")
    header.pop("__metadata__", None)
    body = data[8 + length :]
    check_tiling(header, len(body), name)
    return {key: stored_tensor(key, entry, body, name) for key, entry in header.items()}


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A map whose keys are all different: with two of a name, two readers could see two files."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a name stands there twice")
    return dict(pairs)


def check_tiling(header: Mapping[str, Any], size: int, name: str) -> None:
    """Refuse numbers that overlap, leave a gap or lie outside of the file, as the format does."""
    for key, entry in header.items():
        if not is_entry(entry):
            raise LayerError(f"'{name}': the entry of '{printable(key)}' is no dtype, shape and data_offsets")
    place = 0
    for begin, end in sorted(tuple(entry["data_offsets"]) for entry in header.values()):
        if begin != place or end < begin:
            raise LayerError(f"'{name}' is broken: its tensors overlap or leave a gap at byte {place}")
        place = end
    if place != size:
        raise LayerError(f"'{name}' is cut off or too long: its tensors need {place} bytes, it has {size}")


def is_entry(entry: Any) -> bool:
    """Whether an entry of a header says what it must, in whole numbers that are not negative."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        return False
    shape, offsets = entry["shape"], entry["data_offsets"]
    if not isinstance(shape, list) or not isinstance(offsets, list) or len(offsets) != 2:
        return False
    whole = all(type(number) is int and number >= 0 for number in (*shape, *offsets))
    return whole and len(shape) <= MOST_SIDES and isinstance(entry["dtype"], str)


def stored_tensor(key: str, entry: Mapping[str, Any], body: bytes, name: str) -> torch.Tensor:
    """One tensor in float64, which holds the numbers of all these formats as they are."""
    shape, (begin, end) = entry["shape"], entry["data_offsets"]
    if entry["dtype"] not in STORED:
        stored, known = printable(entry["dtype"]), ", ".join(STORED)
        raise LayerError(f"'{name}': '{printable(key)}' is stored as {stored}; only {known} are read")
    letter, width = STORED[entry["dtype"]]
    count = prod(shape)
    if end - begin != count * width:
        sides = "×".join(map(str, shape))
        raise LayerError(f"'{name}': '{printable(key)}' is {sides} but has {end - begin} bytes of numbers")
    piece = body[begin:end]
    if entry["dtype"] == "BF16":
        piece = b"".join(b"\0\0" + piece[k : k + 2] for k in range(0, len(piece), 2))
    return torch.tensor(struct.unpack(f"<{count}{letter}", piece), dtype=torch.float64).reshape(shape)


def printable(text: str) -> str:
    """A name out of a file, for a message: short, and nothing in it that a terminal obeys."""
    kept = "".join(character for character in text if character.isprintable())
    return kept if len(kept) <= 40 else f"{kept[:39]}…"
