"""Tables of families that compare the samples of an original: their rows in the order of the data."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.families.table import Table

_Row = TypeVar("_Row")


class OrderedTable(Table[_Row]):
    """The rows of a data set in columns, in the order of their index whatever order they came in.

    Its rows have an ``index`` and say under ``skipped`` why they have no score, or None.
    """

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

    def column(self, name: str, module: str) -> list[Any]:
        """What the scored samples have in a column, in the order of their index; None where they have nothing.

        Args:
            name: of the column.
            module: name used in messages.

        Raises:
            InputError: two rows of one sample.
        """
        entries = self.columns[name].items()
        return [entries[place] for place in self.order(module).tolist()]

    def entries(self, name: str, measure: str, module: str) -> list[Any]:
        """What the scored samples have in a column that a measure cannot do without, in the order of their index.

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
