"""The folders of modules, loading a module, and installing modules for `evaluate`."""

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

import fairsum_utils
from fairsum_utils._util import installation
from fairsum_utils._util.installation import install_command
from fairsum_utils.cli import run_command
from fairsum_utils.errors import InputError
from fairsum_utils.integrations import modules
from fairsum_utils.integrations.modules import metric_names

from ..conftest import takes_long

ROOT = Path(__file__).parents[2]


def test_folders_of_the_repository() -> None:
    assert modules.metric_folder("bur") == modules.metric_folder("fairsum/bur") == ROOT / "metrics" / "bur"


@pytest.mark.parametrize(
    "name", ["rouge", "", "fairsum/", "other/bur", "../datasets/bold", "fairsum/fairsum/bur", None]
)
def test_unknown_names_say_what_there_is(name: str) -> None:
    with pytest.raises(InputError) as caught:
        modules.metric_folder(name)
    assert str(caught.value) == f"there is no module {name!r}; choose one of {', '.join(modules.metric_names())}"


def test_an_installed_package_uses_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = tmp_path / "fairsum_utils" / "_folders" / "metrics"
    for folder in (shipped / "bur", shipped / "unfinished", tmp_path / "metrics" / "of_another_project"):
        folder.mkdir(parents=True)
        (folder / "app.py").touch()
    (shipped / "bur" / "bur.py").touch()
    (tmp_path / "metrics" / "of_another_project" / "of_another_project.py").touch()
    monkeypatch.setattr(installation, "_ROOT", tmp_path)
    assert modules.metric_names() == ("bur",)
    assert modules.metric_folder("bur") == shipped / "bur"


SAMPLES: dict[str, Any] = {
    "predictions": ["Great soup and friendly staff.", "Ok."],
    "sources": [["Great soup!", "Friendly staff.", "Cold soup, slow service."], ["It works well.", "It broke, ok."]],
    "values": [["pos", "pos", "neg"], ["pos", "neg"]],
}
LOAD = f"""
samples = {SAMPLES}
[folder] = sys.argv[1:]
shut()
import fairsum_utils
import_evaluate()
results = [loaded.compute(**samples) for loaded in (fairsum_utils.load("bur"), fairsum_utils.load("fairsum/bur"))]
kept = fairsum_utils.load("bur", keep_in_memory=True, cache_dir=folder + "/own")
added = fairsum_utils.load("bur", config_name="mine", experiment_id="one", cache_dir=folder + "/own")
added.add_batch(**samples)
files = [path.name for path in __import__("pathlib").Path(folder, "own").rglob("*.arrow")]
first, second = (
    fairsum_utils.load("bur", num_process=2, process_id=n, experiment_id="both", cache_dir=folder) for n in (0, 1)
)
every = [fairsum_utils.load(name).name for name in fairsum_utils.integrations.modules.metric_names()]
print(json.dumps({{
    "results": [*results, kept.compute(**samples), added.compute()],
    "files": files,
    "options": [added.config_name, added.experiment_id, first.num_process, second.process_id],
    "every": every,
}}))
"""


@takes_long
def test_from_any_folder_with_evaluate_s_options(run_at_home: Callable[..., list[str]], tmp_path: Path) -> None:
    [line] = run_at_home(LOAD, str(tmp_path))
    found = json.loads(line)
    assert found["results"] == [json.loads(json.dumps(fairsum_utils.compute("bur", **SAMPLES)))] * 4
    assert found["files"] == ["one-1-0.arrow"]  # of the module that stores samples, in the folder it was given
    assert found["options"] == ["mine", "one", 2, 1]
    assert found["every"] == list(metric_names())


def test_a_revision_cannot_be_chosen() -> None:
    with pytest.raises(InputError) as caught:
        fairsum_utils.load("fairsum/bur", revision="v0.0.9")
    assert str(caught.value) == (
        "load: revision 'v0.0.9' is unavailable, because bur comes from the installed package; leave it out"
    )


# Bodies of processes in an empty folder, with caches of their own.
WITH_EVALUATE = """
import inspect, io, json, os, socket, sys, warnings
warnings.simplefilter("ignore")
from contextlib import redirect_stdout
from pathlib import Path
from fairsum_utils.cli import run_command
from fairsum_utils.integrations import modules

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
# Of someone who has the base install.
NO_HUB = f"""
from importlib.machinery import PathFinder
find = PathFinder.find_spec
def without_extras(name, *more):
    return None if name.partition(".")[0] in ("spacy", "torch", "transformers") else find(name, *more)
