"""Columns of samples: the same in memory and in files of every format, for measures of one family and of several."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import BUR, Sentiment, compute, read_results, score
from fairsum_utils.cli import main
from fairsum_utils.errors import InputError
from fairsum_utils.families import families
from fairsum_utils.measures import get_measure
from fairsum_utils.results.columns import MARK, SampleColumns
from fairsum_utils.results.record import describe_settings, settings_of
from fairsum_utils.results.samples import from_file
from tests._results import FAMILIES, of_family

pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")

ROWS = [
    {"id": "007", "prediction": "Tasty soup.", "sources": ["Tasty soup.", "Cold hour."], "values": ["a", "b"]},
    {"id": 'x,\n"y"', "prediction": "", "sources": ["Tasty hour.", "Cold soup."], "values": ["a", "b"]},
    {"id": "=1+1", "prediction": "Cold soup, awful!", "sources": ["Good soup.", "Cold soup."], "values": ["b", "a"]},
]
# Several of one family, and of several families
MEASURES = ["bur", "uer", "sof", "framing", "position_bias", "omission", "sentiment", "gender_polarity"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def written(data: Path, ending: str, *options: str) -> Path:
    path = data.with_name(f"samples{ending}")
    how = ["--confidence", "none", "--quiet", "--group-column", "none", "--metrics", ",".join(MEASURES)]
    assert main(["score", str(data), "--samples", str(path), *how, *options]) == 0
    return path


def test_a_data_frame_has_the_columns_and_entries_of_the_file(data: Path) -> None:
    frame = score(ROWS, metrics=MEASURES, return_samples=True).samples
    lines = written(data, ".jsonl").read_text(encoding="utf-8").splitlines()
    assert [*map(json.loads, lines)] == frame.astype(object).where(frame.notna(), None).to_dict("records")
    assert [*json.loads(lines[0])] == [*frame.columns]


@pytest.mark.parametrize("ending", [".jsonl", ".parquet", ".csv"])
def test_every_format_gives_the_records_in_memory(data: Path, ending: str) -> None:
    results = score(ROWS, metrics=MEASURES, return_samples=True)
    samples = from_file(written(data, ending, "--with-texts"))
    entries = list(samples.read(MEASURES, texts=True))
    for name in MEASURES:
        assert [entry.records[name] for entry in entries] == results[name]["samples"]
    assert [entry.id for entry in entries] == [row["id"] for row in ROWS]
    assert [entry.sample["sources"] for entry in entries] == [row["sources"] for row in ROWS]
    assert samples.has_texts


def test_names_have_a_prefix_only_where_they_collide() -> None:
    def names(**measures: Any) -> list[str]:
        asked = {label: describe_settings(each.name, {}, each.given()) for label, each in measures.items()}
        return [name for name in SampleColumns(asked).types if name not in ("id", "index", MARK)]

    bur, framing = get_measure("bur")(), get_measure("framing")()
    assert not [name for name in names(bur=bur, uer=get_measure("uer")()) if "." in name]
    both = names(bur=bur, framing=framing)
    assert [name for name in both if "." in name] == ["representation.skipped", "framing.skipped"]
    assert {"bur", "framing", "values", "n_sentences"} <= set(both)
    twice = names(strict=BUR(tau=0.9), lenient=BUR(tau=0.5), framing=framing)
    assert {"strict.bur", "lenient.bur", "strict.values", "framing.skipped", "n_sentences"} <= set(twice)
    # A label that is the name of another family would give two parts one name.
    confusing = names(framing=BUR(tau=0.9), other=BUR(tau=0.5), x=framing)
    assert len(confusing) == len(set(confusing))
    assert {"framing.skipped", "other.skipped", "x.skipped"} <= set(confusing)


def test_a_changed_data_frame_is_a_file_of_samples(data: Path) -> None:
    """The worst samples can be cut out of a data frame and inspected."""
    measures = {"strict": BUR(tau=0.9), "mood": Sentiment()}
    frame = score(ROWS, metrics=measures, return_samples=True).samples
    assert json.loads(frame[MARK][0])["measures"] == {
        "strict": {"measure": "bur", "tau": 0.9},
        "mood": {"measure": "sentiment"},
    }
    path = data.with_name("worst.jsonl")
    frame[frame["bur"] == 1].to_json(path, orient="records", lines=True)
    samples = from_file(path)
    assert samples.columns is not None
    assert samples.columns.settings["strict"] == BUR(tau=0.9)
    assert [entry.records["strict"]["bur"] for entry in samples.read(["strict"])] == [1.0] * int(frame["bur"].sum())


def test_saved_results_and_one_measure_have_the_same_samples(data: Path) -> None:
    results = score(ROWS, metrics=["bur", "uer"], return_samples=True)
    results.save(data.with_name("results.json"))
    again = read_results(data.with_name("results.json"))
    ids = {"id": results.samples["id"]}  # are not saved
    assert again.samples.assign(**ids).equals(results.samples)
    assert results["uer"].samples["uer"].equals(results.samples["uer"])
    assert "bur" not in results["uer"].samples
    assert compute("uer", ROWS, return_samples=True).samples["id"].tolist() == [row["id"] for row in ROWS]
    with pytest.raises(InputError, match=r"no records of samples; score with return_samples=True"):
        _ = score(ROWS, metrics=["bur"]).samples


@pytest.mark.parametrize("family", FAMILIES)
def test_records_have_their_declared_keys_in_every_family(family: str) -> None:
    results = of_family(family, return_samples=True)
    frame, asked = results.samples, results.run.settings()
    assert [*frame.columns] == [*SampleColumns(asked).types]
    for label, result in results.items():
        types = families()[family].record_types((label,), settings_of(label, asked[label]["effective"]))
        assert all([*record] == [*types] for record in result["samples"])
        assert len(frame) == len(result["samples"])
