"""What several people say of a summary, and which summaries can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_reproductions.coverage._people import judged_samples, leaning_of

LABELS = st.lists(st.sampled_from(["neg", "pos", "fair", "", None]), max_size=7)


@pytest.mark.parametrize(
    ("labels", "most", "leaning"),
    [
        (["neg", "neg", "pos"], "neg", "neg"),
        (["neg", "neg", "fair"], "neg", "neg"),
        (["neg", "fair", "fair"], None, "neg"),
        (["neg", "pos", "fair"], None, None),
        (["neg", "pos", "pos", "fair", None], None, "pos"),
        (["", "fair", None], None, None),
        ([], None, None),
    ],
)
def test_by_hand(labels: list[str | None], most: str | None, leaning: str | None) -> None:
    assert leaning_of(labels) == most
    assert leaning_of(labels, raters="leaning") == leaning


@given(labels=LABELS)
def test_by_definition(labels: list[str | None]) -> None:
    counts = Counter("fair" if label in ("", None) else label for label in labels)
    for raters, rivals in (("most", ("neg", "pos", "fair")), ("leaning", ("neg", "pos"))):
        winners = [name for name in ("neg", "pos") if all(counts[name] > counts[o] for o in rivals if o != name)]
        assert leaning_of(labels, raters) == (winners[0] if winners else None)


def test_who_can_be_compared(refusal: Callable[..., str]) -> None:
    scored = {"index": 0, "difference_by_value": {"neg": 0.25, "pos": -0.25}}
    shares = {"index": 0, "values": ["neg", "pos"], "summary_share": [0.4, 0.6], "desired_share": [0.75, 0.25]}
    unscored, unmatched = scored | {"difference_by_value": None}, shares | {"summary_share": [], "desired_share": []}
    judged, n_skipped = judged_samples(
        "study", [unscored, scored, scored], [shares, shares, unmatched], [None, "pos", "x"]
    )
    # Of the third nobody asks which values it has: it has no score.
    assert n_skipped == 2
    [one] = judged
    assert (one.place, one.leaning, one.summary, one.desired) == (
        *(1, "pos", {"neg": 0.4, "pos": 0.6}),
        {"neg": 0.75, "pos": 0.25},
    )
    assert refusal(judged_samples, "study", [scored], [shares], ["neu"]) == (
        "study: judgements[0] leans towards 'neu', but the values of the sample are neg, pos; give one of them, or "
        "'fair' for a fair summary"
    )
    assert refusal(judged_samples, "study", [scored], [shares | {"index": 4}], ["neg"]).startswith(
        "study: samples[0] is of sample 0 but baseline_samples[0] of sample 4"
    )
