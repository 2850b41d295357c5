"""What SECURITY.md says, as far as a test can tell; each test cites its sentence."""

from __future__ import annotations

import ast
import json
import pickle
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli import main
from fairsum_utils.io import downloads

ROOT = Path(__file__).resolve().parents[1]
ROW = {"id": "1", "prediction": "Tasty soup", "sources": ["Tasty", "slow service"], "values": ["p", "q"]}


def says(sentence: str) -> None:
    """The test is of a sentence that is there."""
    text = " ".join((ROOT / "SECURITY.md").read_text(encoding="utf-8").replace("**", "").split())
    assert sentence in text


def sources() -> Iterator[tuple[Path, str]]:
    for path in sorted([*(ROOT / "fairsum_utils").rglob("*.py"), *(ROOT / "metrics").rglob("*.py")]):
        yield path, path.read_text(encoding="utf-8")


READS_CODE = re.compile(
    r"(pickle|cPickle|dill|cloudpickle|marshal|shelve|joblib|jsonpickle)\.(load|loads|Unpickler|open)"
    r"|(np|numpy)\.(load|loadtxt|fromfile)|torch\.load|(pd|pandas)\.read_pickle|yaml\.(load|unsafe_load|full_load)"
    r"|KeyedVectors\.load|.*\.read_pickle|(builtins\.)?(eval|exec)|os\.system|importlib\.reload"
)


def test_nothing_that_could_run_code_is_called() -> None:
    says("No pickle is read from a file, and nothing else that could run code")
    found = []
    suspect = re.compile(rf"\b({READS_CODE.pattern})\(|trust_remote_code|allow_pickle")
    for path, text in sources():
        for node in ast.walk(ast.parse(text)) if suspect.search(text) else ():
            if isinstance(node, ast.Call) and READS_CODE.fullmatch(ast.unparse(node.func)):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}")
            is_remote = isinstance(node, ast.keyword) and node.arg in ("trust_remote_code", "allow_pickle")
            if is_remote and ast.unparse(node.value) != "False":  # type: ignore[attr-defined]
                found.append(f"{path.relative_to(ROOT)}:{node.value.lineno}: {ast.unparse(node)}")  # type: ignore[attr-defined]
    assert found == []


class Evil:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.write_text, (self.path, "x")


ENDINGS = (
    ".jsonl", ".json", ".csv", ".tsv", ".parquet", ".arrow", ".feather", ".ndjson", ".pkl", ".txt", ".xml", ".npy",
)  # fmt: skip


