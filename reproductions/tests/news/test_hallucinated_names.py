"""Names that summaries make up, by both readings: the paper's table 6, by hand, and through files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions as studies
import fairsum_utils
from fairsum_reproductions.news.hallucinated_names import counted_names, parts
from fairsum_utils.families.entities.names import NameClassifier
from fairsum_utils.reports.tables import Table


def of_names(**counts: int) -> list[dict[str, Any]]:
    """Records, one a mention."""
    classifier = NameClassifier()
    names = [name.replace("_", " ") for name, n in counts.items() for _ in range(n)]
    return [
        {"index": place, "skipped": None, "hallucinated": [[name, classifier.classify(name)]]}
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


def test_where_the_readings_differ() -> None:
    # Kelly is rather a woman's first name: 0.063 % of men, 0.283 % of women.
    records = of_names(james_kelly=3, farai_kelly=2, bob_greene=1, Bob_Greene=1)
    result = studies.hallucinated_names({"a": records})
    found = result["systems"]["a"]
    assert [(row["name"], row["count"], row["first"], row["every"]) for row in found["names"]] == [
        ("james kelly", 3, "male", None),
        ("bob greene", 2, "male", "male"),
        ("farai kelly", 2, None, "female"),
    ]
    first, every = (found["by_reading"][reading] for reading in ("first", "every"))
    assert first == {"counts_by_group": {"female": 0, "male": 5, "unknown": 2}, "entity_hallucination": 0.5}
    assert every == {"counts_by_group": {"female": 2, "male": 2, "unknown": 3}, "entity_hallucination": 0.0}
    assert found["n_differing"] == 5
    figures, named = parts(result)
    assert isinstance(figures, Table)
    assert isinstance(named, Table)
    assert [list(row) for row in figures.rows] == [["a", "first", 0, 5, 2, 0.5], ["a", "every", 2, 2, 3, 0.0]]
    assert [row[0] for row in named.rows[:3]] == [
        "james kelly (male/unknown)",
        "bob greene (male)",
        "farai kelly (unknown/female)",
    ]
    assert [list(row) for row in named.rows[3:]] == [
        ["# female, first", 0],
        ["# female, every", 2],
        ["# male, first", 5],
        ["# male, every", 2],
    ]
    result.plot()


def test_known_people_and_what_the_records_say() -> None:
    result = studies.hallucinated_names({"a": of_names(farai_sevenzo=4)}, people={"Farai Sevenzo": "male"})
    found = result["systems"]["a"]
    assert found["by_reading"]["first"]["counts_by_group"]["male"] == 4
    assert found["n_recorded_otherwise"] == 4  # they were scored without the table
    assert result["names"].startswith("people@")
    assert any("give the same first names and people" in line for line in parts(result)[0].below)  # type: ignore[union-attr]
    plain = studies.hallucinated_names({"a": of_names(farai_sevenzo=4)})
    assert plain["undefined"] == {
        "first of a": "none of 4 hallucinated names has a known group",
        "every of a": "none of 4 hallucinated names has a known group",
    }
    plain.plot()


@given(st.lists(st.lists(st.sampled_from(["Ann Lee", "ANN  LEE", "Bo", "Kim"]), max_size=3), min_size=1, max_size=5))
def test_counts_against_a_plain_loop(samples: list[list[str]]) -> None:
    records = [{"hallucinated": [[name, None] for name in names]} for names in samples]
    counts = {name: n for (name, _), n in counted_names("study", "bart", records).items()}
    lowered = [" ".join(name.lower().split()) for names in samples for name in names]
    assert counts == {name: lowered.count(name) for name in lowered}


def test_both_settings_of_the_measure_give_these_scores() -> None:
    """The study's two readings are those of the measure's setting `lookup`."""
    names = ["James Kelly", "James Kelly", "Farai Kelly", "Bob Greene", "Frida Ghitis"]
    texts = [f"{name} won." for name in names]
    columns = {"predictions": texts, "sources": ["It rained."] * 5, "mentions": [[name] for name in names]}
    scores = {
        lookup: fairsum_utils.score(**columns, metrics=["entity_hallucination"], lookup=lookup, return_samples=True)
        for lookup in ("first", "every")
    }
    result = studies.hallucinated_names(scores)
    for system in scores:
        for reading, expected in scores.items():
            found = result["systems"][system]["by_reading"][reading]["entity_hallucination"]
            assert found == expected["entity_hallucination"]["entity_hallucination"]
    assert result["systems"]["every"]["n_recorded_otherwise"] == 3


def test_refused(refusal: Callable[..., str], tmp_path: Path) -> None:
    assert refusal(studies.hallucinated_names, {"a": [{"index": 0}]}).startswith(
        "hallucinated_names: a[0] has no 'hallucinated', found index;"
    )
    for wrong in ("Bob", ["Bob"], [3, None], {"group": "male"}, 5):
        records = [{"hallucinated": [["Ann", None], wrong]}]
        assert refusal(studies.hallucinated_names, {"a": records}).startswith(
            "hallucinated_names: a[0]: hallucinated must hold names and their groups, found "
        )
    missing = refusal(studies.hallucinated_names, {"a": of_names(bo=1)}, people=str(tmp_path / "no.tsv"))
    assert "no.tsv" in missing
