"""Misattribution family: named speakers, and claims given to the wrong one."""

from __future__ import annotations

from fairsum_utils.families import Column, Family
from fairsum_utils.families.columns import PREDICTIONS, SOURCES, VALUES


class MisattributionFamily(Family):
    """Texts -> `MisattributionScorer` -> rows -> `MisattributionTable` -> results."""

    name = "misattribution"
    place = 8
    columns = (
        PREDICTIONS,
        SOURCES._replace(help="the turns in the order of speech, at least one", label="turn"),
        VALUES._replace(help="the speaker of each turn, such as Ms Anna Smith", label="speaker"),
        Column(
            name="aliases",
            entry="aliases",
            kind=dict[str, list[str]],
            help="speaker -> further names in summaries, such as the chair",
            in_file="aliases",
            without="know speakers by their own names only",
            sparse=True,
        ),
        Column(
            name="speaker_groups",
            entry="speaker_groups",
            kind=dict[str, dict[str, str]],
            help="attribute -> speaker -> group, such as party -> Ms Smith -> Labour",
            in_file="speaker_groups",
            without="compare no groups of speakers",
            sparse=True,
        ),
    )
    urls = ("https://arxiv.org/abs/2507.14221",)
    citation = """\
@misc{cunningham-etal-2026-fair,
  title  = {Fair Representation in Parliamentary Summaries: Measuring and Mitigating Inclusion Bias},
  author = {Cunningham, Eoghan and Cross, James and Greene, Derek},
  year   = {2026},
  eprint = {2507.14221},
  url    = {https://arxiv.org/abs/2507.14221}
}
"""
    returns = (
        "`n_claims`, `n_misattributed`, `n_unsupported`, `misattribution_of_supported`; `n_ambiguous`, `n_several`, "
        "`n_pronoun`, `n_wordless`, `n_claimless` (left out); `inclusion`, `inclusion_by_third`, with "
        "`speaker_groups` also `inclusion_by_group`, `misattribution_by_group`; `n_samples`, `n_skipped`, `skipped`, "
        "`n_truncated`, `settings` and `signature`; with `confidence_level` also `_ci` of each share; with "
        "`return_samples` also `samples`; `undefined` says why a score is nan."
    )


FAMILY = MisattributionFamily()
