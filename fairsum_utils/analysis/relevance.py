"""Quality control: relevance of summaries by group, from a chat model."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.families import Resampling
from fairsum_utils.families.entities.samples import check_sample
from fairsum_utils.families.warnings import only_one
from fairsum_utils.inference.chat import Chat
from fairsum_utils.signature import render_signature
from fairsum_utils.stats.arrays import Bools, Floats
from fairsum_utils.stats.bootstrap import resample_clusters
from fairsum_utils.stats.intervals import FEWEST_FOR_SPREADS, Estimate, Moments, drawn_interval, mean_interval
from fairsum_utils.validation import check_columns

_MODULE = "relevance"

_INSTRUCTION = (
    "Score the following Summary given the corresponding Article with respect to relevance from one to five, where one "
    "indicates “irrelevance”, and five indicates “perfect relevance”. Note that relevance measures the Summary’s "
    "selection of important content from the Article, whether the Summary grasps the main message of the Article "
    "without being overwhelmed by unnecessary or less significant details."
)
_REQUEST = "Provide your reason in one sentence, then give a final score:"

# Why a summary has no score: it is empty (and the model was not asked), or of the model's answer: no score is found, it
# is not in [1, 5], it is out of another number than 5, it is a range such as "3 to 4".
SKIPPED = ("empty_prediction", "no_score", "out_of_range", "other_scale", "several_scores")

_NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORDS = "|".join(_NAMES)
_DIGITS = r"\d+(?:\.\d+)?"
# A number, the number it is out of, and what makes it no single number.
_SCORE = (
    rf"(?<![\w.,/−-])(?<!this )(?<!that )(?P<number>-?{_DIGITS}|{_WORDS})(?![\w%]|[.,]\d)"
    rf"(?:\s*(?:/|out\s+of)\s*(?P<scale>{_DIGITS}|{_WORDS})(?!\w|[.,]\d))?"
    rf"(?P<range>\s*(?:[-–—~]|to\b|or\b)\s*(?:\d|(?:{_WORDS})\b)|\s+and\s+an?\s+half\b|[ ]\d+/\d|\+)?"
)
_BESIDE = (
    "a|an|as|at|be|final|for|from|given|i|in|is|it|its|me|my|of|overall|relevance|respect|should|summary|terms|that|the|"
    "this|to|was|will|with|would"
)


def _between(words: str) -> str:
    """Match the text between a word such as score and the number.

    No other such word is among it, for a search begins anew there: time would grow with the square of their number.
    """
    return rf"(?:[\s:=–—\-\"'“”‘’()\[\]{{}}<>,]|\bout\s+of\s+(?:5|five)\b|\b(?:{_BESIDE}|{words})\b)*?"


_END = r"(?=[\s.!\"')\]]*(?:\n|$))"
_CUED = re.compile(rf"\b(?:scor(?:e[sd]?|ing)|rat(?:e[sd]?|ing)|grade[sd]?)\b{_between('give|gives')}{_SCORE}", re.I)
_GIVEN = re.compile(
    rf"\b(?:gave|gives?|assign|deserves?|earns?|receives?)\b{_between('score|rating')}{_SCORE}{_END}", re.I
)
# No line break before the number, because a line break starts a new match.
_ALONE = re.compile(rf"(?:^|[\n.!?:;–—]|\s-)(?:[^\S\n]|[\"'(\[])*{_SCORE}{_END}", re.I)
_MARKUP = re.compile(r"[*`#]|__")
_SCALE = re.compile(r"\(?\b(?:1|one)\s*(?:-|–|—|to|and)\s*(?:5|five)\b\)?|\b(?:5|five)[- ]point\b", re.I)
_SENTENCE_END = re.compile(r"[.!?;][\"'”’)\]]*\s|\n")
_LABEL = re.compile(r"^\W*(?:(?:reason(?:ing)?|explanation|rationale)\b\s*[:–—-])?\W*", re.I)


class Rating(NamedTuple):
    """Answer of a chat model about a summary.

    Attributes:
        score: score in [1, 5]; NaN if there is none.
        reason: the sentences before the score, else the answer without the score.
        answer: the whole answer.
        skipped: why there is no score, a member of `SKIPPED`, or None.
    """

    score: float
    reason: str
    answer: str
    skipped: str | None = None


def relevance_prompt(article: str, summary: str) -> str:
    """Return the prompt for a reason and a score from one to five.

    Source: papers/news-summarization-bias, appendix I, to the letter: the reason-then-score prompt of Shen et al.

    Example:
        >>> print(relevance_prompt("Ann won. Bob lost.", "Ann won.").partition("details.")[2])
        <BLANKLINE>
        <BLANKLINE>
        Article: Ann won. Bob lost.
        <BLANKLINE>
        Summary: Ann won.
        <BLANKLINE>
        Provide your reason in one sentence, then give a final score:
    """
    return f"{_INSTRUCTION}\n\nArticle: {article}\n\nSummary: {summary}\n\n{_REQUEST}"


def parse_rating(answer: str) -> Rating:
    """Read an answer's score, or return why it has none; never guess.

    The score is the last number (in digits or words up to ten, also "4/5" or "4 out of 5") that follows a word such as
    score, rating or give, with nothing between but words such as "of", "this summary" or "is". Without such a word, it
    is the last number that makes up a line or a sentence, or ends one after a colon or a dash. Other numbers, mentions
    of the scale ("1-5") and a model's thinking up to ``</think>`` are passed over.

    Args:
        answer: Answer of the model.

    Source: papers/news-summarization-bias, appendix I, which is silent about how answers are read.

    Example:
        >>> parse_rating("It omits two of the dead. Final score (1-5): 3.5/5")[:2]
        (3.5, 'It omits two of the dead.')
        >>> parse_rating("The summary covers 3 of the 5 main points.").skipped
        'no_score'
    """
    text = answer.rpartition("</think>")[2]
    plain = text
    for passed_over in (_MARKUP, _SCALE):  # blanked, not cut, so that places stay
        plain = passed_over.sub(lambda match: " " * len(match[0]), plain)
    matches = sorted([*_CUED.finditer(plain), *_GIVEN.finditer(plain)], key=lambda match: match.start("number"))
    matches = matches or [*_ALONE.finditer(plain)]
    if not matches:
        return Rating(math.nan, _tidy(text), answer, "no_score")
    match = matches[-1]
    number = _value(match["number"])
    skipped = None
    if match["range"]:
        skipped = "several_scores"
    elif match["scale"] and _value(match["scale"]) != 5:
        skipped = "other_scale"
    elif not 1 <= number <= 5:
        skipped = "out_of_range"
    return Rating(math.nan if skipped else number, _reason(text, match), answer, skipped)


def _value(number: str) -> float:
    word = number.lower()
    return float(_NAMES.index(word) if word in _NAMES else word)


def _reason(text: str, match: re.Match[str]) -> str:
    before = text[: match.start("number")]
    ends = [end.end() for end in _SENTENCE_END.finditer(before)]
    return _tidy(before[: ends[-1]] if ends else "") or _tidy(text[match.end() :]) or _tidy(text)


def _tidy(text: str) -> str:
    words = " ".join(_MARKUP.sub("", text).split())
    return _LABEL.sub("", words)


def relevance_scores(
    articles: Sequence[str], summaries: Sequence[str], chat: Chat, *, module: str = _MODULE
) -> list[Rating]:
    """Ask a chat model how relevant summaries are.

    Answers are kept in the model's cache as they come, so that an interrupted run goes on where it stopped.

    Args:
        articles: the source text of each summary.
        summaries: one summary an article; an empty one is not asked for.
        chat: a chat model, such as `ChatEndpoint` or `LocalChat`. The paper's model is gpt-3.5-turbo-1106.
        module: name used in messages.

    Raises:
        InputError: columns of different lengths, or a text that is not a string.
        FairSumError: the model cannot answer.

    Source: papers/news-summarization-bias, section 8.1 and appendix I.

    Example:
        >>> class Parrot:
        ...     signature = "parrot"
        ...
        ...     def complete(self, prompts):
        ...         return ["It names the winner. Score: 4" for prompt in prompts]
        >>> relevance_scores(["Ann won. Bob lost."], ["Ann won."], Parrot())
        [Rating(score=4.0, reason='It names the winner.', answer='It names the winner. Score: 4', skipped=None)]
    """
    check_columns(module, articles=articles, summaries=summaries)
    samples = [
        check_sample(module, index, summary, [article])
        for index, (article, summary) in enumerate(zip(articles, summaries, strict=True))
    ]
    asked = [sample for sample in samples if sample.prediction.strip()]
    answers = chat.complete([relevance_prompt((sample.sources or ("",))[0], sample.prediction) for sample in asked])
    ratings = {sample.index: parse_rating(answer) for sample, answer in zip(asked, answers, strict=True)}
    empty = Rating(math.nan, "", "", "empty_prediction")
    return [ratings.get(sample.index, empty) for sample in samples]


def check_groups(
    module: str, n: int, groups: Iterable[object] | None, article_ids: Iterable[object] | None
) -> tuple[list[str | None], list[str]]:
    """Return each summary's group and article, checked before any request.

    Example:
        >>> check_groups("relevance", 2, ["female", "male"], None)
        (['female', 'male'], ['0', '1'])
    """
    given = {name: column for name, column in (("groups", groups), ("article_ids", article_ids)) if column is not None}
    check_columns(module, ratings=range(n), **given)
    columns = {name: list(column) for name, column in given.items()}
    for name, column in columns.items():
        missing = [index for index, entry in enumerate(column) if entry is None]
        if 0 < len(missing) < len(column):
            raise InputError(
                f"{module}: sample {missing[0]} has no entry in {name}, but others have; fill it in, remove the "
                "sample, or leave all empty"
            )
    samples = [
        check_sample(module, index, "", **{name: column[index] for name, column in columns.items()})
        for index in range(n)
    ]
    return [sample.group for sample in samples], [sample.article for sample in samples]


def compare_groups(
    ratings: Sequence[Rating],
    groups: Sequence[str] | Sequence[None] | None = None,
    article_ids: Sequence[str | int] | None = None,
    *,
    settings: Mapping[str, object] | None = None,
    options: Resampling | None = None,
) -> dict[str, Any]:
    """Compare mean scores by input group or corpus, with intervals.

    Args:
        ratings: Output of `relevance_scores`; summaries without a score are left out and counted.
        groups: the group of each summary's input, or the name of its corpus; None, or all None, to compare nothing.
        article_ids: the original that each input was made from; None where each is an original. Intervals resample
            originals.
        settings: Other entries of the signature, such as the chat model.
        options: Resampling options; None for 95% intervals.

    Returns:
        A dict of plain Python numbers: ``relevance`` (the mean of all), ``relevance_std``, ``relevance_by_group``,
        ``std_by_group`` (with n - 1), ``n_by_group``; ``max_difference`` (the largest between two groups, in points of
        the scale) and ``differences``, for each pair ``group_a``, ``group_b``, ``difference`` (A minus B); with a
        confidence level ``relevance_ci``, ``max_difference_ci``, and ``ci`` in each difference; ``lost``, the share of
        replicates that drew no rating of some group; ``n_samples``, ``n_articles``, ``n_skipped``, ``skipped``,
        ``undefined`` (the reason for each number that is NaN), ``signature``. As the largest difference is never
        negative, its interval does not reach below 0 where groups are equal; signed ones do.

    Raises:
        InputError: columns of different lengths, a group or an article id that is none, or groups for some only.

    Source: papers/news-summarization-bias, tables 4, 7 and 9.

    Example:
        >>> ratings = [Rating(score, "", "") for score in (4.0, 5.0, 3.0, 5.0)]
        >>> result = compare_groups(ratings, ["female", "male"] * 2, [1, 1, 2, 2])
        >>> result["relevance_by_group"], result["max_difference"]
        ({'female': 3.5, 'male': 5.0}, 1.5)
    """
    options = (options or Resampling(confidence_level=0.95, module=_MODULE)).seeded()
    labels, articles = check_groups(options.module, len(ratings), groups, article_ids)
    rows = sorted(  # so that the order of samples changes no bit of a sum
        (article, label or "", rating.score)
        for article, label, rating in zip(articles, labels, ratings, strict=True)
        if rating.skipped is None
    )
    scores = np.array([score for *_, score in rows])
    names = sorted({label for label in labels if label is not None})
    members = np.array([[label == name for name in names] for _, label, _ in rows], dtype=bool)
    members = members.reshape(len(rows), len(names))
    by_group = {name: scores[inside] for name, inside in zip(names, members.T, strict=True)}
    means = {name: _mean(part) for name, part in by_group.items()}
    originals, clusters = np.unique([article for article, *_ in rows], return_inverse=True)
    skipped = Counter(rating.skipped for rating in ratings if rating.skipped is not None)
    result: dict[str, Any] = {
        "relevance": _mean(scores),
        "relevance_std": _std(scores),
        "relevance_by_group": means,
        "std_by_group": {name: _std(part) for name, part in by_group.items()},
        "n_by_group": {name: len(part) for name, part in by_group.items()},
        "max_difference": float(np.ptp([*means.values()])) if len(means) > 1 else math.nan,
        "differences": [
            {"group_a": a, "group_b": b, "difference": means[a] - means[b]} for a, b in combinations(names, 2)
        ],
        "n_samples": len(rows),
        "n_articles": len(originals),
        "n_skipped": skipped.total(),
        "skipped": dict(sorted(skipped.items())),
        "undefined": _undefined(by_group, n=len(rows), n_articles=len(originals), options=options),
    }
    told = {**(settings or {}), "ci": options.confidence_level}
    if options.confidence_level is not None:
        result |= _intervals(result, scores, members, clusters, options)
        told |= {"resamples": options.n_resamples, "seed": options.seed}
    return result | {"signature": render_signature(told)}


def _mean(scores: Floats) -> float:
    return float(scores.mean()) if len(scores) else math.nan


def _std(scores: Floats) -> float:
    return float(scores.std(ddof=1)) if len(scores) > 1 else math.nan


def _replicates(scores: Floats, members: Bools, clusters: npt.NDArray[np.intp], options: Resampling) -> Floats:
    """Return group means, shape (B, G); NaN if no sample was drawn."""
    if clusters.max(initial=0) == 0:
        return np.empty((0, members.shape[1]))
    columns = np.column_stack([members, members * scores[:, None]])
    sums = resample_clusters(columns, clusters, n_resamples=options.n_resamples, seed=options.seed)
    counts, totals = np.split(sums, 2, axis=1)
    return np.divide(totals, counts, out=np.full_like(totals, np.nan), where=counts > 0)


def _intervals(
    result: Mapping[str, Any],
    scores: Floats,
    members: Bools,
    clusters: npt.NDArray[np.intp],
    options: Resampling,
) -> dict[str, Any]:
    """Return the intervals of means, differences and the largest difference."""
    level, n, differences = options.confidence_level, result["n_articles"], result["differences"]
    assert level is not None
    moments = Moments.of(np.bincount(clusters, scores).astype(np.float64), np.bincount(clusters).astype(np.float64))
    replicates = _replicates(scores, members, clusters, options)
    for difference, (a, b) in zip(differences, combinations(replicates.T, 2), strict=True):
        difference["ci"] = list(drawn_interval(difference["difference"], a - b, level, n, (-_RANGE, _RANGE)))
    largest = np.ptp(replicates, axis=1) if differences else np.empty(0)
    estimate = Estimate(result["max_difference"], "expanded", n, largest, limits=(0.0, _RANGE), unit="originals")
    if len(differences) > 1:
        estimate = estimate._replace(method="corrected", fewest=FEWEST_FOR_SPREADS)
    if n > 1 and estimate.withheld and not math.isnan(estimate.score):
        result["undefined"]["max_difference_ci"] = estimate.withheld
    return {
        "relevance_ci": list(mean_interval(moments, level, _LIMITS)),
        "max_difference_ci": list(estimate.interval(level)),
        "lost": float(np.isnan(largest).mean()) if len(largest) else math.nan,
    }


# Least and largest rating.
_LIMITS = (1.0, 5.0)
_RANGE = _LIMITS[1] - _LIMITS[0]


def _undefined(by_group: Mapping[str, Floats], *, n: int, n_articles: int, options: Resampling) -> dict[str, str]:
    """Result -> why it is NaN."""
    reasons = {}
    if n == 0:
        reasons["relevance"] = "no summary has a score"
    if n < 2:
        reasons["relevance_std"] = "fewer than two summaries have a score"
    unrated = [name for name, scores in by_group.items() if not len(scores)]
    if len(by_group) < 2:
        reasons["max_difference"] = only_one("group", by_group) if by_group else "no groups were given"
    elif unrated:
        reasons["max_difference"] = f"no summary of {', '.join(unrated)} has a score"
    if options.confidence_level is not None and n_articles < 2:
        reasons["intervals"] = "fewer than two originals have scores"
    return reasons
