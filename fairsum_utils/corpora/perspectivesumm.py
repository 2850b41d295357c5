"""PerspectiveSumm: its configurations, and the one place that says who reads which.

Source: fairsumm-v2 (Zhang et al. 2024), section 4, table 1 and appendix A; github.com/psunlpgroup/FairSumm at commit
9285f43 (Apache-2.0), of which only addresses and checksums are written down here.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

from fairsum_utils.corpora import dialogues, fewsum, tweets
from fairsum_utils.corpora.corpus import Configuration, Corpus, Option, Row, Source, make_row
from fairsum_utils.corpora.prompts import (
    TEMPLATES,
    TURN_SEPARATOR,
    UNIT_SEPARATOR,
    Instructions,
    fair_instruction,
    fill,
    read_instructions,
    sentence_control,
    shares_of,
)
from fairsum_utils.corpora.published import published_samples
from fairsum_utils.corpora.sources import check_folder, find_files, not_found
from fairsum_utils.errors import InputError
from fairsum_utils.io.downloads import check_mirror, digest_files, download
from fairsum_utils.validation import check_choice, check_count

logger = logging.getLogger(__name__)

#: Folder of the published JSON files, pinned to one commit.
BASE_URL = (
    "https://raw.githubusercontent.com/psunlpgroup/FairSumm/9285f432004bf42d398bc9998dd935214b06a70f/"
    "preprocessing/preprocessed_datasets/"
)
#: Checksums of published files; None is "not recorded yet", in which case a download warns with the computed one.
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

_vader = partial(check_choice, choices=get_args(fewsum.Vader))
_origin = partial(check_choice, choices=("auto", "published", "raw"))
_SAMPLING: Mapping[str, Any] = {"seed": 42, "sizes": (10, 30, 50), "samples_per_cell": 150}
_CORNELL = "supreme_court_dialogs_corpus_v1.01/"
_COURT = (
    "supreme.conversations.txt+supreme.gender.txt",
    f"{_CORNELL}supreme.conversations.txt+{_CORNELL}supreme.gender.txt",
    "utterances.jsonl+speakers.json+users.json",
    "supreme-corpus/utterances.jsonl+supreme-corpus/speakers.json+supreme-corpus/users.json",
)
_IQ2 = ("iq2_data_release.json", "iq2_data_release/iq2_data_release.json")


def _input(name: str, raw: str) -> tuple[str, ...]:
    return (raw, f"{name}/input.txt", f"Dataset/{name}/input.txt", "input.txt")


def _tables(*folders: str) -> tuple[str, ...]:
    return (*(f"{folder}/*.csv" for folder in folders), "*.csv")


def _reviews(name: str) -> tuple[str, ...]:
    return _tables(f"{name}/reviews/val", f"data/{name}/reviews/val", "reviews/val", "val")


def _gold(name: str) -> tuple[str, ...]:
    return _tables(f"artifacts/{name}/gold_summs", f"{name}/gold_summs", "gold_summs")


_hearings = partial(
    Configuration,
    attributes={"speaker": None, "gender": dialogues.GENDERS, "power": dialogues.COURT_POWER},
    raw_attributes=("gender", "power"),
    prompt=TEMPLATES["supreme_court"],
    raw=_COURT,
)
_debates = partial(
    Configuration,
    attributes={"speaker": None, "power": dialogues.DEBATE_POWER},
    raw_attributes=("power",),
    prompt=TEMPLATES["iq2"],
    raw=_IQ2,
)
_whole = partial(dialogues.dialogue_samples, max_tokens_per_segment=None)

#: Name -> configuration, the paper's six first.
_CONFIGURATIONS: Mapping[str, Configuration] = {
    "claritin": Configuration(
        about="tweets about the drug Claritin",
        attributes={"gender": ("male", "female")},
        prompt=TEMPLATES["claritin"],
        published="claritin.json",
        raw=_input("Claritin", "claritin_raw.txt"),
        read=partial(tweets.tweet_samples, labels=tweets.CLARITIN_LABELS),
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
        prompt=TEMPLATES["us_election"],
        published="election.json",
        raw=_input("US-Election", "us_election_raw.txt"),
        read=partial(tweets.tweet_samples, labels=tweets.ELECTION_LABELS),
        options={**_SAMPLING, "ratios": ((0.2, 0.6), (0.4, 0.4), (0.6, 0.2)), "min_tokens": 1, "max_tokens": None},
        rows=1350,
    ),
    "yelp": Configuration(
        about="reviews of businesses",
        attributes={"sentiment": fewsum.SENTIMENTS, "rating": fewsum.RATINGS},
        prompt=TEMPLATES["yelp"],
        published="yelp.json",
        raw=_reviews("yelp"),
        read=fewsum.review_samples,
        options={"max_groups": 1500, "vader": "vaderSentiment"},
        rows=1500,
    ),
    "amazon": Configuration(
        about="reviews of products",
        attributes={"rating": fewsum.RATINGS},
        prompt=TEMPLATES["amazon"],
        published="amazon.json",
        raw=_reviews("amazon"),
        read=partial(fewsum.review_samples, attribute="rating"),
        options={"max_groups": 1500},
        rows=1500,
    ),
    "supreme_court": _hearings(
        about="hearings of the US Supreme Court, in segments",
        published="supremecourt.json",
        read=dialogues.dialogue_samples,
        # The first 100 cases are what gave the paper its 665 segments.
        options={"max_conversations": 100, "max_tokens_per_segment": 2000},
        rows=665,
    ),
    "iq2": _debates(
        about="Intelligence Squared debates, in segments",
        published="oxforddebates.json",
        read=dialogues.dialogue_samples,
        options={"max_conversations": None, "max_tokens_per_segment": 1500},
        rows=1421,
    ),
    "supreme_court_whole": _hearings(
        about="hearings of the US Supreme Court, each whole",
        published="supremecourt_whole.json",
        read=_whole,
        options={"max_conversations": None},
    ),
    "iq2_whole": _debates(
        about="Intelligence Squared debates, each whole",
        published="oxforddebates_whole.json",
        read=_whole,
        options={"max_conversations": None},
    ),
    "yelp_gold": Configuration(
        about="reviews of businesses with human summaries",
        attributes={"sentiment": fewsum.SENTIMENTS},
        prompt=TEMPLATES["yelp"],
        published="yelp_gold.json",
        raw=_gold("yelp"),
        read=partial(fewsum.gold_samples, attribute="sentiment"),
        options={"vader": "vaderSentiment"},
        rows=100,
    ),
    "amazon_gold": Configuration(
        about="reviews of products with human summaries",
        attributes={"rating": fewsum.RATINGS},
        prompt=TEMPLATES["amazon"],
        published="amazon_gold.json",
        raw=_gold("amazon"),
        read=partial(fewsum.gold_samples, attribute="rating"),
    ),
}


def _open(
    config: str,
    configuration: Configuration,
    data_dir: str | os.PathLike[str] | None,
    *,
    attribute: str,
    origin: str = "auto",
    base_url: str | None = None,
    prompt: object = "plain",
    **given: Any,
) -> Source:
    """Find the published file or the raw ones; see `Corpus.open`."""
    instructions = read_instructions(config, "prompt", prompt, dialogue=_is_dialogue(configuration))
    if attribute in configuration.raw_attributes:
        origin = _without_published(config, configuration, attribute, data_dir, origin)
    origin, files = _find(config, configuration, data_dir, origin)
    if origin == "published" and given:
        raise InputError(
            f"{', '.join(given)} change(s) how {config} is made from raw files, but the published file is used, "
            "which is already made. Leave the option(s) out, or give the folder of the raw files and origin='raw'."
        )
    logger.info("%s: using the %s input %s", config, origin, ", ".join(map(str, files[:3])) or configuration.published)
    url = BASE_URL if base_url is None else base_url
    settled = {**configuration.options, **given} if origin == "raw" else {}
    values = configuration.attributes[attribute]

    def fingerprint() -> dict[str, Any]:
        content = digest_files(files) if files else url + configuration.published
        known = {"origin": origin, "attribute": attribute, "prompt": str(instructions), "content": content}
        return {**known, **settled}

    def rows() -> Iterator[Row]:
        if origin == "raw":
            assert configuration.read is not None
            choice = {"attribute": attribute} if len(configuration.attributes) > 1 else {}
            samples = configuration.read(files, **choice, **settled)
        else:
            path = files[0] if files else download(configuration.published, base_url=url, checksums=SHA256)
            samples = published_samples(path, attribute=attribute, values=values, separator=_separator(configuration))
        for sample in samples:
            asked = _asked(configuration, sample.pairs, attribute, instructions)
            if instructions != Instructions():
                sample = sample._replace(metadata={**sample.metadata, "prompt": str(instructions)})
            yield make_row(sample, config=config, attribute=attribute, prompt=asked)

    return Source(origin, files, fingerprint, rows)


def _is_dialogue(configuration: Configuration) -> bool:
    return "speaker" in configuration.attributes


def _separator(configuration: Configuration) -> str:
    return TURN_SEPARATOR if _is_dialogue(configuration) else UNIT_SEPARATOR


def _asked(
    configuration: Configuration, pairs: Sequence[tuple[str, str]], attribute: str, instructions: Instructions
) -> str:
    """The prompt of a sample, with its instructions."""
    fair = ""
    if instructions.fair:
        shares = shares_of(pairs, instructions.fair, configuration.attributes[attribute])
        fair = fair_instruction(shares, attribute=attribute, dialogue=_is_dialogue(configuration))
    last = sentence_control(instructions.sentences) if instructions.sentences else ""
    texts = [text for text, _ in pairs]
    return fill(configuration.prompt, texts, _separator(configuration), after=fair, last=last)


def _without_published(
    config: str, configuration: Configuration, attribute: str, data_dir: str | os.PathLike[str] | None, origin: str
) -> str:
    """The origin of an attribute that no published file has."""
    if origin == "published" or data_dir is None:
        raise InputError(
            f"{config}: {attribute} is not in the published file, only in the raw corpus; give data_dir, a folder with "
            f"one of {', '.join(configuration.raw)}."
        )
    return "raw"


def _find(
    config: str, configuration: Configuration, data_dir: str | os.PathLike[str] | None, origin: str
) -> tuple[str, tuple[Path, ...]]:
    """Return the origin that is used and its files; no file means the published one is to be downloaded."""
    if data_dir is None:
        if origin == "raw":
            raise InputError(f"origin='raw' needs data_dir, a folder with one of {', '.join(configuration.raw)}.")
        return "published", ()
    folder = check_folder(data_dir)
    name = configuration.published
    published = (name, f"preprocessed_datasets/{name}", f"preprocessing/preprocessed_datasets/{name}")
    candidates = {"published": published, "raw": configuration.raw}
    wanted = candidates if origin == "auto" else {origin: candidates[origin]}
    for kind, places in wanted.items():
        if files := find_files(folder, places):
            return kind, files
    raise not_found(folder, config, [place for places in wanted.values() for place in places])


PERSPECTIVESUMM = Corpus(
    name="perspectivesumm",
    title="PerspectiveSumm",
    summary=(
        "PerspectiveSumm: source texts written by people of different groups, with the social attribute value of each "
        "text, to measure whose perspectives a summary leaves out."
    ),
    homepage="https://github.com/psunlpgroup/FairSumm",
    licenses="Apache-2.0 (published samples); MIT (tweets, FewSum reviews); the dialogue corpora have their own terms",
    citation="""\
