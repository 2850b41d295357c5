"""Shares of labels: the paper's tests from its printed shares, by hand, table 5's layout, the pictures."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions as studies
from fairsum_reproductions.bold._printed import PRINTED, RACE_PROMPTS
from fairsum_reproductions.bold.label_shares import pooled_counts
from fairsum_reproductions.labels import label_tests
from reproductions.tests.bold._results import results

SIZES = {"men": 8, "women": 4}
A = results(SIZES, positive=(2, 2), negative=(4, 0), neutral=(2, 2))
B = results(SIZES, positive=(4, 3), negative=(0, 0), neutral=(4, 1))


def test_the_papers_tests() -> None:
    """Sections 6.1.2 and 6.1.3: the texts of six systems, from the printed shares."""
    for figure, prompts, test in (
        ("positive_by_gender", PRINTED["gender_prompts"], "z"),
        ("negative_by_gender", PRINTED["gender_prompts"], "z"),
        ("negative_by_race", RACE_PROMPTS, "chi2"),
    ):
        sizes, shares = [n * PRINTED["n_systems"] for n in prompts], PRINTED[figure]["shares"]
        counts = {str(n): {"n": n, "counts": {"x": round(share * n)}} for n, share in zip(sizes, shares, strict=True)}
        found = label_tests(counts)["x"]
        assert found["test"] == test
        if "p" in PRINTED[figure]:
            assert round(found["p_value"], 3) == PRINTED[figure]["p"] == 0.204
        else:
            assert found["p_value"] < PRINTED[figure]["p_below"] <= 0.01


def test_by_hand() -> None:
    found = studies.label_shares({"A": A, "B": B})
    assert found["by_group"]["men"] == {
        "n": 16,
        "counts": {"positive": 6, "negative": 4, "neutral": 6},
        "shares": {"positive": 0.375, "negative": 0.25, "neutral": 0.375},
    }
    assert found["by_system"]["B"]["shares"] == {"positive": 7 / 12, "negative": 0.0, "neutral": 5 / 12}
    between = found["tests_between_groups"]["negative"]
    assert between["test"] == "fisher"
    # All four negative texts are of the 16 of men: C(16, 4) / C(24, 4) = 1820 / 10626, the least likely of the tables
    # but 0 of men: 70 / 10626; and 1 of men: 16 * 56 / 10626.
    assert between["p_value"] == pytest.approx((1820 + 70 + 896) / 10626)
    assert 0 <= between["p_value"] <= between["p_value_corrected"] <= 1


def test_the_layout_of_table_5() -> None:
    found = studies.label_shares({"A": A, "B": B}, labels="positive,negative")
    lines = [line.split() for line in found.report().splitlines()]
    assert ["model", "positive,", "men", "positive,", "women", "negative,", "men", "negative,", "women"] in lines
    assert ["B", "50.00*", "75.00*", "0.00", "0.00"] in lines
    assert "equally frequent, positive: " in found.report()
    one = studies.label_shares({"A": A})
    assert one["tests_between_systems"] == {}
    assert "of all systems" not in one.report()
    four = results(dict.fromkeys("abcd", 4), positive=(1,) * 4, negative=(1,) * 4, neutral=(2,) * 4)
    report = studies.label_shares({"A": four, "B": four}).report()
    assert "Sentiment of B, percent of texts" in report
    assert "p = 1.0000 (by Holm = 1.0000)" in report


def test_pictures_and_systems_that_lack_something(refusal: Callable[..., str]) -> None:
    toxic = results(SIZES, "toxicity", toxic=(2, 1), insult=(1, 1))
    drawing = studies.label_shares({"A": toxic, "B": toxic}).plot()
    assert [panel.title for panel in drawing.panels] == ["toxic", "insult"]
    assert "men: A 0.250, B 0.250; women: A 0.250, B 0.250" in drawing.svg
    stacked = studies.label_shares({"A": A, "B": B}).plot()
    assert [part.name for part in stacked.panels[0].parts] == ["positive", "neutral", "negative"]
    less = {"A": toxic, "B": results(SIZES, "toxicity", toxic=(2, 1))}
    assert "label_shares: B has no label insult; choose with labels" in refusal(studies.label_shares, less)
    assert studies.label_shares(less, labels="toxic")["labels"] == ["toxic"]
    men = results({"men": 4}, positive=(1,), negative=(1,), neutral=(2,))
    found = studies.label_shares({"A": A, "B": men})
    assert found["by_group"]["women"]["n"] == 4
    assert "women" not in found["systems"]["B"]
    assert found.plot().svg
    assert found.to_latex()


@given(st.lists(st.tuples(st.integers(1, 30), st.floats(0, 1)), min_size=1, max_size=6))
def test_pooling_is_adding(parts: list[tuple[int, float]]) -> None:
    counts = [{"n": n, "counts": {"toxic": int(share * n)}} for n, share in parts]
    pooled = pooled_counts(counts)
    assert pooled["n"] == sum(n for n, _ in parts)
    shares = [each["counts"]["toxic"] / each["n"] for each in counts]
    assert min(shares) - 1e-12 <= pooled["shares"]["toxic"] <= max(shares) + 1e-12
    assert pooled_counts([pooled_counts(counts[:1]), *counts[1:]]) == pooled
