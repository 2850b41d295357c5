"""What Fair Abstractive Summarization of Diverse Perspectives prints."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from fairsum_reproductions.fairsumm._printed import (
    BY_VALUE,
    DOMAINS,
    FIGURE_4,
    INSTRUCTION,
    LENGTHS,
    SCORES,
    TABLE_9,
    averages_of_table_2,
    table_10,
)
from fairsum_reproductions.reproduction.item import Item, Outcome, Verdict, judged, percent

_YELP = "perspectivesumm/yelp_gpt4.jsonl.gz"
_GOLD = "perspectivesumm/yelp_gold.json"
_TWEETS = {"Claritin": "claritin", "US Election": "us_election"}
"""Domain -> configuration of the data set."""
_RAW = tuple(f"perspectivesumm/{config}_raw.txt" for config in _TWEETS.values())
_NLTK_TOKENS = "1a7743eb8fba9e1024745b4497ba3c3ce2af0022d9b2394047eebc07723c757d"
"""SHA-256 of the tokens that NLTK 3.8.1 makes of the texts of these files, see `_texts`."""
_SHARES = {"sof": 0.5428, "auc": 13.6510, "auc_10": 16.9733}
"""In percents, from the value shares that the published code computes; the paper prints none of them for these."""
_SEEDS = (0, 1, 2)
"""Of the samples that are drawn anew."""


def _rows(folder: Path) -> list[dict[str, Any]]:
    with gzip.open(folder / _YELP, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@lru_cache(maxsize=1)
def _scores(folder: Path) -> dict[str, float]:
    """The measures of GPT-4's summaries, in percents."""
    from fairsum_reproductions.shares import MEASURES, data_set_scores, read_shares, sample_scores
    from fairsum_utils.families.representation.family import FAMILY
    from fairsum_utils.families.representation.settings import RepresentationSettings

    rows, settings = _rows(folder), RepresentationSettings()
    scorer = FAMILY.scorer(MEASURES, settings)
    columns = {"predictions": "prediction", "sources": "sources", "values": "values"}
    scored = list(scorer.rows(scorer.read({name: [row[key] for row in rows] for name, key in columns.items()})))
    shares = read_shares("reproduce", "yelp", FAMILY.records(scored, MEASURES, settings))
    exact = data_set_scores(shares, sample_scores(shares, settings.tau))
    ten = data_set_scores(shares, sample_scores(shares, settings.tau, 10))
    return {name: 100 * score for name, score in {**exact, "auc_10": ten["auc"]}.items()}


def _score(measure: str, place: int) -> Item:
    """A score of GPT-4 on Yelp, as table 10 prints it."""
    printed = table_10()["gpt-4"]["N-gramScore"][2 * DOMAINS.index("Yelp") + place]

    def compute(folder: Path) -> Outcome:
        got = _scores(folder)[measure]
        return Outcome(f"{got:.2f} %", judged(got, printed, within=0.1))

    return Item(
        f"{measure.upper()}, GPT-4 on Yelp, n-grams",
        "v2, table 10",
        f"{printed:.2f} %",
        compute,
        (_YELP,),
        f"fairsum score {_YELP} --metrics {measure}",
    )


def _from_shares(folder: Path) -> Outcome:
    scores = _scores(folder)
    verdicts = {judged(scores[name], expected, within=0.001) for name, expected in _SHARES.items()}
    got = f"SOF {scores['sof']:.4f} %; AUC {scores['auc']:.4f} % exactly, {scores['auc_10']:.4f} % with ten points"
    return Outcome(got, _worst(verdicts))


def _worst(verdicts: set[Verdict]) -> Verdict:
    order: tuple[Verdict, ...] = ("differs", "near", "equal")
    return next(verdict for verdict in order if verdict in verdicts)


def _texts(folder: Path) -> Iterator[str]:
    """The texts of a value of each Yelp set, joined, and its summary; then the raw tweets."""
    from fairsum_utils.families.representation.scorer import SEPARATOR, places_by_value

    for row in _rows(folder):
        for places in places_by_value(row["values"]).values():
            yield SEPARATOR.join(row["sources"][place] for place in places)
        yield row["prediction"]
    for path in _RAW:
        for line in (folder / path).read_bytes().decode("utf-8", errors="replace").split("\n"):
            if line:
                yield line.split("<||>")[2]


def _tokens(folder: Path) -> Outcome:
    from fairsum_utils.text.fairsumm import FairsummNormalizer

    normalizer, digest, n_tokens = FairsummNormalizer(), hashlib.sha256(), 0
    for text in _texts(folder):
        tokens = normalizer.tokens(text.lower())
        n_tokens += len(tokens)
        digest.update(json.dumps(tokens).encode() + b"\n")
    is_same = digest.hexdigest() == _NLTK_TOKENS
    said = "all are NLTK 3.8.1's, by their SHA-256" if is_same else "not all are NLTK 3.8.1's"
    return Outcome(f"{n_tokens:,} tokens; {said}", "equal" if is_same else "differs")


