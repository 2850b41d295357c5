"""Scoring a file in one process or several, and going on after an interrupted run."""

import pytest

from fairsum_utils.cli import scoring


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_do_not_change_a_bit(fairsum, write_jsonl, demo_rows, workers, monkeypatch, tmp_path):
    monkeypatch.setattr(scoring, "CHUNK", 3)
    rows = [{**row, "id": f"{row['id']}-{turn}"} for turn in range(5) for row in demo_rows]
    rows[7]["prediction"] = " "
    path = write_jsonl(rows)
    outputs = []
    for count in (1, workers):
        samples = tmp_path / f"samples{count}.jsonl"
        status, printed, _ = fairsum("score", path, "--format", "json", "--workers", count, "--samples", samples)
        assert status == 0
        outputs.append((printed, samples.read_text()))
    assert outputs[0] == outputs[1]


def test_an_interrupted_run_goes_on(fairsum, write_jsonl, demo_rows, tmp_path, monkeypatch):
    monkeypatch.setattr(scoring, "CHUNK", 2)
    path, checkpoint = write_jsonl(demo_rows), tmp_path / "progress"
    expected = fairsum("score", path, "--format", "json")[1]
    calls = []
    original = scoring._score

    def interrupted(job, session, chunks):
        [chunk] = chunks
        calls.append([chunk.start + place for place in range(len(chunk.ids))])
        if len(calls) == 3:
            raise KeyboardInterrupt
        return original(job, session, chunks)

    monkeypatch.setattr(scoring, "_score", interrupted)
    status, _, err = fairsum("score", path, "--checkpoint", checkpoint)
    assert (status, err.strip()) == (130, "fairsum: interrupted")
    finished = checkpoint.read_bytes()
    with checkpoint.open("ab") as file:  # a chunk that the interrupted run only half wrote
        file.write(finished[finished.index(b"\n") + 1 :][:100])
    calls[:] = [None] * 10
    status, printed, _ = fairsum("score", path, "--format", "json", "--checkpoint", checkpoint)
    assert (status, printed) == (0, expected)
    assert calls[10:] == [[4, 5], [6, 7]]  # samples 0 to 3 were not scored again
    status, _, err = fairsum("score", path, "--checkpoint", checkpoint, "--k", 2)
    assert status == 2
    assert "belongs to another file or other options" in err


@pytest.mark.parametrize("workers", [1, 2])
def test_settings_are_refused_before_a_row_is_read(fairsum, write_jsonl, workers):
    """A file of settings that is not there is no fault of a sample; nor is a file of samples looked at before."""
    path = write_jsonl([{"prediction": "Ann Lee won.", "sources": "Ann won."}])
    arguments = ("--metrics", "entity_hallucination", "--people", "nowhere.tsv", "--workers", workers)
    for file in (path, "no-such-file.jsonl"):
        status, printed, err = fairsum("score", file, *arguments)
        assert (status, printed) == (2, "")
        assert "nowhere.tsv" in err
        assert "row 1" not in err
        assert err.count("\n") == 1
