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
    softmax_weights,
)
from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.text.languages import published_stop_words

FOOD = {"neg": "The food was bad.", "pos": "The food was good."}
WORDS = {value: text.lower().split() for value, text in FOOD.items()}


def found(**options: object) -> dict[str, dict]:
    columns = {"predictions": ["The food was good."], "sources": [[*FOOD.values()]], "values": [[*FOOD]]}
    return {warning["code"]: warning for warning in compute("bur", **columns, **options)["warnings"]}


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


def test_the_warning_names_words_and_way_out() -> None:
    warning, evident = (found(return_samples=more)["stop_words_decide"] for more in (False, True))
    assert (warning["count"], warning["share"]) == (1, 1.0)
    assert re.search(r'opinion \(good\).*normalizer="simple" counts good$', warning["message"])
    assert evident == warning


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
