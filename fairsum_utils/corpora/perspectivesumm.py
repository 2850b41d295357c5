"""PerspectiveSumm: its configurations, and the one place that says who reads which.

Source: Zhang et al. 2024, section 4, table 1 and appendix A; github.com/psunlpgroup/FairSumm at commit
9285f43 (Apache-2.0), of which only addresses and checksums are written down here.
"""

from __future__ import annotations

import logging
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

from fairsum_utils.corpora import dialogues, fewsum, tweets
from fairsum_utils.corpora.corpus import (
    Configuration,
    Row,
    Sample,
    Source,
    describe_configuration,
    describe_corpus,
    find_input,
    make_row,
)
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
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.downloads import check_mirror, download
from fairsum_utils.io.objects import iter_array
from fairsum_utils.io.opening import as_place
from fairsum_utils.validation import check_choice, check_count

logger = logging.getLogger(__name__)

#: Folder of the published JSON files, pinned to one commit.
BASE_URL = (
    "https://raw.githubusercontent.com/psunlpgroup/FairSumm/9285f432004bf42d398bc9998dd935214b06a70f/"
    "preprocessing/preprocessed_datasets/"
)
#: Checksums of published files; a download of another one warns with the computed one.
SHA256 = {"yelp_gold.json": "dd85e6484a5db6ed8422965e230bef5ecd9550b4ca4d30859bde92b7333fe6a8"}

_SAMPLING: Mapping[str, Any] = {"seed": 42, "sizes": (10, 30, 50), "samples_per_cell": 150}
_configuration = partial(describe_configuration, "perspectivesumm")
_hearings = partial(
    _configuration,
    attributes={"speaker": None, "gender": dialogues.GENDERS, "power": dialogues.COURT_POWER},
    raw_attributes=("gender", "power"),
    prompt=TEMPLATES["supreme_court"],
)
_debates = partial(
    _configuration,
    attributes={"speaker": None, "power": dialogues.DEBATE_POWER},
    raw_attributes=("power",),
    prompt=TEMPLATES["iq2"],
)
_segments = dialogues.dialogue_samples
_whole = partial(dialogues.dialogue_samples, max_tokens_per_segment=None)

