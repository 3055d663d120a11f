"""A site on this machine alone: a small server on 127.0.0.1."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = "127.0.0.1"


class Handler(SimpleHTTPRequestHandler):
    """Files of one folder, with the types that browsers ask for, and no word on the terminal."""

    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".whl": "application/zip",
    }

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: who practises is nobody's business."""


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server for a folder; port 0 takes any that is free."""
    return ThreadingHTTPServer((HERE, port), partial(Handler, directory=str(folder)))
