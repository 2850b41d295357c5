"""Prompt templates of the fairsumm paper, with the separators they speak of.

Source: fairsumm-v2, table 11 (the wording is the paper's, its grammar included).
"""

from __future__ import annotations

from collections.abc import Sequence

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