PathFinder.find_spec = staticmethod(without_extras)
shut()
import evaluate, fairsum_utils
samples = {SAMPLES}
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
texts = dict(predictions=["You sat."] * 4, groups=["a", "a", "b", "b"])
news = dict(predictions=samples["predictions"], sources=samples["sources"])
for name, columns in (("toxicity", texts), ("equal_coverage", samples), ("entity_hallucination", news)):
    try:
        fairsum_utils.load(name).compute(**columns)
    except fairsum_utils.errors.MissingDependencyError as error:
        print(error)
"""


@pytest.fixture
def run_at_home(light: Any, tmp_path: Path) -> Callable[..., list[str]]:
    """Gives the printed lines of code that runs in an empty folder, with a home of its own."""
    for name in ("empty", "home"):
        (tmp_path / name).mkdir()
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "XDG_"))}
    ours |= {"HOME": str(tmp_path / "home"), "NO_PROXY": "127.0.0.1"}

    def printed(code: str, *words: str, **environment: str) -> list[str]:
        done = light.start(["-c", WITH_EVALUATE + code, *words], tmp_path / "empty", env=ours, **environment).wait()
        assert done.returncode == 0, done.stderr
        return list(done.stdout.splitlines())

    return printed


@pytest.mark.parametrize(
    ("environment", "asks", "place"),
    [
        ({}, True, "home/.cache/huggingface/modules"),
        pytest.param({"HF_HOME": "hf", "HF_HUB_OFFLINE": "1"}, True, "hf/modules", marks=takes_long),
        pytest.param({"HF_HOME": "hf", "HF_EVALUATE_OFFLINE": "1"}, None, "hf/modules", marks=takes_long),
        pytest.param(
            {"HF_HOME": "hf", "HF_MODULES_CACHE": "cache", "HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1"},
            False,
            "cache",
            marks=takes_long,
        ),
    ],
)
def test_evaluate_finds_what_is_installed_without_the_hub(
    environment: dict[str, str], asks: bool | None, place: str, run_at_home: Callable[..., list[str]], tmp_path: Path
) -> None:
    paths = {name: str(tmp_path / value) for name, value in environment.items() if value != "1"}
    before, answer, folder, *messages = run_at_home(NO_HUB, **{**environment, **paths})
    assert before == "not found"
    asked, *rest = json.loads(answer)
    assert asks in (asked, None)
    assert rest == [False, ["bur", "bur"], [1.0, 1.0]]
    assert Path(folder) == tmp_path / place / "evaluate_modules" / "metrics" / "fairsum--bur"
    # Modules load without their extra, and name it when they compute.
    for message, (package, extra) in zip(messages, [("torch", "neural")] * 2 + [("spacy", "ner")], strict=True):
        assert f"(No module named '{package}'" in message
        assert message.endswith(f"Install it with: {install_command(extra)}")


# A Hub on this machine where a stranger has published fairsum/bur.
STRANGER = """
import http.server, threading
SCRIPT = b'''
import datasets
import evaluate


class Mine(evaluate.Metric):
    def _info(self):
        features = datasets.Features({"predictions": datasets.Value("string")})
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

    def _compute(self, predictions):
        return {"bur": 0.0}
'''

