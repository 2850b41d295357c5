"""Files that hold samples in another shape than ours: the same bits, and one line for what is wrong."""

import csv
import json

import pyarrow
import pyarrow.parquet
import pytest

TURNS = [
    ("m1", "Anna", "We should hire two people", "Anna wants to hire two people."),
    ("m2", "Cem", "[00:02] The release is late, again", "Users are angry."),
    ("m1", "Ben", "No money is left", ""),
    ("m1", "Anna", "Then we borrow some", ""),
    ("m2", "Dora", "Users are angry", "Users are angry."),
]
"""Meeting, speaker, text, summary; rows of a meeting do not follow each other."""
IDS = ["m1", "m2"]
BY_TURN = ["--group-by", "meeting", "--sources-column", "text", "--values-column", "speaker"]
SUMMARY = ["--prediction-column", "summary"]


@pytest.fixture
def write(tmp_path):
    def write_file(name, rows):
        path = tmp_path / name
        if path.suffix == ".csv":
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, rows[0])
                writer.writeheader()
                writer.writerows(rows)
        elif path.suffix == ".jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        else:
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
        return path

    return write_file


def turn_rows(*left_out):
    names = ("meeting", "speaker", "text", "summary")
    rows = [dict(zip(names, row, strict=True)) for row in TURNS]
    return [{name: entry for name, entry in row.items() if name not in left_out} for row in rows]


def sample_rows(make=None):
    """A row a sample: as we have it, or with sources made of (speaker, text)."""
    rows = []
    for name in IDS:
        pairs = [(speaker, text) for meeting, speaker, text, _ in TURNS if meeting == name]
        row = {"id": name, "prediction": next(row[3] for row in TURNS if row[0] == name)}
        if make is None:
            row |= {"sources": [text for _, text in pairs], "values": [speaker for speaker, _ in pairs]}
        else:
            row["sources"] = make(pairs)
        rows.append(row)
    return rows


def as_turns(said):
    return [{"speaker": speaker, "text": text} for speaker, text in said]


def as_script(said):
    return "\n".join(f"[0:10] {speaker}: {text}" for speaker, text in said)


@pytest.fixture
def metrics(fairsum):
    def score(*arguments):
        status, out, err = fairsum("score", *arguments, "--format", "json")
        assert status == 0, err
        return json.loads(out)["metrics"]

    return score


@pytest.fixture
def expected(metrics, write):
    return metrics(write("plain.jsonl", sample_rows()))


def test_a_row_a_turn(metrics, write, expected):
    assert metrics(write("turns.csv", turn_rows()), *BY_TURN, *SUMMARY) == expected


def test_summaries_in_a_second_file(metrics, write, expected):
    summaries = [{"id": row["id"], "summary": row["prediction"]} for row in reversed(sample_rows())]
    second = write("summaries.parquet", summaries)
    assert metrics(write("turns.csv", turn_rows("summary")), *BY_TURN, "--predictions", second) == expected
    without = [{name: entry for name, entry in row.items() if name != "prediction"} for row in sample_rows()]
    assert metrics(write("rows.jsonl", without), "--predictions", second) == expected


def test_turns(fairsum, metrics, write, expected):
    path = write("turns.jsonl", sample_rows(as_turns))
    _, out, err = fairsum("score", path, "--format", "json")
    assert json.loads(out)["metrics"] == expected
    assert err == "fairsum: sources are turns: the texts are under 'text', the values under 'speaker'\n"
    assert metrics(path, "--set", "text_key=text", "--set", "value_key=speaker") == expected


def test_transcripts(fairsum, write, expected):
    path = write("scripts.csv", sample_rows(as_script))
    _, out, err = fairsum("score", path, "--transcript", "--format", "json")
    assert json.loads(out)["metrics"] == expected
    assert err == "fairsum: the first transcript has 3 turns of Anna, Ben\n"


