"""Templates and problems are found in a checkout and, by the same code, in an installed package."""

from pathlib import Path

import pytest

from attnsolve import bundled
from attnsolve.errors import AttnsolveError

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
