"""The command `relevance`: rows in, ratings of a chat model and differences between groups out."""

import json
from functools import partial

import pyarrow.parquet
import pytest

from fairsum_utils.analysis.relevance import compare_groups, parse_rating, relevance_prompt
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.reports.formats import to_json

ROWS = [
    {"text": "Ann won. Bob lost.", "prediction": "Ann won.", "text_group": "female", "article_id": "w1"},
    {"text": "Al won. Bob lost.", "prediction": "Al won.", "text_group": "male", "article_id": "w1"},
    {"text": ["Eve sings.", "She hums."], "prediction": "A song.", "text_group": "female", "article_id": "w2"},
    {"text": ["Tom sings.", "He hums."], "prediction": "", "text_group": "male", "article_id": "w2"},
    {"text": "Tim sings.", "prediction": "Tim sang.", "text_group": "male", "article_id": "w2"},
]
ANSWERS = {"Ann won.": "It names her. Score: 4", "Al won.": "Fine. 5", "A song.": "Who?", "Tim sang.": "Fine. 2/5"}


@pytest.fixture
def server(chat_server):
    """An endpoint that answers by the summary in the prompt."""
    chat_server.say = lambda prompt: ANSWERS[prompt.partition("Summary: ")[2].partition("\n")[0]]
    return chat_server


def prompts(server):
    return [request["messages"][-1]["content"] for request in server.requests]


@pytest.fixture
def rate(alone):
    """Run the command: what it printed."""
    return partial(alone, "analyse", "relevance")


def test_groups_are_compared(rate, server, write_jsonl, tmp_path):
    file, output = write_jsonl(ROWS), tmp_path / "results.json"
    printed = rate(file, "--model", "m", "--url", server.url, "--cache", tmp_path / "c", "--format", "json", "--output",
                   output)  # fmt: skip
    joined = ["Ann won. Bob lost.", "Al won. Bob lost.", "Eve sings.\n\nShe hums.", None, "Tim sings."]
    asked = [relevance_prompt(text, row["prediction"]) for text, row in zip(joined, ROWS, strict=True) if text]
    assert sorted(prompts(server)) == sorted(asked)
    written = json.loads(output.read_text(encoding="utf-8"))
    assert json.loads(printed) == {name: written[name] for name in json.loads(printed)}
    result = json.loads(printed)
    assert result["relevance_by_group"] == {"female": 4, "male": 3.5}
    assert result["skipped"] == {"empty_prediction": 1, "no_score": 1}
    assert (result["n_samples"], result["n_articles"], result["max_difference"]) == (3, 2, 0.5)
    # The same by the library; group female has a score of the first original only.
    ratings = [parse_rating(ANSWERS.get(row["prediction"], "")) for row in ROWS]
    ratings[3] = ratings[3]._replace(skipped="empty_prediction")
    columns = [[row[name] for row in ROWS] for name in ("text_group", "article_id")]
    expected = compare_groups(ratings, *columns, settings={"chat": "m", "prompt": "reason-then-score"})
    assert printed == to_json({"file": str(file), **expected}) + "\n"
    assert result["lost"] == pytest.approx(0.25, abs=0.05)  # draws of the second original only: 1 of 4


def test_the_report_in_text_and_markdown(rate, server, write_jsonl, tmp_path):
    options = ("--model", "m", "--url", server.url, "--cache", tmp_path / "cache")
    text = rate(write_jsonl(ROWS, "news.jsonl"), *options)
    assert (
        f"{tmp_path / 'news.jsonl'}: 3 samples scored, 2 skipped (1 empty_prediction, 1 no_score)\n2 originals" in text
    )
    assert "\nfemale        1  4.00  undefined\nmale          2  3.50       2.12\n" in text
    # Two originals, of means 4 (two ratings) and 2: residuals that Student's t of one degree cannot tell from anything.
    assert "\nall           3  3.67       1.53  [" in text
    # Draws of originals w1 and w2: twice w1 (4 against 5), both (4 against 3.5), twice w2 (no female score).
    # The expanded interval of two originals reaches to the outermost of these.
    assert "\nfemale - male    0.50  [-1.00, 0.50]\nlargest          0.50   [0.50, 1.00]\n" in text
    assert "% of the resampled data sets lacked a group and were left out." in text
    n_asked = len(server.requests)
    markdown = rate(write_jsonl(ROWS), *options, "--format", "markdown", "--confidence", "0")
    assert "| female - male |   0.50 |          |\n| largest       |   0.50 |          |\n" in markdown
    assert len(server.requests) == n_asked == 4  # all answers were kept


