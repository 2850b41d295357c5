"""Scoring on Ray: a cluster of this machine, whose workers, nodes and driver are killed.

What takes long is tested by ``nox -s nightly``.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import fairsum_utils.cluster
import pytest
from fairsum_utils.cluster.job import Job
from fairsum_utils.cluster.local import DIED
from fairsum_utils.cluster.ray import OnRay, _Expected, _prepare, dataset_files, is_dataset
from fairsum_utils.cluster.scoring import Engine, Scoring, ShardsFailed, in_this_process, run
from fairsum_utils.cluster.shards import Manifest, Shard
from fairsum_utils.cluster.worker import Failed, Finished, Outcome, Worker

from fairsum_utils import BUR
from fairsum_utils._version import __version__
from fairsum_utils.errors import InputError
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.layout import Layout, choose_columns
from fairsum_utils.io.shapes import Shape
from fairsum_utils.io.writing import Folder
from fairsum_utils.session import Request

from ..conftest import takes_long
from ..faults.harness import processes_of
from .conftest import wait_for

os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_DEDUP_LOGS_SKIP_REGEX="^")  # read when Ray is imported
os.environ["FAIRSUM_TEST_OF_RAY"] = OURS = f"of {os.getpid()}"  # tells our processes from those of other runs
ray = pytest.importorskip("ray", reason="ray is not installed (extra ray)")

pytestmark = [
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets and logs of Ray's
]

NODE = {"num_cpus": 1, "object_store_memory": 80_000_000, "include_dashboard": False}


def has_client() -> bool:
    return importlib.util.find_spec("grpc") is not None and "FAIRSUM_LONG" in os.environ


def answers(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def client() -> int:
    """Port of addresses that begin with ray://."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture(scope="module")
def cluster(client: int) -> Iterator[Any]:
    """A node with two processors; nodes that do not answer for two seconds count as dead."""
    from ray.cluster_utils import Cluster

    quick = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 4}
    port = {"ray_client_server_port": client} if has_client() else {}
    head = {**NODE, **port, "num_cpus": 2, "_system_config": quick}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    yield cluster
    cluster.shutdown()


def write_rows(path: Path, number: int = 60, **others: Any) -> Path:
    """Samples of two values; `others` stand in place of the summary of the sample of that id."""
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


def job_of(path: Path | list[str], **settings: Any) -> Job:
    columns = choose_columns(list(all_columns(["bur"]).values()), {})
    requests = (Request(BUR(n_resamples=10, **settings)),)
    return Job(
        path if isinstance(path, list) else str(path), Layout(columns, Shape(module="score")), {}, requests, "score"
    )


def matcher(seconds: float = 0, poison: str = "", once: str = "") -> Callable[[list[str], str], list[float]]:
    """Weighs like the length of texts, and takes its time.

    With the summary `poison` its process dies; with `once`, the path of a file, as long as this is not there.
    """

    def weigh(texts: list[str], summary: str) -> list[float]:
        import os
        from pathlib import Path

        is_first = summary == once != "" and not Path(once).exists()
        if is_first:
            Path(once).touch()
        if is_first or summary == poison != "":
            os.kill(os.getpid(), 9)
        time.sleep(seconds)
        return [float(len(text)) for text in texts]

    return weigh


class Recording:
    """An engine that keeps outcomes, and calls `meddle` with each, while the workers go on."""

    def __init__(self, how: OnRay, meddle: Callable[[Outcome], None] = lambda outcome: None) -> None:
        self.how, self.meddle = how, meddle
        self.outcomes: list[Outcome] = []

    def __call__(self, job: Job, shards: Sequence[Shard], folder: Folder) -> Iterator[Outcome]:
        for outcome in self.how(job, shards, folder):
            self.outcomes.append(outcome)
            yield outcome
            self.meddle(outcome)

    def finished(self) -> list[int]:
        return sorted(outcome.number for outcome in self.outcomes if isinstance(outcome, Finished))


def score(job: Job, folder: Path, engine: Engine | Recording, rows_per_shard: int = 10) -> Manifest:
    return run(job, Folder(str(folder)), engine, rows_per_shard=rows_per_shard)  # type: ignore[arg-type]


def rows_of(folder: Path) -> dict[str, Any]:
    import pyarrow.parquet

    return {path.name: pyarrow.parquet.read_table(path).to_pydict() for path in sorted(folder.glob("rows/*"))}


def results_of(job: Job, folder: Path) -> Any:
    with job.session() as session:
        merged = Scoring.merged(job, session, Folder(str(folder)), Manifest.read(Folder(str(folder))))
        list(merged.chunks())
        return merged.results()


