"""`fairsum monitor`: windows from results and from samples, the state, and the exit status."""

from __future__ import annotations

import json

import pytest

from fairsum_utils import Monitor, read_results

SOURCES, VALUES = ["Tasty soup.", "Awful soup."], ["pos", "neg"]


def rows(n, unfair, **more):
    """Samples of which the first ones leave a value out."""
    texts = ["Tasty."] * unfair + ["Tasty, awful."] * (n - unfair)
    return [{"prediction": text, "sources": SOURCES, "values": VALUES, **more} for text in texts]


@pytest.fixture
def scored(fairsum, write_jsonl, tmp_path):
    """Score samples into a file of results."""

    def make(name, samples, *flags):
        output = tmp_path / f"{name}.json"
        metrics = () if "--metrics" in flags else ("--metrics", "bur,uer")
        data = write_jsonl(samples, f"{name}.jsonl")
        assert fairsum("score", data, *metrics, *flags, "--output", output)[0] == 0
        return output

    return make


@pytest.fixture
def baseline(scored):
    return scored("april", rows(200, 20))


def test_windows_from_results(fairsum, scored, baseline, tmp_path):
    may, june = scored("may", rows(60, 6)), scored("june", rows(60, 30))
    output, plot = tmp_path / "monitored.json", tmp_path / "monitored.svg"
    assert fairsum("monitor", may, "--baseline", baseline)[0] == 0
    status, out, _ = fairsum("monitor", may, june, "--baseline", baseline, "--output", output, "--plot", plot)
    assert status == 1
    assert "BUR: alarm at june; it has most likely risen since june" in out
    monitor = Monitor(baseline)
    monitor.add(may, "may")
    monitor.add(june, "june")
    assert read_results(output) == monitor.results()
    assert "BUR: evidence of a change" in plot.read_text()


def test_a_file_of_samples_in_windows(fairsum, write_jsonl, scored, baseline):
    days = [rows(40, n, day=day) for day, n in (("Monday", 4), ("Tuesday", 5), ("Wednesday", 30))]
    mixed = [row for both in zip(*days, strict=True) for row in both]
    data = write_jsonl(mixed)
    status, out, _ = fairsum("monitor", data, "--baseline", baseline, "--window-column", "day", "--format", "json")
    assert status == 1
    windows = json.loads(out)["metrics"]["bur"]["windows"]
    assert [(each["name"], each["n_samples"], each["score"]) for each in windows] == [
        ("Monday", 40, 0.1), ("Tuesday", 40, 0.125), ("Wednesday", 40, 0.75),
    ]  # fmt: skip
    alone = read_results(scored("Tuesday", days[1]))
    assert windows[1]["ci"] == alone["bur"]["bur_ci"]
    data = write_jsonl([row for day in days for row in day])
    status, out, _ = fairsum("monitor", data, "--baseline", baseline, "--window", 50, "--format", "json")
    windows = json.loads(out)["metrics"]["bur"]["windows"]
    assert [(each["name"], each["n_samples"], each["score"]) for each in windows] == [
        ("1-50", 50, 0.18), ("51-100", 50, 0.4),
    ]  # fmt: skip
    again = fairsum("monitor", data, "--baseline", baseline, "--window", 50, "--format", "json", "--workers", 2)
    assert again[:2] == (status, out)


def test_summaries_in_a_file_of_their_own(fairsum, write_jsonl, scored, baseline):
    samples = [{**row, "id": str(number)} for number, row in enumerate(rows(120, 30))]
    whole = write_jsonl(samples, "whole.jsonl")
    summaries = write_jsonl([{"id": row["id"], "prediction": row["prediction"]} for row in samples], "summaries.jsonl")
    sources = write_jsonl([{**row, "prediction": "unused"} for row in samples], "sources.jsonl")
    asked = ("--baseline", baseline, "--window", 40, "--format", "json")
    apart = fairsum("monitor", sources, "--predictions", summaries, *asked)
    assert apart == fairsum("monitor", whole, *asked)
    assert json.loads(apart[1])["metrics"]["bur"]["windows"][0]["score"] == 0.75


