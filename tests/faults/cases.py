"""Commands that are disturbed, each for another way of writing, on small inputs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

CONTINUED = ("--save", "--rows")
"""Options that name folders that a command goes on with."""

WRITTEN = ("--output", "--samples", "--plot", "--report", "--junit", *CONTINUED)
"""Options that name what a command writes."""


class Case(NamedTuple):
    """A command line, run in a folder of its own in which ``in/`` holds the inputs and ``out/`` nothing.

    The word RUN at the end of a path stands for the only run in a folder, URL for the stand-in that answers.

    Attributes:
        name: Name of the case.
        line: Command line after ``fairsum``.
        then: Command lines that make use of what was written; they are not disturbed.
        goes_on: Names that begin what an ended run may leave, since the next one goes on after it.
        needs: Package, without which the case is passed over.
    """

    name: str
    line: str
    then: tuple[str, ...] = ()
    goes_on: tuple[str, ...] = ()
    needs: str = ""

    @property
    def words(self) -> list[str]:
        """Words of the command line."""
        return self.line.split()

    @property
    def can_run(self) -> bool:
        """Return whether this machine has the package."""
        return not self.needs or find_spec(self.needs) is not None

    def files(self) -> list[str]:
        """List the files that it writes by name, whatever was there before."""
        pairs = zip(self.words, self.words[1:], strict=False)
        named = [name for option, name in pairs if option in WRITTEN and option not in CONTINUED]
        return [name for name in named if "." in Path(name).name and name not in self.goes_on]


_ROWS = "score in/rows.jsonl --metrics bur,uer"
_ALL = "--output out/results.json --samples out/samples.jsonl"
_DATA = "perspectivesumm --config yelp --data-dir in/fewsum"
_RUNS = ("out/runs",)

CASES = (
    Case("score", f"{_ROWS} --output out/results.json"),
    Case("score samples", f"{_ROWS} --output out/results.json --samples out/samples.parquet --with-texts"),
    Case("score lines", f"{_ROWS} --samples out/samples.jsonl --format json"),
    Case("score page", f"{_ROWS} --plot out/scores.svg --report out/report.html --output out/results.json"),
    Case("score workers", f"{_ROWS} --workers 2 {_ALL}"),
    Case("score rows", f"{_ROWS} --rows out/runs {_ALL}", ("score out/runs/RUN --format json",), _RUNS),
    Case("score workers rows", f"{_ROWS} --workers 2 --rows out/runs --output out/results.json", (), _RUNS),
    Case("score ray", f"{_ROWS} --engine ray --workers 1 --rows out/runs {_ALL}", (), _RUNS, "ray"),
    Case(
        "score only",
        f"{_ROWS} --rows out/runs --only 1/2",
        (f"{_ROWS} --rows out/runs --only 2/2", f"score out/runs/RUN {_ALL}"),
        _RUNS,
    ),
    Case("compare", "compare in/a.jsonl in/b.jsonl --output out/c.json --plot out/c.svg --report out/c.html"),
    Case("compare rows", "compare in/a.jsonl in/b.jsonl --rows out/runs --output out/c.json", (), _RUNS),
    Case("report", "report in/results.json in/samples.parquet --output out/report.html"),
    Case("check", "check in/results.json --rules bur.ci_high<1 --output out/c.json --junit out/c.xml"),
    Case("demo", "demo --save out/demo --report out/report.html"),
    Case(
        "generate",
        "generate in/prompts.jsonl --model m --url URL --output out/texts.jsonl",
        goes_on=("out/texts.jsonl",),
        needs="openai",
    ),
    Case(
        "relevance",
        "study relevance in/articles.jsonl --set chat_model=m --set chat_url=URL --set cache=cache/c "
        "--output out/r.json",
        goes_on=("cache/c",),
        needs="openai",
    ),
    Case("data build", f"data build {_DATA} --output out/yelp.parquet"),
    Case("data export", f"data export {_DATA} --output out/exported"),
    Case("annotate", "data annotate in/news.jsonl --entities-column names --output out/corpus.jsonl.gz"),
)
BY_NAME = {case.name: case for case in CASES}
MADE_BY = "score in/rows.jsonl --metrics bur,uer --output in/results.json --samples in/samples.parquet --with-texts"
"""Command line that makes the inputs of other commands."""

_TEXTS = ("Tasty soup", "Slow service", "Tasty soup, slow service", "Cold bread and a loud room", " ")
_REVIEWS = "group_id\treview_text\trating\tcategory\trouge1\trouge2\trougeL\trating_dev\n"


def _samples(n: int, turn: int = 0) -> list[dict[str, Any]]:
    """Return summaries of two reviews, which carry the first, the second or both of them."""
    return [
        {
            "id": f"s{number}",
            "prediction": _TEXTS[(number + turn) % 7 % len(_TEXTS)],
            "sources": ["Tasty soup in a loud room", f"Slow service number {number}"],
            "values": ["good", "bad"],
        }
        for number in range(n)
    ]


def write_inputs(folder: Path) -> None:
    """Write the inputs that need no command of ours to make them."""

    def write(name: str, rows: Iterable[dict[str, Any]]) -> None:
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    write("rows.jsonl", _samples(2300))  # whose rows are in three files
    write("a.jsonl", _samples(200))
    write("b.jsonl", _samples(200, turn=1))
    write("prompts.jsonl", ({"id": f"p{n}", "prompt": f"Sum up review {n}: good"} for n in range(30)))
    write(
        "articles.jsonl",
        (
            {"text": f"{who} won {n}.", "prediction": f"{who} won.", "text_group": group, "article_id": f"w{n}"}
            for n in range(15)
            for who, group in (("She", "female"), ("He", "male"))
        ),
    )
    text = {"text": "Ann Bo said she won.", "clusters": [[[0, 6], [12, 15]]]}
    write("news.jsonl", ({"id": n, **text, "names": [{"start": 0, "end": 6, "label": "PERSON"}]} for n in range(300)))
    reviews = folder / "fewsum/yelp/reviews/val"
    reviews.mkdir(parents=True)
    for number in range(20):
        texts = "".join(f"a\tPlace {number} was good .\t{n % 5 + 1}.0\tbusiness\t0\t0\t0\t0\n" for n in range(8))
        (reviews / f"a_{number}.csv").write_text(_REVIEWS + texts, encoding="utf-8")
