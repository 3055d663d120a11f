"""The converter of formulas in a browser: the library's calls, answered by the page's own script."""

from js import toMathML  # type: ignore[import-not-found]  # what worker.js offers


class LatexError(Exception):
    """A formula that the converter does not know."""


class LatexToMathML:
    """LaTeX to MathML."""

    def __init__(self, **_: object) -> None:
        """Whatever the library is asked for beyond formulas is not needed here."""

    def convert_with_local_state(self, source: str, *, displaystyle: bool) -> str:
        """A formula as MathML."""
        try:
            return str(toMathML(source, displaystyle))
        except Exception as error:
            raise LatexError(str(error)) from None
