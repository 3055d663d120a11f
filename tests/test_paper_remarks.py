"""What is odd about a paper is told in the language of its slip, and kept as data."""

import json

import pytest

from attnsolve import paper_remarks
from attnsolve.engine import solve
from attnsolve.grading.graded import Graded, record, restored
from attnsolve.loader import loads
from attnsolve.reasons import Reason
from attnsolve.rendering.feedback import feedback
from attnsolve.report import Report

TRACE = solve(
    loads(
        "format: 1\ntitle: T\ngiven: {X: '1 0; 0 1'}\nparts: [{ask: Find it., self_attention: {input: X}}]\n"
    )
)
REMARKS = (
    (
        paper_remarks.unknown_code("K7", "17", "M3XA"),
        "der Code „K7“ gehört nicht zu dieser Klausur; 17 hatte M3XA",
    ),
    (paper_remarks.replaced("K7Q2", "M3XA"), "K7Q2 wurde durch M3XA ersetzt"),
    (paper_remarks.withdrawn("K7Q2"), "K7Q2 wurde zurückgezogen"),
    (paper_remarks.printed_for("K7Q2", "18"), "K7Q2 wurde für 18 gedruckt"),
    (paper_remarks.names_another("18"), "der Text nennt „18“"),
    (paper_remarks.kept_on_appeal("a.A", "as marked"), "a.A: as marked; nichts wurde geändert"),
)


@pytest.mark.parametrize(("remark", "said"), REMARKS)
def test_a_slip_says_it_in_the_language_of_its_reader(remark: Reason, said: str) -> None:
    report = Report("T", "17", remarks=(remark, "see me"))
    assert f"// {said}\n  // see me\n" in feedback(TRACE, report, lang="de").text
    assert f"// {remark}\n  // see me\n" in feedback(TRACE, report).text


@pytest.mark.parametrize(("remark", "_"), REMARKS)
def test_a_journal_keeps_it_as_data(remark: Reason, _: str) -> None:
    graded = Graded("x.txt", "17", report=Report("T", "17", remarks=(remark, "see me")))
    assert graded == restored(json.loads(json.dumps(record(graded))))
