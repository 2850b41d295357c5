"""Fixtures, all from the package's own tests."""

from __future__ import annotations

from tests.analysis.conftest import refusal, replicates
from tests.cli.conftest import fairsum, write_jsonl
from tests.conftest import examples, repository, shared_data

__all__ = ["examples", "fairsum", "refusal", "replicates", "repository", "shared_data", "write_jsonl"]
