"""Scoring on Ray: a cluster of this machine, whose actors and nodes are killed."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.cluster.callers import TRIES, in_this_process
from fairsum_utils.cluster.events import Failed, Finished, Started
from fairsum_utils.cluster.failures import ShardsFailed
from fairsum_utils.cluster.job import Job
from fairsum_utils.cluster.ray import OnRay
from fairsum_utils.cluster.running import run
from fairsum_utils.errors import InputError
from fairsum_utils.family.documents import all_columns
from fairsum_utils.files.folders import Folder
from fairsum_utils.inputs.layout import Layout, choose_columns
from fairsum_utils.inputs.shapes import Shape
from fairsum_utils.session import Request

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
ray = pytest.importorskip("ray", reason="ray is not installed (extra ray)")

pytestmark = pytest.mark.xdist_group("ray")

NODE = {"num_cpus": 1, "object_store_memory": 80_000_000, "include_dashboard": False}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes with a processor each; a node that does not answer for two seconds counts as dead."""
    from ray.cluster_utils import Cluster

    quick = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 4}
    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "_system_config": quick})
    cluster.add_node(**NODE)
    yield cluster
    cluster.shutdown()


def write_rows(path: Path, number: int = 60, **others: Any) -> Path:
    """Samples of two values; `others` are texts in place of the summary of the sample of that id."""
    with path.open("w") as file:
        for place in range(number):
            name = f"s{place}"
            sample = {
                "id": name,
                "sources": [f"good food {place}", f"slow service {place % 7}", "a dark room"],
                "values": ["pos", "neg", "neg"],
                "prediction": others.get(name, f"good food and service {place % 5}"),
            }
            file.write(json.dumps(sample) + "\n")
    return path


def job_of(path: Path, **settings: Any) -> Job:
    columns = choose_columns(list(all_columns(["bur"]).values()), {})
    layout = Layout(columns, Shape(module="score"))
    return Job(str(path), layout, {}, (Request("bur", settings=settings),), "score")


def matcher(**what: str) -> Any:
    """Weighs like the length of texts; of a summary that is named here, its process first comes to grief."""

    def weigh(texts: list[str], summary: str) -> list[float]:
        import os
        import time

        fate, _, detail = what.get(summary, "").partition(" ")
        if fate == "dies":
            os.kill(os.getpid(), 9)
        if fate == "dies-once" and not os.path.exists(detail):
            with open(detail, "w"):
                os.kill(os.getpid(), 9)
        if fate == "fails":
            raise OSError(28, "No space left on device")
        time.sleep(float(what.get("seconds", 0)))
        return [float(len(text)) for text in texts]

    return weigh


class Events(list):
    """What a run reported; `meddle` is called with each event, while the actors are at work."""

    def __init__(self, how: OnRay, meddle: Any = None) -> None:
        super().__init__()
        self.how, self.meddle = how, meddle

    def __call__(self, job, shards, folder, *, report):
        def take(event):
            self.append(event)
            report(event)
            if self.meddle is not None:
                self.meddle(event)

        self.how(job, shards, folder, report=take)

    def numbers(self, kind):
        return sorted(event.number for event in self if isinstance(event, kind))


def rows_of(folder: Path) -> dict[str, Any]:
    import pyarrow.parquet

    return {path.name: pyarrow.parquet.read_table(path).to_pydict() for path in sorted(folder.glob("rows/*"))}


