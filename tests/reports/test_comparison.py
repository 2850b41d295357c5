"""Comparisons as text and as drawings."""

from __future__ import annotations

import math
from typing import Any

import pytest

from fairsum_utils.reports.charts import draw_systems
from fairsum_utils.reports.comparison import parts_of, sentences
from fairsum_utils.reports.formats import FORMATS


def report(document: dict[str, Any], format: str = "text") -> str:
    """Write a comparison as one text."""
    return FORMATS[format](parts_of(document))


def system(score: float, rank: int | None) -> dict[str, Any]:
    return {"score": score, "ci": [score - 0.125, score + 0.125], "ci_lost": 0.0, "rank": rank, "n_skipped": 0}


def pair(a: str, b: str, difference: float, p_value: float, corrected: float, **more: Any) -> dict[str, Any]:
    ends = [difference - 0.125, difference + 0.125]
    figures = {"difference": difference, "difference_ci": ends, "p_value": p_value, "p_value_corrected": corrected}
    return {"system": b, "baseline": a, **figures, "lost": 0.0, **more}


def quality(words: float, **columns: float) -> dict[str, Any]:
    return {
        "n_samples": 40, "mean_words": words, "mean_characters": 6 * words, "share_empty": 0.0, "share_matched": 1.0,
        "columns": columns,
    }  # fmt: skip


@pytest.fixture
def document() -> dict[str, Any]:
    """A comparison of three systems, made up."""
    return {
        "baseline": "gpt4",
        "systems": {
            "gpt4": quality(20.25, rouge=0.5), "lead": quality(10.0, rouge=0.25), "_%": quality(3.0, rouge=0.0),
        },
        "metrics": {
            "bur": {
                "systems": {"gpt4": system(0.25, 1), "lead": system(0.5, 2), "_%": system(0.375, 1)},
                "differences": [pair("gpt4", "lead", 0.25, 0.015625, 0.03125), pair("gpt4", "_%", 0.125, 0.5, 0.5)],
                "n_tests": 2, "alpha": 0.1, "n_samples": 40, "n_skipped": 1, "signature": "x:y",
                "by_value": {"gpt4": {"neg": 0.5}, "lead": {"neg": 0.25}, "_%": {"neg": math.nan}},
                "settings": {"confidence_level": 0.9},
                "warnings": [{"code": "few_samples", "count": 40, "share": 1.0, "message": "only 40 samples"}],
            }
        },
        "warnings": [{"code": "fairer_but_less", "count": 1, "share": 1.0, "message": "lead says less"}],
    }  # fmt: skip


def test_systems_beside_a_baseline(document: dict[str, Any]) -> None:
    lines = report(document).splitlines()
    assert lines[:2] == ["3 systems; baseline: gpt4", "40 samples compared, 1 skipped"]
    assert [*{
        "lead    0.50*   10.0        60.0  0.0000   1.0000  0.2500",
        "* differs significantly from gpt4",
        "BUR      lead     0.50  [0.38, 0.62]     2",
        "BUR      lead    gpt4            0.25  [0.12, 0.38]  0.0156    0.0312",
        "BUR      neg    0.5000  0.2500  undefined",
        "Differences are the system minus gpt4 (the baseline).",
        "- Lead says less.",
    } - {*lines}] == []  # fmt: skip


def test_all_pairs(document: dict[str, Any]) -> None:
    document["baseline"] = None
    document["metrics"]["bur"]["differences"][0]["undefined"] = "nothing to draw"
    lines = report(document).splitlines()
    assert lines[0] == "3 systems; all pairs"
    assert "*" not in "".join(lines)
    assert "- BUR, lead - gpt4: nothing to draw." in lines
    assert "Differences are the system minus the baseline." in lines


def test_chance_levels_stand_beside_the_scores(document: dict[str, Any]) -> None:
    document["metrics"]["bur"]["systems"]["lead"] |= {"at_random": 0.61, "at_random_error": 0.025}
    lines = report(document).splitlines()
    assert "BUR      lead     0.50  [0.38, 0.62]     2       0.61" in lines
    assert "At random: the score of random summaries of the same length as those of the system." in lines


def test_measures_with_other_levels_and_counts(document: dict[str, Any]) -> None:
    changed = {"settings": {"confidence_level": 0.95}, "alpha": 0.05, "n_samples": 7, "n_tests": 1}
    document["metrics"]["uer"] = document["metrics"]["bur"] | changed
    lines = report(document).splitlines()
    assert "measure  system  score            CI  rank" in lines
    assert lines[1:3] == ["40 samples compared, 1 skipped (bur)", "7 samples compared, 1 skipped (uer)"]
    assert any("a measure (1 or 2); significant below 0.1 or 0.05, with 0 outside" in line for line in lines)


