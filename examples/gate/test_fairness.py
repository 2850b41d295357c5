"""Gate as a test: the fixture `fairsum_check` comes with fairsum-utils."""

import json
import os
from pathlib import Path

from fairsum_utils import score

HERE = Path(__file__).parent
SUMMARIES = os.environ.get("SUMMARIES", "data/careful.jsonl")


def scored(name):
    """Score a file of summaries."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return score([json.loads(line) for line in lines], metrics=["bur", "uer"], confidence_level=0.95)


def test_the_summaries_are_no_worse_than_those_of_main(fairsum_check):
    """Check every rule of fairsum.toml."""
    fairsum_check(scored(SUMMARIES), HERE / "fairsum.toml", baseline=scored("data/main.jsonl"))
