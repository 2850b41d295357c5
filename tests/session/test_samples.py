"""Scored samples: what their ids hash to, how they are put together, and draws of buckets of them."""

from __future__ import annotations

import math
import random
from functools import partial
from typing import Any

import numpy as np
import pytest

from fairsum_utils import EqualCoverage
from fairsum_utils.families import families
from fairsum_utils.families.representation.rows import DistributionRow
from fairsum_utils.session import Request, Session
from fairsum_utils.session.samples import ScoredSamples
from fairsum_utils.stats.bootstrap import expanded_p_value
from fairsum_utils.stats.intervals import Moments, mean_interval
from fairsum_utils.stats.sums import digest_of

WORDS = {"pos": ["tasty", "great", "friendly", "fresh", "brother"], "neg": ["awful", "slow", "cold", "rude", "sister"]}


def columns_of(n: int, seed: int = 0) -> dict[str, list[Any]]:
    """Some summaries are empty. The sources are the same whatever the seed."""
    sources, summaries = random.Random(0), random.Random(seed)
    columns: dict[str, list[Any]] = {"predictions": [], "sources": [], "values": []}
    for index in range(n):
        values = ["pos", "neg", *sources.choices(["pos", "neg"], k=2)]
        texts = [" ".join(sources.choices(WORDS[value], k=4)) for value in values]
        words = [word for text in texts for word in text.split()]
        columns["predictions"].append("" if index % 13 == 7 else " ".join(summaries.choices(words, k=3)) + ".")
        columns["sources"].append([f"{text}." for text in texts])
        columns["values"].append(values)
    return columns


def test_a_difference_is_drawn_in_buckets_of_ids() -> None:
    """EC of two systems by a plain loop over the draws of 4,096 buckets, most of which are empty."""
    n, n_resamples = 40, 30
    a, b = columns_of(n, seed=1), columns_of(n, seed=2)
    asked: dict[str, Any] = {"entailer": "lexical", "bootstrap": "buckets", "return_samples": True}
    session = Session([Request(EqualCoverage(**asked, n_resamples=n_resamples))])
    scores = [
        {
            record["index"]: record["equal_coverage"]
            for record in session.score(columns)["equal_coverage"]["samples"]
            if record["skipped"] is None
        }
        for columns in (a, b)
    ]
    generator = np.random.default_rng(0)
    draws = generator.integers(4096, size=(n_resamples, 4096))
    differences = []
    buckets: dict[int, list[int]] = {}
    for index in scores[0]:
        buckets.setdefault(digest_of(str(index)) % 4096, []).append(index)
    for draw in draws.tolist():
        drawn = [index for bucket in draw for index in buckets.get(bucket, ())]
        differences.append(math.fsum(scores[1][i] - scores[0][i] for i in drawn) / len(drawn))
    found = session.compare(a, b)["equal_coverage"]
    shifted = np.abs(np.array(differences) - np.mean(differences)) >= abs(found["difference"])
    plain = (shifted.sum() + 1) / (n_resamples + 1)
    assert found["p_value"] == expanded_p_value(plain, found["n_samples"])
    # The interval is that of the buckets.
    together = [[scores[1][i] - scores[0][i] for i in bucket] for bucket in buckets.values()]
    totals, sizes = np.array([math.fsum(each) for each in together]), np.array([float(len(each)) for each in together])
    expected = mean_interval(Moments.of(totals, sizes), 0.95, (-1.0, 1.0))
    assert found["difference_ci"] == pytest.approx(expected, abs=1e-12)


def test_a_system_with_itself_shares_all_draws() -> None:
    settings: dict[str, Any] = {"n_resamples": 20, "bootstrap": "buckets", "entailer": "lexical"}
    columns = columns_of(20)
    result = Session([Request(EqualCoverage(**settings))]).compare(columns, columns)["equal_coverage"]
    assert (result["difference"], result["p_value"]) == (0.0, 1.0)


def rows_of(start: int, *skipped: bool) -> list[DistributionRow]:
    return [
        DistributionRow(start + place, skipped="empty_prediction")
        if is_skipped
        else DistributionRow(start + place, ("a", "b"), (1, 2), (1.0, 0.0))
        for place, is_skipped in enumerate(skipped)
    ]


def digests(*ids: str) -> list[int]:
    return [*map(digest_of, ids)]


def test_digests_are_of_ids_or_else_of_indices() -> None:
    make = partial(ScoredSamples, families()["representation"])
    unnamed = make()
    unnamed.extend(rows_of(3, False, True, False))
    assert (len(unnamed), unnamed.digests().tolist()) == (3, digests("3", "5"))
    named = make()
    named.extend(rows_of(0, False, True), ["x", "y"])
    assert named.digests().tolist() == digests("x")
    named.extend(rows_of(2, False))  # indices stand for the ids that nobody says
    assert named.digests().tolist() == digests("x", "2")
    late = make()
    late.extend(rows_of(0, False, True))
    late.extend(rows_of(2, False), ["z"])
    assert late.digests().tolist() == digests("0", "z")


@pytest.mark.parametrize("ids", [(None, None), (None, "yz"), ("wx", None), ("wx", "yz")])
def test_merged_rows_keep_their_ids(ids: tuple[str | None, str | None]) -> None:
    made = []
    for start, names in zip((0, 2), ids, strict=True):
        made.append(ScoredSamples(families()["representation"]))
        made[-1].extend(rows_of(start, False, False), names)
    whole, other = made
    whole.merge(other)
    assert whole.digests().tolist() == digests(*(ids[0] or "01"), *(ids[1] or "23"))
    assert len(whole) == 4


@pytest.mark.parametrize("in_buckets", [False, True])
def test_sums_do_not_depend_on_how_samples_came(in_buckets: bool) -> None:
    """At once, in two parts, or two put together: the same columns, counts and replicates."""
    session = Session([Request(EqualCoverage(entailer="lexical"))])
    columns = columns_of(30)
    [rows] = session.rows(columns)
    ids = [f"s{number}" for number in range(30)]
    whole, parts, first, second = (ScoredSamples(families()["coverage"]) for _ in range(4))
    whole.extend(rows, ids)
    parts.extend(rows[:7], ids[:7])
    parts.extend(rows[7:], ids[7:])
    first.extend(rows[:11], ids[:11])
    second.extend(rows[11:], ids[11:])
    first.merge(second)
    [call] = session.passes[0].calls
    found = []
    for samples in (whole, parts, first):
        sums = samples.sums(call.measures, call.settings, session.passes[0].scorer, in_buckets=in_buckets)
        keys = sorted(sums.columns)
        drawn = sums.replicates(keys, n_resamples=9, seed=1).tolist()
        found.append(
            (sums.n_units, sums.n_samples, sums.skipped, sums.counts, [sums.total(*key) for key in keys], drawn)
        )
    assert found[0] == found[1] == found[2]
    assert found[0][0] == (4096 if in_buckets else 28)
    assert found[0][1:3] == (28, {"empty_prediction": 2})
