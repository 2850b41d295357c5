"""`score` files or tables in shards, and `compare` runs, from Python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any

from fairsum_utils._util.temporary import temporary_folder
from fairsum_utils.cluster.engines import engine_named
from fairsum_utils.cluster.job import Job, Scored
from fairsum_utils.cluster.merge import check_finished, merged_rows, merged_state, restored_job
from fairsum_utils.cluster.ray import dataset_files, is_dataset
from fairsum_utils.cluster.scoring import Scoring
from fairsum_utils.cluster.shards import Manifest
from fairsum_utils.cluster.worker import SIGNATURES, take_signatures
from fairsum_utils.errors import InputError
from fairsum_utils.families.asked import asked_measures, completed, refuse_settings
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.families.warnings import warn
from fairsum_utils.io.downloads import sha256_of
from fairsum_utils.io.frames import split_shape
from fairsum_utils.io.layout import layout_for
from fairsum_utils.io.names import Name, Names
from fairsum_utils.io.writing import Folder
from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.results import Comparison, ScoreResults
from fairsum_utils.session import Request
from fairsum_utils.session.paired import PairedRows
from fairsum_utils.settings import USUAL_LEVEL
from fairsum_utils.validation import describe

_READING = ("split", "encoding", "input_format", "max_row_bytes")


def score(
    data: Any,
    metrics: Any = DEFAULT_METRICS,
    *,
    folder: Name | None = None,
    workers: int | None = None,
    engine: str | None = None,
    address: str | None = None,
    gpus_per_worker: float | None = None,
    rows_per_shard: int | None = None,
    **arguments: Any,
) -> ScoreResults:
    """Score samples in shards, in one process, several, or a cluster.

    The results equal those of `fairsum_utils.score` for any number of shards and processes. From 100,000 samples on,
    memory does not grow.

    Args:
        data: Files, patterns or addresses, as for the command ``fairsum score``; or a table of `datasets`,
            pandas, polars or pyarrow, a list of dicts, or a dict of columns; or a `ray.data.Dataset`, which Ray writes
            into the folder.
        metrics: Measures, as `fairsum_utils.score` takes them.
        folder: Path or address of a folder that keeps finished shards, so that another call with the same arguments
            goes on after one that was stopped; None for a temporary one.
        workers: Number of processes; None for one, or with an engine for the maximum that fits. In a script, call it
            with several processes under ``if __name__ == "__main__":``.
        engine: ``"ray"`` to run on Ray, on this machine or on a cluster; all nodes must see the folder.
        address: Address of a Ray cluster, such as ``"ray://host:10001"``; None for the one that this process is
            connected to, then for that of the environment variable ``RAY_ADDRESS``, else for a Ray that is started on
            this machine.
        gpus_per_worker: GPUs of each Ray worker; may be a fraction.
        rows_per_shard: Approximate number of samples per shard; None for few at first, then more.
        **arguments: Names of columns, such as ``sources="reviews"``; how samples are laid out, such as
            ``group_by="meeting"``; how files are read: ``split``, ``encoding``, ``input_format`` and
            ``max_row_bytes``; ``predictions`` may be the name of a column; and
            ``confidence_level``, ``n_resamples``, ``seed``, ``at_random``, ``language`` and ``unlabelled``.

    Returns:
        Measure -> result.

    Raises:
        InputError: An input or setting is invalid, or the folder contains another run.
        ShardsFailed: Some shards could not be scored; the message names them, and the others stay in the folder.

    Example:
        >>> rows = [{"prediction": "Tasty.", "sources": ["Tasty.", "Awful."], "values": ["pos", "neg"]}] * 5
        >>> score(rows, "bur,uer", rows_per_shard=2)["uer"]["uer"]
        0.25
    """
    with ExitStack() as opened:
        if folder is None:
            folder = opened.enter_context(temporary_folder())
        place = Folder(folder)
        path = dataset_files(data, place) if is_dataset(data) else data if _are_names(data) else table_in(place, data)
        chosen = engine_named(engine, address=address, gpus_per_worker=gpus_per_worker, workers=workers)
        job = job_of(path, metrics, arguments, evidence=False)
        if chosen is not None or (workers or 1) > 1:
            for request in job.requests:
                request.chosen.check_picklable("score")
        session = opened.enter_context(job.session())
        n_workers = 1 if workers is None else workers
        scoring = opened.enter_context(
            Scoring(job, session, workers=n_workers, folder=folder, rows_per_shard=rows_per_shard, engine=chosen)
        )
        for _ in scoring.chunks(rows=False):
            pass
        results = scoring.results()
    warn(results)
    return results


def compare(a: Name, b: Name) -> Comparison:
    """Compare two scored systems from their run folders, without new scoring.

    From 100,000 samples on, their states are compared, in constant memory.

    Args:
        a: Folder of the run of the baseline, path or address.
        b: Folder of the run of the other system, on samples with the same ids, sources and values.

    Returns:
        See `fairsum_utils.compare`.

    Raises:
        InputError: A folder has no finished run, or the runs differ in measures, settings or samples.
    """
    folders = [Folder(a), Folder(b)]
    manifests = [Manifest.read(folder) for folder in folders]
    for folder, manifest in zip(folders, manifests, strict=True):
        check_finished(folder, manifest)
    kept = [folder.read(SIGNATURES) if folder.exists(SIGNATURES) else b"" for folder in folders]
    if kept[0] != kept[1] or any(manifests[0].facts[name] != manifests[1].facts[name] for name in _SHARED):
        raise InputError(
            f"compare: the runs in {a} and {b} differ in measures, settings or versions; score both in the same way"
        )
    job = restored_job(folders[0], manifests[0])._replace(module="compare")
    with job.session() as session:
        take_signatures(session, folders[0])
        if all(manifest.has_states for manifest in manifests):
            states = [merged_state(folder, manifest) for folder, manifest in zip(folders, manifests, strict=True)]
            return session.compare_states(*states)
        session.check_comparable()
        systems = [_whole(merged_rows(*run, job, session)) for run in zip(folders, manifests, strict=True)]
        if systems[0].ids != systems[1].ids:
            raise InputError(
                f"compare: the samples of {a} and {b} have different ids; score the same samples in the same order"
            )
        paired = [PairedRows(each, "AB") for each in session.passes]
        for pairs, rows in zip(paired, zip(*(system.rows for system in systems), strict=True), strict=True):
            pairs.add(rows, systems[0].ids)
        return session.comparison(paired)


def _whole(chunks: Iterable[list[Scored]]) -> Scored:
    """All samples of one system together."""
    scored = [chunk for [chunk] in chunks]
    rows = [list(chain.from_iterable(of_pass)) for of_pass in zip(*(chunk.rows for chunk in scored), strict=True)]
    return Scored([name for chunk in scored for name in chunk.ids], rows)


_SHARED = ("version", "measures")
"""Facts that comparable runs have in common."""


_FOR_ALL = ("confidence_level", "n_resamples", "seed", "at_random", "language", "unlabelled")
"""Settings that the call says for all measures."""


def job_of(path: Names, metrics: Any, arguments: Mapping[str, Any], *, evidence: bool) -> Job:
    """Return the job of a call."""
    asked = asked_measures("score", metrics)
    shape, rest = split_shape("score", {name: value for name, value in arguments.items() if name not in _READING})
    names = [measure.name for measure in asked.values()]
    known = all_columns(names)
    named = {name: value for name, value in rest.items() if name in known and value is not None}
    for name, value in named.items():
        if not isinstance(value, str):
            raise InputError(f"score: {name} must be a column name in the file, found {describe(value)}")
    given = {name: value for name, value in rest.items() if name in _FOR_ALL}
    refuse_settings("score", asked, {name: value for name, value in rest.items() if name not in {*known, *given}})
    chosen = completed("score", asked, {"at_random": True, "confidence_level": USUAL_LEVEL}, given)
    if any(measure.seed is None for measure in chosen.values()):
        raise InputError(
            "score: seed must be a whole number, found None; with None each shard would use a different seed"
        )
    requests = tuple(
        Request(measure, label, {**asked[label].given(), **{k: v for k, v in given.items() if k in measure.infos()}})
        for label, measure in chosen.items()
    )
    reading = {name: arguments.get(name) for name in _READING}
    return Job(path, layout_for(names, named, shape), reading, requests, "score", evidence=evidence)


def _are_names(data: Any) -> bool:
    """Return whether the data are file names rather than a table."""
    if isinstance(data, (str, os.PathLike)):
        return True
    return isinstance(data, (list, tuple)) and bool(data) and all(isinstance(each, (str, os.PathLike)) for each in data)


_GROUP = 1 << 11
"""Rows in a row group."""


def table_in(folder: Folder, table: Any) -> str:
    """Write a table into the run folder once, named by its content."""
    with temporary_folder() as made:
        path = made / "table.parquet"
        _write(table, path)
        name = f"input/{sha256_of(path)}.parquet"
        if not folder.exists(name):
            folder.write(name, path)
    return folder.address(name)


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
    if hasattr(table, "iloc"):  # pandas
        return pyarrow.Table.from_pandas(table, preserve_index=False)
    if isinstance(table, (list, tuple)) and table and all(isinstance(row, Mapping) for row in table):
        names = dict.fromkeys(name for row in table for name in row)
        table = {name: [row.get(name) for row in table] for name in names}
    if isinstance(table, Mapping):
        return pyarrow.table({name: list(column) for name, column in table.items()})
    raise InputError(f"score: expected file names or a table with at least one row, found {describe(table)}")
