"""Contents of a page, with or without texts and folders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fairsum_utils.families import family_of
from fairsum_utils.measures import measure_names
from fairsum_utils.reports.base import Record, Results
from fairsum_utils.reports.report import report_of

if TYPE_CHECKING:
    from fairsum_utils.reports.page.outline import Outline
    from fairsum_utils.reports.page.sample import Lens, Sampled


class Section(NamedTuple):
    """A panel of a page."""

    anchor: str  # `id` in the page
    title: str
    html: str  # complete and safe: every text in it is escaped


class Contents(NamedTuple):
    """All of a page."""

    title: str  # such as the name of the file
    # the results as a file has them, see `fairsum_utils.results.record`: `metrics`, `run`, and of a comparison its
    # systems
    document: Mapping[str, Any]
    # scored or compared data, and measure -> result, for reports and drawings
    views: Sequence[tuple[str, Results]]
    lenses: Mapping[str, Lens] = {}  # label -> measure with which the samples were scored; empty without samples
    # in the order of the data, those of all systems with the same id one after the other; read once
    samples: Iterable[Sampled] = ()
    outline: Outline | None = None  # numbers of all samples; None without samples
    redact: bool = False  # leave all texts and ids out
    notes: Sequence[str] = ()  # remarks on the samples, such as how many of them are shown


def file_name(text: str) -> str:
    """Strip folders from paths, and owners from ids of models.

    Example:
        >>> file_name("/home/ann/reviews.jsonl"), file_name("s3://bucket/a.parquet, C:\\\\data\\\\b.parquet")
        ('reviews.jsonl', 'a.parquet, b.parquet')
    """
    return ", ".join(re.split(r"[/\\]", path.rstrip("/\\"))[-1] for path in text.split(", "))


def redacted(contents: Contents) -> Contents:
    """Remove folders and the texts of results; texts of samples are removed later.

    If two systems named after files would get the same name, the second one is ``name (2)``.
    """
    document = contents.document
    settings = document.get("run", {}).get("settings", {})
    measures = {label: found["measure"] for label, found in settings.items() if "measure" in found}
    names = _names(document.get("systems", ()))

    def plain(label: str, result: Record) -> Any:
        measure = measures.get(label, label)
        if measure in measure_names():
            result = report_of(family_of(measure).name).redacted_result(result)
        return _renamed({key: entry for key, entry in result.items() if key != "samples"}, names)

    def system(name: str) -> str:
        return names.get(name, file_name(name))

    shown: dict[str, Any] = {
        key: system(entry) if isinstance(entry, str) else _renamed(entry, names) for key, entry in document.items()
    }
    shown["metrics"] = {label: plain(label, result) for label, result in document["metrics"].items()}
    shown["run"] = _without_folders(document.get("run", {}))
    return contents._replace(
        title=file_name(contents.title),
        document=shown,
        views=[
            (file_name(title), {name: plain(name, result) for name, result in view.items()})
            for title, view in contents.views
        ],
        lenses={label: lens._replace(result=plain(label, lens.result)) for label, lens in contents.lenses.items()},
        samples=(each._replace(system=system(each.system)) for each in contents.samples),
        redact=True,
    )


def _names(systems: Iterable[str]) -> dict[str, str]:
    """Return name of a system -> name without folders."""
    names: dict[str, str] = {}
    for system in systems:
        n = sum(file_name(other) == file_name(system) for other in names)
        names.setdefault(system, f"{file_name(system)} ({n + 1})" if n else file_name(system))
    return names


def _without_folders(item: Any) -> Any:
    return _mapped(item, file_name, str)


def _mapped(item: Any, text: Callable[[str], str], key: Callable[[str], str]) -> Any:
    """Return nested data with other texts and keys."""
    if isinstance(item, str):
        return text(item)
    if isinstance(item, Mapping):
        found = {name: _WITHOUT_FOLDERS.get(name, lambda part: _mapped(part, text, key)) for name in item}
        return {key(name): found[name](part) for name, part in item.items()}
    return [_mapped(part, text, key) for part in item] if isinstance(item, (list, tuple)) else item


def _renamed(item: Any, names: Mapping[str, str]) -> Any:
    """Rename systems in results, also in sentences."""

    def text(found: str) -> str:
        for name, shown in names.items():
            found = found.replace(name, shown) if name != shown else found
        return found

    return _mapped(item, text, lambda key: names.get(key, key))


def _in_signature(signature: str) -> str:
    pairs = (part.partition(":") for part in signature.split("|"))
    return "|".join(f"{key}{colon}{file_name(value)}" for key, colon, value in pairs)


# Entries that may name files
_WITHOUT_FOLDERS: Mapping[str, Callable[[Any], Any]] = {
    "signature": _in_signature,
    "settings": _without_folders,
    "file": _without_folders,
}
