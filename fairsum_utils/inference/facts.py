"""Facts of models from earlier runs, which save loading the model."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from fairsum_utils.inference.cache import ResultCache
from fairsum_utils.inference.models import FoundModel, LoadedModel
from fairsum_utils.settings.models import InferenceSettings

_ACCELERATOR = re.compile(r"nvidia|dxg|kfd|dri|accel|davinci|vfio")
_CHOOSES_DEVICE = re.compile(r"ACCELERATE_|CUDA_|HIP_|ROCR_|ZE_|PJRT_|ASCEND_")
"""Names under /dev of accelerators, and of environment variables that choose among them."""


class ModelFacts(NamedTuple):
    """Facts of a loaded model that its results and their names depend on.

    Attributes:
        dtype: see `LoadedModel`.
        max_tokens: see `LoadedModel`.
        labels: names of the labels of a classifier, in the order of its outputs.
        pads: True if the model has a padding token.
        n_layers: number of hidden layers; None if it does not say.
        problem_type: type of classification in its configuration; None without one.
    """

    dtype: str
    max_tokens: int | None
    labels: list[str]
    pads: bool
    n_layers: int | None
    problem_type: str | None = None

    @classmethod
    def of(cls, loaded: LoadedModel) -> ModelFacts:
        """Read the facts of a model."""
        config = loaded.model.config
        names = getattr(config, "id2label", None) or {}
        return cls(
            loaded.dtype,
            loaded.max_tokens,
            [str(names[place]) for place in sorted(names)],
            getattr(config, "pad_token_id", None) is not None,
            getattr(config, "num_hidden_layers", None),
            getattr(config, "problem_type", None),
        )

    def stored(self) -> bytes:
        """Write the facts for the cache."""
        return json.dumps(self).encode("utf-8", "surrogatepass")

    @classmethod
    def read(cls, stored: bytes) -> ModelFacts:
        """Read facts from the cache.

        Example:
            >>> ModelFacts.read(ModelFacts("float32", 512, ["neutral"], True, 2).stored()).labels
            ['neutral']
        """
        return cls(*json.loads(stored.decode("utf-8", "surrogatepass")))


def _surroundings() -> tuple[str, ...]:
    """Describe versions and devices that a model's precision depends on."""
    chosen = [f"{name}={value}" for name, value in sorted(os.environ.items()) if _CHOOSES_DEVICE.match(name)]
    devices = sorted(entry.name for entry in Path("/dev").glob("*") if _ACCELERATOR.match(entry.name))
    versions = [f"{package} {version(package)}" for package in ("torch", "transformers", "accelerate")]
    return (sys.platform, platform.machine(), *devices, *chosen, *versions)


def known_facts(
    found: FoundModel, kind: str, settings: InferenceSettings, folder: Path | None, load: Callable[[], LoadedModel]
) -> ModelFacts:
    """Read the stored facts of a model, or load it for them.

    Processes that are launched together load it, because they make the same calls.

    Args:
        found: the model.
        kind: use of the model, a key of `fairsum_utils.inference.models.KINDS`.
        settings: options of the run.
        folder: cache folder; None for none.
        load: loads the model.
    """
    if folder is None or settings.distributed:
        return ModelFacts.of(load())
    stored = ResultCache(folder, f"facts|{found.name}", module=settings.module)
    key = (kind, settings.dtype, str(settings.device), *_surroundings())
    [known] = stored.get_many([key])
    if known is not None:
        return ModelFacts.read(known)
    facts = ModelFacts.of(load())
    stored.put([(key, facts.stored())])
    return facts
