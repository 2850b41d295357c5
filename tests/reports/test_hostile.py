"""Labels, ids and names that are markup somewhere: every rendering of every family shows them as texts."""

from __future__ import annotations

import csv
import html
import io
import math
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

from fairsum_utils import compare
from fairsum_utils._util.terminal import on_one_line
from fairsum_utils.gate import CheckResult, Verdict
from fairsum_utils.reports.formats import FORMATS, as_markdown
from fairsum_utils.reports.tables import Marked, Table
from fairsum_utils.results import Comparison, ScoreResults
from tests._results import FAMILIES

LABELS = [
    *("a\n\\input{x}", "b\r::error::x", "c\u2028# d", "e\x85::warning::x", "::error::x", "##vso[task.x]y", "[f]"),
    *("*g*", "`h`", "_i_", "j|k\\|l", "![x](https://evil.example/t.png)", "[click](https://evil.example)", "[m]: n"),
    *("https://evil.example", "www.evil.example", "@evil", "e@evil.example", "&#64;evil", "#12", "<script>x</script>"),
    *(
        "</title><img src=x>",
        "&lt;b&gt;",
        "\\",
        "\\[o](p)",
        "$q$",
        "\x1b[31mr",
        "\u202es",
        "t\x00",
        "=1+1",
        "\n=1+1",
        "#",
    ),
    *(
        "\n::error::x",
        "[o]\\",
        "&copy;",
        "a_b",
        "a _c_",
        "~~d~~",
        "$x$ 50%",
        "HTTPS://evil.example",
        "WWW.evil.example",
    ),
    *("> q", "a > b", "+ i", "- i", "===", "<IMG>", "</td>", "<!-- c -->", "<?x?>", "\n[f]", "\n- i"),
]
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def tags(page: str) -> Iterator[str]:
    """The names of elements and attributes."""
    found: list[str] = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend([tag, *(name for name, _ in attrs)])

        def handle_endtag(self, tag: str) -> None:
            found.append(tag)

    Parser().feed(page)
    yield from found


def check_text(shown: str) -> None:
    assert not re.search(r"^\s*::|##\w*\[", shown, re.MULTILINE)
    assert not re.search(r"^\s*(?:\\input|# d)", shown, re.MULTILINE)


def check_markdown(shown: str) -> None:
    check_text(shown)
    assert not re.search(r"@\w|(?<!&)#\d|(?<!\\)://|(?i:www)\.|(?<!\\)\$", shown)
    parser = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    cells = [parser.renderInline(cell.strip()) for cell in re.split(r"(?<!\\)\|", shown)]
    for rendered in (parser.render(shown), *cells):
        assert not {"a", "img", "em", "code", "script", "h1", "title"} & {*tags(rendered)}, rendered


def check_latex(shown: str) -> None:
    check_text(shown)
    lines = [line for line in shown.splitlines() if line and not line.startswith("%")]
    commands = r"\\(?:begin\{tabular\}\{l+r*\}|end\{tabular\}|(?:top|mid|bottom)rule)"
    for before, line in zip(["", *lines], lines, strict=False):
        if re.fullmatch(commands, line):
            continue
        assert line.endswith(r" \\")
        assert not re.match(r"\s*[\[*]", line), before
        left = re.sub(r"\\text[a-z]+\{\}|\\[&%$#_{}]|^\s*\{\}", "", line.removesuffix(r" \\"))
        assert not set(left) & set("\\%$#_{}~^"), line


def check_csv(shown: str) -> None:
    assert not re.search(r"^\s*(?:::|\\input|# d)", shown, re.MULTILINE)
    cells = [cell for row in csv.reader(io.StringIO(shown)) for cell in row]
    assert not [cell for cell in cells if "\n" in cell or re.match(r"\s*[=+@]", cell)]


def check_html(shown: str) -> None:
    assert not re.search(r"^\s*::", shown, re.MULTILINE)
    assert not {"script", "img", "b", "a"} & {*tags(shown)}
    assert "<title" not in shown  # long heads have an attribute of this name
    assert not [name for name in tags(shown) if name.startswith("on")]


CHECKS: dict[str, Callable[[str], None]] = {
    "text": check_text, "latex": check_latex, "csv": check_csv, "html": check_html, "markdown": check_markdown,
}  # fmt: skip


