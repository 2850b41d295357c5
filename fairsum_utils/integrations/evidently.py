"""Descriptors of Evidently: a column of scores and one of reasons.

    from evidently import DataDefinition, Dataset
    from fairsum_utils.integrations.evidently import fairness_descriptor

    descriptor = fairness_descriptor("bur")
    Dataset.from_pandas(frame, DataDefinition(), descriptors=[descriptor])  # columns prediction, sources, values
    descriptor.result["bur_ci"]

Evidently summarizes the column of scores, without an interval; `result` of the descriptor has it.
"""

from __future__ import annotations

from typing import Any

import pandas
from evidently._pydantic_compat import PrivateAttr
from evidently.core.datasets import ColumnType, Dataset, DatasetColumn
from evidently.descriptors import CustomDescriptor

from fairsum_utils.errors import InputError
from fairsum_utils.integrations.judging import Judge, read_list


class FairnessDescriptor(CustomDescriptor):  # type: ignore[misc]  # untyped for mypy
    """A measure as a descriptor.

    Attributes:
        result: result of the last data set, with its interval.
    """

    _result: dict[str, Any] = PrivateAttr(default_factory=dict)

    @property
    def result(self) -> dict[str, Any]:  # noqa: D102
        return self._result


def fairness_descriptor(
    measure: str = "bur", *, threshold: float = 0.0, columns: dict[str, str] | None = None, **settings: Any
) -> FairnessDescriptor:
    """Make a descriptor of a measure: columns ``<measure>`` (lower is fairer) and ``<measure> reason``.

    Args:
        measure: name of the measure.
        threshold: largest distance from the fairest score at which a row passes.
        columns: column of the measure -> column of the frame; by default ``predictions`` is ``prediction``, and the
            others have their own names. Lists may be JSON.
        **settings: settings of the measure.
    """
    judge = Judge(measure, threshold=threshold, **settings)
    names = {name: name for name in judge.columns} | {"predictions": "prediction"} | (columns or {})

    def describe(dataset: Dataset) -> dict[str, DatasetColumn]:
        frame = dataset.as_dataframe()
        present = {name: column for name, column in names.items() if name in judge.columns and column in frame.columns}
        if "predictions" not in present:
            raise InputError(f"{measure}: the frame has no column {names['predictions']!r}; name it in columns")
        verdicts = [
            judge.verdict(**dict(zip(present, map(read_list, row), strict=True)))
            for row in frame[[*present.values()]].itertuples(index=False, name=None)
        ]
        made._result = judge.result([verdict.record for verdict in verdicts])
        scores = pandas.Series([verdict.score for verdict in verdicts], index=frame.index, dtype=float)
        reasons = pandas.Series([verdict.reason for verdict in verdicts], index=frame.index)
        return {
            measure: DatasetColumn(ColumnType.Numerical, scores),
            f"{measure} reason": DatasetColumn(ColumnType.Text, reasons),
        }

    made = FairnessDescriptor(describe, alias=measure)
    return made
