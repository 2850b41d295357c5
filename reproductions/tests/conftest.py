"""Fixtures, all from the package's own tests."""

from __future__ import annotations

from tests.analysis.conftest import refusal, replicates
from tests.cli.conftest import fairsum, write_jsonl
from tests.conftest import chat_server, examples, nli_model, oracle, paper, repository, shared_data, tiny_model, tweets

__all__ = [
    "chat_server",
    "examples",
    "fairsum",
    "nli_model",
    "oracle",
    "paper",
    "refusal",
    "replicates",
    "repository",
    "shared_data",
    "tiny_model",
    "tweets",
    "write_jsonl",
]
