"""What a launcher tells the processes that it starts."""

from __future__ import annotations

import pytest
from fairsum_utils.cluster.engines import engine_named, is_main_process, rank, world_size
from fairsum_utils.cluster.ray import OnRay

from fairsum_utils.errors import InputError


def test_one_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "3")
    monkeypatch.setenv("WORLD_SIZE", "4")
    assert (rank(), world_size(), is_main_process()) == (3, 4, False)


def test_by_name():
    assert engine_named(None) is None
    assert engine_named("ray", address="auto", gpus_per_worker=2, workers=8) == OnRay(
        address="auto", gpus_per_worker=2, n_workers=8
    )


@pytest.mark.parametrize("given", [{"address": "auto"}, {"gpus_per_worker": 1.0}])
def test_what_an_engine_takes_needs_one(given):
    [name] = given
    with pytest.raises(InputError, match=f'score: {name} needs an engine; add engine="ray" or omit {name}'):
        engine_named(None, **given)


def test_processes_that_were_launched_start_none(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(InputError, match="ray starts its own processes; run this without accelerate launch"):
        engine_named("ray")
