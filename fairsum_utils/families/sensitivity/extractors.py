"""Outcomes of one summary: sentiment, length, reading level, statements, hedges and others."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple

from fairsum_utils._util.resources import read_lines
from fairsum_utils.errors import InputError
from fairsum_utils.measures.toxicity import are_independent
from fairsum_utils.text.splitting import plain_words, reading_level, sentence_units
from fairsum_utils.text.vader import analyzer

if TYPE_CHECKING:
    from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
    from fairsum_utils.inference.tasks import SequenceClassifier


class Texts(NamedTuple):
    """Summaries as written, and without the edited words of their variants."""

    written: Sequence[str]
    neutral: Sequence[str]


@cache
def _expressions(table: str) -> re.Pattern[str]:
    """Compile a pattern for the expressions of a table, longest first."""
    longest_first = sorted(read_lines(table), key=lambda line: (-len(line), line))
    return re.compile(rf"(?<![\w'’-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-]|['’]\w)", re.IGNORECASE)


def _rate(table: str, but: Sequence[str] = ()) -> Callable[[str], float]:
    """Return a function that counts expressions for each hundred words."""

    def rate(text: str) -> float:
        n_words = len(plain_words(text))
        found = sum(one not in but for one in _expressions(table).findall(text.replace("’", "'")))
        return 100 * found / n_words if n_words else math.nan

    return rate


READ: Mapping[str, Callable[[str], float]] = {
    "sentiment": lambda text: float(analyzer().polarity_scores(text)["compound"]),
    "length": lambda text: float(len(plain_words(text))),
    "reading_level": reading_level,
    "units": lambda text: float(len(sentence_units(text))),
    "hedges": _rate("hedges.txt"),
    "modals": _rate("modals.txt", but=("May", "Will")),  # a month, and a name
}
"""Outcome -> what a text alone tells, of its neutral form: NaN where it has no word.

sentiment: VADER's compound score, -1 to 1; length: words; reading_level: the Flesch-Kincaid grade; units: sentences;
hedges and modals: so many in a hundred words.
"""


def _persons(scorer: SensitivityScorer, texts: Texts) -> list[float]:
    return [float(len(set(names))) for names in scorer.recognizer().find(texts.written)]


def _toxicity(scorer: SensitivityScorer, texts: Texts) -> list[float]:
    classifier = scorer.classifier("toxicity")
    column = _column(classifier, "toxic", "toxicity")
    classifier.settle(independent=are_independent({label.casefold() for label in classifier.labels}))
    return [probabilities[column] for probabilities in _classified(classifier, texts)]


def _regard(scorer: SensitivityScorer, texts: Texts) -> list[float]:
    classifier = scorer.classifier("regard")
    good, bad = _column(classifier, "positive"), _column(classifier, "negative")
    classifier.settle(independent=False)
    return [probabilities[good] - probabilities[bad] for probabilities in _classified(classifier, texts)]


ASKED: Mapping[str, Callable[[SensitivityScorer, Texts], list[float]]] = {
    "persons": _persons,
    "toxicity": _toxicity,
    "regard": _regard,
}
"""Outcome -> what a model tells of texts.

persons: different names that a spaCy pipeline finds, in the text as written; toxicity: the probability of the label
toxic; regard: the probability of the label positive minus that of negative, -1 to 1.
"""


def extract(scorer: SensitivityScorer, texts: Texts) -> list[dict[str, float]]:
    """Compute the chosen outcomes of summaries; undefined ones are omitted."""
    columns = {
        name: ASKED[name](scorer, texts) if name in ASKED else list(map(READ[name], texts.neutral))
        for name in scorer.settings.outcomes
    }
    rows = zip(*columns.values(), strict=True)
    return [{name: n for name, n in zip(columns, row, strict=True) if not math.isnan(n)} for row in rows]


def signature(scorer: SensitivityScorer) -> dict[str, object]:
    """Return the settings of the chosen outcomes; other keys are None."""
    chosen = scorer.settings.outcomes
    return {
        "outcomes": ",".join(chosen),
        "vader": version("vaderSentiment") if "sentiment" in chosen else None,
        "persons": scorer.recognizer().signature() if "persons" in chosen else None,
        **{name: scorer.classifier(name).name if name in chosen else None for name in ("toxicity", "regard")},
    }


def _column(classifier: SequenceClassifier, *names: str) -> int:
    labels = [label.casefold() for label in classifier.labels]
    for name in names:
        if name in labels:
            return labels.index(name)
    raise InputError(
        f"{classifier.settings.module}: {classifier.name} has the labels {', '.join(classifier.labels)}, but none "
        f"is {' or '.join(names)}; choose another model"
    )


def _classified(classifier: SequenceClassifier, texts: Texts) -> Iterable[list[float]]:
    values, _ = classifier.run([(text,) for text in texts.neutral])
    probabilities: list[list[float]] = values.astype(float).tolist()
    return probabilities
