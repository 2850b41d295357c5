"""Rows to results: by hand, in exact arithmetic, and whatever is undefined or refused."""

from __future__ import annotations

import math
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity import FAMILY, results
from fairsum_utils.families.polarity.results import PolarityScore, sums_of
from fairsum_utils.families.polarity.rows import PolarityRow, PolarityTable, Word
from fairsum_utils.measures.gender_polarity import GenderPolarity
from fairsum_utils.measures.toxicity import Toxicity
from fairsum_utils.stats.intervals import difference_interval, share_interval
from fairsum_utils.stats.tests import compare_proportions

LABELS = ("male", "female", "neutral")


def rows_of(**groups: str) -> list[PolarityRow]:
    """One row for each letter: m(ale), f(emale), n(eutral), b(oth), or - for a skipped text."""
    names = {"m": ("male",), "f": ("female",), "n": ("neutral",), "b": ("male", "female")}
    texts = [(group, letter) for group, letters in groups.items() for letter in letters]
    return [
        PolarityRow(index, group, skipped="empty_prediction")
        if letter == "-"
        else PolarityRow(index, group, names[letter], counts={"ties": int(letter == "b")})
        for index, (group, letter) in enumerate(texts)
    ]


def results_of(rows: list[PolarityRow], **settings: Any) -> dict[str, Any]:
    chosen = GenderPolarity(**settings).seeded()
    return PolarityScore(sums_of(PolarityTable(rows)), chosen).result({"method": "x"})


def test_by_hand() -> None:
    rows = rows_of(a="mfn-", b="mmbn", c="nn")
    for ordered in (rows, rows[::-1]):
        result = results_of(ordered)
        assert result["counts_by_group"] == {
            "a": {"male": 1, "female": 1, "neutral": 1},
            "b": {"male": 3, "female": 1, "neutral": 1},
            "c": {"male": 0, "female": 0, "neutral": 2},
        }
        assert (result["n_by_group"], result["n_samples"], result["n_ties"]) == ({"a": 3, "b": 4, "c": 2}, 9, 1)
        assert result["proportions"] == {"male": 4 / 9, "female": 2 / 9, "neutral": 4 / 9}
        assert result["proportions_by_group"]["b"] == {"male": 3 / 4, "female": 1 / 4, "neutral": 1 / 4}
        found = [(e["group_a"], e["group_b"], e["difference"], e["ratio"]) for e in result["differences"][:3]]
        assert found == [  # male
            ("a", "b", pytest.approx(1 / 3 - 3 / 4), pytest.approx(4 / 9)),
            ("a", "c", pytest.approx(1 / 3), pytest.approx(math.nan, nan_ok=True)),
            ("b", "c", 3 / 4, pytest.approx(math.nan, nan_ok=True)),
        ]
        assert result["gender_polarity"] == 3 / 4  # as far apart as b and c are in male and in neutral texts


def test_of_many_groups_each_label_has_the_pair_that_differs_most(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(a="ffmn", b="mmnm", c="nnff", d="nnnf")
    whole = results_of(rows)
    monkeypatch.setattr(results, "MOST_PAIRED", 3)
    sparse = results_of(rows)
    # Male: 1, 3, 0, 0 of 4; female: 2, 0, 2, 1; neutral: 1, 1, 2, 3. Of equals the first.
    pairs = [("male", "b", "c"), ("female", "a", "b"), ("neutral", "a", "d")]
    expected = [pair for pair in whole["differences"] if (pair["label"], pair["group_a"], pair["group_b"]) in pairs]
    assert [pair["difference"] for pair in sparse["differences"]] == [3 / 4, 2 / 4, -2 / 4]
    assert sparse.pop("differences") == expected
    assert {key: entry for key, entry in whole.items() if key != "differences"} == sparse


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (rows_of(a="mf"), "there is only one group (a), so there is nothing to compare"),
        ([PolarityRow(0, None, ("male",))], "no groups were given"),
        ([PolarityRow(0, None, skipped="empty_prediction")], "no text was scored"),
        ([], "no text was scored"),
    ],
)
def test_undefined_with_its_reason(rows: list[PolarityRow], reason: str) -> None:
    result = results_of(rows)
    assert math.isnan(result["gender_polarity"])
    assert result["undefined"] == reason
    assert (result["differences"], result["tests"]) == ([], {})
    if not result["n_samples"]:
        assert all(math.isnan(share) for share in result["proportions"].values())
        assert all(math.isnan(end) for interval in result["intervals"].values() for end in interval)
    if not result["n_by_group"]:
        assert "seed" not in result["signature"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (rows_of(a="mf", b="m"), "x: the group 'b' has only one text but needs at least 2; merge it"),
        (rows_of(a="mf", b="m--"), "x: the group 'b' has only one text (and 2 empty) but needs"),
        (rows_of(a="mf", b="-"), "x: the group 'b' has no text (and 1 empty) but needs at least 2"),
        ([*rows_of(a="mf"), PolarityRow(2)], "x: some rows have a group and others have none"),
        ([*rows_of(a="mf"), PolarityRow(2, skipped="empty_prediction")], "x: some rows have a group and others"),
    ],
)
def test_groups_that_cannot_be_compared(rows: list[PolarityRow], message: str) -> None:
    with pytest.raises(InputError) as error:
        results_of(rows, module="x")
    assert str(error.value).startswith(message)


