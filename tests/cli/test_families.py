"""Families on the command line: the bits of the library, in any format, in chunks, beside each other."""

import json

import pyarrow.parquet
import pytest

from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.writing import write_rows
from fairsum_utils.measures import measures_of
from fairsum_utils.reports.formats import to_json
from fairsum_utils.results.samples import from_file
from tests import _together

ANN = {"id": 0, "first_name": "Ann", "last_name": "Lee", "group": "female", "is_modified": True}
BOB = {"id": 1, "first_name": "Bob", "last_name": "Ray", "group": "male", "is_modified": True}
NEWS = [
    ("Mr. Ray won, he said.", "Ann Lee and Bob Ray met; she and he won.", ["Ray"], "wsj_1", "a"),
    ("Ann Lee beat Bob Ray.", "She is Ann Lee. Bob Ray won, he said.", ["Ann Lee", "Bob Ray"], "wsj_1", "b"),
    ("", "She met him.", [], "wsj_1", "a"),
    ("Mr. Ray spoke, she said.", "Ann Lee met Bob Ray, and she and he spoke.", ["Ray"], "wsj_1", "a"),
    ("Bob Ray and John Cox spoke to her.", "He and she met.", ["Bob Ray", "John Cox"], "wsj_2", "a"),
    ("John Cox spoke, and Xu.", "He and she met.", ["John Cox", "Xu"], "wsj_2", "b"),
    ("His party won.", "He and she met at his party.", [], "wsj_2", "b"),
]
TEXTS = ["She won a wonderful prize.", "She sat down.", "He hates the awful war.", "He sat down with her."]
COLUMNS = {
    "prediction": "predictions", "sources": "sources", "values": "values", "entities": "entities", "names": "mentions",
    "article_id": "article_ids", "group": "groups",
}  # fmt: skip
NAMED = ("--column", "mentions=names")


@pytest.fixture
def news():
    names = ("prediction", "sources", "names", "article_id", "group")
    return [dict(zip(names, row, strict=True)) | {"entities": [ANN, BOB]} for row in NEWS]


def library(rows, metrics, **settings):
    taken = all_columns(metrics)
    columns = {
        column: [row[name] for row in rows] for name, column in COLUMNS.items() if column in taken and name in rows[0]
    }
    return _together.score(**columns, metrics=metrics, confidence_level=0.95, **settings)


def as_json(results):
    return json.loads(to_json(results))


