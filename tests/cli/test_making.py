"""Inputs made by `fairsum data build`: counterfactual, counterfactual_templates and orders."""

import json

import pytest

from fairsum_utils.io.reading import read_rows

SETS = [
    {"id": "s", "sources": ["good", "bad", "fine"], "values": ["pro", "con", "pro"], "prompt": "good || bad || fine"}
]


def build(fairsum, *words):
    status, printed, err = fairsum("data", "build", *words)
    assert (status, err) == (0, "")
    return json.loads(printed)


def test_inputs_from_a_table_of_texts(fairsum, tmp_path) -> None:
    file, output = tmp_path / "records.csv", tmp_path / "inputs.csv"
    file.write_text('key,note\nx,"A gay man ran on Monday."\ny,It rained.\n', encoding="utf-8")
    columns = ("--text-column", "note", "--id-column", "key")
    message = build(
        fairsum,
        "counterfactual",
        "--from",
        file,
        "--swap",
        "sexual_orientation",
        "--controls",
        1,
        *columns,
        "--output",
        output,
    )
    assert message == {
        "name": "counterfactual", "rows": 4, "texts": 2,
        "not_swapped": {"sexual_orientation": {"no_sexual_orientation": 1}},
        "smaller_controls": 0, "missing_controls": 0, "output": str(output),
    }  # fmt: skip
    rows = list(read_rows(output, {}, lists=["changed"]))
    assert [(row["article_id"], row["variant"], row["control"]) for row in rows] == [
        ("x", "gay", ""), ("x", "gay", "1"), ("x", "straight", ""), ("x", "straight", "1"),
    ]  # fmt: skip
    assert all(isinstance(row["changed"], list) for row in rows)


def test_the_shipped_articles_and_pairs(fairsum, tmp_path) -> None:
    output = tmp_path / "inputs.jsonl"
    record = build(fairsum, "counterfactual", "--swap", "gender,race", "--pairs", "--output", output)
    rows = list(read_rows(output, {}))
    assert record["texts"] == 24
    assert record["not_swapped"] == {"gender": {"couple": 6, "office": 1}, "race": {}}
    assert record["rows"] == len(rows) == 2 * (24 - 7) + 2 * 24
    assert {row["attribute"] for row in rows} == {"gender", "race"}
    assert {row["pair_id"] for row in rows} == {f"{row['article_id']}-p0" for row in rows}


def test_the_inputs_are_the_same_each_time(fairsum, write_jsonl, tmp_path) -> None:
    given = ("--from", write_jsonl([{"text": f"Ann Lee met {name} Smith on Monday."} for name in ("Jim", "Mary")]))
    for name in ("a.jsonl", "b.jsonl"):
        asked = ("--swap", "gender", "--controls", 2, "--seed", 3, "--output", tmp_path / name)
        build(fairsum, "counterfactual", *given, *asked)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("name", "rows", "options", "said"),
    [
        (
            "counterfactual",
            [{"text": "It rained."}, {"text": ""}],
            ("--swap", "religion,disability"),
            "counterfactual: none of 2 texts could be swapped "
            "(religion: 1 empty_text, 1 no_religion; disability: 1 empty_text, 1 no_disability); nothing was written",
        ),
        ("orders", [{"sources": ["one"]}], (), "orders: none of 1 set has two orders; nothing was written"),
    ],
)
def test_where_nothing_can_be_made_nothing_is_written(
    name, rows, options, said, fairsum, write_jsonl, tmp_path
) -> None:
    output = tmp_path / "inputs.jsonl"
    status, printed, err = fairsum("data", "build", name, "--from", write_jsonl(rows), *options, "--output", output)
    assert (status, printed) == (2, "")
    assert said in err
    assert not output.exists()


