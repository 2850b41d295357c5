"""The whole definition once more, slow and literal, against the library on random small data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.text.normalize import get_normalizer
from tests._together import score
from tests.conftest import Columns
from tests.families.representation.conftest import corpora

METRICS = DEFAULT_METRICS

CUSTOM = {"a": Fraction(1, 2), "b": Fraction(1, 3), "c": Fraction(1, 6)}
TARGETS = st.sampled_from(["ratio", "equal", CUSTOM, {"a": Fraction(1), "b": Fraction(0), "c": Fraction(0)}])

Shares = dict[str, Fraction]


class Sample(NamedTuple):
    """The exact distributions of a scored sample."""

    p_y: Shares
    p_g: Shares
    unmatched: bool
    # Unmatched, though the summary is not empty.
    alien: bool


def count(tokens: list[str], k: int) -> list[list[str]]:
    return [tokens[start : start + k] for start in range(len(tokens) - k + 1)]


class Ways(NamedTuple):
    """What to make of samples that say little."""

    empty: str = "skip"
    unmatched: str | None = "uniform"
    single_value: str = "keep"


def one(prediction: str, texts: list[str], values: list[str], k: int, target: Any, ways: Ways) -> Sample | None:
    """The distributions of one sample; None when it is skipped."""
    words = get_normalizer().tokens
    tokens = {v: words(" || ".join(t for t, label in zip(texts, values, strict=True) if label == v)) for v in values}
    present = [v for v in tokens if tokens[v]]
    if not present or (ways.empty == "skip" and not prediction.strip()):
        return None
    counts = dict.fromkeys(present, Fraction(0))
    for gram in count(words(prediction), k):
        for v in present:
            if gram in count(tokens[v], k):
                counts[v] += 1
    unmatched = not any(counts.values())
    if (unmatched and ways.unmatched == "skip") or (len(present) == 1 and ways.single_value == "skip"):
        return None
    if unmatched:
        counts = dict.fromkeys(present, Fraction(1))
    total = Fraction(0) if unmatched and ways.unmatched == "unfair" else 1 / sum(counts.values())
    p_y = {v: counts[v] * total for v in present}
    if target == "ratio":
        desired = {v: Fraction(len(tokens[v])) for v in present}
    elif target == "equal":
        desired = {v: Fraction(1) for v in present}
    else:
        desired = {v: target[v] for v in present}
    if not sum(desired.values()):
        return None
    return Sample(
        p_y, {v: desired[v] / sum(desired.values()) for v in present}, unmatched, unmatched and bool(prediction.strip())
    )


def mean(numbers: list[Any]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)


def of_value(samples: list[Sample], v: str) -> list[tuple[Fraction, Fraction]]:
    return [(sample.p_y[v], sample.p_g[v]) for sample in samples if v in sample.p_y]


def area(y: Fraction, g: Fraction) -> Fraction:
    return 1 - min(Fraction(1), y / g) if g else Fraction(0)


def expected(samples: list[Sample], tau: Fraction) -> dict[str, dict[str, Any]]:
    """Scores and figures by value, from the definitions."""
    names = sorted({v for sample in samples for v in sample.p_y})
    pairs = {v: of_value(samples, v) for v in names}
    lacking = {v: mean([max(Fraction(0), g - y) for y, g in pairs[v]]) for v in names}
    every = [[(sample.p_y[v], sample.p_g[v]) for v in sample.p_y] for sample in samples]
    centre = mean([*lacking.values()])
    return {
        "bur": {
            "bur": mean([any(y < tau * g for y, g in sample) for sample in every]),
            "bur_by_value": {v: mean([y < tau * g for y, g in pairs[v]]) for v in names},
        },
        "uer": {
            "uer": mean([mean([max(Fraction(0), g - y) for y, g in sample]) for sample in every]),
            "uer_by_value": lacking,
        },
        "auc": {
            "auc": mean([max(area(y, g) for y, g in sample) for sample in every]),
            "auc_by_value": {v: mean([area(y, g) for y, g in pairs[v]]) for v in names},
        },
        "sof": {
            "sof": mean([abs(m - centre) for m in lacking.values()]) if len(names) > 1 else None,
            "sof_by_value": lacking,
        },
    }


def floats(target: Any) -> Any:
    return {v: float(share) for v, share in target.items()} if isinstance(target, Mapping) else target


WAYS = st.builds(
    Ways,
    st.sampled_from(["skip", "uniform"]),
    st.sampled_from([None, "uniform", "skip", "unfair"]),
    st.sampled_from(["keep", "skip"]),
)


@settings(max_examples=25)
@given(corpus=corpora(), k=st.integers(1, 3), target=TARGETS, ways=WAYS)
def test_scores_are_those_of_the_definition(corpus: Columns, k: int, target: Any, ways: Ways) -> None:
    rows = [one(*columns, k, target, ways) for columns in zip(*corpus, strict=True)]
    samples = [row for row in rows if row is not None]
    assume(samples)
    multi = [sample for sample in samples if len(sample.p_y) > 1]
    n_unmatched = sum(sample.unmatched for sample in samples)
    n_alien = sum(sample.alien for sample in samples)
    withheld = ways.unmatched is None and 5 * n_alien > len(samples)
    # No share is this fraction of another: the numbers are too small for its denominator. So there are no ties.
    tau = Fraction(7853, 10_007)
    found = score(*corpus, k=k, target=floats(target), tau=float(tau), **ways._asdict())
    of_multi = expected(multi, tau) if multi else {}
    for name, figures in expected(samples, tau).items():
        result = found[name]
        assert result["n_samples"] == len(samples)
        assert result["n_skipped"] == len(rows) - len(samples)
        assert result["n_unmatched"] == n_unmatched
        assert result["n_multi_value"] == len(multi)
        if withheld:
            assert math.isnan(result[name])
            assert math.isnan(result[f"{name}_multi_value"])
            assert result["undefined"].startswith(
                f"{n_unmatched} of {len(samples)} scored summaries have no words in common"
            )
            continue
        beyond = of_multi[name][name] if multi else None
        assert result[f"{name}_multi_value"] == pytest.approx(
            float("nan") if beyond is None else float(beyond), abs=1e-14, nan_ok=True
        )
        assert result["n_by_value"] == {v: len(of_value(samples, v)) for v in figures[f"{name}_by_value"]}
        for key, figure in figures.items():
            if isinstance(figure, dict):
                assert result[key] == pytest.approx({v: float(number) for v, number in figure.items()}, abs=1e-14)
            elif figure is not None:
                assert result[key] == pytest.approx(float(figure), abs=1e-14)
        ratios = {v: [y / g for y, g in of_value(samples, v) if g] for v in result["ratio_by_value"]}
        means = {v: float(mean(own)) if own else float("nan") for v, own in ratios.items()}
        assert result["ratio_by_value"] == pytest.approx(means, abs=1e-13, nan_ok=True)


@settings(max_examples=10)
@given(corpus=corpora(), data=st.data(), k=st.integers(1, 2), target=TARGETS)
def test_order_of_samples_and_of_values_changes_no_bit(
    corpus: Columns, data: st.DataObject, k: int, target: Any
) -> None:
    before = score(*corpus, k=k, target=floats(target))
    order = data.draw(st.permutations(range(len(corpus.predictions))))
    samples = [[column[index] for index in order] for column in corpus]
    for place, (texts, values) in enumerate(zip(*samples[1:], strict=True)):
        # Values in any order, the texts of one value in theirs.
        turn = data.draw(st.permutations(sorted(set(values))))
        pairs = sorted(zip(values, texts, strict=True), key=lambda pair, turn=turn: turn.index(pair[0]))  # type: ignore[misc]
        samples[1][place], samples[2][place] = [text for _, text in pairs], [value for value, _ in pairs]
    after = score(*samples, k=k, target=floats(target))
    for name in METRICS:
        assert repr(after[name]) == repr(before[name])  # repr: NaN equals NaN
