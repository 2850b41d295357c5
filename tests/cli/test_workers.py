"""Scoring in several processes and in folders, from the command line: --workers, --checkpoint."""

import pytest
from fairsum_utils.cluster import worker


def test_workers_do_not_change_a_bit(fairsum, write_jsonl, demo_rows, small_shards, tmp_path):
    small_shards(3)
    rows = [{**row, "id": f"{row['id']}-{turn}"} for turn in range(5) for row in demo_rows]
    rows[7]["prediction"] = " "
    path = write_jsonl(rows)
    outputs = []
    for count in (1, 2, 3):
        samples = tmp_path / f"samples{count}.jsonl"
        status, printed, _ = fairsum("score", path, "--format", "json", "--workers", count, "--samples", samples)
        assert status == 0
        outputs.append((printed, samples.read_text()))
    assert outputs[0] == outputs[1] == outputs[2]


def test_an_interrupted_run_goes_on(fairsum, write_jsonl, demo_rows, tmp_path, small_shards, monkeypatch):
    small_shards(2)
    path, checkpoint = write_jsonl(demo_rows), tmp_path / "progress"
    expected = fairsum("score", path, "--format", "json")[1]
    calls, original = [], worker.score_chunk

    def interrupted(job, session, chunks):
        [chunk] = chunks
        calls.append([chunk.start + place for place in range(len(chunk.ids))])
        if len(calls) == 3:
            raise KeyboardInterrupt
        return original(job, session, chunks)

    monkeypatch.setattr(worker, "score_chunk", interrupted)
    status, _, err = fairsum("score", path, "--checkpoint", checkpoint)
    assert (status, err.strip()) == (130, "fairsum: interrupted")
    calls[:] = [None] * 10
    samples = tmp_path / "samples.jsonl"  # may be asked for later: the folder keeps what decided
    status, printed, _ = fairsum("score", path, "--format", "json", "--checkpoint", checkpoint, "--samples", samples)
    assert (status, printed) == (0, expected)
    assert calls[10:] == [[4, 5], [6, 7]]  # samples 0 to 3 were not scored again
    assert samples.read_text().count("\n") == 8
    status, _, err = fairsum("score", path, "--checkpoint", checkpoint, "--k", 2)
    assert status == 2
    assert "used other measures, settings or columns" in err


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


def test_all_bad_samples_have_a_line(fairsum, write_jsonl, demo_rows, small_shards):
    small_shards(2)
    for place in (1, 2, 6):
        demo_rows[place]["values"] = [None] * len(demo_rows[place]["values"])
    path = write_jsonl(demo_rows)
    status, printed, err = fairsum("score", path, "--workers", 2)
    assert (status, printed) == (2, "")
    lines = err.splitlines()
    assert [line.rpartition("(")[2] for line in lines] == [
        f"{path}, row {place + 1}, id {demo_rows[place]['id']})" for place in (1, 2, 6)
    ]
    assert all(line.startswith("fairsum score: error: sample ") for line in lines)
    assert fairsum("score", path)[2].splitlines() == lines[:1]  # one process stops at the first


def test_ids_that_come_twice_are_refused(fairsum, write_jsonl, demo_rows, small_shards, tmp_path):
    small_shards(2)
    one, two = write_jsonl(demo_rows[:5], "one.jsonl"), write_jsonl(demo_rows[4:], "two.jsonl")
    expected = fairsum("score", one, two)
    assert (expected[0], "was used before; 1 sample repeats an id" in expected[2]) == (2, True)
    assert fairsum("score", one, two, "--workers", 2) == expected
    assert fairsum("score", one, two, "--checkpoint", tmp_path / "run") == expected
