"""The list and the traces on forty reviews and forty decoys, written before both were revised."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairsum_utils import compute
from fairsum_utils.text.serious import SERIOUS, mentions

HERE = Path(__file__).parent
KINDS_DRAWN = ("serious", "decoy")
KINDS = ("kept", "paraphrased", "softened", "denied", "dropped")


def units(name: str, half: str) -> list[list[str]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    rows = [[part.strip() for part in line.split("|")] for line in lines if not line.startswith("#")]
    return [row[1:] for row in rows if row[0] == half]


def is_serious(sentence: str) -> bool:
    return any(mention.use == SERIOUS for mention in mentions(sentence))


@pytest.mark.parametrize(("half", "found", "false"), [("develop", 20, 0), ("held out", 16, 1)])
def test_the_list(half: str, found: int, false: int) -> None:
    """Before the revision 6 and 12 of 20 were found, and 7 and 3 decoys."""
    matters, decoys = units("forty_reviews.txt", half), units("forty_decoys.txt", half)
    assert (len(matters), len(decoys)) == (20, 20)
    assert sum(is_serious(matter) for _, matter, *_ in matters) == found
    assert sum(is_serious(decoy) for [decoy] in decoys) == false
    assert not any(is_serious(ordinary) for ordinary, *_ in matters)


@pytest.mark.parametrize(("draw", "found", "false"), [("first", 39, 0), ("second", 6, 8)])
def test_the_list_on_fresh_draws(draw: str, found: int, false: int) -> None:
    """The list was revised on the first draw; before, 20 were found and 6 decoys, and 5 and 9 of the second."""
    of_kind = {kind: [text for other, text in units("fresh_draws.txt", draw) if other == kind] for kind in KINDS_DRAWN}
    assert [len(texts) for texts in of_kind.values()] == [40, 40]
    assert [sum(map(is_serious, texts)) for texts in of_kind.values()] == [found, false]


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
@pytest.mark.parametrize("half", ["develop", "held out"])
def test_denials_and_paraphrases_leave_no_near_literal_trace(half: str) -> None:
    """A denial is no trace, what is kept is one; paraphrases are why the share is no score."""
    rows, not_found = units("forty_reviews.txt", half), {}
    for kind, summaries in zip(KINDS, [*zip(*(row[2:] for row in rows), strict=True), [""] * len(rows)], strict=True):
        result = compute(
            "omission",
            predictions=[f"Families like it. {summary}" for summary in summaries],
            sources=[row[:2] for row in rows],
            serious=[[0, 1]] * len(rows),
        )
        not_found[kind] = result["n_not_found"]
    kept = 1 if half == "develop" else 0
    assert not_found == {"kept": kept, "paraphrased": 17, "softened": 20, "denied": 20, "dropped": 20}
