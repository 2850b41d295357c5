"""Options of commands whose results can go to an experiment tracker."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.command import Option, Options
from fairsum_utils.cli.terminal import say
from fairsum_utils.errors import InputError
from fairsum_utils.io.layout import Layout, read_chunks
from fairsum_utils.io.names import Names, list_names

if TYPE_CHECKING:
    from fairsum_utils.integrations.tracking import Worst


_CHUNK = 1024
"""Samples that are read together, to find some of them again."""


def tracking_options(*, samples: bool = False) -> tuple[Option, ...]:
    """Make the options of which tracker, and of what of the samples it gets if the command knows its worst samples."""
    track = Option(
        "--track",
        metavar="TRACKER",
        help="log the results to trackio, wandb (offline unless WANDB_MODE says otherwise), mlflow or tensorboard",
    )
    name = Option("--run-name", metavar="NAME", help="of the tracked run (default: from the names of the files)")
    texts = Option("--track-texts", help="the tracker also gets the texts of the worst samples")
    return (track, name, texts) if samples else (track, name)


def check_tracking(options: Options, module: str, layout: Layout | None = None) -> None:
    """Refuse what would go wrong only when all is scored.

    Args:
        options: of the command.
        module: name used in messages.
        layout: of a command that can tell texts.

    Raises:
        InputError: options without a tracker, no such tracker, or texts that are not read.
        MissingDependencyError: it is not installed.
    """
    if options.track is None:
        given = ["--run-name"] * (options.run_name is not None)
        given += ["--track-texts"] * getattr(options, "track_texts", False)
        if given:
            raise InputError(f"{module}: {given[0]} is for --track; name a tracker, such as --track wandb")
        return
    if layout is not None and options.track_texts and all(column.name != "predictions" for column, _ in layout.columns):
        raise InputError(f"{module}: --track-texts needs the texts, but no column of them is read; leave it out")
    from fairsum_utils.integrations.tracking import require_tracker

    require_tracker(options.track)


def track_results(
    options: Options,
    results: Mapping[str, Mapping[str, Any]],
    files: Names,
    worst: Worst | int = 0,
    texts: Mapping[int, str] | None = None,
) -> None:
    """Log results to the tracker that was asked for, if any, and say where they are.

    Args:
        options: of the command.
        results: measure -> result.
        files: that were scored.
        worst: samples that were kept while scoring.
        texts: of these, by index.
    """
    if options.track is None:
        return
    from fairsum_utils.integrations.tracking import track

    name = options.run_name or "-".join(Path(file).name.split(".")[0] or Path(file).name for file in list_names(files))
    say(track(results, options.track, name=name, worst=worst, texts=texts))


def texts_of(path: Names, layout: Layout, indices: set[int], **how: Any) -> dict[int, str]:
    """The texts of some samples, read once more: index -> text."""
    found: dict[int, str] = {}
    for chunk in read_chunks(path, layout, _CHUNK, **how):
        places = range(len(chunk.ids))
        found |= {
            chunk.start + place: chunk.columns["predictions"][place]
            for place in places
            if chunk.start + place in indices
        }
        if len(found) == len(indices):
            break
    return found
