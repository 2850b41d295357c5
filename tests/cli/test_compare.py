"""Comparing files: the library's numbers, pairing by id, directions, runs, and files that do not belong together."""

import json
from pathlib import Path

import pytest

import fairsum_utils
from fairsum_utils import read_results
from fairsum_utils.cli.compare import files_of
from fairsum_utils.errors import InputError
from fairsum_utils.io.names import stems
from fairsum_utils.reports.formats import to_json
from fairsum_utils.results.record import complete


@pytest.fixture
def folder(tmp_path, write_jsonl, demo_rows):
    """Files of three systems: the first of the demo, its summaries cut, and the first source alone."""
    (tmp_path / "systems").mkdir()
    summarize = {
        "a": lambda row: row["prediction"],
        "b": lambda row: row["prediction"][:60],
        "lead": lambda row: row["sources"][0],
    }
    for number, (name, text) in enumerate(summarize.items()):
        rows = [{**row, "prediction": text(row), "rouge": number / 4} for row in demo_rows]
        write_jsonl(rows, f"systems/{name}.jsonl")
    return tmp_path / "systems"


@pytest.fixture
def systems(folder):
    return [folder / "a.jsonl", folder / "b.jsonl"]


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_many_systems_as_the_library_has_them(fairsum, folder, demo_rows):
    texts = {name: [row["prediction"] for row in read_lines(folder / f"{name}.jsonl")] for name in ("a", "b", "lead")}
    asked = ("--baseline", "lead", "--quality-column", "rouge", "--set", "n_resamples=200")
    _, printed, err = fairsum("compare", folder, *asked, "--format", "json", "--workers", 2, "--verbose")
    assert err == "fairsum: 2 workers scored the samples\n"
    document = json.loads(printed)
    assert [system.pop("file") for system in document["systems"].values()] == [
        str(folder / f"{name}.jsonl") for name in texts
    ]
    expected = fairsum_utils.compare(
        texts,
        *([row[name] for row in demo_rows] for name in ("sources", "values")),
        baseline="lead",
        quality={"rouge": {name: [number / 4] * 8 for number, name in enumerate(texts)}},
        n_resamples=200,
    )
    assert document == json.loads(to_json(complete({**expected._titles(), "metrics": expected})))


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        (lambda rows: rows[1:], (), "the sample with id 'noodle-bar' of a is missing from b; compare systems on the"),
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
        (list, ("--baseline", "c"), "compare: error: no system is called 'c'; the systems are a, b"),
        (list, ("--metrics", "sentiment"), "compare groups of texts, not systems"),
    ],
)
def test_systems_that_do_not_belong_together(fairsum, write_jsonl, folder, change, arguments, message):
    write_jsonl(change(read_lines(folder / "b.jsonl")), "systems/b.jsonl")
    status, printed, err = fairsum("compare", folder, *arguments)
    assert (status, printed, err.count("\n")) == (2, "", 1)
    assert message.replace("FOLDER", str(folder)) in err


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ("a.jsonl", "compare: error: needs at least two systems, found"),
        ("a.jsonl b.jsonl a.jsonl", "a.jsonl is given twice; name every file once, or the systems with --labels"),
        (". a.jsonl", "compare: error: a.jsonl is given twice"),
        ("*.csv", "no file matches this pattern"),
        ("a.jsonl b.jsonl c.jsonl", "c.jsonl: no such file"),
        ("a.jsonl b.jsonl --labels x", "--labels must name each of 2 systems once, as in --labels A,B, found 'x'"),
        ("a.jsonl b.jsonl --labels x,y,z", "must name each of 2 systems once"),
        ("a.jsonl b.jsonl --labels x,x", "must name each of 2 systems once"),
        ("a.jsonl b.jsonl --labels x,", "must name each of 2 systems once"),
    ],
)
def test_files_that_are_no_systems(fairsum, folder, monkeypatch, files, message):
    monkeypatch.chdir(folder)
    status, printed, err = fairsum("compare", *files.split())
    assert (status, printed) == (2, "")
    assert message in err


