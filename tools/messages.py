"""Gathers every sentence that is printed into the catalogues: `make messages`.

Sentences are found in three places: calls such as `say("…")` in the source, the same calls in the templates,
and the titles and advice that ops and recipes have as fields. What a translator has written stays; a sentence
that has changed loses its translation, so that no old one is ever printed for a new one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from attnsolve.languages import CATALOGUES, ENGLISH, LANGUAGES
from attnsolve.ops import OPS
from attnsolve.recipes import RECIPES
from attnsolve.recipes.blocks import ACTIVATIONS, feed_forward_title

ROOT = Path(__file__).parents[1]
# What these rooms say, they say on the command line, which speaks English.
COMMAND_LINE = ("attnsolve/cli/", "attnsolve/exams/")
# The functions whose first words are sentences, and of which arguments.
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "say": None,
    "translated": None,
    "template": None,
    "message": None,
    "reason": None,
    "counted_message": (1, 2),
    "say_count": (1, 2),
    "translated_count": (1, 2),
    "counted_template": (1, 2),
}
TEMPLATE_OPTIONS = {
    "block_start_string": "<%",
    "block_end_string": "%>",
    "variable_start_string": "<<",
    "variable_end_string": ">>",
    "comment_start_string": "<#",
    "comment_end_string": "#>",
    "trim_blocks": "true",
    "lstrip_blocks": "true",
}
# The dates of the files' heads: without one, a run that changes nothing leaves no trace.
SOME_DAY = datetime(2026, 1, 1, tzinfo=UTC)
Found = tuple[str, int, Any, list[str]]  # file, line, sentence or its two forms, comments


def in_files(root: Path, pattern: str, method: str, options: dict[str, str]) -> Iterator[Found]:
    """Every marked sentence of some files."""
    for path in sorted(root.rglob(pattern)):
        if path.relative_to(ROOT).as_posix().startswith(COMMAND_LINE):
            continue
        with path.open("rb") as file:
            for line, sentence, comments, _ in extract(
                method, file, keywords=KEYWORDS, comment_tags=("Translators:",), options=options
            ):
                yield path.relative_to(ROOT).as_posix(), line, sentence, comments


def in_records() -> Iterator[Found]:
    """The titles, reasons and advice of ops and recipes."""
    for op in (*OPS, *(inner.op for owner in OPS for inner in owner.inner)):
        yield f"attnsolve/ops/{op.name}", 0, op.title, [f"what the step {op.name} does, as a heading"]
        if op.why:
            yield f"attnsolve/ops/{op.name}", 0, op.why, [f"why there is the step {op.name}, as a hint"]
        for formula in (op.formula, *(variant for _, variant in op.variants)):
            for source in filter(has_words, formula):
                yield f"attnsolve/ops/{op.name}", 0, source, ["a formula; only what is in \\text{…} is words"]
        if op.counted_as:
            yield f"attnsolve/ops/{op.name}", 0, op.counted_as, ["what the step takes, behind `takes`"]
        for mistake in op.mistakes:
            yield f"attnsolve/ops/{op.name}", 0, mistake.advice, [f"against the mistake {mistake.name}"]
    for activation in ACTIVATIONS.values():
        yield "attnsolve/recipes/blocks", 0, feed_forward_title(activation), ["a heading"]
    for recipe in RECIPES:
        for spoilt in recipe.mistakes:
            yield f"attnsolve/recipes/{recipe.name}", 0, spoilt.advice, [f"against the mistake {spoilt.name}"]


def has_words(source: object) -> bool:
    """Whether a field of a formula has words in it."""
    return isinstance(source, str) and r"\text{" in source


def gathered() -> Catalog:
    """All sentences, untranslated."""
    made = Catalog(project="attnsolve", version="", charset="utf-8", fuzzy=False)
    found = (
        *in_files(ROOT / "attnsolve", "*.py", "python", {}),
        *in_files(ROOT / "templates", "*.j2", "jinja2.ext:babel_extract", TEMPLATE_OPTIONS),
        *in_records(),
    )
    for file, _, sentence, comments in found:
        # Without line numbers: a moved line is no change.
        made.add(sentence, locations=[(file, None)], auto_comments=comments)
    return made


def renewed(path: Path, sentences: Catalog, code: str) -> Catalog:
    """A language's catalogue with all sentences that there are now, and no others."""
    made = Catalog(locale=code, project="attnsolve", version="", charset="utf-8", fuzzy=False)
    if path.exists():
        with path.open("rb") as file:
            made = read_po(file, locale=code)
    made.update(sentences, no_fuzzy_matching=True)
    made.obsolete.clear()
    made.fuzzy = False
    made.header_comment = f"# What attnsolve prints, in {code}; kept by `make messages`."
    made.creation_date = made.revision_date = SOME_DAY
    return made


def main() -> None:
    """Renew all catalogues, compile them, and say what is missing."""
    sentences = gathered()
    missing = 0
    for language in LANGUAGES:
        if language is ENGLISH:
            continue
        path = CATALOGUES / f"{language.code}.po"
        catalogue = renewed(path, sentences, language.code)
        with path.open("wb") as file:
            write_po(file, catalogue, width=110, sort_output=True, omit_header=False, include_lineno=False)
        with path.with_suffix(".mo").open("wb") as file:
            write_mo(file, catalogue)
        open_ = [m for m in catalogue if m.id and not (all(m.string) if m.pluralizable else m.string)]
        missing += len(open_)
        print(f"{language.code}: {len(catalogue)} sentences, {len(open_)} to translate")
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
