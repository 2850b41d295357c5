"""The panels of a page: overview, systems, figures by group, and provenance."""

from __future__ import annotations

import math

import pytest

from fairsum_utils.reports.comparison import sentences
from fairsum_utils.reports.page.contents import Contents
from fairsum_utils.reports.page.provenance import provenance
from fairsum_utils.reports.page.sections import overview, systems_section, values_section
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import Table
from fairsum_utils.results.pages import contents_of
from tests._results import FAMILIES, cells, of_family, of_systems
from tests._together import score

pytestmark = pytest.mark.usefixtures("undrawn")


def test_the_fairest_in_words() -> None:
    ranks = {"bur": {"x": 1, "y": 2, "z": 1}, "uer": {"x": 2, "y": None, "z": 1}, "sof": {"x": 2, "y": 2, "z": 1}}
    systems = {name: {system: {"rank": rank} for system, rank in given.items()} for name, given in ranks.items()}
    document = {"metrics": {name: {"systems": each, "differences": []} for name, each in systems.items()}}
    assert sentences(document) == [
        "Fairest by BUR: x and z. Differences from the others are larger than chance.",
        "Fairest by UER and SOF: z. Differences from the others are larger than chance.",
    ]


@pytest.mark.parametrize("family", ["coverage", "polarity"])
def test_every_table_of_the_report_is_there_to_be_sorted(family: str) -> None:
    results = of_family(family)
    html = values_section(contents_of(results)).html
    tables = [part for part in report_of(family).tables(results) if isinstance(part, Table)]
    tables += [table for name, result in results.items() for table in report_of(family).details(name, result)]
    assert html.count("<table data-sortable>") == html.count("<table") == len(tables)
    assert systems_section(contents_of(of_systems())).html.count("<table data-sortable>") == 3


def test_the_first_of_several_systems_is_open() -> None:
    scores = {"A": of_family("representation"), "B": of_family("representation")}
    html = values_section(contents_of(of_systems(), scores=scores)).html
    assert html.startswith("<details open><summary>A</summary>")
    assert html.count("<details>") == 1
    assert values_section(contents_of(score([""], [["Tasty."]], [["a"]]))) is None


@pytest.mark.parametrize("family", FAMILIES)
def test_every_measure_has_its_score_and_direction(family: str) -> None:
    results = of_family(family)
    html = overview(contents_of(results)).html
    head, *body = cells(html)
    assert head[:2] == ["measure", "score"]
    shown = [dict(zip(head, row, strict=True)) for row in body]
    assert [row["score"].split()[0] for row in shown] == [f"{result[name]:.4f}" for name, result in results.items()]
    signatures = provenance(contents_of(results)).html
    assert report_of(family).limits
    assert report_of(family).limits.replace("'", "&#x27;") in signatures
    assert {row["direction"] for row in shown} <= {"lower is fairer; 0 at best", "closer to 0 is fairer"}
    for name, result in results.items():
        assert f"<dt>{name}</dt><dd><code>{result['signature']}</code></dd>" in signatures
        for warning in result["warnings"]:
            assert (warning["message"][1:].replace("'", "&#x27;") in html) == (warning["code"] != "skipped")


def test_families_say_of_which_samples_they_are() -> None:
    # Sources of one value: BUR has a score, Equal Coverage has none.
    metrics = ["bur", "uer", "equal_coverage"]
    results = score(["Tasty."], [["Tasty.", "Soup."]], [["a", "a"]], metrics=metrics, entailer="lexical")
    html = overview(contents_of(results)).html
    assert len(cells(html)) == 4  # they share a table
    assert "in memory, BUR, UER: 1 sample scored, 0 skipped" in html
    assert "in memory, Equal Coverage: 0 samples scored, 1 skipped (1 single_value)" in html


def test_undefined_scores_have_a_reason() -> None:
    results = of_family("representation")
    results["bur"]["bur"], results["bur"]["undefined"] = math.nan, "no <sample> has a score"
    html = overview(contents_of(results)).html
    assert cells(html)[1][1].startswith("undefined")
    assert "BUR, undefined: no &lt;sample&gt; has a score." in html


