"""Axes hold their numbers and have round ticks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.reports.panels import Scale
from fairsum_utils.reports.svg import clean, shortened, width, wrapped

NUMBERS = st.lists(st.floats(-1e6, 1e6).map(lambda number: round(number, 6)), min_size=1, max_size=6)


@given(numbers=NUMBERS, wide=st.integers(50, 600))
def test_numbers_are_on_the_axis_and_in_order(numbers: list[float], wide: int) -> None:
    scale = Scale.over(numbers, 10, 10 + wide)
    places = [scale.at(number) for number in sorted(numbers)]
    assert places == sorted(places)
    assert 10 - 0.01 <= places[0] <= places[-1] <= 10 + wide + 0.01
    texts = [text for _, text in scale.ticks()]
    assert len(set(texts)) == len(texts) >= 2
    for number, text in scale.ticks():
        assert float(text.replace("−", "-")) == pytest.approx(number, abs=1e-6 * max(1, abs(number)))


@pytest.mark.parametrize(
    ("numbers", "texts"),
    [
        ([0, 1], ["0.0", "0.5", "1.0"]),
        ([0.0, 0.048], ["0.00", "0.02", "0.04", "0.06"]),
        ([-3, 3], ["−4", "−2", "0", "2", "4"]),
        ([5, 5], ["5.0", "5.5", "6.0"]),
    ],
)
def test_ticks_by_hand(numbers: list[float], texts: list[str]) -> None:
    # 320 pixels with 100 between two ticks: at most 3 steps
    assert [text for _, text in Scale.over(numbers, 0, 320, apart=100).ticks()] == texts


@pytest.mark.parametrize(
    "numbers", [[0.0, 5e-324], [0.0, 1e-30], [1e300, 1e300], [1.0, 1.0 + 1e-15], [-1e20, -1e20 + 1.0]]
)
def test_numbers_that_are_hardly_two_have_a_scale(numbers: list[float]) -> None:
    scale = Scale.over(numbers, 0, 320)
    assert scale.low <= min(numbers) < scale.high
    assert 0 <= scale.at(numbers[0]) <= 320
    assert len({scale.low, scale.high}) == 2


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
