"""Chunks of several lengths: by hand, readings of "identified", a plain loop, a tiny model, and the paper's layout."""

from __future__ import annotations

from typing import Any

import fairsum_reproductions as studies

SOUP = "Hot soup today. Cold bread. Nice staff. Slow bill."
ROW = {"prediction": "Hot bread. Slow bill. Free parking.", "sources": [SOUP, "Hot bread."]}
LEXICAL: dict[str, Any] = {"entailer": "lexical", "normalizer": "simple"}


def run(*rows: dict[str, Any], **settings: Any) -> dict[str, Any]:
    return dict(studies.chunk_size({"gpt4/amazon": [*rows]}, **{**LEXICAL, **settings}))  # type: ignore[arg-type]


def test_by_hand() -> None:
    # Words of the units: hot, bread | slow, bill | free, parking. Sentences of the first document: hot soup today |
    # cold bread | nice staff | slow bill; of the second: hot bread.
    # Each sentence: hot+bread stands in the second document, slow+bill in the first; 2 of 3.
    # Five words: "Hot soup today. Cold bread." holds hot+bread as well. Nobody speaks of parking.
    found = run(ROW, sizes="sentence,5")
    [cell] = found["systems"]["gpt4"].values()
    assert cell["identified"] == {"sentence": 2 / 3, "5": 2 / 3}
    assert (cell["n_units"], cell["n_samples"], cell["n_skipped"]) == (3, 1, 0)
    # In one document alone: each sentence hot+bread (second) and slow+bill (first); with five words the first two of
    # both documents hold hot+bread, so that only slow+bill is left.
    assert run(ROW, sizes=["sentence", 5], identified="one")["mean"] == {"sentence": 2 / 3, "5": 1 / 3}
    # Half of the words of free parking stand nowhere, half of the others somewhere: above 0.4 there is hot in both.
    assert run(ROW, sizes=5, identified="threshold", threshold=1.0)["mean"] == {"5": 0.0}
    assert run(ROW, sizes=5, identified="threshold", threshold=0.4)["mean"] == {"5": 2 / 3}
