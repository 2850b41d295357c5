"""Modules with a model: what the library gives, what the cards promise of it, and models that are not there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.errors import InputError

README = Path(__file__).parents[2] / "metrics" / "bur" / "README.md"


@pytest.fixture(params=["bertscore", "bartscore"])
def matching(request: pytest.FixtureRequest, tiny_model: Any, tmp_path: Path) -> dict[str, Any]:
    """Settings of a neural matcher, with a small random model."""
    pytest.importorskip("bert_score")
    model = tiny_model("encoder" if request.param == "bertscore" else "seq2seq")
    return {"matcher": request.param, "model": str(model), "device": "cpu", "cache": str(tmp_path / "cache")}


def test_neural_matcher(matching: dict[str, Any], load: Callable[..., Any], columns: dict[str, Any]) -> None:
    given = {**columns, **matching, "temperature": 0.5, "return_samples": True}
    module = load("bur")
    module.add_batch(**columns)
    result = module.compute(**{key: setting for key, setting in given.items() if key not in columns})
    assert repr(result) == repr(compute("bur", **given))
    assert result["signature"].startswith(f"matcher:{matching['matcher']}|model:{Path(matching['model']).name}")
    assert result["n_truncated"] == 0
    assert (result["n_samples"], result["skipped"]) == (3, {"empty_prediction": 1})
    assert all(len(sample["scores"]) == len(sample["values"]) for sample in result["samples"] if not sample["skipped"])
    card = README.read_text(encoding="utf-8")
    assert all(f"| `{key}` |" in card for key in result)
    [row] = re.findall(r"^\| `samples` \|.*", card, flags=re.MULTILINE)
    assert all(f"`{key}`" in row for sample in result["samples"] for key in sample)


@pytest.mark.parametrize("measure", ["equal_coverage", "coverage_parity"])
def test_entailment_model(
    measure: str, nli_model: Path, load: Callable[..., Any], columns: dict[str, Any], tmp_path: Path
) -> None:
    settings = {"entailer": str(nli_model), "entailment_label": "entailment", "cache": str(tmp_path), "device": "cpu"}
    module = load(measure)
    module.add_batch(**columns)
    result = module.compute(**settings)
    assert list(tmp_path.iterdir()) != []
    assert repr(result) == repr(compute(measure, **columns, **{**settings, "cache": "none"}))
    assert result["signature"].startswith(f"entailer:{nli_model.name}")
    with pytest.raises(InputError, match=rf'^{measure}: .*nothing.*entailer="lexical"'):
        module.compute(**columns, entailer=str(tmp_path / "nothing"))
