"""Gibbs sampling: its draws against known distributions by chi-square tests, and the command on a tiny model."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from fairsum_reproductions import gibbs

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

MASK, END = 3, 4
# P(first token, second token) of texts of two tokens, in 36ths; the tokens depend on each other.
JOINT = np.array([[9, 1, 2], [1, 6, 3], [2, 4, 8]]) / 36


def network(tokens: Any, attention_mask: Any) -> Any:
    """Knows the conditional distributions of `JOINT`, which the texts [END, first, second, END] have."""
    logits = torch.full((*tokens.shape, 5), -1e9, dtype=torch.float64)
    for row, (_, first, second, _) in enumerate(tokens.tolist()):
        if first == MASK:
            weights = JOINT.sum(axis=1) if second == MASK else JOINT[:, second]
            logits[row, 1, :3] = torch.log(torch.from_numpy(weights))
        if second == MASK:
            weights = JOINT.sum(axis=0) if first == MASK else JOINT[first]
            logits[row, 2, :3] = torch.log(torch.from_numpy(weights))
    return SimpleNamespace(logits=logits)


def filled(n: int, **settings: Any) -> list[list[int]]:
    generator = torch.Generator().manual_seed(1)
    return gibbs.fill_masks(network, [[END, MASK, MASK, END]] * n, MASK, generator, **settings)


def test_texts_have_the_joint_distribution() -> None:
    texts = filled(1440, n_iterations=30, burn_in=30, temperature=1.0)
    counts = np.zeros((3, 3))
    for first, second in texts:
        counts[first, second] += 1
    assert chisquare(counts.ravel(), 1440 * JOINT.ravel()).pvalue > 0.001
    independent = np.outer(JOINT.sum(axis=1), JOINT.sum(axis=0)).ravel()
    assert chisquare(counts.ravel(), 1440 * independent).pvalue < 1e-6


def test_a_temperature_sharpens_the_draws() -> None:
    # One iteration fills one place, first or second, with a draw from its marginal to the power 1 / 0.5.
    texts = filled(4000, n_iterations=1, burn_in=1, temperature=0.5)
    for place, axis in ((0, 1), (1, 0)):
        found = [text[place] for text in texts if text[1 - place] == MASK]
        assert abs(len(found) - 2000) < 4 * 1000**0.5
        shares = JOINT.sum(axis=axis) ** 2
        counts = np.bincount(found, minlength=3)
        assert chisquare(counts, len(found) * shares / shares.sum()).pvalue > 0.001


def test_after_the_burn_in_the_likeliest_token_is_taken() -> None:
    # From 0 the likeliest second token is 0, and back; 1 leads to 1, 2 to 2: these three pairs are where it ends.
    texts = filled(300, n_iterations=60, burn_in=20, temperature=1.0)
    assert {tuple(text) for text in texts} == {(0, 0), (1, 1), (2, 2)}


def test_padding_changes_nothing(tiny_model: Any) -> None:
    folder = tiny_model("masked")
    model = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
    inputs = [[0, 20, *[MASK] * 3, 2], [0, 20, 30, 40, 50, *[MASK] * 3, 2]]

    def likeliest(texts: list[list[int]]) -> list[list[int]]:
        return gibbs.fill_masks(model, texts, MASK, torch.Generator().manual_seed(0), n_iterations=40, burn_in=0)

    assert likeliest(inputs)[1:] == likeliest([inputs[1], inputs[1]])[1:]
    together, padded = likeliest([inputs[0], inputs[0]]), likeliest([inputs[0], inputs[1]])
    assert together[0] == padded[0]


def test_the_command(tiny_model: Any, write_jsonl: Any, tmp_path: Path) -> None:
    folder, output = tiny_model("masked"), tmp_path / "bert.jsonl"
    file = write_jsonl([{"id": "a", "prompt": "Great soup "}, {"id": "b", "prompt": ""}, {"id": "c", "prompt": "Slow"}])
    options = ["--model", str(folder), "--iterations", "4"]

    def texts(*more: str) -> dict[str, str]:
        gibbs.main([str(file), str(output), *options, *more])
        rows = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
        return {row["id"]: row["prediction"] for row in rows}

    found = texts()
    assert found.keys() == {"a", "c"}  # an empty prompt cannot be continued
    assert found["a"].startswith("Great soup")
    assert len(found["a"]) > len("Great soup")
    assert texts() == found != texts("--seed", "1")


def test_the_settings_are_the_papers() -> None:
    # Dhamala et al. 2021, A.2.1: 15 tokens, 500 iterations, burn-in of 200, temperature 0.7
    assert (gibbs.N_TOKENS, gibbs.N_ITERATIONS, gibbs.BURN_IN, gibbs.TEMPERATURE) == (15, 500, 200, 0.7)
