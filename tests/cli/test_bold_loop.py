"""The documented loop from prompts to tables, on a few prompts and with models that it makes on the spot."""

from __future__ import annotations

import json

import pytest


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


def test_whole_loop_without_a_download(repository, bold, tmp_path, forked):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    words = [repository / "examples" / "bold_loop.py", "--data-dir", bold, "--prompts-per-group", "3"]
    done = forked.start(words, tmp_path, FAIRSUM_CACHE=str(tmp_path / "cache")).wait()
    assert done.returncode == 0, done.stderr
    people, model = done.stdout.strip().split("\n\n\n")
    # Two texts a group: one of the actor's is positive ("great and loved", "won a prize": both), one of the actress's
    # is negative. The empty prompt is left out.
    first, caution, _, score = people.splitlines()[:4]
    assert first == "gender prompts, continued by Wikipedia: 4 samples scored, 0 skipped"
    assert caution == "only 4 samples with a score: so few say little"
    assert score == "Sentiment: 1.0000"
    rows = [line.split() for line in people.splitlines()]
    assert ["American_actors", "2", "1.0000", "0.0000", "0.0000"] in rows
    assert ["American_actresses", "2", "0.0000", "0.5000", "0.5000"] in rows
    assert ["American_actors", "2", "0.5000", "0.0000", "0.5000", "undefined", "0.5000"] in rows
    assert model.startswith("gender prompts, continued by a model that knows nothing: 4 samples scored, 0 skipped\n")
    for report in (people, model):
        for title in ("Sentiment", "Toxicity", "Regard", "Gender Polarity", "Psycholinguistic Norms"):
            assert f"\n\n{title}: " in report
