"""The command `generate`: rows in, the same rows with texts out, resumable, in one process or several."""

import json
import subprocess
import sys

import pytest

from fairsum_utils.generation import LocalGenerator, from_preset
from fairsum_utils.generation import generate as generate_texts
from fairsum_utils.inference import InferenceSettings
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.writing import write_rows

pytest.importorskip("torch")
pytest.importorskip("transformers")

ROWS = [
    {"id": "g-0", "prompt": "Great soup is ", "group": "x", "continuation": "here."},
    {"id": "g-1", "prompt": "", "group": "x", "continuation": ""},
    {"id": "g-2", "prompt": "Cold staff was ", "group": "y", "continuation": "there."},
    {"id": "g-3", "prompt": "Slow ", "group": "y", "continuation": "food."},
]
SHORT = ("--max-new-tokens", 6, "--device", "cpu")


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


def test_replicates_are_told_apart(generate, write_jsonl):
    sampled = ("--temperature", 1)
    said, output = generate(write_jsonl(ROWS), *sampled, "--replicates", 3)
    rows = read(output)
    assert [(row["id"], row["replicate"]) for row in rows[:4]] == [
        ("g-0-0", "0"), ("g-0-1", "1"), ("g-0-2", "2"), ("g-1-0", "0"),
    ]  # fmt: skip
    assert said["rows"] == 12
    _, same = generate(write_jsonl(ROWS), *sampled, "--n", 3, output="same.jsonl")
    assert [row["prediction"] for row in read(same)] == [row["prediction"] for row in rows]
    assert "replicate" not in read(same)[0]
    _, one = generate(write_jsonl(ROWS[:1]), "--replicates", 1, output="one.jsonl")
    assert [(row["id"], row["replicate"]) for row in read(one)] == [("g-0", "0")]


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (ROWS, ("--replicates", 2, "--n", 2, "--temperature", 1), "--n and --replicates both say how many texts"),
        (ROWS, ("--replicates", 2), "with temperature 0 the n=2 texts would be equal"),
        (ROWS, ("--replicates", 0), "n must be a whole number of at least 1"),
        ([{**ROWS[0], "replicate": "x"}], ("--replicates", 1), "there is a column 'replicate' already"),
    ],
)
def test_replicates_that_cannot_be(fairsum, model, write_jsonl, tmp_path, rows, options, message):
    output = tmp_path / "texts.jsonl"
    status, _, err = fairsum("generate", write_jsonl(rows), "--model", model, "--output", output, *SHORT, *options)
    assert status == 2
    assert message in err


def test_the_texts_feed_score(generate, fairsum, write_jsonl, demo_rows):
    rows = [{**row, "prompt": f"Sum up: {row['sources'][0][:20]}"} for row in demo_rows]
    for row in rows:
        del row["prediction"]
    _, output = generate(write_jsonl(rows))
    status, printed, _ = fairsum("score", output, "--confidence", "0")
    assert status == 0
    assert "8 samples scored, 0 skipped" in printed


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "parquet", "csv"])
def test_formats(generate, write_jsonl, tmp_path, ending):
    rows = [{**row, "values": ["a", "b"]} for row in ROWS]
    expected = read(generate(write_jsonl(rows))[1])
    _, output = generate(write_jsonl(rows), output=f"first.{ending}")
    again = [{name: row[name] for name in ("id", "prompt", "values")} for row in rows]
    write_rows(again, tmp_path / f"in.{ending}")
    for path in (output, generate(tmp_path / f"in.{ending}", output=f"second.{ending}")[1]):
        found = list(read_rows(path, {}, lists=("values", "prompt_tokens_cut")))
        for name in ("id", "prompt", "values", "prediction", "finish", "prompt_tokens_cut", "generation"):
            assert [row[name] for row in found] == [row[name] for row in expected]


def test_several_texts_a_row(generate, write_jsonl):
    said, output = generate(write_jsonl(ROWS), "--preset", "gpt2", "--n", 3, "--prediction-column", "text")
    assert (said["rows"], said["n_empty_prompts"]) == (12, 1)
    rows = read(output)
    assert [row["id"] for row in rows] == [f"g-{row}-{number}" for row in range(4) for number in range(3)]
    assert [row["text"] for row in rows[3:6]] == [""] * 3
    assert len({row["text"] for row in rows[6:9]}) > 1
    once = read(generate(write_jsonl(ROWS), "--preset", "gpt2")[1])
    assert [row["text"] for row in rows[::3]] == [row["prediction"] for row in once]