def test_half_the_width_takes_more_samples() -> None:
    # Mid-P: the upper end of 0 of 30 is 1 - .05^(1/30) = .0950; half of it takes ln(.05) / ln(1 - .0475) = 61.5.
    columns = {"predictions": ["Tasty soup. Cold room."] * 30, "sources": [["Tasty soup.", "Cold room."]] * 30}
    results = score(**columns, values=[["a", "b"]] * 30, metrics=["bur", "sof"], confidence_level=0.95)
    assert results["bur"]["bur"] == 0
    message = "Intervals of half the width take about 62 samples instead of 30 (BUR), if more of them vary as these do."
    assert message in overview(contents_of(results)).html
    without = score(**columns, values=[["a", "b"]] * 30, metrics=["bur"], confidence_level=None)
    assert "half the width" not in overview(contents_of(without)).html


def test_a_warning_that_decides_is_marked_at_its_numbers() -> None:
    results = of_family("representation")
    messages = {"all": (1.0, [*results]), "one of them": (0.5, ["uer"]), "below half": (0.49, ["uer"])}
    for name in results:
        results[name]["warnings"] = [
            {"code": "x", "count": 1, "share": share, "message": message}
            for message, (share, names) in messages.items()
            if name in names
        ]
    html = overview(contents_of(results)).html
    assert '<div class="fs-warnings" role="note"><ul><li>¹ All.</li><li>² UER: one of them.</li></ul>' in html
    scores = {row[0].split()[0]: row[1].split()[1:] for row in cells(html)[1:]}
    assert scores == {"BUR": ["¹"], "UER": ["¹", "²"], "AUC": ["¹"], "SOF": ["¹"]}
    assert "<li>UER: below half.</li>" in html[html.index("<details>") :]


def test_nothing_of_a_text_is_markup() -> None:
    results = of_family("representation")
    results["bur"]["warnings"] = [{"code": "x", "count": 1, "share": 1.0, "message": "<img src=x onerror=alert(1)>"}]
    html = overview(contents_of(results, title="</script><b>")._replace(views=[("<i>\u202e", dict(results))])).html
    assert "<img" not in html
    assert "<i>" not in html
    assert "\u202e" not in html
    assert "style=" not in html


def test_remarks_on_missing_samples_are_in_the_overview() -> None:
    contents = contents_of(of_family("coverage"))._replace(notes=["Of 5 samples < 6"])
    assert '<p class="fs-note">Of 5 samples &lt; 6</p>' in overview(contents).html


def test_no_results() -> None:
    assert overview(Contents("t", {"metrics": {}}, [])).html == ""


RUN = {
    "command": {"name": "score", "options": {"file": "a.jsonl", "quiet": False, "id": [], "plot": None}},
    "inputs": [{"path": "a<b>.jsonl", "bytes": 12, "sha256": "ab12", "rows": 3}, {"path": None, "columns": ["x"]}],
    "settings": {
        "bur": {"measure": "bur", "given": {"tau": 0.9}, "effective": {"tau": 0.9, "k": 1, "target": {"a": 0.5}}},
        "uer": {"measure": "uer", "given": {}, "effective": {"k": 1, "target": {"a": 0.5}}},
    },
    "versions": {"fairsum-utils": "1.0"},
    "seconds": 1.5,
}


def test_the_record_of_a_run() -> None:
    html = provenance(Contents("a", {"metrics": {}, "run": RUN}, [])).html
    found = [["a&lt;b&gt;.jsonl", "3", "12", "ab12"], ["in memory: x", "", "", "none"]]
    assert cells(html, "What was read")[1:] == found
    assert cells(html, "Settings that were given")[1:] == [["tau", "0.9", "bur"]]
    assert "<tr><td>k</td><td>1</td><td>all</td></tr>" in html
    assert "<td>{&quot;a&quot;: 0.5}</td><td>all</td>" in html
    assert cells(html, "With what, and when")[1:] == [["fairsum-utils", "1.0"], ["seconds", "1.5"]]
    assert [name for name in ("file", "quiet", "id", "plot") if f"<td>{name}</td>" in html] == ["file"]


def test_results_without_a_record_say_so() -> None:
    assert "do not say how they came about" in provenance(Contents("a", {"metrics": {}}, [])).html
