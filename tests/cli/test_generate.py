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
    said, output = generate(write_jsonl(ROWS), "--preset", "gpt2")
    rows = read(output)
    assert [{name: row[name] for name in ROWS[0]} for row in rows] == ROWS
    signature = said.pop("signature")
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
    assert said == {
        "rows": 4, "n_empty_prompts": 1, "n_truncated_prompts": 0, "n_length_reached": n_length, "n_empty_texts": 0,
        "output": str(output),
    }  # fmt: skip
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.jsonl", "texts.jsonl"]


def test_several_texts_are_told_apart(generate, write_jsonl):
    said, output = generate(write_jsonl(ROWS), "--set", "temperature=1", "--set", "n=3")
    rows = read(output)
    assert [(row["id"], row["replicate"]) for row in rows[:4]] == [
        ("g-0-0", "0"), ("g-0-1", "1"), ("g-0-2", "2"), ("g-1-0", "0"),
    ]  # fmt: skip
    assert (said["rows"], said["n_empty_prompts"]) == (12, 1)
    assert len({row["prediction"] for row in rows[6:9]}) > 1
    assert [row["prediction"] for row in rows[3:6]] == [""] * 3


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (ROWS, ("--set", "n=2"), "with temperature 0 the n=2 texts would be equal"),
        (ROWS, ("--set", "n=0"), "n must be a whole number of at least 1"),
        (
            [{**ROWS[0], "replicate": "x"}],
            ("--set", "n=2", "--set", "temperature=1"),
            "there is a column 'replicate' already",
        ),
    ],
)
def test_several_texts_that_cannot_be(fairsum, model, write_jsonl, tmp_path, rows, options, message):
    output = tmp_path / "texts.jsonl"
    status, _, err = fairsum("generate", write_jsonl(rows), "--model", model, "--output", output, *SHORT, *options)
    assert status == 2
    assert message in err


@pytest.mark.parametrize("ending", ["csv"])
def test_formats(generate, fairsum, write_jsonl, demo_rows, tmp_path, ending):
    """Rows of any format become JSON Lines that are scored alike; lists in the cells of a table stay texts."""
    rows = [{**row, "prompt": f"Sum up: {row['sources'][0][:20]}"} for row in demo_rows]
    for row in rows:
        del row["prediction"]
    write_rows(rows, tmp_path / f"in.{ending}")
    expected, found = generate(write_jsonl(rows))[1], generate(tmp_path / f"in.{ending}", output="other.jsonl")[1]
    lists = ("sources", "values")
    assert [*read_rows(found, {}, lists=lists)] == [*read_rows(expected, {}, lists=lists)]
    scores = [fairsum("score", path, "--confidence", "none", "--format", "csv")[:2] for path in (expected, found)]
    assert scores[0][0] == 0
    assert scores[0] == scores[1]


# What the model reads.

NEWS = [
    {
        "id": "n-0",
        "text": "Great staff. Cold soup.",
        "prompt": "Sum up the following old text:\n\nGreat staff. Cold soup.",
    },
    {"id": "n-1", "text": "Slow service.", "prompt": "Sum up the following old text:\n\nSlow service."},
]


@pytest.fixture
def summarize(fairsum, tiny_model, tmp_path, capsys):
    """Run the command with a sequence-to-sequence model: the texts, its signature, and what it said on the way."""
    model = tiny_model("seq2seq")
    capsys.readouterr()

    def run(file, *options, output="texts.jsonl"):
        output = tmp_path / output
        status, printed, err = fairsum(
            "generate", file, "--model", model, "--output", output, "--device", "cpu", *options
        )
        assert status == 0, err
        return [row["prediction"] for row in read_rows(output, {})], json.loads(printed)["signature"], err

    return run


def test_a_sequence_to_sequence_model_is_given_the_text(summarize, write_jsonl):
    file = write_jsonl(NEWS)
    texts, signature, err = summarize(file)
    assert err.count("\n") == 1
    assert (
        "this is a sequence-to-sequence model, such as for summaries: it reads the column 'text' and not 'prompt'"
        in err
    )
    assert "uses its own decoding; --text-column and --preset choose" in err
    assert "|max_new_tokens:64|" in signature
    assert "|input:text|" in signature
    assert "|decoding:own|" in signature
    named, _, err = summarize(file, "--text-column", "text", "--preset", "own", output="named.jsonl")
    assert (named, err) == (texts, "")
    prompted, signature, err = summarize(file, "--text-column", "prompt", output="prompted.jsonl")
    assert prompted != texts
    assert "it reads the column 'prompt', and uses its own decoding" in err
    assert "input:" not in signature