_UNTESTED = (
    "By BUR no system can be called fairer: the differences have no interval, or there are fewer than 20 samples "
    "(or originals)."
)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, "By BUR the systems differ by no more than chance."),
        ({"n_samples": 20}, "By BUR the systems differ by no more than chance."),
        ({"n_samples": 19}, _UNTESTED),
        ({"difference_ci": [math.nan, math.nan]}, _UNTESTED),
    ],
)
def test_systems_of_one_rank_differ_by_too_little_or_were_not_tested(change: dict[str, Any], found: str) -> None:
    result = {"n_samples": 60, "systems": {"old": system(0.5, 1), "new": system(0.25, 1)}}
    ends = change.pop("difference_ci", [-0.5, 0.0])
    difference = pair("old", "new", -0.25, 0.01, 0.01, difference_ci=ends)
    assert sentences({"metrics": {"bur": {**result, **change, "differences": [difference]}}}) == [found]


def test_who_is_fairer_takes_originals_where_they_are_the_unit() -> None:
    result = {"n_samples": 60, "systems": {"old": system(0.5, 1), "new": system(0.25, 1)}}
    result["differences"] = [pair("old", "new", -0.25, 0.2, 0.2)]  # type: ignore[assignment]
    for n, found in ((19, "no system can be called fairer"), (20, "the systems differ by no more than chance")):
        [sentence] = sentences({"metrics": {"entity_inclusion": result | {"n_articles": n}}})
        assert sentence.startswith(f"By Entity Inclusion {found}")


@pytest.mark.parametrize(
    "change",
    [{"n_samples": 19}, {"alpha": 0.03}, {"ends": [0.0, 0.5]}, {"ends": [-0.1, 0.5]}, {"ends": [math.nan] * 2}],
)
def test_what_is_not_significant_has_no_star(document: dict[str, Any], change: dict[str, Any]) -> None:
    result = document["metrics"]["bur"]
    result["differences"][0]["difference_ci"] = change.pop("ends", result["differences"][0]["difference_ci"])
    result |= change
    assert "*" not in report(document)


def test_what_is_undefined_or_not_there(document: dict[str, Any]) -> None:
    result = document["metrics"]["bur"]
    result["systems"]["lead"] |= {"score": math.nan, "rank": None}
    result["differences"][0] |= {"difference": math.nan, "p_value": math.nan, "p_value_corrected": math.nan}
    document["systems"] = {name: {"n_samples": 8, "columns": {}} for name in document["systems"]}
    lines = report(document).splitlines()
    assert lines[3:7] == ["system        BUR", "gpt4         0.25", "lead    undefined", "_%           0.38"]
    assert [row.label for row in draw_systems(document).panels[0].rows] == ["gpt4", "_%", "lead"]


def test_the_drawing_has_scores_the_fairest_first_then_differences(document: dict[str, Any]) -> None:
    drawing = draw_systems(document)
    assert [(row.label, row.marks[0].number, row.marks[0].ends) for panel in drawing.panels for row in panel.rows] == [
        ("gpt4", 0.25, [0.125, 0.375]),
        ("_%", 0.375, [0.25, 0.5]),
        ("lead", 0.5, [0.375, 0.625]),
        ("lead", 0.25, [0.125, 0.375]),
        ("_%", 0.125, [0.0, 0.25]),
    ]
    scores, differences = drawing.panels
    assert scores.axis == "Score; lower is fairer; 0 at best"
    assert [row.note for row in scores.rows] == ["rank 1", "rank 1", "rank 2"]
    assert differences.title == "BUR: difference from gpt4"
    assert [row.note for row in differences.rows] == ["p = 0.031", "p = 0.500"]
    assert drawing.title == "3 systems compared"
    assert drawing.alone is differences
    assert drawing.below == [
        "40 samples compared, 1 skipped", "Whiskers: 90% intervals", "Only 40 samples.", "Lead says less.",
    ]  # fmt: skip


def test_all_pairs_are_drawn(document: dict[str, Any]) -> None:
    document["baseline"] = None
    document["metrics"]["bur"]["differences"].append(pair("_%", "lead", math.nan, math.nan, math.nan))
    _, differences = draw_systems(document).panels
    assert [row.label for row in differences.rows] == ["lead − gpt4", "_% − gpt4", "lead − _%"]
    assert [row.note for row in differences.rows] == ["p = 0.031", "p = 0.500", ""]
    assert differences.axis.startswith("Score minus that of the other; left of 0: fairer than the other.")


def test_closest_to_nothing_first_where_scores_have_a_sign(document: dict[str, Any]) -> None:
    result = document["metrics"].pop("bur")
    result["systems"]["gpt4"] |= {"score": -0.75}
    document["metrics"]["distinguishability"] = result
    panel = draw_systems(document).panels[0]
    assert [row.label for row in panel.rows] == ["_%", "lead", "gpt4"]
    assert panel.axis == "Score; closer to 0 is fairer"
    assert draw_systems(document).panels[1].axis.startswith("Score minus that of gpt4. p is")
