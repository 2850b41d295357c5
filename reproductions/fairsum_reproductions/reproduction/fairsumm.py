"""Numbers that Fair Abstractive Summarization of Diverse Perspectives prints, see `fairsumm.toml`."""

from __future__ import annotations

import gzip
import hashlib
import json
import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from fairsum_reproductions.printed import printed_figures
from fairsum_reproductions.reproduction.item import Below, Number, Outcome, n_equal, percent

PRINTED = printed_figures("fairsumm")

_YELP = "perspectivesumm/yelp_gpt4.jsonl.gz"
_GOLD = "perspectivesumm/yelp_gold.json"
# Domain -> configuration of the data set.
_TWEETS = {"Claritin": "claritin", "US Election": "us_election"}
_RAW = tuple(f"perspectivesumm/{config}_raw.txt" for config in _TWEETS.values())
# SHA-256 of the tokens that NLTK 3.8.1 makes of the texts of these files, see `_texts`.
_NLTK_TOKENS = "1a7743eb8fba9e1024745b4497ba3c3ce2af0022d9b2394047eebc07723c757d"
# In percents, from the value shares that the published code computes; the paper prints none of them for these.
_SHARES = {"sof": 0.5428, "auc": 13.6510, "auc_10": 16.9733}
# Seeds of the samples that are drawn anew.
_SEEDS = (0, 1, 2)
_DEFINED = PRINTED["instruction"]["Claritin + Definition"]
_OF_BOTH = " and ".join(f"{number:.2f}% ({value})" for value, number in PRINTED["by_value"].items())


