"""Options of commands that let a chat model or another generator write: where it is, and how it runs."""

from __future__ import annotations

import argparse
from typing import Any

from fairsum_utils.cli.options import add_settings
from fairsum_utils.inference.settings import InferenceSettings

__all__ = ["add_model_options", "endpoint_settings"]


def add_model_options(parser: argparse.ArgumentParser, *settings: str) -> None:
    """Add the options of a model behind an endpoint and of a model that runs here.

    Args:
        parser: of the command.
        *settings: names of the settings of `InferenceSettings` that the command takes.
    """
    group = parser.add_argument_group("endpoint: a model behind one")
    group.add_argument("--url", metavar="URL", help="OpenAI-compatible, such as http://localhost:8000/v1")
    group.add_argument("--concurrency", type=int, default=8, metavar="N", help="prompts asked at a time (default: 8)")
    group.add_argument(
        "--retries", type=int, default=5, metavar="N", help="of a prompt when the endpoint is busy (default: 5)"
    )
    group.add_argument("--timeout", type=float, default=60, metavar="SECONDS", help="of an answer (default: 60)")
    group = parser.add_argument_group("local: a model that runs here")
    group.add_argument("--revision", metavar="NAME", help="branch, tag or commit on the Hub")
    infos = InferenceSettings.infos()
    add_settings(group, [infos[name] for name in settings])


def endpoint_settings(options: argparse.Namespace) -> dict[str, Any]:
    """How an endpoint is asked, by the names of the library."""
    return {
        "base_url": options.url,
        "concurrency": options.concurrency,
        "max_retries": options.retries,
        "timeout": options.timeout,
    }