def test_rows_with_their_ratings(rate, server, write_jsonl, tmp_path):
    options = ("--model", "m", "--url", server.url, "--cache", "none")
    rate(write_jsonl(ROWS), *options, "--samples", tmp_path / "rated.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "rated.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [{name: row[name] for name in ROWS[0]} for row in rows] == ROWS
    assert [row["relevance"] for row in rows] == [4, 5, None, None, 2]
    assert rows[0]["relevance_reason"] == "It names her."
    assert [row["relevance_answer"] for row in rows] == ["It names her. Score: 4", "Fine. 5", "Who?", "", "Fine. 2/5"]
    assert [row["relevance_skipped"] for row in rows] == [None, None, "no_score", "empty_prediction", None]
    rate(write_jsonl([ROWS[0], ROWS[1]]), *options, "--samples", tmp_path / "rated.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "rated.parquet")
    assert table["relevance"].to_pylist() == [4, 5]


def test_other_columns(rate, server, write_jsonl):
    rows = [{"article": row["text"], "summary": row["prediction"]} for row in ROWS]
    columns = ("--sources-column", "article", "--prediction-column", "summary", "--group-column", "none")
    text = rate(write_jsonl(rows), "--model", "m", "--url", server.url, "--cache", "none", *columns,
                "--article-column", "none")  # fmt: skip
    assert "3 originals" in text
    assert "max_difference is undefined: no groups were given." in text
    assert "difference  points" not in text


def test_a_model_that_runs_here(rate, tiny_model, write_jsonl):
    """Its answers mean nothing, which is reported."""
    folder = tiny_model("causal", max_tokens=2048)
    options = ("--model", folder, "--max-tokens", 4, "--device", "cpu", "--cache", "none", "--format", "json")
    with pytest.warns(RuntimeWarning, match="answers of causal@.* were cut off at max_tokens=4"):
        result = json.loads(rate(write_jsonl(ROWS), *options))
    assert result["skipped"] == {"empty_prediction": 1, "no_score": 4}
    assert result["relevance"] is None
    assert result["undefined"]["relevance"] == "no summary has a score"
    assert result["signature"].startswith("chat:causal@")


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"text": None}, (), r"relevance: sample 1: sources\[0\] must be a string"),
        ({"text": ["a", 3]}, (), r"relevance: sample 1: sources\[0\] must be a string"),
        ({"prediction": 3}, (), "relevance: sample 1: prediction must be a string"),
        ({"text_group": None}, (), "relevance: sample 1 has no entry in groups, but others have"),
        ({"article_id": None}, (), "relevance: sample 1 has no entry in article_ids, but others have"),
        ({}, ("--group-column", "gender"), "no column 'gender'; found .* Name the right one with --group-column"),
        ({}, ("--resamples", "0"), "relevance: n_resamples must be a whole number of at least 1"),
        ({}, ("--confidence", "2"), r"relevance: confidence_level must be a number in \[0, 1\]"),
        ({}, ("--output", "x.csv"), "x.csv: unknown format; the name must end in .json"),
        ({}, ("--samples", "x.tsv"), "x.tsv: unknown format"),
        ({"relevance": 3}, ("--samples", "x.jsonl"), "there is a column 'relevance' already; rename it"),
        ({}, ("--url", "localhost"), "relevance: base_url must be an http or https address"),
    ],
)
def test_bad_input_asks_nothing(rate, server, write_jsonl, change, options, message):
    file = write_jsonl([ROWS[0], ROWS[1] | change, *ROWS[2:]])
    with pytest.raises(InputError, match=message):
        rate(file, "--model", "m", "--url", server.url, "--cache", "none", *options)
    assert server.requests == []


def test_an_endpoint_that_fails(rate, server, write_jsonl):
    server.fails = (404, b"{}")
    with pytest.raises(FairSumError, match=r"relevance: http://127.* status 404: .* run again to continue"):
        rate(write_jsonl(ROWS), "--model", "m", "--url", server.url, "--cache", "none", "--retries", 0)
