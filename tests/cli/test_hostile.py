"""Ids, values, groups and names of files that want more than to be shown: in terminals, spreadsheets and pages."""

import csv
import io
import json
import re

import pytest

from fairsum_utils.cli import main

from .conftest import samples_of

ESCAPE, TURN = "\x1b[31m", "\u202e"
FORMULA = "=HYPERLINK(1)"
NASTY = [f"{FORMULA}{ESCAPE}", f"+{TURN}<img src=x onerror=alert(1)>", "@</script>\x00"]


@pytest.fixture
def fairsum(capsys):
    """Run the command, and keep what it printed to the letter."""

    def run(*arguments):
        status = main([str(argument) for argument in arguments])
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def nasty(write_jsonl, demo_rows):
    """Samples of which every field that is no text is as bad as can be."""
    for place, row in enumerate(demo_rows):
        row["id"] = f"{NASTY[place % 3]}{place}"
        row["values"] = [NASTY[value == "positive"] for value in row["values"]]
    return write_jsonl(demo_rows)


@pytest.fixture
def groups(write_jsonl):
    texts = ["A great, lovely book.", "A terrible, awful book.", "A book.", "A bad book."]
    rows = [{"id": NASTY[n % 3] + str(n), "prediction": text, "group": NASTY[n % 2]} for n, text in enumerate(texts)]
    return write_jsonl(rows, "groups.jsonl")


def commands(nasty, groups, tmp_path):
    """Everything that prints ids, values, groups or names of systems."""
    other = tmp_path / f"{FORMULA}.jsonl"
    other.write_bytes(nasty.read_bytes())
    third = tmp_path / "third.jsonl"
    third.write_bytes(nasty.read_bytes())
    lexical = ("--metrics", "equal_coverage", "--set", "entailer=lexical")
    return [
        ("score", groups, "--metrics", "sentiment,gender_polarity"),
        ("inspect", nasty, *lexical), ("compare", nasty, other, third, "--pairs"),
    ]  # fmt: skip


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "csv", "html", "json"])
def test_no_command_prints_what_a_terminal_obeys(fairsum, nasty, groups, tmp_path, format):
    for command in commands(nasty, groups, tmp_path):
        status, printed, _ = fairsum(*command, "--format", format)
        assert status == 0
        assert format != "json" or json.loads(printed)
        assert not {"\x1b", "\x00", TURN} & set(printed), command
        assert format != "html" or "<img" not in printed
        cells = [cell for row in csv.reader(io.StringIO(printed)) for cell in row] if format == "csv" else []
        for cell in cells:
            assert cell[:1] not in ("=", "+", "@", "\t", "\r")
            assert not cell.startswith("-") or float(cell) < 0  # no formula


def test_errors_are_one_harmless_line(fairsum, nasty, tmp_path):
    for command in (("inspect", nasty, "--id", f"{ESCAPE}x"), ("score", tmp_path / f"{TURN}{ESCAPE}.jsonl")):
        status, printed, err = fairsum(*command)
        assert (status, printed, err.count("\n")) == (2, "", 1)
        assert not {"\x1b", TURN} & set(err)


@pytest.mark.usefixtures("undrawn")
def test_pages_hold_them_as_texts(fairsum, nasty, groups, tmp_path):
    page, results = tmp_path / "report.html", tmp_path / "results.json"
    scores, _, comparison = commands(nasty, groups, tmp_path)
    assert fairsum("score", nasty, "--metrics", "uer", "--output", results)[0] == 0
    title = f"<b>{TURN}{ESCAPE}</title>"
    for command in (
        (*scores, "--report", page),
        (*comparison, "--metrics", "uer", "--report", page),
        ("report", results, "-o", page, "--title", title),
    ):
        assert fairsum(*command)[0] == 0
        found = page.read_text(encoding="utf-8")
        assert found.count("</script>") == found.count("<script")
        assert "<b>\\" not in found
        samples = [] if command[0] == "report" else samples_of(page)
        for html in (found, *(sample["html"] for sample in samples)):
            assert "<img src=x" not in html
            assert not {"\x1b", "\x00", TURN} & set(html)


