"""The page on upgrading: what it tells to write runs, what it tells to replace is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import datasets
import evaluate
import pytest

from fairsum_utils.cli import main
from fairsum_utils.errors import InputError

SOURCES = [["Tasty soup.", "Awful soup, slow staff."]] * 2
VALUES = [["pos", "neg"]] * 2
NEW_CALLS = (": write metric", "; write metric", "compare_systems is now compare", "give a mapping of names")
"""Words of the refusals that name the new call."""


class Tokenizer:
    """As much of one as is asked before a model runs."""

    eos_token_id = pad_token_id = 0
    model_max_length = 100

    def __call__(self, text: str, **options: Any) -> dict[str, list[int]]:
        return {"input_ids": [1, 2, 3]}


def generator(prompts: list[str], return_full_text: bool) -> list[list[dict[str, str]]]:
    """Stand in for a pipeline of transformers."""
    return [[{"generated_text": "Tasty soup."}] for _ in prompts]


def names(rouge: Any) -> dict[str, Any]:
    """What the page takes for granted."""
    columns = {"predictions": ["Tasty soup.", "Soup."], "sources": SOURCES, "values": VALUES}
    table = datasets.Dataset.from_dict({"prompt": ["Summarize."] * 2, "sources": SOURCES, "values": VALUES})
    config = SimpleNamespace(is_encoder_decoder=True, max_position_embeddings=100)
    trainer = SimpleNamespace(
        processing_class=Tokenizer(), is_fsdp_enabled=False, model=SimpleNamespace(config=config, named_modules=list)
    )
    return {
        **columns,
        "columns": columns | {"references": ["Soup.", "Soup."]},
        "baseline": ["Awful soup.", "Soup."],
        "systems": {"first": ["Awful soup.", "Soup."], "second": columns["predictions"]},
        "a": ["Ann won.", "Bob won."],
        "b": ["Ann won.", "Ann lost."],
        "m": [["Ann"], ["Bob"]],
        "n": [["Ann"], ["Ann"]],
        "people": [[{"first_name": "Ann", "group": "f"}, {"first_name": "Bob", "group": "m"}]] * 2,
        "table": {"sources": SOURCES, "values": VALUES, "system_1": ["Soup."] * 2, "system_2": ["Awful."] * 2},
        "rouge": rouge,
        "generator": generator,
        "data": table,
        "evaluation": table,
        "tokenizer": Tokenizer(),
        "trainer": trainer,
        "prompts": ["Summarize."] * 2,
        "candidates": [["Tasty soup.", "Tasty, awful."]] * 2,
    }


def blocks(repository: Path, language: str) -> list[str]:
    page = (repository / "docs" / "pages" / "how-to" / "upgrade.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.+?)```", page, re.S)


def test_new_calls_run_and_old_ones_are_refused(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for needed in ("rouge_score", "transformers"):
        pytest.importorskip(needed)
    monkeypatch.chdir(repository)
    known, n_refused = names(evaluate.load("tests/_rouge_module/rouge.py")), 0
    for block in blocks(repository, "python"):
        first, *others = re.split(r"^# before: (.+)\n", block, flags=re.M)
        exec(first, known)
        for old, new in zip(others[::2], others[1::2], strict=True):
            with pytest.raises((InputError, ImportError)) as caught:
                exec(old, known)
            assert "import" in old or any(new_call in str(caught.value) for new_call in NEW_CALLS)
            exec(new, known)
            n_refused += 1
    assert n_refused == 14
    assert known["results"]["strict"]["bur"] >= known["results"]["lenient"]["bur"]


def test_the_file_of_settings(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [settings] = blocks(repository, "toml")
    monkeypatch.chdir(tmp_path)
    Path("fairsum.toml").write_text(settings, encoding="utf-8")
    row = {"prediction": "Tasty soup.", "sources": SOURCES[0], "values": VALUES[0]}
    Path("rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert main(["score", "rows.jsonl", "--format", "json"]) == 0
    results = json.loads(capsys.readouterr().out)["metrics"]
    assert [*results] == ["bur", "uer"]
    assert "|tau:0.9|" in results["bur"]["signature"]
