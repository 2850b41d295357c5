import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.corpora import iter_rows
from fairsum_utils.corpora.perspectivesumm import source_order
from fairsum_utils.errors import DataSourceError

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
GOLD = SHARED / "perspectivesumm" / "yelp_gold.json"


def units(*pairs: tuple[str, object], attribute: str = "gender") -> list[dict[str, Any]]:
    return [{"text": text, "value": {attribute: value}} for text, value in pairs]


def write(folder: Path, name: str, samples: object) -> Path:
    (folder / name).write_text(samples if isinstance(samples, str) else json.dumps(samples), encoding="utf-8")
    return folder


def test_tweets_are_put_in_the_order_of_the_model_input(tmp_path: Path) -> None:
    meta = {"num_tweets": 3, "male_ratio": 0.33, "type": "tweets", "seperator": " || "}
    sample = {"units": units(("a", "male"), ("b || c", "female"), ("d", "female")), "meta": meta}
    write(
        tmp_path, "claritin.json", [{**sample, "model_input": "d || b || c || a"}, {**sample, "model_input": "d || a"}]
    )
    first, second = iter_rows("perspectivesumm", "claritin", data_dir=tmp_path)
    assert (first["sources"], first["values"]) == (["d", "b || c", "a"], ["female", "female", "male"])
    assert second["sources"] == ["a", "b || c", "d"]
    assert [json.loads(row["metadata"])["order"] for row in (first, second)] == ["model_input", "units"]
    assert [row["id"] for row in (first, second)] == ["claritin-n3-male0.333-0000", "claritin-n3-male0.333-0001"]
    assert json.loads(first["metadata"])["ratios"] == {"male": 0.33}
    assert "d || b || c || a Please" in first["prompt"]


@given(
    texts=st.lists(st.sampled_from(["x", "y", "z || x", "", "a | b", "q || r || s"]), min_size=1, max_size=8),
    data=st.data(),
)
def test_any_permutation_is_recovered(texts: list[str], data: st.DataObject) -> None:
    mixed = data.draw(st.permutations(texts))
    joined = " || ".join(mixed)
    order = source_order(texts, joined, " || ")
    # a greedy match can miss a permutation only where one text is part of another
    if order is not None:
        assert sorted(order) == list(range(len(texts)))
        assert " || ".join(texts[i] for i in order) == joined
    else:
        assert "z || x" in texts or "q || r || s" in texts


def test_ratings_speakers_and_names(tmp_path: Path) -> None:
    sample = {
        "units": units(("a", 5), ("b", 1.0), attribute="rating"),
        "model_input": "a || b",
        "meta": {"id": "B0_1.csv"},
    }
    write(tmp_path, "amazon.json", [sample, {**sample, "meta": {"id": "B0_2.csv"}}])
    rows = list(iter_rows("perspectivesumm", "amazon", data_dir=tmp_path))
    assert [row["id"] for row in rows] == ["amazon-B0_1", "amazon-B0_2"]
    assert rows[0]["values"] == ["5", "1"]

    both = [{"text": "a", "value": {"sentiment": "pos", "rating": 4}}]
    write(tmp_path, "yelp.json", [{"units": both, "model_input": "a", "meta": {"id": "x.csv"}}])
    [row] = iter_rows("perspectivesumm", "yelp", data_dir=tmp_path, attribute="rating")
    assert (row["attribute"], row["values"]) == ("rating", ["4"])

    turns = units(("A : hi", "A"), ("B : ho", "B"), ("A : hi", "A"), attribute="speaker")
    write(
        tmp_path,
        "oxforddebates.json",
        [{"units": turns, "model_input": "A : hi\nB : ho\nA : hi", "meta": {"seperator": "\n"}}],
    )
    [row] = iter_rows("perspectivesumm", "iq2", data_dir=tmp_path)
    assert (row["id"], row["values"]) == ("iq2-0000", ["A", "B", "A"])
    assert "line: A : hi\nB : ho\nA : hi The" in row["prompt"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "sample 0: expected an object with a non-empty list 'units'"),
        ("", "contains no sample"),
        ("[]", "contains no sample"),
        ('[{"units": [{"te', "json: not valid JSON .* may be incomplete"),
        (
            '[{"units": [{"text": "a", "value": {"gender": "male"}}]}',
            "json: not valid JSON .* at column 57.; the file may be incomplete",
        ),
        ([{"units": []}], "sample 0: expected an object with a non-empty list 'units'"),
        ([[]], "element 1: expected a JSON object"),
        ([{"units": units(("a", "male"))}, {"units": [{"text": "b"}]}], "sample 1, unit 0: expected"),
        ([{"units": units(("a", "pos"), attribute="sentiment")}], "has no 'gender'; its attributes are sentiment"),
        ([{"units": units(("a", "dog"))}], "gender is 'dog', expected"),
        ([{"units": units(("a", None))}], "gender is None"),
        ([{"units": units(("a", "male")), "gold_summary": [1]}], "gold_summary must be a list of strings"),
    ],
)
def test_malformed_files_are_named(tmp_path: Path, content: object, message: str) -> None:
    with pytest.raises(DataSourceError, match=message):
        list(iter_rows("perspectivesumm", "claritin", data_dir=write(tmp_path, "claritin.json", content)))


@pytest.mark.skipif(not GOLD.is_file(), reason="the published file is not here")
def test_the_real_file(tmp_path: Path) -> None:
    rows = list(iter_rows("perspectivesumm", "yelp_gold", data_dir=GOLD.parent))
    samples = json.loads(GOLD.read_text(encoding="utf-8"))
    assert len(rows) == len({row["id"] for row in rows}) == len(samples) == 100
    for row, sample in zip(rows, samples, strict=True):
        assert row["sources"] == [unit["text"] for unit in sample["units"]]
        assert row["values"] == [unit["value"]["sentiment"] for unit in sample["units"]]
        assert row["references"] == sample["gold_summary"]
        assert sample["model_input"] in row["prompt"]