def _labels(folder: Path) -> Outcome:
    from fairsum_utils.corpora.fewsum import sentiment

    samples = json.loads((folder / _GOLD).read_text(encoding="utf-8"))
    units = [unit for sample in samples for unit in sample["units"]]
    agree = sum(sentiment(unit["text"]) == unit["value"]["sentiment"] for unit in units)
    verdict: Verdict = "equal" if agree == len(units) else "near" if agree > 0.95 * len(units) else "differs"
    return Outcome(f"{agree} of {len(units)}; those that differ are another version's of VADER", verdict)


def _length(domain: str) -> Item:
    """The longest and the mean sample of a domain, in tokens."""
    longest, mean = LENGTHS[domain]
    printed = f"{longest} and {mean} tokens"
    if domain == "Yelp":
        return Item(
            "longest and mean sample, Yelp",
            "table 1",
            printed,
            lambda folder: _lengths([[row["sources"] for row in _rows(folder)]], longest, mean),
            (_YELP,),
        )

    config = _TWEETS[domain]
    path = f"perspectivesumm/{config}_raw.txt"

    def compute(folder: Path) -> Outcome:
        from fairsum_utils.corpora import iter_rows

        drawn = (iter_rows("perspectivesumm", config, data_dir=(folder / path).parent, seed=seed) for seed in _SEEDS)
        return _lengths([[row["sources"] for row in rows] for rows in drawn], longest, mean)

    return Item(
        f"longest and mean sample, {domain}, drawn anew by the paper's sizes and ratios",
        "table 1",
        printed,
        compute,
        (path,),
        f"fairsum data build perspectivesumm --config {config} --data-dir perspectivesumm --output {config}.jsonl",
        known="near",
    )


def _lengths(draws: list[list[list[str]]], longest: int, mean: float) -> Outcome:
    """The lengths of samples, of one draw or several."""
    from fairsum_utils.text.punkt import word_tokenize

    known: dict[str, int] = {}
    most, means = [], []
    for samples in draws:
        known |= {text: len(word_tokenize(text)) for sources in samples for text in sources if text not in known}
        lengths = [sum(known[text] for text in sources) for sources in samples]
        most.append(max(lengths))
        means.append(sum(lengths) / len(lengths))
    verdicts: set[Verdict] = {judged(each, mean, within=1.0) for each in means}
    verdicts |= {judged(each, longest, within=50) for each in most}
    said = [" to ".join(dict.fromkeys((low, high))) for low, high in (_ends(most, 0), _ends(means, 1))]
    seeds = f", {len(draws)} seeds" if len(draws) > 1 else ""
    return Outcome(f"{said[0]} and {said[1]} tokens{seeds}", _worst(verdicts))


def _ends(numbers: list[Any], digits: int) -> tuple[str, str]:
    return f"{min(numbers):.{digits}f}", f"{max(numbers):.{digits}f}"


def _averages(folder: Path) -> Outcome:
    from fairsum_reproductions.fairsumm.averages import average_scores

    printed, equal, total = table_10(), 0, 0
    for place in range(2 * len(DOMAINS)):
        scores = {system: {"": {name: row[name][place] for name in SCORES.values()}} for system, row in printed.items()}
        for system, by_domain in average_scores(scores).items():
            total += 1
            equal += judged(by_domain[""], printed[system]["Average"][place], within=0) == "equal"
    return Outcome(f"{equal} of {total} from the printed scores", "equal" if equal == total else "differs")


def _table_2(folder: Path) -> Outcome:
    others = {}
    for system, averages in averages_of_table_2().items():
        pairs = zip(averages, table_10()[system]["Average"], strict=True)
        others[system] = sum(one != other for one, other in pairs)
    wrong = {system: n for system, n in others.items() if n}
    said = ", ".join(f"{n} of {2 * len(DOMAINS)} numbers of {system}" for system, n in wrong.items())
    return Outcome(f"{said or 'none'} are others in table 10", "differs" if wrong else "equal")


def _table_9(folder: Path) -> Outcome:
    from fairsum_reproductions.fairsumm import measure_correlation

    # Any samples of two values do: shares in the summary and in the sources, in hundredths.
    records = [
        {
            "index": place,
            "skipped": None,
            "values": ["female", "male"],
            "summary_share": [given / 100, 1 - given / 100],
            "desired_share": [desired / 100, 1 - desired / 100],
        }
        for place, (given, desired) in enumerate(
            (given, desired) for given in range(5, 100, 10) for desired in (20, 50, 80)
        )
    ]
    settings = measure_correlation.CorrelationSettings(n_resamples=1)
    result = measure_correlation.compute({"": records}, settings=settings)
    got = result["systems"][""]["correlation"]["uer"]["sof"]
    return Outcome(
        f"{got:.2f}, whatever the samples: of two values equations 2 and 4 agree",
        judged(got, TABLE_9["uer"][3], within=0),
    )


