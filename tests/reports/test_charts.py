"""Charts show the numbers of results: of every family, by group, over samples and over tau."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from fairsum_utils import score
from fairsum_utils.errors import InputError
from fairsum_utils.measures import Figures, get_measure
from fairsum_utils.measures.bur import BUR
from fairsum_utils.reports.charts import by_group, draw, exclusive, panels_of
from fairsum_utils.reports.figures import figure_of
from fairsum_utils.reports.panels import Bars, Curves, Heat, Line, Panel, Points
from fairsum_utils.reports.sample_charts import bur_over_tau, ratios_of, sample_ratios, spread, spreads
from fairsum_utils.results import ScoreResults
from fairsum_utils.session import Request, Session
from fairsum_utils.stats.intervals import share_interval
from tests import _results, _together
from tests._results import FAMILIES
from tests.conftest import takes_long
from tests.reports._forms import check

Drawn = tuple[str, float, Any]


@functools.cache
def results_of(family: str) -> ScoreResults:
    return _results.of_family(family, return_samples=True)


def panels(results: ScoreResults, *names: str) -> dict[str, Panel]:
    return {panel.title: panel for panel in results._draw([*names] or [*results]).panels}


def rows(panel: Panel) -> list[Drawn]:
    """Label, number and interval of each row."""
    assert isinstance(panel, Points)
    return [(row.label, row.marks[0].number, row.marks[0].ends) for row in panel.rows if row.marks]


def numbers(item: Any) -> list[float]:
    """All numbers in a result."""
    if isinstance(item, Mapping):
        return [number for part in item.values() for number in numbers(part)]
    if isinstance(item, (list, tuple)):
        return [number for part in item for number in numbers(part)]
    return [float(item)] if isinstance(item, (int, float)) else []


@pytest.mark.parametrize("family", FAMILIES)
def test_every_number_drawn_is_one_of_the_result(family: str) -> None:
    known = numbers({name: dict(result) for name, result in results_of(family).items()})
    drawn = [row for panel in panels(results_of(family)).values() if isinstance(panel, Points) for row in rows(panel)]
    assert drawn
    for _, number, ends in drawn:
        for shown in (number, *(ends or ())):
            assert any(shown == pytest.approx(each, abs=1e-9, nan_ok=True) for each in known)


def test_scores_and_figures_of_representation() -> None:
    results = results_of("representation")
    drawn = panels(results)
    assert rows(drawn["Scores"])[:2] == [(n.upper(), results[n][n], results[n][f"{n}_ci"]) for n in ("bur", "uer")]
    assert [*drawn][1:7] == [
        "Underrepresented, by group",
        "BUR over tau",
        "Mean shortfall by group",  # of UER and SOF once
        "AUC by group",
        "Share in the summary over desired share",  # of all once
        "Share in the summary over desired share: distribution",
    ]
    shortfall = sorted(results["uer"]["uer_by_value"].items(), key=lambda item: -item[1])
    assert rows(drawn["Mean shortfall by group"]) == [(group, number, None) for group, number in shortfall]
    by, ratio = drawn["Underrepresented, by group"], drawn["Share in the summary over desired share"]
    assert isinstance(by, Points)
    assert isinstance(ratio, Points)
    assert "below 0.8 times the desired share" in by.axis
    assert [row.note for row in by.rows] == ["n = 4", "n = 4"]
    assert (ratio.base, ratio.lines) == (1.0, [Line(1.0, "desired share")])


DECLARED = Figures(columns=(("f", "f_by_group"),), title="T", axis="x {tau:g}", fair="even", counts=(("n", "n_of"),))
RESULT = {
    "f_by_group": {"a": 0.25, "b": math.nan, "c": -0.5},
    "f_by_group_ci": {"a": [0.0, 0.5]},
    "n_of": {"a": 3, "b": 0, "c": 5},
    "settings": {"tau": 0.5},
}


def drawn(**changed: Any) -> Points:
    figures = DECLARED._replace(**changed)
    [panel] = by_group(figures, RESULT, RESULT)
    return panel


def test_declared_figures_by_hand() -> None:
    panel = drawn()
    assert [(row.label, row.marks[0].ends, row.note) for row in panel.rows] == [
        ("a", [0.0, 0.5], "n = 3"), ("b", None, "n = 0"), ("c", None, "n = 5"),
    ]  # fmt: skip
    assert [row.marks[0].color for row in panel.rows] == ["v1", "v2", "v3"]
    assert {row.marks[0].color for row in drawn(heading="third").rows} == {"accent"}  # groups have colors of their own
    [without] = by_group(DECLARED._replace(counts=()), RESULT, RESULT)
    assert [row.note for row in without.rows] == ["", "", ""]
    assert (panel.title, panel.axis, panel.lines, panel.even) == ("T", "x 0.5", [Line(0.0, "even")], True)
    assert [row.label for row in drawn(first="largest").rows] == ["a", "c", "b"]
    assert [row.label for row in drawn(first="smallest").rows] == ["c", "a", "b"]
    as_shares = drawn(are_shares=True)
    assert (as_shares.lines, as_shares.even) == ([Line(1 / 3, "even")], False)
    [alone] = by_group(DECLARED._replace(are_shares=True), {"f_by_group": {"a": 1.0}}, RESULT)
    assert not alone.lines
    assert not drawn(fair="").even


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("equal_coverage_at_random", "random summaries of this length"),
        ("expected_equal_coverage", "expected with random labels"),
    ],
)
def test_coverage_stands_beside_chance(key: str, text: str) -> None:
    result = dict(results_of("coverage")["equal_coverage"])
    if key == "expected_equal_coverage":
        del result["equal_coverage_at_random"]
    [scores, *_] = panels_of({"equal_coverage": result})
    assert isinstance(scores, Points)
    [_, chance] = scores.rows[0].marks
    assert (chance.number, chance.text) == (result[key], text)


def test_polarity_has_a_row_for_each_label_and_group() -> None:
    result = results_of("polarity")["gender_polarity"]
    shares = result["proportions_by_group"] | {"(all)": result["proportions"]}
    ends = result["intervals_by_group"] | {"(all)": result["intervals"]}
    drawn = panels(result.whole(), "gender_polarity")
    expected = [
        (group, shares[group][label], ends[group][label]) for label in result["proportions"] for group in shares
    ]
    assert rows(drawn["Gender Polarity by group"]) == expected
    # The papers' figures 3 and 4: labels that exclude each other, neutral between the others
    stacked = drawn["Gender Polarity by group: what the texts are"]
    assert isinstance(stacked, Bars)
    assert [part.name for part in stacked.parts] == ["male", "neutral", "female"]
    assert {row.label: [mark.number for mark in row.marks] for row in stacked.rows} == {
        group: [of[part.name] for part in stacked.parts] for group, of in shares.items()
    }


def test_several_labels_of_a_text_are_no_parts_of_a_group() -> None:
    # Each group has as many labels as texts all the same.
    shares = {"toxic": 0.5, "insult": 0.5}
    assert exclusive([shares] * 2) == []
    assert exclusive([{"good": 0.5, "bad": 0.75, "neutral": 0.0}]) == []
    assert [part.name for part in exclusive([{"good": 0.5, "bad": 0.25, "neutral": 0.25}])] == [
        "good",
        "neutral",
        "bad",
    ]


def test_men_and_women_by_many_groups() -> None:
    """The paper's figure 2, of three professions."""
    said = ["He ran.", "He sat.", "She ran.", "He ran.", "It ran.", "She sat."]
    made = score(said, groups=[group for group in "abc" for _ in range(2)], metrics=["gender_polarity"])
    [a, all_texts, b, c] = panels(made)["Male minus female, by group"].rows  # type: ignore[attr-defined]
    assert [(row.label, row.marks[0].number, row.marks[0].color) for row in (a, all_texts, b, c)] == [
        ("a", 1.0, "v1"), ("(all)", pytest.approx(1 / 6), "ink"), ("b", 0.0, "v2"), ("c", -0.5, "v3"),
    ]  # fmt: skip


