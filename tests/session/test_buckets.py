"""Buckets of ids: sums of them, and what is drawn."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

from fairsum_utils import BUR, SOF, UER, CoverageParity, EqualCoverage
from fairsum_utils.families.coverage.rows import CoverageTable
from fairsum_utils.session import Request, Session, passes
from fairsum_utils.session.systems import compare
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
    found = compare(session, {"a": a, "b": b})["equal_coverage"]
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
    result = compare(Session([Request(EqualCoverage(**settings))]), {"a": columns, "b": columns})["equal_coverage"]
    assert (result["difference"], result["p_value"]) == (0.0, 1.0)


@pytest.mark.parametrize("bootstrap", [None, "buckets"])
def test_sums_do_not_depend_on_how_samples_came(bootstrap: str | None) -> None:
    """At once, in two parts, or two put together: the same columns, counts and replicates."""
    session = Session([Request(EqualCoverage(entailer="lexical"))])
    columns = columns_of(30)
    [rows] = session.rows(columns)
    ids = [f"s{number}" for number in range(30)]
    [scored_by], make = session.passes, CoverageTable
    [call] = scored_by.calls
    whole, parts, first = make(rows, ids), make(rows[:7], ids[:7]), make(rows[:11], ids[:11])
    parts.extend(rows[7:], ids[7:])
    first.merge(make(rows[11:], ids[11:]))
    found = []
    for table in (whole, parts, first):
        sums = scored_by.sums(table, call.measures, call.settings.replace(bootstrap=bootstrap))
        keys = sorted(sums.columns)
        drawn = sums.replicates(keys, n_resamples=9, seed=1).tolist()
        found.append(
            (sums.n_units, sums.n_samples, sums.skipped, sums.counts, [sums.total(*key) for key in keys], drawn)
        )
    assert found[0] == found[1] == found[2]
    assert found[0][0] == (4096 if bootstrap else 28)
    assert found[0][1:3] == (28, {"empty_prediction": 2})


@pytest.mark.parametrize("family", ["representation", "coverage"])
def test_sums_do_not_depend_on_the_blocks_that_are_summed(monkeypatch: pytest.MonkeyPatch, family: str) -> None:
    """Buckets of several blocks of rows: scores, intervals and chance levels to the bit."""
    kinds = {"representation": (BUR, UER, SOF), "coverage": (EqualCoverage, CoverageParity)}[family]
    asked: dict[str, Any] = {"bootstrap": "buckets", "confidence_level": 0.95, "at_random": True, "n_resamples": 50}
    asked |= {"entailer": "lexical"} if family == "coverage" else {}
    session = Session([Request(kind(**asked)) for kind in kinds])
    columns = columns_of(40)
    whole = session.score(columns)
    for n in (1, 7):
        monkeypatch.setattr(passes, "_TOGETHER", n)
        assert session.score(columns) == whole
