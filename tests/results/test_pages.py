"""Results as pages: where samples and settings come from, and what a page then holds."""

from __future__ import annotations

import base64
import copy
import pickle
import re
import zlib
from pathlib import Path

import pytest

from fairsum_utils import UER, compare, compute, read_results, score
from fairsum_utils.errors import InputError
from fairsum_utils.results import Comparison, ScoreResults
from fairsum_utils.results.pages import contents_of, lenses_of, of_files, parts_of
from tests._results import FAMILIES, SUMMARIES, A, B, of_family, of_systems

pytestmark = pytest.mark.usefixtures("undrawn")


def opened(path: Path) -> str:
    """All of a page, what is packed in it unpacked."""
    page = path.read_text(encoding="utf-8")
    blocks = re.findall(r"<script type=\"[^\"]+\"[^>]*>([A-Za-z0-9+/=]+)</script>", page)
    return page + "".join(zlib.decompress(base64.b64decode(block), wbits=-15).decode() for block in blocks)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_page_of_every_family_has_its_texts_unless_redacted(family: str, tmp_path: Path) -> None:
    results = of_family(family, return_samples=True)
    results.report(tmp_path / "a.html")
    results.title = "/home/ann/secret/rows.jsonl"
    results.report(tmp_path / "b.html", redact=True)
    whole, redacted = (opened(tmp_path / name) for name in ("a.html", "b.html"))
    data = results.run.data
    assert all(word in whole for text in data["predictions"] for word in re.findall(r"\w+", text))
    texts = [*data["predictions"], *str(data.get("sources", "")).split(".")]
    assert not [text for text in texts if text.strip("'[], ") and text in redacted]
    for word in ("soup", "bread", "staff", "awful", "Levin", "Twain", "secret"):
        assert not re.search(rf"\b{word}\b", redacted), word


def test_a_result_of_one_measure_has_a_page(tmp_path: Path) -> None:
    of_family("coverage")["equal_coverage"].report(tmp_path / "a.html", title="My <title>")
    assert "<h1><bdi>My &lt;title&gt;</bdi></h1>" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_results_remember_the_columns_until_they_are_pickled_or_saved(tmp_path: Path) -> None:
    results = score(A, **SUMMARIES, return_samples=True, metrics=["uer"])
    assert [text is given for text, given in zip(results.run.data["predictions"], A, strict=True)] == [True] * 4
    assert "data" not in repr(results.run)
    for forgotten in (pickle.loads(pickle.dumps(results)), copy.deepcopy(results), score(A, **SUMMARIES)):
        assert forgotten.run.data == {}
    results.save(tmp_path / "a.json")
    assert "Friendly staff" not in (tmp_path / "a.json").read_text(encoding="utf-8")


def test_the_samples_of_saved_results_are_given_again(tmp_path: Path) -> None:
    score(A, **SUMMARIES, return_samples=True, metrics=["uer"]).save(tmp_path / "a.json")
    again = read_results(tmp_path / "a.json")
    again.report(tmp_path / "a.html")
    assert "without their texts" in opened(tmp_path / "a.html")
    again.report(tmp_path / "a.html", samples={"predictions": A, **SUMMARIES})
    assert "staff" in opened(tmp_path / "a.html")
    rows = [dict(zip(("prediction", *SUMMARIES), row, strict=True)) for row in zip(A, *SUMMARIES.values(), strict=True)]
    again.report(tmp_path / "b.html", samples=rows)
    assert opened(tmp_path / "b.html") == opened(tmp_path / "a.html")


def test_other_samples_are_refused(tmp_path: Path) -> None:
    results = score(A, **SUMMARIES, return_samples=True, metrics=["uer"])
    fewer = {name: column[:3] for name, column in {"predictions": A, **SUMMARIES}.items()}
    with pytest.raises(InputError, match="uer has the records of 4 samples, and predictions has 3 entries"):
        results.report(tmp_path / "a.html", samples=fewer)
    with pytest.raises(InputError, match="no records of samples; score with return_samples=True"):
        of_family("representation").report(tmp_path / "a.html", samples=fewer)
    assert not (tmp_path / "a.html").exists()


