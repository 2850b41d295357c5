"""Whether an instruction, a temperature or a length makes summaries fairer: runs of a model with different settings."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fairsum_reproductions.contract import Input, Study
from fairsum_reproductions.shares import MEASURES, Shares, data_set_scores, read_shares, sample_scores
from fairsum_utils.analysis.records import Intervals, Record, check_paired, record_entries
from fairsum_utils.errors import InputError
from fairsum_utils.families import override, setting
from fairsum_utils.families.representation.results import MOST_APART, MOST_UNMATCHED
from fairsum_utils.families.representation.settings import RepresentationSettings
from fairsum_utils.measures import get_measure
from fairsum_utils.measures._shares import shortfall
from fairsum_utils.measures.sof import sof
from fairsum_utils.stats.arrays import Floats, exact_mean
from fairsum_utils.stats.bootstrap import bootstrap_sums
from fairsum_utils.stats.intervals import FEWEST_FOR_SPREADS, METHODS, Estimate, paired_comparison
from fairsum_utils.stats.tests import holm

if TYPE_CHECKING:
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.drawings.chart import Panel
    from fairsum_utils.reports.drawings.curves import Curve, Curves
    from fairsum_utils.reports.tables import Cell, Part

_MODULE = "mitigation"
_MEANS = tuple(name for name in MEASURES if name != "sof")
"""Measures that are a mean over samples."""
_DRAWN = ("bur", "uer", "sof")
"""Those of table 7."""
_NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\d+)?(?![\d.])")


class MitigationSettings(Intervals):
    """Which runs are compared with which, and how."""

    tau: float = override(RepresentationSettings, "tau", only=())
    baseline: str | None = setting(
        None,
        "setting that the others are compared with, such as plain or t0; None for the first of each data set",
        key="baseline",
    )
    over: str | None = setting(
        None, "what the numbers in names of runs are, for the figure; None for the words that stand beside them"
    )


class Condition(NamedTuple):
    """What the name of a run says.

    Attributes:
        data_set: before the slash; empty without one.
        setting: behind it, or the whole name.
        number: in the setting, such as a temperature or a number of sentences; NaN without exactly one.
        words: what is written beside the number.

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
        before, slash, behind = name.partition("/")
        data_set, written = (before, behind) if slash else ("", before)
        numbers = _NUMBER.findall(written)
        if len(numbers) != 1:
            return cls(data_set, written, math.nan, written)
        words = _NUMBER.sub(" ", written).strip(" _:-")
        return cls(data_set, written, float(numbers[0]), " ".join(words.split()))