def test_settings_are_those_of_the_baseline(fairsum, write_jsonl, scored):
    lenient = scored("lenient", rows(100, 30), "--metrics", "bur", "--tau", "0", "--confidence", "0.9")
    data = write_jsonl(rows(60, 30))
    status, out, _ = fairsum("monitor", data, "--baseline", lenient, "--window", 60, "--format", "json")
    assert status == 3  # nothing is ever unfair
    result = json.loads(out)["metrics"]["bur"]
    assert result["windows"][0]["score"] == 0
    assert "tau:0.0" in result["signature"]


def test_it_goes_on_daily(fairsum, scored, baseline, tmp_path):
    state = tmp_path / "state.json"
    windows = [scored(name, rows(60, n)) for name, n in (("may", 6), ("june", 12), ("july", 30), ("august", 6))]
    whole = fairsum("monitor", *windows, "--baseline", baseline)
    statuses = []
    for n in range(1, 5):  # all windows there are, every day, as a pattern names them
        status, out, _ = fairsum("monitor", *windows[:n], "--baseline", baseline, "--state", state)
        statuses.append(status)
    assert (statuses[-1], out) == whole[:2]
    assert statuses == [0, 0, 1, 1]
    assert fairsum("monitor", "--state", state)[:2] == whole[:2]
    assert [path.name for path in tmp_path.iterdir() if "lock" in path.name or path.name.startswith(".")] == []


def test_what_a_state_refuses(fairsum, scored, baseline, tmp_path):
    state, may = tmp_path / "state.json", scored("may", rows(60, 6))
    assert fairsum("monitor", may, "--baseline", baseline, "--state", state)[0] == 0
    before = state.read_bytes()
    other = scored("other", rows(200, 30))
    changed = tmp_path / "changed"
    changed.mkdir()
    (changed / "may.json").write_bytes(scored("might", rows(60, 7)).read_bytes())
    for flags, said in (
        ([may, "--baseline", other], "the state file was started with a different baseline or different measures"),
        ([may, "--baseline", baseline, "--alpha", 0.1], "the state file was started with another alpha"),
        (
            [may, "--baseline", baseline, "--metrics", "bur"],
            "the state file was started with a different baseline or different measures",
        ),
        ([may, "--alpha", 0.1], "--alpha cannot change what"),
        ([changed / "may.json"], "the window 'may' was added before with 60 samples and bur 0.1000"),
        ([scored("june", rows(60, 6)), changed / "may.json"], "the window 'may' was added before"),
    ):
        status, out, err = fairsum("monitor", *flags, "--state", state)
        assert (status, out) == (2, "")
        assert said in err
        assert state.read_bytes() == before
    state.write_bytes(before.replace(b"0.1,", b"0.2,", 1))
    status, _, err = fairsum("monitor", "--state", state)
    assert status == 2
    assert "is damaged or was edited; name another file, or delete this one to start again" in err


def test_few_samples_are_told(fairsum, scored, baseline):
    few, many = scored("few", rows(20, 2)), scored("many", rows(100, 10))
    status, out, _ = fairsum("monitor", few, "--baseline", baseline)
    assert status == 3
    assert "too few samples to tell" in out
    assert fairsum("monitor", many, "--baseline", baseline)[0] == 0
    assert fairsum("monitor", many, "--baseline", baseline, "--shift", 0.05)[0] == 3


def test_a_baseline_that_is_not_there(fairsum, scored):
    status, _, err = fairsum("monitor", scored("many", rows(100, 10)), "--baseline", "none.json")
    assert status == 2
    assert err.startswith("fairsum monitor: error: there is no file none.json; `fairsum score ")


def test_what_is_left_out_is_noted(fairsum, scored):
    path = scored("all", rows(100, 10), "--metrics", "bur,uer,auc,sof")
    window = scored("more", rows(100, 10), "--metrics", "bur,uer,auc,sof")
    status, out, err = fairsum("monitor", window, "--baseline", path)
    assert status == 0
    assert err == "fairsum: sof cannot be monitored: it is not a mean over samples\n"
    assert "3 measures share alpha" in out


