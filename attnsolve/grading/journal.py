"""The journal beside the marks: every mark as it is made, so that a stopped run goes on where it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from attnsolve.errors import AttnsolveError
from attnsolve.grading.anonymity import Codes
from attnsolve.grading.graded import Graded, record, restored
from attnsolve.grading.hand_marks import HandMarks
from attnsolve.grading.outlines import Outlines
from attnsolve.grading.outputs import hash_of
from attnsolve.grading.pieces import Piece
from attnsolve.stored import line_of, records_in
from attnsolve.whole_files import replace_file

FORMAT = 3
LATER = "it was written by a later release of attnsolve; use that one, or name another file for the marks"


class Journal:
    """Marks by what was handed in and what was asked, a line each; a damaged line counts for nothing."""

    def __init__(
        self, path: Path | None, assignment: str, *, fresh: bool = False, codes: Codes | None = None
    ) -> None:
        self.path = path
        self.codes = codes  # instead of names
        self.assignment = assignment
        self.written: set[str] = set()  # hashes of the marks that are there now, or may be
        self.slips: set[str] = set()  # hashes of all other files that runs with this journal wrote
        self.now: dict[str, list[Graded]] = {}
        self.before: dict[tuple[str, str], Graded] = {}  # by file and student
        self.damaged = 0  # lines that are not as they were written
        self.stream: TextIO | None = None
        self._outlines = Outlines()
        if path is not None and path.is_symlink():
            raise AttnsolveError(f"'{path}' is a symbolic link; name another place for the marks")
        if path is not None and path.is_file():
            self._read(path, fresh=fresh)

    def _read(self, path: Path, *, fresh: bool) -> None:
        """Take what is there; what was in a damaged line is graded again."""
        for kept in records_in(path.read_text(encoding="utf-8", errors="replace")):
            if kept is None:
                self.damaged += 1
                continue
            if kept.get("format", FORMAT) > FORMAT:
                raise AttnsolveError(f"'{path}': {LATER}")
            self.written |= {kept["written"]} if "written" in kept else set()
            self.slips.update(kept.get("slips", ()))
            self._outlines.known |= kept.get("outlines", {})
            if "piece" in kept:
                self._take(kept, fresh=fresh)

    def _take(self, kept: dict[str, Any], *, fresh: bool) -> None:
        """The marks of a line, as those of now or of another time."""
        try:
            marks = self._restored(kept)
        except KeyError:  # its outline is lost, or nobody has its code
            return
        if kept["assignment"] == self.assignment and not fresh:
            self.now[kept["piece"]] = marks
        else:
            self.before |= {(one.source, one.student): one for one in marks}

    def _restored(self, kept: dict[str, Any]) -> list[Graded]:
        """The marks of a line; none of those under codes are used any more once names are wanted."""
        marks = [restored(self._whole(one)) for one in kept["marks"]]
        if not kept.get("under_codes"):
            return marks
        if self.codes is None:
            raise KeyError("under_codes")
        return list(map(self.codes.from_journal, marks))

    def _whole(self, mark: dict[str, Any]) -> dict[str, Any]:
        return {**mark, "report": self._outlines.whole(mark["report"])} if "report" in mark else mark

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
        self._append(self._lines(piece.key, marks, self._outlines))

    def announce(self, text: str) -> None:
        """Say which marks will be written now: after a kill just then the next run knows them."""
        self._append([line_of({"format": FORMAT, "written": hash_of(text.encode())})])
        self.close()

    def _append(self, lines: Iterable[str]) -> None:
        """More lines, at once."""
        if self.path is None:
            return
        try:
            if self.stream is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self.stream = self.path.open("a", encoding="utf-8")
                # A torn line before must not spoil this one.
                self.stream.write("\n" + line_of({"format": FORMAT, "outlines": self._outlines.known}))
            self.stream.writelines(lines)
            self.stream.flush()
        except OSError as error:
            raise AttnsolveError(f"'{self.path}' cannot be written: {error.strerror or error}") from None

    def _lines(self, key: str, marks: list[Graded], outlines: Outlines) -> Iterator[str]:
        """The line of a piece, and before it one with the outlines that are met here for the first time."""
        shown = marks if self.codes is None else self.codes.for_journal(marks)
        known = set(outlines.known)
        kept = [record(one) for one in shown]
        for one in kept:
            if "report" in one:
                one["report"] = outlines.shortened(one["report"])
        new = {name: outline for name, outline in outlines.known.items() if name not in known}
        if new:
            yield line_of({"outlines": new})
        line = {"assignment": self.assignment, "piece": key, "marks": kept}
        yield line_of(line if self.codes is None else {**line, "under_codes": True})

    def finish(self, pieces: Iterable[Piece], text: str, slips: Iterable[str] = ()) -> None:
        """Keep only what the marks were made of, a hash of them, and those of slips and other files.

        Earlier ones stay known: a run that is stopped while it replaces them leaves some of both.
        """
        self.close()
        self.slips.update(slips)
        if self.path is None:
            return
        written = hash_of(text.encode())
        keys = dict.fromkeys(piece.key for piece in pieces)
        outlines = Outlines()
        head = line_of({"format": FORMAT, "written": written, "slips": sorted(self.slips)})
        pieces_kept = [(key, self.now[key]) for key in keys if key in self.now]
        lines = (line for key, marks in pieces_kept for line in self._lines(key, marks, outlines))
        replace_file(self.path, "".join([head, *lines]))

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
