import json
import logging
from pathlib import Path

import pytest

from fairsum_utils.corpora.perspectivesumm import PERSPECTIVESUMM, SHA256
from fairsum_utils.corpora.prompts import TEMPLATES
from fairsum_utils.errors import DataSourceError, InputError

open_source, OPTIONS = PERSPECTIVESUMM.open, PERSPECTIVESUMM.options
CONFIGURATIONS = PERSPECTIVESUMM.configurations
TINY = [{"units": [{"text": "a", "value": {"gender": "male"}}], "model_input": "a"}]


def test_the_table_is_whole() -> None:
    assert list(CONFIGURATIONS)[:8] == [
        "claritin", "us_election", "yelp", "amazon", "supreme_court", "iq2", "supreme_court_whole", "iq2_whole",
    ]  # fmt: skip
    for configuration in CONFIGURATIONS.values():
        assert configuration.prompt in TEMPLATES.values()
    assert set(SHA256) <= {configuration.published for configuration in CONFIGURATIONS.values()}
    assert {"seed", "min_tokens", "max_tokens", "max_tokens_per_segment", "max_conversations"} <= set(
        PERSPECTIVESUMM.options
    )


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


@pytest.mark.parametrize("config", CONFIGURATIONS)
@pytest.mark.parametrize("origin", ["auto", "published", "raw"])
def test_nothing_found_lists_what_was_looked_for(tmp_path: Path, config: str, origin: str) -> None:
    with pytest.raises(DataSourceError) as error:
        open_source(config, data_dir=tmp_path, origin=origin)
    assert f"no input for {config} in {str(tmp_path)!r}" in str(error.value)
    assert (CONFIGURATIONS[config].published in str(error.value)) == (origin != "raw")
    assert (CONFIGURATIONS[config].raw[0] in str(error.value)) == (origin != "published")


def test_mistakes(tweets: Path) -> None:
    with pytest.raises(InputError, match="perspectivesumm has no configuration 'x'; choose one of claritin, "):
        open_source("x")
    with pytest.raises(InputError, match="yelp has no attribute 'gender'; choose one of sentiment, rating"):
        open_source("yelp", attribute="gender")
    with pytest.raises(InputError, match="yelp has no option seed, sise; it has origin, attribute, base_url, prompt, "):
        open_source("yelp", seed=1, sise=2)
    with pytest.raises(InputError, match="yelp: origin must be one of auto, published, raw, found str 'new'"):
        open_source("yelp", origin="new")
    with pytest.raises(InputError, match=r"origin='raw' needs data_dir, a folder with one of claritin_raw\.txt"):
        open_source("claritin", origin="raw")
    (tweets / "claritin.json").write_text(json.dumps(TINY), encoding="utf-8")
    with pytest.raises(InputError, match=r"seed only affects claritin made from raw .* origin='raw'"):
        open_source("claritin", data_dir=tweets, seed=0)
    assert open_source("claritin", data_dir=tweets, seed=None).origin == "published"


def test_fingerprints_follow_everything_rows_depend_on(tweets: Path) -> None:
    def fingerprint(**options: object) -> str:
        return json.dumps(open_source("claritin", data_dir=tweets, **options).fingerprint())

    first = fingerprint()
    assert first == fingerprint(seed=42) == fingerprint(sizes=[10, 30, 50])
    assert len({first, fingerprint(seed=0), fingerprint(max_tokens=60), fingerprint(ratios=[0.1])}) == 4
    path = tweets / "claritin_raw.txt"
    path.write_bytes(path.read_bytes().replace(b"male3<||>", b"maleX<||>"))
    assert fingerprint() != first