def score(path: Path, folder: Path, caller: Any, n_shards: int = 6, **settings: Any) -> None:
    n_rows = len(path.read_text().splitlines())
    run(job_of(path, **settings), Folder(str(folder)), caller, rows_per_shard=n_rows // n_shards)


def actors(what: str = "") -> list[int]:
    """Processes of our actors."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            title = path.read_bytes()
        except OSError:
            continue
        if title.startswith(b"ray::_Actor" + what.encode()):
            found.append(int(path.parent.name))
    return found


def eventually(found: Any, seconds: float = 30) -> Any:
    end = time.monotonic() + seconds
    while not (result := found()):
        assert time.monotonic() < end, "this did not happen"
        time.sleep(0.05)
    return result


def test_the_same_rows_as_in_one_process(cluster: Any, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl")
    score(path, tmp_path / "here", in_this_process)
    events = Events(OnRay(address=cluster.address))
    score(path, tmp_path / "ray", events)
    assert events.numbers(Finished) == events.numbers(Started) == list(range(6))
    assert rows_of(tmp_path / "ray") == rows_of(tmp_path / "here") != {}
    assert not ray.is_initialized()
    eventually(lambda: not actors())


def test_a_killed_actor_loses_nothing(cluster: Any, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl")
    killed = []

    def kill_one(event: Any) -> None:
        if event == Started(2) and not killed:
            killed.extend(eventually(lambda: actors(".score"))[:1])
            os.kill(killed[0], signal.SIGKILL)

    events = Events(OnRay(address=cluster.address), kill_one)
    score(path, tmp_path / "ray", events, matcher=matcher(seconds="0.05"))
    assert len(events.numbers(Started)) == 7
    assert events.numbers(Finished) == list(range(6))
    score(path, tmp_path / "here", in_this_process, matcher=matcher())
    assert rows_of(tmp_path / "ray") == rows_of(tmp_path / "here")


def test_a_shard_that_kills_its_workers_is_named_and_bad_input_is_not_tried_again(cluster: Any, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", s33="poison", s50=7)
    events = Events(OnRay(address=cluster.address))
    with pytest.raises(ShardsFailed) as caught:
        score(path, tmp_path / "ray", events, matcher=matcher(poison="dies"))
    [poisoned, bad] = caught.value.failed
    assert (poisoned.number, poisoned.is_input) == (3, False)
    assert poisoned.errors[0].startswith(f"its worker died {TRIES} times; ")
    assert (bad.number, bad.is_input) == (5, True)
    assert "rows.jsonl, line 51, id s50" in bad.errors[0]
    assert events.numbers(Started) == [0, 1, 2, 3, 3, 3, 4, 5]
    assert events.numbers(Finished) == [0, 1, 2, 4]
    assert len(str(caught.value).splitlines()) == 3
    failed = json.loads((tmp_path / "ray/failed/shard=00003.json").read_text())
    assert failed["errors"] == list(poisoned.errors)


def test_nodes_join_and_die_while_the_run_goes_on(cluster: Any, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", 120)
    joined: list[Any] = []
    most = 0

    def meddle(event: Any) -> None:
        nonlocal most
        most = max(most, len(actors(".score")))
        if event == Started(2):
            joined.append(cluster.add_node(**NODE))
        if most == 3 and joined:
            cluster.remove_node(joined.pop(), allow_graceful=False)

    events = Events(OnRay(address=cluster.address), meddle)
    score(path, tmp_path / "ray", events, n_shards=30, matcher=matcher(seconds="0.3"))
    assert most == 3
    assert events.numbers(Finished) == list(range(30))
    assert len(events.numbers(Started)) == 31, "the shard of the node that died was begun twice"


def start(path: Path, *more: str, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """The command, in a group of processes of its own, as a terminal starts it."""
    command = [sys.executable, "-m", "fairsum_utils", "score", str(path), "--metrics", "bur", "--resamples", "10"]
    return subprocess.Popen(
        [*command, "--engine", "ray", *more],
        start_new_session=True,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
    )


def test_a_killed_driver_and_the_run_after_it(cluster: Any, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", 6000)
    options = ("--checkpoint", str(tmp_path / "run"), "--address", cluster.address)
    first = start(path, *options)
    eventually(lambda: len(list(tmp_path.glob("run/state/*"))) >= 2)
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    eventually(lambda: not actors())
    begun = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("run/state/*")}
    second = start(path, *options)
    out, err = second.communicate(timeout=60)
    assert second.returncode == 0, err
    now = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("run/state/*")}
    assert 2 <= len(begun) < len(now)
    assert begun.items() <= now.items()
    here = start(path)
