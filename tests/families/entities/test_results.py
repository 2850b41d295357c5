"""Rows to results: by hand, in exact arithmetic, whatever is undefined or refused, and comparisons."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from scipy.stats import t as student

from fairsum_utils._version import __version__
from fairsum_utils.errors import InputError
from fairsum_utils.families.engine import compared as compared_systems
from fairsum_utils.families.entities import FAMILY, entity_inclusion
from fairsum_utils.families.entities.results import ENGINE
from fairsum_utils.families.entities.rows import EntityRow, EntityTable, Mention
from fairsum_utils.measures import get_measure, measures_of
from fairsum_utils.measures.distinguishability import Distinguishability
from fairsum_utils.measures.entity_inclusion import EntityInclusion
from fairsum_utils.stats.intervals import Moments, mean_interval
from tests.families.entities._made import made_rows

T, F = True, False

METRICS = measures_of("entities")


def result_of(rows: list[EntityRow], name: str, groups: tuple[str, ...] = (), **settings: Any) -> dict[str, Any]:
    scored, chosen = {"groups": ",".join(groups) or None}, get_measure(name)(**settings).seeded()
    return ENGINE.scores[name](ENGINE.sums_of(EntityTable(rows), [name], chosen), chosen).result(scored)


def compared(a: list[EntityRow], b: list[EntityRow], name: str, **chosen: Any) -> dict[str, Any]:
    settings = get_measure(name)(confidence_level=0.95, **chosen)
    systems = ENGINE.draw_systems(
        [ENGINE.sums_of(EntityTable(rows), [name], settings) for rows in (a, b)], [name], settings
    )
    return compared_systems(*systems, name, {})


def included(*samples: tuple[str, str], **parts: Any) -> list[EntityRow]:
    """A row for each (original, letters): a letter is an entity's group, a capital one is included."""
    return [
        EntityRow(index, article, entities=tuple((letter.lower(), letter.isupper()) for letter in letters), **parts)
        for index, (article, letters) in enumerate(samples)
    ]


def expanded_ends(replicates: Any, level: float, n: int) -> list[float]:
    """Percentiles of replicates, as far out as Student's interval of n originals."""
    tail = norm.sf(math.sqrt(n / (n - 1)) * student.ppf((1 + level) / 2, n - 1))
    return [float(end) for end in np.nanquantile(replicates, [tail, 1 - tail])]


def test_word_list_inclusion() -> None:
    rows = [
        EntityRow(0, "a", summary_words={"f": 1, "m": 3}, source_words={"f": 4, "m": 6}),
        EntityRow(1, "b", summary_words={"m": 4}, source_words={"f": 6, "m": 4}),
        EntityRow(2, "b", skipped="empty_prediction"),
    ]
    result = result_of(rows, "word_list_inclusion", confidence_level=0.95)
    # Summaries 1/8 and 7/8, sources 10/20 each: 3/8 apart.
    assert result["word_list_inclusion"] == 0.375
    assert result["word_list_inclusion_by_group"] == {"f": -0.375, "m": 0.375}
    assert result["counts_by_group"] == {"f": {"summaries": 1, "sources": 10}, "m": {"summaries": 7, "sources": 10}}
    # Originals drawn: a twice (1/4 against 4/10), b twice (0 against 6/10), or both. Of two, the ends are the extremes.
    assert result["word_list_inclusion_ci"] == pytest.approx([0.15, 0.6])
    assert result["word_list_inclusion_by_group_ci"]["f"] == pytest.approx([-0.6, -0.15])
    assert "word_list_inclusion_ci_within" not in result  # no original has two samples
    assert (result["n_samples"], result["n_articles"], result["n_skipped"]) == (2, 2, 1)
    assert result["skipped"] == {"empty_prediction": 1}
    signed = f"reference:source|ci:0.95|resamples:1000|seed:0|interval:folded|v:{__version__}"
    assert result["signature"] == signed
    assert "undefined" not in result
    uniform = result_of([replace(row, source_words=None) for row in rows], "word_list_inclusion", reference="uniform")
    assert uniform["word_list_inclusion"] == 0.375  # 7/8 - 1/2
    assert uniform["counts_by_group"] == {"f": {"summaries": 1}, "m": {"summaries": 7}}
    assert uniform["signature"] == f"reference:uniform|v:{__version__}"


