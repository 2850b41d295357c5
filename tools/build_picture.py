"""Write the README's picture: a demo sample for both systems, light and dark.

python tools/build_picture.py           takes it, with Chromium
python tools/build_picture.py --check   says whether the texts in it are still those of the demo's report

Browsers draw the same letters differently, so that it is not compared pixel by pixel: beside this file stands a digest
of the texts, their marks and their scores as the report had them when the picture was taken.
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from fairsum_utils.cli import main

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "pages" / "images"
DIGEST = Path(__file__).with_name("report_picture.sha256")
# The sample that the picture shows.
SHOWN = "#s=noodle-bar&system=System B"
_WIDE, _EDGE, _SHARP = 1500, 16, 2


def demo_report() -> str:
    """Return the page of ``fairsum demo --report``."""
    with TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        path = Path(folder, "demo.html")
        if main(["demo", "--report", str(path)]) != 0:
            raise SystemExit("fairsum demo --report failed")
        return path.read_text(encoding="utf-8")


def digest(report: str) -> str:
    """Hash the page's samples without scripts and tables.

    Args:
        report: the page.
    """
    samples = re.findall(r"<article>(.*?)</article>", report, re.S)
    texts = "\n".join(sample.split('<div class="fs-table"')[0] for sample in samples)
    return f"{hashlib.sha256(texts.encode()).hexdigest()}\n"


def is_current() -> bool:
    """Return whether the picture matches the current report."""
    return DIGEST.exists() and DIGEST.read_text(encoding="ascii") == digest(demo_report())


def take(report: str) -> None:
    """Write the pictures, and the digest of what they show.

    Args:
        report: the page.
    """
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder, "demo.html")
        path.write_text(report, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        for theme in ("light", "dark"):
            page = browser.new_page(viewport={"width": _WIDE, "height": 1000}, color_scheme=theme)
            page.goto(f"{path.as_uri()}{SHOWN}")
            page.locator("#fs-related input").check()
            page.locator("#fs-reader .fs-scores").nth(1).wait_for()
            page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")
            frame = page.locator("#fs-columns").bounding_box()
            boxes = [texts.bounding_box() for texts in page.locator("#fs-columns .fs-texts").all()]
            bottom = max(box["y"] + box["height"] for box in boxes)
            clip = {
                "x": frame["x"] - _EDGE,
                "y": frame["y"] - _EDGE,
                "width": frame["width"] + 2 * _EDGE,
                "height": bottom - frame["y"] + _EDGE,
                "scale": _SHARP,
            }
            options = {"format": "webp", "quality": 85, "captureBeyondViewport": True, "clip": clip}
            shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", options)
            (IMAGES / f"report-{theme}.webp").write_bytes(base64.b64decode(shot["data"]))
        browser.close()
    DIGEST.write_text(digest(report), encoding="ascii")


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(None if is_current() else f"{IMAGES}/report-*.webp show what the report says no more")
    take(demo_report())
