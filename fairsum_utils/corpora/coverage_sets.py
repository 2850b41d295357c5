"""The coverage paper's document sets from five data sets: readers and configurations.

Sources: Li et al. 2025, section 5.1, table 1 and appendix A.3 (values, filters, events); Amazon reviews
(Ni et al. 2019, nijianmo.github.io/amazon), MITweet (Liu et al. 2023, github.com/LST1836/MITweet), SemEval-2016
task 6 (Mohammad et al. 2016), Article-Bias-Prediction (Baly et al. 2020,
github.com/ramybaly/Article-Bias-Prediction), Emergent (Ferreira and Vlachos 2016), FNC-1 (Pomerleau and Rao 2017)
and the Snopes corpus (Hanselowski et al. 2019).
"""

from __future__ import annotations

import importlib.metadata
import itertools
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from fairsum_utils.corpora.corpus import (
    Configuration,
    Row,
    Source,
    describe_configuration,
    describe_corpus,
    find_input,
    labelled,
    looks_english,
)
from fairsum_utils.corpora.document_sets import (
    LabelledText,
    Sampling,
    Table,
    by_similarity,
    document_set_rows,
    group_events,
)
from fairsum_utils.corpora.prompts import COVERAGE
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.columns import check_columns
from fairsum_utils.io.objects import iter_lines, iter_objects, read_json
from fairsum_utils.io.tables import read_table
from fairsum_utils.text.splitting import ENDS, cut_text
from fairsum_utils.validation import check_choice, check_count, check_fraction

logger = logging.getLogger(__name__)


SENTIMENTS = ("negative", "neutral", "positive")
_OF_RATING = {1: "negative", 2: "negative", 3: "neutral", 4: "positive", 5: "positive"}


def read_amazon(files: Sequence[Path], *, max_reviews: int) -> Table:
    """Read reviews from JSON Lines with ``reviewText``, ``overall`` and ``asin``, perhaps compressed.

    The topic is the product. Reviews without text or rating are left out, and those that do not look English
    (`language.looks_english`).

    Source: Li et al. 2025, appendix A.3.
    """
    table = Table()
    reviews = ((path, number, review) for path in files for number, review in iter_objects(path))
    for path, number, review in itertools.islice(reviews, max_reviews):
        where = f"{path}, line {number}"
        text = review.get("reviewText") or ""
        rating = review.get("overall")
        product = review.get("asin")
        if not isinstance(text, str) or not isinstance(product, str) or not product.strip():
            raise DataSourceError(
                f"{where}: expected texts reviewText and asin, found the fields {', '.join(review) or 'nothing'}. "
                "Use the file of reviews, not of products or ratings only."
            )
        if rating is not None and (type(rating) not in (int, float) or rating not in _OF_RATING):
            raise DataSourceError(f"{where}: overall is {rating!r}, expected one of {', '.join(map(str, _OF_RATING))}.")
        if not text.strip():
            table.dropped["without text"] += 1
        elif rating is None:
            table.dropped["without a rating"] += 1
        elif not looks_english(text):
            table.dropped["does not look English"] += 1
        else:
            table.texts.append(LabelledText(text.strip(), _OF_RATING[rating], product, f"{path.name}:{number}"))
    if next(reviews, None) is not None:
        logger.warning("read the first %d reviews only; a larger max_reviews reads more", max_reviews)
    return table


IDEOLOGIES = ("left", "center", "right")
STANCES = ("support", "against")

_FACETS = tuple(f"I{number}" for number in range(1, 13))
_OF_LABEL = {"0": "left", "1": "center", "2": "right", "-1": None}
_OLD = " Early versions of the files also use 3, with another meaning; fetch the current files."
_SEMEVAL_HEADER = ["ID", "Target", "Tweet", "Stance"]
_SEMEVAL_STANCES = {"FAVOR": "support", "AGAINST": "against", "NONE": None}
_NO_GOLD = " Test files without stances cannot be used; fetch the files with gold labels."


