"""Pages in Chromium, from the disk and without a network: what they ask for, what they do, and what axe finds."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fairsum_utils import compare, score
from fairsum_utils.reports.html import as_html
from fairsum_utils.reports.page import document
from fairsum_utils.reports.page.contents import Contents, Section
from fairsum_utils.reports.page.document import write_page
from fairsum_utils.reports.tables import Table
from tests._results import FAMILIES, SUMMARIES, A, B, of_family
from tests.conftest import LONG, takes_long

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra browser)")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed (extra browser)")


PHONE, DESK = {"width": 360, "height": 740}, {"width": 1440, "height": 900}
TABLE = Table(["value", "n"], [["neg", 2], ["pos", 10], ["neu", math.nan]], "Counts")
OVERVIEW = Section("overview", "Overview", as_html([TABLE], sortable=True))

# In sample r<n>, with m = n modulo 10, the sources have m + 2 words of "pos" and 2 of "neg". The summary of system A
# has m + 1 of the first and 1 of the second, so that "neg" lacks 2/(m + 4) - 1/(m + 2) = m/((m + 4)(m + 2)):
# 0.067, 0.083, 0.086, 0.083, 0.079 from m = 1 on. That of system B has one of each, so that "pos" lacks
# (m + 2)/(m + 4) - 1/2 = m/(2(m + 4)), 0.346 for m = 9. r30 shares nothing with its sources, r31 is empty.
WORDS = ["tasty", "kind", "warm", "sweet", "fresh", "quick", "calm", "great", "lovely", "bright"]


def samples_of(system: str) -> Iterator[tuple[str, str, str, list[str], list[str]]]:
    for number in range(30):
        mine = WORDS[: number % 10 + 1]
        summary = f"{' '.join(mine)} stale." if system == "A" else f"{mine[0]} stale."
        yield f"r{number}", system, summary, [f"{' '.join(mine)} place{number}.", "A stale soup."], ["pos", "neg"]
    yield "r30", system, "Nothing.", ["Tasty.", "Stale."], ["pos", "neg"]
    yield "r31", system, "", ["Tasty.", "Stale."], ["pos", "neg"]


EVIL = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    '"><svg/onload=alert(1)>',
    "]]><!--<script>",
    "\u202egnp.exe\u202c \u2066abc",
    "nul\x00\x1e\x01l \x1b[2J \ufffe\U0010ffff",
    "__proto__",
    "constructor",
    "{{7*7}} ${alert(1)} `",
    "=HYPERLINK(1)",
    "&lt;b&gt; &amp;",
]


def crafted(made: Callable[..., Contents], name: str) -> Contents:
    """The contents of a page: two systems, hostile, huge, one mark far down, or marks of two kinds."""
    values = ["pos", "neg"]
    if name == "hostile":
        # The same id thrice, so that labels, texts and systems are hostile at once.
        hostile = [
            (evil, f"{evil} {system}", f"{evil} tasty", [f"{evil} tasty", f"{evil} stale"], [evil, EVIL[place - 1]])
            for place, evil in enumerate(EVIL)
            for system in ("A", "B")
        ]
        return made(hostile, title=EVIL[0])
    if name == "huge":
        long, value = "x" * 300_000, "y" * 300_000
        huge = (long, "A" * 300_000, long, ["x" * 9000, "\x00" * 9000], ["pos", value])
        return made([huge, ("small", "B", "x y", ["x", "y"], ["pos", value])], title=long)
    if name == "far":
        rain = "We waited in the rain for hours and hours. " * 60
        return made([("r1", "", f"{rain}Tasty soup.", ["Tasty soup.", "Slow staff."], values)])
    if name == "readings":
        two = [
            ("r1", "", "Tasty soup. Slow staff.", ["Tasty soup here.", "Slow staff, cold soup."], values),
            ("r2", "", "The soup was tasty.", ["Tasty soup.", "The staff was slow."], values),
        ]
        return made(two, {"bur": {}, "equal_coverage": {"entailer": "lexical"}})
    return made([sample for pair in zip(samples_of("A"), samples_of("B"), strict=True) for sample in pair])


@pytest.fixture(scope="module")
def page_of(made: Callable[..., Contents], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Writes a page once: of crafted samples, of a family, or of systems."""
    folder = tmp_path_factory.mktemp("pages")

    def write(name: str) -> Path:
        path = folder / f"{name}.html"
        if name in FAMILIES:
            of_family(name, return_samples=True).report(path)
        elif name == "systems":
            summaries, asked = {"lead": A, "<b>last</b>": B}, {**SUMMARIES, "metrics": ["bur", "uer"]}
            systems = {name: score(texts, **asked, return_samples=True) for name, texts in summaries.items()}
            compare(summaries, **asked).report(path, samples=systems)
        else:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(document, "sections_of", lambda contents: [OVERVIEW])
                write_page(path, crafted(made, name))
        return path

    return cache(write)


