"""Pages from the command: of saved results with their samples, and of what is scored or compared right now."""

import hashlib
import json

import pytest

from fairsum_utils.cli import main
from fairsum_utils.reports.page import outline

from .conftest import packed, samples_of

pytestmark = pytest.mark.usefixtures("undrawn")


def ids(path):
    """The ids of the samples on a page, in their order."""
    return [sample["id"] for sample in samples_of(path)]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Results and samples of the demo: their files."""
    folder = tmp_path_factory.mktemp("saved")
    results, samples = folder / "results.json", folder / "samples.parquet"
    main(["demo", "--save", str(folder), "--quiet"])
    words = ["score", folder / "system_a.jsonl", "--metrics", "bur,uer", "--set", "tau=0.9", "--quiet"]
    main([*map(str, words), "--output", str(results), "--samples", str(samples), "--with-texts"])
    return results, samples


def test_results_and_samples_in_any_order(fairsum, saved, demo_rows, tmp_path):
    page, title = tmp_path / "report.html", ("--title", "Reviews & more")
    assert fairsum("report", *saved, "-o", page, *title) == (0, "", f"fairsum: wrote {page}\n")
    assert sorted(ids(page)) == sorted(row["id"] for row in demo_rows)
    first = page.read_text(encoding="utf-8")
    shown = ("Unfair Error Rate", "Settings that were given", "tau", "SHA-256", "system_a.jsonl")
    assert all(text in first for text in (*shown, "<h1><bdi>Reviews &amp; more</bdi></h1>"))
    assert fairsum("report", *saved[::-1], "--output", page, "--quiet", *title) == (0, "", "")
    assert page.read_text(encoding="utf-8") == first


@pytest.mark.parametrize("command", ["report", "compare"])
def test_of_many_samples_the_worst_and_some_others(fairsum, write_jsonl, demo_rows, tmp_path, monkeypatch, command):
    """The same ones, whether they are chosen while they are scored or from files, and in all systems."""
    monkeypatch.setattr(outline, "MOST", 12)
    monkeypatch.setattr(outline, "DRAWN", 4)
    monkeypatch.setattr(outline, "_FEWEST", 1)
    rows = [{**row, "id": f"{row['id']} {n}"} for n in range(9) for row in demo_rows]
    path, other, page = write_jsonl(rows), write_jsonl(rows, "other.jsonl"), tmp_path / "report.html"
    options, samples = ("--metrics", "bur,uer"), tmp_path / "samples.parquet"
    results = tmp_path / "results.json"
    fairsum("score", path, *options, "--output", results, "--samples", samples, "--with-texts")
    given = {"report": (results, samples, "-o", page), "compare": (path, other, *options, "--report", page)}
    assert fairsum(command, *given[command])[0] == 0
    note = "Of 72 samples the 4 worst by each measure and 4 drawn at random are shown."
    assert f"{note} The distributions are those of all." in page.read_text(encoding="utf-8")
    found = ids(page)
    # The worst are of the two rows of which one group is left out; drawn are those of the largest digests.
    digest = lambda name: hashlib.blake2b(name.encode(), digest_size=8).digest()  # noqa: E731
    drawn = sorted((row["id"] for row in rows), key=digest)[-4:]
    assert set(drawn) < set(found)
    assert 5 <= len(set(found)) <= 12
    assert len(found) == len(set(found)) * (2 if command == "compare" else 1)
    systems = json.loads(packed(page)["fs-index"])["systems"]
    assert systems == (["rows", "other"] if command == "compare" else [""])


@pytest.mark.parametrize("command", ["report", "compare"])
def test_redacted(fairsum, write_jsonl, demo_rows, saved, tmp_path, command):
    for row in demo_rows:
        row["id"] = f"secret-{row['id']}"
    paths = [write_jsonl(demo_rows, f"{name}.jsonl") for name in "ab"]
    page = tmp_path / "report.html"
    given = {"report": (*saved, "-o", page), "compare": (*paths, "--metrics", "uer", "--report", page)}
    assert fairsum(command, *given[command], "--redact")[0] == 0
    assert ids(page)[0] == "1"
    found = page.read_text(encoding="utf-8") + "".join(packed(page).values())
    hidden = ("secret-", "noodle", str(tmp_path), str(saved[0].parent), *(row["prediction"][:20] for row in demo_rows))
    assert [text for text in hidden if text in found] == []


@pytest.fixture(scope="module")
def mixed(saved):
    """The folder of `saved`, with files that do not belong there."""
    folder = saved[0].parent
    for name in ("other.json", "copy.html"):
        (folder / name).write_bytes(saved[0].read_bytes())
    (folder / "broken.json").write_text("{\n", encoding="utf-8")
    mark = json.dumps({"version": 2, "measures": {"sof": {}}})
    row = {"id": "a", "index": 0, "skipped": None, "fairsum": mark}
    (folder / "sof.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("report results.json results.json -o x.html", "is given twice"),
        ("report results.json other.json -o x.html", "found results.json, other.json; make a page of each"),
        ("report samples.parquet -o x.html", "needs one file of results, as --output of fairsum score writes it; "),
        ("report none.json -o x.html", "none.json: no such file"),
        ("report results.json system_a.jsonl -o x.html", "these are no samples, or of an earlier version; `fairsum"),
        ("report results.json sof.jsonl -o x.html", "sof.jsonl: these samples were not scored for bur, uer"),
        ("report broken.json -o x.html", "broken.json is not JSON"),
        ("report copy.html -o copy.html", "this is the input"),
        ("report results.json -o no/a.html", "does not exist; create it first"),
        ("report results.json -o results.json", "the name must end in .html"),
        ("report results.json", "missing: --output"),
        ("score system_a.jsonl --redact", "--redact applies only to the page; name its file with --report"),
        ("score system_a.jsonl --title A", "score: error: --title applies only to the page"),
        ("demo --redact", "demo: error: --redact applies only to the page"),
    ],
)
def test_pages_that_cannot_be(fairsum, mixed, monkeypatch, words, message):
    monkeypatch.chdir(mixed)
    status, printed, err = fairsum(*words.split())
    assert (status, printed, err.count("\n")) == (2, "", 1)
    assert message in err
    assert [path.name for path in mixed.glob("*.html")] == ["copy.html"]
    assert (mixed / "copy.html").read_bytes() == (mixed / "results.json").read_bytes()


def test_versions_of_one_original_stand_together(fairsum, write_jsonl, tmp_path):
    """Those of the same pair first."""
    rows = [
        {"id": pair, "prediction": "Lee won.", "sources": "Lee won.", "pair_id": pair, "article_id": "x"}
        for pair in "pqr"
    ]
    path, page = write_jsonl(rows), tmp_path / "report.html"
    asked = ("--metrics", "word_list_inclusion", "--report", page)
    status, _, err = fairsum("score", path, *asked)
    assert status == 0, err
    assert [(each["id"], each["related"]) for each in samples_of(page)] == [("p", 1), ("q", 1), ("r", 1)]
    assert [each["pair"] for each in samples_of(page)] == ["p", "q", "r"]
