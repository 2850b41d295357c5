"""Texts that are about the same thing, by TF-IDF similarity.

Source: papers/coverage-fairness, appendix A.3. The paper names the similarity and not the method; both methods here are
scikit-learn's, run on one thread, because the sums of several come in any order and a last digit can move a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from fairsum_utils.errors import require
from fairsum_utils.stats.arrays import Integers

_SETS_PER_CLUSTER = 5
_MAX_TERMS = 10_000  # k-means holds clusters times terms numbers
_NEVER = 2.0  # above every cosine distance of TF-IDF vectors, which end at 1
_PURPOSE = "cluster texts into document sets"


def group_similar(texts: Sequence[str], *, set_size: int, seed: int) -> list[int]:
    """Cluster the texts of one topic into parts of, on average, five document sets.

    Mini-batch k-means on TF-IDF vectors of unit length, on which Euclidean distance orders as cosine does. With fewer
    than ten sets' worth of texts there is one cluster, and nothing is imported.

    Time grows with the square of the number of texts, since the number of clusters grows too: about 0.1 s for
    1,000 short texts, 3 s for 10,000 and 2 min 30 s for 100,000, in sets of 20 (one busy core).

    Args:
        texts: the texts.
        set_size: texts in a document set, at least 1.
        seed: seed of the starting points, from 0 to 2**32 - 1.

    Returns:
        The number of each text's cluster.

    Raises:
        MissingDependencyError: scikit-learn is not installed.

    Example:
        >>> group_similar(["one", "two", "three"], set_size=8, seed=0)
        [0, 0, 0]
    """
    clusters = len(texts) // (_SETS_PER_CLUSTER * set_size)
    vectors = _vectors(texts, _MAX_TERMS) if clusters > 1 else None
    if vectors is None:
        return [0] * len(texts)
    with _one_thread():
        labels = _scikit_learn("cluster").MiniBatchKMeans(clusters, random_state=seed, n_init=1).fit_predict(vectors)
    return [int(label) for label in labels]


def group_events(texts: Sequence[str], days: Sequence[int], *, window: int, similarity: float) -> list[int]:
    """Cluster articles into events: any two of one event are close in time and in words.

    Complete linkage on cosine similarity, so both limits hold for every pair of a cluster, and a story that goes on
    for weeks falls into several events. Stretches of time more than ``window`` apart are clustered by themselves;
    memory is about 26 bytes times the square of the number of articles in the longest stretch (0.4 GB for 4,000).

    Args:
        texts: the articles of one topic.
        days: the day of each, counted from any start.
        window: most days between two articles of an event, at least 0.
        similarity: two articles of an event are more similar than this, in [0, 1).

    Returns:
        The number of each article's event.

    Raises:
        MissingDependencyError: scikit-learn is not installed.
    """
    vectors = _vectors(texts)
    if vectors is None:
        return list(range(len(texts)))
    cluster = _scikit_learn("cluster").AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage="complete", distance_threshold=1 - similarity
    )
    labels = np.zeros(len(texts), dtype=np.int64)
    first = 0
    for part in _stretches(np.asarray(days), window):
        events = np.zeros(len(part), dtype=np.int64)
        if len(part) > 1:
            distances = 1 - (vectors[part] @ vectors[part].T).toarray()
            apart = np.abs(np.subtract.outer(np.asarray(days)[part], np.asarray(days)[part])) > window
            distances[apart] = _NEVER
            events = cluster.fit_predict(distances)
        labels[part] = first + events
        first += int(events.max()) + 1
    return [int(label) for label in labels]


def _stretches(days: Integers, window: int) -> list[Integers]:
    """Return the places of the days in order of time, cut where the next one is more than ``window`` later."""
    order = np.argsort(days, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(days[order]) > window) + 1)


def _vectors(texts: Sequence[str], max_terms: int | None = None) -> Any:
    """Return a sparse TF-IDF matrix with rows of unit length, or None if no text holds a word."""
    vectorizer = _scikit_learn("feature_extraction.text").TfidfVectorizer(sublinear_tf=True, max_features=max_terms)
    if not any(map(vectorizer.build_analyzer(), texts)):
        return None
    return vectorizer.fit_transform(texts)


def _one_thread() -> Any:
    return require("threadpoolctl", extra="sampling", purpose=_PURPOSE).threadpool_limits(limits=1)


def _scikit_learn(module: str) -> ModuleType:
    return require(f"sklearn.{module}", extra="sampling", purpose=_PURPOSE)
