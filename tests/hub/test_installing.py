"""Installing into the module cache of `evaluate`: what it then loads, upgrades, leftovers of killed runs, removal."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from fairsum_utils.cli import run_command
from fairsum_utils.errors import InputError
from fairsum_utils.hub import installing
from fairsum_utils.hub.folders import metric_folder, metric_names

Tree = dict[str, tuple[bytes, int]]

# The bodies below run in a process of their own, in an empty folder, with its own caches.
PREAMBLE = """
import inspect, io, json, os, socket, sys, warnings
warnings.simplefilter("ignore")
from contextlib import redirect_stdout
from pathlib import Path
from fairsum_utils.cli import run_command
from fairsum_utils.hub import installing

def import_evaluate():
    sys.modules["transformers"] = None  # evaluate would import it, which takes long
    import evaluate
    del sys.modules["transformers"]
    return evaluate

def fairsum(*arguments):
    with redirect_stdout(io.StringIO()) as printed:
        assert run_command(["publish", "install", *arguments]) == 0
    return printed.getvalue().splitlines()

attempts = []
def shut(allowed=None):
    # No network but, if there is one, the server in this process.
    connect = socket.socket.connect
    def guarded(self, address):
        attempts.append(address)
        if address != allowed:
            raise ConnectionRefusedError("no network")
        return connect(self, address)
    def unknown(host, *_, **__):
        attempts.append(host)
        raise socket.gaierror("no network")
    socket.socket.connect = guarded
    find = socket.getaddrinfo
    socket.getaddrinfo = lambda host, *rest, **named: (find if allowed and host == allowed[0] else unknown)(
        host, *rest, **named
    )

def text_of(module):
    return Path(inspect.getsourcefile(type(module))).read_text(encoding="utf-8")

def score(module):
    return module.compute(predictions=["Tasty."], sources=[["Tasty.", "Awful."]], values=[["pos", "neg"]])["bur"]
"""
NO_HUB = """
shut()
evaluate = import_evaluate()
try:
    evaluate.load("fairsum/bur")
except FileNotFoundError:
    print("not found")
tried = len(attempts)
fairsum("bur", "uer")
installed = len(attempts)
modules = [evaluate.load("fairsum/bur"), evaluate.load("fairsum/bur", module_type="metric", experiment_id="one")]
print(json.dumps([tried > 0, installed > tried, [module.name for module in modules], [*map(score, modules)]]))
print(Path(inspect.getsourcefile(type(modules[0]))).parents[1])
"""
HUB = """
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from fairsum_utils.hub.folders import metric_folder

shipped = (metric_folder("bur") / "bur.py").read_text(encoding="utf-8")
published = shipped + "# as on the Hub\\n"
answer, asked = 404, []

class Hub(BaseHTTPRequestHandler):
    def do_HEAD(self, content=False):
        asked.append(self.path)
        self.send_response(answer)
        self.send_header("ETag", '"1"')
        self.send_header("Content-Length", str(len(published.encode())))
        self.end_headers()
        if content:
            self.wfile.write(published.encode())
    def do_GET(self):
        self.do_HEAD(content=True)
    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ["HF_ENDPOINT"] = f"http://127.0.0.1:{server.server_port}"
shut(server.server_address)
evaluate = import_evaluate()
for status in (404, 401):
    answer = status
    try:
        evaluate.load("fairsum/bur")
    except FileNotFoundError:
        print("not found")
fairsum()
for status in (404, 401, 403, 500):
    answer = status
    asked.clear()
    module = evaluate.load("fairsum/bur")
    print(json.dumps([status, len(asked) > 0, text_of(module) == shipped, score(module)]))
answer = 200
print(text_of(evaluate.load("fairsum/bur")) == published)  # the Hub comes first
answer = 404
print(text_of(evaluate.load("fairsum/bur")) == published)  # and left the version that was changed last
print(json.dumps(fairsum("bur")[:1]))
print(text_of(evaluate.load("fairsum/bur")) == shipped)
fairsum("--uninstall")
print(text_of(evaluate.load("fairsum/bur")) == published)
"""
KILLED = """
# Kill a run before each of its steps in turn; `evaluate` must find a complete version or none, and the next run must
# end as if nothing had happened.
evaluate = import_evaluate()
shipped = installing.metric_folder("bur")
old = Path("old", "bur")
old.mkdir(parents=True)
(old / "bur.py").write_text((shipped / "bur.py").read_text(encoding="utf-8") + "# old\\n", encoding="utf-8")
home = installing.modules_folder()
mine = home / "fairsum--bur" / ("0" * 64)
STEPS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.utime", "shutil.rmtree", "shutil.copyfile"}

