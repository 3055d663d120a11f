"""Small pictures for tests, made byte by byte."""

from struct import pack
from zlib import compress, crc32

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40"/></svg>\n'


def chunk(name: bytes, body: bytes) -> bytes:
    return pack(">I", len(body)) + name + body + pack(">I", crc32(name + body))


def png(width: int = 60, height: int = 40) -> bytes:
    """A grey rectangle."""
    header = pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + b"\x80" * min(width, 1000)) * min(height, 1000)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def pdf() -> bytes:
    """An empty page."""
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 60 40]>>",
    )
    made, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj%sendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(made)
    made += b"xref\n0 4\n0000000000 65535 f \n" + table
    return made + b"trailer<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % start
