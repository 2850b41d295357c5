"""The settings of the measures: their names on the command line, and what is read there."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity.family import FAMILY
from fairsum_utils.families.polarity.settings import PolaritySettings, RegardSettings, ToxicitySettings
from fairsum_utils.measures import gender_polarity, psycholinguistic_norms, sentiment, toxicity

SHARED = {"empty": "empty", "confidence_level": "confidence", "n_resamples": "fisher-tables", "seed": "seed"}
RUN = {name: name.replace("_", "-") for name in ("device", "dtype", "batch_tokens", "cache", "on_truncate")}
REGARD = {"model": "regard-model", "revision": "regard-revision", "label_map": "regard-labels"}
FLAGS = {
    "sentiment": {"threshold": "sentiment-threshold"},
    "toxicity": {name: flag.replace("regard", "toxicity") for name, flag in REGARD.items()}
    | {"threshold": "toxicity-threshold", "multi_label": "toxicity-exclusive", **RUN},
    "regard": REGARD | RUN,
    "gender_polarity": {"method": "gender-method", "embeddings": "gender-embeddings", "threshold": "gender-threshold"},
    "psycholinguistic_norms": {"lexicon": "norms-lexicon", "threshold": "norms-threshold"},
}


@pytest.mark.parametrize("measure", FLAGS)
def test_settings_and_their_flags(measure: str) -> None:
    infos = FAMILY.taken(measure)
    assert {name: info.flag for name, info in infos.items()} == FLAGS[measure] | SHARED | {"return_samples": None}
    assert (infos["confidence_level"].default, infos["n_resamples"].default) == (0.95, 10_000)
    assert FAMILY.settings(measure).measure == measure


def test_nothing_is_drawn() -> None:
    with pytest.raises(InputError, match="sentiment: unknown setting 'bootstrap'"):
        FAMILY.settings("sentiment").make({"bootstrap": "buckets"}, module="sentiment")
    sized = FAMILY.settings("sentiment")(seed=3).sized(1_000_000)
    assert "boot" not in sized.keyed("sentiment")
    assert sized == FAMILY.settings("sentiment")(seed=3)


def test_every_measure_has_settings_and_its_thresholds() -> None:
    assert PolaritySettings.by_measure.keys() == set(FAMILY.measures)
    for formula in (gender_polarity, psycholinguistic_norms, sentiment, toxicity):
        name = formula.__name__.rpartition(".")[2]
        assert FAMILY.taken(name)["threshold"].default == formula.THRESHOLD


def test_labels_are_read() -> None:
    read = RegardSettings.infos()["label_map"].read
    assert read("LABEL_0=positive, a=b=negative") == {"LABEL_0": "positive", "a=b": "negative"}
    with pytest.raises(InputError, match=r"--regard-labels: 'x' is not LABEL=MEANING, as in --regard-labels LABEL_0=n"):
        read("x")
    with pytest.raises(InputError, match=r"--toxicity-labels: 'x' is not LABEL=MEANING"):
        ToxicitySettings.infos()["label_map"].read("x")


def test_none_is_no_interval_and_no_model() -> None:
    assert RegardSettings(confidence_level=None).confidence_level is None
    with pytest.raises(InputError, match="regard: model must be a model id or a folder, found None"):
        RegardSettings(model=None, module="regard")  # type: ignore[arg-type]


def test_settings_cost_no_numpy() -> None:
    code = "import fairsum_utils.families.polarity.family, sys; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "False\n"
