"""The rows of a data set in columns, and the vectors of their summaries."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.rows import EntityRow
from fairsum_utils.families.entities.vectors import stack_counts
from fairsum_utils.families.ordered import OrderedTable

__all__ = ["EntityTable"]


class EntityTable(OrderedTable[EntityRow]):
    """Collects rows; no text but the words that are counted, each distinct one once.

    Example:
        >>> table = EntityTable([EntityRow(1, "b"), EntityRow(0, "a"), EntityRow(2, "a", "empty_prediction")])
        >>> table.entries("article", "entity_inclusion", "score")
        ['a', 'b']
    """

    row = EntityRow

    def vectors(self, measure: str, module: str) -> Any:
        """The vectors of the scored samples, in the order of their index.

        Args:
            measure: that needs them.
            module: name used in messages.

        Returns:
            Shape (n, d): a sparse matrix of word counts, or an array of embeddings.

        Raises:
            InputError: a row without a vector, or one that is not like the others or not finite; two rows of one
                sample.
        """
        order = self.order(module)
        embeddings = self.columns["embedding"]
        is_dense = np.array(embeddings.present, dtype=np.bool_)
        if not is_dense[order].any():
            return stack_counts(self.entries("word_counts", measure, module))
        lengths = np.zeros(len(is_dense), dtype=np.int64)
        lengths[is_dense] = embeddings.some.lengths
        index = np.array(self.columns["index"].array)
        others = order[lengths[order] != lengths[order[0]]]
        if len(others):
            pair = [others[0], order[0]]
            a, b = (f"an embedding of {length} numbers" if length else "no embedding" for length in lengths[pair])
            raise InputError(
                f"{module}: sample {index[pair[0]]} has {a}, and sample {index[pair[1]]} has {b}; make all vectors "
                "with one representation"
            )
        vectors = np.array(embeddings.some.flat.array).reshape(-1, lengths[order[0]])[np.cumsum(is_dense)[order] - 1]
        infinite = order[~np.isfinite(vectors).all(axis=1)]
        if len(infinite):
            raise InputError(
                f"{module}: sample {index[infinite[0]]}: its vector has a number that is not finite; embed its summary "
                "again"
            )
        return vectors
