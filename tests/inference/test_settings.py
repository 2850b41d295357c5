"""Options of a run are checked when they are made, before a model is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.inference import InferenceSettings


def test_defaults() -> None:
    settings = InferenceSettings()
    assert (settings.device, settings.dtype, settings.batch_tokens) == (None, "auto", None)
    assert (settings.cache, settings.on_truncate, settings.distributed) == ("default", "warn", False)


@pytest.mark.parametrize("cache", ["none", None, Path("folder")])
def test_a_cache_may_be_named_in_every_way(cache: Any) -> None:
    assert InferenceSettings(cache=cache).cache == cache


def test_they_do_not_change() -> None:
    with pytest.raises(AttributeError, match="frozen"):
        InferenceSettings().dtype = "float16"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dtype": "fp16"}, "dtype must be one of auto, float32, bfloat16, float16, found str 'fp16'"),
        ({"dtype": None}, "dtype must be one of auto, float32, bfloat16, float16, found None"),
        ({"on_truncate": "cut"}, "on_truncate must be one of warn, error, found str 'cut'"),
        ({"batch_tokens": 0}, "batch_tokens must be a whole number of at least 1, found int 0"),
        ({"batch_tokens": 2.5}, "batch_tokens must be a whole number of at least 1, found float 2.5"),
        ({"batch_tokens": True}, "batch_tokens must be a whole number of at least 1, found bool True"),
        ({"device": 0}, 'device must be a name such as "cpu" or "cuda:1", or None for the best available, found int 0'),
        ({"distributed": "yes"}, "distributed must be True or False, found str 'yes'"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        InferenceSettings(**options, module="equal_coverage")
    assert str(caught.value) == f"equal_coverage: {message}"
