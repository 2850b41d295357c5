"""Comparing files: the library's numbers, pairing by id, tables, and files that do not belong together."""

import json
from pathlib import Path

import pytest

import fairsum_utils
from fairsum_utils.cli.compare import files_of
from fairsum_utils.cli.demo import load_demo
from fairsum_utils.io.names import stems
from fairsum_utils.reports.formats import to_json
from fairsum_utils.results.record import complete


@pytest.fixture
def systems(write_jsonl):
    demo = load_demo()
    paths = []
    for system in ("system_a", "system_b"):
        columns = zip(demo["id"], demo["sources"], demo["values"], demo[system], strict=True)
        rows = [dict(zip(("id", "sources", "values", "prediction"), row, strict=True)) for row in columns]
        paths.append(write_jsonl(rows, f"{system}.jsonl"))
    return paths


def rewrite(path, change):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(row) + "\n" for row in change(rows)), encoding="utf-8")


@pytest.fixture
def folder(tmp_path, write_jsonl):
    """Files of four systems: those of the demo, their texts exchanged sample by sample, and the first source alone."""
    demo = load_demo()
    mixed = [pair[place % 2] for place, pair in enumerate(zip(demo["system_a"], demo["system_b"], strict=True))]
    texts = {
        "a": demo["system_a"],
        "b": demo["system_b"],
        "mixed": mixed,
        "lead": [text[0] for text in demo["sources"]],
    }
    (tmp_path / "systems").mkdir()
    for number, (name, summaries) in enumerate(texts.items()):
        columns = zip(demo["id"], demo["sources"], demo["values"], summaries, strict=True)
        rows = [dict(zip(("id", "sources", "values", "prediction"), row, strict=True)) for row in columns]
        write_jsonl([row | {"rouge": number / 4} for row in rows], f"systems/{name}.jsonl")
    return tmp_path / "systems"


def texts_of(folder):
    """Name of a system -> its summaries."""
    rows = {path.stem: list(map(json.loads, path.read_text().splitlines())) for path in sorted(folder.iterdir())}
    return {name: [row["prediction"] for row in of_file] for name, of_file in rows.items()}


def test_many_systems_as_the_library_has_them(fairsum, folder):
    demo, texts = load_demo(), texts_of(folder)
    asked = ("--baseline", "lead", "--quality-column", "rouge", "--set", "n_resamples=200")
    _, printed, err = fairsum("compare", folder, *asked, "--format", "json", "--workers", 2, "--verbose")
    assert err == "fairsum: 2 workers scored the samples\n"
    document = json.loads(printed)
    numbers = {"a": 0.0, "b": 0.25, "lead": 0.75, "mixed": 0.5}
    expected = fairsum_utils.compare(
        texts,
        demo["sources"],
        demo["values"],
        baseline="lead",
        quality={"rouge": {name: [number] * 8 for name, number in numbers.items()}},
        n_resamples=200,
    )
    assert [system.pop("file") for system in document["systems"].values()] == [
        str(folder / f"{name}.jsonl") for name in texts
    ]
    assert document == json.loads(to_json(complete({**expected._titles(), "metrics": expected})))


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        (
            lambda rows: rows[1:],
            (),
            "the sample with id 'noodle-bar' of a is missing from b; compare systems on the same",
        ),
        (
            lambda rows: [rows[0], {**rows[1], "rouge": "high"}, *rows[2:]],
            ("--quality-column", "rouge"),
            "(FOLDER/b.jsonl, row 2, id city-hotel)",
        ),
        (
            lambda rows: [{**row, "prediction": 3 if row["id"] == "city-hotel" else "x"} for row in rows[::-1]],
            (),
            "convert it to a string (FOLDER/b.jsonl, row 7, id city-hotel)",
        ),
        (
            lambda rows: rows,
            ("--baseline", "c"),
            "compare: error: no system is called 'c'; the systems are a, b",
        ),
        (lambda rows: rows, ("--metrics", "sentiment"), "compare groups of texts, not systems"),
    ],
)
def test_systems_that_do_not_belong_together(fairsum, folder, change, arguments, message):
    rewrite(folder / "b.jsonl", change)
    status, printed, err = fairsum("compare", folder, *arguments)
    assert (status, printed) == (2, "")
    assert message.replace("FOLDER", str(folder)) in err
    assert err.count("\n") == 1


def test_files_that_are_no_systems(fairsum, folder, tmp_path):
    one = folder / "a.jsonl"
    for given, message in (
        ((one,), "compare: error: needs at least two systems, found"),
        (
            (one, folder / "b.jsonl", one),
            "compare: error: a.jsonl is given twice; name every file once, or the systems with --labels",
        ),
        ((folder, one), "compare: error: a.jsonl is given twice"),
        ((f"{folder}/*.csv",), "no file matches this pattern"),
        ((one, folder / "b.jsonl", tmp_path / "c.jsonl"), "c.jsonl: no such file"),
    ):
        status, printed, err = fairsum("compare", *given)
        assert (status, printed) == (2, "")
        assert message in err
    for path in (folder / "b.jsonl", folder / "lead.jsonl", folder / "mixed.jsonl"):
        path.unlink()
    status, _, err = fairsum("compare", folder)
    assert (status, "needs at least two systems, found" in err) == (2, True)


