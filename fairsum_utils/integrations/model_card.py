"""Scores in the evaluation section of a model card."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.measures import get_measure, measure_names
from fairsum_utils.results.exports import Score, Subject, dataset_of, eval_results, is_number
from fairsum_utils.results.record import read_record


class Scores(NamedTuple):
    """Results of measures on a data set.

    Attributes:
        defined: measure -> its result, of those with a number.
        undefined: measures without a score, which a card cannot include.
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
    """Return a card with scores in its evaluation section.

    A score takes the place of one of the same measure, data set, configuration, split and signature.

    Raises:
        InputError: the metadata of the card cannot be read, or would not be kept.
    """
    import yaml
    from huggingface_hub import ModelCard

    name = model.split("/")[-1]
    try:
        written = ModelCard(f"---\n{{}}\n---\n# {name}\n" if card is None else card)
    except (yaml.YAMLError, ValueError, TypeError, AttributeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"publish: the metadata in the card of {model} cannot be read: {reason}; correct it") from None
    defined = [Score(label, get_measure(label), result) for label, result in scores.defined.items()]
    ours = eval_results(defined, Subject(model, scores.dataset, scores.config, scores.split))
    places = list(map(_place, ours))
    written.data.eval_results = [one for one in written.data.eval_results or () if _place(one) not in places] + ours
    written.data.model_name = written.data.model_name or name
    if changed := _changed_keys(card or "", str(written)):
        raise InputError(
            f"publish: the metadata {', '.join(changed)} in the card of {model} would be read as something else; put "
            'the text in quotes, such as language: "no"'
        )
    return str(written)


def _changed_keys(before: str, after: str) -> list[str]:
    """Return the keys of a card's metadata that are written differently, evaluation aside.

    Example:
        >>> _changed_keys("---\\nlanguage: no\\ntags: [a]\\n---\\n", "---\\nlanguage: false\\ntags:\\n- a\\n---\\n")
        ['language']
    """
    import yaml
    from huggingface_hub.repocard import REGEX_YAML_BLOCK

    found = [REGEX_YAML_BLOCK.search(card) for card in (before, after)]
    # This loader makes strings, lists and dicts only, so that it shows what is written.
    old, new = (yaml.BaseLoader(block[2]).get_data() or {} if block else {} for block in found)
    return [key for key, entry in old.items() if key != "model-index" and entry != new.get(key, "")]


def _place(result: Any) -> tuple[Any, ...]:
    """Return what a score is of: task, data set, measure and signature."""
    arguments = result.metric_args
    signature = arguments.get("signature") if isinstance(arguments, dict) else arguments
    return (*result.unique_identifier, result.metric_type, signature)