def test_polarity_without_groups() -> None:
    result = score(_results.TEXTS["predictions"], metrics=["sentiment"], confidence_level=0.95)["sentiment"]
    expected = [("(all)", share, result["intervals"][label]) for label, share in result["proportions"].items()]
    drawn = panels(result.whole())
    assert rows(drawn["Sentiment by group"]) == expected
    assert not [panel for panel in drawn.values() if isinstance(panel, Bars)]


def test_records_of_one_name_stay_apart() -> None:
    figures = Figures((("gap", "gap"),), "Gaps", rows="pairs", named="{a}, {b}")
    pairs = [{"a": "x", "b": "y, z", "gap": 0.25}, {"a": "x, y", "b": "z", "gap": 0.5}]
    assert figures.columns_in({"pairs": pairs})["gap"] == {"x, y, z": 0.25, "x, y, z (2)": 0.5}
    scores = {"bur": {"by_variant": {"first": 0.5}}, "uer": {"by_variant": {}}}  # UER is unknown
    found = Figures((("", "by_variant"),), "Scores", rows="scores").columns_in({"scores": scores})
    assert found == {"by_variant": {"bur": {"first": 0.5}}}


def test_records_of_pairs_are_drawn() -> None:
    [pair] = results_of("entities")["entity_inclusion"]["log_odds_ratios"]
    expected = [("female over male", pair["log_odds_ratio"], pair["ci"])]
    assert rows(panels(results_of("entities"))["Odds of being named"]) == expected
    orders = results_of("sensitivity")["order_sensitivity"]
    expected = [(f"{part['part']} third", part["ratio"], part["ci"]) for part in orders["parts"]]
    drawn = rows(panels(orders.whole())["Share of each place in the set"])
    np.testing.assert_equal(drawn, expected)


