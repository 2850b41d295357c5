"""Escapes of texts for terminals, Markdown, LaTeX, CSV and HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from fairsum_utils._util.terminal import on_one_line
from fairsum_utils.io.cells import without_formulas
from fairsum_utils.reports.tables import Cell, Trusted, number

# Commands that CI systems find in a log
_LOG_COMMAND = re.compile(r"^\s*(?=::)|(?<=#)(?=#\w*\[)")


_ENTITIES = {"<": "&lt;", "&": "&amp;", "\\": "&#92;"}


# HTML in Markdown, and backslashes that would take away an escape
_HTML = re.compile(r"<(?=[A-Za-z/!?])|&(?=#?\w+;)|\\(?=[^\w\s]|$)")


# Markdown for emphasis, code, formulas and links; and commands in a log
_MARKUP = re.compile(
    r"(?=[*`~$])|(?<![^\W_])(?=_)|(?=_(?![^\W_]))|(?<=\])(?=[(:])|(?=://)|(?<=www)(?=\.)|(?<=#)(?=#\w*\[)",
    re.IGNORECASE,
)


# Beginnings of headings, quotes and lists in Markdown, and of commands in a log
_BLOCK = re.compile(r"^\s*(?=[#>=+-]|::)")


# Links to people and issues; GitHub finds them after Markdown took the backslashes away
_MENTION = re.compile(r"@(?=\w)|(?<!&)#(?=\d)")


# Beginnings of a row that would belong to the command before it, or to a log
LATEX_OPTION = re.compile(r"^\s*(?=[\[*]|::)")


_LATEX = str.maketrans(
    {character: rf"\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
)


def escaped(text: str) -> str:
    """Escape a text for HTML, on one line.

    Example:
        >>> escaped("<b> \\u202e")
        '&lt;b&gt; \\\\u202e'
    """
    return html.escape(on_one_line(text))


def in_cell(text: str) -> str:
    """Escape a text for a CSV cell.

    Example:
        >>> in_cell("=1+1"), in_cell("a\\nb=1")
        ("'=1+1", 'a b=1')
    """
    return on_one_line(f"'{text}" if text.lstrip().startswith("::") else without_formulas(text))


def in_text(text: str) -> str:
    """Escape a text for a terminal or a log."""
    return _LOG_COMMAND.sub(r"\g<0>\\", on_one_line(text))


def in_markdown(text: str) -> str:
    """Escape a line for Markdown, unless the text is our own."""
    return text if isinstance(text, Trusted) else _BLOCK.sub(r"\g<0>\\", _in_markdown_line(text))


def _in_markdown_line(text: str) -> str:
    """Escape links, addresses, mentions and HTML in a line of Markdown."""
    text = _HTML.sub(lambda match: _ENTITIES[match[0]], on_one_line(text))
    return _MENTION.sub(r"\g<0>&#8203;", _MARKUP.sub(r"\g<0>\\", text))


def in_markdown_cell(text: str) -> str:
    """Escape untrusted text for a cell of a Markdown table."""
    return (text if isinstance(text, Trusted) else _in_markdown_line(text)).replace("|", r"\|")


def in_latex(text: str) -> str:
    """Escape a text for LaTeX."""
    return on_one_line(text).translate(_LATEX)


def latex_comment(line: str) -> str:
    """Write a line as a comment of LaTeX."""
    return f"% {in_text(line)}"


def shown_cell(cell: Cell, escape: Callable[[str], str]) -> str:
    """Write a cell on one line; texts are escaped."""
    if isinstance(cell, str):
        return escape(cell)
    return "" if cell is None else number(cell) if isinstance(cell, float) else str(cell)
