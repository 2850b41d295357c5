"""Chunks and windows of documents."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.families.coverage.chunks import check_units, chunk_spans, chunks, cut
from fairsum_utils.text.punkt import sentences
from fairsum_utils.text.splitting import get_splitter

# Three, four, two and six words.
TEXT = "It was good. I ate the soup. Very tasty. We waited long for our bread."
WORDS = st.text("ab", min_size=1, max_size=3)
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=9), max_size=12)
SIZES = st.integers(1, 12)


def windows(text: str, chunk_words: int = 100, language: str = "english") -> list[str]:
    return cut(get_splitter(language).sentences(text), chunk_words, language, overlapping=True)


def window_spans(text: str, chunk_words: int = 100, language: str = "english") -> list[tuple[int, int]]:
    return chunk_spans(text, chunk_words, language, overlapping=True)


def document(words: list[list[str]]) -> str:
    """Sentences that Punkt finds again: a capital at the start, a mark at the end."""
    return " ".join(f"{' '.join(sentence).capitalize()}!" for sentence in words)


def literal_chunks(parts: list[str], limit: int) -> list[str]:
    """The longest run of first sentences that fits, or the first one in pieces; then the rest likewise."""
    if not parts:
        return []
    fitting = [n for n in range(1, len(parts) + 1) if len(" ".join(parts[:n]).split()) <= limit]
    if fitting:
        return [" ".join(parts[: fitting[-1]]), *literal_chunks(parts[fitting[-1] :], limit)]
    words = parts[0].split()
    pieces = [" ".join(words[start : start + limit]) for start in range(0, len(words), limit)]
    return pieces + literal_chunks(parts[1:], limit)


def literal_window(parts: list[str], place: int, limit: int) -> str:
    """One window, by the definition, adding up words anew at each step."""
    window = [place]

    def n_words(places: list[int]) -> int:
        return len(" ".join(parts[each] for each in places).split())

    for distance in range(1, len(parts)):
        sides = [side for side in (place - distance, place + distance) if 0 <= side < len(parts)]
        if len(sides) == 2 and n_words([sides[1]]) < n_words([sides[0]]):
            sides.reverse()
        for side in sides:
            if n_words([*window, side]) >= limit:
                return " ".join(parts[each] for each in sorted(window))
            window.append(side)
    return " ".join(parts[each] for each in sorted(window))


@pytest.mark.parametrize(
    ("chunk_words", "expected"),
    [
        (100, [TEXT]),
        # 3 + 4 + 2 = 9, and 9 + 6 > 9
        (9, ["It was good. I ate the soup. Very tasty.", "We waited long for our bread."]),
        # 3 + 4 = 7; 2 + 6 = 8
        (8, ["It was good. I ate the soup.", "Very tasty. We waited long for our bread."]),
        # 3; 4 + 2 = 6; 6
        (6, ["It was good.", "I ate the soup. Very tasty.", "We waited long for our bread."]),
        # 3; 4; 2; 6 = 4 + 2, the longer sentence for itself
        (4, ["It was good.", "I ate the soup.", "Very tasty.", "We waited long for", "our bread."]),
        (1, TEXT.split()),
        (None, ["It was good.", "I ate the soup.", "Very tasty.", "We waited long for our bread."]),
    ],
)
def test_chunks(chunk_words: int | None, expected: list[str]) -> None:
    assert chunks(TEXT, chunk_words) == expected


def test_a_long_sentence_is_cut_into_chunks_of_its_own() -> None:
    long = " ".join(["word"] * 249) + " end."
    # 2 words, then 100 + 100 + 50 of the long sentence, then 2 words: neighbours do not join its pieces.
    assert [len(chunk.split()) for chunk in chunks(f"Very tasty. {long} We left.")] == [2, 100, 100, 50, 2]
    assert [len(chunk.split()) for chunk in chunks(f"Very tasty. {long} We left.", None)] == [2, 250, 2]


@pytest.mark.parametrize("text", ["", " ", "\n\t \u3000"])
def test_no_text_has_no_chunk(text: str) -> None:
    assert chunks(text) == windows(text) == []


@given(words=SENTENCES, chunk_words=SIZES)
def test_chunks_are_those_of_the_definition(words: list[list[str]], chunk_words: int) -> None:
    text = document(words)
    assert chunks(text, chunk_words) == literal_chunks(sentences(text), chunk_words)


@given(text=st.text("aB .!?(\n\u00e9", max_size=60), chunk_words=SIZES)
def test_chunks_of_any_text_keep_its_characters(text: str, chunk_words: int) -> None:
    found = chunks(text, chunk_words)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(1 <= len(chunk.split()) <= chunk_words for chunk in found)


@pytest.mark.parametrize(
    ("chunk_words", "expected"),
    [
        # Around the 1st: 3 + 4 = 7, + 2 = 9, + 6 = 15 >= 12.
        # Around the 2nd: the shorter neighbour is the 3rd, 4 + 2 = 6, + 3 = 9; at distance 2 6 more are too many.
        # Around the 3rd: the 2nd is shorter than the 4th, 2 + 4 = 6, + 6 = 12 >= 12: the window ends.
        # Around the 4th: 6 + 2 = 8, + 4 = 12 >= 12.
        (
            12,
            [
                "It was good. I ate the soup. Very tasty.",
                "I ate the soup. Very tasty.",
                "Very tasty. We waited long for our bread.",
            ],
        ),
        # Strictly below: 3 + 4 = 7 >= 7; 4 + 2 = 6 < 7, + 3 = 9; 2 + 4 = 6, + 6 = 12; 6 + 2 = 8.
        (7, ["It was good.", "I ate the soup. Very tasty.", "We waited long for our bread."]),
        # A lone sentence stays whole, whatever its length.
        (2, ["It was good.", "I ate the soup.", "Very tasty.", "We waited long for our bread."]),
        (100, [TEXT]),
    ],
)
def test_windows(chunk_words: int, expected: list[str]) -> None:
    assert windows(TEXT, chunk_words) == expected


def test_of_equal_neighbours_the_left_is_taken() -> None:
    # 2 + 2 = 4 < 5 with the left one; the right one would make it 6.
    assert windows("A one. B two. C three.", 5) == ["A one. B two.", "B two. C three."]


@given(words=SENTENCES, chunk_words=SIZES)
def test_windows_are_those_of_the_definition(words: list[list[str]], chunk_words: int) -> None:
    parts = sentences(document(words))
    expected = [literal_window(parts, place, chunk_words) for place in range(len(parts))]
    assert windows(document(words), chunk_words) == list(dict.fromkeys(expected))


def test_words_without_spaces_are_counted_and_put_together_without_one() -> None:
    for package in ("sentencex", "rjieba"):
        pytest.importorskip(package)
    text = "汤很好喝。面包很新鲜。"  # five pieces each, the mark included, or less
    assert chunks(text, 5, "chinese") == ["汤很好喝。", "面包很新鲜。"]
    assert chunks(text, 100, "chinese") == windows(text, 100, "chinese") == [text]
    assert all(len(chunk) < len("汤很好喝。") for chunk in chunks(text, 2, "chinese"))
    assert "".join(chunks(text, 2, "chinese")) == text


def test_sentences_of_the_language() -> None:
    pytest.importorskip("sentencex")
    text = "M. Dupont est venu. Il était content."
    assert chunks(text, 4, "french") == ["M. Dupont est venu.", "Il était content."]


def stretches(text: str, spans: list[tuple[int, int]]) -> list[str]:
    """The text of each span, without its white space."""
    return ["".join(text[start:stop].split()) for start, stop in spans]


@given(text=st.text("aB .!?(\n\u00e9\u3000", max_size=60), chunk_words=SIZES)
def test_spans_of_any_text_are_those_of_its_chunks(text: str, chunk_words: int) -> None:
    for chunks_of, spans_of in ((chunks, chunk_spans), (windows, window_spans)):
        spans = spans_of(text, chunk_words)
        assert stretches(text, spans) == ["".join(chunk.split()) for chunk in chunks_of(text, chunk_words)]
        assert all(not text[start].isspace() and not text[stop - 1].isspace() for start, stop in spans)
    for limit in (chunk_words, None):
        spans = chunk_spans(text, limit)
        assert stretches(text, spans) == ["".join(chunk.split()) for chunk in chunks(text, limit)]
        assert all(stop <= start for (_, stop), (start, _) in pairwise(spans))


def test_the_second_of_two_equal_sentences_has_a_place_of_its_own() -> None:
    # The shorter sentence also stands within the longer one, where it is no chunk.
    text = "So Nice soup. Nice soup. Nice soup."
    assert chunk_spans(text, 3) == [(0, 13), (14, 24), (25, 35)]
    assert windows(text, 3) == ["So Nice soup.", "Nice soup."]
    assert window_spans(text, 3) == [(0, 13), (14, 24)]


@pytest.mark.parametrize("chunk_words", [2, 9, 100])
@pytest.mark.parametrize(
    ("code", "language"), [("de", "german"), ("hi", "hindi"), ("zh", "chinese"), ("ja", "japanese")]
)
def test_spans_in_other_languages(code: str, language: str, chunk_words: int, repository: Path) -> None:
    for package in ("sentencex", "rjieba", "sudachipy"):
        pytest.importorskip(package)
    texts = json.loads((repository / "tests/text/ten_languages.json").read_text(encoding="utf-8"))[code]
    text = "  \n".join([*texts["sources"], *texts["summaries"].values()])
    for chunks_of, spans_of in ((chunks, chunk_spans), (windows, window_spans)):
        found = stretches(text, spans_of(text, chunk_words, language))
        assert found == ["".join(chunk.split()) for chunk in chunks_of(text, chunk_words, language)]


@pytest.mark.parametrize("units", [["a", "b"], ("a", "b"), np.array(["a", "b"])])
def test_given_units(units: Any) -> None:
    checked = check_units("equal_coverage", 0, units)
    assert checked == ["a", "b"]
    assert [type(unit) for unit in checked] == [str, str]
    assert checked is not units


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ("a", "units must be a list of strings, found str 'a'"),
        (None, "units must be a list of strings, found None"),
        ({"a": 1}, "units must be a list of strings, found dict {'a': 1}"),
        ([], "units is an empty list, so there are no units to judge; give at least one, or drop the sample"),
        (["a", 3], "units[1] must be a string, found int 3"),
        (["a", None], "units[1] must be a string, found None"),
        (["a", float("nan")], "units[1] must be a string, found NaN"),
        (["", "a"], "units[0] is blank; drop it or fill it in"),
        (["a", " \n"], "units[1] is blank; drop it or fill it in"),
    ],
)
def test_units_that_cannot_be_judged(units: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_units("coverage_parity", 7, units)
    assert str(caught.value) == f"coverage_parity: sample 7: {message}"
