"""Relevance of summaries by group, rated by a chat model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from fairsum_reproductions.contract import Input, Intervals
from fairsum_reproductions.news._answers import Rating, parse_rating, relevance_prompt
from fairsum_utils.errors import InputError
from fairsum_utils.families.coverage.llm_units import get_chat
from fairsum_utils.families.entities.samples import Sample, check_row
from fairsum_utils.families.warnings import only_one
from fairsum_utils.measures._coverage import CoverageMeasure
from fairsum_utils.reports.tables import Cell, Marked, Part, Table, number
from fairsum_utils.reports.wording import opening
from fairsum_utils.settings import Location, override
from fairsum_utils.settings.models import InferenceSettings
from fairsum_utils.stats.arrays import Bools, Floats
from fairsum_utils.stats.bootstrap import bootstrap_sums, cluster_sums
from fairsum_utils.stats.intervals import FEWEST_FOR_SPREADS, Estimate, Moments, drawn_interval, mean_interval
from fairsum_utils.validation import count

if TYPE_CHECKING:
    from fairsum_utils.inference.chat import Chat

INPUTS = (
    Input(
        "summaries",
        "summaries and the articles they are of",
        columns={"text": "the article, or list of its parts", "prediction": "the summary"},
        optional={
            "text_group": "group of the article's persons, or name of its corpus",
            "article_id": "original that the article was made from",
        },
    ),
)

_OF_SAMPLE = {"text_group": "groups", "article_id": "article_ids"}
"""Columns that all summaries have, or none -> columns of the measures."""
# Least and largest rating.
_LIMITS = (1.0, 5.0)
_RANGE = _LIMITS[1] - _LIMITS[0]


class RelevanceSettings(InferenceSettings, Intervals):
    """Chat model, and resampling of originals."""

    chat_model: Location | None = override(
        CoverageMeasure,
        "chat_model",
        help="name of a chat model at `chat_url`, or id or folder of a local one; the paper's is gpt-3.5-turbo-1106",
        key="chat",
    )
    chat_url: str | None = override(
        CoverageMeasure,
        "chat_url",
        help="OpenAI-compatible endpoint, with its key in $OPENAI_API_KEY",
    )
    batch_tokens: None = None
    on_truncate: Literal["warn"] = "warn"

    def check_together(self) -> None:
        """Require a model."""
        if self.chat_model is None:
            raise InputError(f"{self.module}: chat_model is missing (--set chat_model=ID); name a chat model")


SETTINGS = RelevanceSettings


def compute(summaries: Sequence[Mapping[str, Any]], *, settings: RelevanceSettings) -> dict[str, Any]:
    """Ask for a score of each summary, and compare means by group.

    Empty summaries, and answers without a single score in range, are left out and counted. Answers are kept in the
    cache, so that an interrupted run goes on where it stopped.
    """
    samples = _samples(settings.module, summaries)
    chosen = {name: getattr(settings, name) for name in ("chat_model", "chat_url", "device", "dtype", "cache")}
    with get_chat(CoverageMeasure.make({"splitter": "llm", **chosen}, module=settings.module)) as chat:
        ratings = rate(samples, chat)
    return compare_groups(samples, ratings, settings.seeded())


def _samples(module: str, rows: Sequence[Mapping[str, Any]]) -> list[Sample]:
    """Check all rows before any request."""
    given = {name: [row.get(name) for row in rows] for name in _OF_SAMPLE}
    for name, column in given.items():
        missing = [place for place, entry in enumerate(column) if entry is None]
        if 0 < len(missing) < len(column):
            raise InputError(
                f"{module}: sample {missing[0]} has no {name}, but others have; fill it in, remove the sample, or "
                "leave all empty"
            )
    return [
        check_row(
            module,
            place,
            {
                "predictions": row["prediction"],
                "sources": row["text"] if isinstance(row["text"], (list, tuple)) else [row["text"]],
                **{column: row[name] for name, column in _OF_SAMPLE.items() if row.get(name) is not None},
            },
        )
        for place, row in enumerate(rows)
    ]


def rate(samples: Sequence[Sample], chat: Chat) -> list[Rating]:
    """Ask a chat model how relevant summaries are; empty ones are not asked for.

    Source: Steen and Markert 2024, section 8.1 and appendix I.
    """
    asked = [sample for sample in samples if sample.prediction.strip()]
    prompts = [relevance_prompt("\n\n".join(sample.sources or ()), sample.prediction) for sample in asked]
    answers = chat.complete(prompts) if prompts else []
    ratings = {sample.index: parse_rating(answer) for sample, answer in zip(asked, answers, strict=True)}
    empty = Rating(math.nan, "", "", "empty_prediction")
    return [ratings.get(sample.index, empty) for sample in samples]


def compare_groups(samples: Sequence[Sample], ratings: Sequence[Rating], settings: Intervals) -> dict[str, Any]:
    """Compare mean scores by group, with intervals that resample originals.

    As the largest difference is never negative, its interval does not reach below 0 where groups are equal; signed
    ones do.

    Source: Steen and Markert 2024, tables 4, 7 and 9.
    """
    rows = sorted(  # so that the order of samples changes no bit of a sum
        (sample.article, sample.group or "", rating.score)
        for sample, rating in zip(samples, ratings, strict=True)
        if rating.skipped is None
    )
    scores = np.array([score for *_, score in rows])
    names = sorted({sample.group for sample in samples if sample.group is not None})
    members = np.array([[group == name for name in names] for _, group, _ in rows], dtype=bool)
    members = members.reshape(len(rows), len(names))
    by_group = {name: scores[inside] for name, inside in zip(names, members.T, strict=True)}
    means = {name: _mean(part) for name, part in by_group.items()}
    originals, clusters = np.unique([article for article, *_ in rows], return_inverse=True)
    skipped = Counter(rating.skipped for rating in ratings if rating.skipped is not None)
    result: dict[str, Any] = {
        "relevance": _mean(scores),
        "relevance_std": _std(scores),
        "relevance_by_group": means,
        "std_by_group": {name: _std(part) for name, part in by_group.items()},
        "n_by_group": {name: len(part) for name, part in by_group.items()},
        "max_difference": float(np.ptp([*means.values()])) if len(means) > 1 else math.nan,
        "differences": [
            {"group_a": a, "group_b": b, "difference": means[a] - means[b]} for a, b in combinations(names, 2)
        ],
        "n_samples": len(rows),
        "n_articles": len(originals),
        "n_skipped": skipped.total(),
        "skipped": dict(sorted(skipped.items())),
        "ratings": [rating._asdict() for rating in ratings],
        "undefined": _undefined(by_group, n=len(rows), n_articles=len(originals)),
    }
    return result | _intervals(result, scores, members, clusters, settings)


def _mean(scores: Floats) -> float:
    return float(scores.mean()) if len(scores) else math.nan


def _std(scores: Floats) -> float:
    return float(scores.std(ddof=1)) if len(scores) > 1 else math.nan


def _replicates(scores: Floats, members: Bools, clusters: npt.NDArray[np.intp], settings: Intervals) -> Floats:
    """Return group means, shape (B, G); NaN if no sample was drawn."""
    if clusters.max(initial=0) == 0:
        return np.empty((0, members.shape[1]))
    columns = np.column_stack([members, members * scores[:, None]])
    sums = bootstrap_sums(cluster_sums(columns, clusters), n_resamples=settings.n_resamples, seed=settings.seed)
    counts, totals = np.split(sums, 2, axis=1)
    return np.divide(totals, counts, out=np.full_like(totals, np.nan), where=counts > 0)


def _intervals(
    result: Mapping[str, Any], scores: Floats, members: Bools, clusters: npt.NDArray[np.intp], settings: Intervals
) -> dict[str, Any]:
    """Return the intervals of means, differences and the largest difference."""
    level, n, differences = settings.confidence_level, result["n_articles"], result["differences"]
    moments = Moments.of(np.bincount(clusters, scores).astype(np.float64), np.bincount(clusters).astype(np.float64))
    replicates = _replicates(scores, members, clusters, settings)
    for difference, (a, b) in zip(differences, combinations(replicates.T, 2), strict=True):
        difference["ci"] = list(drawn_interval(difference["difference"], a - b, level, n, (-_RANGE, _RANGE)))
    largest = np.ptp(replicates, axis=1) if differences else np.empty(0)
    estimate = Estimate(result["max_difference"], "expanded", n, largest, limits=(0.0, _RANGE), unit="originals")
    if len(differences) > 1:
        estimate = estimate._replace(method="corrected", fewest=FEWEST_FOR_SPREADS)
    if n > 1 and estimate.withheld and not math.isnan(estimate.score):
        result["undefined"]["max_difference_ci"] = estimate.withheld
    return {
        "relevance_ci": list(mean_interval(moments, level, _LIMITS)),
        "max_difference_ci": list(estimate.interval(level)),
        "lost": float(np.isnan(largest).mean()) if len(largest) else math.nan,
    }


def _undefined(by_group: Mapping[str, Floats], *, n: int, n_articles: int) -> dict[str, str]:
    """Map undefined results to reasons."""
    reasons = {}
    if n == 0:
        reasons["relevance"] = "no summary has a score"
    if n < 2:
        reasons["relevance_std"] = "fewer than two summaries have a score"
    unrated = [name for name, scores in by_group.items() if not len(scores)]
    if len(by_group) < 2:
        reasons["max_difference"] = only_one("group", by_group) if by_group else "no groups were given"
    elif unrated:
        reasons["max_difference"] = f"no summary of {', '.join(unrated)} has a score"
    if n_articles < 2:
        reasons["intervals"] = "fewer than two originals have scores"
    return reasons


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out means by group and differences, in the form of the paper's tables."""
    rows = [
        [group, result["n_by_group"][group], _points(mean), _points(result["std_by_group"][group]), None]
        for group, mean in result["relevance_by_group"].items()
    ]
    everything = [_points(result["relevance"]), _points(result["relevance_std"]), _ends(result["relevance_ci"])]
    rows.append(["all", result["n_samples"], *everything])
    originals = f"{count(result['n_articles'], 'original')}; scores from 1 (irrelevance) to 5 (perfect relevance)"
    found: list[Part] = [
        [opening("summaries", result), originals],
        Table(["group", "samples", "mean", "std", "interval"], rows),
    ]
    if result["differences"]:
        pairs: list[list[Cell]] = [
            [f"{pair['group_a']} - {pair['group_b']}", _points(pair["difference"]), _ends(pair["ci"])]
            for pair in result["differences"]
        ]
        pairs.append(["largest", _points(result["max_difference"]), _ends(result["max_difference_ci"])])
        found.append(Table(["difference", "points", "interval"], pairs))
    if result["lost"] > 0:
        lost = number(100 * result["lost"], 1)
        found.append([f"{lost}% of the resampled data sets lacked a group and were left out."])
    return found


def _points(score: float) -> Marked:
    return Marked(score, digits=2)


def _ends(ends: Sequence[float]) -> str:
    return f"[{number(ends[0], 2)}, {number(ends[1], 2)}]"