class Hub(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass
    def do_HEAD(self):
        self.do_GET()
    def do_GET(self):
        body = SCRIPT if self.path.endswith("/bur.py") else b""
        self.send_response(200 if body else 404)
        for name, value in (("ETag", '"1"'), ("X-Repo-Commit", "0" * 40), ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = ("127.0.0.1", server.server_port)
os.environ["HF_ENDPOINT"] = "http://%s:%d" % address
shut(address)
evaluate = import_evaluate()
fairsum("bur")
if "HF_EVALUATE_OFFLINE" not in os.environ:
    assert "class Mine" in text_of(evaluate.load("fairsum/bur"))
"""
OURS_COMES_FIRST = """
assert score(evaluate.load("fairsum/bur")) == 1.0
assert not modules.foreign_modules()
assert not attempts, attempts
print("ours")
"""
KNOWN_AS_FOREIGN = """
from fairsum_utils import InputError, combine, load
from fairsum_utils.cli.env import environment, parts_of
[foreign] = modules.foreign_modules()
document = environment()
assert document["foreign_modules"] == [foreign._asdict()]
asked = len(attempts)
assert score(load("bur")) == score(load("fairsum/bur")) == 1.0  # ours, and nobody is asked
try:
    combine([evaluate.load("fairsum/bur")])
except InputError as error:
    refused = str(error)
try:
    combine(["fairsum/bru"])
except InputError as error:
    misspelt = str(error)
print(json.dumps([os.environ["HF_ENDPOINT"], foreign, parts_of(document)[-1], refused, misspelt]))
"""


@takes_long
def test_both_variables_keep_a_stranger_s_module_out(run_at_home: Callable[..., list[str]]) -> None:
    assert run_at_home(STRANGER + OURS_COMES_FIRST, HF_EVALUATE_OFFLINE="1", HF_HUB_OFFLINE="1") == ["ours"]


def test_a_stranger_s_module_under_our_name_is_recognized(
    run_at_home: Callable[..., list[str]], tmp_path: Path
) -> None:
    hub, (name, origin, folder), [line], refused, misspelt = json.loads(run_at_home(STRANGER + KNOWN_AS_FOREIGN)[-1])
    assert name == "fairsum/bur"
    assert origin.startswith(f"{hub}/spaces/fairsum/bur/resolve/")
    assert Path(folder).parent == tmp_path / "home/.cache/huggingface/modules/evaluate_modules/metrics/fairsum--bur"
    assert line == f"fairsum/bur in the cache of evaluate is not ours: it came from {origin}; remove {folder}"
    assert refused == (
        f"combine: the module fairsum/bur is not ours: evaluate loaded it from {origin}; use 'bur', or load it with "
        "fairsum_utils.load('bur')"
    )
    assert misspelt.startswith("combine: 'fairsum/bru' is not a measure of fairsum (")
    assert misspelt.endswith("), and what the Hub may have under that name is not ours")


def test_foreign_modules_without_notes_of_their_origin(home: Path) -> None:
    assert modules.foreign_modules() == []
    modules.install(["bur"])
    for folder, text in (("a", "# theirs"), ("b", modules.metric_folder("bur").joinpath("bur.py").read_text())):
        version = home / "fairsum--bur" / (folder * 64)
        version.mkdir()
        (version / "bur.py").write_text(text, encoding="utf-8")
        (version / "helper.py").touch()
        (version / "bur.json").write_text("[1", encoding="utf-8")
    (home / "my-team--bur" / ("a" * 64)).mkdir(parents=True)
    (home / "my-team--bur" / ("a" * 64) / "bur.py").write_text("# theirs", encoding="utf-8")
    folder = str(home / "fairsum--bur" / ("a" * 64))
    assert modules.foreign_modules() == [("fairsum/bur", "", folder)]
    (home / "fairsum--bur" / ("a" * 64) / "bur.json").write_text('{"original file path": "/mnt/bur.py"}')
    assert modules.foreign_modules() == [("fairsum/bur", "/mnt/bur.py", folder)]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The module cache of this test."""
    import evaluate

    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", tmp_path / "modules")
    monkeypatch.setattr(sys, "path", [*sys.path])  # evaluate adds its cache
    return modules.modules_folder()


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def taken(name: str = "fairsum--bur") -> str:
    """The script that `evaluate` takes from its cache."""
    import evaluate

    version = evaluate.loading.CachedEvaluationModuleFactory(name).get_module().hash
    script = modules.modules_folder() / name / version / f"{name.split('--')[1]}.py"
    return script.read_text(encoding="utf-8")


def test_an_upgrade_replaces_the_old_version(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = tmp_path / "bur.py"
    monkeypatch.setattr(modules, "metric_folder", lambda name: tmp_path)
    shipped.write_text("# old", encoding="utf-8")
    modules.install(["bur"])
    shipped.write_text("# new", encoding="utf-8")
    assert modules.states(["bur"]) == {"bur": "outdated"}
    assert modules.install(["bur"]) == {"bur": "updated"}
    assert taken() == "# new"
    shipped.write_text("# old", encoding="utf-8")  # and back
    assert modules.install(["bur"]) == {"bur": "updated"}
    assert taken() == "# old"
    assert [path.read_text(encoding="utf-8") for path in home.rglob("bur.py")] == ["# old"]


def test_uninstall_removes_what_was_installed_and_nothing_else(home: Path) -> None:
    for folder in ("fairsum--theirs", "other--bur", "bur"):
        version = home / folder / ("a" * 64)
        version.mkdir(parents=True)
        (version / f"{folder.split('--')[-1]}.py").write_text("# theirs", encoding="utf-8")
    (home / "fairsum--notes.txt").write_text("a file", encoding="utf-8")
    (home / "__init__.py").touch()
    before = tree(home)
    modules.install()
    modules.install(["bur"], namespace="my-team")
    assert modules.uninstall(["bur"]) == {"bur": "removed"}
    assert modules.uninstall(["bur", "uer"]) == {"bur": "absent", "uer": "removed"}
    assert "BUR" in taken("my-team--bur")
    rest = {name: "removed" for name in metric_names() if name not in ("bur", "uer")}
    assert modules.uninstall() == rest
    assert modules.uninstall() == {}
    assert modules.uninstall(namespace="my-team") == {"bur": "removed"}
    assert tree(home) == before


@pytest.mark.parametrize("action", [modules.install, modules.uninstall, modules.states])
@pytest.mark.usefixtures("home")
def test_mistakes(action: Callable[..., object]) -> None:
    with pytest.raises(InputError, match="there is no module 'rouge'; choose one of auc, bur, "):
        action(["bur", "rouge"])
    with pytest.raises(InputError, match="names must be a list of module names, or None for all, found str 'bur'"):
        action("bur")
    for namespace in ("", "a/b", "a--b", "..", "a.b", "-a", "ä", None):
        with pytest.raises(InputError, match="namespace must be a name on the Hub, of letters, digits and single "):
            action(namespace=namespace)
    assert not modules.modules_folder().exists()


def test_command(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fairsum(*arguments: str) -> list[str]:
        assert run_command(["publish", "install", *arguments]) == 0
        return capsys.readouterr().out.splitlines()

    folder = f"folder: {home}"
    every = ", ".join(metric_names())
    count = len(metric_names())
    hint = [
        'The Hub comes first for evaluate.load("fairsum/..."), and the name fairsum there is not ours.',
        "To load what is installed, set both: HF_EVALUATE_OFFLINE=1 HF_HUB_OFFLINE=1",
    ]
    assert fairsum("uer", "bur") == ["installed (2): uer, bur", folder, *hint]
    assert fairsum("bur") == ["unchanged (1): bur", "nothing to change", folder, *hint]
    assert fairsum()[1:] == ["unchanged (2): bur, uer", folder, *hint]
    assert fairsum("--list") == [f"current ({count}): {every}", folder]
    assert fairsum("--namespace", "my-team", "--list") == [f"absent ({count}): {every}", folder]
    assert fairsum("--uninstall") == [f"removed ({count}): {every}", folder]
    assert fairsum("--uninstall") == ["nothing to change", folder]
    monkeypatch.setattr("fairsum_utils.measures.NAMESPACE_IS_OURS", True)
    assert fairsum("bur") == ["installed (1): bur", folder]
    [installed, _, first, _] = fairsum("bur", "--namespace", "my-team")
    assert (installed, first.partition(", and ")[2]) == ("installed (1): bur", "it may have others under that name.")
    with pytest.raises(click.UsageError, match="--uninstall and --list exclude each other"):
        run_command(["publish", "install", "--list", "--uninstall"])


@pytest.mark.parametrize("seconds", [-3600, 0, 3600], ids=["older", "as old", "of the future"])
def test_what_is_installed_comes_before_other_versions_and_leaves_them(home: Path, seconds: int) -> None:
    other = home / "fairsum--bur" / ("0" * 64) / "bur.py"
    other.parent.mkdir(parents=True)
    other.write_text("# of the user", encoding="utf-8")
    changed = time.time_ns() // 10**9 + seconds
    os.utime(other, (changed, changed))
    before = tree(home)
    assert modules.install(["bur"]) == {"bur": "installed"}
    assert "BUR" in taken()
    assert modules.install(["bur"]) == {"bur": "unchanged"}
    later = time.time() + 2 * 3600
    os.utime(other, (later, later))
    assert taken() == "# of the user"
    assert modules.states(["bur"]) == {"bur": "outdated"}
    assert modules.install(["bur"]) == {"bur": "updated"}
    assert "BUR" in taken()
    os.utime(other, (changed, changed))
    assert modules.uninstall() == {"bur": "removed"}
    assert taken() == "# of the user"
    left = {name for name in tree(home) if not name.endswith(".lock")}
    assert left - set(before) == {"__init__.py", "fairsum--bur/__init__.py"}
    assert {name: tree(home)[name] for name in before} == before
