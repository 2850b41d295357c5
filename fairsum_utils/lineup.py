"""The rows of several systems on the same samples: pairing, scores with replicates from the same draws, comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from fairsum_utils.errors import InputError
from fairsum_utils.family import Family, Results, Scorer, System
from fairsum_utils.family.cautions import Caution
from fairsum_utils.family.settings import USUAL_LEVEL
from fairsum_utils.state import Taken

__all__ = ["Heat", "Lineup", "RowMaker"]


class RowMaker(Protocol):
    """What a pass of a session is to its rows."""

    family: Family
    settings: Any
    given: set[str]

    @property
    def calls(self) -> Sequence[tuple[Any, Sequence[Any]]]:
        """Settings of results, and the requests that they serve."""

    @property
    def scorer(self) -> Scorer:
        """Makes the rows."""

    def caution(self, measure: str, result: dict[str, Any], n_scored: int, cautions: Iterable[Caution]) -> None:
        """Put into a result what it has against it."""


class Lineup:
    """Takes in the rows of several systems, sample by sample; keeps those samples that all of them have a score of.

    Args:
        each: makes the rows: a pass of a session.
        names: of the systems.

    Attributes:
        taken: for each system its rows of the samples that are compared.
        n_skipped: samples that are not, for some system has no score of them.
        n_skipped_by_system: samples of which each system has no score.
    """

    def __init__(self, each: RowMaker, names: Sequence[str]) -> None:
        self.each = each
        self.names = names
        self.taken = [Taken(each.family) for _ in names]
        self.n_skipped = 0
        self.n_skipped_by_system = [0] * len(names)

    def add(self, systems: Sequence[Sequence[Any]], ids: Sequence[str] | None = None) -> None:
        """Take rows in.

        Args:
            systems: for each system its rows, of the same samples in the same order.
            ids: of these; None for their indices.

        Raises:
            InputError: rows that cannot be of the same sample.
        """
        paired, kept = [], []
        for place, rows in enumerate(zip(*systems, strict=True)):
            if all(row.skipped is None for row in rows):
                self._check(rows)
                paired.append(rows)
                kept.append(place)
                continue
            self.n_skipped += 1
            for system, row in enumerate(rows):
                self.n_skipped_by_system[system] += row.skipped is not None
        names = None if ids is None else [ids[place] for place in kept]
        for taken, of_system in zip(self.taken, zip(*paired, strict=True), strict=bool(paired)):
            taken.extend(of_system, names)

    @property
    def n_samples(self) -> int:
        """Samples that are compared."""
        return len(self.taken[0])

    def _check(self, rows: Sequence[Any]) -> None:
        first = rows[0]
        if all(row.index == first.index and self.each.family.same_sample(first, row) for row in rows[1:]):
            return
        which = "both" if len(rows) == 2 else "all"
        raise InputError(
            f"{self.each.settings.module}: the rows of sample {first.index} are not of the same sources in {which} "
            "systems; pair them first"
        )

    def two(self) -> Results:
        """Label -> the comparison of the two systems that there are; see `Family.compare`.

        Raises:
            InputError: no sample has a score in both.
        """
        results: Results = {}
        for heat in self.heats():
            compared, cautions = heat.compare(0, 1), heat.cautions()
            for request in heat.requests:
                result = results[request.label] = dict(compared[request.measure])
                self.each.caution(request.measure, result, self.n_samples, cautions)
        return results

    def scores(self, place: int) -> Results:
        """Label -> result of one of the systems, as if it were scored alone on the samples that are compared.

        Args:
            place: of the system.
        """
        each = self.each
        results: Results = {}
        for settings, requests, measures in self._calls():
            sums = self.taken[place].sums(measures, settings, each.scorer)
            computed = each.family.results(sums, measures, settings, each.scorer, each.given)
            results |= {request.label: dict(computed[request.measure]) for request in requests}
        return results

    def heats(self) -> Iterator[Heat]:
        """The scores of all systems, for each way to compute results.

        Raises:
            InputError: no sample has a score in all systems.
        """
        for settings, requests, measures in self._calls():
            sums = [taken.sums(measures, settings, self.each.scorer) for taken in self.taken]
            drawn = self.each.family.draw(sums, measures, settings, self.each.scorer)
            systems = [system._replace(name=name) for system, name in zip(drawn, self.names, strict=True)]
            yield Heat(self, settings, requests, measures, systems)

    def _calls(self) -> Iterator[tuple[Any, Sequence[Any], tuple[str, ...]]]:
        """Settings of results, with a confidence level; the requests that they serve, and their measures, each once."""
        for settings, requests in self.each.calls:
            settings = settings.replace(confidence_level=settings.confidence_level or USUAL_LEVEL)
            measures = tuple(dict.fromkeys(request.measure for request in requests))
            yield settings.sized(self.n_samples + self.n_skipped), requests, measures


@dataclass(frozen=True)
class Heat:
    """Systems that were scored with the same settings.

    Attributes:
        lineup: their rows.
        settings: with a confidence level.
        requests: that the scores serve.
        measures: of these, each once.
        systems: in the order of the lineup.
    """

    lineup: Lineup
    settings: Any
    requests: Sequence[Any]
    measures: tuple[str, ...]
    systems: Sequence[System]

    def compare(self, a: int, b: int) -> Results:
        """Compare two of the systems; see `Family.compare`.

        Args:
            a: place of system A.
            b: place of system B.
        """
        each = self.lineup.each
        return each.family.compare(
            self.systems[a],
            self.systems[b],
            self.measures,
            self.settings,
            each.scorer,
            each.given,
            self.lineup.n_skipped,
        )

    def cautions(self) -> list[Caution]:
        """What the rows have against the scores: what they have in all systems, then what in some, with their names."""
        by_system = [self.lineup.each.family.cautions(system.sums, self.settings) for system in self.systems]
        common = [caution for caution in by_system[0] if all(caution in others for others in by_system[1:])]
        names: dict[Caution, list[str]] = {}
        for name, of_system in zip(self.lineup.names, by_system, strict=True):
            for caution in of_system:
                if caution not in common:
                    names.setdefault(caution, []).append(name)
        return common + [
            replace(caution, message=f"{', '.join(of_some)}: {caution.message}") for caution, of_some in names.items()
        ]
