"""Comparison of systems on the same samples: scores, differences, ranks.

A difference is a system minus the baseline. `differs` decides whether it is significant. Holm's method corrects the
p-values of one measure: for the listed differences as one family of tests, and for the ranks over all pairs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, TypeAlias

from fairsum_utils.errors import InputError
from fairsum_utils.families import Results, family_of
from fairsum_utils.families.chance import ChanceLevel
from fairsum_utils.families.table import Table
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures import get_measure
from fairsum_utils.results import Comparison
from fairsum_utils.session.paired import PairedRows, PairedScores
from fairsum_utils.session.passes import Columns
from fairsum_utils.session.quality import Quality, fairer_but_less
from fairsum_utils.session.session import Session
from fairsum_utils.stats.arrays import rank_groups
from fairsum_utils.stats.intervals import differs
from fairsum_utils.stats.tests import holm

Pairs: TypeAlias = Mapping[tuple[str, str], Mapping[str, Any]]
"""Baseline and system -> their comparison by a measure, see `Family.compare`."""


def check_baseline(module: str, names: Sequence[str], baseline: str | None) -> str:
    """Return the baseline's name; the first system for None.

    Example:
        >>> check_baseline("compare", ["gpt4", "lead"], None)
        'gpt4'
    """
    if len(names) < 2:
        raise InputError(f"{module}: needs at least two systems, found {', '.join(names) or 'none'}")
    if baseline is not None and baseline not in names:
        raise InputError(f"{module}: no system is called {baseline!r}; the systems are {', '.join(names)}")
    return names[0] if baseline is None else baseline


class ComparedSystems:
    """Takes in systems sample by sample, and compares them.

    Example:
        >>> from fairsum_utils.session import Request
        >>> columns = {"sources": [["Tasty soup.", "Awful soup."]] * 20, "values": [["pos", "neg"]] * 20}
        >>> texts = {"a": "Tasty.", "b": "Tasty, awful.", "c": "Soup!"}
        >>> from fairsum_utils.measures.uer import UER
        >>> with Session([Request(UER())]) as session:
        ...     compared = ComparedSystems(session, list(texts))
        ...     compared.score([{"predictions": [text] * 20, **columns} for text in texts.values()])
        ...     found = compared.comparison()["uer"]
        >>> [(name, system["score"], system["rank"]) for name, system in found["systems"].items()]
        [('a', 0.25, 2), ('b', 0.0, 1), ('c', 0.0, 1)]
        >>> [(pair["system"], pair["baseline"], pair["difference"]) for pair in found["differences"]]
        [('b', 'a', -0.25), ('c', 'a', -0.25)]
    """

    def __init__(self, session: Session, names: Sequence[str]) -> None:
        session.check_comparable()
        self.session = session
        self.names = list(names)
        self.paired = [PairedRows(each, self.names) for each in session.passes]
        self.qualities = [Quality() for _ in self.names]

    def score(self, systems: Sequence[Columns], qualities: Sequence[Mapping[str, Iterable[Any]]] = ()) -> None:
        """Score samples of all systems and take them in."""
        rows = self.session.rows_of_systems(systems)
        tables = [list(map(each.family.table, made)) for each, made in zip(self.session.passes, rows, strict=True)]
        others = qualities or [{}] * len(systems)
        module = self.session.labels
        self.add(tables, [Quality().add(*columns, module=module) for columns in zip(systems, others, strict=True)])

    def add(
        self, tables: Sequence[Sequence[Table[Any]]], qualities: Sequence[Quality], ids: Sequence[str] = ()
    ) -> None:
        """Take in the rows of the same samples, by pass and system."""
        vars(self).pop("scores", None)
        for paired, systems in zip(self.paired, tables, strict=True):
            paired.add(systems, ids)
        for mine, theirs in zip(self.qualities, qualities, strict=True):
            mine.merge(theirs)

    @cached_property
    def scores(self) -> list[PairedScores]:
        """Scores of all samples that were taken in, for each way to compute them."""
        return [scores for paired in self.paired for scores in paired.scores()]

    def comparison(self, *, baseline: str | None = None, pairs: bool = False) -> Comparison:
        """Compare all systems on all samples that were taken in, see `fairsum_utils.compare`."""
        baseline = check_baseline(self.session.labels, self.names, baseline)
        systems = {name: quality.summary() for name, quality in zip(self.names, self.qualities, strict=True)}
        results: Results = {}
        for scores in self.scores:
            for system in scores.systems:
                systems[system.name] |= scores.paired.scored_by.family.quality(system.sums)
            results |= _compared(scores, baseline, pairs)
        results = self.session.ordered(results)
        measures = {request.label: request.measure for request in self.session.requests}
        warnings = [*self._too_few_replicates(), *fairer_but_less(results, measures, systems)]
        return Comparison(
            results,
            baseline=None if pairs else baseline,
            systems=systems,
            warnings=[warning.entry() for warning in warnings],
            run=self.session.provenance(),
        )

    def results(self) -> dict[str, Results]:
        """Compute each system's results on the compared samples, by label."""
        found: dict[str, Results] = {}
        for place, name in enumerate(self.names):
            results = {label: result for scores in self.scores for label, result in scores.results(place).items()}
            found[name] = self.session.ordered(results)
        return found

    def _too_few_replicates(self) -> list[WarningRecord]:
        """Warn if no corrected difference can be significant."""
        n_pairs = math.comb(len(self.names), 2)
        warnings = []
        for scores in self.scores:
            alpha, n = scores.alpha, scores.call.settings.n_resamples
            if n_pairs >= alpha * (n + 1):
                several = "1 pair is" if n_pairs == 1 else f"{n_pairs} pairs are"
                message = (
                    f"{several} too many for {n} bootstrap replicates: no corrected p-value can fall below "
                    f"{alpha:g}, and all systems share a rank; use n_resamples of at least "
                    f"{math.floor(n_pairs / alpha + 1e-9)}"
                )
                warnings.append(WarningRecord("few_replicates", n_pairs, n_pairs / (n + 1), message))
        return list(dict.fromkeys(warnings))


