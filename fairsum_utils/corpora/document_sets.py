"""Document sets: texts of one topic, with equally many sets dominated by each group.

Source: Li et al. 2025, section 5.1 and appendix A.3.

Texts that are about the same thing, by TF-IDF similarity.

Source: Li et al. 2025, appendix A.3. The paper names the similarity and not the method; both methods here are
scikit-learn's, run on one thread, because the sums of several come in any order and a last digit can move a text.
"""

from __future__ import annotations

import logging
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from fairsum_utils.corpora.corpus import Row, Sample, make_row
from fairsum_utils.corpora.prompts import COVERAGE, fill_numbered
from fairsum_utils.errors import DataSourceError, InputError, require
from fairsum_utils.stats.arrays import Integers, shuffled
from fairsum_utils.validation import check_count, check_seed, describe

_SETS_PER_CLUSTER = 5
_MAX_TERMS = 10_000  # k-means stores clusters x terms numbers
_NEVER = 2.0  # above every cosine distance of TF-IDF vectors, which end at 1
_PURPOSE = "cluster texts into document sets"


def group_similar(texts: Sequence[str], *, set_size: int, seed: int) -> list[int]:
    """Cluster the texts of one topic into parts of about five document sets.

    Mini-batch k-means on TF-IDF vectors of unit length, on which Euclidean distance orders as cosine does. With fewer
    than ten sets' worth of texts there is one cluster, and nothing is imported.

    Time grows with the square of the number of texts, since the number of clusters grows too: about 0.1 s for
    1,000 short texts, 3 s for 10,000 and 2 min 30 s for 100,000, in sets of 20 (one busy core).

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
    """Cluster articles into events whose members are close in time and words.

    Complete linkage on cosine similarity, so both limits hold for every pair of a cluster, and a story that goes on
    for weeks falls into several events. Stretches of time more than ``window`` apart are clustered by themselves;
    memory is about 26 bytes times the square of the number of articles in the longest stretch (0.4 GB for 4,000).
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
    """Sort positions by day and split at gaps above ``window``."""
    order = np.argsort(days, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(days[order]) > window) + 1)


def _vectors(texts: Sequence[str], max_terms: int | None = None) -> Any:
    """Return a sparse TF-IDF matrix with unit rows, or None without words."""
    vectorizer = _scikit_learn("feature_extraction.text").TfidfVectorizer(sublinear_tf=True, max_features=max_terms)
    if not any(map(vectorizer.build_analyzer(), texts)):
        return None
    return vectorizer.fit_transform(texts)


def _one_thread() -> Any:
    return require("threadpoolctl", extra="sampling", purpose=_PURPOSE).threadpool_limits(limits=1)


def _scikit_learn(module: str) -> ModuleType:
    return require(f"sklearn.{module}", extra="sampling", purpose=_PURPOSE)


logger = logging.getLogger(__name__)

_MODULE = "sample_document_sets"


class LabelledText(NamedTuple):
    """A text with its group and topic."""

    text: str
    value: str
    topic: str
    id: str = ""
    day: date | None = None


#: (texts of one topic, texts in a set, seed) -> the number of each text's cluster.
Grouping: TypeAlias = Callable[[Sequence[LabelledText], int, int], Sequence[int]]


@dataclass
class Table:
    """Labelled texts of a source, as its reader gives them."""

    texts: list[LabelledText] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    group: Grouping | None = None
    cut: Callable[[str], str] | None = None

    def add(self, item: LabelledText, where: object, *, what: str = "topic") -> None:
        """Add a stripped text and topic, or count an empty text as left out."""
        if not item.topic.strip():
            raise DataSourceError(f"{where}: the {what} is empty.")
        if item.text.strip():
            self.texts.append(item._replace(text=item.text.strip(), topic=item.topic.strip()))
        else:
            self.dropped["without text"] += 1


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """Settings of cutting and drawing document sets."""

    size: int | Sequence[int]
    n_sets: int
    seed: int | None
    keep_single_value: bool

    def __post_init__(self) -> None:
        _bounds(self.size)
        check_seed(_MODULE, self.seed)
        check_count(_MODULE, "n_sets", self.n_sets)
        keep: object = self.keep_single_value
        if not isinstance(keep, bool):
            raise InputError(f"{_MODULE}: keep_single_value must be true or false, found {describe(keep)}")


def by_similarity(texts: Sequence[LabelledText], set_size: int, seed: int) -> list[int]:
    """Cluster texts by TF-IDF similarity; a `Grouping`."""
    return group_similar([item.text for item in texts], set_size=set_size, seed=seed)


