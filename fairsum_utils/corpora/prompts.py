"""Prompts of the papers: templates of the FairSumm paper, and instructions to summarize fairly.

Source: fairsumm-v2, table 11 (the wording is the paper's, its grammar included).

Source: fairsumm-v2, section 7 and table 11. Table 11 words the fairness instruction for Claritin alone; for the other
five it is worded here in the same pattern, sentence by sentence, each value with its share. (The released code asks for
the ratio of the source on Yelp and US Election without saying which it is, and has nothing for the rest.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.validation import check_count, describe

#: Between tweets and between reviews.
UNIT_SEPARATOR = " || "
#: Between the turns of a dialogue.
TURN_SEPARATOR = "\n"

_REVIEWS = (
    "Reviews about {TOPIC}. Each review is separated by || : {SOURCE} Please write a short text containing the "
    "salient information, i.e. a summary. The summary of the reviews is:"
)
_DIALOGUE = "{TOPIC}. Each turn of the dialogue is one line: {SOURCE} The summary of the dialogue is:"

#: Source family -> prompt with ``{SOURCE}``.
TEMPLATES = {
    "claritin": _REVIEWS.replace("{TOPIC}", "Claritin"),
    "us_election": _REVIEWS.replace("{TOPIC}", "US Presidential Election"),
    "amazon": _REVIEWS.replace("{TOPIC}", "a product"),
    "yelp": _REVIEWS.replace("{TOPIC}", "a business"),
    "supreme_court": _DIALOGUE.replace("{TOPIC}", "Dialogue of the Supreme Court oral arguments"),
    "iq2": _DIALOGUE.replace("{TOPIC}", "Debates on certain topics"),
}


def fill(template: str, sources: Sequence[str], separator: str, *, after: str = "", last: str = "") -> str:
    """Return a prompt with its sources filled in.

    Args:
        template: the prompt, with ``{SOURCE}`` where the sources go.
        sources: source texts, in order; braces in them stay.
        separator: what stands between two sources.
        after: an instruction that stands after the sources, such as `instructions.fair_instruction`; a line of its own
            where sources are lines.
        last: one that ends the prompt, such as `instructions.sentence_control`.

    Example:
        >>> fill("Tweets: {SOURCE} Summary:", ["good", "{x}"], UNIT_SEPARATOR)
        'Tweets: good || {x} Summary:'
    """
    joined = separator.join(sources)
    if after:
        joined += f"{separator if separator == TURN_SEPARATOR else ' '}{after}"
    head, source, tail = template.partition("{SOURCE}")  # not format: a tweet may hold braces
    return " ".join([f"{head}{joined if source else ''}{tail}", *([last] if last else [])])


SENTENCE_CONTROL = "Summary it in {NUMBER} sentences."
#: What makes a summarizer biased on purpose. Source: papers/news-summarization-bias, section 8.3, of the women.
FOCUS = "Please put a particular focus on the {PERSONS} mentioned in the text"
_FAIR = "{SHARES}. They are {MIXED} in the source text. Please ensure the length of {LENGTHS} of the total length."

# Attribute -> value -> what reviews (tweets are called so, too) of it are, and what one is called.
_REVIEW_SETS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "gender": {"male": ("written by males", "the male review"), "female": ("written by females", "the female review")},
    "politics": {
        "repu": ("pro-Republican", "the pro-Republican review"),
        "demo": ("pro-Democratic", "the pro-Democratic review"),
        "neutral": ("neutral", "the neutral review"),
    },
    "sentiment": {
        "pos": ("positive", "the positive review"),
        "neu": ("neutral", "the neutral review"),
        "neg": ("negative", "the negative review"),
    },
    "rating": {str(n): (f"rated {n} out of 5", f"the review rated {n}") for n in range(1, 6)},
}

# Attribute -> value -> who speaks. Speakers themselves are called by their names.
_SPEAKERS: Mapping[str, Mapping[str, str]] = {
    "gender": {"male": "men", "female": "women", "unknown": "others"},
    "power": {
        "justice": "Justices",
        "advocate": "advocates",
        "moderator": "moderators",
        "debater": "debaters",
        "other": "other people",
        "unknown": "people of unknown role",
    },
}


class Instructions(NamedTuple):
    """Instructions that complete a prompt."""

    fair: str | None = None
    sentences: int | None = None

    def __str__(self) -> str:
        """Render the form that `read_instructions` reads."""
        parts = [*([f"fair_instruction={self.fair}"] if self.fair else [])]
        parts += [f"sentence_control={self.sentences}"] if self.sentences else []
        return "+".join(parts) or "plain"


def read_instructions(module: str, name: str, given: object, *, dialogue: bool = False) -> Instructions:
    """Instructions from their names.

    Args:
        module: name used in messages.
        name: of the argument, for messages.
        given: a text, or a list of texts: ``"plain"``, ``"fair_instruction"`` (or ``"fair_instruction=words"`` or
            ``"=texts"`` for what shares are of) and ``"sentence_control=N"``; several in a text are joined by ``+``.
        dialogue: whether sources are turns; shares then are of words if nothing is said, otherwise, as in the paper,
            of texts.

    Raises:
        InputError: something else, or one instruction twice.

    Example:
        >>> read_instructions("claritin", "prompt", "fair_instruction+sentence_control=3")
        Instructions(fair='texts', sentences=3)
    """
    listed = given if isinstance(given, (list, tuple)) else [given]
    texts = [text for text in listed if isinstance(text, str)]
    if len(texts) < len(listed):
        raise _refusal(module, name, given)
    found: dict[str, str] = {}
    for part in [part.strip() for text in texts for part in text.split("+")]:
        key, _, value = part.partition("=")
        if key in found:
            raise InputError(f"{module}: {name}: {key} is given twice")
        found[key] = value
    if set(found) - {"plain", "fair_instruction", "sentence_control"} or found.get("plain"):
        raise _refusal(module, name, given)
    fair, sentences = found.get("fair_instruction"), found.get("sentence_control")
    if fair not in (None, "", "texts", "words") or not (sentences is None or sentences.isdecimal()):
        raise _refusal(module, name, given)
    number = None if sentences is None else check_count(module, "sentence_control", int(sentences))
    return Instructions(None if fair is None else fair or ("words" if dialogue else "texts"), number)


def _refusal(module: str, name: str, given: object) -> InputError:
    return InputError(
        f"{module}: {name} must be plain, fair_instruction (=texts or =words) or sentence_control=N, or two of them "
        f"joined by +, found {describe(given)}"
    )


def sentence_control(number: int) -> str:
    """Return the instruction that fixes the length of a summary, to be appended to a prompt.

    Args:
        number: sentences wanted, at least 1.

    Raises:
        InputError: not a whole number of at least 1.

    Source: fairsumm-v2, table 11 and section 7.

    Example:
        >>> sentence_control(3)
        'Summary it in 3 sentences.'
    """
    return SENTENCE_CONTROL.replace("{NUMBER}", str(check_count("sentence_control", "number", number)))


def fair_instruction(shares: float | Mapping[str, float], *, attribute: str = "gender", dialogue: bool = False) -> str:
    """Return the instruction that tells a model the shares of its sources, to be put after them.

    Every value but the last, which has the rest, is asked to keep its share.

    Args:
        shares: value -> its share, in the order in which they are told; they add up to 1. Of Claritin also the share of
            males alone.
        attribute: what the values are values of: gender, politics, sentiment or rating of reviews, and speaker, gender
            or power of a dialogue.
        dialogue: whether the sources are turns of a dialogue.

    Raises:
        InputError: a share outside [0, 1], shares that do not add up to 1, or a value without words for it.

    Source: fairsumm-v2, table 11 and section 7.

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
    percents = _percents(list(of_values.values()))
    words = [_words(attribute, value, dialogue) for value in of_values]
    whole = "dialogue is" if dialogue else "reviews are"
    told = [f"{percent}% {said}" for percent, (said, _) in zip(percents, words, strict=True)]
    told[0] = told[0].replace("%", f"% of the {whole}", 1)
    asked = [f"that of {named} still {percent}%" for percent, (_, named) in zip(percents, words, strict=True)]
    asked[0] = f"{words[0][1]} in the summary is still {percents[0]}%"
    text = _FAIR.replace("{MIXED}", "mixed" if dialogue else "mixed randomly")
    return text.replace("{SHARES}", _listed(told)).replace("{LENGTHS}", _listed(asked[:-1] or asked))


