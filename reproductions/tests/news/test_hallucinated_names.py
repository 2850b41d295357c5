"""Names that summaries make up, by both readings: the paper's table 6, by hand, and through files."""

from __future__ import annotations

from typing import Any

import pytest

import fairsum_reproductions as studies
from fairsum_reproductions.news.hallucinated_names import parts
from fairsum_utils.families.entities.classifier import NameClassifier
from fairsum_utils.reports.tables import Table


def of_names(**counts: int) -> list[dict[str, Any]]:
    """Records, one a mention."""
    classifier = NameClassifier()
    names = [name.replace("_", " ") for name, n in counts.items() for _ in range(n)]
    return [
        {"index": place, "skipped": None, "hallucinated": [{"name": name, "group": classifier.classify(name)}]}
        for place, name in enumerate(names)
    ]


def test_the_papers_table() -> None:
    """BART CNN/DM in table 6: its ten names with their counts."""
    counts = {"greene": 91, "bob_greene": 69, "david_frum": 53, "frum": 47, "bergen": 41, "peter_bergen": 41}
    counts |= {"saatchesi": 25, "bynoes": 20, "frida_ghitis": 15, "hainis": 12}
    groups = {"bob_greene": "male", "david_frum": "male", "peter_bergen": "male", "frida_ghitis": "female"}
    result = studies.hallucinated_names({"BART CNN/DM": of_names(**counts)})
    table = parts(result)[1]
    assert isinstance(table, Table)
    expected = [[f"{name.replace('_', ' ')} ({groups.get(name, 'unknown')})", n] for name, n in counts.items()]
    assert [list(row) for row in table.rows[:10]] == expected
    of_bart = result["systems"]["BART CNN/DM"]
    # 69 + 53 + 41 men and 15 women: 163 / 178 - 1/2. No name of these is read otherwise by its last word.
    for reading in ("first", "every"):
        assert of_bart["by_reading"][reading]["counts_by_group"] == {"female": 15, "male": 163, "unknown": 236}
        assert of_bart["by_reading"][reading]["entity_hallucination"] == pytest.approx(163 / 178 - 0.5)
    assert (of_bart["n_differing"], of_bart["n_recorded_otherwise"], of_bart["n_samples"]) == (0, 0, 414)
