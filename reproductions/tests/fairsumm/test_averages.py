"""Averages over the ways to match: the paper's tables, and by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions
from fairsum_reproductions.fairsumm._printed import DOMAINS, SCORES, averages_of_table_2, table_10
from fairsum_reproductions.fairsumm.averages import average_scores
from fairsum_utils import score
from fairsum_utils.reports.tables import Table
from fairsum_utils.results.reading import read_results


def result(measure: str, number: float, matcher: str = "ngram", tau: float = 0.8) -> dict[str, Any]:
    return {measure: number, "signature": f"matcher:{matcher}|tau:{tau}|v:0"}


def test_all_averages_of_table_10() -> None:
    """Each lies within the rounding of the printed scores and of its own."""
    printed = table_10()
    for place in range(2 * len(DOMAINS)):
        scores = {system: {"": {name: row[name][place] for name in SCORES.values()}} for system, row in printed.items()}
        for system, found in average_scores(scores).items():
            assert found[""] == pytest.approx(printed[system]["Average"][place], abs=0.01)


def test_table_2_has_other_numbers_for_alpaca() -> None:
    averages = {system: row["Average"] for system, row in table_10().items()}
    of_table_2 = averages_of_table_2()
    assert of_table_2.keys() == averages.keys()
    assert [system for system in averages if averages[system] != of_table_2[system]] == ["Alpaca"]
    pairs = zip(averages["Alpaca"], of_table_2["Alpaca"], strict=True)
    assert sum(one != other for one, other in pairs) == 9
    assert (averages["Alpaca"][8], of_table_2["Alpaca"][8]) == (79.49, 97.99)


def test_by_hand() -> None:
    found = average_scores({"A": {"x": {"n": 0.25, "b": 0.75}, "y": {"n": 0.5}}, "B": {"x": {"n": 0.25}}})
    assert found["A"] == {"x": 0.5, "y": 0.5}
    assert math.isnan(found["B"]["x"])  # no b, which A has


SCORE = st.floats(0, 1)


@given(st.dictionaries(st.sampled_from("abc"), st.lists(SCORE, min_size=3, max_size=3), min_size=1))
def test_it_lies_between_its_scores_whatever_their_order(numbers: dict[str, list[float]]) -> None:
    for order in (1, -1):
        scores = {
            system: {"x": dict(zip("nbr"[::order], row[::order], strict=True))} for system, row in numbers.items()
        }
        for system, by_domain in average_scores(scores).items():
            assert min(numbers[system]) - 1e-12 <= by_domain["x"] <= max(numbers[system]) + 1e-12
            assert by_domain["x"] == math.fsum(numbers[system]) / 3


RESULTS = {
    "A/x": {"bur": result("bur", 0.25), "uer": result("uer", 0.0625)},
    "A/x/second": {"bur": result("bur", 0.75, "callable(f)")},
    "B/x": {"bur": result("bur", 0.5), "bur_bert": result("bur", 0.75, "bertscore")},
    "A/y": {"bur": result("bur", 0.125)},
    "B/y": {"bur": result("bur", 0.5, tau=0.9)},
}


def test_the_study() -> None:
    found = fairsum_reproductions.averages(RESULTS)
    assert (found["systems"], found["domains"], found["measures"]) == (["A", "B"], ["x", "y"], ["bur", "uer"])
    assert found["scores"]["bur"]["A"]["x"] == {"N-gramScore": 0.25, "second": 0.75}
    assert found["scores"]["bur"]["B"]["x"] == {"N-gramScore": 0.5, "BERTScore": 0.75}
    assert math.isnan(found["average"]["bur"]["A"]["x"])
    assert found["average"]["bur"]["A"]["y"] == 0.125
    assert found["undefined"] == {
        "bur of A on x": "no score by BERTScore, which another system has",
        "bur of B on x": "no score by second, which another system has",
    }
    assert found["notes"] == ["bur by N-gramScore: A/y and B/y were scored with another tau"]


def test_tables_as_the_paper_has_them() -> None:
    named = {
        f"{system}/Yelp/{score}": {"bur": {"bur": number / 100}}
        for system, row in table_10().items()
        for score, number in ((name, row[name][4]) for name in SCORES.values())
    }
    found = fairsum_reproductions.averages(named)
    averages, details, *_ = [part for part in found._parts() if isinstance(part, Table)]
    assert list(averages.header) == ["system", "Yelp BUR"]
    cells = {str(row[0]): str(row[1]) for row in averages.rows}
    # Bold and underlined in table 2.
    assert (cells["llama-2-chat-13b"], cells["llama-2-chat-70b"]) == ("36.20*", "37.04+")
    for system, row in table_10().items():
        assert cells[system].rstrip("*+") == f"{row['Average'][4]:.2f}"
    assert [str(cell) for cell in details.rows[0]] == ["Alpaca", "N-gramScore", "34.47"]
    assert [str(cell) for cell in details.rows[3]] == ["Alpaca", "Average", "44.04"]


def test_of_files(tmp_path: Path, examples: ModuleType, fairsum: Callable[..., tuple[int, str, str]]) -> None:
    paths = []
    for name, predictions in (("a", examples.A), ("b", examples.B)):
        paths.append(tmp_path / f"{name}.json")
        score(predictions, **examples.SUMMARIES, metrics=["bur", "uer", "sof"]).save(paths[-1])
    saved = tmp_path / "study.json"
    status, out, err = fairsum("study", "averages", *paths, "--metrics", "uer,bur", "--output", saved)
    assert (status, err) == (0, "")
    assert "UER" in out
    assert "SOF" not in out
    found = read_results(saved)
    assert found["measures"] == ["uer", "bur"]
    assert found["scores"]["uer"]["a"][""] == {"N-gramScore": score(examples.A, **examples.SUMMARIES)["uer"]["uer"]}
    assert json.loads(saved.read_text())["study"] == "averages"


def test_what_is_refused(refusal: Callable[..., str]) -> None:
    study = fairsum_reproductions.averages
    twice = {"A/x": {"bur": result("bur", 0.5), "other": result("bur", 0.5)}}
    assert refusal(study, twice) == (
        "averages: A/x has a second bur by N-gramScore of A on x; name the scores, as in A/x/first=FILE"
    )
    assert "averages: no result holds sof" in refusal(study, RESULTS, metrics="sof")
    assert "averages: metrics must be" in refusal(study, RESULTS, metrics="bur,x")


def test_drawn() -> None:
    drawing = fairsum_reproductions.averages(RESULTS).plot()
    assert [panel.title for panel in drawing.panels] == ["BUR", "UER"]
    assert drawing.panels[0].numbers[0][1] == 12.5
