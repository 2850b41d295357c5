"""Comparisons as text and as drawings: of two systems, and of many."""

from __future__ import annotations

import csv
import io
import math
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from fairsum_utils import compare
from fairsum_utils.errors import InputError
from fairsum_utils.reports.comparison import report, sentences
from fairsum_utils.reports.figures import draw_systems
from fairsum_utils.reports.panels import Heat
from tests.reports._forms import check, groups, texts

RESULT = {"a": 0.5, "b": 0.25, "difference": -0.25, "difference_ci": [-0.5, 0.0], "p_value": 0.0625}


def of_two(*counts: tuple[int, int], **more: Any) -> list[str]:
    metrics: dict[str, Any] = {
        name: RESULT | {"n_samples": n, "n_skipped": skipped}
        for name, (n, skipped) in zip(("bur", "equal_coverage"), counts, strict=True)
    }
    return report({"a": "old", "b": "new", "metrics": metrics, **more}).splitlines()


def test_two_systems() -> None:
    assert of_two((8, 0), (8, 0)) == [
        "A: old",
        "B: new",
        "8 samples compared, 0 skipped",
        "",
        "measure              A       B    B - A             95% CI       p",
        "BUR             0.5000  0.2500  -0.2500  [-0.5000, 0.0000]  0.0625",
        "Equal Coverage  0.5000  0.2500  -0.2500  [-0.5000, 0.0000]  0.0625",
        "",
        "Differences are B minus A (the baseline).",
        "Lower is fairer: a difference below 0 speaks for B.",
    ]
    assert of_two((8, 0), (7, 1))[2:4] == [
        "8 samples compared, 0 skipped (bur)",
        "7 samples compared, 1 skipped (equal_coverage)",
    ]


_UNTESTED = "By BUR neither system can be called fairer: it takes 20 samples (or originals) and an interval."


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "Fairer by BUR: new."),
        ({"b": 0.75, "difference_ci": [0.125, 0.375]}, "Fairer by BUR: old."),
        ({"n_samples": 20}, "Fairer by BUR: new."),
        ({"n_samples": 19}, _UNTESTED),
        ({"difference_ci": [-0.89, 0.1]}, ""),
        ({"difference_ci": [-0.5, 0.0]}, ""),
        ({"difference_ci": [math.nan, math.nan]}, _UNTESTED),
        ({"p_value": 0.05}, ""),
        ({"p_value": 0.05, "settings": {"confidence_level": 0.9}}, "Fairer by BUR: new."),
        ({"p_value": math.nan}, ""),
    ],
)
def test_who_is_fairer_takes_p_value_interval_and_samples(change: dict[str, Any], said: str) -> None:
    result = RESULT | {"n_samples": 60, "difference_ci": [-0.375, -0.125], "p_value": 0.01} | change
    found = sentences({"a": "old", "b": "new", "metrics": {"bur": result}})
    assert found == [said or "By BUR the two systems do not differ significantly."]


def test_who_is_fairer_takes_originals_where_they_are_the_unit() -> None:
    result = RESULT | {"n_samples": 60, "difference_ci": [-0.375, -0.125], "p_value": 0.01}
    for n, said in (
        (19, "By Entity Inclusion neither system can be called fairer"),
        (20, "Fairer by Entity Inclusion: new."),
    ):
        [found] = sentences({"a": "old", "b": "new", "metrics": {"entity_inclusion": result | {"n_articles": n}}})
        assert found.startswith(said)


def test_labels_name_the_columns() -> None:
    lines = of_two((8, 0), (8, 0), labels=["lead", "new"])
    assert lines[:2] == ["lead: old", "8 samples compared, 0 skipped"]
    assert lines[3].split() == ["measure", "lead", "new", "new", "-", "lead", "95%", "CI", "p"]
    assert lines[-2] == "Differences are new minus lead (the baseline)."
    assert lines[-1].endswith("speaks for new.")


def test_labels_name_systems_everywhere() -> None:
    sources, values = [["Tasty soup.", "Awful soup."]] * 9, [["pos", "neg"]] * 9
    found = compare(["Tasty."] * 9, ["Awful, tasty."] * 9, sources, values, metrics="uer", labels=("lead", "gpt"))
    assert found["uer"]["by_value"] == {"lead": {"neg": 0.5, "pos": 0.0}, "gpt": {"neg": 0.0, "pos": 0.0}}
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert [(row["table"], row["group"], row["lead"], row["gpt"], row["gpt - lead"]) for row in rows] == [
        ("measure", "", "0.25", "0.0", "-0.25"),
        ("By group", "neg", "0.5", "0.0", "-0.5"),
        ("By group", "pos", "0.0", "0.0", "0.0"),
    ]
    drawing = found.plot()
    assert drawing.title == "gpt compared with lead"
    assert drawing.panels[0].title == "Difference gpt − lead"
    axis = "Score of gpt minus score of lead (the baseline); left of 0: gpt is fairer, right of 0: lead is"
    assert drawing.panels[0].axis == axis
    for label in ("gpt", ""):
        with pytest.raises(InputError, match="labels must be two different names"):
            compare(["Tasty."] * 9, ["Awful."] * 9, sources, values, metrics="uer", labels=["gpt", label])


