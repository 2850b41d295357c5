"""Marks in the texts against what the scorer counted: no word more, and none less."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils.cleaning import texts_as_read
from fairsum_utils.families.marks import Attribution, Span
from fairsum_utils.families.representation import FAMILY
from fairsum_utils.families.representation.rows import DistributionRow
from fairsum_utils.measures._representation import RepresentationMeasure
from tests.conftest import takes_long

NOTHING = Attribution()


def attributed(
    columns: dict[str, list[Any]], **options: Any
) -> Iterator[tuple[dict[str, Any], DistributionRow, dict[str, Any], Attribution]]:
    """Each sample, its row, its record, and its marks."""
    settings = RepresentationMeasure(**options)
    scorer = FAMILY.scorer(("bur",), settings)
    scorer.evidence = True
    rows = list(scorer.rows(scorer.read(columns)))
    for place, (row, record) in enumerate(zip(rows, FAMILY.records(rows, ("bur",), settings), strict=True)):
        sample = texts_as_read({name: entries[place] for name, entries in columns.items()})
        yield sample, row, record, FAMILY.attribution(("bur",), settings, sample, record)


def attribute(prediction: str, sources: list[str], values: list[str], **options: Any) -> Attribution:
    [(*_, marks)] = attributed({"predictions": [prediction], "sources": [sources], "values": [values]}, **options)
    return marks


def check(sample: dict[str, Any], row: DistributionRow, record: dict[str, Any], marks: Attribution) -> None:
    """Marks by value are what was counted, and each stands in a text that is there."""
    by_value = {value: [span.key for span in marks.prediction if value in span.names] for value in row.values}
    assert tuple(map(len, by_value.values())) == row.target_weights
    assert list(by_value.values()) == record["matched"]
    assert all(span.names and span.names == tuple(sorted(span.names)) for span in marks.prediction)
    names = {span.key: span.names for span in marks.prediction}
    for text, spans in [(sample["predictions"], marks.prediction), *zip(sample["sources"], marks.sources, strict=True)]:
        assert all(0 <= span.start < span.end <= len(text) for span in spans)
        assert [span.start for span in spans] == sorted(span.start for span in spans)
        assert all(names[span.key] == span.names for span in spans)
    # What the summary has in common with a value stands in some text of it.
    labels = list(map(str, sample["values"]))
    for value in row.values:
        held = {
            span.key for spans, label in zip(marks.sources, labels, strict=True) if label == value for span in spans
        }
        assert held == set(by_value[value])
    assert len(marks.sources) == len(sample["sources"])


def test_a_sample_by_hand() -> None:
    prediction = "Tasty soups, SOUP; “soup” İs it?"
    sources = ["A soup!", "It was tasty.", "Their Soups rock…"]
    marks = attribute(prediction, sources, ["neg", "pos", "pos"])
    both = ("neg", "pos")
    assert marks.prediction == [
        Span(0, 5, ("pos",), "word", "tasti", "counted as tasti"),
        Span(6, 11, both, "word", "soup", "counted as soup"),
        Span(13, 17, both, "word", "soup"),
        Span(20, 24, both, "word", "soup"),
    ]
    assert marks.sources == [
        [Span(2, 6, both, "word", "soup")],
        [Span(7, 12, ("pos",), "word", "tasti", "counted as tasti")],
        [Span(6, 11, both, "word", "soup", "counted as soup")],
    ]


@st.composite
def _texts(draw: st.DrawFn, fragments: list[str], most: int) -> str:
    between = st.sampled_from([" ", "  ", "", ". ", "! ", "\n", "’s ", "n't ", ", ", " || ", "(", '" '])
    return "".join(draw(st.sampled_from(fragments)) + draw(between) for _ in range(draw(st.integers(0, most))))


FRAGMENTS = {
    "english": "Soup soups SOUP tasty the cannot bread Dr. p.m. İn 'tis café cafe\u0301 \u0301 5",
    "french": "Chevaux cheval l'eau LES café CAFE\u0301 e\u0301té œuf \u200d \u0301s ﾞx ½",
    "arabic": "كِتَابٌ كتاب الكتاب جميل \u064eجميل في",
    "hindi": "खाना खाने अच्छा था \u093fक",
    "chinese": "汤 服务员 很 好吃 ＯＫ ok ﾊﾟ ﾞ 的 。",
    "japanese": "おいしい 美味しかった ﾊﾟﾝ パン ㍍ です ﾞ \u3099か 。 ＯＫ",
}


@pytest.mark.parametrize(
    "language",
    [
        *("english", "arabic", "japanese"),
        *(pytest.param(name, marks=takes_long) for name in ("french", "hindi", "chinese")),
    ],
)
@settings(max_examples=25)
@given(data=st.data())
def test_made_up_samples(language: str, data: st.DataObject) -> None:
    if language[:2] in {"ch", "ja", "hi"}:
        pytest.importorskip({"ch": "rjieba", "ja": "sudachidict_core", "hi": "stopwordsiso"}[language[:2]])
    fragments = FRAGMENTS[language].split()
    n_sources = data.draw(st.integers(1, 4))
    columns: dict[str, list[Any]] = {
        "predictions": [data.draw(_texts(fragments, 8))],
        "sources": [[data.draw(_texts(fragments, 5)) for _ in range(n_sources)]],
        "values": [data.draw(st.lists(st.sampled_from("abc"), min_size=n_sources, max_size=n_sources))],
    }
    options = {
        "language": language,
        "k": data.draw(st.integers(1, 3)),
        "target": data.draw(st.sampled_from(["ratio", "equal", {"a": 0.5, "b": 0.5, "c": 0.0}])),
        "unmatched": data.draw(st.sampled_from([None, "uniform", "skip", "unfair"])),
        "empty": data.draw(st.sampled_from(["skip", "uniform"])),
        "single_value": data.draw(st.sampled_from(["keep", "skip"])),
        "normalizer": data.draw(st.sampled_from(["fairsumm", "simple"])) if language == "english" else "simple",
    }
    [(sample, row, record, marks)] = attributed(columns, **options)
    if row.matched is None:
        assert marks == NOTHING
    else:
        check(sample, row, record, marks)


def test_a_record_of_other_settings_is_not_marked() -> None:
    """As in a file of samples whose settings are not known: marks that were not counted would mislead."""
    columns: dict[str, Any] = {"predictions": ["Tasty soups"], "sources": [["Soup", "Bread"]], "values": [["a", "b"]]}
    [(sample, _, record, marks)] = attributed(columns, normalizer="simple")
    assert marks.prediction
    other = RepresentationMeasure(language="german")
    assert FAMILY.attribution(("bur",), other, sample, record) == NOTHING


def test_time_is_linear() -> None:
    """Each takes a moment; a quadratic step would take minutes."""
    for text in ("a" * 50_000, "soup " * 2_000, '"' * 5_000, "a. " * 2_000):
        marks = attribute("soup aa. " + text, [text, "soup"] * 2, ["a", "b"] * 2)
        assert marks.prediction
