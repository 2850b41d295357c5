"""What the tests of FairSumm's studies share."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import score


@pytest.fixture(scope="session")
def yelp_rows(shared_data: Path) -> list[dict[str, Any]]:
    """The published sets with GPT-4's summaries."""
    with gzip.open(shared_data / "perspectivesumm" / "yelp_gpt4.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="session")
def yelp_records(yelp_rows: list[dict[str, Any]]) -> Any:
    """Records of these summaries."""
    columns = [[row[name] for row in yelp_rows] for name in ("prediction", "sources", "values")]
    return score(*columns, metrics=["uer"], return_samples=True)["uer"]["samples"]
