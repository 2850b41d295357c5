"""Marks of a text, cut into pieces that do not overlap, and texts as safe HTML."""

from __future__ import annotations

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.marks import Span
from fairsum_utils.reports.page.marks import Piece, class_of, marks
from fairsum_utils.reports.page.templates import with_signs

COLOURS = {"neg": "v1", "neu": "v2", "pos": "v3"}
NAMES = st.lists(st.sampled_from([*COLOURS, "other"]), max_size=3, unique=True).map(lambda names: tuple(sorted(names)))
KINDS = st.sampled_from(["word", "unit", "chunk", "person", "plus", "minus"])


@st.composite
def marked_texts(draw: st.DrawFn) -> tuple[str, list[Span]]:
    text = draw(st.text(max_size=40))
    ends = st.integers(-2, len(text) + 2)
    spans = st.builds(Span, ends, ends, NAMES, KINDS, st.text(max_size=3), st.text(max_size=3))
    return text, draw(st.lists(spans, max_size=6))


def pieces(text: str, *spans: Span) -> list[Piece]:
    return [*marks(text, spans, COLOURS)]


def test_overlapping_spans_are_cut_into_pieces() -> None:
    # 0         1
    # 01234567890123
    # Tasty hot soup    a unit over all, a word in it, and one of two words
    unit = Span(0, 14, ("pos",), "unit", "u1")
    word = Span(0, 5, ("neg",), "word", "tasty", 'counted as "b" <i>')
    pair = Span(6, 14, ("neg",), "word", "hot soup")
    assert pieces("Tasty hot soup.", unit, word, pair) == [
        ("Tasty", "fs-unit fs-word fs-v1-v3 fs-first", 'neg, pos: counted as "b" <i>', ("u1", "tasty")),
        (" ", "fs-unit fs-v3", "pos", ("u1",)),
        ("hot soup", "fs-unit fs-word fs-v1-v3", "neg, pos", ("u1", "hot soup")),  # the unit goes on
        (".", "", "", ()),
    ]


def test_classes() -> None:
    assert class_of(["v2", "v1", "v3"]) == "fs-v1-v2-v3"
    assert class_of(["v1", "v2", "v3", "v4"]) == "fs-shared"


def test_invisible_characters_are_written_out() -> None:
    shown = with_signs("a\x00b\u202ec\x1b[31m\ud800\x85\tline\nnext\r\nlast\rend")
    assert unescape(re.sub("<[^>]*>", "", shown)) == "a\\x00b\\u202ec\\x1b[31m\\ud800\\x85\tline\nnext\nlast\nend"
    assert shown.count('<span class="fs-sign">') == 4  # neighbours are in one


def test_long_words_can_be_broken() -> None:
    # 1,000 letters: after each 200 but the last
    assert with_signs("x" * 1000) == "<wbr>".join(["x" * 200] * 5)
    assert "<wbr>" not in with_signs("x" * 200)
    assert "<wbr>" not in with_signs(" ".join(["x" * 150] * 10))


@given(marked_texts())
def test_the_text_stays_and_each_character_has_its_marks(given_: tuple[str, list[Span]]) -> None:
    text, spans = given_
    made = pieces(text, *spans)
    assert "".join(piece.text for piece in made) == text
    place = 0
    for piece in made:
        covering = [span for span in spans if max(span.start, 0) <= place < span.end]
        assert bool(piece.classes) == bool(covering)
        assert {f"fs-{span.kind}" for span in covering} <= set(piece.classes.split())
        assert piece.title.startswith(", ".join(sorted({name for span in covering for name in span.names})))
        place += len(piece.text)


@given(st.text())
def test_any_text_is_inert(text: str) -> None:
    shown = with_signs(text)
    shown.encode()  # no half of a character
    assert not set(re.sub('<wbr>|<span class="fs-sign">|</span>', "", shown)) & set("<>\"'")


def test_each_span_is_looked_at_a_few_times() -> None:
    """Whatever the number of spans: many take no time by the square."""
    looks = []

    class Watched(Span):
        @property
        def end(self) -> int:  # type: ignore[override]
            looks.append(self)
            return self[1]

    spans = [Watched(6 * number, 6 * number + 5, (), "word", "", "") for number in range(100)]
    assert sum(bool(piece.classes) for piece in pieces("words " * 100, *spans)) == 100
    assert len(looks) <= 10 * len(spans)
