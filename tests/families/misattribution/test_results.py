"""Results: nulls, what changes no number, intervals over meetings, comparisons and records."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils import compute
from fairsum_utils.families.misattribution.results import sums_of
from fairsum_utils.families.misattribution.rows import MisattributionRow, MisattributionTable
from fairsum_utils.measures.misattribution import Misattribution
from fairsum_utils.stats.intervals import Moments, mean_interval
from tests._results import MEETINGS, bits
from tests._together import compare, score

pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
NAMES = ["Mr Park", "Ms Lee", "Ms Diaz", "Mr Okafor", "Dr Roux"]
# Content words of different facts differ.
FACTS = [
    "bridge closes in winter", "school lacks a ramp", "harbour floods often", "library opens on Sunday",
    "clinic needs nurses", "budget grew by a tenth", "tunnel leaks water", "market moved to Elm Street",
    "forest burned down", "airport lost passengers",
]  # fmt: skip
FORMS = ["{name} said that the {fact}.", "The {fact}, {name} argued.", "According to {name}, the {fact}."]


def meetings(seed: int, n: int, chooses: Callable[[Sequence[str], str], str]) -> dict[str, list[Any]]:
    """Meetings in which everybody states two facts, and minutes that give each fact to a speaker."""
    draw = random.Random(seed)
    columns: dict[str, list[Any]] = {"predictions": [], "sources": [], "values": []}
    for _ in range(n):
        speakers = draw.sample(NAMES, draw.randint(3, 5))
        turns = list(zip([*speakers, *speakers], draw.sample(FACTS, 2 * len(speakers)), strict=True))
        minutes = [draw.choice(FORMS).format(name=chooses(speakers, speaker), fact=fact) for speaker, fact in turns]
        columns["predictions"].append(" ".join(minutes))
        columns["sources"].append([f"I tell you that the {fact}, dear colleagues." for _, fact in turns])
        columns["values"].append([speaker for speaker, _ in turns])
    return columns


def shuffled(speakers: Sequence[str], speaker: str) -> str:
    """Give everything to the next speaker."""
    return speakers[(speakers.index(speaker) + 1) % len(speakers)]


def test_correct_minutes_and_shuffled_speakers() -> None:
    right, wrong = meetings(0, 20, lambda _, speaker: speaker), meetings(0, 20, shuffled)
    scores = [compute("misattribution", **columns) for columns in (right, wrong)]
    assert [(score["misattribution"], score["n_unsupported"]) for score in scores] == [(0.0, 0), (1.0, 0)]
    assert scores[0]["n_claims"] == scores[1]["n_claims"] > 100
    call = partial(
        compare, metrics=["misattribution"], n_resamples=50, sources=right["sources"], values=right["values"]
    )
    found = call(right["predictions"], wrong["predictions"])["misattribution"]
    assert [system["score"] for system in found["systems"].values()] == [0.0, 1.0]
    assert found["difference_ci"][0] > 0.5
    silent = call(right["predictions"], ["Nothing was said."] * 20)["misattribution"]
    assert silent["undefined"] == "no summary attributes a claim to a speaker"


def figures(columns: dict[str, list[Any]]) -> Any:
    result = score(**columns, metrics=["misattribution"], confidence_level=0.95)["misattribution"]
    return bits({key: entry for key, entry in result.items() if key != "warnings"})


@settings(max_examples=4)
@given(st.integers(0, 99), st.randoms(use_true_random=False))
def test_order_of_turns_of_different_speakers(seed: int, draw: random.Random) -> None:
    columns = meetings(seed, 4, lambda speakers, speaker: random.Random(speaker).choice(speakers))
    expected = figures(columns)
    turns = [list(zip(*pair, strict=True)) for pair in zip(columns["sources"], columns["values"], strict=True)]
    for of_meeting in turns:
        draw.shuffle(of_meeting)
    moved = {**columns, "sources": [[text for text, _ in each] for each in turns]}
    found = figures({**moved, "values": [[speaker for _, speaker in each] for each in turns]})
    by_third = ("inclusion_by_third", "inclusion_by_third_ci")  # which is about the order
    assert {**found, **{key: expected[key] for key in by_third}} == expected


def test_renaming_speakers_duplicates_and_another_script() -> None:
    columns = meetings(5, 4, shuffled)
    expected = figures(columns)
    other = dict(zip(NAMES, ["Frau Weiß", "O’Brien", "王伟", "Zoë Çelik", "Мария Иванова"], strict=True))

    def renamed(text: str) -> str:
        for name, new in other.items():
            text = text.replace(name, new)
        return text

    changed = {
        "predictions": list(map(renamed, columns["predictions"])),
        "sources": columns["sources"],
        "values": [list(map(other.__getitem__, values)) for values in columns["values"]],
    }
    assert figures(changed) == expected
    # A turn said twice by the same speaker changes nothing but the words of a third.
    doubled = {name: [[*each, *each] for each in columns[name]] for name in ("sources", "values")}
    found = figures({**columns, **doubled})
    keys = ("misattribution", "misattribution_ci", "n_claims", "n_unsupported", "inclusion", "n_speakers")
    assert [found[key] for key in keys] == [expected[key] for key in keys]


def test_no_speaker_to_confuse_and_no_summary() -> None:
    result = compute(
        "misattribution",
        predictions=["", "Lee said costs rose.", "Nothing."],
        sources=[["Costs rose.", "Hi."]] * 3,
        values=[["Lee", "Park"], ["Lee", "Lee"], ["Lee", "Park"]],
    )
    assert result["skipped"] == {"empty_prediction": 1, "single_speaker": 1}
    assert math.isnan(result["misattribution"])
    assert result["undefined"] == "no summary attributes a claim to a speaker"
    assert (result["inclusion"], result["n_samples"]) == (0.0, 1)


def test_meetings_are_the_units_of_the_interval() -> None:
    columns = {
        "predictions": [" ".join(["Lee said costs rose."] * 2), "Lee said costs rose. Park said costs rose."] * 10,
        "sources": [["Costs rose.", "Hi."]] * 20,
        "values": [["Park", "Lee"]] * 20,
    }
    result = compute("misattribution", **columns, confidence_level=0.95)
    assert result["misattribution"] == 3 / 4
    # 20 meetings with 2 of 2 and 1 of 2: as wide as a mean of 20 scores, not of 40 claims.
    per_meeting = mean_interval(Moments.of(np.array([2.0, 1.0] * 10), np.full(20, 2.0)), 0.95, (0.0, 1.0))
    assert result["misattribution_ci"] == list(per_meeting)


def test_warnings() -> None:
    columns = {"sources": [["Costs rose.", "Rents fell."]] * 4, "values": [["Park", "Lee"]] * 4}
    summaries = ["She said costs rose.", "She said costs rose.", "Lee said taxes doubled.", "Nothing."]
    groups = [{"party": {"Lee": "A"}}] * 4
    result = compute("misattribution", predictions=summaries, **columns, speaker_groups=groups)
    assert {warning["code"]: warning["count"] for warning in result["warnings"]} == {
        "no_claims": 3,
        "left_out": 2,
        "unsupported": 1,
        "ungrouped": 4,
        "few_samples": 4,
    }
    [unsupported] = [each["message"] for each in result["warnings"] if each["code"] == "unsupported"]
    assert unsupported.endswith("; the lexical entailer does not see paraphrases, and a model may find more support")


def test_samples_add_up() -> None:
    rows = [
        MisattributionRow(0, n_claims=3, n_misattributed=1, n_speakers=2, n_named=1, third_speakers=(1, 1, 2)),
        MisattributionRow(1, skipped="empty_prediction"),
        MisattributionRow(2, n_claims=5, n_unsupported=2, n_speakers=3, n_named=3, third_named=(1, 0, 0)),
    ]
    sums = sums_of(MisattributionTable(rows), ["misattribution"], Misattribution())
    assert [sums.total(name) for name in ("n", "misattribution", "reached", "people", "named")] == [8, 1, 6, 5, 4]
    assert sums.total("third_people", "last") == 2


def test_records_and_marks_of_the_example() -> None:
    result = compute("misattribution", **MEETINGS, return_samples=True)
    first, second = result["samples"]
    assert [claim["outcome"] for claim in first["claims"]] == ["misattributed", "supported", "unsupported"]
    assert (first["misattributed_share"], second["misattributed_share"]) == (1 / 3, 0.0)
    assert result["misattribution"] == 1 / 5
    assert result["misattribution_by_group"] == {"party: A": 0.0, "party: B": 1 / 3}
