"""Widths are rather too large than too small, and what is shortened fits."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.reports.drawings.text import clean, shortened, width, wrapped

WORDS = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=60)


@given(text=WORDS, most=st.floats(20, 300))
def test_what_is_shortened_fits(text: str, most: float) -> None:
    made = shortened(text, 13, most)
    assert width(made, 13) <= most
    assert made == text or text.startswith(made.removesuffix("…"))


@given(text=WORDS, most=st.floats(20, 300), lines=st.integers(1, 4))
def test_lines_fit_and_keep_the_words(text: str, most: float, lines: int) -> None:
    made = wrapped(text, 12, most, lines)
    assert len(made) <= lines
    assert all(width(line, 12) <= most for line in made)
    if not any(line.endswith("…") for line in made):
        assert " ".join(made).split() == text.split()


def test_widths_are_those_of_a_wide_font_at_least() -> None:
    font = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
    image_font = pytest.importorskip("PIL.ImageFont")
    if not font.exists():
        pytest.skip("DejaVu Sans is not here")
    measured = image_font.truetype(str(font), 100)
    for code in range(32, 127):
        assert width(chr(code), 100) >= measured.getlength(chr(code)) - 0.5, chr(code)


def test_what_xml_cannot_hold_is_written_out() -> None:
    assert clean("a\x00\ud800\ufffe\u202eb\n c") == "a\\x00\\ud800\\u202eb c"