def test_what_systems_are_called(tmp_path):
    assert stems([Path("x/a.jsonl"), Path("b.csv.gz"), Path("saved")]) == ["a", "b", "saved"]
    assert stems([Path("a.jsonl"), Path("a.csv")]) == ["a.jsonl", "a.csv"]
    for name in ("b.jsonl", "a.csv", "notes.txt", "saved/state.json", "others/c.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [Path(path).name for path in files_of([str(tmp_path)])] == ["a.csv", "b.jsonl", "saved"]
    assert files_of([str(tmp_path / "saved"), str(tmp_path / "b.jsonl")])[0] == str(tmp_path / "saved")


def test_predictions_apart_from_the_sources(fairsum, folder, tmp_path):
    rows = {name: read_lines(folder / f"{name}.jsonl") for name in "ab"}
    sources = tmp_path / "sources.jsonl"
    shared = ({name: row[name] for name in ("id", "sources", "values")} for row in rows["a"])
    sources.write_text("".join(json.dumps(row) + "\n" for row in shared), encoding="utf-8")
    (tmp_path / "apart").mkdir()
    for name in "ab":
        lines = (json.dumps({"id": row["id"], "prediction": row["prediction"]}) + "\n" for row in reversed(rows[name]))
        (tmp_path / "apart" / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    beside = [folder / f"{name}.jsonl" for name in "ab"]
    apart = [tmp_path / "apart" / f"{name}.jsonl" for name in "ab"]
    _, expected, _ = fairsum("compare", *beside, "--format", "csv")
    status, printed, _ = fairsum("compare", *apart, "--sources", sources, "--format", "csv")
    assert (status, printed) == (0, expected)
    status, _, err = fairsum("compare", *apart, "--sources", sources, "--quality-column", "rouge")
    assert status == 2
    assert "--quality-column is read beside sources" in err


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_rows_that_are_kept_change_nothing(fairsum, systems, tmp_path):
    asked, folder = ("compare", *systems, "--metrics", "uer", "--format", "json"), tmp_path / "runs"
    expected = fairsum(*asked)[1]
    assert fairsum(*asked, "--rows", folder)[:2] == (0, expected)
    [rows] = folder.glob("*/*.parquet")
    written = rows.stat().st_mtime_ns
    assert fairsum(*asked, "--rows", folder)[:2] == (0, expected)
    assert rows.stat().st_mtime_ns == written


@pytest.fixture
def runs(fairsum, systems, tmp_path):
    """A run of each system; a default that is given is no other setting."""
    for name, more in (("a", ()), ("b", ("--set", "tau=0.8"))):
        fairsum("score", systems["ab".index(name)], "--metrics", "bur", *more, "--rows", tmp_path / f"run_{name}")
    return [run for name in "ab" for run in (tmp_path / f"run_{name}").iterdir()]


def test_runs_compare_as_their_files_do(fairsum, systems, runs, tmp_path):
    """Only the lengths of the summaries are not there."""
    names = ("--metrics", "bur", "--labels", "x,y,z", "--baseline", "y")
    systems, runs = [*systems, systems[0]], [*runs, runs[0]]
    expected = json.loads(fairsum("compare", *systems, *names, "--format", "json")[1])
    for system in systems[:2]:
        Path(system).unlink()  # nothing is read again
    output, plot = tmp_path / "compared.json", tmp_path / "compared.svg"
    more = ("--format", "json", "--output", output, "--plot", plot)
    status, printed, _ = fairsum("compare", *runs, *names[2:], *more)
    document = json.loads(printed)
    assert status == 0
    assert (document["baseline"], document["metrics"]) == ("y", expected["metrics"])
    assert document["systems"]["x"] == {"n_samples": 8, "columns": {}, "share_matched": 1.0, "file": str(runs[0])}
    saved = json.loads(output.read_text(encoding="utf-8"))
    assert saved["metrics"] == document["metrics"]
    assert [each["rows"] for each in saved["run"]["inputs"]] == [8, 8]
    assert "<svg" in plot.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["{file}"], "{first} is the folder of a run, and {file} is not; name runs, or files of samples"),
        (["{run}", "{run}"], "is given twice; name every file once, or the systems with --labels"),
        (["{run}", "--set", "tau=0.9"], "--set does not go with folders of runs, which have theirs; leave it out"),
        (["{run}", "--report", "page.html"], "--report does not go with folders of runs"),
        ([], "needs at least two systems, found "),
    ],
)
def test_what_does_not_go_with_runs(fairsum, systems, runs, more, message):
    names = {"file": systems[0], "run": runs[1], "first": runs[0]}
    status, _, text = fairsum("compare", runs[0], *(each.format(**names) for each in more))
    assert status == 2
    assert message.format(**names) in text


@pytest.mark.parametrize("labels", ["x", "x,y,z", "x,x", "x,"])
def test_labels_name_each_system_once(fairsum, systems, labels):
    status, _, message = fairsum("compare", *systems, "--labels", labels)
    assert status == 2
    assert f"--labels must name each of 2 systems once, as in --labels A,B, found {labels!r}" in message
