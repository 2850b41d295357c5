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
from fairsum_utils.errors import InputError
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
# Facts on one topic share most of their words: the own turn of a wrong speaker holds up to 4 of 5.
ALIKE = [
    f"{place} school needs {color} roof tiles"
    for place in ("northern", "southern", "western", "eastern")
    for color in ("red", "grey", "brown")
]
FORMS = ["{name} said that the {fact}.", "The {fact}, {name} argued.", "According to {name}, the {fact}."]


class Meetings:
    """Meetings in which everybody states two facts of their own, and minutes that give each fact to a speaker.

    Args:
        seed: seed of the draws.
        n: number of meetings.
        chooses: (speakers, true speaker) -> speaker in the minutes.
        facts: what they state.
    """

    def __init__(
        self, seed: int, n: int, chooses: Callable[[Sequence[str], str], str], *, facts: Sequence[str] = FACTS
    ) -> None:
        draw = random.Random(seed)
        self.columns: dict[str, list[Any]] = {"predictions": [], "sources": [], "values": []}
        for _ in range(n):
            speakers = draw.sample(NAMES, draw.randint(3, 5))
            stated = draw.sample(facts, 2 * len(speakers))
            turns = [(speaker, fact) for speaker, fact in zip([*speakers, *speakers], stated, strict=True)]
            minutes = [draw.choice(FORMS).format(name=chooses(speakers, speaker), fact=fact) for speaker, fact in turns]
            self.columns["predictions"].append(" ".join(minutes))
            self.columns["sources"].append([f"I tell you that the {fact}, dear colleagues." for _, fact in turns])
            self.columns["values"].append([speaker for speaker, _ in turns])


def shuffled(speakers: Sequence[str], speaker: str) -> str:
    """Give everything to the next speaker."""
    return speakers[(speakers.index(speaker) + 1) % len(speakers)]


def correct(speakers: Sequence[str], speaker: str) -> str:
    return speaker


def test_null_correct_minutes_and_shuffled_speakers() -> None:
    right = compute("misattribution", **Meetings(0, 40, correct).columns)
    assert (right["misattribution"], right["n_unsupported"]) == (0.0, 0)
    wrong = compute("misattribution", **Meetings(0, 40, shuffled).columns)
    assert wrong["n_claims"] == right["n_claims"] > 250
    assert wrong["misattribution"] == 1.0


def test_the_null_where_speakers_share_words() -> None:
    """Of five content words, two turns share three to four: most wrong speakers seem to be right."""
    right, wrong = (
        compute("misattribution", **Meetings(1, 40, chooses, facts=ALIKE).columns) for chooses in (correct, shuffled)
    )
    assert right["misattribution"] == 0.0
    assert wrong["misattribution"] < 0.05
    assert wrong["n_unsupported"] == 0
    strict = compute("misattribution", **Meetings(1, 40, shuffled, facts=ALIKE).columns, threshold=1.0)
    assert strict["misattribution"] > 0.9


def test_what_shared_words_can_see() -> None:
    turns = {"sources": [["Costs did not rise.", "Rents fell sharply."]], "values": [["Mr Park", "Ms Lee"]]}
    negated = compute("misattribution", predictions=["Park said that costs rose."], **turns)
    assert (negated["n_unsupported"], negated["misattribution"]) == (1, 0.0)  # denied by Park
    paraphrased = compute("misattribution", predictions=["Park said that housing got cheaper."], **turns)
    assert (paraphrased["n_unsupported"], paraphrased["misattribution"]) == (1, 0.0)  # Lee's, and unseen


def figures(columns: dict[str, list[Any]]) -> Any:
    result = score(**columns, metrics=["misattribution"], confidence_level=0.95)["misattribution"]
    return bits({key: entry for key, entry in result.items() if key != "warnings"})


@settings(max_examples=8)
@given(st.integers(0, 99), st.randoms(use_true_random=False))
def test_order_of_turns_of_different_speakers(seed: int, draw: random.Random) -> None:
    columns = Meetings(seed, 6, lambda speakers, speaker: random.Random(speaker).choice(speakers)).columns
    expected = figures(columns)
    turns = [list(zip(*pair, strict=True)) for pair in zip(columns["sources"], columns["values"], strict=True)]
    for of_meeting in turns:
        draw.shuffle(of_meeting)
    moved = {**columns, "sources": [[text for text, _ in each] for each in turns]}
    found = figures({**moved, "values": [[speaker for _, speaker in each] for each in turns]})
    by_third = ("inclusion_by_third", "inclusion_by_third_ci")  # which is about the order
    assert {**found, **{key: expected[key] for key in by_third}} == expected


def test_renaming_speakers_duplicates_and_another_script() -> None:
    columns = Meetings(5, 8, shuffled).columns
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


def test_comparison_of_systems() -> None:
    right, wrong = (Meetings(3, 30, chooses).columns for chooses in (correct, shuffled))
    shared = {name: right[name] for name in ("sources", "values")}
    call = partial(compare, metrics=["misattribution"], n_resamples=200)
    found = call(right["predictions"], wrong["predictions"], **shared)["misattribution"]
    assert [system["score"] for system in found["systems"].values()] == [0.0, 1.0]
    assert found["difference_ci"][0] > 0.5
    assert found["p_value"] < 0.05
    silent = call(right["predictions"], ["Nothing was said."] * 30, **shared)["misattribution"]
    assert silent["undefined"] == "no summary attributes a claim to a speaker"
    with pytest.raises(InputError):
        call(right["predictions"], wrong["predictions"][:-1], **shared)


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


def test_parts_of_a_data_set_add_up() -> None:
    rows = [
        MisattributionRow(0, n_claims=3, n_misattributed=1, n_speakers=2, n_named=1, third_speakers=(1, 1, 2)),
        MisattributionRow(1, skipped="empty_prediction"),
        MisattributionRow(2, n_claims=5, n_unsupported=2, n_speakers=3, n_named=3, third_named=(1, 0, 0)),
    ]
    one, other = MisattributionTable(rows[:1]), MisattributionTable(rows[1:])
    one.merge(other)
    assert list(one.items("third_speakers")) == [row.third_speakers for row in rows]
    sums = sums_of(one, ["misattribution"], Misattribution())
    assert [sums.total(name) for name in ("n", "misattribution", "reached", "people", "named")] == [8, 1, 6, 5, 4]
    assert sums.total("third_people", "last") == 2


def test_records_and_marks_of_the_example() -> None:
    result = compute("misattribution", **MEETINGS, return_samples=True)
    first, second = result["samples"]
    assert [claim["outcome"] for claim in first["claims"]] == ["misattributed", "supported", "unsupported"]
    assert (first["misattributed_share"], second["misattributed_share"]) == (1 / 3, 0.0)
    assert result["misattribution"] == 1 / 5
    assert result["misattribution_by_group"] == {"party: A": 0.0, "party: B": 1 / 3}
