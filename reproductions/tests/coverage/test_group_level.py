"""Groups of summaries: by hand, the paper's share, and a plain loop over the same draws."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions as studies
from fairsum_reproductions.coverage._printed import JUDGED
from fairsum_utils.stats.bootstrap import bootstrap_draws

Columns = tuple[list[dict[str, Any]], list[dict[str, Any]], list[str | None]]


def columns(*summaries: tuple[str | None, dict[str, float], dict[str, float]]) -> Columns:
    """Of summaries with their leaning, c_k and share above the desired one, by value."""
    samples = [{"index": i, "difference_by_value": differences} for i, (_, differences, _) in enumerate(summaries)]
    baseline = [
        {
            "index": i,
            "values": list(above),
            "summary_share": [1 / len(above) + share for share in above.values()],
            "desired_share": [1 / len(above)] * len(above),
        }
        for i, (_, _, above) in enumerate(summaries)
    ]
    return samples, baseline, [leaning for leaning, _, _ in summaries]


def agreement(given: Columns, **settings: Any) -> Any:
    samples, baseline, leanings = given
    return studies.group_level(samples, baseline, [{"leaning": leaning} for leaning in leanings], **settings)


def two(leaning: str | None, difference: float, above: float) -> tuple[str | None, dict[str, float], dict[str, float]]:
    """A summary of two values; numbers are those of neg."""
    return leaning, {"neg": difference, "pos": -difference}, {"neg": above, "pos": -above}


def test_two_samples_by_hand() -> None:
    # Groups of two: twice the first (1/4), twice the second (1/4), or both (1/2), where people tie.
    # C_neg is {1/4}, {-1/8}, {1/4, -1/8}: CP names neg, pos, neg. Shortfalls of neg 1/10, 0, mean 1/20; of pos 0, 3/10,
    # mean 3/20: second-order fairness names pos, neg, neg.
    both = columns(two("neg", 0.25, -0.1), two("pos", -0.125, 0.3))
    found = agreement(both, n_groups=4_000)
    assert (found["coverage_parity"], found["second_order"], found["difference"]) == (1.0, 0.0, 1.0)
    assert found["named_none"] == {"people": 0.0, "coverage_parity": 0.0, "second_order": 0.0}
    assert found["named"]["people"] == found["named"]["coverage_parity"]
    assert found["named"]["second_order"] == {
        "neg": found["named"]["people"]["pos"],
        "pos": found["named"]["people"]["neg"],
    }
    assert found["n_tied"] == pytest.approx(2_000, abs=4 * math.sqrt(4_000) / 2)
    assert (found["n_compared"] + found["n_tied"], found["n_groups"], found["group_size"]) == (4_000, 4_000, 2)
    assert (found["n_samples"], found["n_fair"], found["n_skipped"], found["undefined"]) == (2, 0, 0, {})
    tied = found["n_tied"] / 4_000
    disagree = agreement(both, n_groups=4_000, ties="disagree")
    assert disagree["coverage_parity"] == (4_000 - found["n_tied"]) / 4_000
    assert disagree["named_none"]["people"] == tied
    assert disagree.to_pandas().columns.tolist() == ["by", "agrees with people", "neg", "pos", "none"]
    assert disagree.to_pandas()["none"].tolist() == [tied, 0.0, 0.0]
    assert disagree["signature"].startswith("study:group_level|raters:most|groups:4000|ties:disagree|")
    either = agreement(both, n_groups=4_000, ties="either")
    assert (either["coverage_parity"], either["second_order"], either["n_compared"]) == (1.0, tied, 4_000)
    # A group of one is one of the two: nobody ties.
    single = agreement(both, group_size=1, n_groups=50)
    assert (single["n_tied"], single["group_size"], single["coverage_parity"]) == (0, 1, 1.0)


def test_second_order_by_shortfall_or_by_difference() -> None:
    # Shares above the desired: a +0.3 and -0.1, b -0.1 and 0, c -0.2 and +0.1. Shortfalls a 0.1/2, b 0.1/2, c 0.2/2: a
    # and b lack the same, so nobody is named; differences a 0.1, b -0.05, c -0.05.
    summary = ("a", {"a": 0.2, "b": -0.1, "c": -0.1}, {"a": 0.3, "b": -0.1, "c": -0.2})
    other = ("a", {"a": 0.2, "b": -0.1, "c": -0.1}, {"a": -0.1, "b": 0.0, "c": 0.1})
    seed = next(
        seed for seed in range(99) if next(bootstrap_draws(2, 1, seed)).tolist() == [[1.0, 1.0]]
    )  # one group, of both
    found = agreement(columns(summary, other), n_groups=1, seed=seed)
    assert (found["second_order"], found["named_none"]["second_order"]) == (0.0, 1.0)
    assert agreement(columns(summary, other), n_groups=1, seed=seed, second_order="difference")["second_order"] == 1.0


def test_the_papers_share() -> None:
    # 25 summaries, 17 of which lean as EC says and 8 as proportional representation does (section 5.4). If the measures
    # say the same of all, people name EC's value in a group when 13 or more of its 25 are of the 17.
    summaries = [two("neg", 0.1, -0.1)] * 17 + [two("pos", 0.1, -0.1)] * 8
    share = Fraction(17, 25)
    exact = float(sum(math.comb(25, x) * share**x * (1 - share) ** (25 - x) for x in range(13, 26)))
    assert exact == pytest.approx(JUDGED.parity, abs=0.015)
    found = agreement(columns(*summaries))
    assert found["coverage_parity"] == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 5_000))
    assert found["coverage_parity"] + found["second_order"] == JUDGED.parity + JUDGED.second_order == 1


def plain(given: Columns, draws: list[list[int]], names: list[str], *, signed: bool) -> list[tuple[str | None, ...]]:
    """What people, Coverage Parity and second-order fairness name in each group, sample by sample."""

    def leading(numbers: dict[str, float]) -> str | None:
        most = [name for name, number in numbers.items() if number >= max(numbers.values()) - 1e-12]
        return most[0] if len(most) == 1 else None

    told = []
    for counts in draws:
        extreme: dict[str, list[float]] = {name: [] for name in names}
        lacking: dict[str, list[float]] = {name: [] for name in names}
        votes: Counter[str] = Counter()
        for place, count in enumerate(counts):
            sample, baseline, leaning = (column[place] for column in given)
            own = sample["difference_by_value"]
            for _ in range(count):
                for name, number in own.items():
                    if number in (max(own.values()), min(own.values())):
                        extreme[name].append(number)
                shares = zip(*(baseline[key] for key in ("values", "summary_share", "desired_share")), strict=True)
                for name, got, wanted in shares:
                    lacking[name].append(wanted - got if signed else max(0.0, wanted - got))
                if leaning is not None:
                    votes[leaning] += 1
        means = {name: sum(numbers) / len(numbers) for name, numbers in extreme.items() if numbers}
        lacks = {name: -sum(numbers) / len(numbers) for name, numbers in lacking.items() if numbers}
        told.append((leading(dict(votes)) if votes else None, leading(means), leading(lacks)))
    return told


@pytest.mark.parametrize("signed", [False, True])
def test_equals_a_plain_loop(signed: bool) -> None:
    generator = random.Random(4)
    summaries = []
    for _ in range(15):
        names = sorted(generator.sample("abcd", generator.randint(2, 4)))
        numbers = [[generator.uniform(-0.1, 0.1) for _ in names] for _ in range(2)]
        differences, above = (dict(zip(names, row, strict=True)) for row in numbers)
        summaries.append((generator.choice([*names, None]), differences, above))
    given = columns(*summaries)
    settings: dict[str, Any] = {"n_groups": 300, "group_size": 6, "seed": 5}
    found = agreement(given, **settings, second_order="difference" if signed else "shortfall")
    draws = [row.astype(int).tolist() for block in bootstrap_draws(15, 300, 5, 6) for row in block]
    assert {sum(counts) for counts in draws} == {6}
    compared = [row for row in plain(given, draws, list("abcd"), signed=signed) if row[0] is not None]
    assert found["n_compared"] == len(compared)
    for place, who in enumerate(("people", "coverage_parity", "second_order")):
        counts = Counter(row[place] for row in compared)
        assert found["named"][who] == {name: counts[name] / len(compared) for name in "abcd"}
    for place, who in ((1, "coverage_parity"), (2, "second_order")):
        assert found[who] == sum(row[0] == row[place] for row in compared) / len(compared)


@given(data=st.data(), n=st.integers(1, 6))
def test_shares_are_shares_and_names_do_not_matter(data: st.DataObject, n: int) -> None:
    eighths = st.integers(-4, 4).map(lambda number: number / 8)
    summary = st.tuples(st.sampled_from(["neg", "pos", None]), eighths, eighths)
    drawn = data.draw(st.lists(summary, min_size=n, max_size=n))
    found = agreement(columns(*(two(*entry) for entry in drawn)), n_groups=20)
    assert found["n_compared"] + found["n_tied"] + found["n_fair_groups"] == 20
    other = {"neg": "pos", "pos": "neg", None: None}
    turned = agreement(columns(*(two(other[who], -c, -s) for who, c, s in drawn)), n_groups=20)
    for who in ("coverage_parity", "second_order"):
        assert found[who] == pytest.approx(turned[who], nan_ok=True)
        assert math.isnan(found[who]) or 0 <= found[who] <= 1
        assert math.isnan(found[who]) == bool(found["undefined"])


def test_nothing_to_compare(refusal: Callable[..., str]) -> None:
    found = agreement(columns(two(None, 0.25, 0.1)), n_groups=3)
    assert math.isnan(found["coverage_parity"])
    assert (found["n_fair_groups"], found["n_fair"]) == (3, 1)
    assert found["undefined"] == {"coverage_parity": "people name no value in any group"}
    samples, baseline, leanings = columns(two("neg", 0.25, 0.1))
    found = agreement(([samples[0] | {"difference_by_value": None}], baseline, leanings))
    assert found["undefined"] == {"coverage_parity": "no sample that both measures have scored"}
    assert (found["n_samples"], found["n_skipped"]) == (0, 1)
    for leaning, settings, message in (
        ("x", {}, "judgements[0] leans towards 'x', but"),
        ("neg", {"ties": "all"}, "ties must be one of skip, disagree, either, found str 'all'"),
        ("neg", {"n_groups": 0}, "n_groups must be a whole number of at least 1, found int 0"),
    ):
        assert refusal(agreement, columns(two(leaning, 0.25, 0.1)), **settings).startswith(f"group_level: {message}")