def test_what_systems_are_called(tmp_path):
    assert stems([Path("x/a.jsonl"), Path("b.csv.gz"), Path("saved")]) == ["a", "b", "saved"]
    assert stems([Path("a.jsonl"), Path("a.csv")]) == ["a.jsonl", "a.csv"]
    for name in ("b.jsonl", "a.csv", "notes.txt", "saved/state.json", "others/c.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [Path(path).name for path in files_of([str(tmp_path)])] == ["a.csv", "b.jsonl", "saved"]
    assert files_of([str(tmp_path / "saved"), str(tmp_path / "b.jsonl")])[0] == str(tmp_path / "saved")
    addresses = ["memory://a/1.jsonl", "memory://a/2.jsonl"]
    assert files_of(addresses) == addresses


def test_predictions_apart_from_the_sources(fairsum, systems, write_jsonl):
    rows = {path.stem: read_lines(path) for path in systems}
    sources = write_jsonl([{name: row[name] for name in ("id", "sources", "values")} for row in rows["a"]])
    apart = [
        write_jsonl(
            [{"id": row["id"], "prediction": row["prediction"]} for row in reversed(of_system)], f"{name}.jsonl"
        )
        for name, of_system in rows.items()
    ]
    expected = fairsum("compare", *systems, "--format", "csv")[1]
    assert fairsum("compare", *apart, "--sources", sources, "--format", "csv")[:2] == (0, expected)
    status, _, err = fairsum("compare", *apart, "--sources", sources, "--quality-column", "rouge")
    assert (status, "--quality-column is read beside sources" in err) == (2, True)


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
    for path, more in zip(systems, ((), ("--set", "tau=0.8")), strict=True):
        fairsum("score", path, "--metrics", "bur", *more, "--rows", tmp_path / f"run_{path.stem}")
    return [run for path in systems for run in (tmp_path / f"run_{path.stem}").iterdir()]


def test_runs_compare_as_their_files_do(fairsum, systems, runs, tmp_path):
    """Only the lengths of the summaries are not there."""
    names = ("--labels", "x,y,z", "--baseline", "y", "--format", "json")
    systems, runs = [*systems, systems[0]], [*runs, runs[0]]
    expected = json.loads(fairsum("compare", *systems, "--metrics", "bur", *names)[1])
    for system in systems[:2]:
        system.unlink()  # nothing is read again
    output, plot = tmp_path / "compared.json", tmp_path / "compared.svg"
    document = json.loads(fairsum("compare", *runs, *names, "--output", output, "--plot", plot)[1])
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


SOURCES = ["Tasty soup and kind staff.", "A long cold wait outside tonight."]
FAIR, UNFAIR = "Tasty soup, kind staff, a long cold wait.", "Tasty soup and kind staff."
# An unfair summary leaves the second value out, a fair one none. BUR is the share of unfair summaries of 60: 0.2 of
# main, 0 of better, 1 of worse.
UNFAIR_OF = {"main": 12, "better": 0, "worse": 60}
RULE = "difference_ci_high < 0.02"


@pytest.fixture
def compared(fairsum, write_jsonl, tmp_path):
    """Compare systems by BUR: the file of the comparison, and what is printed."""
    for name, n in UNFAIR_OF.items():
        texts = [UNFAIR] * n + [FAIR] * (60 - n)
        write_jsonl([{"prediction": text, "sources": SOURCES, "values": ["a", "b"]} for text in texts], f"{name}.jsonl")

    def run(names, *more):
        output, files = tmp_path / "comparison.json", [tmp_path / f"{name}.jsonl" for name in names.split()]
        asked = ("--metrics", "bur", "--set", "n_resamples=200", "--output", output)
        status, printed, err = fairsum("compare", *files, *asked, *more)
        assert status == 0, err
        return output, printed

    return run


@pytest.mark.parametrize(
    ("names", "more", "rule", "system", "baseline"),
    [
        ("main worse", (), f"bur.{RULE}", "worse", "main"),
        ("main worse", ("--baseline", "worse"), f"bur.{RULE}", "main", "worse"),
        ("worse main", ("--pairs",), f"bur.{RULE}", "main", "worse"),
        ("better main", ("--pairs", "--baseline", "better"), f"bur.{RULE}", "main", "better"),
        ("worse main better", ("--baseline", "main"), f"bur['worse'].{RULE}", "worse", "main"),
        ("worse main better", ("--baseline", "main"), f"bur['worse'].main.{RULE}", "worse", "main"),
        # Of all pairs a rule says itself which system is subtracted.
        ("worse main better", ("--pairs",), f"bur.better.worse.{RULE}", "better", "worse"),
    ],
)
def test_a_worse_system_fails_the_documented_rule(fairsum, compared, names, more, rule, system, baseline):
    """A difference is the system minus the baseline; a better system passes the rule."""
    output, _ = compared(names, *more)
    status, printed, _ = fairsum("check", output, "--rules", rule, "--format", "json")
    [verdict] = json.loads(printed)["verdicts"]
    change = (UNFAIR_OF[system] - UNFAIR_OF[baseline]) / 60
    assert status == (1 if change > 0 else 0)
    assert verdict["interval"][0] <= change <= verdict["interval"][1]
    assert [verdict[key] for key in ("system", "baseline")] == [system, baseline]
    assert f"{system} minus {baseline}" in fairsum("check", output, "--rules", rule)[1]


def test_reports_and_rules_name_both(fairsum, compared, tmp_path):
    output, printed = compared("worse main", "--labels", "new, old", "--baseline", "old")
    assert ["BUR", "new", "old", "0.80"] in [line.split()[:4] for line in printed.splitlines()]
    assert "Differences are the system minus old (the baseline)." in printed
    junit = tmp_path / "check.xml"
    status, _, _ = fairsum("check", output, "--rules", f"bur.{RULE}", "--junit", junit)
    assert (status, "new minus old: found" in junit.read_text(encoding="utf-8")) == (1, True)
    result = read_results(output)["bur"]
    assert (result["system"], result["baseline"]) == ("new", "old")
    assert {name: system["score"] for name, system in result["systems"].items()} == {"new": 1.0, "old": 0.2}


OF_TWO = {"a": "main.jsonl", "b": "better.jsonl", "metrics": {"bur": {"a": 0.2, "b": 0.0, "difference": -0.2}}}
OF_MANY = {
    "baseline": None, "systems": {"main": {"file": "main.jsonl"}, "better": {"file": "better.jsonl"}}, "warnings": [],
    "metrics": {"bur": {"differences": [{"a": "main", "b": "better", "difference": -0.2}]}},
}  # fmt: skip


@pytest.mark.parametrize("document", [OF_TWO, OF_MANY])
@pytest.mark.parametrize("version", [{}, {"format_version": 2}])
def test_a_comparison_by_an_earlier_version_is_refused(fairsum, write_jsonl, tmp_path, document, version):
    output = write_jsonl([{**document, **version}], "old.json")
    for asked in (
        ("check", output, "--rules", "n_samples > 0"),
        ("report", output, "-o", tmp_path / "r.html"),
        ("export", output, "--to", "hf-eval", "--model", "me/x", "--output", tmp_path / "x.yaml"),
    ):
        status, _, err = fairsum(*asked)
        assert status == 2
        assert "is a comparison by an earlier version, " in err
        assert "run fairsum compare again" in err
    with pytest.raises(InputError, match="is a comparison by an earlier version"):
        read_results(output)


def test_scores_of_an_earlier_version_are_read(fairsum, systems, write_jsonl, tmp_path):
    assert fairsum("score", systems[0], "--metrics", "bur", "--output", tmp_path / "a.json")[0] == 0
    old = write_jsonl([{**json.loads((tmp_path / "a.json").read_text()), "format_version": 1}], "old.json")
    assert fairsum("check", old, "--rules", "n_samples == 8")[0] == 0
