"""Results as the contents of a page, with the samples behind them; and the page itself."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import InputError
from fairsum_utils.families import family_of
from fairsum_utils.io.names import stems
from fairsum_utils.reports.page.contents import Contents, Lens
from fairsum_utils.results.samples import Samples, from_file, from_memory, merged, told_by
from fairsum_utils.signature import settings_of, signed

if TYPE_CHECKING:
    from fairsum_utils.results.results import Results

__all__ = ["contents_of", "in_memory", "lenses_of", "of_files", "parts_of", "write_report"]

_TOLD = re.compile(r"\w+ of \d+ entries")
"""A setting that was too long for the record of a run, see `fairsum_utils.results.record.plain`."""

_WHOLE = r"(?<![^\W_]){}(?![^\W_])"
"""A name within another one, not in the middle of a word."""


def write_report(path: str | os.PathLike[str], contents: Contents) -> None:
    """Write the page of results: one HTML file that opens from the disk and asks nobody for anything.

    Args:
        path: ends in ``.html``.
        contents: see `contents_of`.

    Raises:
        InputError: the file cannot be written.
    """
    from fairsum_utils.io.writing import check_output
    from fairsum_utils.reports.page import provenance
    from fairsum_utils.reports.page.document import write_page
    from fairsum_utils.reports.page.sections import sections_of

    check_output(path, ".html")
    write_page(path, contents, sections_of(contents), [provenance.section(contents)])


def contents_of(
    results: Results,
    parts: Sequence[Samples] = (),
    *,
    scores: Mapping[str, Mapping[str, Any]] = {},
    title: str | None = None,
    redact: bool = False,
) -> Contents:
    """What a page of results is made of.

    Args:
        results: of scoring or of a comparison.
        parts: the samples behind them; none for a page without them.
        scores: of a comparison, name of a system -> label -> its result, for figures by value.
        title: above the page; None for what was scored.
        redact: leave all texts and ids out, and of paths all but the names of files.

    Raises:
        InputError: results of another kind.
    """
    from fairsum_utils.reports.page.contents import redacted

    _check_page(results)
    document = results._document()
    lenses = lenses_of(results)
    samples, said = merged(parts, lenses, told_by(results), redact=redact)
    views = [(f"{results._title()}{more}", view) for more, view in results._views()]
    for system, scored in scores.items():
        views += [(f"{system}{more}", view) for more, view in results._views_of(results._measures(), scored)]
    # The page shows the samples themselves, whether the results hold their records or not.
    views = [(name, {measure: _of_all(result) for measure, result in view.items()}) for name, view in views]
    contents = Contents(
        results._title() if title is None else title,
        document,
        views,
        lenses={label: lens for label, lens in lenses.items() if any(label in part.labels for part in parts)},
        samples=samples,
        redact=redact,
        said=said,
    )
    return redacted(contents) if redact else contents


def lenses_of(results: Results) -> dict[str, Lens]:
    """Label -> measure, as the samples behind results were scored with it.

    Args:
        results: of scoring or of a comparison.
    """
    told = results.run.described(None).get("settings", {})
    lenses = {}
    for label, measure in results._measures().items():
        result = results._results()[label]
        settings = _settings(measure, told.get(label, {}).get("effective"), settings_of(result))
        lenses[label] = Lens(measure, settings, _of_all(result) if measure in result else {})
    return lenses


def _of_all(result: Mapping[str, Any]) -> dict[str, Any]:
    """A result without the records of its samples."""
    return {key: entry for key, entry in result.items() if key != "samples"}


def _settings(measure: str, told: Mapping[str, Any] | None, said: Mapping[str, Any]) -> Any:
    """Return the settings of a measure from the record of its run, or else from its result; None if unknown."""
    kind = family_of(measure).settings(measure)
    known = kind.infos(measure)
    given: dict[str, Any] = {}
    if told is not None:
        given = {name: value for name, value in told.items() if name in known}
        if any(isinstance(value, str) and _TOLD.fullmatch(value) for value in given.values()):
            return None
    else:
        for name, info in known.items():
            if name in said:
                try:
                    given[name] = info.read(str(said[name]))
                except ValueError:
                    return None
    try:
        settings = kind.make(given, measure=measure, module="report")
    except (InputError, TypeError):  # a function of the caller, say, of which the name is left
        return None
    return settings if told is not None or _is_made_with(measure, settings, said) else None


def _is_made_with(measure: str, settings: Any, said: Mapping[str, Any]) -> bool:
    """Return whether these settings give the effective ones of a result, without loading a model."""
    family = family_of(measure)
    given = family.needed(measure, ())
    if not said or family.uses_model((measure,), settings, given):
        return False
    made = signed(family.scorer((measure,), settings).signature(measure, given))["settings"]
    return all(str(said.get(name)) == str(value) for name, value in made.items())


def parts_of(results: Results, samples: Any = None) -> list[Samples]:
    """The samples of results, wherever they are; see `fairsum_utils.results.results.Shown.report`.

    Args:
        results: of scoring or of a comparison.
        samples: files, data, or results by system; None for what the results remember.

    Raises:
        InputError: these are not the samples of the results.
    """
    _check_page(results)
    if samples is None:
        return in_memory(results._results(), results.run.data)
    paths = [samples] if isinstance(samples, (str, os.PathLike)) else samples
    if isinstance(paths, (list, tuple)) and paths and all(isinstance(path, (str, os.PathLike)) for path in paths):
        return of_files(results, paths)
    if _by_system(samples):
        return [
            part
            for name, each in samples.items()
            for part in in_memory(each._whole()._results(), each._whole().run.data, system=name)
        ]
    from fairsum_utils.io.calls import columns_of

    if not any(result.get("samples") for result in results._results().values()):
        raise InputError(
            "report: the results have no records of samples; score with return_samples=True, or give files"
        )
    measures = list(dict.fromkeys(results._measures().values()))
    return in_memory(results._results(), columns_of("report", measures, [samples], {}))


def _check_page(results: Results) -> None:
    if not results.has_scores:
        raise InputError(f"report: a page shows scores and comparisons, found results of {results.kind}; print them")


def scores_of(results: Results, samples: Any) -> dict[str, Mapping[str, Any]]:
    """Name of a system -> its results, where the samples of a comparison were given as those.

    Args:
        results: of the comparison.
        samples: as of `parts_of`.
    """
    labels = results._measures()
    whole = {name: each._whole()._results() for name, each in samples.items()} if _by_system(samples) else {}
    return {name: each for name, each in whole.items() if labels.keys() <= each.keys()}


def _by_system(samples: Any) -> bool:
    return (
        isinstance(samples, Mapping) and bool(samples) and all(isinstance(each, Mapping) for each in samples.values())
    )


def in_memory(
    results: Mapping[str, Any],
    columns: Mapping[str, Sequence[Any]],
    *,
    system: str = "",
    ids: Sequence[str] | None = None,
) -> list[Samples]:
    """The samples of results that have records of them.

    Args:
        results: label -> result.
        columns: that were scored; empty without texts.
        system: that the samples are of.
        ids: of the samples; None for their places.

    Raises:
        InputError: there are records, and the columns are not of as many samples.
    """
    records = {label: result["samples"] for label, result in results.items() if result.get("samples")}
    for label, of_label in records.items():
        for name, entries in columns.items():
            if len(entries) != len(of_label):
                raise InputError(
                    f"report: {label} has the records of {len(of_label)} samples, and {name} has {len(entries)} "
                    "entries; give the samples that were scored"
                )
    return [from_memory(columns, records, system=system, ids=ids)] if records else []


def of_files(results: Results, paths: Sequence[Any], **reading: Any) -> list[Samples]:
    """The samples of files that ``fairsum score --samples`` has written, told apart by what they hold.

    Files with records of different measures are of one system. Else each is of a system, which is called as its file;
    of a comparison, as that system whose name the name of the file holds; of those left over, as that at its place.

    Args:
        results: of scoring or of a comparison.
        paths: of the files.
        **reading: how they are read, see `fairsum_utils.io.reading.read_rows`.

    Raises:
        InputError: a file holds something else, or was not scored for any of the measures; or it cannot be told which
            system it is of.
    """
    _check_page(results)
    lenses = lenses_of(results)
    parts = [from_file(path, lenses, **reading) for path in paths]
    for path, part in zip(paths, parts, strict=True):
        if not part.labels:
            raise InputError(
                f"{path}: these samples were not scored for {', '.join(lenses)}; give those of the results"
            )
    systems = results._systems()
    labels = [label for part in parts for label in part.labels]
    if not systems and len(set(labels)) == len(labels):
        return parts
    names = stems(paths)
    if systems:
        names = _matched(names, systems)
    return [part._replace(system=name) for part, name in zip(parts, names, strict=True)]


def _matched(names: Sequence[str], systems: Sequence[str]) -> list[str]:
    """The systems that files are of: those whose names they hold, the longest first; the rest in the order given."""
    free, found = sorted(systems, key=len, reverse=True), []
    for name in names:
        system = next((system for system in free if re.search(_WHOLE.format(re.escape(system)), name)), None)
        if system is not None:
            free.remove(system)
        found.append(system)
    if None in found and len(names) != len(systems):
        raise InputError(
            f"report: which systems {', '.join(names)} are of cannot be told; the results have {', '.join(systems)}. "
            "Name the files so, or give one for each in this order"
        )
    left = (system for system in systems if system in free)
    return [next(left) if system is None else system for system in found]
