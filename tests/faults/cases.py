"""What is disturbed: a case for every command that writes, on small inputs."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

CONTINUED = ("--save", "--rows", "--cache", "--state")
"""Options that name what a command goes on with: folders, and files that are read first."""

WRITTEN = ("--output", "--samples", "--plot", "--report", "--pairs", "--junit", *CONTINUED)
"""Options that name what a command writes."""

READ = ("--config", "--data-dir", "--from", "--lexicon", "--package", "--predictions", "--sources")
"""Options that name what a command reads."""

SHARED = ("--cache",)
"""Of those that are written, what is written by the same code whatever the command: one case of it is enough."""

CHAT, HUB = "chat", "hub"
"""Stand-ins on this machine that a case needs, see `harness.Services`."""


class Case(NamedTuple):
    """A command line, run in a folder of its own in which ``in/`` holds the inputs and ``out/`` nothing.

    The word RUN at the end of a path stands for the only run in a folder, URL for the stand-in that answers.

    Attributes:
        name: of the case.
        line: the command line after ``fairsum``.
        then: command lines that make use of what was written; they are not disturbed.
        needs: packages, without which the case is passed over.
        stand_in: that answers it.
        says_same: whether a run that goes on after another prints what an undisturbed one does.
        goes_on: names that begin what an ended run may leave, since the next one goes on after it.
    """

    name: str
    line: str
    then: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    stand_in: str = ""
    says_same: bool = True
    goes_on: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        """The command line in words."""
        return self.line.split()

    @property
    def can_run(self) -> bool:
        """Whether this machine has what it needs."""
        return all(find_spec(package) for package in self.needs) and (
            "nltk" not in self.needs or "NLTK_DATA" in os.environ
        )

    def outputs(self) -> dict[str, str]:
        """Option -> what it names, of those that are written."""
        words = ["--output" if word == "-o" else word for word in self.words]
        return {word: words[place + 1] for place, word in enumerate(words) if word in WRITTEN}

    def files(self) -> list[str]:
        """The files that it writes by name, whatever was there before."""
        named = [name for option, name in self.outputs().items() if option not in CONTINUED and "." in Path(name).name]
        return [name for name in named if name not in self.goes_on]


_ROWS = "score in/rows.jsonl --metrics bur,uer"
_OF_ROWS = "--output out/results.json --samples out/samples.jsonl"
_DATA = "perspectivesumm --config yelp --data-dir in/fewsum"

CASES = (
    Case("score", f"{_ROWS} --output out/results.json"),
    Case("score samples", f"{_ROWS} --output out/results.json --samples out/samples.parquet --with-texts"),
    Case("score lines", f"{_ROWS} --samples out/samples.jsonl --format json"),
    Case("score page", f"{_ROWS} --plot out/scores.svg --report out/report.html --output out/results.json"),
    Case("score workers", f"{_ROWS} --workers 2 --output out/results.json --samples out/samples.jsonl"),
    Case(
        "score rows",
        f"{_ROWS} --rows out/runs --output out/results.json --samples out/samples.parquet",
        then=("score out/runs/RUN --format json",),
        goes_on=("out/runs",),
    ),
    Case(
        "score workers rows",
        f"{_ROWS} --workers 2 --rows out/runs --output out/results.json",
        goes_on=("out/runs",),
    ),
    Case(
        "score ray",
        f"{_ROWS} --engine ray --workers 1 --rows out/runs --output out/results.json",
        needs=("ray",),
        goes_on=("out/runs",),
    ),
    Case(
        "score only",
        f"{_ROWS} --rows out/runs --only 1/2",
        then=(f"{_ROWS} --rows out/runs --only 2/2", f"score out/runs/RUN {_OF_ROWS}"),
        goes_on=("out/runs",),
    ),
    Case(
        "score cache",
        "score in/few.jsonl --metrics equal_coverage --set entailer=in/model --device cpu --cache cache/c --output "
        "out/results.json",
        needs=("torch", "transformers"),
        goes_on=("cache/c",),
    ),
    Case(
        "score run",
        "score in/runs/RUN --output out/results.json --samples out/samples.parquet --plot out/scores.svg --report "
        "out/report.html",
    ),
    Case("inspect", "inspect in/rows.jsonl --worst 3 --output out/worst.json"),
    Case("compare", "compare in/a.jsonl in/b.jsonl --output out/c.json --plot out/c.svg --report out/c.html"),
    Case("compare workers", "compare in/a.jsonl in/b.jsonl --workers 2 --output out/c.json"),
    Case(
        "compare rows",
        "compare in/a.jsonl in/b.jsonl --rows out/runs --output out/c.json",
        goes_on=("out/runs",),
    ),
    Case("report", "report in/results.json in/samples.parquet -o out/report.html"),
    Case(
        "check",
        "check in/results.json --rules bur.ci_high<1 --rules warnings<9 --output out/c.json --junit out/c.xml",
    ),
    Case("explain", "explain bur --output out/bur.json"),
    Case("demo", "demo --save out/demo --report out/report.html"),
    Case(
        "generate url",
        "generate in/prompts.jsonl --model m --url URL --output out/texts.jsonl",
        needs=("openai",),
        stand_in=CHAT,
        goes_on=("out/texts.jsonl",),
    ),
    Case(
        "generate",
        "generate in/prompts.jsonl --model in/writer --set max_new_tokens=6 --device cpu --output out/texts.jsonl",
        needs=("torch", "transformers"),
        goes_on=("out/texts.jsonl",),
    ),
    Case(
        "relevance",
        "study relevance in/articles.jsonl --set chat_model=m --set chat_url=URL --set cache=cache/c "
        "--output out/r.json",
        needs=("openai",),
        stand_in=CHAT,
        goes_on=("cache/c",),
    ),
    Case("study", "study dominance in/coverage.parquet --output out/study.json --plot out/study.svg"),
    Case("reproduce", "reproduce coverage --output out/reproduced.json"),
    Case("data build", f"data build {_DATA} --output out/yelp.parquet"),
    Case("data export", f"data export {_DATA} --output out/exported"),
    Case("annotate", "data annotate in/news.jsonl --entities-column names --output out/corpus.jsonl.gz"),
    Case(
        "install",
        "publish install bur uer auc",
        needs=("evaluate",),
        says_same=False,
        goes_on=("cache/hf/modules",),
    ),
    Case(
        "publish metrics",
        "publish metrics bur uer --package https://example.org/fairsum.whl",
        needs=("huggingface_hub",),
        stand_in=HUB,
        says_same=False,
    ),
    Case(
        "publish datasets",
        "publish datasets perspectivesumm --config yelp --data-dir in/fewsum --package https://example.org/fairsum.whl",
        needs=("huggingface_hub",),
        stand_in=HUB,
        says_same=False,
    ),
    Case(
        "publish results",
        "publish results in/results.json --model tester/model",
        needs=("huggingface_hub",),
        stand_in=HUB,
        says_same=False,
    ),
    Case(
        "export",
        "export in/results.json --to model-index --model tester/model --output out/card.yaml",
        needs=("huggingface_hub",),
    ),
    Case("env", "env --output out/env.json"),
)

N_ROWS = 2300
"""Samples of the file that is scored; their rows are in three files."""

_TEXTS = ("Tasty soup", "Slow service", "Tasty soup, slow service", "Cold bread and a loud room", " ")
_NAME = {"start": 0, "end": 6, "label": "PERSON"}
_REVIEWS = "group_id\treview_text\trating\tcategory\trouge1\trouge2\trougeL\trating_dev\n"


def _samples(prefix: str, n: int, turn: int = 0) -> list[dict[str, Any]]:
    """Summaries of two reviews, which carry the first, the second or both of them."""
    return [
        {
            "id": f"{prefix}{number}",
            "prediction": _TEXTS[(number + turn) % 7 % len(_TEXTS)],
            "sources": ["Tasty soup in a loud room", f"Slow service number {number}"],
            "values": ["good", "bad"],
        }
        for number in range(n)
    ]


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_inputs(folder: Path) -> None:
    """Write the inputs that need no command of ours to make them.

    Args:
        folder: an empty one.
    """
    _write(folder / "rows.jsonl", _samples("s", N_ROWS))
    _write(folder / "few.jsonl", _samples("f", 40))
    _write(folder / "a.jsonl", _samples("c", 200))
    _write(folder / "b.jsonl", _samples("c", 200, turn=1))
    _write(folder / "prompts.jsonl", ({"id": f"p{n}", "prompt": f"Sum up review {n}: good"} for n in range(30)))
    _write(
        folder / "articles.jsonl",
        (
            {
                "text": f"{person} won race {n}.",
                "prediction": f"{person} won.",
                "text_group": group,
                "article_id": f"w{n}",
            }
            for n in range(15)
            for person, group in (("She", "female"), ("He", "male"))
        ),
    )
    news = ({"id": f"n{n}", "text": "Ann Bo said she won.", "clusters": [[[0, 6], [12, 15]]]} for n in range(300))
    _write(folder / "news.jsonl", ({**row, "names": [_NAME]} for row in news))
    reviews = folder / "fewsum/yelp/reviews/val"
    reviews.mkdir(parents=True)
    for number in range(20):
        texts = "".join(f"a\tPlace {number} was good .\t{n % 5 + 1}.0\tbusiness\t0\t0\t0\t0\n" for n in range(8))
        (reviews / f"a_{number}.csv").write_text(_REVIEWS + texts, encoding="utf-8")


def make_models(folder: Path, make: Callable[..., Path]) -> None:
    """Make the models that cases read, see tests/_tiny_models.py.

    Args:
        folder: of the inputs.
        make: makes one.
    """
    make(folder / "writer", "causal")
    from fairsum_utils.errors import InputError
    from fairsum_utils.inference import InferenceSettings
    from fairsum_utils.inference.entailers import NLIEntailer

    for seed in range(20):
        shutil.rmtree(folder / "model", ignore_errors=True)
        make(folder / "model", "classifier", seed=seed, max_tokens=512)
        try:
            NLIEntailer(folder / "model", settings=InferenceSettings(cache="none"))
            return
        except InputError:  # it must find that a sentence entails itself
            continue
    raise AssertionError("no seed gives a model that passes the identity check")


MADE_FILES = ("results.json", "samples.parquet", "coverage.parquet", "runs")
MADE = re.compile(rf"in/({'|'.join(MADE_FILES)})\b")
MADE_BY = (
    "score in/rows.jsonl --metrics bur,uer --output in/results.json --samples in/samples.parquet --with-texts",
    "score in/few.jsonl --metrics equal_coverage --set entailer=lexical --samples in/coverage.parquet",
    "score in/rows.jsonl --metrics bur,uer --rows in/runs --only 1/1",
)
"""The other inputs, and the command lines that make them."""
