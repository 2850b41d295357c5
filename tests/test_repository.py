"""What GitHub reads: it is what it must be, and names nothing that is not there."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fairsum_utils._util.installation import REGISTERED
from fairsum_utils.measures import NAMESPACE_IS_OURS

yaml = pytest.importorskip("yaml")

# Schema that check-jsonschema carries -> the files that it is for.
SCHEMAS = {
    "github-workflows": ".github/workflows/*.yml",
    "github-issue-forms": ".github/ISSUE_TEMPLATE/[!c]*.yml",
    "github-issue-config": ".github/ISSUE_TEMPLATE/config.yml",
    "dependabot": ".github/dependabot.yml",
    "github-actions": "action.yml",
    "citation-file-format": "CITATION.cff",
}


@pytest.fixture(scope="module")
def sessions(repository: Path) -> set[str]:
    """The sessions of noxfile.py, read without nox."""
    tree = ast.parse((repository / "noxfile.py").read_text(encoding="utf-8"))
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any("session" in ast.unparse(mark) for mark in node.decorator_list)
    }


@pytest.fixture(scope="module")
def workflows(repository: Path) -> dict[str, dict[Any, Any]]:
    folder = repository / ".github" / "workflows"
    return {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.yml"))}


def steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_workflows_call_sessions_that_exist(workflows: dict[str, Any], sessions: set[str]) -> None:
    matrix = workflows["ci"]["jobs"]["session"]["strategy"]["matrix"]
    called = {*matrix["session"], *(entry["session"] for entry in matrix["include"])}
    for workflow in workflows.values():
        for step in steps(workflow):
            called |= set(re.findall(r"nox --session (\w+)", step.get("run", "")))
    assert called - sessions == set()
    assert called >= {"newest", "oldest", "docs", "stacks", "wheel"}
    assert sessions - called == {"newer"}  # which is `newest` with a newer Python, where that is slow


def test_the_pythons_are_those_that_are_promised(workflows: dict[str, Any], repository: Path) -> None:
    matrix = workflows["ci"]["jobs"]["session"]["strategy"]["matrix"]
    [floor] = re.findall(r'python_requires=">=([\d.]+)"', (repository / "setup.py").read_text(encoding="utf-8"))
    assert matrix["python"] == [floor, "3.12", "3.13"]
    base = workflows["ci"]["jobs"]["base"]["strategy"]["matrix"]
    assert {"windows-latest", "macos-latest"} <= set(base["system"])
    assert any(step.get("run") == "fairsum demo" for step in workflows["ci"]["jobs"]["base"]["steps"])


def test_workflows_may_do_no_more_than_they_must(workflows: dict[str, Any]) -> None:
    for workflow in workflows.values():
        assert workflow["permissions"] == {"contents": "read"}
        for name, job in workflow["jobs"].items():
            assert job.get("permissions", {}) == ({"id-token": "write"} if name == "publish" else {})
            assert job["timeout-minutes"] <= (180 if name == "nightly" else 60)
        for step in steps(workflow):
            if "uses" in step:
                assert re.fullmatch(r"actions/[\w-]+@v\d+|pypa/gh-action-pypi-publish@release/v1", step["uses"])
            if step.get("uses", "").startswith("actions/checkout"):
                assert step["with"] == {"persist-credentials": False}
            # What others can name, such as a branch, is never part of a script.
            assert not re.search(r"\$\{\{\s*github\.", step.get("run", ""))


def test_files_fit_their_schemas(repository: Path) -> None:
    matched = {path for pattern in SCHEMAS.values() for path in repository.glob(pattern)}
    assert matched == {*repository.glob(".github/**/*.yml"), repository / "CITATION.cff", repository / "action.yml"}
    check = pytest.importorskip("check_jsonschema", reason="check-jsonschema is not installed").main
    for schema, pattern in SCHEMAS.items():
        files = map(str, repository.glob(pattern))
        done = CliRunner().invoke(check, ["--builtin-schema", f"vendor.{schema}", *files])
        assert done.exit_code == 0, done.output


HINT = re.compile(r'pip install "\.\[([\w,-]+)\]"')
BARE_NAME = re.compile(
    r"(?:install|From:) [^\n]*\bfairsum[-_]utils(?![\w/.]|-\d|(?:\[[\w,-]+\])? @)|^fairsum[-_]utils", re.MULTILINE
)


def test_no_file_installs_a_name_that_is_not_ours(repository: Path) -> None:
    """Requirements, hints, scripts, workflows and pages mean a checkout or an address; every extra exists."""
    assert not REGISTERED
    for bare in ("pip install fairsum-utils", 'pip install "fairsum-utils[llm]"', "x  # From: fairsum-utils"):
        assert BARE_NAME.search(bare)
    folders = (".github", "datasets", "docs", "examples", "metrics")
    paths = [repository / "action.yml", repository / "README.md", repository / "CONTRIBUTING.md"]
    paths += [path for folder in folders for path in (repository / folder).rglob("*.*")]
    for path in paths:
        if path.suffix in (".ipynb", ".md", ".py", ".sh", ".txt", ".yaml", ".yml"):
            assert not BARE_NAME.search(path.read_text(encoding="utf-8")), path
    tree = ast.parse((repository / "setup.py").read_text(encoding="utf-8"))
    dicts = [node for node in ast.walk(tree) if isinstance(node, ast.Dict)]
    extras = {key.value for node in dicts for key in node.keys if isinstance(key, ast.Constant)}
    pages = [path for folder in ("metrics", "datasets", "docs") for path in (repository / folder).rglob("*.md")]
    n_hints = 0
    for path in [*pages, repository / "README.md", *(repository / "examples").glob("*.py")]:
        text = path.read_text(encoding="utf-8")
        for hint in HINT.finditer(text):
            assert set(hint[1].split(",")) <= extras, f"{path}: {hint[0]}"
            n_hints += 1
    assert n_hints > 10


def test_pages_keep_the_hub_out_while_its_name_is_not_ours(repository: Path) -> None:
    """Switch NAMESPACE_IS_OURS, and README, cards and pages must change."""
    assert not NAMESPACE_IS_OURS
    readme = (repository / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", readme, re.S)
    [loading] = [block for block in blocks if 'evaluate.load("fairsum/' in block]
    assert loading.index("HF_EVALUATE_OFFLINE") < loading.index("import evaluate")
    assert loading.index("HF_HUB_OFFLINE") < loading.index("import evaluate")
    install = (repository / "docs/pages/how-to/install.md").read_text(encoding="utf-8")
    assert '| `evaluate.load("fairsum/bur")` | after `fairsum publish install`, with `HF_EVALUATE_OFFLINE=1`' in install
    for card in (repository / "metrics").glob("*/README.md"):
        named = f'or `evaluate.load("fairsum/{card.parent.name}")` once\n[installed](../../docs/pages/how-to/install.md'
        assert named in card.read_text(encoding="utf-8"), card


def test_examples_load_from_the_package(repository: Path) -> None:
    for path in (repository / "examples").rglob("*.py"):
        assert not re.search(r"evaluate\.load\([^)]*(fairsum|metrics)", path.read_text(encoding="utf-8")), path


def test_contributing_names_every_package(repository: Path) -> None:
    text = (repository / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text[text.index("| package of") : text.index("The studies and tables of the papers")]
    named = set(re.findall(r"`(\w+)/", table))
    assert named == {path.parent.name for path in (repository / "fairsum_utils").glob("*/__init__.py")}


def test_documents_name_no_folder_beside_the_repository(repository: Path) -> None:
    """Sources are cited as on the page of sources, data as those that the papers publish."""
    folders = ("benchmarks", "datasets", "docs", "examples", "fairsum_utils", "metrics", "reproductions", "tools")
    paths = [path for folder in folders for path in (repository / folder).rglob("*.*")] + [*repository.glob("*.md")]
    texts = [path for path in paths if path.suffix in (".ipynb", ".md", ".py", ".pyi", ".toml")]
    assert len(texts) > 100
    beside = re.compile(r"\bpapers/(?:bold|coverage|fairsumm|news)|\.\./shared\b")
    assert [path for path in texts if beside.search(path.read_text(encoding="utf-8"))] == []


def test_links_between_files_lead_somewhere(repository: Path) -> None:
    """mkdocs checks the same links on the site."""
    pages = [*repository.glob("*.md"), *(repository / "benchmarks").glob("*.md")]
    for folder in ("metrics", "datasets", "docs", "examples", "fairsum_utils", "reproductions"):
        pages += [*(repository / folder).rglob("*.md"), *(repository / folder).rglob("*.ipynb")]
    links = [
        (page, link)
        for page in pages
        for link in re.findall(r"\]\((?![a-z]+:|#)([^)\s]+)\)", page.read_text(encoding="utf-8"))
    ]
    assert len(links) > 100
    assert [(page, link) for page, link in links if not (page.parent / link.partition("#")[0]).exists()] == []