class Opened(NamedTuple):
    """A page in the browser, and what it did that it should not."""

    page: Any
    asked: list[str]
    messages: list[str]

    def count(self, selector: str) -> int:
        return self.page.locator(selector).count()

    def listed(self) -> list[str]:
        return self.page.locator("#fs-list b").all_inner_texts()

    def status(self) -> str:
        return self.page.locator("#fs-shown").inner_text()

    def shown(self) -> str:
        return self.page.locator("#fs-name").inner_text()

    def read(self, title: str) -> None:
        """Wait until a sample is shown."""
        sync_api.expect(self.page.locator("#fs-name")).to_have_text(re.compile(rf"^Sample {re.escape(title)}( |$)"))

    def focused(self, of: str) -> Any:
        return self.page.evaluate(f"document.activeElement.{of}")


@pytest.fixture(scope="module")
def tabs(chromium: Any) -> Iterator[Callable[..., Opened]]:
    """One tab with scripts, and one without: making one takes longer than a test."""

    def tab(*, scripts: bool) -> Opened:
        context = chromium.new_context(reduced_motion="reduce", offline=True, java_script_enabled=scripts)
        page = context.new_page()
        page.set_default_timeout(10_000)
        asked, messages = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("dialog", lambda dialog: (messages.append(f"dialog {dialog.message}"), dialog.dismiss()))
        return Opened(page, asked, messages)

    yield cache(tab)
    for context in chromium.contexts:
        context.close()


@pytest.fixture
def opened(tabs: Callable[..., Opened], page_of: Callable[[str], Path]) -> Iterator[Callable[..., Opened]]:
    """Opens a page; whatever it asks for besides itself, and whatever it says, fails the test at the end."""
    used: list[tuple[Opened, str]] = []

    def of(
        name: str, fragment: str = "", viewport: dict[str, int] = DESK, theme: str = "light", *, scripts: bool = True
    ) -> Opened:
        it, address = tabs(scripts=scripts), page_of(name).as_uri()
        it.page.goto("about:blank")  # else another fragment would be another place in the same page
        it.page.set_viewport_size(viewport)
        it.page.emulate_media(color_scheme=theme, media="screen")
        it.asked.clear()
        it.messages.clear()
        it.page.goto(f"{address}{fragment}")
        if scripts:
            it.page.wait_for_selector("#fs-reader .fs-sample")
        used.append((it, address))
        return it

    yield of
    for it, address in used:
        assert ([url.partition("#")[0] for url in it.asked], it.messages) == ([address], [])


@pytest.mark.parametrize(
    ("name", "theme"),
    [
        ("systems", "dark"),
        *[
            pytest.param(name, theme, marks=takes_long)
            for name in (*FAMILIES, "both", "hostile")
            for theme in ("dark", "light")
        ],
    ],
)
def test_a_page_is_well_made(opened: Callable[..., Opened], name: str, theme: str) -> None:
    page = opened(name, viewport=PHONE, theme=theme).page
    page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
    page.evaluate("document.querySelector('#fs-related input, #fs-columns mark').click()")
    # Contrast takes most of the time, and tests of the palette compute it.
    options = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": LONG}}}
    violations = axe.Axe().run(page, options=options).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in violations] == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    # The policy forbids in silence: a style that did not apply, an image that is not there.
    assert page.evaluate("getComputedStyle(document.querySelector('.fs-number')).textAlign") == "right"
    assert page.evaluate("document.querySelectorAll('main [style]').length") == 0
    widths = "[...document.querySelectorAll('.fairsum-drawing')].map(each => each.getBoundingClientRect().width)"
    assert min(page.evaluate(widths)) > 100
    assert page.evaluate("[...document.images].every(each => each.complete && each.naturalWidth > 0)")


