"""How what is told apart spreads over samples, where these were kept."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from fairsum_utils.reports.charts import spread, spreads
from fairsum_utils.reports.entities import REPORT


def persons(*included: tuple[str, bool]) -> dict[str, Any]:
    entities = [{"group": group, "included": is_included} for group, is_included in included]
    return {"skipped": None, "entities": entities, "hallucinated": []}


RECORDS = [
    persons(("f", True), ("m", False), ("m", True)),
    persons(("f", False)),
    {"skipped": "empty_prediction", "entities": None, "hallucinated": None},
]


def test_numbers_by_hand() -> None:
    panel = spread("entity_inclusion", RECORDS)
    assert panel is not None
    assert [(group.name, group.numbers, group.color) for group in panel.groups] == [
        ("f", [1.0, 0.0], "v1"),
        ("m", [0.5], "v2"),
    ]
    assert panel.axis == REPORT.axis("entity_inclusion")


def test_nothing_where_nothing_is_told_apart_or_kept() -> None:
    assert spread("entity_hallucination", RECORDS) is None
    assert spreads({"entity_inclusion": {"entity_inclusion": 0.5}}) == []


def test_what_is_the_same_is_drawn_once() -> None:
    kept = {"samples": RECORDS}
    [panel] = spreads({"entity_inclusion": kept, "entity_hallucination": kept})
    assert panel.title == "Distribution over samples"
    words = {"summary_words": {"f": 1, "m": 1}, "source_words": {"f": 1, "m": 3}}
    other = {"samples": [record | words for record in RECORDS]}
    titles = [panel.title for panel in spreads({"entity_inclusion": kept, "word_list_inclusion": other})]
    assert titles == ["Entity Inclusion: distribution over samples", "Word List Inclusion: distribution over samples"]


def test_results_with_samples_are_drawn_with_them(examples: ModuleType) -> None:
    """Persons included in two summaries of an article: a woman, then a man."""
    [axes] = [
        each
        for each in examples.of_family("entities", return_samples=True)["entity_inclusion"].plot().axes
        if each.get_title("left") == "Distribution over samples"
    ]
    held = {}
    for name, patch in zip(("female", "male"), axes.patches, strict=True):
        tops, edges, base = patch.get_data()
        held[name] = [float(edge) for edge, top in zip(edges, tops, strict=False) if base - top > 0.1]
    # Bins of 0.05 from 0 to 1, of which the last also holds 1.
    assert held == {"female": [0.0, 0.95], "male": [0.0, 0.95]}