def act(action, folder):
    installing.metric_folder = lambda name: folder
    return getattr(installing, action)(None if action == "uninstall" else ["bur"])

def killed(action, folder, step):
    child = os.fork()
    if child == 0:
        steps = iter(range(step))
        def hook(event, arguments):
            if event in STEPS and next(steps, None) is None:
                os._exit(9)
        sys.addaudithook(hook)
        act(action, folder)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9

def taken():
    try:
        module = evaluate.loading.CachedEvaluationModuleFactory("fairsum--bur").get_module()
    except FileNotFoundError as error:
        assert "is not cached" in str(error), error
        return "none"
    version = home / "fairsum--bur" / module.hash
    assert version == mine or {path.name for path in version.iterdir()} == {"__init__.py", "bur.py", "INSTALLER"}
    text = (version / "bur.py").read_text(encoding="utf-8")
    known = {text_of_folder: name for name, text_of_folder in texts.items()}
    return known[text]

def tree():
    return {str(path.relative_to(home)): path.is_file() and path.read_bytes() for path in home.rglob("*")}

texts = {name: (folder / "bur.py").read_text(encoding="utf-8") for name, folder in (("new", shipped), ("old", old))}
texts["mine"] = "# the user's own"
evaluate.loading.init_dynamic_modules()
home.mkdir()
(home / "__init__.py").touch()
for beside in (False, True):
    if beside:
        mine.mkdir(parents=True)
        (mine / "bur.py").write_text(texts["mine"])
        (mine.parent / "__init__.py").touch()
        home.with_name("metrics").joinpath("fairsum--bur.lock").touch()
    empty = tree()
    for action, before in (("install", None), ("install", old), ("uninstall", shipped)):
        seen, steps = set(), 0
        while True:
            act("uninstall", shipped)
            assert tree() == empty, (action, before, steps)
            if before:
                act("install", before)
            if not killed(action, shipped, steps):
                break
            seen.add(taken())
            act(action, shipped)
            assert installing.states(["bur"]) == {"bur": "absent" if action == "uninstall" else "current"}
            assert not [path for path in home.rglob("fairsum-*") if path.name.count("-") == 1]
            steps += 1
        print(json.dumps([action, steps > 10, sorted(seen)]))
