"""Scores of framing and position bias from texts: worked examples, invariance, and the null."""

from __future__ import annotations

import random

import numpy as np
import pytest

from fairsum_utils.families.framing.results import distance_interval
from tests._together import score
from tests.conftest import takes_long

BOTH = ["framing", "position_bias"]
WORDS = ["soup", "bread", "staff", "room", "table", "wine", "price", "garden", "door", "floor", "cake", "fish", "lamp"]
TONES = ["great", "awful", "nice", "terrible", "plain", "cold", "red", "wooden"]


def made(n: int, seed: int = 0) -> list[list[str]]:
    """Sets of 8 texts of 2 sentences with random words and tones."""
    generator = random.Random(seed)

    def sentence() -> str:
        tone, number = generator.choice(TONES), generator.randrange(1000)
        return f"The {generator.choice(WORDS)} with the {generator.choice(WORDS)} was {tone} at place{number}."

    return [[f"{sentence()} {sentence()}" for _ in range(8)] for _ in range(n)]


def test_worked_example() -> None:
    summaries = ["Great soup and friendly staff.", "The food was awful."]
    sources = [["Great soup!", "Cold soup, slow service."], ["The bread was nice.", "The food was awful."]]
    # VADER: 0.6588 and 0, mean 0.33, positive; 0.4215 and -0.4588, mean -0.02, neutral.
    result = score(summaries, sources, [["p", "n"]] * 2, metrics=["framing"])["framing"]
    assert (result["framing"], result["shift"], result["n_mixed"], result["framing_mixed"]) == (0.5, -0.5, 1, 1.0)
    assert result["from_to"]["neutral"] == {"negative": 1, "neutral": 0, "positive": 0}
    assert result["from_to"]["positive"]["positive"] == 1
    # Group n: neutral then negative; group p: positive twice.
    assert result["framing_by_value"] == {"n": 0.5, "p": 0.5}
    assert result["shift_by_value"] == {"n": 0.5, "p": -1.0}


@pytest.mark.parametrize("sign", [1, -1])
def test_scores_at_the_threshold_are_no_longer_neutral(sign: int) -> None:
    def model(texts: list[str]) -> list[float]:
        return [sign * 0.05 if "Good" in text else 0.0 for text in texts]

    result = score(["Good."], [["Bad."]], metrics=["framing"], model=model)["framing"]
    assert (result["framing"], result["shift"]) == (1.0, sign)


def test_what_position_bias_skips() -> None:
    sources = [["Cold soup."], ["Cold soup.", "Hot tea."], [" ", ""], ["Cold soup.", "Hot tea."]]
    result = score(["Soup.", "Xylophones.", "Soup.", ""], sources, metrics=["position_bias"])["position_bias"]
    assert result["skipped"] == {"single_sentence": 1, "unmatched": 1, "empty_sources": 1, "empty_prediction": 1}
    assert np.isnan(result["position_bias"])
    assert result["undefined"] == "no sample was scored"
    silent = score(["The door is red."], [["The door is red."]], metrics=["framing"])["framing"]
    assert "no_sentiment" in [warning["code"] for warning in silent["warnings"]]


def test_the_order_of_texts_and_the_names_of_groups() -> None:
    sources, generator = made(12), random.Random(1)
    summaries = [f"{texts[0]} {texts[3]}" for texts in sources]
    values = [[generator.choice("ab") for _ in texts] for texts in sources]
    level = {"at_random": True, "confidence_level": 0.95, "metrics": BOTH}
    first = score(summaries, sources, values, **level)
    other = score(summaries, [each[::-1] for each in sources], [each[::-1] for each in values], **level)
    for key in ("framing", "framing_at_random", "framing_by_value", "shift", "from_to"):
        assert first["framing"][key] == other["framing"][key]
    renamed = [[{"a": "z", "b": "y"}[value] for value in each] for each in values]
    again = score(summaries, sources, renamed, **level)["framing"]
    assert again["framing_at_random"] == first["framing"]["framing_at_random"]
    assert again["framing_by_value"]["z"] == first["framing"]["framing_by_value"]["a"]


def test_a_lead_extract_is_biased_and_its_mirror_too() -> None:
    sources = made(40)
    lead = [texts[0] for texts in sources]
    given = {"metrics": ["position_bias"], "at_random": True, "confidence_level": 0.95}
    first = score(lead, sources, **given)["position_bias"]
    last = score(lead, [texts[::-1] for texts in sources], **given)["position_bias"]
    assert first["position_bias"] > 0.55
    assert first["position_bias_ci"][0] > first["position_bias_at_random"]
    assert first["most_by_third"]["first"] == last["most_by_third"]["last"] == 1.0
    assert first["curve"][0] > 0.4
    assert first["mean_position"] == pytest.approx(1 - last["mean_position"], abs=0.05)


@takes_long
def test_the_interval_of_the_distance_covers() -> None:
    generator = np.random.default_rng(0)
    for shares in ([1 / 3] * 3, [0.4, 0.35, 0.25], [0.7, 0.2, 0.1]):
        truth, hits = sum(abs(share - 1 / 3) for share in shares) / 2, 0
        for _ in range(50):
            low, high = distance_interval(generator.multinomial(3, shares, size=40) / 3, np.ones(40), 0.95)
            hits += low - 1e-9 <= truth <= high + 1e-9
        assert hits >= 46
