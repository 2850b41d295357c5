"""fairsum.toml: what it stands for, what wins, and one line for what nobody knows."""

import json

import click
import pytest

from fairsum_utils.cli.app import app
from fairsum_utils.cli.config import words_from_file
from fairsum_utils.cli.data import data as data_group
from fairsum_utils.cli.score import score


@pytest.fixture
def data(write_jsonl, demo_rows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_jsonl(demo_rows)
    return "rows.jsonl"


@pytest.fixture
def settings(tmp_path):
    """Write the file of settings."""
    return lambda text, name="fairsum.toml": (tmp_path / name).write_text(text, encoding="utf-8")


def signature(printed):
    return json.loads(printed)["metrics"]["bur"]["signature"]


def test_the_file_of_the_working_folder(fairsum, data, settings):
    settings(
        '[score]\nmetrics = ["bur", "uer"]\n[bur]\ntau = 0.5\n[measures]\nn_resamples = 7\n[toxicity]\ncache = "x"'
    )
    status, printed, message = fairsum("score", data, "--format", "json")
    of_file = "--set bur.n_resamples=7 --set bur.tau=0.5 --set uer.n_resamples=7"
    assert (status, message) == (0, f"fairsum: fairsum.toml: --metrics=bur,uer\nfairsum: fairsum.toml: {of_file}\n")
    assert list(json.loads(printed)["metrics"]) == ["bur", "uer"]
    assert "|tau:0.5|" in signature(printed)
    # The command line wins.
    _, printed, message = fairsum("score", data, "--set", "tau=0.25", "--format", "json", "--quiet")
    assert ("|tau:0.25|" in signature(printed), message) == (True, "")


def test_a_file_of_another_name(fairsum, data, settings):
    settings("[bur]\ntau = 0.5\n")
    settings("[measures]\nk = 2\n[data.build]\nseed = 3\n", "other.toml")
    for option in (["--config", "other.toml"], ["--config=other.toml"]):
        _, printed, _ = fairsum("score", data, *option, "--format", "json")
        assert "|k:2|" in signature(printed)
        assert "|tau:0.8|" in signature(printed)
    context = score.make_context("score", [data, *option], parent=click.Context(app, info_name="fairsum"))
    assert context.params["config_file"] == "other.toml"


def test_a_command_within_a_command_has_a_section_within(settings, data):
    settings('[data.build]\nseed = 3\nset = ["sizes=[2]"]\n')
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
def test_what_keys_stand_for(data, settings, text, words):
    settings(f"[score]\n{text}\n")
    context = score.make_context("score", [data], parent=click.Context(app, info_name="fairsum"))
    assert words_from_file(context) == words


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[score]\ntua = 1", "unknown key tua; see fairsum score --help"),
        ("[score]\ntau = 1", "tau is a setting; write it in the section of its measure, or in [measures]"),
        ("[score]\nset = ['tau=1']", "write settings in the section of their measure, such as [bur]"),
        ("[bur]\ntua = 1", "[bur]: unknown setting 'tua'; did you mean tau?"),
        ("[uer]\ntau = 1", "[uer]: unknown setting 'tau'"),
        ("[measures]\ntua = 1", "[measures]: unknown setting 'tua'; did you mean tau?"),
        ("[score]\nconfig = 'x'", "unknown key config"),
        ("[scor]\ntau = 1", "unknown section 'scor'; did you mean score?"),
        ("tau = 1", "unknown section 'tau'"),
        ("[score]\nlanguage = true", "language must be a text or a number, found true"),
        ("[score]\ntranscript = 1", "transcript must be true or false, found 1"),
        ("[score", "no valid TOML: "),
        (f"[score]\ntau = {'1' * 5000}", "no valid TOML: Exceeds the limit"),
        (f"[score]\ntau = {'[' * 50_000}", "no valid TOML: "),
        (None, "there is no such file"),
    ],
)
def test_mistakes(fairsum, data, settings, text, message):
    if text is not None:
        settings(text, "c.toml")
    status, printed, err = fairsum("score", data, "--config", "c.toml")
    assert (status, printed) == (2, "")
    assert err.splitlines()[-1].startswith(f"fairsum: error: c.toml: {message}")


def test_a_broken_file_that_is_not_used(fairsum, data, settings):
    settings("[score")
    settings("", "other.toml")
    assert fairsum("score", data, "--config", "other.toml")[0] == 0
    assert fairsum("data", "build", "--help")[0] == 0
    assert fairsum("score", data)[0] == 2


def test_a_section_that_is_none(fairsum, data, settings):
    settings("[data]\nbuild = 3\n")
    assert fairsum("score", data)[0] == 0  # another command's section is its own matter
    assert fairsum("data", "build", "bold", "--config", "gender", "--output", "x.jsonl")[2].endswith(
        "fairsum.toml: build must be a section, found 3\n"
    )


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
def test_a_file_names_no_address_to_send_to(fairsum, data, settings, chat_server, command, setting, flag):
    settings(f"[{command}]\n{setting.format(url=chat_server.url)}\n")
    words = {
        "generate": ["generate", data, "--model", "m", "--text-column", "prediction", "--output", "o.jsonl"],
        "data.build": ["data", "build", "bold", "--config", "gender", "--output", "x.jsonl"],
    }.get(command, ["score", data, "--config", "fairsum.toml"])
    key, flag = setting.partition(" ")[0], flag.format(url=chat_server.url)
    error = f"{key} names an address, which a file may not; write {flag} on the command line"
    assert fairsum(*words) == (2, "", f"fairsum: error: fairsum.toml: {error}\n")
    assert not chat_server.requests


def test_the_command_line_names_another_address(fairsum, data, write_jsonl, settings, chat_server):
    write_jsonl([{"prompt": "Hi"}])
    settings('[generate]\nurl = "https://evil.example"\n')
    status, _, message = fairsum("generate", data, "--model", "m", "--output", "o.jsonl", "--url", chat_server.url)
    assert status == 0, message
    assert chat_server.requests
