"""What a training loop scores with: a session that keeps its models, and results as numbers by name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.families import family_of, summary_measures
from fairsum_utils.families.cautions import tell
from fairsum_utils.families.routing import route
from fairsum_utils.session.session import Request, Session
from fairsum_utils.validation import check_metrics

__all__ = ["flat", "open_session", "score_and_tell"]


def open_session(
    module: str, metrics: Sequence[str], settings: Mapping[str, Any], *, evidence: bool = False
) -> Session:
    """A session that scores summaries as often as it is asked to; a model is loaded once.

    A summary that is empty or shares nothing with its sources counts as unfair to every value, unless the settings say
    otherwise: a model that says nothing must not win.

    Args:
        module: name used in messages.
        metrics: names from `summary_measures`.
        settings: for all measures that take them, as `fairsum_utils.score` takes them.
        evidence: keep in the rows what each unit or value was found in.

    Raises:
        InputError: no such measure, or a setting that none of them takes.

    Example:
        >>> session = open_session("example", ["uer"], {"target": "equal"})
        >>> columns = {"predictions": ["Tasty."], "sources": [["Tasty.", "Awful."]], "values": [["pos", "neg"]]}
        >>> session.score(columns)["uer"]["uer"]
        0.25
    """
    names = check_metrics(module, metrics, summary_measures())
    each = route(module, {name: name for name in names}, settings)
    requests = [Request(name, settings={**_worst(name), **each[name]}) for name in names]
    return Session(requests, module=module, evidence=evidence)


def _worst(name: str) -> dict[str, Any]:
    """Settings by which summaries that say nothing of the sources are the worst there is, where a measure has any."""
    taken = family_of(name).taken(name)
    return {"empty": "uniform", "unmatched": "unfair"} if "unmatched" in taken else {}


def score_and_tell(session: Session, columns: Mapping[str, Any], told: set[str]) -> dict[str, float]:
    """Score for a log, and warn of what has not been told yet.

    Args:
        session: of `open_session`.
        columns: the samples.
        told: codes of what was told before; grows.

    Returns:
        Numbers by name, see `flat`.
    """
    results = session.score(columns)
    told |= tell(results, told=told)
    return flat(results)


def flat(results: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """Results as a Trainer logs them: numbers by name.

    Args:
        results: measure -> result.

    Returns:
        ``<name>`` and ``<name>_by_value/<value>`` of each measure, with ``at_random`` also ``<name>_at_random``;
        ``n_skipped``, the samples without a score, and ``n_unmatched``, those whose summary is empty or shares nothing
        with its sources, each by the measure that counts most. A measure is NaN where all summaries are such: no
        checkpoint is chosen for saying nothing.

    Example:
        >>> uer = {"uer": 0.25, "uer_by_value": {"pos": 0.5}, "n_samples": 2, "n_skipped": 0, "n_unmatched": 1}
        >>> flat({"uer": uer})
        {'uer': 0.25, 'uer_by_value/pos': 0.5, 'n_skipped': 0, 'n_unmatched': 1}
        >>> flat({"uer": uer | {"n_unmatched": 2}})["uer"]
        nan
    """
    numbers: dict[str, float] = {}
    for name, result in results.items():
        numbers[name] = math.nan if result.get("n_unmatched") == result["n_samples"] else result[name]
        if f"{name}_at_random" in result:
            numbers[f"{name}_at_random"] = result[f"{name}_at_random"]
        numbers |= {f"{name}_by_value/{value}": score for value, score in result[f"{name}_by_value"].items()}
    for name in ("n_skipped", "n_unmatched"):
        counts = [result[name] for result in results.values() if name in result]
        numbers |= {name: max(counts)} if counts else {}
    return numbers