def renamed(item: Any, names: dict[str, str]) -> Any:
    """The data with other labels."""
    if isinstance(item, dict):
        return {key: renamed(part, names) for key, part in item.items()}
    return [renamed(part, names) for part in item] if isinstance(item, list) else names.get(item, item)


def inert(shown: Any, expected: Any) -> None:
    """Check all formats, and that each has the lines that it has with other labels."""
    for name, check_format in CHECKS.items():
        written = FORMATS[name](shown._parts())
        assert not OBEYED.search(written), name
        assert len(written.splitlines()) == len(FORMATS[name](expected._parts()).splitlines()), name
        check_format(written)


@pytest.mark.parametrize("format", FORMATS)
def test_every_label_in_every_place(format: str) -> None:
    for label in LABELS:
        table = Table([label, label, "n"], [[label, label, 1.0], ["x", None, Marked(0.5, "*")]], label, [label])
        shown = FORMATS[format]([[label, label], table, table._replace(n_texts=2)])
        usual = table._replace(header=["x", "y", "n"], rows=[["x", "x", 1.0], ["x", None, 0.5]], title="x", below=["x"])
        assert len(shown.splitlines()) == len(FORMATS[format]([["x", "x"], usual, usual]).splitlines()), label
        assert not OBEYED.search(shown), label
        if format != "markdown":
            CHECKS[format](shown)
        else:
            check_markdown(shown.replace("0.5000*", ""))


PARSER = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable(["table", "strikethrough"])


@pytest.mark.parametrize("label", LABELS)
def test_markdown_shows_a_label_as_it_is(label: str) -> None:
    shown = on_one_line(label).strip()
    lines = PARSER.render(as_markdown([[label, label]]))
    head = PARSER.render(as_markdown([Table([label, "total"], [["x", 1]])])).partition("</th>")[0]
    for rendered, expected in ((lines, f"{shown} {shown}"), (head, shown)):
        text = re.sub(r'</?(?:p|table|thead|tr|th)(?: style="text-align:(?:left|right)")?>\s*', "", rendered)
        assert "<" not in text
        text = html.unescape(text)
        assert not re.search(r"@\w|(?<!&)#\d", text)
        assert " ".join(text.replace("\u200b", "").split()) == expected


# Names of two groups, originals or speakers: what a format, a log or a spreadsheet may obey
PAIR = (
    "[f]\n\\input{x}\r::error::x\u2028# d ##vso[task.x]y <script>x</script> | `h` _i_",
    "\n=1+1 ![x](https://evil.example/t.png) www.evil.example @evil #12 \\[o](p) $q$ \x1b[31mr\u202es t\x00",
)


@pytest.mark.parametrize("family", FAMILIES)
def test_labels_of_every_family(examples: ModuleType, monkeypatch: pytest.MonkeyPatch, family: str) -> None:
    def scored(one: str, other: str) -> ScoreResults:
        names = dict.fromkeys(("pos", "women", "female", "1", "A"), one)
        names |= dict.fromkeys(("neg", "men", "male", "2", "B"), other)
        for data in ("SUMMARIES", "TEXTS", "INPUTS"):
            monkeypatch.setattr(examples, data, renamed(getattr(examples, data), names))
        made: ScoreResults = examples.of_family(family, n_resamples=20)
        monkeypatch.undo()
        return made

    inert(scored(*PAIR), scored("x", "y"))


def test_names_of_systems_and_of_what_is_checked(examples: ModuleType) -> None:
    def compared(*names: str) -> Comparison:
        systems = dict(zip(names, (examples.A, examples.B), strict=True))
        return compare(systems, **examples.SUMMARIES, metrics=["uer"], confidence_level=None)

    inert(compared(*PAIR), compared("x", "y"))
    verdicts = [Verdict(label, outcome, math.nan, None, label) for label in LABELS for outcome in ("fail", "undecided")]
    for label in PAIR:
        checked = CheckResult(tuple(verdicts), label, (label,))
        assert len(ElementTree.fromstring(checked.to_junit())[0]) == len(verdicts)
        assert not OBEYED.search(checked.to_junit())
    for name, check_format in CHECKS.items():
        check_format(FORMATS[name](checked.parts()))
