"""Options of models, and a check of added columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairsum_utils.cli.command import Option, Options, in_group
from fairsum_utils.cli.options import setting_option
from fairsum_utils.errors import InputError
from fairsum_utils.settings.models import InferenceSettings


def model_options(*settings: str) -> tuple[Option, ...]:
    """Make the options of endpoint models and local models.

    Args:
        *settings: names of the settings of `InferenceSettings` that the command takes.
    """
    infos = InferenceSettings.infos()
    return (
        *in_group(
            "model at an endpoint",
            Option("--url", metavar="URL", help="OpenAI-compatible endpoint, such as http://localhost:8000/v1"),
            Option("--concurrency", type=int, default=8, metavar="N", help="Number of concurrent requests"),
            Option("--retries", type=int, default=5, metavar="N", help="Number of retries if the endpoint is busy"),
            Option("--timeout", type=float, default=60, metavar="SECONDS", help="Maximum time for an answer"),
        ),
        *in_group(
            "model on this machine",
            Option("--revision", metavar="NAME", help="Branch, tag or commit on the Hub"),
            *[setting_option(infos[name]) for name in settings],
        ),
    )


def endpoint_settings(options: Options) -> dict[str, Any]:
    """Return the endpoint options by their names in the library."""
    return {
        "base_url": options.url,
        "concurrency": options.concurrency,
        "max_retries": options.retries,
        "timeout": options.timeout,
    }


def check_added(
    where: object, rows: Iterable[Mapping[str, Any]], added: Sequence[str], remedies: Mapping[str, str]
) -> None:
    """Reject rows that already have a column to be added.

    Args:
        where: the file of the rows, or a place in it.
        rows: rows of the file.
        added: columns to be added.
        remedies: one of these columns -> what to do but to rename it.

    Raises:
        InputError: there is such a column.
    """
    columns = {name for row in rows for name in row}
    for name in added:
        if name in columns:
            remedy = f", or {remedies[name]}" if name in remedies else ""
            raise InputError(f"{where}: there is a column {name!r} already; rename it{remedy}")
