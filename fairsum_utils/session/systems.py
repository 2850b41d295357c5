"""Many systems on the same samples: scores, differences, ranks, qualities.

A difference is the second system minus the first, and the baseline is the first of its pairs. `differs` decides whether
it is significant. Holm's method corrects the p-values of one measure: for the listed differences as one family of
tests, and for the ranks over all pairs.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Self

from fairsum_utils.cleaning import without_reasoning
from fairsum_utils.errors import InputError
from fairsum_utils.families import Results, family_of
from fairsum_utils.families.table import Table
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures import get_measure
from fairsum_utils.session.paired import PairedRows, PairedScores
from fairsum_utils.session.passes import Columns
from fairsum_utils.session.session import Session
from fairsum_utils.settings import USUAL_LEVEL
from fairsum_utils.stats.arrays import exact_mean, rank_groups
from fairsum_utils.stats.intervals import differs
from fairsum_utils.stats.tests import holm
from fairsum_utils.validation import as_float, count, describe

SHORTER = 2 / 3
"""Summaries with less than this share of another system's words are much shorter."""
WORSE = 0.05
"""A share is much worse if it is lower by more than this, or higher for empty summaries."""


@dataclass
class Quality:
    """Lengths of a system's summaries without reasoning, and other columns of numbers.

    Attributes:
        n_samples: number of summaries.
        n_empty: summaries without a word.
        n_words: words in all summaries, between white space.
        n_characters: characters in all summaries.
        has_texts: True if there are texts; a given coverage needs none.
        columns: name of a column of numbers -> its numbers.
    """

    n_samples: int = 0
    n_empty: int = 0
    n_words: int = 0
    n_characters: int = 0
    has_texts: bool = True
    columns: dict[str, array[float]] = field(default_factory=dict)

    def add(self, columns: Columns, others: Mapping[str, Iterable[Any]], *, module: str, start: int = 0) -> Self:
        """Add checked samples from the index `start` on, and columns of numbers."""
        self.n_samples += len(next(iter(columns.values())))
        self.has_texts &= "predictions" in columns
        for prediction in columns.get("predictions", ()):
            text = without_reasoning(prediction).text
            n_words = len(text.split())
            self.n_words += n_words
            self.n_characters += len(text)
            self.n_empty += not n_words
        for name, entries in others.items():
            numbers = self.columns.setdefault(name, array("d"))
            for index, entry in enumerate(entries, start):
                number = _number(entry)
                if not math.isfinite(number):
                    raise InputError(
                        f"{module}: sample {index}: the quality column {name!r} must hold numbers, found "
                        f"{describe(entry)}; name another, or leave it out"
                    )
                numbers.append(number)
        return self

    def merge(self, other: Quality) -> None:
        """Add the samples of another."""
        for name in ("n_samples", "n_empty", "n_words", "n_characters"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.has_texts &= other.has_texts
        for name, numbers in other.columns.items():
            self.columns.setdefault(name, array("d")).extend(numbers)

    def summary(self) -> dict[str, Any]:
        """Return its means and shares over all samples."""
        n = self.n_samples
        found: dict[str, Any] = {"n_samples": n}
        if self.has_texts:
            found["mean_words"] = self.n_words / n
            found["mean_characters"] = self.n_characters / n
            found["share_empty"] = self.n_empty / n
        return {**found, "columns": {name: exact_mean(numbers) for name, numbers in self.columns.items()}}


def _number(entry: object) -> float:
    """Read a number, also from text; NaN for anything else."""
    try:
        return float(entry) if isinstance(entry, str) else as_float(entry)
    except ValueError:
        return math.nan


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


def check_qualities(
    module: str, quality: Mapping[str, Mapping[str, Sequence[float]]], systems: Sequence[str], n: int
) -> list[dict[str, Sequence[float]]]:
    """Regroup numbers by column and system into columns per system."""
    for name, by_system in quality.items():
        for system in systems:
            if system not in by_system:
                raise InputError(f"{module}: the quality {name!r} lacks system {system!r}; give it for every system")
            if len(by_system[system]) != n:
                found = count(len(by_system[system]), "number")
                raise InputError(
                    f"{module}: the quality {name!r} of system {system!r} has {found} for "
                    f"{count(n, 'sample')}; give one a sample"
                )
    return [{name: by_system[system] for name, by_system in quality.items()} for system in systems]


class ComparedSystems:
    """Takes in systems sample by sample, and compares them.

    Example:
        >>> from fairsum_utils.session import Request
        >>> columns = {"sources": [["Tasty soup.", "Awful soup."]] * 20, "values": [["pos", "neg"]] * 20}
        >>> texts = {"a": "Tasty.", "b": "Tasty, awful.", "c": "Soup!"}
        >>> from fairsum_utils.measures.uer import UER
        >>> with Session([Request(UER())]) as session:
        ...     comparison = ComparedSystems(session, list(texts))
        ...     comparison.score([{"predictions": [text] * 20, **columns} for text in texts.values()])
        ...     found = comparison.document()["metrics"]["uer"]
        >>> [(name, system["score"], system["rank"]) for name, system in found["systems"].items()]
        [('a', 0.25, 2), ('b', 0.0, 1), ('c', 0.0, 1)]
        >>> [(pair["a"], pair["b"], pair["difference"]) for pair in found["differences"]]
        [('a', 'b', -0.25), ('a', 'c', -0.25)]
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

    def add(self, tables: Sequence[Sequence[Table[Any]]], qualities: Sequence[Quality]) -> None:
        """Take in the rows of the same samples, by pass and system."""
        for paired, systems in zip(self.paired, tables, strict=True):
            paired.add(systems)
        for mine, theirs in zip(self.qualities, qualities, strict=True):
            mine.merge(theirs)

    def document(self, *, baseline: str | None = None, pairs: bool = False) -> dict[str, Any]:
        """Compare all systems on all samples that were taken in, see `fairsum_utils.compare_systems`."""
        baseline = check_baseline(self.session.labels, self.names, baseline)
        systems = {name: quality.summary() for name, quality in zip(self.names, self.qualities, strict=True)}
        results: Results = {}
        for paired in self.paired:
            for scores in paired.scores():
                for system in scores.systems:
                    systems[system.name] = {**systems[system.name], **paired.scored_by.family.quality(system.sums)}
                results |= _compared(scores, None if pairs else baseline)
            for label, figures in paired.figures().items():
                results[label] |= figures
        results = self.session.ordered(results)
        measures = {request.label: request.measure for request in self.session.requests}
        warnings = [*self._too_few_replicates(), *_fairer_but_less(results, measures, systems)]
        return {
            "baseline": None if pairs else baseline,
            "systems": systems,
            "metrics": results,
            "warnings": [warning.entry() for warning in warnings],
        }

    def results(self) -> dict[str, Results]:
        """Compute each system's results on the compared samples, by label."""
        found: dict[str, Results] = {}
        for place, name in enumerate(self.names):
            results = {label: result for paired in self.paired for label, result in paired.results(place).items()}
            found[name] = self.session.ordered(results)
        return found

    def _too_few_replicates(self) -> list[WarningRecord]:
        """Warn if no corrected difference can be significant."""
        n_pairs = math.comb(len(self.names), 2)
        warnings = []
        for call in (call for each in self.session.passes for call in each.calls):
            alpha = _significance(call.settings.confidence_level or USUAL_LEVEL)
            n = call.settings.n_resamples
            if n_pairs >= alpha * (n + 1):
                message = (
                    f"{n_pairs} pairs are too many for {n} bootstrap replicates: no corrected p-value can fall below "
                    f"{alpha:g}, and all systems share a rank; use n_resamples of at least "
                    f"{math.floor(n_pairs / alpha + 1e-9)}"
                )
                warnings.append(WarningRecord("few_replicates", n_pairs, n_pairs / (n + 1), message))
        return list(dict.fromkeys(warnings))


_OF_ALL_PAIRS = ("n_samples", "n_articles", "n_skipped", "settings", "signature", "at_random_undefined")
"""Entries that are the same in the comparison of each pair."""


def _compared(scores: PairedScores, baseline: str | None) -> Results:
    """Compare systems scored together: all pairs, or each with the baseline."""
    names, settings = scores.paired.names, scores.call.settings
    pairs = [(a, b) if b != baseline else (b, a) for a, b in combinations(names, 2)]
    compared = {(a, b): scores.compare(names.index(a), names.index(b)) for a, b in pairs}
    warnings = scores.warnings()
    results: Results = {}
    for request in scores.call.requests:
        measure = request.measure
        found = {pair: of_pair[measure] for pair, of_pair in compared.items()}
        listed = {pair: result for pair, result in found.items() if baseline is None or baseline in pair}
        p_values = [result["p_value"] for result in listed.values()]
        first = next(iter(found.values()))
        result = results[request.label] = {
            "systems": _ranked(scores, measure, found),
            "differences": [
                _difference(pair, each, corrected)
                for (pair, each), corrected in zip(listed.items(), holm(p_values), strict=True)
            ],
            "n_tests": sum(not math.isnan(p) for p in p_values),
            "alpha": _significance(settings.confidence_level),
            **{key: first[key] for key in _OF_ALL_PAIRS if key in first},
        }
        most_lost = max((pair["lost"] for pair in listed.values()), default=math.nan)
        with_lost = {**result, "lost": most_lost}
        scores.paired.scored_by.add_warnings(measure, with_lost, scores.paired.n_samples, settings, warnings)
        result["warnings"] = with_lost["warnings"]
    return results


def _ranked(
    scores: PairedScores, measure: str, compared: Mapping[tuple[str, str], Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return each system's score, interval and rank."""
    level = scores.call.settings.confidence_level
    unit = family_of(measure).unit
    apart = {
        frozenset(pair): differs(unit.number(each), p_value, each["difference_ci"], _significance(level))
        for (pair, each), p_value in zip(
            compared.items(), holm([each["p_value"] for each in compared.values()]), strict=True
        )
    }
    unfairness = get_measure(measure).unfairness
    ranks = rank_groups(
        {system.name: unfairness(system.drawn[measure].score) for system in scores.systems},
        lambda one, other: apart[frozenset((one, other))],
    )
    ranked: dict[str, dict[str, Any]] = {}
    skipped = scores.paired.n_skipped_by_system
    for system, n_skipped, at_random in zip(scores.systems, skipped, scores.at_random(measure), strict=True):
        drawn = system.drawn[measure]
        result = ranked[system.name] = {
            "score": drawn.score,
            "ci": list(drawn.interval(level)),
            "ci_lost": drawn.lost,
        }
        if at_random is not None:
            result["at_random"] = at_random.score
            if not at_random.reason:
                result["at_random_error"] = at_random.error
        result |= {"rank": ranks[system.name], "n_skipped": n_skipped}
    return ranked


def _difference(pair: tuple[str, str], result: Mapping[str, Any], corrected: float) -> dict[str, Any]:
    a, b = pair
    figures = {key: result[key] for key in ("difference", "difference_ci", "p_value")}
    reason = {"undefined": result["undefined"]} if "undefined" in result else {}
    return {"a": a, "b": b, **figures, "p_value_corrected": corrected, "lost": result["lost"], **reason}


def _significance(level: float) -> float:
    """Return the level of significance for that of intervals: 0.05 for 0.95."""
    return round(1 - level, 12)


def _fairer_but_less(
    results: Mapping[str, Mapping[str, Any]], measures: Mapping[str, str], systems: Mapping[str, Mapping[str, Any]]
) -> list[WarningRecord]:
    """Warn of systems that look fairer but have less in their summaries."""
    fairer: dict[tuple[str, str], list[str]] = {}
    for label, result in results.items():
        unfairness = get_measure(measures[label]).unfairness
        for pair in result["differences"]:
            scores = {name: unfairness(result["systems"][name]["score"]) for name in (pair["a"], pair["b"])}
            low, high = sorted(scores, key=scores.__getitem__)
            if scores[low] < scores[high]:
                fairer.setdefault((low, high), []).append(label)
    warnings = []
    for (name, other), labels in fairer.items():
        if shortcomings := _shortcomings(systems[name], systems[other]):
            message = f"system {name} has a lower {', '.join(labels)} than {other}, but {' and '.join(shortcomings)}"
            warnings.append(WarningRecord("fairer_but_less", len(labels), len(labels) / len(results), message))
    return warnings


def _shortcomings(system: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Describe how a system's summaries fall short of another's."""
    found = []
    if system.get("mean_words", math.inf) < SHORTER * other.get("mean_words", 0.0):
        words = f"({system['mean_words']:.1f} words, not {other['mean_words']:.1f})"
        found.append(f"its summaries are much shorter {words}")
    if system.get("share_empty", 0.0) > other.get("share_empty", 1.0) + WORSE:
        found.append(f"more of them are empty ({system['share_empty']:.0%}, not {other['share_empty']:.0%})")
    for key, less in _SHARES.items():
        if system.get(key, math.inf) < other.get(key, 0.0) - WORSE:
            found.append(f"{less} ({system[key]:.0%}, not {other[key]:.0%})")
    return found


_SHARES = {
    "share_matched": "fewer of them share a word with their sources",
    "mean_coverage": "their sources cover less of them",
}
"""Shares of families for which less is worse -> words for less."""