"""


@pytest.fixture
def run(light: Any, tmp_path: Path) -> Callable[..., list[str]]:
    """Gives the printed lines of code that runs in an empty folder, with a home of its own."""
    for name in ("empty", "home"):
        (tmp_path / name).mkdir()
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "XDG_"))}
    ours |= {"HOME": str(tmp_path / "home"), "NO_PROXY": "127.0.0.1"}

    def printed(code: str, **environment: str) -> list[str]:
        done = light.start(["-c", PREAMBLE + code], tmp_path / "empty", env=ours, **environment).wait()
        assert done.returncode == 0, done.stderr
        return list(done.stdout.splitlines())

    return printed


@pytest.mark.parametrize(
    ("environment", "asks", "place"),
    [
        ({}, True, "home/.cache/huggingface/modules"),
        ({"HF_HOME": "hf", "HF_HUB_OFFLINE": "1"}, True, "hf/modules"),
        ({"HF_HOME": "hf", "HF_EVALUATE_OFFLINE": "1"}, None, "hf/modules"),  # newer huggingface_hub asks something
        (
            {"HF_HOME": "hf", "HF_MODULES_CACHE": "cache", "HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1"},
            False,
            "cache",
        ),
    ],
    ids=["no network", "HF_HUB_OFFLINE", "HF_EVALUATE_OFFLINE", "HF_HUB_OFFLINE and HF_EVALUATE_OFFLINE"],
)
def test_evaluate_finds_what_is_installed_without_the_hub(
    environment: dict[str, str], asks: bool | None, place: str, run: Callable[..., list[str]], tmp_path: Path
) -> None:
    paths = {name: str(tmp_path / value) for name, value in environment.items() if value != "1"}
    before, answer, folder = run(NO_HUB, **{**environment, **paths})
    assert before == "not found"
    asked, *rest = json.loads(answer)
    assert asks in (asked, None)
    assert rest == [False, ["bur", "bur"], [1.0, 1.0]]
    assert Path(folder) == tmp_path / place / "evaluate_modules" / "metrics" / "fairsum--bur"


def test_the_hub_comes_first_and_what_is_installed_when_it_refuses(
    run: Callable[..., list[str]], tmp_path: Path
) -> None:
    lines = run(HUB, HF_HOME=str(tmp_path / "hf"))
    assert lines[:2] == ["not found"] * 2
    assert list(map(json.loads, lines[2:6])) == [[status, True, True, 1.0] for status in (404, 401, 403, 500)]
    assert lines[6:8] == ["True", "True"]
    assert json.loads(lines[8]) == ["updated (1): bur"]
    assert lines[9:] == ["True", "True"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked process")
def test_a_killed_run_leaves_nothing_broken_and_the_next_one_repairs(
    run: Callable[..., list[str]], tmp_path: Path
) -> None:
    seen = list(map(json.loads, run(KILLED, HF_HOME=str(tmp_path / "hf"))))
    assert seen == [
        ["install", True, ["new", "none"]],
        ["install", True, ["new", "old"]],  # at no time without any
        ["uninstall", True, ["new", "none"]],
        ["install", True, ["mine", "new"]],
        ["install", True, ["new", "old"]],
        ["uninstall", True, ["mine", "new"]],
    ]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The module cache of this test."""
    import evaluate

    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", tmp_path / "modules")
    monkeypatch.setattr(sys, "path", [*sys.path])  # evaluate adds its cache
    return installing.modules_folder()


