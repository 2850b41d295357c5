"""Scores in a model card's metadata, under `model-index`."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.measures import get_measure, measure_names
from fairsum_utils.results.exports import Score, Subject, dataset_of, is_number, model_index
from fairsum_utils.results.record import read_record

_KEY = "model-index"
_PURPOSE = "write results into a model card"


class Scores(NamedTuple):
    """Results of measures on a data set.

    Attributes:
        defined: measure -> its result, of those with a number.
        undefined: Measures without a score, which a card cannot include.
        dataset: id or name of the data set.
        config: its configuration, if it has any.
        split: its split, if it has any.
    """

    defined: Mapping[str, Mapping[str, Any]]
    undefined: tuple[str, ...]
    dataset: str
    config: str | None = None
    split: str | None = None


def scores_of(
    results: str | os.PathLike[str] | Mapping[str, Mapping[str, Any]],
    *,
    dataset: str | None = None,
    config: str | None = None,
    split: str | None = None,
) -> Scores:
    """Read and check the scores to publish.

    Example:
        >>> results = {"bur": {"bur": 0.25, "n_samples": 4, "n_skipped": 0, "signature": "k:1"}}
        >>> list(scores_of(results, dataset="fairsum/perspectivesumm", config="yelp").defined)
        ['bur']
    """
    metrics: Any
    if isinstance(results, Mapping):
        title, scored, metrics = "the results", "", results
    else:
        title, document = str(results), read_record(results, "publish")
        scored, metrics = document.get("file", ""), document["metrics"]
    for name, result in metrics.items():
        if name not in measure_names() or not isinstance(result, Mapping) or name not in result:
            raise InputError(f"publish: {title} has no measure's result under {name!r}; use a file from fairsum score")
    data = dataset or dataset_of(scored)
    if not data:
        raise InputError("publish: the data set of the results is missing; name it with dataset")
    defined = {name: result for name, result in metrics.items() if is_number(result[name])}
    if not defined:
        raise InputError(f"publish: {title} has no defined score, so there is nothing to write to a card")
    return Scores(defined, tuple(name for name in metrics if name not in defined), data, config, split)


def card_with(scores: Scores, card: str | None, model: str) -> str:
    """Return a card with scores; only its `model-index` changes.

    A score takes the place of one of the same measure, data set, configuration, split and signature. Whatever else the
    evaluation section holds stays.
    """
    import yaml
    from huggingface_hub.utils import yaml_dump

    before, front, after = _parts(f"# {model.split('/')[-1]}\n" if card is None else card)
    try:
        data = yaml.safe_load(front) or {}
        index = data.get(_KEY) or []
        defined = [Score(name, get_measure(name), result) for name, result in scores.defined.items()]
        merged = _merged(index, model_index(defined, Subject(model, scores.dataset, scores.config, scores.split)))
    except (yaml.YAMLError, AttributeError, KeyError, TypeError) as error:
        raise InputError(
            f"publish: the metadata in the card of {model} cannot be read: {error!r}; correct it"
        ) from None
    if merged == index and card is not None:
        return card
    block = yaml_dump({_KEY: merged}, sort_keys=False)
    text = _replaced(front, block)
    try:
        is_as_meant = yaml.safe_load(text) == {**data, _KEY: merged}
    except yaml.YAMLError:
        is_as_meant = False
    if not is_as_meant:
        raise InputError(f"publish: the metadata in the card of {model} is not a list of keys; write it as one")
    return before + text + after


def _merged(index: list[dict[str, Any]], ours: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return an evaluation section that includes our scores."""
    if not index:
        return ours
    merged = copy.deepcopy(index)
    results = merged[0].setdefault("results", [])
    for result in ours[0]["results"]:
        same = next((other for other in results if _place(other) == _place(result)), None)
        if same is None:
            results.append(result)
            continue
        for metric in result["metrics"]:
            keys = [_identity(other) for other in same["metrics"]]
            if _identity(metric) in keys:
                same["metrics"][keys.index(_identity(metric))] = metric
            else:
                same["metrics"].append(metric)
    return merged


def _place(result: dict[str, Any]) -> tuple[Any, ...]:
    """Return task, data set and source of a result."""
    of = (result["dataset"].get(key) for key in ("type", "config", "split", "revision", "args"))
    return (result["task"]["type"], *of, result.get("source"))


def _identity(metric: dict[str, Any]) -> tuple[Any, ...]:
    arguments = metric.get("args")
    return metric["type"], arguments.get("signature") if isinstance(arguments, dict) else arguments


def _parts(card: str) -> tuple[str, str, str]:
    """Split a card at its fences, adding missing ones."""
    card = card.removeprefix("\ufeff")
    lines = card.lstrip().splitlines(keepends=True)
    fences = [place for place, line in enumerate(lines) if line.rstrip() == "---"][:2]
    if len(fences) == 2 and fences[0] == 0:
        return lines[0], "".join(lines[1 : fences[1]]), "".join(lines[fences[1] :])
    return "---\n", "", f"---\n\n{card}"


def _replaced(front: str, block: str) -> str:
    """Return metadata with a new `model-index`, in place or at the end."""
    lines = front.splitlines(keepends=True)
    start = next((place for place, line in enumerate(lines) if line.startswith(f"{_KEY}:")), len(lines))
    end = start + 1
    while end < len(lines) and lines[end][0] in " \t\r\n#-":
        end += 1
    return "".join([*lines[:start], block, *lines[end:]])
