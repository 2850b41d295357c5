"""One result whichever way the samples come in: at once, in batches, one by one, from two processes, combined."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import evaluate
import pytest

from fairsum_utils import compute
from fairsum_utils.errors import InputError
from fairsum_utils.families.contract import family_of
from fairsum_utils.measures import get_measure, measure_names

from .conftest import COLUMNS, GIVEN

ROOT = Path(__file__).parents[2]

MODELS = {"toxicity", "regard"}


@pytest.mark.parametrize("name", sorted({*measure_names()} - MODELS))
def test_every_way_in_takes_every_column(
    name: str, family: Any, columns: dict[str, Any], load: Callable[..., Any]
) -> None:
    """Required columns alone, each optional one with them, and all that a module has; at once, and bit by bit."""
    own = family_of(name)
    columns |= {column.name: GIVEN[column.name] for column in own.columns_of(name) if column.name not in columns}
    needed = get_measure(name).needed()
    optional = [column for column in columns if column not in needed]
    options = {**family.offline, "confidence_level": 0.9, "n_resamples": 20, "return_samples": True}
    module = load(name, keep_in_memory=name != "bur")
    for chosen in [(), *((column,) for column in optional), tuple(optional)]:
        given = {column: columns[column] for column in (*needed, *chosen)}
        expected = outcome(compute, name, **given, **options)
        assert outcome(module.compute, **given, **options) == expected
    module.add_batch(**{column: entries[:2] for column, entries in given.items()})
    for prediction, *others in list(zip(*given.values(), strict=True))[2:-1]:
        module.add(prediction=prediction, **dict(zip(list(given)[1:], others, strict=True)))
    assert len(module) == len(given["predictions"]) - 1
    assert outcome(module.compute, **{column: entries[-1:] for column, entries in given.items()}, **options) == expected


def outcome(call: Callable[..., Any], *arguments: Any, **named: Any) -> str:
    """The result to the bit, or the error."""
    try:
        return repr(call(*arguments, **named))
    except InputError as error:
        return str(error)


@pytest.mark.parametrize(
    ("measure", "given"),
    [("bur", "target_distributions"), ("equal_coverage", "coverage"), ("coverage_parity", "coverage")],
)
def test_a_given_column_stands_in_for_the_summary(measure: str, given: str, load: Callable[..., Any]) -> None:
    columns = {"sources": COLUMNS["sources"], "values": COLUMNS["values"], given: GIVEN[given]}
    expected = repr(compute(measure, **columns))
    module = load(measure, keep_in_memory=True)
    assert repr(module.compute(**columns)) == expected
    for sample in zip(*columns.values(), strict=True):
        module.add(**dict(zip(columns, sample, strict=True)))
    assert repr(module.compute()) == expected


def test_a_column_is_given_with_its_samples(load: Callable[..., Any]) -> None:
    """`compute` with one column only would be a batch without its texts."""
    module = load("bur", keep_in_memory=True)
    module.add_batch(**COLUMNS)
    with pytest.raises(InputError, match=r"bur: missing: sources .* Given: target_distributions"):
        module.compute(target_distributions=GIVEN["target_distributions"])
    assert module.compute() == compute("bur", **COLUMNS)


def test_whole_numbers_are_the_labels_of_the_library(load: Callable[..., Any]) -> None:
    """pandas turns 1 into 1.0 where another number is missing."""
    values = [[1.0, 1.0, 2.0]]
    columns = {"predictions": COLUMNS["predictions"][:1], "sources": COLUMNS["sources"][:1], "values": values}
    found = load("uer", keep_in_memory=True).compute(**columns)
    assert found == compute("uer", **columns)
    assert list(found["uer_by_value"] if "uer_by_value" in found else found["ratio_by_value"]) == ["1", "2"]


IN_ONE_OF_TWO_PROCESSES = """
import json, sys
import evaluate
path, cache, rank, ways = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
module = evaluate.load(path, num_process=2, process_id=rank, experiment_id="pair", cache_dir=cache)
inputs, options, refused = json.load(sys.stdin)
for way in ways:
    if way == "compute":
        result = module.compute(**inputs, **options)
    elif way == "add_batch":
        module.add_batch(**inputs)
        result = module.compute(**options)
    elif way == "add":
        for sample in zip(*inputs.values()):
            module.add(**dict(zip(inputs, sample)))
        result = module.compute(**options)
    else:  # fails where samples are read, in the first process only
        try:
            result = module.compute(**inputs, **{**options, **refused})
        except ValueError as error:
            result = str(error)
    print(json.dumps(result), flush=True)
"""


def test_two_processes_give_the_result_of_one(tmp_path: Path, forked: Any) -> None:
    measure, split, columns = "uer", 3, COLUMNS
    options = {"unmatched": "uniform", "confidence_level": 0.9, "n_resamples": 50, "return_samples": True}
    refused, message = {"target": {"nobody": 1.0}}, "is not in target (nobody)"
    ways = ["compute", "fail", "add_batch", "add"]
    command = ["-c", IN_ONE_OF_TWO_PROCESSES, ROOT / "metrics" / measure, tmp_path / "store"]
    shards = [
        {key: column[:split] for key, column in columns.items()},
        {key: column[split:] for key, column in columns.items()},
    ]
    processes = [
        forked.start([*command, rank, *ways], tmp_path, text=json.dumps([shard, options, refused]))
        for rank, shard in enumerate(shards)
    ]
    done = [process.wait(60) for process in processes]
    assert [process.returncode for process in done] == [0, 0], done
    expected = json.loads(json.dumps(compute(measure, **columns, **options)))
    first, second = ([json.loads(line) for line in process.stdout.splitlines()] for process in done)
    assert message in first.pop(1)
    assert [repr(result) for result in first] == [repr(expected)] * 3
    assert second == [None] * 4
    assert list((tmp_path / "store").rglob("*.arrow")) == []


def test_combined(any_family: Any, load: Callable[..., Any], columns: dict[str, Any]) -> None:
    names = any_family.light
    combined = evaluate.combine([load(name) for name in names])
    options = {**any_family.offline, "confidence_level": 0.9, "n_resamples": 20}
    result = combined.compute(**columns, **options)
    for name in names:
        own = compute(name, **columns, **options)
        shown = {key: number for key, number in own.items() if key.startswith(name)}
        assert repr({key: result[key] for key in shown}) == repr(shown)
        prefix = f"{name}_" if len(names) > 1 else ""  # a key that several have
        assert result[f"{prefix}signature"] == own["signature"]
        assert result[f"{prefix}n_samples"] == own["n_samples"]
    for prediction, *others in zip(*columns.values(), strict=True):
        combined.add(prediction=prediction, **dict(zip(list(columns)[1:], others, strict=True)))
    assert repr(combined.compute(**options)) == repr(result)
    combined.add_batch(**columns)
    assert repr(combined.compute(**options)) == repr(result)
