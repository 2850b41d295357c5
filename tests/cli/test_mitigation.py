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
SMALL = ("sizes=[4]", "ratios=[0.5]", "samples_per_cell=3", "min_tokens=1")


def test_temperatures_and_lengths(alone, tiny_model, tmp_path):
    (tmp_path / "claritin_raw.txt").write_text("\n".join(TWEETS) + "\n", encoding="utf-8")
    model, runs = tiny_model("causal", max_tokens=512), {}
    source = ("perspectivesumm", "--config", "claritin", "--data-dir", tmp_path)
    small = [word for setting in SMALL for word in ("--set", setting)]
    for name, prompt, temperature in (
        ("plain", "plain", 0),
        ("t0.7", "fair_instruction", 0.7),
        ("three", "sentence_control=3", 0),
    ):
        rows, texts, runs[name] = (tmp_path / f"{name}.{what}.jsonl" for what in ("rows", "texts", "samples"))
        alone("data", "build", *source, *small, "--prompt", prompt, "--output", rows)
        settings = (f"temperature={temperature}", "max_new_tokens=9", "prediction=whole")
        sampling = [word for setting in settings for word in ("--set", setting)]
        alone("generate", rows, "--model", model, "--device", "cpu", *sampling, "--output", texts)
        outputs = ("--samples", runs[name], "--with-texts", "--set", "unmatched=uniform")
        alone("score", texts, "--metrics", "bur,uer", *outputs)
        row = next(iter(read_rows(texts, {})))
        assert f"|temperature:{float(temperature)}|" in row["generation"]
        assert ("50% of the reviews are written by males" in row["prompt"]) == (prompt == "fair_instruction")
        assert row["prompt"].endswith("Summary it in 3 sentences.") == (name == "three")
    table = alone("study", "mitigation", f"Claritin/plain={runs['plain']}", f"Claritin/Definition={runs['t0.7']}")
    assert next(line.split()[:2] for line in table.splitlines() if "Definition  " in line) == ["+", "Definition"]
    picture = tmp_path / "temperature.svg"
    named = (f"t0={runs['plain']}", f"t0.7={runs['t0.7']}", f"natural={runs['three']}")
    more = ("--set", "over=temperature", "--set", "n_resamples=50", "--plot", picture, "--format", "json")
    studied = json.loads(alone("study", "mitigation", *named, *more))["metrics"]["mitigation"]["runs"]
    assert [(run["number"], run["n_samples"]) for run in studied] == [(0, 3), (0.7, 3), (None, 3)]
    assert all(run["sentences"] >= 1 for run in studied)
    # What the study computes of shares is what scoring says of the same run.
    scored = [row["uer"] for row in read_rows(runs["plain"], {})]
    assert studied[0]["scores"]["uer"] == pytest.approx(sum(scored) / 3)
    assert "Fairness over temperature" in picture.read_text(encoding="utf-8")
