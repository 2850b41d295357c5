"""Tables and sentences as aligned text, Markdown, LaTeX, CSV or HTML; and JSON without NaN."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.terminal import UNSEEN, on_one_line
from fairsum_utils.io.cells import is_formula
from fairsum_utils.reports.alignment import aligned_lines, padded, width_of
from fairsum_utils.reports.tables import Bar, Cell, Interval, Marked, Part, Shade, Table, Trusted, number
from fairsum_utils.reports.theme import TABLES
from fairsum_utils.validation import count

if TYPE_CHECKING:
    from fairsum_utils.reports.svg import Drawing

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
_LATEX_OPTION = re.compile(r"^\s*(?=[\[*]|::)")

_LATEX = str.maketrans(
    {character: rf"\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
)


def escaped(text: str) -> str:
    """Escape a text for HTML, on one line, with control characters written out.

    Example:
        >>> escaped("<b> \\u202e")
        '&lt;b&gt; \\\\u202e'
    """
    return html.escape(on_one_line(text))


def in_cell(text: str) -> str:
    """Escape a text for a cell of a CSV file that a spreadsheet or a log may show.

    Example:
        >>> in_cell("=1+1"), in_cell("a\\nb=1")
        ("'=1+1", 'a b=1')
    """
    return on_one_line(f"'{text}" if is_formula(text) or text.lstrip().startswith("::") else text)


def _in_text(text: str) -> str:
    """Escape a text for a terminal or a log."""
    return _LOG_COMMAND.sub(r"\g<0>\\", on_one_line(text))


def _in_markdown(text: str) -> str:
    """Escape a line for Markdown, unless the text is our own."""
    return text if isinstance(text, Trusted) else _BLOCK.sub(r"\g<0>\\", _in_markdown_line(text))


def _in_markdown_line(text: str) -> str:
    """Escape a text within a line of Markdown: links, addresses, mentions and HTML become text."""
    text = _HTML.sub(lambda match: _ENTITIES[match[0]], on_one_line(text))
    return _MENTION.sub(r"\g<0>&#8203;", _MARKUP.sub(r"\g<0>\\", text))


def _in_markdown_cell(text: str) -> str:
    """Escape a text for a cell of a table in Markdown, unless it is our own."""
    return (text if isinstance(text, Trusted) else _in_markdown_line(text)).replace("|", r"\|")


def _in_latex(text: str) -> str:
    """Escape a text for LaTeX."""
    return on_one_line(text).translate(_LATEX)


def _shown(cell: Cell, escape: Callable[[str], str] = on_one_line) -> str:
    """A cell on one line; texts are escaped."""
    if isinstance(cell, str):
        return escape(cell)
    return "" if cell is None else number(cell) if isinstance(cell, float) else str(cell)


def _columns(table: Table, *, escape: Callable[[str], str]) -> list[list[str]]:
    """The columns, each its name and its cells on one line each."""
    return [[escape(name), *_aligned(cells, escape)] for name, *cells in zip(table.header, *table.rows, strict=True)]


def _padded(table: Table, *, escape: Callable[[str], str]) -> list[list[str]]:
    """Header and rows as cells of one width a column; columns of texts are aligned left, the others right."""
    return list(map(list, zip(*padded(_columns(table, escape=escape), table.n_texts), strict=True)))


def _aligned(cells: Sequence[Cell], escape: Callable[[str], str]) -> list[str]:
    """The cells of a column on one line each; where some have marks, the numbers stand below each other."""
    width = max((len(cell.mark) for cell in cells if isinstance(cell, Marked)), default=0)
    marks = [len(cell.mark) if isinstance(cell, Marked) else 0 for cell in cells]
    return [_shown(cell, escape) + " " * (width - mark) for cell, mark in zip(cells, marks, strict=True)]


def as_text(parts: Iterable[Part], width: int | None = None) -> str:
    """Tables and paragraphs for a terminal, with an empty line between any two.

    A table that is a picture is only mentioned, here as in Markdown and LaTeX.

    Args:
        parts: parts in their order.
        width: width of the terminal, to which tables are cut; None for lines of any length, for other programs.

    Example:
        >>> print(as_text([["Two texts."], Table(["group", "texts"], [["a", 2]], below=["No more."])]))
        Two texts.
        <BLANKLINE>
        group  texts
        a          2
        No more.
    """

    def drawn(table: Table) -> str:
        lines = aligned_lines(_columns(table, escape=_in_text), table.n_texts, width)
        return "\n".join([*lines, *map(_in_text, table.below)])

    return _joined(parts, drawn, _in_text)


def as_markdown(parts: Iterable[Part]) -> str:
    """Tables and paragraphs as Markdown, as `as_text`.

    Args:
        parts: parts in their order.

    Example:
        >>> print(as_markdown([Table(["group", "texts"], [["a|b", 2]])]))
        | group | texts |
        | ----- | ----: |
        | a\\|b  |     2 |
    """

    def drawn(table: Table) -> str:
        header, *rows = _padded(table, escape=_in_markdown_cell)
        is_number = [place >= table.n_texts for place in range(len(header))]
        rule = ["-" * (width_of(cell) - right) + ":" * right for cell, right in zip(header, is_number, strict=True)]
        lines = "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *rows))
        below = map(_in_markdown, table.below)
        return "\n\n".join([lines, "\n".join(below)] if table.below else [lines])

    return _joined(parts, drawn, _in_markdown)


def as_latex(parts: Iterable[Part]) -> str:
    """Tables as LaTeX with the rules of the package booktabs; paragraphs are comments above and below them.

    Args:
        parts: parts in their order.

    Example:
        >>> print(as_latex([["Two texts."], Table(["group", "share"], [["a & b", 0.25]])]))
        % Two texts.
        <BLANKLINE>
        \\begin{tabular}{lr}
        \\toprule
        group   &  share \\\\
        \\midrule
        a \\& b & 0.2500 \\\\
        \\bottomrule
        \\end{tabular}
    """

    def drawn(table: Table) -> str:
        cells = (" & ".join(row) + r" \\" for row in _padded(table, escape=_in_latex))
        header, *rows = (_LATEX_OPTION.sub(r"\g<0>{}", line) for line in cells)
        columns = "l" * table.n_texts + "r" * (len(table.header) - table.n_texts)
        lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", header, r"\midrule", *rows, r"\bottomrule"]
        return "\n".join([*lines, r"\end{tabular}", *map(_latex_comment, table.below)])

    return _joined(parts, drawn, _latex_comment)


def _latex_comment(line: str) -> str:
    return f"% {_in_text(line)}"


def _joined(parts: Iterable[Part], drawn: Callable[[Table], str], line: Callable[[str], str]) -> str:
    """Join parts with an empty line between any two; `line` writes a line of a paragraph."""
    shown = []
    for part in parts:
        if isinstance(part, Table) and part.is_picture:
            size = f"{count(len(part.rows), 'row')}, {len(part.header)} columns: shown in HTML, kept in CSV"
            shown.append(line(f"{part.title} ({size})".lstrip()))
        elif isinstance(part, Table):
            shown += [line(part.title)] if part.title else []
            shown.append(drawn(part))
        elif part:
            shown.append("\n".join(map(line, part)))
    return "\n\n".join(shown)


def as_csv(parts: Iterable[Part]) -> str:
    """The tables as CSV at full precision, with an empty line between any two; paragraphs are left out.

    An interval takes two columns, one for each end, and numbers with marks another one for these. What is undefined is
    empty. No cell is a formula for a spreadsheet, and control characters are written out.

    Args:
        parts: parts in their order.

    Example:
        >>> print(as_csv([["Left out."], Table(["measure", "interval"], [["bur", Interval(0.25, 1.0)]])]))
        measure,interval low,interval high
        bur,0.25,1.0
    """
    return "\n\n".join(_comma_separated(part) for part in parts if isinstance(part, Table))


def flat_columns(table: Table) -> list[list[Any]]:
    """The columns of a table, each its name and its cells, unrounded: an interval takes two, marks one of their own.

    Example:
        >>> flat_columns(Table(["measure", "interval"], [["bur", Interval(0.25, 1.0)]]))
        [['measure', 'bur'], ['interval low', 0.25], ['interval high', 1.0]]
    """
    columns: list[list[Any]] = []
    for name, *cells in zip(table.header, *table.rows, strict=True):
        if any(isinstance(cell, Interval) for cell in cells):
            ends = [cell if isinstance(cell, Interval) else Interval(math.nan, math.nan) for cell in cells]
            columns += ([f"{name} {end}", *(getattr(each, end) for each in ends)] for end in Interval._fields)
        elif any(isinstance(cell, (Bar, Marked)) for cell in cells):
            columns.append([name, *(cell.number if isinstance(cell, (Bar, Marked)) else cell for cell in cells)])
            marks = [cell.mark if isinstance(cell, Marked) else "" for cell in cells]
            columns += [[f"{name} mark", *marks]] if any(marks) else []
        else:
            columns.append([name, *(cell.share if isinstance(cell, Shade) else cell for cell in cells)])
    return columns


def _comma_separated(table: Table) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(
        [in_cell(cell) if isinstance(cell, str) else "" if cell is None or math.isnan(cell) else cell for cell in row]
        for row in zip(*flat_columns(table), strict=True)
    )
    return file.getvalue().rstrip("\n")


def as_html(parts: Iterable[Part], *, sortable: bool = False) -> str:
    """Tables and paragraphs as HTML without styles of their own; `fairsum_utils.reports.theme.TABLES` has these.

    Args:
        parts: parts in their order.
        sortable: mark the tables for a script that sorts their rows, and give it the numbers unrounded.

    Example:
        >>> print(as_html([["a < b"], Table(["group", "texts"], [["a", 2]], "Texts")]))
        <p>a &lt; b</p>
        <div class="fs-table" tabindex="0"><table>
        <caption>Texts</caption>
        <thead><tr><th scope="col">group</th><th scope="col" class="fs-number">texts</th></tr></thead>
        <tbody>
        <tr><th scope="row">a</th><td class="fs-number">2</td></tr>
        </tbody>
        </table></div>
    """
    shown: list[str] = []
    for part in parts:
        if isinstance(part, Table):
            shown += _html_table(part, sortable)
        lines = part.below if isinstance(part, Table) else part
        shown += [f"<p>{'<br>'.join(map(escaped, lines))}</p>"] if lines else []
    return "\n".join(shown)


def _html_table(table: Table, sortable: bool) -> Iterator[str]:
    columns = list(zip(table.header, *table.rows, strict=True))
    # Numbers are told by the cells: a column of texts behind the first is one wherever a text stands in it.
    numbers = [not any(isinstance(cell, str) for cell in column[1:]) for column in columns]
    header = "".join(map(_head, table.header, numbers))
    has_names = table.n_texts == 1 and bool(columns) and not numbers[0]  # else the first column names no row
    yield f'<div class="fs-table" tabindex="0"><table{" data-sortable" if sortable else ""}>'
    if table.title:
        yield f"<caption>{escaped(table.title)}</caption>"
    yield f"<thead><tr>{header}</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        cells = [_html_cell(cell, is_number, sortable) for cell, is_number in zip(row, numbers, strict=True)]
        if has_names:
            cells[0] = f'<th scope="row">{_shown(row[0], escaped)}</th>'
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody>"
    yield "</table></div>"


def _head(name: str, is_number: bool) -> str:
    """The head of a column; one without a name is none for whoever listens to the table."""
    side = ' class="fs-number"' if is_number else ""
    return f'<th scope="col"{side}>{escaped(name)}</th>' if name else f"<td{side}></td>"


def _html_cell(cell: Cell, is_number: bool, sortable: bool) -> str:
    classes = ["fs-number"] * is_number
    if isinstance(cell, Shade):
        classes.append(f"fs-shade-{cell.level}")
    elif isinstance(cell, Bar):
        classes.append("fs-barred")
    named = f' class="{" ".join(classes)}"' if classes else ""
    ranked = _first_number(cell) if sortable else None
    said = "" if ranked is None else f' data-value="{ranked!r}"'
    bar = _bar(cell) if isinstance(cell, Bar) else ""
    return f"<td{named}{said}>{bar}{_shown(cell, escaped)}</td>"


def _first_number(cell: Cell) -> float | None:
    """The number that a cell is sorted by; none of a text, and of what is undefined."""
    if isinstance(cell, (Bar, Marked)):
        cell = cell.number
    elif isinstance(cell, Interval):
        cell = cell.low
    elif isinstance(cell, Shade):
        cell = cell.share
    return None if cell is None or isinstance(cell, str) or math.isnan(cell) else cell


# Pixels of the bar in a cell
_BAR = 60


def _bar(bar: Bar) -> str:
    """The bar of a number, from the base of its column; nothing for what is undefined."""
    wide = bar.high - bar.low
    if not wide > 0 or not math.isfinite(bar.number):
        return ""
    base, end = (round((min(max(at, bar.low), bar.high) - bar.low) / wide * _BAR, 2) for at in (bar.base, bar.number))
    return (
        f'<svg class="fs-bar" viewBox="0 0 {_BAR} 12" width="{_BAR}" height="12" aria-hidden="true">'
        f'<rect x="{min(base, end):g}" y="1" width="{abs(end - base):g}" height="10"/>'
        f'<line x1="{base:g}" x2="{base:g}" y1="0" y2="12"/></svg>'
    )


# Name of a format -> what writes parts in it
FORMATS: Mapping[str, Callable[[Iterable[Part]], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
    "csv": as_csv,
    "html": as_html,
}


def to_json(result: Any, indent: int | None = 2) -> str:
    """JSON in which NaN is null, full precision; what a terminal obeys is escaped.

    Args:
        result: dicts, lists, texts and numbers.
        indent: blanks for each level; None for one line.

    Example:
        >>> print(to_json({"bur": float("nan")}))
        {
          "bur": null
        }
    """
    document = json.dumps(_without_nan(result), indent=indent, ensure_ascii=False, allow_nan=False)
    return UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", document)


def _without_nan(item: Any) -> Any:
    if isinstance(item, dict):
        return {key: _without_nan(value) for key, value in item.items()}
    if isinstance(item, list):
        return [_without_nan(value) for value in item]
    return None if isinstance(item, float) and math.isnan(item) else item


_STYLE = f"""\
.fairsum-results{{max-width:100%;overflow-x:auto;line-height:1.4}}
.fairsum-results p{{margin:0.4em 0;overflow-wrap:anywhere}}
.fairsum-results summary{{cursor:pointer;padding:0.4em 0}}
{TABLES}"""


def notebook_page(drawing: Drawing | None, parts: Iterable[Part]) -> str:
    """Return a drawing, and below it the tables, folded away, with styles of their own and no script."""
    tables = as_html(parts)
    if drawing is not None:
        tables = f"{drawing._repr_html_()}\n<details><summary>Tables</summary>\n{tables}\n</details>"
    return f'<div class="fairsum-results">\n<style>\n{_STYLE}</style>\n{tables}\n</div>'
