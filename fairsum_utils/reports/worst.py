"""The worst samples of a measure, and their report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.cleaning import texts_as_read
from fairsum_utils.families import family_of
from fairsum_utils.families.marks import NOTHING
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.base import Record
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import Cell, Part, Table, number

# Characters of a text that are shown of it, unless all are asked for
LENGTH = 300
# To cut as little as this would save nothing
_NOTE = len(" … (+100 characters)")


def severity(name: str, record: Record) -> dict[str, float]:
    """Rate a sample by name -> number; later numbers break ties.

    Args:
        name: the measure.
        record: record of the sample from `return_samples`.

    Returns:
        Nothing for a sample without a score.

    Example:
        >>> record = {"skipped": None, "summary_share": [1.0, 0.0], "desired_share": [0.5, 0.5]}
        >>> severity("bur", record | {"bur": 1.0}), severity("sof", record)
        ({'BUR': 1.0, 'mean shortfall': 0.25}, {'mean shortfall': 0.25})
    """
    return report_of(get_measure(name).family).severity(name, record)


def worst(name: str, records: Sequence[Record], n: int | None = None) -> list[int]:
    """Return positions of scored samples, the worst first.

    Args:
        name: the measure.
        records: records of `return_samples`, or some of them.
        n: number of samples; None for all.

    Returns:
        Samples that are as bad as each other stand in their order.

    Example:
        >>> shares = ([0.6, 0.4], [1.0, 0.0])
        >>> records = [{"skipped": None, "summary_share": share, "desired_share": [0.5, 0.5]} for share in shares]
        >>> worst("sof", [*records, {"skipped": "empty_prediction"}])
        [1, 0]
    """
    found = [(tuple(severity(name, record).values()), place) for place, record in enumerate(records)]
    ranked = sorted((entry for entry in found if entry[0]), key=lambda entry: ([-part for part in entry[0]], entry[1]))
    return [place for _, place in ranked][:n]


def shortened(text: str, length: int | None = LENGTH) -> str:
    """Shorten a text and count the removed characters.

    Example:
        >>> shortened("The soup was tasty, and the staff was friendly.", 8)
        'The soup … (+39 characters)'
        >>> shortened("The soup was tasty.", 8)
        'The soup was tasty.'
    """
    cut = 0 if length is None else len(text) - length
    return text if cut <= _NOTE else f"{text[:length].rstrip()} … (+{cut:,} characters)"


def parts_of(document: Mapping[str, Any], *, full: bool = False) -> list[Part]:
    """Return the texts of samples and the evidence behind their scores.

    Args:
        document: ``file``, ``metric``, ``lines`` (what to say first), ``result`` (of the measure; may be without a
            signature) and ``samples``: each ``id``, ``severity``, ``sample`` (column -> entry) and ``record``; with
            ``settings`` of the measure, words that counted are shown as they are written.
        full: show long texts completely.
    """
    name, length = document["metric"], None if full else LENGTH
    family = family_of(name)
    report = report_of(family.name)
    parts: list[Part] = [document["lines"]]
    for place, found in enumerate(document["samples"], start=1):
        record, sample = found["record"], texts_as_read(found["sample"], document.get("settings"))
        shown = ", ".join(f"{what} {number(amount)}" for what, amount in found["severity"].items())
        reason = report.skipped.get(record["skipped"], record["skipped"])
        title = f"{place}. {found['id']}: {shown or (f'no score: {reason}' if reason else 'no score')}"
        parts.append(_short(Table(["", "text"], _texts(sample), title, n_texts=2), length))
        if record["skipped"] is None:
            attribution = NOTHING
            if "settings" in document:
                attribution = family.attribution((name,), document["settings"], sample, record)
            tables = report.evidence(name, document["result"], record, sample, attribution)
            parts += [_short(table, length) for table in tables]
    return parts


def _texts(sample: Mapping[str, Any]) -> list[list[Cell]]:
    """Return the summary and the source texts by group."""
    rows: list[list[Cell]] = [["summary", sample["predictions"]]] if "predictions" in sample else []
    sources = sample.get("sources") or []
    texts = [sources] if isinstance(sources, str) else list(sources)
    values = sample.get("values")
    groups = ["source"] * len(texts) if values is None else map(str, values)
    return rows + [[value, text] for value, text in sorted(zip(groups, texts, strict=False), key=lambda pair: pair[0])]


def _short(table: Table, length: int | None) -> Table:
    return table._replace(
        rows=[[shortened(cell, length) if isinstance(cell, str) else cell for cell in row] for row in table.rows]
    )
