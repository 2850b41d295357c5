"""Shared parts of the measures of persons in news summaries."""

from __future__ import annotations

from typing import Annotated, Literal

from fairsum_utils.errors import InputError
from fairsum_utils.measures._measure import Measure
from fairsum_utils.settings import Checked, setting
from fairsum_utils.text.recognition import DEFAULT_PIPELINE
from fairsum_utils.validation import describe

PUBLISHED = "published"
"""The resampling within originals of the published code, which draws as many pairs as there are."""


def _check_pipeline(module: str, name: str, pipeline: object) -> str:
    if not isinstance(pipeline, str) or not pipeline:
        raise InputError(
            f"{module}: {name} must be the name or folder of a spaCy pipeline, or None, found {describe(pipeline)}"
        )
    return pipeline


class EntityMeasure(Measure):
    """Measures of persons and identifiers in news summaries."""

    family = "entities"


class RedrawnMeasure(EntityMeasure):
    """Measures with intervals within originals."""

    resampling: Literal["rescaled", "published"] = setting(
        "rescaled",
        "draws for intervals within originals: rescaled (k - 1 of k pairs, with weight k / (k - 1)) or published (k of "
        "k, as the published code does; intervals are narrower)",
        stage="results",
    )


class PersonMeasure(EntityMeasure):
    """Measures that look for the persons in a summary."""

    extra = "ner"

    ner: Annotated[str, Checked(_check_pipeline)] | None = setting(
        DEFAULT_PIPELINE,
        "name or folder of the spaCy pipeline that finds people who are not in `entities`, if `mentions` is missing; "
        "none (None in Python) to skip this, so that distinguishability anonymizes only the people in `entities`",
        key="persons",
    )


class AlignedMeasure(PersonMeasure, RedrawnMeasure):
    """Measures that match names in a summary with persons of the source."""

    first_name_only: bool = setting(
        False,
        "match a first name alone if only one person in the source has it, as in the published code; False requires "
        "the last name, as in the paper",
        key="first_name_only",
    )


def matches_first_names(settings: Measure) -> bool:
    """Check whether a first name alone may name a person."""
    return bool(getattr(settings, "first_name_only", False))
