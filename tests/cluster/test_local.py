"""Which worker scores which shard, with a crew that lives and dies by a script."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.cluster.local import Answer, Lost, Pool, Ready, Unfit, score_with
from fairsum_utils.cluster.manifest import Event, Failed, Finished, Manifest, Shard, ShardsFailed, Started
from fairsum_utils.cluster.running import run
from fairsum_utils.cluster.scoring import Scoring
from fairsum_utils.cluster.shards import TRIES
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.io.folders import Folder

from .conftest import job_on, result_of, rows_of, write_rows


def shards(number):
    return [Shard(place, place * 10, 10) for place in range(number)]


class Scripted:
    """Workers without processes. What becomes of a shard is drawn by `fate`: a function of the worker and the shard."""

    def __init__(self, fate, *, room=3, extra=0, begin=Ready, seed=0):
        self.fate, self.places, self.extra, self.begin = fate, room, extra, begin
        self.random = random.Random(seed)
        self.hired, self.waiting, self.alive, self.coming = 0, [], set(), []
        self.most_alive, self.given = 0, Counter()

    def room(self):
        return self.places

    def most(self):
        return self.places + self.extra

    def hire(self):
        self.hired += 1
        self.waiting.append(self.hired)
        self._place()
        return self.hired

    def _place(self):
        while self.waiting and len(self.alive) < self.places:
            worker = self.waiting.pop(0)
            self.alive.add(worker)
            self.coming.append(self.begin(worker))
        self.most_alive = max(self.most_alive, len(self.alive))

    def give(self, worker, shard):
        assert worker in self.alive
        self.given[shard.number] += 1
        self.coming.append(self.fate(worker, shard))

    def dismiss(self, worker):
        self.alive.discard(worker)
        if worker in self.waiting:
            self.waiting.remove(worker)
        self.coming = [news for news in self.coming if news.worker != worker]
        self._place()

    def news(self):
        assert self.coming, "nobody has anything to do, and the run goes on"
        for news in [self.coming.pop(self.random.randrange(len(self.coming)))]:
            if isinstance(news, Lost):
                self.alive.discard(news.worker)
                self._place()
            yield news


def scored_by(crew, number):
    events, lines = [], []
    score_with(crew, shards(number), report=events.append, say=lines.append)
    return events, lines


def done(worker, shard):
    return Answer(worker, Finished(shard.number, shard.n_rows, 0.1))


def test_each_shard_once_and_the_crew_is_let_go_of():
    crew = Scripted(done)
    events, lines = scored_by(crew, 10)
    assert sorted(event.number for event in events if isinstance(event, Finished)) == list(range(10))
    assert sorted(event.number for event in events if isinstance(event, Started)) == list(range(10))
    assert crew.hired == crew.most_alive == 3
    assert not crew.alive
    assert not crew.waiting
    assert not lines


def test_no_more_workers_than_shards():
    crew = Scripted(done, room=8)
    scored_by(crew, 2)
    assert crew.hired == 2


def test_workers_that_wait_for_room_are_let_go_of_at_the_end():
    crew = Scripted(done, room=2, extra=2)
    scored_by(crew, 9)
    assert crew.most_alive == 2
    assert not crew.waiting


def test_nodes_that_join_are_used():
    def joining(worker, shard):
        crew.places = 4 if shard.number >= 2 else 1
        return done(worker, shard)

    crew = Scripted(joining, room=1)
    scored_by(crew, 12)
    assert crew.most_alive == 4


def test_a_shard_whose_workers_die_is_named_and_the_others_are_scored():
    def deadly(worker, shard):
        return Lost(worker, "its process died") if shard.number == 1 else done(worker, shard)

    crew = Scripted(deadly)
    events, _ = scored_by(crew, 5)
    [failed] = [event for event in events if isinstance(event, Failed)]
    assert failed == Failed(1, (f"its process died ({TRIES} times)",))
    assert crew.given == {0: 1, 1: TRIES, 2: 1, 3: 1, 4: 1}


def test_a_vanished_node_is_not_held_against_a_shard():
    lost = iter([True] * 9)

    def unlucky(worker, shard):
        gone = shard.number == 0 and next(lost, False)
        return Lost(worker, "its node is gone", with_node=True) if gone else done(worker, shard)

    events, _ = scored_by(Scripted(unlucky), 2)
    assert not [event for event in events if isinstance(event, Failed)]


def test_a_shard_that_takes_its_node_with_it_is_given_up_after_ten():
    crew = Scripted(lambda worker, shard: Lost(worker, "its node is gone", with_node=True))
    events, _ = scored_by(crew, 1)
    assert [event.number for event in events if isinstance(event, Failed)] == [0]
    assert crew.given[0] == 10


def test_bad_input_is_not_tried_again():
    crew = Scripted(lambda worker, shard: Answer(worker, Failed(shard.number, ("row 3 is empty",), is_input=True)))
    events, _ = scored_by(crew, 3)
    assert crew.given == {0: 1, 1: 1, 2: 1}
    assert len([event for event in events if isinstance(event, Failed)]) == 3


def test_an_unfit_worker_is_left_out_and_said_once():
    def begin(worker):
        return Unfit(worker, "node b: no model") if worker in (1, 2) else Ready(worker)

    crew = Scripted(done, begin=begin)
    events, lines = scored_by(crew, 6)
    assert lines == ["node b: no model"]
    assert sum(isinstance(event, Finished) for event in events) == 6
    assert crew.hired == 3, "none is started in the place of one that is unfit"


def test_a_worker_that_turns_out_unfit_gives_its_shard_back():
    crew = Scripted(lambda worker, shard: Unfit(worker, "node a: full disk") if worker == 1 else done(worker, shard))
    events, lines = scored_by(crew, 4)
    assert lines == ["node a: full disk"]
    assert sorted(event.number for event in events if isinstance(event, Finished)) == [0, 1, 2, 3]


def test_a_run_ends_where_no_worker_is_fit():
    crew = Scripted(done, begin=lambda worker: Unfit(worker, "node a: does not see the file"))
    with pytest.raises(InputError, match=r"^score: node a: does not see the file$"):
        scored_by(crew, 5)
    assert not crew.alive


def test_workers_that_never_get_ready():
    crew = Scripted(done, begin=lambda worker: Lost(worker, "No module named 'torch'"))
    with pytest.raises(FairSumError, match=rf"{TRIES} workers in a row died .* No module named 'torch'"):
        scored_by(crew, 5)


def test_workers_that_are_killed_at_their_start_are_no_reason_to_end_where_others_began():
    n_done = Counter()

    def one_each(worker, shard):
        n_done[worker] += 1
        return done(worker, shard) if n_done[worker] == 1 else Lost(worker, "killed")

    def killed_at_its_start(worker):
        return Ready(worker) if worker % 10 == 1 else Lost(worker, "killed")

    events, _ = scored_by(Scripted(one_each, room=1, begin=killed_at_its_start), 3)
    assert set(n_done) == {1, 11, 21}
    assert sorted(event.number for event in events if isinstance(event, Finished)) == [0, 1, 2]


def test_an_interrupted_run_lets_go_of_everybody():
    def interrupted(worker, shard):
        raise KeyboardInterrupt

    crew = Scripted(interrupted, extra=2)
    with pytest.raises(KeyboardInterrupt):
        scored_by(crew, 5)
    assert not crew.alive
    assert not crew.waiting


@given(
    number=st.integers(1, 12),
    room=st.integers(1, 5),
    extra=st.integers(0, 3),
    seed=st.integers(0, 999),
    deaths=st.lists(st.tuples(st.integers(0, 11), st.booleans()), max_size=25),
)
def test_every_shard_is_finished_or_failed_exactly_once(number, room, extra, seed, deaths):
    left = Counter(deaths)

    def fate(worker, shard):
        for with_node in (False, True):
            if left[shard.number, with_node]:
                left[shard.number, with_node] -= 1
                return Lost(worker, "gone", with_node=with_node)
        return done(worker, shard)

    crew = Scripted(fate, room=room, extra=extra, seed=seed)
    events, _ = scored_by(crew, number)
    ends = [event for event in events if not isinstance(event, Started)]
    assert sorted(event.number for event in ends) == list(range(number))
    killed = Counter(shard for shard, with_node in deaths if not with_node)
    vanished = Counter(shard for shard, with_node in deaths if with_node)
    expected = {place for place in range(number) if killed[place] >= TRIES or vanished[place] >= 10}
    assert {event.number for event in ends if isinstance(event, Failed)} == expected
    assert not crew.alive


HERE = Path(__file__).parent


@pytest.fixture
def deadly(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    import _deadly

    return _deadly


def merged(job, folder):
    with job.session() as session, Scoring.merged(job, session, folder, Manifest.read(folder)) as scoring:
        for _ in scoring.chunks():
            pass
        return dict(scoring.results())


def test_results_are_those_of_one_process(rows_file, tmp_path):
    job, folder = job_on(rows_file), Folder(tmp_path / "run")
    run(job, folder, Pool(3), rows_per_shard=9)
    assert merged(job, folder) == result_of(job)
    assert len(folder.names("rows")) == len(folder.names("state")) == 12


def test_a_shard_whose_worker_is_killed_is_begun_again(tmp_path, deadly):
    rows = rows_of(60)
    rows[25]["prediction"] = "Deadly soup"
    path = write_rows(tmp_path / "rows.jsonl", rows)
    job = job_on(path, settings={"matcher": deadly.Deadly(tmp_path, "Deadly", 2)})
    events: list[Event] = []
    manifest = run(job, Folder(tmp_path / "run"), Recording(Pool(2), events), rows_per_shard=10)
    assert len(list(tmp_path.glob("died-*"))) == 2
    assert sorted(event.number for event in events if isinstance(event, Finished)) == [*range(6)]
    assert [event.number for event in events if isinstance(event, Started)].count(2) == 3
    assert merged(job, Folder(tmp_path / "run")) == result_of(job)
    assert manifest.n_rows == 60


class Recording:
    """A caller that keeps what another reports."""

    def __init__(self, caller, events):
        self.caller, self.events = caller, events

    def __call__(self, job, shards, folder, *, report):
        def both(event):
            self.events.append(event)
            report(event)

        self.caller(job, shards, folder, report=both)


def test_a_shard_that_kills_three_workers_is_named_and_the_others_go_on(tmp_path, deadly):
    rows = rows_of(60)
    rows[25]["prediction"] = "Deadly soup"
    job = job_on(write_rows(tmp_path / "rows.jsonl", rows), settings={"matcher": deadly.Deadly(tmp_path, "Deadly", 3)})
    folder = Folder(tmp_path / "run")
    with pytest.raises(ShardsFailed) as caught:
        run(job, folder, Pool(2), rows_per_shard=10)
    assert caught.value.exit_status == 1
    assert caught.value.lines == [
        "shard 3 of 6: its worker died, perhaps for want of memory (3 times)",
        "1 of 6 shards was not scored; the same command goes on with it",
    ]
    assert len(folder.names("state")) == 5
    assert folder.names("failed") == ["failed/shard=00002.json"]
    events: list[Event] = []
    run(job, folder, Recording(Pool(2), events))  # its fourth worker lives
    assert [event.number for event in events if isinstance(event, Finished)] == [2]
    assert folder.names("failed") == []
    assert merged(job, folder) == result_of(job)


def test_what_no_input_explains_is_tried_again_and_named(tmp_path, deadly):
    rows = rows_of(30)
    rows[25]["prediction"] = "Broken soup"
    job = job_on(write_rows(tmp_path / "rows.jsonl", rows), settings={"matcher": deadly.Broken(tmp_path, "Broken", 0)})
    events: list[Event] = []
    with pytest.raises(ShardsFailed, match=r"shard 3 of 3: RuntimeError: the device is lost \(3 times\)"):
        run(job, Folder(tmp_path / "run"), Recording(Pool(2), events), rows_per_shard=10)
    assert sum(isinstance(event, Failed) for event in events) == 1
    assert sum(isinstance(event, Finished) for event in events) == 2


SCRIPT = """
import sys
sys.path.insert(0, {here!r})
import _deadly
from fairsum_utils.cluster.local import Pool
from fairsum_utils.cluster.running import run
from fairsum_utils.io.folders import Folder
from conftest import job_on

