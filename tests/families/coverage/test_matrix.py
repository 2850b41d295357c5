"""From judgements of chunks to documents, and units that say the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.families.coverage.chunks import best_chunks, merge_units
from fairsum_utils.inference.entailers import get_entailer
from fairsum_utils.measures._coverage import CoverageMeasure


def test_a_document_without_chunks_covers_nothing() -> None:
    found = best_chunks(np.array([[0.1, 0.5], [0.9, 0.25]]), [0, 2, 0])
    assert found.probability.tolist() == [[0, 0], [0.9, 0.5], [0, 0]]
    assert best_chunks(np.empty((0, 2)), [0, 0]).probability.tolist() == [[0, 0], [0, 0]]


@given(data=st.data(), n_units=st.integers(1, 3), counts=st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_best_chunks_by_brute_force(data: st.DataObject, n_units: int, counts: list[int]) -> None:
    row = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=n_units, max_size=n_units)
    judged = data.draw(st.lists(row, min_size=sum(counts), max_size=sum(counts)))
    found = best_chunks(np.array(judged), counts)
    start = 0
    for document, count in enumerate(counts):
        for unit in range(n_units):
            own = [judged[start + chunk][unit] for chunk in range(count)]
            assert found.probability[document, unit] == max(own)
            assert found.chunk[document, unit] == own.index(max(own))
        start += count


@given(data=st.data(), n=st.integers(1, 7))
def test_merge_units_by_brute_force(data: st.DataObject, n: int) -> None:
    pairs = data.draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=2 * n))
    entails = np.zeros((n, n), dtype=bool)
    for premise, hypothesis in pairs:
        entails[premise, hypothesis] = True
    label = list(range(n))
    for _ in range(n):  # long enough for the smallest label to reach the farthest unit
        for one, other in pairs:
            if (other, one) in pairs:
                label[one] = label[other] = min(label[one], label[other])
    assert merge_units(entails) == [[unit for unit in range(n) if label[unit] == first] for first in sorted(set(label))]


def test_the_settings_of_a_model_reach_it(nli_model: Path) -> None:
    settings = CoverageMeasure(entailer=nli_model, entailment_label="yes", cache="none", module="equal_coverage")
    with pytest.raises(InputError, match=f"equal_coverage: {nli_model.name}@.* but no label 'yes'"):
        get_entailer(settings)


def test_the_papers_model_is_for_english() -> None:
    with pytest.raises(InputError, match="roberta-large-mnli supports only English, found language str 'german'; name"):
        get_entailer(CoverageMeasure(language="de", module="equal_coverage"))
