"""Templates that somebody else wrote: filled in a sandbox, in a process that can be killed.

They see plain data only, reach no attribute of Python's own, read no file, and have a limit of
processor time, memory and output. What is wrong in them is told with file and line.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from jinja2 import StrictUndefined, TemplateNotFound, TemplateSyntaxError, UndefinedError
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from attnsolve.bundled import data
from attnsolve.errors import AttnsolveError, Fault, ProblemError
from attnsolve.languages import speaking, spoken
from attnsolve.lifeline import end_with_parent
from attnsolve.limits import Limits
from attnsolve.rendering.styling import Manner, styled
from attnsolve.rendering.template_tools import JINJA, add_tools
from attnsolve.rendering.text import Piece, say
from attnsolve.style import Source

# By the clock a document may take longer than the processor works on it, when the machine is busy.
PATIENCE = 5
LONGEST_TEXT, LARGEST_POWER = 100_000, 1_000
OURS = "ours/"  # before the name of a template: the one that comes with attnsolve, whatever the style has
EXPORTED = re.compile(r"<% (?:macro (\w+)\(|set ([\w, ]+) =)")


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja without Python's own attributes, and without the sums that would fill the memory at once."""

    intercepted_binops = frozenset({"*", "**"})

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """A product or a power, if it is small."""
        if operator == "**" and max(abs(left), abs(right)) > LARGEST_POWER:
            raise SecurityError(f"the power {left} ** {right} is too large for a template")
        for text, times in ((left, right), (right, left)):
            repeated = isinstance(text, str | tuple | list) and isinstance(times, int)
            if repeated and len(text) * times > LONGEST_TEXT:
                raise SecurityError(f"a text of {len(text) * times} characters is too long")
        return super().call_binop(context, operator, left, right)


class Templates:
    """The templates of a style before our own; only these, whatever a template asks for."""

    def __init__(self, own: tuple[Source, ...]) -> None:
        self.own = {source.name.removeprefix("templates/"): source for source in own}
        self.files = {source.file for source in own}

    def find(self, name: str) -> tuple[str, str, None] | None:
        """The source of a template and the file that it stands in."""
        if name in self.own:
            return self.own[name].text, self.own[name].file, None
        text, file = self.bundled(name.removeprefix(OURS))
        if text and name.startswith("dialects/"):
            text = self.with_own_macros(name, text)
        return (text, file, None) if text else None

    def bundled(self, name: str) -> tuple[str, str]:
        """A template that comes with attnsolve, if it is one."""
        path = data("templates") / name
        known = re.fullmatch(r"(?:sheets|dialects)/[a-z-]+\.j2", name) and path.is_file()
        return (path.read_text("utf-8"), str(path)) if known else ("", "")

    def with_own_macros(self, name: str, text: str) -> str:
        """A dialect in which the style's macros take the place of those that have their names."""
        format_name = re.sub(r"(?:-papers)?\.j2$", "", name.removeprefix("dialects/"))
        macros = self.own.get(f"macros/{format_name}.j2")
        if macros is None:
            return text
        names = exported(text)
        mine = exported(macros.text) & names
        sets = [f"<% set {each} = {'mine' if each in mine else 'ours'}.{each} %>" for each in sorted(names)]
        imports = {"ours": f"{OURS}{name}", "mine": f"macros/{format_name}.j2"}
        return "".join(
            [*(f'<% import "{f}" as {each} with context %>' for each, f in imports.items()), *sets]
        )


def exported(text: str) -> set[str]:
    """The macros that a template has, and those that it hands on."""
    found = EXPORTED.findall(text)
    return {name.strip() for macro, names in found for name in (macro, *names.split(",")) if name.strip()}