if {guarded} or __name__ == "__main__":
    job = job_on({rows!r}, settings={{"matcher": _deadly.Slow({folder!r}, "Deadly", 0)}})
    run(job, Folder({folder!r} + "/run"), Pool(2), rows_per_shard=10)
"""


def script(tmp_path, rows_file, *, guarded):
    path = tmp_path / "script.py"
    places = {"here": str(HERE), "rows": str(rows_file), "folder": str(tmp_path)}
    path.write_text(SCRIPT.format(guarded=not guarded, **places))
    return [sys.executable, "-W", "ignore", str(path)]


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def is_alive(pid):
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes where Linux lists them")
@pytest.mark.parametrize("killed_by", [signal.SIGKILL, signal.SIGTERM])
def test_no_worker_outlives_its_parent(tmp_path, rows_file, killed_by):
    parent = subprocess.Popen(script(tmp_path, rows_file, guarded=True))
    try:
        wait_for(lambda: len(list(tmp_path.glob("at-work-*"))) == 2)
        workers = [int(path.name.rpartition("-")[2]) for path in tmp_path.glob("at-work-*")]
        assert all(map(is_alive, workers))
        os.kill(parent.pid, killed_by)
    finally:
        parent.kill()
        parent.wait()
    wait_for(lambda: not any(map(is_alive, workers)), seconds=10)


def test_a_script_without_a_guard_is_told_so(tmp_path, rows_file):
    done = subprocess.run(
        script(tmp_path, rows_file, guarded=False), capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 1
    assert 'must do so under if __name__ == "__main__":' in done.stderr