def change(baseline: Shares, run: Shares, tau: float, options: Intervals) -> dict[str, Any]:
    """How the scores of a run differ from those of another, on the samples that both have scores of.

    Args:
        baseline: shares of the run that is compared with.
        run: shares of the other, of the same samples.
        tau: tolerance of BUR.
        options: how to resample samples, with a confidence level.

    Returns:
        Measure -> ``difference`` (run minus baseline; below zero: the run is fairer), ``difference_ci`` and ``p_value``
        (two-sided, paired, never 0; NaN with fewer than two samples); ``n_samples`` that both have.

    Source: papers/fairsumm-v2, section 7 (which gives no intervals).

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
        compared = paired_comparison(after[name], before[name], options.confidence_level)
        result[name] = {key: compared[key] for key in ("difference", "difference_ci", "p_value")}
    return result


def _estimates(shares: Shares, tau: float, options: Intervals) -> dict[str, Estimate]:
    """Measure -> its score, with what its interval and its changes are made of."""
    scores = sample_scores(shares, tau)
    of_data = data_set_scores(shares, scores)
    replicates, n = _replicates(shares, tau, options), len(shares.places)
    found = {}
    for name in MEASURES:
        measure = get_measure(name)
        limits = measure.low, measure.high
        found[name] = Estimate(of_data[name], METHODS[measure.averages], n, replicates[name], limits=limits)
        if name in _MEANS:
            found[name] = found[name]._replace(totals=np.asarray(scores[name]))
        else:
            found[name] = found[name]._replace(fewest=FEWEST_FOR_SPREADS)
    return found


def _replicates(shares: Shares, tau: float, options: Intervals) -> dict[str, Floats]:
    """Measure -> its score in each bootstrap replicate; none with fewer than two samples."""
    n = len(shares.places)
    if n < 2:
        return dict.fromkeys(MEASURES, np.empty(0))
    scores = sample_scores(shares, tau)
    values = sorted({value for of_sample in shares.values for value in of_sample})
    column = {value: place for place, value in enumerate(values)}
    lacking, present = np.zeros((n, len(values))), np.zeros((n, len(values)))
    lacks = shortfall(shares.p_y, shares.p_g)
    for row, of_sample in enumerate(shares.values):
        places = [column[value] for value in of_sample]
        lacking[row, places] = lacks[row, : len(places)]
        present[row, places] = 1.0
    columns = np.hstack([np.column_stack([scores[name] for name in _MEANS]), lacking, present])
    sums = bootstrap_sums(columns, n_resamples=options.n_resamples, seed=options.seed)
    means, of_values = np.split(sums, [len(_MEANS)], axis=1)
    drawn = dict(zip(_MEANS, (means / n).T, strict=True))
    return drawn | {"sof": sof(of_values[:, : len(values)], of_values[:, len(values) :])}


def compute(samples: Mapping[str, Sequence[Record]], *, settings: MitigationSettings) -> dict[str, Any]:
    """The scores of each run, and how they differ from those of the data set's baseline.

    Args:
        samples: name of a run, see `Condition` -> records of BUR, UER, AUC or SOF.
        settings: of the study.

    Returns:
        ``runs``, in the order given and by data set, each with ``name``, ``data_set``, ``setting``, ``number`` (NaN
        without one), ``is_baseline``, ``scores`` and ``intervals`` (by measure), ``n_samples``, ``n_skipped``,
        ``unmatched`` (share of the summaries that have no word of their sources), ``sentences`` (of a summary, their
        mean number, as Punkt cuts English; None where the records have no texts) and, but of the baseline, ``change``,
        see `change`, with ``p_adjusted`` (Holm's, over all changes of a measure); ``over``, what the numbers are;
        ``tau``, ``confidence_level``, ``undefined``.

    Raises:
        InputError: records of other samples than the baseline's, two runs of one setting, or no baseline of that name.
    """
    options = settings.seeded()
    conditions = {name: Condition.of(name) for name in samples}
    baselines = _baselines(conditions, settings.baseline)
    shares = {name: read_shares(_MODULE, name, records) for name, records in samples.items()}
    undefined: dict[str, str] = {}
    runs: list[dict[str, Any]] = []
    for name in sorted(conditions, key=lambda name: list(baselines).index(conditions[name].data_set)):
        condition, of_run = conditions[name], shares[name]
        estimates = _estimates(of_run, settings.tau, options)
        run: dict[str, Any] = {
            "name": name,
            "data_set": condition.data_set,
            "setting": condition.setting,
            "number": condition.number,
            "is_baseline": baselines[condition.data_set] == name,
            "scores": data_set_scores(of_run, sample_scores(of_run, settings.tau)),
            "intervals": {measure: list(estimates[measure].interval(options.confidence_level)) for measure in MEASURES},
            "n_samples": len(of_run.places),
            "n_skipped": of_run.n_skipped,
            "unmatched": _unmatched(name, samples[name]),
            "sentences": _sentences(samples[name]),
        }
        if withheld := estimates["sof"].withheld:
            undefined[f"{'intervals' if len(of_run.places) < 2 else 'interval of sof'} of {name}"] = withheld
        if not run["is_baseline"]:
            baseline = baselines[condition.data_set]
            check_paired(_MODULE, **{baseline: samples[baseline], name: samples[name]})
            run["change"] = change(shares[baseline], of_run, settings.tau, options)
        runs.append(run)
    _adjust([run["change"] for run in runs if "change" in run])
    return {
        "runs": runs,
        "over": settings.over or _over(conditions.values()),
        "tau": settings.tau,
        "confidence_level": options.confidence_level,
        "undefined": undefined,
    }


def _adjust(changes: Sequence[Mapping[str, Any]]) -> None:
    """Put beside each p-value what Holm's correction over all changes of the measure makes of it."""
    for measure in MEASURES:
        adjusted = holm([each[measure]["p_value"] for each in changes])
        for each, p_value in zip(changes, adjusted, strict=True):
            each[measure]["p_adjusted"] = p_value


def _baselines(conditions: Mapping[str, Condition], wanted: str | None) -> dict[str, str]:
    """Data set -> the run that its other runs are compared with."""
    runs: dict[str, dict[str, str]] = {}
    for name, condition in conditions.items():
        of_data_set = runs.setdefault(condition.data_set, {})
        if condition.setting in of_data_set:
            raise InputError(f"{_MODULE}: {of_data_set[condition.setting]} and {name} are of one setting; name them")
        of_data_set[condition.setting] = name
    if wanted is None:
        return {data_set: next(iter(of_data_set.values())) for data_set, of_data_set in runs.items()}
    for data_set, of_data_set in runs.items():
        if wanted not in of_data_set:
            of = f" of {data_set}" if data_set else ""
            raise InputError(
                f"{_MODULE}: no run{of} is named {wanted!r}, which is the baseline; found {', '.join(of_data_set)}"
            )
    return {data_set: of_data_set[wanted] for data_set, of_data_set in runs.items()}


def _unmatched(name: str, records: Sequence[Record]) -> float:
    scored = [record for record in records if record["skipped"] is None]
    return (
        exact_mean([bool(flag) for flag in record_entries(_MODULE, name, scored, "unmatched")]) if scored else math.nan
    )


def _sentences(records: Sequence[Record]) -> float | None:
    from fairsum_utils.text.punkt import sentences

    texts = [record["sample"]["predictions"] for record in records if (record.get("sample") or {}).get("predictions")]
    return exact_mean([len(sentences(text)) for text in texts]) if texts else None


def _over(conditions: Any) -> str:
    """The words that stand beside all numbers, if they are the same."""
    words = {condition.words for condition in conditions if not math.isnan(condition.number)}
    return next(iter(words)) if len(words) == 1 and words != {""} else "setting"


def parts(result: dict[str, Any]) -> list[Part]:
    """Table 7 of the paper: a row a run, first its baseline; and below it the changes."""
    from fairsum_utils.reports.tables import Table, interval, short_name

    runs = result["runs"]
    rows: list[list[Cell]] = [
        [_label(run), *(run["scores"][name] for name in _DRAWN), run["n_samples"], run["unmatched"]] for run in runs
    ]
    header = ["", *(short_name(name) for name in _DRAWN), "samples", "unmatched"]
    if any(run["sentences"] is not None for run in runs):
        header.append("sentences")
        rows = [[*row, run["sentences"]] for row, run in zip(rows, runs, strict=True)]
    below = [f"Lower is fairer; all are fractions. BUR with tau = {result['tau']:g}.", *_cautions(runs)]
    made: list[Part] = [Table(header, rows, below=below)]
    changes: list[list[Cell]] = []
    for run in runs:
        for name in _DRAWN if "change" in run else ():
            of = run["change"][name]
            cells = [of["difference"], interval(of["difference_ci"]), of["p_value"], of["p_adjusted"]]
            changes.append([_label(run, whole=True), short_name(name), *cells])
    if changes:
        columns = ["run", "measure", "change", "interval", "p", "p (Holm)"]
        made.append(Table(columns, changes, "Change from the baseline", ["Below zero: fairer than the baseline."]))
    return made


def _label(run: Mapping[str, Any], *, whole: bool = False) -> str:
    """As in table 7: a baseline has the name of its data set, the others what was added."""
    data_set, written = run["data_set"], run["setting"]
    if not data_set:
        return str(written)
    if whole or not math.isnan(run["number"]):
        return f"{data_set}: {written}"
    return f"{data_set} ({written})" if run["is_baseline"] else f"+ {written}"


def _cautions(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Runs that share less with their sources than their baseline, or little, and so look fairer than they are."""
    baselines = {run["data_set"]: run["unmatched"] for run in runs if run["is_baseline"]}
    return [
        f"{_label(run, whole=True)}: {100 * run['unmatched']:.0f} % of the summaries have no word of their sources, "
        "which counts as fair and is not."
        for run in runs
        if run["unmatched"] > MOST_UNMATCHED or run["unmatched"] - baselines[run["data_set"]] > MOST_APART
    ]


def drawing(result: dict[str, Any]) -> Drawing:
    """Figures 5 and 6: scores over temperature or length; of settings without numbers a row a run."""
    from fairsum_utils.reports.drawings import Drawing

    counts: dict[str, int] = {}
    for run in result["runs"]:
        counts[run["data_set"]] = counts.get(run["data_set"], 0) + (not math.isnan(run["number"]))
    if max(counts.values()) > 1:
        return Drawing(f"Fairness over {result['over']}", [_curves(result, name) for name in _DRAWN])
    return Drawing("Fairness by setting", [_rows(result, name) for name in _DRAWN])


def _curves(result: Mapping[str, Any], measure: str) -> Curves:
    from fairsum_utils.reports.drawings.curves import Curve, Curves, Point
    from fairsum_utils.reports.tables import short_name
    from fairsum_utils.reports.theme import colours_of

    runs = result["runs"]
    numbers = [run["number"] for run in runs if not math.isnan(run["number"])]
    colours = colours_of({run["data_set"] for run in runs})

    curves: list[Curve] = []
    for data_set, colour in colours.items():
        of_data_set = [run for run in runs if run["data_set"] == data_set]
        numbered = sorted((run for run in of_data_set if not math.isnan(run["number"])), key=lambda run: run["number"])
        points = [Point(run["number"], run["scores"][measure], run["intervals"][measure]) for run in numbered]
        curves.append(Curve(data_set or short_name(measure), points, colour))
        for run in of_data_set:
            if math.isnan(run["number"]):
                ends = [Point(end, run["scores"][measure]) for end in (min(numbers), max(numbers))]
                curves.append(Curve(_label(run, whole=True), ends, "muted"))
    notes = [f"Bands: {100 * result['confidence_level']:g} % intervals."]
    if len(numbers) < len(runs):
        notes.append("A level line is a run whose setting is no number.")
    return Curves(
        short_name(measure),
        curves,
        f"{result['over']}; lower is fairer",
        f"{short_name(measure)}, a fraction",
        notes=notes,
    )


def _rows(result: Mapping[str, Any], measure: str) -> Panel:
    from fairsum_utils.reports.drawings.chart import Mark, Panel, Row
    from fairsum_utils.reports.tables import short_name

    rows = [
        Row(_label(run), [Mark(run["scores"][measure], run["intervals"][measure], shape="bar")])
        for run in result["runs"]
    ]
    level = 100 * result["confidence_level"]
    return Panel(short_name(measure), rows, f"{short_name(measure)} with {level:g} % intervals; lower is fairer")


STUDY = Study(
    paper="fairsumm",
    source="v2, section 7, table 7, figures 5 and 6",
    help="does an instruction, a temperature or a length make summaries fairer?",
    inputs=(
        Input(
            "samples",
            "records of bur, uer, auc or sof of each run, DATA_SET/SETTING each, such as claritin/t0.7",
            kind="samples",
            systems=True,
            families={"": "representation"},
        ),
    ),
    settings=MitigationSettings,
    compute=compute,
    parts=parts,
    drawing=drawing,
    choices=(
        "a run is compared with the first one of its data set, on the samples that both have scores of; the paper "
        "compares scores without a test",
        "a run whose setting is no number, such as natural length, is a level line in the figure",
    ),
    examples=(
        "fairsum study mitigation claritin/plain=a.jsonl claritin/definition=b.jsonl yelp/plain=c.jsonl "
        "yelp/definition=d.jsonl",
        "fairsum study mitigation t0=t0.jsonl t0.3=t3.jsonl t0.7=t7.jsonl t1=t10.jsonl --over temperature --plot t.svg",
        "fairsum study mitigation natural=n.jsonl 1=one.jsonl 3=three.jsonl 5=five.jsonl --over sentences --plot l.svg",
    ),
)
