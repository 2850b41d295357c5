"""Sets and their orders, read from rows."""

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.sensitivity.inputs import Originals
from fairsum_utils.families.sensitivity.orders import identify, ordered_sets
from fairsum_utils.families.sensitivity.rows import SensitivityRow, SensitivityTable
from fairsum_utils.measures._sensitivity import SensitivityMeasure

ORDERS = {"0": ["b", "a", "c"], "1": ["c", "b", "a"]}


def row(index, variant, shares, sources=None, article="s", values="xxy"):
    sources = sources or ORDERS[variant]
    of = dict(zip("abc", values, strict=True))
    values = tuple(of[source] for source in sources)
    return SensitivityRow(
        index, article, variant, source_ids=identify(sources, values), source_values=values, lexical_shares=shares,
        lexical_coverage=tuple(0.1 * place for place in range(len(sources))),
    )  # fmt: skip


def sets(*rows):
    return list(ordered_sets(Originals(SensitivityTable(rows), SensitivityMeasure()), "order_sensitivity", "lexical"))


def test_sources_have_one_order_in_all_inputs() -> None:
    [found] = sets(row(0, "0", (0.5, 0.3, 0.2)), row(1, "1", (1.0, 0.0, 0.0)), row(2, "1", None))
    # where a, b and c stand, in whatever order the set keeps them
    places = {"a": [1, 2], "b": [0, 1], "c": [2, 0]}
    known = {tuple(column): name for name, column in places.items()}
    names = [known[tuple(column)] for column in found.places.T.tolist()]
    assert sorted(names) == ["a", "b", "c"]
    assert list(found.values) == [{"a": "x", "b": "x", "c": "y"}[name] for name in names]
    assert dict(zip(names, found.shares[0].tolist(), strict=True)) == {"b": 0.5, "a": 0.3, "c": 0.2}
    assert dict(zip(names, found.shares[1].tolist(), strict=True)) == {"c": 1.0, "b": 0.0, "a": 0.0}
    assert dict(zip(names, found.coverage[0].tolist(), strict=True)) == pytest.approx({"b": 0, "a": 0.1, "c": 0.2})
    assert np.isnan(found.shares[2]).all()
    assert found.by_input(found.shares)[1].tolist() == found.shares[1].tolist()  # the other summary has nothing


def test_rows_of_another_measure() -> None:
    with pytest.raises(InputError, match="order_sensitivity needs source_ids"):
        sets(SensitivityRow(0, "s", "0", text="x"))