def test_systems_with_their_samples(tmp_path: Path) -> None:
    summaries, asked = {"lead": A, "last": B}, {**SUMMARIES, "metrics": ["uer"]}
    scored = {name: score(texts, **asked, return_samples=True) for name, texts in summaries.items()}
    found = compare(summaries, **asked)
    found.report(tmp_path / "a.html", samples=scored)
    samples = list(contents_of(found, parts_of(found, scored)).samples)
    assert [(sample.id, sample.system) for sample in samples[:3]] == [("0", "lead"), ("0", "last"), ("1", "lead")]
    assert samples[1].sample["predictions"] == B[0]
    assert samples[1].records["uer"] == scored["last"]["uer"]["samples"][0]


def test_settings_are_those_of_the_run_or_none(tmp_path: Path) -> None:
    results = compute("bur", predictions=A, **SUMMARIES, k=2, tau=0.5)
    results.save(tmp_path / "a.json")
    for given in (results.whole(), read_results(tmp_path / "a.json")):
        lens = lenses_of(given)["bur"]
        assert (lens.settings.k, lens.settings.tau) == (2, 0.5)
        assert lens.result["n_skipped"] == results["n_skipped"]
    assert lenses_of(of_systems())["bur"].result == {}
    assert lenses_of(ScoreResults({"bur": dict(results)}))["bur"].settings is None

    def matcher(texts: list[str], summary: str) -> list[float]:
        return [1.0] * len(texts)

    scored = score(A, **SUMMARIES, metrics=UER(matcher=matcher), return_samples=True)
    assert lenses_of(scored)["uer"].settings is None  # a function of the caller cannot be read back
    scored.report(tmp_path / "a.html")
    assert "staff" in opened(tmp_path / "a.html")


def test_files_belong_to_systems_by_name(tmp_path: Path) -> None:
    results = of_systems()
    frame = score(A, **SUMMARIES, metrics=["uer"], return_samples=True).samples

    def write(name: str) -> Path:
        frame.head(1).to_json(tmp_path / name, orient="records", lines=True)
        return tmp_path / name

    paths = [write("none_samples.jsonl"), write("lead.jsonl"), write("x-last.jsonl")]
    assert [part.system for part in of_files(results, paths)] == ["none", "lead", "last"]
    paths = [write("1.jsonl"), write("2.jsonl"), write("3.jsonl")]
    assert [part.system for part in of_files(results, paths)] == ["lead", "last", "none"]
    # the first place that no name takes
    assert [part.system for part in of_files(results, [paths[0], write("lead-b.jsonl"), paths[2]])] == [
        "last", "lead", "none",
    ]  # fmt: skip
    with pytest.raises(InputError, match="1, 2 match no system by name; the results have lead, last, none"):
        of_files(results, paths[:2])
    one = of_family("representation")
    assert [part.system for part in of_files(one, paths[:2])] == ["1", "2"]
    assert [part.system for part in of_files(one, paths[:1])] == [""]
    with pytest.raises(InputError, match="not scored for equal_coverage, coverage_parity"):
        of_files(of_family("coverage"), paths[:1])


def test_a_page_is_called_as_what_was_scored() -> None:
    assert contents_of(Comparison({}, systems={"a": {}, "b": {"file": "runs/b.csv.gz"}})).title == "a, b"
    uer = {"uer": {"uer": 0.1, "n_samples": 9, "n_skipped": 0}}
    for found, title in (({}, "may.jsonl"), (uer, "may.jsonl – UER of 9 samples")):
        results = ScoreResults(found, title="/data/reviews/may.jsonl")
        assert contents_of(results).title == title
        assert contents_of(results, title="mine").title == "mine"
    assert contents_of(ScoreResults(uer)).title == "UER of 9 samples"


class WithoutScores(ScoreResults):
    kind = "study"
    has_scores = False


def test_results_without_scores_have_no_page(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="report: a page shows scores and comparisons, found results of study"):
        WithoutScores({}).report(tmp_path / "page.html")
