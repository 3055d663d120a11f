"""README and guides: every link leads to a page, a picture or a heading that is there."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GUIDES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "tests/README.md"])
LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def links(guide: Path) -> Iterator[str]:
    """Where a guide leads to in this project; what stands in code is an example."""
    for target in LINK.findall(CODE.sub("", guide.read_text("utf-8"))):
        if not re.match(r"[a-z]+:", target):
            yield target


@cache
def headings(guide: Path) -> set[str]:
    """The headings of a page as addresses have them."""
    titles = re.findall(r"^#+ (.*)$", CODE.sub("", guide.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: str(guide.relative_to(ROOT)))
def test_links_lead_somewhere(guide: Path) -> None:
    for target in links(guide):
        file, _, heading = target.partition("#")
        page = (guide.parent / file).resolve() if file else guide
        assert page.exists(), target
        assert not heading or heading in headings(page), target


def test_readme_leads_to_every_guide() -> None:
    told = {(ROOT / link).resolve() for link in links(ROOT / "README.md")}
    reached = told | {
        (guide.parent / link).resolve() for guide in told if guide.suffix == ".md" for link in links(guide)
    }
    assert set(ROOT.glob("docs/*.md")) <= reached
