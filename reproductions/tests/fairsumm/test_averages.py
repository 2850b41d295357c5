"""Averages over the ways to match: the paper's tables, by hand, of files, and refusals."""

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
from fairsum_reproductions.fairsumm.averages import SCORES, average_scores
from fairsum_reproductions.printed import printed_figures
from fairsum_utils import score
from fairsum_utils.reports.tables import Table
from fairsum_utils.results.reading import read_results

TABLE_10 = printed_figures("fairsumm")["table_10"]


def result(measure: str, number: float, matcher: str = "ngram", tau: float = 0.8) -> dict[str, Any]:
    return {measure: number, "signature": f"matcher:{matcher}|tau:{tau}|v:0"}


def test_averages_of_tables_10_and_2() -> None:
    """Each lies within the rounding of the printed scores and of its own; table 2 has other numbers for Alpaca."""
    printed, table_2 = TABLE_10, printed_figures("fairsumm")["table_2"]
    for place in range(12):
        scores = {system: {"": {name: row[name][place] for name in SCORES.values()}} for system, row in printed.items()}
        for system, found in average_scores(scores).items():
            assert found[""] == pytest.approx(printed[system]["Average"][place], abs=0.01)
    others = {
        system: sum(one != other for one, other in zip(row["Average"], table_2[system], strict=True))
        for system, row in printed.items()
    }
    assert {system: n for system, n in others.items() if n} == {"Alpaca": 9}
    assert (printed["Alpaca"]["Average"][8], table_2["Alpaca"][8]) == (79.49, 97.99)


@given(st.dictionaries(st.sampled_from("abc"), st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1))
def test_it_is_the_mean_in_any_order(numbers: dict[str, list[float]]) -> None:
    for order in (1, -1):
        scores = {
            system: {"x": dict(zip("nbr"[::order], row[::order], strict=True))} for system, row in numbers.items()
        }
        for system, by_domain in average_scores(scores).items():
            assert by_domain["x"] == math.fsum(numbers[system]) / 3


RESULTS = {
    "A/x": {"bur": result("bur", 0.25), "uer": result("uer", 0.0625)},
    "A/x/second": {"bur": result("bur", 0.75, "callable(f)")},
    "B/x": {"bur": result("bur", 0.5), "bur_bert": result("bur", 0.75, "bertscore")},
    "A/y": {"bur": result("bur", 0.125)},
    "B/y": {"bur": result("bur", 0.5, tau=0.9)},
}


def test_by_hand() -> None:
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
    panels = found.plot().panels
    assert [panel.title for panel in panels] == ["BUR", "UER"]
    assert panels[0].numbers[0][1] == 12.5


def test_tables_as_the_paper_has_them() -> None:
    named = {
        f"{system}/Yelp/{score}": {"bur": {"bur": row[score][4] / 100}}
        for system, row in TABLE_10.items()
        for score in SCORES.values()
    }
    averages, details = [part for part in fairsum_reproductions.averages(named)._parts() if isinstance(part, Table)]
    assert list(averages.header) == ["system", "Yelp BUR"]
    cells = {str(row[0]): str(row[1]) for row in averages.rows}
    # Bold and underlined in table 2.
    assert (cells["llama-2-chat-13b"], cells["llama-2-chat-70b"]) == ("36.20*", "37.04+")
    for system, row in TABLE_10.items():
        assert cells[system].rstrip("*+") == f"{row['Average'][4]:.2f}"
    assert [str(cell) for cell in details.rows[0]] == ["Alpaca", "N-gramScore", "34.47"]
    assert [str(cell) for cell in details.rows[3]] == ["Alpaca", "Average", "44.04"]


def test_of_files(tmp_path: Path, examples: ModuleType, fairsum: Callable[..., tuple[int, str, str]]) -> None:
    path, saved = tmp_path / "a.json", tmp_path / "study.json"
    score(examples.A, **examples.SUMMARIES, metrics=["bur", "uer", "sof"]).save(path)
    status, out, err = fairsum("study", "averages", path, "--metrics", "uer,bur", "--output", saved)
    assert (status, err, "UER" in out, "SOF" in out) == (0, "", True, False)
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