def test_a_phone_shows_figures_captions_and_first_marks(opened: Callable[..., Opened]):
    it = opened("far", viewport=PHONE)
    assert it.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # A figure needs no scrolling, and its smallest letters, of 7.5 in 324, have 8 pixels.
    drawing = it.page.locator(".fairsum-drawing").first.bounding_box()
    assert drawing["x"] >= 0
    assert drawing["x"] + drawing["width"] <= PHONE["width"]
    assert 7.5 * drawing["width"] / 324 > 8
    caption = it.page.locator("#overview caption")
    before = caption.bounding_box()
    wide = "(each) => { each.firstChild.style.width = '50rem'; each.scrollLeft = 99; return each.scrollLeft; }"
    assert it.page.locator("#overview .fs-table").evaluate(wide) == 99
    assert caption.bounding_box() == before
    it.page.locator("#fs-list button").first.click()
    mark = it.page.locator("#fs-columns mark").first.bounding_box()
    assert 0 <= mark["y"] <= PHONE["height"] - mark["height"]


# --- filters, order, search ---------------------------------------------------------------------------------------


def test_it_opens_at_its_top_with_the_worst_first(opened: Callable[..., Opened]):
    # Not at the sample that is read first, which may be far below.
    it = opened("both", viewport={"width": 1000, "height": 300})
    assert it.status() == "64 of 64 samples"
    assert it.listed()[:3] == ["r9", "r19", "r29"]
    assert len(it.listed()) == 64
    assert it.shown() == "Sample r9 B"
    assert it.page.evaluate("scrollY") == 0


def test_orders(opened: Callable[..., Opened]):
    it = opened("both")
    it.page.select_option("[name=sort]", "file")
    assert it.listed()[:4] == ["r0", "r0", "r1", "r1"]
    it.page.select_option("[name=sort]", "id")
    assert it.listed()[:5] == ["r0", "r0", "r1", "r1", "r2"]  # as numbers: r2 before r10
    it.page.select_option("[name=sort]", "1")
    assert it.listed()[0] == "r9"
    # BUR is 1; what decides, and what the bar shows, is the mean shortfall of both values: 0.346 and 0 of r9.
    it.page.select_option("[name=sort]", "0")
    first = it.page.locator("#fs-list button").first.inner_text().split("\n")
    assert [part for part in first if part] == ["r9", "1.000", "B · mean shortfall 0.173"]


def test_filters(opened: Callable[..., Opened]):
    it = opened("both")
    it.page.select_option("[name=system]", label="A")
    assert it.listed()[:4] == ["r3", "r13", "r23", "r2"]
    it.page.select_option("[name=sort]", "file")
    assert it.listed() == [f"r{place}" for place in range(32)]
    it.page.click("#fs-filters [type=reset]")
    sync_api.expect(it.page.locator("#fs-shown")).to_contain_text("64 of 64")

    it.page.get_by_label("unmatched").check()
    assert it.listed() == ["r30", "r30"]
    it.page.get_by_label("unmatched").uncheck()
    it.page.get_by_label("skipped").check()
    assert it.listed() == ["r31", "r31"]
    it.read("r31")
    assert "No score: the summary is empty." in it.page.locator("#fs-columns").inner_text()
    it.page.get_by_label("unmatched").check()  # both at once
    assert it.status() == "0 of 64 samples"
    assert it.shown() == "No sample"
    it.page.click("#fs-filters [type=reset]")
    it.read("r9")

    it.page.select_option("[name=least]", label="neg")
    # All of system A but r0, r10 and r20; and none of system B.
    systems = it.page.locator("#fs-list small").all_inner_texts()
    assert it.status().startswith("27 of 64")
    assert {system.split(" ")[0] for system in systems} == {"A"}


def test_search_and_range(opened: Callable[..., Opened]):
    it = opened("both")
    it.page.fill("[name=query]", "PLACE17")
    sync_api.expect(it.page.locator("#fs-shown")).to_contain_text("2 of 64")
    assert it.listed() == ["r17", "r17"]
    it.page.fill("[name=query]", "desired share")  # a heading of the page, not a text
    sync_api.expect(it.page.locator("#fs-shown")).to_contain_text("0 of 64")
    it.page.fill("[name=query]", "r17")
    sync_api.expect(it.page.locator("#fs-shown")).to_contain_text("2 of 64")
    it.page.click("#fs-filters [type=reset]")

    it.page.select_option(".fs-range [name=value]", label="neg")
    it.page.fill(".fs-range [name=low]", "0.08")
    assert it.status().startswith("9 of 64")  # m = 2, 3 and 4
    it.page.fill(".fs-range [name=high]", "0.085")
    assert it.status().startswith("6 of 64")  # m = 2 and 4
    it.page.click(".fs-range [type=reset]")
    sync_api.expect(it.page.locator("#fs-shown")).to_contain_text("64 of 64")


