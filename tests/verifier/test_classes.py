"""Classes of simulated students, with arithmetic of their own: nobody has an unfair or a wrong report."""

import os
from functools import cache

import pytest
from verifier.simulated.classes import Tally, graded_class

# How many students a class has, ATTNSOLVE_STUDENTS=3000 for a long run; a tenth as many for all spellings.
STUDENTS = int(os.environ.get("ATTNSOLVE_STUDENTS", "30"))
SEED = 1

# What may not be said about any student of a class.
NEVER = {
    "exact": ("called wrong", "not read", "loses marks"),
    "carrying": ("not read",),
    "invented": ("called right", "earns"),
    "spelled": (
        "without zero",
        "LaTeX",
        "MATLAB",
        "MATLAB with commas",
        "lines",
        "spreadsheet",
        "typographic minus",
    ),
}

# Who carries rounded numbers may have bad luck, one in so many.
SELDOM = {("carrying", "called wrong"): 1000}

# What is still said about some: it is not tested, and moves up as soon as it is not said any more.
NOT_YET = {
    "carrying": ("called wrong",),
    "mistaken": ("called right", "full marks"),
    "invented": ("earns what is not written", "costs nothing", "full marks"),
    "slipping": ("called right", "costs nothing", "costs twice", "blamed twice"),
    "spelled": (
        "comma",
        "fraction",
        "percent",
        "LaTeX with commas",
        "lines with decimal commas",
        "spreadsheet with decimal commas",
        "numpy array",
        "numpy printed",
        "Markdown table",
    ),
}


@cache
def graded(kind: str) -> Tally:
    """A class, graded once for all that is asked about it."""
    tally = Tally(kind)
    for student in graded_class(kind, STUDENTS // 10 if kind == "spelled" else STUDENTS, SEED):
        tally.add(student)
    return tally


@pytest.mark.timeout(0)  # a long run takes as long as it takes
@pytest.mark.parametrize(("kind", "complaint"), [(kind, short) for kind in NEVER for short in NEVER[kind]])
def test_nobody_in_a_class_has_such_a_report(kind: str, complaint: str) -> None:
    offending = [
        (student.script.text, said.said)
        for student in graded(kind).offending
        for said in student.complaints
        if said.short == complaint
    ]
    if len(offending) * SELDOM.get((kind, complaint), STUDENTS + 1) > STUDENTS:
        assert [] == offending[:3]