def sample_document_sets(
    rows: Iterable[Mapping[str, Any] | Sequence[Any]],
    *,
    size: int | Sequence[int] = 8,
    n_sets: int = 300,
    seed: int | None = 42,
    cluster: bool = True,
    keep_single_value: bool = False,
    attribute: str = "value",
    template: str = COVERAGE["plain"]["texts"],
    name: str = "set",
) -> Iterator[Row]:
    """Make document sets from any table of texts.

    Texts of one topic are clustered by similarity and clusters are cut into sets. A group dominates a set if it has
    more texts in it than any other group. The same number of sets is drawn for each dominating group, and no text is
    used twice. Sets without a dominating group and sets of a single group are left out. The order of rows does not
    matter.

    The log and ``dropped`` in each row's metadata count left-out texts and sets by reason.

    Args:
        rows: mappings with ``text``, ``value``, ``topic`` and perhaps ``id`` (other keys are ignored), or tuples of
            these. All are strings; only the id may be empty.
        size: texts in a set, at least 2, or a pair such as ``(4, 8)`` for the fewest and the most.
        n_sets: sets in all, a multiple of the number of values.
        seed: seed of the draws; None draws new sets at each call.
        cluster: True clusters texts within their topic; False takes a topic as one cluster.
        keep_single_value: True keeps sets of a single group.
        attribute: name of the attribute.
        template: prompt; see `prompts.fill_numbered`.
        name: prefix of the ids of the sets.

    Returns:
        An iterator over the sets, in random order.

    Raises:
        InputError: a row or option is invalid, or a group dominates too few sets; the message gives their number.
        MissingDependencyError: clustering needs scikit-learn, which is not installed.

    Source: Li et al. 2025, section 5.1 and appendix A.3.

    Example:
        >>> import json
        >>> rows = [(f"{value} text {i}", value, "tea") for i in range(8) for value in ("good", "bad")]
        >>> sets = list(sample_document_sets(rows, size=3, n_sets=2, cluster=False))
        >>> sorted(json.loads(row["metadata"])["dominant"] for row in sets), [len(row["sources"]) for row in sets]
        (['bad', 'good'], [3, 3])
    """
    sampling = Sampling(size=size, n_sets=n_sets, seed=seed, keep_single_value=keep_single_value)
    table = Table([_checked(row, index) for index, row in enumerate(rows)], group=by_similarity if cluster else None)
    values = sorted({item.value for item in table.texts})
    return document_set_rows(table, sampling, values=values, attribute=attribute, template=template, name=name)


def document_set_rows(
    table: Table, sampling: Sampling, *, values: Sequence[str], attribute: str, template: str, name: str
) -> Iterator[Row]:
    """Make document sets from a table of texts, as `sample_document_sets` describes."""
    if len(values) < 2:
        raise InputError(
            f"{name}: the texts have {len(values)} group(s) ({', '.join(values) or 'none'}), but document sets need "
            "at least two. Check the values column."
        )
    each, rest = divmod(sampling.n_sets, len(values))
    if rest:
        raise InputError(
            f"{name}: n_sets is {sampling.n_sets}, which does not divide equally among {len(values)} "
            f"groups ({', '.join(values)}). Use a multiple of {len(values)}, such as {(each + 1) * len(values)}."
        )
    generator = random.Random(sampling.seed)
    dropped, tally = Counter(table.dropped), Counter[str]()
    strata = _stratified(table, sampling, values, generator, dropped, tally)
    fewest = min(map(len, strata.values()))
    if fewest < each:
        there = ", ".join(f"{value} {len(sets)}" for value, sets in strata.items())
        less = f"Ask for n_sets={fewest * len(strata)} or fewer, g" if fewest else "G"
        raise InputError(
            f"{name}: n_sets asks for {each} document sets dominated by each group, but found: {there}. Left out: "
            f"sets {_reasons(tally)}, texts {_reasons(dropped)}. {less}ive more texts, or change size or seed."
        )
    drawn = [cut for value in values for cut in shuffled(strata[value], generator)[:each]]
    tally["not drawn"] = sum(map(len, strata.values())) - len(drawn)
    report = {"sets": _reasons(tally), "texts": _reasons(dropped)}
    logger.info("%s: %d document sets of %d texts; left out: %s", name, len(drawn), len(table.texts), report)
    if table.cut is not None:
        drawn = [cut.shortened(table.cut) for cut in drawn]
    return (
        make_row(
            Sample(f"{index:04d}", cut.pairs, {**cut.metadata, "seed": sampling.seed, "dropped": report}),
            config=name,
            attribute=attribute,
            prompt=fill_numbered(template, cut.topic, cut.pairs),
        )
        for index, cut in enumerate(shuffled(drawn, generator))
    )


def _stratified(
    table: Table,
    sampling: Sampling,
    values: Sequence[str],
    generator: random.Random,
    dropped: Counter[str],
    tally: Counter[str],
) -> dict[str, list[_DocumentSet]]:
    """Group all sets by dominant group, and count left-out texts and sets."""
    strata: dict[str, list[_DocumentSet]] = {value: [] for value in values}
    bounds = _bounds(sampling.size)
    for topic, texts in _topics(table.texts, dropped):
        for cut in _cut_topic(topic, texts, bounds, table.group, generator, dropped):
            if len(cut.counts) == 1 and not sampling.keep_single_value:
                tally["one value"] += 1
            elif cut.dominant is None:
                tally["no group dominates"] += 1
            else:
                strata[cut.dominant].append(cut)
    return strata