@pytest.mark.parametrize(("family", "ending"), [("coverage", "jsonl"), ("entities", "csv"), ("polarity", "parquet")])
def test_same_bits_as_the_library(fairsum, demo_rows, news, tmp_path, family, ending):
    texts = [{"prediction": text, "group": "wm"[place // 2]} for place, text in enumerate(TEXTS)]
    rows = {"coverage": demo_rows, "entities": news, "polarity": texts}[family]
    metrics = ["sentiment", "gender_polarity"] if family == "polarity" else measures_of(family)
    settings = {"entailer": "lexical"} if family == "coverage" else {}
    path = tmp_path / f"rows.{ending}"
    write_rows(rows, path)
    options = (*(("--set", "entailer=lexical") if settings else ()), *(NAMED if family == "entities" else ()))
    status, printed, err = fairsum("score", path, "--metrics", ",".join(metrics), *options, "--format", "json")
    assert (status, err) == (0, "")
    assert json.loads(printed)["metrics"] == as_json(library(rows, metrics, **settings))


def test_two_families_in_one_run(fairsum, write_jsonl, demo_rows, tmp_path):
    """Also in a file whose first sample is skipped."""
    demo_rows[0]["prediction"] = ""
    rows = [{**row, "group": "ab"[place % 2]} for place, row in enumerate(demo_rows)]
    samples = tmp_path / "samples.parquet"
    arguments = ("--metrics", "bur,sentiment", "--samples", samples, "--format", "json")
    status, printed, _ = fairsum("score", write_jsonl(rows), *arguments)
    assert status == 0
    metrics = json.loads(printed)["metrics"]
    assert metrics["bur"] == as_json(library(rows, ["bur"]))["bur"]
    expected = library(rows, ["sentiment"], return_samples=True)["sentiment"]
    records = expected.pop("samples")
    assert metrics["sentiment"] == as_json(expected)
    found = pyarrow.parquet.read_table(samples).to_pylist()
    assert [row["representation.skipped"] for row in found] == ["empty_prediction"] + [None] * 7
    for row, record in list(zip(found, records, strict=True))[1:]:
        assert [row[key] for key in ("index", "group", "labels")] == [
            record[key] for key in ("index", "group", "labels")
        ]
        assert row["matched"] is not None


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_samples_in_chunks(fairsum, write_jsonl, news, tmp_path, small_chunks, ending):
    """Records of distinguishability need all of an original."""
    small_chunks(2)
    path, rows = tmp_path / f"samples.{ending}", news[2:3] + news[:2] + news[3:]  # the first one is skipped
    names = measures_of("entities")
    status, _, _ = fairsum("score", write_jsonl(rows), "--metrics", ",".join(names), *NAMED, "--samples", path)
    assert status == 0
    results = library(rows, names, return_samples=True)
    found = list(from_file(path).read(names))
    assert [entry.id for entry in found] == [str(index) for index in range(7)]
    for name in names:
        records = [entry.records[name] for entry in found]
        if name != "distinguishability":  # whose text stands in the evidence that the measures share in a file
            for record in records:
                record["evidence"] = record.get("evidence") and {**record["evidence"], "anonymized": None}
        assert records == [{**record, "evidence": record.get("evidence")} for record in results[name]["samples"]]


def test_a_row_is_an_article_without_ids_of_articles(fairsum, write_jsonl, news):
    """Two rows with the same persons may be of one article, so its column must be named."""
    rows = [{name: entry for name, entry in news[0].items() if name != "article_id"}] * 2
    arguments = ("score", write_jsonl(rows), "--metrics", "entity_inclusion", *NAMED)
    status, _, err = fairsum(*arguments)
    assert status == 2
    assert "row 2: the same entities as in" in err
    assert "tells articles apart with --column article_id=NAME (--column article_id=none: treat each sample as" in err
    status, printed, _ = fairsum(*arguments, "--column", "article_id=none")
    assert (status, printed.splitlines()[0].rpartition("; ")[2]) == (0, "2 originals")


def test_no_text_is_suggested_for_ids(fairsum, write_jsonl):
    path = write_jsonl([{"article": "Ann Lee won.", "summary": "Lee won."}])
    _, _, err = fairsum("score", path, "--metrics", "distinguishability")
    assert "Try --prediction-column summary; name the right one with" in err
    _, _, err = fairsum("score", path, "--metrics", "word_list_inclusion")
    assert "Try --prediction-column summary --sources-column article" in err


def test_what_is_undefined_names_options(fairsum, write_jsonl, news):
    arguments = ("--metrics", "entity_inclusion", *NAMED, "--column", "article_id=none", "--verbose")
    status, printed, _ = fairsum("score", write_jsonl(news[:1]), *arguments)
    assert status == 0
    assert "Entity Inclusion: the odds ratio is infinite; use --set continuity=0.5 to keep it finite." in printed


def test_coverage_is_compared(fairsum, write_jsonl, demo_rows):
    other = [{**row, "prediction": row["sources"][0]} for row in demo_rows]
    paths = write_jsonl(demo_rows, "a.jsonl"), write_jsonl(other, "b.jsonl")
    metrics = measures_of("coverage")
    arguments = ("--metrics", ",".join(metrics), "--set", "entailer=lexical", "--format", "json")
    _, printed, _ = fairsum("compare", *paths, *arguments)
    predictions, sources, values = ([row[name] for row in demo_rows] for name in ("prediction", "sources", "values"))
    others = [row["prediction"] for row in other]
    expected = _together.compare(predictions, others, sources, values, labels="ab", metrics=metrics, entailer="lexical")
    assert json.loads(printed)["metrics"] == as_json(expected)
