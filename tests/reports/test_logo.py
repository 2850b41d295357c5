"""The logo is seen at the size of a tab, in one colour, and needs nothing from elsewhere."""

from __future__ import annotations

import io
import re
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from fairsum_utils.reports.logo import as_address, favicon, logo
from fairsum_utils.reports.palette import DARK, LIGHT


def test_lines_and_dots_are_apart_at_16_pixels() -> None:
    resvg: Any = pytest.importorskip("resvg_py")
    image: Any = pytest.importorskip("PIL.Image")
    drawn = bytes(resvg.svg_to_bytes(svg_string=logo("#000000"), width=16, height=16))
    opaque = image.open(io.BytesIO(drawn)).convert("RGBA").getchannel("A").load()
    rows = [
        "".join("#" if opaque[x, y] > 160 else "." if opaque[x, y] < 96 else "?" for x in range(16)) for y in range(16)
    ]
    assert rows[4][3:13] == "." * 10  # the line
    assert re.fullmatch(r"#+\.+#+\.+#+\.+#+", re.sub(r"\?", "", rows[8]))  # three dots in the bubble
    assert rows[6] == "#" * 16  # between the two
    assert "#" in rows[14]  # the tail


def test_one_colour_and_nothing_to_fetch() -> None:
    for svg, colours in ((logo(), {"currentColor"}), (favicon(), {LIGHT["accent"], DARK["accent"]})):
        ElementTree.fromstring(svg)
        assert set(re.findall(r'fill[=:]"?([^"};]+)', svg)) == colours
        assert set(re.findall(r"[a-z]+://[^\"']+", svg)) == {"http://www.w3.org/2000/svg"}


def test_an_address_is_the_picture() -> None:
    address = as_address(favicon())
    assert unquote(address.removeprefix("data:image/svg+xml,")) == favicon()
    assert not set(address) & set("\"'<># ")
