"""With what a run is scored, as its workers find it: models and precision, which those who merge do not load."""

from __future__ import annotations

import json
from typing import Any

from fairsum_utils.cluster.job import Job
from fairsum_utils.errors import InputError
from fairsum_utils.io.folders import Folder
from fairsum_utils.session import Session
from fairsum_utils.signature import render_signature

__all__ = ["SIGNATURES", "keep_signatures", "take_signatures"]

SIGNATURES = "signatures.json"
"""File of a run's folder, written by its first worker that has a model."""


def keep_signatures(job: Job, session: Session, folder: Folder) -> None:
    """Load the models of a worker, and say in the folder of the run what they are; where none is needed, do nothing.

    Args:
        job: that is scored.
        session: of the worker.
        folder: of the run.

    Raises:
        InputError: a model cannot be had, or another worker scores with something else.
    """
    if not job.uses_model(session):
        return
    given = {column.name for column, _ in job.layout.columns}
    ours = [{measure: each.scorer.signature(measure, given) for measure in each.measures} for each in session.passes]
    if not folder.exists(SIGNATURES):
        folder.write(SIGNATURES, json.dumps(ours).encode())
    for said, told in zip(ours, json.loads(folder.read(SIGNATURES)), strict=True):
        for measure, signature in said.items():
            if render_signature(signature) != render_signature(told[measure]):
                raise InputError(
                    f"{measure} would be scored with {render_signature(signature)}, and other workers of this run "
                    f"score it with {render_signature(told[measure])}; choose --device and --dtype so that all of "
                    "them compute alike"
                )


def take_signatures(session: Session, folder: Folder) -> None:
    """Let a session make results of what was scored elsewhere without loading a model to say its name.

    Args:
        session: of the job of the run.
        folder: of the run.
    """
    if folder.exists(SIGNATURES):
        for each, told in zip(session.passes, json.loads(folder.read(SIGNATURES)), strict=True):
            each.scorer.signature = _Told(told)  # type: ignore[method-assign]


class _Told:
    """Stands for `Scorer.signature`."""

    def __init__(self, signatures: dict[str, dict[str, object]]) -> None:
        self.signatures = signatures

    def __call__(self, measure: str, given: Any) -> dict[str, object]:
        return dict(self.signatures[measure])
