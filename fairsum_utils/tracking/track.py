"""One call for every tracker."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from fairsum_utils._util.masking import masked, without_secrets
from fairsum_utils.errors import FairSumError, InputError, MissingDependencyError, require
from fairsum_utils.families.settings import unknown_setting
from fairsum_utils.tracking.contents import contents_of
from fairsum_utils.tracking.worst import Worst
from fairsum_utils.validation import check_count, describe

__all__ = ["require_tracker", "track", "tracker_names"]

_MODULE = "track"


@cache
def tracker_names() -> tuple[str, ...]:
    """The trackers there are: the files of the folder ``trackers``.

    Example:
        >>> tracker_names()
        ('mlflow', 'tensorboard', 'trackio', 'wandb')
    """
    files = (Path(__file__).parent / "trackers").glob("*.py")
    return tuple(sorted(file.stem for file in files if not file.stem.startswith("_")))


def require_tracker(name: str) -> Any:
    """The module of a tracker, whose package is there.

    Args:
        name: of the tracker.

    Raises:
        InputError: there is no such tracker.
        MissingDependencyError: its package is not installed; the message names the extra that brings it.

    Example:
        >>> require_tracker("wandbb")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: track: unknown tracker 'wandbb'; did you mean wandb? The trackers are mlflow,
        tensorboard, trackio, wandb
    """
    if not isinstance(name, str) or name not in tracker_names():
        raise unknown_setting(_MODULE, str(name), tracker_names(), "tracker")
    tracker = importlib.import_module(f"{__package__}.trackers.{name}")
    tracker.prepare()
    first, *others = tracker.PACKAGES
    try:
        require(first, extra=name, purpose=f"track results with {name}")
    except MissingDependencyError:
        if not any(_can_import(package) for package in others):
            raise
    return tracker


def _can_import(package: str) -> bool:
    try:
        importlib.import_module(package)
    except ImportError:
        return False
    return True


def track(
    results: Mapping[str, Mapping[str, Any]],
    to: str,
    *,
    name: str | None = None,
    step: int | None = None,
    worst: int | Worst = 20,
    texts: Mapping[int, str] | Sequence[str] | None = None,
    **options: Any,
) -> str:
    """Log results to an experiment tracker: scores, intervals, figures by value, counts, warnings, and worst samples.

    A run that is active in this process gets them, and stays active; otherwise one is made and finished. By default
    nothing leaves the machine: runs of wandb are offline ones unless ``WANDB_MODE`` or ``mode=`` says otherwise, and
    trackio, mlflow and tensorboard write to a folder unless their own variables name a server.

    Args:
        results: what `fairsum_utils.score` or `fairsum_utils.compare` returned.
        to: ``"trackio"``, ``"wandb"``, ``"mlflow"`` or ``"tensorboard"``.
        name: of the run; None leaves it to the tracker.
        step: of a training run; None for the next one.
        worst: how many of the worst samples of each measure go into a table, from the records that
            ``return_samples=True`` adds; or those that were kept while scoring.
        texts: the summaries in the order they were scored, which are sent along with the worst samples; None for
            scores and ids only.
        **options: for the tracker as it begins a run, such as ``project=`` and ``dir=`` of wandb, ``tracking_uri=``
            and ``experiment=`` of mlflow, or ``logdir=`` of tensorboard.

    Returns:
        A line that says where the run is.

    Raises:
        InputError: the results are none, there is no such tracker, or a run is active and options for another one
            are given.
        MissingDependencyError: the tracker is not installed.
        FairSumError: the tracker refuses, for a reason that the message gives.
    """
    if not isinstance(results, Mapping) or not all(isinstance(result, Mapping) for result in results.values()):
        raise InputError(f"{_MODULE}: results must be what score or compare returns, found {describe(results)}")
    if not isinstance(worst, Worst):
        worst = Worst(results, check_count(_MODULE, "worst", worst, least=0))
        for result in results.values():
            worst.add(result.get("samples", ()))
    tracker = require_tracker(to)
    contents = contents_of(results, name=name, tables={"worst_samples": worst.table(texts)})
    active = tracker.active()
    if active is not None and (options or name is not None):
        given = ", ".join([*(["name"] if name is not None else []), *options])
        raise InputError(f"{_MODULE}: a run of {to} is active, which gets the results; leave out {given}, or finish it")
    try:
        # What a tracker has to say must not stand among results.
        with contextlib.redirect_stdout(sys.stderr):
            where: str = tracker.log(contents, active, step, options)
    except FairSumError:
        raise
    except Exception as error:
        raise FairSumError(f"{_MODULE}: {to} refuses: {type(error).__name__}: {error}") from without_secrets(error)
    return masked(f"{to}: {where}")