def shares_of(
    pairs: Sequence[tuple[str, str]], by: str = "texts", values: Sequence[str] | None = None
) -> dict[str, float]:
    """Return value -> its share of the sources.

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


def _percents(shares: Sequence[float]) -> list[str]:
    """Percents to a tenth; the last is what the others leave, so that they add up to 100."""
    tenths = [round(1000 * share) for share in shares[:-1]]
    tenths.append(1000 - sum(tenths))
    return [f"{tenth / 10:g}" for tenth in tenths]


def _words(attribute: str, value: str, dialogue: bool) -> tuple[str, str]:
    """Name of the sources of a value, plural and singular."""
    try:
        if not dialogue:
            return _REVIEW_SETS[attribute][value]
        who = value if attribute == "speaker" else _SPEAKERS[attribute][value]
    except KeyError:
        of = "a dialogue" if dialogue else "reviews"
        raise InputError(f"fair_instruction: there are no words for {attribute} {value!r} of {of}") from None
    return f"spoken by {who}", f"what {who} say" if attribute != "speaker" else f"what {who} says"


def _listed(parts: Sequence[str]) -> str:
    """Parts of a sentence: commas, and "and" before the last."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def focus_instruction(persons: str) -> str:
    """Return the instruction that makes a model prefer some persons, to be put after the words of a prompt.

    A measure of inclusion has to find the bias that it induces.

    Args:
        persons: whom to prefer, such as the paper's ``"women"``.

    Raises:
        InputError: not a string of one line that is not empty.

    Source: papers/news-summarization-bias, section 8.3.

    Example:
        >>> focus_instruction("women")
        'Please put a particular focus on the women mentioned in the text'
    """
    if not isinstance(persons, str) or not persons.strip() or len(persons.splitlines()) > 1:
        raise InputError(f"focus must be words for persons, such as women, on one line, found {describe(persons)}")
    return FOCUS.replace("{PERSONS}", persons.strip())
