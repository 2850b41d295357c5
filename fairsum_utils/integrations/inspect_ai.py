"""A scorer of inspect-ai for every measure, and tasks: ``fairsum_utils/bold`` and ``fairsum_utils/perspectivesumm``.

    inspect score logs/run.json --scorer fairsum_utils/fairness -S measure=uer

The scorer reads the columns of a sample, such as ``sources`` and ``values``, from its metadata, so it also works on
logs of other tasks. It reports the result of all samples with its interval.

    inspect eval fairsum_utils/bold -T config=race -T data_dir=folder/with/bold --model openai/gpt-4o-mini
    inspect eval fairsum_utils/perspectivesumm -T config=yelp --limit 100 --model hf/gpt2 -M do_sample=false

Summaries are asked for at temperature 0, which the provider ``hf`` takes with ``do_sample=false`` only.

Input comes from ``data_dir``, else from the folder that FAIRSUM_DATA_DIR names, else it is downloaded. The metadata of
each score keep what was counted in the answer; every metric is computed from these, over all samples and epochs.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fairsum_utils.corpora.catalog import corpus, iter_rows
from fairsum_utils.errors import require
from fairsum_utils.generation.settings import PRESETS
from fairsum_utils.integrations.benchmarks import (
    CONTINUATION_MEASURES,
    data_folder,
    judge_continuation,
    judge_summary,
    result,
    sample_scores,
    turns,
)
from fairsum_utils.integrations.judging import Judge
from fairsum_utils.measures import DEFAULT_METRICS

require("inspect_ai", extra="inspect", purpose="run tasks of inspect-ai")

# Its registry knows a task, scorer or metric once the decorated function has been imported.
from inspect_ai import Task, task  # noqa: E402
from inspect_ai.dataset import MemoryDataset, Sample  # noqa: E402
from inspect_ai.model import GenerateConfig  # noqa: E402
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer  # noqa: E402
from inspect_ai.solver import TaskState, generate  # noqa: E402

logger = logging.getLogger(__name__)


# Key of the metadata for the record of a verdict.
_RECORD = "fairsum"
# Value of a sample that was skipped, or of a measure without scores of single samples.
_NO_SCORE = "no score"

# Key of the metadata for the record of a summary, which serves all measures; a labelled text has one a measure.
_SUMMARY = "summary"


def _measure(name: str) -> Callable[..., Metric]:
    """Return a metric; ``parts=False`` omits the parts of a score."""
    key = name if name in CONTINUATION_MEASURES else _SUMMARY

    def over_all(parts: bool = True) -> Metric:
        def compute(scores: list[SampleScore]) -> Value:
            scored = result(name, [(score.score.metadata or {})[key] for score in scores])
            if not math.isfinite(scored[name]):  # as at first, while samples come in
                logger.info("%s is undefined: %s", name, scored["undefined"])
            return {name: scored[name], **(dict(_parts(name, scored)) if parts else {})}

        return compute

    measure: Callable[..., Metric] = metric(name=name, scores="unreduced")(over_all)
    return measure


def _parts(name: str, scored: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Return the parts of a score: figures by group, or label shares."""
    for value, score in scored.get(f"{name}_by_value", {}).items():
        yield f"{name}_{value}", score
    for group, shares in scored.get("proportions_by_group", {}).items():
        for label, share in shares.items():
            yield f"{name}_{group}_{label}", share


_METRICS = {name: _measure(name) for name in (*CONTINUATION_MEASURES, *DEFAULT_METRICS)}
globals().update(_METRICS)  # so that other tasks can import them by name


@scorer(metrics=[_METRICS[name]() for name in CONTINUATION_MEASURES])
def polarity() -> Scorer:
    """Label a continued prompt; the value is each measure's label.

    Samples have ``prompt`` and ``group`` in their metadata.
    """

    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        records = judge_continuation(state.metadata["prompt"], text, state.metadata["group"])
        labels = {name: ", ".join(records[name]["labels"]) for name in CONTINUATION_MEASURES}
        return Score(value=labels, answer=text, metadata=records)

    return score


@scorer(metrics=[_METRICS[name]() for name in DEFAULT_METRICS])
def representation() -> Scorer:
    """Score a summary's representation; the value is each measure's score.

    Samples have ``sources`` and ``values`` in their metadata. An empty summary is not scored.
    """

    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        record = judge_summary(text, state.metadata["sources"], state.metadata["values"])
        scores = sample_scores(record)
        if scores is None:
            return Score.unscored(reason=record["skipped"], answer=text, metadata={_SUMMARY: record})
        return Score(value=scores, answer=text, metadata={_SUMMARY: record})

    return score


