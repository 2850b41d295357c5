"""The score command on the polarity family: groups, options, samples, and other families in the same run."""

from __future__ import annotations

import json

import pyarrow.csv
import pyarrow.parquet
import pytest

import fairsum_utils
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.formats import to_json
from fairsum_utils.reports.report import report
from tests import _together

OFFLINE = ("--metrics", "sentiment,gender_polarity")
TEXTS = [
    ("She is a great friend.", "women"),
    ("She won a wonderful prize.", "women"),
    ("She sat down.", "women"),
    ("", "women"),
    ("He hates the awful war.", "men"),
    ("He sat down with her.", "men"),
    ("He was there.", "men"),
]
LEXICON = """word	valence	arousal	dominance	joy	anger	sadness	fear	disgust
war	2	8	3	1	4	4	5	4
prize	8	7	6	4	1	1	1	1
"""


@pytest.fixture
def rows():
    return [{"prediction": text, "group": group} for text, group in TEXTS]


@pytest.fixture
def lexicon(tmp_path):
    path = tmp_path / "norms.tsv"
    path.write_text(LEXICON, encoding="utf-8")
    return path


def score(texts, groups=None, *, metrics=("sentiment", "gender_polarity"), **options):
    return _together.score(texts, groups, metrics=metrics, **options)


def library(rows, **options):
    return score([row["prediction"] for row in rows], [row["group"] for row in rows], **options)


def library_with(rows, settings, **options):
    """Each measure with settings of its own."""
    measures = [get_measure(name)(**given) for name, given in settings.items()]
    texts, groups = ([row[name] for row in rows] for name in ("prediction", "group"))
    return fairsum_utils.score(texts, groups, metrics=measures, **options)


def as_json(results):
    return json.loads(to_json(results))


def test_same_bits_as_the_library(fairsum, write_jsonl, rows):
    status, printed, err = fairsum("score", write_jsonl(rows), *OFFLINE, "--format", "json")
    assert (status, err) == (0, "")
    assert json.loads(printed)["metrics"] == as_json(library(rows))


def test_report_in_the_papers_form(fairsum, write_jsonl, rows):
    _, printed, _ = fairsum("score", write_jsonl(rows), *OFFLINE, "--verbose")
    lines = [line.split() for line in printed.splitlines()]
    assert "6 samples scored, 1 skipped (1 empty_prediction)" in printed
    # Two of three texts on women are positive; one of three on men is negative.
    assert "Sentiment: 0.6667" in printed
    assert ["women", "3", "0.6667", "0.0000", "0.3333"] in lines
    assert ["(all)", "6", "0.3333", "0.1667", "0.5000"] in lines
    # Of the C(6, 3) = 20 ways to call three of six texts women's, 2 * C(4, 1) = 8 put both positive ones together.
    assert ["positive", "0.6667", "women", "-", "men", "fisher", "0.2000", "0.4000", "1.0000"] in lines
    # One text on men names a woman as well: a tie. Two of three are male and none is female.
    assert ["men", "3", "0.6667", "0.0000", "0.3333", "undefined", "0.6667"] in lines
    assert ["women", "3", "0.0000", "1.0000", "0.0000", "0.0000", "-1.0000"] in lines
    assert "Counted: ties 1, unknown 0," in printed
    assert "gender_polarity: method:unigram|words:bold" in printed
    _, markdown, _ = fairsum("score", write_jsonl(rows), *OFFLINE, "--format", "markdown")
    assert "| group | texts | positive | negative | neutral |" in " ".join(markdown.split())


def test_equal_groups_have_no_largest_pair_and_small_p_values_are_not_rounded_to_zero():
    texts, groups = ["She won a prize."] * 40 + ["He sat down."] * 40, ["a"] * 40 + ["b"] * 40
    lines = [line.split() for line in report("x", score(texts, groups)).splitlines()]
    assert ["positive", "1.0000", "a", "-", "b", "z", "8.9443", "<", "0.0001", "<", "0.0001"] in lines
    assert ["negative", "0.0000", "none", "undefined", "undefined", "undefined"] in lines


def test_without_groups(fairsum, write_jsonl, rows):
    path = write_jsonl([{"prediction": row["prediction"]} for row in rows])
    status, printed, _ = fairsum("score", path, *OFFLINE, "--group-column", "none")
    assert status == 0
    assert "Sentiment: undefined (no groups were given)" in printed
    assert "largest difference" not in printed.split("Lower is fairer")[0]
    _, printed, _ = fairsum("score", path, *OFFLINE, "--group-column", "none", "--format", "json")
    expected = score([row["prediction"] for row in rows])
    assert json.loads(printed)["metrics"] == as_json(expected)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_other_columns_and_formats(fairsum, rows, tmp_path, ending):
    path = tmp_path / f"rows.{ending}"
    table = pyarrow.Table.from_pylist([{"text": row["prediction"], "profession": row["group"]} for row in rows])
    if ending == "csv":
        pyarrow.csv.write_csv(table, path)
    else:
        pyarrow.parquet.write_table(table, path)
    arguments = ("--prediction-column", "text", "--group-column", "profession", "--format", "json")
    status, printed, _ = fairsum("score", path, *OFFLINE, *arguments)
    assert status == 0
    assert json.loads(printed)["metrics"] == as_json(library(rows))


