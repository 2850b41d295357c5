"""What a page is made of: results, the settings behind them, and samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_utils.reports.base import Record, Results

__all__ = ["Contents", "Lens", "Sampled", "Section"]


class Lens(NamedTuple):
    """A measure as the samples were scored with it.

    Attributes:
        measure: its name.
        settings: of the measure, checked, see `fairsum_utils.families.Family.settings`; None where nobody can tell them
            any more: then nothing in the texts is marked.
        result: of it over all samples; empty where it is not known.
    """

    measure: str
    settings: Any
    result: Record


class Sampled(NamedTuple):
    """A sample of a system.

    Attributes:
        id: of the sample; the same in all systems.
        system: that it is of; empty where there is one.
        place: position in the data.
        sample: column -> entry; empty where texts are to be left out.
        records: label of a lens -> what `return_samples` says of the sample.
    """

    id: str
    system: str
    place: int
    sample: Mapping[str, Any]
    records: Mapping[str, Record]


class Section(NamedTuple):
    """A panel of a page.

    Attributes:
        anchor: its ``id`` in the page, such as ``"by-value"``.
        title: above it, and in the table of contents.
        html: complete and safe: every text in it is escaped.
    """

    anchor: str
    title: str
    html: str


class Contents(NamedTuple):
    """All of a page.

    Attributes:
        title: above it, such as the name of the file.
        document: the results as a file has them, see `fairsum_utils.results.record`: ``metrics``, ``run``, and of a
            comparison its systems.
        views: what was scored or compared, and measure -> its result, as reports and drawings take them.
        lenses: label -> measure with which the samples were scored; empty without samples.
        samples: in the order of the data, those of all systems with the same id one after the other; read once.
        redact: leave all texts and ids out.
        said: what is to be said of the samples, such as how many of them are shown.
    """

    title: str
    document: Mapping[str, Any]
    views: Sequence[tuple[str, Results]]
    lenses: Mapping[str, Lens] = {}
    samples: Iterable[Sampled] = ()
    redact: bool = False
    said: Sequence[str] = ()
