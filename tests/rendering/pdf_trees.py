"""What a PDF says to those who do not see it, read by the grammar of PDFs: structure, headings, links."""

import re
from typing import Any, NamedTuple

TOKEN = re.compile(
    rb"\s*(?:(?P<end>>>|\])|(?P<map><<)|(?P<list>\[)|/(?P<name>[^\s/<>\[\]()]*)|(?P<to>\d+) 0 R"
    rb"|<(?P<hex>[0-9A-F]*)>|(?P<text>\()|(?P<word>[^\s/<>\[\]()]+))"
)


class Text(NamedTuple):
    """A string of a PDF."""

    data: bytes


class Reference(NamedTuple):
    """Where an object is spoken of."""

    number: int


class Pdf:
    """A PDF whose objects are found where its last lines say."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        start = int(re.findall(rb"startxref\n(\d+)\n%%EOF", data)[-1])
        lines = re.match(rb"xref\n0 (\d+)\n0{10} 65535 f\r\n((?:\d{10} 00000 n\r\n)*)trailer\n", data[start:])
        assert lines is not None
        places = [int(line[:10]) for line in lines[2].split(b"\r\n")[:-1]]
        assert len(places) + 1 == int(lines[1]) and len(set(places)) == len(places)
        self.objects: dict[int, Any] = {}
        for number, place in enumerate(places, 1):
            begin = b"%d 0 obj\n" % number
            assert data.startswith(begin, place)
            self.objects[number], _ = self.value(place + len(begin))
        self.trailer, _ = self.value(start + lines.end())
        self.root = self.at(self.trailer["Root"])
        self.pages = [page.number for page in self.at(self.root["Pages"])["Kids"]]

    def at(self, value: Any) -> Any:
        """A value, or what it speaks of."""
        return self.objects[value.number] if isinstance(value, Reference) else value

    def value(self, place: int) -> tuple[Any, int]:
        """The value that begins here, and where it ends."""
        found = TOKEN.match(self.data, place)
        assert found is not None and not found["end"], self.data[place : place + 40]
        place = found.end()
        if found["map"] or found["list"]:
            items = []
            while not (ends := TOKEN.match(self.data, place)) or not ends["end"]:
                item, place = self.value(place)
                items.append(item)
            whole = dict(zip(items[::2], items[1::2], strict=True)) if found["map"] else items
            return whole, ends.end()
        if found["text"]:
            depth, end = 1, place
            while depth:
                depth += {b"(": 1, b")": -1}.get(self.data[end : end + 1], 0)
                end += 2 if self.data[end : end + 1] == b"\\" else 1
            return Text(self.data[place : end - 1]), end
        if found["to"]:
            return Reference(int(found["to"])), place
        if found["hex"] is not None:
            return Text(bytes.fromhex(found["hex"].decode())), place
        return (found["name"] or found["word"] or b"").decode(), place

    def below(self, value: Any) -> Any:
        """A value with all that it speaks of, pages by their place, without the way back up."""
        if isinstance(value, Reference) and value.number in self.pages:
            return "page", self.pages.index(value.number)
        value = self.at(value)
        if isinstance(value, list):
            return [self.below(item) for item in value]
        if isinstance(value, dict):
            left_out = {"P", "Parent", "StructParent", "StructParents", "Prev", "Next", "Last"}
            return {key: self.below(item) for key, item in value.items() if key not in left_out}
        return value

    def children(self, node: Reference) -> list[Reference]:
        """The headings below one, in order; each knows the one before it, and the last is the last."""
        found, before = [], None
        item = self.at(node).get("First")
        while item is not None:
            assert node == self.at(item)["Parent"] and before == self.at(item).get("Prev")
            found.append(item)
            before, item = item, self.at(item).get("Next")
        assert before == self.at(node).get("Last")
        return found

    def headings(self, node: Reference) -> list[Any]:
        """The tree of headings below one."""
        return [(self.below(one), self.headings(one)) for one in self.children(node)]

    def check_parents(self, node: Reference) -> None:
        """Whether everything in the tree of structure knows what it hangs from."""
        for one in self.at(node)["K"]:
            if isinstance(one, Reference):
                assert node == self.at(one)["P"]
                self.check_parents(one)

    def accessible(self) -> dict[str, Any]:
        """All that programs that read aloud are told, whatever the numbers of objects are."""
        top = self.at(self.root["StructTreeRoot"])
        self.check_parents(self.root["StructTreeRoot"])
        nums = top["ParentTree"]["Nums"]
        parents = dict(zip(map(int, nums[::2]), nums[1::2], strict=True))
        assert [*range(int(top["ParentTreeNextKey"]))] == [*parents]
        pages = [self.objects[number] for number in self.pages]
        names = top.get("IDTree", {}).get("Names", [])
        assert names[::2] == sorted(names[::2]) == [self.at(cell)["ID"] for cell in names[1::2]]
        return {
            "pages": [page["MediaBox"] for page in pages],
            "structure": self.below(top["K"]),
            "roles": top["RoleMap"],
            "of pages": [self.below(parents[int(page["StructParents"])]) for page in pages],
            "of links": [
                (self.below(link), self.below(parents[int(self.at(link)["StructParent"])]))
                for page in pages
                for link in page.get("Annots", [])
            ],
            "cells": self.below(names),
            "headings": (self.at(self.root["Outlines"])["Count"], self.headings(self.root["Outlines"])),
            "document": {key: self.root.get(key) for key in ("Lang", "MarkInfo", "ViewerPreferences")},
            "info": self.below(self.trailer["Info"]),
        }

    def about(self) -> str:
        """What the document tells of itself to programs, but for which one it is."""
        found = re.search(rb"<x:xmpmeta.*?</x:xmpmeta>", self.data, re.DOTALL)
        assert found is not None
        return re.sub(r"(?<=ID>)[^<]+", "", found[0].decode())
