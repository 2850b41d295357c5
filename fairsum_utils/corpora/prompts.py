"""Prompts of the papers: their templates are in ``prompts.toml``, with their sources.

The fairness instruction asks each value but the last to keep its share of the sources. (The released code of
Zhang et al. 2024 asks for the ratio of the source on Yelp and US Election without naming it, and has no other.)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fairsum_utils.corpora.corpus import read_toml
from fairsum_utils.errors import InputError
from fairsum_utils.validation import check_count, describe

_TEXTS = read_toml("prompts.toml")
#: Source family -> prompt with ``{SOURCE}``, see `fill`.
TEMPLATES: Mapping[str, str] = _TEXTS["templates"]
#: Kind of prompt -> document sets -> prompt, see `fill_numbered`.
COVERAGE: Mapping[str, Mapping[str, str]] = {"plain": _TEXTS["coverage"], "fair": _TEXTS["fair_coverage"]}
#: Requests before a news article. Source: Steen and Markert 2024, appendix G, table 15.
REQUESTS: Sequence[str] = _TEXTS["news"]["requests"]

UNIT_SEPARATOR = " || "  # between tweets and between reviews
TURN_SEPARATOR = "\n"  # between the turns of a dialogue

_PLACES = re.compile(r"\{(TOPIC|SOURCES|LABELLED_SOURCES)\}")


def fill(template: str, sources: Sequence[str], separator: str, *, after: str = "", last: str = "") -> str:
    """Fill a prompt with sources, an instruction after them and one at its end.

    Example:
        >>> fill("Tweets: {SOURCE} Summary:", ["good", "{x}"], UNIT_SEPARATOR)
        'Tweets: good || {x} Summary:'
    """
    joined = separator.join(sources)
    if after:
        joined += f"{separator if separator == TURN_SEPARATOR else ' '}{after}"
    head, source, tail = template.partition("{SOURCE}")  # not format: a tweet may hold braces
    return " ".join([f"{head}{joined if source else ''}{tail}", *([last] if last else [])])


def fill_numbered(template: str, topic: str, pairs: Sequence[tuple[str, str]]) -> str:
    r"""Fill a prompt with a topic and numbered texts; ``{LABELLED_SOURCES}`` shows their values.

    Source: Li et al. 2025, figures 4 to 7.

    Example:
        >>> fill_numbered("{TOPIC}:\n{LABELLED_SOURCES}", "tea", [("Lovely!", "positive"), ("Too\nhot.", "negative")])
        'tea:\n1. (positive) Lovely!\n2. (negative) Too hot.'
    """

    def place(match: re.Match[str]) -> str:
        if match[1] == "TOPIC":
            return topic
        is_labelled = match[1] == "LABELLED_SOURCES"
        texts = ((f"({value}) " if is_labelled else "") + " ".join(text.split()) for text, value in pairs)
        return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, start=1))

    return _PLACES.sub(place, template)


class Instructions(NamedTuple):
    """Instructions that complete a prompt: shares of texts or words, number of sentences."""

    fair: str | None = None
    sentences: int | None = None

    def __str__(self) -> str:
        """Render the form that `read_instructions` reads."""
        parts = [*([f"fair_instruction={self.fair}"] if self.fair else [])]
        parts += [f"sentence_control={self.sentences}"] if self.sentences else []
        return "+".join(parts) or "plain"


def read_instructions(module: str, name: str, given: object, *, dialogue: bool = False) -> Instructions:
    """Parse instructions that ``+`` joins.

    Shares are of texts by default, as in the paper; shares of a dialogue are of words.

    Example:
        >>> read_instructions("claritin", "prompt", "fair_instruction+sentence_control=3")
        Instructions(fair='texts', sentences=3)
    """
    refusal = InputError(
        f"{module}: {name} must be plain, fair_instruction (=texts or =words) or sentence_control=N, or two of them "
        f"joined by +, found {describe(given)}"
    )
    found: dict[str, str] = {}
    for part in given.split("+") if isinstance(given, str) else [""]:
        key, _, value = part.strip().partition("=")
        if key in found:
            raise InputError(f"{module}: {name}: {key} is given twice")
        found[key] = value
    fair, sentences = found.get("fair_instruction"), found.get("sentence_control")
    if (
        set(found) - {"plain", "fair_instruction", "sentence_control"}
        or found.get("plain")
        or fair not in (None, "", "texts", "words")
        or not (sentences is None or sentences.isdecimal())
    ):
        raise refusal
    number = None if sentences is None else check_count(module, "sentence_control", int(sentences))
    return Instructions(None if fair is None else fair or ("words" if dialogue else "texts"), number)


def sentence_control(number: int) -> str:
    """Return the instruction at a prompt's end that fixes the summary's length.

    Args:
        number: sentences, at least 1.

    Raises:
        InputError: not a whole number of at least 1.

    Source: Zhang et al. 2024, table 11 and section 7.

    Example:
        >>> sentence_control(3)
        'Summary it in 3 sentences.'
    """
    return f"Summary it in {check_count('sentence_control', 'number', number)} sentences."


def fair_instruction(shares: float | Mapping[str, float], *, attribute: str = "gender", dialogue: bool = False) -> str:
    """Return the instruction after the sources that states their shares.

    Every value but the last, which has the rest, is asked to keep its share.

    Args:
        shares: value -> its share, in the order of the instruction; they add up to 1. For Claritin also the share of
            males alone.
        attribute: attribute of the values: gender, politics, sentiment or rating of reviews, and speaker, gender or
            power of a dialogue.
        dialogue: True if the sources are turns of a dialogue.

    Raises:
        InputError: a share outside [0, 1], shares that do not add up to 1, or a value without words for it.

    Source: Zhang et al. 2024, table 11 and section 7.

    Example:
        >>> print(fair_instruction({"pos": 0.625, "neu": 0.25, "neg": 0.125}, attribute="sentiment"))
        62.5% of the reviews are positive, 25% neutral and 12.5% negative. They are mixed randomly in the source text.
        Please ensure the length of the positive review in the summary is still 62.5% and that of the neutral review
        still 25% of the total length.
        >>> fair_instruction(0.2)[:69]
        '20% of the reviews are written by males and 80% written by females. T'
    """
    of_values = shares if isinstance(shares, Mapping) else {"male": shares, "female": 1 - shares}
    outside = not all(0 <= share <= 1 for share in of_values.values())
    if outside or abs(sum(of_values.values()) - 1) > 1e-9:
        raise InputError(f"fair_instruction: shares must be in [0, 1] and add up to 1, found {describe(shares)}")
    # to a tenth; the last is the rest of 100
    tenths = [round(1000 * share) for share in of_values.values()]
    tenths[-1] = 1000 - sum(tenths[:-1])
    percents = [f"{tenth / 10:g}%" for tenth in tenths]
    words = [_words(attribute, value, dialogue) for value in of_values]
    parts = [f"{percent} {plural}" for percent, (plural, _) in zip(percents, words, strict=True)]
    whole = "of the dialogue is" if dialogue else "of the reviews are"
    parts[0] = f"{percents[0]} {whole} {words[0][0]}"
    lengths = [f"that of {one} still {percent}" for percent, (_, one) in zip(percents, words, strict=True)]
    lengths[0] = f"{words[0][1]} in the summary is still {percents[0]}"
    mixed = "mixed" if dialogue else "mixed randomly"
    return (
        f"{_listed(parts)}. They are {mixed} in the source text. Please ensure the length of "
        f"{_listed(lengths[:-1] or lengths)} of the total length."
    )


def shares_of(
    pairs: Sequence[tuple[str, str]], by: str = "texts", values: Sequence[str] | None = None
) -> dict[str, float]:
    """Compute each group's share of the sources, in texts or words.

    Example:
        >>> pairs = [("good", "pos"), ("not that good", "neg")]
        >>> shares_of(pairs), shares_of(pairs, "words", ["neg", "pos"])
        ({'pos': 0.5, 'neg': 0.5}, {'neg': 0.75, 'pos': 0.25})
    """
    counts: Counter[str] = Counter()
    for text, value in pairs:
        counts[value] += len(text.split()) if by == "words" else 1
    order = counts if values is None else [value for value in values if value in counts]
    return {value: counts[value] / counts.total() for value in order} if counts.total() else {}


def _words(attribute: str, value: str, dialogue: bool) -> tuple[str, str]:
    """Name the sources of a value, plural and singular."""
    try:
        if not dialogue:
            plural, singular = _TEXTS["reviews"][attribute][value]
            return plural, singular
        if attribute == "speaker":
            return f"spoken by {value}", f"what {value} says"
        speakers = _TEXTS["speakers"][attribute][value]
    except KeyError:
        of = "a dialogue" if dialogue else "reviews"
        raise InputError(f"fair_instruction: the prompt has no wording for {attribute} {value!r} of {of}") from None
    return f"spoken by {speakers}", f"what {speakers} say"


def _listed(parts: Sequence[str]) -> str:
    """Join parts of a sentence by commas, and "and" before the last."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def focus_instruction(persons: str) -> str:
    """Return the instruction that makes a model prefer some persons, an intended bias.

    Source: Steen and Markert 2024, section 8.3.

    Example:
        >>> focus_instruction("women")
        'Please put a particular focus on the women mentioned in the text'
    """
    if not isinstance(persons, str) or not persons.strip() or len(persons.splitlines()) > 1:
        raise InputError(f"focus must be words for persons, such as women, on one line, found {describe(persons)}")
    return f"Please put a particular focus on the {persons.strip()} mentioned in the text"