def test_counts_are_drawn_as_shares() -> None:
    result = results_of("framing")["framing"]
    heat = panels(result.whole())["Sentiment of sources (rows) and summaries (columns)"]
    assert isinstance(heat, Heat)
    assert heat.numbers == [[n / result["n_samples"] for n in row.values()] for row in result["from_to"].values()]


def test_undefined_scores_are_drawn_as_such() -> None:
    drawn = panels(score(["", ""], [["Tasty."]] * 2, [["pos"]] * 2))
    assert all(math.isnan(number) for _, number, _ in rows(drawn["Scores"]))


def test_a_measure_that_is_not_there_is_refused(examples: ModuleType) -> None:
    with pytest.raises(InputError, match="plot: there is no 'sof' among the results; found bur, uer"):
        score(examples.A, **examples.SUMMARIES, metrics=["bur", "uer"]).plot("sof")


def test_a_measure_asked_for_twice_is_drawn_twice(examples: ModuleType) -> None:
    session = Session([Request(BUR()), Request(BUR(tau=1.0), "strict")])
    results = session.score({"predictions": examples.A, **examples.SUMMARIES})
    titles = [panel.title for panel in results._draw([*results]).panels]
    assert titles.count("Underrepresented, by group") == 2


def test_titles_name_the_measures() -> None:
    results = results_of("representation")
    assert [next(iter(panels(results, *names))) for names in (["bur"], ["bur", "uer"])] == ["Score", "Scores"]
    assert results._draw(["bur"]).title == get_measure("bur").title
    assert results._draw([*results]).title.startswith("BUR, UER, AUC, SOF")
    assert draw([]).title == "Nothing to draw"


def many() -> ScoreResults:
    """Results of fifteen groups with long and short names."""
    draw_from = random.Random(1)
    names = [f"group number {n}" for n in range(9)] + ["x" * 200, "中文标签" * 20, "i", "W" * 40, "a b " * 30, "é"]
    words = [f"w{n}" for n in range(200)]
    sources = [[" ".join(draw_from.choices(words, k=10)) for _ in names] for _ in range(6)]
    return score([" ".join(draw_from.choices(words, k=30)) for _ in sources], sources, [names] * 6, metrics=["bur"])


@pytest.mark.parametrize("kind", ["many", *(pytest.param(name, marks=takes_long) for name in FAMILIES)])
def test_no_text_touches_another_or_leaves_the_frame(kind: str) -> None:
    results = many() if kind == "many" else results_of(kind)
    figure = figure_of(results._draw([*results]), 4.8)
    assert len(check(figure)) > 10


def record(**shares: tuple[float, float]) -> dict[str, Any]:
    """A record of a sample: group -> share in the summary, desired share."""
    given, desired = zip(*shares.values(), strict=True)
    return {
        "skipped": None,
        "values": list(shares),
        "summary_share": list(given),
        "desired_share": list(desired),
        "ratio": [one / other for one, other in shares.values()],
    }


RECORDS = [
    record(a=(0.25, 0.5), b=(0.75, 0.5)),  # below tau from 0.5 on
    record(a=(0.6, 0.4), b=(0.4, 0.6)),  # from 2/3 on
    record(a=(1.0, 1.0)),  # never
    {"skipped": "empty_prediction", "values": ["a"], "summary_share": [], "desired_share": [], "ratio": []},
]


def at(panel: Curves, name: str, tau: float) -> float:
    [curve] = (curve for curve in panel.curves if curve.name == name)
    [point] = (point for point in curve.points if point.x == tau)
    return point.y


