"""Sheet files: several problems as one document, each by its file or written in place."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from attnsolve.documents import Node, read
from attnsolve.errors import Fault, ProblemError
from attnsolve.languages import CODES
from attnsolve.letterhead import UNHEADED, Letterhead
from attnsolve.loader import build, check_format
from attnsolve.loader.files import exercise_file, folder_below
from attnsolve.loader.pools import SUCH_AS_POOL, exercises_in, is_pool, repeated, unequal, unfit_choice
from attnsolve.loader.reader import Reader, did_you_mean, shortened
from attnsolve.loader.sheet_format import EXERCISE, LETTERHEAD, ORDERS, POOL, PROBLEM_SET, SHUFFLED, is_set
from attnsolve.problem import Problem
from attnsolve.problem_set import Pool, ProblemSet, needed_parts, numbered, selected
from attnsolve.scheme import rescaled, shared_out, total_of

TEXTS = ("title", "course", "term", "date", "instructions")
POINTS = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,3}|/[1-9][0-9]{0,2})?")
SUCH_AS = "attention.yaml or {file: attention.yaml, parts: [a, b], points: 10}"


class SetReader:
    """Reads one sheet file; what is wrong in the problem files is told when the sheet itself is right."""

    def __init__(self, reader: Reader, name: str) -> None:
        self.reader = reader
        self.name = name
        self.elsewhere: list[Fault] = []  # in the files of the exercises
        self.problems: list[Problem | None] = []
        self.pools: list[Pool] = []

    def read(self, root: Node) -> ProblemSet:
        """The problem set, or a ProblemError with everything that is wrong."""
        reader = self.reader
        entries = reader.mapping(root, "", PROBLEM_SET, what="format: 1, title: …, exercises: …")
        check_format(reader, entries.get("format"))
        texts = {
            key: (reader.prose if key == "instructions" else reader.text)(entries[key], key)
            for key in TEXTS
            if key in entries
        }
        lang = reader.choice(entries["lang"], "lang", CODES) if "lang" in entries else None
        letterhead = self._letterhead(entries)
        if reader.pictures and "instructions" in entries:
            said = "figures have no place here; they stand in exercises (logo: is for a logo)"
            reader.fault(entries["instructions"], "instructions", said)
        order = reader.choice(entries["order"], "order", ORDERS) if "order" in entries else None
        if "exercises" in entries:
            self._exercises(entries["exercises"])
        reader.finish()
        if self.elsewhere:
            raise ProblemError(self.elsewhere)
        made = [one for one in self.problems if one is not None]
        chosen = lang or made[0].lang
        exercises = numbered((one._replace(lang=chosen) for one in made), name=self.name)
        return ProblemSet(
            name=self.name,
            exercises=exercises,
            file=reader.file,
            pools=tuple(self.pools),
            is_shuffled=order == SHUFFLED,
            letterhead=letterhead,
            **texts,
        )

    def _letterhead(self, entries: dict[str, Node]) -> Letterhead:
        """The logo and what is filled in; few sheets say anything about that."""
        if not any(field.name in entries for field in LETTERHEAD):
            return UNHEADED
        from attnsolve.loader.letterheads import read_letterhead

        return read_letterhead(self.reader, entries, of="sheet")

    def _exercises(self, node: Node) -> None:
        limit = self.reader.limits.parts
        count = sum(len(exercises_in(item)) for item in node.items)
        if not node.is_list or not node.items or count > limit:
            said = f"a list of 1 to {limit} exercises is expected here, each {SUCH_AS}"
            self.reader.fault(node, "exercises", said)
            return
        for i, item in enumerate(node.items, start=1):
            if is_pool(item):
                self._pool(item, f"exercises[{i}]")
            else:
                self.problems.append(self._exercise(item, f"exercises[{i}]"))

    def _pool(self, node: Node, path: str) -> None:
        """The exercises of a pool, all of them worth the same."""
        entries = self.reader.mapping(node, path, POOL, what=SUCH_AS_POOL)
        if not {"choose", "of"} <= entries.keys():
            return
        of, points = entries["of"], entries.get("points")
        if not of.is_list or len(of.items) < 2:
            said = f"a list of at least two exercises is expected here, each {SUCH_AS}"
            self.reader.fault(of, f"{path}.of", said)
            return
        worth = self._number(points, f"{path}.points") if points is not None else None
        if points is not None and not points.is_text:
            return
        places = [f"{path}.of[{i}]" for i in range(1, len(of.items) + 1)]
        own = [
            self._exercise(item, there, pooled=points) for item, there in zip(of.items, places, strict=True)
        ]
        said_of_choice = unfit_choice(entries["choose"], len(own))
        if said_of_choice:
            self.reader.fault(entries["choose"], f"{path}.choose", said_of_choice)
            return
        for place, said in (*unequal(own, worth), *repeated(own, self.reader.file)):
            self.reader.fault(of.items[place], places[place], said)
        first = len(self.problems) + 1
        self.pools.append(Pool(int(entries["choose"].text), tuple(range(first, first + len(own)))))
        self.problems += own

    def _exercise(self, node: Node, path: str, *, pooled: Node | None = None) -> Problem | None:
        """One exercise: a file by its name alone, or a map that says more.

        `pooled` is what each exercise of its pool is worth, where the pool says so.
        """
        if is_pool(node):
            said = "a pool in a pool; name its exercises here, or make it a pool of its own under exercises:"
            self.reader.fault(node, path, said)
            return None
        if node.is_text:
            problem = self._file(node, path)
            return problem if problem is None or pooled is None else self._points(problem, pooled, path)
        entries = self.reader.mapping(node, path, EXERCISE, what="file: attention.yaml, parts: [a, b]")
        if not entries:
            return None
        if ("file" in entries) == ("problem" in entries):
            said = "an exercise has either a file or a problem; write file: attention.yaml"
            self.reader.fault(node, path, said)
            return None
        if "file" in entries and "folder" in entries:
            said = "the folder of a file is in its name; write file: week-3/attention.yaml"
            self.reader.fault(entries["folder"], f"{path}.folder", said)
            return None
        if "file" in entries:
            problem = self._file(entries["file"], f"{path}.file")
        else:
            problem = self._problem(entries["problem"], self._folder(entries.get("folder"), f"{path}.folder"))
        title = self.reader.text(entries["title"], f"{path}.title") if "title" in entries else ""
        if problem is not None and "parts" in entries:
            problem = self._parts(problem, entries["parts"], f"{path}.parts")
        points = entries.get("points", pooled)
        if problem is not None and points is not None:
            problem = self._points(problem, points, f"{path}.points")
        return problem._replace(title=title) if problem is not None and title else problem

    def _file(self, node: Node, path: str) -> Problem | None:
        """The problem in a file beside the sheet, or a bundled one."""
        name = self.reader.word(node, path, SUCH_AS)
        if name is None:
            return None
        try:
            file = exercise_file(self.reader.folder, name)
        except ValueError as error:
            self.reader.fault(node, path, str(error))
            return None
        faults: list[Fault] = []
        try:
            root = read(file, limits=self.reader.limits, faults=faults)
            if is_set(root):
                self.reader.fault(node, path, f"{name} is a sheet itself; name its problem files instead")
                return None
            return build(root, Reader(str(file), file.parent, self.reader.limits, faults=faults), file.stem)
        except ProblemError as error:
            self.elsewhere += [fault for fault in error.faults if fault not in self.elsewhere]
            return None

    def _folder(self, node: Node | None, path: str) -> Path:
        """Where the data and the figures of a problem lie that is written in the sheet file itself."""
        if node is None:
            return self.reader.folder
        name = self.reader.word(node, path, "the name of a folder, such as week-3") or "."
        try:
            return folder_below(self.reader.folder, name)
        except ValueError as error:
            self.reader.fault(node, path, str(error))
            return self.reader.folder

    def _problem(self, node: Node, folder: Path) -> Problem | None:
        """A problem that is written in the sheet file itself."""
        reader = self.reader
        try:
            return build(node, Reader(reader.file, folder, reader.limits), self.name)
        except ProblemError as error:
            self.elsewhere += error.faults
            return None

    def _parts(self, problem: Problem, node: Node, path: str) -> Problem | None:
        """Some parts of a problem, none of which goes on from one that is left out."""
        known = [part.id for part in problem.parts]
        items = node.items if node.is_list else (node,)
        chosen: list[str] = []
        for item in items:
            part = self.reader.word(item, path, "the id of a part, such as a")
            if part is None:
                return None
            if part not in known:
                hint = did_you_mean(part, known) or f"; its parts are {', '.join(known)}"
                self.reader.fault(item, path, f"the problem has no part '{shortened(part)}'{hint}")
                return None
            chosen.append(part)
        if not chosen:
            self.reader.fault(node, path, "an empty list; write at least one part, or leave the key out")
            return None
        for lost, user in needed_parts(problem, chosen).items():
            self.reader.fault(node, path, f"part {user} goes on from part {lost}; name {lost} too")
            return None
        return selected(problem, chosen)

    def _points(self, problem: Problem, node: Node, path: str) -> Problem:
        """A problem that is worth so much: all of it, or each part by its id."""
        ids = [part.id for part in problem.parts]
        if node.is_map:
            points = {}
            for key, value in node.entries:
                if key.text not in ids:
                    said = f"the exercise has no part '{shortened(key.text)}'{did_you_mean(key.text, ids)}"
                    self.reader.fault(key, path, said)
                else:
                    points[key.text] = self._number(value, f"{path}.{key.text}")
            return rescaled(problem, points)
        total = self._number(node, path)
        if len(ids) == 1:
            return rescaled(problem, {ids[0]: total})
        worths = {part.id: worth for part in problem.parts if (worth := total_of(problem, part))}
        if not worths:
            said = f"no part has marks, so {total} cannot be shared; give each its own: {{{ids[0]}: …}}"
            self.reader.fault(node, path, said)
            return problem
        return rescaled(problem, shared_out(total, worths))

    def _number(self, node: Node, path: str) -> Fraction:
        text = self.reader.word(node, path, "a number of points, such as 10 or 2.5")
        if text is None or not POINTS.fullmatch(text):
            if text is not None:
                said = f"'{shortened(text)}' is no number of points; write 10, 2.5 or 5/2"
                self.reader.fault(node, path, said)
            return Fraction(0)
        return Fraction(text)
