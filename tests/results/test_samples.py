"""Samples for a page: from files and from memory, of one system and several, all or the worst."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import compare, read_results, score
from fairsum_utils.errors import InputError
from fairsum_utils.reports.page import outline
from fairsum_utils.reports.page.sample import Lens
from fairsum_utils.results.columns import MARK, VERSION
from fairsum_utils.results.pages import contents_of, parts_of
from fairsum_utils.results.samples import Samples, from_file, from_memory, merged, notes_on

LENSES = {"uer": Lens("uer", None, {})}


def record(severity: float) -> dict[str, Any]:
    """A sample with this score, and shares that fall short by it; none for a negative one."""
    if severity < 0:
        return {"skipped": "empty_prediction", "uer": None}
    return {"skipped": None, "uer": severity, "values": ["a"], "summary_share": [1.0], "desired_share": [1.0]}


def part(severities: Mapping[str, float], system: str = "", **texts: str) -> Samples:
    """Samples with these scores."""
    columns = {name: [text] * len(severities) for name, text in texts.items()}
    records = [record(severity) for severity in severities.values()]
    [made] = from_memory({"uer": {"samples": records}}, columns, system=system, ids=list(severities))
    return made


def shown(parts: Iterable[Samples]) -> list[tuple[str, str]]:
    _, samples = merged(list(parts), LENSES)
    return [(sample.id, sample.system) for sample in samples]


def test_systems_stand_side_by_side() -> None:
    a, b = part({"1": 0.1, "2": 0.2, "3": 0.3}, "a"), part({"3": 0.3, "1": 0.1, "4": 0.4}, "b")
    assert shown([a, b]) == [("1", "a"), ("1", "b"), ("2", "a"), ("3", "a"), ("3", "b"), ("4", "b")]


def test_parts_of_a_system_are_one_sample() -> None:
    one = part({"1": 0.1}, predictions="Fine.")
    [other] = from_memory({"bur": {"samples": [{**record(0.1), "bur": 1.0}]}}, {}, ids=["1"])
    _, samples = merged([one, other], {**LENSES, "bur": Lens("bur", None, {})})
    [sample] = samples
    assert sample.sample == {"predictions": "Fine."}
    assert [*sample.records] == ["uer", "bur"]


def few(monkeypatch: pytest.MonkeyPatch, most: int, drawn: int) -> None:
    monkeypatch.setattr(outline, "MOST", most)
    monkeypatch.setattr(outline, "DRAWN", drawn)
    monkeypatch.setattr(outline, "_FEWEST", 1)


def test_the_worst_of_very_many(monkeypatch: pytest.MonkeyPatch) -> None:
    given = part({"a": 0.1, "b": -1, "c": 0.3, "d": 0.2, "e": 0.3})
    few(monkeypatch, 3, 0)
    found, samples = merged([given], LENSES)
    assert [(sample.id, sample.place) for sample in samples] == [("c", 2), ("d", 3), ("e", 4)]
    assert found.notes() == [
        "Of 5 samples the 3 worst and 0 drawn at random are shown. The distributions are those of all."
    ]
    few(monkeypatch, 4, 1)
    assert merged([given], LENSES)[0].notes()[0].startswith("Of 5 samples the 3 worst and 1 drawn at random are shown")
    few(monkeypatch, 5, 0)
    assert merged([given], LENSES)[0].notes() == []


@given(st.lists(st.tuples(st.sampled_from("abcdefghij"), st.sampled_from([-1.0, 0.0, 0.25, 0.5])), max_size=30))
def test_the_worst_are_those_of_a_plain_sort(scored: list[tuple[str, float]]) -> None:
    """Whatever is forgotten on the way: a sample is as bad as in the system where it is worst."""
    systems = [part({name: severity}, f"s{place}") for place, (name, severity) in enumerate(scored)]
    worst: dict[str, float] = {}
    for name, severity in scored:
        worst[name] = max(worst.get(name, -1.0), severity)
    with pytest.MonkeyPatch.context() as patch:
        few(patch, 3, 0)
        samples = shown(systems)
    found = dict.fromkeys(name for name, _ in samples)
    scores = sorted((severity for severity in worst.values() if severity >= 0 or len(worst) <= 3), reverse=True)[:3]
    assert sorted((worst[name] for name in found), reverse=True) == scores
    assert len(samples) == sum(name in found for name, _ in scored)


def test_drawn_samples_are_those_of_the_largest_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, 5, 4)
    names = [f"r{number}" for number in range(100)]
    drawn = sorted(names, key=lambda name: hashlib.blake2b(name.encode(), digest_size=8).digest())[-4:]
    assert {name for name, _ in shown([part(dict.fromkeys(names, -1))])} == set(drawn)
    assert {name for name, _ in shown([part(dict.fromkeys(reversed(names), -1))])} == set(drawn)


def test_notes_on_texts() -> None:
    assert "without their texts" in notes_on([part({"a": 0.1})])[0]
    assert notes_on([part({"a": 0.1}, predictions="x")]) == []
    assert "left out" in notes_on([part({"a": 0.1}, predictions="x")], redact=True)[0]
    assert "return_samples=True" in notes_on([])[0]


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def of(*rows: dict[str, Any]) -> Path:
        path = tmp_path / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return of


MARK_OF_UER = json.dumps({"version": VERSION, "measures": {"uer": {}}})
RECORD = {
    "id": "a", "index": 0, "skipped": None, "uer": 0.0, "values": ["a", "b"], "unmatched": False, "matched": [[], []],
    **{key: [0.5, 0.5] for key in ("source_share", "summary_share", "desired_share", "ratio")}, MARK: MARK_OF_UER,
}  # fmt: skip


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "a", "prediction": "x", "sources": []}, "these are no samples,"),
        ({"index": 0, "prediction": "x"}, "these are no samples,"),
        ({"id": "a", "index": 0, "skipped": None, "uer": 0.1}, "of an earlier version; `fairsum score DATA --samples"),
        (RECORD | {MARK: json.dumps({"version": VERSION + 1, "measures": {}})}, "version 3, .* upgrade it"),
        (RECORD | {MARK: "uer"}, "cannot be read as results"),
        (RECORD | {MARK: json.dumps({"version": VERSION, "measures": {"ure": {}}})}, "ure"),
    ],
)
def test_other_files_are_refused_in_one_line(write: Callable[..., Path], row: dict[str, Any], message: str) -> None:
    path = write(row)
    with pytest.raises(InputError, match=rf"rows.jsonl.*{message}") as error:
        from_file(path)
    assert "\n" not in str(error.value)


def test_samples_of_other_settings_are_refused(write: Callable[..., Path]) -> None:
    mark = json.dumps({"version": VERSION, "measures": {"uer": {"k": 2}}})
    samples = from_file(write(RECORD, RECORD | {"id": "b", "index": 1, MARK: mark}))
    with pytest.raises(InputError, match=r"rows.jsonl, row 2: this sample was scored with other settings"):
        list(samples.read(["uer"]))


@pytest.mark.parametrize(
    "row",
    [
        *(RECORD | entry for entry in ({"index": "x"}, {"index": None}, {"index": math.nan}, {"values": "{"})),
        {key: entry for key, entry in RECORD.items() if key != "ratio"},
    ],
)
def test_records_that_were_changed_by_hand(write: Callable[..., Path], row: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"rows.jsonl cannot be read as results .*changed by hand"):
        list(from_file(write(row)).read(["uer"]))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Results of two systems, of their comparison, and their samples."""
    folder = tmp_path_factory.mktemp("files")
    texts = {"good": ["Tasty hour.", "Cold soup."], "bad": ["Tasty soup.", "Tasty hour."]}
    asked = {"sources": [["Tasty soup.", "Cold hour."]] * 2, "values": [["a", "b"]] * 2, "metrics": ["bur"]}
    for name, each in texts.items():
        score(each, **asked).save(folder / f"{name} results.json")
        samples = score(each, **asked, return_samples=True).samples
        samples.to_json(folder / f"{name} samples.jsonl", orient="records", lines=True)
    compare(texts, **asked).save(folder / "both.json")
    return {path.stem: path for path in folder.iterdir()}


