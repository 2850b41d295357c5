"""Averages over the ways to match: the paper's tables, by hand, of files, and refusals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions
from fairsum_reproductions.fairsumm.averages import SCORES, average_scores
from fairsum_reproductions.printed import printed_figures
from fairsum_utils.reports.tables import Table

TABLE_10 = printed_figures("fairsumm")["table_10"]


def result(measure: str, number: float, matcher: str = "ngram", tau: float = 0.8) -> dict[str, Any]:
    return {measure: number, "signature": f"matcher:{matcher}|tau:{tau}|v:0"}


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


def test_what_is_refused(refusal: Callable[..., str]) -> None:
    study = fairsum_reproductions.averages
    twice = {"A/x": {"bur": result("bur", 0.5), "other": result("bur", 0.5)}}
    assert refusal(study, twice) == (
        "averages: A/x has a second bur by N-gramScore of A on x; name the scores, as in A/x/first=FILE"
    )
    assert "averages: no result holds sof" in refusal(study, RESULTS, metrics="sof")
    assert "averages: metrics must be" in refusal(study, RESULTS, metrics="bur,x")