def system(score: float, rank: int | None) -> dict[str, Any]:
    return {"score": score, "ci": [score - 0.125, score + 0.125], "ci_lost": 0.0, "rank": rank, "n_skipped": 0}


def pair(a: str, b: str, difference: float, p_value: float, corrected: float, **more: Any) -> dict[str, Any]:
    ends = [difference - 0.125, difference + 0.125]
    figures = {"difference": difference, "difference_ci": ends, "p_value": p_value, "p_value_corrected": corrected}
    return {"a": a, "b": b, **figures, "lost": 0.0, **more}


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


def test_many_systems_beside_a_baseline(document: dict[str, Any]) -> None:
    assert report(document).splitlines() == [
        "3 systems; baseline: gpt4",
        "40 samples compared, 1 skipped",
        "",
        "system      BUR  words  characters   empty  matched   rouge",
        "gpt4    0.2500    20.2       121.5  0.0000   1.0000  0.5000",
        "lead    0.5000*   10.0        60.0  0.0000   1.0000  0.2500",
        "_%      0.3750     3.0        18.0  0.0000   1.0000  0.0000",
        "* differs significantly from gpt4",
        "",
        "BUR",
        "",
        "system   score            90% CI  rank  difference to gpt4  90% CI (difference)       p  p (Holm)",
        "gpt4    0.2500  [0.1250, 0.3750]     1",
        "lead    0.5000  [0.3750, 0.6250]     2              0.2500     [0.1250, 0.3750]  0.0156    0.0312",
        "_%      0.3750  [0.2500, 0.5000]     1              0.1250     [0.0000, 0.2500]  0.5000    0.5000",
        "",
        "By group",
        "",
        "measure  group    gpt4    lead         _%",
        "BUR      neg    0.5000  0.2500  undefined",
        "",
        "Differences are the system minus gpt4 (the baseline).",
        "Lower is fairer: a difference below 0 speaks for the system.",
        "p (Holm): corrected over the 2 differences of a measure; significant below 0.1, with 0 outside the interval, "
        "and from 20 samples on.",
        "Rank: systems with the same rank do not differ significantly from each other (all pairs, Holm).",
        "",
        "Notes:",
        "- Only 40 samples.",
        "- Lead says less.",
    ]


def test_all_pairs(document: dict[str, Any]) -> None:
    document["baseline"] = None
    document["metrics"]["bur"]["differences"][0]["undefined"] = "nothing to draw"
    lines = report(document).splitlines()
    assert lines[0] == "3 systems; all pairs"
    assert "*" not in "".join(lines)
    assert lines[15:20] == [
        "BUR: differences",
        "",
        "A     B      B - A            90% CI       p  p (Holm)",
        "gpt4  lead  0.2500  [0.1250, 0.3750]  0.0156    0.0312",
        "gpt4  _%    0.1250  [0.0000, 0.2500]  0.5000    0.5000",
    ]
    assert "- BUR, lead - gpt4: nothing to draw." in lines
    assert "Differences are B minus A." in lines
    assert "Lower is fairer: a difference below 0 speaks for B." in lines


@pytest.mark.parametrize(
    "change",
    [{"n_samples": 19}, {"alpha": 0.03}, {"ends": [0.0, 0.5]}, {"ends": [-0.1, 0.5]}, {"ends": [math.nan] * 2}],
)
def test_what_is_not_significant_has_no_star(document: dict[str, Any], change: dict[str, Any]) -> None:
    result = document["metrics"]["bur"]
    result["differences"][0]["difference_ci"] = change.pop("ends", result["differences"][0]["difference_ci"])
    result |= change
    assert "*" not in report(document)


