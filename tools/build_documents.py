"""Write what is derived: stubs of the public calls, tables and citation of each card, the logo, a picture of the demo.

python tools/build_documents.py           writes the files
python tools/build_documents.py --check   says which are not current
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

from fairsum_utils import api
from fairsum_utils.cli.demo import load_demo
from fairsum_utils.cli.options import with_interval
from fairsum_utils.family import all_measures, family_of
from fairsum_utils.family.documents import tables
from fairsum_utils.reports.drawings import Drawing
from fairsum_utils.reports.logo import logo
from fairsum_utils.reports.palette import DARK, LIGHT
from fairsum_utils.session import Request, Session

ROOT = Path(__file__).parents[1]
_IMAGES = ROOT / "docs" / "pages" / "images"
_THEMES = {"light": LIGHT, "dark": DARK}

_STUB = """\
# Made by tools/build_documents.py from the families' settings and columns.
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from fairsum_utils.results import Comparison, MeasureResult, ScoreResults, SystemComparison

DEFAULT_METRICS: tuple[str, ...]

"""


def stub() -> str:
    """The signatures of the public calls, for type checkers and editors."""
    parts = [_STUB]
    for name, result in (
        ("score", "ScoreResults"),
        ("compute", "MeasureResult"),
        ("compare", "Comparison"),
        ("compare_systems", "SystemComparison"),
    ):
        lines, kind = [], None
        for parameter in inspect.signature(getattr(api, name)).parameters.values():
            if kind is parameter.POSITIONAL_ONLY is not parameter.kind:
                lines.append("/")
            if kind is not parameter.KEYWORD_ONLY is parameter.kind:
                lines.append("*")
            kind = parameter.kind
            annotation = "Any" if parameter.annotation is parameter.empty else parameter.annotation
            annotation = re.sub(
                r"os.PathLike", "PathLike", re.sub(r"\b(Matcher|Splitter|EntailmentFunction)\b", "Any", annotation)
            )
            lines.append(f"{parameter.name}: {annotation}" + ("" if parameter.default is parameter.empty else " = ..."))
        lines.append("**settings_of_a_measure: Mapping[str, Any]")
        body = "".join(f"    {line},\n" for line in lines[:-1]) + f"    {lines[-1]},\n"
        parts.append(f"def {name}(\n{body}) -> {result}: ...\n")
    return "".join(parts)


def card(measure: str) -> str:
    """A card with the tables of its columns and settings, and its citation, as the family has them now."""
    text = (ROOT / "metrics" / measure / "README.md").read_text(encoding="utf-8")
    for header, table in tables(measure).items():
        text = re.sub(rf"^\| {header} \|.*?\n(?=\n)", lambda _, table=table: f"{table}\n", text, flags=re.M | re.S)
    citation = family_of(measure).citation
    return re.sub(r"```bibtex\n.*?```", lambda _: f"```bibtex\n{citation}```", text, flags=re.S)


def demo_drawing() -> Drawing:
    """The drawing of the shipped system that leaves one value out."""
    demo = load_demo()
    requests = [Request(name, settings=with_interval({})) for name in api.DEFAULT_METRICS]
    with Session(requests) as session:
        results = session.score({"predictions": demo["system_b"], "sources": demo["sources"], "values": demo["values"]})
    results.title = "fairsum demo, system B"
    return results.plot()


def logos() -> dict[Path, str]:
    """The logo for the README, on light and on dark."""
    return {_IMAGES / f"logo-{name}.svg": f"{logo(theme['accent'])}\n" for name, theme in _THEMES.items()}


def documents() -> dict[Path, str]:
    """Path -> what it should hold."""
    cards = {ROOT / "metrics" / measure / "README.md": card(measure) for measure in all_measures()}
    drawn = {_IMAGES / "demo.svg": f"{demo_drawing().svg}\n", **logos()}
    return {ROOT / "fairsum_utils" / "api.pyi": stub(), **cards, **drawn}


def outdated() -> list[Path]:
    """The files that are not current."""
    return [path for path, text in documents().items() if not path.exists() or path.read_text(encoding="utf-8") != text]


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit("\n".join(map(str, outdated())) or None)
    for path, text in documents().items():
        path.write_text(text, encoding="utf-8")
