"""Hypothesis profiles, programs that tests call, and the switch that lets no test be skipped."""

import gc
import os
import shutil
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import settings

NO_SKIPS = os.environ.get("ATTNSOLVE_NO_SKIPS") == "1"

settings.register_profile("default", deadline=None)
settings.register_profile("ci", derandomize=True, deadline=None)
settings.load_profile("ci" if NO_SKIPS else "default")

DEBIAN_PACKAGES = {
    "chromium": "chromium",
    "latexmk": "latexmk",
    "lualatex": "texlive-luatex",
    "node": "nodejs",
    "pandoc": "pandoc",
    "pdflatex": "texlive-latex-recommended",
    "pdftoppm": "poppler-utils",
    "pdftotext": "poppler-utils",
    "rsvg-convert": "librsvg2-bin",
    "tmux": "tmux",
}

# Files that TeX looks up, and fonts that lualatex finds, by what a test asks for.
TEX_FILES = {
    "T5": ("t5enc.def", "texlive-lang-other"),
    "LGR": ("lgrenc.def", "texlive-lang-greek"),
    "T2A": ("t2aenc.def", "texlive-lang-cyrillic"),
    "cm-super": ("cm-super-t2a.enc", "cm-super"),
    "lmodern": ("lmodern.sty", "lmodern"),
    "luaotfload": ("luaotfload.sty", "texlive-luatex"),
    "Noto": ("NotoSerif-Regular.ttf", "fonts-noto-core"),
    "Han": ("wqy-microhei.ttc", "fonts-wqy-microhei"),
}

# What comes from npm, with the command that brings it; `.ci/run` has the same.
NODE_MODULES = Path(__file__).parents[1] / "build" / "node" / "node_modules"
FROM_NPM = {"axe-core": "axe-core@4.14.0", "katex": "katex@0.16.22", "temml": "temml@0.13.5"}


def installed_for_tex(what: str) -> str:
    """The path of what TeX needs besides itself, or a skipped test."""
    file, package = TEX_FILES[what]
    fonts = next(Path("/usr/share/fonts").rglob(file), None)
    kpsewhich = shutil.which("kpsewhich")
    asked = [str(kpsewhich), file]
    found = subprocess.run(asked, capture_output=True, text=True).stdout.strip() if kpsewhich else ""
    return str(fonts or "") or found or pytest.skip(f"{file} not found; on Debian: apt install {package}")


@pytest.fixture(scope="session")
def needs() -> Callable[[str], str]:
    """`needs("pdflatex")` gives the program's path, or skips the test and says what to install."""

    def find(program: str) -> str:
        if program in TEX_FILES:
            return installed_for_tex(program)
        if program in FROM_NPM:
            folder, install = NODE_MODULES / program, "npm install --prefix build/node"
            said = f"{program} not found; {install} {' '.join(FROM_NPM.values())}"
            return str(folder) if folder.is_dir() else pytest.skip(said)
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
def pytest_collection() -> Generator[None, object, object]:
    """Tests stay: garbage is neither looked for while they are found, nor among them later."""
    gc.disable()
    found = yield
    gc.freeze()
    gc.enable()
    return found


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """What the tests of a file keep for others, such as solved problems, is gone through once."""
    if nextitem is not None and item.path != nextitem.path:
        gc.collect()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    refuse_skip(report)
    return report
