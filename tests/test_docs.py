"""The documentation site: it builds without a warning, asks nobody for anything, and leaves nothing out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from fairsum_utils.cli.app import contexts
from fairsum_utils.reports.theme import DARK, LIGHT, VALUES, favicon, logo, variables

MEASURES = [path.name for path in sorted(Path(__file__).parents[1].glob("metrics/*"))]
DATA_SETS = [path.name for path in sorted(Path(__file__).parents[1].glob("datasets/*"))]


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


def text_of(site: Path, page: str) -> str:
    return (site / page).read_text(encoding="utf-8")


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


def test_the_report_of_the_demo_is_embedded(site: Path) -> None:
    page, report = text_of(site, "explanation/reading-a-report.html"), text_of(site, "explanation/demo-report.html")
    assert '<iframe src="demo-report.html"' in page
    assert page.count("<mark style=") == len(VALUES) + 1
    assert "<!-- marks -->" not in page
    assert "noodle-bar" in report
    requests = Requests()
    requests.feed(report)
    assert requests.found
    assert all(request.startswith("data:") for request in requests.found)
    # In the README's picture, of each theme one.
    front = text_of(site, "index.html")
    assert front.count('src="images/report-light.webp#only-light"') == 1
    assert front.count('src="images/report-dark.webp#only-dark"') == 1


def test_the_site_has_the_face_of_reports(site: Path, repository: Path) -> None:
    front, colours = text_of(site, "index.html"), text_of(site, "face.css")
    for theme in (LIGHT, DARK):
        assert variables(theme) in colours
    assert text_of(site, "favicon.svg") == favicon()
    assert logo() in front
    assert 'href="favicon.svg"' in front
    assert front.count('class="fairsum-drawing"') == 2  # wide and narrow, in the page so that they follow its theme
    assert "demo.svg" not in front
    # Colours have names, and stand in no other place.
    style = (repository / "docs/pages/style.css").read_text(encoding="utf-8")
    assert not re.search(r":[^;{]*(#[0-9a-f]{3,8}\b|rgba?\(|hsla?\()", style)
    assert "teal" not in front
    assert 'role="dialog" aria-label="Search"' in front


@pytest.mark.parametrize("name", MEASURES)
def test_a_page_for_each_measure(site: Path, name: str) -> None:
    page = text_of(site, f"reference/measures/{name}.html")
    assert re.search(r'id="formula".*?<math.*?</math>', page, re.S)
    assert f"fairsum_utils.measures.{name}" in page  # its functions
    for title in ("what-it-measures", "limitations-and-how-it-can-be-gamed", "published-values"):
        assert f'id="{title}"' in page
    assert f"measures/{name}.html" in text_of(site, "explanation/which.html")
    values = text_of(site, "explanation/reproducibility.html").split('id="what-the-cards-say')[1]
    assert f"measures/{name}.html" in values


@pytest.mark.parametrize("name", DATA_SETS)
def test_a_page_for_each_data_set(site: Path, name: str) -> None:
    assert 'id="usage"' in text_of(site, f"reference/datasets/{name}.html")
    assert f"datasets/{name}.html" in text_of(site, "index.html")


def test_the_command_line(site: Path) -> None:
    headings = set(re.findall(r"<h[2-6] id=[^>]*>([^<]+)<a", text_of(site, "reference/cli.html")))
    assert {context.command_path for context in contexts()} <= {heading.strip() for heading in headings}
    assert "--confidence" in text_of(site, "reference/cli.html")


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
