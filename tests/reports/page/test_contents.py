"""A page without texts and without folders."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from fairsum_utils.reports.page.contents import Contents, file_name, redacted
from fairsum_utils.reports.page.sample import Sampled
from fairsum_utils.results.pages import contents_of
from tests._results import of_family, of_systems


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/home/ann lee/a b.jsonl", "a b.jsonl"),
        ("C:\\Users\\ann\\a.jsonl", "a.jsonl"),
        ("~/saved/", "saved"),
        ("https://ann:secret@example.org/x/a.jsonl", "a.jsonl"),
        ("one/a.jsonl, two/b.jsonl", "a.jsonl, b.jsonl"),
        ("FacebookAI/roberta-large-mnli", "roberta-large-mnli"),
        ("bur", "bur"),
        ("", ""),
    ],
)
def test_names_of_files(path: str, name: str) -> None:
    assert file_name(path) == name


def test_no_folder_is_left() -> None:
    results = of_family("representation")
    document = {
        "file": "/secret/rows.jsonl",
        "metrics": dict(results),
        "run": {
            "command": {"name": "score", "options": {"file": "/secret/rows.jsonl", "tau": 0.9}},
            "inputs": [{"path": "/secret/rows.jsonl", "sha256": "ab", "bytes": 1, "rows": 2}],
            "settings": {"bur": {"measure": "bur", "effective": {"model": "/secret/models/mine", "k": 1}}},
        },
    }
    kept = {"bur_by_value": {"pro/con": 0.5}, "undefined": "and/or"}  # groups and reasons are no folders
    results["bur"] |= {"signature": "matcher:bertscore|model:/secret/models/mine|k:1", **kept}
    made = redacted(Contents("/secret/rows.jsonl", document, [("/secret/rows.jsonl (bur)", results)]))
    assert "secret" not in json.dumps([made.title, made.document, made.views], default=str)
    assert made.document["run"]["settings"]["bur"]["effective"] == {"model": "mine", "k": 1}
    [(_, found)] = made.views
    assert found["bur"].items() >= {"signature": "matcher:bertscore|model:mine|k:1", **kept}.items()
    assert made.redact
    assert made.title == "rows.jsonl"


def test_systems_that_are_called_as_their_files() -> None:
    document: dict[str, Any] = json.loads(
        json.dumps(of_systems().document()).replace('"lead"', '"one/out.jsonl"').replace('"last"', '"two/out.jsonl"')
    )
    document["warnings"] = [{"code": "fairer_but_less", "message": "two/out.jsonl has a lower uer than one/out.jsonl"}]
    document["systems"]["one/out.jsonl"]["file"] = "/secret/one/out.jsonl"
    samples = [Sampled("a", "two/out.jsonl", 0, {"predictions": "x"}, {})]
    made = redacted(Contents("t", document, [("", document["metrics"])], samples=samples))
    assert list(made.document["systems"]) == ["out.jsonl", "out.jsonl (2)", "none"]
    assert made.document["systems"]["out.jsonl"]["file"] == "out.jsonl"
    assert made.document["baseline"] == "out.jsonl"
    assert [pair["system"] for pair in made.views[0][1]["uer"]["differences"]] == ["out.jsonl (2)", "none"]
    assert made.document["warnings"][0]["message"] == "out.jsonl (2) has a lower uer than out.jsonl"
    assert [sample.system for sample in made.samples] == ["out.jsonl (2)"]


def test_no_text_of_a_sample_is_left_in_results() -> None:
    results = of_family("entities", return_samples=True)
    assert "Twain" in str(results["entity_hallucination"]["most_frequent"])
    made = redacted(contents_of(results))
    assert not re.search("Twain|Levin", json.dumps([made.document, made.views], default=str))
