"""Names of numbers and intervals in results."""

from __future__ import annotations

import math
from typing import Any

import pytest

from fairsum_utils import check
from fairsum_utils.errors import InputError
from fairsum_utils.gate import Verdict
from tests._gate import FEW, TRUNCATED, compared, entries, of_systems, scored
from tests._results import of_family

RESULTS = scored(
    bur=entries(
        "bur",
        0.3,
        (0.2, 0.4),
        warnings=[TRUNCATED],
        bur_by_value={"pos": 0.1, "very_low": 0.2, "score": 0.4},
        skipped={"empty_prediction": 2},
        most=None,
    ),
    **{"bur@0.9": entries("bur", 0.5, n=4, warnings=[FEW, TRUNCATED])},
)


def find(name: str, results: Any = RESULTS) -> Verdict:
    [verdict] = check(results, f"{name} < 1").verdicts
    return verdict


@pytest.mark.parametrize(
    ("name", "number", "interval"),
    [
        ("bur", 0.3, (0.2, 0.4)),
        ("bur.bur", 0.3, (0.2, 0.4)),
        ("'bur@0.9'", 0.5, None),
        ("bur.by_value.pos", 0.1, None),
        ("bur.by_value.score", 0.4, None),
        ("bur.bur_by_value['very_low']", 0.2, None),
        ("bur.n_samples", 100, None),
        ("bur.warnings", 1, None),
        ("bur.skipped.empty_prediction", 2, None),
        ("bur.ci_lost", 100, None),
        ("warnings", 2, None),
        ("n_samples", 4, None),
        ("bur.most", math.nan, None),
    ],
)
def test_numbers(name: str, number: float, interval: tuple[float, float] | None) -> None:
    results = RESULTS
    if name == "bur.ci_lost":
        results = scored(bur=entries("bur", 0.3, (0.2, 0.4), bur_ci_lost=100))
    found = find(name, results)
    assert found.found == pytest.approx(number, nan_ok=True)
    assert found.interval == interval


