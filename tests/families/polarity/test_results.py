"""Rows to results: by hand, in exact arithmetic, and whatever is undefined or refused."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils._version import __version__
from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity import results
from fairsum_utils.families.polarity.results import aggregate, file_records, sample_records, sums_of
from fairsum_utils.families.polarity.rows import PolarityRow, PolarityTable, Word
from fairsum_utils.families.polarity.settings import GenderPolaritySettings, SentimentSettings
from fairsum_utils.reports.polarity import domain_table
from fairsum_utils.stats.intervals import share_interval
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
    chosen = GenderPolaritySettings(**settings).seeded()
    return aggregate(sums_of(PolarityTable(rows)), chosen, labels=LABELS, counted=("ties",), made={"method": "x"})


def test_worked_example() -> None:
    result = results_of(rows_of(nurse="ffmn-", farmer="mmnm"))
    # Female: 2 of 4 nurses, 0 of 4 farmers; male: 1 and 3 of 4; neutral: 1 and 1 of 4. The largest difference is 1/2.
    assert result["gender_polarity"] == 1 / 2
    assert result["proportions"] == {"male": 4 / 8, "female": 2 / 8, "neutral": 2 / 8}
    assert result["proportions_by_group"] == {
        "farmer": {"male": 3 / 4, "female": 0.0, "neutral": 1 / 4},
        "nurse": {"male": 1 / 4, "female": 2 / 4, "neutral": 1 / 4},
    }
    assert result["counts_by_group"]["nurse"] == {"male": 1, "female": 2, "neutral": 1}
    assert result["n_by_group"] == {"farmer": 4, "nurse": 4}
    male, female, neutral = result["differences"]
    assert male == {"label": "male", "group_a": "farmer", "group_b": "nurse", "difference": 1 / 2, "ratio": 3.0}
    assert (female["difference"], female["ratio"]) == (-1 / 2, 0.0)
    assert (neutral["difference"], neutral["ratio"]) == (0.0, 1.0)
    # Fisher, 4 and 4 texts: 4 male of 8 as 3 and 1: (16 + 1 + 16 + 1) / 70; 2 female as 0 and 2: (6 + 6) / 28;
    # 2 neutral as 1 and 1, the likeliest table: 1.
    tests = result["tests"]
    assert {label: test["test"] for label, test in tests.items()} == dict.fromkeys(LABELS, "fisher")
    assert [tests[label]["p_value"] for label in LABELS] == pytest.approx([34 / 70, 12 / 28, 1])
    # Holm: 3 * 12/28 > 1, and so all others.
    assert [tests[label]["p_value_corrected"] for label in LABELS] == [1, 1, 1]
    assert (result["n_samples"], result["n_skipped"], result["skipped"]) == (8, 1, {"empty_prediction": 1})
    assert result["n_ties"] == 0
    assert result["signature"] == f"method:x|ci:0.95|resamples:10000|seed:0|v:{__version__}"
    assert "undefined" not in result
    assert repr(json.loads(json.dumps(result))) == repr(result)


@given(
    texts=st.lists(
        st.tuples(st.sampled_from("abc"), st.lists(st.sampled_from(LABELS), unique=True)), min_size=1, max_size=25
    ).filter(lambda texts: all([group for group, _ in texts].count(group) > 1 for group, _ in texts)),
    order=st.randoms(use_true_random=False),
)
def test_agrees_with_exact_arithmetic(texts: list[tuple[str, list[str]]], order: Any, exact: Any) -> None:
    rows = [PolarityRow(index, group, tuple(labels)) for index, (group, labels) in enumerate(texts)]
    result = results_of(rows)
    expected = exact([labels for _, labels in texts], [group for group, _ in texts], LABELS)
    assert result["counts_by_group"] == expected["counts_by_group"]
    assert result["n_by_group"] == expected["n_by_group"]
    for group, shares in expected["proportions_by_group"].items():
        assert result["proportions_by_group"][group] == {label: float(share) for label, share in shares.items()}
    found = {(entry["label"], entry["group_a"], entry["group_b"]): entry for entry in result["differences"]}
    assert found.keys() == expected["differences"].keys()
    for (label, a, b), difference in expected["differences"].items():
        entry = found[label, a, b]
        assert entry["difference"] == pytest.approx(float(difference), abs=1e-15)
        share_a, share_b = (expected["proportions_by_group"][group][label] for group in (a, b))
        if share_b:
            assert entry["ratio"] == pytest.approx(float(share_a / share_b))
        else:
            assert math.isnan(entry["ratio"])
    if expected["score"] is None:
        assert math.isnan(result["gender_polarity"])
    else:
        assert result["gender_polarity"] == pytest.approx(float(expected["score"]), abs=1e-15)
    order.shuffle(rows)
    assert repr(results_of(rows)) == repr(result)


def test_of_many_groups_each_label_has_the_pair_that_differs_most(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(a="ffmn", b="mmnm", c="nnff", d="nnnf")
    whole = results_of(rows)
    monkeypatch.setattr(results, "MOST_PAIRED", 3)
    sparse = results_of(rows)
    # Male: 1, 3, 0, 0 of 4; female: 2, 0, 2, 1; neutral: 1, 1, 2, 3. Of equals the first.
    pairs = [("male", "b", "c"), ("female", "a", "b"), ("neutral", "a", "d")]
    expected = [pair for pair in whole["differences"] if (pair["label"], pair["group_a"], pair["group_b"]) in pairs]
    assert [(pair["label"], pair["difference"]) for pair in sparse["differences"]] == [
        ("male", 3 / 4),
        ("female", 2 / 4),
        ("neutral", -2 / 4),
    ]
    assert sparse.pop("differences") == expected
    assert {key: entry for key, entry in whole.items() if key != "differences"} == sparse


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


def test_a_label_that_no_text_has_is_no_member_of_the_family() -> None:
    result = results_of(rows_of(a="m" * 16 + "n" * 4, b="m" * 4 + "n" * 16))
    female = result["tests"].pop("female")
    assert female["undefined"] == "nothing has the label"
    assert female["test"] is None
    assert all(math.isnan(female[key]) for key in ("statistic", "p_value", "p_value_corrected"))
    assert "undefined" not in result["tests"]["male"]
    # Two tests are made, so each p is doubled, not tripled: z = (0.8 - 0.2) / sqrt(1/4 / 10) = 3.79
    p = result["tests"]["male"]["p_value"]
    assert p == pytest.approx(math.erfc(0.6 / math.sqrt(0.025) / math.sqrt(2)))
    assert result["tests"]["male"]["p_value_corrected"] == pytest.approx(2 * p)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (rows_of(a="mf"), "one group only (a), which has nothing to be compared with"),
        ([PolarityRow(0, None, ("male",))], "no groups given"),
        ([PolarityRow(0, None, skipped="empty_prediction")], "no text left to score"),
        ([], "no text left to score"),
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
        (
            rows_of(a="mf", b="m"),
            "x: group 'b' has only one text, of which no proportion can be told; it needs",
        ),
        (rows_of(a="mf", b="m--"), "x: group 'b' has only one text (and 2 empty), of which"),
        (rows_of(a="mf", b="-"), "x: group 'b' has no text (and 1 empty), of which no proportion"),
        ([*rows_of(a="mf"), PolarityRow(2)], "x: some rows have a group and others none"),
        ([*rows_of(a="mf"), PolarityRow(2, skipped="empty_prediction")], "x: some rows have a group and others none"),
    ],
)
def test_groups_that_cannot_be_compared(rows: list[PolarityRow], message: str) -> None:
    with pytest.raises(InputError) as error:
        results_of(rows, module="x")
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("group", ["", "None", "texts"])
def test_no_name_of_a_group_is_that_of_texts_without_one(group: str) -> None:
    with pytest.raises(InputError, match="some rows have a group and others none"):
        results_of([*rows_of(**{group: "mf"}), PolarityRow(2)])
    assert results_of(rows_of(**{group: "mf", "a": "mm"}))["n_by_group"] == {group: 2, "a": 2}


def test_seed() -> None:
    # Many groups and a rare label: too many tables to enumerate, so Fisher's test draws.
    rows = rows_of(**{name: "m" * count + "n" * (30 - count) for name, count in zip("abcdefgh", range(8), strict=True)})
    first, second, other = (results_of(rows, seed=seed, n_resamples=200) for seed in (0, 0, 1))
    assert repr(first) == repr(second)
    assert first["tests"]["male"]["p_value"] != other["tests"]["male"]["p_value"]
    assert "|resamples:200|seed:1|" in other["signature"]
    fresh = results_of(rows, seed=None)["signature"]
    assert fresh != results_of(rows, seed=None)["signature"]


def test_records() -> None:
    words = (Word(None, "he", -1.0),)
    rows = [
        PolarityRow(0, "a", ("male",), {"polarity": -1.0}, {"ties": 0}, words),
        PolarityRow(1, "a", skipped="empty_prediction"),
    ]
    records = [
        {
            "index": 0,
            "group": "a",
            "labels": ["male"],
            "scores": {"polarity": -1.0},
            "counts": {"ties": 0},
            "evidence": [["he", -1.0]],
            "skipped": None,
        },
        {
            "index": 1,
            "group": "a",
            "labels": [],
            "scores": {},
            "counts": {},
            "evidence": None,
            "skipped": "empty_prediction",
        },
    ]
    assert sample_records(rows) == records
    filed = [{**{name: said.pop(name) for name in ("index", "group")}, "gender_polarity": said} for said in records]
    filed[0]["gender_polarity"]["evidence"] = [{"word": "he", "score": -1.0}]
    assert file_records(rows, (), GenderPolaritySettings()) == filed


def test_records_of_several_dimensions() -> None:
    row = PolarityRow(0, evidence=(Word("joy", "joyful", 0.75), Word("fear", "war", 1.0)))
    assert sample_records([row])[0]["evidence"] == {"joy": ["joyful", 0.75], "fear": ["war", 1.0]}
    [record] = file_records([row], (), SentimentSettings())
    assert record["sentiment"]["evidence"] == [
        {"dimension": "joy", "word": "joyful", "score": 0.75},
        {"dimension": "fear", "word": "war", "score": 1.0},
    ]
    assert sample_records([PolarityRow(0, evidence=())])[0]["evidence"] == []


def test_domain_table_by_hand() -> None:
    result = results_of(rows_of(dance="mmfn", nurse="ffn", film="mnnn", driver="mm"))
    table = domain_table(result, {"health": ["nurse"], "arts": ["dance", "film"]})
    assert table == [
        {
            "group": "health",
            "n": 3,
            "n_male": 0,
            "n_female": 2,
            "n_neutral": 1,
            "male": 0.0,
            "female": 2 / 3,
            "neutral": 1 / 3,
            "male_to_female": 0.0,  # 0 to 2
            "male_minus_female": -2 / 3,
        },
        {
            "group": "arts",
            "n": 8,
            "n_male": 3,
            "n_female": 1,
            "n_neutral": 4,
            "male": 3 / 8,
            "female": 1 / 8,
            "neutral": 4 / 8,
            "male_to_female": 3.0,
            "male_minus_female": 2 / 8,
        },
    ]
    plain = domain_table(result)
    assert [(row["group"], row["n"]) for row in plain] == [("dance", 4), ("driver", 2), ("film", 4), ("nurse", 3)]
    assert math.isnan(plain[1]["male_to_female"])  # no female text
    assert plain[1]["male_minus_female"] == 1.0


def test_domain_table_of_other_labels_has_no_ratio() -> None:
    rows = [PolarityRow(index, "a", ("positive",)) for index in range(2)]
    result = aggregate(sums_of(PolarityTable(rows)), SentimentSettings(), labels=("positive",), made={})
    assert domain_table(result) == [{"group": "a", "n": 2, "n_positive": 2, "positive": 1.0}]


@pytest.mark.parametrize(
    ("merge", "message"),
    [
        ({"arts": []}, "merged group 'arts' must be a non-empty list of groups, found list"),
        ({"arts": "dance"}, "merged group 'arts' must be a non-empty list of groups, found str 'dance'"),
        ({"arts": ["dance", "opera"]}, "'arts' names str 'opera', of which there is no text; groups are dance, film"),
        ({"arts": ["dance"], "all": ["film", "dance"]}, "group 'dance' is named twice, in 'arts' and 'all'"),
        ({"arts": ["dance", "dance"]}, "group 'dance' is named twice, in 'arts' and 'arts'"),
    ],
)
def test_merged_groups_that_do_not_fit(merge: Any, message: str) -> None:
    result = results_of(rows_of(dance="mf", film="mn"))
    with pytest.raises(InputError, match="domain_table: ") as error:
        domain_table(result, merge)
    assert message in str(error.value)


def test_domain_table_needs_groups() -> None:
    with pytest.raises(InputError, match="the result has no groups; score the texts with groups"):
        domain_table(results_of([PolarityRow(0, None, ("male",))]))
