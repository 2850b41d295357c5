"""Whether samples are those of results: as many as these say, with the scores that these are the means of."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from fairsum_utils.errors import InputError
from fairsum_utils.reports.page.contents import Sampled

if TYPE_CHECKING:
    from fairsum_utils.results.shown import Results

__all__ = ["Told", "checked", "told_by"]

Told = Mapping[tuple[str, str], tuple[int, float]]
"""Name of a system, empty where there is one, and label -> how many samples have a score, and the score of all."""

_NEAR = 1e-6


def told_by(results: Results) -> Told:
    """What results say of their samples.

    Args:
        results: of scoring or of a comparison.
    """
    measures = results._measures()
    told: dict[tuple[str, str], tuple[int, float]] = {}
    for label, result in results._results().items():
        if measures[label] in result:
            scores = {"": result[measures[label]]}
        elif "systems" in result:
            scores = {name: of_system["score"] for name, of_system in result["systems"].items()}
        else:
            scores = {name: result[end] for name, end in zip(results._systems(), "ab", strict=True)}
        told |= {(name, label): (result["n_samples"], score) for name, score in scores.items()}
    return told


def checked(samples: Iterable[Sampled], told: Told, measures: Mapping[str, str]) -> Iterator[Sampled]:
    """The same samples, all of them; when the last one has gone by, they must have been those of the results.

    What is compared is how many have a score, where one system was scored, and their mean, where a measure is the mean
    of its samples. In a comparison, samples that one of its systems lacks do not count, so that there may be more.

    Args:
        samples: of a page.
        told: see `told_by`.
        measures: label -> measure.

    Raises:
        InputError: they are those of something else.
    """
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    for sampled in samples:
        for label, record in sampled.records.items():
            scored = scores[sampled.system, label]
            if record["skipped"] is None:
                score = record.get(measures[label])
                scored.append(score if isinstance(score, float) else math.nan)
        yield sampled
    for (system, label), found in scores.items():
        n, score = told.get((system, label)) or told.get(("", label), (len(found), math.nan))
        whose = f"{label} of {system}" if system else label
        if len(found) != n and (system, label) in told and not system:
            raise InputError(
                f"report: {len(found)} samples have a score of {whose}, and the results are of {n}; give all of those "
                "that the results are of"
            )
        mean = math.fsum(found) / n if len(found) == n and n else math.nan
        if abs(mean - score) > _NEAR:
            raise InputError(
                f"report: these are not the samples of the results: the mean of {whose} is {mean:.4f} in the samples, "
                f"and {score:.4f} in the results; give those of the same run"
            )
