"""Tables 3 and 12: intervals by hand, where few draws are possible, and the paper's layout."""

from __future__ import annotations

from typing import Any

import pytest

import fairsum_reproductions as studies
import fairsum_utils
from fairsum_reproductions.news.bias_table import parts
from fairsum_utils.reports.formats import as_csv, as_text


def words(female: int, male: int) -> str:
    return " ".join(["she"] * female + ["he"] * male)


def by_hand() -> Any:
    """Two originals of two pairs each, an input of each pair without any word of the lists."""
    pairs = {("a", "p"): (3, 1), ("a", "q"): (1, 1), ("b", "r"): (1, 1), ("b", "s"): (1, 3)}
    texts = [text for counts in pairs.values() for text in (words(*counts), "rain")]
    return fairsum_utils.score(
        predictions=texts,
        sources=texts,
        article_ids=[article for article, _ in pairs for _ in "12"],
        pair_ids=[pair for _, pair in pairs for _ in "12"],
        metrics=[fairsum_utils.WordListInclusion(reference="uniform")],
        confidence_level=0.95,
    )


def alike() -> dict[str, Any]:
    """Results as of distinguishability, by two embeddings."""
    return {
        "count": {
            "distinguishability": 0.21,
            "distinguishability_ci": [0.19, 0.24],
            "settings": {"embedding": "count"},
        },
        "dense": {"distinguishability": 0.22, "distinguishability_ci": [0.19, 0.24], "settings": {"embedding": "x@y"}},
    }


def test_intervals_by_hand() -> None:
    result = studies.bias_table({"bart": by_hand()})
    cell = result["measures"]["Word List Inclusion"]["bart"]
    # All words: 6 of each, 0. Originals drawn anew: a a 8 to 4, 1/6; a b 0; b b 1/6. One pair of each original drawn:
    # p r 4 to 2, 1/6; p s and q r 0; q s 1/6.
    assert cell["score"] == 0
    assert cell["d"] == pytest.approx([0, 1 / 6])
    assert cell["s"] == pytest.approx([0, 1 / 6])
    assert cell["towards"] is None
    assert (cell["s_lost"], cell["d_lost"]) == (0, 0)


def test_layout() -> None:
    """Rows in the paper's order, a column a system, below each score s and d with two digits; no s of the last."""
    result = studies.bias_table({"bart/local": by_hand(), "bart/global": alike(), "pegasus": alike()})
    message, printed = parts(result)
    assert printed.header == ["", "bart", "pegasus"]
    assert [list(row) for row in printed.rows] == [
        ["Word List Inclusion", "0.00", ""],
        ["  s", "0.00,0.17", ""],
        ["  d", "0.00,0.17", ""],
        ["Distinguishability (Count)", "0.21", "0.21"],
        ["  d", "0.19,0.24", "0.19,0.24"],
        ["Distinguishability (Dense)", "0.22", "0.22"],
        ["  d", "0.19,0.24", "0.19,0.24"],
    ]
    assert as_csv([message]).splitlines()[:3] == [
        "measure,system,score,s low,s high,d low,d high,towards",
        f"Word List Inclusion,bart,0.0,0.0,{1 / 2 - 1 / 3},0.0,{1 / 2 - 1 / 3},",
        "Distinguishability (Count),bart,0.21,,,0.19,0.24,",
    ]
    assert "  d                         0.19,0.24  0.19,0.24" in as_text([printed])