def test_a_pattern_may_name_the_baseline_and_the_state(fairsum, scored, baseline, tmp_path):
    scored("may", rows(60, 6))
    state = tmp_path / "state.json"
    for _ in range(2):
        status, out, err = fairsum("monitor", tmp_path / "*.json", "--baseline", baseline, "--state", state)
        assert (status, out.partition("\n")[0]) == (0, f"1 window against {tmp_path / 'april.jsonl'}")
        assert f"no windows: {baseline}" in err
    assert str(state) in err


def test_what_is_no_window_is_named(fairsum, scored, baseline, tmp_path):
    data = [tmp_path / f"{name}.jsonl" for name in ("may", "june")]
    scored("may", rows(60, 6))
    scored("june", rows(60, 6))
    assert fairsum("compare", *data, "--metrics", "bur", "--output", tmp_path / "both.json")[0] == 0
    status, _, err = fairsum("monitor", tmp_path / "both.json", "--baseline", baseline)
    assert status == 2
    assert "the window 'both' must be the results of one system, found compare" in err


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["{may}"], "monitor: error: needs the results of a baseline; name their file with --baseline"),
        (
            ["{data}", "--baseline", "{may}"],
            "is no file of results (.json); to cut samples into windows add --window N",
        ),
        (["{data}", "--baseline", "{may}", "--window", "0"], "--window"),
        (["{data}", "--baseline", "{may}", "--window-column", "week"], "no column 'week'"),
        (["{data}", "--baseline", "{may}", "--window-column", "day", "--window", "9"], "exclude each other"),
        (["--baseline", "{may}", "--window", "9"], "there is no file to cut into windows"),
        (
            ["{may}", "--baseline", "{may}", "--predictions", "x.csv"],
            "--predictions needs samples; add --window N",
        ),
        (["{data}", "{data}", "--baseline", "{may}"], "2 windows are called"),
        (["{may}", "--baseline", "{may}", "--metrics", "sof"], "the baseline has no 'sof'"),
        (["{may}", "--baseline", "{may}", "--output", "{may}"], "may.json"),
        (["{may}", "--baseline", "{may}", "--state", "{may}"], "may.json"),
        (["{may}", "--baseline", "{may}", "--state", "state.txt"], "state.txt"),
        (["{may}", "--baseline", "{may}", "--state", "s3://b/state.json"], "a state is a file of this machine"),
        (["{data}", "--baseline", "{may}", "--window", "9", "--tau", "0.9"], "unknown option --tau"),
        (["missing.json", "--baseline", "{may}"], "missing.json"),
    ],
)
def test_bad_input_gets_a_line(fairsum, scored, write_jsonl, capsys, flags, said):
    names = {"may": scored("may", rows(40, 4)), "data": write_jsonl(rows(10, 1, day=None))}
    try:
        status, _, err = fairsum("monitor", *(flag.format(**names) for flag in flags))
    except SystemExit as exit:
        status, err = exit.code, capsys.readouterr().err
    assert status == 2
    assert said in err


def test_a_sample_in_no_window_is_named(fairsum, scored, write_jsonl):
    data = write_jsonl([*rows(3, 1, day="Monday"), *rows(1, 0, day=None)])
    may = scored("may", rows(40, 4))
    status, _, err = fairsum("monitor", data, "--baseline", may, "--window-column", "day")
    assert status == 2
    assert f"the sample '3' of {data} has no window: its entry is empty; fill it in or remove the sample" in err


def test_ids_may_repeat_in_other_windows_only(fairsum, scored, write_jsonl):
    days = [[{**row, "id": n} for n, row in enumerate(rows(40, 4, day=day))] for day in ("Monday", "Tuesday")]
    asked = ("--baseline", scored("may", rows(40, 4)), "--window-column", "day")
    data = write_jsonl([*days[0], *days[1]])
    expected = fairsum("monitor", data, *asked)
    assert expected[0] == 0
    assert fairsum("monitor", data, *asked, "--workers", 2) == expected
    status, _, err = fairsum("monitor", write_jsonl([*days[0], *days[1], days[1][3]]), *asked)
    assert status == 2
    assert "window Tuesday, sample 41: id '3' was used before; 1 sample repeats an id" in err
