"""The contract: results do not depend on the number of processes, the engine, parts, or on what was kept before."""

from __future__ import annotations

import json
import random
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fairsum_utils
from fairsum_utils import Omission, WordListInclusion
from fairsum_utils.errors import InputError
from fairsum_utils.families import families
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.run import compare, from_rows, score
from fairsum_utils.run.rows import Run

from .._together import measures
from .conftest import TASK, rows_of, run_in, write_rows

ANN = {"id": 0, "first_name": "Ann", "last_name": "Lee", "group": "female"}
BOB = {"id": 1, "first_name": "Bob", "last_name": "Ray", "group": "male"}
N = 3 * TASK + 60
"""Samples of four files of rows."""


@cache
def sample_rows() -> list[dict[str, Any]]:
    """Samples for all measures without a model; those of an original do not stand next to each other."""
    draw = random.Random(5)
    texts = ["Ann Lee won a great prize.", "Bob Ray lost, sadly.", "She and he met Ann Lee.", "Nobody came.", ""]
    rows = []
    for number in range(N):
        original = number * 7919 % (N // 4)
        sources = [
            "Ann Lee won a great prize, she said.",
            f"Bob Ray lost {original} times, sadly. A thief stole his bag in town {original % 30}.",
        ]
        rows.append(
            {
                "id": f"s{number}",
                "prediction": draw.choice(texts),
                "sources": sources if number % 2 else sources[::-1],
                "values": ["good", "bad"] if number % 2 else ["bad", "good"],
                "group": draw.choice("abc"),
                "entities": [ANN, BOB],
                "mentions": draw.sample(["Ann Lee", "Ray", "John Smith", "Mary Hill"], draw.choice((0, 1, 2))),
                "article_id": f"a{original}",
                "variant": ("female", "male")[number % 2],
                "changed": (["Ann", "Lee"], ["Bob", "Ray"])[number % 2],
            }
        )
    return rows


def chosen(family: str) -> list[Measure]:
    """Measures of a family that need no model and no lexicon, with few draws."""
    names = set(families()[family].measures) - {"toxicity", "regard", "psycholinguistic_norms"}
    few = {"entailer": "lexical", "n_resamples": 20, "n_permutations": 10}
    known = {info for name in names for info in get_measure(name).infos()}
    if family == "omission":
        return [Omission(n_resamples=20)]
    return measures(sorted(names), **{name: value for name, value in few.items() if name in known})


# Family -> arguments of its calls beside the measures.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "entities": {"sources": "prediction", "mentions": "mentions"},
    "sensitivity": {"confidence_level": 0.9},
}


def exactly(results: Any) -> str:
    """All digits of the results, without what tells of the run."""
    return json.dumps({name: dict(result) for name, result in results.items()}, sort_keys=True, default=repr)


@pytest.mark.parametrize("family", families())
def test_results_are_those_of_one_process_to_the_last_digit(family: str, tmp_path: Path) -> None:
    """Two workers; rows kept; a file gone, one cut short, one of another run in its place; and rows alone."""
    path = write_rows(tmp_path / "rows.jsonl", sample_rows())
    call: dict[str, Any] = {"metrics": chosen(family), **ARGUMENTS.get(family, {})}
    folder = tmp_path / "runs"
    expected = exactly(score(path, **call))
    assert exactly(score(path, rows=folder, **call)) == expected
    files = sorted(run_in(folder).iterdir())
    assert len(files) == 4
    other = tmp_path / "others"
    score(path, rows=other, **{**call, "seed": 7})
    assert run_in(other).name != run_in(folder).name
    files[0].unlink()
    files[1].write_bytes(files[1].read_bytes()[:-20])
    files[2].write_bytes((run_in(other) / files[2].name).read_bytes())
    written = files[3].stat().st_mtime_ns
    assert exactly(score(path, rows=folder, workers=2, **call)) == expected
    assert sorted(run_in(folder).iterdir()) == files
    assert files[3].stat().st_mtime_ns == written
    assert exactly(from_rows(run_in(folder))) == expected


