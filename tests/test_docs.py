"""The documentation site: it builds without a warning, asks nobody for anything, and leaves nothing out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def site(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder: the one that FAIRSUM_SITE names, or a fresh one."""
    if "FAIRSUM_SITE" in os.environ:
        return Path(os.environ["FAIRSUM_SITE"])
    for name in ("mkdocs", "mkdocstrings", "material", "latex2mathml"):
        pytest.importorskip(name)
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"})
    assert done.returncode == 0, done.stderr
    return folder


class Requests(HTMLParser):
    """What a browser fetches by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        fetched = {"src", "srcset", "poster", "data"} | ({"href"} if tag in ("link", "use") else set())
        self.found += [value or "" for name, value in attributes if name in fetched]


def test_nothing_comes_from_elsewhere(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if page.name != "demo-report.html"]
    assert len(pages) > 40
    for page in pages:
        requests = Requests()
        requests.feed(page.read_text(encoding="utf-8"))
        assert any("stylesheets" in request for request in requests.found)
        assert not [request for request in requests.found if re.match(r"([a-z]+:)?//", request)], page
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(.?https?:|@import .?https?:", style.read_text(encoding="utf-8")), style


def test_nothing_is_left_as_it_was_written(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = re.sub(r"<(pre|code)\b.*?</\1>", "", page.read_text(encoding="utf-8"), flags=re.S)
        for rest in ("$$", ":math:", "arithmatex", "<!-- published", "&gt;&gt;&gt;"):
            assert rest not in text, (page, rest)
        for formula in re.findall(r"<math.*?</math>", text, re.S):
            assert "\\" not in formula, (page, formula)  # LaTeX that was not understood


def test_links_lead_to_pages(site: Path) -> None:
    # mkdocs checks those between pages; here, that none leads to a file of the project, which the site does not have.
    for page in {*site.rglob("*.html")} - {site / "404.html"}:
        for link in re.findall(r'<a [^>]*href="([^"]*)"', page.read_text(encoding="utf-8")):
            if not re.match(r"[a-z]+:", link):
                target = page.parent / link.partition("#")[0] if link.partition("#")[0] else page
                assert target.resolve().suffix in ("", ".html", ".ipynb"), (page, link)
                assert target.exists(), (page, link)