def test_entity_inclusion() -> None:
    rows = included(("1", "Ffm"), ("1", "FFM"), ("2", "fMm"), ("2", "fFm"), n_ambiguous=1)
    result = result_of(rows, "entity_inclusion", confidence_level=0.9)
    # f: 4 of 7, odds 4/3; m: 2 of 5, odds 2/3.
    assert result["entity_inclusion"] == pytest.approx(1.0)
    assert result["entity_inclusion_by_group"] == {"f": 4 / 7, "m": 2 / 5}
    assert result["counts_by_group"] == {"f": {"included": 4, "entities": 7}, "m": {"included": 2, "entities": 5}}
    assert (result["most_included"], result["least_included"]) == ("f", "m")
    (pair,) = result["log_odds_ratios"]
    assert (pair["group_a"], pair["group_b"]) == ("f", "m")
    assert pair["log_odds_ratio"] == pytest.approx(math.log(2))
    # By originals: f 3/4 and m 1/2 twice, 4/7 and 2/5, or f 1/3 and m 1/3 twice: odds ratios 3, 2 and 1.
    assert result["entity_inclusion_ci"] == pytest.approx([0, 2])
    assert pair["ci"] == pytest.approx([0, math.log(3)])
    assert result["entity_inclusion_ci_lost"] == 0.0
    low, high = pair["ci_within"]
    assert low < math.log(2) < high < math.inf
    assert result["entity_inclusion_ci_within_lost"] == 0
    # Within: no m is included where only the first and the fourth sample are drawn, one time in 2**4: infinite odds.
    wide = result_of(rows, "entity_inclusion", confidence_level=0.98)
    assert wide["entity_inclusion_ci_within"][1] == wide["log_odds_ratios"][0]["ci_within"][1] == math.inf
    assert result["n_ambiguous"] == 4
    assert 0 < result["p_value"] <= 1
    assert result["signature"] == f"perms:1000|ci:0.9|resamples:1000|seed:0|interval:folded|v:{__version__}"


def test_intervals_within_originals_by_hand() -> None:
    # Two samples of one original: both, or one of them twice.
    rows = included(("1", "XxYyyy"), ("1", "XxYYyy"))
    result = result_of(rows, "entity_inclusion", confidence_level=0.99)
    # Odds of x: 1; of y: 1/3, 1, and (1 + 2) of 8: 3/5.
    assert result["entity_inclusion"] == pytest.approx(5 / 3 - 1)
    assert result["entity_inclusion_ci_within"] == pytest.approx([0, 2])
    assert result["entity_inclusion_by_group_ci_within"] == {"x": [0.5, 0.5], "y": [0.25, 0.5]}
    assert all(map(math.isnan, [*result["entity_inclusion_ci"], result["entity_inclusion_ci_lost"]]))
    assert result["undefined"] == "entity_inclusion_ci: an interval needs at least two scored originals"


