"""Prompt for the relevance of a summary, and scores in answers."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from fairsum_utils.cleaning import without_reasoning

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

    Source: Steen and Markert 2024, appendix I, to the letter: the reason-then-score prompt of Shen et al.

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
    of the scale ("1-5") and the reasoning of a model are passed over.

    Args:
        answer: answer of the model.

    Source: Steen and Markert 2024, appendix I, which is silent about how answers are read.

    Example:
        >>> parse_rating("It omits two of the dead. Final score (1-5): 3.5/5")[:2]
        (3.5, 'It omits two of the dead.')
        >>> parse_rating("The summary covers 3 of the 5 main points.").skipped
        'no_score'
    """
    text = without_reasoning(answer).text
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
