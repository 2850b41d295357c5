"""Results from a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypeAlias

from fairsum_utils.errors import InputError, extension
from fairsum_utils.results.comparison import Comparison, SystemComparison
from fairsum_utils.results.gate import Monitored, Needs
from fairsum_utils.results.record import Run, whole_record
from fairsum_utils.results.results import IN_MEMORY, CombinedResults, ScoreResults, combined

__all__ = ["AnyResults", "read_results", "results_of"]

AnyResults: TypeAlias = ScoreResults | Comparison | SystemComparison | CombinedResults | Monitored | Needs
"""Whatever a file of results can hold, but for results of a study, whose class is in `reproductions/`."""

_STUDY = "study"
"""The kind of a result that the distribution in `reproductions/` reads."""


def read_results(path: str | os.PathLike[str]) -> AnyResults:
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
    from fairsum_utils.results.record import read_record

    return results_of(read_record(path), f"read_results: {path}")


def results_of(document: Mapping[str, Any], where: str) -> AnyResults:
    """The results that a document holds, as `fairsum_utils.results.record.read_record` gives it.

    Args:
        document: with results under ``metrics``.
        where: it is from, for messages.

    Raises:
        InputError: what stands there are no results.
    """
    with whole_record(where):
        return _results_of(document, where)


def _results_of(document: Mapping[str, Any], where: str) -> AnyResults:
    """The results that a document holds, whatever else it says."""
    metrics, run = document["metrics"], Run(read=document.get("run", {}))
    for label, result in metrics.items():
        if not isinstance(result, dict):
            raise InputError(f"{where} holds no result under {label!r}; give what `fairsum score` wrote")
    if document.get("kind") == Monitored.kind:
        about = {key: document[key] for key in ("status", "alpha", "side", "shift")}
        return Monitored(metrics, title=document["baseline"], about=about, run=run)
    if document.get("kind") == Needs.kind:
        return Needs(metrics, title=document["file"], power=document["power"], run=run)
    if document.get("kind") == _STUDY:
        studied: AnyResults = extension("fairsum.results", _STUDY, where=where)(document, run)
        return studied
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
