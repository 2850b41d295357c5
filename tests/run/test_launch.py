"""What a launcher tells the processes that it starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.run.launch import is_main_process, rank, world_size

from .conftest import job_on, rows_of, scored, write_rows


def test_one_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (rank(), world_size(), is_main_process()) == (0, 1, True)
    monkeypatch.setenv("RANK", "3")
    monkeypatch.setenv("WORLD_SIZE", " 4 ")
    assert (rank(), world_size(), is_main_process()) == (3, 4, False)


@pytest.mark.parametrize(("name", "text"), [("WORLD_SIZE", "0"), ("RANK", "-1"), ("RANK", "x"), ("RANK", "१")])
def test_what_no_launcher_says(monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(InputError, match=rf"^\${name} must be a whole number of at least [01], .*unset it if you do"):
        rank(), world_size()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"engine": "ray"}, "ray starts its own processes; run this without accelerate launch"),
        ({"rows": "runs"}, "several processes cannot share the folder runs; omit it, because the cache already keeps"),
    ],
)
def test_launched_processes_neither_start_others_nor_share_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: dict[str, str], message: str
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(InputError, match=message):
        scored(job_on(write_rows(tmp_path / "rows.jsonl", rows_of(3))), **how)
