"""Runs of a model with different instructions, temperatures or lengths."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from fairsum_reproductions.contract import Intervals
from fairsum_reproductions.layout import level_of, number_cells
from fairsum_reproductions.records import Record, check_paired, record_entries
from fairsum_reproductions.shares import (
    MEASURES,
    SHARE_RECORDS,
    Shares,
    data_set_scores,
    read_shares,
    sample_scores,
)
from fairsum_utils.errors import InputError
from fairsum_utils.families.representation.results import MOST_APART, MOST_UNMATCHED
from fairsum_utils.measures import get_measure
from fairsum_utils.measures._shares import shortfall
from fairsum_utils.measures.bur import BUR
from fairsum_utils.measures.sof import sof
from fairsum_utils.reports.panels import Curve, Curves, Drawing, Mark, Point, Points, Row
from fairsum_utils.reports.tables import Cell, Part, Table
from fairsum_utils.reports.theme import colors_of
from fairsum_utils.reports.wording import short_name
from fairsum_utils.settings import Fraction, override, setting
from fairsum_utils.stats.arrays import exact_mean
from fairsum_utils.stats.intervals import Estimate, paired_comparison
from fairsum_utils.stats.sums import Sums
from fairsum_utils.stats.tests import holm

INPUTS = (
    SHARE_RECORDS._replace(
        help="records of bur, uer, auc or sof of each run, DATA_SET/SETTING each, such as claritin/t0.7"
    ),
)

_MODULE = "mitigation"
# Measures that are a mean over samples.
_MEANS = tuple(name for name in MEASURES if name != "sof")
# Those of table 7.
_DRAWN = ("bur", "uer", "sof")
_NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\d+)?(?![\d.])")


class MitigationSettings(Intervals):
    """Baselines, and the comparison with them."""

    tau: Fraction = override(BUR, "tau")
    baseline: str | None = setting(
        None,
        "baseline setting, such as plain or t0; None for the first run of each data set",
        key="baseline",
    )
    over: str | None = setting(
        None, "meaning of the numbers in run names, for the figure; None for the words next to them"
    )


SETTINGS = MitigationSettings


class Condition(NamedTuple):
    """Data set and setting in a run's name; NaN without a unique number.

    Example:
        >>> Condition.of("claritin/temperature 0.7")
        Condition(data_set='claritin', setting='temperature 0.7', number=0.7, words='temperature')
        >>> Condition.of("natural").number
        nan
    """

    data_set: str
    setting: str
    number: float
    words: str

    @classmethod
    def of(cls, name: str) -> Condition:
        """Read a name such as ``"claritin/definition"``, ``"claritin/t0.7"`` or ``"3 sentences"``."""
        data_set, written = name.split("/", 1) if "/" in name else ("", name)
        numbers = _NUMBER.findall(written)
        if len(numbers) != 1:
            return cls(data_set, written, math.nan, written)
        words = _NUMBER.sub(" ", written).strip(" _:-")
        return cls(data_set, written, float(numbers[0]), " ".join(words.split()))


def change(baseline: Shares, run: Shares, tau: float, options: Intervals) -> dict[str, Any]:
    """Compare two runs on shared samples; below zero the run is fairer.

    Source: Zhang et al. 2024, section 7 (which gives no intervals).

    Example:
        >>> plain = Shares([0, 1], [["a", "b"]] * 2, np.array([[0.5, 0.5], [0.2, 0.8]]), np.full((2, 2), 0.5), 0)
        >>> fair = plain._replace(p_y=np.full((2, 2), 0.5))
        >>> result = change(plain, fair, 0.8, Intervals(n_resamples=99))
        >>> result["bur"]["difference"], result["uer"]["difference"], result["n_samples"]
        (-0.5, -0.075, 2)
    """
    both = set(baseline.places) & set(run.places)
    kept = [shares.only(np.array([place in both for place in shares.places], bool)) for shares in (baseline, run)]
    # The same draws: both have as many samples, and one seed.
    before, after = (_estimates(shares, tau, options) for shares in kept)
    result: dict[str, Any] = {"n_samples": len(both)}
    for name in MEASURES:
        compared = paired_comparison(before[name], after[name], options.confidence_level)
        result[name] = {key: compared[key] for key in ("difference", "difference_ci", "p_value")}
    return result


def _estimates(shares: Shares, tau: float, options: Intervals) -> dict[str, Estimate]:
    """Compute each measure with replicates from the same draws."""
    scores, lacks, n = sample_scores(shares, tau), shortfall(shares.p_y, shares.p_g), len(shares.places)
    sums, of_data = Sums(n), data_set_scores(shares, scores)
    sums.put(("n",), np.ones(n))
    for name in _MEANS:
        sums.put((name,), scores[name])
    for value, (rows, columns) in shares.entries().items():
        sums.put(("sof", value), lacks[rows, columns], rows)
        sums.put(("value_n", value), np.ones(len(rows)), rows)
    replicates = dict.fromkeys(MEASURES, np.empty(0))
    if n > 1:
        keys = [(name,) for name in _MEANS] + [(name, value) for name in ("sof", "value_n") for value in sums.of("sof")]
        drawn = sums.replicates(keys, n_resamples=options.n_resamples, seed=options.seed)
        means, of_values = np.split(drawn, [len(_MEANS)], axis=1)
        replicates = dict(zip(_MEANS, means.T / n, strict=True)) | {"sof": sof(*np.split(of_values, 2, axis=1))}
    found = {}
    for name in MEASURES:
        measure = get_measure(name)
        estimate = Estimate.of_sums(of_data[name], sums, name, measure.averages, (measure.low, measure.high))
        found[name] = estimate._replace(replicates=replicates[name])
    return found


def compute(samples: Mapping[str, Sequence[Record]], *, settings: MitigationSettings) -> dict[str, Any]:
    """Compute each run's scores and changes from its data set's baseline.

    ``runs`` are in the order given and by data set; ``number`` is NaN without one, ``sentences`` the mean number in a
    summary (None where the records have no texts), ``p_adjusted`` Holm's over all changes of a measure.
    """
    options = settings.seeded()
    conditions = {name: Condition.of(name) for name in samples}
    baselines = _baselines(conditions, settings.baseline)
    shares = {name: read_shares(_MODULE, name, records) for name, records in samples.items()}
    undefined: dict[str, str] = {}
    runs: list[dict[str, Any]] = []
    for name in sorted(conditions, key=lambda name: list(baselines).index(conditions[name].data_set)):
        data_set, written, number, _ = conditions[name]
        baseline, n = baselines[data_set], len(shares[name].places)
        estimates = _estimates(shares[name], settings.tau, options)
        run: dict[str, Any] = {
            "name": name,
            "data_set": data_set,
            "setting": written,
            "number": number,
            "is_baseline": baseline == name,
            "scores": {measure: each.score for measure, each in estimates.items()},
            "intervals": {
                measure: list(each.interval(options.confidence_level)) for measure, each in estimates.items()
            },
            "n_samples": n,
            "n_skipped": shares[name].n_skipped,
            "unmatched": _unmatched(name, samples[name]),
            "sentences": _sentences(samples[name]),
        }
        if withheld := estimates["sof"].withheld:
            undefined[f"{'intervals' if n < 2 else 'interval of sof'} of {name}"] = withheld
        if name != baseline:
            check_paired(_MODULE, **{baseline: samples[baseline], name: samples[name]})
            run["change"] = change(shares[baseline], shares[name], settings.tau, options)
        runs.append(run)
    changes = [run["change"] for run in runs if "change" in run]
    for measure in MEASURES:
        adjusted = holm([each[measure]["p_value"] for each in changes])
        for each, p_value in zip(changes, adjusted, strict=True):
            each[measure]["p_adjusted"] = p_value
    words = {each.words for each in conditions.values() if not math.isnan(each.number)}
    return {
        "runs": runs,
        "over": settings.over or (next(iter(words)) if len(words) == 1 else "") or "setting",
        "tau": settings.tau,
        "confidence_level": options.confidence_level,
        "undefined": undefined,
    }


def _baselines(conditions: Mapping[str, Condition], wanted: str | None) -> dict[str, str]:
    """Find the baseline of each data set."""
    runs: dict[str, dict[str, str]] = {}
    for name, condition in conditions.items():
        other = runs.setdefault(condition.data_set, {}).setdefault(condition.setting, name)
        if other != name:
            raise InputError(f"{_MODULE}: {other} and {name} have the same setting; name them")
    for data_set, of_data_set in runs.items():
        if wanted is not None and wanted not in of_data_set:
            of = f" of {data_set}" if data_set else ""
            raise InputError(
                f"{_MODULE}: no run{of} is named {wanted!r}, which is the baseline; found {', '.join(of_data_set)}"
            )
    return {data_set: of_data_set[wanted or next(iter(of_data_set))] for data_set, of_data_set in runs.items()}


def _unmatched(name: str, records: Sequence[Record]) -> float:
    scored = [record for record in records if record["skipped"] is None]
    return exact_mean([bool(flag) for flag in record_entries(_MODULE, name, scored, "unmatched")])


def _sentences(records: Sequence[Record]) -> float | None:
    from fairsum_utils.text.punkt import sentences

    texts = [record["sample"]["predictions"] for record in records if (record.get("sample") or {}).get("predictions")]
    return exact_mean([len(sentences(text)) for text in texts]) if texts else None


def parts(result: dict[str, Any]) -> list[Part]:
    """Table 7 of the paper, and the changes from the baselines."""
    runs = result["runs"]
    has_sentences = any(run["sentences"] is not None for run in runs)
    rows: list[list[Cell]] = [
        [_label(run), *(run["scores"][name] for name in _DRAWN), run["n_samples"], run["unmatched"]]
        + [run["sentences"]] * has_sentences
        for run in runs
    ]
    header = ["", *map(short_name, _DRAWN), "samples", "unmatched", *["sentences"] * has_sentences]
    below = [f"Lower is fairer; all are fractions. BUR with tau = {result['tau']:g}.", *_warnings(runs)]
    made: list[Part] = [Table(header, rows, below=below)]
    changes: list[list[Cell]] = []
    for run, name in product((run for run in runs if "change" in run), _DRAWN):
        of = run["change"][name]
        cells = [*number_cells(of, "difference"), of["p_value"], of["p_adjusted"]]
        changes.append([_label(run, whole=True), short_name(name), *cells])
    if changes:
        columns = ["run", "measure", "change", "interval", "p", "p (Holm)"]
        made.append(Table(columns, changes, "Change from the baseline", ["Below zero: fairer than the baseline."]))
    return made


def _label(run: Mapping[str, Any], *, whole: bool = False) -> str:
    """Label a run as in table 7: data set (baseline) or its addition."""
    data_set, written = run["data_set"], run["setting"]
    if not data_set:
        return str(written)
    if whole or not math.isnan(run["number"]):
        return f"{data_set}: {written}"
    return f"{data_set} ({written})" if run["is_baseline"] else f"+ {written}"


def _warnings(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Warn of runs that match sources less than their baseline, which looks fair."""
    baselines = {run["data_set"]: run["unmatched"] for run in runs if run["is_baseline"]}
    return [
        f"{_label(run, whole=True)}: {100 * run['unmatched']:.0f}% of the summaries share no word with their sources; "
        "they count as fair but are not."
        for run in runs
        if run["unmatched"] > MOST_UNMATCHED or run["unmatched"] - baselines[run["data_set"]] > MOST_APART
    ]


