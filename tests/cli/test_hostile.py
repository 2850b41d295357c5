"""Ids, values, groups and names of files that want more than to be shown: in terminals, spreadsheets and pages."""

import base64
import csv
import io
import json
import re
import zlib

import pytest

ESCAPE, TURN = "\x1b[31m", "\u202e"
FORMULA = "=HYPERLINK(1)"
NASTY = [f"{FORMULA}{ESCAPE}", f"+{TURN}<img src=x onerror=alert(1)>", "@</script>\x00"]


def shown(path):
    """What a page shows as HTML: itself, and the samples that are packed in it."""
    page = path.read_text(encoding="utf-8")
    blocks = re.findall(r"<script type=\"[^\"]+\" class=\"fs-block\"[^>]*>([A-Za-z0-9+/=]+)</script>", page)
    assert blocks
    return page + "".join(zlib.decompress(base64.b64decode(block), wbits=-15).decode() for block in blocks)


@pytest.fixture
def nasty(write_jsonl, demo_rows):
    """Samples of which every field that is no text is as bad as can be."""
    for place, row in enumerate(demo_rows):
        row["id"] = f"{NASTY[place % 3]}{place}"
        row["values"] = [NASTY[value == "positive"] for value in row["values"]]
    return write_jsonl(demo_rows)


@pytest.fixture
def groups(write_jsonl):
    texts = ["A great, lovely book.", "A terrible, awful book.", "A book.", "A bad book."]
    rows = [{"id": NASTY[n % 3] + str(n), "prediction": text, "group": NASTY[n % 2]} for n, text in enumerate(texts)]
    return write_jsonl(rows, "groups.jsonl")


def commands(nasty, groups, tmp_path):
    """Everything that prints ids, values, groups or names of systems."""
    other = tmp_path / f"{FORMULA}.jsonl"
    other.write_bytes(nasty.read_bytes())
    third = tmp_path / "third.jsonl"
    third.write_bytes(nasty.read_bytes())
    lexical = ("--metrics", "equal_coverage,coverage_parity", "--entailer", "lexical")
    return [
        ("score", nasty), ("score", nasty, *lexical), ("score", groups, "--metrics", "sentiment,gender_polarity"),
        ("inspect", nasty), ("inspect", nasty, "--metrics", "equal_coverage", "--entailer", "lexical"),
        ("inspect", groups, "--metrics", "sentiment"),
        ("compare", nasty, other), ("compare", nasty, other, third, "--pairs"),
    ]  # fmt: skip


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "csv", "html", "json"])
def test_no_command_prints_what_a_terminal_obeys(fairsum, nasty, groups, tmp_path, format):
    for command in commands(nasty, groups, tmp_path):
        status, printed, _ = fairsum(*command, "--format", format)
        assert status == 0
        assert format != "json" or json.loads(printed)
        assert not {"\x1b", "\x00", TURN} & set(printed), command
        assert format != "html" or "<img" not in printed


def test_no_cell_of_csv_is_a_formula(fairsum, nasty, groups, tmp_path):
    for command in commands(nasty, groups, tmp_path):
        _, printed, _ = fairsum(*command, "--format", "csv")
        cells = [cell for row in csv.reader(io.StringIO(printed)) for cell in row]
        assert len(cells) > 3
        for cell in cells:
            if cell[:1] in ("=", "+", "@", "\t", "\r"):
                pytest.fail(f"{command}: {cell!r}")
            if cell.startswith("-"):
                float(cell)  # a number below zero is none


def test_errors_are_one_harmless_line(fairsum, nasty, tmp_path):
    for command in (("inspect", nasty, "--id", f"{ESCAPE}x"), ("score", tmp_path / f"{TURN}{ESCAPE}.jsonl")):
        status, printed, err = fairsum(*command)
        assert (status, printed, err.count("\n")) == (2, "", 1)
        assert not {"\x1b", TURN} & set(err)


def test_pages_hold_them_as_texts(fairsum, nasty, groups, tmp_path):
    page = tmp_path / "report.html"
    for command in commands(nasty, groups, tmp_path):
        if command[0] == "inspect":
            continue
        assert fairsum(*command, "--report", page)[0] == 0
        found = page.read_text(encoding="utf-8")
        assert "<img" not in shown(page)
        assert found.count("</script>") == found.count("<script")
        assert not {"\x1b", "\x00", TURN} & set(found)
    assert fairsum("score", nasty, "--report", page, "--output", tmp_path / "results.json")[0] == 0
    title = f"<b>{TURN}{ESCAPE}</title>"
    assert fairsum("report", tmp_path / "results.json", "-o", page, "--title", title)[0] == 0
    found = page.read_text(encoding="utf-8")
    assert "<b>\\" not in found
    assert not {"\x1b", TURN} & set(found)
