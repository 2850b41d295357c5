"""Checked samples: a summary with its documents, or with given units and coverage."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.coverage.chunks import check_units
from fairsum_utils.families.reading import EMPTY, SourcesSample
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.validation import check_sample, describe


@dataclass(frozen=True, slots=True)
class Sample(SourcesSample):
    """Checked sample.

    Attributes:
        index: position of the sample in the data.
        prediction: summary.
        sources: documents.
        values: group of each document.
        units: units of the summary; None to split the summary.
        coverage: shape (documents, units), probabilities; None to judge the texts.
        skipped: reason why the sample has no score, if known in advance.
    """

    units: list[str] | None = None
    coverage: Floats | None = None
    skipped: str | None = None


def with_texts(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in empty texts where a given coverage makes them optional.

    Example:
        >>> with_texts({"values": ["pos", "neg"]})
        {'predictions': '', 'sources': ['', ''], 'values': ['pos', 'neg']}
    """
    n_documents = len(sample["values"]) if isinstance(sample["values"], Sized) else 0
    return {"predictions": "", "sources": [""] * n_documents, **sample}


def check_row(module: str, index: int, row: Mapping[str, Any]) -> Sample:
    """Check a sample; texts are optional if the coverage is given."""
    whole = with_texts(row) if "coverage" in row else row
    prediction, sources, units = whole["predictions"], whole["sources"], whole.get("summary_units")
    labels = check_sample(module, index, prediction, sources, whole["values"])
    if whole.get("coverage") is None and not _has_units(units) and not prediction.strip():
        return Sample(index, prediction, sources, labels, skipped=EMPTY)
    if len(set(labels)) == 1:
        return Sample(index, prediction, sources, labels, skipped="single_value")
    return Sample(
        index, prediction, sources, labels, *_check_given(module, index, units, whole.get("coverage"), len(sources))
    )


def _has_units(units: object) -> bool:
    return units is not None and not (isinstance(units, Sized) and not len(units))


def _check_given(
    module: str, index: int, units: object, coverage: object, n_documents: int
) -> tuple[list[str] | None, Floats | None]:
    """Check given units and a given coverage, which fit each other."""
    matrix = None if coverage is None else _check_matrix(module, index, coverage, n_documents)
    checked = None if units is None else check_units(module, index, units)
    if checked is not None and matrix is not None and len(checked) != matrix.shape[1]:
        raise InputError(
            f"{module}: sample {index}: summary_units has {len(checked)} units, but coverage has "
            f"{matrix.shape[1]} columns; give one column per unit"
        )
    return checked, matrix


def _check_matrix(module: str, index: int, matrix: object, n_documents: int) -> Floats:
    """Check a given matrix: shape (documents, units), numbers in [0, 1]."""
    where = f"{module}: sample {index}: coverage"
    try:
        array = np.asarray(matrix)
        numbers = array.astype(np.float64) if array.dtype.kind in "fiub" else None
    except (TypeError, ValueError):  # rows of different lengths
        numbers = None
    if numbers is None or numbers.ndim != 2:
        raise InputError(
            f"{where} must be a matrix of numbers, one row per document and one column per unit, found "
            f"{describe(matrix)}"
        )
    if numbers.shape[0] != n_documents:
        raise InputError(
            f"{where} has {numbers.shape[0]} rows and {numbers.shape[1]} columns, but the sample has {n_documents} "
            "documents; give one row per document and one column per unit"
        )
    if not numbers.shape[1]:
        raise InputError(f"{where} has no columns; give at least one column (one per unit), or remove the sample")
    for document, unit in np.argwhere(~((numbers >= 0) & (numbers <= 1))):
        raise InputError(f"{where}[{document}][{unit}] is {numbers[document, unit]:g}; give a probability in [0, 1]")
    return numbers