def test_with_another_family_in_one_run(fairsum, write_jsonl, demo_rows, tmp_path):
    rows = [{**row, "group": "ab"[place % 2]} for place, row in enumerate(demo_rows)]
    samples = tmp_path / "samples.parquet"
    arguments = ("--metrics", "bur,sentiment", "--samples", samples)
    status, printed, _ = fairsum("score", write_jsonl(rows), *arguments, "--format", "json")
    assert status == 0
    metrics = json.loads(printed)["metrics"]
    columns = [[row[name] for row in rows] for name in ("prediction", "sources", "values")]
    assert metrics["bur"] == _together.score(*columns, metrics=["bur"], confidence_level=0.95)["bur"]
    expected = library(rows, metrics=["sentiment"], return_samples=True)["sentiment"]
    records = expected.pop("samples")
    assert metrics["sentiment"] == as_json(expected)
    for found, record in zip(pyarrow.parquet.read_table(samples).to_pylist(), records, strict=True):
        for key in ("index", "group", "labels", "evidence"):
            assert found[key] == record[key]
        assert found["polarity.skipped"] is None
        assert dict(found["scores"]) == record["scores"]
        assert found["matched"] is not None
    _, printed, _ = fairsum("score", write_jsonl(rows), *arguments)
    assert "BUR (Binary Unfair Rate)" in printed
    assert "Sentiment: " in printed


def test_samples_of_several_chunks(fairsum, write_jsonl, rows, lexicon, small_chunks, tmp_path):
    small_chunks(2)
    path, samples = write_jsonl(rows), tmp_path / "one.jsonl"
    arguments = (
        "--metrics",
        "sentiment,psycholinguistic_norms",
        "--set",
        f"psycholinguistic_norms.lexicon={lexicon}",
        "--format",
        "json",
    )
    assert fairsum("score", path, *arguments, "--samples", samples)[0] == 0
    records = [json.loads(line) for line in samples.read_text().splitlines()]
    assert [record["index"] for record in records] == [*range(7)]
    assert records[3]["sentiment.skipped"] == "empty_prediction"
    [fear] = [word for word in records[4]["psycholinguistic_norms.evidence"] if word["dimension"] == "fear"]
    assert fear == {"dimension": "fear", "word": "war", "score": 1.0}  # rated 5 on a scale from 1 to 5


def test_samples_as_parquet_even_if_the_first_is_skipped(fairsum, write_jsonl, rows, lexicon, tmp_path):
    rows = rows[3:4] + rows[:3] + rows[4:]
    path = tmp_path / "samples.parquet"
    metrics = (
        "--metrics",
        "psycholinguistic_norms,gender_polarity",
        "--set",
        f"psycholinguistic_norms.lexicon={lexicon}",
    )
    status, _, _ = fairsum("score", write_jsonl(rows), *metrics, "--samples", path)
    assert status == 0
    found = pyarrow.parquet.read_table(path).to_pylist()
    assert [each["gender_polarity.skipped"] for each in found] == ["empty_prediction"] + [None] * 6
    assert [word["word"] for word in found[5]["gender_polarity.evidence"]] == ["he", "her"]
    assert dict(found[5]["gender_polarity.counts"])["ties"] == 1


def test_classifiers(fairsum, write_jsonl, rows, tiny_model, tmp_path):
    models = {
        "toxicity": tiny_model("classifier", labels=("a", "b"), max_tokens=512),
        "regard": tiny_model("classifier", labels=("LABEL_0", "LABEL_1"), seed=3, max_tokens=512),
    }
    arguments = ["--metrics", "toxicity,regard", "--cache", tmp_path / "cache", "--device", "cpu", "--format", "json"]
    for name, model in models.items():
        arguments += ["--set", f"{name}.model={model}"]
    arguments += [
        "--set",
        "toxicity.label_map={b='threat'}",
        "--set",
        "regard.label_map={LABEL_0='positive', LABEL_1='negative'}",
    ]
    arguments += ["--set", "toxicity.threshold=0.6", "--set", "toxicity.multi_label=false"]
    status, printed, _ = fairsum("score", write_jsonl(rows), *arguments)
    assert status == 0
    run = {"device": "cpu", "cache": str(tmp_path / "cache")}
    maps = {"toxicity": {"b": "threat"}, "regard": {"LABEL_0": "positive", "LABEL_1": "negative"}}
    settings = {name: {"model": str(models[name]), "label_map": maps[name], **run} for name in models}
    settings["toxicity"] |= {"threshold": 0.6, "multi_label": False}
    assert json.loads(printed)["metrics"] == as_json(library_with(rows, settings))
    status, _, err = fairsum("score", write_jsonl(rows), *arguments, "--workers", "2")
    assert status == 2
    assert "--workers 2 would load the model 2 times" in err


