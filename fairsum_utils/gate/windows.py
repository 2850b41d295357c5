"""A file of samples as windows of a stream, each scored by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from fairsum_utils.cluster.job import Job
from fairsum_utils.cluster.scoring import Scoring
from fairsum_utils.errors import InputError
from fairsum_utils.families.columns import Column
from fairsum_utils.io.groups import check_unique
from fairsum_utils.results import ScoreResults
from fairsum_utils.session import Request, Session
from fairsum_utils.validation import as_label


def window_column(name: str) -> Column:
    """The column that tells the windows apart, whatever a file calls it.

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
            f"monitor: the baseline does not tell the settings of {', '.join(missing)}; give the file that fairsum "
            "score --output wrote"
        )
    level = {label: told[label]["effective"]["confidence_level"] for label in labels}
    return tuple(
        Request(told[label]["measure"], label, {**told[label]["given"], "confidence_level": level[label]})
        for label in labels
    )


def windows_of_size(job: Job, size: int, workers: int) -> Iterator[tuple[str, ScoreResults]]:
    """Score windows of `size` samples in the order of the file; an incomplete last one is left out."""
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
    """Score the samples with one entry of `window_column` together, in the order in which the entries come."""
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
                    raise InputError(f"monitor: the sample {name!r} of {job.path} is in no window: its entry is empty")
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
        """Take in samples: the id of each, and its row of each pass."""
        self.samples += samples

    def results(self) -> ScoreResults:
        """Return the results of these samples, and drop them."""
        session = Session(self._job.requests, module=self._job.module)
        for mine, other in zip(session.passes, self._scored_by.passes, strict=True):
            mine.take_scorer(other)
        session.take_columns(column.name for column, _ in self._job.layout.columns)
        ids, *rows = map(list, zip(*self.samples, strict=True))
        session.add_rows(rows, ids)
        self.samples.clear()
        return session.results()
