"""The command `generate`: rows in, the same rows with texts out, and what a second run adds."""

import json

import pytest

from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.writing import write_rows

from ..conftest import takes_long

pytest.importorskip("torch")
pytest.importorskip("transformers")

ROWS = [
    {"id": "g-0", "prompt": "Great soup is ", "group": "x", "continuation": "here."},
    {"id": "g-1", "prompt": "", "group": "x", "continuation": ""},
    {"id": "g-2", "prompt": "Cold staff was ", "group": "y", "continuation": "there."},
    {"id": "g-3", "prompt": "Slow ", "group": "y", "continuation": "food."},
]
SHORT = ("--set", "max_new_tokens=6", "--device", "cpu")


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def model(tiny_model, capsys):
    folder = tiny_model("causal")
    capsys.readouterr()  # what making it says
    return folder


@pytest.fixture
def generate(fairsum, model, tmp_path):
    """Run the command on rows of a file: what it said, and the file it wrote."""

    def run(file, *options, output="texts.jsonl"):
        output = tmp_path / output
        status, printed, err = fairsum("generate", file, "--model", model, "--output", output, *SHORT, *options)
        assert (status, err) == (0, "")
        return json.loads(printed), output

    return run


def test_rows_get_their_texts(generate, write_jsonl, tmp_path):
    counts, output = generate(write_jsonl(ROWS), "--preset", "gpt2")
    rows = read(output)
    assert [{name: row[name] for name in ROWS[0]} for row in rows] == ROWS
    signature = counts.pop("signature")
    assert signature.startswith("model:causal@")
    assert "|max_new_tokens:6|temperature:1.0|top_k:40|top_p:0.95|seed:0|chat:False|prediction:whole|v:" in signature
    for row, given in zip(rows, ROWS, strict=True):
        assert set(row) - set(given) == {"prediction", "finish", "prompt_tokens_cut", "generation"}
        assert row["generation"] == signature
        assert row["prompt_tokens_cut"] == 0
        assert row["prediction"].startswith(given["prompt"].rstrip())
        assert len(row["prediction"]) > len(given["prompt"]) or not given["prompt"]
    assert (rows[1]["prediction"], rows[1]["finish"]) == ("", "empty_prompt")
    n_length = sum(row["finish"] == "length" for row in rows)
    assert counts == {
        "rows": 4, "n_empty_prompts": 1, "n_truncated_prompts": 0, "n_length_reached": n_length, "n_empty_texts": 0,
        "output": str(output),
    }  # fmt: skip
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.jsonl", "texts.jsonl"]


def test_several_texts_are_counted_by_prompt(generate, write_jsonl):
    counts, output = generate(write_jsonl(ROWS[:2]), "--set", "temperature=1", "--set", "n=2")
    assert [row["id"] for row in read(output)] == ["g-0-0", "g-0-1", "g-1-0", "g-1-1"]
    assert (counts["rows"], counts["n_empty_prompts"]) == (4, 1)


def test_lists_in_cells_of_a_table_stay_texts(generate, write_jsonl, demo_rows, tmp_path):
    rows = [{"prompt": "Sum up", "sources": row["sources"], "values": row["values"]} for row in demo_rows[:3]]
    write_rows(rows, tmp_path / "in.csv")
    outputs = generate(write_jsonl(rows))[1], generate(tmp_path / "in.csv", output="other.jsonl")[1]
    expected, found = ([*read_rows(output, {}, lists=("sources", "values"))] for output in outputs)
    assert found == expected


def test_a_sequence_to_sequence_model_is_given_the_text(fairsum, tiny_model, write_jsonl, tmp_path):
    model = tiny_model("seq2seq")
    row = {"id": "n-0", "text": "Great staff. Cold soup.", "prompt": "Sum up:\n\nGreat staff. Cold soup."}
    notes = []
    for output, more in (("text", ()), ("prompt", ("--text-column", "prompt"))):
        given = ("--model", model, "--output", tmp_path / f"{output}.jsonl")
        status, _, err = fairsum("generate", write_jsonl([row]), *given, "--device", "cpu", *more)
        assert status == 0, err
        notes.append(err)
    assert "it reads the column 'text' and not 'prompt'" in notes[0]
    assert notes[0].endswith("; --text-column and --preset choose\n")
    assert "it reads the column 'prompt', and uses its own decoding" in notes[1]


