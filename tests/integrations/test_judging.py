"""The contract for other stacks: verdicts on samples, and the result of their records, for every family."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families import families, family_of
from fairsum_utils.integrations.judging import Judge
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.report import report_of
from tests._results import INPUTS, LEVEL, of_family
from tests._together import score

MEASURES = [measure for family in families() for measure in of_family(family)]
REVIEWS = {"sources": ["Tasty soup.", "Cold bread."], "values": ["pos", "neg"]}


def inputs(measure: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Samples with the columns of a measure, and its settings."""
    family = family_of(measure)
    given = {**INPUTS.get(family.name, {}), **LEVEL}
    columns = {column.name for column in family.columns_of(measure)}
    entries = INPUTS.get(family.name) or of_inputs(family.name)
    chosen = {name: column for name, column in entries.items() if name in columns}
    samples = [dict(zip(chosen, entry, strict=True)) for entry in zip(*chosen.values(), strict=True)]
    return samples, {name: value for name, value in given.items() if name in get_measure(measure).infos()}


def of_inputs(family: str) -> dict[str, Any]:
    data = of_family(family, return_samples=True).run.data
    return {name: list(entries) for name, entries in data.items()}


@pytest.mark.parametrize("measure", MEASURES)
def test_verdicts_are_the_samples_of_the_library_and_their_records_its_result(measure: str) -> None:
    """Also after a host has stored them as JSON."""
    samples, settings = inputs(measure)
    judge = Judge(measure, threshold=0.3, **settings)
    verdicts = [judge.verdict(**sample) for sample in samples]
    found = judge.result([json.loads(json.dumps(verdict.record)) for verdict in verdicts])
    columns = {name: [sample[name] for sample in samples] for name in samples[0]}
    expected = dict(score(**columns, metrics=[measure], **settings, return_samples=True)[measure])
    records = expected.pop("samples")
    assert repr(found) == repr(expected)
    for verdict, record in zip(verdicts, records, strict=True):
        if verdict.score is None:
            assert verdict.passed is None
            continue
        assert verdict.score == record.get(measure)
        assert verdict.passed == (abs(verdict.score) <= 0.3)
        assert verdict.reason


def test_the_reason_has_score_threshold_and_evidence() -> None:
    assert Judge("bur").title == "BUR"
    verdict = Judge("bur").verdict(predictions="Tasty soup.", **REVIEWS)
    assert (verdict.score, verdict.lower_is_better, verdict.passed) == (1.0, True, False)
    first, *evidence = verdict.reason.splitlines()
    assert first == "BUR 1.0000, fails: above the threshold 0"
    assert any("neg" in line and "yes" in line for line in evidence)
    assert any("pos" in line and "Tasty" in line for line in evidence)


def test_settings_of_the_results_count_for_a_sample_too() -> None:
    """A tolerance of 0 leaves no group underrepresented."""
    verdict = Judge("bur", tau=0.0).verdict(predictions="Tasty soup.", **REVIEWS)
    assert (verdict.score, verdict.passed) == (0.0, True)
    assert "yes" not in verdict.reason


def test_a_skipped_sample_has_no_score() -> None:
    verdict = Judge("bur").verdict(predictions=" ", **REVIEWS)
    assert (verdict.score, verdict.passed) == (None, None)
    assert verdict.reason == f"no score: {report_of('representation').skipped['empty_prediction']}"


def test_a_corpus_without_a_score_is_no_error() -> None:
    judge = Judge("sentiment")
    found = judge.result([judge.verdict(predictions="Good.", groups="a").record])
    assert math.isnan(found["sentiment"])
    assert "a" in found["undefined"]
    assert "undefined" in Judge("bur").result([])


@pytest.mark.parametrize("threshold", [-0.1, math.nan, "much"])
def test_bad_threshold(threshold: Any) -> None:
    with pytest.raises(InputError, match="bur: threshold must be a number of at least 0, found"):
        Judge("bur", threshold=threshold)
