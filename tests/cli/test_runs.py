"""`--rows`, `--only`, `--workers` and `fairsum score FOLDER/RUN`: parts make the whole, in any order."""

import io
import json
import re
import shutil
import sys
from types import SimpleNamespace

import pytest

from fairsum_utils.io import opening
from fairsum_utils.run import scoring
from fairsum_utils.session import Session

from .conftest import packed, samples_of

COMMON = ("--metrics", "equal_coverage", "--set", "entailer=lexical")


@pytest.fixture
def parts(fairsum, write_jsonl, demo_rows, small_chunks, tmp_path):
    """A file of which so many parts are scored: the file, the folder of the run, and what was said."""

    def scored(*numbers, of=3):
        small_chunks(2)
        path, folder = write_jsonl(demo_rows), tmp_path / "runs"
        messages = []
        for number in numbers:
            status, printed, err = fairsum("score", path, *COMMON, "--rows", folder, "--only", f"{number}/{of}")
            assert (status, printed) == (0, "")
            messages.append(err)
        [run] = folder.iterdir()
        return path, run, messages

    return scored


def files_of(run):
    return sorted(path.name for path in run.iterdir())


def test_parts_make_the_whole(fairsum, parts, tmp_path):
    path, run, message = parts(3, 1, 2)
    assert message == [
        f"fairsum: part {number} of 3 is scored: {n} samples; once all are: fairsum score {run}\n"
        for number, n in ((3, 2), (1, 4), (2, 2))
    ]
    assert files_of(run) == [f"rows-00000{number}.parquet" for number in (1, 2, 3, 4)]
    found = []
    for folder, call in (("whole", (path, *COMMON)), ("rows", (run,))):
        files = [tmp_path / folder / name for name in ("a.json", "a.jsonl", "a.svg")]
        (tmp_path / folder).mkdir()
        flags = ("--output", files[0], "--samples", files[1], "--plot", files[2])
        status, printed, err = fairsum("score", *call, *flags)
        assert (status, err) == (0, "")
        results = json.loads(files[0].read_text())
        assert results["run"]["command"]["name"] == "score"
        texts = [file.read_text() for file in files[1:]]
        found.append([printed, *texts, results["metrics"], results["run"]["inputs"]])
    assert found[0] == found[1]


def test_parts_of_several_files_are_named_as_the_whole_is(fairsum, write_jsonl, demo_rows, tmp_path):
    files = [write_jsonl(rows, name) for name, rows in (("a.jsonl", demo_rows[:3]), ("b.jsonl", demo_rows[3:]))]
    call = ("score", *files, "--metrics", "bur")
    fairsum(*call, "--rows", tmp_path / "runs", "--only", "1/1")
    outputs = tmp_path / "whole.json", tmp_path / "from_rows.json"
    assert fairsum(*call, "--output", outputs[0])[:2] == fairsum("score", tmp_path / "runs", "--output", outputs[1])[:2]
    whole, from_rows = (json.loads(path.read_text()) for path in outputs)
    assert from_rows["file"] == whole["file"] == f"{files[0]}, {files[1]}"
    assert from_rows["run"]["inputs"] == whole["run"]["inputs"]


@pytest.mark.usefixtures("undrawn")
def test_pages_and_texts_come_from_the_file(fairsum, parts, demo_rows, tmp_path):
    path, run, _ = parts(1, 2, 3)
    pages = [tmp_path / "score.html", tmp_path / "rows.html"]
    for page, call in zip(pages, ((path, *COMMON), (run,)), strict=True):
        status, _, err = fairsum("score", *call, "--report", page)
        assert (status, err) == (0, "")
    text = json.dumps(demo_rows[0]["sources"][0])[1:-1]
    assert all(text in page.read_text(encoding="utf-8") for page in pages)


def test_a_file_that_is_not_what_was_scored_gives_no_texts_and_no_digest(fairsum, parts, tmp_path):
    path, run, _ = parts(1, 2, 3)
    expected = fairsum("score", run)
    path.unlink()
    assert fairsum("score", run, "--output", tmp_path / "a.json") == expected  # the file itself is not needed
    [read] = json.loads((tmp_path / "a.json").read_text())["run"]["inputs"]
    assert (read["path"], read["bytes"], read["sha256"], read["rows"]) == (str(path), None, None, 8)
    for more in (("--report", tmp_path / "2.html"), ("--samples", tmp_path / "2.jsonl", "--with-texts")):
        status, _, err = fairsum("score", run, *more)
        assert status == 2
        assert f"{path} is gone or has changed since the rows in {run} were made; leave out" in err


def test_a_file_that_is_replaced_after_it_was_read_has_no_digest(
    fairsum, write_jsonl, demo_rows, tmp_path, monkeypatch
):
    path, results = write_jsonl(demo_rows), Session.results

    def replaced(session):
        path.write_text(json.dumps(demo_rows[0]) + "\n")
        return results(session)

    monkeypatch.setattr(Session, "results", replaced)
    assert fairsum("score", path, "--output", tmp_path / "a.json")[0] == 0
    written = json.loads((tmp_path / "a.json").read_text())
    assert written["metrics"]["bur"]["n_samples"] == 8
    assert written["run"]["inputs"] == [{"path": str(path), "bytes": None, "sha256": None, "rows": 8}]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--only", "3/2", "--rows", "runs"), "--only 3/2: expected NUMBER/OF from 1/OF to OF/OF"),
        (("--only", "1/2", "--rows", "runs", "--output", "x.json"), "give it to fairsum score FOLDER/RUN"),
        (("--only", "1/2", "--rows", "runs", "--samples", "x.jsonl"), "give it to fairsum score FOLDER/RUN"),
    ],
)
def test_what_a_part_cannot_do(fairsum, write_jsonl, demo_rows, monkeypatch, tmp_path, options, message):
    monkeypatch.chdir(tmp_path)
    status, printed, err = fairsum("score", write_jsonl(demo_rows), *options)
    assert (status, printed, message in err) == (2, "", True)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("options", [("--set", "tau=0.5"), ("--rows", "other")])
def test_what_a_run_knows_is_not_asked(fairsum, parts, options):
    _, run, _ = parts(1, 2, 3)
    status, _, err = fairsum("score", run, *options)
    assert (status, f"{options[0]} does not go with the folder of a run, which has its own" in err) == (2, True)


def test_rows_of_a_comparison_give_no_scores(fairsum, write_jsonl, demo_rows, tmp_path):
    files = [write_jsonl(demo_rows, f"{name}.jsonl") for name in "ab"]
    assert fairsum("compare", *files, "--rows", tmp_path / "runs")[0] == 0
    [run] = (tmp_path / "runs").iterdir()
    copy = shutil.copytree(run, tmp_path / "copy")
    for command in (("score", run), ("compare", run, copy)):
        status, printed, err = fairsum(*command)
        assert (status, printed) == (2, "")
        assert f"{run}: these are rows of a comparison; run fairsum compare with --rows again" in err


def test_texts_of_standard_input_are_gone(fairsum, write_jsonl, demo_rows, monkeypatch, tmp_path):
    content = write_jsonl(demo_rows).read_bytes()
    opening.spooled.cache_clear()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    _, expected, _ = fairsum("score", "-", "--rows", tmp_path / "runs")
    opening.spooled.cache_clear()
    assert fairsum("score", tmp_path / "runs")[:2] == (0, expected)
    status, _, err = fairsum("score", tmp_path / "runs", "--report", tmp_path / "page.html")
    assert (status, "came from standard input, which is not kept; leave out --report" in err) == (2, True)


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