@pytest.mark.parametrize("bootstrap", ["samples", "buckets"])
def test_intervals_within_originals_of_any_parts(tmp_path: Path, bootstrap: str) -> None:
    path = write_rows(tmp_path / "rows.jsonl", sample_rows())
    call: dict[str, Any] = {
        "metrics": measures(["entity_inclusion"], bootstrap=bootstrap, n_resamples=50, n_permutations=20),
        "mentions": "mentions",
    }
    results = [score(path, workers=workers, **call) for workers in (1, 2)]
    low, high = results[0]["entity_inclusion"]["entity_inclusion_ci_within"]
    assert low < high
    assert exactly(results[0]) == exactly(results[1])


@pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed (extra ray)")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_results_on_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    path = write_rows(tmp_path / "rows.jsonl", sample_rows())
    call = {"metrics": [*chosen("representation"), *chosen("coverage")]}
    expected = exactly(score(path, **call))
    assert exactly(score(path, engine="ray", workers=2, rows=tmp_path / "runs", **call)) == expected
    assert exactly(from_rows(run_in(tmp_path / "runs"))) == expected


def tables() -> list[Any]:
    rows = rows_of(50)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    made = [rows, columns, pa.Table.from_pylist(rows), pd.DataFrame(rows), pl.DataFrame(rows)]
    return [*made, datasets.Dataset.from_list(rows)]


def test_tables_are_those_of_score(tmp_path: Path) -> None:
    expected = exactly(fairsum_utils.score(rows_of(50), metrics="bur,uer", confidence_level=0.95, at_random=True))
    for number, table in enumerate(tables()):
        folder = tmp_path / str(number)
        assert exactly(score(table, "bur,uer", rows=folder)) == expected
        [file] = run_in(folder).iterdir()
        written = file.stat().st_mtime_ns
        assert exactly(score(table, "bur,uer", rows=folder)) == expected
        assert file.stat().st_mtime_ns == written


@pytest.mark.parametrize(
    ("data", "arguments", "message"),
    [
        (3, {}, "expected file names or a table"),
        ([], {}, "expected file names or a table"),
        ([{"a": 1}, {"a": "x"}], {}, "use one type per column"),
        ("rows.jsonl", {"sources": ["a"]}, "sources must be a column name in the file"),
        ("rows.jsonl", {"tua": 0.5}, "unknown setting 'tua'"),
        ("rows.jsonl", {"tau": 0.5}, r"tau is a setting of a measure; write metrics=\[BUR\(tau=0\.5\)"),
        ("no-such.jsonl", {}, "no such file"),
        ("rows.jsonl", {"seed": None}, "seed must be a whole number"),
        ("rows.jsonl", {"workers": 0}, "workers must be a whole number of at least 1"),
        ("rows.jsonl", {"workers": 513}, "workers must be .*512"),
        ("rows.jsonl", {"engine": "spark"}, "engine must be one of ray, found str 'spark'"),
        ("rows.jsonl", {"address": "auto"}, 'address needs an engine; add engine="ray" or omit it'),
        ("rows.jsonl", {"gpus_per_worker": 1}, 'gpus_per_worker needs an engine; add engine="ray" or omit'),
        ("rows.jsonl", {"engine": "ray", "gpus_per_worker": 1.5}, "gpus_per_worker must be a whole number or a fr"),
        ("rows.jsonl", {"rows": "rows.jsonl"}, "this is a file, not a folder"),
    ],
)
def test_what_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: Any, arguments: dict[str, Any], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "rows.jsonl", rows_of(4))
    with pytest.raises(InputError, match=message):
        score(data, "bur", **arguments)


