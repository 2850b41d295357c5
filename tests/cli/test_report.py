"""Pages from the command: of saved results with their samples, and of what is scored or compared right now."""

import base64
import hashlib
import json
import re
import zlib

import pytest

from fairsum_utils.reports.page import outline


def opened(path):
    """All of a page, what is packed in it unpacked."""
    page = path.read_text(encoding="utf-8")
    blocks = re.findall(r"<script type=\"[^\"]+\"[^>]*>([A-Za-z0-9+/=]+)</script>", page)
    return page + "".join(zlib.decompress(base64.b64decode(block), wbits=-15).decode() for block in blocks)


def index(path):
    """What the page's browser of samples knows of them."""
    page = path.read_text(encoding="utf-8")
    [packed] = re.findall(r"<script [^>]*id=\"fs-index\"[^>]*>([A-Za-z0-9+/=]+)</script>", page)
    return json.loads(zlib.decompress(base64.b64decode(packed), wbits=-15))


def ids(path):
    """The ids of the samples on a page, in their order."""
    return [sample["id"] for sample in index(path)["samples"]]


@pytest.fixture
def saved(fairsum, write_jsonl, demo_rows, tmp_path):
    """Results and samples of the demo: their files."""
    results, samples = tmp_path / "results.json", tmp_path / "samples.parquet"
    fairsum(
        "score", write_jsonl(demo_rows), "--metrics", "bur,uer", "--set", "tau=0.9",
        "--output", results, "--samples", samples, "--with-texts",
    )  # fmt: skip
    return results, samples


def test_results_and_samples_in_any_order(fairsum, saved, demo_rows, tmp_path):
    page = tmp_path / "report.html"
    assert fairsum("report", *saved, "-o", page) == (0, "", f"fairsum: wrote {page}\n")
    assert sorted(ids(page)) == sorted(row["id"] for row in demo_rows)
    first = page.read_text(encoding="utf-8")
    for text in ("Unfair Error Rate", "Settings that were given", "tau", "SHA-256", "rows.jsonl"):
        assert text in first
    assert all(row["id"] in opened(page) for row in demo_rows)
    assert fairsum("report", *saved[::-1], "--output", page, "--quiet") == (0, "", "")
    assert page.read_text(encoding="utf-8") == first


def test_results_alone(fairsum, saved, tmp_path):
    fairsum("report", saved[0], "-o", tmp_path / "report.html", "--title", "Reviews & more")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<h1><bdi>Reviews &amp; more</bdi></h1>" in page
    assert "fs-index" not in page.split("<script>")[0]


def test_a_comparison_with_the_samples_of_its_systems(fairsum, write_jsonl, demo_rows, tmp_path):
    rows = {name: write_jsonl(demo_rows[:n], f"{name}.jsonl") for name, n in (("lead", 8), ("gpt", 8), ("t5", 8))}
    fairsum("compare", *rows.values(), "--metrics", "uer", "--output", tmp_path / "compared.json")
    samples = []
    for name, path in rows.items():
        samples.append(tmp_path / f"{name}-samples.parquet")
        fairsum("score", path, "--metrics", "uer", "--samples", samples[-1], "--with-texts")
    page = tmp_path / "report.html"
    assert fairsum("report", *samples[::-1], tmp_path / "compared.json", "-o", page)[0] == 0
    found = index(page)
    assert sorted(found["systems"]) == ["gpt", "lead", "t5"]
    assert len(ids(page)) == 24
    assert len({*ids(page)[:3]}) == 1  # side by side


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
    text = page.read_text(encoding="utf-8")
    note = "Of 72 samples the 4 worst by each measure and 4 drawn at random are shown."
    assert f"{note} The distributions are those of all." in text
    found = ids(page)
    # The worst are of the two rows of which one group is left out; drawn are those of the largest digests.
    digest = lambda name: hashlib.blake2b(name.encode(), digest_size=8).digest()  # noqa: E731
    drawn = sorted((row["id"] for row in rows), key=digest)[-4:]
    assert set(drawn) < set(found)
    assert 5 <= len(set(found)) <= 12
    assert len(found) == len(set(found)) * (2 if command == "compare" else 1)
    assert "n = 72" in text or command == "compare"  # in the drawn distribution


@pytest.mark.parametrize("command", ["report", "compare"])
def test_redacted(fairsum, write_jsonl, demo_rows, saved, tmp_path, command):
    for row in demo_rows:
        row["id"] = f"secret-{row['id']}"
    paths = [write_jsonl(demo_rows, f"{name}.jsonl") for name in "ab"]
    page = tmp_path / "report.html"
    given = {
        "report": (*saved, "-o", page), "compare": (*paths, "--report", page),
    }  # fmt: skip
    assert fairsum(command, *given[command], "--redact")[0] == 0
    found = opened(page)
    assert ids(page)[0] == "1"
    assert str(tmp_path) not in found
    assert "secret-" not in found
    assert "noodle" not in found
    assert not [row["prediction"] for row in demo_rows if row["prediction"][:20] in found]