def _figure_4(folder: Path) -> Outcome:
    bur = table_10()["gpt-turbo-3.5"]["N-gramScore"][2 * DOMAINS.index("Claritin")]
    got = bur / 2
    verdict: Verdict = "near" if abs(got - FIGURE_4) < 1 else "differs"
    return Outcome(f"{got:.1f} % on average, for of two values they add up to BUR, {bur} %", verdict)


def _by_value(folder: Path) -> Outcome:
    printed = INSTRUCTION["Claritin + Definition"][1]
    got = sum(BY_VALUE.values()) / len(BY_VALUE)
    return Outcome(f"{got:.2f} %, the mean of {_both()} of version 1", judged(got, printed, within=0.01))


def _sof_by_value(folder: Path) -> Outcome:
    from fairsum_utils.measures.sof import sof

    got = float(sof(list(BY_VALUE.values()), 1))
    verdict = judged(got, INSTRUCTION["Claritin + Definition"][2], within=0.05)
    return Outcome(f"{got:.2f} % from {_both()}, whose mean is the printed UER", verdict)


def _both() -> str:
    return " and ".join(f"{number:.2f} % ({value})" for value, number in BY_VALUE.items())


def _oracle(folder: Path) -> Outcome:
    from fairsum_reproductions.fairsumm import oracle
    from fairsum_utils.corpora import iter_rows

    data = list(iter_rows("perspectivesumm", "claritin", data_dir=(folder / _RAW[0]).parent))
    result = oracle.compute(data, settings=oracle.OracleSettings(favoured="male"))
    measures = {name: result["measures"][name] for name in ("bur", "uer")}
    said = "; ".join(
        f"{name.upper()} {percent(measured['biased'])} biased, {percent(measured['balanced'])} balanced"
        for name, measured in measures.items()
    )
    is_above = all(measured["difference_ci"][0] > 0 for measured in measures.values())
    return Outcome(
        f"{said}, n-grams, {result['n_samples']} sets", "near" if is_above else "differs", oracle.parts(result)
    )


ITEMS: tuple[Item, ...] = (
    _score("bur", 0),
    _score("uer", 1),
    Item(
        "SOF and AUC, GPT-4 on Yelp, n-grams",
        "not printed; the published code's value shares",
        "SOF {sof:.4f} %; AUC {auc:.4f} % exactly, {auc_10:.4f} % with ten points".format(**_SHARES),
        _from_shares,
        (_YELP,),
        f"fairsum score {_YELP} --metrics auc,sof",
    ),
    Item(
        "averages of three scores, all systems and domains",
        "v2, table 10",
        "96 averages",
        _averages,
        command="fairsum study averages SYSTEM/DOMAIN=RESULTS ...",
    ),
    Item("the same averages", "v2, table 2", "96 averages", _table_2, known="differs"),
    Item(
        "tokens of the published normalization",
        "no number; the published code calls NLTK",
        "those of NLTK 3.8.1",
        _tokens,
        (_YELP, *_RAW),
        f"fairsum verify {_YELP}",
    ),
    Item(
        "VADER's labels of Yelp's reviews with human summaries",
        "published labels",
        "800 labels",
        _labels,
        (_GOLD,),
        known="near",
    ),
    *map(_length, LENGTHS),
    Item(
        "biased summaries score higher than balanced ones, Claritin, n-grams",
        "v2, appendix C, figure 7",
        "a picture without numbers",
        _oracle,
        _RAW[:1],
        "fairsum study oracle claritin.jsonl --favoured male",
        known="near",
    ),
    Item(
        "correlation of SOF and UER over samples, Claritin (two values)",
        "v2, table 9",
        f"{TABLE_9['uer'][3]:.2f}",
        _table_9,
        command="fairsum study measure_correlation SAMPLES",
        known="differs",
    ),
    Item(
        "samples in which male, and in which female is underrepresented, gpt-turbo-3.5 on Claritin",
        "v2, section 6.5, figure 4",
        f"about {FIGURE_4} % each",
        _figure_4,
        command="fairsum study value_ratios SAMPLES",
        known="differs",
    ),
    Item(
        "UER with the instruction, Claritin",
        "v2, table 7",
        f"{INSTRUCTION['Claritin + Definition'][1]:.2f} %",
        _by_value,
    ),
    Item(
        "SOF with the instruction, Claritin",
        "v2, table 7",
        f"{INSTRUCTION['Claritin + Definition'][2]:.2f} %",
        _sof_by_value,
        known="differs",
    ),
    Item(
        "other rows of table 10, tables 3, 4, 6, 7 and 12, figures 5, 6 and 10",
        "v2",
        "scores of nine systems and of references",
        needs=("the summaries of these systems", "for BERTScore and BARTScore their models"),
        command="fairsum study averages, breakdown, value_ratios, tolerance",
    ),
    Item(
        "human evaluation, meta-evaluation, quality of summaries (tables 5 and 13, figure 3)",
        "v2",
        "scores and agreement of annotators",
        needs=("the annotations",),
        command="fairsum agree",
    ),
)
