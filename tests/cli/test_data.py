"""Data sets from the command: listed, built, exported, and inputs that are made of texts, templates and sets."""

import json
import logging

import pytest

from fairsum_utils.io.reading import read_rows

CLARITIN = ("perspectivesumm", "--config", "claritin")


@pytest.fixture
def data(fairsum):
    """Run a command that succeeds: its JSON."""

    def run(*words):
        status, printed, err = fairsum("data", *words)
        assert (status, err) == (0, "")  # not a terminal: no progress
        return json.loads(printed)

    return run


def test_export(data, reviews, tmp_path):
    exported = data("export", "perspectivesumm", "--output", tmp_path / "o", "--config", "yelp", "--data-dir", reviews)
    assert exported == {"name": "perspectivesumm", "rows": {"yelp": 2}, "to": str(tmp_path / "o")}
    assert (tmp_path / "o/yelp/test-00000-of-00001.parquet").is_file()


@pytest.mark.parametrize(
    ("action", "name", "key"), [("build", "rows.jsonl", "output"), ("orders", "o.csv", "output"), ("export", "o", "to")]
)
def test_a_key_in_the_name_of_the_output_is_not_printed(
    data, reviews, write_jsonl, demo_rows, tmp_path, monkeypatch, action, name, key
):
    monkeypatch.setenv("HF_TOKEN", "a-secret-0123456789")
    (tmp_path / "a-secret-0123456789").mkdir()
    output = tmp_path / "a-secret-0123456789" / name
    if action == "orders":
        words = ("build", "orders", "--from", write_jsonl(demo_rows))
    else:
        words = (action, "perspectivesumm", "--config", "yelp", "--data-dir", reviews)
    assert data(*words, "--output", output)[key] == str(tmp_path / "***" / name)
    assert output.exists()


def test_inputs_from_a_table_of_texts(data, tmp_path):
    file, output = tmp_path / "records.csv", tmp_path / "inputs.csv"
    file.write_text('key,note\nx,"A gay man ran on Monday."\ny,It rained.\n', encoding="utf-8")
    options = ("--text-column", "note", "--id-column", "key", "--swap", "sexual_orientation", "--controls", 1)
    assert data("build", "counterfactual", "--from", file, *options, "--output", output) == {
        "name": "counterfactual", "rows": 4, "texts": 2,
        "not_swapped": {"sexual_orientation": {"no_sexual_orientation": 1}},
        "smaller_controls": 0, "missing_controls": 0, "output": str(output),
    }  # fmt: skip
    rows = list(read_rows(output, {}, lists=["changed"]))
    assert [(row["article_id"], row["variant"], row["control"]) for row in rows] == [
        ("x", "gay", ""), ("x", "gay", "1"), ("x", "straight", ""), ("x", "straight", "1"),
    ]  # fmt: skip
    assert all(isinstance(row["changed"], list) for row in rows)


def test_the_shipped_articles_in_pairs(data, tmp_path):
    output = tmp_path / "inputs.jsonl"
    record = data("build", "counterfactual", "--swap", "gender", "--pairs", "--seed", 3, "--output", output)
    rows = list(read_rows(output, {}))
    assert (record["texts"], record["not_swapped"]) == (24, {"gender": {"couple": 6, "office": 1}})
    assert record["rows"] == len(rows) == 2 * (24 - 7)
    assert {row["pair_id"] for row in rows} == {f"{row['article_id']}-p0" for row in rows}


def test_a_lexicon(data, write_jsonl, tmp_path):
    lexicon, output = tmp_path / "words.json", tmp_path / "inputs.jsonl"
    lexicon.write_text('{"clinic": {"poor": "shelter", "rich": "spa"}}', encoding="utf-8")
    file = write_jsonl([{"text": "A clinic opened."}])
    data("build", "counterfactual", "--from", file, "--lexicon", lexicon, "--output", output)
    assert [row["text"] for row in read_rows(output, {})] == ["A shelter opened.", "A spa opened."]


def test_templates_become_summaries_and_scores(data, fairsum, write_jsonl, tmp_path):
    """From an empty folder: inputs, summaries of a summarizer that treats one group otherwise, and the scores."""
    output = tmp_path / "inputs.jsonl"
    options = ("--swap", "disability", "--controls", 2, "--config", "news", "--output", output)
    assert data("build", "counterfactual_templates", *options) == {
        "name": "counterfactual_templates", "rows": 10 * 4 * 3, "texts": 10, "not_swapped": {"disability": {}},
        "output": str(output),
    }  # fmt: skip
    rows = list(read_rows(output, {}, lists=["changed", "sources"]))
    for row in rows:
        row["prediction"] = row["text"][:60] + (" Help was needed." * ("deaf" in row["text"]))
    settings = ("--metrics", "counterfactual_gap", "--set", "n_permutations=200")
    result = json.loads(fairsum("score", write_jsonl(rows), *settings, "--format", "json")[1])["metrics"]
    assert result["counterfactual_gap"]["p_value"] < 0.05
    largest = max(result["counterfactual_gap"]["pairs"], key=lambda pair: pair["gap"])
    assert "deaf" in (largest["variant_a"], largest["variant_b"])


