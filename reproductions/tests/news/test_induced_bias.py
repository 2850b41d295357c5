"""Table 5: a bias that was induced is found, with the paper's figures and with the shipped articles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions as studies
import fairsum_utils
from fairsum_reproductions.news.induced_bias import is_found, parts, signed_ends


def printed(word_list: str, inclusion: str, towards: str) -> dict[str, Any]:
    """Results with the figures of a paper's table: score, s, d."""
    results: dict[str, Any] = {}
    for name, line in (("word_list_inclusion", word_list), ("entity_inclusion", inclusion)):
        score, *ends = map(float, line.split())
        results[name] = {name: score, f"{name}_ci_within": ends[:2], f"{name}_ci": ends[2:], "signature": "v:1"}
        # Of two groups, a share that grows by the score, and odds 1 + score times those of the other.
        signed = ends[2:] if name == "word_list_inclusion" else [math.log1p(end) for end in ends[2:]]
        opposite = [-signed[1], -signed[0]]
        female, male = (signed, opposite) if towards == "female" else (opposite, signed)
        if name == "word_list_inclusion":
            results[name] |= {f"{name}_by_group_ci": {"female": female, "male": male}}
            results[name] |= {f"{name}_by_group": {"female": sum(female) / 2, "male": sum(male) / 2}}
        else:
            ratio = {"group_a": "female", "group_b": "male", "log_odds_ratio": sum(female) / 2, "ci": female}
            results[name] |= {"most_included": towards, "log_odds_ratios": [ratio]}
    return results


# Llama-2 chat 13b in papers/news-summarization-bias, tables 3 and 5.
TABLE_3 = printed("0.07 0.06 0.07 0.04 0.09", "0.04 0.03 0.06 0.02 0.06", "male")
TABLE_5 = printed("0.42 0.41 0.42 0.40 0.44", "0.71 0.68 0.74 0.63 0.80", "female")


def test_the_papers_table() -> None:
    result = studies.induced_bias(TABLE_3, {"Llama-2 chat 13b": TABLE_5})
    assert [list(row) for row in parts(result)[1].rows] == [
        ["Word List Inclusion", "0.42"],
        ["  s", "0.41,0.42"],
        ["  d", "0.40,0.44"],
        ["Entity Inclusion", "0.71"],
        ["  s", "0.68,0.74"],
        ["  d", "0.63,0.80"],
    ]
    assert [cell["is_found"] for by_system in result["induced"].values() for cell in by_system.values()] == [True, True]
    assert result["plain"]["Entity Inclusion"]["score"] == 0.04
    # Towards the other group nothing is found, nor in the system as it is.
    for group, induced in (("male", TABLE_5), ("female", TABLE_3)):
        result = studies.induced_bias(TABLE_3, {"llama": induced}, group=group)
        assert not any(by_system["llama"]["is_found"] for by_system in result["induced"].values())


NAN = [math.nan, math.nan]


def test_found() -> None:
    for induced, plain, expected in (
        ([[0.2, 0.4]], [[0.0, 0.1]], True),
        ([[0.1, 0.4]], [[0.0, 0.1]], False),  # the intervals touch
        ([[-0.1, 0.0]], [[-0.4, -0.2]], True),  # less against it than before
        ([[0.2, 0.4], [0.1, 0.4]], [[0.0, 0.1], [0.0, 0.05]], True),
        ([[0.2, 0.4], [0.1, 0.4]], [[0.0, 0.1], [0.0, 0.2]], False),  # not beyond one of two other groups
        ([NAN], [[0.0, 0.1]], False),
        ([[0.2, 0.4]], [NAN], False),
        ([], [], False),
    ):
        assert is_found(induced, plain) is expected


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(0, 5)), min_size=3, max_size=3))
def test_signed_ends(intervals: list[tuple[float, float]]) -> None:
    """What favours one of two groups disfavours the other; of three each has two comparisons."""
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    ratios = [
        {"group_a": one, "group_b": other, "log_odds_ratio": low, "ci": [low, low + width]}
        for (one, other), (low, width) in zip(pairs, intervals, strict=True)
    ]
    result = {"entity_inclusion": 1.0, "log_odds_ratios": ratios}
    ends = {group: signed_ends(result, group) for group in "abc"}
    assert all(len(each) == 2 for each in ends.values())
    assert ends["a"][0] == [-end for end in reversed(ends["b"][0])]
    assert ends["c"] == [[-end for end in reversed(ratio["ci"])] for ratio in ratios[1:]]
    assert signed_ends(result, "d") == []


def test_summarizers_of_the_example(example: Any) -> None:
    """The one that takes sentences about women is found, though nothing but its choice of sentences is biased."""
    local = example.corpus("local")
    runs = {}
    for system in example.SYSTEMS:
        summaries = [example.SYSTEMS[system](index, row) for index, row in enumerate(local)]
        runs[system] = fairsum_utils.score(
            **example.columns(local, summaries),
            sources=[row["text"] for row in local],
            metrics=["word_list_inclusion", "entity_inclusion"],
            confidence_level=0.95,
            continuity=0.5,
        )
    plain = runs.pop("lead")
    result = studies.induced_bias(plain, runs)
    for by_system in result["induced"].values():
        assert {system: cell["is_found"] for system, cell in by_system.items()} == {
            "random": False,
            "focus on women": True,
        }


def test_refused(refusal: Callable[..., str]) -> None:
    global_ = {"distinguishability": {"distinguishability": 0.2, "signature": "embedding:count|v:1"}}
    assert refusal(studies.induced_bias, TABLE_3, {"a": global_}) == (
        "induced_bias: the induced results are of neither Word List Inclusion nor Entity Inclusion; score for them"
    )
    assert (
        "Word List Inclusion of a or of the plain results has no interval for the group 'women'; score with"
        in refusal(studies.induced_bias, TABLE_3, {"a": TABLE_5}, group="women")
    )
    only_words = {"word_list_inclusion": TABLE_3["word_list_inclusion"]}
    assert refusal(studies.induced_bias, only_words, {"a": TABLE_5}) == (
        "induced_bias: the plain results have no Entity Inclusion; score for it"
    )
