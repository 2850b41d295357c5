import hashlib
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.corpora import iter_rows, perspectivesumm
from fairsum_utils.corpora.perspectivesumm import PERSPECTIVESUMM, source_order
from fairsum_utils.errors import DataSourceError, InputError

open_source = PERSPECTIVESUMM.open
CONFIGURATIONS = PERSPECTIVESUMM.configurations
GOLD = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "perspectivesumm" / "yelp_gold.json"
TINY = [{"units": [{"text": "a", "value": {"gender": "male"}}], "model_input": "a"}]


@pytest.mark.parametrize(
    "place",
    ["claritin.json", "preprocessed_datasets/claritin.json", "preprocessing/preprocessed_datasets/claritin.json"],
)
def test_the_published_file_is_preferred(tweets: Path, place: str, caplog: pytest.LogCaptureFixture) -> None:
    (tweets / place).parent.mkdir(parents=True, exist_ok=True)
    (tweets / place).write_text(json.dumps(TINY), encoding="utf-8")
    with caplog.at_level(logging.INFO):
        source = open_source("claritin", data_dir=tweets)
    assert source.origin == "published"
    assert "claritin: using the published input" in caplog.text
    [row] = source.rows()
    assert json.loads(row["metadata"])["origin"] == "published"
    raw = open_source("claritin", data_dir=tweets, origin="raw", sizes=[2], min_tokens=1)
    assert json.loads(next(raw.rows())["metadata"])["origin"] == "raw"


@pytest.mark.parametrize("origin", ["auto", "published", "raw"])
def test_nothing_found_lists_what_was_looked_for(tmp_path: Path, origin: str) -> None:
    config = "supreme_court"
    with pytest.raises(DataSourceError) as error:
        open_source(config, data_dir=tmp_path, origin=origin)
    assert f"no input for {config} in {str(tmp_path)!r}" in str(error.value)
    assert (CONFIGURATIONS[config].published in str(error.value)) == (origin != "raw")
    assert (CONFIGURATIONS[config].raw[0] in str(error.value)) == (origin != "published")


def test_mistakes(tweets: Path) -> None:
    with pytest.raises(InputError, match=r"origin='raw' needs data_dir, a folder with one of claritin_raw\.txt"):
        open_source("claritin", origin="raw")
    (tweets / "claritin.json").write_text(json.dumps(TINY), encoding="utf-8")
    with pytest.raises(InputError, match=r"seed only affects claritin made from raw .* origin='raw'"):
        open_source("claritin", data_dir=tweets, seed=0)
    assert open_source("claritin", data_dir=tweets, seed=None).origin == "published"


CHANGED: list[dict[str, Any]] = [
    {"seed": 0},
    {"max_tokens": 60},
    {"ratios": [0.1]},
    *({"prompt": prompt} for prompt in ("fair_instruction", "sentence_control=3")),
]


def test_fingerprints_follow_everything_rows_depend_on(tweets: Path) -> None:
    def fingerprint(**options: Any) -> str:
        return json.dumps(open_source("claritin", data_dir=tweets, **options).fingerprint())

    first = fingerprint()
    assert first == fingerprint(seed=42, prompt="plain") == fingerprint(sizes=[10, 30, 50])
    assert len({first, *(fingerprint(**changed) for changed in CHANGED)}) == 6
    path = tweets / "claritin_raw.txt"
    path.write_bytes(path.read_bytes().replace(b"male3<||>", b"maleX<||>"))
    assert fingerprint() != first


def test_published_files_are_downloaded_and_checked(
    server: tuple[str, Path], own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, site = server
    sample = json.dumps(TINY)
    for name in ("claritin.json", "yelp_gold.json"):
        (site / name).write_text(sample, encoding="utf-8")
    found = hashlib.sha256(sample.encode()).hexdigest()
    with pytest.warns(UserWarning, match=f"no SHA-256 is recorded for claritin.json.*{found}"):
        [row] = iter_rows("perspectivesumm", "claritin", base_url=url)
    assert row["sources"] == ["a"]
    expected = perspectivesumm.SHA256["yelp_gold.json"]
    with pytest.raises(
        DataSourceError, match=f"yelp_gold.json.*{found} instead of {expected}.*give its folder as data_dir"
    ):
        list(iter_rows("perspectivesumm", "yelp_gold", base_url=url))
    # The address can be set for the whole module.
    monkeypatch.setattr(perspectivesumm, "BASE_URL", url)
    monkeypatch.setitem(perspectivesumm.SHA256, "claritin.json", found)
    assert list(iter_rows("perspectivesumm", "claritin")) == [row]  # and no warning
    message = (
        f"cannot download yelp.json from {url}yelp.json: .*download yelp.json on .* and give its folder as data_dir"
    )
    with pytest.raises(DataSourceError, match=message):
        list(iter_rows("perspectivesumm", "yelp"))
    kept = sorted(path.name for path in own_cache.rglob("*") if path.is_file())
    assert kept == ["claritin.json"]


@pytest.mark.skipif(not GOLD.is_file(), reason="the published file is not here")
def test_the_recorded_checksum_is_the_published_files() -> None:
    assert hashlib.sha256(GOLD.read_bytes()).hexdigest() == perspectivesumm.SHA256["yelp_gold.json"]


def units(*pairs: tuple[str, object], attribute: str = "gender") -> list[dict[str, Any]]:
    return [{"text": text, "value": {attribute: value}} for text, value in pairs]


def write(folder: Path, name: str, samples: object) -> Path:
    (folder / name).write_text(samples if isinstance(samples, str) else json.dumps(samples), encoding="utf-8")
    return folder


def test_tweets_are_put_in_the_order_of_the_model_input(tmp_path: Path) -> None:
    meta = {"num_tweets": 3, "male_ratio": 0.33, "type": "tweets", "seperator": " || "}
    sample = {"units": units(("a", "male"), ("b || c", "female"), ("d", "female")), "meta": meta}
    of_women = {"units": units(("d", "female")), "meta": meta, "model_input": "d"}
    both = [{**sample, "model_input": text} for text in ("d || b || c || a", "d || a")]
    write(tmp_path, "claritin.json", [*both, of_women])
    first, second, third = iter_rows("perspectivesumm", "claritin", data_dir=tmp_path)
    assert third["id"] == "claritin-n1-male0-0000"
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
        "meta": {"id": "B0_1.csv", "category": "cloth", "group_id": "cloth"},
    }
    write(tmp_path, "amazon.json", [sample, {**sample, "meta": {"id": "B0_2.csv"}}])
    rows = list(iter_rows("perspectivesumm", "amazon", data_dir=tmp_path))
    assert [row["id"] for row in rows] == ["amazon-B0_1", "amazon-B0_2"]
    assert rows[0]["values"] == ["5", "1"]
    about = json.loads(rows[0]["metadata"])
    assert (about["file"], about["category"], "group_id" in about) == ("B0_1.csv", "cloth", False)

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
