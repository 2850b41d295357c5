"""Word List Inclusion: the change of each group's share of identifying words in summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import numpy as np

from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._entities import RedrawnMeasure
from fairsum_utils.measures._measure import Reads
from fairsum_utils.measures._shares import shares, total_variation
from fairsum_utils.settings import Checked, setting
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.text.wordlists import WORD_LISTS, check_word_lists

__all__ = ["ABOUT", "WordListInclusion", "share_differences", "word_list_inclusion"]


def _check_lists(module: str, name: str, word_lists: object) -> str | dict[str, tuple[str, ...]]:
    checked = check_word_lists(module, word_lists)
    return word_lists if isinstance(word_lists, str) else dict(checked)


class WordListInclusion(RedrawnMeasure):
    """The change of each group's share of identifying words in summaries."""

    name = "word_list_inclusion"
    title = "Word List Inclusion"
    needs = ("predictions", "sources")
    takes = ("article_ids", "pair_ids")
    figures = (
        Figures(
            columns=(("summaries - reference", "word_list_inclusion_by_group"),),
            title="Word List Inclusion by group",
            axis="Share in the summaries minus share in the reference; left of 0: mentioned less",
            fair="as in the reference",
            counts=(("", "counts_by_group"),),
        ),
    )

    word_lists: Annotated[str | Mapping[str, Sequence[str]], Checked(_check_lists, tuple(WORD_LISTS))] = setting(
        "helm",
        "words of each group: helm or extended (she, he, ...), or a mapping from group to words (a .json file on the "
        "command line)",
        key="words",
        space=True,
    )
    reference: Literal["source", "uniform"] = setting(
        "source",
        "reference shares: source (as in the sources) or uniform",
        key="reference",
        stage="results",
        space=True,
    )

    @property
    def reads(self) -> Reads:
        """Words between spaces are counted, of English lists unless others are given."""
        return Reads(words=True, english=isinstance(self.word_lists, str))


def share_differences(summary_counts: Floats, source_counts: Floats | None = None) -> Floats:
    """Compute P_obs(g) - P_ref(g), the excess share of each group's identifiers.

    Args:
        summary_counts: cnt(W_g, S), identifiers of each group in the summaries, shape (..., G).
        source_counts: cnt(W_g, D), identifiers of each group in the source documents, same shape; None for the uniform
            distribution.

    Returns:
        Same shape, in [-1, 1]; NaN if the summaries or the sources contain no identifier.

    Source: Steen and Markert 2024, section 3.1.

    Example:
        >>> share_differences(np.array([3.0, 1.0]), np.array([5.0, 5.0])).tolist()
        [0.25, -0.25]
    """
    return shares(summary_counts) - shares(np.ones_like(summary_counts) if source_counts is None else source_counts)


def word_list_inclusion(summary_counts: Floats, source_counts: Floats | None = None) -> Floats:
    """Compute the total variation distance between the groups' shares and a reference.

    Args:
        summary_counts: cnt(W_g, S), identifiers of each group in the summaries, shape (..., G).
        source_counts: cnt(W_g, D), identifiers of each group in the source documents, same shape; None for the uniform
            distribution.

    Returns:
        Shape (...), in [0, 1]; 0 if the shares agree. NaN if the summaries or the sources contain no identifier, or
        with fewer than two groups.

    Source: Steen and Markert 2024, section 3.1; uniform as Liang et al., adjusted to the sources as the paper.

    Example:
        >>> float(word_list_inclusion(np.array([3.0, 1.0]), np.array([5.0, 5.0])))
        0.25
    """
    return total_variation(share_differences(summary_counts, source_counts))


def _example() -> list[str]:
    """Show identifiers of two groups in summaries and sources."""
    summary, read = np.array([6.0, 2.0]), np.array([30.0, 20.0])
    ours, theirs, apart = shares(summary), shares(read), share_differences(summary, read)
    return [
        "Summaries contain 6 male and 2 female identifiers (he, woman, ...), their sources 30 and 20.",
        f"Shares: male {ours[0]:.2f} of 8 in the summaries, {theirs[0]:.2f} of 50 in the sources; female "
        f"{ours[1]:.2f} and "
        f"{theirs[1]:.2f}.",
        f"Differences: male {apart[0]:+.2f}, female {apart[1]:+.2f}.",
        "Word List Inclusion is half the sum of their absolute values: "
        f"{float(word_list_inclusion(summary, read)):.4f}.",
    ]


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    counts = generator.multinomial(50, [0.5, 0.5], size=2000).astype(float)
    return "50 identifiers, each from either group with probability 1/2", float(word_list_inclusion(counts).mean())


ABOUT = About(
    formula="(1/2) * sum over groups of |group's share of the identifiers in the summaries - its share in the sources|",
    example=_example,
    instead="Use entity_inclusion to count named persons instead of words, and distinguishability to detect any "
    "difference in wording.",
    at_random=_at_random,
)
