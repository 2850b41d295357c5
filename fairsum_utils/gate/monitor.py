"""Comparison of a stream's windows with a baseline, with few false alarms."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, Self

from fairsum_utils.cluster.job import Job
from fairsum_utils.cluster.scoring import Scoring
from fairsum_utils.errors import InputError
from fairsum_utils.families import family_of
from fairsum_utils.families.columns import Column
from fairsum_utils.families.contract import SAMPLE
from fairsum_utils.families.effective import differing, settings_of
from fairsum_utils.families.settings import USUAL_LEVEL
from fairsum_utils.families.warnings import FEW
from fairsum_utils.io.groups import check_unique
from fairsum_utils.measures import get_measure, measure_names
from fairsum_utils.results.gate import ALARM, QUIET, UNDECIDED, Monitored
from fairsum_utils.results.results import IN_MEMORY, MeasureResult, ScoreResults
from fairsum_utils.session import Request, Session
from fairsum_utils.stats.intervals import deviation_of
from fairsum_utils.stats.sequential import Evidence, Pool
from fairsum_utils.validation import as_label, check_choice, check_fraction, did_you_mean

# What counts as a shift -> the directions of it: of all measures that can be monitored, higher is less fair.
SIDES = {"worse": (1,), "both": (1, -1)}

# Of the files of states; a reader refuses a newer one.
FORMAT_VERSION = 1


class Monitor:
    """Monitor that tests windows of scores for a change from the baseline.

    Each window adds to the evidence of a change, see `fairsum_utils.stats.sequential`. There is an alarm when it
    reaches the bar, the number of measures over alpha: as long as nothing changes, the chance that this happens to any
    measure at any time is about alpha at most. Nothing changes means that samples come as those of the baseline did,
    one independently of the other; days that differ by themselves are a change.

    Args:
        baseline: results of `fairsum_utils.score` with intervals, or a file of them.
        metrics: labels of those to monitor, in a list or one text with commas; None for all that can be: means over
            samples, such as BUR, UER, AUC and Equal Coverage.
        alpha: chance of a false alarm, in (0, 1).
        side: ``"worse"`` looks for scores that rise, ``"both"`` for those that fall too.
        shift: Shift to detect: until the windows could have shown one of this size, no verdict comes from
            silence. None asks for 30 samples only.

    Attributes:
        windows: the names of those that were added.
        alarm: True after an alarm.

    Raises:
        InputError: the baseline cannot be monitored, or a setting is not as described.

    Example:
        >>> from fairsum_utils import score
        >>> sources, values = [["Tasty soup.", "Awful soup."]] * 100, [["pos", "neg"]] * 100
        >>> fair, unfair = ["Tasty, awful."] * 100, ["Tasty."] * 100
        >>> base = score([*fair[10:], *unfair[:10]], sources, values, metrics="bur", confidence_level=0.95)
        >>> monitor = Monitor(base)
        >>> for day, n in enumerate([10, 9, 30]):  # unfair summaries of 100
        ...     texts = [*fair[n:], *unfair[:n]]
        ...     monitor.add(score(texts, sources, values, metrics="bur"), name=f"day {day}")
        'quiet'
        'quiet'
        'alarm'
        >>> monitor.results()["bur"]["since"]
        'day 2'
    """

    def __init__(
        self,
        baseline: ScoreResults | MeasureResult | str | os.PathLike[str],
        *,
        metrics: str | Sequence[str] | None = None,
        alpha: float = 0.05,
        side: str = "worse",
        shift: float | None = None,
    ) -> None:
        results = _results_of(baseline, "the baseline")
        measures = results._measures()
        labels = _chosen(metrics, measures)
        told = {label: _told(measures[label], results[label]) for label in labels}
        for label in labels:
            _check_baseline(label, told[label])
        self._begin(
            {
                "title": results.title,
                "metrics": told,
                "alpha": _fraction("alpha", alpha),
                "side": check_choice("monitor", "side", side, tuple(SIDES)),
                "shift": None if shift is None else _fraction("shift", shift),
            }
        )

    def _begin(self, setup: Mapping[str, Any]) -> None:
        """Make it ready for the first window."""
        self._setup = setup
        self._fed: dict[str, dict[str, Any]] = {}
        self._evidence: dict[str, Evidence] = {}
        for label, told in setup["metrics"].items():
            measure = get_measure(told["measure"])
            self._evidence[label] = Evidence(
                _pool(told),
                low=measure.low,
                high=measure.high,
                is_share=measure.averages == "shares",
                sides=SIDES[setup["side"]],
            )

    @property
    def windows(self) -> list[str]:
        """Return the names of the added windows."""
        return [*self._fed]

    @property
    def labels(self) -> list[str]:
        """Return the labels of the monitored measures."""
        return [*self._evidence]

    @property
    def alarm(self) -> bool:
        """Return whether there was an alarm."""
        return self.results().status == ALARM

    def add(self, results: ScoreResults | MeasureResult | str | os.PathLike[str], name: str | None = None) -> str:
        """Take in the next window.

        Args:
            results: Results of the window, like the baseline; intervals are optional for shares.
            name: Name of the window; None for the scored file's name or the window number.

        Returns:
            ``"alarm"``, ``"quiet"``, or ``"undecided"`` where there are too few samples to tell.

        Raises:
            InputError: the results are of other measures or settings than the baseline, or the window was added before.
        """
        found = _results_of(results, "a window" if name is None else f"the window {name!r}")
        if name is None:
            name = str(len(self._fed) + 1) if found.title == IN_MEMORY else Path(found.title).stem
        told = self._read(found, name)
        if name in self._fed:
            raise InputError(f"monitor: the window {name!r} was added before; give every window a different name")
        self._take(name, told)
        return self.results().status

    def has(self, results: ScoreResults | MeasureResult, name: str) -> bool:
        """Return whether this window was added before."""
        before = self._fed.get(name)
        if before is None:
            return False
        now = self._read(_results_of(results, f"the window {name!r}"), name)
        for label, told in now.items():
            if (told["n"], told["score"]) != (before[label]["n"], before[label]["score"]):
                raise InputError(
                    f"monitor: the window {name!r} was added before with {before[label]['n']} samples and {label} "
                    f"{before[label]['score']:.4f}, but now has {told['n']} samples and {told['score']:.4f}; add each "
                    "window once, when it is complete"
                )
        return True

    def _read(self, results: ScoreResults, name: str) -> dict[str, dict[str, Any]]:
        """Read the estimates of a window."""
        measures = results._measures()
        read = {}
        for label, base in self._setup["metrics"].items():
            if label not in results:
                raise InputError(
                    f"monitor: the window {name!r} has no {label}, which is monitored; score it with {label}"
                )
            told = _told(measures[label], results[label])
            if keys := differing(settings_of(base), settings_of(told)):
                raise InputError(
                    f"monitor: {label} of the window {name!r} was scored with a different {', '.join(keys)} than the "
                    "baseline; score both with the same settings"
                )
            read[label] = told
        return read

    def _take(self, name: str, told: Mapping[str, Mapping[str, Any]]) -> None:
        self._fed[name] = {label: dict(each) for label, each in told.items()}
        for label, evidence in self._evidence.items():
            if told[label]["n"]:
                evidence.add(_pool(told[label], evidence.pool))

    def results(self) -> Monitored:
        """Return the results so far."""
        setup = self._setup
        bar = len(self._evidence) / setup["alpha"]
        metrics = {label: self._result(label, bar) for label in self._evidence}
        said = [result["status"] for result in metrics.values()]
        status = next((each for each in (ALARM, UNDECIDED) if each in said), QUIET)
        about = {"status": status, "alpha": setup["alpha"], "side": setup["side"], "shift": setup["shift"]}
        return Monitored(metrics, title=setup["title"], about=about)

    def _result(self, label: str, bar: float) -> dict[str, Any]:
        base, evidence = self._setup["metrics"][label], self._evidence[label]
        windows, logs, log = [], iter(evidence.logs), 0.0
        for name, told in self._fed.items():
            log = next(logs) if told[label]["n"] else log
            windows.append(
                {
                    "name": name,
                    "score": told[label]["score"],
                    "ci": told[label]["ci"],
                    "n_samples": told[label]["n"],
                    "evidence": _evidence(log),
                    "alarm": log >= math.log(bar),
                }
            )
        first = next((window["name"] for window in windows if window["alarm"]), None)
        fed = [window["name"] for window in windows if window["n_samples"]]
        visible = evidence.visible(math.log(bar))
        few = base["n"] < FEW or sum(window["n_samples"] for window in windows) < FEW
        wanted = self._setup["shift"]
        hidden = few or not evidence.pool.squares or (wanted is not None and visible > wanted)
        return {
            "measure": base["measure"],
            "status": ALARM if first is not None else UNDECIDED if hidden else QUIET,
            "alarm": first,
            "since": fed[evidence.since()] if first is not None else None,
            "baseline": {"score": base["score"], "ci": base["ci"], "n_samples": base["n"]},
            "evidence": max((window["evidence"] for window in windows), default=1.0),
            "bar": bar,
            "visible": visible if math.isfinite(visible) else None,
            "windows": windows,
            **{key: base[key] for key in ("settings", "signature") if key in base},
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the state, so that `read` can continue exactly.

        Args:
            path: ends in ``.json``.

        Raises:
            InputError: the file cannot be written.
        """
        from fairsum_utils.io.writing import check_output, replacing

        check_output(path, ".json")
        state = {"setup": self._setup, "windows": self._fed}
        document = {"format_version": FORMAT_VERSION, "kind": "monitor", "checksum": _checksum(state), **state}
        with replacing(path) as temporary:
            temporary.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Return a monitor saved by `save`.

        Args:
            path: Path of the file.

        Raises:
            InputError: the file is not there, is damaged or something else, or a newer version has written it.
        """
        from fairsum_utils.io.opening import Place, open_packed
        from fairsum_utils.io.tables import parse_json

        with open_packed(Place(os.fspath(path))) as file:
            content = file.read()
        again = "name another file, or delete this one to start again"
        try:
            document = parse_json(content.decode())
            kind, version = document["kind"], document["format_version"]
        except (ValueError, TypeError, KeyError):
            raise InputError(f"monitor: {path} is not a monitor's state file; {again}") from None
        if kind != "monitor":
            raise InputError(f"monitor: {path} is not a monitor's state file, but of kind {kind!r}; {again}")
        if not isinstance(version, int) or version > FORMAT_VERSION:
            raise InputError(
                f"monitor: {path} has format {version}, but this version of fairsum-utils reads {FORMAT_VERSION}; "
                "upgrade fairsum-utils"
            )
        state = {key: document.get(key) for key in ("setup", "windows")}
        if document.get("checksum") != _checksum(state):
            raise InputError(f"monitor: {path} is damaged or was edited; {again}")
        monitor = cls.__new__(cls)
        monitor._begin(state["setup"])
        for name, told in state["windows"].items():
            monitor._take(name, told)
        return monitor

    def check_same(self, other: Monitor) -> None:
        """Refuse to go on as if it were another monitor."""
        for key, mine in self._setup.items():
            if key != "title" and mine != other._setup[key]:
                what = "a different baseline or different measures" if key == "metrics" else f"another {key}"
                raise InputError(
                    f"monitor: the state file was started with {what}; use the original settings or a new state file"
                )


def _results_of(given: Any, what: str) -> ScoreResults:
    """Return results, read from a file if necessary."""
    from fairsum_utils.results.reading import read_results

    found = given
    if isinstance(given, (str, os.PathLike)):
        found = read_results(given)
    elif isinstance(given, MeasureResult):
        found = given._whole()
    if not isinstance(found, ScoreResults):
        kind = getattr(found, "kind", type(found).__name__)
        raise InputError(f"monitor: {what} must be the results of one system, found {kind}; give results of score")
    return found


def _chosen(metrics: str | Sequence[str] | None, measures: Mapping[str, str]) -> list[str]:
    """Return the labels to monitor."""
    able = [label for label, measure in measures.items() if not _unable(measure)]
    if metrics is None:
        chosen = able
    else:
        named = [name.strip() for name in metrics.split(",")] if isinstance(metrics, str) else [*metrics]
        chosen = list(dict.fromkeys(name for name in named if name))
    for label in chosen:
        if label not in measures:
            guess = did_you_mean(label, measures) or f"; it has {', '.join(measures)}"
            raise InputError(f"monitor: the baseline has no {label!r}{guess}")
        if label not in able:
            raise InputError(
                f"monitor: {label} cannot be monitored: it {_unable(measures[label])}; choose "
                f"{' or '.join(able) or _able()}"
            )
    if not chosen:
        raise InputError(
            "monitor: the baseline has no measure that can be monitored, found "
            f"{', '.join(measures) or 'none'}; score {_able()}"
        )
    return chosen


def _able() -> str:
    """Describe the measures that can be monitored."""
    return " or ".join(name for name in measure_names() if not _unable(name))


def _unable(measure: str) -> str:
    """Why a measure cannot be monitored; empty for one that can be."""
    unit = family_of(measure).unit
    if unit is not SAMPLE:
        return f"is computed from {unit.several}, which windows of a stream would split"
    if not get_measure(measure).averages:
        return "is not a mean over samples, so it depends on the size of the window"
    return ""


def _told(measure: str, result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a result that a state keeps.

    Example:
        >>> result = {"uer": 0.1, "uer_ci": [0.06, 0.14], "n_samples": 100, "signature": ""}
        >>> round(_told("uer", result)["squares"], 4)  # 100 * (10 * 0.04 / 1.959964) ** 2
        4.1651
    """
    about = get_measure(measure)
    try:
        score, n, signature = float(result[measure]), int(result["n_samples"]), str(result["signature"])
        settings, ci = dict(settings_of(result)), result.get(f"{measure}_ci")
        ends = None if ci is None or not all(map(math.isfinite, ci)) else [float(ci[0]), float(ci[1])]
        deviation = _deviation(measure, score, n, ends, result)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"monitor: the result of {measure} is invalid ({error!r}); score again") from None
    if n < 0 or score < about.low or score > about.high:
        raise InputError(
            f"monitor: {measure} is {score:g} for {n} samples, but it must lie between {about.low:g} and "
            f"{about.high:g}; score again"
        )
    told = {"measure": measure, "settings": settings, "signature": signature}
    if math.isnan(score) or not n:
        return {**told, "n": 0, "score": None, "ci": None, "squares": None}
    # The sum of the squared distances of samples from their mean.
    squares = None if math.isnan(deviation) else n * deviation**2
    return {**told, "n": n, "score": score, "ci": ends, "squares": squares}


