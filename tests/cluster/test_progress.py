"""How far a run is: shards, samples a second, time left; a line a minute where there is no terminal."""

import time

import pytest

from fairsum_utils._util.terminal import QUIET
from fairsum_utils.cluster import progress
from fairsum_utils.cluster.events import Failed, Finished, Started
from fairsum_utils.cluster.manifest import Shard
from fairsum_utils.cluster.progress import Progress

SHARDS = [Shard(number, 100 * number, 100) for number in range(12)]


def test_the_line(monkeypatch):
    now = iter([0.0, 50.0, 50.0, 50.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(now))
    shown = Progress(SHARDS, n_shards_done=2, n_done=200)
    for event in (Started(2), Finished(2, 100, 1.0), Started(3), Failed(3, ("died",)), Finished(4, 100, 1.0)):
        shown(event)
    # 200 samples in 50 s; 800 of 1,200 are left
    assert shown.line() == "4 of 12 shards, 1 failed; 400 of 1,200 samples, 4 a second, 3 min left"
    assert shown.failed == [Failed(3, ("died",))]


def test_nothing_is_foretold_before_anything_is_done():
    assert Progress(SHARDS).line() == "0 of 12 shards; 0 of 1,200 samples, 0 a second"


@pytest.mark.parametrize("quiet", ["", "1"])
def test_a_line_from_time_to_time(monkeypatch, capsys, quiet):
    monkeypatch.setattr(progress, "_MINUTE", 0.02)
    monkeypatch.setenv(QUIET, quiet)
    with Progress(SHARDS) as shown:
        shown(Finished(0, 100, 1.0))
        time.sleep(0.3)
    said = capsys.readouterr().err.splitlines()
    assert (len(said) > 1) is not bool(quiet)
    assert all(line.startswith("fairsum: 1 of 12 shards; 100 of 1,200 samples, ") for line in said)
    time.sleep(0.1)
    assert capsys.readouterr().err == ""  # it ends with the run


def test_a_bar_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with Progress(SHARDS) as shown:
        if shown._bar.disable:
            pytest.skip("tqdm sees no terminal here")
        shown(Finished(0, 100, 1.0))
    assert "100/1200" in capsys.readouterr().err
