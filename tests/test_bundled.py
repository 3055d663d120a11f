"""Templates and problems are found in a checkout and, by the same code, in an installed package."""

from pathlib import Path

import pytest

from attnsolve import bundled
from attnsolve.documents import read
from attnsolve.errors import AttnsolveError
from attnsolve.exams.originals import named_files
from attnsolve.loader import load

ROOT = Path(__file__).parents[1]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed attnsolve that carries its own templates."""
    folder = tmp_path / "attnsolve"
    (folder / "templates").mkdir(parents=True)
    monkeypatch.setattr(bundled, "__file__", str(folder / "bundled.py"))
    return folder


@pytest.mark.parametrize("kind", ["templates", "problems"])
def test_a_checkout_uses_its_own_folders(kind: str) -> None:
    assert ROOT / kind == bundled.data(kind)


def test_an_installed_package_uses_its_copy(package: Path) -> None:
    assert package / "templates" == bundled.data("templates")


def test_a_folder_beside_an_installed_package_is_not_ours(package: Path) -> None:
    (package.parent / "templates").mkdir()
    assert package / "templates" == bundled.data("templates")


def test_a_checkout_wins_over_a_stale_copy(package: Path) -> None:
    (package.parent / "templates").mkdir()
    (package.parent / "pyproject.toml").touch()
    assert package.parent / "templates" == bundled.data("templates")


def test_a_missing_folder_is_named(package: Path) -> None:
    with pytest.raises(AttnsolveError, match="bundled problems are missing"):
        bundled.data("problems")


def test_problems_are_known_by_their_names() -> None:
    found = bundled.problem_files()
    assert ROOT / "problems" / "ist-practical-10.yaml" == found["ist-practical-10"]
    assert ROOT / "problems" / "symbols" / "one-key.yaml" == found["one-key"]
    assert sorted(bundled.problems_with_numbers()) == bundled.problems_with_numbers()


@pytest.mark.parametrize("name", bundled.problem_files())
def test_problems_need_no_other_files(name: str) -> None:
    """A sheet names them without a folder, and an exam keeps them by their text alone."""
    file = bundled.problem_files()[name]
    assert not load(file).pictures
    assert [] == list(named_files(read(file)))
