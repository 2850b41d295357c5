"""The cards of the data sets' folders say what the package does."""

import contextlib
import io
import json
import re
from pathlib import Path

import pytest

from fairsum_utils.corpora import corpora
from fairsum_utils.counterfactual.documents import parse_document

ROOT = Path(__file__).resolve().parents[2] / "datasets"
PAGE = ROOT.parent / "docs" / "pages" / "reference" / "every-data-set.md"
SOURCES = ROOT.parent / "docs" / "pages" / "explanation" / "sources.md"


def card(name: str) -> str:
    return (ROOT / name / "README.md").read_text(encoding="utf-8")


def row_of(body: str, config: str) -> str:
    """Return the first row of a table on a configuration."""
    return next(line for line in body.splitlines() if line.startswith("| ") and f"`{config}`" in line)


@pytest.mark.parametrize("name", corpora())
def test_configurations_columns_options_and_citation(name: str) -> None:
    corpus = corpora()[name]
    front, body = card(name).removeprefix("---\n").split("\n---\n", 1)
    assert front.split("config_names:\n")[1].splitlines() == [f"- {config}" for config in corpus.configurations]
    assert len(card(name).split()) <= 500
    assert all(f"`{config}`" in body or f"`{config.rpartition('_')[0]}`" in body for config in corpus.configurations)
    shared = PAGE.read_text(encoding="utf-8")
    assert all(f"| `{column}` |" in body + shared for column in corpus.columns)
    assert all(re.search(rf"`{option}`|`{option}=", body + shared) for option in corpus.options)
    assert f"# {corpus.title}\n" in body
    [title] = re.findall(r"\btitle\s*= \{(.+)\}", corpus.citation)
    assert re.sub(r"[{}]", "", title) in SOURCES.read_text(encoding="utf-8")
    assert corpus.homepage.removeprefix("https://github.com/") in body or name == "coverage_sets"


def test_perspectivesumm() -> None:
    for config, configuration in corpora()["perspectivesumm"].configurations.items():
        rows = "" if configuration.rows is None else f"{configuration.rows:,} "
        assert row_of(card("perspectivesumm"), config).endswith(f"| {rows}|")


def test_coverage_sets() -> None:
    for config, configuration in corpora()["coverage_sets"].configurations.items():
        line = row_of(card("coverage_sets"), config)
        [(attribute, values)] = configuration.attributes.items()
        assert values is not None
        assert f"| {attribute} | {', '.join(values)} |" in line
        assert json.dumps(configuration.options["size"]).strip("[]").replace(", ", " to ") in line


def test_bold() -> None:
    for config, configuration in corpora()["bold"].configurations.items():
        groups = configuration.attributes["group"]
        assert groups is not None
        assert f"| `{config}` | {len(groups)} | {configuration.rows:,} |" in card("bold")


def test_counterfactual_ontonotes() -> None:
    body = card("counterfactual_ontonotes")
    for config, known in corpora()["counterfactual_ontonotes"].configurations.items():
        if known.rows is not None:
            groups = ", ".join(known.attributes["group"] or ()) or "none"
            names = {"first": "first", "both": "first and last", None: "none"}[known.options.get("names")]
            assert row_of(body, config).endswith(f"| {groups} | {names} | {known.rows:,} |")


def test_own_news_and_groups() -> None:
    page = PAGE.read_text(encoding="utf-8")
    [text] = [code for code in re.findall(r"```json\n(.*?)```", page, re.DOTALL) if "mentions" in code]
    document = parse_document(json.loads(text), "page")
    assert [document.text[slice(*mention[:2])] for mention in document.chains[0]] == ["Mr. Lee", "he"]
    [code] = [code for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "GroupNames" in code]
    [output] = re.findall(r"```\n(480.*?)```", page, re.DOTALL)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, {})
    assert printed.getvalue() == output
