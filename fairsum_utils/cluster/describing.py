"""A job as JSON has it, for the manifest of a run: to go on with it, and to merge it without its command line."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from fairsum_utils._util.secrets import masked
from fairsum_utils._version import __version__
from fairsum_utils.cluster.job import Job
from fairsum_utils.families.documents import all_columns
from fairsum_utils.io.folders import identity_of
from fairsum_utils.io.layout import Layout, quality_column
from fairsum_utils.io.names import Names, Several, list_names
from fairsum_utils.io.shapes import Shape
from fairsum_utils.results.record import plain
from fairsum_utils.session import Request

__all__ = ["facts_of", "job_from_json", "job_to_json"]

_OF_A_MACHINE = ("device", "batch_tokens", "cache")
"""Settings that change no number, and may differ from one process of a run to the next."""


def facts_of(job: Job) -> dict[str, Any]:
    """What must be the same for a run to go on.

    Args:
        job: what is scored.

    Raises:
        InputError: there is no such file.
    """
    layout = job.layout
    return {
        "version": __version__,
        "files": _identities(job.path),
        "other_files": [_identities(name) for name in job.files[1:]],
        "columns": [[column.name, name] for column, name in layout.columns],
        "shape": _shape(layout.shape),
        "reading": dict(job.reading),
        "measures": [[request.measure, request.label, _told(request.settings)] for request in job.requests],
    }


def _identities(names: Names) -> list[dict[str, Any]]:
    return [identity_of(name).to_dict() for name in list_names(names)]


def _told(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings that change numbers: as they are where they are short, and what a file holds that they name."""
    return {name: _short(value) for name, value in settings.items() if name not in _OF_A_MACHINE}


def _short(value: Any) -> Any:
    # Unlike `Path.is_file` it takes any text, such as a prompt, which is too long for a name.
    if isinstance(value, (str, Path)) and os.path.isfile(value):  # noqa: PTH113
        return [str(value), identity_of(value).to_dict()]
    text = json.dumps(value, default=plain)
    return json.loads(text) if len(text) <= _LONG else sha256(text.encode()).hexdigest()


_LONG = 200


def _shape(shape: Shape) -> dict[str, Any]:
    return {name: getattr(shape, name) for name in Shape.infos()}


def job_to_json(job: Job) -> dict[str, Any] | None:
    """A job as JSON has it; None where a setting is something that only Python has.

    Args:
        job: what is scored.
    """
    layout = job.layout
    document = {
        "path": _names(job.path),
        "layout": {
            "columns": [[column.name, name, column.sparse] for column, name in layout.columns],
            "shape": _shape(layout.shape),
            "by_id": layout.by_id,
            "predictions": None if layout.predictions is None else _names(layout.predictions),
        },
        "reading": dict(job.reading),
        "requests": [
            [request.measure, request.label, dict(request.settings), request.given and dict(request.given)]
            for request in job.requests
        ],
        "module": job.module,
        "evidence": job.evidence,
        "others": [_names(name) for name in job.others],
        "names": list(map(masked, job.names)),
        "quality": job.quality,
        "sources": None if job.sources is None else _names(job.sources),
    }
    try:
        text = json.dumps(document, default=_path)
    except TypeError:
        return None
    return dict(json.loads(text))


def _path(value: Any) -> str:
    if isinstance(value, Path):
        return str(value)
    raise TypeError


def _names(names: Names) -> str | list[str]:
    """Names as they were given, with patterns; of an address no password and no signature."""
    return masked(os.fspath(names)) if isinstance(names, (str, os.PathLike)) else [masked(os.fspath(n)) for n in names]


def job_from_json(document: Mapping[str, Any]) -> Job:
    """The job that `job_to_json` has told.

    Args:
        document: of `job_to_json`.
    """
    requests = tuple(Request(*each) for each in document["requests"])
    known = all_columns([request.measure for request in requests])
    laid = document["layout"]
    columns = tuple(
        ((known.get(name) or quality_column(in_file))._replace(sparse=sparse), in_file)
        for name, in_file, sparse in laid["columns"]
    )
    shape = Shape(**laid["shape"], module=document["module"])
    layout = Layout(columns, shape, laid["by_id"], _named(laid["predictions"]))
    return Job(
        _named(document["path"]),
        layout,
        document["reading"],
        requests,
        document["module"],
        evidence=document["evidence"],
        others=tuple(map(_named, document["others"])),
        names=tuple(document["names"]),
        quality=tuple(document["quality"]),
        sources=_named(document["sources"]),
    )


def _named(names: Any) -> Any:
    """What `_names` has told, as the command has it."""
    return Several(names) if isinstance(names, list) else names
