"""Results in formats of others: Every Eval Ever, the Hub's `.eval_results`, and `model-index`."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from fairsum_utils._version import __version__
from fairsum_utils.errors import InputError, require
from fairsum_utils.families import family_of
from fairsum_utils.families.settings import USUAL_LEVEL
from fairsum_utils.io.tables import INSTANCE
from fairsum_utils.measures import NAMESPACE, Measure, get_measure
from fairsum_utils.reports.tables import ci_heading
from fairsum_utils.validation import check_choice

if TYPE_CHECKING:
    from fairsum_utils.results.results import ScoreResults
    from fairsum_utils.results.samples import Entry

EVERY_EVAL_EVER = "every-eval-ever"
HF_EVAL = "hf-eval"
TARGETS = (EVERY_EVAL_EVER, HF_EVAL, "model-index")
NOT_RESULTS = {
    "croissant": "croissant describes data sets, not results; fairsum data export writes croissant.json with the data"
}
"""Targets that results cannot have, and the command to use instead."""
SCHEMA_VERSION = "0.3.0"
"""Of Every Eval Ever, aggregate and instances."""

_LIBRARY = "fairsum-utils"
_UNKNOWN = "unknown"


class Subject(NamedTuple):
    """Model, data set and publisher of an evaluation.

    Attributes:
        model: id of the model, such as ``"user/model"``.
        dataset: id or name of the data set.
        config: configuration of the data set.
        split: split of the data set.
        organization: organization that publishes the results.
    """

    model: str
    dataset: str
    config: str | None = None
    split: str | None = None
    organization: str = _UNKNOWN


class Score(NamedTuple):
    """A defined score.

    Attributes:
        label: label of the result.
        measure: measure of the result.
        result: result with the score.
    """

    label: str
    measure: Measure
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


def task_of(measure: Measure, score: float) -> Task:
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


def export(
    results: ScoreResults,
    to: str,
    path: str | os.PathLike[str],
    subject: Subject,
    *,
    samples: str | os.PathLike[str] | None = None,
) -> list[Path]:
    """Write results for another tool; see `ScoreResults.export`."""
    if to in NOT_RESULTS:
        raise InputError(f"export: {NOT_RESULTS[to]}")
    check_choice("export", "to", to, TARGETS)
    if not subject.model.strip():
        raise InputError(
            "export: model is empty; give the id of the model that wrote the summaries, such as user/model"
        )
    scores = [
        Score(label, get_measure(name), results[label])
        for label, name in results._measures().items()
        if is_number(results[label][name])
    ]
    if not scores:
        raise InputError("export: no result has a defined score, so there is nothing to write")
    if to == EVERY_EVAL_EVER:
        return _write_every_eval_ever(scores, Path(path), subject, _started(results), samples)
    if samples is not None:
        raise InputError(f"export: samples are for {EVERY_EVAL_EVER}, found to={to!r}; leave them out")
    require("huggingface_hub", extra="hub", purpose="write results for the Hub")
    if to == HF_EVAL:
        return [_write_yaml(_eval_results(scores, subject, _started(results)), Path(path))]
    return [_write_yaml({"model-index": model_index(scores, subject)}, Path(path))]


def _write_yaml(content: Any, path: Path) -> Path:
    """Write what the Hub reads as YAML."""
    from huggingface_hub.utils import yaml_dump

    from fairsum_utils.io.writing import check_output, replacing

    check_output(path, ".yaml", ".yml")
    with replacing(path) as temporary:
        temporary.write_text(yaml_dump(content, sort_keys=False), encoding="utf-8")
    return path


def _started(results: ScoreResults) -> str:
    """Return the start of the run, or now."""
    if results.run.read:
        return str(results.run.read["started"])
    began = datetime.fromtimestamp(results.run.began, UTC) if results.run.began else datetime.now(UTC)
    return began.strftime("%Y-%m-%dT%H:%M:%SZ")


def _direction(measure: Measure) -> str:
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
    if is_number(chance := result.get(f"{measure.name}_at_random")):
        parts.append(f"{chance:.4f} at random")
    parts.append(f"{result['n_samples']} samples")
    if result.get("n_skipped"):
        parts.append(f"{result['n_skipped']} skipped")
    if "signature" in result:
        parts.append(result["signature"])
    return ", ".join(parts)


def _eval_results(scores: Sequence[Score], subject: Subject, date: str) -> list[dict[str, Any]]:
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


def model_index(scores: Sequence[Score], subject: Subject) -> list[dict[str, Any]]:
    """Return scores as `huggingface_hub` writes them into a card."""
    from huggingface_hub import repocard_data as library

    entries = []
    for score in scores:
        name, result = score.measure.name, score.result
        task = family_of(name).task
        arguments: dict[str, Any] = {"direction": _direction(score.measure)}
        arguments |= {key: result[key] for key in ("signature", "n_samples", "n_skipped") if key in result}
        if score.interval:
            arguments["confidence_interval"] = score.interval
        entries.append(
            library.EvalResult(
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
    index: list[dict[str, Any]] = library.eval_results_to_model_index(subject.model.split("/")[-1], entries)
    return index


def _write_every_eval_ever(
    scores: Sequence[Score],
    folder: Path,
    subject: Subject,
    started: str,
    samples: str | os.PathLike[str] | None,
) -> list[Path]:
    """Write the aggregate and the instances of given samples into the store."""
    from fairsum_utils.io.writing import replacing

    document = _aggregate(scores, subject, started)
    # The store wants a version 4, and the same results should give the same file.
    name = UUID(bytes=hashlib.sha256(document["evaluation_id"].encode()).digest()[:16], version=4)
    developer, _, model = subject.model.rpartition("/")
    place = PurePosixPath("data", subject.dataset.rpartition("/")[2], developer.replace("/", "_") or _UNKNOWN, model)
    contents: dict[Path, str] = {}
    if samples is not None:
        instances = place / f"{name}_samples.jsonl"
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in _instances(scores, samples, document)]
        content = "".join(lines)
        document["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": str(instances),
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(content.encode()).hexdigest(),
            "total_rows": len(lines),
        }
        contents[folder / instances] = content
    contents[folder / place / f"{name}.json"] = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    (folder / place).mkdir(parents=True, exist_ok=True)
    for path, content in contents.items():
        with replacing(path) as temporary:
            temporary.write_text(content, encoding="utf-8", newline="")
    return list(contents)


def _aggregate(scores: Sequence[Score], subject: Subject, started: str) -> dict[str, Any]:
    """Return the aggregate file: who evaluated which model with what, and all scores."""
    evaluation_id = f"{subject.dataset}/{subject.model}/{started}".replace(" ", "_")
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation_id,
        "evaluation_timestamp": started,
        "retrieved_timestamp": f"{datetime.fromisoformat(started).timestamp():.0f}",
        "source_metadata": {
            "source_name": _LIBRARY,
            "source_type": "evaluation_run",
            "source_organization_name": subject.organization,
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": _LIBRARY, "version": __version__},
        "model_info": {
            "name": subject.model,
            "id": subject.model,
            "developer": subject.model.rpartition("/")[0] or _UNKNOWN,
            "additional_details": {"deployment_type": _UNKNOWN, "model_availability": _UNKNOWN},
        },
        "evaluation_results": [_evaluation_result(score, subject, evaluation_id) for score in scores],
    }


def _evaluation_result(score: Score, subject: Subject, evaluation_id: str) -> dict[str, Any]:
    """Return one score with its direction, range, interval, chance level and settings."""
    label, measure, result = score
    name = measure.name
    source: dict[str, Any] = {"dataset_name": subject.dataset, "source_type": "other"}
    if "/" in subject.dataset:
        source = {"dataset_name": subject.dataset, "source_type": "hf_dataset", "hf_repo": subject.dataset}
        source |= {} if subject.split is None else {"hf_split": subject.split}
        source["samples_number"] = result["n_samples"] + result["n_skipped"]
    if subject.config is not None:
        source["additional_details"] = {"config": subject.config}
    more = {key: result.get(f"{name}_{key}") for key in ("at_random", "at_random_range")}
    more |= {key: value for key, value in result.items() if key in ("n_skipped", "skipped", "signature", "settings")}
    uncertainty: dict[str, Any] = {"num_samples": result["n_samples"]}
    settings = result.get("settings", {})
    if interval := score.interval:
        uncertainty["confidence_interval"] = {
            "lower": interval[0],
            "upper": interval[1],
            "confidence_level": settings.get("confidence_level") or USUAL_LEVEL,
            "method": settings.get("interval", "bootstrap"),
        }
    by_group = {key: value for key, value in result.items() if key.startswith(f"{name}_by_")}
    return {
        "evaluation_result_id": f"{evaluation_id}#{label}",
        "evaluation_name": label,
        "source_data": source,
        "metric_config": {
            "evaluation_description": f"{measure.title}; {notes_of(score)}",
            "metric_id": f"{NAMESPACE}/{name}",
            "metric_name": measure.title,
            "lower_is_better": measure.lower_is_fairer or measure.is_signed,
            "score_type": "continuous",
            "min_score": _bound(measure.low),
            "max_score": _bound(measure.high),
            "additional_details": _strings(more | ({"fairest": 0} if measure.is_signed else {})),
        },
        "score_details": {"score": score.value, "details": _strings(by_group), "uncertainty": uncertainty},
    }


def _bound(end: float) -> float | str:
    return end if math.isfinite(end) else "Infinity" if end > 0 else "-Infinity"


def _strings(details: Mapping[str, Any]) -> dict[str, str]:
    """Write details as strings, which the schema demands; lists and dicts as JSON."""
    given = {key: value for key, value in details.items() if value is not None}
    return {key: value if isinstance(value, str) else json.dumps(value) for key, value in given.items()}


def _instances(
    scores: Sequence[Score], samples: str | os.PathLike[str], document: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each sample and measure that scores single samples."""
    from fairsum_utils.reports.page.contents import Lens
    from fairsum_utils.results.samples import from_file

    lenses = {label: Lens(measure.name, None, result) for label, measure, result in scores}
    found = from_file(samples, lenses)
    n_rows = 0
    columns = {column.name: column for lens in lenses.values() for column in family_of(lens.measure).columns}
    for entry in sorted(found.read(found.labels), key=lambda entry: entry.place):
        if "predictions" not in entry.sample:
            raise InputError(
                f"export: {samples} has no texts; write it with: fairsum score ... --samples FILE --with-texts"
            )
        others = {columns[name]: given for name, given in entry.sample.items() if name != "predictions"}
        metadata = {INSTANCE: "sample", **{column.in_file or column.name: given for column, given in others.items()}}
        for label in found.labels:
            score = entry.records[label].get(lenses[label].measure)
            if isinstance(score, (int, float)) and math.isfinite(score):
                yield _instance(entry, label, float(score), document) | {"metadata": _strings(metadata)}
                metadata = {INSTANCE: "score"}
                n_rows += 1
    if not n_rows:
        raise InputError(f"export: no measure of the results scores single samples of {samples}; leave samples out")


def _instance(entry: Entry, label: str, score: float, document: Mapping[str, Any]) -> dict[str, Any]:
    sources = entry.sample.get("sources", "")
    raw = sources if isinstance(sources, str) else "\n\n".join(sources)
    prediction = entry.sample["predictions"]
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": document["evaluation_id"],
        "model_id": document["model_info"]["id"],
        "evaluation_name": label,
        "evaluation_result_id": f"{document['evaluation_id']}#{label}",
        "sample_id": entry.id,
        "sample_hash": hashlib.sha256(json.dumps([raw, []]).encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": raw, "reference": []},
        "output": {"raw": [prediction]},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": prediction,
                "extraction_method": "custom",
                "is_terminal": True,
            }
        ],
        # The schema requires `is_correct`: true for the fairest score.
        "evaluation": {"score": score, "is_correct": score == 0},
    }
