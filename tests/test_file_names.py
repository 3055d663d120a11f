"""Names of files, whatever a person or a problem is called."""

import os

import pytest

from attnsolve.file_names import in_letters, safe_name, safe_stem


@pytest.mark.parametrize(
    ("called", "name"),
    [
        ("1234567", "1234567"),
        ("Ada Lovelace", "ada-lovelace"),
        ("../../etc/passwd", "etc-passwd"),
        ("Đorđe\n\x1b[31m", "ore-31m"),
        ("CON", "con-"),
        ("王小明", "student"),
    ],
)
def test_a_person_becomes_a_safe_name(called: str, name: str) -> None:
    assert name == safe_name(called)


@pytest.mark.parametrize("called", ["ist-practical-10", "Exercise_2.b", "7"])
def test_a_plain_name_of_a_problem_stays(called: str) -> None:
    assert called == safe_stem(called)


@pytest.mark.parametrize(
    "called",
    [
        "a\nb",
        "a b",
        "a%20b",
        "it's",
        '"a"',
        "CON",
        "nul.x",
        "\x1b[31mred",
        "-rf",
        ".x",
        "Übung",
        "x" * 99,
        "\udcff",
    ],
)
def test_an_odd_name_becomes_one_of_its_own(called: str) -> None:
    made = safe_stem(called)
    assert made.isascii() and made.replace("-", "").isalnum() and not made.startswith("-")
    assert made != safe_stem(f"{called}!")
    assert safe_stem("a b") != safe_stem("a%20b") != safe_stem("a\nb")


@pytest.mark.parametrize(
    ("raw", "name"), [("Zoë 王".encode(), "Zoë 王"), (b"M\xfcller.txt", "Müller.txt"), (b"a", "a")]
)
def test_names_on_a_disk_are_texts(raw: bytes, name: str) -> None:
    assert name == in_letters(os.fsdecode(raw))
