"""The rows of a data set in columns, in the order of their index whatever order they came in."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fairsum_utils.entities.rows import EntityRow
from fairsum_utils.entities.vectors import stack_counts
from fairsum_utils.errors import InputError
from fairsum_utils.family.table import Table

__all__ = ["EntityTable"]


class EntityTable(Table[EntityRow]):
    """Collects rows; no text but the words that are counted, each distinct one once.

    Example:
        >>> table = EntityTable([EntityRow(1, "b"), EntityRow(0, "a"), EntityRow(2, "a", "empty_prediction")])
        >>> table.entries("article", "entity_inclusion", "score")
        ['a', 'b']
    """

    row = EntityRow

    def order(self, module: str) -> npt.NDArray[np.intp]:
        """Where the scored samples stand, in the order of their index.

        Args:
            module: name used in messages.

        Raises:
            InputError: two rows of one sample.
        """
        index = np.array(self.columns["index"].array)
        order = np.argsort(index, kind="stable")
        twice = order[1:][np.diff(index[order]) == 0]
        if len(twice):
            raise InputError(
                f"{module}: two rows are of sample {index[twice[0]]}; give every sample of the data an index of its own"
            )
        return order[~np.array(self.columns["skipped"].present, dtype=np.bool_)[order]]

    def entries(self, name: str, measure: str, module: str) -> list[Any]:
        """What the scored samples have in a column, in the order of their index.

        Args:
            name: of the column.
            measure: that needs it.
            module: name used in messages.

        Raises:
            InputError: a row has nothing there, or two rows are of one sample.
        """
        entries = self.column(name, module)
        if None in entries:
            index = self.column("index", module)[entries.index(None)]
            raise InputError(
                f"{module}: sample {index}: {measure} needs {name}, and the sample's row has none; score the samples "
                f"for {measure}"
            )
        return entries

    def column(self, name: str, module: str) -> list[Any]:
        """What the scored samples have in a column, in the order of their index; None where they have nothing.

        Args:
            name: of the column.
            module: name used in messages.

        Raises:
            InputError: two rows are of one sample.
        """
        entries = self.columns[name].items()
        return [entries[place] for place in self.order(module).tolist()]

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