def _rows(folder: Path) -> list[dict[str, Any]]:
    with gzip.open(folder / _YELP, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _gold(folder: Path) -> list[dict[str, Any]]:
    samples: list[dict[str, Any]] = json.loads((folder / _GOLD).read_text(encoding="utf-8"))
    return samples


@lru_cache(maxsize=1)
def _scores(folder: Path) -> dict[str, float]:
    """Score GPT-4's summaries, in percents."""
    from fairsum_reproductions.shares import data_set_scores, read_shares, sample_scores
    from fairsum_utils import api

    rows, tau = _rows(folder), 0.8
    predictions, sources, values = ([row[key] for row in rows] for key in ("prediction", "sources", "values"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = api.score(predictions, sources, values, metrics=["bur"], confidence_level=None, return_samples=True)
    shares = read_shares("reproduce", "yelp", found["bur"]["samples"])
    exact = data_set_scores(shares, sample_scores(shares, tau))
    ten = data_set_scores(shares, sample_scores(shares, tau, 10))
    return {name: 100 * score for name, score in {**exact, "auc_10": ten["auc"]}.items()}


def _n_grams(system: str, domain: str) -> list[float]:
    """BUR and UER of table 10."""
    place = 2 * PRINTED["domains"].index(domain)
    row: list[float] = PRINTED["table_10"][system]["N-gramScore"]
    return row[place : place + 2]


def score(folder: Path, of: str) -> Outcome:
    """Look up a score of GPT-4 on Yelp, n-grams."""
    got = _scores(folder)[of]
    printed = PRINTED["table_10"]["gpt-4"]["N-gramScore"][
        2 * PRINTED["domains"].index("Yelp") + ("bur", "uer").index(of)
    ]
    return Outcome(f"{got:.2f}%", [Number(got, printed, 0.1)])


def references(folder: Path) -> Outcome:
    """Score Yelp's human summaries, and summaries that match nothing."""
    from fairsum_utils import api
    from fairsum_utils.measures.bur import BUR
    from fairsum_utils.measures.uer import UER

    samples = _gold(folder)
    sources = [[unit["text"] for unit in sample["units"]] for sample in samples]
    values = [[unit["value"]["sentiment"] for unit in sample["units"]] for sample in samples]
    measures = [BUR(unmatched="uniform"), UER(unmatched="uniform")]
    found = []
    for system in [*zip(*(sample["gold_summary"] for sample in samples), strict=True), ["xyzzy"] * len(samples)]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scored = api.score(list(system), sources, values, metrics=measures, confidence_level=None)
        found.append([100 * scored[name][name] for name in ("bur", "uer")])
    *of_people, (bur, uer) = found
    words = " and ".join(f"{', '.join(f'{number:.2f}' for number in of)}%" for of in zip(*of_people, strict=True))
    several = sum(len(set(of_sample)) > 1 for of_sample in values)
    remark = (
        f"of {len(samples)} sets {several} have several groups and can be unfair; the printed BUR is about that of "
        f"summaries that match nothing ({bur:.2f}%; UER {uer:.2f}%)"
    )
    numbers = [Number(*pair) for of in of_people for pair in zip(of, PRINTED["table_4"]["Yelp"], strict=True)]
    return Outcome(f"{words} for the three summaries of a set; {remark}", numbers)


def from_shares(folder: Path) -> Outcome:
    """SOF and AUC of the shares that the published code computes."""
    scores = _scores(folder)
    got = f"SOF {scores['sof']:.4f}%; AUC {scores['auc']:.4f}% exactly, {scores['auc_10']:.4f}% with ten points"
    return Outcome(got, [Number(scores[name], expected, 0.001) for name, expected in _SHARES.items()])


def averages(_: Path) -> Outcome:
    """Average the scores of table 10."""
    from fairsum_reproductions.fairsumm.averages import SCORES, average_scores

    printed, numbers = PRINTED["table_10"], []
    for place in range(2 * len(PRINTED["domains"])):
        scores = {system: {"": {name: row[name][place] for name in SCORES.values()}} for system, row in printed.items()}
        averages = average_scores(scores)
        numbers += [Number(averages[system][""], row["Average"][place]) for system, row in printed.items()]
    return Outcome(f"{n_equal(numbers)} of {len(numbers)} from the printed scores", numbers)


def table_2(_: Path) -> Outcome:
    """Compare the averages of tables 2 and 10."""
    numbers = {
        system: [Number(*pair) for pair in zip(PRINTED["table_10"][system]["Average"], averages, strict=True)]
        for system, averages in PRINTED["table_2"].items()
    }
    wrong = {system: len(row) - n_equal(row) for system, row in numbers.items() if n_equal(row) < len(row)}
    words = ", ".join(f"{n} of {2 * len(PRINTED['domains'])} numbers of {system}" for system, n in wrong.items())
    return Outcome(f"{words or 'none'} differ in table 10", [number for row in numbers.values() for number in row])


def _texts(folder: Path) -> Iterator[str]:
    """Yield joined texts by value and summaries of Yelp sets, then raw tweets."""
    for row in _rows(folder):
        by_value: dict[str, list[str]] = {}
        for text, value in zip(row["sources"], row["values"], strict=True):
            by_value.setdefault(value, []).append(text)
        for value in sorted(by_value):
            yield " || ".join(by_value[value])
        yield row["prediction"]
    for path in _RAW:
        for line in (folder / path).read_bytes().decode("utf-8", errors="replace").split("\n"):
            if line:
                yield line.split("<||>")[2]


def tokens(folder: Path) -> Outcome:
    """Normalize tokens and compare with NLTK by hash."""
    from fairsum_utils.text.fairsumm import FairsummNormalizer

    normalizer, digest, n_tokens = FairsummNormalizer(), hashlib.sha256(), 0
    for text in _texts(folder):
        tokens = normalizer.tokens(text.lower())
        n_tokens += len(tokens)
        digest.update(json.dumps(tokens).encode() + b"\n")
    is_same = digest.hexdigest() == _NLTK_TOKENS
    words = "all equal NLTK 3.8.1's (SHA-256)" if is_same else "not all equal NLTK 3.8.1's"
    return Outcome(f"{n_tokens:,} tokens; {words}", [Number(is_same, True)])


def labels(folder: Path) -> Outcome:
    """Compare VADER's labels with the published ones."""
    from fairsum_utils.corpora.fewsum import sentiment

    units = [unit for sample in _gold(folder) for unit in sample["units"]]
    agree = sum(sentiment(unit["text"]) == unit["value"]["sentiment"] for unit in units)
    words = f"{agree} of {len(units)}; the others come from another version of VADER"
    return Outcome(words, [Number(agree, len(units), 0.05 * len(units))])


def _lengths(draws: Sequence[Sequence[Sequence[str]]], longest: int, mean: float) -> Outcome:
    """Measure the longest and mean sample in tokens, over one or several draws."""
    from fairsum_utils.text.punkt import word_tokenize

    known: dict[str, int] = {}
    most, means = [], []
    for samples in draws:
        known |= {text: len(word_tokenize(text)) for sources in samples for text in sources if text not in known}
        lengths = [sum(known[text] for text in sources) for sources in samples]
        most.append(max(lengths))
        means.append(sum(lengths) / len(lengths))
    seeds = f", {len(draws)} seeds" if len(draws) > 1 else ""
    numbers = [*(Number(each, mean, 1.0) for each in means), *(Number(each, longest, 50) for each in most)]
    return Outcome(f"{_range(most, 0)} and {_range(means, 1)} tokens{seeds}", numbers)


def _range(numbers: Sequence[float], digits: int) -> str:
    return " to ".join(dict.fromkeys(f"{end:.{digits}f}" for end in (min(numbers), max(numbers))))


def yelp_lengths(folder: Path) -> Outcome:
    """Measure the lengths of Yelp's samples."""
    return _lengths([[row["sources"] for row in _rows(folder)]], *PRINTED["lengths"]["Yelp"])


def drawn_lengths(folder: Path, of: str) -> Outcome:
    """Measure the lengths of samples redrawn from a domain's tweets."""
    from fairsum_utils.corpora import iter_rows

    source = folder / "perspectivesumm"
    drawn = (iter_rows("perspectivesumm", _TWEETS[of], data_dir=source, seed=seed) for seed in _SEEDS)
    return _lengths([[row["sources"] for row in rows] for rows in drawn], *PRINTED["lengths"][of])


def oracle(folder: Path) -> Outcome:
    """Score biased and balanced summaries."""
    from fairsum_reproductions.fairsumm import oracle as study
    from fairsum_utils.corpora import iter_rows

    data = list(iter_rows("perspectivesumm", "claritin", data_dir=folder / "perspectivesumm"))
    result = study.compute(data, settings=study.OracleSettings(favoured="male"))
    measures = {name: result["measures"][name] for name in ("bur", "uer")}
    words = "; ".join(
        f"{name.upper()} {percent(measured['biased'])} biased, {percent(measured['balanced'])} balanced"
        for name, measured in measures.items()
    )
    balanced_is_below = [Below(-measured["difference_ci"][0], 0.0) for measured in measures.values()]
    words = f"{words}, n-grams, {result['n_samples']} sets"
    return Outcome(words, balanced_is_below, study.parts(result), at_best="near")


def table_9(_: Path) -> Outcome:
    """Correlation of SOF and UER, of two values."""
    from fairsum_reproductions.fairsumm import measure_correlation

    # Any samples of two values do: shares in the summary and in the sources, in hundredths.
    shares = [(given, desired) for given in range(5, 100, 10) for desired in (20, 50, 80)]
    records = [
        {
            "index": place,
            "skipped": None,
            "values": ["female", "male"],
            "summary_share": [given / 100, 1 - given / 100],
            "desired_share": [desired / 100, 1 - desired / 100],
        }
        for place, (given, desired) in enumerate(shares)
    ]
    settings = measure_correlation.CorrelationSettings(n_resamples=1)
    result = measure_correlation.compute({"": records}, settings=settings)
    got = result["systems"][""]["correlation"]["uer"]["sof"]
    words = f"{got:.2f} for any samples: with two groups, equations 2 and 4 agree"
    return Outcome(words, [Number(got, PRINTED["table_9"]["uer"][3])])


def figure_4(folder: Path) -> Outcome:
    """Compute the average share of samples that underrepresent a value."""
    bur, _ = _n_grams("gpt-turbo-3.5", "Claritin")
    words = f"{bur / 2:.1f}% on average: with two groups they add up to BUR, {bur}%"
    return Outcome(words, [Number(bur / 2, PRINTED["figure_4"], 1.0)], at_best="near")


def by_value(_: Path) -> Outcome:
    """UER from the unfair rates of the values."""
    got = sum(PRINTED["by_value"].values()) / len(PRINTED["by_value"])
    return Outcome(f"{got:.2f}%, the mean of {_OF_BOTH} in version 1", [Number(got, _DEFINED[1], 0.01)])


def sof_by_value(_: Path) -> Outcome:
    """SOF from the unfair rates of the values."""
    from fairsum_utils.measures.sof import sof

    got = float(sof(list(PRINTED["by_value"].values()), 1))
    return Outcome(f"{got:.2f}% from {_OF_BOTH}, whose mean is the printed UER", [Number(got, _DEFINED[2], 0.05)])
