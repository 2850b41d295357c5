"""A pass: requests that share rows, and their scored samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

from fairsum_utils.cleaning.samples import REASONING
from fairsum_utils.families import Results, Scorer, family_of
from fairsum_utils.families.arrow import Record
from fairsum_utils.families.asked import completed
from fairsum_utils.families.effective import with_setting
from fairsum_utils.families.notes import count_rows, reading_warnings, withheld, withhold
from fairsum_utils.families.table import Table
from fairsum_utils.families.warnings import WarningRecord, common_warnings, missing_intervals, note_warnings
from fairsum_utils.measures import Measure
from fairsum_utils.measures._agreed import agree, agreed
from fairsum_utils.results.record import describe_settings, plain
from fairsum_utils.settings import Stage, frozen
from fairsum_utils.stats.sums import BucketSums, Sums

_TOGETHER = 1 << 15
"""Rows of a large data set that are summed together, to limit memory."""

Columns = Mapping[str, Any]
"""Column -> its entries, one per sample."""


@dataclass(frozen=True)
class Request:
    """A measure to score.

    Attributes:
        chosen: the measure with its settings.
        label: name of its result.
        given: settings that the caller gave, for the record; None for all of the measure's.
    """

    chosen: Measure
    label: str = ""
    given: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.chosen.name)

    @property
    def measure(self) -> str:
        """Name of the measure."""
        return self.chosen.name

    def described(self) -> dict[str, Any]:
        """Return measure and settings for a record."""
        used = self.chosen.given()
        return describe_settings(self.measure, used if self.given is None else self.given, used)


def make_requests(
    module: str, asked: Mapping[str, Measure], usual: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[Request, ...]:
    """Request measures with the settings of a call; records have the given ones."""
    return tuple(
        Request(measure, label, asked[label].given() | {name: given[name] for name in given if name in measure.infos()})
        for label, measure in completed(module, asked, usual, given).items()
    )


class Call(NamedTuple):
    """Requests of a pass that are computed together."""

    settings: Any
    requests: Sequence[Request]
    measures: tuple[str, ...]


def grouped(requests: Iterable[Request], stage: Stage) -> list[list[Request]]:
    """Group requests that agree in all shared settings of a stage."""
    groups: list[list[Request]] = []
    for request in requests:
        for members in groups:
            reads_alike = stage == "results" or members[0].chosen.reads == request.chosen.reads
            if reads_alike and all(agree(each.chosen, request.chosen, stage) for each in members):
                members.append(request)
                break
        else:
            groups.append([request])
    return groups


def _measures_of(requests: Iterable[Request]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(attrgetter("measure"), requests)))


def _common(requests: Iterable[Request]) -> Any:
    """Return what the measures of requests have in common."""
    return agreed(list({request.measure: request.chosen for request in requests}.values()))


def _of_stage(settings: Any, stage: Stage) -> Any:
    """Return the settings of a stage in a comparable form."""
    infos = settings.infos().values()
    return frozen({info.name: getattr(settings, info.name) for info in infos if info.stage == stage})


class Pass:
    """A way to make rows, with its requests and scored samples.

    Attributes:
        calls: requests that are computed from the rows.
        usable: columns that the measures can use, by name.
        given: columns that the samples had.
        table: rows of the samples.
        rows: the same with evidence, if records are needed.
    """

    def __init__(
        self,
        requests: Sequence[Request],
        module: str | None,
        *,
        distributed: bool = False,
        evidence: bool = False,
    ) -> None:
        self.family = family_of(requests[0].measure)
        self.measures = _measures_of(requests)
        self.usable = {column.name: column for name in self.measures for column in self.family.columns_of(name)}
        module = module or ", ".join(request.label for request in requests)
        self.settings = _common(requests).replace(module=module, **({"distributed": True} if distributed else {}))
        self.reads = requests[0].chosen.reads
        self.key = (self.measures, module, distributed, _of_stage(self.settings, "rows"), self.reads)
        self.calls = [
            Call(_common(members).replace(module=module).seeded(), members, _measures_of(members))
            for members in grouped(requests, "results")
        ]
        self.keeps_rows = any(call.settings.return_samples for call in self.calls)
        self.evidence = evidence or self.keeps_rows
        self._scorer: Scorer | None = None
        self.reset()

    @property
    def scorer(self) -> Scorer:
        """Scorer of the rows, created on first use."""
        if self._scorer is None:
            self._scorer = self.family.scorer(self.measures, self.settings)
            self._scorer.reads = self.reads
        self._scorer.evidence = self.evidence
        return self._scorer

    def take_scorer(self, other: Pass) -> None:
        """Use the scorer of another pass with the same settings."""
        self._scorer = other._scorer

    def read(self, columns: Columns, start: int = 0) -> Iterator[Any]:
        """Check samples, without columns that the measures cannot use."""
        given = {name: entries for name, entries in columns.items() if name in self.usable}
        self.given |= {name for name, entries in given.items() if self._has(name, entries)}
        return self.scorer.read(given, start=start)

    def _has(self, name: str, entries: Iterable[Any]) -> bool:
        """Return whether samples have a column; files may lack those that may be None."""
        return not self.usable[name].sparse or any(entry is not None for entry in entries)

    def reset(self) -> None:
        """Forget all samples."""
        self.table = self.family.table()
        self.rows: list[Any] = []
        self.given: set[str] = set()

    def add(self, rows: Iterable[Any], ids: Iterable[str] | None = None) -> None:
        """Add rows of samples with these ids, or their indices."""
        made = list(rows)
        self.table.extend(made, ids)
        if self.keeps_rows:
            self.rows += made

    def sums(self, table: Table[Any], measures: Sequence[str], settings: Any) -> Sums:
        """Sum the columns of rows that measures need, for their bootstrap."""
        in_buckets, whole = settings.bootstrap is not None, BucketSums()
        in_parts = in_buckets and self.family.by_sample
        for part in table.blocks(_TOGETHER) if in_parts else [table]:
            sums = self.family.sums(part, measures, settings, self.scorer)
            sums.counts.update(count_rows(part))
            if not in_buckets:
                return sums
            whole.add(sums, part.digests())
        return whole

    def results(self) -> Results:
        """Compute results by label."""
        results: Results = {}
        for settings, requests, measures in self.calls:
            settings = settings.sized(self.table.n_rows)
            sums = self.sums(self.table, measures, settings)
            computed = self.family.results(sums, measures, settings, self.scorer, self.given)
            n_rows = sums.n_samples + sums.skipped.total()
            warnings, reason = self.warnings_of(sums, settings, n_rows), withheld(sums, n_rows)
            for request in requests:
                result = results[request.label] = self.with_changed(request.chosen, computed[request.measure], [sums])
                if reason:
                    withhold(result, request.measure, reason)
                self.add_warnings(request.measure, result, result["n_samples"], settings, warnings)
                if reasons := missing_intervals(request.measure, result, self.family.unit):
                    result["reasons"] = reasons
                if settings.return_samples:
                    result["samples"] = self.family.records(self.rows, (request.measure,), settings)
        return results

    def records(self, rows: Sequence[Any]) -> dict[str, list[Record]]:
        """Make label -> records of samples; measures that are computed together share theirs."""
        found: dict[str, list[Record]] = {}
        for settings, requests, measures in self.calls:
            found |= dict.fromkeys(
                (request.label for request in requests), self.family.records(rows, measures, settings)
            )
        return found

    def warnings_of(self, sums: Sums, settings: Any, n_rows: int) -> list[WarningRecord]:
        """List the warnings about a system with so many samples, scored or not."""
        return [
            *self.family.warnings_of(sums, settings),
            *note_warnings(sums),
            *reading_warnings(sums, n_rows, leaves_out=self.scorer.leaves_out),
        ]

    def with_changed(self, chosen: Measure, result: Mapping[str, Any], systems: Iterable[Sums]) -> dict[str, Any]:
        """Add changed settings to the signature, and `reasoning` if it removed something."""
        found = dict(result)
        for info in chosen.infos().values():
            if info.changed_key is not None and frozen(getattr(chosen, info.name)) != frozen(info.default):
                found = with_setting(found, info.name, plain(getattr(chosen, info.name)), info.changed_key)
        if self.settings.reasoning == "keep" or any(sums.counts["note", REASONING] for sums in systems):
            return with_setting(found, "reasoning", self.settings.reasoning)
        return found

    def add_warnings(
        self, measure: str, result: dict[str, Any], n_scored: int, settings: Any, warnings: Iterable[WarningRecord]
    ) -> None:
        """Put the warnings about a result or a comparison into it."""
        common = common_warnings(measure, result, n_scored, settings.n_resamples, self.family.unit)
        found = [*warnings, *common]
        result["warnings"] = [warning.entry() for warning in found if warning.measure in (None, measure)]

    def close(self) -> None:
        """Release the models of the scorer."""
        if self._scorer is not None:
            self._scorer.close()