def test_curves_by_hand() -> None:
    panel = bur_over_tau(RECORDS, None)
    assert [curve.name for curve in panel.curves] == ["any group", "a", "b"]
    # Strictly below: at 0.5 itself no group is.
    for tau, any_group, a, b in ((0.0, 0, 0, 0), (0.5, 0, 0, 0), (0.525, 1, 1, 0), (0.7, 2, 1, 1), (1.0, 2, 1, 1)):
        assert at(panel, "any group", tau) == pytest.approx(any_group / 3)
        assert at(panel, "a", tau) == pytest.approx(a / 3)
        assert at(panel, "b", tau) == pytest.approx(b / 2)
    assert not panel.notes


def test_the_band_holds_intervals_of_proportions() -> None:
    panel = bur_over_tau(RECORDS, 0.9, 0.8)
    assert panel.curves[0].points[-1].ends == share_interval(2, 3, 0.9)
    assert panel.curves[1].points[-1].ends is None
    assert panel.notes == ["Band: 90% intervals, for each tau by itself."]
    assert [line.text for line in panel.lines] == ["tau = 0.8"]


def test_ratios_by_group() -> None:
    panel = ratios_of(sample_ratios(RECORDS), 0.8)
    assert {group.name: group.numbers for group in panel.groups} == {"a": [0.5, 0.6 / 0.4, 1.0], "b": [1.5, 0.4 / 0.6]}
    assert [line.number for line in panel.lines] == [0.8, 1.0]


def test_nothing_is_scored() -> None:
    assert all(math.isnan(point.y) for point in bur_over_tau(RECORDS[-1:], 0.95).curves[0].points)
    assert not ratios_of(sample_ratios(RECORDS[-1:])).groups


@pytest.mark.parametrize("settings", [{}, {"unmatched": "unfair"}, {"target": "equal"}])
def test_the_curve_goes_through_the_scores(settings: dict[str, Any], examples: ModuleType) -> None:
    given: dict[str, Any] = {"unmatched": "uniform", **examples.SUMMARIES, **settings, "return_samples": True}
    for tau in (0.5, 1.0):
        result = _together.score([*examples.A[:3], "Nothing of this."], **given, metrics=["bur"], tau=tau)["bur"]
        panel = bur_over_tau(result["samples"], None)
        assert at(panel, "any group", tau) == pytest.approx(result["bur"])
        for group, rate in result["bur_by_value"].items():
            assert at(panel, group, tau) == pytest.approx(rate)


def persons(*included: tuple[str, bool]) -> dict[str, Any]:
    entities = [{"group": group, "included": is_included} for group, is_included in included]
    return {"skipped": None, "entities": entities, "hallucinated": []}


PERSONS = [
    persons(("f", True), ("m", False), ("m", True)),
    persons(("f", False)),
    {"skipped": "empty_prediction", "entities": None, "hallucinated": None},
]


def test_distributions_by_hand() -> None:
    panel = spread("entity_inclusion", PERSONS)
    assert panel is not None
    assert [(group.name, group.numbers, group.color) for group in panel.groups] == [
        ("f", [1.0, 0.0], "v1"),
        ("m", [0.5], "v2"),
    ]
    assert panel.axis.startswith("share of a group's persons")
    assert spread("entity_hallucination", PERSONS) is None
    assert spreads({"entity_inclusion": {"entity_inclusion": 0.5}}) == []


@pytest.mark.parametrize(
    ("name", "record", "expected"),
    [
        (
            "omission",
            {
                "omission": 0.5,
                "matters": [{"values": ["a", "b"], "is_omitted": True}, {"values": ["a"], "is_omitted": False}],
            },
            {"a": [0.5], "b": [1.0]},
        ),
        (
            "misattribution",
            {"claims": [{"speaker": "a", "outcome": outcome} for outcome in ("misattributed", "supported")]},
            {"a": [0.5]},
        ),
    ],
)
def test_distributions_of_matters_and_claims(name: str, record: dict[str, Any], expected: dict[str, Any]) -> None:
    panel = spread(name, [record])
    assert panel is not None
    assert {group.name: group.numbers for group in panel.groups} == expected


def test_equal_distributions_are_drawn_once() -> None:
    kept = {"samples": PERSONS}
    [panel] = spreads({"entity_inclusion": kept, "entity_hallucination": kept})
    assert panel.title == "Distribution over samples"
    words = {"summary_words": {"f": 1, "m": 1}, "source_words": {"f": 1, "m": 3}}
    other = {"samples": [record | words for record in PERSONS]}
    titles = [panel.title for panel in spreads({"entity_inclusion": kept, "word_list_inclusion": other})]
    assert titles == ["Entity Inclusion: distribution over samples", "Word List Inclusion: distribution over samples"]