def _deviation(measure: str, score: float, n: int, ends: Sequence[float] | None, result: Mapping[str, Any]) -> float:
    """Return the standard deviation of samples; NaN if unknown."""
    if get_measure(measure).averages == "shares":
        return math.sqrt(max(score * (1 - score), 0.0))
    told = float(result.get(f"{measure}_sd", math.nan))
    if not math.isnan(told) or ends is None:
        return told
    # Results of earlier versions tell no deviation; their intervals are normal.
    return deviation_of(n, (ends[0], ends[1]), float(settings_of(result).get("confidence_level", USUAL_LEVEL)))


def _check_baseline(label: str, told: Mapping[str, Any]) -> None:
    """Refuse a baseline that cannot be monitored."""
    if not told["n"]:
        raise InputError(f"monitor: no sample of the baseline has a {label}; use another baseline")
    if told["squares"] is None:
        raise InputError(
            f"monitor: {label} of the baseline has no interval to estimate variation; score the baseline with a "
            "confidence level"
        )


def _pool(told: Mapping[str, Any], others: Pool | None = None) -> Pool:
    """Return a result's samples, with pooled variance if theirs is unknown."""
    squares = told["squares"]
    if squares is None:
        squares = told["n"] * (others.variance() if others is not None else 0.0)
    return Pool(told["n"], told["score"], squares)


