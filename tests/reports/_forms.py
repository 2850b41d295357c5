"""What the tests of every form of panels need."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations

from fairsum_utils.reports.svg import Drawing, Panel, width

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "title", "desc", "style", "rect", "g", "line", "circle", "path", "text"}
HOSTILE = ["<script>alert(1)</script>", "a&b\"'", "\u202eneg\x1b[31m", "x" * 300, "中文" * 30, "", "a\nb"]
WIDE, NARROW = 680, 344


def drawn(*panels: Panel, wide: float = WIDE) -> ET.Element:
    return ET.fromstring(Drawing("T", panels).at(wide))


def groups(root: ET.Element, kind: str) -> Iterator[ET.Element]:
    """The groups of a class, such as bins."""
    return (group for group in root.iter(f"{SVG}g") if group.get("class") == kind)


def texts(root: ET.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def check(root: ET.Element) -> None:
    """No other shapes, nothing outside the frame, no text on another, nothing hostile."""
    wide, high = float(root.get("width", "")), float(root.get("height", ""))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= TAGS
    boxes = []
    for element in root.iter():
        assert not [name for name in element.attrib if name.lower().startswith("on") or "href" in name]
        for name, most in (("x", wide), ("x1", wide), ("x2", wide), ("cx", wide), ("y", high), ("cy", high)):
            if name in element.attrib:
                assert -5 <= float(element.attrib[name]) <= most + 5
        if element.tag == f"{SVG}path":
            assert not re.search("nan|inf", element.get("d", ""))
    for text in root.iter(f"{SVG}text"):
        size, x, y = (float(text.get(name, "")) for name in ("font-size", "x", "y"))
        long = width(text.text or "", size)
        left = x - {"end": long, "middle": long / 2}.get(text.get("text-anchor", ""), 0)
        assert -2 <= left <= left + long <= wide + 2, text.text
        assert 0 <= y - 0.75 * size < y + 0.2 * size <= high, text.text
        boxes.append((left, y - 0.75 * size, left + long, y + 0.2 * size, text.text))
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1], (one, other)
    assert "\u202e" not in ET.tostring(root, encoding="unicode")
