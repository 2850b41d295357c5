"""What scoring says of one sample: the counts from which every representation measure follows."""

from __future__ import annotations

from dataclasses import dataclass, field

from fairsum_utils.families.table import evidence

__all__ = ["DistributionRow"]


@dataclass(frozen=True, slots=True)
class DistributionRow:
    """The sufficient statistics of one sample. Rows from any number of processes may be put together.

    Attributes:
        index: position of the sample in the data.
        values: the values present, sorted; a value whose texts hold no token is left out.
        source_tokens: normalized source tokens of each value.
        target_weights: what the matcher gave each value, not normalized.
        unmatched: the matcher gave every value zero, so the target distribution is uniform.
        empty: the summary is empty, and the settings say that it is unmatched, not skipped.
        content: digest of what the sample is, whatever the system; 0 if not known.
        skipped: why the sample has no score, or None.
        matched: for each value the k-grams that matched; None unless evidence was asked for.
        scores: of a neural matcher, what it gave each value before the softmax, empty if it was not asked; else None.
        stopped: words were matched, and most of the summary's or of the sources' are stop words, see `STOPPED`.
        opinions: stop words of opinion that would decide the sample if they counted, see `deciding_words`.
        unread: some source is in a script without spaces between words, of which no word was counted.
        truncated: how many of these scores are of texts that the model did not read to their end.
        at_random: counts of each value in random summaries, value after value, see `chance`; empty if none were drawn.
    """

    index: int
    values: tuple[str, ...] = ()
    source_tokens: tuple[int, ...] = ()
    target_weights: tuple[float, ...] = ()
    unmatched: bool = False
    skipped: str | None = None
    matched: tuple[tuple[str, ...], ...] | None = field(default=None, metadata=evidence())
    scores: tuple[float, ...] | None = field(default=None, metadata=evidence())
    truncated: int = 0
    stopped: bool = False
    opinions: tuple[str, ...] = ()
    unread: bool = False
    empty: bool = False
    at_random: tuple[int, ...] = ()
    content: int = field(default=0, compare=False)