def _fraction(name: str, number: object) -> float:
    share = check_fraction("monitor", name, number)
    if not 0 < share < 1:
        raise InputError(f"monitor: {name} must lie between 0 and 1, found {number!r}")
    return share


def _evidence(log: float) -> float:
    """Return evidence as a JSON number."""
    return math.exp(min(log, 700.0))


def _checksum(state: Any) -> str:
    """Return the checksum of a state."""
    return blake2b(json.dumps(state, sort_keys=True).encode(), digest_size=16).hexdigest()


# Windows of a file


def window_column(name: str) -> Column:
    """Return the column that separates the windows.

    Example:
        >>> window_column("day").flag
        'window-column'
    """
    return Column(name="window", entry="window", kind=str, help="the window of a sample", in_file=name)


def requests_of(baseline: ScoreResults, labels: list[str]) -> tuple[Request, ...]:
    """Return the requests that score a window like the baseline."""
    told: Mapping[str, Any] = (baseline.run.read or {}).get("settings", {})
    if missing := [label for label in labels if label not in told]:
        raise InputError(
            f"monitor: the baseline has no settings for {', '.join(missing)}; use a file written by fairsum score "
            "--output"
        )
    level = {label: told[label]["effective"]["confidence_level"] for label in labels}
    return tuple(
        Request(told[label]["measure"], label, {**told[label]["given"], "confidence_level": level[label]})
        for label in labels
    )


