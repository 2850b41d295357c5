"""Texts to rows: what is kept of each, empty summaries, and what the signature tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairsum_utils import compute
from fairsum_utils.errors import InputError
from fairsum_utils.families.sensitivity.rows import SensitivityRow
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import SensitivitySettings
from fairsum_utils.families.sensitivity.texts import digest

COLUMNS = {
    "predictions": ["Ann won.", " "],
    "article_ids": ["a", "a"],
    "variants": ["f", "m"],
    "changed": [["Ann"], None],
}
GAP = ("counterfactual_gap",)


def test_rows() -> None:
    scorer = SensitivityScorer(GAP, SensitivitySettings())
    assert scorer.score(list(scorer.read(COLUMNS, start=4))) == [
        SensitivityRow(4, "a", "f", n_tokens=2, digest=digest("Ann won."), text="Ann won.", changed=("Ann",)),
        SensitivityRow(5, "a", "m", "empty_prediction"),
    ]


def test_empty_summaries_can_be_refused() -> None:
    scorer = SensitivityScorer(GAP, SensitivitySettings(empty="error", module="m"))
    with pytest.raises(InputError, match="m: sample 1: the prediction is empty; drop it, or choose empty='skip'"):
        list(scorer.read(COLUMNS))


VARIANTS = {
    "predictions": ["Ann won.", "It rained. She ran.", "Ann won.", "It snowed."],
    "article_ids": ["a"] * 4,
    "variants": ["f", "f", "m", "m"],
    "controls": ["", "c", "", "c"],
}


class TestModels:
    """A tiny model of each kind; its answers mean nothing, and the same summary is 0 from itself."""

    @pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
    def test_embeddings(self, tiny_model) -> None:  # type: ignore[no-untyped-def]
        model = str(tiny_model("encoder"))
        result = compute(*GAP, **VARIANTS, distance="embedding", model=model, cache="none", return_samples=True)
        assert f"distance:embedding({Path(model).name}@" in result["signature"]
        assert -1 <= result["counterfactual_gap"] <= 1

    @pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
    def test_entailment(self, nli_model: Path) -> None:
        settings = {"distance": "entailment", "model": str(nli_model), "cache": "none"}
        result = compute(*GAP, **VARIANTS, **settings)
        assert f"distance:entailment({nli_model.name}@" in result["signature"]
        assert 0 < result["within"] < 1

    def test_a_model_that_is_not_there_names_what_works_without(self, tmp_path: Path) -> None:
        pytest.importorskip("torch")
        with pytest.raises(InputError, match="distance='words'"):
            compute(*GAP, **VARIANTS, distance="entailment", model=str(tmp_path / "nothing"))
