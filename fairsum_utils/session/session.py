"""Session: requests, the work they share, and their results.

All scoring uses a `Session`: the library's calls, the `evaluate` modules, training loops, the adapters of other stacks,
the command. It groups requests that can share rows, keeps their scorers and models for the next call, and gives each
request exactly the result that it would have alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import chain, islice
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.families import Results, family_of
from fairsum_utils.families.inputs import check_given
from fairsum_utils.families.table import Table
from fairsum_utils.results import Run, ScoreResults
from fairsum_utils.results.columns import SampleColumns
from fairsum_utils.results.record import Clock
from fairsum_utils.session.passes import Columns, Pass, Request, grouped
from fairsum_utils.validation import check_columns

_TOGETHER = 512
"""Rows per table; a table needs much less memory than its rows."""


class Session(AbstractContextManager["Session"]):
    """Scores measures, of several families if need be, any number of times.

    Args:
        requests: measures and settings to score.
        module: name used in messages; None for the labels of the measures.
        distributed: share the work of models with the other processes of ``accelerate launch``.
        evidence: keep the evidence in the rows, even if no request asks for records.

    Attributes:
        passes: one for each way to compute rows, in the order of the requests.
        labels: the module, or else the labels of the measures, for a message.

    Raises:
        InputError: A setting is invalid, or no measure takes it.

    Example:
        >>> columns = {"predictions": ["Tasty."], "sources": [["Tasty.", "Awful."]], "values": [["pos", "neg"]]}
        >>> from fairsum_utils.measures.bur import BUR
        >>> with Session([Request(BUR()), Request(BUR(tau=0.0), "lenient")]) as session:
        ...     {label: result["bur"] for label, result in session.score(columns).items()}
        {'bur': 1.0, 'lenient': 0.0}
    """

    def __init__(
        self,
        requests: Sequence[Request] = (),
        *,
        module: str | None = None,
        distributed: bool = False,
        evidence: bool = False,
    ) -> None:
        self.module = module
        self._options = {"distributed": distributed, "evidence": evidence}
        self.passes: list[Pass] = []
        self._clock = Clock.start()
        self._data: dict[str, Any] = {}
        self._ids: Sequence[str] | None = None
        self.ask(requests)

    def ask(self, requests: Sequence[Request]) -> None:
        """Set other requests; scorers that fit are kept, others are closed."""
        self._asked = {request.label: request.described() for request in requests}
        self._columns: SampleColumns | None = None
        before = {old.key: old for old in self.passes}
        passes = []
        for members in grouped(requests, "rows"):
            passes.append(new := Pass(members, self.module, **self._options))
            if new.key in before:
                new.take_scorer(before.pop(new.key))
        for old in before.values():
            old.close()
        self.requests, self.passes = tuple(requests), passes
        self.labels = self.module or ", ".join(request.label for request in requests)

    def needed(self, given: Collection[str] = ()) -> dict[str, list[str]]:
        """Return the required columns with the labels that need them."""
        needed: dict[str, list[str]] = {}
        for request in self.requests:
            functions = {name for name, value in request.chosen.given().items() if callable(value)}  # such as a matcher
            for name in request.chosen.needed({*given, *functions}):
                needed.setdefault(name, []).append(request.label)
        return needed

    def rows(self, columns: Columns, *, start: int = 0, whole: bool = True) -> list[list[Any]]:
        """Make a list of rows for each pass, after checking all samples."""
        return [rows for [rows] in self.rows_of_systems([columns], start=start, whole=whole)]

    def rows_of_systems(
        self, systems: Sequence[Columns], *, start: int = 0, whole: bool = False
    ) -> list[list[list[Any]]]:
        """Make rows of several systems for each pass.

        The summaries of a sample are scored one after another, so that its sources are processed once.
        """
        made = []
        for each, checked in zip(self.passes, self._samples(systems, start, whole), strict=True):
            rows = list(each.scorer.rows(checked))
            made.append([rows[place :: len(systems)] for place in range(len(systems))])
        return made

    def _samples(self, systems: Sequence[Columns], start: int, whole: bool) -> list[list[Any]]:
        """Check the samples of each pass, those of the systems in turn."""
        for columns in systems:
            check_given(self.labels, self.needed(columns), columns)
            check_columns(self.labels, **columns)
        samples = []
        for each in self.passes:
            of_systems = zip(*(each.read(columns, start) for columns in systems), strict=True)
            samples.append(list(chain.from_iterable(of_systems)))
        for each, read in zip(self.passes, samples, strict=True):
            if whole:
                each.scorer.check(read)
        return samples

    def add(self, columns: Columns, *, start: int = 0, whole: bool = False) -> None:
        """Score samples and add them; takes the arguments of `rows`."""
        for each, checked in zip(self.passes, self._samples([columns], start, whole), strict=True):
            rows = each.scorer.rows(checked)
            while together := list(islice(rows, _TOGETHER)):
                each.add(together)

    def add_rows(self, rows: Sequence[Iterable[Any]], ids: Sequence[str] | None = None) -> None:
        """Take in rows that were made elsewhere."""
        for each, made in zip(self.passes, rows, strict=True):
            each.add(made, ids)

    def add_tables(self, tables: Sequence[Table[Any]]) -> None:
        """Take in tables of rows, one for each pass."""
        for each, table in zip(self.passes, tables, strict=True):
            each.table.merge(table)

    def make_scorers(self) -> None:
        """Make the scorers now, to fail before any sample is read."""
        for each in self.passes:
            _ = each.scorer

    def take_columns(self, names: Iterable[str]) -> None:
        """Set which columns the samples of `add_rows` had, for the signatures."""
        given = set(names)
        for each in self.passes:
            each.given |= given

    def results(self) -> ScoreResults:
        """Compute the results by label, in the order of the requests."""
        results: Results = {}
        for each in self.passes:
            results |= each.results()
        return ScoreResults(self.ordered(results), run=self.provenance())

    def ordered(self, results: Results) -> Results:
        """Put label -> result into the order of the requests."""
        return {request.label: results[request.label] for request in self.requests}

    def sample_columns(self) -> SampleColumns:
        """Return the columns of a file of samples."""
        if self._columns is None:
            self._columns = SampleColumns(self._asked)
        return self._columns

    def provenance(self) -> Run:
        """Describe the provenance of the results since the last `reset`."""
        columns: dict[str, None] = {}
        for each in self.passes:
            columns |= dict.fromkeys(sorted(each.given))
        clock = self._clock
        return Run(
            self._asked,
            columns=tuple(columns),
            ids=self._ids,
            began=clock.began,
            seconds=clock.seconds(),
            data=self._data,
        )

    def score(self, columns: Columns, ids: Sequence[str] | None = None) -> ScoreResults:
        """Compute label -> result of these samples alone; records of samples have these ids."""
        self.reset()
        self.add(columns, whole=True)
        if any(each.keeps_rows for each in self.passes):
            self._data = {name: columns[name] for each in self.passes for name in columns if name in each.given}
            self._ids = ids
        results = self.results()
        self.reset()
        return results

    def check_comparable(self) -> None:
        """Refuse measures that compare groups of texts, not systems."""
        names = [request.label for request in self.requests if not family_of(request.measure).comparable]
        if names:
            raise InputError(
                f"{self.labels}: {', '.join(names)} compare groups of texts, not systems on the same samples; score "
                "each system by itself, or put both into one data set with the system as the group"
            )

    def reset(self) -> None:
        """Forget the samples; scorers stay."""
        self._clock = Clock.start()
        self._data, self._ids = {}, None
        for each in self.passes:
            each.reset()

    def close(self) -> None:
        """Release the models; they are loaded again when they are needed."""
        for each in self.passes:
            each.close()

    def __exit__(self, *_: object) -> None:
        self.close()
