"""Files as people's programs write them, each in an empty folder: the scores of the same samples in our own layout."""

import json

import openpyxl
import pytest

SUMMARIES = {"m1": "Buses first, says the first.", "m2": "More roads."}
SPEECHES = {
    "m1": [("Ann Lee", "Buses first, my rule: no debts."), ("Ben", "More roads now.")],
    "m2": [("Ben", "Roads, roads."), ("Ann Lee", "Trams."), ("Ben", "More roads.")],
}
COLUMNS = {
    "predictions": list(SUMMARIES.values()),
    "sources": [[text for _, text in said] for said in SPEECHES.values()],
    "values": [[who for who, _ in said] for said in SPEECHES.values()],
}


@pytest.fixture
def run(fairsum, tmp_path, monkeypatch):
    """Score what a folder holds; the results, or the error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        status, out, err = fairsum("score", *arguments, "--metrics", "bur,uer", "--format", "json")
        assert (status == 2) == ("error: " in err), err
        return json.loads(out)["metrics"] if status == 0 else err.rstrip("\n").partition("error: ")[2]

    return run


@pytest.fixture
def expected(run, tmp_path):
    path = tmp_path / "expected.jsonl"
    rows = zip(SUMMARIES, *COLUMNS.values(), strict=True)
    names = ("id", "prediction", "sources", "values")
    path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows))
    found = run(path.name)
    path.unlink()
    return found


def summaries(path, encoding="utf-8", name="id"):
    lines = [f"{name};summary", *(f"{key};{text}" for key, text in SUMMARIES.items())]
    path.write_text("\n".join(lines), encoding=encoding)


def test_a_sheet_of_a_workbook(run, expected, tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "About"
    book.active.append(["Ours"])
    sheet = book.create_sheet("Turns 2026")
    sheet.append(["meeting", "who", "said", "prediction"])
    for name, pairs in SPEECHES.items():
        for person, text in pairs:
            sheet.append([name, person, text, SUMMARIES[name]])
            sheet.append([])
    book.save(tmp_path / "a.xlsx")
    names = ["--group-by", "meeting", "--sources-column", "said", "--values-column", "who"]
    assert run("a.xlsx", "--sheet", "Turns 2026", *names) == expected
    assert run("a.xlsx", "--sheet", "Turns", *names) == (
        "a.xlsx: no sheet 'Turns'; name one with --sheet: About, Turns 2026"
    )
    sheet["B6"] = None
    book.save(tmp_path / "a.xlsx")
    assert "a.xlsx, row 6 (meeting 'm2'): 'who' is empty" in run("a.xlsx", "--sheet", "Turns 2026", *names)
    summaries(tmp_path / "a.csv")
    assert run("a.csv", "--sheet", "x") == "a.csv: only workbooks have sheets; omit --sheet"


def test_a_folder_of_texts(run, expected, tmp_path):
    for folder, texts in (
        ("talks", {name: "\n".join(f"{person}: {text}" for person, text in pairs) for name, pairs in SPEECHES.items()}),
        ("summaries", SUMMARIES),
    ):
        (tmp_path / folder).mkdir()
        for name, text in texts.items():
            (tmp_path / folder / f"{name}.txt").write_text(text)
    (tmp_path / "talks" / ".DS_Store").touch()
    options = ["--sources-column", "text", "--transcript", "--predictions", "summaries"]
    assert run("talks", *options) == expected
    assert run("talks", "--transcript", "--predictions", "summaries").endswith("Try --sources-column text")
    (tmp_path / "talks" / "m2.txt").write_text("Minutes\nAnn: Hi.")
    assert "m2.txt, row 1, id m2: the transcript begins with text before" in run("talks", *options)
    (tmp_path / "talks" / "a.pdf").touch()
    assert "this folder is not a data set written by save_to_disk" in run("talks", *options)


def test_a_folder_of_captions(run, expected, tmp_path):
    pytest.importorskip("webvtt")
    (tmp_path / "talks").mkdir()
    for name, ending, head, dot in (("m1", "vtt", "WEBVTT\n\n", "."), ("m2", "srt", "", ",")):
        cues = [
            f"{n}\n00:00:0{n}{dot}000 --> 00:00:0{n}{dot}900\n{person}: {text}"
            for n, (person, text) in enumerate(SPEECHES[name], 1)
        ]
        (tmp_path / "talks" / f"{name}.{ending}").write_text(head + "\n\n".join(cues))
    summaries(tmp_path / "s.csv")
    assert run("talks", "--predictions", "s.csv") == expected
    assert run("talks/m1.vtt", "talks/m2.srt", "--predictions", "s.csv") == expected
    (tmp_path / "talks" / "m1.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nNobody says this.")
    assert run("talks", "--predictions", "s.csv").startswith("talks/m1.vtt: the transcript begins with text before")
