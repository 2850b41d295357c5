"""The command as a whole: help, what it imports, exit statuses."""

import subprocess
import sys

import pytest

import fairsum_utils
from fairsum_utils.cli import build_parser


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
    assert "examples:" in done.stdout or command == ["data"]
    assert "fairsum " in done.stdout


def test_unknown_options_and_commands_are_refused(tmp_path):
    assert run("score", "x.jsonl", "--tua", "0.8", cwd=tmp_path).returncode == 2
    assert run("scor", cwd=tmp_path).returncode == 2
    assert run(cwd=tmp_path).returncode == 2


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
