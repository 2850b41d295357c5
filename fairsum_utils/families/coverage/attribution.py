"""Locations of a summary's statements and of the chunks that cover them best."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.families.coverage.chunks import chunk_spans
from fairsum_utils.families.coverage.rows import MERGED
from fairsum_utils.families.marks import Attribution, Span
from fairsum_utils.measures._coverage import CoverageMeasure
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.text.splitting import summary_spans


def attribution(
    measures: Sequence[str], settings: CoverageMeasure, sample: Mapping[str, Any], record: Mapping[str, Any]
) -> Attribution:
    """Locate each unit in the summary and the chunks that cover it best.

    Returns:
        Units and chunks that belong together have the same key: ``u0`` for the first unit, and so on. A unit has the
        values of the documents that cover it best, several where these tie, and none where no document covers it; its
        chunk is that of the first of them. Units that are no stretch of the summary, as a language model may write
        them, are not marked. Time grows linearly with the texts, where units are sentences.

    Example:
        >>> from fairsum_utils import compute
        >>> texts = {"predictions": "Tasty soup. Cold bread.", "sources": ["Great. Tasty soup!", "Meh."]}
        >>> columns = {name: [entry] for name, entry in {**texts, "values": ["pos", "neg"]}.items()}
        >>> result = compute("equal_coverage", **columns, entailer="lexical", return_samples=True)
        >>> settings = CoverageMeasure(entailer="lexical")
        >>> found = attribution(["equal_coverage"], settings, texts, result["samples"][0])
        >>> for span in found.prediction:
        ...     print(*span)
        0 11 ('pos',) unit u0 statement 1: covered with 1.00
        12 23 () unit u1 statement 2: not covered by any document
        >>> [[(span.start, span.end, span.key, span.note) for span in spans] for spans in found.sources]
        [[(0, 18, 'u0', 'covers statement 1 with 1.00')], []]
    """
    evidence = record.get("evidence")
    if not evidence:
        return Attribution()
    places = _unit_places(sample.get("predictions") or "", record.get("units") or (), settings)
    sources = list(sample.get("sources") or ())
    units: list[Span] = []
    chunks: list[list[Span]] = [[] for _ in sources]
    cuts: dict[int, list[tuple[int, int]]] = {}
    for unit, best in enumerate(evidence):
        document, chunk, probability = best["document"], best["chunk"], best["probability"]
        covered = f"covered with {probability:.2f}" if probability else "not covered by any document"
        names, remark = _best_values(record, unit), f"statement {unit + 1}: {covered}"
        units += [Span(*place, names, "unit", f"u{unit}", remark) for place in places.get(unit, ())]
        if chunk is None or not probability or not sources:
            continue
        if document not in cuts:
            cuts[document] = chunk_spans(sources[document], **settings.cutting)
        start, stop = cuts[document][chunk]
        remark = f"covers statement {unit + 1} with {probability:.2f}"
        chunks[document].append(Span(start, stop, (record["values"][document],), "chunk", f"u{unit}", remark))
    return Attribution(sorted(units), [sorted(spans) for spans in chunks])


def _best_values(record: Mapping[str, Any], unit: int) -> tuple[str, ...]:
    """Return the groups of all documents that cover a unit best, sorted."""
    best = record["evidence"][unit]
    if not best["probability"]:
        return ()
    covers = zip(record["values"], record["unit_coverage"][unit], strict=True)
    return tuple(sorted({value for value, share in covers if share >= best["probability"] - TOLERANCE}))


def _unit_places(summary: str, units: Sequence[str], settings: CoverageMeasure) -> dict[int, list[tuple[int, int]]]:
    """Locate the units in the summary; a merged unit has several spans."""
    if not units or not summary:
        return {}
    sentences: dict[str, deque[tuple[int, int]]] = {}
    for start, end in summary_spans(summary, settings.language):
        sentences.setdefault(summary[start:end], deque()).append((start, end))
    found: dict[int, list[tuple[int, int]]] = {}
    stop = 0
    for unit, text in enumerate(units):
        is_merged = settings.protocol == "released" and text not in sentences
        for part in text.split(MERGED) if is_merged else [text]:
            if waiting := sentences.get(part):
                place = waiting.popleft()
            elif (start := summary.find(part, stop)) >= 0 or (start := summary.find(part)) >= 0:
                place = (start, start + len(part))
            else:
                continue
            stop = place[1]
            found.setdefault(unit, []).append(place)
    return found
