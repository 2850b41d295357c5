"""The samples of the family, and the checks of every entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.validation import check_group, check_id, check_text, describe, is_missing
from fairsum_utils.validation import check_sample as check_texts

__all__ = ["Sample", "check_row", "check_sample"]

_SPARSE = ("predictions", "replicates", "controls", "changed", "sources")
"""Columns whose checks say themselves what None means."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample that has been checked.

    Attributes:
        index: position in the data.
        prediction: the summary.
        article: the original that its input was made from.
        variant: the group, or the order, that the input had.
        control: the edit of the input that should not matter; empty for none.
        replicate: which of the summaries of its input it is; None if not given, as for all that follow.
        changed: the words that the variant and the control edit put into the input.
        sources: the source texts, in the order that the input had.
        values: the value of each source text.
    """

    index: int
    prediction: str
    article: str
    variant: str
    control: str = ""
    replicate: str | None = None
    changed: tuple[str, ...] | None = None
    sources: tuple[str, ...] | None = None
    values: tuple[str, ...] | None = None

    @property
    def content(self) -> tuple[str, ...]:
        """Texts that identify the sample, whatever the system."""
        told = (self.article, self.variant, self.control, self.replicate, self.changed)
        return (repr(told), *(self.sources or ()), *(self.values or ()))

    @property
    def is_empty(self) -> bool:
        """Whether the summary is blank."""
        return not self.prediction.strip()


def check_sample(
    module: str,
    index: int,
    predictions: object,
    article_ids: object,
    variants: object,
    replicates: object = None,
    controls: object = None,
    changed: object = None,
    sources: object = None,
    values: object = None,
) -> Sample:
    """Check one sample, whose parts are named as their columns; those that are None are not there.

    Args:
        module: name of the measure, for the message.
        index: position of the sample.
        predictions: must be a string; an empty one is data, not an error.
        article_ids: must be a string that is not empty, or a whole number.
        variants: must be a string that is not blank, a whole number, or True or False.
        replicates: must be a string or a whole number; a blank string or NaN says as much as None.
        controls: must be a string or a whole number, the id of the edit; a blank string or NaN says as much as None.
            True and False are refused, also as words of a file, for they cannot tell two edits apart.
        changed: must be a list of strings that are not blank; an empty one says that nothing was put in.
        sources: must be a non-empty list of strings.
        values: must be a list of as many labels as there are sources.

    Raises:
        InputError: anything else; the message names the sample.

    Example:
        >>> check_sample("counterfactual_gap", 3, "Ann won.", "a", "female", controls=True)
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: counterfactual_gap: sample 3: the control id must be a string or a whole
        number, found bool True; give each edit that should not matter an id of its own, and an input without one None
    """
    where = f"{module}: sample {index}"
    check_text(module, index, "prediction", predictions)
    if sources is not None:
        labels = [""] * len(sources) if values is None and isinstance(sources, (list, tuple, np.ndarray)) else values
        check_texts(module, index, predictions, sources, labels)
    return Sample(
        index=index,
        prediction=str(predictions),
        article=check_id(where, "article", article_ids, "give all samples of an original the same one"),
        variant=check_group(where, "variant", variants, "sample"),
        control="" if _is_none(controls) else _control(where, controls),
        replicate=None if _is_none(replicates) else check_id(where, "replicate", replicates, _REPLICATES),
        changed=None if is_missing(changed) else _changed(where, changed),
        sources=None if sources is None else tuple(map(str, sources)),  # type: ignore[call-overload]  # checked above
        values=None if values is None else tuple(map(str, values)),  # type: ignore[call-overload]  # checked above
    )


_CONTROLS = "give each edit that should not matter an id of its own, and an input without one None"
_REPLICATES = "give the summaries of one input different ones, or leave the column out"


def check_row(module: str, index: int, row: Mapping[str, object]) -> Sample:
    """Check the entries of the columns that were given.

    Args:
        module: name of the measure, for the message.
        index: position of the sample.
        row: column -> entry, as of `check_sample`.

    Raises:
        InputError: an entry is None where it may not be, or as of `check_sample`.

    Example:
        >>> check_row("counterfactual_gap", 3, {"predictions": "Ann won.", "article_ids": "a", "variants": None})
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: counterfactual_gap: sample 3: variants is None; give variants with every
        sample, or leave them out altogether
    """
    for column, entry in row.items():
        if entry is None and column not in _SPARSE:
            raise InputError(
                f"{module}: sample {index}: {column} is None; give {column} with every sample, or leave them out "
                "altogether"
            )
    return check_sample(module, index, **row)


def _is_none(entry: object) -> bool:
    return is_missing(entry) or (isinstance(entry, str) and not entry.strip())


def _control(where: str, given: object) -> str:
    if isinstance(given, str) and given.strip().lower() in ("true", "false"):
        raise InputError(
            f"{where}: the control id must name an edit, found {describe(given)}, which cannot tell two edits apart; "
            f"{_CONTROLS}"
        )
    return check_id(where, "control", given, _CONTROLS)


def _changed(where: str, changed: object) -> tuple[str, ...]:
    if not isinstance(changed, (list, tuple, np.ndarray)):
        raise InputError(
            f"{where}: changed must be a list of strings, the words that the variant put into the input, found "
            f"{describe(changed)}"
        )
    for position, word in enumerate(changed):
        if not isinstance(word, str) or not word.strip():
            raise InputError(
                f"{where}: changed[{position}] must be a string that is not blank, found {describe(word)}; leave it "
                "out if nothing was put in"
            )
    return tuple(map(str, changed))
