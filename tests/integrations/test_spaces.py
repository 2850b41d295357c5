"""Every Space as it is published: it starts without the repository, and answers with what its measure says."""

from __future__ import annotations

import html
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import pytest
from huggingface_hub import SpaceCard

import fairsum_utils
from fairsum_utils._util.installation import with_requirements
from fairsum_utils.integrations import modules
from fairsum_utils.integrations.hub import space_contents
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.formats import to_json
from fairsum_utils.reports.report import report_of
from tests.conftest import takes_long

HERE = Path(__file__).parent
PACKAGE = "https://example.org/fairsum_utils-0.1.0-py3-none-any.whl"
ROOT = HERE.parents[1]
NAMES = modules.metric_names()
# Measures that run a model by default.
MODELS = ("regard", "toxicity")
# Spaces that are started, at night; tests/integrations/test_space.py has the answers of all.
STARTED = ("bur", "sentiment")
# Measures that find names with spaCy, unless they are told them, as on their pages.
FIND_NAMES = ("distinguishability", "entity_hallucination", "entity_inclusion")


def with_gradio(test: Callable[..., None]) -> Callable[..., None]:
    """Marks a test that needs running Spaces."""
    needed = pytest.mark.skipif(importlib.util.find_spec("gradio") is None, reason="gradio is not installed")
    return takes_long(needed(test))


class Server(NamedTuple):
    """Spaces that run."""

    addresses: dict[str, str]
    library: Path
    folder: Path
    log: Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The Spaces as they are published, in folders of their own, with an installed library beside them."""
    folder = tmp_path_factory.mktemp("spaces")
    shutil.copytree(ROOT / "fairsum_utils", folder / "site/fairsum_utils", ignore=shutil.ignore_patterns("__pycache__"))
    for name in STARTED:
        (folder / name).mkdir()
        for path, contents in space_contents(name, PACKAGE).items():
            (folder / name / path).write_bytes(contents)
    log, stderr = folder / "asked.txt", folder / "stderr.txt"
    log.touch()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GRADIO_", "HF_"))}
    environment |= {
        "PYTHONPATH": str(folder / "site"),
        "HF_HOME": str(folder / "huggingface"),
        "FAIRSUM_CACHE": str(folder / "cache"),
        "GRADIO_TEMP_DIR": str(folder / "uploads"),
    }
    with ExitStack() as stack:
        errors = stack.enter_context(stderr.open("w", encoding="utf-8"))
        process = stack.enter_context(serving([folder / name for name in STARTED], log, errors, environment))
        line = process.stdout.readline()
        assert line, stderr.read_text(encoding="utf-8")
        answer = json.loads(line)
        addresses = {name: address for name, (address, _) in answer["started"].items()}
        library = Path(answer["library"])
        yield Server(addresses, library, folder, log)
    said = stderr.read_text(encoding="utf-8")
    assert "Traceback" not in said
    assert re.search(r"(fairsum_utils|gradio)\S*: \w*Warning", said) is None, said


@contextmanager
def serving(folders: list[Path], log: Path, errors: IO[str], environment: dict[str, str]) -> Iterator[Any]:
    """A process that runs Spaces; it says where they are, as tests/integrations/serve_spaces.py does."""
    command = [sys.executable, HERE / "serve_spaces.py", log, *folders]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=errors, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def connect(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Gives gradio's own client of a Space."""
    gradio_client = pytest.importorskip("gradio_client")
    monkeypatch.setenv("GRADIO_ANALYTICS_ENABLED", "False")
    for variable in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(variable, "127.0.0.1")
    clients = []

    def connect_to(name: str) -> Any:
        clients.append(
            gradio_client.Client(
                server.addresses[name], verbose=False, analytics_enabled=False, download_files=tmp_path / "downloads"
            )
        )
        return clients[-1]

    yield connect_to
    for client in clients:
        client.close()


def shown(client: Any) -> dict[str, Any]:
    """What the page shows at first, by label, in the order in which its function takes it."""
    [score] = [function for function in client.config["dependencies"] if function["api_name"] == "score"]
    components = {component["id"]: component["props"] for component in client.config["components"]}
    parts = [components[place] for place in score["inputs"]]
    return {part["label"].split(":")[0]: part.get("value") for part in parts}


