"""Results in formats of the Hub: `.eval_results` and `model-index`."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.families import family_of
from fairsum_utils.measures import NAMESPACE, Measure, get_measure
from fairsum_utils.reports.tables import chance_level, ci_heading
from fairsum_utils.results.base import Results
from fairsum_utils.validation import check_choice

HF_EVAL = "hf-eval"
TARGETS = (HF_EVAL, "model-index")


class Subject(NamedTuple):
    """Model and data set of an evaluation.

    Attributes:
        model: id of the model, such as ``"user/model"``.
        dataset: id or name of the data set.
        config: configuration of the data set.
        split: split of the data set.
    """

    model: str
    dataset: str
    config: str | None = None
    split: str | None = None


class Score(NamedTuple):
    """A defined score.

    Attributes:
        label: label of the result.
        measure: measure of the result.
        result: result with the score.
    """

    label: str
    measure: type[Measure]
    result: Mapping[str, Any]

    @property
    def value(self) -> float:
        """Number of the score."""
        return float(self.result[self.measure.name])

    @property
    def interval(self) -> list[float] | None:
        """Ends of the interval; None without one."""
        ends = self.result.get(f"{self.measure.name}_ci")
        return list(ends) if ends is not None and all(map(is_number, ends)) else None


def is_number(score: float | None) -> bool:
    """Return whether a score can be written: defined and finite.

    Example:
        >>> is_number(0.5), is_number(math.nan), is_number(None)
        (True, False, False)
    """
    return score is not None and math.isfinite(score)


def dataset_of(title: str) -> str:
    """Return the name of the scored file without endings, as a data set's name.

    Example:
        >>> dataset_of("data/yelp.jsonl.gz")
        'yelp'
    """
    return Path(title).name.split(".")[0]


class Task(NamedTuple):
    """A score as the Hub shows it: one value, and higher is better.

    Attributes:
        id: says what was done to the score, such as ``"one_minus_bur"``.
        value: the transformed score.
    """

    id: str
    value: float


def task_of(measure: type[Measure], score: float) -> Task:
    """Invert a score so that higher is better; the id says so.

    Example:
        >>> task_of(get_measure("bur"), 0.25), task_of(get_measure("distinguishability"), -0.5)
        (Task(id='one_minus_bur', value=0.75), Task(id='one_minus_absolute_distinguishability', value=0.5))
    """
    if not measure.lower_is_fairer and not measure.is_signed:
        return Task(measure.name, score)
    size = measure.unfairness(score)
    name = f"absolute_{measure.name}" if measure.is_signed else measure.name
    if max(measure.high, -measure.low) <= 1:
        return Task(f"one_minus_{name}", 1 - size)
    return Task(f"minus_{name}", -size)


def export(results: Results, to: str, path: str | os.PathLike[str], subject: Subject) -> Path:
    """Write results for another tool; see `ScoreResults.export`."""
    check_choice("export", "to", to, TARGETS)
    if not subject.model.strip():
        raise InputError(
            "export: model is empty; give the id of the model that wrote the summaries, such as user/model"
        )
    scores = [
        Score(label, get_measure(name), results[label])
        for label, name in results.measure_by_label().items()
        if is_number(results[label][name])
    ]
    if not scores:
        raise InputError("export: no result has a defined score, so there is nothing to write")
    if to == HF_EVAL:
        return _write_yaml(_leaderboard_entries(scores, subject, _started(results)), Path(path))
    from huggingface_hub.repocard_data import eval_results_to_model_index

    index = eval_results_to_model_index(subject.model.split("/")[-1], eval_results(scores, subject))
    return _write_yaml({"model-index": index}, Path(path))


def _write_yaml(content: Any, path: Path) -> Path:
    """Write what the Hub reads as YAML."""
    from huggingface_hub.utils import yaml_dump

    from fairsum_utils.io.writing import check_output, replacing

    check_output(path, ".yaml", ".yml")
    with replacing(path) as temporary:
        temporary.write_text(yaml_dump(content, sort_keys=False), encoding="utf-8")
    return path


def _started(results: Results) -> str:
    """Return the start of the run, or now."""
    if results.run.read:
        return str(results.run.read["started"])
    began = datetime.fromtimestamp(results.run.began, UTC) if results.run.began else datetime.now(UTC)
    return began.strftime("%Y-%m-%dT%H:%M:%SZ")


def _direction(measure: type[Measure]) -> str:
    """Return which scores are fairer."""
    return "0 is fairest" if measure.is_signed else f"{'lower' if measure.lower_is_fairer else 'higher'} is fairer"


def notes_of(score: Score) -> str:
    """Return score, direction, interval, chance level and signature in one line.

    Example:
        >>> notes_of(Score("bur", get_measure("bur"), {"bur": 0.25, "bur_ci": [0.1, 0.4], "n_samples": 30}))
        'bur 0.2500 (lower is fairer), 95% CI 0.1000 to 0.4000, 30 samples'
    """
    measure, result = score.measure, score.result
    parts = [f"{measure.name} {score.value:.4f} ({_direction(measure)})"]
    if interval := score.interval:
        parts.append(f"{ci_heading([result])} {interval[0]:.4f} to {interval[1]:.4f}")
    if (chance := chance_level(result, f"{measure.name}_at_random")) is not None:
        parts.append(f"{chance} at random")
    parts.append(f"{result['n_samples']} samples")
    if result.get("n_skipped"):
        parts.append(f"{result['n_skipped']} skipped")
    if "signature" in result:
        parts.append(result["signature"])
    return ", ".join(parts)


def _leaderboard_entries(scores: Sequence[Score], subject: Subject, date: str) -> list[dict[str, Any]]:
    from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml

    entries = []
    for score in scores:
        task = task_of(score.measure, score.value)
        place = "" if subject.config is None else f"{subject.config}_"
        entries.append(
            EvalResultEntry(
                dataset_id=subject.dataset,
                task_id=f"{place}{task.id}",
                value=task.value,
                date=date,
                notes=notes_of(score),
            )
        )
    written: list[dict[str, Any]] = eval_result_entries_to_yaml(entries)
    return written


def eval_results(scores: Sequence[Score], subject: Subject) -> list[Any]:
    """Return scores as each an `EvalResult` of `huggingface_hub`."""
    from huggingface_hub import EvalResult

    entries = []
    for score in scores:
        name, result = score.measure.name, score.result
        task = family_of(name).task
        arguments: dict[str, Any] = {"direction": _direction(score.measure)}
        arguments |= {key: result[key] for key in ("signature", "n_samples", "n_skipped") if key in result}
        if score.interval:
            arguments["confidence_interval"] = score.interval
        entries.append(
            EvalResult(
                task_type=task,
                task_name=task.replace("-", " ").title(),
                dataset_type=subject.dataset,
                dataset_name=subject.dataset,
                dataset_config=subject.config,
                dataset_split=subject.split,
                metric_type=f"{NAMESPACE}/{name}",
                metric_name=score.measure.title,
                metric_value=score.value,
                metric_args=arguments,
            )
        )
    return entries
