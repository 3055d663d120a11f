"""What `attnsolve --help` says: every command, told without loading what reads their options."""

from __future__ import annotations

import os

ABOUT = """\
Worked solutions, step by step and exact, for exercises about the attention mechanism.

A PROBLEM is a file, a folder of files, or the name of a bundled problem.
"""

# Each command, the room of the cli that has it, and its own first sentence; a test compares them.
LISTED = (
    ("render", "sheets", "Write the worked solution, or the exercise sheet, of problems."),
    ("show", "shows", "Show a solution or sheet on the terminal, whole or one step at a time."),
    (
        "practice",
        "practice",
        "Practise a problem: type value after value, with a verdict at once and hints that rise.",
    ),
    (
        "plot",
        "plots",
        "Draw attention maps, heads side by side, or weights against temperature, as SVG or PNG.",
    ),
    (
        "site",
        "site",
        "Make a practice site: a static folder with exercises that browsers judge by themselves.",
    ),
    ("lint", "sheets", "Check problem files: faults, steps without a value, published answers."),
    ("new", "sheets", "Write a commented starter file NAME.yaml that renders at once."),
    ("problems", "sheets", "List the bundled problems."),
    ("schema", "sheets", "Print the JSON Schema of the problem format, for editors."),
    ("ops", "sheets", "List every op that a plan can call, with its matrices and settings."),
    ("maths", "sheets", "List what a text may hold: its markup, and the commands of maths in it."),
    ("limits", "sheets", "Print every limit and its value."),
    (
        "style",
        "styles",
        "Make a house style: `attnsolve style new DIR`, then --style DIR wherever documents are made.",
    ),
    (
        "check",
        "layers",
        "Run problems through PyTorch itself, step by step and as whole layers, and compare.",
    ),
    (
        "explain",
        "layers",
        "Work out a trained layer or model by hand, from its state dict (.pt, .safetensors).",
    ),
    (
        "verify",
        "answers",
        "Judge a hand calculation: ANSWERS is a file, - for the screen's input, or the answers themselves.",
    ),
    (
        "grade",
        "grading",
        "Grade a class: a folder of answers, a CSV, a pile in one text (`@ student`), or a zip.",
    ),
    (
        "variants",
        "variants",
        "Draw an exam: for each student other numbers, the same work, and mistakes told apart.",
    ),
)

OPTIONS = (
    ("--version", "Show the version and exit."),
    ("-h, --help", "Show this message and exit."),
)
# As wide as a page of help is, at most.
WIDEST = 80


def overview() -> str:
    """Usage, options and commands, as wide as the terminal allows."""
    width = usual_width()
    about = [wrapped(paragraph, width, "  ") for paragraph in ABOUT.split("\n\n")]
    commands = sorted((name, said) for name, _, said in LISTED)
    pieces = (
        "Usage: attnsolve [OPTIONS] COMMAND [ARGS]...",
        *about,
        "Options:\n" + "\n".join(described(OPTIONS, width)),
        "Commands:\n" + "\n".join(described(commands, width)),
    )
    return "\n\n".join(pieces)


def usual_width() -> int:
    """The columns of the terminal less a margin, no more than a page has."""
    try:
        found = int(os.environ.get("COLUMNS", "")) or WIDEST
    except ValueError:
        try:
            found = os.get_terminal_size(1).columns or WIDEST
        except OSError:
            found = WIDEST
    return max(min(found, WIDEST) - 2, 50)


def described(rows: list[tuple[str, str]] | tuple[tuple[str, str], ...], width: int) -> list[str]:
    """Names, and beside them what each is for."""
    column = max(len(name) for name, _ in rows)
    margin = " " * (column + 4)
    return [f"  {name:<{column}}  {wrapped(said, width, margin).lstrip()}" for name, said in rows]


def wrapped(words: str, width: int, margin: str) -> str:
    """Words in lines that are no wider than that, each behind a margin."""
    lines = [margin]
    for word in words.split():
        if lines[-1] != margin and len(lines[-1]) + 1 + len(word) > width:
            lines.append(margin)
        lines[-1] += word if lines[-1] == margin else f" {word}"
    return "\n".join(lines)
