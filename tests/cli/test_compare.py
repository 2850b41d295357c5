"""Comparing two files: the library's numbers, pairing by id, and files that do not belong together."""

import json

import pytest

import fairsum_utils
from fairsum_utils.cli.demo import load_demo


@pytest.fixture
def systems(write_jsonl):
    demo = load_demo()
    paths = []
    for system in ("system_a", "system_b"):
        columns = zip(demo["id"], demo["sources"], demo["values"], demo[system], strict=True)
        rows = [dict(zip(("id", "sources", "values", "prediction"), row, strict=True)) for row in columns]
        paths.append(write_jsonl(rows, f"{system}.jsonl"))
    return paths


def rewrite(path, change):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(row) + "\n" for row in change(rows)), encoding="utf-8")


def test_same_numbers_as_the_library(fairsum, systems):
    status, printed, _ = fairsum("compare", *systems, "--format", "json")
    assert status == 0
    demo = load_demo()
    expected = fairsum_utils.compare(demo["system_a"], demo["system_b"], demo["sources"], demo["values"])
    assert json.loads(printed)["metrics"] == expected


def test_order_of_the_second_file_does_not_matter(fairsum, systems):
    expected = fairsum("compare", *systems)[1]
    rewrite(systems[1], lambda rows: rows[::-1])
    assert fairsum("compare", *systems)[1] == expected


def test_a_system_against_itself(fairsum, systems):
    _, printed, _ = fairsum("compare", systems[0], systems[0], "--format", "json")
    for result in json.loads(printed)["metrics"].values():
        assert (result["difference"], result["difference_ci"], result["p_value"]) == (0.0, [0.0, 0.0], 1.0)


def test_a_skipped_sample_is_left_out_of_both(fairsum, systems):
    rewrite(systems[1], lambda rows: [{**rows[0], "prediction": ""}, *rows[1:]])
    _, printed, _ = fairsum("compare", *systems, "--format", "json")
    document = json.loads(printed)
    assert document["metrics"]["bur"]["n_skipped"] == 1
    assert document["metrics"]["bur"]["n_samples"] == 7
    assert "tau:0.8" in document["metrics"]["bur"]["signature"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[1:], "1 samples of A are not in B, such as id 'noodle-bar'"),
        (lambda rows: [*rows, rows[0]], "id 'noodle-bar' occurs twice in B"),
        (
            lambda rows: [{**rows[0], "sources": [*rows[0]["sources"][:-1], "Something else entirely."]}, *rows[1:]],
            "the sources or values of id 'noodle-bar' differ between A and B",
        ),
    ],
)
def test_files_that_do_not_belong_together(fairsum, systems, change, message):
    rewrite(systems[1], change)
    status, printed, err = fairsum("compare", *systems)
    assert (status, printed) == (2, "")
    assert message in err
