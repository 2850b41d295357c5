"""What a launcher tells the processes that it starts."""

from __future__ import annotations

import pytest

from fairsum_utils.cluster.launched import is_main_process, rank, world_size
from fairsum_utils.errors import InputError


def test_nothing_was_launched(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    assert (rank(), world_size(), is_main_process()) == (0, 1, True)


def test_one_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "3")
    monkeypatch.setenv("WORLD_SIZE", "4")
    assert (rank(), world_size(), is_main_process()) == (3, 4, False)


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "\x1b", "9" * 30, "٣"])
def test_what_no_launcher_sets(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, function in (("RANK", rank), ("WORLD_SIZE", world_size)):
        monkeypatch.setenv(name, text)
        with pytest.raises(InputError, match=rf"^\${name} must be a whole number of at least .*; unset it where"):
            function()
