"""Commands that read from a store and write to it: the same bytes as here."""

import json
import os
import subprocess
import sys
import time
import uuid

import pytest

from fairsum_utils.corpora.loading import PARQUET_FILE
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.stores import put
from fairsum_utils.io.writing import write_rows

from ..conftest import takes_long


@pytest.fixture
def store():
    """The address of an empty place."""
    pytest.importorskip("fsspec")
    return f"memory://{uuid.uuid4().hex}"


@pytest.mark.usefixtures("undrawn")
def test_score(fairsum, s3, demo_rows, tmp_path):
    outputs = {"output": "results.json", "samples": "samples.parquet", "plot": "plot.svg", "report": "page.html"}
    write_rows(demo_rows[:4], f"{s3}/in/1.parquet")
    write_rows(demo_rows[4:], f"{s3}/in/2.parquet")
    write_rows(demo_rows, tmp_path / "all.jsonl")
    record = {}
    for where, file in ((str(tmp_path), tmp_path / "all.jsonl"), (s3, f"{s3}/in/*.parquet")):
        options = [part for name, last in outputs.items() for part in (f"--{name}", f"{where}/{last}")]
        status, printed, err = fairsum("score", file, "--metrics", "uer", "--with-texts", "--format", "json", *options)
        assert (status, err) == (0, "")
        record[where] = json.loads(printed)["metrics"]
    assert record[s3] == record[str(tmp_path)]
    folder = Folder(s3)
    assert folder.names() == sorted(["in/1.parquet", "in/2.parquet", *outputs.values()])
    results = json.loads(folder.read("results.json"))
    assert results["metrics"] == json.loads((tmp_path / "results.json").read_text())["metrics"]
    inputs = results["run"]["inputs"]
    assert [each["path"] for each in inputs] == [f"{s3}/in/1.parquet", f"{s3}/in/2.parquet"]
    assert all(each["bytes"] > 0 and each["sha256"] is None for each in inputs)
    assert folder.read("plot.svg").endswith(b"</svg>\n")
    here, there = (list(read_rows(f"{where}/samples.parquet", {"id": "--id-column"})) for where in (tmp_path, s3))
    assert here == there
    assert len(there) == len(demo_rows)
    assert folder.read("page.html").startswith(b"<!DOCTYPE html>")
    # what was written is read again
    assert fairsum("report", f"{s3}/results.json", f"{s3}/samples.parquet", "-o", f"{s3}/again.html")[0] == 0
    assert folder.exists("again.html")


def test_data(fairsum, store, tweets):
    options = ("--data-dir", tweets, "--set", "sizes=[4]", "--set", "min_tokens=1", "--set", "samples_per_cell=2")
    build = ("data", "build", "perspectivesumm", "--config", "claritin", *options)
    status, printed, _ = fairsum(*build, "--output", f"{store}/rows.parquet")
    assert status == 0
    n_rows = json.loads(printed)["rows"]
    assert n_rows == len(list(read_rows(f"{store}/rows.parquet", {}))) > 0
    export = ("data", "export", "perspectivesumm", "--config", "claritin", *options)
    assert fairsum(*export, "--output", f"{store}/hub")[0] == 0
    assert fairsum(*export, "--output", tweets / "hub")[0] == 0
    folder, here = Folder(f"{store}/hub"), Folder(tweets / "hub")
    assert folder.names() == here.names() == ["README.md", f"claritin/{PARQUET_FILE}"]
    assert all(folder.read(name) == here.read(name) for name in here.names())


def test_generate(fairsum, store, tiny_model, tmp_path, monkeypatch, capsys):
    """Prompts may lie in a store; texts may not, since nothing can be added to an object."""
    pytest.importorskip("transformers")
    model = tiny_model("causal")
    capsys.readouterr()
    monkeypatch.chdir(tmp_path)
    write_rows([{"prompt": "Great soup is "}, {"prompt": "Slow "}], f"{store}/prompts.jsonl")
    short = ("--set", "max_new_tokens=4", "--device", "cpu")
    command = ("generate", f"{store}/prompts.jsonl", "--model", model, *short)
    assert fairsum(*command, "--output", tmp_path / "texts.jsonl")[0] == 0
    status, _, err = fairsum(*command, "--output", f"{store}/texts.jsonl")
    assert (status, "texts are added one by one, which needs a local file" in err) == (2, True)
    assert Folder(store).names() == ["prompts.jsonl"]


def run_in(folder):
    """The folder of the only run."""
    [name] = {name.partition("/")[0] for name in folder.names()}
    return Folder(folder.address(name))