def test_pairs_move_as_one() -> None:
    # Assignments and their inversions of a blind summarizer that names the first person: singly x and y seem to differ.
    rows = included(*[("1", "Xy"), ("1", "Yx")] * 2, *[("2", "XyX"), ("2", "YxY")] * 2)
    pairs = [place // 2 for place in range(8)]
    paired = [replace(row, pair=f"p{pair}") for row, pair in zip(rows, pairs, strict=True)]
    single, by_pairs = (result_of(each, "entity_inclusion", confidence_level=0.95) for each in (rows, paired))
    # By originals 1 of 2 is included in the first, 2 of 3 in the second, of either group.
    assert by_pairs["entity_inclusion"] == 0
    assert by_pairs["entity_inclusion_ci_within"] == [0, 0]
    assert by_pairs["log_odds_ratios"][0]["ci_within"] == [0, 0]
    low, high = single["log_odds_ratios"][0]["ci_within"]
    assert low < -0.5 < 0.5 < high
    assert (single["n_unpaired"], by_pairs["n_unpaired"]) == (8, 0)
    assert "within" not in single["signature"]
    assert "|within:pairs|" in f"|{by_pairs['signature']}|"
    assert all(map(math.isnan, single["entity_inclusion_ci"]))  # the odds are equal in every replicate
    assert str(single["undefined"]) == str(by_pairs["undefined"])
    changed = {f"entity_inclusion{end}" for end in ("_ci", "_ci_within", "_by_group_ci_within", "_ci_within_lost")}
    for key in single.keys() - changed - {"n_unpaired", "settings", "signature", "log_odds_ratios"}:
        assert single[key] == by_pairs[key]


def test_intervals_by_pairs_by_hand() -> None:
    # Two pairs, of which one is drawn and counts twice: x 3 of 4 and y 1 of 4; or 2 of 4 each.
    letters = {"XXyy": "p", "XxYy": "p", "XxyY": "q", "xXyY": "q"}
    rows = [replace(row, pair=pair) for row, pair in zip(included(*(("1", one) for one in letters)), letters.values(),
        strict=True)]  # fmt: skip
    for ordered in (rows, rows[::-1]):
        result = result_of(ordered, "entity_inclusion", confidence_level=0.99)
        assert result["entity_inclusion_by_group_ci_within"] == {"x": [0.5, 0.75], "y": [0.25, 0.5]}
        assert result["entity_inclusion_ci_within"] == pytest.approx([0, 8])  # odds of 3 and 1/3
    # The published code draws two of the two pairs: one time in two each once, with x 5 of 8 and y 3 of 8.
    ours, published = (
        result_of(rows, "entity_inclusion", confidence_level=0.3, **options)
        for options in ({}, {"resampling": "published"})
    )
    assert ours["entity_inclusion_by_group_ci_within"] == {"x": [0.5, 0.75], "y": [0.25, 0.5]}
    assert published["entity_inclusion_by_group_ci_within"] == {"x": [0.625, 0.625], "y": [0.375, 0.375]}
    assert "within:pairs|" in ours["signature"]
    assert "within:published|" in published["signature"]


@pytest.mark.parametrize(
    ("samples", "reason"),
    [
        (["Ff"], "there is only one group (f), so there is nothing to compare"),
        ([""], "no group was found"),
        ([], "no sample was scored"),
    ],
)
def test_undefined_inclusion(samples: list[str], reason: str) -> None:
    result = result_of(included(*(("1", letters) for letters in samples)), "entity_inclusion", confidence_level=0.95)
    assert math.isnan(result["entity_inclusion"])
    assert result["undefined"].startswith(reason)
    assert all(map(math.isnan, result["entity_inclusion_ci"]))


@pytest.mark.parametrize("letters", ["fM", "Fm"])
def test_separated_groups_are_a_result(letters: str) -> None:
    n = 20
    rows = included(*((str(article), letters) for article in range(n)))
    result = result_of(rows, "entity_inclusion", confidence_level=0.95)
    sign = 1 if letters == "Fm" else -1
    assert result["entity_inclusion"] == math.inf
    assert result["undefined"] == "the odds ratio is infinite; use continuity=0.5 to keep it finite"
    assert result["most_included"] == ("f" if sign > 0 else "m")
    # 20 of 20 are at least l, and 0 of 20 at most 1 - l, so that the log odds differ by 2 log(l / (1 - l)) at least.
    least, _ = mean_interval(Moments(n, 1.0, 0.0, 0.0), 0.95, (0.0, 1.0))
    [pair] = result["log_odds_ratios"]
    nearest = 2 * math.log(least / (1 - least))
    assert (pair["log_odds_ratio"], min(pair["ci"], key=abs)) == (sign * math.inf, pytest.approx(sign * nearest))
    assert max(pair["ci"], key=abs) == sign * math.inf
    assert result["entity_inclusion_ci"] == [pytest.approx(math.expm1(nearest)), math.inf]
    assert result["entity_inclusion_by_group_ci"]["f"][sign < 0] == pytest.approx(least if sign > 0 else 1 - least)
    assert 0 < result["p_value"] < 0.01


@pytest.mark.parametrize("letters", ["fm", "FM"])
def test_groups_that_are_all_or_none_included_are_equal(letters: str) -> None:
    rows = included(*((str(article), letters) for article in range(20)))
    result = result_of(rows, "entity_inclusion", confidence_level=0.95)
    assert (result["entity_inclusion"], result["p_value"]) == (0.0, 1.0)
    assert (result["most_included"], result["least_included"]) == (None, None)
    # Odds of nearly 0, or nearly infinite ones, may differ by any factor.
    assert result["entity_inclusion_ci"] == [0.0, math.inf]
    assert result["log_odds_ratios"][0]["ci"] == [-math.inf, math.inf]
    assert "undefined" not in result


def test_one_original_separates_groups_without_an_interval() -> None:
    result = result_of(included(("1", "Fm"), ("1", "Fm")), "entity_inclusion", confidence_level=0.95)
    assert result["entity_inclusion"] == math.inf
    ends = [*result["entity_inclusion_ci"], *result["log_odds_ratios"][0]["ci"], *result["entity_inclusion_ci_within"]]
    assert all(map(math.isnan, ends))
    assert result["undefined"].endswith("; entity_inclusion_ci: an interval needs at least two scored originals")


def test_a_third_group_leaves_an_infinite_maximum_without_an_interval() -> None:
    rows = included(*((str(article), letters) for article in range(100) for letters in ("Xy", "Xyz", "xyZ")))
    result = result_of(rows, "entity_inclusion", confidence_level=0.95, n_resamples=50)
    assert result["entity_inclusion"] == math.inf
    assert all(map(math.isnan, result["entity_inclusion_ci"]))
    ratios = {pair["group_a"] + pair["group_b"]: pair for pair in result["log_odds_ratios"]}
    # Of x 2/3 are included, of z 1/2, of y none.
    assert ratios["xz"]["log_odds_ratio"] == pytest.approx(math.log(2))
    assert ratios["xy"]["ci"][1] == math.inf
    assert 0 < ratios["xy"]["ci"][0] < math.inf


def test_systems_with_infinite_odds_are_compared_without_an_interval() -> None:
    fair, unfair = (included(*((str(i), letters) for i in range(30))) for letters in ("FfMm", "FFmm"))
    for a, b, difference in ((fair, unfair, math.inf), (unfair, fair, -math.inf), (unfair, unfair, math.nan)):
        result = compared(a, b, "entity_inclusion")
        assert [result["difference"]] == pytest.approx([difference], nan_ok=True)
        assert all(map(math.isnan, [*result["difference_ci"], result["p_value"]]))
        assert result["undefined"] == "the odds ratio is infinite; use continuity=0.5 to keep it finite"


def test_a_group_that_is_never_included() -> None:
    rows = included(*[(str(article), "Fm") for article in range(8)])
    result = result_of(rows, "entity_inclusion")
    # Only with every entity of f included and none of m is the statistic infinite, or the other way round: 2 of 2**8.
    assert result["p_value"] < 0.03
    assert (result["most_included"], result["least_included"]) == ("f", "m")
    finite = result_of(rows, "entity_inclusion", continuity=0.5)
    # (8 + 1/2) / (0 + 1/2) = 17 for f, 1/17 for m.
    assert finite["entity_inclusion"] == pytest.approx(17**2 - 1)
    assert finite["signature"] == f"continuity:0.5|perms:1000|seed:0|v:{__version__}"


def test_lost_replicates_do_not_void_the_interval() -> None:
    # A replicate that draws the third original three times, one of 3**3, has no m. With k draws of the second one the
    # odds are 1 + k/3 of f and 1 of m; of three originals, the ends are the extremes.
    rows = included(("1", "FfMm"), ("2", "FFfMm"), ("3", "Ff"))
    result = result_of(rows, "entity_inclusion", confidence_level=0.95)
    assert result["entity_inclusion_ci_lost"] == pytest.approx(1 / 27, abs=0.02)
    assert result["entity_inclusion_ci"] == pytest.approx([0.0, 1.0])
    assert "undefined" not in result


@pytest.mark.parametrize("n", [199, 200])
def test_a_largest_difference_of_several_needs_200_originals(n: int) -> None:
    """The intervals of the shares and of each log odds ratio need two."""
    generator = np.random.default_rng(4)
    inside = generator.random((n, 3)) < [0.4, 0.5, 0.7]
    rows = included(
        *(
            (str(i), "".join(c.upper() if i else c for c, i in zip("xyz", row, strict=True)))
            for i, row in enumerate(inside)
        )
    )
    result = result_of(rows, "entity_inclusion", confidence_level=0.9, n_resamples=300)
    assert "|interval:corrected|" in result["signature"]
    drawn = np.random.default_rng(0).integers(n, size=(300, n))
    odds = np.array([inside[draw].sum(axis=0) / (~inside[draw]).sum(axis=0) for draw in drawn])
    for pair, (a, b) in zip(result["log_odds_ratios"], combinations(range(3), 2), strict=True):
        assert pair["ci"] == pytest.approx(expanded_ends(np.log(odds[:, a] / odds[:, b]), 0.9, n))
    if n < 200:
        assert all(map(math.isnan, result["entity_inclusion_ci"]))
        assert result["undefined"].startswith("entity_inclusion_ci: ")
        assert "at least 200 originals, and 199 were scored" in result["undefined"]
        return
    replicates = odds.max(axis=1) / odds.min(axis=1) - 1
    low, high = expanded_ends(replicates, 0.9, n)
    bias = replicates.mean() - result["entity_inclusion"]
    assert bias > 0
    assert result["entity_inclusion_ci"] == pytest.approx([max(0.0, low - 3 * bias), high])
    assert "undefined" not in result


def test_entity_hallucination() -> None:
    rows = [
        EntityRow(0, "a", n_mentions=5, hallucinated=(("Bob", "male"), ("Al", "male"), ("Frum", None))),
        EntityRow(1, "a", n_mentions=3, hallucinated=(("Bob", "male"), ("Ann", "female"))),
    ]
    result = result_of(rows, "entity_hallucination", groups=("female", "male"))
    assert result["entity_hallucination"] == 0.25  # 3/4 - 1/2
    assert result["entity_hallucination_by_group"] == {"female": 0.25, "male": 0.75}
    assert result["counts_by_group"] == {"female": {"hallucinated": 1}, "male": {"hallucinated": 3}}
    assert (result["n_mentions"], result["n_hallucinated"], result["n_unclassified"]) == (8, 5, 1)
    assert result["hallucinated_share"] == 0.625
    assert result["most_frequent"][0] == {"name": "Bob", "group": "male", "count": 2}
    assert result["signature"] == f"groups:female,male|v:{__version__}"


@pytest.mark.parametrize(
    ("hallucinated", "reason", "share"),
    [
        ((), "the summaries invent no person", 0.0),
        ((("Frum", None),), "none of 1 invented persons has a known group", 0.5),
    ],
)
def test_undefined_hallucination(hallucinated: Any, reason: str, share: float) -> None:
    rows = [EntityRow(0, "a", n_mentions=2, hallucinated=hallucinated)]
    result = result_of(rows, "entity_hallucination", groups=("female", "male"))
    assert math.isnan(result["entity_hallucination"])
    assert (result["undefined"], result["hallucinated_share"]) == (reason, share)


@pytest.mark.parametrize(
    ("words", "where"),
    [(({}, {"f": 1, "m": 1}), "summaries"), (({"f": 1, "m": 1}, {"f": 0}), "sources"), (({"f": 0}, {"m": 0}), "both")],
)
def test_undefined_word_lists(words: Any, where: str) -> None:
    result = result_of([EntityRow(0, "a", summary_words=words[0], source_words=words[1])], "word_list_inclusion")
    named = "summaries and the sources" if where == "both" else where
    assert result["undefined"] == f"the {named} contain no identifier of any group"


def about(*samples: tuple[str, str, Any]) -> list[EntityRow]:
    """A row for each (original, group, vector)."""
    return [
        EntityRow(i, article, group=group, **{"word_counts" if isinstance(vector, dict) else "embedding": vector})
        for i, (article, group, vector) in enumerate(samples)
    ]


def test_distinguishability() -> None:
    rows = about(
        # Cosines 1 within the groups and 0 across: all are told, score 1.
        ("1", "f", {"she": 1}),
        ("1", "f", {"she": 2}),
        ("1", "m", {"he": 1}),
        ("1", "m", {"he": 1}),
        # All alike: 0. The one without a word of its own is left out.
        ("2", "f", {"it": 1}),
        ("2", "f", {"it": 3}),
        ("2", "m", {"it": 1}),
        ("2", "m", {}),
        # Nothing to compare with.
        ("3", "m", {"one": 1}),
    )
    result = result_of(rows, "distinguishability", confidence_level=0.95)
    assert result["distinguishability"] == 0.5
    # f: 1 and 0; m: 1, and in the second original only one summary is left.
    assert result["distinguishability_by_group"] == {"f": 0.5, "m": 1.0}
    ends = mean_interval(Moments.of(np.array([1.0, 0.0])), 0.95, (-1.0, 1.0))
    assert result["distinguishability_ci"] == pytest.approx(ends)
    assert result["distinguishability_by_group_ci"]["f"] == pytest.approx(ends)
    assert all(map(math.isnan, result["distinguishability_by_group_ci"]["m"]))  # one original
    assert result["signature"] == f"ci:0.95|interval:two-point|v:{__version__}"  # nothing is drawn
    assert not any(key.endswith(("ci_within", "ci_within_lost")) for key in result)
    assert result["undefined_summaries"] == {"alone_in_group": 1, "one_group": 1, "zero_vector": 1}
    assert (result["n_undefined"], result["n_articles_scored"], result["n_articles"]) == (3, 2, 3)
    assert result["counts_by_group"] == {"f": {"summaries": 4}, "m": {"summaries": 5}}
    words = ("she", "he", "it", "one")
    dense = [
        replace(row, word_counts=None, embedding=tuple(row.word_counts.get(word, 0) for word in words))  # type: ignore[union-attr]
        for row in rows
    ]
    assert repr(result_of(dense, "distinguishability", confidence_level=0.95)) == repr(result)


def test_undefined_distinguishability() -> None:
    rows = about(("1", "f", [1.0]), ("1", "m", [1.0]), ("2", "f", [1.0]))
    result = result_of(rows, "distinguishability")
    assert result["undefined"] == "no original has summaries of several groups and two summaries of one group"
    assert (
        result_of(rows[:1], "distinguishability")["undefined"]
        == "there is only one group (f), so there is nothing to compare"
    )


def test_sample_records() -> None:
    rows = about(("1", "f", {"a": 1}), ("1", "m", {"b": 1}), ("1", "f", {"a": 2}))
    rows.append(EntityRow(3, "2", skipped="empty_prediction"))
    records = FAMILY.records(rows[::-1], ["distinguishability"], Distinguishability())
    assert [record["index"] for record in records] == [3, 2, 1, 0]
    assert [record["distinguishable"] for record in records] == [None, 1.0, None, 1.0]
    # The summary of m is alone in its group, so that only those of f, both told, make the score of the original.
    assert [record["article_score"] for record in records] == [None, 1.0, 1.0, 1.0]
    assert records[0]["skipped"] == "empty_prediction"
    keys = ["index", "skipped", "distinguishable", "article_score", "evidence", "article", "n_tokens", "group"]
    assert list(records[1]) == keys
    rows = included(("2", "Fm"), persons=(Mention("Ann", 0, False),), anonymized="LAST_NAME won.")
    (record,) = FAMILY.records(rows, ["entity_inclusion"], EntityInclusion())
    assert record["entities"] == [{"group": "f", "included": True}, {"group": "m", "included": False}]
    named = [{"name": "Ann", "entity": 0, "ambiguous": False}]
    # Nothing is anonymized but for distinguishability, whatever else was asked for.
    assert record["evidence"] == {"persons": named, "anonymized": None}
    assert "distinguishable" not in record
    assert json.loads(json.dumps(records)) == records


@pytest.mark.parametrize("name", METRICS)
@given(rows=made_rows(), order=st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_agrees_with_exact_arithmetic_in_any_order(name: str, rows: list[EntityRow], order: Any) -> None:
    few: dict[str, Any] = {each: 10 for each in ("n_resamples", "n_permutations") if each in get_measure(name).infos()}
    if name == "entity_hallucination":
        few["first_names"] = {"pat": "x", "quinn": "y"}
    result = result_of(rows, name, confidence_level=0.9, **few)
    assert repr(json.loads(json.dumps(result))) == repr(result)
    assert math.isnan(result[name]) <= ("undefined" in result)
    kept = [row for row in rows if row.skipped is None]
    assert (result["n_samples"], result["n_skipped"]) == (len(kept), len(rows) - len(kept))
    assert result["n_articles"] == len({row.article for row in kept})
    expected = exact(name, kept)
    if expected is not None:
        assert [result[name]] == pytest.approx([float(expected)], nan_ok=True, abs=1e-9)
    parts = [rows[: len(rows) // 2], rows[len(rows) // 2 :]]
    shuffled = [*parts[1], *parts[0]]
    order.shuffle(shuffled)
    assert repr(result_of(shuffled, name, confidence_level=0.9, **few)) == repr(result)


def exact(name: str, rows: list[EntityRow]) -> Fraction | float | None:
    """The score in exact arithmetic; None where that is another test's (distinguishability)."""
    if name == "word_list_inclusion":
        summaries, sources = (
            sum((Counter(getattr(row, part)) for row in rows), Counter()) for part in ("summary_words", "source_words")
        )
        groups = {group for row in rows for group in (*row.summary_words, *row.source_words)}  # type: ignore[misc]
        if len(groups) < 2 or not summaries.total() or not sources.total():
            return math.nan
        return sum(
            abs(Fraction(summaries[g], summaries.total()) - Fraction(sources[g], sources.total())) for g in groups
        ) / Fraction(2)
    if name == "entity_inclusion":
        entities = Counter(entity for row in rows for entity in row.entities)  # type: ignore[union-attr]
        groups = {group for group, _ in entities}
        if len(groups) < 2:
            return math.nan
        a, b = ([entities[group, T], entities[group, F]] for group in sorted(groups))
        products = a[0] * b[1], a[1] * b[0]  # equal where the odds are
        if 0 in (*a, *b):
            same_end = any(a[place] == b[place] == 0 for place in (0, 1))
            return 0.0 if same_end else math.inf
        return Fraction(max(products), min(products)) - 1
    if name == "entity_hallucination":
        counts = Counter(group for row in rows for _, group in row.hallucinated if group)  # type: ignore[union-attr]
        return abs(Fraction(counts["x"], counts.total()) - Fraction(1, 2)) if counts else math.nan
    return None


def test_of_many_groups_only_the_two_that_differ_most_have_a_log_odds_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = included(*[("1", "XxYyyZzz"), ("2", "XxYYyZzz")])
    whole = result_of(rows, "entity_inclusion", confidence_level=0.9)
    monkeypatch.setattr(entity_inclusion, "MOST_PAIRED", 2)
    sparse = result_of(rows, "entity_inclusion", confidence_level=0.9)
    # Odds: x 2 / 2, y 3 / 3, z 2 / 4. Of x and y, which are alike, the first.
    [pair] = sparse.pop("log_odds_ratios")
    assert (pair["group_a"], pair["group_b"]) == ("x", "z")
    assert repr(pair) in map(repr, whole.pop("log_odds_ratios"))
    assert repr(sparse) == repr(whole)


def random_rows(seed: int, favour: float, n_articles: int = 40) -> list[EntityRow]:
    """Inclusion by a system that adds `favour` to the chance of group f; four samples an original."""
    generator = np.random.default_rng(seed)
    letters = []
    for article in range(n_articles):
        size = int(generator.integers(2, 6))
        for _ in range(4):
            female = generator.permutation(size) % 2 == 0
            inside = generator.random(size) < 0.4 + favour * female
            names = [("f" if f else "m", i) for f, i in zip(female, inside, strict=True)]
            letters.append((str(article), "".join(g.upper() if i else g for g, i in names)))
    return included(*letters)


@pytest.mark.parametrize("name", METRICS)
def test_a_row_that_lacks_what_a_measure_needs(name: str) -> None:
    with pytest.raises(
        InputError, match=rf"{name}: sample 4: {name} needs .* row has none; score the samples again with"
    ):
        result_of([EntityRow(4, "a")], name)


def test_refusals() -> None:
    with pytest.raises(InputError, match="inclusion: two rows have the index 1; give every sample a different index"):
        result_of([EntityRow(1, "a")] * 2, "entity_inclusion")
    one, two = "an embedding of 1 numbers", "an embedding of 2 numbers"
    for (first, other), words in (
        (((1.0,), {"a": 1}), f"has no embedding, and sample 0 has {one}"),
        (({"a": 1}, (1.0, 2.0)), f"has {two}, and sample 0 has no embedding"),
        (((1.0,), (1.0, 2.0)), f"has {two}, and sample 0 has {one}"),
    ):
        with pytest.raises(InputError, match=f"sample 1 {words}; embed all summaries in the same way"):
            result_of(about(("1", "f", first), ("1", "f", other)), "distinguishability")
    for bad in (math.nan, math.inf):
        with pytest.raises(InputError, match="sample 1: the vector of the summary contains a non-finite number; embed"):
            result_of(about(("1", "f", (1.0, 1.0)), ("1", "f", (1.0, bad))), "distinguishability")


def test_comparison() -> None:
    fair, biased = random_rows(3, 0.0), random_rows(3, 0.4)
    result = compared(biased, fair, "entity_inclusion")
    a, b = (result_of(rows, "entity_inclusion")["entity_inclusion"] for rows in (biased, fair))
    assert result["difference"] == b - a
    assert result["difference_ci"][1] < 0
    assert result["p_value"] < 0.01
    assert (result["n_samples"], result["n_articles"], result["lost"]) == (160, 40, 0.0)
    turned = compared(fair[::-1], biased[::-1], "entity_inclusion")
    assert turned["difference_ci"] == pytest.approx([-end for end in result["difference_ci"][::-1]], rel=1e-12)
    assert "|interval:expanded|" in result["signature"]  # a difference has no bias to correct
    same = compared(fair, fair, "entity_inclusion")
    assert same["difference"] == 0.0
    assert all(map(math.isnan, (*same["difference_ci"], same["p_value"])))
    assert same["undefined"].startswith("difference_ci and p_value: the score is the same in every bootstrap replicate")


def test_comparison_where_one_system_has_no_score_of_some_originals() -> None:
    """The interval lies around the difference of the means, which are not of the same originals."""
    generator = np.random.default_rng(7)

    def rows(n_without: int) -> list[EntityRow]:
        samples = []
        for article in range(30):
            for group in "ffmm":
                words = {word: int(generator.integers(0, 4)) for word in ("won", "lost", group)}
                samples.append((str(article), group, {} if article < n_without else words))
        return about(*samples)

    a, b = rows(0), rows(10)
    result = compared(a, b, "distinguishability")
    scores = [
        {
            record["article"]: record["article_score"]
            for record in FAMILY.records(each, ["distinguishability"], Distinguishability())
        }
        for each in (a, b)
    ]
    one, other = (np.array([np.nan if s is None else s for s in each.values()]) for each in scores)
    assert (len(one), np.isnan(one).sum(), np.isnan(other).sum()) == (30, 0, 10)
    assert result["difference"] == pytest.approx(np.nanmean(other) - one.mean())
    # Each original moves the means by what it lies away from them, a thirtieth and a twentieth as much.
    moved = np.nan_to_num((other - np.nanmean(other)) / 20) - (one - one.mean()) / 30
    ends = mean_interval(Moments.of(result["difference"] + 30 * moved), 0.95, (-2.0, 2.0))
    assert result["difference_ci"] == pytest.approx(ends)
    drawn = np.random.default_rng(0).integers(30, size=(1000, 30))
    low, high = np.quantile(np.nanmean(other[drawn], axis=1) - one[drawn].mean(axis=1), [0.025, 0.975])
    assert result["difference_ci"][0] < low < high < result["difference_ci"][1]


def test_comparison_knows_the_groups_of_both() -> None:
    def rows(*groups: str) -> list[EntityRow]:
        return [EntityRow(i, str(i), n_mentions=1, hallucinated=(("N", group),)) for i, group in enumerate(groups)]

    known = {"first_names": {"ann": "x", "bob": "y"}}
    result = compared(rows("x", "x", "x"), rows("x", "y", "x"), "entity_hallucination", **known)
    assert result["difference"] == pytest.approx(2 / 3 - 1 / 2 - 0.5)
