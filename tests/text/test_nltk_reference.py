"""The published pipeline through NLTK: results, requirements and front ends."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils._util.installation import install_command
from fairsum_utils.errors import DataSourceError, InputError, MissingDependencyError
from fairsum_utils.settings import TextSettings
from fairsum_utils.text.nltk_reference import PUBLISHED, NltkNormalizer, _with_data
from fairsum_utils.text.normalize import get_normalizer
from tests._together import score


def test_the_signature_names_the_version(through_nltk: NltkNormalizer, paper: Any) -> None:
    assert through_nltk.version == PUBLISHED == "3.8.1"
    settings = {"metrics": ["bur", "equal_coverage"], "entailer": "lexical", "normalizer": "nltk"}
    result = score(*paper, **settings)
    assert "|norm:nltk-3.8.1|" in result["bur"]["signature"]
    assert "lexical(nltk-3.8.1)" in result["equal_coverage"]["signature"]


def test_scores_are_the_same(nltk_data: Path, paper: Any) -> None:
    metrics = ("bur", "uer", "auc", "sof", "equal_coverage", "coverage_parity")
    ours, theirs = (
        score(*paper, metrics=metrics, entailer="lexical", normalizer=name, return_samples=True)
        for name in ("fairsumm", "nltk")
    )
    for name in metrics:
        for key in ("settings", "signature"):
            assert ours[name].pop(key) != theirs[name].pop(key)
        assert repr(ours[name]) == repr(theirs[name])


def test_english_only() -> None:
    with pytest.raises(
        InputError, match="bur: normalizer 'nltk' supports English only, found language str 'german'; leave"
    ):
        get_normalizer(TextSettings(normalizer="nltk", language="german", module="bur"))


def test_without_nltk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk", None)
    with pytest.raises(MissingDependencyError) as error:
        NltkNormalizer(module="bur")
    assert str(error.value).endswith(f"Install it with: {install_command('nltk')}")


def test_without_its_data() -> None:
    nltk_data = pytest.importorskip("nltk.data")

    def missing(name: str) -> Any:
        return lambda: nltk_data.find(name, paths=["/none"])

    with pytest.raises(DataSourceError) as error:
        _with_data("bur", missing("tokenizers/none"), dict, missing("corpora/other"))
    assert str(error.value).startswith(
        "bur: normalizer 'nltk' needs NLTK data that is not installed: none, other. Get it with: python -m "
        "nltk.downloader none other; or set NLTK_DATA"
    )
