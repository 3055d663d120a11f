"""The format of sheet files: several problems as one document, and what is on the title page of an exam."""

from __future__ import annotations

from attnsolve.documents import Node
from attnsolve.languages import CODES
from attnsolve.recipes import Field

FIXED, SHUFFLED = ORDERS = ("fixed", "shuffled")

# The head of sheets and the title pages of exams, for sheet files and for styles.
LETTERHEAD = (
    Field(
        "cover",
        "cover",
        "what is filled in on the title page of an exam (default [name, id]): "
        "name, id, seat, signature, declaration, or none",
    ),
    Field("declaration", "declaration", "what students declare there, above their signature"),
    Field(
        "logo",
        "logo",
        "a picture beside this file, for title pages and the heads of sheets: logo.pdf, or "
        "{file: logo.pdf, alt: University of Somewhere, height: 2cm}",
    ),
)
LOGO = (
    Field("file", "file", "the picture: PNG, JPEG, PDF or SVG", required=True),
    Field("alt", "text", "words for those who do not see it"),
    Field("height", "height", "how high it is printed (default 15mm)"),
)

# A sheet file: several problems as one document.
PROBLEM_SET = (
    Field("format", "format", "the version of this format; write format: 1", required=True),
    Field("title", "text", "what the sheet is called", required=True),
    Field("course", "text", "the course it belongs to"),
    Field("term", "text", "the term, such as winter 2026/27"),
    Field("date", "text", "the day it is handed out, or is due"),
    Field("lang", "choice", "the language of the sheet (default: that of its first exercise)", choices=CODES),
    Field("instructions", "text", "paragraphs before the first exercise; $…$ is maths"),
    *LETTERHEAD,
    Field(
        "order",
        "choice",
        "fixed, or shuffled: every paper of an exam has its exercises in another order (default: fixed)",
        choices=ORDERS,
    ),
    Field(
        "exercises",
        "exercises",
        "the problems in their order, by their files; or pools of them: {choose: 2, of: [a.yaml, …]}",
        required=True,
    ),
)

POOL = (
    Field("choose", "drawn", "how many of its exercises each paper of an exam has", required=True),
    Field("of", "pooled", "the exercises of the pool, as exercises: has them", required=True),
    Field("points", "worth", "what each exercise of the pool is worth"),
)

EXERCISE = (
    Field("file", "file", "a problem file beside the sheet, week-3/heads.yaml, or a bundled problem's name"),
    Field("problem", "problem", "a problem as its file would have it, instead of a file"),
    Field("folder", "file", "beside problem: the folder below the sheet's in which its data and figures lie"),
    Field("title", "text", "another title than the problem's own"),
    Field("parts", "ids", "only these parts of the problem: [a, c]"),
    Field(
        "points",
        "points",
        "what the exercise is worth, shared in the proportions of its marks: 10; "
        "or what each part is: {a: 4, b: 6}",
    ),
)


def is_set(root: Node) -> bool:
    """Whether a document is a sheet file: it has exercises instead of parts."""
    return root.is_map and root.get("exercises") is not None and root.get("parts") is None
