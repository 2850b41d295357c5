"""fairsum.toml: what it stands for, what wins, and what is said of what nobody knows."""

import json

import click
import pytest

from fairsum_utils.cli import run_command
from fairsum_utils.cli.app import app
from fairsum_utils.cli.config import words_from_file
from fairsum_utils.cli.data import data as data_group
from fairsum_utils.cli.score import score
from fairsum_utils.errors import InputError

FILE = """
[score]
metrics = ["bur", "uer"]

[bur]
tau = 0.5

[measures]
n_resamples = 7

[toxicity]
threshold = 0.9
"""


@pytest.fixture
def data(write_jsonl, demo_rows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_jsonl(demo_rows)
    return "rows.jsonl"


def signature(printed, name="bur"):
    return json.loads(printed)["metrics"][name]["signature"]


def test_the_file_of_the_working_folder(fairsum, data, tmp_path):
    (tmp_path / "fairsum.toml").write_text(FILE, encoding="utf-8")
    status, printed, message = fairsum("score", data, "--format", "json")
    of_file = "--set bur.n_resamples=7 --set bur.tau=0.5 --set uer.n_resamples=7"
    assert (status, message) == (0, f"fairsum: fairsum.toml: --metrics=bur,uer\nfairsum: fairsum.toml: {of_file}\n")
    assert list(json.loads(printed)["metrics"]) == ["bur", "uer"]
    assert "|tau:0.5|" in signature(printed)


def test_the_command_line_wins(fairsum, data, tmp_path):
    (tmp_path / "fairsum.toml").write_text("[bur]\ntau = 0.5\n", encoding="utf-8")
    _, printed, message = fairsum("score", data, "--set", "tau=0.25", "--format", "json", "--quiet")
    assert "|tau:0.25|" in signature(printed)
    assert message == ""


def test_a_file_of_another_name(fairsum, data, tmp_path):
    (tmp_path / "fairsum.toml").write_text("[bur]\ntau = 0.5\n", encoding="utf-8")
    (tmp_path / "other.toml").write_text("[measures]\nk = 2\n[data.build]\nseed = 3\n", encoding="utf-8")
    for option in (["--config", "other.toml"], ["--config=other.toml"]):
        _, printed, _ = fairsum("score", data, *option, "--format", "json")
        assert "|k:2|" in signature(printed)
        assert "|tau:0.8|" in signature(printed)
    context = score.make_context("score", [data, *option], parent=click.Context(app, info_name="fairsum"))
    assert context.params["config_file"] == "other.toml"


def test_a_command_within_a_command_has_a_section_within(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fairsum.toml").write_text('[data.build]\nseed = 3\nset = ["sizes=[2]"]\n', encoding="utf-8")
    # Its --config names a configuration, and the file of the working folder is read all the same.
    build, words = data_group.commands["build"], ["bold", "--config", "gender", "--output", "x.jsonl"]
    above = click.Context(data_group, click.Context(app, info_name="fairsum"), info_name="data")
    options = build.parsed(build.make_context("build", [*words], parent=above))
    assert (options.config, options.seed, options.settings_of_source) == ("gender", 3, ["sizes=[2]"])
    # What the command line names is not added to what the file has.
    options = build.parsed(build.make_context("build", [*words, "--set", "n_sets=1"], parent=above))
    assert options.settings_of_source == ["n_sets=1"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('confidence = 0.5\nlanguage = "german"', ["--confidence=0.5", "--language=german"]),
        ('metrics = ["bur", "uer"]', ["--metrics=bur,uer"]),
        ('column = ["article_id=doc"]', ["--column=article_id=doc"]),
        ("transcript = true\nredact = false", ["--transcript"]),
        ("", []),
    ],
)
def test_what_keys_stand_for(data, tmp_path, text, words):
    (tmp_path / "fairsum.toml").write_text(f"[score]\n{text}\n", encoding="utf-8")
    context = score.make_context("score", [data], parent=click.Context(app, info_name="fairsum"))
    assert words_from_file(context) == words


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[score]\ntua = 1", "c.toml: unknown key tua; see fairsum score --help"),
        ("[score]\ntau = 1", "c.toml: tau is a setting; write it in the section of its measure, or in [measures]"),
        ("[score]\nset = ['tau=1']", "c.toml: write settings in the section of their measure, such as [bur]"),
        ("[bur]\ntua = 1", "c.toml: [bur]: unknown setting 'tua'; did you mean tau?"),
        ("[uer]\ntau = 1", "c.toml: [uer]: unknown setting 'tau'"),
        ("[measures]\ntua = 1", "c.toml: [measures]: unknown setting 'tua'; did you mean tau?"),
        ("[bur]\ntau = 2", "score: tau must be a number in [0, 1], found the number 2"),
        ("[score]\nxyzzy = 1", "c.toml: unknown key xyzzy; see fairsum score --help"),
        ("[score]\nconfig = 'x'", "c.toml: unknown key config"),
        ("[scor]\ntau = 1", "c.toml: unknown section 'scor'; did you mean score?"),
        ("tau = 1", "c.toml: unknown section 'tau'"),
        ("[score]\nlanguage = true", "c.toml: language must be a text or a number, found true"),
        ("[score]\ntranscript = 1", "c.toml: transcript must be true or false, found 1"),
        ("[score", "c.toml: no valid TOML: "),
        (f"[score]\ntau = {'1' * 5000}", "c.toml: no valid TOML: Exceeds the limit"),
        (f"[score]\ntau = {'[' * 50_000}", "c.toml: no valid TOML: "),
    ],
)
def test_what_is_wrong_is_said_in_a_line(fairsum, data, tmp_path, text, message):
    (tmp_path / "c.toml").write_text(text, encoding="utf-8")
    status, printed, output = fairsum("score", data, "--config", "c.toml")
    assert (status, printed) == (2, "")
    error = output.splitlines()[-1]
    assert error.startswith((f"fairsum: error: {message}", f"fairsum {message.replace('score:', 'score: error:')}"))