@pytest.mark.parametrize("protocol", [0, 2, 5])
def test_a_pickle_runs_nothing_wherever_a_file_is_read(
    protocol: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says("No pickle is read from a file")
    monkeypatch.chdir(tmp_path)
    owned, content = tmp_path / "owned", pickle.dumps(Evil(tmp_path / "owned"), protocol=protocol)
    Path("rows.jsonl").write_text(json.dumps(ROW | {"group": "a"}) + "\n")
    for ending in ENDINGS:
        Path(f"evil{ending}").write_bytes(content)
    for name in ("state.json", "dataset_dict.json", "manifest.json", "data.arrow"):
        Path("saved").mkdir(exist_ok=True)
        Path("saved", name).write_bytes(content)
    Path("run").mkdir()
    Path("run", "rows-000001.parquet").write_bytes(content)
    commands = [
        *(["score", f"evil{ending}", "--input-format", format] for ending in ENDINGS for format in ("csv", "parquet")),
        *(["score", f"evil{ending}"] for ending in ENDINGS),
        ["score", "saved"],
        ["score", "run"],
        ["report", "evil.json", "-o", "page.html"],
        ["score", "rows.jsonl", "--metrics", "psycholinguistic_norms", "--set", "lexicon=evil.tsv"],
        ["score", "rows.jsonl", "--metrics", "word_list_inclusion", "--set", "word_lists=evil.json"],
        ["data", "annotate", "evil.jsonl", "--output", "documents.jsonl"],
        ["--config", "evil.txt", "score", "rows.jsonl"],
    ]
    for command in commands:
        try:
            status: Any = main(command)
        except SystemExit as error:
            status = error.code
        message = capsys.readouterr().err
        assert status not in (0, 70), (command, message)
        assert not owned.exists(), command
        if protocol and command == ["score", "evil.jsonl"]:  # protocol 0 is text
            assert "a Python pickle, which fairsum does not load because it can run code" in message


SECRETS = {
    "HF_TOKEN": "hf_FAKEfakeFAKEfake",
    "OPENAI_API_KEY": "sk-FAKEfakeFAKEfake",
    "AWS_SECRET_ACCESS_KEY": "FAKE/secret+FAKE/secret",
    "WANDB_API_KEY": "fakefakefakefakefakefake",
}


class Echo(BaseHTTPRequestHandler):
    """Quotes what it was asked, with its headers, as a server in need of debugging does."""

    def do_GET(self) -> None:
        quoted = {"error": {"message": f"{self.headers} {SECRETS}"}, "path": self.path, **dict(self.headers.items())}
        body = json.dumps(quoted).encode()
        self.send_response(401, f"no {self.headers.get('Authorization')}")
        self.send_header("X-Error-Message", f"no {self.headers.get('Authorization')}")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_POST = do_PUT = do_GET

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def echo() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_no_secret_is_said_or_written_whatever_a_server_quotes(
    light: Any, echo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says("No secret is printed or written")
    for package in ("openai", "huggingface_hub", "aiohttp", "transformers"):
        pytest.importorskip(package)
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW | {"prompt": "Hi"}) + "\n")
    host = echo.removeprefix("http://")
    signed = f"{echo}/rows.jsonl?X-Amz-Credential=AKFAKEfake&X-Amz-Signature=5ecre7FAKE&token=FAKEtoken"
    commands = [
        f"generate rows.jsonl --model m --url {echo}/v1 --set max_retries=0 --output g.jsonl",
        f"score {signed} --output r.json --rows run",
        f"score http://me:FAKEpass@{host}/rows.jsonl --output r.json",
        f"data build perspectivesumm --config yelp --set base_url={echo}/ --output y.jsonl",
    ]
    environment = {
        **SECRETS,
        "HF_ENDPOINT": echo,
        "HF_HUB_OFFLINE": "0",
        "HF_HOME": str(tmp_path / "hf"),
        "FAIRSUM_CACHE": str(tmp_path / "cache"),
        "NO_PROXY": "127.0.0.1",
        "PYTHONPATH": str(ROOT),
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    said = []
    for command in commands:
        status = main(command.split())
        said.append((command, status, *capsys.readouterr()))
    # The library of the Hub reads its variables when it is imported.
    words = "-m fairsum_utils score rows.jsonl --metrics equal_coverage --set entailer=me/x"
    done = light.start(words.split(), tmp_path).wait()
    said.append((words, done.returncode, done.stdout, done.stderr))
    hidden = [*SECRETS.values(), "FAKEpass", "5ecre7FAKE", "FAKEtoken", "AKFAKEfake"]
    for command, status, out, err in said:
        assert status == 2, (command, out, err)
        assert err.count("\n") <= 2, (command, err)
        assert [secret for secret in hidden if secret in out + err] == [], (command, out, err)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert [secret for secret in hidden if secret.encode() in content] == [], path


@pytest.mark.usefixtures("undrawn")
def test_a_signed_address_is_read_and_recorded_without_its_signature(
    server: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says("signatures in queries, such as `X-Amz-Signature`")
    pytest.importorskip("aiohttp")
    url, site = server
    (site / "rows.jsonl").write_text("".join(json.dumps(ROW | {"id": str(place)}) + "\n" for place in range(3)))
    signed = f"{url}rows.jsonl?X-Amz-Signature=5ecre7FAKE"
    monkeypatch.chdir(tmp_path)
    outputs = ["--output", "r.json", "--report", "r.html", "--samples", "s.jsonl", "--rows", "run"]
    assert main(["score", signed, *outputs, "--format", "json"]) == 0
    assert main(["score", signed]) == 0
    assert main(["score", "run", "--output", "m.json"]) == 0
    assert main(["compare", signed, signed, "--labels", "a,b", "--output", "c.json"]) == 0
    assert main(["inspect", signed, "--output", "i.json"]) == 0
    assert "5ecre7FAKE" not in "".join(capsys.readouterr())
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 7
    assert [path for path in written if b"5ecre7FAKE" in path.read_bytes()] == []
    assert json.loads(Path("r.json").read_text())["run"]["inputs"][0]["path"].endswith("?X-Amz-Signature=***")


def test_an_error_that_nobody_has_foreseen_shows_no_secret_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says("tracebacks of the command")
    monkeypatch.setenv("HF_TOKEN", "hf_FAKEfakeFAKEfake")
    monkeypatch.setattr("fairsum_utils.cli.env.environment", lambda: {}["no \x1b[31m hf_FAKEfakeFAKEfake"])
    assert main(["env"]) == 70
    message = capsys.readouterr().err
    assert "KeyError: 'no \\x1b[31m ***'" in message
    assert message.endswith(
        "fairsum: error: this should not happen (KeyError); please report it with the lines above\n"
    )
    assert "hf_FAKE" not in message
    assert "\x1b" not in message


def test_one_function_masks() -> None:
    says("`fairsum_utils._util.secrets.masked` replaces secrets")
    assert masked("Bearer abcdefgh") == "Bearer ***"
    others = [path.name for path, text in sources() if '"***"' in text or "'***'" in text]
    assert others == ["secrets.py"]


def test_limits() -> None:
    says("hold at most 1 GB")
    assert downloads._LARGEST == 10**9
    says("a million replicates and 512 workers")
    from fairsum_utils.run.engines import MOST_WORKERS
    from fairsum_utils.settings import MOST_DRAWS

    assert (MOST_DRAWS, MOST_WORKERS) == (1_000_000, 512)