def test_a_masked_model_is_refused(fairsum, tiny_model, write_jsonl, tmp_path):
    model = tiny_model("masked")
    status, _, err = fairsum("generate", write_jsonl(ROWS), "--model", model, "--output", tmp_path / "texts.jsonl")
    assert status == 2
    assert "only fills in masks and continues no text; choose a model that writes" in err


def test_a_causal_model_is_given_prompts_without_a_word(generate, write_jsonl):
    said, _ = generate(write_jsonl(NEWS))  # which asserts that nothing is said
    assert "input:" not in said["signature"]
    assert "|max_new_tokens:6|temperature:0.0|chat:True|prediction:new|v:" in said["signature"]


# Interrupted runs.


@takes_long
@pytest.mark.parametrize("options", [("--preset", "gpt2"), ("--set", "temperature=0")])
def test_a_killed_run_is_completed(generate, model, write_jsonl, tmp_path, forked, options):
    rows = [{"id": str(number), "prompt": f"Great soup number {number} " * (number % 4)} for number in range(150)]
    path, options = write_jsonl(rows), (*options, "--set", "batch_tokens=200")
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
    said, _ = generate(path, *options)
    assert said["rows"] == 150
    assert output.read_bytes() == expected
    assert sorted(each.name for each in tmp_path.iterdir()) == ["rows.jsonl", "texts.jsonl", "whole.jsonl"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--seed", 1), "line 1 has a text of other settings: model:causal@"),
    ],
)
def test_a_file_of_other_settings_is_refused(fairsum, generate, model, write_jsonl, options, message):
    path = write_jsonl(ROWS)
    _, output = generate(path, "--preset", "gpt2")
    before = output.read_bytes()
    command = ("generate", path, "--model", model, "--output", output, *SHORT, "--preset", "gpt2")
    status, _, err = fairsum(*command, *options)
    assert (status, err.count("\n")) == (2, 1)
    assert message in err
    assert output.read_bytes() == before


def test_a_launcher_is_refused(fairsum, model, write_jsonl, tmp_path, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    output = tmp_path / "texts.jsonl"
    status, _, err = fairsum("generate", write_jsonl(ROWS), "--model", model, "--output", output, *SHORT)
    assert (status, "one process writes the output" in err, output.exists()) == (2, True, False)


# Bad input.


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--text-column", "text"),
            "row 1: no column 'text'; found id, prompt, group, continuation. Name the right one",
        ),
        (("--preset", "gpt3"), "generate: error: --preset must be one of summary, gpt2, ctrl-wiki"),
        (("--set", "temperature=-1"), "generate: error: temperature must be a number of at least 0"),
        (("--prediction-column", "group"), "row 1: there is a column 'group' already; rename it, or name another with"),
        (("--output", "texts.txt"), "texts.txt: unknown format; the name must end in .jsonl"),
        (("--output", "no/texts.jsonl"), "does not exist; create it first"),
        (("--device", "abacus"), "device 'abacus' cannot be used"),
        (("--model", "./nowhere"), "the model './nowhere' cannot be used (the folder does not exist)"),
        (("--set", "max_new_tokens=64"), "too few for a prompt and max_new_tokens=64"),
        (
            ("--url", "localhost:8000"),
            "base_url must be an http or https address with a host, such as http://localhost:8000/v1",
        ),
        (("--url", "http://127.0.0.1:9/v1", "--preset", "gpt2"), "a chat endpoint does not support top_k, chat=False"),
    ],
)
def test_bad_options(fairsum, model, write_jsonl, tmp_path, options, message):
    pytest.importorskip("openai")
    path = write_jsonl(ROWS)
    status, printed, err = fairsum(
        "generate", path, "--model", model, "--output", tmp_path / "t.jsonl", *SHORT, *options
    )
    assert (status, printed) == (2, "")
    assert message in err
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("rows.jsonl", '{"prompt": null}\n', "row 1: column 'prompt' must contain a string"),
        ("rows.jsonl", '{"prompt": "a"}\n{"prompt": \n', "line 2: not valid JSON (Expecting value at column 12)"),
        ("rows.jsonl", '{"prompt": "a", "finish": 1}\n', "row 1: there is a column 'finish' already; rename it"),
    ],
)
def test_bad_files(fairsum, tmp_path, name, content, message):
    path = tmp_path / name
    path.write_text(content)
    status, _, err = fairsum("generate", path, "--model", "./nowhere", "--output", tmp_path / "texts.jsonl")
    assert status == 2
    assert message in err


def test_the_input_is_never_the_output(fairsum, write_jsonl):
    path = write_jsonl(ROWS)
    _, _, err = fairsum("generate", path, "--model", "./nowhere", "--output", path)
    assert "this is the input; name another output" in err
    assert read(path) == ROWS


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
