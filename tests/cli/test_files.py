"""Files in other layouts than ours: the scores of the same samples, and one line for what is wrong."""

import json

import pytest

from fairsum_utils.io.writing import write_rows

SUMMARIES = {"m1": "Buses first, says the first.", "m2": "More roads."}
SPEECHES = {
    "m1": [("Ann Lee", "Buses first, my rule: no debts."), ("Ben", "More roads now.")],
    "m2": [("Ben", "Roads, roads."), ("Ann Lee", "Trams."), ("Ben", "More roads.")],
}
BY_TURN = ("--group-by", "meeting", "--sources-column", "text", "--values-column", "who")


def turns(**more):
    """A row a turn."""
    return [
        {"meeting": name, "who": person, "text": text, **more}
        for name, pairs in SPEECHES.items()
        for person, text in pairs
    ]


@pytest.fixture
def run(fairsum, tmp_path, monkeypatch):
    """Score what a folder holds; the results, or the error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        status, out, err = fairsum("score", *arguments, "--metrics", "bur,uer", "--format", "json")
        assert (status == 2) == ("error: " in err), err
        return json.loads(out)["metrics"] if status == 0 else err.rstrip("\n").partition("error: ")[2]

    return run


@pytest.fixture
def expected(run, write_jsonl):
    rows = []
    for name, pairs in SPEECHES.items():
        values, sources = map(list, zip(*pairs, strict=True))
        rows.append({"id": name, "prediction": SUMMARIES[name], "sources": sources, "values": values})
    return run(write_jsonl(rows, "expected.jsonl"))


@pytest.fixture
def summaries(tmp_path):
    """A file of predictions."""
    write_rows([{"id": name, "summary": text} for name, text in SUMMARIES.items()], tmp_path / "s.csv")
    return "--predictions", "s.csv"


def test_a_row_a_turn(run, expected, summaries, write_jsonl, tmp_path):
    write_rows(turns(), tmp_path / "a.parquet")
    assert run("a.parquet", *BY_TURN, *summaries) == expected
    assert run("a.parquet", *BY_TURN) == (
        "a.parquet: no column 'prediction'; found meeting, who, text. Name the right one with --prediction-column"
    )
    assert run(write_jsonl([{"id": "m1", "prediction": "s", "sources": "Anna: hi"}])).endswith(
        "no column 'values'; found id, prediction, sources. Name the right one with --values-column; if 'sources' "
        "contains transcripts, add --transcript; if each row has one source text, name the column that identifies "
        "its sample with --group-by"
    )


def test_turns(run, expected, write_jsonl):
    said = {name: [{"speaker": who, "line": text} for who, text in pairs] for name, pairs in SPEECHES.items()}
    path = write_jsonl([{"id": name, "prediction": SUMMARIES[name], "sources": said[name]} for name in said])
    assert run(path, "--set", "text_key=line", "--set", "value_key=speaker") == expected
    assert "Name the right one with --set text_key=NAME" in run(path)


def test_kept_rows_know_the_shape(fairsum, tmp_path, summaries, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_rows(turns(), tmp_path / "turns.csv")
    arguments = ("score", "turns.csv", *BY_TURN, *summaries, "--rows", "runs")
    first = fairsum(*arguments)
    assert first[0] == 0
    assert fairsum(*arguments) == first
    write_rows([{"id": name, "s": "Users are here."} for name in SUMMARIES], tmp_path / "s.csv")
    assert fairsum(*arguments) == fairsum(*arguments[:-2])
    assert len(list((tmp_path / "runs").iterdir())) == 2


def test_rows_without_a_label_are_dropped(fairsum, write_jsonl):
    path = write_jsonl([*turns(s="Trams."), {"meeting": "m2", "who": "nan", "text": "Nobody said this.", "s": ""}])
    arguments = ("score", path, *BY_TURN, "--prediction-column", "s", "--metrics", "auc", "--format", "json")
    assert "row 6 (meeting 'm2'): 'who' is empty" in fairsum(*arguments)[2]
    _, printed, _ = fairsum(*arguments, "--set", "unlabelled=drop")
    found = json.loads(printed)["metrics"]["auc"]
    assert found["n_samples"] == 2
    assert "dropped" in [warning["code"] for warning in found["warnings"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metrics", "entity_inclusion"], "score: error: --values-column applies only to bur,"),
        (["--transcript"], "score: error: the sources tell the values of their texts; leave --values-column out"),
        (["--set", "text_key=text"], "; omit --set text_key=NAME and --set value_key=NAME if"),
        (["--sheet", "x"], "a.csv: only workbooks have sheets; omit --sheet"),
    ],
)
def test_options_of_other_layouts(fairsum, tmp_path, arguments, message):
    write_rows(turns(prediction="s"), tmp_path / "a.csv")
    status, out, err = fairsum("score", tmp_path / "a.csv", *BY_TURN, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_a_folder_of_texts(run, expected, tmp_path):
    for folder, texts in (
        ("talks", {name: "\n".join(f"{person}: {text}" for person, text in pairs) for name, pairs in SPEECHES.items()}),
        ("summaries", SUMMARIES),
    ):
        (tmp_path / folder).mkdir()
        for name, text in texts.items():
            (tmp_path / folder / f"{name}.txt").write_text(text)
    (tmp_path / "talks" / ".DS_Store").touch()
    options = ["--sources-column", "text", "--transcript", "--predictions", "summaries"]
    assert run("talks", *options) == expected
    assert run("talks", "--transcript", "--predictions", "summaries").endswith("Try --sources-column text")
    (tmp_path / "talks" / "m2.txt").write_text("Minutes\nAnn: Hi.")
    assert "m2.txt, row 1, id m2: the transcript begins with text before" in run("talks", *options)
    (tmp_path / "talks" / "a.pdf").touch()
    assert "this folder is not a data set written by save_to_disk" in run("talks", *options)


def test_a_folder_of_captions(run, expected, summaries, tmp_path):
    pytest.importorskip("webvtt")
    (tmp_path / "talks").mkdir()
    for name, ending, head, dot in (("m1", "vtt", "WEBVTT\n\n", "."), ("m2", "srt", "", ",")):
        cues = [
            f"{n}\n00:00:0{n}{dot}000 --> 00:00:0{n}{dot}900\n{person}: {text}"
            for n, (person, text) in enumerate(SPEECHES[name], 1)
        ]
        (tmp_path / "talks" / f"{name}.{ending}").write_text(head + "\n\n".join(cues))
    assert run("talks", *summaries) == run("talks/m1.vtt", "talks/m2.srt", *summaries) == expected
    (tmp_path / "talks" / "m1.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nNobody says this.")
    assert run("talks", *summaries).startswith("talks/m1.vtt: the transcript begins with text before")
