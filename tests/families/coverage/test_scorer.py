"""Texts to coverage: hand-worked matrices, both protocols, skips, evidence, and bad input by its message."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.families.coverage.rows import CoverageRow
from fairsum_utils.families.coverage.scorer import CoverageScorer
from fairsum_utils.measures._coverage import CoverageMeasure
from tests import _together

SOURCES = ["Great soup. The bread was cold.", "Slow service."]


def scorer_of(*, evidence: bool = False, **settings: Any) -> CoverageScorer:
    scorer = CoverageScorer(("equal_coverage",), CoverageMeasure(module="equal_coverage", **settings))
    scorer.evidence = evidence
    return scorer


def lexical(**options: Any) -> CoverageScorer:
    return scorer_of(entailer="lexical", normalizer="simple", **options)


def rows_of(scorer: CoverageScorer, start: int = 0, **columns: Any) -> list[CoverageRow]:
    return scorer.score(list(scorer.read(columns, start=start)))


def score_one(
    scorer: CoverageScorer, prediction: str, sources: list[str], values: list[str], **given: Any
) -> CoverageRow:
    columns = {"predictions": prediction, "sources": sources, "values": values, **given}
    [row] = rows_of(scorer, **{name: [entry] for name, entry in columns.items()})
    return row


def test_mean_over_units_of_the_best_chunk_by_hand() -> None:
    # Chunks of at most three words: "Great soup." and "The bread was" and "cold." of the first document.
    # Unit "Great bread." (great, bread): chunks 1/2, 1/2, 0 -> 1/2; second document 0.
    # Unit "Slow soup." (slow, soup): chunks 1/2, 0, 0 -> 1/2; second document 1/2.
    row = score_one(lexical(chunk_words=3, evidence=True), "Great bread. Slow soup.", SOURCES, ["a", "b"])
    assert row.coverage == (0.5, 0.25)
    assert row.units == ("Great bread.", "Slow soup.")
    assert row.evidence == ((0, 0, 0.5, "Great soup."), (0, 0, 0.5, "Great soup."))


def judge_by_table(table: dict[tuple[str, str], float]) -> Any:
    return lambda premises, hypotheses: [table.get(pair, 0.0) for pair in zip(premises, hypotheses, strict=True)]


def test_released_protocol_by_hand() -> None:
    # Units A., B., C., D.; A and B entail each other above 0.95, so they are one; C and D only one way.
    # Document x entails A 0.6, B 0.9 (kept: above one half), C 0.4 (not the likeliest of two classes: 0), D 0.
    # Document y entails A 0.7, C 0.8, D 0.5 (a tie is not the likeliest).
    # Groups: {A, B}: x 0.9, y 0.7; {C}: x 0, y 0.8; {D}: nobody, so it does not count. Over two units:
    # x (0.9 + 0) / 2 = 0.45, y (0.7 + 0.8) / 2 = 0.75.
    table = {
        ("A.", "B."): 0.96, ("B.", "A."): 0.97, ("C.", "D."): 0.99, ("D.", "C."): 0.95,
        ("x.", "A."): 0.6, ("x.", "B."): 0.9, ("x.", "C."): 0.4,
        ("y.", "A."): 0.7, ("y.", "C."): 0.8, ("y.", "D."): 0.5,
    }  # fmt: skip
    scorer = scorer_of(entailer=judge_by_table(table), protocol="released", evidence=True)
    row = score_one(scorer, "ignored", ["x.", "y."], ["a", "b"], summary_units=["A.", "B.", "C.", "D."])
    assert row.coverage == pytest.approx((0.45, 0.75), abs=1e-15)
    assert row.units == ("A. | B.", "C.")
    assert row.n_units == 2
    assert row.evidence == ((0, 0, 0.9, "x."), (1, 0, 0.8, "y."))
    nothing = score_one(scorer, "ignored", ["x.", "y."], ["a", "b"], summary_units=["D."])
    assert nothing.skipped == "no_covered_unit"
    # The paper's protocol keeps every probability and unit: x (0.6 + 0.9 + 0.4 + 0) / 4, y (0.7 + 0 + 0.8 + 0.5) / 4.
    paper = scorer_of(entailer=judge_by_table(table))
    row = score_one(paper, "ignored", ["x.", "y."], ["a", "b"], summary_units=["A.", "B.", "C.", "D."])
    assert row.coverage == pytest.approx((0.475, 0.5), abs=1e-15)


def test_a_document_without_text_covers_nothing_in_the_released_protocol() -> None:
    # Unit A: x 0.9, y 0.6; unit B: x 0, y 0.8. Over both units: x 0.45, the blank 0, y 0.7. Mean (0.45 + 0 + 0.7) / 3.
    # Value a holds x and the blank: 0.225 - 0.38333 = -0.15833; b holds y: 0.7 - 0.38333 = 0.31667. EC is their mean
    # size, 0.2375.
    table = {("x.", "A."): 0.9, ("y.", "A."): 0.6, ("y.", "B."): 0.8}
    scorer = scorer_of(entailer=judge_by_table(table), protocol="released", evidence=True)
    sample = {"sources": ["x.", " \n", "y."], "values": ["a", "a", "b"], "summary_units": ["A.", "B."]}
    row = score_one(scorer, "ignored", **sample)
    assert row.coverage == pytest.approx((0.45, 0.0, 0.7), abs=1e-15)
    assert row.evidence == ((0, 0, 0.9, "x."), (2, 0, 0.8, "y."))
    columns = {"predictions": ["ignored"], **{name: [entry] for name, entry in sample.items()}}
    options = {"entailer": judge_by_table(table), "protocol": "released"}
    found = _together.score(**columns, metrics=["equal_coverage", "coverage_parity"], **options)
    assert found["equal_coverage"]["equal_coverage"] == pytest.approx(0.2375, abs=1e-12)
    # No document has text: no unit is covered, so the sample says nothing.
    row = score_one(scorer, "ignored", ["", " "], ["a", "b"], summary_units=["A."])
    assert row.skipped == "no_covered_unit"


@pytest.mark.parametrize(
    ("prediction", "values", "reason"),
    [
        ("  ", ["a", "b"], "empty_prediction"),
        ("Great soup.", ["a", "a"], "single_value"),
        ("?! ...", ["a", "b"], "no_units"),
    ],
)
def test_skipped_and_counted(prediction: str, values: list[str], reason: str) -> None:
    assert score_one(lexical(), prediction, SOURCES, values) == CoverageRow(0, skipped=reason)


def test_given_matrix_and_units() -> None:
    scorer = scorer_of(evidence=True)  # no model is loaded
    row = score_one(scorer, "", ["", ""], ["a", "b"], coverage=np.array([[1, 0.5], [0, 0.5]]), summary_units=["u", "v"])
    assert row.coverage == (0.75, 0.25)
    assert row.units == ("u", "v")
    assert row.evidence == ((0, None, 1.0, None), (0, None, 0.5, None))
    # Given units stand for the summary, which may then be empty; without any it is skipped.
    assert score_one(lexical(), "", SOURCES, ["a", "b"], summary_units=["Slow service."]).coverage == (0.0, 1.0)
    assert score_one(lexical(), "", SOURCES, ["a", "b"], summary_units=[]).skipped == "empty_prediction"
    released = scorer_of(protocol="released")
    assert score_one(released, "", ["", ""], ["a", "b"], coverage=[[1, 0], [0.5, 0]]).coverage == (1.0, 0.5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sources": ["Fine.", " \n"]}, r"sample 7: sources\[1\] is empty, .*protocol='released' to count"),
        ({"summary_units": []}, "sample 7: units is an empty list; give at least one unit"),
        ({"coverage": [[0.5, 1.0]]}, "sample 7: coverage has 1 rows and 2 columns, but the sample has 2 documents"),
        ({"coverage": [[0.5], [1.0, 0.0]]}, "sample 7: coverage must be a matrix of numbers"),
        ({"coverage": [0.5, 1.0]}, "sample 7: coverage must be a matrix of numbers"),
        ({"coverage": [[], []]}, "sample 7: coverage has no columns; give at least one column"),
        ({"coverage": [[0.5], [1.5]]}, r"sample 7: coverage\[1\]\[0\] is 1.5; give a probability in \[0, 1\]"),
        ({"coverage": [[-0.1], [1.0]]}, r"sample 7: coverage\[0\]\[0\] is -0.1"),
        ({"coverage": [[0.5], [1.0]], "summary_units": ["a", "b"]}, "summary_units has 2 units, but coverage has 1 "),
        ({"values": ["a"]}, "sample 7: sources has 2 texts but values has 1 label"),
        ({"predictions": "汤很好喝。"}, "sample 7: the summary is written in Chinese or Japanese"),
        ({"sources": ["汤很好喝。", "服务很慢。"]}, r"sample 7: .* written in Chinese or Japanese"),
    ],
)  # fmt: skip
def test_bad_samples(change: dict[str, Any], message: str) -> None:
    sample = {"predictions": "Great soup.", "sources": ["Great soup.", "Cold."], "values": ["a", "b"], **change}
    with pytest.raises(InputError, match=message) as caught:
        rows_of(lexical(), start=7, **{name: [entry] for name, entry in sample.items()})
    assert str(caught.value).startswith("equal_coverage: sample 7: ")


TEXT = st.lists(st.sampled_from(["great", "soup", "cold", "bread.", "slow"]), min_size=1, max_size=6).map(" ".join)


SAMPLES = st.tuples(TEXT, st.lists(st.tuples(TEXT, st.sampled_from("ab")), min_size=2, max_size=4))


@settings(max_examples=15)
@given(st.lists(SAMPLES, min_size=1, max_size=5))
def test_together_or_one_by_one(samples: list[tuple[str, list[tuple[str, str]]]]) -> None:
    columns = {
        "predictions": [prediction for prediction, _ in samples],
        "sources": [[text for text, _ in documents] for _, documents in samples],
        "values": [[value for _, value in documents] for _, documents in samples],
    }
    scorer = lexical(chunk_words=3, evidence=True)
    ready = list(scorer.read(columns))
    assert scorer.score(ready) == [row for sample in ready for row in scorer.score([sample])]
    # Two systems have samples of the same indices.
    assert scorer.score([sample for pair in zip(ready, ready[::-1], strict=True) for sample in pair]) == [
        row for pair in zip(scorer.score(ready), scorer.score(ready)[::-1], strict=True) for row in pair
    ]


def test_each_sentence_a_chunk_by_hand() -> None:
    # Chunks "Great soup." and "The bread was cold." of the first document, as long as they are.
    # Unit "Cold bread." (cold, bread): chunks 0, 1 -> 1; unit "Great bread.": 1/2, 1/2 -> 1/2, which both together
    # would cover in full; second document 0.
    scorer = lexical(chunk="sentence", evidence=True)
    row = score_one(scorer, "Cold bread. Great bread.", SOURCES, ["a", "b"])
    assert row.coverage == (0.75, 0.0)
    assert row.evidence == ((0, 1, 1.0, "The bread was cold."), (0, 0, 0.5, "Great soup."))
    assert score_one(lexical(), "Cold bread. Great bread.", SOURCES, ["a", "b"]).coverage == (1.0, 0.0)
    assert scorer.signature("equal_coverage", ())["chunk"] == "sentence"
    assert lexical().signature("equal_coverage", ())["chunk"] == 100


def test_splitters_and_units_without_content_words() -> None:
    splitter = lexical(splitter=lambda text: text.split("; "), evidence=True)
    assert score_one(splitter, "Great soup; slow", SOURCES, ["a", "b"]).units == ("Great soup", "slow")
    with pytest.raises(InputError, match="sample 0"):
        score_one(splitter, "Great soup; ", SOURCES, ["a", "b"])
    row = score_one(lexical(evidence=True), "It was so. Slow service.", SOURCES, ["a", "b"])
    assert (row.coverage, row.units) == ((0.0, 1.0), ("Slow service.",))
    assert score_one(lexical(), "It was so.", SOURCES, ["a", "b"]).skipped == "no_units"
