"""Answers as people write, type and paste them, read without ever guessing: what is unclear is not read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from attnsolve.documents import position
from attnsolve.errors import Fault, ProblemError
from attnsolve.input_files import opened
from attnsolve.limits import LIMITS, Limits
from attnsolve.reasons import at_place, reason
from attnsolve.submission import Submission
from attnsolve.verifier.reading.claim_lines import Claimed, none_claimed
from attnsolve.verifier.reading.claims import read_claims
from attnsolve.verifier.reading.columns import read_csv
from attnsolve.verifier.reading.compact import read_compact
from attnsolve.verifier.reading.yaml_json import read_json, read_yaml

__all__ = ["FORMS", "guess_form", "read_submission", "read_submissions", "text_of"]

GUESSED_FROM = 2_000
FORMS = {".yaml": "yaml", ".yml": "yaml", ".json": "json", ".csv": "csv", ".tsv": "csv"}
# A map of YAML that is told from the compact form by its first keys, by a list or by a text block.
YAML = re.compile(r"---|\{")
KEYED = re.compile(r"(?:student|variant|answers|id)\s*:")
# A line that such a map may have: a key, what belongs to one, a remark.
MAP_LINE = re.compile(r"\s|$|-\s|#|[^\s:=][^:=]{0,60}:(?:\s|$)|[}\]]")
BLOCK = re.compile(r"^[\w.\[\], '\"]{1,60}:[ \t]*(?:[|>][ \t]*$|\n\s*- )", re.MULTILINE)
CSV = re.compile(r"(?:sep=|[\ufeff\"]*(?:student|name|id)\"?\s*[,;\t])", re.IGNORECASE)


def read_submission(
    answers: Path | str | bytes,
    *,
    source: str = "answers",
    form: str = "",
    limits: Limits = LIMITS,
    claimed: Claimed = none_claimed,
) -> Submission:
    """What one person handed in, from a file or a text: the compact form, YAML, JSON or CSV."""
    data, source, form = _open(answers, source, form, limits.file_bytes)
    found = list(islice(_read(data, source, form, limits, claimed=claimed), 2))
    if not found:
        return Submission(source=source)
    if len(found) > 1:
        said = reason("answers of more than one person; only the first are taken here")
        return replace(found[0], unread=(*found[0].unread, at_place(f"{source}:1:1", said)))
    return found[0]


def read_submissions(
    answers: Path | str | bytes,
    source: str = "answers",
    *,
    form: str = "",
    limits: Limits = LIMITS,
    first_line: int = 1,
    claimed: Claimed = none_claimed,
) -> Iterator[Submission]:
    """What each person of a pile handed in; one that cannot be read does not stop the others."""
    data, source, form = _open(answers, source, form, limits.pile_bytes)
    found = _read(data, source, form, limits, first_line=first_line, claimed=claimed)
    first = next(found, None)  # so that a file that is refused is refused here, not in a loop later
    return iter(()) if first is None else chain((first,), found)


def text_of(answers: Path | str | bytes, source: str = "answers", *, limits: Limits = LIMITS) -> str:
    """All of a file or a text of one person; a ProblemError where it is too long, or not UTF-8."""
    data, source, _ = _open(answers, source, "", limits.file_bytes)
    return _decode(data, source)


def _open(answers: Path | str | bytes, source: str, form: str, most: int) -> tuple[bytes, str, str]:
    """The bytes of a file or a text, no more than the limit, what they are called, and their form."""
    if isinstance(answers, Path):
        source, form = str(answers), form or FORMS.get(answers.suffix.lower(), "")
        try:
            with opened(answers) as stream:
                data = stream.read(most + 1)
        except OSError as error:
            raise ProblemError(
                [Fault(source, 1, 1, "", f"cannot be read: {error.strerror or error}")]
            ) from None
        except ValueError:  # a NUL in the name
            raise ProblemError([Fault(repr(source), 1, 1, "", "this cannot be the name of a file")]) from None
    else:
        data = answers if isinstance(answers, bytes) else answers.encode("utf-8", "replace")
    if len(data) > most:
        raise ProblemError([Fault(source, 1, 1, "", f"more than {most} bytes, the limit")])
    return data, source, form


def _read(
    data: bytes,
    source: str,
    form: str,
    limits: Limits,
    *,
    first_line: int = 1,
    claimed: Claimed = none_claimed,
) -> Iterator[Submission]:
    """The submissions of a file in its form, which is guessed where it is not known."""
    text = _decode(data, source)
    form = form or guess_form(text)
    if form == "yaml":
        return read_yaml(data, source, limits)
    if form == "json":
        return read_json(text, source, limits)
    if form == "claims":
        return read_claims(text, source, limits=limits, first_line=first_line)
    if form == "csv":
        return read_csv(text, source, limits, first_line=first_line)
    return read_compact(text, source, limits=limits, first_line=first_line, claimed=claimed)


def _decode(data: bytes, source: str) -> str:
    """The text of a file with one kind of line break; a ProblemError where it is not UTF-8."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        said = f"not UTF-8 (byte 0x{data[error.start]:02X}); save the file as UTF-8"
        raise ProblemError([Fault(source, *position(before, len(before)), "", said)]) from None


def guess_form(text: str) -> str:
    """The form of a text that no file name tells."""
    start = text.lstrip()[:GUESSED_FROM]
    if start.startswith("{") and '"' in start:
        return "json" if re.match(r'\{\s*["}]', start) else "yaml"
    if re.match(r'\[\s*\{\s*"', start):
        return "json"
    if CSV.match(start):
        return "csv"
    if start.startswith("@"):
        return "compact"
    if KEYED.match(start):
        return "yaml" if all(map(MAP_LINE.match, start.split("\n"))) else "compact"
    return "yaml" if YAML.match(start) or BLOCK.search(start) else "compact"