# --- reading ------------------------------------------------------------------------------------------------------


def test_links_lead_to_samples(opened: Callable[..., Opened]):
    it = opened("both", "#s=r4&system=B")
    it.read("r4 B")
    it.page.click("#fs-list li:nth-child(2) button")
    it.read("r19 B")
    assert it.page.evaluate("location.hash") == "#s=r19&system=B"
    it.page.evaluate("location.hash = '#s=r7'")
    it.read("r7")
    it.page.evaluate("location.hash = '#s=nobody'")
    it.page.evaluate("location.hash = '#overview'")
    it.read("r7")


def test_marks_and_systems_of_a_sample_by_mouse(opened: Callable[..., Opened]):
    it = opened("both", "#s=r9&system=A")
    it.read("r9 A")
    it.page.locator(".fs-own mark", has_text="sweet").click()
    assert it.page.locator(".fs-lit").all_inner_texts() == ["sweet", "sweet"]
    assert it.focused("textContent") == "sweet"
    assert it.focused("closest('.fs-sources') !== null")
    it.page.keyboard.press("Escape")
    assert it.count(".fs-lit") == 0
    assert it.focused("closest('.fs-own') !== null")

    it.page.locator("#fs-related input").check()
    assert it.count("#fs-columns .fs-sample") == 2
    tops = [box.bounding_box() for box in it.page.locator("#fs-columns .fs-own .fs-text").all()]
    assert tops[0]["y"] == pytest.approx(tops[1]["y"], abs=2)
    assert tops[0]["x"] + tops[0]["width"] <= tops[1]["x"]
    assert [each.inner_text() for each in it.page.locator("#fs-columns > div > h4").all()] == ["A", "B"]
    it.page.locator("#fs-related input").uncheck()
    assert it.count("#fs-columns .fs-sample") == 1


def test_all_of_a_sample_is_reached_by_keyboard(opened: Callable[..., Opened]):
    it = opened("both")
    it.page.select_option("[name=system]", label="A")
    it.read("r3 A")
    it.page.locator("#fs-list button[aria-current]").focus()

    def press(*keys: str) -> None:
        for key in keys:
            it.page.keyboard.press(key)

    press("ArrowDown", "Enter")
    it.read("r13 A")
    assert it.focused("id") == "fs-name"
    press(*["Tab"] * 4)  # over two buttons and the box of the other system
    assert it.focused("textContent") == "tasty"
    press("ArrowRight")
    assert it.focused("textContent") == "kind"
    for key, place in (("Enter", "sources"), ("Escape", "own"), ("End", "sources")):
        press(key)
        assert it.focused(f"closest('.fs-{place}') !== null")
    assert it.focused("textContent") == "sweet"
    press("n")
    it.read("r23 A")
    press("p")
    it.read("r13 A")
    it.page.locator("[name=query]").focus()
    press("n")  # a letter of a search, no command
    assert it.shown() == "Sample r13 A"


def test_marks_of_other_measures_are_chosen_for_all_samples(opened: Callable[..., Opened]):
    it = opened("readings")
    assert it.page.locator("#fs-columns details:visible").count() == 1
    assert it.count("#fs-columns details[open] .fs-word") > 0
    it.page.select_option("#fs-marks select", label="Equal Coverage")
    assert it.page.locator("#fs-columns details:visible").count() == 1
    assert it.page.locator("#fs-columns caption:visible").first.inner_text().startswith("How far the sources")
    it.page.click("#fs-next")
    it.read("r1")
    assert it.page.locator("#fs-columns caption:visible").first.inner_text().startswith("How far the sources")


def test_sorted_tables_and_chosen_themes(opened: Callable[..., Opened]):
    it = opened("both", theme="dark")
    rows = lambda: it.page.locator("#overview tbody th").all_inner_texts()  # noqa: E731
    it.page.click("#overview thead th:nth-child(2) button")
    assert rows() == ["pos", "neg", "neu"]
    it.page.click("#overview thead th:nth-child(2) button")
    assert rows() == ["neg", "pos", "neu"]  # undefined numbers stay last
    assert it.page.get_attribute("#overview thead th:nth-child(2)", "aria-sort") == "ascending"
    it.page.click("#overview thead th:nth-child(1) button")
    assert rows() == ["pos", "neu", "neg"]

    background = "getComputedStyle(document.body).backgroundColor"
    assert it.page.evaluate(background) == "rgb(20, 24, 29)"
    it.page.click("text=Light colors")
    assert it.page.evaluate(background) == "rgb(255, 255, 255)"
    it.page.click("text=Dark colors")
    assert it.page.evaluate(background) == "rgb(20, 24, 29)"