def compare(session: Session, systems: Mapping[str, Columns], *, baseline: str | None = None) -> Comparison:
    """Compare systems with these columns, which have the samples in the same order."""
    compared = ComparedSystems(session, list(systems))
    compared.score(list(systems.values()))
    return compared.comparison(baseline=baseline)


_OF_ALL_PAIRS = ("n_samples", "n_articles", "settings", "signature")
"""Entries that are the same in the comparison of each pair."""


def _compared(scores: PairedScores, baseline: str, pairs: bool) -> Results:
    """Compare systems scored together: each with the baseline, or all pairs."""
    ordered = [(a, b) if b != baseline else (b, a) for a, b in combinations(scores.paired.names, 2)]
    compared = {pair: scores.compare(*pair) for pair in ordered}
    figures = scores.figures()
    results: Results = {}
    for request in scores.call.requests:
        found = {pair: of_pair[request.measure] for pair, of_pair in compared.items()}
        listed = {pair: result for pair, result in found.items() if pairs or baseline in pair}
        corrected = holm([result["p_value"] for result in listed.values()])
        first, levels = next(iter(found.values())), scores.at_random(request.measure)
        without_chance = next((level.reason for level in levels if level and level.reason), "")
        result = {
            "systems": _ranked(scores, request.measure, found, levels),
            "differences": [_difference(*each, p) for each, p in zip(listed.items(), corrected, strict=True)],
            "n_tests": sum(not math.isnan(p) for p in corrected),
            "alpha": scores.alpha,
            "n_skipped": scores.paired.n_skipped,
            **{key: first[key] for key in _OF_ALL_PAIRS if key in first},
            **({"at_random_undefined": without_chance} if without_chance else {}),
            **figures.get(request.label, {}),
        }
        results[request.label] = scores.with_warnings(request, result)
    return results


def _ranked(
    scores: PairedScores, measure: str, compared: Pairs, levels: Sequence[ChanceLevel | None]
) -> dict[str, dict[str, Any]]:
    """Return each system's score, interval and rank."""
    unit = family_of(measure).unit
    corrected = holm([result["p_value"] for result in compared.values()])
    apart = {
        frozenset(pair): differs(unit.number(result), p_value, result["difference_ci"], scores.alpha)
        for (pair, result), p_value in zip(compared.items(), corrected, strict=True)
    }
    unfairness = get_measure(measure).unfairness
    ranks = rank_groups(
        {system.name: unfairness(system.drawn[measure].score) for system in scores.systems},
        lambda one, other: apart[frozenset((one, other))],
    )
    ranked: dict[str, dict[str, Any]] = {}
    skipped = scores.paired.n_skipped_by_system
    for system, n_skipped, at_random in zip(scores.systems, skipped, levels, strict=True):
        drawn = system.drawn[measure]
        interval = drawn.interval(scores.call.settings.confidence_level)
        result = ranked[system.name] = {"score": drawn.score, "ci": list(interval), "ci_lost": drawn.lost}
        if at_random is not None:
            result["at_random"] = at_random.score
            if not at_random.reason:
                result["at_random_error"] = at_random.error
        result |= {"rank": ranks[system.name], "n_skipped": n_skipped}
    return ranked


_OF_A_PAIR = ("difference", "difference_ci", "p_value", "lost", "undefined")
"""Entries of the comparison of a pair."""


def _difference(pair: tuple[str, str], result: Mapping[str, Any], corrected: float) -> dict[str, Any]:
    """Return the difference of a system from a baseline."""
    baseline, system = pair
    figures = {key: result[key] for key in _OF_A_PAIR if key in result}
    return {"system": system, "baseline": baseline, **figures, "p_value_corrected": corrected}
