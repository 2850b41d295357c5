"""`fairsum_utils.cluster.score`: the results of `fairsum_utils.score`, in any number of shards, of files and tables."""

import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from fairsum_utils.cluster import api, compare, merge, score
from fairsum_utils.cluster.scoring import in_this_process

import fairsum_utils
from fairsum_utils import GenderPolarity, Omission, Sentiment, WordListInclusion
from fairsum_utils.errors import InputError
from fairsum_utils.measures import measures_of
from fairsum_utils.measures.regard import LABELS
from fairsum_utils.measures.toxicity import KINDS

from .._together import measures
from ..conftest import takes_long
from .conftest import rows_of, write_rows

ANN = {"id": 0, "first_name": "Ann", "last_name": "Lee", "group": "female"}
BOB = {"id": 1, "first_name": "Bob", "last_name": "Ray", "group": "male"}


def family_rows(n):
    """Rows that every measure without a model can score."""
    texts = ("Ann Lee won a great prize.", "Bob Ray lost, sadly.", "She and he met Ann Lee.", "Nobody came.", "")
    return [
        {
            "id": f"s{number}",
            "prediction": texts[number % 5],
            "sources": [
                "Ann Lee won a great prize, she said.",
                f"Bob Ray lost {number} times, sadly. A thief stole his bag in town {number % 30}.",
            ],
            "values": ["good", "bad"],
            "group": ("a", "b", "c")[number * 7 % 3],
            "entities": [ANN, BOB],
            "mentions": [["Ann Lee"], ["Bob Ray"], ["Ann Lee"], [], []][number % 5],
            "article_id": f"a{number // 4}",
            "variant": ("female", "male")[number % 2],
            "changed": (["Ann", "Lee"], ["Bob", "Ray"])[number % 2],
        }
        for number in range(n)
    ]


def close(a, b):
    """The same whole numbers, texts and keys; floats to 1e-12."""
    if isinstance(a, float) and isinstance(b, float):
        return a == pytest.approx(b, rel=1e-12, abs=1e-12, nan_ok=True)
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(close(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(close, a, b))
    return a == b


def backwards(job, shards, folder):
    """An engine that takes the shards from the last to the first."""
    yield from in_this_process(job, shards[::-1], folder)


FAMILIES = {
    "representation": {"metrics": measures(measures_of("representation"))},
    "coverage": {"metrics": measures(measures_of("coverage"), entailer="lexical")},
    "omission": {"metrics": [Omission()]},
    "polarity": {"metrics": [Sentiment(), GenderPolarity()]},
    "entities": {"metrics": measures(measures_of("entities")), "sources": "prediction", "mentions": "mentions"},
    # The sources of an original are not the same in all rows, as order_sensitivity needs them.
    "sensitivity": {"metrics": measures(set(measures_of("sensitivity")) - {"order_sensitivity"})},
}


@pytest.mark.parametrize("bootstrap", ["samples", "buckets"])
@pytest.mark.parametrize("family", FAMILIES)
def test_any_number_of_shards_in_any_order(tmp_path, monkeypatch, family, bootstrap):
    arguments = {**FAMILIES[family], "confidence_level": 0.95, "n_resamples": 200}
    if family != "polarity":
        arguments["metrics"] = [measure.replace(bootstrap=bootstrap) for measure in arguments["metrics"]]
    check_any_number(tmp_path, arguments)
    monkeypatch.setattr(api, "engine_named", lambda *_, **__: backwards)
    check_any_number(tmp_path, arguments, sizes=[20])


@pytest.mark.parametrize("measure", ["toxicity", pytest.param("regard", marks=takes_long)])
def test_models_in_any_number_of_shards(tmp_path, measure, tiny_model):
    labels = {"toxicity": KINDS, "regard": LABELS}[measure]
    model = tiny_model("classifier", labels=labels, seed=1)
    check_any_number(tmp_path, {"metrics": measures([measure], model=str(model), cache="none", device="cpu")}, [20])


def check_any_number(tmp_path, arguments, sizes=(20, 2)):
    path = write_rows(tmp_path / "rows.jsonl", family_rows(128))
    # A table has no ids, which decide the buckets, so that there one shard stands for one process.
    in_buckets = all(measure.bootstrap == "buckets" for measure in arguments["metrics"])
    expected = score(path, **arguments) if in_buckets else fairsum_utils.score(family_rows(128), **arguments)
    for n_rows in sizes:
        assert close(dict(score(path, rows_per_shard=n_rows, **arguments)), dict(expected))


def tables():
    rows = rows_of(50)
    table = pa.Table.from_pylist(rows)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    return [rows, columns, table, pd.DataFrame(rows), pl.DataFrame(rows), datasets.Dataset.from_list(rows)]


def test_tables_are_those_of_score(tmp_path):
    expected = dict(fairsum_utils.score(rows_of(50), metrics="bur,uer"))
    for number, table in enumerate(tables()):
        folder = tmp_path / f"run{number}"
        assert dict(score(table, "bur,uer", folder=folder, rows_per_shard=9)) == expected
        written = (folder / "rows/shard=00001.parquet").stat().st_mtime_ns
        assert dict(score(table, "bur,uer", folder=folder)) == expected
        assert (folder / "rows/shard=00001.parquet").stat().st_mtime_ns == written
        with pytest.raises(InputError, match="used another file, or the file has changed"):
            score(rows_of(49), "bur,uer", folder=folder)


@pytest.mark.parametrize(
    ("data", "arguments", "message"),
    [
        (3, {}, "expected file names or a table"),
        ([], {}, "expected file names or a table"),
        ([{"a": 1}, {"a": "x"}], {}, "use one type per column"),
        ("rows.jsonl", {"sources": ["a"]}, "sources must be a column name in the file"),
        ("rows.jsonl", {"tua": 0.5}, "unknown setting 'tua'"),
        ("no-such.jsonl", {}, "no such file"),
        ("rows.jsonl", {"rows_per_shard": 0}, "rows_per_shard must be a whole number of at least 1"),
        ("rows.jsonl", {"seed": None}, "seed must be a whole number"),
        ("rows.jsonl", {"workers": 0}, "workers must be a whole number of at least 1"),
    ],
)
def test_what_is_refused(tmp_path, monkeypatch, data, arguments, message):
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "rows.jsonl", rows_of(4))
    with pytest.raises(InputError, match=message):
        score(data, "bur", **arguments)


