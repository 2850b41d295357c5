"""PerspectiveSumm: its configurations, and the one place that says who reads which.

Source: fairsumm-v2 (Zhang et al. 2024), section 4, table 1 and appendix A.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from fairsum_utils.corpora import dialogues, fewsum, sources, tweets
from fairsum_utils.corpora.configurations import Configuration, Source, choose, option_names
from fairsum_utils.corpora.prompts import TEMPLATES
from fairsum_utils.corpora.published import published_rows
from fairsum_utils.corpora.rows import COLUMNS, Row
from fairsum_utils.errors import InputError
from fairsum_utils.files.downloads import digest_files, download

__all__ = ["BUILDER", "CARD", "COLUMNS", "COMMON", "CONFIGURATIONS", "NAME", "OPTIONS", "Origin", "open_source"]

logger = logging.getLogger(__name__)

NAME = "perspectivesumm"
#: Where the `datasets` builder of this data set is; imported only by those who want it.
BUILDER = ("fairsum_utils.corpora.builder", "PerspectiveSummBuilder")
#: Where the text of an exported folder's README.md is made.
CARD = ("fairsum_utils.corpora.card", "perspectivesumm_card")
#: Options that every configuration has.
COMMON: Sequence[str] = ("origin", "attribute", "base_url")

Origin = Literal["auto", "published", "raw"]

#: Folder of the published JSON files, pinned to one commit.
#: Source: github.com/psunlpgroup/FairSumm at commit 9285f43 (Apache-2.0); only the addresses are written down here.
BASE_URL = (
    "https://raw.githubusercontent.com/psunlpgroup/FairSumm/9285f432004bf42d398bc9998dd935214b06a70f/"
    "preprocessing/preprocessed_datasets/"
)
#: Checksums of published files; None is "not recorded yet", in which case a download warns with the one it found.
SHA256: dict[str, str | None] = {
    "claritin.json": None,
    "election.json": None,
    "yelp.json": None,
    "amazon.json": None,
    "yelp_gold.json": "dd85e6484a5db6ed8422965e230bef5ecd9550b4ca4d30859bde92b7333fe6a8",
    "amazon_gold.json": None,
    "supremecourt.json": None,
    "supremecourt_whole.json": None,
    "oxforddebates.json": None,
    "oxforddebates_whole.json": None,
}

_SAMPLING: Mapping[str, Any] = {"seed": 42, "sizes": (10, 30, 50), "samples_per_cell": 150}
_COURT = (
    "supreme.conversations.txt",
    "supreme_court_dialogs_corpus_v1.01/supreme.conversations.txt",
    "utterances.jsonl+speakers.json+users.json",
    "supreme-corpus/utterances.jsonl+supreme-corpus/speakers.json+supreme-corpus/users.json",
)
_IQ2 = ("iq2_data_release.json", "iq2_data_release/iq2_data_release.json")


def _reviews(name: str) -> tuple[str, ...]:
    folders = (f"{name}/reviews/val", f"data/{name}/reviews/val", "reviews/val", "val")
    return (*(f"{folder}/*.csv" for folder in folders), "*.csv")


def _gold(name: str) -> tuple[str, ...]:
    folders = (f"artifacts/{name}/gold_summs", f"{name}/gold_summs", "gold_summs")
    return (*(f"{folder}/*.csv" for folder in folders), "*.csv")


def _input(name: str, raw: str) -> tuple[str, ...]:
    return (raw, f"{name}/input.txt", f"Dataset/{name}/input.txt", "input.txt")


#: Name -> configuration, the paper's six first.
CONFIGURATIONS: Mapping[str, Configuration] = {
    "claritin": Configuration(
        about="tweets about the drug Claritin",
        attributes={"gender": ("male", "female")},
        prompt="claritin",
        published="claritin.json",
        raw=_input("Claritin", "claritin_raw.txt"),
        read=tweets.tweet_rows,
        fixed={"labels": tweets.CLARITIN_LABELS},
        options={**_SAMPLING, "ratios": (0.2, 0.5, 0.8), "min_tokens": 10, "max_tokens": 70},
        rows=1350,
    ),
    # No limits but that a text is not empty. The authors keep tweets of more than ten characters, which all are (the
    # shortest has 25). Evidence, in NLTK tokens summed over the sources of a sample: table 1 gives max/avg 1247/677.7;
    # these defaults give 1235 to 1259/677.1 to 677.3 with seeds 0, 1 and 42, and Claritin's limits 1261 to 1266/691.5.
    # Claritin itself: 1087/572.2 in table 1, and 1078 to 1123/572.0 to 572.1 here.
    "us_election": Configuration(
        about="tweets about the 2016 US presidential election",
        attributes={"politics": ("repu", "demo", "neutral")},
        prompt="us_election",
        published="election.json",
        raw=_input("US-Election", "us_election_raw.txt"),
        read=tweets.tweet_rows,
        fixed={"labels": tweets.ELECTION_LABELS},
        options={**_SAMPLING, "ratios": ((0.2, 0.6), (0.4, 0.4), (0.6, 0.2)), "min_tokens": 1, "max_tokens": None},
        rows=1350,
    ),
    "yelp": Configuration(
        about="reviews of businesses",
        attributes={"sentiment": fewsum.SENTIMENTS, "rating": fewsum.RATINGS},
        prompt="yelp",
        published="yelp.json",
        raw=_reviews("yelp"),
        read=fewsum.review_rows,
        options={"max_groups": 1500, "vader": "vaderSentiment"},
        rows=1500,
    ),
    "amazon": Configuration(
        about="reviews of products",
        attributes={"rating": fewsum.RATINGS},
        prompt="amazon",
        published="amazon.json",
        raw=_reviews("amazon"),
        read=fewsum.review_rows,
        options={"max_groups": 1500},
        rows=1500,
    ),
    "supreme_court": Configuration(
        about="hearings of the US Supreme Court, in segments",
        attributes={"speaker": None},
        prompt="supreme_court",
        published="supremecourt.json",
        raw=_COURT,
        read=dialogues.dialogue_rows,
        # The first 100 cases are what gave the paper its 665 segments.
        options={"max_conversations": 100, "max_tokens_per_segment": 2000},
        rows=665,
    ),
    "iq2": Configuration(
        about="Intelligence Squared debates, in segments",
        attributes={"speaker": None},
        prompt="iq2",
        published="oxforddebates.json",
        raw=_IQ2,
        read=dialogues.dialogue_rows,
        options={"max_conversations": None, "max_tokens_per_segment": 1500},
        rows=1421,
    ),
    "supreme_court_whole": Configuration(
        about="hearings of the US Supreme Court, each whole",
        attributes={"speaker": None},
        prompt="supreme_court",
        published="supremecourt_whole.json",
        raw=_COURT,
        read=dialogues.dialogue_rows,
        fixed={"max_tokens_per_segment": None},
        options={"max_conversations": None},
    ),
    "iq2_whole": Configuration(
        about="Intelligence Squared debates, each whole",
        attributes={"speaker": None},
        prompt="iq2",
        published="oxforddebates_whole.json",
        raw=_IQ2,
        read=dialogues.dialogue_rows,
        fixed={"max_tokens_per_segment": None},
        options={"max_conversations": None},
    ),
    "yelp_gold": Configuration(
        about="reviews of businesses with human summaries",
        attributes={"sentiment": fewsum.SENTIMENTS},
        prompt="yelp",
        published="yelp_gold.json",
        raw=_gold("yelp"),
        read=fewsum.gold_rows,
        options={"vader": "vaderSentiment"},
        rows=100,
    ),
    "amazon_gold": Configuration(
        about="reviews of products with human summaries",
        attributes={"rating": fewsum.RATINGS},
        prompt="amazon",
        published="amazon_gold.json",
        raw=_gold("amazon"),
        read=fewsum.gold_rows,
    ),
}

#: Every option of any configuration, besides those in `COMMON`.
OPTIONS: Sequence[str] = option_names(CONFIGURATIONS)


def open_source(
    config: str,
    *,
    data_dir: str | os.PathLike[str] | None = None,
    origin: Origin = "auto",
    attribute: str | None = None,
    base_url: str | None = None,
    **options: Any,
) -> Source:
    """Find the input of a configuration and settle its options.

    Args:
        config: a key of `CONFIGURATIONS`.
        data_dir: folder with the published JSON or with the raw files; None downloads the published JSON.
        origin: "published", "raw", or "auto" for published if it is there, else raw.
        attribute: which attribute the values are of, where a configuration has two; its first if not given.
        base_url: folder to download from, with a slash at the end, for mirrors.
        **options: options of the raw input (`Configuration.options`); None leaves the default. They raise when the
            published file is used, on which they could have no effect.

    Returns:
        The source.

    Raises:
        InputError: an unknown configuration, option or value.
        DataSourceError: the input is not there; says what was looked for.

    Example:
        >>> open_source("yelp").origin
        'published'
    """
    configuration, chosen, given = choose(
        NAME, CONFIGURATIONS, config, attribute, options, common=("origin", "attribute")
    )
    found, files = _find(config, configuration, data_dir, origin)
    if found == "published" and given:
        raise InputError(
            f"{', '.join(given)} change(s) how {config} is made from raw files, but the published file is used, "
            "which is already made. Leave the option(s) out, or give the folder of the raw files and origin='raw'."
        )
    logger.info("%s: using the %s input %s", config, found, ", ".join(map(str, files[:3])) or configuration.published)

    common = {"config": config, "attribute": chosen, "template": TEMPLATES[configuration.prompt]}
    settled = {**configuration.options, **given} if found == "raw" else {}

    def fingerprint() -> dict[str, Any]:
        content = digest_files(files) if files else (base_url or BASE_URL) + configuration.published
        return {"origin": found, "attribute": chosen, "content": content, **settled}

    def rows() -> Iterator[Row]:
        if found == "raw":
            return configuration.read(files, **common, **configuration.fixed, **settled)
        path = files[0] if files else download(configuration.published, base_url=base_url or BASE_URL, checksums=SHA256)
        values = configuration.attributes[chosen]
        return published_rows(path, **common, values=values, separator=configuration.separator)

    return Source(found, files, fingerprint, rows)


def _find(
    config: str, configuration: Configuration, data_dir: str | os.PathLike[str] | None, origin: str
) -> tuple[str, tuple[Path, ...]]:
    """Return the origin that is used and its files; no file means the published one is to be downloaded."""
    if origin not in get_args(Origin):
        raise InputError(f"origin must be one of {', '.join(get_args(Origin))}, but is {origin!r}.")
    if data_dir is None:
        if origin == "raw":
            raise InputError(f"origin='raw' needs data_dir, a folder with one of {', '.join(configuration.raw)}.")
        return "published", ()
    folder = sources.check_folder(data_dir)
    name = configuration.published
    published = (name, f"preprocessed_datasets/{name}", f"preprocessing/preprocessed_datasets/{name}")
    candidates = {"published": published, "raw": configuration.raw}
    for kind in candidates if origin == "auto" else (origin,):
        if files := sources.find_files(folder, candidates[kind]):
            return kind, files
    looked = [entry for kind in candidates if origin in ("auto", kind) for entry in candidates[kind]]
    raise sources.not_found(folder, config, looked)
