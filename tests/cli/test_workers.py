"""Scoring in several processes and with kept rows, from the command line: --workers, --rows."""

import pytest

from fairsum_utils.run import scoring


def test_workers_do_not_change_a_bit(fairsum, write_jsonl, demo_rows, small_chunks, tmp_path):
    small_chunks(3)
    rows = [{**row, "id": f"{row['id']}-{turn}"} for turn in range(5) for row in demo_rows]
    rows[7]["prediction"] = " "
    path = write_jsonl(rows)
    outputs = []
    for count in (1, 2):
        samples = tmp_path / f"samples{count}.jsonl"
        status, printed, _ = fairsum("score", path, "--format", "json", "--workers", count, "--samples", samples)
        assert status == 0
        outputs.append((printed, samples.read_text()))
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize(
    ("command", "seconds", "said"),
    [
        ("compare", 0.0, "fairsum: 2 workers scored the samples\n"),
        ("inspect", 60.0, "fairsum: scored in this process; the work was too short for 2 workers\n"),
    ],
)
def test_verbose_says_whether_workers_started(fairsum, write_jsonl, demo_rows, monkeypatch, command, seconds, said):
    monkeypatch.setattr(scoring, "ALONE", seconds)
    files = [write_jsonl(demo_rows, "a.jsonl"), write_jsonl(demo_rows, "b.jsonl")][: 2 if command == "compare" else 1]
    _, printed, err = fairsum(command, *files, "--workers", "2", "--verbose")
    assert err == said
    assert fairsum(command, *files, "--verbose") == (0, printed, "")


def test_an_interrupted_run_goes_on(fairsum, write_jsonl, demo_rows, tmp_path, small_chunks, monkeypatch):
    small_chunks(2)
    path, folder = write_jsonl(demo_rows), tmp_path / "runs"
    expected = fairsum("score", path, "--format", "json")[1]
    calls, original = [], scoring.score_chunk

    def interrupted(job, session, chunks):
        [chunk] = chunks
        calls.append([chunk.start + place for place in range(len(chunk.ids))])
        if len(calls) == 3:
            raise KeyboardInterrupt
        return original(job, session, chunks)

    monkeypatch.setattr(scoring, "score_chunk", interrupted)
    status, _, err = fairsum("score", path, "--rows", folder)
    assert (status, err.strip()) == (130, "fairsum: interrupted")
    calls[:] = [None] * 10
    samples = tmp_path / "samples.jsonl"  # may be asked for later: the folder keeps what decided
    status, printed, _ = fairsum("score", path, "--format", "json", "--rows", folder, "--samples", samples)
    assert (status, printed) == (0, expected)
    assert calls[10:] == [[4, 5], [6, 7]]  # samples 0 to 3 were not scored again
    assert samples.read_text().count("\n") == 8


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


def test_the_first_bad_sample_has_a_line(fairsum, write_jsonl, demo_rows, small_chunks, tmp_path):
    for place in (2, 6):
        demo_rows[place]["values"] = [None] * len(demo_rows[place]["values"])
    path = write_jsonl(demo_rows)
    small_chunks(2)
    for options in (("--workers", 2), ("--rows", tmp_path / "runs")):
        status, printed, err = fairsum("score", path, *options)
        assert (status, printed) == (2, "")
        assert err.startswith("fairsum score: error: sample ")
        assert err.endswith(f"({path}, row 3, id {demo_rows[2]['id']})\n")
        assert err.count("\n") == 1
    assert len(list(tmp_path.glob("runs/*/*.parquet"))) == 1  # the rows before it are kept


def test_ids_that_come_twice_are_refused(fairsum, write_jsonl, demo_rows, small_chunks, tmp_path):
    small_chunks(2)
    one, two = write_jsonl(demo_rows[:5], "one.jsonl"), write_jsonl(demo_rows[4:], "two.jsonl")
    expected = fairsum("score", one, two)
    assert (expected[0], "was used before" in expected[2]) == (2, True)
    assert fairsum("score", one, two, "--rows", tmp_path / "runs") == expected
