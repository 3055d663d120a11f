"""YAML with positions: scalars stay text, places are those of the file, traps are faults."""

from pathlib import Path

import pytest

from attnsolve import documents
from attnsolve.documents import Node, NodeKind, parse, read
from attnsolve.errors import Fault, ProblemError
from attnsolve.limits import Limits


def value(text: str, key: str = "a") -> Node:
    found = parse(text.encode(), "x").get(key)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "typed", ["12:30", "010", "1e400", "1e-3", "no", "null", "~", "0.10000000000000000001", "1_0"]
)
def test_scalars_stay_text(typed: str) -> None:
    assert typed == value(f"a: {typed}\n").text


def test_nodes_know_where_they_stand() -> None:
    root = parse(b"a: 1\nb:\n  - x\n  - {c: y}\n", "x")
    listed = root.get("b")
    assert listed is not None
    first, second = listed.items
    assert [(NodeKind.TEXT, 3, 5), (NodeKind.MAP, 4, 5)] == [
        (node.kind, node.line, node.column) for node in (first, second)
    ]
    (key, inner), *_ = second.entries
    assert [("c", 4, 6), ("y", 4, 9)] == [(node.text, node.line, node.column) for node in (key, inner)]
    assert root.get("z") is None


@pytest.mark.parametrize(
    "written",
    [
        "ab x",
        "'ab x'",
        '"ab x"',
        "ab\n   x",
        "'ab\n\n   x'",
        '"ab \\\n   x"',
        '"a\\x62 x"',
        '"a\\u0062\\t x"',
        '"ab\\n x"',
        "''' x'",
        "|\n   ab\n   x",
        "|2\n   ab\n   x",
        ">-\n\n   ab\n\n   x\n",
    ],
)
def test_a_character_is_found_in_any_quoting(written: str) -> None:
    text = f"a: {written}\nb: 1\n"
    node = value(text)
    line, column = node.place(node.text.index("x"))
    assert "x" == text.splitlines()[line - 1][column - 1]
    assert (1, 4 + (written[0] in "'\"")) == node.place(0) or written[0] in "|>"


def test_a_place_past_the_end_is_the_end() -> None:
    assert (1, 6) == value("a: bc\n").place(2)
    assert (1, 7) == value("a: 'bc'\n").place(2)


def test_faults_that_leave_the_rest_readable_may_be_collected() -> None:
    faults: list[Fault] = []
    root = parse(b'a: 1\na: 2\nb: "\\alpha"\n', "x", faults=faults)
    assert [(2, 1), (3, 5)] == [(fault.line, fault.column) for fault in faults]
    kept, broken = root.get("a"), root.get("b")
    assert kept is not None and broken is not None
    assert ("1", True) == (kept.text, broken.broken)
    with pytest.raises(ProblemError):
        parse(b"a: 1\na: 2\n", "x")


@pytest.mark.parametrize(
    "written", ['"\\\\alpha"', "'\\alpha'", "\\alpha", '"tab\\t"', '"caf\\u00e9"', '"\\x41b"']
)
def test_backslashes_that_mean_what_they_say_are_fine(written: str) -> None:
    value(f"a: {written}\n")


def test_a_comment_after_a_text_is_noticed() -> None:
    assert value("a: what # ever\n").comment_follows
    assert not value("a: 'what # ever'\n").comment_follows
    assert not value("a: what#ever\n").comment_follows
    assert not value("a: what\n# ever\n").comment_follows


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        (Limits(file_bytes=10), "a: 1234567"),
        (Limits(nodes=5), "a: [1, 2]"),
        (Limits(depth=3), "a: [[1]]"),
    ],
)
def test_limits_hold_at_the_limit_and_not_beyond(limits: Limits, text: str) -> None:
    parse(text.encode(), "x", limits=limits)
    more = text.replace("1", "[1]", 1) if limits.depth == 3 else text.replace("2", "2, 3")
    with pytest.raises(ProblemError, match="limit"):
        parse(more.encode(), "x", limits=limits)


def test_without_libyaml_files_must_be_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "LOADER", documents.yaml.SafeLoader)
    assert "1" == value("a: 1\n").text
    with pytest.raises(ProblemError, match="more than 200000 bytes"):
        parse(b"a: " + b"x" * 200_000, "x")


def test_deep_nesting_is_refused_without_libyaml_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "LOADER", documents.yaml.SafeLoader)
    with pytest.raises(ProblemError, match="nested deeper than 32 levels"):
        parse(b"a: " + b"[" * 100_000, "x")


def test_a_file_is_read_with_its_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    root = read(tmp_path / "x.yaml")
    assert [("a", 1, 1), ("b", 2, 1)] == [(key.text, key.line, key.column) for key, _ in root.entries]
