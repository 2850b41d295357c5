"""Rows of the sensitivity family, and their table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fairsum_utils.families.table import LABELS, SampleRow, Table


@dataclass(frozen=True, slots=True)
class SensitivityRow(SampleRow):
    """Sample as the measures need it.

    Fields that only measures need that were not requested are None.

    Attributes:
        index: position of the sample in the data.
        article: name of its original.
        variant: group or order in its input.
        skipped: reason why the sample has no score, such as ``"empty_prediction"``, or None.
        control: control edit of its input; empty for none.
        replicate: number of the summary among those of its input; None if not given.
        n_tokens: number of words.
        digest: digest of the summary, regardless of whitespace and capitals.
        is_copy: the summary seems to be a copy of its input.
        text: summary.
        changed: words that the variant and the control edit inserted into the input.
        outcomes: outcome -> number; undefined ones are omitted.
        source_ids: identifiers of the original's sources, in the order of the input.
        source_values: group of each source.
        lexical_shares: share of the summary from each source, by rare words.
        ngram_shares: share of the summary from each source, by overlap.
        lexical_coverage: part of the summary found in each source, by rare words.
        ngram_coverage: part of the summary found in each source, by overlap.
        nli_shares: share of the summary from each source, by entailment.
        nli_coverage: part of the summary found in each source, by entailment.

    Example:
        >>> SensitivityRow(0, "wsj_0001", "female", control="place", text="Ann left.").skipped is None
        True
    """

    index: int
    article: str
    variant: str = field(metadata=LABELS)
    skipped: str | None = None
    control: str = ""
    replicate: str | None = None
    n_tokens: int = 0
    digest: str | None = None
    is_copy: bool = False
    text: str | None = None
    changed: tuple[str, ...] | None = None
    outcomes: Mapping[str, float] | None = None
    source_ids: tuple[str, ...] | None = None
    source_values: tuple[str, ...] | None = field(default=None, metadata=LABELS)
    lexical_shares: tuple[float, ...] | None = None
    ngram_shares: tuple[float, ...] | None = None
    lexical_coverage: tuple[float, ...] | None = None
    ngram_coverage: tuple[float, ...] | None = None
    nli_shares: tuple[float, ...] | None = None
    nli_coverage: tuple[float, ...] | None = None


class SensitivityTable(Table[SensitivityRow]):
    """Table of sensitivity rows.

    Example:
        >>> rows = [SensitivityRow(1, "b", "x"), SensitivityRow(0, "a", "x"), SensitivityRow(2, "a", "y", "empty")]
        >>> list(SensitivityTable(rows).items("article"))
        ['b', 'a', 'a']
    """

    row = SensitivityRow


make_table = SensitivityTable
