"""`fairsum explain`: definition, worked example and interpretation of a measure."""

from __future__ import annotations

import ast
import importlib.util
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.command import Argument, Options, command
from fairsum_utils.cli.glossary import GLOSSARY, OTHER_NAMES, meaning
from fairsum_utils.cli.outputs import output_options, write_document
from fairsum_utils.cli.settings import described
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures, family_of
from fairsum_utils.measures import get_about, get_measure

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part


# Family -> settings that avoid models.
_WITHOUT_MODEL = {"coverage": {"entailer": "lexical"}}

_GAMED = re.compile(r"^## How it can be gamed\n\n(.+?)\n\n", re.MULTILINE | re.DOTALL)


@command(
    Argument(
        "name",
        "[NAME]",
        "Measure, or word of outputs, such as tau or CI (default: list all)",
        required=False,
        shell_complete=lambda ctx, _, typed: [name for name in (*all_measures(), *GLOSSARY) if name.startswith(typed)],
    ),
    *output_options(),
)
def explain(options: Options) -> int:
    """Explain a measure: formula, worked example, chance level, limits and settings.
    Without a name, list all measures.

    examples:
      fairsum explain
      fairsum explain bur
      fairsum explain tau
      fairsum explain equal_coverage --format markdown
    """
    from fairsum_utils.validation import did_you_mean

    known = (*all_measures(), *GLOSSARY, *OTHER_NAMES)
    if options.name is None:
        document: dict[str, Any] = {"measures": {name: _sentence(name) for name in all_measures()}, "words": GLOSSARY}
        write_document(options, document, list_of(document), read={})
    elif (text := meaning(options.name)) is not None:
        document = {"name": options.name, "what": text}
        write_document(options, document, [[f"{options.name}: {text}".replace("\n\n", " ")]], read={})
    elif options.name in known:
        document = explained(options.name)
        write_document(options, document, parts_of(document), read={})
    else:
        guess = did_you_mean(options.name, known) or f"; there is {', '.join(known)}"
        raise InputError(f"explain: unknown measure or word {options.name!r}{guess}")
    return 0


def explained(name: str) -> dict[str, Any]:
    """Describe a measure, with freshly computed numbers.

    Args:
        name: name of the measure.

    Example:
        >>> explained("bur")["range"]
        [0.0, 1.0]
    """
    from fairsum_utils.integrations.modules import metric_folder
    from fairsum_utils.results.record import plain

    measure, about, family = get_measure(name), get_about(name), family_of(name)
    card = metric_folder(name) / "README.md"
    gamed = _GAMED.search(card.read_text(encoding="utf-8"))
    assert gamed is not None, f"{card} does not say how the measure can be gamed"
    scores, error = _scores(name)
    return {
        "name": name,
        "title": measure.title,
        "what": _sentence(name),
        "needs": list(measure.needs),
        "takes": list(measure.takes),
        "formula": about.formula,
        "example": about.example(),
        "range": [measure.low, None if math.isinf(measure.high) else measure.high],
        "settings": {
            setting.name: {"default": plain(setting.default), "help": setting.help}
            for setting in measure.infos().values()
        },
        "scores": scores,
        "at_random_error": error,
        "gamed": " ".join(gamed[1].split()),
        "instead": about.instead,
        "words": {
            word: GLOSSARY[word]
            for word in ("tau", "ratio")
            if word in get_measure(name).infos() or f"{word}_by_value" in family.returns
        },
        "paper": family.urls[0],
        "citation": family.citation.strip(),
        "card": str(card),
        "file": str(_file(name)),
    }


def parts_of(document: dict[str, Any]) -> list[Part]:
    """Format the description of a measure for printing."""
    from fairsum_utils.reports.tables import Marked, Table, Trusted, certain_digits
    from fairsum_utils.reports.wording import fairer

    name, (low, high), scores = document["name"], document["range"], document["scores"]
    digits = {_RANDOM: certain_digits(document["at_random_error"])}
    rows = [[what, Marked(score, digits=digits.get(what, 4))] for what, score in scores.items()]
    ends = f"Range: {low:g} {'upwards' if high is None else f'to {high:g}'}; {fairer(name)}."
    return [
        [document["what"]],
        [_columns(name), f"formula: {document['formula']}"],
        ["An example:", *(f"{place}. {line}" for place, line in enumerate(document["example"], start=1))],
        Table(["example", name], rows, below=[ends]) if rows else [ends],
        [f"{word}: {text}" for word, text in document["words"].items()],
        [Trusted(f"How it can be gamed: {document['gamed']}"), f"Alternatives: {document['instead']}"],
        [f"Settings of {get_measure(name).__name__}, with their defaults:", *described(get_measure(name))],
        [
            f"example: fairsum score FILE --metrics {name} --set NAME=VALUE (none stands for None)",
            f"card:    {document['card']}",
            f"formula: {document['file']}",
            Trusted(f"paper:   {document['paper']}"),
        ],
        [Trusted(line) for line in document["citation"].splitlines()],
    ]


def _columns(name: str) -> str:
    """List the columns of a measure and their options."""
    columns, measure = family_of(name).columns, get_measure(name)
    needed, taken = (
        ", ".join(f"{column.name} ({column.flag})" for column in columns if column.name in names)
        for names in (measure.needs, measure.takes)
    )
    return f"needs: {needed}" + (f"; can use: {taken}" if taken else "")


def list_of(document: dict[str, Any]) -> list[Part]:
    """Format the list of measures for printing."""

    lines = [f"{name:<24}{text}" for name, text in document["measures"].items()]
    return [lines, [f"For details: fairsum explain NAME. NAME may also be {', '.join(document['words'])}."]]


def _file(name: str) -> Path:
    """Return the file with a measure's formula."""
    spec = importlib.util.find_spec(f"fairsum_utils.measures.{name}")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _sentence(name: str) -> str:
    """Return the first line of a measure's file."""
    docstring = ast.get_docstring(ast.parse(_text(_file(name))))
    assert docstring is not None
    return docstring.splitlines()[0]


_LEVEL = ("at_random", "at_random_error")
_RANDOM = "random summaries, as long as those of system A"


def _scores(name: str) -> tuple[dict[str, float], float]:
    """Return example scores and the error of the chance level."""
    import numpy as np

    about = get_about(name)
    if about.at_random is not None:
        drawn, score = about.at_random(np.random.default_rng(0))
        return {"no difference between groups": 0.0, f"chance level: {drawn}": score}, math.nan
    from fairsum_utils.cli.demo import load_demo
    from fairsum_utils.session import Request, Session

    demo = load_demo()
    summaries = {
        "all source texts, one after the other": [" ".join(texts) for texts in demo["sources"]],
        "system A of fairsum demo": demo["system_a"],
        "system B of fairsum demo": demo["system_b"],
    }
    family, columns = family_of(name), {"sources": demo["sources"], "values": demo["values"]}
    if not set(get_measure(name).needs) <= {"predictions", *columns}:
        return {}, math.nan
    chosen = get_measure(name).make(_WITHOUT_MODEL.get(family.name, {})).completed(at_random=True)
    with Session([Request(chosen)], module="explain") as session:
        results = {what: session.score({"predictions": texts, **columns})[name] for what, texts in summaries.items()}
    scores = {what: result[name] for what, result in results.items() if not math.isnan(result[name])}
    level, error = (results["system A of fairsum demo"].get(f"{name}_{key}", math.nan) for key in _LEVEL)
    if not math.isnan(level):  # the demo may have nothing to score
        scores[_RANDOM] = level
    return scores, error
