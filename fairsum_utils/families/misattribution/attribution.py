"""Locations of claims and of the turns that support them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.families.marks import Attribution, PersonOutcome, Span
from fairsum_utils.families.misattribution.rows import MISATTRIBUTED, SUPPORTED, UNSUPPORTED
from fairsum_utils.measures.misattribution import Misattribution
from fairsum_utils.validation import labels_of


def attribution(
    measures: Sequence[str], settings: Misattribution, sample: Mapping[str, Any], record: Mapping[str, Any]
) -> Attribution:
    """Locate each claim and the best turns of its speaker and of another one.

    Returns:
        A claim and its turns have the same key: ``u0`` for the first claim, and so on. A turn is marked whole, if it
        supports the claim at all.

    Example:
        >>> from fairsum_utils import compute
        >>> texts = {"predictions": "Lee said costs rose.", "sources": ["Costs rose.", "Rents fell."]}
        >>> columns = {name: [entry] for name, entry in {**texts, "values": ["Park", "Lee"]}.items()}
        >>> [record] = compute("misattribution", **columns, return_samples=True)["samples"]
        >>> found = attribution(["misattribution"], Misattribution(), texts, record)
        >>> for span in [*found.prediction, *found.sources[0]]:
        ...     print(*span)
        9 19 ('Lee',) unit u0 claim 1 of Lee: misattributed to Lee; supported by Park with 1.00, and by Lee with 0.00
        0 11 ('Park',) chunk u0 supports claim 1 with 1.00
    """
    sources = list(sample.get("sources") or ())
    claims: list[Span] = []
    turns: list[list[Span]] = [[] for _ in sources]
    for place, claim in enumerate(record.get("claims") or ()):
        key, speaker, number = f"u{place}", claim["speaker"], place + 1
        remark = f"claim {number} of {claim_note(claim)}"
        claims += [Span(start, end, (speaker,), "unit", key, remark) for start, end in claim["spans"]]
        best = [(claim["turn"], speaker, claim["probability"])]
        if claim["other_turn"] is not None:
            best.append((claim["other_turn"], claim["other"], claim["other_probability"]))
        for turn, name, probability in best:
            if probability and turn < len(sources):
                remark = f"supports claim {number} with {probability:.2f}"
                turns[turn].append(Span(0, len(sources[turn]), (name,), "chunk", key, remark))
    return Attribution(sorted(claims), [sorted(spans) for spans in turns])


def claim_note(claim: Mapping[str, Any]) -> str:
    """Describe the outcome of a claim.

    Example:
        >>> claim_note({"speaker": "Lee", "outcome": "supported", "probability": 0.75, "other": None})
        'Lee: supported with 0.75'
    """
    speaker, own = claim["speaker"], claim["probability"]
    if claim["outcome"] == MISATTRIBUTED:
        other = f"{claim['other']} with {claim['other_probability']:.2f}"
        return f"{speaker}: misattributed to {speaker}; supported by {other}, and by {speaker} with {own:.2f}"
    if claim["outcome"] == SUPPORTED:
        return f"{speaker}: supported with {own:.2f}"
    return f"{speaker}: {UNSUPPORTED}, by {speaker} with {own:.2f}"


def outcomes(sample: Mapping[str, Any], record: Mapping[str, Any]) -> list[PersonOutcome]:
    """Return whether the summary names each speaker.

    Example:
        >>> outcomes({"values": ["Lee", "Park", "Lee"], "sources": ["a", "b", "c"]}, {"named": ["Park"]})
        [PersonOutcome(name='Lee', group=None, outcome='left out', is_counted=True),
         PersonOutcome(name='Park', group=None, outcome='named', is_counted=True)]
    """
    named = record.get("named")
    speakers = dict.fromkeys(labels_of(sample.get("values") or ()))
    if named is None:
        return []
    return [PersonOutcome(speaker, None, "named" if speaker in named else "left out") for speaker in speakers]
