"""`fairsum data build counterfactual` and `orders`."""

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
    file.write_text('key,note\nx,"A 34-year-old from Rome ran on Monday."\ny,It rained.\n', encoding="utf-8")
    columns = ("--text-column", "note", "--id-column", "key")
    said = build(
        fairsum, "counterfactual", "--from", file, "--swap", "age", "--controls", 1, *columns, "--output", output
    )
    assert said == {
        "name": "counterfactual", "rows": 4, "texts": 2, "not_swapped": {"age": {"no_age": 1}},
        "smaller_controls": 0, "missing_controls": 0, "output": str(output),
    }  # fmt: skip
    rows = list(read_rows(output, {}, lists=["changed"]))
    assert [(row["article_id"], row["variant"], row["control"]) for row in rows] == [
        ("x", "young", ""), ("x", "young", "1"), ("x", "old", ""), ("x", "old", "1"),
    ]  # fmt: skip
    assert all(isinstance(row["changed"], list) for row in rows)


def test_the_shipped_articles_and_pairs(fairsum, tmp_path) -> None:
    output = tmp_path / "inputs.jsonl"
    said = build(fairsum, "counterfactual", "--swap", "gender,occupation", "--pairs", "--output", output)
    rows = list(read_rows(output, {}))
    assert said["texts"] == 24
    assert said["rows"] == len(rows) == 24 * 2 + 2 * (24 - sum(said["not_swapped"]["occupation"].values()))
    assert {row["attribute"] for row in rows} == {"gender", "occupation"}
    assert {row["pair_id"] for row in rows} == {f"{row['article_id']}-p0" for row in rows}


def test_the_inputs_are_the_same_each_time(fairsum, tmp_path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        build(fairsum, "counterfactual", "--swap", "race", "--controls", 2, "--seed", 3, "--output", tmp_path / name)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("name", "rows", "options", "said"),
    [
        (
            "counterfactual",
            [{"text": "It rained."}, {"text": ""}],
            ("--swap", "age,occupation"),
            "counterfactual: none of 2 texts could be swapped "
            "(age: 1 empty_text, 1 no_age; occupation: 1 empty_text, 1 no_occupation); nothing was written",
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
    said = build(fairsum, "counterfactual", "--from", file, "--lexicon", lexicon, "--output", output)
    assert said["rows"] == 2
    assert [row["text"] for row in read_rows(output, {})] == ["A shelter opened.", "A spa opened."]


def test_orders(fairsum, write_jsonl, tmp_path) -> None:
    output = tmp_path / "orders.jsonl"
    said = build(fairsum, "orders", "--from", write_jsonl(SETS), "--mode", "rotate", "--orders", 3, "--output", output)
    assert said == {"name": "orders", "rows": 3, "sets": 1, "left_out": 0, "fewer_orders": 0, "output": str(output)}
    assert [row["prompt"] for row in read_rows(output, {})] == [
        "good || bad || fine", "bad || fine || good", "fine || good || bad",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["orders"], "orders: give the sets with --from"),
        (["orders", "--swap", "age"], "--swap is not for orders; leave it out"),
        (["orders", "--config", "x"], "--config is not for orders"),
        (["counterfactual", "--orders", "3", "--swap", "age"], "--orders is not for counterfactual"),
        (["counterfactual"], "swap at least one of gender, race, age, occupation"),
        (["counterfactual", "--swap", "sex"], "counterfactual: swap must be one of"),
        (["bold", "--config", "gender", "--from", "x.csv"], "--from is not for bold"),
        (["bold"], "bold: name a configuration with --config"),
        (["counterfactual", "--lexicon", "no.json"], "no.json: cannot read the file as JSON"),
        (["counterfactual", "--swap", "age", "--from", "no.jsonl"], "no.jsonl: no such file"),
    ],
)
def test_mistakes(fairsum, tmp_path, words, message) -> None:
    status, printed, err = fairsum("data", "build", *words, "--output", tmp_path / "x.jsonl")
    assert (status, printed) == (2, "")
    assert message in err
    assert not (tmp_path / "x.jsonl").exists()
