"""Answers that were read, as short texts that a table of tests can hold."""

from attnsolve.submission import Answer, Written


def outline(rows: tuple[tuple[Written, ...], ...]) -> str:
    """The rows as one short text: values as fractions, `-` blank, `?` illegible, `~` crossed, `!` unread."""
    signs = {"blank": "-", "illegible": "?", "crossed": "~", "unread": "!"}
    return "; ".join(
        " ".join(signs.get(w.state) or str(w.cell and w.cell.text()) for w in row) for row in rows
    )


def told(answer: Answer) -> str:
    """An answer as one short text: `A[2, 1] = 1/2`, `s = ok`."""
    indices = [str(index) for index in (answer.row, answer.column) if index is not None]
    place = answer.name + (f"[{', '.join(indices)}]" if indices else "")
    return f"{place} = {'ok' if answer.right else outline(answer.rows)}"