@dataclass(frozen=True)
class _DocumentSet:
    topic: str
    cluster: int
    texts: tuple[LabelledText, ...]
    n_cut: int | None = None

    def shortened(self, shorten: Callable[[str], str]) -> _DocumentSet:
        """Return the set with truncated texts and the number of truncated ones."""
        texts = tuple(item._replace(text=shorten(item.text)) for item in self.texts)
        n_cut = sum(item != before for item, before in zip(texts, self.texts, strict=True))
        return replace(self, texts=texts, n_cut=n_cut)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return [(item.text, item.value) for item in self.texts]

    @property
    def counts(self) -> Counter[str]:
        return Counter(item.value for item in self.texts)

    @property
    def dominant(self) -> str | None:
        """Group with the most texts, or None for a tie."""
        (leader, most), *others = self.counts.most_common(2)
        return None if others and others[0][1] == most else leader

    @property
    def metadata(self) -> dict[str, Any]:
        return {
            "origin": "raw",
            "topic": self.topic,
            "cluster": self.cluster,
            "dominant": self.dominant,
            "counts": self.counts,
            "source_ids": [item.id for item in self.texts],
            **({} if self.n_cut is None else {"texts_cut": self.n_cut}),
        }


def _topics(texts: Iterable[LabelledText], dropped: Counter[str]) -> Iterator[tuple[str, list[LabelledText]]]:
    """Yield topics by name with distinct texts, independent of the input order."""
    topics: dict[str, dict[str, list[LabelledText]]] = defaultdict(lambda: defaultdict(list))
    for item in texts:
        topics[item.topic][" ".join(item.text.split())].append(item)
    for topic, copies in sorted(topics.items()):
        unique = []
        for _, same in sorted(copies.items()):
            if len({item.value for item in same}) > 1:  # none is reliable
                dropped["same text in different groups"] += len(same)
            else:
                dropped["duplicate"] += len(same) - 1
                unique.append(min(same, key=lambda item: (item.text, item.id)))
        yield topic, unique


def _cut_topic(
    topic: str,
    texts: Sequence[LabelledText],
    bounds: tuple[int, int],
    group: Grouping | None,
    generator: random.Random,
    dropped: Counter[str],
) -> Iterator[_DocumentSet]:
    """Cluster a topic's texts and cut each cluster into sets, in random order."""
    seed = int(generator.random() * 2**32)
    clusters: dict[int, list[LabelledText]] = defaultdict(list)
    for label, item in zip(group(texts, bounds[1], seed) if group else [0] * len(texts), texts, strict=True):
        clusters[label].append(item)
    for label, members in sorted(clusters.items()):
        order = shuffled(members, generator)
        place = 0
        for length in set_sizes(len(order), *bounds):
            yield _DocumentSet(topic, label, tuple(order[place : place + length]))
            place += length
        dropped["too few similar texts for another set"] += len(order) - place


def set_sizes(total: int, low: int, high: int) -> list[int]:
    """Return the sizes of a cluster's sets, as large and even as possible.

    Example:
        >>> set_sizes(9, 4, 8), set_sizes(17, 8, 8), set_sizes(3, 4, 8)
        ([5, 4], [8, 8], [])
    """
    count = min(-(-total // high), total // low)
    used = min(total, count * high)
    return [used // count + (index < used % count) for index in range(count)]


def _reasons(counts: Mapping[str, int]) -> dict[str, int]:
    return {reason: count for reason, count in sorted(counts.items()) if count}


def _bounds(size: object) -> tuple[int, int]:
    """Return the fewest and the most texts of a set."""
    pair = list(size) if isinstance(size, (list, tuple)) else [size, size]
    if len(pair) != 2:
        raise InputError(f"{_MODULE}: size must be a number or a pair such as (4, 8), found {describe(size)}")
    low, high = (check_count(_MODULE, "size", number, least=2) for number in pair)
    if low > high:
        raise InputError(f"{_MODULE}: size must give the fewest texts first, found {describe(size)}")
    return low, high


def _checked(row: object, index: int) -> LabelledText:
    """Return a row of the user's table, or raise with its fault."""
    where = f"{_MODULE}: row {index}"
    if isinstance(row, Mapping):
        if missing := [key for key in ("text", "value", "topic") if key not in row]:
            raise InputError(f"{where}: lacks {', '.join(missing)}; it has {', '.join(map(str, row)) or 'nothing'}")
        fields = [row["text"], row["value"], row["topic"], row.get("id", "")]
    elif isinstance(row, (tuple, list)) and len(row) in (3, 4):
        fields = [*row, ""][:4]
    else:
        raise InputError(f"{where}: expected a mapping or (text, value, topic[, id]), found {describe(row)}")
    for key, item in zip(("text", "value", "topic", "id"), fields, strict=True):
        if not isinstance(item, str) or not (item.strip() or key == "id"):
            raise InputError(f"{where}: {key} must be a non-empty string, found {describe(item)}; drop the row")
    return LabelledText(*fields)
