"""Drawings in a page: two forms, and nothing that its policy forbids."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.reports.figures import draw
from fairsum_utils.reports.page import blocks
from fairsum_utils.reports.page.blocks import SEPARATOR, SIGNS, Blocks, packed
from fairsum_utils.reports.svg import Drawing
from tests._results import FAMILIES, of_family

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("<>&;\n\t")), max_size=30)


def unpacked(block: str) -> str:
    """As a browser does it."""
    return zlib.decompress(base64.b64decode(block), -zlib.MAX_WBITS).decode()


def read(made: Blocks) -> Iterator[list[str]]:
    """The texts of each block, with the tags in their places."""
    table = dict(zip(SIGNS, made.tags, strict=False))
    for block in made:
        yield ["".join(table.get(letter, letter) for letter in text) for text in unpacked(block).split(SEPARATOR)]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_packed_texts_can_be_unpacked_and_are_inert(text: str):
    shown = packed(text)
    assert unpacked(shown) == text
    assert shown.isascii()
    assert not set(shown) & set("<>&\"'")


@given(TEXTS)
def test_all_texts_come_back_in_their_order(texts: list[str]):
    made = Blocks()
    made.take(iter(texts))
    assert [text for block in read(made) for text in block] == texts
    assert sum(made.lengths) == len(texts)
    made.close()


def test_blocks_are_of_a_size_and_tags_take_one_letter(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(blocks, "_SIZE", 1000)
    texts = [f'<mark class="fs-word">{number}</mark> ' * 10 for number in range(300)]
    made = Blocks()
    made.take(texts)
    # each text is 10 times a letter, digits, a letter and a blank: 40 to 60 letters
    assert made.tags == ['<mark class="fs-word">', "</mark>"]
    assert set(made.lengths[:-1]) <= set(range(1000 // 60, 1000 // 40 + 2))
    assert [text for block in read(made) for text in block] == texts
    assert [len(block) for block in read(made)] == made.lengths
    made.close()


def test_no_more_tags_than_there_are_letters_for():
    made = Blocks()
    made.take(["".join(f"<b{number}>" for number in range(40))])
    assert len(made.tags) == len(SIGNS) == 26
    assert len(list(made)) == 1
    made.close()


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_is_lost_but_styles(family: str) -> None:
    drawing = draw([("<x>", dict(of_family(family)))])
    html = drawing.for_page()
    assert "style" not in html
    assert "<x>" not in html
    assert html.count("<svg") == 2
    assert [html.count(f'class="fairsum-{form}"') for form in ("drawings", "wide", "narrow")] == [1, 1, 1]
    # The style sheet of the page has the fonts, and the colours of classes; each coloured shape has its class.
    shapes = re.findall(r'<[^>]* (?:fill|stroke)="#[0-9a-f]{6}"[^>]*>', drawing.svg)
    assert all(re.search(r'class="[^"]*\b[fs]-', shape) for shape in shapes)
    gone = r'<style>.*?</style>| style="[^"]*"| font-family="[^"]*"| (?:fill|stroke)="#[0-9a-f]{6}"'
    wide = re.sub(gone, "", drawing.svg, flags=re.DOTALL)
    assert wide in html


def test_nothing_to_draw() -> None:
    assert Drawing("t", []).for_page() == ""
