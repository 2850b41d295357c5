"""Checked samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairsum_utils.errors import InputError
from fairsum_utils.families.originals import check_given
from fairsum_utils.families.reading import CheckedSample
from fairsum_utils.validation import (
    check_group,
    check_id,
    check_sample,
    check_strings,
    check_text,
    check_texts,
    check_values,
    describe,
    is_missing,
)

# Columns whose checks say themselves what None means.
_SPARSE = ("predictions", "replicates", "controls", "changed", "sources")


@dataclass(frozen=True, slots=True)
class Sample(CheckedSample):
    """Checked sample.

    Attributes:
        index: position of the sample in the data.
        prediction: summary.
        article: name of its original.
        variant: group or order in its input.
        control: control edit of the input; empty for none.
        replicate: number of the summary among those of its input; None if not given, here and below.
        changed: words that the variant and the control edit inserted into the input.
        sources: source texts, in the order of the input.
        values: group of each source text.
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
        """Texts that identify the sample for every system."""
        parts = (self.article, self.variant, self.control, self.replicate, self.changed)
        return (repr(parts), *(self.sources or ()), *(self.values or ()))


_CONTROLS = "give each control edit its own id, and None to an input without a control"
_WORDS = "words that the edit inserted into the input", "remove it, or give [] if nothing was inserted"
_REPLICATES = "give the summaries of one input different ids, or leave the column out"


def check_row(module: str, index: int, row: Mapping[str, object]) -> Sample:
    """Check the entries of the given columns.

    A blank string or NaN as a control or replicate means None. True and False are refused as controls, also as words of
    a file, since they cannot tell two edits apart.

    Example:
        >>> check_row("counterfactual_gap", 3, {"predictions": "Ann won.", "article_ids": "a", "variants": None})
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: counterfactual_gap: sample 3: variants is None; give variants with every
        sample, or with none
    """
    check_given(module, index, row, _SPARSE)
    where = f"{module}: sample {index}"
    check_text(module, index, "prediction", row["predictions"])
    sources, values, changed = (row.get(name) for name in ("sources", "values", "changed"))
    controls, replicates = row.get("controls"), row.get("replicates")
    labels = None if values is None else check_values(module, index, values)
    if sources is not None and labels is not None:
        check_sample(module, index, row["predictions"], sources, labels)
    elif sources is not None:
        check_texts(module, index, row["predictions"], sources)
    return Sample(
        index=index,
        prediction=str(row["predictions"]),
        article=check_id(where, "article", row["article_ids"], "give all samples of an original the same id"),
        variant=check_group(where, "variant", row["variants"], "sample"),
        control="" if _is_none(controls) else _control(where, controls),
        replicate=None if _is_none(replicates) else check_id(where, "replicate", replicates, _REPLICATES),
        changed=None if is_missing(changed) else tuple(check_strings(f"{where}: changed", changed, *_WORDS)),
        sources=None if sources is None else tuple(map(str, sources)),  # type: ignore[call-overload]  # checked above
        values=None if labels is None else tuple(labels),
    )


def _is_none(entry: object) -> bool:
    return is_missing(entry) or (isinstance(entry, str) and not entry.strip())


def _control(where: str, given: object) -> str:
    if isinstance(given, str) and given.strip().lower() in ("true", "false"):
        raise InputError(
            f"{where}: the control id must identify an edit, but {describe(given)} cannot distinguish several; "
            f"{_CONTROLS}"
        )
    return check_id(where, "control", given, _CONTROLS)
