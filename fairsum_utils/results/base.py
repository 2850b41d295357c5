"""Results as data: label -> result, with what was scored and how."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairsum_utils.results.record import Run

IN_MEMORY = "in memory"
"""Title of results that were not read from a file."""


class Results(dict[str, Any]):
    """Label -> result, with the run: all that pages, samples and exports read."""

    kind: str
    has_scores: bool = True
    run: Run
    warnings: Sequence[Mapping[str, Any]] = ()
    systems: Mapping[str, Mapping[str, Any]] = {}

    def measure_by_label(self) -> dict[str, str]:
        """Return label -> measure."""
        return {label: self.run.measure(label, result) for label, result in self.by_label().items()}

    def views(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the views of the results, see `views_of`."""
        return views_of(self.measure_by_label(), self.by_label())

    def _titles(self) -> dict[str, Any]:
        """Return the names of what was scored, for a file."""
        raise NotImplementedError

    def short_title(self) -> str:
        """Return a short name of what was scored or compared."""
        return ", ".join(self.systems)

    def by_label(self) -> dict[str, Any]:
        """Return label -> result."""
        return dict(self)

    def document(self) -> dict[str, Any]:
        """Return the contents of a file, see `fairsum_utils.results.record`."""
        n_rows = None
        if self.has_scores:
            n_rows = max((result["n_samples"] + result["n_skipped"] for result in self.values()), default=None)
        return {**self._titles(), "kind": self.kind, "metrics": dict(self), "run": self.run.described(n_rows)}


def views_of(measures: Mapping[str, str], results: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield measure -> result, for reports and drawings.

    If a measure was scored again under another label, this view is separate and names its labels.

    Args:
        measures: label -> measure.
        results: label -> result.

    Example:
        >>> [*views_of({"strict": "bur", "bur": "bur"}, {"strict": 1, "bur": 2})]
        [(' (strict)', {'bur': 1}), ('', {'bur': 2})]
    """
    views: list[dict[str, str]] = []  # measure -> label
    for label, measure in measures.items():
        view = next((view for view in views if measure not in view), None)
        if view is None:
            views.append(view := {})
        view[measure] = label
    for view in views:
        labels = [*view.values()]
        named = "" if labels == [*view] else f" ({', '.join(labels)})"
        yield named, {measure: results[label] for measure, label in view.items()}


def flat_names(label: str, measure: str, result: Mapping[str, Any]) -> dict[str, str]:
    """Map the keys of a measure's result to names in a flat dict.

    Example:
        >>> flat_names("bur", "bur", {"bur": 1.0, "bur_ci": [1.0, 1.0], "n_samples": 1})
        {'bur': 'bur', 'bur_ci': 'bur_ci', 'n_samples': 'bur_n_samples'}
    """
    has_name = {key for key in result if label == measure and f"{key}_".startswith(f"{label}_")}
    return {key: key if key in has_name else f"{label}_{key}" for key in result}


def finite_numbers(name: str, entry: Any) -> Iterator[tuple[str, float]]:
    """Yield the finite numbers of an entry; a list of two is an interval."""
    if isinstance(entry, (int, float)):
        if math.isfinite(entry):
            yield name, float(entry)
    elif isinstance(entry, Mapping):
        for key, part in entry.items():
            yield from finite_numbers(f"{name}/{key}" if name else key, part)
    elif isinstance(entry, (list, tuple)) and [isinstance(end, (int, float)) for end in entry] == [True, True]:
        yield from finite_numbers(f"{name}/low", entry[0])
        yield from finite_numbers(f"{name}/high", entry[1])
    elif isinstance(entry, (list, tuple)):
        for part in entry:
            if isinstance(part, Mapping) and "baseline" in part:  # the difference of two systems
                yield from finite_numbers(f"{name}/{part['system']} - {part['baseline']}", part)
