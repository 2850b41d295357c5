"""Reading saved results."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypeAlias

from fairsum_utils.errors import InputError, extension
from fairsum_utils.results.base import IN_MEMORY
from fairsum_utils.results.comparison import Comparison
from fairsum_utils.results.record import Run, read_record, whole_record
from fairsum_utils.results.results import CombinedResults, ScoreResults

AnyResults: TypeAlias = ScoreResults | Comparison | CombinedResults
"""Contents of a file of results, except results of studies, whose class is in `reproductions/`."""

_STUDY = "study"
"""The kind of a result that the distribution in `reproductions/` reads."""

_COMPARED_ALIKE = 3
"""First format whose comparisons have the layout of today."""


def read_results(path: str | os.PathLike[str]) -> AnyResults:
    """Read results that ``save``, ``--output`` or ``--format json`` wrote.

    Args:
        path: path of the file.

    Returns:
        The saved results, every float to the bit; ``run.read`` describes their run.

    Raises:
        InputError: The file is missing, has other contents, is from a newer version, or is a comparison of an older
            one, which had another layout.

    Example:
        >>> import tempfile
        >>> from fairsum_utils import score
        >>> columns = ["Tasty."], [["Tasty.", "Awful."]], [["pos", "neg"]]
        >>> results = score(*columns, metrics=["uer"], confidence_level=None)
        >>> path = f"{tempfile.mkdtemp()}/results.json"
        >>> results.save(path)
        >>> again = read_results(path)
        >>> again == results, list(again.run.read["versions"])[0]
        (True, 'fairsum-utils')
    """
    return results_of(read_record(path), f"read_results: {path}")


def results_of(document: Mapping[str, Any], where: str) -> AnyResults:
    """Turn a document from `fairsum_utils.results.record.read_record` into results."""
    with whole_record(where):
        metrics, run, kind = document["metrics"], Run(read=document.get("run", {})), document.get("kind")
        for label, result in metrics.items():
            if not isinstance(result, dict):
                raise InputError(f"{where} holds no result under {label!r}; give what `fairsum score` wrote")
        if kind == _STUDY:
            study: AnyResults = extension("fairsum.results", _STUDY, where=where)(document, run)
            return study
        if kind == Comparison.kind or "baseline" in document or "b" in document:
            if document.get("format_version", 1) < _COMPARED_ALIKE:
                raise InputError(
                    f"{where} is a comparison by an earlier version, which had another layout and took some "
                    "differences the other way round; run fairsum compare again"
                )
            about = {name: document[name] for name in ("baseline", "systems", "warnings")}
            return Comparison(metrics, **about, run=run)
        measures = ScoreResults(metrics, title=str(document.get("file", IN_MEMORY)), run=run)
        measures.measure_by_label()  # refuses unknown labels
        return CombinedResults(measures, document["others"], document["order"]) if kind == "combine" else measures
