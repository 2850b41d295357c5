"""Persons in news on the command line: samples in chunks, and what is suggested for missing columns."""

import pytest

from fairsum_utils.measures import measures_of
from fairsum_utils.results.samples import from_file
from tests import _together

ANN = {"id": 0, "first_name": "Ann", "last_name": "Lee", "group": "female", "is_modified": True}
BOB = {"id": 1, "first_name": "Bob", "last_name": "Ray", "group": "male", "is_modified": True}
COLUMNS = {
    "prediction": "predictions", "sources": "sources", "names": "mentions", "article_id": "article_ids",
    "group": "groups", "entities": "entities",
}  # fmt: skip
NEWS = [
    ("", "She met him.", [], "wsj_1", "a"),
    ("Mr. Ray won, he said.", "Ann Lee and Bob Ray met; she and he won.", ["Ray"], "wsj_1", "a"),
    ("Ann Lee beat Bob Ray.", "She is Ann Lee. Bob Ray won, he said.", ["Ann Lee", "Bob Ray"], "wsj_1", "b"),
    ("Mr. Ray spoke, she said.", "Ann Lee met Bob Ray, and she and he spoke.", ["Ray"], "wsj_1", "a"),
    ("Bob Ray and John Cox spoke to her.", "He and she met.", ["Bob Ray", "John Cox"], "wsj_2", "a"),
    ("John Cox spoke, and Xu.", "He and she met.", ["John Cox", "Xu"], "wsj_2", "b"),
    ("His party won.", "He and she met at his party.", [], "wsj_2", "b"),
]
NAMED = ("--column", "mentions=names")


@pytest.fixture
def news():
    return [dict(zip(COLUMNS, (*row, [ANN, BOB]), strict=True)) for row in NEWS]


def test_samples_in_chunks(fairsum, write_jsonl, news, tmp_path, small_chunks):
    """Records of distinguishability need all of an original; the first sample is skipped."""
    small_chunks(2)
    path, names = tmp_path / "samples.parquet", measures_of("entities")
    status, _, _ = fairsum("score", write_jsonl(news), "--metrics", ",".join(names), *NAMED, "--samples", path)
    assert status == 0
    columns = {column: [row[name] for row in news] for name, column in COLUMNS.items()}
    results = _together.score(**columns, metrics=names, return_samples=True)
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
    rows = [{name: entry for name, entry in news[1].items() if name != "article_id"}] * 2
    arguments = ("score", write_jsonl(rows), "--metrics", "entity_inclusion", *NAMED)
    status, _, err = fairsum(*arguments)
    assert status == 2
    assert "row 2: the same entities as in" in err
    assert "tells articles apart with --column article_id=NAME (--column article_id=none: treat each sample as" in err
    status, printed, _ = fairsum(*arguments, "--column", "article_id=none", "--verbose")
    assert (status, printed.splitlines()[0].rpartition("; ")[2]) == (0, "2 originals")
    assert "Entity Inclusion: the odds ratio is infinite; use --set continuity=0.5 to keep it finite." in printed


def test_no_text_is_suggested_for_ids(fairsum, write_jsonl):
    path = write_jsonl([{"article": "Ann Lee won.", "summary": "Lee won."}])
    for measure, names in (
        ("distinguishability", "--prediction-column summary; name the right one with"),
        ("word_list_inclusion", "--prediction-column summary --sources-column article\n"),
    ):
        assert f"Try {names}" in fairsum("score", path, "--metrics", measure)[2]