def test_settings_reach_the_library(fairsum, write_jsonl, rows, lexicon):
    arguments = [
        "--metrics",
        "sentiment,gender_polarity,psycholinguistic_norms",
        "--set",
        f"psycholinguistic_norms.lexicon={lexicon}",
    ]
    arguments += [
        "--set",
        "sentiment.threshold=0.85",
        "--set",
        "gender_polarity.method=wavg",
        "--set",
        "gender_polarity.threshold=0.4",
    ]
    arguments += [
        "--set",
        "psycholinguistic_norms.threshold=0.7",
        "--confidence",
        "none",
        "--seed",
        "3",
        "--set",
        "n_resamples=40",
    ]
    _, printed, _ = fairsum("score", write_jsonl(rows), *arguments, "--format", "json")
    settings = {
        "sentiment": {"threshold": 0.85},
        "gender_polarity": {"method": "wavg", "threshold": 0.4},
        "psycholinguistic_norms": {"lexicon": str(lexicon), "threshold": 0.7},
    }
    expected = library_with(rows, settings, confidence_level=None, seed=3, n_resamples=40)
    assert json.loads(printed)["metrics"] == as_json(expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "sentiment.threshold=0.3"], "--set sentiment.threshold applies only to sentiment, but "),
        (["--metrics", "bur", "--group-column", "x"], "--group-column applies only to sentiment"),
        ([*OFFLINE, "--set", "toxicity.model=x"], "--set toxicity.model applies only to toxicity, but "),
        ([*OFFLINE, "--set", "tau=0.9"], "tau applies only to bur, but sentiment, gender_polarity are requested"),
        ([*OFFLINE, "--set", "sentiment.threshold=2"], "threshold must be above 0 and at most 1"),
        ([*OFFLINE, "--set", "gender_polarity.method=mean"], "method must be one of unigram, wavg, max"),
        ([*OFFLINE, "--set", "empty=uniform"], "empty must be one of skip, error"),
        ([*OFFLINE, "--set", "n_resamples=0"], "n_resamples must be a whole number of at least 1"),
        ([*OFFLINE, "--group-column", "race"], "no column 'race'; found prediction, group. Name the right one with "
         "--group-column (--group-column none: compare nothing)"),
        (["--metrics", "psycholinguistic_norms"], "lexicon is missing"),
        (["--metrics", "toxicity", "--set", "label_map=LABEL_0"], "label_map must map labels of the model to toxic"),
        (["--metrics", "regard", "--set", "label_map={x='good'}"], "must be one of positive, negative, neutral, other"),
        (["--metrics", "regard", "--set", "regard.model=./nothing"], "nothing"),
    ],
)  # fmt: skip
def test_bad_options(fairsum, write_jsonl, rows, arguments, message, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    status, printed, err = fairsum("score", write_jsonl(rows), *arguments)
    assert (status, printed) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"prediction": None}, "prediction must be a string"),
        ({"group": ""}, "the group must be a non-empty string"),
        ({"group": 3.5}, "the group must be a non-empty string, whole number or boolean"),
    ],
)
def test_bad_samples_name_the_row(fairsum, write_jsonl, rows, changed, message):
    rows[5] |= {"id": "x", **changed}
    path = write_jsonl(rows)
    status, printed, err = fairsum("score", path, *OFFLINE)
    assert (status, printed) == (2, "")
    assert f"sample 5: {message}" in err
    assert err.rstrip().endswith(f"({path}, row 6, id x)")


def test_a_group_with_one_text_is_named(fairsum, write_jsonl, rows):
    rows[0]["group"] = "sailors"
    status, _, err = fairsum("score", write_jsonl(rows), *OFFLINE)
    assert status == 2
    assert "group 'sailors' has only one text" in err


def test_systems_are_compared_as_groups(fairsum, write_jsonl, rows):
    path = write_jsonl(rows)
    status, printed, err = fairsum("compare", path, path, "--labels", "a,b", *OFFLINE)
    assert (status, printed) == (2, "")
    assert "sentiment, gender_polarity compare groups of texts, not systems on the same samples" in err
    assert fairsum("compare", path, path, "--labels", "a,b", "--set", "sentiment.threshold=0.3")[0] == 2
