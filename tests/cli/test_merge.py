"""`fairsum score --shard` and `fairsum score --merge`: the parts make the whole, on any machine and in any order."""

import json

import pytest

COMMON = ("--metrics", "equal_coverage,coverage_parity", "--entailer", "lexical")


@pytest.fixture
def parts(fairsum, write_jsonl, demo_rows, small_shards, tmp_path):
    """A file of which so many parts are scored: the file, the folder, and what was said."""

    def scored(*numbers, of=3):
        small_shards(2)
        path, folder = write_jsonl(demo_rows), tmp_path / "run"
        said = []
        for number in numbers:
            status, printed, err = fairsum("score", path, *COMMON, "--checkpoint", folder, "--shard", f"{number}/{of}")
            assert (status, printed) == (0, "")
            said.append(err)
        return path, folder, said

    return scored


def test_parts_make_the_whole(fairsum, parts, tmp_path):
    path, folder, said = parts(3, 1, 2)
    assert said == [
        f"fairsum: part {number} of 3 is scored: {n} of 8 samples; once all are: fairsum score --merge {folder}\n"
        for number, n in ((3, 2), (1, 4), (2, 2))
    ]
    outputs = [tmp_path / name for name in ("1.json", "1.jsonl", "1.svg", "2.json", "2.jsonl", "2.svg")]
    for start, call in ((0, ("score", path, *COMMON)), (3, ("score", "--merge", folder))):
        flags = ("--output", outputs[start], "--samples", outputs[start + 1], "--plot", outputs[start + 2])
        status, printed, err = fairsum(*call, *flags)
        assert (status, err) == (0, "")
        outputs.append(printed)
    assert outputs[6] == outputs[7]
    assert outputs[1].read_text() == outputs[4].read_text()
    assert outputs[2].read_text() == outputs[5].read_text()
    whole, merged = (json.loads(outputs[place].read_text()) for place in (0, 3))
    assert whole["metrics"] == merged["metrics"]
    assert whole["run"]["inputs"] == merged["run"]["inputs"]
    assert merged["run"]["command"]["name"] == "score"


def test_parts_of_several_files_are_told_as_the_whole_is(fairsum, write_jsonl, demo_rows, tmp_path):
    files = [write_jsonl(rows, name) for name, rows in (("a.jsonl", demo_rows[:3]), ("b.jsonl", demo_rows[3:]))]
    call = ("score", *files, "--metrics", "bur")
    fairsum(*call, "--checkpoint", tmp_path / "run", "--shard", "1/1")
    whole, merged = tmp_path / "whole.json", tmp_path / "merged.json"
    assert (
        fairsum(*call, "--output", whole)[:2] == fairsum("score", "--merge", tmp_path / "run", "--output", merged)[:2]
    )
    whole, merged = (json.loads(path.read_text()) for path in (whole, merged))
    assert merged["file"] == whole["file"] == f"{files[0]}, {files[1]}"
    assert merged["run"]["inputs"] == whole["run"]["inputs"]


def test_pages_and_texts_come_from_the_file(fairsum, parts, demo_rows, tmp_path):
    path, folder, _ = parts(1, 2, 3)
    pages = [tmp_path / "score.html", tmp_path / "merge.html"]
    for page, call in zip(pages, (("score", path, *COMMON), ("score", "--merge", folder)), strict=True):
        status, _, err = fairsum(*call, "--report", page)
        assert (status, err) == (0, "")
    text = json.dumps(demo_rows[0]["sources"][0])[1:-1]
    assert all(text in page.read_text(encoding="utf-8") for page in pages)
    path.unlink()
    status, printed, _ = fairsum("score", "--merge", folder)
    assert (status, "Equal Coverage" in printed) == (0, True)  # the file itself is not needed
    status, _, err = fairsum("score", "--merge", folder, "--report", tmp_path / "2.html")
    assert (status, "no such file" in err) == (2, True)


def test_parts_that_are_missing_are_named(fairsum, parts):
    _, folder, _ = parts(1, of=4)
    status, printed, err = fairsum("score", "--merge", folder)
    assert (status, printed) == (2, "")
    assert f"{folder}: 3 of 4 shards are missing or damaged: 2, 3, 4; " in err


def test_a_folder_of_a_checkpoint_is_merged(fairsum, write_jsonl, demo_rows, tmp_path):
    path, folder = write_jsonl(demo_rows), tmp_path / "run"
    _, printed, _ = fairsum("score", path, "--checkpoint", folder, "--tau", 0.7, "--confidence", 0)
    assert fairsum("score", "--merge", folder) == (0, printed, "")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--shard", "1/2"), "--shard needs the folder that all parts share; name it with --checkpoint"),
        (("--shard", "3/2", "--checkpoint", "run"), "--shard 3/2: expected NUMBER/OF from 1/OF to OF/OF"),
        (("--shard", "0/2", "--checkpoint", "run"), "--shard 0/2: expected NUMBER/OF from 1/OF to OF/OF"),
        (("--shard", "1/2", "--checkpoint", "run", "--output", "x.json"), "give it to fairsum score --merge run"),
        (("--shard", "1/2", "--checkpoint", "run", "--samples", "x.jsonl"), "give it to fairsum score --merge run"),
    ],
)
def test_what_a_part_cannot_do(fairsum, write_jsonl, demo_rows, monkeypatch, tmp_path, options, message):
    monkeypatch.chdir(tmp_path)
    status, printed, err = fairsum("score", write_jsonl(demo_rows), *options)
    assert (status, printed, message in err) == (2, "", True)
    assert not (tmp_path / "run").exists()


def test_the_folder_of_a_comparison_is_not_merged(fairsum, write_jsonl, demo_rows, tmp_path):
    files = [write_jsonl(demo_rows, f"{name}.jsonl") for name in "ab"]
    folder = tmp_path / "run"
    assert fairsum("compare", *files, "--checkpoint", folder)[0] == 0
    for command in (("score", "--merge", folder), ("compare", folder, folder)):
        status, printed, err = fairsum(*command)
        assert (status, printed) == (2, "")
        assert "run: this run is a comparison; merge it with the same fairsum compare --checkpoint command" in err


def test_a_folder_of_no_run(fairsum, tmp_path):
    status, _, err = fairsum("score", "--merge", tmp_path)
    assert (status, "this folder has no run; create one with fairsum score FILE --checkpoint" in err) == (2, True)
