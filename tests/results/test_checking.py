"""Samples are held against the results that they are said to be of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import read_results
from fairsum_utils.cli import main
from fairsum_utils.errors import InputError
from fairsum_utils.results.pages import contents_of, of_files, parts_of
from fairsum_utils.results.samples import checked, told_by
from tests._results import FAMILIES, of_comparison, of_family, of_systems


def fairsum(*arguments: object) -> None:
    assert main([*map(str, arguments), "--quiet"]) == 0


SOURCES, VALUES = ["Tasty soup.", "Cold hour."], ["a", "b"]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Results of two systems, of their comparison, and their samples."""
    written = {}
    for name, texts in {"good": ["Tasty hour.", "Cold soup."], "bad": ["Tasty soup.", "Tasty hour."]}.items():
        rows = [
            {"id": str(n), "prediction": text, "sources": SOURCES, "values": VALUES} for n, text in enumerate(texts)
        ]
        data = tmp_path / f"{name}.jsonl"
        data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        for kind in ("results.json", "samples.jsonl"):
            written[f"{name} {kind[:7]}"] = tmp_path / f"{name}-{kind}"
        fairsum(
            "score", data, "--metrics", "bur,sof", "--output", written[f"{name} results"],
            "--samples", written[f"{name} samples"], "--with-texts",
        )  # fmt: skip
    written["both"] = tmp_path / "both.json"
    fairsum("compare", tmp_path / "good.jsonl", tmp_path / "bad.jsonl", "--metrics", "bur", "--output", written["both"])
    return written


def page(results: Path, *samples: Path) -> bool:
    path = results.parent / "page.html"
    path.unlink(missing_ok=True)
    try:
        read_results(results).report(path, samples=[*samples])
    except InputError:
        assert not path.exists()
        raise
    return path.exists()


@pytest.mark.parametrize("family", FAMILIES)
def test_results_are_of_their_own_samples(family: str) -> None:
    results = of_family(family, return_samples=True)
    assert told_by(results)
    [*samples] = contents_of(results, parts_of(results)).samples
    assert samples


def test_results_say_their_scores() -> None:
    # tests/_results.py: one pair, one number a system
    for results in (of_comparison(), of_systems()):
        told = told_by(results)
        assert {system for system, _ in told} == {*results._systems()}
        assert all(n > 0 for n, _ in told.values())
    found = of_systems()
    assert told_by(found)["lead", "bur"][1] == found["metrics"]["bur"]["systems"]["lead"]["score"]


def test_samples_of_another_system_are_refused(files: dict[str, Path]) -> None:
    assert page(files["good results"], files["good samples"])
    # Tasty hour: one word of each value, so fair; Tasty soup: none of b
    with pytest.raises(InputError, match=r"the mean of bur is 0\.5000 in the samples, and 0\.0000 in the results"):
        page(files["good results"], files["bad samples"])


def test_a_part_of_the_samples_is_refused(files: dict[str, Path], tmp_path: Path) -> None:
    first, *_ = files["bad samples"].read_text(encoding="utf-8").splitlines(keepends=True)
    part = tmp_path / "part.jsonl"
    part.write_text(first, encoding="utf-8")
    with pytest.raises(InputError, match="1 samples have a score of bur, and the results are of 2"):
        page(files["bad results"], part)


def test_systems_that_are_mixed_up_are_refused(files: dict[str, Path], tmp_path: Path) -> None:
    assert page(files["both"], files["bad samples"], files["good samples"])
    assert page(files["both"], files["bad samples"])
    x, y = (files[f"{name} samples"].rename(tmp_path / f"{new}.jsonl") for name, new in (("bad", "x"), ("good", "y")))
    with pytest.raises(InputError, match=r"the mean of bur of good is 0\.5000 in the samples, and 0\.0000"):
        page(files["both"], x, y)
    assert page(files["both"], y, x)


def test_a_file_of_several_families_is_refused(files: dict[str, Path], tmp_path: Path) -> None:
    """Earlier versions wrote such files, in which a key of one family stands for the other too."""
    both, results = tmp_path / "both.jsonl", tmp_path / "both.json"
    how = ("score", tmp_path / "bad.jsonl", "--entailer", "lexical")
    fairsum(*how, "--metrics", "bur,equal_coverage", "--output", results)
    rows: list[dict[str, Any]] = [{}, {}]
    for name in ("bur", "equal_coverage"):
        samples = tmp_path / f"{name}.jsonl"
        fairsum(*how[: 2 if name == "bur" else 4], "--metrics", name, "--samples", samples)
        for row, line in zip(rows, samples.read_text(encoding="utf-8").splitlines(), strict=True):
            row |= json.loads(line)
    both.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(
        InputError,
        match=r"mix representation and coverage under .* write them again: fairsum score DATA --samples FILE",
    ):
        of_files(read_results(results), [both])


def test_nothing_is_known_of_other_labels() -> None:
    assert list(checked([], {}, {})) == []
