"""Hypothesis profiles, programs that tests call, and the switch that lets no test be skipped."""

import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import settings

NO_SKIPS = os.environ.get("ATTNSOLVE_NO_SKIPS") == "1"

settings.register_profile("default", deadline=None)
settings.register_profile("ci", derandomize=True, deadline=None)
settings.load_profile("ci" if NO_SKIPS else "default")

DEBIAN_PACKAGES = {
    "node": "nodejs",
    "pandoc": "pandoc",
    "pdflatex": "texlive-latex-recommended",
    "pdftoppm": "poppler-utils",
    "pdftotext": "poppler-utils",
    "rsvg-convert": "librsvg2-bin",
}

# What comes from npm, with the command that brings it; `.ci/run` has the same.
KATEX = Path(__file__).parents[1] / "build" / "node" / "node_modules" / "katex"
NPM_INSTALL = "npm install --prefix build/node katex@0.16.22"


@pytest.fixture(scope="session")
def needs() -> Callable[[str], str]:
    """`needs("pdflatex")` gives the program's path, or skips the test and says what to install."""

    def find(program: str) -> str:
        if program == "katex":
            return str(KATEX) if KATEX.is_dir() else pytest.skip(f"katex not found; {NPM_INSTALL}")
        package = DEBIAN_PACKAGES[program]
        return shutil.which(program) or pytest.skip(f"{program} not found; on Debian: apt install {package}")

    return find


def refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure under ATTNSOLVE_NO_SKIPS=1; an expected failure is no skip."""
    if NO_SKIPS and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid}: {reason} (ATTNSOLVE_NO_SKIPS=1 allows no skips)"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    refuse_skip(report)
    return report
