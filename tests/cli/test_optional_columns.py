"""Columns that files may lack: a signature names what some sample had, the same in every front."""

import json

import pytest

from fairsum_utils import run, score
from fairsum_utils.measures import get_measure

REVIEWS = ["The soup made us ill with food poisoning.", "Nice view."]
TURNS = ["The tax will rise.", "The tax will fall."]
SPEAKERS, ALIASES = ["Ann Lee", "Bo Cox"], {"Ann Lee": ["the chair"]}
DATA = {
    "omission": ({"sources": REVIEWS, "serious": [1, 0]}, "serious", "finder"),
    "misattribution": ({"sources": TURNS, "values": SPEAKERS, "aliases": ALIASES}, "aliases", "aliases"),
}


def rows_of(measure, n_with):
    columns, name, _ = DATA[measure]
    for number in range(12):
        row = {"id": str(number), "prediction": "Ann Lee said the tax will rise. Nice view.", **columns}
        yield row if number >= 12 - n_with else {key: entry for key, entry in row.items() if key != name}


def about_rows(results, measure):
    """The part of a signature before the interval, which comparisons compute in another way."""
    return results[measure]["signature"].partition("|ci:")[0]


@pytest.mark.parametrize(
    ("measure", "n_with", "is_model"), [("omission", 1, True), ("misattribution", 1, False), ("omission", 0, False)]
)
def test_the_signature_names_what_samples_had(
    fairsum, write_jsonl, tmp_path, small_chunks, request, measure, n_with, is_model
):
    small_chunks(5)
    key = DATA[measure][2]
    entailer = request.getfixturevalue("nli_model") if is_model else "lexical"
    rows = list(rows_of(measure, n_with))
    path, kept, other = write_jsonl(rows), tmp_path / "run", tmp_path / "other"
    entries = {column: [row.get(column) for row in rows] for column in ("sources", "values", "aliases", "serious")}
    given = {column: found for column, found in entries.items() if any(entry is not None for entry in found)}
    chosen = get_measure(measure)(entailer=entailer, cache="none")
    made = score([row["prediction"] for row in rows], **given, metrics=[chosen])
    expected = about_rows(made, measure)
    assert (f"|{key}:given" in expected) == (n_with > 0)
    arguments = ["--metrics", measure, "--set", f"entailer={entailer}", "--cache", "none", "--format", "json"]
    found = [
        fairsum("score", path, *arguments, "--rows", kept),
        fairsum("score", kept, "--format", "json"),
        fairsum("compare", path, path, "--labels", "a,b", *arguments, "--rows", other),
    ]
    for status, printed, error in found:
        assert status == 0, error
        assert about_rows(json.loads(printed)["metrics"], measure) == expected
    assert about_rows(run.compare(kept, kept, labels=["a", "b"]), measure) == expected