def test_kept_rows_know_the_shape(fairsum, write, tmp_path):
    path, second = write("turns.csv", turn_rows("summary")), write("s.csv", [{"id": i, "s": "Users."} for i in IDS])
    arguments = ["score", path, *BY_TURN, "--predictions", second, "--rows", tmp_path / "runs"]
    first = fairsum(*arguments)
    assert first[0] == 0
    assert fairsum(*arguments) == first
    write("s.csv", [{"id": name, "s": "Users are here."} for name in IDS])
    assert fairsum(*arguments) == fairsum(*arguments[:-2])
    assert len(list((tmp_path / "runs").iterdir())) == 2


def changed(place, **change):
    rows = turn_rows()
    rows[place] |= change
    return rows


def test_rows_without_a_label_are_dropped(fairsum, write):
    rows = turn_rows()
    path = write("turns.jsonl", [*rows, {**rows[0], "text": "Nobody said this.", "speaker": "nan"}])
    arguments = ["score", path, *BY_TURN, "--prediction-column", "summary", "--metrics", "auc", "--format", "json"]
    status, _, err = fairsum(*arguments)
    assert status == 2
    assert f"row {len(rows) + 1} (meeting 'm1'): 'speaker' is empty" in err
    status, printed, _ = fairsum(*arguments, "--set", "unlabelled=drop")
    assert status == 0
    whole = write("whole.jsonl", rows)
    _, expected, _ = fairsum("score", whole, *arguments[2:])
    found, known = (json.loads(each)["metrics"]["auc"] for each in (printed, expected))
    assert (found["auc"], found["n_samples"]) == (known["auc"], known["n_samples"])
    assert "dropped" in [warning["code"] for warning in found["warnings"]]


@pytest.mark.parametrize(
    ("rows", "arguments", "message"),
    [
        (changed(1, meeting=""), [], (
            "turns.csv, line 3: 'meeting' is empty, but identifies the sample; fill it in or remove the row"
        )),
        (turn_rows("text", "speaker", "summary"), [], "no column 'summary', 'text', 'speaker'; found meeting. Name the "
         "right one with --prediction-column, --sources-column, --values-column"),
        (turn_rows(), ["--metrics", "entity_inclusion"], "score: error: --values-column applies only to bur,"),
        (turn_rows(), ["--transcript"], "score: error: the sources tell the values of their texts; leave --values-c"),
        (turn_rows(), ["--set", "text_key=text"], "; omit --set text_key=NAME and --set value_key=NAME if"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_rows_of_turns(fairsum, write, rows, arguments, message):
    status, out, err = fairsum("score", write("turns.csv", rows), *BY_TURN, *SUMMARY, *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith("fairsum score: error: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("summaries", "message"),
    [
        ([{"id": "m1", "s": "x"}], "turns.csv: meeting 'm2' has no prediction in "),
        ([{"id": name, "s": "x"} for name in (*IDS, "m3")], "s.csv: 1 of 3 predictions belong to no sample in"),
        ([{"id": "m1", "s": "x"}] * 2, "s.csv, line 3: id 'm1' has two rows; give each sample one prediction"),
        ([{"name": "m1", "s": "x"}], "s.csv, line 2: no column of ids, 'meeting' or 'id'; found name, s"),
        ([{"id": "m1", "a": "x", "b": "y"}], "s.csv, line 2: no column of predictions, 'prediction'; found id, a, b"),
    ],
)
def test_what_is_wrong_with_a_second_file(fairsum, write, summaries, message):
    path, second = write("turns.csv", turn_rows("summary")), write("s.csv", summaries)
    status, out, err = fairsum("score", path, *BY_TURN, "--predictions", second)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_other_layouts_are_suggested(fairsum, write):
    row = {"id": "m1", "prediction": "s", "sources": "Anna: hi"}
    _, _, err = fairsum("score", write("rows.jsonl", [row]))
    assert (
        "no column 'values'; found id, prediction, sources. Name the right one with --values-column; if "
        "'sources' contains transcripts, add --transcript; if each row has one source text, "
    ) in err