def read_mitweet(files: Sequence[Path]) -> Table:
    """Read MITweet: CSV with ``topic``, ``tweet`` and facet ideologies ``I1`` to ``I12``."""
    table = Table(group=by_similarity)
    unrelated = 0
    for path in files:
        tweets = read_table(path, ("topic", "tweet", *_FACETS), what="a file of MITweet")
        for index, (where, record) in enumerate(tweets):
            labels = (record[facet].strip() for facet in _FACETS)
            facets = [labelled(label, _OF_LABEL, where, what="an ideology", hint=_OLD) for label in labels]
            ideologies = [ideology for ideology in facets if ideology]
            unrelated += not ideologies
            ideology = overall_ideology(ideologies)
            table.add(LabelledText(record["tweet"], ideology, record["topic"], f"{path.name}:{index}"), where)
    logger.info("mitweet: %d tweets relate to no facet and count as center", unrelated)
    return table


def overall_ideology(facets: Sequence[str]) -> str:
    """Return a tweet's ideology: left or right by most facets, else center.

    "Most" is more than half of the facets it is related to. A tweet related to none is center.

    Source: Li et al. 2025, appendix A.3 ("otherwise neutral", which its table 1 calls center).

    Example:
        >>> overall_ideology(["left", "left", "center"]), overall_ideology(["left", "right"]), overall_ideology([])
        ('left', 'center', 'center')
    """
    for side in ("left", "right"):
        if 2 * facets.count(side) > len(facets):
            return side
    return "center"


def read_semeval(files: Sequence[Path]) -> Table:
    """Read SemEval-2016 task 6: TSV with at least ``ID Target Tweet Stance``.

    The topic is the target. Tweets that take no stance are left out. Lines that are not UTF-8 are read as Windows-1252.
    """
    table = Table(group=by_similarity)
    for path in files:
        for number, line, _ in iter_lines(path):
            where = f"{path}, line {number}"
            fields = _decoded(line, where).split("\t")
            if number == 1:
                if fields[:4] != _SEMEVAL_HEADER:
                    raise DataSourceError(
                        f"{where}: the header begins with {fields[:4]}, expected {_SEMEVAL_HEADER}, tab-separated."
                    )
                width = len(fields)
                continue
            if len(fields) != width:
                raise DataSourceError(f"{where}: {len(fields)} fields, but the header has {width}. Fetch it again.")
            tweet_id, target, text, stance = (part.strip() for part in fields[:4])
            value = labelled(stance, _SEMEVAL_STANCES, where, hint=_NO_GOLD)
            if value is None and target and text:
                table.dropped["without a stance"] += 1
            else:
                table.add(LabelledText(text, value or "", target, tweet_id), where, what="target")
    return table