def drawing(result: dict[str, Any]) -> Drawing:
    """Draw figures 5 and 6: scores over temperature or length, or by run."""
    numbered = [run["data_set"] for run in result["runs"] if not math.isnan(run["number"])]
    if len(numbered) > len(set(numbered)):
        return Drawing(f"Fairness over {result['over']}", [_curves(result, name) for name in _DRAWN])
    level = f"with {level_of(result)} intervals; lower is fairer"
    panels = []
    for name in _DRAWN:
        marks = [Mark(run["scores"][name], run["intervals"][name], shape="bar") for run in result["runs"]]
        rows = [Row(_label(run), [mark]) for run, mark in zip(result["runs"], marks, strict=True)]
        panels.append(Points(short_name(name), rows, f"{short_name(name)} {level}"))
    return Drawing("Fairness by setting", panels)


def _curves(result: Mapping[str, Any], measure: str) -> Curves:
    title, runs, curves = short_name(measure), result["runs"], []
    numbers = [run["number"] for run in runs if not math.isnan(run["number"])]
    for data_set, color in colors_of({run["data_set"] for run in runs}).items():
        points, level = [], []
        for run in (run for run in runs if run["data_set"] == data_set):
            score = run["scores"][measure]
            if math.isnan(run["number"]):
                ends = [Point(end, score) for end in (min(numbers), max(numbers))]
                level.append(Curve(_label(run, whole=True), ends, "muted"))
            else:
                points.append(Point(run["number"], score, run["intervals"][measure]))
        curves += [Curve(data_set or title, sorted(points, key=lambda point: point.x), color), *level]
    notes = [f"Bands: {level_of(result)} intervals."]
    if len(numbers) < len(runs):
        notes.append("A horizontal line is a run without a number in its setting.")
    return Curves(title, curves, f"{result['over']}; lower is fairer", f"{title}, a fraction", notes=notes)
