"""Tables and paragraphs as text, Markdown and HTML."""

from __future__ import annotations

import json
import math

from fairsum_utils.reports.tables import Table, as_html, as_text, to_json

TABLE = Table(["name", "mean |x|"], [["a|b\nc", 0.25], ["<i>", None], ["d", math.nan]], "Title", ["no x: none"])


def test_text_keeps_cells_as_they_are() -> None:
    assert as_text([["One.", "Two."], TABLE._replace(rows=TABLE.rows[1:]), [], ["End."]]).splitlines() == [
        "One.",
        "Two.",
        "",
        "Title",
        "",
        "name   mean |x|",
        "<i>",
        "d     undefined",
        "no x: none",
        "",
        "End.",
    ]


def test_markdown_keeps_columns_and_lines_apart() -> None:
    assert as_text([TABLE], markdown=True).splitlines() == [
        "Title",
        "",
        r"| name   | mean \|x\| |",
        "| ------ | ---------: |",
        r"| a\|b c |     0.2500 |",
        "| <i>    |            |",
        "| d      |  undefined |",
        "",
        "no x: none",
    ]


def test_html_is_text_only() -> None:
    shown = as_html([["<b>"], TABLE])
    assert "<p>&lt;b&gt;</p>\n<h3>Title</h3>" in shown
    assert '<tr><td>&lt;i&gt;</td><td style="text-align: right"></td></tr>' in shown
    assert shown.endswith("</table>\n<p>no x: none</p>")


def test_json_has_null_for_nan() -> None:
    assert json.loads(to_json({"a": [math.nan, {"b": math.nan}], "c": "ä"})) == {"a": [None, {"b": None}], "c": "ä"}
