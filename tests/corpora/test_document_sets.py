"""Document sets of one's own texts: by hand, and their properties."""

from __future__ import annotations

import json
import logging
import random
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from fairsum_utils.corpora import sample_document_sets
from fairsum_utils.corpora.corpus import COLUMNS, Row
from fairsum_utils.corpora.document_sets import group_events, group_similar, set_sizes
from fairsum_utils.errors import InputError, MissingDependencyError

WORDS = ["vote", "storm", "court", "strike", "match", "flood"]


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    for module in [name for name in sys.modules if name.startswith("sklearn.")]:
        monkeypatch.setitem(sys.modules, module, None)
    texts = [f"text {i}" for i in range(40)]
    with pytest.raises(MissingDependencyError, match=r"pip install .*\[sampling\]"):
        group_similar(texts, set_size=2, seed=0)
    assert group_similar(texts[:19], set_size=2, seed=0) == [0] * 19  # fewer than ten sets' worth


class TestEvents:
    @pytest.fixture(autouse=True)
    def needs_scikit_learn(self) -> None:
        pytest.importorskip("sklearn")

    def test_by_hand(self) -> None:
        texts = ["storm hits coast", "coast storm hits", "storm hits coast", "court rules today", "storm hits coast"]
        labels = group_events(texts, [10, 12, 15, 12, 13], window=3, similarity=0.5)
        # days 10, 12 and 13 are one event, or 12, 13 and 15: never 10 and 15; the court stands alone
        storm = [labels[i] for i in (0, 1, 2, 4)]
        assert labels[3] not in storm
        assert labels[0] != labels[2]
        assert sorted(Counter(storm).values()) in ([1, 3], [2, 2])

    @settings(max_examples=20)
    @given(
        articles=st.lists(
            st.tuples(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.integers(0, 30)),
            min_size=2,
            max_size=25,
        ),
        window=st.integers(0, 5),
        similarity=st.sampled_from([0.0, 0.2, 0.5, 0.9]),
    )
    def test_every_pair_of_an_event_is_close(
        self, articles: list[tuple[list[str], int]], window: int, similarity: float
    ) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer

        texts = [" ".join(words) for words, _ in articles]
        days = [day for _, day in articles]
        labels = np.array(group_events(texts, days, window=window, similarity=similarity))
        dense = TfidfVectorizer(sublinear_tf=True).fit_transform(texts).toarray()
        for i, j in zip(*np.triu_indices(len(texts), 1), strict=True):
            if labels[i] == labels[j]:
                assert abs(days[i] - days[j]) <= window
                assert dense[i] @ dense[j] > similarity - 1e-9
        # two events that could be one are not left apart
        for one in set(labels):
            for other in set(labels) - {one}:
                pairs = [(i, j) for i in np.flatnonzero(labels == one) for j in np.flatnonzero(labels == other)]
                assert any(
                    abs(days[i] - days[j]) > window or dense[i] @ dense[j] <= similarity + 1e-9 for i, j in pairs
                )


def table(counts: dict[str, int], topic: str = "tea") -> list[tuple[str, str, str, str]]:
    return [(f"{value} {i}", value, topic, f"{topic}-{value}-{i}") for value, n in counts.items() for i in range(n)]


def sample(rows: Any, **options: Any) -> list[Row]:
    return list(sample_document_sets(rows, **{"size": 3, "n_sets": 2, "cluster": False, **options}))


def about(row: Row) -> dict[str, Any]:
    found = json.loads(row["metadata"])
    assert isinstance(found, dict)
    return found


def test_a_set_by_hand() -> None:
    # three texts are one set, and with two against one only one value can dominate it; two topics, one for each value
    rows = [*table({"good": 2, "bad": 1}, "tea"), *table({"good": 1, "bad": 2}, "coffee")]
    sets = sample(rows, attribute="mood", name="drinks", template="On {TOPIC}: {SOURCES}")
    assert [row["id"] for row in sets] == ["drinks-0000", "drinks-0001"]
    assert all(list(row) == list(COLUMNS) for row in sets)
    tea = next(row for row in sets if about(row)["topic"] == "tea")
    assert (tea["attribute"], tea["references"]) == ("mood", [])
    assert sorted(zip(tea["sources"], tea["values"], strict=True)) == [
        ("bad 0", "bad"),
        ("good 0", "good"),
        ("good 1", "good"),
    ]
    assert tea["prompt"] == "On tea: " + "\n".join(f"{i}. {text}" for i, text in enumerate(tea["sources"], start=1))
    assert about(tea) == {
        "origin": "raw",
        "topic": "tea",
        "cluster": 0,
        "dominant": "good",
        "counts": {"bad": 1, "good": 2},
        "source_ids": [f"tea-{text.replace(' ', '-')}" for text in tea["sources"]],
        "seed": 42,
        "dropped": {"sets": {}, "texts": {}},
    }


def test_what_is_left_out_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    rows = [
        *table({"good": 2, "bad": 1}, "a"),
        *table({"good": 1, "bad": 2}, "b"),
        *table({"good": 3}, "c"),  # one value
        *table({"good": 1, "bad": 1, "odd": 1}, "d"),  # no group dominates
        *table({"odd": 2, "bad": 1}, "e"),
        *table({"bad": 2, "odd": 1}, "f"),  # a second set of bad, of which one is drawn
        *table({"bad": 2}, "g"),  # too few for a set
        ("good 0", "good", "a", "again"),
        (" good\n0 ", "good", "a", "again, but for white space"),
        ("unsure", "good", "a", ""),
        ("unsure", "bad", "a", ""),
    ]
    with caplog.at_level(logging.INFO, "fairsum_utils"):
        sets = sample(rows, n_sets=3)
    report = {
        "sets": {"no group dominates": 1, "not drawn": 1, "one value": 1},
        "texts": {
            "duplicate": 2,
            "same text in different groups": 2,
            "too few similar texts for another set": 2,
        },
    }
    assert all(about(row)["dropped"] == report for row in sets)
    assert f"3 document sets of {len(rows)} texts; left out: {report}" in caplog.text
    # each text is used or left out: 3 sets of 3, 3 sets of 3 left out, and the texts counted above
    assert len(rows) == 9 + 9 + 6


