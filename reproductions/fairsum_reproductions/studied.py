"""Results of studies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import InputError
from fairsum_utils.results.record import Run
from fairsum_utils.results.results import ShownResults, frame

if TYPE_CHECKING:
    import pandas

    from fairsum_reproductions.contract import Study
    from fairsum_utils.reports.panels import Drawing
    from fairsum_utils.reports.tables import Part


class Studied(ShownResults):
    """Result of a study: a dict that shows, draws and saves itself.

    Attributes:
        study: name of the study.
        title: names of the inputs.
        settings: settings, as in a record.
        run: record of the run.
    """

    kind = "study"
    has_scores = False

    def __init__(
        self,
        result: Mapping[str, Any],
        /,
        *,
        study: str,
        title: str,
        settings: Mapping[str, Any] | None = None,
        run: Run | None = None,
    ) -> None:
        super().__init__(result)
        self.study, self.title, self.settings, self.run = study, title, settings or {}, run or Run()

    @classmethod
    def of_document(cls, document: Mapping[str, Any], run: Run) -> Studied:
        """Read a saved result; `fairsum_utils.read_results` calls this through an entry point."""
        name = document["study"]
        return cls(document["metrics"][name], study=name, title=document["file"], run=run)

    @property
    def is_drawn(self) -> bool:
        """True if the study has a figure."""
        return self._known.drawing is not None

    def to_pandas(self) -> pandas.DataFrame:
        """Convert the report's first table, unrounded, with two columns per interval.

        Raises:
            MissingDependencyError: pandas is not installed.
        """
        from fairsum_utils.reports.formats import flat_columns
        from fairsum_utils.reports.tables import Table

        table = next((part for part in self._known.parts(dict(self)) if isinstance(part, Table)), Table([], []))
        columns = flat_columns(table)
        names = [str(column[0]) for column in columns]
        cells = zip(*(column[1:] for column in columns), strict=True)
        return frame([dict(zip(names, row, strict=True)) for row in cells], names)

    @property
    def _known(self) -> Study:
        from fairsum_reproductions import find_study

        return find_study(self.study)

    def measure_by_label(self) -> dict[str, str]:
        """Return nothing: a study has no measures."""
        return {}

    def _parts(self) -> list[Part]:
        """Lay out question, tables, undefined results, choices and signature."""
        from fairsum_utils.reports.tables import Notes, Signatures

        undefined = self.get("undefined") or {}
        return [
            [f"{self.title}: {self._known.help}", f"after {self._known.cited}"],
            *self._known.parts(dict(self)),
            Notes(f"{name} is undefined: {reason}." for name, reason in undefined.items()),
            [f"chosen: {choice}" for choice in self._known.choices],
            Signatures([f"signature: {self['signature']}"]),
        ]

    def _draw(self, labels: Sequence[str]) -> Drawing:
        if self._known.drawing is None:
            raise InputError(f"{self.study}: this study has no figure; print or save the result")
        return self._known.drawing(dict(self))

    def short_title(self) -> str:
        """Return the title of the study."""
        return self.title

    def by_label(self) -> dict[str, Any]:
        """Return name -> result."""
        return {self.study: dict(self)}

    def _titles(self) -> dict[str, Any]:
        return {"study": self.study, "file": self.title}

    def document(self) -> dict[str, Any]:
        """Return the contents of a file."""
        run = self.run.described(None)
        if self.run.read is None:
            run["settings"] = dict(self.settings)
        return {**self._titles(), "kind": self.kind, "metrics": self.by_label(), "run": run}
