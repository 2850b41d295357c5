"""Whole pages of results in Chromium, from the disk and without a network: every family, and systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import compare, score
from tests._results import FAMILIES, SUMMARIES, A, B, of_family
from tests.conftest import takes_long

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra browser)")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed (extra browser)")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    for family in FAMILIES:
        of_family(family, return_samples=True).report(folder / f"{family}.html")
    summaries = {"lead": A, "last": B, "<b>none</b>": ["Great soup."] * 4}
    scored = {name: score(texts, **SUMMARIES, return_samples=True) for name, texts in summaries.items()}
    compare(summaries, **SUMMARIES, pairs=True).report(folder / "systems.html", samples=scored)
    return {path.stem: path for path in folder.glob("*.html")}


@pytest.mark.parametrize(("width", "theme"), [(360, "dark"), pytest.param(1440, "light", marks=takes_long)])
@pytest.mark.parametrize("name", [*FAMILIES, "systems"])
def test_a_page_is_well_made(chromium: Any, pages: dict[str, Path], name: str, width: int, theme: str) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=theme, offline=True)
    page, messages, asked = context.new_page(), [], []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(pages[name].as_uri())
    page.wait_for_selector("#fs-reader .fs-sample")
    for folded in page.locator("details").all():
        folded.evaluate("each => each.open = true")
    violations = axe.Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in violations] == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert (messages, asked) == ([], [pages[name].as_uri()])
    # What the policy forbids it forbids in silence: a style that did not apply, an image that is not there.
    assert page.evaluate("getComputedStyle(document.querySelector('.fs-number')).textAlign") == "right"
    assert page.evaluate("document.querySelectorAll('main [style]').length") == 0
    drawings = page.locator(".fairsum-drawing")
    assert drawings.count() > 0
    for drawing in drawings.all():
        assert drawing.is_visible()
        assert 100 < drawing.bounding_box()["width"] <= width
    assert page.evaluate("[...document.images].every(each => each.complete && each.naturalWidth > 0)")
    context.close()
