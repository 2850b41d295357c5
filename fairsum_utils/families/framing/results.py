"""Results of the framing family: scores, intervals and comparisons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from fairsum_utils.families import Results, Scorer, System
from fairsum_utils.families.chance import beside_scores, beside_systems
from fairsum_utils.families.effective import signed
from fairsum_utils.families.estimates import SampleScores, compared, numbers_of
from fairsum_utils.families.framing import framing_results, position_results
from fairsum_utils.families.framing.chance import at_random
from fairsum_utils.families.framing.rows import FramingTable
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures._framing import SourceMeasure
from fairsum_utils.stats.intervals import METHODS
from fairsum_utils.stats.sums import Sums, check_same_samples


class _Part(NamedTuple):
    """Functions that compute one measure.

    Attributes:
        sums: table and settings -> sums.
        figures: sums and settings -> figures of a result.
        warnings: sums and settings -> warnings.
        scores: scores and replicates.
        same: name of a column that does not depend on the system.
    """

    sums: Callable[[FramingTable, Any], Sums]
    figures: Callable[[Sums, Any], dict[str, Any]]
    warnings: Callable[[Sums, Any], list[WarningRecord]]
    scores: SampleScores
    same: str


_PARTS = {
    "framing": _Part(
        framing_results.sums_of,
        framing_results.figures,
        framing_results.warnings,
        framing_results.SCORES,
        framing_results.SAME,
    ),
    "position_bias": _Part(
        position_results.sums_of,
        position_results.figures,
        position_results.warnings,
        position_results.SCORES,
        position_results.SAME,
    ),
}


def sums_of(table: FramingTable, measures: Sequence[str], settings: SourceMeasure, scorer: Any = None) -> Sums:
    """Sum up a table for `results_of`; the units are the samples.

    Example:
        >>> from fairsum_utils.measures.framing import Framing
        >>> table = FramingTable([FramingRow(0, source=0.5, summary=-0.5), FramingRow(1, source=0.5, summary=0.2)])
        >>> sums_of(table, ["framing"], Framing()).total("framing")
        1.0
    """
    [name] = measures
    return _PARTS[name].sums(table, settings)


def results_of(
    sums: Sums, measures: Sequence[str], settings: SourceMeasure, scorer: Scorer, given: Collection[str]
) -> Results:
    """Compute the measure from the sums of a data set.

    Returns:
        A dict of plain Python numbers: the score under its name, its figures, ``n_samples``, ``n_skipped``,
        ``skipped``, ``settings`` and ``signature``; with a confidence level also ``<name>_ci`` and ``<name>_ci_lost``;
        ``undefined`` gives the reason when the score or an interval is NaN. The cards in ``metrics/`` list every key.
    """
    [name] = measures
    result = {
        **_PARTS[name].figures(sums, settings),
        **numbers_of(sums),
        **_signed(name, settings, scorer.signature(name, given), METHODS["shares"] if name == "framing" else "bounds"),
    }
    if not sums.n_samples:
        result["undefined"] = "no sample left to score"
    return beside_scores({name: result}, at_random(sums, measures, settings, given))


def _signed(
    name: str, settings: SourceMeasure, made: Mapping[str, object], method: str, *, paired: bool = False
) -> dict[str, Any]:
    """Return the effective settings and the signature of a result."""
    unused: tuple[str, ...] = () if paired else ("n_resamples", "seed")
    if settings.confidence_level is None:
        unused = ("n_resamples", "bootstrap", "seed")
    interval = None if settings.confidence_level is None else method
    return signed({**made, **settings.keyed(name, *unused), "interval": interval})


def warnings_of(sums: Sums, settings: SourceMeasure) -> list[WarningRecord]:
    """List the warnings about the scores of a system."""
    return _PARTS[settings.name].warnings(sums, settings)


def draw_systems(
    systems: Sequence[Sums], measures: Sequence[str], settings: SourceMeasure, scorer: Any = None
) -> list[System]:
    """Score several systems on the same samples with the same bootstrap draws."""
    [name] = measures
    check_same_samples(systems, _PARTS[name].same)
    return [System(sums, _PARTS[name].scores.estimates(sums, measures, settings, paired=True)) for sums in systems]


def compare_systems(
    a: System,
    b: System,
    measures: Sequence[str],
    settings: SourceMeasure,
    scorer: Scorer,
    given: Collection[str],
    n_skipped: int = 0,
) -> Results:
    """Compare two systems on the same samples by a paired bootstrap.

    Returns:
        For the measure: ``a``, ``b``, ``difference`` (B minus A; below 0 B is fairer), ``difference_ci``,
        ``p_value`` (two-sided, never 0), ``lost``, ``n_samples``, ``n_skipped`` and ``signature``; ``undefined`` gives
        the reason when there is no interval.
    """
    [name] = measures
    made, method = scorer.signature(name, given), a.drawn[name].minus(b.drawn[name]).method
    signed_of = partial(_signed, settings=settings, made=made, method=method, paired=True)
    results = compared(a, b, measures, settings, n_skipped, signed_of)
    levels = (at_random(system.sums, measures, settings, given) for system in (a, b))
    return beside_systems(results, *levels)
