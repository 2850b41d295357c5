"""States: parts add up to the whole in any order and give the results of the rows; bytes and back; what is refused."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from fairsum_utils.session.state import ScoredSamples, State
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import BUR, UER, EqualCoverage
from fairsum_utils.errors import InputError
from fairsum_utils.families import families, family_of
from fairsum_utils.families.representation.rows import DistributionRow
from fairsum_utils.measures import get_measure
from fairsum_utils.session import Request, Session
from fairsum_utils.session import state as module
from fairsum_utils.stats.bootstrap import expanded_p_value
from fairsum_utils.stats.intervals import Moments, mean_interval
from fairsum_utils.stats.sums import digest_of

DRAWN = ("ci", "ci_within", "_lost", "p_value", "p_value_by_value", "p_values", "settings", "signature", "warnings")
"""Ends of the keys of what is drawn, or tells of it."""


def agree(found: Any, expected: Any, where: str = "") -> None:
    """The same whole numbers, names and reasons, and floats to 1e-12; what is drawn aside."""
    if isinstance(expected, dict):
        assert list(found) == list(expected), where
        for key in expected:
            if not key.endswith(DRAWN):
                agree(found[key], expected[key], f"{where}/{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for one, other in zip(found, expected, strict=True):
            agree(one, other, where)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=1e-12, rel=0, nan_ok=True), where
    else:
        assert (type(found), found) == (type(expected), expected), where


# What follows takes texts, as people have them.

WORDS = {"pos": ["tasty", "great", "friendly", "fresh", "brother"], "neg": ["awful", "slow", "cold", "rude", "sister"]}
PERSONS = [("Ann", "Lee", "female"), ("Eve", "Ray", "female"), ("Bob", "Cox", "male")]
REQUESTS = [
    *(Request(get_measure(name)()) for name in ("bur", "uer", "auc", "sof", "gender_polarity")),
    *(Request(get_measure(name)(entailer="lexical")) for name in ("equal_coverage", "coverage_parity")),
    *(Request(get_measure(name)()) for name in families()["entities"].measures),
]
COMPARED = [request for request in REQUESTS if request.measure != "gender_polarity"]


def columns_of(n: int, seed: int = 0) -> dict[str, list[Any]]:
    """Some summaries are empty; four samples are of one original. The sources are the same whatever the seed."""
    sources, summaries = random.Random(0), random.Random(seed)
    names = ("predictions", "sources", "values", "groups", "entities", "mentions", "article_ids", "pair_ids")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    known = [f"{first} {last}" for first, last, _ in PERSONS]
    for index in range(n):
        values = ["pos", "neg", *sources.choices(["pos", "neg"], k=2)]
        texts = [" ".join(sources.choices(WORDS[value], k=4)) for value in values]
        words = [word for text in texts for word in text.split()]
        columns["predictions"].append("" if index % 13 == 7 else " ".join(summaries.choices(words, k=3)) + ".")
        columns["sources"].append([f"{text}." for text in texts])
        columns["values"].append(values)
        columns["groups"].append("ab"[index % 2])
        columns["entities"].append(
            [dict(zip(("first_name", "last_name", "group"), person, strict=True)) for person in PERSONS]
        )
        columns["mentions"].append(summaries.sample([*known, "Max Fox", "Mary Fox"], k=2))
        columns["article_ids"].append(f"article {index // 4}")
        columns["pair_ids"].append(str(index % 4 // 2))
    return columns


def session_of(requests: Sequence[Request] = REQUESTS, **settings: Any) -> Session:
    return Session([Request(each.chosen.replace(**settings), each.label) for each in requests])


def state_of(session: Session, columns: dict[str, list[Any]], start: int = 0) -> State:
    session.reset()
    session.add(columns, start=start)
    return session.state()


def parts_of(columns: dict[str, list[Any]], n_parts: int) -> list[tuple[int, dict[str, list[Any]]]]:
    ends = np.linspace(0, len(columns["predictions"]), n_parts + 1).astype(int).tolist()
    return [(start, {name: column[start:stop] for name, column in columns.items()}) for start, stop in pairwise(ends)]


@pytest.mark.parametrize("n_parts", [1, 5])
def test_results_of_merged_states_are_those_of_one_process_to_the_bit(n_parts: int) -> None:
    columns, session = columns_of(40), session_of(confidence_level=0.9, n_resamples=50)
    states = [state_of(session, part, start) for start, part in reversed(parts_of(columns, n_parts))]
    merged = State.from_bytes(states[0].to_bytes())
    for state in states[1:]:
        merged.merge(State.from_bytes(state.to_bytes()))
    assert merged.n_samples == 40
    assert merged.to_bytes() == state_of(session, columns).to_bytes()
    drawing = Session(
        [
            Request(each.chosen.replace(bootstrap="buckets"), each.label)
            if family_of(each.measure).comparable
            else each
            for each in session.requests
        ]
    )
    drawing.add(columns)
    expected = drawing.results()
    assert "boot:" not in expected["bur"]["signature"]  # a share is counted
    assert "|boot:buckets|" in expected["equal_coverage"]["signature"]
    assert repr(session.results(merged)) == repr(expected)
    session.reset()
    session.add(columns)
    for label, result in session.results().items():
        agree(expected[label], result)


def test_states_of_nothing_add_nothing() -> None:
    session = session_of()
    state = state_of(session, columns_of(9))
    expected = repr(session.results(state))
    session.reset()
    empty = session.state()
    empty.merge(state)
    assert repr(session.results(empty)) == expected


WHOLE = state_of(session_of([Request(BUR())]), columns_of(2)).to_bytes()


@given(place=st.integers(0, len(WHOLE) - 1), flip=st.integers(1, 255), cut=st.booleans())
def test_damaged_bytes(place: int, flip: int, cut: bool) -> None:
    damaged = WHOLE[:place] if cut else WHOLE[:place] + bytes([WHOLE[place] ^ flip]) + WHOLE[place + 1 :]
    with pytest.raises(InputError, match=r"^not a whole state: the file is damaged, or something else; make it again$"):
        State.from_bytes(damaged)


def test_bytes_of_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(module, "__version__", "0.0.1")
        older = state_of(session_of(), columns_of(2)).to_bytes()
    with pytest.raises(InputError, match=r"^a state of version 0\.0\.1 \(layout 2\) of the package, and this is "):
        State.from_bytes(older)
    monkeypatch.setattr(module, "_LAYOUT", 3)
    with pytest.raises(InputError, match=r"\(layout 3\); make it again: fairsum score FILE --checkpoint DIR$"):
        State.from_bytes(WHOLE)


@pytest.mark.parametrize(
    ("requests", "names"),
    [
        ([Request(UER())], "measures"),
        ([Request(BUR()), Request(BUR(k=2), "again")], "measures"),
        ([Request(BUR(k=2, tau=0.5))], "k, tau"),
        ([Request(BUR(seed=None))], "seed"),
    ],
)
def test_states_of_other_requests(requests: list[Request], names: str) -> None:
    session = session_of([Request(BUR())])
    state, other = state_of(session, columns_of(3)), state_of(Session(requests), columns_of(3))
    refused = f"a state of other {names} than the rest; score all parts with the same measures and settings"
    with pytest.raises(InputError, match=f"^merge: {refused}$"):
        state.merge(other)
    with pytest.raises(InputError, match=f"^bur: {refused}$"):
        session.results(other)
    with pytest.raises(InputError, match=f"^bur: {refused}$"):
        session.compare_states(state, other)
    assert state.n_samples == 3


# Two systems.


@pytest.mark.parametrize("n", [36, 300])
def test_states_compare_as_one_process_does_in_buckets(n: int) -> None:
    a, b = columns_of(n, seed=1), columns_of(n, seed=2)
    session = session_of(COMPARED, n_resamples=60)
    states = [[state_of(session, part, start) for start, part in parts_of(columns, 3)] for columns in (a, b)]
    for first, *others in states:
        for other in others:
            first.merge(other)
    found = session.compare_states(states[0][0], states[1][0])
    drawing = session_of(COMPARED, n_resamples=60, bootstrap="buckets")
    expected = drawing.compare(a, b)
    assert repr(found) == repr(expected)
    assert "|boot:buckets|" in found["bur"]["signature"]
    assert found["bur"]["n_skipped"] == sum(not text for text in a["predictions"])
    for label, result in session.compare(a, b).items():
        agree(
            {key: x for key, x in found[label].items() if key in ("a", "b", "difference", "n_samples", "n_skipped")},
            {key: x for key, x in result.items() if key in ("a", "b", "difference", "n_samples", "n_skipped")},
        )
    assert all(math.isnan(result["p_value"]) == ("undefined" in result) for result in found.values())
    assert not any(result["p_value"] >= 1 for result in found.values())


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
    session = session_of(COMPARED, n_resamples=20, seed=None)
    state = state_of(session, columns_of(20))
    for result in session.compare_states(state, state).values():
        assert result["difference"] == 0.0
        assert math.isnan(result["p_value"]) if "undefined" in result else result["p_value"] == 1.0


def test_states_of_other_samples() -> None:
    session = session_of(COMPARED[:1])
    state, skipped = state_of(session, columns_of(20)), columns_of(20)
    skipped["predictions"][3] = ""
    message = r"^bur: 19 and {} samples have a score in the states of A and B, and these are not the same; leave out"
    with pytest.raises(InputError, match=message.format(18)):
        session.compare_states(state, state_of(session, skipped))
    with pytest.raises(InputError, match=message.format(19)):
        session.compare_states(state, state_of(session, columns_of(20), start=1))
    other = columns_of(20)
    other["values"] = [values[::-1] for values in other["values"]]  # the same texts with other labels
    with pytest.raises(InputError, match=message.format(19)):
        session.compare_states(state, state_of(session, other))
    session.reset()
    with pytest.raises(InputError, match="needs the same samples from both systems, at least one; found 0 and 0"):
        session.compare_states(session.state(), session.state())


# Rows that are taken in, and what their ids hash to.


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
