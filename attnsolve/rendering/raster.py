"""SVG to PNG: by typst, which `pip install 'attnsolve[pdf]'` brings along, or else by rsvg-convert."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from attnsolve.errors import AttnsolveError

# Pixels of a picture for each of its own units, and what typst calls that.
SCALE, POINTS = 2, 72
SECONDS = 60
PAGE = '#set page(width: auto, height: auto, margin: 0pt, fill: white)\n#image("picture.svg")\n'


def png(svg: str, *, scale: int = SCALE) -> bytes:
    """A picture of ours as PNG."""
    try:
        import typst
    except ModuleNotFoundError:
        return by_rsvg(svg, scale)
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="attnsolve-") as made:
        folder = Path(made)
        (folder / "picture.svg").write_text(svg, encoding="utf-8")
        (folder / "page.typ").write_text(PAGE, encoding="utf-8")
        # typst takes a unit of SVG for 3/4 of a point, as CSS does.
        ppi = scale * POINTS * 4 / 3
        picture = typst.compile(str(folder / "page.typ"), root=str(folder), format="png", ppi=ppi)
    if not isinstance(picture, bytes):
        raise AttnsolveError("typst made several pictures of one")
    return picture


def by_rsvg(svg: str, scale: int) -> bytes:
    """The same by a program of Debian's package librsvg2-bin, where it is installed."""
    program = shutil.which("rsvg-convert")
    if program is None:
        raise AttnsolveError(
            "PNG needs typst: pip install 'attnsolve[pdf]' (or rsvg-convert); an .svg file needs nothing"
        )
    command = [program, "--format", "png", "--zoom", str(scale)]
    done = subprocess.run(command, input=svg.encode(), capture_output=True, timeout=SECONDS, check=False)
    if done.returncode:
        raise AttnsolveError(f"rsvg-convert: {done.stderr.decode(errors='replace').strip()[:200]}")
    return done.stdout
