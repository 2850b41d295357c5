"""Words in common, stop words that carry opinion, and what a callable matcher may return."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import compute
from fairsum_utils.families.representation.words import (
    OPINION_WORDS,
    deciding_words,
    ngram_matches,
    ngrams,
    softmax_weights,
)
from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.text.languages import published_stop_words

FOOD = {"neg": "The food was bad.", "pos": "The food was good."}
WORDS = {value: text.lower().split() for value, text in FOOD.items()}
COLUMNS = {"sources": [[*FOOD.values()]], "values": [[*FOOD]]}


def found(measure: str = "bur", prediction: str = "The food was good.", **options: object) -> dict[str, dict]:
    result = compute(measure, **{"predictions": [prediction], **COLUMNS, **options})
    return {warning["code"]: warning for warning in result["warnings"] if warning["code"].startswith("stop_words")}


def test_the_published_normalization_drops_them_all() -> None:
    assert published_stop_words().issuperset(OPINION_WORDS)


@pytest.mark.parametrize(
    ("summary", "options", "words"),
    [
        # Without "good" both have half of either; with it neg has 1 of 3 matches and 2 of 4 counted words.
        ("The food was good.", {}, ("good",)),
        # Shares by target: 1/3 is below .8 x .5, but not below .8 x .4.
        ("The food was good.", {"target": "equal"}, ("good",)),
        ("The food was good.", {"target": {"neg": 0.4, "pos": 0.6}}, ()),
        # One match each: 2 of 4 for both, as before.
        ("Good food, bad food.", {}, ()),
        # Nothing matched before: both alike. Now pos has everything.
        ("Good, okay service.", {}, ("good",)),
        ("Good, okay service.", {"unmatched": "unfair"}, ("good",)),
        ("Goodness, badly made food.", {}, ()),
        ("The food.", {}, ()),
    ],
)
def test_words_that_decide(summary: str, options: dict[str, object], words: tuple[str, ...]) -> None:
    one = dict.fromkeys(FOOD, 1)
    weights = dict.fromkeys(FOOD, summary.lower().count("food"))
    assert deciding_words(summary.lower().split(), WORDS, one, weights, RepresentationMeasure(**options)) == words


@pytest.mark.parametrize("measure", ["bur", "uer", "auc", "sof"])
def test_the_warning_names_words_and_way_out(measure: str) -> None:
    warning = found(measure)["stop_words_decide"]
    assert (warning["count"], warning["share"]) == (1, 1.0)
    assert re.search(r'opinion \(good\).*normalizer="simple" counts good$', warning["message"])
    evident = found(measure, return_samples=True)["stop_words_decide"]
    assert evident == warning


TOKENS = st.lists(st.sampled_from("abc"), max_size=8)


@given(sources=st.lists(TOKENS, max_size=3), summary=TOKENS, k=st.integers(1, 4))
def test_matches_by_definition(sources: list[list[str]], summary: list[str], k: int) -> None:
    found = ngram_matches([set(ngrams(tokens, k)) for tokens in sources], list(ngrams(summary, k)))
    for tokens, grams in zip(sources, found, strict=True):
        starts = range(len(tokens) - k + 1)
        occurs = [
            summary[i : i + k]
            for i in range(len(summary) - k + 1)
            if any(tokens[j : j + k] == summary[i : i + k] for j in starts)
        ]
        assert [list(gram) for gram in grams] == occurs


@given(
    scores=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=6),
    temperature=st.floats(1e-6, 1e6),
    shift=st.integers(-1000, 1000),
)
def test_softmax_properties(scores: list[float], temperature: float, shift: int) -> None:
    weights = softmax_weights(scores, temperature)
    assert math.fsum(weights) == pytest.approx(1, abs=1e-12)
    assert min(weights) >= 0
    assert weights[scores.index(max(scores))] == max(weights)
    ordered = [weight for _, weight in sorted(zip(scores, weights, strict=True))]
    assert ordered == sorted(ordered)
    if temperature >= 1:  # else rounding of the shifted scores shows
        assert softmax_weights([score + shift for score in scores], temperature) == pytest.approx(weights, abs=1e-6)
