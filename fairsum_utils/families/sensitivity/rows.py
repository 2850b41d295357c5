"""Rows of the sensitivity family: samples that the measures compare with others of their original."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fairsum_utils.families.originals import OrderedTable


@dataclass(frozen=True, slots=True)
class SensitivityRow:
    """One sample as the measures need it.

    What only a measure needs that was not asked for is None.

    Attributes:
        index: position of the sample in the data.
        article: the original that the sample was made from.
        variant: the group, or the order, that its input had.
        skipped: why the sample is not scored, such as ``"empty_prediction"``, or None.
        control: the edit of its input that should not matter; empty for none.
        replicate: which of the summaries of its input this is; None if not given.
        n_tokens: words of the summary.
        digest: what tells different summaries apart, whatever their blanks and capitals.
        is_copy: whether the summary seems to be a copy of its input.
        text: the summary.
        changed: the words that the variant and the control edit put into the input.
        outcomes: outcome -> number; those that the summary does not have are left out.
        source_ids: what tells the sources of an original apart, in the order of the input.
        source_values: the value of each source.
        lexical_shares: how much of the summary is from each source, by words that few sources hold.
        ngram_shares: the same by overlap.
        lexical_coverage: how much of the summary each source holds, by such words.
        ngram_coverage: the same by overlap.
        nli_shares: how much of the summary is from each source, by entailment.
        nli_coverage: how much of the summary each source holds, by entailment.
        content: digest of what the sample is, whatever the system; 0 if not known.

    Example:
        >>> SensitivityRow(0, "wsj_0001", "female", control="place", text="Ann left.").skipped is None
        True
    """

    index: int
    article: str
    variant: str
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
    source_values: tuple[str, ...] | None = None
    lexical_shares: tuple[float, ...] | None = None
    ngram_shares: tuple[float, ...] | None = None
    lexical_coverage: tuple[float, ...] | None = None
    ngram_coverage: tuple[float, ...] | None = None
    nli_shares: tuple[float, ...] | None = None
    nli_coverage: tuple[float, ...] | None = None
    content: int = field(default=0, compare=False)


class SensitivityTable(OrderedTable[SensitivityRow]):
    """Collects rows; each distinct text once.

    Example:
        >>> rows = [SensitivityRow(1, "b", "x"), SensitivityRow(0, "a", "x"), SensitivityRow(2, "a", "y", "empty")]
        >>> SensitivityTable(rows).column("article", "score")
        ['a', 'b']
    """

    row = SensitivityRow


make_table = SensitivityTable
