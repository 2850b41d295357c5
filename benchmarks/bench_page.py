"""Report pages: processor time and size; first paint, filtering and search in headless Chromium.

    pip install -e ".[browser]"
    python benchmarks/bench_page.py --file yelp_gpt4.jsonl.gz

Larger pages have the same samples again. Times of scoring and writing are the processor's.
"""

from __future__ import annotations

import itertools
import resource
import shutil
import statistics
import tempfile
import time
import warnings
from functools import partial
from pathlib import Path
from typing import Any

from harness import finish, make_parser, timed

from fairsum_utils.api import score
from fairsum_utils.io.reading import read_rows
from fairsum_utils.reports.page.contents import Contents
from fairsum_utils.reports.page.document import write_page
from fairsum_utils.results import ScoreResults

MEASURES = ("bur", "uer", "auc", "sof")
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
FILTER = """async () => {
  const field = document.querySelector("#fs-filters [name=sort]");
  const times = [];
  for (const order of ["file", "0", "id", "1", "file", "0"]) {
    const began = performance.now();
    field.value = order;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    times.push(performance.now() - began);
  }
  return times;
}"""
SEARCHED = """(before) => document.getElementById("fs-shown").textContent !== before"""


def scored(path: Path, n: int) -> ScoreResults:
    """Score a file, whose rows repeat up to the requested number."""
    rows = list(itertools.islice(itertools.cycle(read_rows(path, {})), n))
    columns = {"predictions": "prediction", "sources": "sources", "values": "values"}
    given = {column: [row[name] for row in rows] for column, name in columns.items()}
    with warnings.catch_warnings(action="ignore"):
        return score(**given, metrics=MEASURES, return_samples=True)


def measured(browser: Any, path: Path, words: str) -> dict[str, float]:
    """Measure one visit in milliseconds."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(120_000)
    began = time.perf_counter()
    page.goto(path.as_uri())
    page.wait_for_selector("#fs-reader .fs-sample")
    times = {"usable": 1000 * (time.perf_counter() - began), "first paint": page.evaluate(PAINTED)}
    changes = page.evaluate(FILTER)
    times["filter, first time"], times["filter"] = changes[0], statistics.median(changes)
    began = time.perf_counter()
    page.fill("#fs-filters [name=query]", words)
    page.wait_for_function(SEARCHED, arg=page.inner_text("#fs-shown"))
    times["search"] = 1000 * (time.perf_counter() - began) - 200  # the page waits so long for more letters
    page.close()
    return times


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = make_parser(__doc__)
    parser.add_argument("--file", type=Path, required=True, help="with sources, values and prediction, as of Yelp")
    parser.add_argument("--sizes", type=int, nargs="*", default=[1500, 20_000], help="of pages, in samples")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--words", default="zoo", help="to search for")
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = Path(temporary)
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        pages: dict[str, Path] = {}
        report: dict[str, Any] = {"chromium": browser.version, "pages": {}}
        for n in options.sizes:
            name, path = f"page of {n:,}", folder / f"{n}.html"
            scoring, results = timed(partial(scored, options.file, n), time.process_time)
            writing, _ = timed(partial(results.report, path), time.process_time)
            pages[name] = path
            report["pages"][name] = {
                "bytes": path.stat().st_size,
                "seconds to score": scoring,
                "seconds to write": writing,
                "peak of memory, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        empty = folder / "empty.html"
        write_page(empty, Contents("", {}, []))
        report["bytes without samples and panels"] = empty.stat().st_size
        visits: dict[str, list[dict[str, float]]] = {name: [] for name in pages}
        for _ in range(options.runs):  # in turn, so that a busy machine is busy for all
            for name, path in pages.items():
                visits[name].append(measured(browser, path, options.words))
        browser.close()
        for name in pages:
            medians = {what: statistics.median(visit[what] for visit in visits[name]) for what in visits[name][0]}
            report["pages"][name] |= medians
    finish(report, options.output)


if __name__ == "__main__":
    main()