def test_score_gives_a_page_and_samples_from_workers(fairsum, write_jsonl, demo_rows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = ("--workers", "2", "--samples", "s.jsonl", "--with-texts")
    write_jsonl(demo_rows)
    assert fairsum("score", "rows.jsonl", "--report", "report.html", *options)[0] == 0
    assert ids(tmp_path / "report.html") == [row["id"] for row in demo_rows]
    texts = opened(tmp_path / "report.html")
    assert all(word in texts for row in demo_rows for word in re.findall(r"\w+", row["prediction"]))


def test_demo(fairsum, tmp_path):
    page = tmp_path / "report.html"
    status, printed, err = fairsum("demo", "--report", page)
    assert (status, err) == (0, "")
    assert printed.endswith(f"\n\nwrote {page}\n")
    assert index(page)["systems"] == ["System A", "System B"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["results.json", "results.json"], "is given twice"),
        (["results.json", "other.json"], "found {0}/results.json, {0}/other.json; make a page of each"),
        (["samples.parquet"], "needs one file of results, as --output of fairsum score writes it; found none in {0}"),
        (["none.json"], "{0}/none.json: no such file"),
        (
            ["results.json", "rows.jsonl"],
            "{0}/rows.jsonl: these are no samples, or of an earlier version; `fairsum score DATA --samples FILE",
        ),
        (["results.json", "sof.jsonl"], "{0}/sof.jsonl: these samples were not scored for bur, uer"),
        (["broken.json"], "broken.json is not JSON"),
    ],
)
def test_files_that_are_not_as_described(fairsum, saved, write_jsonl, tmp_path, files, message):
    (tmp_path / "other.json").write_bytes(saved[0].read_bytes())
    (tmp_path / "broken.json").write_text("{\n", encoding="utf-8")
    mark = json.dumps({"version": 2, "measures": {"sof": {}}})
    write_jsonl([{"id": "a", "index": 0, "skipped": None, "fairsum": mark}], "sof.jsonl")
    page = tmp_path / "report.html"
    status, printed, err = fairsum("report", *(tmp_path / name for name in files), "-o", page)
    assert (status, printed, err.count("\n")) == (2, "", 1)
    assert message.format(tmp_path) in err
    assert not page.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("score", "rows.jsonl", "--report", "a.json"), "the name must end in .html"),
        (
            ("score", "rows.jsonl", "--redact"),
            "score: error: --redact applies only to the page; name its file with --report",
        ),
        (("compare", "rows.jsonl", "rows.jsonl", "--redact"), "compare: error: --redact applies only to the page"),
        (("score", "rows.jsonl", "--title", "A"), "score: error: --title applies only to the page"),
        (("demo", "--redact"), "demo: error: --redact applies only to the page"),
        (("report", "results.json", "-o", "no/a.html"), "does not exist; create it first"),
        (("report", "results.json", "-o", "results.json"), "the name must end in .html"),
        (("report", "results.json"), "missing: --output"),
    ],
)
def test_outputs_that_cannot_be(fairsum, saved, tmp_path, monkeypatch, arguments, message, capsys):
    monkeypatch.chdir(tmp_path)
    try:
        status, _, err = fairsum(*arguments)
    except SystemExit as error:
        status, err = error.code, capsys.readouterr().err
    assert status == 2
    assert message in err


def test_an_input_is_not_written_over(fairsum, saved, tmp_path):
    page = tmp_path / "results.html"
    page.write_bytes(saved[0].read_bytes())
    status, _, err = fairsum("report", page, "-o", page)
    assert status == 2
    assert "this is the input" in err
    assert page.read_bytes() == saved[0].read_bytes()


@pytest.mark.parametrize(
    ("how", "key", "told"),
    [
        (("distinguishability", "--column", "mentions=mentions"), "group", ["female", "male", "male"]),
        (("word_list_inclusion",), "pair", ["p", "q", "p"]),
    ],
)
def test_versions_of_one_original_stand_together(fairsum, write_jsonl, tmp_path, how, key, told):
    """With their groups, those of the same pair first."""
    texts = {"a": ("Ann Lee won.", "female"), "b": ("Al Lee won.", "male"), "c": ("Bo Lee won.", "male")}
    rows = [
        {"id": name, "prediction": text, "sources": text, "mentions": [text[:-5]], "group": group, "pair_id": pair}
        for (name, (text, group)), pair in zip(texts.items(), "pqp", strict=True)
    ]
    path, page = write_jsonl([row | {"article_id": "x"} for row in rows]), tmp_path / "report.html"
    status, _, err = fairsum("score", path, "--column", "entities=none", "--report", page, "--metrics", *how)
    assert status == 0, err
    by_id = {sample["id"]: sample for sample in index(page)["samples"]}
    assert [by_id[name][key] for name in texts] == told
    assert {sample["related"] for sample in by_id.values()} == {1}
