"""What we ship works: wheel and sdist carry all data, and an installed wheel renders a bundled problem."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.timeout(300)


def run(*command: str | Path, folder: Path) -> str:
    """What a command prints, run in `folder` and without the checkout on its path."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist of this checkout and the wheel built from that sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, folder=folder)
    return folder


def test_wheel_and_sdist_carry_every_template_and_problem(dist: Path) -> None:
    ours = {
        file.relative_to(ROOT).as_posix()
        for kind in ("templates", "problems")
        for file in (ROOT / kind).rglob("*")
        if file.is_file()
    }
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
        assert set() == {f"attnsolve/{name}" for name in ours} - set(wheel.namelist())
    with tarfile.open(next(dist.glob("*.tar.gz"))) as sdist:
        assert set() == ours - {name.partition("/")[2] for name in sdist.getnames()}


def test_an_installed_wheel_renders_a_bundled_problem(dist: Path, tmp_path: Path) -> None:
    venv, elsewhere = tmp_path / "venv", tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(sys.executable, "-m", "venv", "--without-pip", venv, folder=elsewhere)
    python = venv / "bin" / "python"
    wheel = next(dist.glob("*.whl"))
    pip = (sys.executable, "-m", "pip", "--python", python)
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, folder=elsewhere)

    # The dependencies are borrowed from the running environment. A folder named in a .pth file comes last on
    # the path and its own .pth files (an editable attnsolve) are not read, so attnsolve is the wheel's.
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    [installed] = venv.glob("lib/python*/site-packages/attnsolve")
    (installed.parent / "borrowed.pth").write_text("\n".join(sorted(borrowed)))
    assert f"{installed / '__init__.py'}\n" == run(
        python, "-c", "import attnsolve; print(attnsolve.__file__)", folder=elsewhere
    )

    assert run(venv / "bin" / "attnsolve", "render", "ist-practical-10", folder=elsewhere).strip()


def test_the_wheel_with_its_extra_makes_a_pdf_with_no_tex_around(dist: Path, tmp_path: Path) -> None:
    """From the package index, as a user installs it."""
    venv = tmp_path / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv, folder=tmp_path)
    pip = (sys.executable, "-m", "pip", "--python", venv / "bin" / "python")
    wheel = f"{next(dist.glob('*.whl'))}[pdf]"
    run(*pip, "install", "--quiet", "--no-compile", wheel, folder=tmp_path)
    command = [venv / "bin" / "attnsolve", "render", "ist-practical-10", "-o", "page.pdf"]
    done = subprocess.run(command, cwd=tmp_path, env={"PATH": ""}, capture_output=True, text=True)
    assert (0, "page.pdf\n") == (done.returncode, done.stdout + done.stderr)
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")