def test_the_prompt_may_be_left_out(generate, write_jsonl):
    whole = read(generate(write_jsonl(ROWS), "--preset", "gpt2")[1])
    new = read(generate(write_jsonl(ROWS), "--preset", "gpt2", "--prediction", "new")[1])
    for given, one, other in zip(ROWS, whole, new, strict=True):
        assert one["prediction"].removeprefix(given["prompt"].rstrip()).strip() == other["prediction"]


def test_long_prompts_are_reported(generate, write_jsonl):
    rows = [{"prompt": "Cold soup " * 60}, *ROWS[:1]]
    with pytest.warns(UserWarning, match="1 of 2 prompts were too long"):
        said, output = generate(write_jsonl(rows))
    assert said["n_truncated_prompts"] == 1
    first, second = read(output)
    assert first["prompt_tokens_cut"] > 0 == second["prompt_tokens_cut"]
    assert first["id"] is None  # the second row has one


# What the model reads.

NEWS = [
    {
        "id": "n-0",
        "text": "Great staff. Cold soup.",
        "prompt": "Sum up the following old text:\n\nGreat staff. Cold soup.",
    },
    {"id": "n-1", "text": "Slow service.", "prompt": "Sum up the following old text:\n\nSlow service."},
]
REVIEWS = [{"id": "r-0", "sources": ["Great staff.", "Cold soup."], "prompt": "Sum up the reviews: ..."}]


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
    assert "uses its own decoding; --prompt-column and --preset choose" in err
    assert "|max_new_tokens:64|" in signature
    assert "|input:text|" in signature
    assert "|decoding:own|beams:1|" in signature
    named, _, err = summarize(file, "--prompt-column", "text", "--preset", "own", output="named.jsonl")
    assert (named, err) == (texts, "")
    prompted, signature, err = summarize(file, "--prompt-column", "prompt", output="prompted.jsonl")
    assert prompted != texts
    assert "it reads the column 'prompt', and uses its own decoding" in err
    assert "input:" not in signature


def test_sources_are_read_as_one_text(summarize, write_jsonl, tmp_path):
    texts, signature, err = summarize(write_jsonl(REVIEWS))
    assert "it reads the column 'sources' and not 'prompt'" in err
    assert "|input:sources|" in signature
    joined = write_jsonl([{"text": "Great staff.\nCold soup."}])
    assert summarize(joined, output="joined.jsonl")[0] == texts
    write_rows(REVIEWS, tmp_path / "reviews.csv")
    assert summarize(tmp_path / "reviews.csv", output="texts.csv")[0] == texts
    assert next(read_rows(tmp_path / "texts.csv", {}, lists=("sources",)))["sources"] == REVIEWS[0]["sources"]


def test_without_a_text_the_prompt_is_read_and_said(summarize, write_jsonl):
    _, signature, err = summarize(write_jsonl(ROWS))
    assert "it reads the column 'prompt' (there is no 'text' or 'sources'), and uses its own decoding" in err
    assert "input:" not in signature


def test_a_preset_that_continues_is_given_prompts(summarize, write_jsonl):
    _, signature, err = summarize(write_jsonl(NEWS), "--preset", "gpt2")
    assert err == ""
    assert "|max_new_tokens:20|" in signature
    assert "decoding:" not in signature


def test_a_masked_model_is_refused(fairsum, tiny_model, write_jsonl, tmp_path):
    model = tiny_model("masked")
    status, _, err = fairsum("generate", write_jsonl(ROWS), "--model", model, "--output", tmp_path / "texts.jsonl")
    assert status == 2
    assert "only fills in masks and continues no text; choose a model that writes" in err


def test_a_causal_model_is_given_prompts_without_a_word(generate, write_jsonl):
    said, _ = generate(write_jsonl(NEWS))  # which asserts that nothing is said
    assert "input:" not in said["signature"]
    assert "|max_new_tokens:6|temperature:0.0|chat:True|prediction:new|v:" in said["signature"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--prompt-column", "prompt"),
            "input was 'text' and is None; prompts was",
        ),
        (("--temperature", "0"), "temperature was None and is 0.0"),
        (("--max-new-tokens", "5"), "max_new_tokens was 64 and is 5"),
    ],
)
def test_another_column_or_decoding_is_another_run(fairsum, tiny_model, write_jsonl, tmp_path, options, message):
    file, output, model = write_jsonl(NEWS), tmp_path / "texts.jsonl", tiny_model("seq2seq")
    common = ("generate", file, "--model", model, "--output", output, "--device", "cpu")
    assert fairsum(*common)[0] == 0
    again = tmp_path / "again.jsonl"
    generator = LocalGenerator(
        model, from_preset("own", input="text"), inference=InferenceSettings(device="cpu", module="generate")
    )
    whole = read(output)
    generate_texts([row["text"] for row in NEWS], generator, partial=tmp_path / "again.jsonl.partial")
    status, _, err = fairsum(*common[:4], "--output", again, "--device", "cpu", *options)
    assert status == 2
    assert message in err
    # The same command goes on; the library's run is the command's.
    assert fairsum(*common[:4], "--output", again, "--device", "cpu")[0] == 0
    assert read(again) == whole


