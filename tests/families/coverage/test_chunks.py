"""Chunks and windows of documents, the best of them, and units that say the same."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.families.coverage.chunks import best_chunks, check_units, chunk_spans, chunks, cut, merge_units
from fairsum_utils.inference.entailers import get_entailer
from fairsum_utils.measures._coverage import CoverageMeasure
from fairsum_utils.text.punkt import sentences
from fairsum_utils.text.splitting import get_splitter

# Three, four, two and six words.
TEXT = "It was good. I ate the soup. Very tasty. We waited long for our bread."
WORDS = st.text("ab", min_size=1, max_size=3)
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=9), max_size=12)
SIZES = st.integers(1, 12)


def windows(text: str, chunk_words: int) -> list[str]:
    return cut(get_splitter("english").sentences(text), chunk_words, "english", overlapping=True)


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
        # 3 + 4 + 2 = 9, and 9 + 6 > 9
        (9, ["It was good. I ate the soup. Very tasty.", "We waited long for our bread."]),
        # 3; 4; 2; 6 = 4 + 2, the longer sentence for itself
        (4, ["It was good.", "I ate the soup.", "Very tasty.", "We waited long for", "our bread."]),
        (1, TEXT.split()),
        (None, ["It was good.", "I ate the soup.", "Very tasty.", "We waited long for our bread."]),
    ],
)
def test_chunks(chunk_words: int | None, expected: list[str]) -> None:
    assert chunks(TEXT, chunk_words) == expected


@given(words=SENTENCES, chunk_words=SIZES)
def test_chunks_are_those_of_the_definition(words: list[list[str]], chunk_words: int) -> None:
    text = document(words)
    assert chunks(text, chunk_words) == literal_chunks(sentences(text), chunk_words)


@given(words=SENTENCES, chunk_words=SIZES)
def test_windows_are_those_of_the_definition(words: list[list[str]], chunk_words: int) -> None:
    parts = sentences(document(words))
    expected = [literal_window(parts, place, chunk_words) for place in range(len(parts))]
    assert windows(document(words), chunk_words) == list(dict.fromkeys(expected))


@given(text=st.text("aB .!?(\n\u00e9\u3000", max_size=60), chunk_words=SIZES)
def test_spans_of_any_text_are_those_of_its_chunks(text: str, chunk_words: int) -> None:
    for limit, overlapping in ((chunk_words, False), (None, False), (chunk_words, True)):
        parts = windows(text, chunk_words) if overlapping else chunks(text, limit)
        spans = chunk_spans(text, limit, overlapping=overlapping)
        assert ["".join(text[start:stop].split()) for start, stop in spans] == ["".join(p.split()) for p in parts]
        assert all(not text[start].isspace() and not text[stop - 1].isspace() for start, stop in spans)
        assert overlapping or all(stop <= start for (_, stop), (start, _) in pairwise(spans))


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ("a", "units must be a list of strings (statements of the summary), found str 'a'"),
        (None, "units must be a list of strings (statements of the summary), found None"),
        ([], "units is an empty list; give at least one unit, or remove the sample"),
        (["a", 3], "units[1] must be a non-blank string, found int 3; fill it in or remove it"),
        (["a", " \n"], "units[1] must be a non-blank string, found str ' \\n'; fill it in or remove it"),
    ],
)
def test_units_that_cannot_be_judged(units: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_units("coverage_parity", 7, units)
    assert str(caught.value) == f"coverage_parity: sample 7: {message}"


def test_a_document_without_chunks_covers_nothing() -> None:
    found = best_chunks(np.array([[0.1, 0.5], [0.9, 0.25]]), [0, 2, 0])
    assert found.probability.tolist() == [[0, 0], [0.9, 0.5], [0, 0]]
    assert best_chunks(np.empty((0, 2)), [0, 0]).probability.tolist() == [[0, 0], [0, 0]]


@given(data=st.data(), n_units=st.integers(1, 3), counts=st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_best_chunks_by_brute_force(data: st.DataObject, n_units: int, counts: list[int]) -> None:
    row = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=n_units, max_size=n_units)
    judged = data.draw(st.lists(row, min_size=sum(counts), max_size=sum(counts)))
    found = best_chunks(np.array(judged), counts)
    start = 0
    for document, count in enumerate(counts):
        for unit in range(n_units):
            own = [judged[start + chunk][unit] for chunk in range(count)]
            assert found.probability[document, unit] == max(own)
            assert found.chunk[document, unit] == own.index(max(own))
        start += count


@given(data=st.data(), n=st.integers(1, 7))
def test_merge_units_by_brute_force(data: st.DataObject, n: int) -> None:
    pairs = data.draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=2 * n))
    entails = np.zeros((n, n), dtype=bool)
    for premise, hypothesis in pairs:
        entails[premise, hypothesis] = True
    label = list(range(n))
    for _ in range(n):  # long enough for the smallest label to reach the farthest unit
        for one, other in pairs:
            if (other, one) in pairs:
                label[one] = label[other] = min(label[one], label[other])
    assert merge_units(entails) == [[unit for unit in range(n) if label[unit] == first] for first in sorted(set(label))]


def test_the_settings_of_a_model_reach_it_and_that_of_the_paper_is_for_english(nli_model: Path) -> None:
    settings = CoverageMeasure(entailer=nli_model, entailment_label="yes", cache="none", module="equal_coverage")
    with pytest.raises(InputError, match=f"equal_coverage: {nli_model.name}@.* but no label 'yes'"):
        get_entailer(settings)
    with pytest.raises(InputError, match="roberta-large-mnli supports only English, found language str 'german'; name"):
        get_entailer(CoverageMeasure(language="de", module="equal_coverage"))
