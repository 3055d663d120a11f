"""Practice behind a page: messages in and out as JSON, for the worker in which Python runs in a browser."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from attnsolve.errors import AttnsolveError, ProblemError
from attnsolve.languages import CODES, speaking, translated
from attnsolve.loader.files import leads_elsewhere
from attnsolve.practice.answers import typed_shares
from attnsolve.practice.drill import Drill
from attnsolve.practice.events import Event, Said, Showing, Tone, Wish
from attnsolve.practice.excerpts import excerpt_of
from attnsolve.practice.keeping import Foreign, cells_of, kept, restored, variant_of
from attnsolve.practice.pages import body
from attnsolve.practice.progress import Progress
from attnsolve.practice.session import Speech, opened, reply
from attnsolve.practice.source import SEED, Source
from attnsolve.practice.standing import standing
from attnsolve.practice.summary import counted, score
from attnsolve.rendering.text import say
from attnsolve.rendering.web_templates import markup

Message = dict[str, Any]


class Desk:
    """The exercise that is open in a page, and how far somebody is."""

    def __init__(self) -> None:
        self.source: Source
        self.drill: Drill
        self.progress: Progress
        self.lang = ""

    def handle(self, message: str) -> str:
        """The answer to a message; what a user can mend is a fault in it, what is not loaded yet a need."""
        asked: Message = json.loads(message)
        try:
            answer = {"open": self.open, "wish": self.wish, "shares": shares}[asked["kind"]](asked)
        except ModuleNotFoundError as error:
            answer = {"needs": error.name}
        except ProblemError as error:
            faults = [{"line": one.line, "column": one.column, "said": told(one)} for one in error.faults]
            answer = {"faults": faults}
        except AttnsolveError as error:
            answer = {"faults": [{"line": 1, "column": 1, "said": str(error)}]}
        return json.dumps(answer, ensure_ascii=False)

    def open(self, asked: Message) -> Message:
        """Open an exercise, with what was kept of it if that fits."""
        lang = asked.get("lang")
        folder = unpacked(asked.get("files") or {})
        seed = int(asked["seed"]) if asked.get("seed") is not None else SEED
        self.source = Source(str(asked["text"]), str(asked["name"]), folder, seed)
        self.lang = lang if lang in CODES else self.source.problem.lang
        with speaking(self.lang):
            said = self.take_up(str(asked.get("kept") or ""), asked.get("variant"))
            return {
                "body": body(self.drill),
                "varies": self.source.varies,
                "title": self.source.problem.title,
                **self.state(said),
            }

    def take_up(self, text: str, variant: object) -> Speech:
        """Go on with what was kept, or begin; what is not ours is told and left."""
        number = variant if isinstance(variant, int) and variant >= 0 else None
        try:
            if text and number in (None, variant_of(text, self.source.digest)):
                drill = self.source.drill(variant_of(text, self.source.digest))
                progress = restored(text, self.source.digest, drill)
                self.drill, self.progress = drill, opened(drill, progress).progress
                return ()
            refused: Speech = ()
        except Foreign as error:
            refused = (Said(Tone.BAD, say("What was kept cannot be taken up: {why}.", why=str(error))),)
        self.drill = self.source.drill(number or 0)
        self.progress = opened(self.drill, Progress(variant=number or 0)).progress
        return refused

    def wish(self, asked: Message) -> Message:
        """Answer, help or go on, as somebody wishes."""
        name = str(asked.get("name") or "")
        event = Event(Wish(asked["wish"]), name if name in self.drill.by_name else "")
        if event.wish is Wish.ANSWER:
            event = event._replace(cells=cells_of(self.drill, event.name, asked.get("cells")))
        with speaking(self.lang):
            said = reply(self.drill, self.progress, event)
            renewed = said.progress.variant != self.progress.variant
            if renewed:
                drill = self.source.drill(said.progress.variant)
                said = opened(drill, said.progress)
                self.drill = drill
            self.progress = said.progress
            return {**({"body": body(self.drill)} if renewed else {}), **self.state(said.said)}

    def state(self, said: Speech) -> Message:
        """How all values stand, what is to be kept, and what is said."""
        found = standing(self.drill, self.progress)
        right, total = counted(self.drill, found)
        return {
            "score": {"right": right, "total": total},
            "progress": "".join(text for _, text in score(self.drill, found)) if total else "",
            "numbers": self.numbers(),
            "kept": kept(self.progress, self.source.digest),
            "digest": self.source.digest,
            "variant": self.progress.variant,
            "at": self.progress.at,
            "stands": {name: str(stand) for name, stand in found.stands.items()},
            "said": [spoken for one in said if (spoken := self.spoken(one)) is not None],
        }

    def numbers(self) -> str:
        """Which numbers these are, where they are not those of the file."""
        number, seed = self.progress.variant, self.source.seed
        if not number:
            return ""
        if seed == SEED:
            return translated("Variant {number}.", number=number)
        return translated("Variant {number} of seed {seed}.", number=number, seed=seed)

    def spoken(self, one: Any) -> Message | None:
        """A sentence or a worked step as markup; questions and grids stand in the page already."""
        if isinstance(one, Said):
            return None if one.at_prompt else {"tone": str(one.tone), "html": markup(one.words)}
        if one.what is Showing.WORKED:
            return {"tone": "worked", "html": excerpt_of(self.drill, one, to="html")}
        return None


def shares(asked: Message) -> Message:
    """How much of 100 each number is that is typed into an attention map, as far as it is one."""
    return {"shares": typed_shares(asked["cells"])}


def unpacked(files: dict[str, str]) -> Path:
    """A folder with the files that a problem reads, which come with its page."""
    folder = Path(mkdtemp()) if files else Path("/nowhere")
    for name, content in files.items():
        if not leads_elsewhere(Path(name)):
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(b64decode(content))
    return folder


def told(fault: Any) -> str:
    """A fault as a page shows it, with its place in the text."""
    where = f"{fault.path}: " if fault.path else ""
    return f"{fault.line}:{fault.column}: {where}{fault.message}"
