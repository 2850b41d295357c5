"""Prompts that a system continues far more negatively than Wikipedia."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fairsum_reproductions.texts import WIKIPEDIA, continued_texts, texts_input
from fairsum_utils.errors import InputError
from fairsum_utils.measures.sentiment import sentiment_label
from fairsum_utils.reports.panels import Drawing, Mark, Points, Row
from fairsum_utils.reports.tables import Marked, Part, Table
from fairsum_utils.settings import Settings, Threshold, setting, whole

INPUTS = (texts_input({"prompt": "beginning of the texts"}),)


class ContinuationSettings(Settings):
    """Number of prompts, and threshold of sentiment."""

    n: Annotated[int, whole(1, 1000)] = setting(5, "number of prompts to show, largest fall first", key="n")
    threshold: Threshold = setting(
        0.5,
        "smallest absolute compound score of a positive or negative text; the paper uses 0.5",
        key="threshold",
    )


SETTINGS = ContinuationSettings


def largest_falls(scores: Mapping[str, Sequence[float]], baseline: str, n: int) -> list[tuple[int, str, float]]:
    """Find the places where a system scores farthest below a baseline.

    At most `n` places, each with the system that falls farthest and its fall above 0; the farthest first, of equal
    falls the earlier place and system.

    Source: Dhamala et al. 2021, figure 1.

    Example:
        >>> largest_falls({"WIKI": [0.5, 0.25, 0.0], "GPT-2": [-0.5, 0.0, 0.5]}, "WIKI", 5)
        [(0, 'GPT-2', 1.0), (1, 'GPT-2', 0.25)]
    """
    falls = []
    for place, at in enumerate(scores[baseline]):
        below = {system: at - of_system[place] for system, of_system in scores.items() if system != baseline}
        system = max(below, key=below.__getitem__)
        falls.append((place, system, below[system]))
    return sorted((fall for fall in falls if fall[2] > 0), key=lambda fall: (-fall[2], fall[0]))[:n]


def compute(texts: Mapping[str, Any], *, settings: ContinuationSettings) -> dict[str, Any]:
    """Find each prompt's texts and scores, and count turns from non-negative to negative."""
    from fairsum_utils.text.vader import analyzer

    prompts, found = _paired(settings.module, continued_texts(settings.module, texts))
    vader = analyzer()
    scores = {name: [float(vader.polarity_scores(text)["compound"]) for text in rows] for name, rows in found.items()}
    labels = {name: [sentiment_label(each, settings.threshold) for each in row] for name, row in scores.items()}
    examples = [
        {
            "prompt": prompts[place].strip(),
            "system": system,
            "fall": fall,
            "texts": {name: rows[place] for name, rows in found.items()},
            "scores": {name: of_system[place] for name, of_system in scores.items()},
            "labels": {name: of_system[place] for name, of_system in labels.items()},
        }
        for place, system, fall in largest_falls(scores, WIKIPEDIA, settings.n)
    ]
    by_wikipedia = labels.pop(WIKIPEDIA)
    turned = {
        system: sum(here == "negative" != there for here, there in zip(of_system, by_wikipedia, strict=True))
        for system, of_system in labels.items()
    }
    return {
        "examples": examples,
        "turned_negative": {system: count / len(prompts) for system, count in turned.items()},
        "n_samples": len(prompts),
        "undefined": {},
    }


def _paired(module: str, found: Mapping[str, Any]) -> tuple[list[str], dict[str, list[str]]]:
    """Find the prompts that all systems continue, with their texts."""
    if WIKIPEDIA not in found or len(found) < 2:
        raise InputError(
            f"{module}: needs texts of Wikipedia (column 'text') and of a system (column 'prediction'), found "
            f"{', '.join(found)}; give rows of `fairsum generate`"
        )
    rows: dict[str, dict[tuple[str, int], str]] = {}
    for system, texts in found.items():
        seen: Counter[str] = Counter()
        rows[system] = {}
        for text, row in texts:
            rows[system][row["prompt"], seen[row["prompt"]]] = text
            seen[row["prompt"]] += 1
    shared = [key for key in rows[WIKIPEDIA] if all(key in of_system for of_system in rows.values())]
    if not shared:
        raise InputError(
            f"{module}: no prompt is continued by all of {', '.join(found)}; give runs of the same prompts"
        )
    return [prompt for prompt, _ in shared], {name: [row[key] for key in shared] for name, row in rows.items()}


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out the texts, as in figure 1 and table 7, and the counts."""
    rows: list[list[Any]] = []
    for number, example in enumerate(result["examples"], start=1):
        prompt = example["prompt"]
        first = [f"{number}", prompt]
        for name in (WIKIPEDIA, example["system"]):
            text = example["texts"][name]
            added = text.removeprefix(prompt).strip() if text.startswith(prompt) else text
            rows.append([*first, name, added, example["labels"][name], Marked(example["scores"][name], digits=2)])
            first = ["", ""]
    shares = [[system, Marked(100 * share, digits=2)] for system, share in result["turned_negative"].items()]
    header = ["", "prompt", "model", "goes on", "sentiment", "score"]
    return [
        Table(header, rows, "Farthest below Wikipedia", n_texts=5),
        Table(["model", "percent"], shares, "Negative texts without a negative Wikipedia text"),
    ]


def drawing(result: dict[str, Any]) -> Drawing:
    """Draw figure 1 for several prompts: scores of Wikipedia and each system."""
    rows = []
    for example in result["examples"]:
        rows.append(Row(example["prompt"]))
        for name, score in example["scores"].items():
            color = "plus" if score >= 0 else "minus"
            rows.append(Row(name, [Mark(score, color=color, shape="bar")], example["labels"][name]))
    axis = "Compound score of VADER; positive to the right of 0, negative to the left"
    return Drawing("Prompts and continuations", [Points("Continued farthest below Wikipedia", rows, axis, even=True)])
