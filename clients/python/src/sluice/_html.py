# SPDX-License-Identifier: Apache-2.0
"""HTML for notebooks. All text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_COLOURS = {
    "SUCCEEDED": "#1a7f37",
    "RUNNING": "#0969da",
    "FAILED": "#cf222e",
    "CANCELLED": "#6e7781",
    "PENDING": "#9a6700",
}


def state(name: str) -> str:
    """Return the state of a job in its colour."""
    colour = _COLOURS.get(name)
    style = f' style="color:{colour}"' if colour else ""
    return f"<b{style}>{escape(name)}</b>"


def paragraph(*parts: str) -> str:
    """Return a paragraph of parts that are HTML already."""
    return f"<p>{' '.join(parts)}</p>"


def table(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; the column ``State`` is shown in colour."""
    lines = ["<table>", "<tr>" + "".join(f"<th>{escape(head)}</th>" for head in headers) + "</tr>"]
    for row in rows:
        cells = []
        for head, value in zip(headers, row, strict=True):
            text = "" if value is None else str(value)
            shown = state(text) if head == "State" else escape(text)
            cells.append(f'<td style="text-align:left">{shown}</td>')
        lines.append("<tr>" + "".join(cells) + "</tr>")
    lines.append("</table>")
    return "".join(lines)


def pairs(rows: Iterable[tuple[str, object]]) -> str:
    """Return a table of names and values, without the values that are None or empty."""
    shown = [(name, value) for name, value in rows if value not in (None, "")]
    lines = [
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(str(value))}</td></tr>'
        for name, value in shown
    ]
    return "<table>" + "".join(lines) + "</table>"