@pytest.mark.parametrize("config", [(), ("--config", "fairsum.toml")])
@pytest.mark.parametrize(
    ("command", "setting", "flag"),
    [
        ("generate", 'url = "{url}"', "--url"),
        ("generate", 'url = "evil.example/v1"', "--url"),
        ("score", 'rows = "s3://evil/runs"', "--rows"),
        ("data.build", 'set = ["base_url={url}/"]', "--set"),
        ("measures", 'chat_url = "{url}"', "--set chat_url={url}"),
        ("equal_coverage", 'chat_url = "evil.example/v1"', "--set chat_url=evil.example/v1"),
        ("bur", 'model = "https://evil.example/m"', "--set model=https://evil.example/m"),
    ],
)
def test_a_file_says_nowhere_to_send_to(fairsum, data, tmp_path, chat_server, config, command, setting, flag):
    written = setting.format(url=chat_server.url)
    (tmp_path / "fairsum.toml").write_text(f"[{command}]\n{written}\n", encoding="utf-8")
    words = {
        "generate": ["generate", data, "--model", "m", "--text-column", "prediction", "--output", "o.jsonl"],
        "score": ["score", data],
        "data.build": ["data", "build", "bold", "--config", "gender", "--output", "x.jsonl"],
    }.get(command, ["score", data])
    if config and command == "data.build":
        config = ()  # names a configuration
    status, printed, message = fairsum(*words, *config)
    key = setting.partition(" ")[0]
    assert (status, printed) == (2, "")
    error = (
        f"{key} names an address, which a file may not; write {flag.format(url=chat_server.url)} on the command line"
    )
    assert message == f"fairsum: error: fairsum.toml: {error}\n"
    assert not chat_server.requests


def test_the_command_line_names_another_address(fairsum, data, write_jsonl, tmp_path, chat_server):
    write_jsonl([{"prompt": "Hi"}])
    (tmp_path / "fairsum.toml").write_text('[generate]\nurl = "https://evil.example"\n', encoding="utf-8")
    status, _, message = fairsum("generate", data, "--model", "m", "--output", "o.jsonl", "--url", chat_server.url)
    assert status == 0, message
    assert chat_server.requests


def test_a_file_that_is_not_there(fairsum, data):
    assert fairsum("score", data, "--config", "no.toml") == (
        2, "", "fairsum: error: no.toml: there is no such file\n",
    )  # fmt: skip


def test_a_section_that_is_none(tmp_path, fairsum, data):
    (tmp_path / "fairsum.toml").write_text("[data]\nbuild = 3\n", encoding="utf-8")
    status, _, _ = fairsum("score", data)
    assert status == 0  # another command's section is its own matter
    with pytest.raises(InputError, match=r"fairsum\.toml: build must be a section, found 3"):
        run_command(["data", "build", "bold", "--config", "gender", "--output", "x.jsonl"])
