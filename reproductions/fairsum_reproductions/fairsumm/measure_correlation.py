"""How far BUR, UER, AUC and SOF say the same, of samples and of systems."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairsum_reproductions.contract import Input, Study
from fairsum_reproductions.fairsumm._printed import TABLE_9
from fairsum_reproductions.shares import (
    MEASURES,
    SharesSettings,
    data_set_scores,
    read_shares,
    sample_scores,
    undefined_scores,
)
from fairsum_utils.analysis.records import Intervals, Record
from fairsum_utils.families import override
from fairsum_utils.families.representation.settings import RepresentationSettings
from fairsum_utils.stats.agreement import Correlations, pearson

if TYPE_CHECKING:
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Cell, Part, Table

_MODULE = "measure_correlation"
_LEAST = 3
"""Systems: of two any correlation is 1 or -1."""
_PAPER = (
    "With two values equation 4 gives for every sample the very number that equation 2 does, so that SOF and UER "
    f"correlate with 1; the paper prints {TABLE_9['sof'][1]:.2f} for a data set of two values. Its table is to be "
    "read beside ours, not to be met."
)


class CorrelationSettings(Intervals):
    """Of which scores the correlation is."""

    tau: float = override(SharesSettings, "tau")
    n_points: int | None = override(RepresentationSettings, "n_points", only=())
    single_value: str = override(RepresentationSettings, "single_value")


def measure_correlations(scores: Mapping[str, npt.ArrayLike], settings: Intervals) -> Correlations:
    """Pearson's correlation of the measures over samples.

    Args:
        scores: measure -> its score of each sample, as many of each.
        settings: how to draw samples for the intervals, with a level.

    Returns:
        The correlations, in the order of the measures.

    Source: papers/fairsumm-v2, appendix D, table 9.

    Example:
        >>> settings = Intervals(n_resamples=10)
        >>> measure_correlations({"bur": [0, 1, 1, 0], "uer": [0.0, 0.2, 0.1, 0.1]}, settings).r.round(3).tolist()
        [[1.0, 0.707], [0.707, 1.0]]
    """
    columns = np.column_stack([np.asarray(of_measure, dtype=np.float64) for of_measure in scores.values()])
    return pearson(
        columns,
        confidence_level=settings.confidence_level,
        n_resamples=settings.n_resamples,
        seed=settings.seed,
    )


def compute(samples: Mapping[str, Sequence[Record]], *, settings: CorrelationSettings) -> dict[str, Any]:
    """The correlation of the measures over the samples of each system, and over systems.

    Args:
        samples: system -> records of BUR, UER, AUC or SOF.
        settings: of the study.

    Returns:
        ``systems``: of each ``correlation`` and ``correlation_ci`` (measure -> measure -> number or ends), ``scores``
        (of the data set), ``at_most_two_values`` (whether equation 4 gives UER for every sample), ``n_samples``,
        ``n_skipped`` and ``n_single_value``; ``over_systems``, the correlation of ``scores``; ``paper``, table 9; and
        ``undefined``.
    """
    settings = settings.seeded()
    systems: dict[str, Any] = {}
    undefined: dict[str, str] = {}
    for name, records in samples.items():
        whole = read_shares(_MODULE, name, records)
        shares = whole.only(whole.is_multi) if settings.single_value == "skip" else whole
        scores = sample_scores(shares, settings.tau, settings.n_points)
        correlations = measure_correlations(scores, settings)
        systems[name] = {
            "correlation": _named(correlations.r),
            "correlation_ci": _named(correlations.ends),
            "scores": data_set_scores(shares, scores),
            "at_most_two_values": max(map(len, shares.values), default=0) <= 2,
            "n_samples": len(shares.places),
            "n_skipped": whole.n_skipped + len(whole.places) - len(shares.places),
            "n_single_value": int(np.count_nonzero(~whole.is_multi)),
        }
        undefined |= undefined_scores(name, systems[name]["scores"], shares)
        undefined |= {
            f"correlation of {measure} of {name}": "all samples have the same score, or there are fewer than two"
            for measure, r in zip(MEASURES, np.diag(correlations.r), strict=True)
            if math.isnan(r)
        }
    of_systems = np.array([[scored["scores"][name] for name in MEASURES] for scored in systems.values()])
    over = np.full((len(MEASURES), len(MEASURES)), np.nan)
    if len(systems) < _LEAST:
        undefined["over_systems"] = f"a correlation over systems needs at least {_LEAST}, found {len(systems)}"
    elif np.isnan(of_systems).any():
        undefined["over_systems"] = "a system has no score"
    else:
        over = pearson(of_systems, confidence_level=0.5, n_resamples=1, seed=0).r
    return {
        "measures": list(MEASURES),
        "systems": systems,
        "over_systems": _named(over),
        "paper": {name: dict(zip(MEASURES, row, strict=True)) for name, row in TABLE_9.items()},
        "undefined": undefined,
        "confidence_level": settings.confidence_level,
        "n_resamples": settings.n_resamples,
        "seed": settings.seed,
    }


def _named(table: Any) -> dict[str, dict[str, Any]]:
    rows = (dict(zip(MEASURES, row, strict=True)) for row in table.tolist())
    return dict(zip(MEASURES, rows, strict=True))


def parts(result: dict[str, Any]) -> list[Part]:
    """Table 9 of each system, with intervals; over systems; and as the paper prints it."""
    from fairsum_utils.reports.tables import Interval, Table, counted, short_name

    made: list[Part] = []
    for name, scored in result["systems"].items():
        counts = counted(scored)
        single = scored["n_single_value"]
        counts += f"; {single} of one value, which no summary can treat unfairly" if single else ""
        said = ["No sample has more than two values, so SOF by equation 4 is UER."] * scored["at_most_two_values"]
        made.append(_table(f"{name}, over samples", scored["correlation"], [counts, *said]))
        pairs: list[list[Cell]] = [
            [short_name(one), short_name(other), scored["correlation"][one][other], Interval(*ends[other])]
            for place, (one, ends) in enumerate(scored["correlation_ci"].items())
            for other in MEASURES[place + 1 :]
        ]
        level = f"{100 * result['confidence_level']:g} % interval"
        made.append(Table(["measure", "and", "r", level], pairs, f"{name}: intervals", n_texts=2))
    if len(result["systems"]) >= _LEAST:
        below = ["Of each system's scores of the whole data set; SOF is that of the mean shortfall of each value."]
        made.append(_table(f"Over {len(result['systems'])} systems", result["over_systems"], below))
    made.append(_table("As printed (table 9)", result["paper"], [_PAPER]))
    return made


def _table(title: str, matrix: Mapping[str, Mapping[str, float]], below: Sequence[str]) -> Table:
    from fairsum_utils.reports.tables import Marked, Table, short_name

    rows: list[list[Cell]] = [
        [short_name(name), *(Marked(number, digits=2) for number in row.values())] for name, row in matrix.items()
    ]
    return Table(["Pearson's r", *map(short_name, matrix)], rows, title, below)


def drawing(result: dict[str, Any]) -> Drawing:
    """The tables as heat maps, ours above the paper's."""
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.drawings.heat import Heat
    from fairsum_utils.reports.tables import short_name

    tables = {f"{name}, over samples": scored["correlation"] for name, scored in result["systems"].items()}
    if len(result["systems"]) >= _LEAST:
        tables["Over systems"] = result["over_systems"]
    tables["As printed (table 9)"] = result["paper"]
    names = list(map(short_name, result["measures"]))
    panels = [
        Heat(
            title,
            names,
            names,
            [[None if one == other else r for other, r in row.items()] for one, row in matrix.items()],
            "Pearson's r",
            most=1.0,
            signed=True,
            named=True,
        )
        for title, matrix in tables.items()
    ]
    return Drawing("Correlation of the measures", panels, notes=[_PAPER])


STUDY = Study(
    paper="fairsumm",
    source="v2, appendix D, table 9",
    help="do BUR, UER, AUC and SOF say the same, of samples and of systems?",
    inputs=(
        Input(
            "samples", "records of bur, uer, auc or sof", kind="samples", systems=True, families={"": "representation"}
        ),
    ),
    settings=CorrelationSettings,
    compute=compute,
    parts=parts,
    drawing=drawing,
    choices=(
        "Over samples SOF is that of each sample by itself, by equation 4; over systems that of the data set, of the "
        "mean shortfall of each value, as the published code has it",
        "AUC is the exact area; --auc-points 10 gives the paper's mean of ten tolerances",
    ),
    examples=(
        "fairsum study measure_correlation gpt4.samples.jsonl",
        "fairsum study measure_correlation gpt4=a.jsonl llama=b.jsonl alpaca=c.jsonl --single-value skip",
    ),
)
