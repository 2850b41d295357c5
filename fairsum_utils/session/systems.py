"""Many systems on the same samples: scores, paired differences with corrected p-values, ranks, and what else they show.

A difference is significant where its p-value is below one minus the level of the intervals. p-values of one measure are
corrected together by Holm's method: those of the differences that are listed as one family of tests, and for the ranks
those of all pairs.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any, Self

from fairsum_utils.errors import InputError
from fairsum_utils.families import Results
from fairsum_utils.families.cautions import Caution
from fairsum_utils.families.settings import USUAL_LEVEL
from fairsum_utils.measures import get_measure
from fairsum_utils.session.lineup import Heat, Lineup
from fairsum_utils.session.session import Columns, Session
from fairsum_utils.stats.arrays import exact_mean, rank_groups
from fairsum_utils.stats.intervals import Estimate
from fairsum_utils.stats.tests import holm
from fairsum_utils.validation import as_float, count, describe

__all__ = ["Contest", "Quality", "check_baseline", "check_qualities"]

SHORTER = 2 / 3
"""Summaries of less than this share of another system's words are much shorter."""
WORSE = 0.05
"""A share that is lower by more than this, or a share of empty summaries that is higher, is much worse."""


@dataclass
class Quality:
    """What the summaries of a system are like, whatever their fairness.

    Attributes:
        n_samples: summaries.
        n_empty: of them without a word.
        n_words: of all, between white space.
        n_characters: of all.
        has_texts: whether there are texts; a given coverage needs none.
        columns: name of a column of numbers -> its numbers.
    """

    n_samples: int = 0
    n_empty: int = 0
    n_words: int = 0
    n_characters: int = 0
    has_texts: bool = True
    columns: dict[str, array[float]] = field(default_factory=dict)

    def add(self, columns: Columns, others: Mapping[str, Iterable[Any]], *, module: str, start: int = 0) -> Self:
        """Take samples in.

        Args:
            columns: of the samples; they were checked.
            others: name of a column of numbers -> its numbers.
            module: name used in messages.
            start: index of the first sample.

        Raises:
            InputError: something else in a column of numbers.
        """
        self.n_samples += len(next(iter(columns.values())))
        self.has_texts &= "predictions" in columns
        for text in columns.get("predictions", ()):
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
        """Take in the samples of another."""
        for name in ("n_samples", "n_empty", "n_words", "n_characters"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.has_texts &= other.has_texts
        for name, numbers in other.columns.items():
            self.columns.setdefault(name, array("d")).extend(numbers)

    def to_json(self) -> dict[str, Any]:
        """All of it, as a file of JSON has it."""
        return {**asdict(self), "columns": {name: numbers.tolist() for name, numbers in self.columns.items()}}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """What `to_json` has made.

        Args:
            document: of `to_json`.
        """
        columns = {name: array("d", numbers) for name, numbers in document["columns"].items()}
        return cls(**{**document, "columns": columns})

    def summary(self) -> dict[str, Any]:
        """Its means and shares over all samples, under their names."""
        n = self.n_samples
        of_texts = {
            "mean_words": self.n_words / n,
            "mean_characters": self.n_characters / n,
            "share_empty": self.n_empty / n,
        }
        means = {name: exact_mean(numbers) for name, numbers in self.columns.items()}
        return {"n_samples": n, **(of_texts if self.has_texts else {}), "columns": means}


def _number(entry: object) -> float:
    """A number, or a text that is one, as the cells of CSV files are; NaN for anything else."""
    try:
        return float(entry) if isinstance(entry, str) else as_float(entry)
    except ValueError:
        return math.nan


def check_baseline(module: str, names: Sequence[str], baseline: str | None) -> str:
    """The name of the baseline: the first system if none is named.

    Args:
        module: name used in messages.
        names: of the systems.
        baseline: a name, or None.

    Raises:
        InputError: fewer than two systems, or no system of that name.

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
    """For each system its columns of numbers that stand beside the scores.

    Args:
        module: name used in messages.
        quality: name of a column -> name of a system -> numbers.
        systems: names.
        n: of samples.

    Raises:
        InputError: a system has none, or another number of them.
    """
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


class Contest:
    """Takes in systems sample by sample, and compares them.

    Args:
        session: that scores them.
        names: of the systems.

    Raises:
        InputError: a measure that compares no systems.

    Example:
        >>> from fairsum_utils.session.session import Request
        >>> columns = {"sources": [["Tasty soup.", "Awful soup."]] * 20, "values": [["pos", "neg"]] * 20}
        >>> texts = {"a": "Tasty.", "b": "Tasty, awful.", "c": "Soup!"}
        >>> with Session([Request("uer")]) as session:
        ...     comparison = Contest(session, list(texts))
        ...     comparison.score([{"predictions": [text] * 20, **columns} for text in texts.values()])
        ...     found = comparison.document()["metrics"]["uer"]
        >>> [(name, system["score"], system["rank"]) for name, system in found["systems"].items()]
        [('a', 0.25, 2), ('b', 0.0, 1), ('c', 0.0, 1)]
        >>> [(pair["a"], pair["b"], pair["difference"]) for pair in found["differences"]]
        [('b', 'a', -0.25), ('c', 'a', -0.25)]
    """

    def __init__(self, session: Session, names: Sequence[str]) -> None:
        session.check_comparable()
        self.session = session
        self.names = list(names)
        self.lineups = [Lineup(each, self.names) for each in session.passes]
        self.qualities = [Quality() for _ in self.names]

    def score(self, systems: Sequence[Columns], qualities: Sequence[Mapping[str, Iterable[Any]]] = ()) -> None:
        """Score samples of all systems and take them in.

        Args:
            systems: the columns of each, of the same samples in the same order.
            qualities: for each, columns of numbers to show beside the scores.

        Raises:
            InputError: a column or a sample is not as described.
        """
        rows = self.session.rows_of_systems(systems)
        others = qualities or [{}] * len(systems)
        module = self.session.labels
        self.add(rows, [Quality().add(*columns, module=module) for columns in zip(systems, others, strict=True)])

    def add(
        self,
        rows: Sequence[Sequence[Sequence[Any]]],
        qualities: Sequence[Quality],
        ids: Sequence[str] | None = None,
    ) -> None:
        """Take in samples that were scored elsewhere.

        Args:
            rows: for each pass of the session, for each system its rows.
            qualities: of the summaries of each system.
            ids: of the samples; None for their indices.

        Raises:
            InputError: rows that cannot be of the same sample.
        """
        for lineup, systems in zip(self.lineups, rows, strict=True):
            lineup.add(systems, ids)
        for mine, theirs in zip(self.qualities, qualities, strict=True):
            mine.merge(theirs)

    def two(self) -> Results:
        """Label -> the comparison of the two systems that there are, as `Session.compare` gives it.

        Raises:
            InputError: no sample has a score in both.
        """
        results = {label: result for lineup in self.lineups for label, result in lineup.two().items()}
        return {request.label: results[request.label] for request in self.session.requests}

    def document(self, *, baseline: str | None = None, pairs: bool = False) -> dict[str, Any]:
        """The comparison of all samples that were taken in.

        Args:
            baseline: the system that the others are compared with; None for the first.
            pairs: list the differences of all pairs, not only those from the baseline.

        Returns:
            ``baseline``, None with `pairs`; ``systems``: name -> ``n_samples``, ``mean_words`` (between white space),
            ``mean_characters``, ``share_empty`` and ``columns`` (column of numbers -> its mean) over all samples, and
            what the families say of the samples that are compared, such as ``share_matched``; ``metrics``: for each
            label ``systems``: name -> ``score``, ``ci``, ``ci_lost``, ``at_random`` (if asked for), ``rank`` and
            ``n_skipped`` (samples of which this system has no score); ``differences``: ``a``, ``b``, ``difference``
            (A minus B), ``difference_ci``, ``p_value``, ``p_value_corrected``, ``lost`` and, if there is none,
            ``undefined``; ``n_tests`` (in the family of the correction), ``alpha`` (the level of significance),
            ``n_samples``, ``n_skipped``, ``signature`` and ``warnings``; and ``warnings``.

        Raises:
            InputError: no system of that name, or no sample that has a score in all systems.
        """
        baseline = check_baseline(self.session.labels, self.names, baseline)
        systems = {name: quality.summary() for name, quality in zip(self.names, self.qualities, strict=True)}
        results: Results = {}
        for lineup in self.lineups:
            for heat in lineup.heats():
                for name, system in zip(self.names, heat.systems, strict=True):
                    systems[name] = {**systems[name], **lineup.each.family.quality(system.sums)}
                results |= self._results(heat, None if pairs else baseline)
        ordered = {request.label: results[request.label] for request in self.session.requests}
        measures = {request.label: request.measure for request in self.session.requests}
        return {
            "baseline": None if pairs else baseline,
            "systems": systems,
            "metrics": ordered,
            "warnings": [
                caution.told() for caution in (*self._too_few_replicates(), *_in_doubt(ordered, measures, systems))
            ],
        }

    def scores(self) -> dict[str, Results]:
        """Name of a system -> label -> its result on the samples that are compared, with figures by value.

        Raises:
            InputError: no sample has a score in all systems.
        """
        found: dict[str, Results] = {}
        for place, name in enumerate(self.names):
            results = {label: result for lineup in self.lineups for label, result in lineup.scores(place).items()}
            found[name] = {request.label: results[request.label] for request in self.session.requests}
        return found

    def _too_few_replicates(self) -> list[Caution]:
        """Whether no difference can be significant once all pairs are corrected together."""
        n_pairs = math.comb(len(self.names), 2)
        cautions = []
        for each in self.session.passes:
            for settings, _ in each.calls:
                alpha = _significance(settings.confidence_level or USUAL_LEVEL)
                n = settings.n_resamples
                if n_pairs >= alpha * (n + 1):
                    message = (
                        f"{n_pairs} pairs are too many for {n} bootstrap replicates: no corrected p-value of theirs "
                        f"can fall below {alpha:g}, and all systems share a rank; draw at least "
                        f"{math.floor(n_pairs / alpha + 1e-9)} (n_resamples, --resamples)"
                    )
                    cautions.append(Caution("few_replicates", n_pairs, n_pairs / (n + 1), message))
        return list(dict.fromkeys(cautions))

    def _results(self, heat: Heat, baseline: str | None) -> Results:
        """Label -> comparison, of systems that were scored together."""
        places = {name: place for place, name in enumerate(self.names)}
        # The baseline comes second, so that a difference below zero speaks for the other.
        pairs = [(a, b) if a != baseline else (b, a) for a, b in combinations(self.names, 2)]
        compared = {(a, b): heat.compare(places[a], places[b]) for a, b in pairs}
        cautions = heat.cautions()
        results: Results = {}
        for request in heat.requests:
            measure = request.measure
            found = {pair: of_pair[measure] for pair, of_pair in compared.items()}
            listed = {pair: result for pair, result in found.items() if baseline is None or baseline in pair}
            p_values = [result["p_value"] for result in listed.values()]
            first = next(iter(found.values()))
            result = results[request.label] = {
                "systems": self._ranked(heat, measure, {pair: each["p_value"] for pair, each in found.items()}),
                "differences": [
                    _difference(pair, result, corrected)
                    for (pair, result), corrected in zip(listed.items(), holm(p_values), strict=True)
                ],
                "n_tests": sum(not math.isnan(p) for p in p_values),
                "alpha": _significance(heat.settings.confidence_level),
                **{key: first[key] for key in ("n_samples", "n_articles") if key in first},
                "n_skipped": first["n_skipped"],
                "signature": first["signature"],
            }
            if "at_random_undefined" in first:
                result["at_random_undefined"] = first["at_random_undefined"]
            worst = max((pair["lost"] for pair in listed.values()), default=math.nan)
            said = {**result, "lost": worst}
            heat.lineup.each.caution(measure, said, heat.lineup.n_samples, heat.settings, cautions)
            result["warnings"] = said["warnings"]
        return results

    def _ranked(self, heat: Heat, measure: str, p_values: Mapping[tuple[str, str], float]) -> dict[str, dict[str, Any]]:
        """Each system with its figures and its rank."""
        level = heat.settings.confidence_level
        drawn = {name: system.drawn[measure] for name, system in zip(self.names, heat.systems, strict=True)}
        ranks = _ranks(measure, {name: each.score for name, each in drawn.items()}, p_values, level)
        by_system = zip(drawn.items(), heat.lineup.n_skipped_by_system, heat.at_random(measure), strict=True)
        return {
            name: {
                **_figures(each, level),
                **({} if at_random is None else {"at_random": at_random.score}),
                "rank": ranks[name],
                "n_skipped": n_skipped,
            }
            for (name, each), n_skipped, at_random in by_system
        }


def _figures(estimate: Estimate, level: float) -> dict[str, Any]:
    """The score of a system, its interval, and the share of replicates without a score."""
    return {"score": estimate.score, "ci": list(estimate.interval(level)), "ci_lost": estimate.lost}


def _difference(pair: tuple[str, str], result: Mapping[str, Any], corrected: float) -> dict[str, Any]:
    a, b = pair
    figures = {key: result[key] for key in ("difference", "difference_ci", "p_value")}
    reason = {"undefined": result["undefined"]} if "undefined" in result else {}
    return {"a": a, "b": b, **figures, "p_value_corrected": corrected, "lost": result["lost"], **reason}


def _ranks(
    measure: str, scores: Mapping[str, float], p_values: Mapping[tuple[str, str], float], level: float
) -> dict[str, int | None]:
    """Ranks in which all pairs are one family of tests."""
    corrected = dict(zip(map(frozenset, p_values), holm(list(p_values.values())), strict=True))
    alpha = _significance(level)
    return rank_groups(
        {name: get_measure(measure).unfairness(score) for name, score in scores.items()},
        lambda one, other: corrected[frozenset((one, other))] < alpha,
    )


def _significance(level: float) -> float:
    """The level of significance that goes with that of intervals: 0.05 with 0.95."""
    return round(1 - level, 12)


def _in_doubt(
    results: Mapping[str, Mapping[str, Any]], measures: Mapping[str, str], systems: Mapping[str, Mapping[str, Any]]
) -> list[Caution]:
    """Pairs in which the system that looks fairer says less than the other."""
    fairer: dict[tuple[str, str], list[str]] = {}
    for label, result in results.items():
        for pair in result["differences"]:
            scores = {
                name: get_measure(measures[label]).unfairness(result["systems"][name]["score"])
                for name in (pair["a"], pair["b"])
            }
            low, high = sorted(scores, key=scores.__getitem__)
            if not math.isnan(pair["p_value"]) and scores[low] < scores[high]:
                fairer.setdefault((low, high), []).append(label)
    cautions = []
    for (name, other), labels in fairer.items():
        said = _says_less(systems[name], systems[other])
        if said:
            message = f"{name} has a lower {', '.join(labels)} than {other}, but {' and '.join(said)}"
            cautions.append(Caution("fairer_but_less", len(labels), len(labels) / len(results), message))
    return cautions


def _says_less(system: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """How the summaries of a system say less than those of another."""
    said = []
    if system.get("mean_words", math.inf) < SHORTER * other.get("mean_words", 0.0):
        said.append(f"its summaries are much shorter ({system['mean_words']:.1f} words, not {other['mean_words']:.1f})")
    if system.get("share_empty", 0.0) > other.get("share_empty", 1.0) + WORSE:
        said.append(f"more of them are empty ({system['share_empty']:.0%}, not {other['share_empty']:.0%})")
    for key, less in _SHARES.items():
        if system.get(key, math.inf) < other.get(key, 0.0) - WORSE:
            said.append(f"{less} ({system[key]:.0%}, not {other[key]:.0%})")
    return [text.replace("%", " %") for text in said]


_SHARES = {
    "share_matched": "fewer of them share a word with their sources",
    "mean_coverage": "their sources cover less of them",
}
"""What families say of summaries, of which less makes a score say less -> in words."""
