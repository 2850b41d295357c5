"""All pictures on a page and on a phone: within their frame, no text on another, nothing hostile."""

from __future__ import annotations

from typing import Any

import pytest

import fairsum_reproductions
from reproductions.tests.fairsumm._records import record
from tests.reports._forms import HOSTILE, check, made

NAMES = ["plain", *HOSTILE[:4]]  # tests/reports/test_panels.py draws all of them
RECORDS = [
    record(0, neg=(0.25, 0.5), pos=(0.75, 0.5)),
    record(1, neg=(0.6, 0.4), pos=(0.4, 0.6)),
    record(2, **{HOSTILE[0]: (0.2, 0.3), HOSTILE[3]: (0.8, 0.7)}),
]
DATA = [
    {"sources": ["green soup"] * 6 + ["brown bread"] * 3, "values": [one] * 6 + [other] * 3}
    for one, other in (("neg", "pos"), ("pos", "neg"), (HOSTILE[0], HOSTILE[3]))
]
SYSTEMS = dict.fromkeys(NAMES, RECORDS)
RESULTS = {
    f"{system.replace('/', '')}/{domain}": {"bur": {"bur": 0.25, "settings": {"matcher": "ngram"}}}
    for system in NAMES
    for domain in ("x", HOSTILE[2])
}
CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "averages": ((RESULTS,), {}),
    "breakdown": ((DATA, SYSTEMS), {}),
    "measure_correlation": ((SYSTEMS,), {"n_resamples": 2}),
    "oracle": ((DATA,), {"n_texts": 2, "n_resamples": 2}),
    "softmax_temperature": (
        (
            [{**each, "scores": [0.25, 0.5]} for each in RECORDS],
            [{"facts": {each["values"][1]: 1}} for each in RECORDS],
        ),
        {"n_resamples": 2},
    ),
    "tolerance": ((SYSTEMS,), {}),
    "value_ratios": ((SYSTEMS,), {}),
}


@pytest.mark.parametrize("name", CALLS)
def test_with_hostile_names(name: str) -> None:
    inputs, settings = CALLS[name]
    found = getattr(fairsum_reproductions, name)(*inputs, **settings)
    for panel in found._draw([]).panels:
        check(made(panel))
    assert "\u202e" not in found.report()
    assert "<script>" not in found.to_markdown()