@pytest.mark.parametrize("name", NAMES)
def test_a_space_is_ready_and_needs_gradio_and_the_library_only(name: str) -> None:
    contents = {path: data.decode() for path, data in space_contents(name, PACKAGE).items()}
    assert set(contents) == {f"{name}.py", "README.md", "app.py", "requirements.txt"}
    text = (modules.metric_folder(name) / f"{name}.py").read_text(encoding="utf-8")
    assert contents[f"{name}.py"] == with_requirements(text, PACKAGE)
    assert "](../" not in contents["README.md"]  # links to files of the project are words
    card = SpaceCard(contents["README.md"]).data.to_dict()
    assert (card["sdk"], card["app_file"], card["pinned"]) == ("gradio", "app.py", False)
    assert card["title"]
    assert card["sdk_version"]
    assert {"evaluate", "metric"} <= set(card["tags"])
    assert set(re.findall(r"^(?:import|from) (\w+)", contents["app.py"], re.MULTILINE)) <= {"fairsum_utils", "gradio"}
    [requirement] = contents["requirements.txt"].splitlines()
    found = re.fullmatch(r"fairsum-utils(?:\[([\w,]+)\])? @ (.+)", requirement)
    assert found is not None
    extras, address = found.groups()
    needed = ({"neural"} if name in MODELS else set()) | ({"ner"} if name in FIND_NAMES else set())
    if "language" in get_measure(name).infos() and name != "psycholinguistic_norms":  # which loads no package for it
        needed |= {"languages"}
    assert set((extras or "").split(",")) - {""} == needed
    assert needed <= set(re.findall(r'^    "(\w+)": ', (ROOT / "setup.py").read_text(encoding="utf-8"), re.MULTILINE))
    assert address == PACKAGE


@with_gradio
@pytest.mark.parametrize("name", STARTED)
def test_answer_to_the_example_is_the_measures(name: str, connect: Callable[[str], Any]) -> None:
    client = connect(name)
    said = report_of(get_measure(name).family)
    page = said.page(name)
    report, figure, answer = client.predict(*shown(client).values(), api_name="/score")
    result = fairsum_utils.compute(name, **page.example, **page.settings, return_samples=True)
    assert answer == json.loads(to_json(result))
    assert report.startswith(f"<p>{html.escape(said.headline(name, result))}")
    assert figure["plot"].startswith("data:image/png;base64,")


@with_gradio
def test_a_file_of_samples(server: Server, connect: Callable[[str], Any], tmp_path: Path) -> None:
    library, errors = pytest.importorskip("gradio_client"), pytest.importorskip("gradio_client.exceptions")
    client = connect("sentiment")
    rows = [{"prediction": text, "group": group} for text in ("She won.", "A brutal fight.") for group in "ab"]
    given = tmp_path / "texts.jsonl"
    given.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    report, _, answer, page = client.predict(library.handle_file(given), 0.5, api_name="/score_file")
    assert answer == json.loads(to_json(fairsum_utils.compute("sentiment", rows)))
    assert "texts.jsonl: 4 samples scored" in report
    page = Path(page["value"] if isinstance(page, dict) else page)
    assert page.name == "texts-sentiment.html"
    assert "A brutal" in page.read_text(encoding="utf-8") or page.stat().st_size > 20_000
    given.write_text("<img src=x onerror=alert(1)>,group\nx,a\n", encoding="utf-8")
    csv = given.rename(given.with_suffix(".csv"))
    message = r"texts\.csv: no column 'prediction'; found &lt;img src=x onerror=alert\(1\)&gt;, group\. Rename"
    with pytest.raises(errors.AppError, match=message):  # escaped, for gradio shows messages as HTML
        client.predict(library.handle_file(csv), 0.5, api_name="/score_file")
    with pytest.raises(errors.AppError, match="No file yet; add one first"):
        client.predict(None, 0.5, api_name="/score_file")


@with_gradio
def test_library_is_the_installed_one_and_nobody_is_called(server: Server) -> None:
    assert server.library == server.folder / "site" / "fairsum_utils" / "__init__.py"
    assert sorted(server.addresses) == sorted(STARTED)
    assert server.log.read_text(encoding="utf-8") == ""