def _decoded(line: bytes, where: str) -> str:
    for encoding in ("utf-8", "cp1252"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            pass
    raise DataSourceError(f"{where}: neither UTF-8 nor Windows-1252 text. Fetch the file again.")


_EXPECTED = "expected an article of Article-Bias-Prediction"
_IDEOLOGIES = {ideology: ideology for ideology in IDEOLOGIES}


def read_article_bias(
    files: Sequence[Path], *, window_days: int, similarity: float, cut_words: int | None, cut_from: str
) -> Table:
    """Read articles, one JSON file each, with topic, bias, date, content and ID.

    Articles without text or date are left out; the others of a topic come in events (`clustering.group_events`).
    """
    if cut_words is None and cut_from != ENDS[0]:
        raise InputError(
            f"article_bias: cut_from={cut_from} applies only to truncated articles; set cut_words, or leave it out"
        )
    cut = None if cut_words is None else partial(cut_text, words=cut_words, cut_from=cut_from)
    table = Table(group=partial(_events, window=window_days, similarity=similarity), cut=cut)
    for path in files:
        article = _article(path)
        text, published = article["content_original"].strip(), (article.get("date") or "").strip()
        if not text or not published:
            table.dropped["without a date" if text else "without text"] += 1
            continue
        ideology = labelled(article["bias_text"], _IDEOLOGIES, path, what="bias_text")
        try:
            day = date.fromisoformat(published)
        except ValueError:
            raise DataSourceError(f"{path}: date is {published!r}, expected one such as 2016-09-20.") from None
        table.add(LabelledText(text, ideology, article["topic"], article["ID"], day), path)
    return table


def _events(articles: Sequence[LabelledText], set_size: int, seed: int, *, window: int, similarity: float) -> list[int]:
    # events do not depend on size or seed
    days = [article.day.toordinal() for article in articles if article.day]
    return group_events([article.text for article in articles], days, window=window, similarity=similarity)


def _article(path: Path) -> dict[str, Any]:
    article = read_json(path)
    if not isinstance(article, dict):
        raise DataSourceError(f"{path}: {_EXPECTED}, found {type(article).__name__}.")
    for key in ("topic", "bias_text", "content_original", "ID"):
        if not isinstance(article.get(key), str):
            raise DataSourceError(f"{path}: {_EXPECTED}, but the text {key!r} is missing.")
    return article


_SNOPES_SENTENCE = re.compile(r"(?<!\d)\d+_\{(.*?)\}", re.DOTALL)

#: Place in a file, stance, claim, text, id.
_Text: TypeAlias = tuple[str, str, str, str, str]

_FNC = {"agree": "support", "disagree": "against", "discuss": None, "unrelated": None}
_EMERGENT = {"for": "support", "against": "against", "observing": None, "ignoring": None, "": None}
_SNOPES = {"agree": "support", "refute": "against", "nostance": None, "": None}


def read_news_stance(files: Sequence[Path], *, min_words: int, max_words: int) -> Table:
    """Read one of three data sets, whichever is present; the claim is the topic.

    Texts that neither support nor oppose their claim are left out, and so are those of too few or too many words
    (white space separated). Duplicates are left out later, by the sampler.
    """
    if max_words < min_words:
        raise InputError(f"max_words is {max_words} and min_words is {min_words}: no text can have both.")
    with_stances = [path for path in files if path.name in _READERS]
    if not with_stances:
        raise DataSourceError(f"{files[0]}: the stances of these texts are missing. Fetch the file of stances too.")
    table = Table()
    for path in with_stances:
        read, stances = _READERS[path.name]
        for where, stance, claim, text, text_id in read(path):
            value = labelled(stance.strip(), stances, where)
            if not claim.strip():
                raise DataSourceError(f"{where}: the claim is empty.")
            if value is None:
                table.dropped["neither supports nor opposes the claim"] += 1
            elif min_words <= len(text.split()) <= max_words:
                table.texts.append(LabelledText(text.strip(), value, claim.strip(), text_id))
            else:
                table.dropped[f"not {min_words} to {max_words} words"] += 1
    return table


def _read_fnc(path: Path) -> Iterator[_Text]:
    bodies_path = path.with_name(path.name.replace("stances", "bodies"))
    if not bodies_path.is_file():
        raise DataSourceError(f"{path}: the texts are in {bodies_path.name}, missing in the same folder. Fetch it too.")
    bodies = {
        record["Body ID"]: record["articleBody"]
        for _, record in read_table(bodies_path, ("Body ID", "articleBody"), what="the bodies of FNC-1")
    }
    needed = ("Headline", "Body ID", "Stance")
    for where, record in read_table(path, needed, what="the stances of FNC-1, with labels"):
        body = record["Body ID"]
        if body not in bodies:
            raise DataSourceError(
                f"{where}: {bodies_path.name} has no body {body!r}. Do the two files belong together?"
            )
        yield where, record["Stance"], record["Headline"], bodies[body], f"{path.name}:{body}"


def _read_emergent(path: Path) -> Iterator[_Text]:
    """Read the latest version of each article that has a text."""
    needed = ("claimId", "claimHeadline", "articleId", "articleVersion", "articleBody", "articleStance")
    latest: dict[tuple[str, str], tuple[float, str, dict[str, str]]] = {}
    for where, record in read_table(path, needed, what="url-versions-2015-06-14.csv of Emergent"):
        try:
            version = float(record["articleVersion"])
        except ValueError:
            raise DataSourceError(
                f"{where}: articleVersion is {record['articleVersion']!r}, expected a number."
            ) from None
        key = record["claimId"], record["articleId"]
        if record["articleBody"].strip() and (key not in latest or latest[key][0] <= version):
            latest[key] = version, where, record
    for _, where, record in latest.values():
        claim = record["claimHeadline"].removeprefix("Claim:")
        yield where, record["articleStance"], claim, record["articleBody"], record["articleId"]


def _read_snopes(path: Path) -> Iterator[_Text]:
    """Read evidence snippets, written as ``0_{first sentence}1_{second sentence}``."""
    what = "snopes_corpus_2.csv of the Snopes corpus"
    for index, (where, record) in enumerate(read_table(path, ("Claim", "Stance"), what=what)):
        column = next((name for name in record if name.startswith("Snippets")), "Snippets")
        check_columns(str(path), [column], record, what)
        sentences = _SNOPES_SENTENCE.findall(record[column])
        text = " ".join(sentence.strip() for sentence in sentences) if sentences else record[column]
        yield where, record["Stance"], record["Claim"], text, f"{path.name}:{index}"


#: Name of a file with stances -> its reader and stance -> value, None if it neither supports nor opposes the claim.
_READERS: Mapping[str, tuple[Callable[[Path], Iterator[_Text]], Mapping[str, str | None]]] = {
    "train_stances.csv": (_read_fnc, _FNC),
    "competition_test_stances.csv": (_read_fnc, _FNC),
    "url-versions-2015-06-14.csv": (_read_emergent, _EMERGENT),
    "snopes_corpus_2.csv": (_read_snopes, _SNOPES),
}


_SAMPLING: Mapping[str, Any] = {"seed": 42, "n_sets": 300, "keep_single_value": False, "prompt": "plain"}
_configuration = partial(describe_configuration, "coverage_sets")

# In the order of the paper's table 1.
_CONFIGURATIONS: Mapping[str, Configuration] = {
    "amazon": _configuration(
        "amazon",
        attributes={"sentiment": SENTIMENTS},
        read=read_amazon,
        options={**_SAMPLING, "size": 8, "max_reviews": 1_000_000},
    ),
    "mitweet": _configuration(
        "mitweet", attributes={"ideology": IDEOLOGIES}, read=read_mitweet, options={**_SAMPLING, "size": 20}
    ),
    "article_bias": _configuration(
        "article_bias",
        attributes={"ideology": IDEOLOGIES},
        read=read_article_bias,
        options={
            **_SAMPLING,
            "size": (4, 8),
            "window_days": 3,
            "similarity": 0.2,
            "cut_words": None,
            "cut_from": ENDS[0],
        },
    ),
    # Table 1 has 30 tweets a set, appendix A.3 20.
    "semeval": _configuration(
        "semeval", attributes={"stance": STANCES}, read=read_semeval, options={**_SAMPLING, "size": 30}
    ),
    "news_stance": _configuration(
        "news_stance",
        attributes={"stance": STANCES},
        read=read_news_stance,
        options={**_SAMPLING, "size": (4, 8), "min_words": 75, "max_words": 600},
    ),
}


def _open(
    config: str, configuration: Configuration, data_dir: str | os.PathLike[str] | None, *, attribute: str, **given: Any
) -> Source:
    """Find the source data set, which is never downloaded; see `Corpus.open`."""
    if data_dir is None:
        raise InputError(f"{config} needs data_dir, a folder with {' or '.join(configuration.raw)}; see the card.")
    folder, files = find_input(data_dir, config, configuration.raw, published=False)
    logger.info("%s: using %d file(s), %s first", config, len(files), files[0])
    settled = {**configuration.options, **given}
    options = dict(settled)
    template = COVERAGE[options.pop("prompt")][config]
    sampling = Sampling(**{field.name: options.pop(field.name) for field in fields(Sampling)})

    def rows() -> Iterator[Row]:
        values = configuration.attributes[attribute]
        assert configuration.read is not None
        assert values is not None
        table = configuration.read(files, **options)
        return document_set_rows(table, sampling, values=values, attribute=attribute, template=template, name=config)

    return Source("raw", files, {"scikit-learn": _version("scikit-learn"), **settled}, rows, folder)


def _version(package: str) -> str | None:
    """Return the version of a clustering package, or None if not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


COVERAGE_SETS = describe_corpus(
    "coverage_sets",
    {
        "prompt": partial(check_choice, choices=tuple(COVERAGE)),
        "max_reviews": check_count,
        "window_days": partial(check_count, least=0),
        "similarity": check_fraction,
        "cut_words": check_count,
        "cut_from": partial(check_choice, choices=ENDS),
        "min_words": check_count,
        "max_words": check_count,
    },
    configurations=_CONFIGURATIONS,
    opener=_open,
)
