"""`fairsum monitor`: windows of a stream against a baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.command import Argument, Option, Options, command, exclusive, in_group
from fairsum_utils.cli.options import PREDICTIONS, input_options, layout_of, reading
from fairsum_utils.cli.outputs import output_options, plot_option, without_run, write_document
from fairsum_utils.cli.terminal import note
from fairsum_utils.errors import InputError
from fairsum_utils.io.names import list_names

if TYPE_CHECKING:
    from fairsum_utils.gate.monitor import Monitor
    from fairsum_utils.results import ScoreResults


_SETTINGS = ("metrics", "alpha", "side", "shift")


@command(
    Argument("files", "[FILE]...", "results of a window each, or with --window a file of samples", nargs=-1),
    *in_group(
        "monitor",
        Option("--baseline", metavar="RESULTS", help="results that windows are compared with"),
        Option("--state", metavar="FILE.json", help="go on from this file, and write it again"),
        Option("--metrics", metavar="LIST", help="labels of the baseline's results (default: all that can be)"),
        Option("--alpha", type=float, metavar="X", help="chance of a false alarm (default: 0.05)"),
        Option(
            "--side",
            choices=("worse", "both"),
            help="look for scores that become worse, or that change (default: worse)",
        ),
        Option(
            "--shift",
            type=float,
            metavar="X",
            help="a change that is to be seen; exit status 3 while it cannot be",
        ),
    ),
    *in_group(
        "windows of a file of samples",
        Option("--window", type=int, metavar="N", help="samples of a window; a smaller rest is left out"),
        Option("--window-column", metavar="NAME", help="column whose entry tells a sample's window"),
    ),
    *input_options(PREDICTIONS),
    *output_options(plot_option()),
)
def monitor(options: Options) -> int:
    """Compare windows of a stream with a baseline; raise an alarm on change.
    Without a change, at most 5 of 100 streams ever raise an alarm, no matter how often you look.

    Windows are results that fairsum score --output wrote, in their order; or a file of samples, as fairsum
    score reads it, cut into windows of N samples or by a column such as the day, and scored with the measures
    and settings of the baseline. Monitored are means over samples, such as BUR, UER, AUC and Equal Coverage;
    alpha is shared among them. The baseline and the state are no windows, also where a pattern such as
    'days/*.json' names them.

    With --state the monitor goes on where it stopped: windows that it has seen are passed over, if they are the
    same still, and the alarm stays. For another baseline, or to begin again, name another file.

    Nothing changes means that samples come as in the baseline, independently of one another. If days differ by
    themselves, that is a change; a window of several days, and a baseline of many, are steadier.

    exit status: 0 no alarm, 1 alarm, 2 bad input, 3 no alarm, but too few samples to tell: fewer than 30 in the
    baseline or in all windows, or too few to have shown a shift of --shift

    examples:
      fairsum monitor may.json june.json --baseline april.json
      fairsum monitor 'days/*.json' --baseline april.json --state monitor.json --plot monitor.svg
      fairsum monitor summaries.jsonl --window-column day --baseline april.json --metrics bur
      fairsum monitor summaries.parquet --window 200 --baseline april.json --shift 0.05
      fairsum monitor --state monitor.json                       what it says so far
    """
    from fairsum_utils.io.stores import local_path
    from fairsum_utils.io.writing import check_output

    exclusive(options, "window", "window_column")
    files = _files(options)
    read = [*files, *filter(None, [options.baseline])]
    if options.state is not None:
        if local_path(options.state) is None:
            raise InputError(f"monitor: {options.state} is at an address; a state is a file of this machine")
        check_output(options.state, ".json", inputs=read)
    if options.window is not None:
        from fairsum_utils.validation import check_count

        check_count("monitor", "--window", options.window)
    with _locked(options.state):
        monitor, baseline = _monitor(options)
        for name, window in _windows(files, options, monitor, baseline):
            if not monitor.has(window, name):
                monitor.add(window, name)
        if options.state is not None:
            monitor.save(options.state)
    results = monitor.results()
    document = without_run(results._document())
    write_document(options, document, results._parts(), read=dict.fromkeys(read), drawing=results.plot)
    return results.exit_status


def _files(options: Options) -> list[str]:
    """Return the named files, without the baseline and the state."""
    from fairsum_utils.reports.tables import listed

    if options.window is not None or options.window_column is not None or not options.files:
        return list(options.files)
    names = list_names(options.files)
    others = {Path(other).resolve() for other in (options.baseline, options.state) if other is not None}
    if left := [name for name in names if Path(name).resolve() in others]:
        note(f"no windows: {listed(left)}, the baseline or the state")
    return [name for name in names if name not in left]


def _locked(state: str | None) -> AbstractContextManager[Any]:
    """Lock the state against other runs."""
    from fairsum_utils.io.writing import lock_path

    if state is None:
        return nullcontext()
    path = Path(state)
    return lock_path(path.with_name(f".{path.name}.lock"), state)


def _monitor(options: Options) -> tuple[Monitor, ScoreResults | None]:
    """Return the monitor, from options or the state, and the baseline."""
    from fairsum_utils.gate.monitor import Monitor
    from fairsum_utils.reports.tables import listed
    from fairsum_utils.results import ScoreResults, read_results

    given = {name: getattr(options, name) for name in _SETTINGS if getattr(options, name) is not None}
    begun = options.state is not None and Path(options.state).exists()
    kept = Monitor.read(options.state) if begun else None
    if options.baseline is None:
        if kept is None:
            raise InputError("monitor: needs the results of a baseline; name their file with --baseline")
        if given:
            raise InputError(
                f"monitor: --{' and --'.join(given)} cannot change what {options.state} began with; leave out, or "
                "give --baseline and another --state"
            )
        return kept, None
    baseline = read_results(options.baseline)
    wanted = Monitor(baseline, **given)  # type: ignore[arg-type]  # it refuses what it cannot take
    assert isinstance(baseline, ScoreResults)
    if (left := [label for label in baseline if label not in wanted.labels]) and options.metrics is None:
        reason = "it is not a mean" if len(left) == 1 else "they are not means"
        note(f"{listed(left)} cannot be monitored: {reason} over samples")
    if kept is not None:
        kept.check_same(wanted)
    return kept or wanted, baseline


def _windows(
    files: list[str], options: Options, monitor: Monitor, baseline: ScoreResults | None
) -> Iterator[tuple[str, ScoreResults]]:
    """Yield each window's name and results.

    Raises:
        InputError: a window that has no results, or a name twice.
    """
    if options.window is None and options.window_column is None:
        if options.predictions is not None:
            raise InputError("monitor: --predictions needs samples; add --window N or --window-column NAME")
        yield from _of_results(files)
        return
    if baseline is None:
        raise InputError("monitor: to score windows, the settings of the baseline are needed; give --baseline")
    if not options.files:
        raise InputError("monitor: there is no file to cut into windows; name one")
    yield from _of_samples(options, monitor, baseline)


def _of_results(paths: list[str]) -> Iterator[tuple[str, ScoreResults]]:
    from fairsum_utils.results import read_results

    names = [Path(path).stem for path in paths]
    name, n = Counter(names).most_common(1)[0] if names else ("", 0)
    if n > 1:
        raise InputError(f"monitor: {n} windows are called {name!r}; give their files names of their own")
    for path, name in zip(paths, names, strict=True):
        if not path.endswith(".json"):
            raise InputError(
                f"monitor: {path} is no file of results (.json); to cut samples into windows add --window N or "
                "--window-column NAME"
            )
        yield name, read_results(path)  # type: ignore[misc]  # the monitor refuses what is no scoring


def _of_samples(options: Options, monitor: Monitor, baseline: ScoreResults) -> Iterator[tuple[str, ScoreResults]]:
    from fairsum_utils.cluster.job import Job
    from fairsum_utils.gate.monitor import requests_of, window_column, windows_by_column, windows_of_size
    from fairsum_utils.io.names import Several

    requests = requests_of(baseline, monitor.labels)
    layout = layout_of(options, "monitor", [request.measure for request in requests], options.predictions)
    if options.window_column is not None:
        column = window_column(options.window_column)
        layout = layout._replace(columns=(*layout.columns, (column, options.window_column)))
    path = options.files[0] if len(options.files) == 1 else Several(options.files)
    job = Job(path, layout, reading(options), requests, "monitor")
    if options.window_column is not None:
        yield from windows_by_column(job, options.workers)
    else:
        yield from windows_of_size(job, options.window, options.workers)
