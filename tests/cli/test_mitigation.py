"""From raw tweets to the paper's figure, command by command: build, generate, score, study."""

import json

import pytest

from fairsum_utils.io.reading import read_rows

pytest.importorskip("torch")
pytest.importorskip("transformers")

TWEETS = [
    f"{n}<||>{gender}<||>{'Great' if n % 2 else 'Cold'} soup, {gender} staff number {n}."
    for n in range(1, 7)
    for gender in ("male", "female")
]
SMALL = ["--set", "sizes=[4]", "--set", "ratios=[0.5]", "--set", "samples_per_cell=3", "--set", "min_tokens=1"]


@pytest.fixture
def ran(fairsum):
    """Run a command that has to succeed: what it printed."""

    def run(*words):
        status, printed, err = fairsum(*words)
        assert status == 0, err
        return printed

    return run


@pytest.fixture
def run_of(ran, tiny_model, tmp_path, capsys):
    """A run of the model with a prompt and a temperature: its file of samples."""
    (tmp_path / "claritin_raw.txt").write_text("\n".join(TWEETS) + "\n", encoding="utf-8")
    model = tiny_model("causal", max_tokens=512)
    capsys.readouterr()

    def make(name, prompt="plain", temperature=0):
        rows, texts, samples = (tmp_path / f"{name}.{what}.jsonl" for what in ("rows", "texts", "samples"))
        build = ("data", "build", "perspectivesumm", "--config", "claritin", "--data-dir", tmp_path, *SMALL)
        ran(*build, "--prompt", prompt, "--output", rows)
        sampling = (
            "--set",
            f"temperature={temperature}",
            "--set",
            "max_new_tokens=24",
            "--device",
            "cpu",
            "--set",
            "prediction=whole",
        )
        ran("generate", rows, "--model", model, "--output", texts, *sampling)
        ran("score", texts, "--metrics", "bur,uer", "--samples", samples, "--with-texts", "--set", "unmatched=uniform")
        return texts, samples

    return make


def test_temperatures_and_lengths(run_of, ran, tmp_path):
    runs = {}
    for name, prompt, temperature in (
        ("plain", "plain", 0),
        ("definition", "fair_instruction", 0),
        ("t0.7", "plain", 0.7),
        ("three", "sentence_control=3", 0),
    ):
        texts, samples = run_of(name, prompt, temperature)
        runs[name] = samples
        row = next(iter(read_rows(texts, {})))
        assert f"|temperature:{float(temperature)}|" in row["generation"]
        assert ("50% of the reviews are written by males" in row["prompt"]) == (name == "definition")
        assert row["prompt"].endswith("Summary it in 3 sentences.") == (name == "three")
    table = ran("study", "mitigation", f"Claritin/plain={runs['plain']}", f"Claritin/Definition={runs['definition']}")
    assert next(line.split()[:2] for line in table.splitlines() if "Definition  " in line) == ["+", "Definition"]
    picture = tmp_path / "temperature.svg"
    printed = ran(
        "study", "mitigation", f"t0={runs['plain']}", f"t0.7={runs['t0.7']}", f"natural={runs['three']}",
        "--set", "over=temperature", "--plot", picture, "--format", "json", "--set", "n_resamples=50",
    )  # fmt: skip
    studied = json.loads(printed)["metrics"]["mitigation"]["runs"]
    assert [run["number"] for run in studied] == [0, 0.7, None]
    assert [run["n_samples"] for run in studied] == [3, 3, 3]
    assert all(run["sentences"] >= 1 for run in studied)
    # What the study computes of shares is what scoring says of the same run.
    scored = [row["uer"] for row in read_rows(runs["plain"], {})]
    assert studied[0]["scores"]["uer"] == pytest.approx(sum(scored) / 3)
    assert "Fairness over temperature" in picture.read_text(encoding="utf-8")