VALUES = st.sampled_from(["left", "right", "center"])


@settings(max_examples=25)
@given(
    values=st.lists(st.tuples(VALUES, st.sampled_from("xy")), min_size=60, max_size=150),
    bounds=st.sampled_from([(3, 3), (2, 5), (4, 8), (7, 8)]),
    seed=st.integers(0, 5),
)
def test_properties(values: list[tuple[str, str]], bounds: tuple[int, int], seed: int) -> None:
    rows = [
        {"text": f"text {i}", "value": value, "topic": topic, "id": str(i)} for i, (value, topic) in enumerate(values)
    ]
    present = sorted({value for value, _ in values})
    options = {"size": bounds, "n_sets": max(2, len(present)), "seed": seed}
    assume(len(present) > 1)
    try:
        sets = sample(rows, **options)
    except InputError as error:
        if "document sets dominated by each group, but found" not in str(error):
            raise
        reject()  # a draw of texts in which a value dominates no set
    used = [identity for row in sets for identity in about(row)["source_ids"]]
    assert len(used) == len(set(used))
    for row in sets:
        assert bounds[0] <= len(row["sources"]) <= bounds[1]
        counts = Counter(row["values"]).most_common()
        assert len(counts) > 1
        assert counts[0][1] > counts[1][1]
        assert about(row)["dominant"] == counts[0][0]
        for identity, text, value in zip(about(row)["source_ids"], row["sources"], row["values"], strict=True):
            assert rows[int(identity)] == {
                "text": text,
                "value": value,
                "topic": about(row)["topic"],
                "id": identity,
            }
    assert sorted(about(row)["dominant"] for row in sets) == present
    mixed = rows.copy()
    random.Random(0).shuffle(mixed)
    assert sample(mixed, **options) == sets


def test_the_seed() -> None:
    rows = table({"good": 60, "bad": 60})
    assert sample(rows, seed=0) == sample(rows, seed=0) != sample(rows, seed=1)
    assert sample(rows, seed=None) != sample(rows, seed=None)
    assert about(sample(rows, seed=None)[0])["seed"] is None


@given(total=st.integers(0, 300), low=st.integers(1, 20), more=st.integers(0, 20))
def test_set_sizes(total: int, low: int, more: int) -> None:
    sizes = set_sizes(total, low, low + more)
    assert all(low <= size <= low + more for size in sizes)
    assert max(sizes, default=0) - min(sizes, default=0) <= 1
    # what is left makes no further set, unless the others gave something up
    left = total - sum(sizes)
    assert left == 0 or left < low or set(sizes) == {low + more}
    assert (sizes == []) == (total < low)


def test_similar_texts_come_together() -> None:
    pytest.importorskip("sklearn")
    words = {"price": "cheap price money cost worth", "smell": "fresh smell scent mint lemon"}
    rows = [
        (f"{text} {theme}{i}", value, "soap", f"{theme}{i}")
        for theme, text in words.items()
        for i in range(40)
        for value in [("good", "bad", "good")[i % 3]]
    ]
    sets = sample(rows, size=4, n_sets=6, cluster=True)
    assert all(len({identity[:5] for identity in about(row)["source_ids"]}) == 1 for row in sets)
    assert len({about(row)["cluster"] for row in sets}) > 1
    random.Random(1).shuffle(rows)
    assert sample(rows, size=4, n_sets=6, cluster=True) == sets


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_sets": 3}, r"set: n_sets is 3, which does not divide equally among 2 groups \(bad, good\).* 2, such as 4"),
        ({"n_sets": 0}, "n_sets must be a whole number of at least 1, found int 0"),
        (
            {"n_sets": 40},
            r"asks for 20 document sets .* bad \d, good \d.*Ask for n_sets=\d+ or fewer, give more texts, or change",
        ),
        ({"size": 1}, "size must be a whole number of at least 2, found int 1"),
        ({"size": (4, 5, 6)}, r"size must be a number or a pair such as \(4, 8\), found tuple"),
        ({"size": [8, 4]}, "size must give the fewest texts first, found list"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"keep_single_value": "no"}, "keep_single_value must be true or false, found str 'no'"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        sample(table({"good": 12, "bad": 12}), **options)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("text", "good"), r"row 1: expected a mapping or \(text, value, topic\[, id\]\), found tuple"),
        ("text", "row 1: expected a mapping or"),
        ({"text": "a", "topic": "b"}, "row 1: lacks value; it has text, topic"),
        (("a", None, "b"), "row 1: value must be a non-empty string, found None; drop the row"),
        (("a", "good", " "), "row 1: topic must be a non-empty string, found str ' '"),
        (("", "good", "b"), "row 1: text must be a non-empty string"),
        (("a", "good", "b", 7), "row 1: id must be a non-empty string"),
    ],
)
def test_rows_that_cannot_be(row: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        sample([("a", "good", "b"), row])


def test_one_value_compares_nothing() -> None:
    with pytest.raises(InputError, match=r"the texts have 1 group\(s\) \(good\), but document sets need at least two"):
        sample(table({"good": 12}))
    with pytest.raises(InputError, match=r"the texts have 0 group\(s\) \(none\)"):
        sample([])