def test_a_lexicon(fairsum, write_jsonl, tmp_path) -> None:
    lexicon, output = tmp_path / "words.json", tmp_path / "inputs.jsonl"
    lexicon.write_text('{"clinic": {"poor": "shelter", "rich": "spa"}}', encoding="utf-8")
    file = write_jsonl([{"text": "A clinic opened."}])
    record = build(fairsum, "counterfactual", "--from", file, "--lexicon", lexicon, "--output", output)
    assert record["rows"] == 2
    assert [row["text"] for row in read_rows(output, {})] == ["A shelter opened.", "A spa opened."]


def test_templates_become_summaries_and_scores(fairsum, write_jsonl, tmp_path) -> None:
    """From an empty folder: inputs, summaries of a summarizer that treats one group otherwise, and the scores."""
    output = tmp_path / "inputs.jsonl"
    options = ("--swap", "disability", "--controls", 2, "--config", "news", "--output", output)
    message = build(fairsum, "counterfactual_templates", *options)
    assert message == {
        "name": "counterfactual_templates", "rows": 10 * 4 * 3, "texts": 10, "not_swapped": {"disability": {}},
        "output": str(output),
    }  # fmt: skip
    rows = list(read_rows(output, {}, lists=["changed", "sources"]))
    for row in rows:
        row["prediction"] = row["text"][:60] + (" Help was needed." * ("deaf" in row["text"]))
    summaries, results = write_jsonl(rows), tmp_path / "results.json"
    measures = "counterfactual_gap,counterfactual_outcomes"
    status, _, _ = fairsum(
        "score", summaries, "--metrics", measures, "--set", "n_permutations=200", "--output", results
    )
    assert status == 0
    scores = json.loads(results.read_text(encoding="utf-8"))
    assert scores["metrics"]["counterfactual_gap"]["p_value"] < 0.05
    largest = max(scores["metrics"]["counterfactual_gap"]["pairs"], key=lambda pair: pair["gap"])
    assert "deaf" in (largest["variant_a"], largest["variant_b"])


def test_orders(fairsum, write_jsonl, tmp_path) -> None:
    output = tmp_path / "orders.jsonl"
    message = build(
        fairsum, "orders", "--from", write_jsonl(SETS), "--set", "mode=rotate", "--set", "orders=3", "--output", output
    )
    assert message == {"name": "orders", "rows": 3, "sets": 1, "left_out": 0, "fewer_orders": 0, "output": str(output)}
    assert [row["prompt"] for row in read_rows(output, {})] == [
        "good || bad || fine", "bad || fine || good", "fine || good || bad",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["orders"], "orders: give the sets with --from"),
        (["orders", "--swap", "race"], "--swap is not for orders; leave it out"),
        (["orders", "--config", "x"], "--config is not for orders"),
        (["counterfactual", "--set", "orders=3", "--swap", "race"], "counterfactual: unknown setting 'orders'"),
        (["counterfactual"], "swap at least one of gender, race, religion"),
        (["counterfactual", "--swap", "age"], "use `fairsum data build counterfactual_templates --swap age`"),
        (["counterfactual_templates", "--swap", "age", "--ner", "x"], "--ner is not for counterfactual_templates"),
        (["counterfactual_templates", "--swap", "age", "--from", "no.toml"], "no.toml: there is no such file"),
        (["counterfactual", "--swap", "sex"], "counterfactual: swap must be one of"),
        (["bold", "--config", "gender", "--from", "x.csv"], "--from is not for bold"),
        (["bold"], "bold: name a configuration with --config"),
        (["counterfactual", "--lexicon", "no.json"], "no.json: cannot read the file as JSON"),
        (["counterfactual", "--swap", "race", "--from", "no.jsonl"], "no.jsonl: no such file"),
    ],
)
def test_mistakes(fairsum, tmp_path, words, message) -> None:
    status, printed, err = fairsum("data", "build", *words, "--output", tmp_path / "x.jsonl")
    assert (status, printed) == (2, "")
    assert message in err
    assert not (tmp_path / "x.jsonl").exists()