def workers(doing: str = "") -> list[int]:
    """Processes that score shards, or did."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            title, environment = path.read_bytes(), path.with_name("environ").read_bytes()
        except OSError:
            continue
        if title.startswith(b"ray::" + doing.encode()) and OURS.encode() in environment:
            found.append(int(path.parent.name))
    return found


def start(path: Path, *more: str) -> subprocess.Popen[str]:
    """The command, in a group of processes of its own, as a terminal starts it."""
    command = [sys.executable, "-m", "fairsum_utils", "score", str(path), "--metrics", "bur", "--resamples", "10"]
    pipe = subprocess.PIPE
    return subprocess.Popen([*command, *more], start_new_session=True, text=True, stdout=pipe, stderr=pipe)


def test_workers_that_die_bad_input_and_a_shard_that_kills(cluster: Any, tmp_path: Path) -> None:
    once = str(tmp_path / "died")
    path = write_rows(tmp_path / "rows.jsonl", s15=once, s33="poison", s50=7)
    recording = Recording(OnRay(address=cluster.address))
    with pytest.raises(ShardsFailed) as caught:
        score(job_of(path, matcher=matcher(0, "poison", once)), tmp_path / "ray", recording)
    [poisoned, bad] = caught.value.failed
    assert poisoned == Failed(3, (DIED,))
    assert (bad.number, bad.is_input) == (5, True)
    assert "rows.jsonl, row 51, id s50" in bad.errors[0]
    assert recording.finished() == [0, 1, 2, 4]
    assert not ray.is_initialized()
    wait_for(lambda: not workers("_score"))

    harmless = job_of(write_rows(tmp_path / "others.jsonl", s15=once), matcher=matcher())
    score(harmless, tmp_path / "here", in_this_process)
    mended = rows_of(tmp_path / "ray")
    assert mended.keys() == {f"shard={number:05}.parquet" for number in (0, 1, 2, 4)}
    assert mended.items() <= rows_of(tmp_path / "here").items()


@takes_long
def test_control_c_ends_all_that_was_started_and_one_process_goes_on(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", 20_000)
    before = set(workers())
    folder = ("--checkpoint", str(tmp_path / "run"))
    first = start(path, *folder, "--engine", "ray", "--workers", "2")
    wait_for(lambda: len(list(tmp_path.glob("run/state/*"))) >= 2)
    os.killpg(first.pid, signal.SIGINT)
    out, err = first.communicate(timeout=60)
    assert (first.returncode, out, err) == (130, "", "fairsum: interrupted\n"), err
    wait_for(lambda: set(workers()) == before)
    done = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("run/state/*")}
    second = start(path, *folder)
    out, err = second.communicate(timeout=60)
    assert (second.returncode, err) == (0, "")
    assert done.items() < {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("run/state/*")}.items()
    assert ": 20000 samples scored, 0 skipped" in out


@takes_long
@pytest.mark.parametrize("begun", [True, False])
def test_no_process_of_ray_outlives_its_driver(tmp_path: Path, begun: bool) -> None:
    path = write_rows(tmp_path / "rows.jsonl", 20_000)
    driver = start(path, "--checkpoint", str(tmp_path / "run"), "--engine", "ray", "--workers", "1")
    wait_for(lambda: list(tmp_path.glob("run/state/*")) if begun else len(processes_of(driver.pid)) > 5)
    assert len(processes_of(driver.pid)) > 3
    os.kill(driver.pid, signal.SIGKILL)
    driver.communicate()
    wait_for(lambda: not processes_of(driver.pid), seconds=10)


@takes_long
def test_nodes_join_and_die_while_the_run_goes_on(cluster: Any, tmp_path: Path) -> None:
    job = job_of(write_rows(tmp_path / "rows.jsonl", 120), matcher=matcher(1))
    joined: list[Any] = []
    most = 0

    def meddle(outcome: Outcome) -> None:
        nonlocal most
        most = max(most, len(workers("_score")))
        if len(recording.outcomes) == 2:
            joined.extend(cluster.add_node(**NODE) for _ in range(2))
        if most == 4 and len(joined) == 2:
            cluster.remove_node(joined.pop(), allow_graceful=False)

    recording = Recording(OnRay(address=cluster.address), meddle)
    score(job, tmp_path / "ray", recording, rows_per_shard=4)
    cluster.remove_node(joined.pop())
    assert most == 4
    assert recording.finished() == list(range(30))
    score(job_of(tmp_path / "rows.jsonl", matcher=matcher()), tmp_path / "here", in_this_process, rows_per_shard=4)
    assert rows_of(tmp_path / "ray") == rows_of(tmp_path / "here")


@pytest.mark.skipif(not has_client(), reason="takes long, and needs grpcio; see nox -s nightly")
@pytest.mark.usefixtures("cluster")
def test_an_address_of_a_client(client: int, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl")
    wait_for(lambda: answers(client))
    remote = start(path, "--engine", "ray", "--address", f"ray://127.0.0.1:{client}")
    out, err = remote.communicate(timeout=120)
    assert (remote.returncode, err) == (0, ""), err
    assert out == start(path).communicate(timeout=60)[0]


@takes_long
def test_a_model_is_loaded_by_workers_alone(cluster: Any, tmp_path: Path, tiny_model: Any, monkeypatch: Any) -> None:
    settings = {"matcher": "bertscore", "model": str(tiny_model("encoder")), "num_layers": 2, "cache": None}
    job = job_of(write_rows(tmp_path / "rows.jsonl"), **settings)
    score(job, tmp_path / "here", in_this_process)
    expected = results_of(job, tmp_path / "here")

    def refused(*arguments: Any, **options: Any) -> None:
        raise AssertionError("a model is loaded")

    monkeypatch.setattr("fairsum_utils.inference.runner.load_model", refused)
    score(job, tmp_path / "ray", OnRay(address=cluster.address))
    found = results_of(job, tmp_path / "ray")
    # Last digits depend on the texts in a batch, so on what the worker has scored before.
    assert found["bur"]["bur"] == expected["bur"]["bur"]
    assert found["bur"]["ratio_by_value"] == pytest.approx(expected["bur"]["ratio_by_value"], rel=1e-5)


@takes_long
def test_a_data_set_of_ray(cluster: Any, tmp_path: Path, capsys: Any) -> None:
    pytest.importorskip("ray.data")
    path = write_rows(tmp_path / "rows.jsonl")
    score(job_of(path), tmp_path / "here", in_this_process)
    folder = Folder(str(tmp_path / "run"))
    ray.init(cluster.address, log_to_driver=False)
    try:
        samples = ray.data.read_json(str(path)).repartition(3)
        assert is_dataset(samples)
        files = dataset_files(samples, folder)
        assert len(files) == 3
        assert dataset_files(samples, folder) == files, "it is written once"
        expected = results_of(job_of(path), tmp_path / "here")
        score(job_of(files), tmp_path / "run", OnRay())
        assert results_of(job_of(files), tmp_path / "run") == expected
        results = fairsum_utils.cluster.score(
            samples, "bur", engine="ray", confidence_level=None, folder=tmp_path / "call"
        )
        assert expected["bur"].items() <= results["bur"].items(), "chance levels come on top"
        assert ray.is_initialized(), "what others have connected stays so"
        with pytest.raises(InputError, match="has another data set"):
            dataset_files(samples.drop_columns(["id"]), folder)
    finally:
        ray.shutdown()


@takes_long
def test_a_machine_without_a_gpu(tmp_path: Path) -> None:
    if ray._private.accelerators.NvidiaGPUAcceleratorManager.get_current_node_num_accelerators():
        pytest.skip("there is a GPU")
    with pytest.raises(InputError, match=r"^score: this machine does not have 0\.5 GPU free for a worker$"):
        score(job_of(write_rows(tmp_path / "rows.jsonl")), tmp_path / "run", OnRay(gpus_per_worker=0.5))


@pytest.mark.parametrize("address", ["127.0.0.1:9", "ray://localhost:9"])
def test_a_cluster_that_does_not_answer(tmp_path: Path, address: str) -> None:
    with pytest.raises(InputError, match=f"^score: no Ray cluster answers at {address}: Connection refused$"):
        score(job_of(write_rows(tmp_path / "rows.jsonl")), tmp_path / "run", OnRay(address=address))


def test_a_node_that_sees_other_files(tmp_path: Path) -> None:
    job = job_of(write_rows(tmp_path / "rows.jsonl"))
    run_digest = score(job, tmp_path / "run", in_this_process).digest
    folder = Folder(str(tmp_path / "run"))
    expected = _Expected(__version__, str(Path.cwd()), run_digest)
    _prepare(Worker(job, folder), expected)
    with pytest.raises(
        InputError, match=r"has fairsum-utils .*, but the run was begun with 9\.9; install the same version"
    ):
        _prepare(Worker(job, folder), expected._replace(version="9.9"))
    with pytest.raises(InputError, match=r"cannot see the run's folder .*/other; give --checkpoint a folder"):
        _prepare(Worker(job, Folder(str(tmp_path / "other"))), expected)
