"""Tests."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from fairsum_utils.corpora import iter_rows, perspectivesumm
from fairsum_utils.corpora.corpus import looks_english
from fairsum_utils.errors import DataSourceError, InputError

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
GOLD = SHARED / "perspectivesumm" / "yelp_gold.json"
SAMPLE = json.dumps([{"units": [{"text": "a", "value": {"gender": "male"}}], "model_input": "a"}])


def test_published_files_are_downloaded_and_checked(
    server: tuple[str, Path], own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, site = server
    for name in ("claritin.json", "yelp_gold.json"):
        (site / name).write_text(SAMPLE, encoding="utf-8")
    found = hashlib.sha256(SAMPLE.encode()).hexdigest()
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


def test_data_dir_must_be_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"data_dir must be a folder, but .*nothing' does not exist"):
        iter_rows("perspectivesumm", "yelp", data_dir=tmp_path / "nothing")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file"):
        iter_rows("perspectivesumm", "yelp", data_dir=tmp_path / "file")


@pytest.mark.parametrize(
    "text",
    [
        "This is a card reader that does everything I needed it to .",
        "No problems!",  # "no" is a stop word of four of the languages
        "Don't buy it",
        "Great",
        "Café is très chic but the coffee was not",
    ],
)
def test_english(text: str) -> None:
    assert looks_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Muy buen servicio, amables y atentos.",
        "La nourriture est toujours de très bonne qualité.",
        "Eine wirklich tolle Show von einer wirklich guten Sängerin.",
        "Il prodotto è arrivato in tempo",
        "Não gostei do produto",
        "Отличный товар",
        "とても良い",
        "5/5 !!!",
        "",
    ],
)
def test_not_english(text: str) -> None:
    assert not looks_english(text)


def test_the_measured_share(shared_data: Path) -> None:
    with gzip.open(shared_data / "perspectivesumm" / "yelp_gpt4.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = [text for line in lines for text in json.loads(line)["sources"]]
    assert (sum(not looks_english(text) for text in texts), len(texts)) == (55, 13_500)
