"""Rows to results: by hand, in exact arithmetic, whatever is undefined or refused, and comparisons."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fairsum_utils._version import __version__
from fairsum_utils.errors import InputError
from fairsum_utils.families.engine import compared as compared_systems
from fairsum_utils.families.entities import FAMILY, entity_inclusion
from fairsum_utils.families.entities.results import ENGINE
from fairsum_utils.families.entities.rows import EntityRow, EntityTable, Mention
from fairsum_utils.measures import get_measure, measures_of
from fairsum_utils.measures.distinguishability import Distinguishability
from fairsum_utils.measures.entity_inclusion import EntityInclusion
from fairsum_utils.measures.word_list_inclusion import WordListInclusion
from fairsum_utils.stats.bootstrap import expanded_interval
from fairsum_utils.stats.intervals import Moments, mean_interval
from fairsum_utils.stats.sums import BucketSums, Sums

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


def test_continuity() -> None:
    finite = result_of(included(*[(str(article), "Fm") for article in range(8)]), "entity_inclusion", continuity=0.5)
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


def test_the_interval_of_the_largest_of_several_differences_needs_200_originals() -> None:
    inside = np.random.default_rng(4).random((200, 3)) < [0.4, 0.5, 0.7]
    letters = ["".join(c.upper() if i else c for c, i in zip("xyz", row, strict=True)) for row in inside]
    rows = included(*((str(i), of_original) for i, of_original in enumerate(letters)))
    result = result_of(rows, "entity_inclusion", confidence_level=0.9, n_resamples=300)
    drawn = np.random.default_rng(0).integers(200, size=(300, 200))
    odds = np.array([inside[draw].sum(axis=0) / (~inside[draw]).sum(axis=0) for draw in drawn])
    replicates = odds.max(axis=1) / odds.min(axis=1) - 1
    low, high = expanded_interval(replicates, 0.9, 200)
    bias = replicates.mean() - result["entity_inclusion"]
    assert result["entity_inclusion_ci"] == pytest.approx([low - 3 * bias, high])
    assert "|interval:corrected|" in result["signature"]
    few = result_of(rows[1:], "entity_inclusion", confidence_level=0.9, n_resamples=300)
    assert all(map(math.isnan, few["entity_inclusion_ci"]))
    assert "at least 200 originals, and 199 were scored" in few["undefined"]


def test_entity_hallucination() -> None:
    samples = [
        (10, 4, (("Ann Lee", "female"), ("Bob Greene", "male"), ("Frum", None))),
        (14, 0, ()),
        (18, 1, (("Ann Lee", "female"),)),
        (30, 3, ()),
    ]
    rows = [EntityRow(i, "a", n_tokens=n, n_mentions=m, hallucinated=names) for i, (n, m, names) in enumerate(samples)]
    result = result_of([*rows, EntityRow(4, "a", skipped="x")], "entity_hallucination", groups=("female", "male"))
    assert result["entity_hallucination"] == pytest.approx(1 / 6)  # 2/3 - 1/2
    assert result["entity_hallucination_by_group"] == {"female": 2 / 3, "male": 1 / 3}
    assert result["counts_by_group"] == {"female": {"hallucinated": 2}, "male": {"hallucinated": 1}}
    assert (result["n_mentions"], result["n_hallucinated"], result["n_unclassified"]) == (8, 4, 1)
    assert result["hallucinated_share"] == 0.5
    # Deviations of tokens -8, -4, 0, 12: squares of 224, over 4. Of entities 2, -2, -1, 1: squares of 10, over 4.
    assert (result["mean_tokens"], result["sd_tokens"]) == (18.0, math.sqrt(56))
    assert (result["mean_entities"], result["sd_entities"]) == (2.0, math.sqrt(2.5))
    assert result["signature"] == f"groups:female,male|v:{__version__}"


def test_most_frequent_names() -> None:
    names = [("Zoe Ito", "female"), ("Frum", None)] * 2 + [("Zoe Ito", "female"), ("Ann Lee", "male"), ("Ann Lee", "f")]
    names += [(f"{letter} Ray", None) for letter in "ABCDEFGHI"]
    found = result_of([EntityRow(0, "a", n_mentions=9, hallucinated=tuple(names))], "entity_hallucination")
    assert [(each["name"], each["group"], each["count"]) for each in found["most_frequent"]] == [
        ("Zoe Ito", "female", 3), ("Frum", None, 2), ("A Ray", None, 1), ("Ann Lee", "f", 1), ("Ann Lee", "male", 1),
        *((f"{letter} Ray", None, 1) for letter in "BCDEF"),
    ]  # fmt: skip


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


def test_comparison_knows_the_groups_of_both() -> None:
    def rows(*groups: str) -> list[EntityRow]:
        return [EntityRow(i, str(i), n_mentions=1, hallucinated=(("N", group),)) for i, group in enumerate(groups)]

    known = {"first_names": {"ann": "x", "bob": "y"}}
    result = compared(rows("x", "x", "x"), rows("x", "y", "x"), "entity_hallucination", **known)
    assert result["difference"] == pytest.approx(2 / 3 - 1 / 2 - 0.5)


ONE = EntityRow(0, "a", n_mentions=2, summary_words={"f": 0}, source_words={"f": 1, "m": 1})


@pytest.mark.parametrize(
    ("name", "rows", "reason"),
    [
        ("entity_inclusion", included(("1", "Ff")), "there is only one group (f), so there is nothing to compare"),
        ("entity_inclusion", included(("1", "")), "no group was found"),
        ("entity_inclusion", [], "no sample was scored"),
        ("entity_hallucination", [replace(ONE, hallucinated=())], "the summaries invent no person"),
        ("entity_hallucination", [replace(ONE, hallucinated=(("Frum", None),))], "none of 1 invented persons has a "),
        ("word_list_inclusion", [ONE], "the summaries contain no identifier of any group"),
        ("word_list_inclusion", [replace(ONE, summary_words={"f": 1, "m": 1}, source_words={})], "the sources contain"),
        ("word_list_inclusion", [replace(ONE, source_words={"m": 0})], "the summaries and the sources contain no ide"),
        ("distinguishability", about(("1", "f", [1.0]), ("1", "m", [1.0])), "no original has summaries of several gr"),
    ],
)
def test_undefined(name: str, rows: list[EntityRow], reason: str) -> None:
    result = result_of(rows, name, confidence_level=0.95)
    assert result["undefined"].startswith(reason)
    assert all(map(math.isnan, [result[name], *result[f"{name}_ci"]]))


def drawn_rows(seed: int) -> list[EntityRow]:
    """Rows of every measure: samples of six originals, some skipped, some of those of A, B and C in pairs."""
    draw = random.Random(seed)

    def counts(words: str, most: int) -> dict[str, int]:
        return {word: draw.randint(1, most) for word in words if draw.random() < 0.7}

    rows = []
    for index in range(24):
        article = draw.choice("ABCDEF")
        strangers = [(draw.choice("PQR"), draw.choice(["x", "y", None])) for _ in range(draw.randint(0, 3))]
        row = EntityRow(
            index,
            article,
            group=draw.choice("xyz"),
            pair=draw.choice(["p", "q", None]) if article in "ABC" else None,
            n_tokens=draw.randint(1, 9),
            n_mentions=len(strangers) + draw.randint(0, 2),
            summary_words=counts("xyz", 5),
            source_words=counts("xyz", 5),
            entities=tuple((draw.choice("xy"), draw.random() < 0.5) for _ in range(draw.randint(0, 3))),
            hallucinated=tuple(strangers),
            word_counts=counts("abc", 2),
        )
        rows.append(EntityRow(index, article, skipped="empty_prediction") if draw.random() < 0.1 else row)
    return rows


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", METRICS)
def test_neither_order_nor_buckets_matter(name: str, seed: int) -> None:
    few: dict[str, Any] = {each: 10 for each in ("n_resamples", "n_permutations") if each in get_measure(name).infos()}
    if name == "entity_hallucination":
        few["first_names"] = {"pat": "x", "quinn": "y"}
    chosen = get_measure(name)(confidence_level=0.9, seed=0, **few)
    rows = drawn_rows(seed)

    def summed() -> Sums:
        return ENGINE.sums_of(EntityTable(rows), [name], chosen)

    result = ENGINE.scores[name](summed(), chosen).result({})
    kept = [row for row in rows if row.skipped is None]
    assert (result["n_samples"], result["n_skipped"]) == (len(kept), len(rows) - len(kept))
    assert result["n_articles"] == len({row.article for row in kept})
    random.Random(seed).shuffle(rows)
    assert repr(ENGINE.scores[name](summed(), chosen).result({})) == repr(result)
    in_buckets = ENGINE.scores[name](BucketSums().add(summed()), chosen.replace(bootstrap="buckets")).result({})
    assert math.isfinite(result[name])
    assert [*in_buckets] == [*result]
    drawn = ("settings", "_ci", "_ci_within", "_lost", "p_value", "log_odds_ratios", "signature", "undefined")
    same = [key for key in result if not key.endswith(drawn)]
    assert [in_buckets[key] for key in same] == [result[key] for key in same]


def test_an_original_with_several_samples_decides_that_something_is_drawn_within_buckets() -> None:
    name, chosen = "word_list_inclusion", WordListInclusion(confidence_level=0.9, bootstrap="buckets", n_resamples=30)
    rows = [EntityRow(i, str(i), summary_words={"x": 1, "y": i}, source_words={"x": 1, "y": 1}) for i in range(3)]
    # Another original has two samples, one of which is in a pair.
    more = [replace(rows[0], index=9, article="b", pair="p"), replace(rows[2], index=8, article="b")]
    alone, result = (
        ENGINE.scores[name](BucketSums().add(ENGINE.sums_of(EntityTable(each), [name], chosen)), chosen).result({})
        for each in (rows, [*rows, *more])
    )
    assert not [key for key in alone if "within" in key]
    assert (result["n_unpaired"], result["n_articles"], result["n_samples"]) == (1, 4, 5)
    assert result["signature"].startswith("within:pairs|")
    # Of x three and two samples; of y 0 + 1 + 2 and, of the pair (0) and the other sample (2), one of them twice.
    assert result["word_list_inclusion_by_group_ci_within"]["x"] == pytest.approx([5 / 12 - 0.5, 5 / 8 - 0.5])


@pytest.mark.parametrize(
    ("first", "other", "message"),
    [
        ((1.0,), {"a": 1}, "has no embedding, and sample 0 has an embedding of 1 numbers; embed all summaries in"),
        ({"a": 1}, (1.0, 2.0), "has an embedding of 2 numbers, and sample 0 has no embedding; embed"),
        ((1.0,), (1.0, 2.0), "has an embedding of 2 numbers, and sample 0 has an embedding of 1 numbers; embed"),
        ((1.0, 1.0), (1.0, math.nan), ": the vector of the summary contains a non-finite number; embed the summary"),
    ],
)
def test_vectors_that_are_refused(first: Any, other: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"sample 1 ?{message}"):
        result_of(about(("1", "f", first), ("1", "f", other)), "distinguishability")
