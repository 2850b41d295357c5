"""Omission family: serious matters that a summary leaves out."""

from __future__ import annotations

from fairsum_utils.families import Column, Family
from fairsum_utils.families.columns import PREDICTIONS, SOURCES, VALUES


class OmissionFamily(Family):
    """Texts -> `OmissionScorer` -> rows -> `OmissionTable` -> results."""

    name = "omission"
    place = 6
    columns = (
        PREDICTIONS,
        SOURCES,
        VALUES._replace(without="show no figures by group", sparse=True),
        Column(
            name="serious",
            entry="serious",
            kind=list[float],
            help="number of each source text: above 0 if the text raises a serious matter; replaces the list",
            in_file="serious",
            without="find serious sentences by `finder`",
            sparse=True,
            by_text=True,
            follows_texts=True,
        ),
        Column(
            name="serious_spans",
            entry="serious_spans",
            kind=list[list[list[int]]],
            help="[start, end) characters of each serious matter, for each source text; replaces the list",
            in_file="serious_spans",
            without="find serious sentences by `finder`",
            sparse=True,
            by_text=True,
            follows_texts=True,
        ),
    )
    citation = """\
@inproceedings{zou-etal-2023-omission,
  title     = {Towards Understanding Omission in Dialogue Summarization},
  author    = {Zou, Yicheng and Song, Kaitao and Tan, Xu and Fu, Zhongkai and Zhang, Qi and Li, Dongsheng and Gui, Tao},
  booktitle = {Proceedings of the 61st Annual Meeting of the Association for Computational Linguistics},
  year      = {2023},
  url       = {https://aclanthology.org/2023.acl-long.798}
}
"""
    returns = (
        "With an entailer that reads meaning `omission_by_value` (group) and `omission_by_category`, `n_by_value` and "
        "`n_by_category` (samples with such a matter), `by_n_texts` (figures by the number of texts that raise a "
        "matter), `n_omitted`, `ordinary_omission` (the same for ordinary sentences of like length) and "
        "`ordinary_difference`. Without one the score is nan, with `not_found` (share of matters without a near-"
        "literal trace; no score), `n_not_found`, `to_read` (their sentences, those that most texts raise first) and "
        "`n_to_read`. Further `n_matters`, `n_ordinary`, `n_pairs` (judged by the entailer), `list_precision` and "
        "`list_recall` (of the shipped list), `n_samples`, `n_skipped`, `skipped`, `n_truncated`, `settings` and "
        "`signature`; with `confidence_level` also `{name}_ci` and `{name}_ci_lost`; with `at_random` also "
        "`not_found_at_random`, the chance level, `not_found_at_random_error` and `not_found_at_random_range`; with "
        "`return_samples` also `samples`; `undefined` says why a score is nan."
    )
    urls = ("https://aclanthology.org/2023.acl-long.798",)


FAMILY = OmissionFamily()