@takes_long
def test_a_killed_run_is_completed(generate, model, write_jsonl, tmp_path, forked):
    rows = [{"id": str(number), "prompt": f"Great soup number {number} " * (number % 4)} for number in range(150)]
    path, options = write_jsonl(rows), ("--preset", "gpt2", "--set", "batch_tokens=200")
    expected = generate(path, *options, output="whole.jsonl")[1].read_bytes()
    code = (
        "import os, sys, fairsum_utils.generation.runs as runs\n"
        "made, texts = 0, runs._texts\n"
        "def killed(*arguments):\n"
        "    for number, text in enumerate(texts(*arguments)):\n"
        "        if number == 117: os.kill(os.getpid(), 9)\n"
        "        yield text\n"
        "runs._texts = killed\n"
        "from fairsum_utils.cli import main\n"
        "main(sys.argv[1:])"
    )
    output = tmp_path / "texts.jsonl"
    command = ["generate", path, "--model", model, "--output", output, *SHORT, *options]
    assert forked.start(["-c", code, *command], tmp_path).wait().returncode == -9
    assert len(output.read_bytes().splitlines()) == 117
    output.write_bytes(output.read_bytes()[:-9])  # as if the kill had cut the last line off
    assert generate(path, *options)[0]["rows"] == 150
    assert output.read_bytes() == expected
    assert sorted(each.name for each in tmp_path.iterdir()) == ["rows.jsonl", "texts.jsonl", "whole.jsonl"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--text-column", "text"), "no column 'text'; found id, prompt, group, continuation. Name the right one"),
        (("--preset", "gpt3"), "generate: error: --preset must be one of summary, gpt2, ctrl-wiki"),
        (("--set", "temperature=-1"), "generate: error: temperature must be a number of at least 0"),
        (("--set", "temprature=1"), "generate: error: unknown setting 'temprature'; did you mean temperature?"),
        (("--prediction-column", "group"), "row 1: there is a column 'group' already; rename it, or name another with"),
        (("--output", "texts.txt"), "texts.txt: unknown format; the name must end in .jsonl"),
        (("--device", "abacus"), "device 'abacus' cannot be used"),
        (("--set", "max_new_tokens=64"), "too few for a prompt and max_new_tokens=64"),
        (("--url", "http://127.0.0.1:9/v1", "--preset", "gpt2"), "a chat endpoint does not support top_k, chat=False"),
    ],
)
def test_bad_options(fairsum, model, write_jsonl, tmp_path, options, message):
    pytest.importorskip("openai")
    given = ("--model", model, "--output", tmp_path / "t.jsonl", *SHORT, *options)
    status, printed, err = fairsum("generate", write_jsonl(ROWS), *given)
    assert (status, printed) == (2, "")
    assert message in err
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_a_launcher_is_refused(fairsum, write_jsonl, tmp_path, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    output = tmp_path / "texts.jsonl"
    status, _, err = fairsum("generate", write_jsonl(ROWS), "--model", "m", "--output", output)
    assert (status, "one process writes the output" in err, output.exists()) == (2, True, False)


def test_an_endpoint_that_is_down(fairsum, write_jsonl, tmp_path, monkeypatch):
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-0123456789")
    output = tmp_path / "texts.jsonl"
    options = ("--model", "tiny", "--url", "http://127.0.0.1:9/v1", "--set", "max_retries=0")
    status, _, err = fairsum("generate", write_jsonl(ROWS), "--output", output, *options)
    assert status == 2
    assert "check base_url, and that the server is running and reachable" in err
    assert "0 of 3 new prompts were answered and cached; run again to continue" in err
    assert "sk-secret" not in err + output.read_text()
    assert [row["finish"] for row in read(output)] == ["empty_prompt"]