def filled_apart(manner: Manner, sheet: str, values: dict[str, Any]) -> str:
    """A sheet filled in a process of its own, which is killed when it takes too long."""
    context: Any = multiprocessing.get_context(start_method())
    receiver, sender = context.Pipe(duplex=False)
    order = (sender, manner, spoken().code, sheet, values)
    process = context.Process(target=fill_here, args=order, daemon=True)
    process.start()
    sender.close()
    limits = manner.limits
    try:
        answer = receiver.recv_bytes() if receiver.poll(limits.template_seconds * PATIENCE) else b""
    except EOFError:
        answer = b""
    finally:
        process.kill()
        process.join()
        receiver.close()
    if not answer:
        raise AttnsolveError(f"{where(manner)}: {used_up(limits)}")
    told = json.loads(answer)
    if "text" in told:
        return str(told["text"])
    raise ProblemError([Fault(told["file"] or where(manner), told["line"], 1, "", told["said"])])


def start_method() -> str:
    """How a process is started: with all that is known here, where the system can."""
    return "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"


def where(manner: Manner) -> str:
    """The templates, by the first of them."""
    return manner.style.templates[0].file


def used_up(limits: Limits) -> str:
    """What is said when a process did not come to an end."""
    return f"templates that take more than {limits.template_seconds} s or {limits.megabytes} MB, the limits"


def fill_here(sender: Connection, manner: Manner, language: str, sheet: str, values: dict[str, Any]) -> None:
    """Fill a sheet in this process, and send what was made of it, or what is wrong."""
    end_with_parent()
    templates = Templates(manner.style.templates)
    try:
        confine(manner.limits)
        with styled(manner.style, fragment=manner.fragment), speaking(language):
            told: dict[str, Any] = {"text": filled(templates, sheet, values, manner.limits)}
    except MemoryError:
        told = {"file": "", "line": 1, "said": used_up(manner.limits)}
    except Exception as error:
        told = located(error, templates)
    with suppress(OSError):
        sender.send_bytes(json.dumps(told).encode("utf-8", "surrogatepass"))
    sender.close()


def confine(limits: Limits) -> None:
    """Limits of the system for this process, where it has them."""
    with suppress(ImportError):
        import resource

        seconds, size = limits.template_seconds, address_space() + limits.megabytes * 1_000_000
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


def address_space() -> int:
    """What this process, a copy of one that may have loaded much, has already; 0 where nobody knows."""
    try:
        with open("/proc/self/statm", encoding="ascii") as told:
            return int(told.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def filled(templates: Templates, sheet: str, values: dict[str, Any], limits: Limits) -> str:
    """A sheet, as long as it does not get too long."""
    from jinja2 import FunctionLoader

    # Constants are not worked out beforehand: that would escape the checks above.
    environment = Sandbox(
        loader=FunctionLoader(templates.find), optimized=False, undefined=StrictUndefined, **JINJA
    )
    add_tools(environment)
    environment.globals["translated"] = translated
    made, length = [], 0
    for piece in environment.get_template(f"sheets/{sheet}.j2").generate(**values):
        made.append(piece)
        length += len(piece)
        if length > limits.template_characters:
            raise SecurityError(f"more than {limits.template_characters} characters, the limit")
    return "".join(made)


def translated(text: str, /, **places: Piece) -> str:
    """A sentence in the spoken language; a place is a name, and never leads on to attributes."""
    return "".join(piece for _, piece in say(text, **places))


def located(error: Exception, templates: Templates) -> dict[str, Any]:
    """What is wrong in a template, and on which line of which file."""
    if isinstance(error, TemplateSyntaxError):
        return {"file": error.filename or "", "line": error.lineno, "said": sentence(error)}
    places, step = [], error.__traceback__
    while step is not None:
        places.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    own = [place for place in places if place[0] in templates.files]
    file, line = own[-1] if own else ("", 1)
    return {"file": file, "line": line, "said": sentence(error)}


def sentence(error: Exception) -> str:
    """What is wrong, in words."""
    if isinstance(error, TemplateNotFound):
        known = f"those of attnsolve are {OURS}sheets/… and {OURS}dialects/…"
        return f"there is no template '{error.name}'; {known}"
    said = str(error).rstrip(".")
    unsafe = re.match(r"access to attribute '(\w+)' of '[\w ]+' object is unsafe", said)
    if unsafe:
        return f"access to '{unsafe[1]}' is not allowed in templates"
    if isinstance(error, SecurityError | TemplateSyntaxError | UndefinedError):
        return said
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