EVIL = "\x1b]0;p\x07\x9b31m\u202e\x7f\u2066\u200f"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def printed(capfd, monkeypatch, tmp_path):
    """Run the command in an empty folder: what it printed, none of which a terminal obeys."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        assert main([*arguments]) in (0, 2), arguments
        message = "".join(capfd.readouterr())
        assert not OBEYED.search(message), message
        return message

    return run


@pytest.mark.parametrize(
    "command",
    [
        "score{0}", "score rows.jsonl --foo{0}", "score {0}.jsonl", "score named.jsonl", "score twice.csv",
        "score named.jsonl --sources-column {0}", "score rows.jsonl --rows {0}", "score rows.jsonl --output {0}.json",
        "score rows.jsonl --metrics psycholinguistic_norms --set lexicon=lexicon.tsv", "inspect named.jsonl",
        "score rows.jsonl --metrics word_list_inclusion --set word_lists=@lists.json", "inspect rows.jsonl --id {0}",
        "explain {0}", "report results.json -o page.html", "demo --save {0}", "data list {0}", "publish install {0}",
        "data build perspectivesumm --config yelp --set {0}=1 --output x.jsonl",
        "generate rows.jsonl --model {0} --text-column prediction --output o.jsonl",
    ],
)  # fmt: skip
def test_nothing_of_a_command_line_or_a_file_is_obeyed(printed, write_jsonl, demo_rows, tmp_path, command):
    write_jsonl(demo_rows)
    write_jsonl([{EVIL: 1, "prediction": "a", f"sources{EVIL}": ["a"]}], "named.jsonl")
    (tmp_path / "twice.csv").write_text(f"id,{EVIL},{EVIL}\n1,a,b\n", encoding="utf-8")
    (tmp_path / "lexicon.tsv").write_text(f"word\t{EVIL}\n{EVIL}\t3\n", encoding="utf-8")
    (tmp_path / "lists.json").write_text(json.dumps({EVIL: 3, f"b{EVIL}": ["a"]}), encoding="utf-8")
    (tmp_path / "results.json").write_text(json.dumps({"metrics": {EVIL: {EVIL: 1}}, "file": EVIL}), encoding="utf-8")
    printed(*(part.format(EVIL) for part in command.split(" ")))


@pytest.mark.parametrize(
    "names",
    [("FAIRSUM_CACHE", "HF_ENDPOINT", "HF_TOKEN", "OPENAI_BASE_URL", "OPENAI_API_KEY"), ("WORLD_SIZE",), ("RANK",)],
)
def test_nothing_of_the_environment_is_obeyed(printed, monkeypatch, write_jsonl, demo_rows, tmp_path, names):
    monkeypatch.setattr("time.sleep", lambda _: None)  # the client of an endpoint waits before it asks again
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    path, url = str(write_jsonl([row | {"prompt": "Hi"} for row in demo_rows])), "http://127.0.0.1:9/v1"
    for name in names:
        monkeypatch.setenv(name, EVIL)
    printed("env")
    printed("score", path)
    printed("score", path, "--metrics", "equal_coverage", "--set", "entailer=me/x")
    printed("generate", path, "--model", "m", "--url", url, "--output", "o.jsonl", "--set", "max_retries=0")


def test_nothing_that_a_server_says_is_obeyed(printed, chat_server, write_jsonl):
    path = str(write_jsonl([{"prompt": "Hi"}]))
    body = json.dumps({"error": {"message": EVIL}}).encode()
    url = ("--url", chat_server.url, "--set", "max_retries=0")
    for answer in ((400, {"Content-Type": "application/json"}, body), (500, {}, EVIL.encode())):
        chat_server.behave = lambda _, answer=answer: answer
        assert printed("generate", path, "--model", "m", *url, "--output", "o.jsonl").count("\n") == 1
