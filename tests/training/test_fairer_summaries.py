"""The recipe for fairer summaries, with the tiny model and the reviews that another script makes."""

from __future__ import annotations

import json
import random
import re
import shutil
import warnings

import pytest

from ..conftest import load_script, takes_long

# Of a chat model; the same text as the recipe writes for a model without a template.
TEMPLATE = """{% for message in messages %}{{ message['content'] }}{% if message['role'] == 'user' %}
Summary:
{% else %}{{ eos_token }}{% endif %}{% endfor %}"""


@pytest.fixture(scope="module")
def recipe(repository):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("trl")
    pytest.importorskip("rouge_score")
    return load_script(repository / "examples" / "train_fairer_summaries.py")


@pytest.fixture(scope="module")
def tiny(tiny_model, tokenizer_of, tmp_path_factory):
    """A model without and with a chat template, and 10 document sets."""
    folder = tmp_path_factory.mktemp("tiny") / "tiny"
    for name in ("model", "chat_model"):
        shutil.copytree(tiny_model("causal", seed=1, max_tokens=160), folder / name)
        tokenizer_of(folder / name).save_pretrained(folder / name)
    (folder / "chat_model" / "chat_template.jinja").write_text(TEMPLATE)
    sources = ["Great soup.", "The wait was long.", "Slow and loud."]
    rows = [{"sources": [*sources[1:], f"{sources[0]} {i}"], "values": ["neg", "neg", "pos"]} for i in range(10)]
    (folder / "reviews.jsonl").write_text(
        "".join(json.dumps({**row, "summary": row["sources"][0]}) + "\n" for row in rows)
    )
    return folder


@pytest.mark.filterwarnings("ignore")  # of transformers and TRL
@pytest.mark.parametrize("model", ["model", pytest.param("chat_model", marks=takes_long)])
def test_it_trains_compares_and_saves(recipe, tiny, tmp_path, capsys, model):
    words = [tiny / "reviews.jsonl", "--model", tiny / model, "--output-dir", tmp_path / "fairer"]
    recipe.main([*map(str, words), "--max-new-tokens", "16", "--candidates", "3"])
    shown = capsys.readouterr().out
    assert re.search(r"7 document sets: \d+ pairs", shown)
    assert "3 samples compared" in shown
    for name in ("BUR", "UER"):
        assert re.search(rf"\n\| {name} +\| after +\| before +\|", shown)
    for name in ("words", "repeated word pairs", "words not in sources", "rougeL"):
        assert f"\n| {name} " in shown
    before, after = (
        [json.loads(line) for line in (tmp_path / "fairer" / f"{name}.jsonl").read_text().splitlines()]
        for name in ("before", "after")
    )
    assert [row["sources"] for row in before] == [row["sources"] for row in after]
    assert any(row["prediction"] for row in after)
    assert (tmp_path / "fairer" / "model.safetensors").exists()


@takes_long
def test_it_makes_summaries_fairer(repository, forked, tmp_path):
    """With the options of the page; the interval of the difference is below 0."""

    def run(name, *words):
        done = forked.start([repository / "examples" / name, *words], tmp_path).wait(900)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("tiny_summarizer.py", "tiny")
    words = ["tiny/reviews.jsonl", "--model", "tiny/model", "--output-dir", "fairer", "--max-new-tokens", 24]
    options = ("--learning-rate", "1e-4", "--batch-size", 32, "--epochs", 4)
    shown = run("train_fairer_summaries.py", *words, *options)
    for measure in ("BUR", "UER"):
        [after] = re.findall(r"\| after .*", shown.split(f"\n{measure}\n")[1])[:1]
        low, high = map(float, re.findall(r"\[(.*?), (.*?)\]", after)[1])
        assert low < high < 0


@pytest.mark.filterwarnings("ignore")  # of transformers
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (None, "data.jsonl"),
        ([{"sources": ["Tasty."]}], "values"),
        ([{"sources": ["Tasty.", "Awful."], "values": ["pos"]}], "sources has 2 texts but values has 1 label"),
        (
            [{"sources": ["Great soup. " * 80], "values": ["pos"]}],
            r"sample 0: prompt \(3.. tokens\) and summary \(8\) exceed the model's 160",
        ),
        ([{"sources": ["Tasty."], "values": ["pos"]}], r"too few document sets \(1\)"),
        ([{"sources": ["Tasty."], "values": ["pos"]}] * 3, "no pairs to train on"),
    ],
)
def test_bad_input_ends_with_one_line(recipe, tiny, tmp_path, rows, said):
    path = tmp_path / "data.jsonl"
    if rows:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = [str(path), "--model", str(tiny / "model"), "--output-dir", str(tmp_path / "fairer")]
    with pytest.raises(SystemExit) as stopped:
        recipe.main([*words, "--max-new-tokens", "8"])
    message = str(stopped.value)
    assert message.startswith("error: ")
    assert "\n" not in message
    assert re.search(said, message)


def test_a_missing_model_ends_with_one_line(recipe, tmp_path):
    with pytest.raises(SystemExit, match=r"error: .*nowhere"):
        recipe.main(["data.jsonl", "--model", str(tmp_path / "nowhere"), "--output-dir", str(tmp_path)])


def test_texts_of_the_first_group_with_enough_are_removed(recipe):
    row = {"sources": ["a", "b", "c", "d"], "values": ["x", "y", "y", "y"]}
    left = recipe.without(row, ["x", "y"], 0.1, random.Random(0))
    assert len(left) == 3
    assert "a" in left  # the only text of x stays
    assert recipe.without(row, ["x"], 0.1, random.Random(0)) == row["sources"]
    assert len(recipe.without(row, ["y"], 0.5, random.Random(0))) == 2


def test_weight_of_a_pair(recipe):
    """Shares of pos: "tasty soup" 1, "tasty bread" 1/2, "awful bread" 0."""
    row = {"sources": ["tasty soup", "awful bread"], "values": ["pos", "neg"]}
    toward_neg = {"chosen": "tasty bread", "rejected": "tasty soup"}
    toward_pos = {"chosen": "tasty bread", "rejected": "awful bread"}
    # Of the model: pos has 0.3 too much in one summary, 0.1 too little in another; its lean is (0.1 - 0.3) / 0.4
    skew = [{"pos": 0.3, "neg": -0.3}, {"pos": -0.1, "neg": 0.1}, {}]
    # neg gains 1/2 and pos loses 1/2: 1 + (0.5 * 0.5 + -0.5 * -0.5) / 1
    assert recipe.pair_weights([toward_neg, toward_pos], [row, row], skew) == pytest.approx([1.5, 0.5])
