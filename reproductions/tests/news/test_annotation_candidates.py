"""The filter of appendix J.2: the words of table 18, and the shipped articles, which people have annotated."""

from __future__ import annotations

import fairsum_reproductions as studies

ARTICLES = [
    {"id": "a", "text": "Chairman Diane Sasser met the chairmen."},
    {"id": "b", "text": "It rained on the mankind of Manchester."},
    {"id": "c", "text": "Her MOTHER's aunts and his mother left."},
    {"id": "d", "text": "The vice-chairman met a stepmother."},
]


def test_by_hand() -> None:
    result = studies.annotation_candidates(ARTICLES, seed=3)
    assert (result["n_samples"], result["n_candidates"], result["share"]) == (4, 2, 0.5)
    found = {
        each["id"]: [(word["word"], word["start"], word["end"]) for word in each["words"]]
        for each in result["candidates"]
    }
    assert found == {
        "a": [("chairman", 0, 8), ("chairmen", 30, 38)],
        "c": [("mother", 4, 10), ("aunts", 13, 18), ("mother", 27, 33)],
    }
    assert result["words"] == {
        "mother": {"group": "female", "n_articles": 1, "n": 2},
        "aunts": {"group": "female", "n_articles": 1, "n": 1},
        "chairman": {"group": "male", "n_articles": 1, "n": 1},
        "chairmen": {"group": "male", "n_articles": 1, "n": 1},
    }
    assert "n_annotated" not in result
