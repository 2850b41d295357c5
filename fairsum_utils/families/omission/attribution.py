"""Locations of serious matters in the sources and of their traces in the summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.families.marks import Attribution, Span
from fairsum_utils.measures.omission import Omission

STATES = {True: "omitted", False: "traced", None: "not found"}
"""Matter's ``is_omitted`` -> in words."""


def attribution(
    measures: Sequence[str], settings: Omission, sample: Mapping[str, Any], record: Mapping[str, Any]
) -> Attribution:
    """Locate the sentences of each matter and its trace in the summary.

    Returns:
        Sentences that belong to one matter have the same key: ``m0`` for the first matter, and so on.

    Example:
        >>> from fairsum_utils import compute
        >>> texts = {"predictions": "We saw mice. Nice.", "sources": ["Mice in the room!", "I loved it. I got ill."]}
        >>> result = compute("omission", **{name: [entry] for name, entry in texts.items()}, return_samples=True)
        >>> found = attribution(["omission"], Omission(), texts, result["samples"][0])
        >>> [(span.start, span.end, span.note) for span in found.prediction]
        [(0, 12, 'trace of rats and mice')]
        >>> [(span.start, span.end, span.note) for span in found.sources[1]]
        [(12, 22, 'not found: food poisoning or sudden illness')]
    """
    summary, sources = sample.get("predictions") or "", list(sample.get("sources") or ())
    traces: list[Span] = []
    raised: list[list[Span]] = [[] for _ in sources]
    values = list(sample.get("values") or ())
    for place, matter in enumerate(record.get("matters") or ()):
        name = matter["entry"] or matter["category"]
        key, remark = f"m{place}", f"{STATES[matter['is_omitted']]}: {name}"
        for text, start, sentence in zip(
            matter.get("texts") or (), matter.get("starts") or (), matter.get("sentences") or (), strict=True
        ):
            if text < len(sources) and sources[text].startswith(sentence, start):
                names = (str(values[text]),) if text < len(values) else ()
                raised[text].append(Span(start, start + len(sentence), names, "unit", key, remark))
        trace = matter.get("trace")
        if trace and (start := summary.find(trace)) >= 0:
            traces.append(Span(start, start + len(trace), tuple(matter["values"]), "unit", key, f"trace of {name}"))
    return Attribution(sorted(traces), [sorted(spans) for spans in raised])
