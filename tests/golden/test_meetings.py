"""Thirty meetings judged by hand before the rules read them: errors found, and no false accusation."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.families.misattribution.scorer import MisattributionScorer
from fairsum_utils.families.misattribution.settings import MisattributionSettings

HERE = Path(__file__).parent / "claims"
MEETINGS: list[dict[str, Any]] = json.loads((HERE / "meetings.json").read_text(encoding="utf-8"))


def outcomes(meeting: dict[str, Any]) -> Counter[str]:
    """Compare the claims that the scorer finds in a meeting's summary with those of the reader."""
    joint = meeting.get("joint", " ")
    scorer = MisattributionScorer(("misattribution",), MisattributionSettings(), evidence=True)
    columns = {
        "predictions": [joint.join(sentence["text"] for sentence in meeting["sentences"])],
        "sources": [[text for _, text in meeting["turns"]]],
        "values": [[speaker for speaker, _ in meeting["turns"]]],
    }
    [row] = scorer.score(list(scorer.read(columns)))
    found, start = Counter[str](), 0
    left = [(claim.speaker, claim.spans[0][0], claim.spans[-1][1], claim.outcome) for claim in row.claims or ()]
    for sentence in meeting["sentences"]:
        for speaker, statement, truth in sentence["claims"]:
            begin = start + sentence["text"].index(statement)
            end = begin + len(statement)
            same = [each for each in left if each[0] == speaker and each[1] < end and begin < each[2]]
            accused = any(outcome == "misattributed" for *_, outcome in same)
            found[f"{truth}: {'accused' if accused else 'read' if same else 'missed'}"] += 1
        start += len(sentence["text"]) + len(joint)
    return found
