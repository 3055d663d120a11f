"""One site for all tests, with all that runs in browsers; made once, and shown on this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from attnsolve.batch import find
from attnsolve.errors import AttnsolveError
from attnsolve.site.building import Site
from attnsolve.site.serving import HERE, server

NAMES = ("ist-practical-10",)  # with a map, and mistakes that are known by name


@pytest.fixture(scope="session")
def site() -> Site:
    made = Site(say=lambda words: None)
    try:
        made.add_engine()
    except AttnsolveError as error:
        pytest.skip(str(error))
    made.add_looks()
    list(made.add_exercises([find(name) for name in NAMES]))
    made.finish()
    return made


@pytest.fixture(scope="session")
def folder(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("practice") / "site"
    site.write(place, force=False)
    return place


@pytest.fixture
def served(folder: Path) -> Iterator[tuple[str, object]]:
    """Where the site is, and what serves it."""
    serving = server(folder, 0)
    thread = threading.Thread(target=serving.serve_forever, daemon=True)
    thread.start()
    yield f"http://{HERE}:{serving.server_address[1]}/", serving
    serving.shutdown()
    serving.server_close()
    thread.join()
