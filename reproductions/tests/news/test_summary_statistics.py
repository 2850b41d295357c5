"""Tables 16 and 17: by hand, in the paper's layout."""

from __future__ import annotations

from typing import Any

import fairsum_reproductions as studies
import fairsum_utils
from fairsum_reproductions.news.summary_statistics import parts


def scored(*mentions: str) -> Any:
    """Summaries of two words for each person, with one person of the source besides."""
    texts = [" ".join(f"{name} won." for name in names.split()) for names in mentions]
    return fairsum_utils.score(
        predictions=texts,
        sources=["Lee won."] * len(texts),
        entities=[[{"last_name": "Lee", "group": "a"}]] * len(texts),
        mentions=[names.split() for names in mentions],
        metrics=["entity_hallucination"],
    )


def test_by_hand() -> None:
    result = studies.summary_statistics({"bart/local": scored("Lee", "Lee Bo Bo"), "bart/global": scored("Lee")})
    # 2 and 6 tokens: 4, deviation 2; 1 and 3 persons: 2, deviation 1; 2 of 4 are made up.
    assert result["systems"]["bart"]["local"] == {
        "mean_tokens": 4.0,
        "sd_tokens": 2.0,
        "mean_entities": 2.0,
        "sd_entities": 1.0,
        "hallucinated_share": 0.5,
        "n_samples": 2,
    }
    [table] = parts(result)
    assert table.header[:6] == [  # type: ignore[union-attr]
        "system",
        "local tokens",
        "local sd of tokens",
        "local entities",
        "local sd of entities",
        "local % hallucinated",
    ]
    assert [str(cell) for cell in table.rows[0]] == [  # type: ignore[union-attr]
        *("bart", "4.00", "2.00", "2.00", "1.00", "50.00"),
        *("2.00", "0.00", "1.00", "0.00", "0.00"),
    ]
