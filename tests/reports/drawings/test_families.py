"""The drawing of each family shows its results' numbers, whatever the labels are."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from itertools import combinations
from types import ModuleType
from typing import Any

import pytest

from fairsum_utils import score
from fairsum_utils.errors import InputError
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.drawings import Drawing
from fairsum_utils.reports.drawings.families import draw, panels_of
from fairsum_utils.reports.drawings.text import width
from fairsum_utils.session import Request, Session

FAMILIES = ("representation", "coverage", "polarity", "entities")
HOSTILE = ["<script>alert(1)</script>", "a&b\"'", "\u202eneg\x1b[31m", "x" * 300, "中文" * 30]
SVG = "{http://www.w3.org/2000/svg}"


def rows_of(drawing: Drawing) -> list[tuple[str, float, tuple[float, float] | None]]:
    """Label, number and interval of each row, as they are drawn."""
    found = []
    for group in ET.fromstring(drawing.svg).iter(f"{SVG}g"):
        if group.get("class") == "row":
            low, high = group.get("data-low"), group.get("data-high")
            ends = None if low is None or high is None else (float(low), float(high))
            found.append((group.get("data-label", ""), float(group.get("data-number", "")), ends))
    return found


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
        assert number in known
        assert all(end in known for end in ends or ())


def test_scores_and_figures_of_representation(examples: ModuleType) -> None:
    results = examples.of_family("representation")
    rows = rows_of(results.plot())
    assert rows[:2] == [(n.upper(), results[n][n], tuple(results[n][f"{n}_ci"])) for n in ("bur", "uer")]
    by_value = {(label, number) for label, number, _ in rows[4:]}
    for key in ("bur_by_value", "ratio_by_value"):
        assert by_value >= set(results["bur"][key].items())
    assert rows_of(results.plot("uer"))[1:3] == sorted(
        ((value, number, None) for value, number in results["uer"]["uer_by_value"].items()), key=lambda row: -row[1]
    )


def test_coverage_stands_beside_chance(examples: ModuleType) -> None:
    results = examples.of_family("coverage")
    svg = results.plot().svg
    assert (
        f"Equal Coverage expected with random labels: {results['equal_coverage']['expected_equal_coverage']:.3f}" in svg
    )


def test_polarity_has_a_row_for_each_label_and_group(examples: ModuleType) -> None:
    result = examples.of_family("polarity")["gender_polarity"]
    rows = rows_of(result.plot())
    shares, ends = result["proportions_by_group"], result["intervals_by_group"]
    assert rows == [
        (group, shares[group][label], tuple(ends[group][label])) for label in result["proportions"] for group in shares
    ]


def test_polarity_without_groups(examples: ModuleType) -> None:
    result = score(examples.TEXTS["predictions"], metrics=["sentiment"], confidence_level=0.95)["sentiment"]
    assert [(label, number) for label, number, _ in rows_of(result.plot())] == [*result["proportions"].items()]


def test_entities_show_the_odds(examples: ModuleType) -> None:
    result = examples.of_family("entities")["entity_inclusion"]
    (pair,) = result["log_odds_ratios"]
    assert ("female over male", pair["log_odds_ratio"], tuple(pair["ci"])) in rows_of(result.plot())


def test_comparison_shows_differences(examples: ModuleType) -> None:
    compared = examples.of_comparison()
    rows = rows_of(compared.plot())
    assert [row[1:] for row in rows] == [(one["difference"], tuple(one["difference_ci"])) for one in compared.values()]
    assert rows_of(compared["uer"].plot()) == [rows[1]]


def test_undefined_scores_are_drawn_as_such() -> None:
    results = score(["", ""], [["Tasty."]] * 2, [["pos"]] * 2)
    assert "undefined" in results.plot().svg


def test_a_measure_that_is_not_there_is_refused(examples: ModuleType) -> None:
    with pytest.raises(InputError, match="plot: there is no 'sof' among the results; found bur, uer"):
        score(examples.A, **examples.SUMMARIES, metrics=["bur", "uer"]).plot("sof")


def test_a_measure_asked_for_twice_is_drawn_twice(examples: ModuleType) -> None:
    session = Session([Request("bur"), Request("bur", "strict", {"tau": 1.0})])
    drawn = session.score({"predictions": examples.A, **examples.SUMMARIES}).plot()
    assert [label for label, _, _ in rows_of(drawn)].count("BUR") == 2


def test_a_family_without_a_drawing_gets_the_one_for_any(examples: ModuleType) -> None:
    assert panels_of("nothing").__name__ == "_panels"
    result = examples.of_family("representation")["bur"]
    rows = [row for panel in panels_of("nothing")({"bur": result}) for row in panel.rows]
    assert [row.marks[0].number for row in rows] == [result["bur"], *result["bur_by_value"].values()]


def renamed(item: Any, names: Mapping[str, str]) -> Any:
    if isinstance(item, Mapping):
        return {names.get(key, key): renamed(part, names) for key, part in item.items()}
    if isinstance(item, list):
        return [renamed(part, names) for part in item]
    return names.get(item, item) if isinstance(item, str) else item


@pytest.mark.parametrize("family", [*FAMILIES, "comparison"])
@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_labels_are_inert_text(family: str, label: str, examples: ModuleType) -> None:
    results = examples.of_comparison() if family == "comparison" else examples.of_family(family)
    names = dict.fromkeys(("pos", "men", "female"), label)
    if family == "comparison":
        results.systems = (label, label)
    else:
        results = type(results)(renamed(results, names), title=label)
    drawing = results.plot()
    for made in (drawing.svg, drawing.at(344)):
        tags = {element.tag.removeprefix(SVG) for element in ET.fromstring(made).iter()}
        assert tags <= {"svg", "title", "desc", "style", "rect", "g", "line", "circle", "text"}
    page = results._repr_html_()
    assert "<script" not in page
    assert not re.search(r"<[^>]*\son\w+=", page)
    assert "\u202e" not in drawing.svg


def many() -> Any:
    """A result of fifty values with long and short names."""
    draw_from = random.Random(1)
    names = [f"value number {n}" for n in range(44)] + ["x" * 200, "中文标签" * 20, "i", "W" * 40, "a b " * 30, "é"]
    words = [f"w{n}" for n in range(200)]
    sources = [[" ".join(draw_from.choices(words, k=10)) for _ in names] for _ in range(6)]
    return score([" ".join(draw_from.choices(words, k=30)) for _ in sources], sources, [names] * 6, metrics=["bur"])


@pytest.mark.parametrize("wide", [344, 680])
@pytest.mark.parametrize("kind", ["many", "comparison", *FAMILIES])
def test_no_text_touches_another_or_leaves_the_frame(kind: str, wide: int, examples: ModuleType) -> None:
    results = (
        many() if kind == "many" else examples.of_comparison() if kind == "comparison" else examples.of_family(kind)
    )
    root = ET.fromstring(results.plot().at(wide))
    boxes = []
    for text in root.iter(f"{SVG}text"):
        size, x, y = (float(text.get(name, "")) for name in ("font-size", "x", "y"))
        long = width(text.text or "", size)
        left = x - {"end": long, "middle": long / 2}.get(text.get("text-anchor", ""), 0)
        boxes.append((left, y - 0.75 * size, left + long, y + 0.2 * size, text.text))
    assert len(boxes) > 10
    for left, top, right, bottom, text in boxes:
        assert left >= -2, text
        assert right <= wide + 2, text
        assert 0 <= top < bottom <= float(root.get("height", "")), text
    for one, other in combinations(boxes, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)


def test_titles_name_the_measures(examples: ModuleType) -> None:
    results = examples.of_family("representation")
    assert results["bur"].plot().title == get_measure("bur").title
    assert results.plot().title == "BUR, UER, AUC, SOF"
    assert draw([]).title == "Nothing to draw"
