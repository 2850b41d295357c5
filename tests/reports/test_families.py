"""The drawing of each family shows its results' numbers, whatever the labels are."""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.container import BarContainer
from matplotlib.figure import Figure

from fairsum_utils import score
from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity.results import PolarityScore, sums_of
from fairsum_utils.families.polarity.rows import PolarityRow, PolarityTable
from fairsum_utils.measures import get_measure
from fairsum_utils.measures.bur import BUR
from fairsum_utils.measures.toxicity import Toxicity
from fairsum_utils.reports.charts import draw, panels_of
from fairsum_utils.reports.figures import figure_of
from fairsum_utils.reports.panels import Bars
from fairsum_utils.session import Request, Session
from tests._results import FAMILIES
from tests.reports import _forms
from tests.reports._forms import Row, check, names, near, texts


def rows_of(figure: Figure) -> list[Row]:
    """Name, number and interval of each row, as they are drawn; stacked bars have tests of their own."""
    return [*_forms.rows_of(*(axes for axes in figure.axes if axes.get_xlim() != (0.0, 1.0)))]


def chart(figure: Figure, title: str) -> Axes:
    """The axes below a title."""
    [axes] = (axes for axes in figure.axes if axes.get_title("left") == title)
    return axes


def shapes(item: Any) -> list[float]:
    """All numbers in a result."""
    if isinstance(item, Mapping):
        return [number for part in item.values() for number in shapes(part)]
    if isinstance(item, (list, tuple)):
        return [number for part in item for number in shapes(part)]
    return [float(item)] if isinstance(item, (int, float)) else []


@pytest.mark.parametrize("family", FAMILIES)
def test_every_number_drawn_is_one_of_the_result(family: str, examples: ModuleType) -> None:
    results = examples.of_family(family)
    known = shapes(results)
    rows = rows_of(results.plot())
    assert rows
    for _, number, ends in rows:
        assert any(number == pytest.approx(each, abs=1e-9) for each in known)
        assert all(any(end == pytest.approx(each, abs=1e-9) for each in known) for end in ends or ())


def test_scores_and_figures_of_representation(examples: ModuleType) -> None:
    results = examples.of_family("representation")
    rows = rows_of(results.plot())
    assert rows[:2] == near((n.upper(), results[n][n], results[n][f"{n}_ci"]) for n in ("bur", "uer"))
    for key in ("bur_by_value", "ratio_by_value"):
        assert {*rows[4:]} >= {*near((value, number, None) for value, number in results["bur"][key].items())}
    by_value = near((value, number, None) for value, number in results["uer"]["uer_by_value"].items())
    assert rows_of(results.plot("uer"))[1:3] == sorted(by_value, key=lambda row: -row[1])


def test_coverage_stands_beside_chance(examples: ModuleType) -> None:
    results = examples.of_family("coverage")
    for key, text in {
        "equal_coverage_at_random": "random summaries of this length",
        "expected_equal_coverage": "expected with random labels",
    }.items():
        axes = chart(results.plot(), "Scores")
        assert results["equal_coverage"][key] in [x for line in axes.lines for x in line.get_xdata()]
        legend = axes.get_legend()
        assert legend is not None
        assert text in [each.get_text() for each in legend.get_texts()]
        results["equal_coverage"].pop("equal_coverage_at_random", None)


def test_polarity_has_a_row_for_each_label_and_group(examples: ModuleType) -> None:
    result = examples.of_family("polarity")["gender_polarity"]
    rows = rows_of(result.plot())
    shares, ends = result["proportions_by_group"], result["intervals_by_group"]
    assert rows == near(
        (group, shares[group][label], ends[group][label]) for label in result["proportions"] for group in shares
    )


def test_polarity_shows_what_groups_consist_of(examples: ModuleType) -> None:
    """The papers' figures 3 and 4: labels that exclude each other, neutral between the others."""
    result = examples.of_family("polarity")["gender_polarity"]
    axes = chart(result.plot(), "Gender Polarity: what each group's texts are")
    assert names(axes) == [*result["proportions_by_group"]]
    for label, bars in zip(("male", "neutral", "female"), axes.containers, strict=True):
        assert isinstance(bars, BarContainer)
        widths = [bar.get_width() for bar in bars.patches]
        assert widths == [shares[label] for shares in result["proportions_by_group"].values()]