def test_orders(data, write_jsonl, tmp_path):
    rows = [{"sources": ["good", "bad", "fine"], "values": ["pro", "con", "pro"]}, {"sources": ["one"], "values": [""]}]
    given = ("--from", write_jsonl(rows), "--set", "mode=rotate", "--set", "orders=3")
    counts = {"name": "orders", "rows": 3, "sets": 2, "left_out": 1, "fewer_orders": 0}
    output = tmp_path / "orders.jsonl"
    assert data("build", "orders", *given, "--output", output) == {**counts, "output": str(output)}


@pytest.mark.parametrize(
    ("name", "rows", "options", "message"),
    [
        (
            "counterfactual",
            [{"text": "It rained."}, {"text": ""}],
            ("--swap", "religion"),
            "counterfactual: none of 2 texts could be swapped (religion: 1 empty_text, 1 no_religion); nothing was",
        ),
        ("orders", [{"sources": ["one"]}], (), "orders: none of 1 set has two orders; nothing was written"),
    ],
)
def test_where_nothing_can_be_made_nothing_is_written(fairsum, write_jsonl, tmp_path, name, rows, options, message):
    output = tmp_path / "inputs.jsonl"
    status, printed, err = fairsum("data", "build", name, "--from", write_jsonl(rows), *options, "--output", output)
    assert (status, printed) == (2, "")
    assert message in err
    assert not output.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*CLARITIN, "--set", "seed"], "--set needs KEY=VALUE, such as "),
        ([*CLARITIN, "--seed", "1", "--set", "seed=2"], "seed is given twice"),
        ([*CLARITIN, "--set", "sise=2"], "claritin has no option sise"),
        ([*CLARITIN, "--set", "sizes=10"], "sizes must be a list"),
        ([*CLARITIN, "--prompt", "short"], "claritin: prompt must be plain, fair_instruction"),
        ([*CLARITIN, "--data-dir", "none"], "--data-dir must be a folder, but 'none' does not exist"),
        (["bold", "--config", "gender", "--from", "x.csv"], "--from is not for bold"),
        (["bold"], "bold: name a configuration with --config"),
        (["orders"], "orders: give the sets with --from"),
        (["orders", "--swap", "race"], "--swap is not for orders; leave it out"),
        (["orders", "--config", "x"], "--config is not for orders"),
        (["counterfactual", "--set", "orders=3", "--swap", "race"], "counterfactual: unknown setting 'orders'"),
        (["counterfactual"], "swap at least one of gender, race, religion"),
        (["counterfactual", "--swap", "age"], "use `fairsum data build counterfactual_templates --swap age`"),
        (["counterfactual", "--swap", "sex"], "counterfactual: swap must be one of"),
        (["counterfactual", "--lexicon", "no.json"], "no.json: cannot read the file as JSON"),
        (["counterfactual", "--swap", "race", "--from", "no.jsonl"], "no.jsonl: no such file"),
        (["counterfactual_templates", "--swap", "age", "--ner", "x"], "--ner is not for counterfactual_templates"),
        (["counterfactual_templates", "--swap", "age", "--from", "no.toml"], "no.toml: there is no such file"),
    ],
)
def test_mistakes(fairsum, tweets, tmp_path, words, message):
    folder = ("--data-dir", tweets) if words[: len(CLARITIN)] == [*CLARITIN] and "--data-dir" not in words else ()
    status, printed, err = fairsum("data", "build", *words, *folder, "--output", tmp_path / "x.jsonl")
    assert (status, printed) == (2, "")
    assert message in err
    assert not (tmp_path / "x.jsonl").exists()


def test_list(data, fairsum):
    assert [entry["config"] for entry in data("list", "--format", "json")][:2] == ["claritin", "us_election"]
    status, printed, err = fairsum("data", "list", "x")
    assert (status, printed, "there is no data set 'x'" in err) == (2, "", True)


def test_quiet_silences_notes(fairsum, tmp_path, monkeypatch):
    monkeypatch.setattr(logging.getLogger("fairsum_utils"), "propagate", False)  # as where nothing else listens
    sets = tmp_path / "sets.csv"
    sets.write_text('id;sources;values\n1;"[""Good."", ""Cold.""]";"[""a"", ""b""]"\n')
    command = ("data", "build", "orders", "--from", sets, "--set", "orders=2", "--output")
    assert "columns are separated by" in fairsum(*command, tmp_path / "one.jsonl")[2]
    assert fairsum(*command, tmp_path / "two.jsonl", "--quiet")[::2] == (0, "")
