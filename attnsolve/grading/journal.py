"""The journal beside the marks: every mark as it is made, so that a stopped run goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from attnsolve.batch import replace_file
from attnsolve.errors import AttnsolveError
from attnsolve.grading.anonymity import Codes
from attnsolve.grading.graded import Graded, record, restored
from attnsolve.grading.hand_marks import HandMarks
from attnsolve.grading.outputs import hash_of
from attnsolve.grading.pieces import Piece

FORMAT = 2


class Journal:
    """Marks by what was handed in and what was asked; lines of JSON, the last of which may be torn."""

    def __init__(
        self, path: Path | None, assignment: str, *, fresh: bool = False, codes: Codes | None = None
    ) -> None:
        self.path = path
        self.codes = codes  # instead of names
        self.assignment = assignment
        self.written = ""  # a hash of the marks that the last whole run wrote
        self.slips: set[str] = set()  # hashes of all other files that runs with this journal wrote
        self.now: dict[str, list[Graded]] = {}
        self.before: dict[tuple[str, str], Graded] = {}  # by file and student
        self.stream: TextIO | None = None
        if path is not None and path.is_symlink():
            raise AttnsolveError(f"'{path}' is a symbolic link; name another place for the marks")
        if path is not None and path.is_file():
            self._read(path, fresh=fresh)

    def _read(self, path: Path, *, fresh: bool) -> None:
        """Take what is there; a line that is no record, such as the torn last one, is left out."""
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                kept = json.loads(line)
                self.written = kept.get("written", self.written)
                self.slips.update(kept.get("slips", ()))
                if "piece" not in kept:
                    continue
                marks = self._restored(kept)
                if kept["assignment"] == self.assignment and not fresh:
                    self.now[kept["piece"]] = marks
                else:
                    self.before |= {(one.source, one.student): one for one in marks}
            except (ValueError, KeyError, TypeError, AttributeError):
                continue

    def _restored(self, kept: dict[str, Any]) -> list[Graded]:
        """The marks of a line; none of those under codes are used any more once names are wanted."""
        marks = [restored(one) for one in kept["marks"]]
        if not kept.get("under_codes"):
            return marks
        if self.codes is None:
            raise KeyError("under_codes")
        return list(map(self.codes.from_journal, marks))

    def find(self, piece: Piece, by_hand: HandMarks) -> list[Graded] | None:
        """The marks of an unchanged piece, or None; what is not complete is tried again."""
        marks = self.now.get(piece.key)
        if marks is None:
            return None
        if any(one.by_hand != by_hand.key(one.student) for one in marks):
            self.before |= {(piece.source, one.student): one for one in marks}
            return None
        if not all(one.is_complete for one in marks):
            return None
        return [relabelled(one, piece) for one in marks]

    def add(self, piece: Piece, marks: list[Graded]) -> None:
        """Keep the marks of a piece, at once."""
        self.now[piece.key] = marks
        if self.path is not None:
            try:
                if self.stream is None:
                    self.path.parent.mkdir(parents=True, exist_ok=True)
                    self.stream = self.path.open("a", encoding="utf-8")
                    self.stream.write("\n")  # a torn line before must not spoil this one
                self.stream.write(json.dumps(self._line(piece.key, marks)) + "\n")
                self.stream.flush()
            except OSError as error:
                raise AttnsolveError(f"'{self.path}' cannot be written: {error.strerror or error}") from None

    def _line(self, key: str, marks: list[Graded]) -> dict[str, Any]:
        shown = marks if self.codes is None else self.codes.for_journal(marks)
        line = {"assignment": self.assignment, "piece": key, "marks": [record(one) for one in shown]}
        return line if self.codes is None else {**line, "under_codes": True}

    def finish(self, pieces: Iterable[Piece], text: str, slips: Iterable[str] = ()) -> None:
        """Keep only what the marks were made of, a hash of them, and those of slips and other files.

        Earlier ones stay known: a run that is stopped while it replaces them leaves some of both.
        """
        self.close()
        self.slips.update(slips)
        if self.path is None:
            return
        written = hash_of(text.encode())
        lines: list[dict[str, Any]] = [{"format": FORMAT, "written": written, "slips": sorted(self.slips)}]
        keys = dict.fromkeys(piece.key for piece in pieces)
        lines += [self._line(key, self.now[key]) for key in keys if key in self.now]
        replace_file(self.path, "".join(json.dumps(line) + "\n" for line in lines))

    def close(self) -> None:
        """Let the file go."""
        if self.stream is not None:
            self.stream.close()
            self.stream = None


def relabelled(graded: Graded, piece: Piece) -> Graded:
    """The same mark, said of the file it stands in now."""
    return graded if graded.source == piece.source else replace(graded, source=piece.source)


def beside(output: Path) -> Path:
    """Where the journal of some marks is kept."""
    return output.with_name(f"{output.name}.journal")