# Interrupted runs.


def test_a_killed_run_goes_on(generate, model, write_jsonl, tmp_path, forked):
    rows = [{"id": str(number), "prompt": f"Great soup number {number} "} for number in range(12)]
    path, options = write_jsonl(rows), ("--preset", "gpt2", "--batch-tokens", 1)
    expected = read(generate(path, *options, output="whole.jsonl")[1])
    code = (
        "import os, sys, fairsum_utils.generation.runs as p\n"
        "add = p.Progress.add\n"
        "def kill(self, *text):\n"
        "    add(self, *text)\n"
        "    if len(self.done) == 5: os.kill(os.getpid(), 9)\n"
        "p.Progress.add = kill\n"
        "from fairsum_utils.cli import main\n"
        "main(sys.argv[1:])"
    )
    output = tmp_path / "texts.jsonl"
    command = ["generate", path, "--model", model, "--output", output, *SHORT, *options]
    assert forked.start(["-c", code, *command], tmp_path).wait().returncode == -9
    assert not output.exists()
    partial = tmp_path / "texts.jsonl.partial"
    assert len(partial.read_text().splitlines()) == 6
    _, output = generate(path, *options)
    assert read(output) == expected
    assert not partial.exists()


def test_other_settings_refuse_the_partial_file(fairsum, generate, model, write_jsonl, tmp_path):
    path = write_jsonl(ROWS)
    partial = tmp_path / "texts.jsonl.partial"
    partial.write_text('{"model": "another@123"}\n')
    status, _, err = fairsum("generate", path, "--model", model, "--output", tmp_path / "texts.jsonl", *SHORT)
    assert status == 2
    assert "is from an interrupted run with other settings (model was 'another@123' and is 'causal@" in err
    assert partial.read_text() == '{"model": "another@123"}\n'
    partial.unlink()
    generate(path)


def test_two_processes(generate, model, write_jsonl, tmp_path, forked):
    rows = [{"id": str(number), "prompt": f"Great soup {number % 7} "} for number in range(30)]
    path = write_jsonl(rows)
    expected = read(generate(path, "--preset", "gpt2", output="whole.jsonl")[1])
    output = tmp_path / "texts.jsonl"
    options = ["--model", model, "--output", output, *SHORT, "--preset", "gpt2"]
    done = forked.in_two_processes(["-m", "fairsum_utils", "generate", path, *options], tmp_path)
    assert [process.returncode for process in done] == [0, 0], done
    assert json.loads("".join(process.stdout for process in done))["rows"] == 30  # printed once
    assert read(output) == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.jsonl", "texts.jsonl", "whole.jsonl"]


# Bad input.


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--prompt-column", "text"),
            "row 1: no column 'text'; found id, prompt, group, continuation. Name the right one",
        ),
        (("--preset", "gpt3"), "generate: error: preset must be one of summary, gpt2, ctrl-wiki"),
        (("--temperature", "-1"), "generate: error: --temperature must be a number of at least 0"),
        (("--prediction-column", "group"), "row 1: there is a column 'group' already; rename it, or name another with"),
        (("--output", "texts.txt"), "texts.txt: unknown format; the name must end in one of .jsonl"),
        (("--output", "no/texts.jsonl"), "does not exist; create it first"),
        (("--device", "abacus"), "device 'abacus' cannot be used"),
        (("--model", "./nowhere"), "the model './nowhere' cannot be used (the folder does not exist)"),
        (("--max-new-tokens", "64"), "too few for a prompt and max_new_tokens=64"),
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
        (
            "rows.csv",
            "prompt\na\n",
            "this format does not record which columns are lists; use a name that ends in .csv",
        ),
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
    options = ("--model", "tiny", "--url", "http://127.0.0.1:9/v1", "--retries", 0)
    status, _, err = fairsum("generate", write_jsonl(ROWS), "--output", output, *options)
    assert status == 2
    assert "check base_url, and that the server is running and reachable" in err
    assert "0 of 3 new prompts were answered and cached; run again to continue" in err
    assert "sk-secret" not in err + (tmp_path / "texts.jsonl.partial").read_text()
    assert not output.exists()


def test_help_needs_nothing_heavy():
    code = (
        "import sys; import fairsum_utils.cli.generate\n"
        "import fairsum_utils.generation\n"
        "print(sorted({'torch', 'transformers', 'openai', 'sklearn', 'scipy', 'accelerate'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
