"""Scoring in several processes, from the command line: --workers."""

import re

import pytest

from fairsum_utils.run import scoring

from .conftest import packed, samples_of


@pytest.mark.usefixtures("undrawn")
def test_workers_do_not_change_a_bit(fairsum, write_jsonl, demo_rows, small_chunks, tmp_path):
    small_chunks(3)
    rows = [{**row, "id": f"{row['id']}-{turn}"} for turn in range(2) for row in demo_rows]
    for place, row in enumerate(rows):
        row |= {"article_id": f"{place // 2}", "variant": "ab"[place % 2], "changed": ["Ann"]}
    rows[7]["prediction"] = " "
    path, page = write_jsonl(rows), tmp_path / "report.html"
    outputs = []
    for count in (1, 2):
        samples = tmp_path / f"samples{count}.jsonl"
        asked = ("--metrics", "uer,counterfactual_gap", "--set", "n_permutations=20", "--format", "json")
        more = ("--samples", samples, "--with-texts", "--report", page, "--verbose")
        status, printed, err = fairsum("score", path, *asked, *more, "--workers", count)
        assert (status, err) == (0, "" if count == 1 else "fairsum: 2 workers scored the samples\n")
        outputs.append((printed, samples.read_text(), samples_of(page)))
    assert outputs[0] == outputs[1]
    assert {row["id"] for row in rows} == {sample["id"] for sample in outputs[1][2]}
    texts = "".join(packed(page).values())
    assert all(word in texts for row in rows for word in re.findall(r"\w+", row["prediction"]))
    assert "|neutral:pronouns+changed|" in printed  # a column that only workers have seen


def test_verbose_says_that_no_workers_started(fairsum, write_jsonl, demo_rows, monkeypatch):
    monkeypatch.setattr(scoring, "ALONE", 60.0)
    path = write_jsonl(demo_rows)
    _, printed, err = fairsum("inspect", path, "--workers", "2", "--verbose")
    assert err == "fairsum: scored in this process; the work was too short for 2 workers\n"
    assert fairsum("inspect", path, "--verbose") == (0, printed, "")


def test_settings_are_refused_before_a_row_is_read(fairsum, write_jsonl):
    """A file of settings that is not there is no fault of a sample; nor is a file of samples looked at before."""
    path = write_jsonl([{"prediction": "Ann Lee won.", "sources": "Ann won."}])
    arguments = ("--metrics", "entity_hallucination", "--set", "people=nowhere.tsv", "--workers", 2)
    for file in (path, "no-such-file.jsonl"):
        status, printed, err = fairsum("score", file, *arguments)
        assert (status, printed) == (2, "")
        assert "nowhere.tsv" in err
        assert "row 1" not in err
        assert err.count("\n") == 1
