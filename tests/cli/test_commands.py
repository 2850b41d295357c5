"""The command as a whole: help, what it imports, exit statuses."""

import subprocess
import sys

import pytest

import fairsum_utils
from fairsum_utils.cli import build_parser, main


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "fairsum_utils", *arguments], capture_output=True, text=True, **options
    )


@pytest.mark.parametrize(
    "arguments", [["--help"], ["score", "--help"], ["rerank", "--help"], ["verify", "--help"], ["publish", "--help"]]
)
def test_help_loads_nothing_heavy_and_answers_at_once(arguments, tmp_path):
    code = (
        "import contextlib, io, sys, time\n"
        "before = time.process_time()\n"
        "from fairsum_utils.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        f"    main({arguments})\n"
        "heavy = {'torch', 'datasets', 'evaluate', 'transformers', 'nltk', 'pandas', 'numpy', 'pyarrow'}\n"
        "print(sorted(heavy & sys.modules.keys()), time.process_time() - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    names, _, seconds = done.stdout.strip().rpartition(" ")
    assert names == "[]"
    assert float(seconds) < 2  # about 0.15 where nothing else runs


def test_the_other_commands_add_no_options():
    parser = build_parser()
    commands = next(action.choices for action in parser._actions if action.choices)
    parser.parse_args(["agree", "x.csv", "--prediction-column", "a", "--reference-column", "b"])
    assert [name for name, command in commands.items() if command.add_options is None] == ["agree"]


def test_scoring_loads_no_hugging_face_library(tmp_path):
    code = (
        "import sys\n"
        "from fairsum_utils.cli import main\n"
        "main(['demo'])\n"
        "heavy = {'torch', 'datasets', 'evaluate', 'transformers', 'nltk', 'pandas'}\n"
        "print(sorted(heavy & sys.modules.keys()), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("command", [[], ["score"], ["compare"], ["demo"], ["verify"], ["data"], ["data", "export"]])
def test_every_command_explains_itself_with_an_example(command, tmp_path):
    done = run(*command, "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert "examples:" in done.stdout or command in ([], ["data"])
    assert "fairsum " in done.stdout


def test_unknown_options_and_commands_are_refused(tmp_path):
    assert run("score", "x.jsonl", "--tua", "0.8", cwd=tmp_path).returncode == 2
    assert run("scor", cwd=tmp_path).returncode == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["scor"], "fairsum: error: unknown command 'scor'; did you mean score?"),
        (["--verison"], "fairsum: error: unknown option --verison; did you mean --version?"),
        (["score", "x", "--metrcs", "bur"], "fairsum score: error: unknown option --metrcs; did you mean --metrics?"),
        (["score", "x", "--first_names=y"], "fairsum score: error: unknown option --first_names; did you mean --first"),
        (["score", "x", "--metrics", "burr"], "fairsum score: error: unknown measure 'burr'; did you mean bur?"),
        (["score", "x", "--format", "txt"], "fairsum score: error: --format: unknown choice 'txt'; did you mean text?"),
        (["score", "x", "--tau", "a"], "fairsum score: error: --tau: invalid float value: 'a'"),
        (["env", "x"], "fairsum env: error: unexpected argument 'x'; see fairsum env --help"),
        (
            ["score", "x", "--metrics", "bur", "uer"],
            "fairsum score: error: unexpected argument 'uer'; commas stand between measures, without blanks",
        ),
        (["score"], "fairsum score: error: missing: FILE; see fairsum score --help"),
        (["data", "buidl"], "fairsum data: error: unknown command 'buidl'; did you mean build?"),
        (["data", "build", "x"], "fairsum data build: error: missing: --output; see fairsum data build --h"),
        (["score", "x", "--\x1b]0;y"], "fairsum score: error: unknown option --\\x1b]0;y; see fairsum score --help"),
    ],
)
def test_a_mistake_gets_one_line(words, said, capsys):
    try:
        status = main(words)
    except SystemExit as left:
        status = left.code
    captured = capsys.readouterr()
    assert (status, captured.out) == (2, "")
    assert captured.err.startswith(said)
    assert captured.err.count("\n") == 1


def test_the_command_alone_helps(capsys):
    assert main([]) == 0
    assert capsys.readouterr().out == build_parser().format_help()


def test_options_of_an_earlier_version_are_understood(capsys):
    parser = build_parser()
    words = ["rerank", "x.jsonl", "--to", "y.jsonl", "--metric=uer", "--metric=auc"]
    options = parser.parse_args(words)
    assert (options.output, options.metrics) == ("y.jsonl", "auc")
    assert capsys.readouterr().err == (
        "fairsum: --to is called --output now; the old name is understood for one version\n"
        "fairsum: --metric is called --metrics now; the old name is understood for one version\n"
    )
    assert vars(parser.parse_args(["score", "x", "--chat-url", "http://h"]))["setting:url"] == "http://h"
    assert parser.parse_args(["generate", "x", "--model", "m", "--output", "y", "--base-url", "u"]).url == "u"
    capsys.readouterr()
    parser.parse_args([*words, "--quiet"])
    assert capsys.readouterr().err == ""
    # What comes after two dashes is no option, and a command without the new option does not know the old one.
    assert parser.parse_args(["demo", "--"]).save is None
    with pytest.raises(SystemExit):
        parser.parse_args(["demo", "--to", "x"])


def test_a_reader_that_leaves_is_no_error(tmp_path):
    path = tmp_path / "empty"
    path.write_text("")
    command = f"{sys.executable} -m fairsum_utils demo | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "System A: 8 samples scored, 0 skipped\n"
    assert "Traceback" not in done.stderr


def test_version(tmp_path):
    assert run("--version", cwd=tmp_path).stdout.strip() == f"fairsum-utils {fairsum_utils.__version__}"


def test_readme_python_example_runs(repository, forked):
    """The README's Python block, from the repository's root, as a reader would run it."""
    pytest.importorskip("evaluate")
    import re

    block = re.search(r"```python\n(.*?)```", (repository / "README.md").read_text(encoding="utf-8"), re.S)
    assert block is not None
    done = forked.start(["-c", block[1]], repository).wait()
    assert done.returncode == 0, done.stderr
    # Worked by hand: the summary's tokens all come from the positive text, and "soup" from both.
    assert done.stdout.splitlines()[0] == "1.0 {'negative': 1.0, 'positive': 0.0}"


def test_help_as_a_word(capsys):
    with pytest.raises(SystemExit):
        main(["score", "--help"])
    expected = capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["help", "score"])
    assert capsys.readouterr().out == expected


def test_help_on_a_measure_of_no_command(capsys):
    with pytest.raises(SystemExit):
        main(["--help", "bur"])
    assert "see fairsum explain bur, or fairsum score --help bur" in capsys.readouterr().err


def test_the_package_of_the_command_runs_it(light, tmp_path):
    pytest.importorskip("fairsum")
    assert light.start(["-m", "fairsum", "--version"], tmp_path).wait().stdout.startswith("fairsum-utils ")


@pytest.mark.parametrize("words", [["study", "list"], ["study", "--help"], ["reproduce", "bold"]])
def test_the_papers_scripts_are_a_distribution_of_their_own(fairsum, monkeypatch, words):
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    assert fairsum(*words) == (
        2,
        "",
        f"fairsum {words[0]}: error: needs the papers' scripts; install them with: pip install ./reproductions "
        "(in a checkout)\n",
    )
