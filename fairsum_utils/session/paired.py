"""Scores of several systems on the same samples, with shared bootstrap draws."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import filterfalse
from typing import Any

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families import Results, System
from fairsum_utils.families.chance import ChanceLevel
from fairsum_utils.families.notes import left_out_key, withheld, withhold
from fairsum_utils.families.reading import FOREIGN
from fairsum_utils.families.table import Table
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures import get_measure
from fairsum_utils.session.passes import Call, Pass, Request
from fairsum_utils.settings import USUAL_LEVEL
from fairsum_utils.stats.sums import Key, Sums


class PairedRows:
    """Rows of several systems for the samples that all of them scored.

    Attributes:
        systems: the compared samples of each system.
        n_skipped: samples that are not compared, because some system has no score for them.
        n_skipped_by_system: samples for which each system has no score.
    """

    def __init__(self, scored_by: Pass, names: Sequence[str]) -> None:
        self.scored_by = scored_by
        self.names = names
        self.systems = [scored_by.family.table() for _ in names]
        self.n_skipped = 0
        self.n_skipped_by_system = [0] * len(names)
        self._left_out: list[Counter[Key]] = [Counter() for _ in names]

    def add(self, systems: Sequence[Table[Any]], ids: Sequence[str] = ()) -> None:
        """Add the rows of each system for the same samples."""
        first = systems[0]
        for key in ("index", "content"):
            for name, table in zip(self.names, systems, strict=True):
                differ = np.flatnonzero(first.numbers(key) != table.numbers(key))
                if len(differ):
                    sample = f"id {ids[differ[0]]!r}" if ids else f"sample {first.numbers('index')[differ[0]]}"
                    raise InputError(
                        f"{self.scored_by.settings.module}: the sources or values of {sample} differ between "
                        f"{self.names[0]} and {name}; compare summaries of the same samples, in the same order"
                    )
        are_scored = np.logical_and.reduce([table.is_scored for table in systems])
        self.n_skipped += int((~are_scored).sum())
        for system, table in enumerate(systems):
            self.systems[system].merge(table.only(are_scored))
            self.n_skipped_by_system[system] += table.n_rows - len(table)
            for reason, language in zip(table.items("skipped"), table.items("language"), strict=True):
                if reason == FOREIGN:
                    self._left_out[system][left_out_key(language)] += 1

    @property
    def n_samples(self) -> int:
        """Number of compared samples."""
        return len(self.systems[0])

    @property
    def n_rows(self) -> int:
        """Number of samples, compared or not."""
        return self.n_samples + self.n_skipped

    def scores(self) -> Iterator[PairedScores]:
        """Score all systems, once for each call of the pass."""
        each = self.scored_by
        if not self.n_samples:
            raise InputError(
                f"{each.settings.module}: no sample has a score of all of {', '.join(self.names)}, so there is nothing "
                "to compare"
            )
        for call in each.calls:
            level = call.settings.confidence_level or USUAL_LEVEL
            settings = call.settings.replace(confidence_level=level).sized(self.n_rows)
            sums = [self._sums(system, settings, call.measures) for system in range(len(self.names))]
            drawn = each.family.draw(sums, call.measures, settings)
            systems = [
                self._with_reason(system._replace(name=name)) for system, name in zip(drawn, self.names, strict=True)
            ]
            yield PairedScores(self, call._replace(settings=settings), systems)

    def _sums(self, system: int, settings: Any, measures: Sequence[str]) -> Sums:
        sums = self.scored_by.sums(self.systems[system], measures, settings)
        sums.counts.update(self._left_out[system])
        return sums

    def _with_reason(self, system: System) -> System:
        """Withhold the scores of a system that are of too few samples."""
        if not (reason := withheld(system.sums, self.n_rows)):
            return system
        drawn = {name: estimate._replace(score=math.nan) for name, estimate in system.drawn.items()}
        return system._replace(drawn=drawn, withheld=f"{system.name}: {reason}")


@dataclass(frozen=True)
class PairedScores:
    """Scores of several systems with the same settings.

    Attributes:
        paired: the systems.
        call: measures and settings, with a confidence level.
        systems: the scores and replicates of each system.
    """

    paired: PairedRows
    call: Call
    systems: Sequence[System]

    @property
    def alpha(self) -> float:
        """Level of significance for that of the intervals: 0.05 for 0.95."""
        return float(round(1 - self.call.settings.confidence_level, 12))

    def compare(self, baseline: str, system: str) -> Results:
        """Compare a system with a baseline: measure -> comparison, see `Family.compare`."""
        each, by_name = self.paired.scored_by, {found.name: found for found in self.systems}
        pair = by_name[baseline], by_name[system]
        results = each.family.compare(*pair, each.scorer, each.given)
        for reason in filter(None, (found.withheld for found in pair)):
            for name, result in results.items():
                withhold(result, name, reason)
        return results

    def results(self, place: int) -> Results:
        """Compute the results of the system at a position, by label."""
        computed = self._computed(self.systems[place], self.call.settings)
        reason = withheld(self.systems[place].sums, self.paired.n_rows)
        results: Results = {}
        for request in self.call.requests:
            result = results[request.label] = dict(computed[request.measure])
            if reason:
                withhold(result, request.measure, reason)
        return results

    def figures(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the figures by group of each label and system."""
        settings = self.call.settings.replace(confidence_level=None)
        found: dict[str, dict[str, dict[str, Any]]] = {}
        for system in self.systems:
            with warnings.catch_warnings(action="ignore"):  # warnings about single scores
                computed = self._computed(system, settings)
            for request in self.call.requests:
                result = computed[request.measure]
                key = get_measure(request.measure).figures[0].columns[0][1]
                if key in result:
                    kind = key[key.rindex("by_") :]
                    found.setdefault(request.label, {}).setdefault(kind, {})[system.name] = result[key]
        return found

    def _computed(self, system: System, settings: Any) -> Results:
        each = self.paired.scored_by
        return each.family.results(system.sums, self.call.measures, settings, each.scorer, each.given)

    def at_random(self, measure: str) -> list[ChanceLevel | None]:
        """Compute the chance level of each system; None if none was requested."""
        given = self.paired.scored_by.given
        return [system.scores[measure].at_random(given) for system in self.systems]

    def with_warnings(self, request: Request, result: Mapping[str, Any]) -> dict[str, Any]:
        """Add changed settings and warnings to the comparison of a measure."""
        each, lost = self.paired.scored_by, [pair["lost"] for pair in result["differences"]]
        changed = each.with_changed(request.chosen, result, [system.sums for system in self.systems])
        with_lost = changed | {"lost": max(filterfalse(math.isnan, lost), default=math.nan)}
        each.add_warnings(request.measure, with_lost, self.paired.n_samples, self.call.settings, self.warnings())
        return changed | {"warnings": with_lost["warnings"]}

    def warnings(self) -> list[WarningRecord]:
        """Collect common warnings, then those of some systems with their names."""
        each, n_rows = self.paired.scored_by, self.paired.n_rows
        by_system = [each.warnings_of(system.sums, self.call.settings, n_rows) for system in self.systems]
        common = [warning for warning in by_system[0] if all(warning in others for others in by_system[1:])]
        names: dict[WarningRecord, list[str]] = {}
        for name, of_system in zip(self.paired.names, by_system, strict=True):
            for warning in of_system:
                if warning not in common:
                    names.setdefault(warning, []).append(name)
        return common + [
            replace(warning, message=f"{', '.join(of_some)}: {warning.message}") for warning, of_some in names.items()
        ]