# --- hostile, huge, redacted, without a script, on paper -------------------------------------------------------------

# Opens every sample, with that of the other system beside it, follows a mark, and filters by each group.
USE_ALL = """() => {
  const names = [...document.querySelectorAll("#fs-list button")].map((press) => {
    press.click();
    for (const box of document.querySelectorAll("#fs-related input:not(:checked)")) box.click();
    document.querySelector(".fs-own mark")?.click();
    return document.getElementById("fs-name").textContent;
  });
  const least = document.querySelector("[name=least]");
  for (const option of least.options) {
    least.value = option.value;
    least.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return names;
}"""


def test_hostile_names_and_texts_do_nothing(opened: Callable[..., Opened]):
    it = opened("hostile", "#s=%3Cimg+src%3Dx+onerror%3Dalert%281%29%3E")
    it.read("<img src=x onerror=alert(1)>")
    tags = "[...new Set([...document.querySelectorAll('body *')].map((each) => each.tagName))]"
    before = set(it.page.evaluate(tags))
    assert not before & {"IMG", "IFRAME", "OBJECT", "STYLE", "B:IMG"}
    titles = it.page.locator("#fs-list b").all_text_contents()
    found = it.page.evaluate(USE_ALL)
    assert [name.startswith(f"Sample {title} ") for name, title in zip(found, titles, strict=True)] == [True] * 24
    it.page.fill("[name=query]", EVIL[1])
    sync_api.expect(it.page.locator("#fs-shown")).to_contain_text("2 of 24")
    assert set(it.page.evaluate(tags)) <= before | {"INPUT", "LABEL"}
    assert it.page.evaluate("document.querySelectorAll('script:not([type])').length") == 1
    assert it.page.evaluate(
        "[...document.querySelectorAll('*')].every((each) => !each.getAttributeNames().some("
        "(name) => name.startsWith('on') || name === 'style'))"
    )
    assert it.page.evaluate("Object.prototype.polluted === undefined && ({}).constructor === Object")
    assert it.page.locator("h1").inner_text() == EVIL[0]

    it.page.emulate_media(media="print")
    cut = "[...document.querySelectorAll('#fs-worst p.fs-text')].filter((each) => !each.getBoundingClientRect().height)"
    assert it.page.evaluate(f"{cut}.length") == 0
    assert it.page.evaluate("[...document.querySelectorAll('#fs-worst *')].every((each) => each.scrollHeight < 20000)")
    assert it.page.pdf().startswith(b"%PDF")


def test_words_and_names_without_a_blank_are_laid_out(opened: Callable[..., Opened]):
    it = opened("huge", f"#s={'x' * 300}+%E2%80%A6+%28%2B299%2C700+characters%29")
    sync_api.expect(it.page.locator("#fs-name")).to_contain_text("… (+299,700 characters)")
    text = it.page.locator("#fs-columns .fs-own").inner_text()
    assert "shortened: 100,000 of 300,000 characters are left out" in text
    assert it.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_a_script_the_worst_samples_can_be_read(opened: Callable[..., Opened]):
    it = opened("both", scripts=False)
    assert it.count("#fs-worst article") == 10
    assert it.page.locator("#fs-worst h3").first.inner_text() == "Sample r9 (B)"
    for hidden in ("#fs-browser", "#fs-theme", ".fs-range"):
        assert not it.page.locator(hidden).first.is_visible()
    assert it.page.locator("#fs-worst mark").first.is_visible()
    assert it.page.locator("#distribution .fairsum-drawing").first.is_visible()
    assert "With scripts enabled, the browser shows all samples" in it.page.locator("#fs-worst").inner_text()


def test_it_can_be_printed(opened: Callable[..., Opened]):
    it = opened("both", theme="dark")
    it.page.emulate_media(media="print")
    assert it.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not it.page.locator("#fs-filters").is_visible()
    assert it.page.locator("#fs-columns .fs-text").first.is_visible()
    assert it.page.locator("#fs-worst article").last.is_visible()
