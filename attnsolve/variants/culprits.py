"""When no numbers are found: which judge to loosen, found by silencing one after the other."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

from attnsolve.errors import AttnsolveError
from attnsolve.variants.candidates import Standard, candidates
from attnsolve.variants.climbs import Climbs, climbs_of
from attnsolve.variants.forms import Form
from attnsolve.variants.generator import CALIBRATION, Stream
from attnsolve.variation import JUDGES

LAST_STARTS = 4  # fresh starts to see whether it would be possible without a judge


class Impossible(AttnsolveError):
    """No numbers were found that every judge accepts; the message names the judge to loosen."""


ADVICE = {
    "zero_rows": "allow: [zero_rows], or a wider range",
    "equal_rows": "allow: [equal_rows], or a wider range",
    "long_numbers": "judges: {digits: 8}, smaller numbers, or fewer denominators",
    "negatives": "judges: {negatives: …}, or a range with fewer negative numbers",
    "fractions": "judges: {fractions: …}, or fewer denominators",
    "irrational_scale": "judges: {rational_scale: false}, or sizes that have whole roots",
    "ties": "allow: [ties], or a wider range",
    "no_ties": "leave out want: [ties], or a narrower range",
    "equal_weights": "allow: [equal_weights], or a wider range",
    "small_weights": "allow: [small_weights], judges: {smallest_weight: …}, or smaller numbers",
    "large_weights": "allow: [large_weights], judges: {largest_weight: …}, or smaller numbers",
    "undefined": "another range: with these numbers some step has no value",
    "mistakes": "allow: [mistakes], or a wider range",
    "choice": "allow: [choice], fewer options, or a wider range",
    "groups": "allow: [groups], or numbers that leave as many scores equal as the original has",
    "outcomes": "allow: [outcomes], or other numbers",
    "verdicts": "allow: [verdicts], or say how many claims of each verdict a paper has: claims: {…}",
    "too_few_claims": "claims: {…} with fewer, or write more claims",
    "effort": "band: 20%",
}


# The judges that the search trades for one another: whoever refused is not always the one to loosen.
TRADED = (
    ("small_weights",),
    ("large_weights",),
    ("small_weights", "large_weights"),
    ("ties",),
    ("equal_rows",),
    ("zero_rows",),
)


def culprits(form: Form, refused: Counter[str]) -> tuple[str, ...]:
    """The judges without whom there are numbers, if any do; tried one after the other on fresh draws."""
    common = [(judge,) for judge, _ in refused.most_common() if judge in ADVICE]
    for judges in dict.fromkeys((*common, *TRADED)):
        want = () if judges == ("no_ties",) else form.vary.want
        vary = form.vary._replace(allow=(*form.vary.allow, *judges), want=want)
        without, tries = Form(form.problem, vary), Counter[str]()
        stream = Stream(CALIBRATION, "culprits", *judges)
        climbs = climbs_of(without, slips={})
        if next(candidates(without, stream, tries, climbs=climbs, starts=LAST_STARTS), None) is not None:
            return judges
    return ()


def strict_judge(form: Form, standard: Standard, climbs: Climbs, refused: Counter[str]) -> tuple[str, ...]:
    """The same for the judges of exams, who have refused what the others accept."""
    loosened = {
        "effort": replace(standard, band=Fraction(100)),
        "mistakes": replace(standard, separation=None),
        "choice": replace(standard, options={}),
    }
    for judge in [judge for judge, _ in refused.most_common() if judge in loosened]:
        stream, tries = Stream(CALIBRATION, "culprits", judge), Counter[str]()
        found = candidates(form, stream, tries, climbs=climbs, standard=loosened[judge], starts=LAST_STARTS)
        if next(found, None) is not None:
            return (judge,)
    return ()


def impossible(name: str, refused: Counter[str], found: tuple[str, ...] = ()) -> Impossible:
    """The sentence that names the judge to loosen."""
    total = sum(refused.values())
    judge, times = refused.most_common(1)[0]
    told = f"{judge} refused {round(Fraction(100 * times, total))} % of them ({JUDGES[judge]})"
    if found:
        judge = found[0]
        told = f"without {' and '.join(found)} there are some ({'; '.join(JUDGES[one] for one in found)})"
    advice = f"allow: [{', '.join(found)}], or smaller numbers" if len(found) > 1 else ADVICE[judge]
    return Impossible(
        f"{name}: no numbers were found that all judges accept, in {total} tries; "
        f"{told}; loosen {'them' if len(found) > 1 else 'it'} under vary: {advice}"
    )
