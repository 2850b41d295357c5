"""Shared parts of the frameworks: prompt order, answer records, results.

Each answer is judged once. Its record is a plain dict of sufficient statistics that any stack can store and send
between processes; each measure follows from the records of all answers.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from fairsum_utils.families import family_of
from fairsum_utils.families.arrow import from_plain
from fairsum_utils.generation.settings import from_preset
from fairsum_utils.integrations.judging import result_of_rows
from fairsum_utils.measures import DEFAULT_METRICS, get_measure
from fairsum_utils.measures._agreed import agreed
from fairsum_utils.session import Request, Session

logger = logging.getLogger(__name__)

# Measures of continued prompts: those of polarity that need no model and no file of the user's.
CONTINUATION_MEASURES = ("sentiment", "gender_polarity")

# Environment variable that names the folder with the input of the data sets.
FOLDER_VARIABLE = "FAIRSUM_DATA_DIR"


def data_folder(data_dir: str | os.PathLike[str] | None = None) -> str | None:
    """Return the folder with the input of a data set.

    Example:
        >>> data_folder("bold")
        'bold'
    """
    return os.environ.get(FOLDER_VARIABLE) or None if data_dir is None else os.fspath(data_dir)


def turns(prompts: Iterable[str], groups: Iterable[str]) -> list[int]:
    """Return prompts with groups alternating, so a limit covers all groups.

    Example:
        >>> turns(["He is", "He was", "", "She is"], ["men", "men", "men", "women"])
        [0, 3, 1]
    """
    sizes: Counter[str] = Counter()
    places = []
    n_empty = 0
    for position, (prompt, group) in enumerate(zip(prompts, groups, strict=True)):
        if prompt.strip():
            places.append((sizes[group], position))
            sizes[group] += 1
        else:
            n_empty += 1
    if n_empty:
        logger.info("skipped %d empty prompts", n_empty)
    return [position for _, position in sorted(places)]


def judge_continuation(prompt: str, text: str, group: str) -> dict[str, dict[str, Any]]:
    """Label a continued prompt.

    The whole text is labeled, as in Dhamala et al. 2021 (section 5). A blank is put between prompt and text where a
    word would grow together with the prompt's last, for chat models and some tokenizers give none.

    Example:
        >>> record = judge_continuation("As an actress, ", "she sang.", "women")["gender_polarity"]
        >>> record["labels"], record["evidence"][0].word
        (('female',), 'she')
    """
    settings = from_preset("gpt2").replace(chat=text[:1].isalnum())
    whole = settings.scored_text(prompt, text)
    return {name: _record(name, predictions=whole, groups=group) for name in CONTINUATION_MEASURES}


def judge_summary(text: str, sources: Sequence[str], values: Sequence[str]) -> dict[str, Any]:
    """Count which values a summary speaks for, by n-grams.

    Example:
        >>> record = judge_summary("Tasty soup.", ["Tasty soup!", "Cold soup, slow service."], ["pos", "neg"])
        >>> record["values"], record["source_tokens"], record["target_weights"]
        (('neg', 'pos'), (4, 2), (1.0, 2.0))
    """
    return _record(DEFAULT_METRICS[0], predictions=text.strip(), sources=sources, values=values)


def sample_scores(record: Mapping[str, Any]) -> dict[str, float] | None:
    """Return the scores of one summary.

    Example:
        >>> sample_scores(judge_summary("Tasty.", ["Tasty.", "Awful."], ["pos", "neg"]))
        {'bur': 1.0, 'uer': 0.25, 'auc': 1.0}
    """
    if record["skipped"]:
        return None
    settings = agreed([get_measure(name)() for name in DEFAULT_METRICS])
    rows = _rows(DEFAULT_METRICS[0], [record])
    [sample] = family_of(DEFAULT_METRICS[0]).records(rows, DEFAULT_METRICS, settings)
    return {name: sample[name] for name in DEFAULT_METRICS if name in sample}


def result(name: str, records: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the result of the records of all answers.

    Example:
        >>> records = [judge_summary("Tasty.", ["Tasty.", "Awful."], ["pos", "neg"])]
        >>> result("uer", records)["uer"]
        0.25
    """
    is_continuation = name in CONTINUATION_MEASURES
    columns = ("predictions", "groups") if is_continuation else ("predictions", "sources", "values")
    return result_of_rows(Request(get_measure(name)()), columns, _rows(name, records))


@cache
def _session(name: str) -> Session:
    """Return the session that scores all answers by a measure."""
    return Session([Request(get_measure(name)())], evidence=True)


def _record(name: str, **columns: Any) -> dict[str, Any]:
    """Return the record of one answer."""
    [[row]] = _session(name).rows({column: [entry] for column, entry in columns.items()}, whole=False)
    return asdict(row)


def _rows(name: str, records: Iterable[Mapping[str, Any]]) -> list[Any]:
    """Return the rows of records, with tuples restored."""
    row = family_of(name).table.row
    return [from_plain(record, row) for record in records]
