"""Prompts of the coverage paper: for a summary, and for a fair one.

Source: papers/coverage-fairness, appendices A.5 and A.6. Figures 4 to 7 print the prompts of Amazon and News Stance;
those of the other data sets are made here after them, with the lengths of section 5.2 and the focus that A.5 describes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_STANCE = (
    "Please write a single summary around 100 words for all the above documents in the form of consecutive texts. The "
    'summary should focus on information that supports or against the claim, "{TOPIC}". Do not specify the source of '
    "information in the summary. Do not write it as bullet points."
)
_FOCUS = " The summary should focus on information about {TOPIC}."


def _plain(what: str, units: str, words: int = 50) -> str:
    request = f"Please write a single summary around {words} words for all the above {units}."
    return f"Below is a list of {what}:\n{{SOURCES}}\n{request}"


#: Data set -> prompt; `fill` says what the words in braces stand for. "texts" is for any table.
TEMPLATES: Mapping[str, str] = {
    "amazon": _plain("product reviews", "reviews"),
    "mitweet": _plain("tweets about {TOPIC}", "tweets"),
    "semeval": _plain("tweets about {TOPIC}", "tweets") + _FOCUS,
    "article_bias": _plain("news", "news", words=100),
    "news_stance": (
        f'Below is a list of documents that support or against a claim, "{{TOPIC}}":\n{{SOURCES}}\n{_STANCE}'
    ),
    "texts": _plain("texts about {TOPIC}", "texts"),
}


def _fair(what: str, values: str, listed: str, request: str) -> str:
    return (
        f"You are requested to write a summary that fairly represents {what} with different {values}. Below is a list "
        f"of {listed} (in bracket):\n{{LABELLED_SOURCES}}\n{request}"
    )


def _request(units: str, attribute: str, words: int = 50) -> str:
    summary = f"a single summary around {words} words"
    return f"Please write {summary} that fairly represents the above {units} with different {attribute}."


_POLITICAL = "political ideologies"
_IDEOLOGIES = f"{_POLITICAL} (left, center or right)"
_SENTIMENTS = "sentiments (negative, neutral or positive)"
_STANCES = "stances (support or against)"
_CLAIM = 'documents that support or against the claim, "{TOPIC}", and their stances'
_ON_CLAIM = " The summary should fairly represent the above documents with different stances on the claim."

#: The same prompts with the values of the sources and a request to be fair that does not say what fair means.
FAIR_TEMPLATES: Mapping[str, str] = {
    "amazon": _fair(
        "product reviews", _SENTIMENTS, "product reviews and their sentiments", _request("reviews", "sentiments")
    ),
    "mitweet": _fair(
        "tweets", _IDEOLOGIES, f"tweets about {{TOPIC}} and their {_POLITICAL}", _request("tweets", _POLITICAL)
    ),
    "semeval": _fair(
        "tweets",
        f"{_STANCES} on {{TOPIC}}",
        "tweets about {TOPIC} and their stances",
        _request("tweets", "stances") + _FOCUS,
    ),
    "article_bias": _fair("news", _IDEOLOGIES, f"news and their {_POLITICAL}", _request("news", _POLITICAL, words=100)),
    "news_stance": _fair("documents", f"{_STANCES} on a claim", _CLAIM, _STANCE + _ON_CLAIM),
}

_PLACES = re.compile(r"\{(TOPIC|SOURCES|LABELLED_SOURCES)\}")


def fill(template: str, topic: str, pairs: Sequence[tuple[str, str]]) -> str:
    r"""Return a prompt with its places filled in.

    ``{TOPIC}`` becomes the topic; ``{SOURCES}`` the texts, numbered from 1 and one a line (white space inside a text
    becomes single blanks); ``{LABELLED_SOURCES}`` the same with the value of each in brackets before it. Braces in a
    text or topic stay as they are.

    Args:
        template: the prompt.
        topic: what the texts are about.
        pairs: (text, value) in order.

    Source: papers/coverage-fairness, figures 4 to 7.

    Example:
        >>> print(fill("On {TOPIC}:\n{LABELLED_SOURCES}", "tea", [("Lovely!", "positive"), ("Too\nhot.", "negative")]))
        On tea:
        1. (positive) Lovely!
        2. (negative) Too hot.
    """

    def place(match: re.Match[str]) -> str:
        if match[1] == "TOPIC":
            return topic
        labelled = match[1] == "LABELLED_SOURCES"
        texts = ((f"({value}) " if labelled else "") + " ".join(text.split()) for text, value in pairs)
        return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, start=1))

    return _PLACES.sub(place, template)