def page(results: Path, *samples: Path) -> Any:
    """Contents of the page of results with these samples."""
    read = read_results(results).whole()
    return contents_of(read, parts_of(read, [*samples]))


def test_samples_of_another_system_and_a_part_of_them_are_refused(files: dict[str, Path], tmp_path: Path) -> None:
    assert page(files["good results"], files["good samples"])
    # Tasty hour: one word of each value, so fair; Tasty soup: none of b
    with pytest.raises(InputError, match=r"the mean of bur is 0\.5000 in the samples, and 0\.0000 in the results"):
        page(files["good results"], files["bad samples"])
    part = tmp_path / "part.jsonl"
    part.write_text(files["bad samples"].read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    with pytest.raises(InputError, match="1 samples have a score of bur, and the results are of 2"):
        page(files["bad results"], part)


def test_a_drawing_has_distributions_from_a_file(files: dict[str, Path]) -> None:
    results = read_results(files["good results"])
    assert not [axes for axes in results.plot("bur").axes if "over samples" in axes.get_title("left")]
    drawn = results.plot("bur", samples=files["good samples"])
    assert [axes for axes in drawn.axes if "over samples" in axes.get_title("left")]
    with pytest.raises(InputError, match="these are not the samples of the results"):
        results.plot(samples=files["bad samples"])
    with pytest.raises(InputError, match="plot each system by itself"):
        read_results(files["both"]).plot(samples=files["good samples"])


def test_systems_that_are_mixed_up_are_refused(files: dict[str, Path], tmp_path: Path) -> None:
    assert page(files["both"], files["bad samples"], files["good samples"])
    assert page(files["both"], files["bad samples"])
    x, y = tmp_path / "x.jsonl", tmp_path / "y.jsonl"
    shutil.copy(files["bad samples"], x)
    shutil.copy(files["good samples"], y)
    with pytest.raises(InputError, match=r"the mean of bur of good is 0\.5000 in the samples, and 0\.0000"):
        page(files["both"], x, y)
    assert page(files["both"], y, x)