def windows_of_size(job: Job, size: int, workers: int) -> Iterator[tuple[str, ScoreResults]]:
    """Yield results of windows of `size` samples; omit an incomplete last one."""
    with job.session() as session, Scoring(job, session, workers=workers) as scoring:
        window = _Window(job, session)
        first = 1
        for scored in scoring.chunks():
            samples = list(zip(scored[0].ids, *scored[0].rows, strict=True))
            while samples:
                some = samples[: size - len(window)]
                del samples[: len(some)]
                window.add(some)
                if len(window) == size:
                    yield f"{first}-{first + size - 1}", window.results()
                    first += size


def windows_by_column(job: Job, workers: int) -> Iterator[tuple[str, ScoreResults]]:
    """Yield results of each entry of `window_column`, in order of appearance."""
    windows: dict[str, _Window] = {}
    with job.session() as session, Scoring(job, session, workers=workers) as scoring:
        entries = chain.from_iterable(
            zip(chunk[0].ids, chunk[0].columns["window"], strict=True) for chunk in job.chunks()
        )
        for scored in scoring.chunks():
            for sample in zip(scored[0].ids, *scored[0].rows, strict=True):
                name, entry = next(entries)
                label = as_label(entry)
                if not label:
                    raise InputError(
                        f"monitor: the sample {name!r} of {job.path} has no window: its entry is empty; fill it in "
                        "or remove the sample"
                    )
                windows.setdefault(label, _Window(job, session)).add([sample])
        for label, window in windows.items():
            where = f"monitor: {job.path}, window {label}, sample {{}}".format
            check_unique([name for name, *_ in window.samples], where, start=1)
            yield label, window.results()


class _Window:
    """The samples of a window, with their rows."""

    def __init__(self, job: Job, session: Session) -> None:
        self._job, self._scored_by = job, session
        self.samples: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        return len(self.samples)

    def add(self, samples: list[tuple[Any, ...]]) -> None:
        """Add samples, with the id and rows of each."""
        self.samples += samples

    def results(self) -> ScoreResults:
        """Return the results of these samples, and drop them."""
        session = Session(self._job.requests, module=self._job.module)
        for mine, other in zip(session.passes, self._scored_by.passes, strict=True):
            mine.take_scorer(other)
            mine.given |= other.given
        ids, *rows = map(list, zip(*self.samples, strict=True))
        session.add_rows(rows, ids)
        self.samples.clear()
        return session.results()
