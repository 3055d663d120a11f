"""Classes of simulated students, with arithmetic of their own: nobody has an unfair or a wrong report."""

import os

import pytest
from verifier.simulated.classes import graded_class
from verifier.simulated.spelled import OTHER_SPELLINGS

# How many students a class has, ATTNSOLVE_STUDENTS=3000 for a long run; a fifth as many for all spellings.
STUDENTS = int(os.environ.get("ATTNSOLVE_STUDENTS", "30"))
SEED = 1

# What may not be said about any student of a class.
NEVER = {
    "exact": ("called wrong", "not read", "follows", "loses marks"),
    "carrying": ("called wrong", "not read"),
    "otherwise": ("called wrong", "not read", "follows", "loses marks"),
    "mistaken": ("called right", "full marks"),
    "invented": ("called right", "earns", "earns what is not written", "costs nothing", "full marks"),
    "slipping": ("called right", "costs nothing", "costs twice", "blamed twice"),
    "spelled": OTHER_SPELLINGS,
}
# Bad luck of one in so many is allowed: rounded twice on the way, or zeros that look like none.
SELDOM = {("carrying", "called wrong"): 1000, ("slipping", "costs twice"): 100}


@pytest.mark.timeout(0)  # a long run takes as long as it takes
@pytest.mark.parametrize("kind", NEVER)
def test_nobody_in_a_class_has_an_unfair_or_wrong_report(kind: str) -> None:
    students = STUDENTS // 5 if kind == "spelled" else STUDENTS
    found: dict[str, list[tuple[str, str]]] = {}
    for student in graded_class(kind, students, SEED):
        for complaint in student.complaints:
            found.setdefault(complaint.short, []).append((complaint.said, student.script.text))
    for complaint in NEVER[kind]:
        offending = found.get(complaint, [])
        if len(offending) * SELDOM.get((kind, complaint), students + 1) > students:
            assert [] == offending[:3]
