"""Which sources a summary draws on, by the matchers of words and by entailment."""

import numpy as np
import pytest

from fairsum_utils.families.sensitivity.matching import MATCHERS, entailed, lexical, ngram
from fairsum_utils.inference.entailers import CallableEntailer

SOURCES = ["The food was cold.", "The staff was kind.", "The food was cheap and the staff was kind."]


def test_overlap_by_hand() -> None:
    """Pairs of "the staff was kind": the-staff, staff-was, was-kind, each held by sources 1 and 2."""
    shares, coverage = ngram("The staff was kind.", SOURCES)
    assert shares.tolist() == [0, 0.5, 0.5]
    assert coverage.tolist() == [0, 1, 1]
    # the-food and food-was by 0 and 2, was-cold by 0: 1/2 + 1/2 + 1 of 3, and 1/2 + 1/2
    assert ngram("The food was cold.", SOURCES).shares == pytest.approx([2 / 3, 0, 1 / 3])


def test_sentences_by_hand() -> None:
    """The words "the" and "was" count nothing, "cold", of source 0 alone, log 3, and "food", of 0 and 2, log 3/2."""
    shares, coverage = lexical("The food was cold. The staff was kind!", SOURCES)
    assert shares.tolist() == [0.5, 0.25, 0.25]  # sentences of four words; sources 1 and 2 hold all of the second
    food, cold = np.log(3 / 2), np.log(3)
    assert coverage == pytest.approx([1 / 2, 1 / 2, (food / (food + cold) + 1) / 2])


@pytest.mark.parametrize("match", MATCHERS.values(), ids=MATCHERS)
@pytest.mark.parametrize("summary", ["Nothing of it.", "", "...", "cold?!" * 0])
def test_nothing_in_common(match, summary) -> None:
    shares, coverage = match(summary, ["x y", "z"])
    assert shares is None
    assert coverage.tolist() == [0, 0]


def test_entailment_by_hand() -> None:
    """Ann: 0.75 and 0.25, counting 0.75; Bob: 0 and 0.5, counting 0.5; Cat, which nothing entails, counts nothing."""
    record = {"Ann ate.": (0.75, 0.25), "Bob ran.": (0.0, 0.5), "Cat sat.": (0.0, 0.0)}
    known = {(source, text): p[place] for text, p in record.items() for place, source in enumerate("xy")}
    asked = []

    def entails(premises: list[str], hypotheses: list[str]) -> list[float]:
        asked.extend(zip(premises, hypotheses, strict=True))
        return [known[pair] for pair in zip(premises, hypotheses, strict=True)]

    samples = [
        ("Ann ate. Bob ran. Cat sat.", ["x", "y"]),
        ("Ann ate.", ["y", "x"]),
        ("Cat sat.", ["x", "y"]),
        ("...", ["x", "y"]),
    ]
    first, turned, nothing, empty = entailed(samples, CallableEntailer(entails))
    assert first.shares == pytest.approx([0.75 * 0.75 / 1.25, (0.75 * 0.25 + 0.5) / 1.25])
    assert first.coverage == pytest.approx([0.75 / 3, 0.75 / 3])
    assert turned.shares == pytest.approx([0.25, 0.75])
    assert (nothing.shares, empty.shares) == (None, None)
    assert empty.coverage.tolist() == [0, 0]
    assert sorted(asked) == sorted(known)  # each once


def test_one_word() -> None:
    assert ngram("cold", ["cold", "cold soup"]).shares.tolist() == [1, 0]  # a text of one word is its only n-gram
    assert lexical("cold", ["cold", "warm soup"]).shares.tolist() == [1, 0]
