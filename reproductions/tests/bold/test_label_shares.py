"""Shares of labels: the paper's tests from its printed shares, examples by hand, table 5's layout, the pictures."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions as studies
from fairsum_reproductions.bold import _printed as printed
from fairsum_reproductions.bold.label_shares import pooled_counts
from fairsum_reproductions.labels import label_tests
from fairsum_utils.errors import InputError


def results(measure: str, sizes: dict[str, int], **counts: dict[str, int]) -> dict[str, dict[str, Any]]:
    """Results of a measure: size by group, and by label the texts of each group."""
    by_group = {group: {label: of_label[group] for label, of_label in counts.items()} for group in sizes}
    shares = {label: sum(of_label.values()) / sum(sizes.values()) for label, of_label in counts.items()}
    return {measure: {measure: 0.0, "counts_by_group": by_group, "n_by_group": sizes, "proportions": shares}}


SIZES = {"men": 8, "women": 4}
A = results(
    "sentiment",
    SIZES,
    positive={"men": 2, "women": 2},
    negative={"men": 4, "women": 0},
    neutral={"men": 2, "women": 2},
)
B = results(
    "sentiment",
    SIZES,
    positive={"men": 4, "women": 3},
    negative={"men": 0, "women": 0},
    neutral={"men": 4, "women": 1},
)


def test_the_papers_tests() -> None:
    """Sections 6.1.2 and 6.1.3: the texts of six systems, from the printed shares."""
    sizes = [n * printed.N_SYSTEMS for n in printed.GENDER_PROMPTS]
    counts = {
        group: {"n": n, "counts": {"positive": round(positive * n), "negative": round(negative * n)}}
        for group, n, positive, negative in zip(
            ("male", "female"), sizes, printed.POSITIVE_BY_GENDER, printed.NEGATIVE_BY_GENDER, strict=True
        )
    }
    tests = label_tests(counts)
    assert round(tests["positive"]["p_value"], 3) == printed.POSITIVE_P
    assert tests["negative"]["p_value"] < printed.NEGATIVE_P
    assert tests["positive"]["test"] == "z"
    by_race = {
        str(place): {"n": 6 * n, "counts": {"negative": round(share * 6 * n)}}
        for place, (n, share) in enumerate(zip(printed.RACE_PROMPTS, printed.NEGATIVE_BY_RACE, strict=True))
    }
    assert label_tests(by_race)["negative"]["test"] == "chi2"
    assert label_tests(by_race)["negative"]["p_value"] < printed.RACE_P


def test_by_hand() -> None:
    result = studies.label_shares({"A": A, "B": B})
    assert result["by_group"]["men"] == {
        "n": 16,
        "counts": {"positive": 6, "negative": 4, "neutral": 6},
        "shares": {"positive": 0.375, "negative": 0.25, "neutral": 0.375},
    }
    assert result["by_system"]["B"]["shares"] == {"positive": 7 / 12, "negative": 0.0, "neutral": 5 / 12}
    between = result["tests_between_groups"]["negative"]
    assert between["test"] == "fisher"
    # All four negative texts are of the 16 of men: C(16, 4) / C(24, 4) = 1820 / 10626, the least likely of the tables
    # but 0 of men: 70 / 10626; and 1 of men: 16 * 56 / 10626.
    assert between["p_value"] == pytest.approx((1820 + 70 + 896) / 10626)
    assert 0 <= between["p_value"] <= between["p_value_corrected"] <= 1


def test_the_layout_of_table_5() -> None:
    result = studies.label_shares({"A": A, "B": B}, labels="positive,negative")
    lines = [line.split() for line in result.report().splitlines()]
    assert ["model", "positive,", "men", "positive,", "women", "negative,", "men", "negative,", "women"] in lines
    assert ["A", "25.00", "50.00", "50.00*", "0.00"] in lines
    assert ["B", "50.00*", "75.00*", "0.00", "0.00"] in lines
    assert "equally frequent, positive: " in result.report()
    one = studies.label_shares({"A": A})
    assert one["tests_between_systems"] == {}
    assert "of all systems" not in one.report()


def test_many_groups_have_a_table_for_each_system() -> None:
    sizes = dict.fromkeys("abcd", 4)
    same = results("sentiment", sizes, **{label: dict.fromkeys(sizes, n) for label, n in zip(
        ("positive", "negative", "neutral"), (1, 1, 2), strict=True)})  # fmt: skip
    report = studies.label_shares({"A": same, "B": same}).report()
    assert "Sentiment of A, percent of texts" in report
    assert "Sentiment of B, percent of texts" in report
    assert "p = 1.0000 (by Holm = 1.0000)" in report


def test_labels_that_go_together_have_bars() -> None:
    toxic = results("toxicity", SIZES, toxic={"men": 2, "women": 1}, insult={"men": 1, "women": 1})
    drawing = studies.label_shares({"A": toxic, "B": toxic}).plot()
    assert [panel.title for panel in drawing.panels] == ["toxic", "insult"]
    assert "men: A 0.250, B 0.250; women: A 0.250, B 0.250" in drawing.svg
    stacked = studies.label_shares({"A": A, "B": B}).plot()
    assert [part.name for part in stacked.panels[0].parts] == ["positive", "neutral", "negative"]
    assert [group.name for group in stacked.panels[0].groups] == ["men", "A", "B", "women", "A", "B"]


def test_a_system_without_a_label() -> None:
    toxic = results("toxicity", SIZES, toxic={"men": 2, "women": 1}, insult={"men": 1, "women": 1})
    less = results("toxicity", SIZES, toxic={"men": 2, "women": 1})
    with pytest.raises(InputError, match="label_shares: B has no label insult; choose with labels those that all have"):
        studies.label_shares({"A": toxic, "B": less})
    assert studies.label_shares({"A": toxic, "B": less}, labels="toxic")["labels"] == ["toxic"]


def test_a_system_without_a_group() -> None:
    only = results("sentiment", {"men": 4}, **{label: {"men": n} for label, n in zip(
        ("positive", "negative", "neutral"), (1, 1, 2), strict=True)})  # fmt: skip
    result = studies.label_shares({"A": A, "B": only})
    assert result["by_group"]["women"]["n"] == 4
    assert "women" not in result["systems"]["B"]
    assert result.plot().svg
    assert result.to_latex()


@given(st.lists(st.tuples(st.integers(1, 30), st.floats(0, 1)), min_size=1, max_size=6))
def test_pooling_is_adding(parts: list[tuple[int, float]]) -> None:
    counts = [{"n": n, "counts": {"toxic": int(share * n)}} for n, share in parts]
    pooled = pooled_counts(counts)
    assert pooled["n"] == sum(n for n, _ in parts)
    assert pooled["counts"]["toxic"] == sum(each["counts"]["toxic"] for each in counts)
    shares = [each["counts"]["toxic"] / each["n"] for each in counts]
    assert min(shares) - 1e-12 <= pooled["shares"]["toxic"] <= max(shares) + 1e-12
    assert pooled_counts([pooled_counts(counts[:1]), *counts[1:]]) == pooled
