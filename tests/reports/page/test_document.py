from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from fairsum_utils.reports.page import document as document_module
from fairsum_utils.reports.page.contents import Contents, Section
from fairsum_utils.reports.page.document import document, page_colors, page_style, sample_style, script, write_page
from fairsum_utils.reports.theme import VALUES

Made = Callable[..., Contents]
LIMITS = Section("limits", "Limits & more", "<p>Words only.</p>")


pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture(autouse=True)
def limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """One small panel stands for those above the samples."""
    monkeypatch.setattr(document_module, "sections_of", lambda contents: [LIMITS])


def blocks_of(page: str) -> list[str]:
    packed = re.findall(r'<script type="application/octet-stream"[^>]*>([^<]*)<', page)
    return [zlib.decompress(base64.b64decode(block), -zlib.MAX_WBITS).decode() for block in packed]


def test_the_policy_allows_the_one_script_and_the_one_style_sheet(review: Contents):
    page = document(review)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for kind, tag in (("script", "<script>"), ("style", "<style>")):
        assert page.count(tag) == 1
        text = page.split(tag)[1].split(f"</{kind}>")[0]
        hashed = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[f"{kind}-src"] == f"'sha256-{hashed}'"
    assert set(rules) == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    assert "unsafe" not in policy
    # nothing comes before it that could be run
    assert page.index("Content-Security-Policy") < min(page.index(tag) for tag in ("<style", "<script", "<link"))


def test_nothing_in_it_is_a_style_or_a_handler_or_leads_elsewhere(review: Contents):
    found: list[tuple[str, str, str | None]] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, given: found.extend((tag, *pair) for pair in given)
    parser.feed(document(review))
    assert not [name for _, name, _ in found if name == "style" or name.startswith("on")]
    leading = [(tag, value) for tag, name, value in found if name in ("href", "src", "action")]
    assert {value.startswith("#") or tag == "link" for tag, value in leading} == {True}
    assert [value[:19] for tag, value in leading if tag == "link"] == ["data:image/svg+xml,"]


def test_without_samples_there_are_sections_alone(review: Contents):
    page = document(review._replace(samples=[]))
    assert re.findall(r'<section id="([^"]+)"', page) == ["limits", "provenance"]
    assert "octet-stream" not in page


def test_titles_are_escaped():
    page = document(Contents("</title><script>alert(1)</script>\x00\u202e", {}, []))
    assert page.count("<script") == 1
    assert "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\x00\\u202e · fairsum report</title>" in page


def test_the_samples_are_in_the_page(review: Contents):
    [index] = map(json.loads, blocks_of(document(review)))
    [sample] = index["samples"]
    assert (sample["id"], sample["system"], sample["flags"]) == ("r1", 0, [])
    assert index["systems"] == [""]
    assert index["sorts"] == [["BUR", "mean shortfall"], ["UER", "mean shortfall"]]
    assert index["sides"] == [1]
    # Soup and staff of 5 words count for both groups, tasty and kind for pos; neg has 1 of 3 sources.
    assert len(sample["spreads"][0]) == 2
    assert "Cold" in sample["html"]
    assert '<mark class="fs-word fs-v2" title="pos: counted as tasti" data-keys="0">Tasty</mark>' in sample["html"]


def test_redacted_texts_are_nowhere_and_systems_share_numbers(made: Made):
    samples = [
        (f"secret-{number}", system, "Tasty soup.", ["The soup was tasty.", "Cold staff."], ["pos", "neg"])
        for number in (7, 8)
        for system in ("A", "B")
    ]
    page = document(made(samples, redact=True))
    [index] = blocks_of(page)
    for word in ("secret", "soup", "Tasty", "staff", "Cold"):
        assert word not in page + index
    found = [(sample["id"], sample["system"]) for sample in json.loads(index)["samples"]]
    assert found == [("1", 0), ("1", 1), ("2", 0), ("2", 1)]
    assert "Sample <bdi>1 (A)</bdi>" in page


def test_colors_are_those_of_the_results_and_all_where_there_are_too_many(review: Contents):
    assert page_colors(review) == {"neg": "v1", "pos": "v2"}
    many = {"bur": {"n_by_value": dict.fromkeys(map(str, range(len(VALUES) + 1)), 1)}}
    assert set(page_colors(Contents("", {}, [("all", many)])).values()) == {"accent"}


def test_colors_of_a_comparison_are_those_of_its_samples(review: Contents):
    lenses = {label: lens._replace(result={}) for label, lens in review.lenses.items()}
    crafted = review._replace(views=[("", {"bur": {"a": 0.5}})], lenses=lenses)
    assert page_colors(crafted) == {}
    page = document(crafted)
    assert 'class="fs-word fs-v' in page
    assert "fs-accent" not in page.split("</style>")[1]


def test_a_page_appears_whole_or_not_at_all(tmp_path: Path, review: Contents):
    path = tmp_path / "report.html"
    path.write_text("before")

    def broken():
        raise OSError("no more samples")
        yield

    with pytest.raises(OSError, match="no more samples"):
        write_page(path, review._replace(samples=broken()))
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("text", [page_style({"v1"}), script()])
def test_nothing_is_fetched_and_no_piece_ends_its_element(text: str):
    assert not re.search(r"@import|url\(|https?:(?!//www\.w3\.org/2000/svg)|fetch\(|XMLHttp|import\(", text)
    assert "</" not in text.replace(r"<\/", "")
    assert "<!--" not in text


def test_the_style_of_a_sample_touches_nothing_else():
    plain = re.sub(r"@(media|container)[^{]*", "", sample_style({"v1"}))
    selectors = [part for rule in re.findall(r"([^{}]+)\{", plain) for part in rule.split(",")]
    assert all(re.search(r"\.fs-|\.fairsum-results", selector) for selector in selectors if selector.strip())


def test_each_set_of_a_few_values_has_a_class_of_its_own():
    assert re.findall(r"(?<=[}\n])\.(fs-v\d[^{]*)\{", sample_style({"v1", "v2"})) == ["fs-v1", "fs-v2", "fs-v1-v2"]
    many = re.findall(r"(?<=[}\n])\.(fs-(?:v|shared)[^{]*)\{", sample_style({"v1", "v2", "v3", "v4", "v5"}))
    assert many == ["fs-v1", "fs-v2", "fs-v3", "fs-v4", "fs-v5", "fs-shared"]


def test_the_script_has_no_comments_and_loses_nothing_else():
    assert "//" not in re.sub(r"http://", "", script())
    assert script().startswith('"use strict";\n(() => {\n')
    assert script().endswith("})();\n")