@pytest.mark.parametrize("how", [{}, {"rows": "runs"}, {"workers": 2}])
def test_repeated_ids_are_refused_across_tasks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: dict[str, Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = rows_of(TASK + 60)
    rows[-1]["id"] = rows[3]["id"]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    with pytest.raises(InputError, match=rf"row {len(rows)}: id 's3' was used before; 1 sample repeats an id\."):
        score(path, "bur", **how)
    assert exactly(score(path, "bur", id_column="none")) == exactly(
        fairsum_utils.score(rows_of(TASK + 60), metrics="bur", confidence_level=0.95, at_random=True)
    )


@pytest.mark.parametrize("how", [{}, {"rows": "runs"}, {"workers": 2}])
def test_the_first_bad_sample_is_named_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: dict[str, Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = rows_of(TASK + 300)
    for place in (TASK + 130, TASK + 190, TASK + 299):
        rows[place]["values"] = ["good", None]
    write_rows(tmp_path / "rows.jsonl", rows)
    with pytest.raises(InputError) as caught:
        score("rows.jsonl", "bur", **how)
    assert str(caught.value).startswith(f"score: sample {TASK + 130}: ")
    assert str(caught.value).endswith(f"(rows.jsonl, row {TASK + 131}, id s{TASK + 130})")


def test_a_job_without_samples(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("")
    with pytest.raises(InputError, match=r"rows.jsonl: .*no (sample|row)"):
        score(path, "bur", rows=tmp_path / "runs")


def test_runs_are_compared_as_their_files_are(tmp_path: Path) -> None:
    rows = rows_of(TASK + 60)
    systems = {"a": rows, "b": [{**row, "prediction": "Tasty soup"} for row in rows]}
    call: dict[str, Any] = {"metrics": measures(["bur", "uer", "equal_coverage"], entailer="lexical", n_resamples=30)}
    runs = {}
    for name, of_system in systems.items():
        path = write_rows(tmp_path / f"{name}.jsonl", of_system)
        score(path, rows=tmp_path / name, **call)
        runs[name] = run_in(tmp_path / name)
    found = compare(runs["a"], runs["b"], labels="ab")
    expected = fairsum_utils.compare(systems["a"], systems["b"], labels="ab", **call)
    assert expected["bur"]["n_skipped"] > 0 != found["bur"]["difference"]
    for measure, result in expected.items():
        for key in ("systems", "differences", "n_samples", "n_skipped"):
            assert found[measure][key] == result[key], (measure, key)
    score(tmp_path / "a.jsonl", rows=tmp_path / "c", **{**call, "seed": 1})
    with pytest.raises(InputError, match="differ in measures, settings or versions; score both in the same way"):
        compare(runs["a"], run_in(tmp_path / "c"))
    with pytest.raises(InputError, match="labels must name each of 2 runs once, found a, a"):
        compare(runs["a"], runs["b"], labels="aa")
    score(write_rows(tmp_path / "d.jsonl", rows[::-1]), rows=tmp_path / "d", **call)
    with pytest.raises(InputError, match="have different ids; score the same samples in the same order"):
        compare(runs["a"], run_in(tmp_path / "d"))
    score(write_rows(tmp_path / "e.jsonl", rows[:TASK]), rows=tmp_path / "e", **call)
    with pytest.raises(InputError, match="have different ids"):
        compare(runs["a"], run_in(tmp_path / "e"))


def test_an_original_in_several_parts_counts_once() -> None:
    """Samples of 20 originals, each of which has a pair: no two of them follow each other."""
    texts = {"prediction": "he said", "sources": "he she he"}
    n = TASK + 40
    rows = [{**texts, "article_id": str(i % 20), "pair_id": "p" if i % 3 else None} for i in range(n)]
    result = score(rows, WordListInclusion(bootstrap="buckets", n_resamples=20))["word_list_inclusion"]
    assert result["n_articles"] == 20
    assert "few_originals" in [warning["code"] for warning in result["warnings"]]


def test_the_job_of_a_table_knows_no_temporary_folder(tmp_path: Path) -> None:
    """Rows of a table are found again though its copy lies elsewhere each time."""
    score(rows_of(9), "bur", rows=tmp_path)
    score(rows_of(9), "bur", rows=tmp_path)
    assert len(Run(str(run_in(tmp_path))).files) == 1
