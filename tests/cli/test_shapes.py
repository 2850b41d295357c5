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


def test_a_row_a_turn_in_two_processes(metrics, write, expected):
    assert metrics(write("turns.csv", turn_rows()), *BY_TURN, *SUMMARY, "--workers", 2) == expected


def test_a_summary_in_some_rows_only(metrics, write, expected):
    rows = turn_rows()
    for row in rows:
        if not row["summary"]:
            del row["summary"]
    assert metrics(write("turns.jsonl", rows), *BY_TURN, *SUMMARY) == expected


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_summaries_in_a_second_file(metrics, write, expected, ending):
    summaries = [{"id": row["id"], "summary": row["prediction"]} for row in reversed(sample_rows())]
    second = write(f"summaries.{ending}", summaries)
    assert metrics(write("turns.csv", turn_rows("summary")), *BY_TURN, "--predictions", second) == expected
    without = [{name: entry for name, entry in row.items() if name != "prediction"} for row in sample_rows()]
    assert metrics(write("rows.jsonl", without), "--predictions", second) == expected


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_turns(fairsum, metrics, write, expected, ending):
    path = write(f"turns.{ending}", sample_rows(as_turns))
    assert metrics(path) == expected
    _, _, err = fairsum("score", path)
    assert err == "fairsum: sources are turns: the texts are under 'text', the values under 'speaker'\n"
    assert metrics(path, "--set", "text_key=text", "--set", "value_key=speaker") == expected


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_transcripts(fairsum, metrics, write, expected, ending):
    path = write(f"scripts.{ending}", sample_rows(as_script))
    assert metrics(path, "--transcript") == expected
    _, _, err = fairsum("score", path, "--transcript")
    assert err == "fairsum: the first transcript has 3 turns of Anna, Ben\n"


def test_turns_for_measures_without_values(metrics, write):
    named = ["--metrics", "word_list_inclusion", "--column", "article_id=none"]
    assert metrics(write("a.jsonl", sample_rows(as_turns)), *named) == metrics(write("b.jsonl", sample_rows()), *named)


def test_compare(fairsum, write):
    others = [row | {"summary": "Money is left."} for row in turn_rows()]
    a, b = write("a.csv", turn_rows()), write("b.parquet", others)
    status, out, _ = fairsum("compare", a, b, *BY_TURN, *SUMMARY, "--format", "json")
    assert status == 0
    plain = write("a.jsonl", sample_rows())
    other = write("b.jsonl", [row | {"prediction": "Money is left."} for row in sample_rows()])
    _, expected, _ = fairsum("compare", plain, other, "--format", "json")
    assert json.loads(out)["metrics"] == json.loads(expected)["metrics"]


def test_ids_of_samples(fairsum, write, tmp_path):
    samples = tmp_path / "samples.jsonl"
    fairsum("score", write("turns.csv", turn_rows()), *BY_TURN, *SUMMARY, "--samples", samples)
    assert [json.loads(line)["id"] for line in samples.read_text(encoding="utf-8").splitlines()] == IDS


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
        (changed(1, speaker=""), [], "turns.csv, line 3 (meeting 'm2'): 'speaker' is empty; name the group, or choose "
         "--set unlabelled=drop to leave out texts without a label"),
        (changed(4, summary="x"), [], "turns.csv, line 6 (meeting 'm2'): 'summary' is 'x', but 'Users are angry.' in "),
        (turn_rows(), ["--group-by", "talk"], "no column 'talk'; found meeting, speaker, text, summary. Name the right "
         "one with --group-by"),
        (turn_rows("summary"), [], "turns.csv: no column 'summary'; found meeting, speaker, text. Name the right one "
         "with --prediction-column"),
        (changed(1, text=""), [], "turns.csv, line 3 (meeting 'm2'): 'text' is empty; fill it in"),
        (turn_rows("text", "speaker", "summary"), [], "no column 'summary', 'text', 'speaker'; found meeting. Name the "
         "right one with --prediction-column, --sources-column, --values-column"),
        (turn_rows(), ["--metrics", "entity_inclusion"], "score: error: --values-column applies only to bur,"),
        (turn_rows(), ["--transcript"], "score: error: the sources tell the values of their texts; leave --values-c"),
        (turn_rows(), ["--set", "text_key=text"], "turns.csv, sample 1, id m1: sources must be a list of turns"),
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
        ([{"id": "m1", "s": "x"}] * 2, "s.csv, line 3: id 'm1' has two predictions; keep one"),
        ([{"name": "m1", "s": "x"}], "s.csv, line 2: no column of ids, 'meeting' or 'id'; found name, s"),
        ([{"id": "m1", "a": "x", "b": "y"}], "s.csv, line 2: no column of predictions, 'prediction'; found id, a, b"),
    ],
)
def test_what_is_wrong_with_a_second_file(fairsum, write, summaries, message):
    path, second = write("turns.csv", turn_rows("summary")), write("s.csv", summaries)
    status, out, err = fairsum("score", path, *BY_TURN, "--predictions", second)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize(
    ("sources", "arguments", "message"),
    [
        ("Anna: hi", [], (
            "no column 'values'; found id, prediction, sources. Name the right one with --values-column; if "
            "'sources' contains transcripts, add --transcript; if each row has one source text, name the column "
            "that identifies its sample with --group-by"
        )),
        ("minutes\nAnna: hi", ["--transcript"], (
            "rows.jsonl, row 1, id m1: the transcript begins with text before the first speaker, str 'minutes'; "
            "begin every turn with 'SPEAKER: ' and delete other text"
        )),
        ("", ["--transcript"], "rows.jsonl, row 1, id m1: the transcript has no line 'SPEAKER: text'"),
        ([{"said": "x"}], [], (
            "rows.jsonl, row 1, id m1: sources are turns, and the text of a turn is under none of the keys "
            "text, utterance, content, body; found the keys said. Name the right one with --set text_key=NAME"
        )),
        ([{"text": "x"}], [], (
            "the value of a turn is under none of the keys speaker, value, label, author, role; found the"
        )),
        ([{"text": "x", "role": 1}], ["--set", "value_key=who"], "sources[0] has no 'who', found text, role; add it"),
        ([{"text": "x", "speaker": None}], [], "score: error: sample 0: values[0] is None; name the group, or choose"),
        (["x"], [], "rows.jsonl, row 1: no column 'values'; found id, prediction, sources. Name the right one with "),
    ],
)  # fmt: skip
def test_what_is_wrong_with_turns_and_transcripts(fairsum, write, sources, arguments, message):
    row = {"id": "m1", "prediction": "s", "sources": sources}
    status, out, err = fairsum("score", write("rows.jsonl", [row]), *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert [line for line in err.splitlines() if " error: " in line] == err.splitlines()[-1:]
