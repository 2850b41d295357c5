"""Comparing two files, the demo, and the command as a whole."""

import json
import subprocess
import sys

import pytest

import fairsum_utils
from fairsum_utils.cli.demo import load_demo


@pytest.fixture
def systems(write_jsonl):
    demo = load_demo()
    paths = []
    for system in ("system_a", "system_b"):
        columns = zip(demo["id"], demo["sources"], demo["values"], demo[system], strict=True)
        rows = [dict(zip(("id", "sources", "values", "prediction"), row, strict=True)) for row in columns]
        paths.append(write_jsonl(rows, f"{system}.jsonl"))
    return paths


def rewrite(path, change):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(row) + "\n" for row in change(rows)), encoding="utf-8")


def test_same_numbers_as_the_library(fairsum, systems):
    status, printed, _ = fairsum("compare", *systems, "--format", "json")
    assert status == 0
    demo = load_demo()
    expected = fairsum_utils.compare(demo["system_a"], demo["system_b"], demo["sources"], demo["values"])
    assert json.loads(printed)["metrics"] == expected


def test_order_of_the_second_file_does_not_matter(fairsum, systems):
    expected = fairsum("compare", *systems)[1]
    rewrite(systems[1], lambda rows: rows[::-1])
    assert fairsum("compare", *systems)[1] == expected


def test_a_system_against_itself(fairsum, systems):
    _, printed, _ = fairsum("compare", systems[0], systems[0], "--format", "json")
    for result in json.loads(printed)["metrics"].values():
        assert (result["difference"], result["difference_ci"], result["p_value"]) == (0.0, [0.0, 0.0], 1.0)


def test_a_skipped_sample_is_left_out_of_both(fairsum, systems):
    rewrite(systems[1], lambda rows: [{**rows[0], "prediction": ""}, *rows[1:]])
    _, printed, _ = fairsum("compare", *systems, "--format", "json")
    document = json.loads(printed)
    assert document["metrics"]["bur"]["n_skipped"] == 1
    assert document["metrics"]["bur"]["n_samples"] == 7
    assert "tau:0.8" in document["metrics"]["bur"]["signature"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[1:], "1 samples of A are not in B, such as id 'noodle-bar'"),
        (lambda rows: [*rows, rows[0]], "id 'noodle-bar' occurs twice in B"),
        (
            lambda rows: [{**rows[0], "sources": [*rows[0]["sources"][:-1], "Something else entirely."]}, *rows[1:]],
            "the sources or values of id 'noodle-bar' differ between A and B",
        ),
    ],
)
def test_files_that_do_not_belong_together(fairsum, systems, change, message):
    rewrite(systems[1], change)
    status, printed, err = fairsum("compare", *systems)
    assert (status, printed) == (2, "")
    assert message in err


def test_demo_prints_scores_and_comparison_and_saves_files(fairsum, tmp_path):
    status, printed, _ = fairsum("demo", "--save", tmp_path / "demo")
    assert status == 0
    assert "System A: 8 samples scored, 0 skipped" in printed
    assert "8 samples compared" in printed
    status, again, _ = fairsum("score", tmp_path / "demo" / "system_b.jsonl")
    assert status == 0
    system_b = printed[printed.index("System B: 8") : printed.index("A: System A")].strip().splitlines()[1:]
    assert again.strip().splitlines()[1:] == system_b


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "fairsum_utils", *arguments], capture_output=True, text=True, **options
    )


def test_help_loads_nothing_heavy(tmp_path):
    code = (
        "import sys\n"
        "from fairsum_utils.cli import build_parser\n"
        "build_parser().format_help()\n"
        "heavy = {'torch', 'datasets', 'evaluate', 'transformers', 'nltk', 'pandas', 'numpy', 'pyarrow'}\n"
        "print(sorted(heavy & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout.strip() == "[]"


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


@pytest.mark.parametrize("command", [[], ["score"], ["compare"], ["demo"], ["data"], ["data", "export"]])
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


def test_readme_python_example_runs(repository, tmp_path, forked):
    """The README's Python block, from the repository's root, as a reader would run it."""
    pytest.importorskip("evaluate")
    import re

    block = re.search(r"```python\n(.*?)```", (repository / "README.md").read_text(encoding="utf-8"), re.S)
    assert block is not None
    done = forked.Forked(["-c", block[1]], repository).wait()
    assert done.returncode == 0, done.stderr
    # Worked by hand: the summary's tokens all come from the positive text, and "soup" from both.
    assert done.stdout.splitlines()[0] == "1.0 {'negative': 1.0, 'positive': 0.0}"