def test_parts_and_their_results(fairsum, store, demo_rows, small_chunks, tmp_path):
    small_chunks(4)
    for folder in (store, tmp_path):
        write_rows(demo_rows, f"{folder}/rows.csv.gz")
    for number in (2, 1):
        arguments = (f"{store}/rows.csv.gz", "--only", f"{number}/2", "--rows", f"{store}/runs")
        assert fairsum("score", *arguments)[0] == 0
    run = run_in(Folder(f"{store}/runs"))
    assert run.names() == ["rows-000001.parquet", "rows-000002.parquet"]
    status, printed, _ = fairsum("score", run.name, "--output", f"{store}/result.json", "--format", "csv")
    assert (status, printed) == fairsum("score", tmp_path / "rows.csv.gz", "--format", "csv")[:2]
    assert Folder(store).exists("result.json")


def test_a_store_that_refuses_in_the_middle(
    fairsum, s3, object_store, write_jsonl, demo_rows, small_chunks, monkeypatch
):
    """One line, and what is finished is kept; once the store takes files again, the run goes on."""
    small_chunks(4)
    path, runs, write = write_jsonl(demo_rows), Folder(f"{s3}/runs"), Folder.write
    arguments = (path, "--rows", runs.name, "--format", "csv")

    def refused_from_now_on(folder, name, content):
        if name == "rows-000002.parquet":
            object_store.refused.add("PUT")
        write(folder, name, content)

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "write", refused_from_now_on)
        status, printed, err = fairsum("score", *arguments)
    assert (status != 0, printed) == (True, "")
    assert "/rows-000002.parquet: cannot write the address (PermissionError: Access Denied)" in err
    assert err.count("\n") == 1
    assert run_in(runs).names() == ["rows-000001.parquet"]
    object_store.refused.clear()
    assert fairsum("score", *arguments)[:2] == fairsum("score", path, "--format", "csv")[:2]


@takes_long
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_run_that_is_killed_goes_on(fairsum, s3, demo_rows, tmp_path):
    """Driver killed twice, once with some rows kept: the same result, and no finished file is written again."""
    rows = [{**demo_rows[number % 8], "id": f"s{number}"} for number in range(8000)]
    write_rows(rows, tmp_path / "rows.parquet")
    put(f"{s3}/in/rows.parquet", tmp_path / "rows.parquet")
    runs, result = Folder(f"{s3}/runs"), Folder(s3)
    arguments = [f"{s3}/in/*.parquet", "--workers", "2", "--rows", runs.name, "--output", f"{s3}/result.json"]
    command = [sys.executable, "-m", "fairsum_utils", "score", *arguments]
    for n_finished in (1, 3):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while len(runs.names()) < n_finished:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        process.kill()
        process.wait()
        process.stderr.close()
    finished = {name: runs.read(name) for name in runs.names()}
    assert 3 <= len(finished) < 8
    assert not result.exists("result.json")
    status, _, err = fairsum("score", *arguments)
    assert (status, err) == (0, "")
    assert all(runs.read(name) == content for name, content in finished.items())
    fairsum("score", tmp_path / "rows.parquet", "--output", tmp_path / "result.json")
    here = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert json.loads(result.read("result.json"))["metrics"] == here["metrics"]
    write_rows(rows[1:], f"{s3}/in/rows.parquet")  # another run, in the same folder
    assert fairsum("score", *arguments)[0] == 0
    assert json.loads(result.read("result.json"))["metrics"] != here["metrics"]
    assert len(runs.names()) == 16


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--output", "s3://none-such/r.json"], "s3://none-such/r.json: cannot write the address"),
        (["--output", "https://a.org/r.json"], "https://a.org/r.json: web addresses are read-only"),
        (["--report", "{0}/page.txt"], "{0}/page.txt: unknown format; the name must end in .html"),
        (["--samples", "{0}/in.jsonl"], "{0}/in.jsonl: this is the input; name another output"),
        (["--output", "{0}/r.json", "--samples", "{0}/denied/s.jsonl"], "PermissionError"),
    ],
)
def test_what_is_refused_before_any_work(fairsum, s3, object_store, arguments, message, demo_rows, monkeypatch):
    write_rows(demo_rows, f"{s3}/in.jsonl")
    if "Permission" in message:
        object_store.refused.add("POST")
    monkeypatch.setattr("fairsum_utils.run.scoring.Scoring.parts", lambda *_, **__: pytest.fail("work was done"))
    status, printed, err = fairsum("score", f"{s3}/in.jsonl", *(each.format(s3) for each in arguments))
    assert (status, printed) == (2, "")
    assert message.format(s3) in err
    assert err.count("\n") == 1
    assert Folder(s3).names() == ["in.jsonl"]


@pytest.mark.parametrize(
    ("name", "message"),
    [("none.parquet", "none.parquet: no such file"), ("*.csv", "*.csv: no file matches this pattern")],
)
def test_inputs_that_are_not_there(fairsum, s3, name, message):
    status, _, err = fairsum("score", f"{s3}/{name}")
    assert (status, err) == (2, f"fairsum score: error: {s3}/{message}\n")
