"""Warning records: the same in every front, and one Python warning where no person sees a table."""

from __future__ import annotations

import math
import warnings
from typing import Any

import pytest

from fairsum_utils.errors import ScoreWarning
from fairsum_utils.families.columns import ORIGINAL
from fairsum_utils.families.warnings import common_warnings, warn, why_uninformative
from fairsum_utils.reports.formats import to_json
from tests import _together

SOURCES, VALUES = ["Tasty soup, kind staff.", "Cold soup, slow service."], ["pos", "neg"]
JUNK = "Council votes tram budget."


def score(predictions: list[str], metrics: tuple[str, ...] = ("bur", "uer"), **settings: Any) -> dict[str, Any]:
    n = len(predictions)
    return _together.score(predictions, [SOURCES] * n, [VALUES] * n, metrics=metrics, **settings)


def codes(result: dict[str, Any]) -> dict[str, tuple[int, float]]:
    return {warning["code"]: (warning["count"], warning["share"]) for warning in result["warnings"]}


@pytest.mark.parametrize(
    ("result", "n_scored", "expected"),
    [
        ({"n_skipped": 2, "skipped": {"empty_prediction": 2}}, 38, ("skipped", 2, 0.05)),
        ({"n_skipped": 0}, 29, ("few_samples", 29, 1.0)),
        ({"n_skipped": 0}, 0, ("few_samples", 0, 0.0)),
        ({"n_skipped": 0, "n_by_value": {"a": 40, "b": 9, "c": 12, "d": 10}}, 40, ("rare_value", 1, 0.25)),
        ({"n_skipped": 0, "n_by_group": {"a": 40, "b": 9}}, 49, ("rare_value", 1, 0.5)),
        ({"n_skipped": 0, "n_truncated": 4}, 40, ("truncated", 4, 0.1)),
        ({"n_skipped": 0, "n_unpaired": 30}, 40, ("unpaired", 30, 0.75)),
        ({"n_skipped": 0, "uer_ci_lost": 0.25}, 40, ("lost_replicates", 25, 0.25)),
        ({"n_skipped": 0, "lost": 0.5}, 40, ("lost_replicates", 50, 0.5)),
        ({"n_skipped": 0, "n_by_group": dict.fromkeys(range(101), 20), "differences": []}, 40, ("many_groups", 101, 1)),
    ],
)
def test_each_reason(result: dict[str, Any], n_scored: int, expected: tuple[str, int, float]) -> None:
    [warning] = common_warnings("uer", result, n_scored, 100)
    assert (warning.code, warning.count, warning.share) == expected
    assert common_warnings("uer", {"n_skipped": 0, "n_by_value": {"a": 30, "b": 10}, "uer_ci_lost": 0.0}, 30, 100) == []


def test_many_samples_of_few_originals() -> None:
    result = {"n_skipped": 0, "n_articles": 30, "n_articles_scored": 29}
    [warning] = common_warnings("entity_inclusion", result, 400, 100, ORIGINAL)
    assert (warning.code, warning.count, warning.share) == ("few_originals", 29, 29 / 30)


@pytest.mark.parametrize(
    ("included", "code", "told"),
    [
        ((0, 3), "separated", "summaries separate the groups (f 0 of 3, m 3 of 3): "),
        ((1, 3), "separated", "summaries separate the groups (m 3 of 3): "),
        ((3, 3), "all_or_none", "the groups' odds are equal (f 3 of 3, m 3 of 3), "),
        ((1, 2), None, ""),
    ],
)
def test_groups_whose_odds_are_infinite_or_0(included: tuple[int, int], code: str | None, told: str) -> None:
    ratio = 0.0 if len(set(included)) == 1 else -math.inf if 3 in included else -math.log(4)
    result = {
        "n_skipped": 0,
        "entity_inclusion_by_group": {group: n / 3 for group, n in zip("fm", included, strict=True)},
        "counts_by_group": {group: {"included": n, "entities": 3} for group, n in zip("fm", included, strict=True)},
        "log_odds_ratios": [{"group_a": "f", "group_b": "m", "log_odds_ratio": ratio}],
    }
    found = common_warnings("entity_inclusion", result, 30, 100)
    assert [(warning.code, warning.message[: len(told)]) for warning in found] == [(code, told)] * (code is not None)
    # Only equal odds at an end say nothing.
    reason = why_uninformative({"warnings": [warning.entry() for warning in found]})
    assert bool(reason) is (code == "all_or_none")


def test_junk_beside_the_wrong_sources_has_no_score_unless_someone_says_what_it_counts_as() -> None:
    fair, junk = ["Tasty, cold soup."] * 40, [JUNK] * 40
    for name, result in score(junk).items():
        assert math.isnan(result[name])
        assert result["undefined"].startswith("40 of 40 scored summaries have no words in common with their sources")
        assert codes(result) == {"unmatched": (40, 1.0)}
    assert score(fair[:32] + junk[:8])["bur"]["bur"] == 0.0  # a fifth is let pass, and said
    assert math.isnan(score(fair[:31] + junk[:9])["bur"]["bur"])


@pytest.mark.parametrize(("n_junk", "is_compared"), [(2, True), (3, False)])
def test_a_system_is_not_called_fairer_for_junk(n_junk: int, is_compared: bool) -> None:
    one_sided = ["Tasty soup, kind staff."] * 40
    some_junk = [JUNK] * n_junk + one_sided[n_junk:]
    shared = {"sources": [SOURCES] * 40, "values": [VALUES] * 40, "metrics": ["bur"]}

    def compare(a: list[str], b: list[str], **settings: Any) -> Any:
        return _together.compare(a, b, **shared, **settings)["bur"]

    result = compare(one_sided, some_junk)
    matched = [qualities["share_matched"] for qualities in result.comparison.systems.values()]
    assert matched == [1.0, 1 - n_junk / 40]
    assert math.isnan(result["p_value"]) is not is_compared
    if not is_compared:
        assert result["undefined"].startswith("B looks fairer, but 8% of its summaries have no words in common")
        assert math.isfinite(compare(one_sided, some_junk, unmatched="uniform")["p_value"])
        assert compare(one_sided, some_junk, unmatched="unfair")["difference"] == 0.0
        assert compare(some_junk, one_sided)["undefined"].startswith("A looks fairer")
    for front in (result.report(), to_json(result)):
        assert f"B: {n_junk} of 40 " in front


def test_known_warnings_are_not_repeated() -> None:
    results = score(["Tasty soup."] * 9 + [JUNK])
    with pytest.warns(ScoreWarning):
        known = warn(results)
    assert known == {"unmatched", "few_samples"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert warn(results, known=known) == known
