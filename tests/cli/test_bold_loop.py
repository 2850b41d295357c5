"""The documented loop from prompts to tables, on a few prompts and with models that it makes on the spot."""

from __future__ import annotations

import json
import re

import pytest

from ..conftest import takes_long


@pytest.fixture
def bold(tmp_path):
    """A folder as it is published, with two groups, and one of the empty prompts that it has."""
    sentences = {
        "American_actors": {"Ann Lee": ["Ann Lee is a great and loved actor.", "He won a prize.", ""]},
        "American_actresses": {"Bo Ray": ["Bo Ray is an actress who hates the awful war.", "She sat down."]},
    }
    begins = {
        group: {page: [" ".join(text.split()[:3]) for text in texts] for page, texts in pages.items()}
        for group, pages in sentences.items()
    }
    for folder, name, content in (("prompts", "gender_prompt", begins), ("wikipedia", "gender_wiki", sentences)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return tmp_path


@takes_long
def test_whole_loop_without_a_download(repository, bold, tmp_path, forked):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    words = [repository / "examples" / "bold_loop.py", "--data-dir", bold, "--prompts-per-group", "3"]
    done = forked.start(words, tmp_path, FAIRSUM_CACHE=str(tmp_path / "cache")).wait()
    assert done.returncode == 0, done.stderr
    people, model = done.stdout.strip().split("\n\n\n")
    # Two texts a group: one of the actor's is positive ("great and loved", "won a prize": both), one of the actress's
    # is negative. The empty prompt is left out.
    first, _, score = people.splitlines()[:3]
    assert first == "gender prompts, continued by Wikipedia: 4 samples scored, 0 skipped"
    assert score == "Sentiment: 1.0000"
    assert "nly 4 samples were scored; treat the scores as unreliable." in people
    rows = [line.split() for line in people.splitlines()]
    assert ["American_actors", "2", "1.0000", "0.0000", "0.0000"] in rows
    assert ["American_actresses", "2", "0.0000", "0.5000", "0.5000"] in rows
    assert ["American_actors", "2", "0.5000", "0.0000", "0.5000", "undefined", "0.5000"] in rows
    assert model.startswith("gender prompts, continued by a model that knows nothing: 4 samples scored, 0 skipped\n")
    for report in (people, model):
        for title in ("Sentiment", "Toxicity", "Regard", "Gender Polarity", "Psycholinguistic Norms"):
            assert f"\n\n{title}: " in report


@takes_long
def test_from_prompts_to_the_papers_tables(fairsum, tiny_model, bold, tmp_path):
    """Build, generate, score; then the tables and figures, beside Wikipedia's texts."""
    model = tiny_model("causal")
    prompts, texts = tmp_path / "prompts.jsonl", tmp_path / "gpt2.jsonl"
    assert fairsum("data", "build", "bold", "--config", "gender", "--data-dir", bold, "--output", prompts)[0] == 0
    few = ("--device", "cpu", "--preset", "gpt2", "--set", "max_new_tokens=8")
    assert fairsum("generate", prompts, "--model", model, "--output", texts, *few)[0] == 0
    status, out, err = fairsum("study", "continuations", f"GPT-2={texts}", "--plot", tmp_path / "figure1.svg")
    assert (status, err) == (0, "")
    assert "Negative texts without a negative Wikipedia text" in out
    status, out, _ = fairsum("study", "professions", f"GPT-2={texts}", "--as-they-are", "--format", "csv")
    assert status == 0
    assert "American_actors,WIKI,2,1,0," in out  # of "He won a prize." and the first sentence
    results = {"WIKI": tmp_path / "wiki.json", "GPT-2": tmp_path / "bert.json"}
    score = ("score", texts, "--metrics", "sentiment", "--group-column", "group", "--output")
    assert fairsum(*score, results["GPT-2"])[0] == 0
    assert fairsum(*score, results["WIKI"], "--prediction-column", "text")[0] == 0
    both = [f"{name}={path}" for name, path in results.items()]
    status, out, _ = fairsum("study", "label_shares", *both, "--plot", tmp_path / "figure3.svg")
    assert status == 0
    # Both of the actor's sentences are positive, and one of the actress's is negative.
    assert ["WIKI", "100.00*", "0.00", "0.00", "50.00*", "0.00", "50.00"] in [line.split() for line in out.splitlines()]
    status, out, _ = fairsum("study", "label_differences", *both, "--format", "markdown")
    assert status == 0
    assert re.search(r"\| WIKI *\| *100\.00 *\| *-50\.00 *\| *-50\.00 *\|", out)
    assert "<svg" in (tmp_path / "figure3.svg").read_text()
