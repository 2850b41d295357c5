"""Checked samples and their originals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.columns import PAIR_IDS
from fairsum_utils.families.entities.rows import EntityTable, stack_counts
from fairsum_utils.families.originals import ScoredOriginals, check_given
from fairsum_utils.families.reading import CheckedSample
from fairsum_utils.measures._entities import PUBLISHED
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.bootstrap import resample_within
from fairsum_utils.stats.permutation import permuted_counts
from fairsum_utils.stats.sums import Column, Key, Sums
from fairsum_utils.text.person_names import Name
from fairsum_utils.validation import check_group, check_id, check_strings, check_texts, describe, is_missing, unwrapped


class Entity(NamedTuple):
    """Person of the sources: name, group, and whether the text shows the group."""

    name: Name
    group: str
    is_modified: bool = True


@dataclass(frozen=True, slots=True)
class Sample(CheckedSample):
    """Checked sample.

    Attributes:
        index: position of the sample in the data.
        prediction: summary.
        article: name of its original.
        sources: source texts; None if not given, here and below.
        entities: persons of the sources.
        mentions: names of persons in the summary, as written.
        group: group that the whole text is about.
        pair: name shared by the samples of a counterfactual pair.
    """

    index: int
    prediction: str
    article: str
    sources: tuple[str, ...] | None = None
    entities: tuple[Entity, ...] | None = None
    mentions: tuple[str, ...] | None = None
    group: str | None = None
    pair: str | None = None

    @property
    def content(self) -> tuple[str, ...]:
        """Texts that identify the sample for every system."""
        return (repr((self.article, self.entities, self.group, self.pair)), *(self.sources or ()))


def check_row(module: str, index: int, row: Mapping[str, Any]) -> Sample:
    """Check the entries of the given columns; only pairs may be None.

    Example:
        >>> check_row("entity_inclusion", 3, {"predictions": "Ann won.", "entities": [{"group": "female"}]})
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: entity_inclusion: sample 3: entities[0] has no name; give a first_name, a
        last_name or both, or remove the entity
    """
    check_given(module, index, row, ("predictions", PAIR_IDS.name))
    sources, article = row.get("sources"), row.get("article_ids")
    entities, mentions, group, pair = map(row.get, ("entities", "mentions", "groups", "pair_ids"))
    texts = [""] if sources is None else [sources] if isinstance(sources, str) else sources
    check_texts(module, index, row["predictions"], texts)
    where = f"{module}: sample {index}"
    return Sample(
        index=index,
        prediction=str(row["predictions"]),
        article=str(index) if article is None else check_id(where, "article", article, _ONE_ORIGINAL),
        sources=None if sources is None else tuple(map(str, texts)),
        entities=None if entities is None else _entities(where, entities),
        mentions=None if mentions is None else tuple(check_strings(f"{where}: mentions", mentions, *_NAMES)),
        group=None if group is None else _group(where, group),
        pair=None if _is_alone(pair) else check_id(where, "pair", pair, _ONE_PAIR),
    )


def _group(where: str, group: object) -> str:
    if isinstance(group, str) and not group:
        raise InputError(
            f"{where}: the group is empty, so the text is not about one group; build the inputs with gender_global, "
            "not gender_local, or name the group"
        )
    return check_group(where, "group", group)


_ONE_ORIGINAL = "give all samples of an original the same id"
_ONE_PAIR = "give the samples of a pair the same id, and None to a sample without a pair"


def _is_alone(pair: object) -> bool:
    return is_missing(pair) or (isinstance(pair, str) and not pair)


_NAMES = "names of people in the summary", "remove it, or give [] if the summary has no names"


def _entities(where: str, entities: object) -> tuple[Entity, ...]:
    listed = unwrapped(entities)
    if not isinstance(listed, (list, tuple)):
        raise InputError(
            f"{where}: entities must be a list of dicts with first_name, last_name and group, found "
            f"{describe(entities)}"
        )
    return tuple(_entity(f"{where}: entities[{position}]", entity) for position, entity in enumerate(listed))


def _entity(where: str, entity: object) -> Entity:
    if not isinstance(entity, Mapping):
        raise InputError(f"{where} must be a dict with first_name, last_name and group, found {describe(entity)}")
    parts = []
    for key in ("first_name", "last_name"):
        part = entity.get(key)
        if part is not None and not isinstance(part, str):
            raise InputError(f"{where}: {key} must be a string or None, found {describe(part)}")
        parts.append(str(part).strip() or None if part else None)
    if parts == [None, None]:
        raise InputError(f"{where} has no name; give a first_name, a last_name or both, or remove the entity")
    where = f"{where} ({' '.join(filter(None, parts))})"
    is_modified = entity.get("is_modified")
    if is_modified is not None and not isinstance(is_modified, (bool, np.bool_)):
        raise InputError(f"{where}: is_modified must be true or false, found {describe(is_modified)}")
    group = check_group(where, "group", entity.get("group"), "entity")
    return Entity(Name(*parts), group, is_modified is None or bool(is_modified))


# Most numbers of samples that are laid out with those that are 0: 128 MB.
_SPREAD = 1 << 24


class Originals(ScoredOriginals):
    """Scored samples of a table, grouped into units of the bootstrap.

    Attributes:
        names: names of the originals, in order of first appearance.
        clusters: position of the original of each sample, shape (n,).
        units: unit of each sample in the bootstrap within originals, shape (n,): its pair, or itself.
        has_pair: mask of samples with a pair, shape (n,).
    """

    def __init__(self, table: EntityTable, settings: Any) -> None:
        super().__init__(table, settings)
        pairs = list(zip(self.clusters.tolist(), self.column("pair"), strict=True))
        self._n_pairs = len({key for key in pairs if key[1] is not None})
        drawn = [(place,) if key[1] is None else key for place, key in enumerate(pairs)]
        numbers = {unit: number for number, unit in enumerate(dict.fromkeys(drawn))}
        self.units: Integers = np.array([numbers[unit] for unit in drawn], dtype=np.int64)
        self.has_pair: Bools = np.array([pair is not None for _, pair in pairs], dtype=np.bool_)

    def sums(self) -> Sums:
        """Make the sums that all measures share."""
        found = super().sums()
        in_article = np.bincount(self.clusters, minlength=len(self.names))
        found.counts.update(
            {
                ("pairs",): self._n_pairs,
                ("paired",): int(self.has_pair.sum()),
                ("unpaired",): int((~self.has_pair & (in_article[self.clusters] > 1)).sum()),
            }
        )
        return found

    def put(self, sums: Sums, columns: Mapping[Key, Column]) -> None:
        """Add whole-number columns, summed within each original."""
        for key, (places, numbers) in columns.items():
            known, inverse = np.unique(self.clusters[slice(None) if places is None else places], return_inverse=True)
            by_original = np.bincount(inverse, numbers)
            there = np.flatnonzero(by_original)
            sums.put(key, by_original[there], known[there])

    def resampled(self, columns: Sequence[Column]) -> Floats:
        """Sum columns with samples or pairs redrawn within each original, shape (B, m)."""
        settings = self.settings
        return resample_within(
            self.laid_out(columns),
            self.clusters,
            self.units if self.has_pair.any() else None,
            n_omitted=int(settings.resampling != PUBLISHED),
            n_resamples=settings.n_resamples,
            seed=settings.seed,
        )

    def laid_out(self, columns: Sequence[Column]) -> Any:
        """Stack columns, shape (n, m); large stacks are sparse."""
        n = len(self)
        if n * len(columns) <= _SPREAD:
            return self._spread(columns)
        from scipy.sparse import csc_matrix

        rows = [np.arange(n) if column.places is None else column.places for column in columns]
        ends = np.cumsum([0, *map(len, rows)])
        numbers = np.concatenate([column.numbers for column in columns])
        return csc_matrix((numbers, np.concatenate(rows), ends), shape=(n, len(columns))).tocsr()

    def vectors(self, measure: str) -> Any:
        """Stack the vectors of the summaries, shape (n, d): sparse word counts or embeddings."""
        order, lengths = self.order, self.table.sizes("embedding")
        if not lengths[order].any():
            return stack_counts(self.entries("word_counts", measure))
        module, index = self.settings.module, self.table.numbers("index")
        others = order[lengths[order] != lengths[order[0]]]
        if len(others):
            pair = [others[0], order[0]]
            a, b = (f"an embedding of {length} numbers" if length else "no embedding" for length in lengths[pair])
            raise InputError(
                f"{module}: sample {index[pair[0]]} has {a}, and sample {index[pair[1]]} has {b}; embed all summaries "
                "in the same way"
            )
        vectors = self.table.flat("embedding").reshape(-1, lengths[order[0]])[np.cumsum(lengths > 0)[order] - 1]
        infinite = order[~np.isfinite(vectors).all(axis=1)]
        if len(infinite):
            raise InputError(
                f"{module}: sample {index[infinite[0]]}: the vector of the summary contains a non-finite number; embed "
                "the summary again"
            )
        return vectors

    def permuted(self, chosen: Bools, labels: Integers, samples: Integers, n_labels: int) -> Floats:
        """Count the chosen persons of each permuted group, shape (B, n_labels); see `permuted_counts`."""
        settings = self.settings
        return permuted_counts(
            chosen,
            labels,
            samples,
            self.clusters,
            n_labels=n_labels,
            n_permutations=settings.n_permutations,
            seed=settings.seed,
        )
