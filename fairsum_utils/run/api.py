"""`score` in several processes or on Ray, and `compare` runs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path
from typing import Any

from fairsum_utils._util.temporary import temporary_folder
from fairsum_utils.errors import InputError
from fairsum_utils.families.asked import FOR_ALL, USUAL, asked_measures, refuse_settings
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.families.warnings import warn
from fairsum_utils.io.frames import as_frame
from fairsum_utils.io.layout import layout_for
from fairsum_utils.io.names import Name, Names, stems
from fairsum_utils.io.opening import READING
from fairsum_utils.io.shapes import split_shape
from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.results import Comparison, ScoreResults
from fairsum_utils.run.job import Job
from fairsum_utils.run.rows import Run
from fairsum_utils.run.scoring import FromRows, Scoring
from fairsum_utils.session import make_requests
from fairsum_utils.session.quality import Quality
from fairsum_utils.session.systems import ComparedSystems, check_baseline
from fairsum_utils.validation import describe


def score(
    data: Any,
    metrics: Any = DEFAULT_METRICS,
    *,
    rows: Name | None = None,
    workers: int | None = None,
    engine: str | None = None,
    address: str | None = None,
    gpus_per_worker: float | None = None,
    **arguments: Any,
) -> ScoreResults:
    """Score samples in this process, in several, or on Ray.

    The results equal those of `fairsum_utils.score` for any number of processes.

    Args:
        data: files, patterns or addresses, as for the command ``fairsum score``; a table of `datasets`, pandas, polars
            or pyarrow, a list of dicts, or a dict of columns.
        metrics: measures, as `fairsum_utils.score` takes them.
        rows: folder that keeps the rows, so that the same call goes on after one that was stopped.
        workers: number of processes; None for one, or with an engine for as many as fit. In a script, call it under
            ``if __name__ == "__main__":``.
        engine: ``"ray"`` to run on Ray, on this machine or on a cluster.
        address: address of a Ray cluster, such as ``"ray://host:10001"``; None for the one that this process is
            connected to, then for that of ``RAY_ADDRESS``, else for a Ray of this machine.
        gpus_per_worker: GPUs of each Ray worker; may be a fraction.
        **arguments: names of columns, such as ``sources="reviews"``; how samples are laid out, such as
            ``group_by="meeting"``; how files are read: ``split``, ``sheet``, ``encoding``, ``input_format``,
            and ``quoting``; and ``confidence_level``, ``n_resamples``, ``seed``, ``at_random``,
            ``language`` and ``unlabelled``.

    Returns:
        Measure -> result.

    Raises:
        InputError: an input or setting is invalid, or the rows are of another run.

    Example:
        >>> table = [{"prediction": "Tasty.", "sources": ["Tasty.", "Awful."], "values": ["pos", "neg"]}] * 5
        >>> score(table, "bur,uer")["uer"]["uer"]
        0.25
    """
    with ExitStack() as opened:
        path = data if _are_names(data) else table_in(opened.enter_context(temporary_folder()), data)
        job = job_of(path, metrics, arguments)
        session = opened.enter_context(job.session())
        scoring = Scoring(
            job, session, workers=workers, engine=engine, address=address, gpus_per_worker=gpus_per_worker, rows=rows
        )
        for _ in scoring.parts():
            pass
        results = scoring.results()
    warn(results)
    return results


def from_rows(run: Name, *, partial: bool = False) -> ScoreResults:
    """Compute the results of a run from its rows; nothing is scored.

    Args:
        run: folder of the run, within that of ``rows``.
        partial: go on if parts are missing.

    Raises:
        InputError: parts are missing, repeated or of another run.
    """
    rows = Run(os.fspath(run), partial=partial)
    with rows.job.session() as session:
        scoring = FromRows(rows, session)
        for _ in scoring.parts():
            pass
        results = scoring.results()
    warn(results)
    return results


def compare(
    *runs: Name, labels: Sequence[str] | None = None, baseline: str | None = None, pairs: bool = False
) -> Comparison:
    """Compare systems from the rows of their runs, without new scoring.

    Args:
        *runs: folder of the run of each system, path or address, on samples with the same ids, sources and values.
        labels: names of the systems; None for those of the folders.
        baseline: name of the system that the others are compared with; None for the first.
        pairs: list the differences of all pairs, not only those from the baseline.

    Returns:
        See `fairsum_utils.compare`; lengths of summaries are not kept in rows.

    Raises:
        InputError: the runs differ in measures, settings or samples.
    """
    names = list(stems(runs) if labels is None else labels)
    if len(names) != len(runs) or len(set(names)) < len(names):
        raise InputError(f"compare: labels must name each of {len(runs)} runs once, found {', '.join(names)}")
    found = dict(zip(names, (Run(os.fspath(run)) for run in runs), strict=True))
    return compare_runs(found, baseline=baseline, pairs=pairs)


def compare_runs(runs: Mapping[str, Run], *, baseline: str | None = None, pairs: bool = False) -> Comparison:
    """Compare runs whose files are known, by the names of their systems; see `compare`."""
    check_baseline("compare", list(runs), baseline)
    first, *others = runs.values()
    job = first.job._replace(module="compare")
    for other in others:
        if other.job._replace(module="compare").digest != job.digest:
            raise InputError(
                f"compare: the runs in {first} and {other} differ in measures, settings or versions; score both in the "
                "same way"
            )
    with job.session() as session:
        compared = ComparedSystems(session, list(runs))
        for tasks in zip_longest(*runs.values()):
            found = [rows and rows.scored(session, 1)[0] for rows in tasks]
            for run, scored in zip(others, found[1:], strict=True):
                if None in (found[0], scored) or scored.ids != found[0].ids:
                    raise InputError(
                        f"compare: the samples of {first} and {run} have different ids; score the same samples in the "
                        "same order"
                    )
            for rows in tasks:
                rows.take_facts(session)
            by_pass = list(zip(*(scored.tables() for scored in found), strict=True))
            compared.add(by_pass, [Quality(len(found[0].ids), has_texts=False) for _ in runs], found[0].ids)
        return compared.comparison(baseline=baseline, pairs=pairs)


def job_of(path: Names, metrics: Any, arguments: Mapping[str, Any]) -> Job:
    """Return the job of a call."""
    asked = asked_measures("score", metrics)
    shape, rest = split_shape("score", {name: value for name, value in arguments.items() if name not in READING})
    names = [measure.name for measure in asked.values()]
    known = all_columns(names)
    named = {name: value for name, value in rest.items() if name in known and value is not None}
    for name, value in named.items():
        if not isinstance(value, str):
            raise InputError(f"score: {name} must be a column name in the file, found {describe(value)}")
    given = {name: value for name, value in rest.items() if name in FOR_ALL and name != "return_samples"}
    refuse_settings("score", asked, {name: value for name, value in rest.items() if name not in {*known, *given}})
    requests = make_requests("score", asked, USUAL, given)
    if any(request.chosen.seed is None for request in requests):
        raise InputError(
            "score: seed must be a whole number, found None; with None each part would use a different seed"
        )
    reading = {name: arguments.get(name) for name in READING}
    return Job(path, layout_for(names, named, shape), reading, requests, "score")


def _are_names(data: Any) -> bool:
    """Return whether the data are file names rather than a table."""
    if isinstance(data, (str, os.PathLike)):
        return True
    return isinstance(data, (list, tuple)) and bool(data) and all(isinstance(each, (str, os.PathLike)) for each in data)


_GROUP = 1 << 11
"""Rows in a row group."""


def table_in(folder: Path, table: Any) -> str:
    """Write a table into a folder, for other processes."""
    path = folder / "table.parquet"
    _write(table, path)
    return str(path)


def _write(table: Any, path: Path) -> None:
    import pyarrow.parquet

    if hasattr(table, "to_parquet") and hasattr(table, "features"):  # `datasets`
        table.to_parquet(path, batch_size=_GROUP)
        return
    try:
        pyarrow.parquet.write_table(_as_arrow(table), path, row_group_size=_GROUP, compression="zstd")
    except pyarrow.ArrowException as error:
        raise InputError(
            f"score: the table cannot be shared with worker processes: {error}; use one type per column"
        ) from None


def _as_arrow(table: Any) -> Any:
    import pyarrow

    if isinstance(table, pyarrow.Table):
        return table
    if hasattr(table, "to_arrow"):  # polars
        return table.to_arrow()
    frame = as_frame("score", table)
    if frame is None:
        raise InputError(f"score: expected file names or a table with at least one row, found {describe(table)}")
    return pyarrow.table({name: frame.column(name) for name in frame.names})
