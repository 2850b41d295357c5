"""Several systems on the same samples, by rows or states: scores with replicates from the same draws, comparison."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from fairsum_utils.errors import InputError
from fairsum_utils.families import Family, Results, Scorer, System
from fairsum_utils.families.cautions import Caution
from fairsum_utils.families.chance import ChanceLevel
from fairsum_utils.families.settings import USUAL_LEVEL
from fairsum_utils.session.state import State, Taken
from fairsum_utils.stats.sums import AnySums

__all__ = ["Heat", "Lineup", "Matched", "RowMaker", "StateLineup", "asked_measures"]


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

    def caution(
        self, measure: str, result: dict[str, Any], n_scored: int, settings: Any, cautions: Iterable[Caution]
    ) -> None:
        """Put into a result what it has against it."""


def asked_measures(requests: Iterable[Any]) -> tuple[str, ...]:
    """The measures that requests ask for, each once."""
    return tuple(dict.fromkeys(request.measure for request in requests))


class Matched(ABC):
    """Systems that have scores of the same samples.

    Args:
        each: makes the rows: a pass of a session.
        names: of the systems.

    Attributes:
        n_skipped: samples that are not compared, for some system has no score of them.
        n_skipped_by_system: samples of which each system has no score.
    """

    def __init__(self, each: RowMaker, names: Sequence[str]) -> None:
        self.each = each
        self.names = names
        self.n_skipped = 0
        self.n_skipped_by_system = [0] * len(names)

    @property
    @abstractmethod
    def n_samples(self) -> int:
        """Samples that are compared."""

    @abstractmethod
    def _sums(self, place: int, call: int, settings: Any, measures: Sequence[str]) -> AnySums:
        """Of the system at a place what a call of the pass needs."""

    def _sized(self, settings: Any) -> Any:
        """The settings of a call for as many samples as there are."""
        return settings.sized(self.n_samples + self.n_skipped)

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
                self.each.caution(request.measure, result, self.n_samples, heat.settings, cautions)
        return results

    def scores(self, place: int) -> Results:
        """Label -> result of one of the systems, as if it were scored alone on the samples that are compared.

        Args:
            place: of the system.
        """
        each = self.each
        results: Results = {}
        for call, (settings, requests, measures) in enumerate(self._calls()):
            sums = self._sums(place, call, settings, measures)
            computed = each.family.results(sums, measures, settings, each.scorer, each.given)
            results |= {request.label: dict(computed[request.measure]) for request in requests}
        return results

    def heats(self) -> Iterator[Heat]:
        """The scores of all systems, for each way to compute results.

        Raises:
            InputError: no sample has a score in all systems.
        """
        for call, (settings, requests, measures) in enumerate(self._calls()):
            sums = [self._sums(place, call, settings, measures) for place in range(len(self.names))]
            drawn = self.each.family.draw(sums, measures, settings, self.each.scorer)
            systems = [system._replace(name=name) for system, name in zip(drawn, self.names, strict=True)]
            yield Heat(self, settings, requests, measures, systems)

    def _calls(self) -> Iterator[tuple[Any, Sequence[Any], tuple[str, ...]]]:
        """Settings of results, with a confidence level; the requests that they serve, and their measures, each once."""
        for settings, requests in self.each.calls:
            settings = settings.replace(confidence_level=settings.confidence_level or USUAL_LEVEL)
            yield self._sized(settings), requests, asked_measures(requests)


class Lineup(Matched):
    """Takes in the rows of several systems, sample by sample; keeps those samples that all of them have a score of.

    Args:
        each: makes the rows: a pass of a session.
        names: of the systems.

    Attributes:
        taken: for each system its rows of the samples that are compared.
    """

    def __init__(self, each: RowMaker, names: Sequence[str]) -> None:
        super().__init__(each, names)
        self.taken = [Taken(each.family) for _ in names]

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
            self._check(rows)
            if all(row.skipped is None for row in rows):
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
        if len({(row.index, row.content) for row in rows}) == 1:
            return
        raise InputError(
            f"{self.each.settings.module}: the systems have different sources or values in sample {rows[0].index}; "
            "compare summaries of the same samples, in the same order"
        )

    def _sums(self, place: int, call: int, settings: Any, measures: Sequence[str]) -> AnySums:
        return self.taken[place].sums(measures, settings, self.each.scorer)


class StateLineup(Matched):
    """The states of several systems, which have scores of the same samples: the bootstrap draws their buckets.

    Args:
        each: a pass of a session.
        names: of the systems.
        states: of each, made by the session's requests.
        place: of the pass among those of the session.

    Raises:
        InputError: a system has scores of other samples than the first.
    """

    def __init__(self, each: RowMaker, names: Sequence[str], states: Sequence[State], place: int) -> None:
        super().__init__(each, names)
        self.systems = [state.passes[place] for state in states]
        sizes = [sums[0].n_samples for sums in self.systems]
        if len({state.digest[place] for state in states}) > 1:
            *others, last = map(str, sizes)
            raise InputError(
                f"{each.settings.module}: {', '.join(others)} and {last} samples have a score in the states of "
                f"{' and '.join(names)}, and these are not the same; leave out of all what one of them skips, and give "
                "a sample the same id, sources and values in all"
            )
        self.n_skipped_by_system = [sums[0].skipped.total() for sums in self.systems]
        self.n_skipped = max(self.n_skipped_by_system)
        for state in states:
            each.given |= state.given[place]

    @property
    def n_samples(self) -> int:
        """Samples that are compared."""
        return self.systems[0][0].n_samples

    def _sized(self, settings: Any) -> Any:
        return settings.replace(bootstrap="buckets")

    def _sums(self, place: int, call: int, settings: Any, measures: Sequence[str]) -> AnySums:
        return self.systems[place][call]


@dataclass(frozen=True)
class Heat:
    """Systems that were scored with the same settings.

    Attributes:
        lineup: what they are matched in.
        settings: with a confidence level.
        requests: that the scores serve.
        measures: of these, each once.
        systems: in the order of the lineup.
    """

    lineup: Matched
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

    def at_random(self, measure: str) -> list[ChanceLevel | None]:
        """The chance level of each system; None if none was asked for."""
        each = self.lineup.each
        levels = (each.family.at_random(system.sums, (measure,), self.settings, each.given) for system in self.systems)
        return [of_system.get(measure) for of_system in levels]

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