def test_ends_and_intervals_by_group() -> None:
    polarity = of_family("polarity")
    men = polarity["sentiment"]["intervals_by_group"]["men"]["positive"]
    assert find("sentiment.intervals_by_group.men.positive_high", polarity).interval == tuple(men)
    assert find('sentiment.intervals_by_group["men"]["positive"].low', polarity).interval == tuple(men)
    assert find("sentiment.proportions_by_group.men.positive", polarity).interval == tuple(men)
    entities = of_family("entities")
    male = entities["entity_inclusion"]["entity_inclusion_by_group_ci"]["male"]
    assert find("entity_inclusion.by_group.male", entities).interval == tuple(male)
    assert find("entity_inclusion.by_group_ci.male_high", entities).interval == tuple(male)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("burr", "there is no burr in the results; did you mean bur?"),
        ("bur_by_value.pos", "there is no bur_by_value in the results; found bur, 'bur@0.9', warnings, n_samples"),
        ("warning", "did you mean warnings?"),
        ("qqq", "there is no qqq in the results; found bur, 'bur@0.9', warnings, n_samples"),
        ("bur.ci_hihg", "ci_hihg < 1': bur has no ci_hihg; did you mean ci_high?"),
        ("bur.cj_high", "cj_high < 1': bur has no cj_high; did you mean ci_high?"),
        ("bur.by_value.po", "did you mean pos?"),
        (
            "bur.by_value['neu\\ntral x']",
            "bur.by_value has no 'neu\\ntral x'; it has pos, very_low, score",
        ),
        ("bur.by_value", "bur.by_value is not a number; use one of pos, very_low, score"),
        ("bur.ci", "bur.ci is an interval; use one of its ends, such as bur.ci_high"),
        ("bur.signature", "bur.signature is not a number, found str 'matcher:"),
        ("bur.n_samples.x", "there is no x in int 100"),
        ("bur.by_value.high", "bur.by_value is not an interval, so it has no high"),
        ("bur.score", "bur has no score"),
    ],
)
def test_what_is_not_there(name: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        find(name)
    assert str(raised.value).startswith("check: rule ")
    assert message in str(raised.value)
    assert str(raised.value).isprintable()


def test_of_a_comparison_the_ends_are_those_of_the_difference() -> None:
    assert find("bur.difference_ci_low", compared(0.1, (0.0, 0.2))).interval == (0.0, 0.2)
    with pytest.raises(InputError, match="bur has no ci_high"):
        find("bur.ci_high", compared(0.1, (0.0, 0.2)))


def test_a_label_may_be_called_as_anything() -> None:
    results = scored(warnings=entries("bur", 0.1), baseline=entries("bur", 0.2), n_samples=entries("bur", 0.3))
    assert [find(f'"{label}"', results).found for label in results] == [0.1, 0.2, 0.3]
    assert find("warnings", results).found == 0
    assert find("n_samples", results).found == 100


PARTS = scored(
    counterfactual_outcomes=entries(
        "counterfactual_outcomes", 0.5, (0.4, 0.6), n=240, n_articles=40, n_articles_scored=40,
        outcomes=[
            {"outcome": outcome, "variant_a": a, "variant_b": b, "difference": number, "difference_ci": [0.1, 0.9],
             "difference_ci_within": [0.2, 0.8], "n_articles": n}
            for outcome, a, b, number, n in [
                ("length", "f", "m", 0.5, 40), ("length", "f", "x", 0.25, 12), ("mood", "f", "m", -0.5, 40)
            ]
        ],
        left_out=[{"reason": "one_input", "n_articles": 3, "examples": ["a"]}],
        by_matcher={"ngram": {"primacy": 0.3, "ci": [0.2, 0.4], "p_value": 0.5}},
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "number", "interval"),
    [
        ("outcomes.length.f.m.difference", 0.5, (0.1, 0.9)),
        ("outcomes.length.f.x", 0.25, (0.1, 0.9)),
        ("outcomes.mood.difference", -0.5, (0.1, 0.9)),  # there is one pair of variants only
        ("outcomes.mood", -0.5, (0.1, 0.9)),
        ("outcomes.mood.m.difference", -0.5, (0.1, 0.9)),
        ("left_out.n_articles", 3, None),
        ("by_matcher.ngram", 0.3, (0.2, 0.4)),
        ("by_matcher.ngram.primacy", 0.3, (0.2, 0.4)),
        ("by_matcher.ngram.p_value", 0.5, None),
    ],
)
def test_entries_of_lists_are_named_by_their_words(
    name: str, number: float, interval: tuple[float, float] | None
) -> None:
    found = find(f"counterfactual_outcomes.{name}", PARTS)
    assert (found.found, found.interval) == (number, interval)


def test_ends_and_what_stands_beside_entries_of_lists() -> None:
    assert find("counterfactual_outcomes.outcomes.mood.difference_ci_low", PARTS).interval == (0.1, 0.9)
    with pytest.raises(InputError, match=r"outcomes\.length is one of 2 entries of a list; name one of f$"):
        find("counterfactual_outcomes.outcomes.length", PARTS)
    with pytest.raises(InputError, match=r"outcomes is one of 3 entries of a list; name one of length, mood$"):
        find("counterfactual_outcomes.outcomes.wit.difference", PARTS)


FEW_SYSTEMS = of_systems(n_samples=4, warnings=[FEW])
FEW_ORIGINALS = scored(order_sensitivity=entries("order_sensitivity", 0.5, n=240, n_articles=12))


@pytest.mark.parametrize(
    ("results", "name", "counted"),
    [
        (RESULTS, "'bur@0.9'", "samples: only 4"),
        (RESULTS, "'bur@0.9'.n_samples", None),
        (RESULTS, "bur", None),
        (FEW_SYSTEMS, "bur.lead", "samples: only 4"),
        (FEW_SYSTEMS, "bur.lead.n_skipped", None),
        (FEW_SYSTEMS, "bur['gpt-4'].lead", "samples: only 4"),
        # Originals are few where they are what is counted.
        (PARTS, "counterfactual_outcomes.outcomes.length.f.x", "originals: only 12"),
        (PARTS, "counterfactual_outcomes.outcomes.length.f.x.n_articles", None),
        (PARTS, "counterfactual_outcomes.outcomes.length.f.m", None),
        (FEW_ORIGINALS, "order_sensitivity", "originals: only 12"),
        (FEW_ORIGINALS, "order_sensitivity.n_articles", None),
    ],
)
def test_only_estimates_are_of_few(results: Any, name: str, counted: str | None) -> None:
    reason = find(name, results).reason
    assert ("too few" in reason) == (counted is not None)
    assert counted is None or reason == f"too few {counted} behind this number; score more"
