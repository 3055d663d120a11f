"""Pages of an editor as plain lines."""

import pytest

from attnsolve.grading.online_text import looks_like_html, plain_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>s 1 2</p><p>a .27 .73</p>", "s 1 2\na .27 .73"),
        ("s&nbsp;1&#160;2<br>a&#46;27", "s 1 2\na.27"),
        ("<table><tr><td>a</td><td>.27</td></tr><tr><th>b</th><td>1</td></tr></table>", "a .27\nb 1"),
        ("<p>e<sup>2</sup>/3, S<sub>12</sub></p>", "e^(2)/3, S_12"),
        ("<p>a <s>.47</s> .27</p>", "a ~~.47~~ .27"),
        ("<script>s 1 2</script><style>p{}</style><p>z 1</p>", "z 1"),
        ("<p>one\n  line</p>", "one line"),
        ("1 &lt; 2 &amp;lt; <b>3</b>", "1 < 2 &lt; 3"),
        ('<img src=x onerror="alert(1)">z 1', "z 1"),
        ("<p>unclosed <td>5", "unclosed 5"),
        ("", ""),
    ],
)
def test_what_is_seen_is_kept(html: str, text: str) -> None:
    assert text == plain_text(html)


@pytest.mark.parametrize(
    ("text", "is_html"), [("<p>s 1</p>", True), ("a < b > c", False), ("s 1<br/>2", True)]
)
def test_tags_are_told_from_signs(text: str, is_html: bool) -> None:
    assert is_html is looks_like_html(text)


def test_deep_pages_are_no_trouble() -> None:
    assert "z 1" == plain_text("<div>" * 50_000 + "z 1")