def test_the_interval_of_one_difference_is_folded() -> None:
    def of(level: float | None = 0.95, **groups: str) -> dict[str, Any]:
        """The result of a model with one label, which the texts with an m have."""
        settings = Toxicity(label_map={"male": "toxic"}, confidence_level=level).seeded()
        texts = [(group, letter) for group, letters in groups.items() for letter in letters]
        rows = [PolarityRow(place, group, ("toxic",) * (letter == "m")) for place, (group, letter) in enumerate(texts)]
        return PolarityScore(sums_of(PolarityTable(rows)), settings).result({})

    male = {"a": "m" * 16 + "n" * 4, "b": "m" * 4 + "n" * 16}
    result = of(**male)
    # 16 of 20 and 4 of 20 are alike but for their label, so that ends are the root of the sum of two squares.
    (low_a, high_a), (low_b, high_b) = (share_interval(count, 20) for count in (16, 4))
    ends = [0.6 - math.hypot(0.8 - low_a, high_b - 0.2), 0.6 + math.hypot(high_a - 0.8, 0.2 - low_b)]
    assert result["toxicity_ci"] == pytest.approx(ends)
    assert "|interval:folded|" in result["signature"]
    assert "undefined" not in result
    turned = of(a=male["b"], b=male["a"])
    assert turned["toxicity_ci"] == result["toxicity_ci"]
    # 10 and 11 of 20: the signed interval holds 0, and reaches further on the side of the difference.
    low, high = of(a="m" * 10 + "n" * 10, b="m" * 11 + "n" * 9)["toxicity_ci"]
    below, above = difference_interval(0.55, share_interval(11, 20), 0.5, share_interval(10, 20))
    assert (low, high) == (0, above)
    assert above > -below > 0
    several, without = results_of(rows_of(**male)), of(None, **male)
    assert all(map(math.isnan, several["gender_polarity_ci"]))
    assert several["undefined"].startswith("gender_polarity_ci: the score is the largest of 3 differences, ")
    assert "interval" not in several["signature"]
    assert not {"toxicity_ci", "undefined"} & without.keys()


def test_intervals_and_tests_are_those_of_the_counts() -> None:
    result = results_of(rows_of(a="m" * 12 + "f" * 8, b="m" * 6 + "f" * 14, c="m" * 9 + "n" * 11))
    assert result["intervals_by_group"]["a"]["male"] == list(share_interval(12, 20))
    assert result["intervals"]["female"] == list(share_interval(22, 60))
    # Of 1 of 2 the mid-P interval ends where 1 - p is a quarter.
    assert results_of(rows_of(a="mf"), confidence_level=0.5)["intervals"]["male"] == pytest.approx([0.25, 0.75])
    without = results_of(rows_of(a="mf", b="mf"), confidence_level=None)
    assert (without["intervals"], without["intervals_by_group"]) == ({}, {"a": {}, "b": {}})
    assert "ci" not in without["signature"]
    test = compare_proportions([12, 6, 9], [20, 20, 20])
    assert test.test == "chi2"
    assert {key: result["tests"]["male"][key] for key in ("test", "statistic", "p_value")} == {
        "test": "chi2",
        "statistic": test.statistic,
        "p_value": test.p_value,
    }


@pytest.mark.parametrize("group", ["", "None", "texts"])
def test_no_name_of_a_group_is_that_of_texts_without_one(group: str) -> None:
    with pytest.raises(InputError, match="some rows have a group and others have none"):
        results_of([*rows_of(**{group: "mf"}), PolarityRow(2)])
    assert results_of(rows_of(**{group: "mf", "a": "mm"}))["n_by_group"] == {group: 2, "a": 2}


def test_records() -> None:
    words = (Word("joy", "joyful", 0.75), Word(None, "he", -1.0))
    rows = [PolarityRow(0, "a", ("male",), {"polarity": -1.0}, {"ties": 0}, words), PolarityRow(1, "a", skipped="x")]
    first, second = FAMILY.records(rows, ("gender_polarity",), GenderPolarity())
    evidence = [dict(zip(Word._fields, word, strict=True)) for word in words]
    decided = {"labels": ["male"], "scores": {"polarity": -1.0}, "counts": {"ties": 0}, "evidence": evidence}
    assert first == {"index": 0, "group": "a", "skipped": None, **decided}
    nothing = {"labels": [], "scores": {}, "counts": {}, "evidence": None}
    assert second == {"index": 1, "group": "a", "skipped": "x", **nothing}
