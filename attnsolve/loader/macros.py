"""Commands that a file defines for its maths: each must be complete, allowed, and end."""

from __future__ import annotations

from attnsolve.documents import Node
from attnsolve.loader.reader import Reader, shortened
from attnsolve.maths import complaint_about_maths
from attnsolve.maths.commands import COMMANDS
from attnsolve.maths.grammar import Refused
from attnsolve.maths.macros import MOST_ARGUMENTS, NAME, PLACE, Macro, resolved

SUCH_AS = "{R: '\\mathbb{R}', norm: '\\lVert #1 \\rVert'}"
MOST = 100


def read_macros(reader: Reader, node: Node) -> dict[str, Macro]:
    """The macros of a file, those in them written out; every one that is wrong is a fault."""
    if not node.is_map or len(node.entries) > MOST:
        reader.fault(node, "macros", f"a map of at most {MOST} commands is expected here, such as {SUCH_AS}")
        return {}
    nodes = {key.text: value for key, value in node.entries if is_fine(reader, key, value)}
    made: dict[str, Macro] = {}
    for name, macro in resolved({name: value.text.strip() for name, value in nodes.items()}):
        path = f"macros.{name}"
        if isinstance(macro, Refused):
            reader.fault(nodes[name], path, macro.message)
            continue
        # With a letter for each argument it must be maths by itself: nothing may be left open.
        complaint = complaint_about_maths(PLACE.sub("x", macro.body))
        if complaint:
            reader.fault(
                nodes[name], path, f"\\{name} stands for '{shortened(macro.body)}': {complaint.message}"
            )
        else:
            made[name] = macro
    return made


def is_fine(reader: Reader, key: Node, value: Node) -> bool:
    """Whether a macro has a name that is free and a text that tells its arguments in order."""
    path = f"macros.{key.text}"
    before = len(reader.faults)
    if not NAME.fullmatch(key.text):
        reader.fault(
            key, "macros", f"'{shortened(key.text)}' is no name of a command; write letters only, such as R"
        )
    elif key.text in COMMANDS:
        reader.fault(key, path, f"\\{key.text} is there already; choose another name")
    elif not value.is_text or not value.text.strip():
        reader.fault(value, path, f"what the command stands for is expected here, such as {SUCH_AS}")
    elif value.comment_follows:
        said = "' #' starts a comment, so the text ends before it; put the whole text into single quotes"
        reader.fault(value, path, said, at=len(value.text))
    else:
        used = sorted({int(place) for place in PLACE.findall(value.text)})
        if used != list(range(1, len(used) + 1)) or len(used) > MOST_ARGUMENTS:
            said = f"arguments are #1, #2, …, at most {MOST_ARGUMENTS}, and none is left out"
            reader.fault(value, path, said)
    return len(reader.faults) == before and not value.broken
