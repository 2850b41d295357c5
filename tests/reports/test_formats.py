"""Tables and paragraphs in every format."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils._util.terminal import on_one_line
from fairsum_utils.reports.escaping import in_cell
from fairsum_utils.reports.formats import FORMATS, as_csv, as_latex, as_markdown, as_text, to_json, width_of
from fairsum_utils.reports.html import as_html
from fairsum_utils.reports.tables import Interval, Marked, Part, Shade, Table

TABLE = Table(["name", "mean |x|"], [["a|b\nc", 0.25], ["<i>", None], ["d", math.nan]], "Title", ["no x: none"])


def test_text_has_a_cell_on_one_line() -> None:
    assert as_text([["One.", "Two."], TABLE, [], ["End."]]).splitlines() == [
        "One.",
        "Two.",
        "",
        "Title",
        "",
        "name    mean |x|",
        "a|b c     0.2500",
        "<i>",
        "d      undefined",
        "no x: none",
        "",
        "End.",
    ]


def test_markdown_keeps_columns_and_lines_apart() -> None:
    assert as_markdown([TABLE]).splitlines() == [
        "Title",
        "",
        r"| name   |   mean \|x\| |",
        "|:-------|-------------:|",
        r"| a\|b c |       0.2500 |",
        "| &lt;i> |              |",
        "| d      |    undefined |",
        "",
        "no x: none",
    ]


def test_html_is_text_only() -> None:
    shown = as_html([["<b>"], TABLE])
    assert shown.startswith('<p>&lt;b&gt;</p>\n<div class="fs-table" tabindex="0"><table>\n<caption>Title</caption>')
    assert '<tr><th scope="row">&lt;i&gt;</th><td class="fs-number"></td></tr>' in shown
    assert shown.endswith("</table></div>\n<p>no x: none</p>")
    assert "style" not in shown
    # Texts stand in attributes of pages too.
    assert as_html([["&lt; \"a\" 'b'"]]) == "<p>&amp;lt; &quot;a&quot; &#x27;b&#x27;</p>"


def test_html_tells_heads_from_cells() -> None:
    shown = as_html([Table(["", "text", "n"], [["a", "x", 1]]), Table(["id", "text"], [["a", "x"]], n_texts=2)])
    assert '<tr><td></td><th scope="col">text</th><th scope="col" class="fs-number">n</th></tr>' in shown
    assert '<th scope="row">a</th><td>x</td><td class="fs-number">1</td>' in shown
    assert "<td>a</td><td>x</td>" in shown  # two columns of texts: none of them names the row
    assert '<th scope="row">1</th>' not in as_html([Table(["n"], [[1]])])


def test_html_cuts_long_heads() -> None:
    shown = as_html([Table(["system", "x" * 39 + "<y>"], [["a", 1]])])
    assert f'<th scope="col" class="fs-number" title="{"x" * 39}&lt;y&gt;">{"x" * 39}…</th>' in shown


def test_html_has_unrounded_numbers_to_sort_by() -> None:
    cells = [["a", 1 / 3, Interval(0.25, 1.0), Marked(0.5, "*")], ["b", math.nan, None, None]]
    shown = as_html([Table(["value", "x", "ci", "m"], cells)], sortable=True)
    assert "<table data-sortable>" in shown
    assert re.findall('data-value="(.*?)"', shown) == [repr(1 / 3), "0.25", "0.5"]
    assert "data-" not in as_html([Table(["value", "x"], [["a", 1.0]])])


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_json_has_null_for_nan_and_infinity(number: float) -> None:
    assert json.loads(to_json({"a": [number, {"b": number}], "c": "ä"})) == {"a": [None, {"b": None}], "c": "ä"}


# Control characters, changes of the direction of writing, ends of lines, and halves of characters
_OBEYED = [
    *range(0x20),
    *range(0x7F, 0xA0),
    0x200E,
    0x200F,
    *range(0x2028, 0x202F),
    *range(0x2066, 0x206A),
    0xD800,
    0xDFFF,
]
OBEYED = {*map(chr, _OBEYED)}


def test_json_has_nothing_that_a_terminal_obeys() -> None:
    text = f"ä\\{''.join(sorted(OBEYED, reverse=True))}"
    shown = to_json({text: text}, indent=None)
    assert json.loads(shown) == {text: text}
    assert not OBEYED & {*shown}
    assert "ä" in shown


def test_wide_letters_take_two_columns() -> None:
    table = Table(["value", "n"], [["日本", 1], ["e\u0301", 2], ["abcd", 3]])
    assert as_text([table]).splitlines() == ["value  n", "日本   1", "e\u0301      2", "abcd   3"]


def test_a_terminal_obeys_no_text() -> None:
    every = "".join(sorted(OBEYED))
    for write in FORMATS.values():
        assert not (OBEYED - {"\n"}) & {*write([[every], Table([every], [[every]], every, [every])])}


def test_latex_has_no_command_of_a_cell() -> None:
    shown = as_latex([["50%"], Table(["a_b"], [[r"\input{x}"], ["& ^ ~ $ # % < > |"]], "T", ["below"])]).splitlines()
    assert [" ".join(line.split()) for line in shown if not line.startswith("\\")] == [
        *("% 50%", "", "% T", "", r"a\_b \\", r"\textbackslash{}input\{x\} \\"),
        r"\& \textasciicircum{} \textasciitilde{} \$ \# \% \textless{} \textgreater{} \textbar{} \\",
        "% below",
    ]


def test_csv_is_read_back_at_full_precision() -> None:
    table = Table(
        ["name", "interval", "n"], [["a,b", Interval(0.1, 1 / 3), 2], ['"', None, None], ["", Interval(0, 1), 3]]
    )
    assert list(csv.reader(as_csv([["left out"], table]).splitlines())) == [
        ["name", "interval low", "interval high", "n"],
        ["a,b", "0.1", str(1 / 3), "2"],
        ['"', "", "", ""],
        ["", "0", "1", "3"],
    ]


def test_several_tables_are_one_of_csv() -> None:
    scores = Table(["name", "p", "p"], [["a", 0.5, 0.25]])
    other = Table(["value", "p"], [["neg", 1.0], ["pos", 2]], "=By value")
    assert list(csv.reader(as_csv([scores, ["left out"], other]).splitlines())) == [
        ["table", "name", "p", "p", "value"],
        ["name", "a", "0.5", "0.25", ""],
        ["'=By value", "", "1.0", "", "neg"],
        ["'=By value", "", "2", "", "pos"],
    ]


@pytest.mark.parametrize(
    "formula",
    [*("=1+1", "+1", "-1", "@SUM(A1)", "\t1", " =1", "\r1", "\n=1", "\x0b\x0c\x85\u2028\u2029=1"), *"＝＋－＠"],
)
def test_csv_has_no_formula(formula: str) -> None:
    shown = on_one_line(f"'{formula}")
    assert in_cell(formula) == shown
    assert as_csv([Table(["a"], [[formula]])]).splitlines()[1] == shown
    assert as_csv([Table([formula], [["a"]])]).splitlines()[0] == shown
    assert as_csv([Table(["a"], [[-1]])]).splitlines()[1] == "-1"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("gap", ["", " ", '"', ' "', '""', "'"])
def test_csv_has_no_formula_wherever_a_spreadsheet_cuts(delimiter: str, gap: str) -> None:
    """In most of Europe the separator of lists, and so of columns, is a semicolon."""
    label = f"soup{delimiter}{gap}=cmd|' /C calc'!A0{delimiter}"
    text = as_csv([Table(["label", "n"], [[label, 1], [f"@x{delimiter}+1", -2]])])
    cells = [cell for row in csv.reader(text.splitlines(), delimiter=delimiter) for cell in row]
    assert not [cell for cell in cells if cell.lstrip(' "')[:1] in ("=", "@", "+")]
    assert any(cell.endswith("-2") for cell in cells)


def test_csv_keeps_texts_with_signs() -> None:
    texts = ["a=1", "1; 2", "x|y", "soup - 3; bread", "a@b.c"]
    assert [in_cell(text) for text in texts] == texts


def test_marks_stand_behind_numbers_that_are_aligned() -> None:
    table = Table(["name", "x", "n"], [["a", Marked(0.5, "**"), Marked(12.34, digits=1)], ["b", Marked(0.25), None]])
    assert as_text([table]).splitlines() == ["name         x     n", "a     0.5000**  12.3", "b     0.2500"]
    assert as_csv([table]).splitlines() == ["name,x,x mark,n", "a,0.5,**,12.34", "b,0.25,,"]
    assert "<td" in as_html([table])
    assert ">0.5000**<" in as_html([table])
    assert r" a      & 0.5000** & 12.3 \\" in as_latex([table]).splitlines()


def test_columns_of_texts_are_aligned_left() -> None:
    table = Table(["id", "text", "n"], [["a", "汤 soup", 1], ["b", "bread", 22]], n_texts=2)
    assert as_text([table]).splitlines() == ["id  text      n", "a   汤 soup   1", "b   bread    22"]
    assert as_markdown([table]).splitlines()[1] == "|:-----|:--------|----:|"
    assert r"\begin{tabular}{llr}" in as_latex([table])


def test_a_share_is_a_number_everywhere_and_a_shade_in_html() -> None:
    table = Table(["statement", "a 1"], [["1. Soup.", Shade(0.834)], ["2. Bread.", None]])
    assert as_text([table]).splitlines()[1].split() == ["1.", "Soup.", "0.83"]
    assert "| 1. Soup.    |  0.83 |" in as_markdown([table])
    assert as_csv([table]).splitlines()[1:] == ["1. Soup.,0.834", "2. Bread.,"]
    assert '<td class="fs-number fs-shade-8">0.83</td>' in as_html([table])


@pytest.mark.parametrize("written", [as_text, as_markdown, as_latex])
def test_a_picture_is_mentioned(written: Callable[[list[Part]], str]) -> None:
    table = Table(["statement", *map(str, range(10))], [["1.", *[Shade(0.5)] * 10]], "Who covers what")
    assert written([table]).removeprefix("% ") == "Who covers what (1 row, 11 columns: shown in HTML, kept in CSV)"
    narrower = Table(table.header[:10], [row[:10] for row in table.rows], table.title)
    assert "0.50" in written([narrower])
    numbers = table._replace(rows=[["1.", *[0.5] * 10]])
    assert "0.5000" in written([numbers])


LINES = Table(
    ["number", "source", "here"],
    [["of reviews", "table 1", 12], ["of a very long debate", "table 2", 3]],
    n_texts=2,
)


def test_without_a_terminal_lines_are_as_long_as_their_cells() -> None:
    assert as_text([LINES]).splitlines() == [
        "number                 source   here",
        "of reviews             table 1    12",
        "of a very long debate  table 2     3",
    ]
    # 21 + 7 + 4 columns and two gaps of 2 just fit.
    assert as_text([LINES], width=36) == as_text([LINES])


def test_the_widest_text_is_cut_between_words() -> None:
    # 35 - 7 - 4 - 4 = 20 columns are left for the first, of which its lines take 14.
    assert as_text([LINES], width=35).splitlines() == [
        "number          source   here",
        "of reviews      table 1    12",
        "of a very long  table 2     3",
        "debate",
    ]


def test_numbers_that_do_not_fit_follow_below() -> None:
    table = Table(["system", "a", "b", "c"], [["gpt4", 25, 5, 1]])
    # "gpt4     25  5" is 14 columns wide.
    assert as_text([table], width=14).splitlines() == ["system   a  b", "gpt4    25  5", "", "system  c", "gpt4    1"]
    # Not even one column of numbers fits beside the names: each by itself all the same.
    assert as_text([table], width=3).splitlines()[:3] == ["system   a", "gpt4    25", ""]


_WORDS = st.lists(st.sampled_from(["a", "soup", "reviews", "スープ"]), min_size=1, max_size=5).map(" ".join)


@given(
    st.lists(st.tuples(_WORDS, _WORDS, *[st.sampled_from(["1", "0.25", "[0.1, 0.2]"])] * 4), min_size=1, max_size=4),
    st.integers(1, 90),
)
def test_no_word_is_lost_and_no_line_too_long(rows: list[tuple[str, ...]], width: int) -> None:
    columns = list(zip(*rows, strict=True))
    lines = as_text([Table(rows[0], rows[1:], n_texts=2)], width).splitlines()
    # Two texts of 12 and one column of numbers (10) can always be had.
    assert max(map(width_of, lines)) <= max(width, 12 + 2 + 12 + 2 + 10)
    words = " ".join(lines).split()
    for column in columns[2:]:
        for word in " ".join(column).split():
            assert words.count(word) >= sum(cell.split().count(word) for cell in column)
    for word in " ".join(columns[0]).split():
        assert word in words
