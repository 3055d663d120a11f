"""Files as Moodle packs the submissions of an assignment: a folder for everybody, named after them."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import NamedTuple

from attnsolve.grading.people import People, Person

# `Ada Lovelace_123456_assignsubmission_file_`, a folder; old ones have it before the name of each file.
FOLDER = re.compile(r"(?P<name>[^_/]+)_(?P<id>\d+)_assignsubmission_(?P<kind>[a-z]+)(?P<rest>_.*)?")


class Owner(NamedTuple):
    """Whose file it is by its path."""

    folder: str  # the part of the path that says so, without what may follow
    name: str
    participant: str


def owner_of(path: PurePosixPath) -> Owner | None:
    """Who handed in a file, if Moodle says so in its path."""
    for part in path.parts:
        found = FOLDER.fullmatch(part)
        if found:
            folder = f"{found['name']}_{found['id']}_assignsubmission_{found['kind']}_"
            return Owner(folder, found["name"].strip(), found["id"])
    return None


def person_of(owner: Owner, people: People) -> Person:
    """The person, as he is known from elsewhere, else by Moodle's number."""
    found = Person(owner.participant, owner.name, participant=owner.participant, folder=owner.folder)
    return people.add(found)
