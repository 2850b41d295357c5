"""Summaries that say nothing of their inputs, and so nothing of a person or an order: always the same, or copies.

They score as if nothing mattered. A measure cannot tell, so the results warn of it, and no rule passes on them.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from fairsum_utils.families.cautions import COPIES, SAME_SUMMARIES, Caution
from fairsum_utils.stats.sums import AnySums, Sums, digest_of

if TYPE_CHECKING:
    from fairsum_utils.families.sensitivity.originals import Originals
    from fairsum_utils.families.sensitivity.samples import Sample

__all__ = ["cautions", "digest", "is_copy", "put"]

_FEW = 0.05
"""A smaller share of summaries may be alike by chance, and is not told."""
_WORD = re.compile(r"[^\W_]+")
_FEWEST_CHANGED = 8
"""Of fewer changed words a short summary may well hold all."""
_SUMMARIES = "summaries"
_COPIES = ("copies",)
_SAME = "{} summaries are word for word those of other originals: they say nothing of a person or an order"
_COPIED = "{} summaries seem to be copies of their input: they hold all that was changed in it, or all of its sources"


def digest(prediction: str) -> str:
    """What tells different summaries apart, whatever their blanks and capitals.

    Example:
        >>> digest("It rained. ") == digest("it  rained.") != digest("It snowed.")
        True
    """
    return f"{digest_of(' '.join(prediction.casefold().split())):x}"


def is_copy(sample: Sample) -> bool:
    """Whether a summary seems to be a copy of its input.

    Args:
        sample: with its sources, all of which stand in a copy; or with the words that were changed in its input, of
            which a copy has every one.

    Example:
        >>> from fairsum_utils.families.sensitivity.samples import Sample
        >>> said = ["It rained. It snowed.", "It rained."]
        >>> [is_copy(Sample(0, text, "a", "x", sources=("It rained.", "It snowed."))) for text in said]
        [True, False]
    """
    prediction = sample.prediction.casefold()
    if sample.sources is not None:
        said = " ".join(prediction.split())
        return all(" ".join(source.casefold().split()) in said for source in sample.sources)
    changed = {word for entry in sample.changed or () for word in _WORD.findall(entry.casefold())}
    return len(changed) >= _FEWEST_CHANGED and changed <= set(_WORD.findall(prediction))


def put(sums: Sums, originals: Originals) -> None:
    """Count the summaries of each original that differ, and the copies."""
    said = zip(originals.clusters.tolist(), originals.column("digest"), strict=True)
    sums.named[_SUMMARIES] = Counter((text,) for _, text in set(said) if text is not None)
    sums.counts[_COPIES] = sum(originals.column("is_copy"))


def cautions(sums: AnySums) -> list[Caution]:
    """That summaries are those of other originals, or copies of their inputs."""
    counts = (sums.named.get(_SUMMARIES) or Counter()).values()
    same = sum(count for count in counts if count > 1)
    found = [
        *Caution.of(SAME_SUMMARIES, same, sum(counts), _SAME),
        *Caution.of(COPIES, sums.counts[_COPIES], sums.n_samples, _COPIED),
    ]
    return [caution for caution in found if caution.share >= _FEW]