def test_many_samples_are_merged_from_states(tmp_path, monkeypatch):
    """From so many samples on the states are merged: the same result as of one process, and no row is read for it."""
    path = write_rows(tmp_path / "rows.jsonl", rows_of(300))
    arguments = {"metrics": measures(["bur", "uer", "auc", "sof"], bootstrap="buckets")}
    expected = dict(fairsum_utils.score(json.loads(f"[{','.join(path.read_text().splitlines())}]"), **arguments))
    monkeypatch.setattr(merge, "read_rows", None)
    found = dict(score(path, rows_per_shard=40, **arguments))
    assert found.keys() == expected.keys()
    for name in found:
        same = {key: entry for key, entry in found[name].items() if not key.endswith(("_ci", "_sd"))}
        assert close(same, {key: expected[name][key] for key in same})


@pytest.mark.parametrize("bootstrap", ["samples", "buckets"])
def test_runs_are_compared_as_their_files_are(tmp_path, bootstrap):
    rows = [row for number, row in enumerate(rows_of(60)) if number % 7 != 3]  # all have a score
    systems = {"a": rows, "b": [{**row, "prediction": "Tasty soup"} for row in rows]}
    arguments = {"metrics": measures(["bur", "uer"], bootstrap=bootstrap), "n_resamples": 99}
    for name, sizes in (("a", 13), ("b", 20)):
        path = write_rows(tmp_path / f"{name}.jsonl", systems[name])
        score(path, folder=tmp_path / name, rows_per_shard=sizes, **arguments)
    found = compare(tmp_path / "a", tmp_path / "b")
    expected = fairsum_utils.compare(systems["a"], systems["b"], **arguments)
    assert found["bur"]["difference"] == expected["bur"]["difference"] != 0
    assert close(dict(found), dict(expected))
    score(tmp_path / "a.jsonl", folder=tmp_path / "c", **{**arguments, "n_resamples": 98})
    with pytest.raises(InputError, match="measures, settings or versions"):
        compare(tmp_path / "a", tmp_path / "c")


@pytest.mark.parametrize("n_rows", [100, 20, 7])
def test_an_original_in_several_shards_counts_once(n_rows):
    """60 samples of 20 originals, each of which has a pair: no two of them follow each other."""
    texts = {"prediction": "he said", "sources": "he she he"}
    rows = [{**texts, "article_id": str(n % 20), "pair_id": "p" if n < 40 else None} for n in range(60)]
    found = score(rows, WordListInclusion(bootstrap="buckets", n_resamples=20), rows_per_shard=n_rows)
    assert found["word_list_inclusion"]["n_articles"] == 20
    assert "few_originals" in [warning["code"] for warning in found["word_list_inclusion"]["warnings"]]


@pytest.mark.parametrize("measure", ["distinguishability", "counterfactual_outcomes"])
def test_samples_of_an_original_may_lie_apart(measure):
    rows = sorted(family_rows(128), key=lambda row: row["id"][::-1])
    arguments = {"metrics": measures([measure], bootstrap="buckets", n_resamples=50)}
    if measure == "distinguishability":
        arguments["mentions"] = "mentions"
    [expected, found] = (dict(score(rows, rows_per_shard=n, **arguments)) for n in (128, 7))
    assert close(found, expected)


@pytest.mark.parametrize("together", [1, 3, 1 << 24])
def test_repeated_ids_are_found_across_shards(tmp_path, monkeypatch, together):
    monkeypatch.setattr(merge, "_TOGETHER", together)  # ids are looked at in several ranges of their digests
    rows = [{**row, "id": str(n % 5)} for n, row in enumerate(rows_of(8))]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    with pytest.raises(InputError, match=r"row 6: id '0' was used before; 3 samples repeat an id\."):
        score(path, "bur", rows_per_shard=2)
    assert dict(score(path, "bur", rows_per_shard=2, id_column="none")) == dict(
        fairsum_utils.score(rows_of(8), metrics="bur")
    )
