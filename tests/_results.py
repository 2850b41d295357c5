"""One result of every family, small enough for hand arithmetic, for tests of what is made of results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from fairsum_utils.families import families
from fairsum_utils.measures import get_measure
from fairsum_utils.results import Comparison, ScoreResults
from tests._together import compare, score

SUMMARIES: dict[str, Any] = {
    "sources": [["Great soup!", "Friendly staff, great bread.", "Cold soup, slow service."]] * 4,
    "values": [["pos", "pos", "neg"]] * 4,
}
A = ["Great bread.", "Great soup.", "Cold bread.", "Slow service, cold soup, friendly staff."]
B = ["Slow service.", "Cold soup.", "Great bread.", "Friendly staff."]
TEXTS: dict[str, Any] = {
    "predictions": ["She loved it, it was great.", "She won.", "He hated it, it was awful.", "He is a good doctor."],
    "groups": ["women", "women", "men", "men"],
}
NEWS: dict[str, Any] = {
    "predictions": ["Ann Levin praised her team, said Mark Twain.", "He left, and Tom Hill won."],
    "sources": ["Ann Levin praised her team. Tom Hill left, and he won."] * 2,
    "entities": [
        [
            {"first_name": "Ann", "last_name": "Levin", "group": "female"},
            {"first_name": "Tom", "last_name": "Hill", "group": "male"},
        ]
    ]
    * 2,
    "mentions": [["Ann Levin", "Mark Twain"], ["Tom Hill"]],
    "groups": ["female", "male"],
}
VARIANTS: dict[str, Any] = {
    "predictions": [
        "Ann Lee is the first woman to lead the bank.",
        "The bank has its first woman at the top.",
        "Bob Lee will lead the bank.",
        "The bank named Mr. Lee.",
    ],
    "groups": ["female", "female", "male", "male"],
    "mentions": [["Ann Lee"], [], ["Bob Lee"], ["Lee"]],
    "article_ids": ["1", "1", "1", "1"],
}
ORDERS: dict[str, Any] = {
    "predictions": ["Great soup.", "Soup.", "Cold soup.", "Friendly staff.", "Staff.", "Slow service."],
    "article_ids": ["1", "1", "1", "2", "2", "2"],
    "variants": ["pos", "pos", "neg"] * 2,
    "sources": [
        *[["Great soup!", "Cold soup."]] * 2,
        ["Cold soup.", "Great soup!"],
        *[["Friendly staff.", "Slow service."]] * 2,
        ["Slow service.", "Friendly staff."],
    ],
    "values": [["pos", "neg"], ["pos", "neg"], ["neg", "pos"]] * 2,
}
# Costs rose is Park's (misattributed to Lee), rents fell is Lee's, nobody spoke of taxes: 1 of 3 claims, and 0 of 2.
MEETINGS: dict[str, Any] = {
    "predictions": [
        "Lee said that costs rose. Ms Lee said that rents fell. According to Mr Park, taxes doubled.",
        "Park said that costs rose. Rents fell, Lee said.",
    ],
    "sources": [["Costs rose.", "Rents fell."]] * 2,
    "values": [["Mr Park", "Ms Lee"]] * 2,
    "speaker_groups": [{"party": {"Mr Park": "A", "Ms Lee": "B"}}] * 2,
}
LEVEL: dict[str, Any] = {"confidence_level": 0.95, "n_resamples": 200}


def judge(premises: Sequence[str], hypotheses: Sequence[str]) -> list[float]:
    """An entailer that knows copies, in place of a model that reads meaning."""
    return [float(one == other) for one, other in zip(premises, hypotheses, strict=True)]


HARM: dict[str, Any] = {
    "predictions": ["Lovely rooms, but mice.", "Nice bank.", "Good soup.", "Nice bank."],
    "sources": [
        ["Lovely rooms.", "We had mice in the room.", "The fish gave us food poisoning. It rained."],
        ["Nice bank.", "A thief stole my bag."],
        ["Good soup.", "The soup gave me food poisoning."],
        ["Nice bank.", "They were nice."],
    ],
    "values": [["pos", "neg", "neg"], ["pos", "neg"], ["pos", "pos"], ["pos", "neg"]],
}


# Family -> its inputs, where its needed columns do not tell, and what else its results need.
INPUTS: dict[str, dict[str, Any]] = {
    "coverage": {"predictions": A, **SUMMARIES, "entailer": "lexical"},
    "polarity": {**TEXTS, "metrics": ["sentiment", "gender_polarity"]},
    "entities": {
        **NEWS,
        "metrics": ["word_list_inclusion", "entity_inclusion", "entity_hallucination"],
        "continuity": 0.5,
        "article_ids": ["1", "2"],
    },
    "omission": {**HARM, "entailer": judge},
    "sensitivity": {**ORDERS, "n_permutations": 20},
    "misattribution": MEETINGS,
}


def of_family(family: str, **settings: Any) -> ScoreResults:
    """All measures of a family that need no model and no lexicon."""
    measures = families()[family].measures
    needed = set(get_measure(measures[0]).needed())
    fitting = next(
        columns for columns in ({"predictions": A, **SUMMARIES}, TEXTS, {}) if needed <= columns.keys() or not columns
    )
    known = {column.name for column in families()[family].columns}
    given = {
        "metrics": measures,
        **(INPUTS.get(family) or {name: entry for name, entry in fitting.items() if name in known}),
    }
    return score(**{**given, **LEVEL, **settings})


def of_comparison(**settings: Any) -> Comparison:
    """Two systems by two measures."""
    metrics = ["bur", "uer", "equal_coverage"]
    return compare(A, B, **SUMMARIES, metrics=metrics, entailer="lexical", **LEVEL, **settings)


FAMILIES = tuple(families())


def of_systems(**settings: Any) -> Comparison:
    """Three systems by two measures."""
    summaries = {"lead": A, "last": B, "none": ["Great soup."] * 4}
    return compare(summaries, **SUMMARIES, metrics=["bur", "uer"], **LEVEL, **settings)


def cells(html: str, caption: str = "") -> list[list[str]]:
    """The cells of the table with a caption in HTML, the header first; of the first table without one."""
    tables = re.findall(r"<table.*?</table>", html, re.DOTALL)
    table = next(table for table in tables if f"<caption>{caption}</caption>" in table or not caption)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", table)]


def bits(item: Any) -> Any:
    """Plain data in which NaN equals NaN and floats are told by their bits."""
    if isinstance(item, dict):
        return {key: bits(part) for key, part in item.items()}
    if isinstance(item, (list, tuple)):
        return [bits(part) for part in item]
    return item.hex() if isinstance(item, float) else item
