"""The figures of a page inside its cells: in their addresses, as JupyterLab takes no SVG as attachment."""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape

from attnsolve.rendering import Document

PICTURE = re.compile(r"!\[(?P<alt>(?:[^\]\\]|\\.)*)\]\((?P<file>[^()\s]+)\)")
TAG = re.compile(r'<img src="(?P<file>[^"]+)"')
ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
MEDIA_TYPES = {"svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg"}


def embedded(text: str, page: Document) -> str:
    """Markdown in which every figure of the page is whole."""
    files = {name: content.encode() for name, content in page.figures} | dict(page.pictures)

    def put(match: re.Match[str]) -> str:
        if match["file"] not in files:
            return match[0]
        alt = escape(ESCAPED.sub(r"\1", match["alt"]))
        return f'<img src="{address(match["file"], files[match["file"]])}" alt="{alt}">'

    def put_inside(match: re.Match[str]) -> str:
        file = match["file"]
        return f'<img src="{address(file, files[file])}"' if file in files else match[0]

    return TAG.sub(put_inside, PICTURE.sub(put, text)) if files else text


def address(file: str, content: bytes) -> str:
    """An address that holds all of a picture."""
    kind = MEDIA_TYPES[file.rpartition(".")[2].lower()]
    return f"data:{kind};base64,{b64encode(content).decode()}"
