"""Settings of the entities measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.families import MeasureSettings, setting
from fairsum_utils.families.entities.wordlists import WORD_LISTS, check_word_lists
from fairsum_utils.families.settings import MOST_DRAWS, check_positive
from fairsum_utils.inference.settings import SENTENCE_MODEL, InferenceSettings
from fairsum_utils.io.opening import MAX_ROW_BYTES
from fairsum_utils.io.tables import parse_json
from fairsum_utils.text.recognition import DEFAULT_PIPELINE
from fairsum_utils.validation import describe

EMBEDDINGS = ("count", "dense")
"""How summaries are compared: by their words, or by the vectors of a model."""
LOOKUPS = ("first", "every")
"""Which words of a name are looked up as first names: those before the last one, or every one, as the paper does."""
REFERENCES = ("source", "uniform")
"""Shares that those of word lists are compared with."""
PUBLISHED = "published"
"""The resampling within originals of the published code, which draws as many pairs as there are."""

_ALIGNED = ("entity_inclusion", "entity_hallucination")
"""Measures that depend on which person of the source a name in a summary is."""
_REDRAWN = ("word_list_inclusion", *_ALIGNED)
"""Measures with intervals within originals."""
_WITH_PERSONS = (*_ALIGNED, "distinguishability")
"""Measures that look for the persons in a summary."""


def _check_lists(module: str, name: str, word_lists: object) -> str | dict[str, tuple[str, ...]]:
    checked = check_word_lists(module, word_lists)
    return word_lists if isinstance(word_lists, str) else dict(checked)


def _check_pipeline(module: str, name: str, pipeline: object) -> str | None:
    if pipeline is not None and (not isinstance(pipeline, str) or not pipeline):
        raise InputError(
            f"{module}: {name} must be the name or folder of a spaCy pipeline, or None, found {describe(pipeline)}"
        )
    return pipeline


def _read_lists(text: str) -> str | dict[str, Any]:
    return _read_mapping(text) if text.endswith(".json") else text


def _read_pipeline(text: str) -> str | None:
    return None if text == "none" else text


def _read_mapping(path: str) -> dict[str, Any]:
    """Read a JSON object from a file named on the command line."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_ROW_BYTES + 1)
        if len(content) > MAX_ROW_BYTES:
            raise ValueError(f"more than {MAX_ROW_BYTES:,} bytes")
        mapping = parse_json(content.decode())
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read as JSON ({error})") from None
    if not isinstance(mapping, dict):
        raise ValueError(f"{path} must contain one JSON object, found a {type(mapping).__name__}")
    return mapping


class EntitySettings(InferenceSettings, MeasureSettings):
    """Settings for finding and comparing persons and identifiers.

    Example:
        >>> EntitySettings(revision="main", module="distinguishability")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: distinguishability: revision applies only to embedding='dense', found str
        'main'; leave it out, or choose embedding='dense'
    """

    narrowed = dict.fromkeys(InferenceSettings.infos(), ("distinguishability",))

    word_lists: str | Mapping[str, Sequence[str]] = setting(
        "helm",
        "words of each group: helm or extended (she, he, ...), or a mapping from group to words (a .json file on the "
        "command line)",
        check=_check_lists,
        only=("word_list_inclusion",),
        key="words",
        read=_read_lists,
        space=tuple(WORD_LISTS),
    )
    reference: str = setting(
        "source",
        "reference shares: source (as in the sources) or uniform",
        choices=REFERENCES,
        only=("word_list_inclusion",),
        key="reference",
        stage="results",
        space=True,
    )
    continuity: float | None = setting(
        None,
        "number to add to the included and the other people of each group, such as 0.5, to keep odds finite; None to "
        "add nothing",
        check=check_positive,
        only=("entity_inclusion",),
        key="continuity",
        stage="results",
        read=float,
        space=(0.0, 1.0),
    )
    n_permutations: int = setting(
        1000,
        "number of random assignments in the permutation test",
        least=1,
        most=MOST_DRAWS,
        only=("entity_inclusion",),
        key="perms",
        stage="results",
        flag="group-permutations",
    )
    resampling: str = setting(
        "rescaled",
        "draws for intervals within originals: rescaled (k - 1 of k pairs, with weight k / (k - 1)) or published (k of "
        "k, as the published code does; intervals are narrower)",
        choices=("rescaled", PUBLISHED),
        only=_REDRAWN,
        stage="results",
    )
    ner: str | None = setting(
        DEFAULT_PIPELINE,
        "name or folder of the spaCy pipeline that finds people who are not in `entities`, if `mentions` is missing; "
        "none (None in Python) to skip this, so that distinguishability anonymizes only the people in `entities`",
        check=_check_pipeline,
        only=_WITH_PERSONS,
        key="persons",
        read=_read_pipeline,
    )
    first_name_only: bool = setting(
        False,
        "match a first name alone if only one person in the source has it, as in the published code; False requires "
        "the last name, as in the paper",
        only=_ALIGNED,
        key="first_name_only",
        const=True,
        flag_help="match a first name alone if only one person in the source has it",
    )
    first_names: Mapping[str, str] | None = setting(
        None,
        "first name -> group (a file on the command line); None for the groups female and male of the 1990 US census",
        only=("entity_hallucination",),
        key="names",
        read=_read_mapping,
        metavar="FILE.json",
    )
    people: str | Path | Mapping[str, str | None] | None = setting(
        None,
        "known people, looked up before first names: a .tsv file of title, male, female; in Python also title -> group",
        only=("entity_hallucination",),
        key="names",
        metavar="FILE",
    )
    lookup: str = setting(
        LOOKUPS[0],
        "words of a name to look up: first (all but the last) or, as in the paper, every (also the last, and words "
        "such as may)",
        choices=LOOKUPS,
        only=("entity_hallucination",),
        key="names",
        flag="name-lookup",
        space=True,
    )
    embedding: str = setting(
        "count",
        "vectors of summaries: count (words without stop words) or dense (a model)",
        choices=EMBEDDINGS,
        only=("distinguishability",),
        key="embedding",
    )
    model: str | Path = setting(
        SENTENCE_MODEL,
        "for dense: id or folder of a sentence embedding model",
        only=("distinguishability",),
        key="embedding",
        flag="embedding-model",
        metavar="ID",
    )
    revision: str | None = setting(
        None,
        "branch, tag or commit of the model",
        only=("distinguishability",),
        flag="embedding-revision",
    )

    def check_together(self) -> None:
        """Check that model settings come with a model."""
        super().check_together()
        dense = "embedding='dense'"
        self.only_with(self.embedding == "dense", ("model", "revision"), dense, f"leave it out, or choose {dense}")
