"""The drawing of many systems: every score and difference that was found, the fairest system first."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from fairsum_utils.reports.figures import draw_systems
from fairsum_utils.reports.marks import Heat
from fairsum_utils.reports.svg import Drawing
from tests.reports._forms import check, texts

SVG = "{http://www.w3.org/2000/svg}"


def rows_of(drawing: Drawing) -> list[tuple[str, float, tuple[float, float]]]:
    """Label, number and interval of each row."""
    rows = (group for group in ET.fromstring(drawing.svg).iter(f"{SVG}g") if group.get("class") == "row")
    return [
        (
            row.get("data-label", ""),
            float(row.get("data-number", "")),
            (float(row.get("data-low", "nan")), float(row.get("data-high", "nan"))),
        )
        for row in rows
    ]


def system(score: float, rank: int | None) -> dict[str, Any]:
    return {"score": score, "ci": [score - 0.125, score + 0.125], "rank": rank}


def pair(a: str, b: str, difference: float, corrected: float) -> dict[str, Any]:
    ends = [difference - 0.25, difference + 0.25]
    return {"a": a, "b": b, "difference": difference, "difference_ci": ends, "p_value_corrected": corrected}


def document(baseline: str | None, differences: list[dict[str, Any]], **scores: float) -> dict[str, Any]:
    """A comparison by one measure, made up."""
    systems = {name: system(score, None if math.isnan(score) else 1) for name, score in scores.items()}
    result = {"systems": systems, "differences": differences, "n_samples": 1, "n_skipped": 2, "warnings": []}
    warnings = [{"code": "x", "count": 1, "share": 1.0, "message": "lead says less"}]
    return {
        "baseline": baseline,
        "systems": {name: {} for name in scores},
        "metrics": {"uer": result | {"signature": "k:1|ci:0.9"}},
        "warnings": warnings,
    }


def test_scores_the_fairest_first_then_differences() -> None:
    made = document("lead", [pair("gpt", "lead", -0.25, 0.0004), pair("t5", "lead", 0.125, 0.25)], lead=0.5, gpt=0.25)
    drawing = draw_systems(made)
    assert rows_of(drawing) == [
        ("gpt", 0.25, (0.125, 0.375)),
        ("lead", 0.5, (0.375, 0.625)),
        ("gpt", -0.25, (-0.5, 0.0)),
        ("t5", 0.125, (-0.125, 0.375)),
    ]
    scores, differences = drawing.panels
    assert scores.axis == "Score; lower is fairer, 0 at best"
    assert [row.note for row in scores.rows] == ["rank 1", "rank 1"]
    assert differences.title == "UER: difference from lead"
    assert [row.note for row in differences.rows] == ["p < 0.001", "p = 0.250"]
    for text in ("2 systems compared", "1 sample compared, 2 skipped", "90 % intervals", "lead says less"):
        assert text in drawing.svg


def test_all_pairs_name_both() -> None:
    drawing = draw_systems(document(None, [pair("a", "b", -0.25, 0.5)], a=0.25, b=0.5))
    assert [row.label for row in drawing.panels[1].rows] == ["a − b"]
    assert drawing.panels[1].axis.startswith("Score minus that of the second; left of 0: fairer than the second.")


def test_all_pairs_of_three_are_a_table_too() -> None:
    pairs = [pair("a", "b", -0.25, 0.01), pair("a", "c", 0.125, 0.5), pair("b", "c", math.nan, math.nan)]
    made = document(None, pairs, a=0.25, b=0.5, c=0.125)
    made["metrics"]["uer"]["alpha"] = 0.05
    drawing = draw_systems(made)
    table = drawing.panels[1]
    assert isinstance(table, Heat)
    assert list(table.rows) == list(table.columns) == ["c", "a", "b"]
    assert table.numbers[1] == [0.125, None, -0.25]
    assert [row[1] for row in table.numbers[::2]] == [-0.125, 0.25]
    assert math.isnan(table.numbers[0][2] or 0.0)
    assert table.framed == [[False] * 3, [False, False, True], [False, True, False]]
    check(ET.fromstring(drawing.svg))
    assert {".125", "−.250", "?"} <= set(texts(ET.fromstring(drawing.svg)))


def test_what_has_no_score_comes_last_without_a_rank() -> None:
    panel = draw_systems(document("a", [pair("b", "a", math.nan, math.nan)], a=math.nan, b=0.5)).panels[0]
    assert [(row.label, row.note) for row in panel.rows] == [("b", "rank 1"), ("a", "")]


def test_closest_to_nothing_first_where_scores_have_a_sign() -> None:
    made = document("a", [pair("b", "a", 0.75, 0.5)], a=-0.5, b=0.25)
    made["metrics"] = {"distinguishability": made["metrics"]["uer"]}
    panel = draw_systems(made).panels[0]
    assert [row.label for row in panel.rows] == ["b", "a"]
    assert panel.axis == "Score; closer to 0 is fairer"


@pytest.mark.parametrize("measures", [None, ["bur"]])
def test_some_measures_or_all(measures: list[str] | None) -> None:
    made = document("a", [pair("b", "a", 0.25, 0.5)], a=0.25, b=0.5)
    made["metrics"]["bur"] = made["metrics"]["uer"]
    titles = [panel.title for panel in draw_systems(made, measures).panels]
    each = ["UER", "UER: difference from a", "BUR", "BUR: difference from a"]
    assert titles == (each if measures is None else each[2:])
