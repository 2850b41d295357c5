"""The package by the name of its command."""

import subprocess
import sys

import pytest

import fairsum
import fairsum_utils


def test_names_are_the_same_objects() -> None:
    assert fairsum.__all__ == fairsum_utils.__all__
    assert dir(fairsum) == dir(fairsum_utils)
    for name in fairsum_utils.__all__:
        assert getattr(fairsum, name) is getattr(fairsum_utils, name)
    with pytest.raises(AttributeError, match="scoer"):
        fairsum.scoer  # noqa: B018


def test_importing_costs_nothing() -> None:
    code = "import fairsum, sys; print(sorted({'numpy', 'fairsum_utils.api'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