@metric(name="whole", scores="unreduced")
def whole() -> Metric:
    """Compute the result of all samples: the score, its interval and its chance level."""

    def compute(scores: list[SampleScore]) -> Value:
        records = [(score.score.metadata or {})[_RECORD] for score in scores]
        if not records:
            return {}
        name = records[0]["fairsum"]
        scored = Judge(name, **records[0]["settings"]).result(records)
        if "undefined" in scored:
            logger.info("%s is undefined: %s", name, scored["undefined"])
        low, high = scored.get(f"{name}_ci", (math.nan, math.nan))
        shown = {name: scored[name], f"{name}_ci_low": low, f"{name}_ci_high": high}
        key = f"{name}_at_random"
        return {**shown, **({key: scored[key]} if key in scored else {}), **dict(_parts(name, scored))}

    return compute


@scorer(metrics=[whole()])
def fairness(measure: str = "bur", threshold: float = 0.0, **settings: Any) -> Scorer:
    """Score the completion of a sample by any measure; lower is fairer.

    Args:
        measure: name of the measure.
        threshold: largest distance from the fairest score at which a sample passes.
        **settings: settings of the measure.
    """
    judge = Judge(measure, threshold=threshold, **settings)

    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        verdict = judge.verdict_among({**state.metadata, "predictions": text})
        value = _NO_SCORE if verdict.score is None else verdict.score
        return Score(value=value, answer=text, explanation=verdict.reason, metadata={_RECORD: verdict.record})

    return score


@task
def bold(config: str = "gender", data_dir: str | None = None, **options: Any) -> Task:
    """Continue the prompts of BOLD; labels of what was written, by group.

    Generates as Dhamala et al. 2021 do with GPT-2. Groups take turns, so that a limit keeps texts of every group; empty
    prompts are left out.

    Args:
        config: gender, race, profession, religious_ideology, political_ideology or all.
        data_dir: folder with the published files; None takes the one that FAIRSUM_DATA_DIR names, or downloads.
        **options: options of the data set, see `fairsum_utils.load_dataset`.

    Raises:
        InputError: an unknown configuration or option.
        DataSourceError: the input is missing or malformed.
    """
    rows = list(iter_rows("bold", config, data_dir=data_folder(data_dir), **options))
    order = turns([row["prompt"] for row in rows], [row["group"] for row in rows])
    samples = [_sample(rows[position], "prompt", "group") for position in order]
    return Task(
        dataset=MemoryDataset(samples, name=f"bold_{config}"),
        solver=generate(),
        scorer=polarity(),
        config=_generation("gpt2"),
    )


@task
def perspectivesumm(config: str = "yelp", data_dir: str | None = None, **options: Any) -> Task:
    """Return a task that summarizes PerspectiveSumm with the paper's prompts.

    Args:
        config: claritin, us_election, yelp, amazon, supreme_court or iq2, or another of the data set's.
        data_dir: folder with the input; None takes the one that FAIRSUM_DATA_DIR names, or downloads.
        **options: options of the data set, see `fairsum_utils.load_dataset`, such as ``attribute`` or ``seed``.

    Raises:
        InputError: an unknown configuration or option.
        DataSourceError: the input is missing or malformed.
    """
    rows = iter_rows("perspectivesumm", config, data_dir=data_folder(data_dir), **options)
    # The speakers of debates are hundreds of people; figures of each would hide the scores.
    attributes = corpus("perspectivesumm").configurations[config].attributes
    few = attributes[options.get("attribute") or next(iter(attributes))] is not None
    return Task(
        dataset=MemoryDataset([_sample(row, "sources", "values") for row in rows], name=f"perspectivesumm_{config}"),
        solver=generate(),
        scorer=representation(),
        metrics=[_METRICS[name](parts=few) for name in DEFAULT_METRICS],
        config=_generation("summary"),
    )


def _sample(row: Mapping[str, Any], *needed: str) -> Sample:
    return Sample(input=row["prompt"].rstrip(), id=row["id"], metadata={name: row[name] for name in needed})


def _generation(preset: str) -> GenerateConfig:
    settings = PRESETS[preset]
    return GenerateConfig(
        max_tokens=settings["max_new_tokens"],
        temperature=settings["temperature"],
        top_p=settings.get("top_p"),
        top_k=settings.get("top_k"),
    )