def test_a_table_for_a_paper(document: dict[str, Any]) -> None:
    lines = report(document, format="latex").splitlines()
    assert lines[3:12] == [
        r"\begin{tabular}{lrrrrrr}",
        r"\toprule",
        r"system &     BUR & words & characters &  empty & matched &  rouge \\",
        r"\midrule",
        r"gpt4   & 0.2500  &  20.2 &      121.5 & 0.0000 &  1.0000 & 0.5000 \\",
        r"lead   & 0.5000* &  10.0 &       60.0 & 0.0000 &  1.0000 & 0.2500 \\",
        r"\_\%   & 0.3750  &   3.0 &       18.0 & 0.0000 &  1.0000 & 0.0000 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    assert lines[12] == "% * differs significantly from gpt4"


def test_one_table_of_csv(document: dict[str, Any]) -> None:
    rows = list(csv.DictReader(io.StringIO(report(document, format="csv"))))
    assert [(row["table"], row["system"], row["BUR"], row["BUR mark"], row["words"]) for row in rows[:3]] == [
        ("system", "gpt4", "0.25", "", "20.25"), ("system", "lead", "0.5", "*", "10.0"),
        ("system", "_%", "0.375", "", "3.0"),
    ]  # fmt: skip
    names = ("table", "system", "rank", "difference to gpt4", "p (Holm)")
    assert [tuple(row[name] for name in names) for row in rows[3:6]] == [
        ("BUR", "gpt4", "1", "", ""), ("BUR", "lead", "2", "0.25", "0.03125"), ("BUR", "_%", "1", "0.125", "0.5"),
    ]  # fmt: skip
    last = [rows[6][name] for name in ("table", "measure", "group", "gpt4", "_%")]
    assert last == ["By group", "BUR", "neg", "0.5", ""]


def test_what_is_undefined_or_not_there(document: dict[str, Any]) -> None:
    result = document["metrics"]["bur"]
    result["systems"]["lead"] |= {"score": math.nan, "rank": None}
    result["differences"][0] |= {"difference": math.nan, "p_value": math.nan, "p_value_corrected": math.nan}
    document["systems"] = {name: {"n_samples": 8, "columns": {}} for name in document["systems"]}
    lines = report(document).splitlines()
    assert lines[3:7] == ["system        BUR", "gpt4       0.2500", "lead    undefined", "_%         0.3750"]
    assert [row.label for row in draw_systems(document).panels[0].rows] == ["gpt4", "_%", "lead"]


def test_measures_with_other_counts(document: dict[str, Any]) -> None:
    document["metrics"]["uer"] = document["metrics"]["bur"] | {"n_samples": 7, "n_tests": 1}
    lines = report(document).splitlines()
    assert lines[1:3] == ["40 samples compared, 1 skipped (bur)", "7 samples compared, 1 skipped (uer)"]
    assert any("over the 1 or 2 differences of a measure" in line for line in lines)


def test_the_drawing_has_scores_the_fairest_first_then_differences(document: dict[str, Any]) -> None:
    drawing = draw_systems(document)
    rows = [
        [row.get(f"data-{name}") for name in ("label", "number", "low", "high")]
        for row in groups(ET.fromstring(drawing.svg), "row")
    ]
    assert rows == [
        ["gpt4", "0.25", "0.125", "0.375"],
        ["_%", "0.375", "0.25", "0.5"],
        ["lead", "0.5", "0.375", "0.625"],
        ["lead", "0.25", "0.125", "0.375"],
        ["_%", "0.125", "0.0", "0.25"],
    ]
    scores, differences = drawing.panels
    assert scores.axis == "Score; lower is fairer, 0 at best"
    assert [row.note for row in scores.rows] == ["rank 1", "rank 1", "rank 2"]
    assert differences.title == "BUR: difference from gpt4"
    assert [row.note for row in differences.rows] == ["p = 0.031", "p = 0.500"]
    for text in ("3 systems compared", "40 samples compared, 1 skipped", "90% intervals", "lead says less"):
        assert text in drawing.svg


def test_all_pairs_are_drawn_as_a_table_too(document: dict[str, Any]) -> None:
    document["baseline"] = None
    document["metrics"]["bur"]["differences"].append(pair("_%", "lead", math.nan, math.nan, math.nan))
    drawing = draw_systems(document)
    table, differences = drawing.panels[1:]
    assert isinstance(table, Heat)
    assert list(table.rows) == list(table.columns) == ["gpt4", "_%", "lead"]
    assert table.numbers[0] == [None, -0.125, -0.25]
    assert [row[0] for row in table.numbers[1:]] == [0.125, 0.25]
    assert table.framed == [[False, False, True], [False] * 3, [True, False, False]]
    check(ET.fromstring(drawing.svg))
    assert {".125", "−.250", "?"} <= set(texts(ET.fromstring(drawing.svg)))
    assert [row.label for row in differences.rows] == ["lead − gpt4", "_% − gpt4", "lead − _%"]
    assert differences.axis.startswith("Score minus that of the other; left of 0: fairer than the other.")


def test_closest_to_nothing_first_where_scores_have_a_sign(document: dict[str, Any]) -> None:
    result = document["metrics"].pop("bur")
    result["systems"]["gpt4"] |= {"score": -0.75}
    document["metrics"]["distinguishability"] = result
    panel = draw_systems(document).panels[0]
    assert [row.label for row in panel.rows] == ["_%", "lead", "gpt4"]
    assert panel.axis == "Score; closer to 0 is fairer"
    assert draw_systems(document).panels[1].axis.startswith("Score minus that of gpt4. p is")


@pytest.mark.parametrize("measures", [None, ["bur"]])
def test_some_measures_are_drawn_or_all(document: dict[str, Any], measures: list[str] | None) -> None:
    document["metrics"] = {"uer": document["metrics"]["bur"], **document["metrics"]}
    titles = [panel.title for panel in draw_systems(document, measures).panels]
    each = ["UER", "UER: difference from gpt4", "BUR", "BUR: difference from gpt4"]
    assert titles == (each if measures is None else each[2:])