# The paper's six come first.
_CONFIGURATIONS: Mapping[str, Configuration] = {
    "claritin": _configuration(
        "claritin",
        attributes={"gender": ("male", "female")},
        prompt=TEMPLATES["claritin"],
        read=partial(tweets.tweet_samples, labels=tweets.CLARITIN_LABELS),
        options={**_SAMPLING, "ratios": (0.2, 0.5, 0.8), "min_tokens": 10, "max_tokens": 70},
    ),
    # No limits except non-empty text. The authors keep tweets of more than ten characters, which all are (the
    # shortest has 25). Evidence, in NLTK tokens summed over the sources of a sample: table 1 gives max/avg 1247/677.7;
    # these defaults give 1235 to 1259/677.1 to 677.3 with seeds 0, 1 and 42, and Claritin's limits 1261 to 1266/691.5.
    # Claritin itself: 1087/572.2 in table 1, and 1078 to 1123/572.0 to 572.1 here.
    "us_election": _configuration(
        "us_election",
        attributes={"politics": ("repu", "demo", "neutral")},
        prompt=TEMPLATES["us_election"],
        read=partial(tweets.tweet_samples, labels=tweets.ELECTION_LABELS),
        options={**_SAMPLING, "ratios": ((0.2, 0.6), (0.4, 0.4), (0.6, 0.2)), "min_tokens": 1, "max_tokens": None},
    ),
    "yelp": _configuration(
        "yelp",
        attributes={"sentiment": fewsum.SENTIMENTS, "rating": fewsum.RATINGS},
        prompt=TEMPLATES["yelp"],
        read=fewsum.review_samples,
        options={"max_groups": 1500, "vader": "vaderSentiment"},
    ),
    "amazon": _configuration(
        "amazon",
        attributes={"rating": fewsum.RATINGS},
        prompt=TEMPLATES["amazon"],
        read=partial(fewsum.review_samples, attribute="rating"),
        options={"max_groups": 1500},
    ),
    # The first 100 cases yield the paper's 665 segments.
    "supreme_court": _hearings(
        "supreme_court", read=_segments, options={"max_conversations": 100, "max_tokens_per_segment": 2000}
    ),
    "iq2": _debates("iq2", read=_segments, options={"max_conversations": None, "max_tokens_per_segment": 1500}),
    "supreme_court_whole": _hearings("supreme_court_whole", read=_whole, options={"max_conversations": None}),
    "iq2_whole": _debates("iq2_whole", read=_whole, options={"max_conversations": None}),
    "yelp_gold": _configuration(
        "yelp_gold",
        attributes={"sentiment": fewsum.SENTIMENTS},
        prompt=TEMPLATES["yelp"],
        read=partial(fewsum.gold_samples, attribute="sentiment"),
        options={"vader": "vaderSentiment"},
    ),
    "amazon_gold": _configuration(
        "amazon_gold",
        attributes={"rating": fewsum.RATINGS},
        prompt=TEMPLATES["amazon"],
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
    base_url: str = "",
    prompt: object = "plain",
    **given: Any,
) -> Source:
    """Choose between the published file and raw input; see `Corpus.open`."""
    is_dialogue = "speaker" in configuration.attributes
    instructions = read_instructions(config, "prompt", prompt, dialogue=is_dialogue)
    if attribute in configuration.raw_attributes:
        if origin == "published" or data_dir is None:
            raise InputError(
                f"{config}: {attribute} is not in the published file, only in the raw corpus; give data_dir, a folder "
                f"with one of {', '.join(configuration.raw)}."
            )
        origin = "raw"
    origin, files = _find(config, configuration, data_dir, origin)
    if origin == "published" and given:
        raise InputError(
            f"{', '.join(given)} only affects {config} made from raw files, but the input is the published "
            "file. Leave the option(s) out, or give the folder of the raw files and origin='raw'."
        )
    logger.info("%s: using the %s input %s", config, origin, ", ".join(map(str, files[:3])) or configuration.published)
    url = base_url or BASE_URL
    settled = {**configuration.options, **given} if origin == "raw" else {}

    def rows() -> Iterator[Row]:
        ask = partial(_prompt, configuration, attribute, instructions)
        for sample in _samples(configuration, attribute, origin, files, url, settled):
            if instructions != Instructions():
                sample = sample._replace(metadata={**sample.metadata, "prompt": str(instructions)})
            yield make_row(sample, config=config, attribute=attribute, prompt=ask(sample.pairs))

    remote = {} if files else {"url": url + configuration.published}
    return Source(origin, files, {"attribute": attribute, "prompt": str(instructions), **remote, **settled}, rows)


def _samples(
    configuration: Configuration,
    attribute: str,
    origin: str,
    files: tuple[Path, ...],
    url: str,
    settled: Mapping[str, Any],
) -> Iterator[Sample]:
    """Read raw files, or the published file, downloaded if not given."""
    if origin == "raw":
        assert configuration.read is not None
        choice = {"attribute": attribute} if len(configuration.attributes) > 1 else {}
        samples: Iterator[Sample] = configuration.read(files, **choice, **settled)
        return samples
    path = files[0] if files else download(configuration.published, base_url=url, checksums=SHA256)
    values, separator = configuration.attributes[attribute], _separator(configuration)
    return published_samples(path, attribute=attribute, values=values, separator=separator)


def _separator(configuration: Configuration) -> str:
    return TURN_SEPARATOR if "speaker" in configuration.attributes else UNIT_SEPARATOR


def _prompt(
    configuration: Configuration, attribute: str, instructions: Instructions, pairs: Sequence[tuple[str, str]]
) -> str:
    fair = ""
    if instructions.fair:
        shares = shares_of(pairs, instructions.fair, configuration.attributes[attribute])
        fair = fair_instruction(shares, attribute=attribute, dialogue="speaker" in configuration.attributes)
    last = sentence_control(instructions.sentences) if instructions.sentences else ""
    texts = [text for text, _ in pairs]
    return fill(configuration.prompt, texts, _separator(configuration), after=fair, last=last)


def _find(
    config: str, configuration: Configuration, data_dir: str | os.PathLike[str] | None, origin: str
) -> tuple[str, tuple[Path, ...]]:
    """Find the origin and its files; no files means download the published one."""
    if data_dir is None:
        if origin == "raw":
            raise InputError(f"origin='raw' needs data_dir, a folder with one of {', '.join(configuration.raw)}.")
        return "published", ()
    name = configuration.published
    published = [name, f"preprocessed_datasets/{name}", f"preprocessing/preprocessed_datasets/{name}"]
    places = {"published": published, "raw": list(configuration.raw)}
    candidates = [*places["published"], *places["raw"]] if origin == "auto" else places[origin]
    _, files = find_input(data_dir, config, candidates)
    return ("published" if files[0].name == name else "raw"), files


PERSPECTIVESUMM = describe_corpus(
    "perspectivesumm",
    {
        "origin": partial(check_choice, choices=("auto", "published", "raw")),
        "base_url": check_mirror,
        "seed": partial(check_count, least=0),
        "samples_per_cell": check_count,
        "min_tokens": partial(check_count, least=0),
        "max_tokens": check_count,
        "max_groups": check_count,
        "vader": partial(check_choice, choices=get_args(fewsum.Vader)),
        "max_conversations": check_count,
        "max_tokens_per_segment": check_count,
    },
    configurations=_CONFIGURATIONS,
    opener=_open,
)


def published_samples(path: Path, *, attribute: str, values: Sequence[str] | None, separator: str) -> Iterator[Sample]:
    """Read samples from a published JSON file.

    The units of the tweet files are sorted by value; the paper's models read ``model_input``. Sources have the order of
    ``model_input`` if it consists of exactly the units, else the order of the units (``metadata["order"]`` records
    which).
    """
    seen: Counter[str] = Counter()
    for index, (_, sample) in enumerate(iter_array(as_place(path))):
        where = f"{path}, sample {index}"
        if not isinstance(sample, dict) or not isinstance(sample.get("units"), list) or not sample["units"]:
            raise DataSourceError(
                f"{where}: expected an object with a non-empty list 'units', as psunlpgroup/FairSumm publishes it."
            )
        meta = sample.get("meta") or {}
        references = sample.get("gold_summary") or []
        if not isinstance(references, list) or not all(isinstance(text, str) for text in references):
            raise DataSourceError(f"{where}: gold_summary must be a list of strings.")
        pairs = [_pair(unit, attribute, values, f"{where}, unit {i}") for i, unit in enumerate(sample["units"])]
        # "seperator" is their spelling
        order = source_order([text for text, _ in pairs], sample.get("model_input"), meta.get("seperator", separator))
        cell = _cell(meta, Counter(value for _, value in pairs), values)
        group = cell or Path(str(meta.get("id", ""))).stem
        # a separate review file names its sample; otherwise samples are numbered within their group
        number = f"{seen[group]:04d}" if cell or references or not group or seen[group] else ""
        seen[group] += 1
        yield Sample(
            "-".join(part for part in (group, number) if part),
            pairs if order is None else [pairs[i] for i in order],
            _metadata(meta, index, "units" if order is None else "model_input", cell),
            references,
        )
    if not seen:
        raise DataSourceError(f"{path} contains no sample. Fetch it again: it may be cut short.")


def source_order(texts: Sequence[str], model_input: object, separator: str) -> list[int] | None:
    """Return the texts' order in the joined input, or None without a match.

    A text may contain the separator, so the longest matching text is taken at each position. Among equal texts the
    first unused one is taken.

    Example:
        >>> source_order(["b", "a || c", "b"], "a || c || b || b", " || ")
        [1, 0, 2]
        >>> source_order(["a"], "b", " || ") is None
        True
    """
    if not isinstance(model_input, str):
        return None
    if separator.join(texts) == model_input:
        return list(range(len(texts)))
    unused: dict[str, list[int]] = defaultdict(list)
    for index, text in reversed(list(enumerate(texts))):
        unused[text].append(index)
    pieces = model_input.split(separator)
    widths = sorted({text.count(separator) + 1 for text in texts}, reverse=True) if separator else []
    order: list[int] = []
    place = 0
    while place < len(pieces):
        for width in widths:
            text = separator.join(pieces[place : place + width])
            if place + width <= len(pieces) and unused.get(text):
                order.append(unused[text].pop())
                place += width
                break
        else:
            return None
    return order if len(order) == len(texts) else None


def value_name(value: object) -> str | None:
    """Return a published value as a string, or None for an invalid value.

    Example:
        >>> value_name(4.0), value_name("pos"), value_name(None)
        ('4', 'pos', None)
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool) and value == int(value):
        return str(int(value))
    return None


def _pair(unit: object, attribute: str, values: Sequence[str] | None, where: str) -> tuple[str, str]:
    """Return (text, value) of one unit."""
    if not isinstance(unit, dict) or not isinstance(unit.get("text"), str) or not isinstance(unit.get("value"), dict):
        raise DataSourceError(f'{where}: expected {{"text": ..., "value": {{"{attribute}": ...}}}}.')
    if attribute not in unit["value"]:
        raise DataSourceError(
            f"{where}: has no {attribute!r}; its attributes are {', '.join(unit['value']) or 'none'}."
        )
    value = value_name(unit["value"][attribute])
    if value is None or (values is not None and value not in values):
        raise DataSourceError(
            f"{where}: {attribute} is {unit['value'][attribute]!r}, expected {'a name' if values is None else values}."
        )
    return unit["text"], value


def _cell(meta: Mapping[str, Any], counts: Mapping[str, int], values: Sequence[str] | None) -> str | None:
    """Return the name of a tweet sample's cell, or None for other samples."""
    if "num_tweets" not in meta or values is None:
        return None
    total = sum(counts.values())
    return f"n{total}-" + "-".join(f"{value}{counts.get(value, 0) / total:.3g}" for value in values[:-1])


def _metadata(meta: Mapping[str, Any], index: int, order: str, cell: str | None) -> dict[str, Any]:
    """Return the published sample's metadata under this package's names."""
    known: dict[str, Any] = {"origin": "published", "sample": index, "order": order}
    if cell is not None:
        known["cell"] = cell
        known["size"] = meta["num_tweets"]
        known["ratios"] = {key.removesuffix("_ratio"): meta[key] for key in meta if key.endswith("_ratio")}
    # the yelp_gold file has the category in group_id too
    for name, key in (("file", "id"), ("category", "category"), ("group_id", "group_id")):
        if key in meta and meta[key] != known.get("category"):
            known[name] = meta[key]
    return known