@pytest.fixture
def upgrade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Ships another version of the script of BUR."""

    def ship(text: str) -> None:
        folder = tmp_path / "shipped" / "bur"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "bur.py").write_text(text, encoding="utf-8")
        monkeypatch.setattr(installing, "metric_folder", lambda name: folder)

    return ship


def tree(folder: Path) -> Tree:
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def taken(name: str = "fairsum--bur") -> str:
    """The script that `evaluate` takes from its cache."""
    import evaluate

    version = evaluate.loading.CachedEvaluationModuleFactory(name).get_module().hash
    script = installing.modules_folder() / name / version / f"{name.split('--')[1]}.py"
    return script.read_text(encoding="utf-8")


def test_a_second_run_changes_nothing(home: Path) -> None:
    assert installing.states() == dict.fromkeys(metric_names(), "absent")
    assert not home.exists()
    assert installing.install() == dict.fromkeys(metric_names(), "installed")
    before = tree(home)
    assert installing.states() == dict.fromkeys(metric_names(), "current")
    assert installing.install() == dict.fromkeys(metric_names(), "unchanged")
    assert tree(home) == before
    for name in metric_names():
        assert taken(f"fairsum--{name}") == (metric_folder(name) / f"{name}.py").read_text(encoding="utf-8")


def test_an_upgrade_replaces_the_old_version(home: Path, upgrade: Callable[[str], None]) -> None:
    upgrade("# old")
    installing.install(["bur"])
    upgrade("# new")
    assert installing.states(["bur"]) == {"bur": "outdated"}
    assert installing.install(["bur"]) == {"bur": "updated"}
    assert taken() == "# new"
    upgrade("# old")  # and back
    assert installing.install(["bur"]) == {"bur": "updated"}
    assert taken() == "# old"
    assert [path.read_text(encoding="utf-8") for path in home.rglob("bur.py")] == ["# old"]


@pytest.mark.parametrize("seconds", [-3600, 0, 3600], ids=["older", "as old", "of the future"])
def test_what_is_installed_comes_before_other_versions_and_leaves_them(home: Path, seconds: int) -> None:
    other = home / "fairsum--bur" / ("0" * 64) / "bur.py"
    other.parent.mkdir(parents=True)
    other.write_text("# of the user", encoding="utf-8")
    changed = time.time_ns() // 10**9 + seconds
    os.utime(other, (changed, changed))
    before = tree(home)
    assert installing.install(["bur"]) == {"bur": "installed"}
    assert "BUR" in taken()
    assert installing.install(["bur"]) == {"bur": "unchanged"}
    later = time.time() + 2 * 3600
    os.utime(other, (later, later))
    assert taken() == "# of the user"
    assert installing.states(["bur"]) == {"bur": "outdated"}
    assert installing.install(["bur"]) == {"bur": "updated"}
    assert "BUR" in taken()
    os.utime(other, (changed, changed))
    assert installing.uninstall() == {"bur": "removed"}
    assert taken() == "# of the user"
    left = {name for name in tree(home) if not name.endswith(".lock")}
    assert left - set(before) == {"__init__.py", "fairsum--bur/__init__.py"}
    assert {name: tree(home)[name] for name in before} == before


def test_a_version_that_was_meddled_with_is_repaired(home: Path) -> None:
    installing.install(["bur"])
    [script] = home.rglob("bur.py")
    script.write_text("# meddled", encoding="utf-8")
    assert installing.install(["bur"]) == {"bur": "updated"}
    assert taken() == (metric_folder("bur") / "bur.py").read_text(encoding="utf-8")
    (script.parent / "__init__.py").unlink()
    assert installing.install(["bur"]) == {"bur": "updated"}
    assert (script.parent / "__init__.py").is_file()


def test_uninstall_removes_what_was_installed_and_nothing_else(home: Path) -> None:
    for folder in ("fairsum--theirs", "other--bur", "bur"):
        version = home / folder / ("a" * 64)
        version.mkdir(parents=True)
        (version / f"{folder.split('--')[-1]}.py").write_text("# theirs", encoding="utf-8")
    (home / "fairsum--notes.txt").write_text("a file", encoding="utf-8")
    (home / "__init__.py").touch()
    before = tree(home)
    installing.install()
    installing.install(["bur"], namespace="my-team")
    assert installing.uninstall(["bur"]) == {"bur": "removed"}
    assert installing.uninstall(["bur", "uer"]) == {"bur": "absent", "uer": "removed"}
    assert "BUR" in taken("my-team--bur")
    rest = {name: "removed" for name in metric_names() if name not in ("bur", "uer")}
    assert installing.uninstall() == rest
    assert installing.uninstall() == {}
    assert installing.uninstall(namespace="my-team") == {"bur": "removed"}
    assert tree(home) == before


def test_uninstall_also_removes_a_module_that_is_shipped_no_longer(home: Path) -> None:
    installing.install(["bur"])
    (home / "fairsum--bur").rename(home / "fairsum--former")
    assert installing.uninstall(["former", "bur"]) == {"former": "removed", "bur": "absent"}
    assert not (home / "fairsum--former").exists()


@pytest.mark.parametrize("action", [installing.install, installing.uninstall, installing.states])
@pytest.mark.usefixtures("home")
def test_mistakes(action: Callable[..., object]) -> None:
    with pytest.raises(InputError, match="there is no module 'rouge'; choose one of auc, bur, "):
        action(["bur", "rouge"])
    with pytest.raises(InputError, match="names must be a list of names of modules, or None for all, found str 'bur'"):
        action("bur")
    for namespace in ("", "a/b", "a--b", "..", "a.b", "-a", "ä", None):
        with pytest.raises(InputError, match="namespace must be a name on the Hub, of letters, digits and single "):
            action(namespace=namespace)
    assert not installing.modules_folder().exists()


def test_command(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def fairsum(*arguments: str) -> list[str]:
        assert run_command(["publish", "install", *arguments]) == 0
        return capsys.readouterr().out.splitlines()

    folder = f"folder: {home}"
    every = ", ".join(metric_names())
    count = len(metric_names())
    assert fairsum("uer", "bur") == ["installed (2): uer, bur", folder]
    assert fairsum("bur") == ["unchanged (1): bur", "nothing to change", folder]
    assert fairsum()[1:] == ["unchanged (2): bur, uer", folder]
    assert fairsum("--list") == [f"current ({count}): {every}", folder]
    assert fairsum("--namespace", "my-team", "--list") == [f"absent ({count}): {every}", folder]
    assert fairsum("--uninstall") == [f"removed ({count}): {every}", folder]
    assert fairsum("--uninstall") == ["nothing to change", folder]
    with pytest.raises(click.UsageError, match="--uninstall and --list exclude each other"):
        run_command(["publish", "install", "--list", "--uninstall"])
