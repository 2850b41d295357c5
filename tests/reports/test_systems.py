"""The comparison of many systems as tables: one for a paper, and the figures behind it."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

import pytest

from fairsum_utils.reports.comparison import report
from fairsum_utils.reports.tables import Table


def system(score: float, rank: int | None) -> dict[str, Any]:
    return {"score": score, "ci": [score - 0.125, score + 0.125], "ci_lost": 0.0, "rank": rank, "n_skipped": 0}


def pair(a: str, b: str, difference: float, p_value: float, corrected: float, **more: Any) -> dict[str, Any]:
    ends = [difference - 0.125, difference + 0.125]
    figures = {"difference": difference, "difference_ci": ends, "p_value": p_value, "p_value_corrected": corrected}
    return {"a": a, "b": b, **figures, "lost": 0.0, **more}


def quality(words: float, **columns: float) -> dict[str, Any]:
    return {
        "n_samples": 8, "mean_words": words, "mean_characters": 6 * words, "share_empty": 0.0, "share_matched": 1.0,
        "columns": columns,
    }  # fmt: skip


@pytest.fixture
def document() -> dict[str, Any]:
    """Made up: what a comparison gives."""
    return {
        "baseline": "gpt4",
        "systems": {
            "gpt4": quality(20.25, rouge=0.5), "lead": quality(10.0, rouge=0.25), "_%": quality(3.0, rouge=0.0),
        },
        "metrics": {
            "bur": {
                "systems": {"gpt4": system(0.25, 1), "lead": system(0.5, 2), "_%": system(0.375, 1)},
                "differences": [pair("lead", "gpt4", 0.25, 0.015625, 0.03125), pair("_%", "gpt4", 0.125, 0.5, 0.5)],
                "n_tests": 2, "alpha": 0.05, "n_samples": 8, "n_skipped": 1, "signature": "x:y",
                "warnings": [{"code": "few_samples", "count": 8, "share": 1.0, "message": "only 8 samples"}],
            }
        },
        "warnings": [{"code": "fairer_but_less", "count": 1, "share": 1.0, "message": "lead says less"}],
    }  # fmt: skip


def test_baseline(document: dict[str, Any]) -> None:
    assert report(document).splitlines() == [
        "3 systems; baseline: gpt4",
        "8 samples compared, 1 skipped",
        "",
        "system      BUR  words  characters   empty  matched   rouge",
        "gpt4    0.2500    20.2       121.5  0.0000   1.0000  0.5000",
        "lead    0.5000*   10.0        60.0  0.0000   1.0000  0.2500",
        "_%      0.3750     3.0        18.0  0.0000   1.0000  0.0000",
        "* differs significantly from gpt4",
        "",
        "BUR    score          interval  rank  minus gpt4    interval of it       p  p (Holm)",
        "gpt4  0.2500  [0.1250, 0.3750]     1",
        "lead  0.5000  [0.3750, 0.6250]     2      0.2500  [0.1250, 0.3750]  0.0156    0.0312",
        "_%    0.3750  [0.2500, 0.5000]     1      0.1250  [0.0000, 0.2500]  0.5000    0.5000",
        "",
        "only 8 samples",
        "lead says less",
        "",
        "Lower is fairer: a difference below 0 speaks for the system, above 0 for gpt4.",
        "p (Holm): corrected over the 2 differences of a measure; significant below 0.05.",
        "Rank: no two systems of a rank differ significantly, of all pairs, corrected.",
    ]


def test_all_pairs(document: dict[str, Any]) -> None:
    document["baseline"] = None
    document["metrics"]["bur"]["differences"][0]["undefined"] = "nothing to draw"
    lines = report(document).splitlines()
    assert lines[0] == "3 systems; all pairs"
    assert "*" not in "".join(lines)
    assert lines[13:17] == [
        "BUR: A     B   A - B          interval       p  p (Holm)",
        "lead    gpt4  0.2500  [0.1250, 0.3750]  0.0156    0.0312",
        "_%      gpt4  0.1250  [0.0000, 0.2500]  0.5000    0.5000",
        "",
    ]
    assert lines[17] == "BUR, lead - gpt4: nothing to draw"
    assert "Lower is fairer: a difference below 0 speaks for A." in lines


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


def test_csv_has_numbers_and_marks_apart(document: dict[str, Any]) -> None:
    first, second = report(document, format="csv").split("\n\n")
    rows = list(csv.DictReader(io.StringIO(first)))
    assert [(row["system"], row["BUR"], row["BUR mark"], row["words"]) for row in rows] == [
        ("gpt4", "0.25", "", "20.25"), ("lead", "0.5", "*", "10.0"), ("_%", "0.375", "", "3.0"),
    ]  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(second)))
    assert [(row["BUR"], row["rank"], row["minus gpt4"], row["p (Holm)"]) for row in rows] == [
        ("gpt4", "1", "", ""), ("lead", "2", "0.25", "0.03125"), ("_%", "1", "0.125", "0.5"),
    ]  # fmt: skip


def test_what_is_undefined_or_not_there(document: dict[str, Any]) -> None:
    result = document["metrics"]["bur"]
    result["systems"]["lead"] |= {"score": math.nan, "rank": None}
    result["differences"][0] |= {"difference": math.nan, "p_value": math.nan, "p_value_corrected": math.nan}
    document["systems"] = {name: {"n_samples": 8, "columns": {}} for name in document["systems"]}
    lines = report(document).splitlines()
    assert lines[3:7] == ["system        BUR", "gpt4       0.2500", "lead    undefined", "_%         0.3750"]
    markdown = report(document, format="markdown")
    assert "| lead | undefined |" in markdown
    html = report(document, format="html")
    assert '<th scope="row">_%</th>' in html


def test_measures_with_other_counts(document: dict[str, Any]) -> None:
    document["metrics"]["uer"] = document["metrics"]["bur"] | {"n_samples": 7, "n_tests": 1}
    lines = report(document).splitlines()
    assert lines[1:3] == ["8 samples compared, 1 skipped (bur)", "7 samples compared, 1 skipped (uer)"]
    assert "over the 1 or 2 differences of a measure" in lines[-2]
    assert Table(["a"], []).n_texts == 1
