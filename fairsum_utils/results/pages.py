"""Results as the contents of a page, with the samples behind them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import InputError
from fairsum_utils.io.names import stems
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.page.contents import Contents
from fairsum_utils.reports.page.sample import Lens
from fairsum_utils.reports.wording import listed, short_name
from fairsum_utils.results.base import IN_MEMORY, Results, views_of
from fairsum_utils.results.record import settings_of
from fairsum_utils.results.samples import (
    Samples,
    checked,
    expected_scores,
    from_file,
    from_memory,
    joined,
    merged,
    notes_on,
)
from fairsum_utils.validation import count

if TYPE_CHECKING:
    from fairsum_utils.reports.page.outline import Outline

# Measures that a title names
_NAMED = 4
_WHOLE = r"(?<![^\W_]){}(?![^\W_])"
"""A name within another name, at word boundaries."""


def contents_of(
    results: Results,
    parts: Sequence[Samples] = (),
    *,
    scores: Mapping[str, Mapping[str, Any]] = {},
    title: str | None = None,
    redact: bool = False,
    outline: Outline | None = None,
) -> Contents:
    """Collect the contents of a page.

    Args:
        results: results of a system, or a comparison.
        parts: samples of the systems.
        scores: system -> its results.
        title: title of the page; None for one from the data.
        redact: omit all texts and ids, and the folders of paths.
        outline: numbers of all samples, if `parts` are only those that it shows.
    """
    from fairsum_utils.reports.page.contents import redacted

    _check_page(results)
    document = results.document()
    present = {label for part in parts for label in part.labels}
    lenses = {label: lens for label, lens in lenses_of(results).items() if label in present}
    outline, samples = merged(parts, lenses, expected_scores(results), outline=outline)
    views = [(f"{results.short_title()}{more}", view) for more, view in results.views()]
    for system, scored in scores.items():
        views += [(f"{system}{more}", view) for more, view in views_of(results.measure_by_label(), scored)]
    # The page shows the samples, even if the results have no records of them.
    views = [(name, {measure: _without_samples(result) for measure, result in view.items()}) for name, view in views]
    contents = Contents(
        _title_of(results) if title is None else title,
        document,
        views,
        lenses=lenses,
        samples=samples,
        outline=outline,
        redact=redact,
        notes=notes_on(parts, redact=redact),
    )
    return redacted(contents) if redact else contents


def _title_of(results: Results) -> str:
    """Return a title of the data: measures, number of samples, and name."""
    scored = results.by_label()
    if not scored:
        return results.short_title()
    most = max((result["n_samples"] for result in scored.values()), default=0)
    names = listed([short_name(name) for name in dict.fromkeys(results.measure_by_label().values())][:_NAMED])
    names = f"{len(scored)} measures" if len(scored) > _NAMED else names
    scores = f"{names} of {count(most, 'sample')}"
    compared = " compared" if results.systems else ""
    return scores if results.short_title() == IN_MEMORY else f"{results.short_title()}{compared} – {scores}"


def lenses_of(results: Results) -> dict[str, Lens]:
    """Return each label with its measure and the settings of its samples."""
    recorded = results.run.settings()
    lenses = {}
    for label, measure in results.measure_by_label().items():
        result = results.by_label()[label]
        settings = settings_of(measure, recorded.get(label, {}).get("effective"))
        lenses[label] = Lens(measure, settings, _without_samples(result) if measure in result else {})
    return lenses


def _without_samples(result: Mapping[str, Any]) -> dict[str, Any]:
    return {key: entry for key, entry in result.items() if key != "samples"}


def parts_of(results: Results, samples: Any = None) -> list[Samples]:
    """Find the samples of results, see `fairsum_utils.results.results.Shown.report`."""
    if samples is None:
        return from_memory(results.by_label(), results.run.data, ids=results.run.ids)
    paths = [samples] if isinstance(samples, (str, os.PathLike)) else samples
    if isinstance(paths, (list, tuple)) and paths and all(isinstance(path, (str, os.PathLike)) for path in paths):
        return of_files(results, paths)
    if _by_system(samples):
        wholes = [(name, each.whole()) for name, each in samples.items()]
        return [
            part
            for name, whole in wholes
            for part in from_memory(whole.by_label(), whole.run.data, system=name, ids=whole.run.ids)
        ]
    from fairsum_utils.io.arguments import columns_of

    if not any(result.get("samples") for result in results.by_label().values()):
        raise InputError(
            "report: the results have no records of samples; score with return_samples=True, or give files"
        )
    measures = {label: get_measure(name)() for label, name in results.measure_by_label().items()}
    return from_memory(results.by_label(), columns_of("report", measures, [samples], {}).columns)


def with_records(results: Results, samples: Any) -> dict[str, Any]:
    """Return label -> result of one system with records of its samples."""
    if results.systems:
        raise InputError("plot: samples belong to the results of one system; plot each system by itself")
    read = checked(joined(parts_of(results, samples)), expected_scores(results), results.measure_by_label())
    records: dict[str, list[Any]] = {}
    for sampled in sorted(read, key=attrgetter("place")):
        for label, record in sampled.records.items():
            records.setdefault(label, []).append(record)
    return {label: {**result, "samples": records.get(label, ())} for label, result in results.by_label().items()}


def _check_page(results: Results) -> None:
    if not results.has_scores:
        raise InputError(f"report: a page shows scores and comparisons, found results of {results.kind}; print them")


def scores_of(results: Results, samples: Any) -> dict[str, Mapping[str, Any]]:
    """Return the results by system if samples were given as results."""
    found = {name: each.whole().by_label() for name, each in samples.items()} if _by_system(samples) else {}
    return {name: each for name, each in found.items() if results.measure_by_label().keys() <= each.keys()}


def _by_system(samples: Any) -> bool:
    return isinstance(samples, Mapping) and {isinstance(each, Mapping) for each in samples.values()} == {True}


def of_files(results: Results, paths: Sequence[Any], **reading: Any) -> list[Samples]:
    """Open ``--samples`` files and find their systems.

    Files with records of different measures belong to one system. Otherwise each file is one system, named after the
    file. In a comparison, a file belongs to the system whose name is part of the file's name; the remaining files are
    assigned by position.
    """
    _check_page(results)
    measures = results.measure_by_label()
    parts = [from_file(path, measures, **reading) for path in paths]
    for path, part in zip(paths, parts, strict=True):
        if not part.labels:
            raise InputError(
                f"{path}: these samples were not scored for {', '.join(measures)}; give those of the results"
            )
    systems = [*results.systems]
    labels = [label for part in parts for label in part.labels]
    if not systems and len(set(labels)) == len(labels):
        return parts
    names = _matched(stems(paths), systems) if systems else stems(paths)
    return [part._replace(system=name) for part, name in zip(parts, names, strict=True)]


def _matched(names: Sequence[str], systems: Sequence[str]) -> list[str]:
    """Match files to systems by name, longest first, then by position."""
    free, found = sorted(systems, key=len, reverse=True), []
    for name in names:
        system = next((system for system in free if re.search(_WHOLE.format(re.escape(system)), name)), None)
        if system is not None:
            free.remove(system)
        found.append(system)
    if None in found and len(names) != len(systems):
        raise InputError(
            f"report: {', '.join(names)} match no system by name; the results have {', '.join(systems)}. "
            "Name the files so, or give one for each in this order"
        )
    left = (system for system in systems if system in free)
    return [next(left) if system is None else system for system in found]
