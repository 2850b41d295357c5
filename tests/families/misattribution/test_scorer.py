"""Scorer: outcomes of claims, speakers counted by third and group, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.errors import InputError
from tests._steps import growth

TURNS = ["Costs rose by ten percent.", "Rents fell.", "Costs rose.", "We plant trees."]
SPEAKERS = ["Mr Park", "Mr Park", "Ms Lee", "Ms Diaz"]


def scored(summary: str, **changes: Any) -> dict[str, Any]:
    columns = {"predictions": summary, "sources": TURNS, "values": SPEAKERS}
    given = {name: [changes.pop(name, entry)] for name, entry in columns.items()}
    for name in ("aliases", "speaker_groups"):
        if name in changes:
            given[name] = [changes.pop(name)]
    with pytest.warns(UserWarning, match="misattribution: "):
        return compute("misattribution", **given, return_samples=True, **changes)


def outcomes(result: dict[str, Any]) -> list[tuple[str, str, float, str | None, float | None]]:
    return [
        (claim["statement"], claim["outcome"], claim["probability"], claim["other"], claim["other_probability"])
        for claim in result["samples"][0]["claims"]
    ]


def test_outcomes_by_hand() -> None:
    result = scored(
        "Park said rents fell. Lee said rents fell. Diaz said taxes doubled. Lee said that costs rose by ten percent."
    )
    # Content words: rent, fall; tax, double; cost, rise, ten, percent: Lee's turn has 2 of these 4, Park's all.
    assert outcomes(result) == [
        ("rents fell", "supported", 1.0, None, None),
        ("rents fell", "misattributed", 0.0, "Mr Park", 1.0),
        ("taxes doubled", "unsupported", 0.0, None, None),
        ("costs rose by ten percent", "misattributed", 0.5, "Mr Park", 1.0),
    ]
    assert (result["misattribution"], result["misattribution_of_supported"]) == (2 / 4, 2 / 3)
    assert (result["n_claims"], result["n_misattributed"], result["n_unsupported"]) == (4, 2, 1)


def test_margin_and_threshold() -> None:
    summary = "Lee said that costs rose by ten percent."
    assert scored(summary, margin=0.6)["n_unsupported"] == 1  # 1.0 - 0.5 < 0.6
    assert scored(summary, threshold=0.5)["n_misattributed"] == 0  # Lee's own turn has half of the words


@pytest.mark.parametrize(
    ("turns", "summary", "outcome"),
    [
        # Lee agrees with Park's turn, or answers it; then it counts as hers.
        (["Costs rose.", "Yes, I think so."], "Lee said costs rose.", "supported"),
        (["Did costs rise?", "They did."], "Lee said costs rose.", "supported"),
        (["Costs rose.", "Rents fell."], "Lee said costs rose.", "misattributed"),
        (["Costs rose.", "I was away."], "Lee said costs rose.", "misattributed"),
        # A question states nothing, nor does what one says about the other.
        (["Did costs rise?", "Rents fell."], "Lee said costs rose.", "unsupported"),
        (["As Lee said, costs rose.", "Rents fell."], "Lee said costs rose.", "unsupported"),
        # Who agrees or asks may repeat the other's words.
        (["Costs rose.", "Rents fell."], "Lee agreed that costs rose.", "unsupported"),
        (["Costs rose.", "Rents fell."], "Lee asked whether costs rose.", "unsupported"),
        # A denial supports nothing, and a speaker who denies the claim is not accused.
        (["Rents are not too high.", "Costs rose."], "Park said rents are too high.", "unsupported"),
        (["Rents are not too high.", "Costs rose."], "Lee said rents are too high.", "unsupported"),
        (["Rents are not too high.", "Costs rose."], "Lee said rents are not too high.", "misattributed"),
        (["Rents are not too high.", "Rents are too high."], "Park said rents are too high.", "unsupported"),
        (["Rents are not too high. Wages fell.", "Costs rose."], "Park said wages fell.", "supported"),
        (["Costs rose.", "Rents fell."], "Lee said costs did not rise.", "unsupported"),
        # A line of a speaker may begin with a verb: then it says what the speaker did.
        (["Costs rose.", "Rents fell."], "Lee:\n- said that costs rose", "misattributed"),
        (["Costs rose.", "Rents fell."], "Lee:\n- agreed that costs rose", "unsupported"),
        (["Costs rose.", "Rents fell."], "Lee: asked whether costs rose.", "unsupported"),
        (["Costs rose.", "Rents fell."], "Lee: doubts that costs rose.", "unsupported"),
    ],
)
def test_what_a_turn_supports(turns: list[str], summary: str, outcome: str) -> None:
    result = scored(summary, sources=turns, values=["Mr Park", "Ms Lee"])
    assert [claim["outcome"] for claim in result["samples"][0]["claims"]] == [outcome]


def test_time_is_linear_in_turns_that_agree() -> None:
    def score(n: int) -> None:
        scored("Lee said costs rose.", sources=["Yes, I think so."] * 2 * n, values=["Mr Park", "Ms Lee"] * n)

    assert growth(score, 50) < 6


def test_a_function_as_entailer_is_asked_about_others_only_if_needed() -> None:
    asked: list[tuple[str, str]] = []

    def entailer(premises: list[str], hypotheses: list[str]) -> list[float]:
        asked.extend(zip(premises, hypotheses, strict=True))
        return [
            float(hypothesis.lower() in premise.lower())
            for premise, hypothesis in zip(premises, hypotheses, strict=True)
        ]

    result = scored("Lee said costs rose. Diaz said rents fell.", entailer=entailer)
    assert asked == [
        ("Costs rose.", "costs rose"),
        ("We plant trees.", "rents fell"),
        *[(turn, "rents fell") for turn in TURNS[:3]],
    ]
    assert (result["n_misattributed"], result["n_pairs"]) == (1, 5)


def test_inclusion_by_hand() -> None:
    groups = {"party": {"Mr Park": "A", "Ms Lee": "A", "Ms Diaz": "B"}}
    result = scored("Lee left. Park said rents fell.", speaker_groups=groups)
    # 12 words; middles of the turns at 2.5, 6, 8 and 10.5: thirds 1, 2, 3 (8 / 12 = 2/3) and 3.
    assert result["inclusion_by_third"] == {"first": 1.0, "second": 1.0, "last": 0.5}
    assert result["inclusion"] == 2 / 3
    assert result["inclusion_by_group"] == {"party: A": 1.0, "party: B": 0.0}
    assert result["n_speakers_by_group"] == {"party: A": 2, "party: B": 1}
    assert result["n_claims_by_group"] == {"party: A": 1, "party: B": 0}
    assert result["samples"][0]["named"] == ["Mr Park", "Ms Lee"]


def test_what_is_left_out() -> None:
    result = scored("She said costs rose. Lee and Park said costs rose. Lee said it was so. Lee left.")
    counts = [result[f"n_{name}"] for name in ("pronoun", "several", "wordless", "claimless", "claims")]
    assert counts == [1, 1, 1, 1, 0]
    assert result["undefined"] == "no summary attributes a claim to a speaker"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"values": SPEAKERS[:2]}, "sources has 4 texts but values has 2 labels"),
        ({"aliases": ["the chair"]}, "aliases must be a mapping such as"),
        ({"aliases": {"Mr Park": "the chair"}}, "must be a list of names, as in"),
        ({"speaker_groups": {"party": "A"}}, "must map speakers to groups"),
        ({"speaker_groups": {"party": {"Mr Park": 1.5}}}, "must be a group name, found float 1.5"),
        ({"language": "de"}, "language must be english"),
        ({"revision": "main"}, "revision .* an entailer that is a model"),
    ],
)
def test_refusals(changes: dict[str, Any], message: str) -> None:
    columns: dict[str, Any] = {"predictions": "Lee left.", "sources": TURNS, "values": SPEAKERS}
    settings = {name: changes[name] for name in ("language", "revision") if name in changes}
    given = {name: [entry] for name, entry in {**columns, **changes}.items() if name not in settings}
    with pytest.raises(InputError, match="misattribution: .*" + message.replace("(", r"\(")):
        compute("misattribution", **given, **settings)
