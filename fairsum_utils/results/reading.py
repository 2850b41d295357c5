"""Results from a file."""

from __future__ import annotations

import os
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.results.combining import CombinedResults, combined
from fairsum_utils.results.comparisons import Comparison, SystemComparison
from fairsum_utils.results.run import Run, whole_record
from fairsum_utils.results.scores import IN_MEMORY, ScoreResults

__all__ = ["read_results"]


def read_results(path: str | os.PathLike[str]) -> ScoreResults | Comparison | SystemComparison | CombinedResults:
    """Read results back that ``save`` has written, or ``--output`` or ``--format json`` of the command.

    Args:
        path: of the file.

    Returns:
        The same as was saved, every float to the bit; its ``run.read`` holds how the results came about.

    Raises:
        InputError: the file is not there, is something else, or a newer version has written it.

    Example:
        >>> import tempfile
        >>> from fairsum_utils import score
        >>> results = score(["Tasty."], [["Tasty.", "Awful."]], [["pos", "neg"]], metrics=["uer"])
        >>> path = f"{tempfile.mkdtemp()}/results.json"
        >>> results.save(path)
        >>> again = read_results(path)
        >>> again == results, list(again.run.read["versions"])[0]
        (True, 'fairsum-utils')
    """
    from fairsum_utils.run_record import read_record

    document = read_record(path)
    with whole_record(f"read_results: {path}"):
        return _results_of(path, document)


def _results_of(
    path: str | os.PathLike[str], document: dict[str, Any]
) -> ScoreResults | Comparison | SystemComparison | CombinedResults:
    """The results that a document holds, whatever else it says."""
    metrics, run = document["metrics"], Run(read=document.get("run", {}))
    for label, result in metrics.items():
        if not isinstance(result, dict):
            raise InputError(f"read_results: {path} holds no result under {label!r}; give what `fairsum score` wrote")
    if "baseline" in document:
        said = ("baseline", "systems", "metrics", "warnings")
        return SystemComparison({key: document[key] for key in said}, run=run)
    if document.get("kind", "compare" if "b" in document else "score") == "compare":
        return Comparison(metrics, systems=[str(document[system]) for system in "ab"], run=run)
    measures = ScoreResults(metrics, title=str(document.get("file", IN_MEMORY)), run=run)
    measures._measures()  # refuses what is none
    if document.get("kind") != "combine":
        return measures
    return combined(measures, document["others"], document["order"])