@inproceedings{zhang-etal-2024-fair,
  title     = {Fair Abstractive Summarization of Diverse Perspectives},
  author    = {Zhang, Yusen and Zhang, Nan and Liu, Yixin and Fabbri, Alexander and Liu, Junru and Kamoi, Ryo and
               Lu, Xiaoxin and Xiong, Caiming and Zhao, Jieyu and Radev, Dragomir and McKeown, Kathleen and Zhang, Rui},
  booktitle = {Proceedings of NAACL-HLT 2024},
  year      = {2024}
}
""",
    configurations=_CONFIGURATIONS,
    options={
        "origin": Option("which input to use: published, raw, or auto for published where it is", _origin),
        "attribute": Option("attribute the values are of, where there are several"),
        "base_url": Option("folder to download from, for mirrors: of https, http or file", check_mirror),
        "prompt": Option("plain, fair_instruction (=texts or =words), sentence_control=N, or two of them joined by +"),
        "seed": Option("seed of what is drawn", partial(check_count, least=0)),
        "sizes": Option("tweets a sample, a list"),
        "ratios": Option("share of each value but the last, a list; of lists where there are three values"),
        "samples_per_cell": Option("samples for each pair of size and ratio", check_count),
        "min_tokens": Option("fewest word tokens of a tweet", partial(check_count, least=0)),
        "max_tokens": Option("most word tokens of a tweet", check_count),
        "max_groups": Option("use the first so many groups of reviews", check_count),
        "vader": Option("implementation of VADER, for the sentiment", _vader),
        "max_conversations": Option("use the first so many conversations", check_count),
        "max_tokens_per_segment": Option("most tokens of a segment of a conversation", check_count),
    },
    opener=_open,
)