def test_several_labels_of_a_text_are_no_parts_of_a_group() -> None:
    def record(*labels: str) -> PolarityRow:
        return PolarityRow(0, "a", labels)

    rows = [record("toxic", "insult"), record(), PolarityRow(2, "b", ("toxic",)), PolarityRow(3, "b", ("toxic",))]
    result = PolarityScore(sums_of(PolarityTable(rows)), Toxicity(label_map={"a": "toxic", "b": "insult"})).result({})
    # Each group has as many labels as texts all the same.
    assert not [panel for panel in panels_of({"toxicity": result}) if isinstance(panel, Bars)]


def test_men_and_women_by_many_groups() -> None:
    """The paper's figure 2, of three professions."""
    texts = ["He ran.", "He sat.", "She ran.", "He ran.", "It ran.", "She sat."]
    made = score(texts, groups=[group for group in "abc" for _ in range(2)], metrics=["gender_polarity"])
    axes = chart(made.plot(), "Male minus female, by group")
    assert [*_forms.rows_of(axes)] == [("a", 1.0, None), ("b", 0.0, None), ("c", -0.5, None)]


def test_polarity_without_groups(examples: ModuleType) -> None:
    result = score(examples.TEXTS["predictions"], metrics=["sentiment"], confidence_level=0.95)["sentiment"]
    shares = near((label, share, result["intervals"][label]) for label, share in result["proportions"].items())
    assert rows_of(result.plot()) == shares


def test_entities_show_the_odds(examples: ModuleType) -> None:
    result = examples.of_family("entities")["entity_inclusion"]
    (pair,) = result["log_odds_ratios"]
    assert near([("female over male", pair["log_odds_ratio"], pair["ci"])])[0] in rows_of(result.plot())


def test_comparison_shows_scores_and_differences(examples: ModuleType) -> None:
    compared = examples.of_comparison()
    expected = {}
    for name, result in compared.items():
        (pair,) = result["differences"]
        # The fairest first: A by all measures.
        scores = [(system, result["systems"][system]["score"], result["systems"][system]["ci"]) for system in "AB"]
        rows = [*scores, (pair["system"], pair["difference"], pair["difference_ci"])]
        expected[name] = near(rows)
    assert rows_of(compared.plot()) == [row for rows in expected.values() for row in rows]
    assert rows_of(compared["uer"].plot()) == expected["uer"]


def test_undefined_scores_are_drawn_as_such() -> None:
    results = score(["", ""], [["Tasty."]] * 2, [["pos"]] * 2)
    assert "undefined" in texts(results.plot())


def test_a_measure_that_is_not_there_is_refused(examples: ModuleType) -> None:
    with pytest.raises(InputError, match="plot: there is no 'sof' among the results; found bur, uer"):
        score(examples.A, **examples.SUMMARIES, metrics=["bur", "uer"]).plot("sof")


def test_a_measure_asked_for_twice_is_drawn_twice(examples: ModuleType) -> None:
    session = Session([Request(BUR()), Request(BUR(tau=1.0), "strict")])
    drawn = session.score({"predictions": examples.A, **examples.SUMMARIES}).plot()
    assert [label for label, _, _ in rows_of(drawn)].count("BUR") == 2


def many() -> Any:
    """A result of fifty values with long and short names."""
    draw_from = random.Random(1)
    names = [f"value number {n}" for n in range(44)] + ["x" * 200, "中文标签" * 20, "i", "W" * 40, "a b " * 30, "é"]
    words = [f"w{n}" for n in range(200)]
    sources = [[" ".join(draw_from.choices(words, k=10)) for _ in names] for _ in range(6)]
    return score([" ".join(draw_from.choices(words, k=30)) for _ in sources], sources, [names] * 6, metrics=["bur"])


@pytest.mark.parametrize("kind", ["many", "comparison", *FAMILIES])
def test_no_text_touches_another_or_leaves_the_frame(kind: str, examples: ModuleType) -> None:
    if kind == "many":
        results = many()
    elif kind == "comparison":
        results = examples.of_comparison()
    else:
        results = examples.of_family(kind, return_samples=True)
    for width in (6.4, 4.8):
        figure = figure_of(results._draw([*results]), width)
        assert len(texts(figure)) > 10
        check(figure)


def test_titles_name_the_measures(examples: ModuleType) -> None:
    results = examples.of_family("representation")
    assert results["bur"].plot().get_suptitle() == get_measure("bur").title
    assert results.plot().get_suptitle().startswith("BUR, UER, AUC, SOF")
    assert draw([]).title == "Nothing to draw"
