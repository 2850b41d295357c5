"""Locations of edited words, and of words that other variants' summaries lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairsum_utils.families.marks import Attribution, Span
from fairsum_utils.families.sensitivity.texts import changed_spans
from fairsum_utils.measures._sensitivity import SensitivityMeasure
from fairsum_utils.text.splitting import word_pattern


def attribution(
    measures: Sequence[str], settings: SensitivityMeasure, sample: Mapping[str, Any], record: Mapping[str, Any]
) -> Attribution:
    """Locate edited words, and words missing from the most distant other variant.

    Example:
        >>> sample = {"predictions": "Ann Lee won twice.", "variants": "f", "changed": ["Ann Lee"]}
        >>> record = {"skipped": None, "variant": "f", "only_here": ["twice"], "opposite_variant": "m"}
        >>> from fairsum_utils.measures.counterfactual_gap import CounterfactualGap
        >>> found = attribution(["counterfactual_gap"], CounterfactualGap(), sample, record)
        >>> [(span.start, span.end, span.note) for span in found.prediction]
        [(0, 7, 'inserted by an edit'), (12, 17, 'not in the summary of m')]
    """
    if record.get("skipped") is not None or not isinstance(sample.get("predictions"), str):
        return Attribution()
    text = str(sample["predictions"])
    changed, variant = sample.get("changed") or (), (str(record["variant"]),)
    sources = [
        [
            Span(*span, variant, "person", source[slice(*span)].lower(), _PUT_IN)
            for span in changed_spans(source, changed)
        ]
        for source in (sample.get("sources") or () if changed else ())
    ]
    return Attribution(sorted(_spans(settings, text, sample, record), key=lambda span: span[:2]), sources)


_PUT_IN = "inserted by an edit"


def _spans(
    settings: SensitivityMeasure, text: str, sample: Mapping[str, Any], record: Mapping[str, Any]
) -> Iterator[Span]:
    variant = str(record["variant"])
    put_in = list(changed_spans(text, sample.get("changed") or ())) if getattr(settings, "neutral", False) else []
    for start, end in put_in:
        yield Span(start, end, (variant,), "person", text[start:end].lower(), _PUT_IN)
    only_here = set(record.get("only_here") or ())
    for match in word_pattern(text).finditer(text):
        (start, end), word = match.span(), match[0].lower()
        if word in only_here and not any(start < stop and first < end for first, stop in put_in):
            yield Span(start, end, (variant,), "word", word, f"not in the summary of {record['opposite_variant']}")
