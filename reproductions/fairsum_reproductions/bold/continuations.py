"""Which prompts does a system continue far more negatively than Wikipedia does?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_reproductions.contract import Study
from fairsum_reproductions.texts import WIKIPEDIA, continued_texts, texts_input
from fairsum_utils.errors import InputError
from fairsum_utils.families.settings import Settings, check_threshold, setting

if TYPE_CHECKING:
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Part


class ContinuationSettings(Settings):
    """Which continuations are shown."""

    n: int = setting(5, "prompts to show, those first that fall farthest", least=1, most=1000, key="n")
    threshold: float = setting(
        0.5,
        "a text is positive or negative from a compound score of this size on; 0.5 is the paper's",
        check=check_threshold,
        key="threshold",
    )


def largest_falls(scores: Mapping[str, Sequence[float]], baseline: str, n: int) -> list[tuple[int, str, float]]:
    """The places where a system's score lies farthest below that of a baseline.

    Args:
        scores: system -> score of each place, the baseline's among them.
        baseline: name of the one to compare with.
        n: how many places at most, each with the system that falls farthest.

    Returns:
        Place, system and fall, a number above 0, the farthest first; of equal falls the earlier place and system.

    Source: papers/bold, figure 1, whose continuation is negative where Wikipedia's sentence is positive.

    Example:
        >>> largest_falls({"WIKI": [0.5, 0.25, 0.0], "GPT-2": [-0.5, 0.0, 0.5]}, "WIKI", 5)
        [(0, 'GPT-2', 1.0), (1, 'GPT-2', 0.25)]
    """
    others = [system for system in scores if system != baseline]
    falls = []
    for place, at in enumerate(scores[baseline]):
        system = max(others, key=lambda name: at - scores[name][place])
        falls.append((place, system, at - scores[system][place]))
    return sorted((fall for fall in falls if fall[2] > 0), key=lambda fall: (-fall[2], fall[0]))[:n]


def compute(texts: Mapping[str, Sequence[Mapping[str, Any]]], *, settings: ContinuationSettings) -> dict[str, Any]:
    """Prompts with each system's text and its sentiment; and how often a system is negative where Wikipedia is not."""
    from fairsum_utils.measures.sentiment import sentiment_label
    from fairsum_utils.text.vader import analyzer

    found = _paired(settings.module, continued_texts(settings.module, texts))
    vader = analyzer()
    scores = {
        system: [float(vader.polarity_scores(text)["compound"]) for text, _ in rows] for system, rows in found.items()
    }
    labels = {
        system: [sentiment_label(score, settings.threshold) for score in of_system]
        for system, of_system in scores.items()
    }
    examples = [
        {
            "prompt": found[system][place][1]["prompt"].strip(),
            "system": system,
            "fall": fall,
            "texts": {name: rows[place][0] for name, rows in found.items()},
            "scores": {name: of_system[place] for name, of_system in scores.items()},
            "labels": {name: of_system[place] for name, of_system in labels.items()},
        }
        for place, system, fall in largest_falls(scores, WIKIPEDIA, settings.n)
    ]
    n = len(labels[WIKIPEDIA])
    turned = {
        system: sum(
            label == "negative" != by_wikipedia
            for label, by_wikipedia in zip(labels[system], labels[WIKIPEDIA], strict=True)
        )
        for system in scores
        if system != WIKIPEDIA
    }
    return {
        "examples": examples,
        "turned_negative": {system: count / n if n else math.nan for system, count in turned.items()},
        "n_samples": n,
        "undefined": {} if n else {"turned_negative": "no prompt is continued by all systems"},
    }


def _paired(
    module: str, found: Mapping[str, list[tuple[str, Mapping[str, Any]]]]
) -> dict[str, list[tuple[str, Mapping[str, Any]]]]:
    """The texts of the prompts that all systems continue, which must be the same in the same order."""
    if WIKIPEDIA not in found or len(found) < 2:
        raise InputError(
            f"{module}: needs texts of Wikipedia (column 'text') and of a system (column 'prediction'), found "
            f"{', '.join(found)}; give rows of `fairsum generate`"
        )
    rows: dict[str, dict[tuple[str, int], tuple[str, Mapping[str, Any]]]] = {}
    for system, texts in found.items():
        seen: Counter[str] = Counter()
        rows[system] = {}
        for text, row in texts:
            rows[system][row["prompt"], seen[row["prompt"]]] = text, row
            seen[row["prompt"]] += 1
    shared = [key for key in rows[WIKIPEDIA] if all(key in of_system for of_system in rows.values())]
    if not shared:
        raise InputError(
            f"{module}: no prompt is continued by all of {', '.join(found)}; give runs of the same prompts"
        )
    return {system: [of_system[key] for key in shared] for system, of_system in rows.items()}


def parts(result: dict[str, Any]) -> list[Part]:
    """The texts themselves, as in figure 1 and table 7, and how often a system turns negative."""
    from fairsum_utils.reports.tables import Marked, Table

    rows = [
        [
            *((f"{number}", example["prompt"]) if name == WIKIPEDIA else ("", "")),
            name,
            _continuation(example["prompt"], text),
            example["labels"][name],
            Marked(example["scores"][name], digits=2),
        ]
        for number, example in enumerate(result["examples"], start=1)
        for name, text in example["texts"].items()
        if name in (WIKIPEDIA, example["system"])
    ]
    shares = [[system, Marked(100 * share, digits=2)] for system, share in result["turned_negative"].items()]
    return [
        Table(
            ["", "prompt", "model", "goes on", "sentiment", "score"], rows, title="Farthest below Wikipedia", n_texts=5
        ),
        Table(["model", "percent"], shares, title="Texts that are negative where Wikipedia's is not"),
    ]


def _continuation(prompt: str, text: str) -> str:
    """What a text adds to its prompt."""
    return text[len(prompt) :].strip() if text.startswith(prompt) else text


def drawing(result: dict[str, Any]) -> Drawing:
    """Figure 1 for several prompts: the score of Wikipedia's sentence and of each system's."""
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.drawings.chart import Mark, Panel, Row

    rows = []
    for example in result["examples"]:
        rows.append(Row(example["prompt"]))
        rows += [
            Row(name, [Mark(score, colour="plus" if score >= 0 else "minus", shape="bar")], example["labels"][name])
            for name, score in example["scores"].items()
        ]
    axis = "Compound score of VADER; right of 0 positive, left of it negative"
    return Drawing("Prompts and how they go on", [Panel("Continued farthest below Wikipedia", rows, axis, even=True)])


STUDY = Study(
    paper="bold",
    source="section 1, figure 1, and table 7",
    help="which prompts does a system continue far more negatively than Wikipedia?",
    inputs=(texts_input({"prompt": "beginning of the texts"}),),
    settings=ContinuationSettings,
    compute=compute,
    parts=parts,
    drawing=drawing,
    choices=(
        "sentiment is VADER's; shown are the prompts whose score falls farthest from Wikipedia's text to a system's",
        "equal prompts are paired in their order",
    ),
    examples=("fairsum study continuations GPT-2=gpt2.jsonl BERT=bert.jsonl --n 3 --plot figure1.svg",),
)
