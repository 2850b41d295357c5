import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils.corpora.clustering import group_events, group_similar
from fairsum_utils.errors import MissingDependencyError

WORDS = ["vote", "storm", "court", "strike", "match", "flood"]


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    for module in [name for name in sys.modules if name.startswith("sklearn.")]:
        monkeypatch.setitem(sys.modules, module, None)
    texts = [f"text {i}" for i in range(40)]
    with pytest.raises(MissingDependencyError, match=r"pip install .*\[sampling\]"):
        group_similar(texts, set_size=2, seed=0)
    assert group_similar(texts[:19], set_size=2, seed=0) == [0] * 19  # fewer than ten sets' worth


class TestSimilar:
    @pytest.fixture(autouse=True)
    def needs_scikit_learn(self) -> None:
        pytest.importorskip("sklearn")

    def test_themes_are_found(self) -> None:
        themes = [theme for theme in WORDS for _ in range(20)]
        texts = [f"{theme} {theme}news {theme}today number{i}" for i, theme in enumerate(themes)]
        labels = group_similar(texts, set_size=4, seed=3)  # 120 / (5 * 4) = 6 clusters
        assert len(set(labels)) > 3
        assert labels == group_similar(texts, set_size=4, seed=3)
        # no cluster takes a part of a theme only
        assert all(
            len({label for label, of in zip(labels, themes, strict=True) if of == theme}) == 1 for theme in WORDS
        )

    @pytest.mark.parametrize("texts", [["same words"] * 60, ["?"] * 60, [*["a b"] * 59, "word"]])
    def test_texts_that_cannot_be_told_apart(self, texts: list[str]) -> None:
        labels = group_similar(texts, set_size=2, seed=0)
        assert len(labels) == 60
        assert Counter(labels).most_common(1)[0][1] >= 59


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

    def test_no_similarity_no_event(self) -> None:
        assert len(set(group_events(["one two", "three four", "five six"], [1, 1, 1], window=1, similarity=0))) == 3
        assert len(set(group_events(["?", "!"], [1, 1], window=1, similarity=0))) == 2

    @settings(max_examples=40)
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
