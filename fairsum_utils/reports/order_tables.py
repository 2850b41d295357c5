"""What a person wants to see of what a summary draws on, by place and by which value came first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.reports.base import Page, Record
from fairsum_utils.reports.tables import Part, Table, interval, number
from fairsum_utils.validation import count

# A p-value below it is taken for a difference
SELDOM = 0.05

ORDERS_PAGE = Page(
    question="Does the summary draw on whatever comes first?",
    note="Each summary is of the same sources in another order. The numbers describe these summaries of one set; the "
    "measure is meant for many sets.",
    example={
        "predictions": ["Tasty soup. Friendly staff.", "Slow service. Friendly staff.", "Tasty soup."],
        "article_ids": ["1"] * 3,
        "variants": ["praise first", "complaint first", "staff first"],
        "sources": [
            ["Tasty soup.", "Friendly staff.", "Slow service."],
            ["Slow service.", "Friendly staff.", "Tasty soup."],
            ["Friendly staff.", "Tasty soup.", "Slow service."],
        ],
        "values": [["good", "good", "bad"], ["bad", "good", "good"], ["good", "good", "bad"]],
    },
)

_LEVELS = {"ci": "interval (sets)", "ci_within": "interval (summaries)"}
# How p-values are found -> in words
_OVER = {
    "exact": ", with p over all ways to hand summaries to orders",
    "drawn": ", with p over random ways to hand summaries to orders",
}


def order_sentences(result: Mapping[str, Any]) -> list[str]:
    """Where in the sets what summaries draw on stands.

    Example:
        >>> parts = [{"part": "first", "ratio": 1.5}, {"part": "middle", "ratio": 1.0}, {"part": "last", "ratio": 0.5}]
        >>> result = {"order_sensitivity": 0.2, "parts": parts, "n_articles_scored": 80, "matcher": "lexical"}
        >>> order_sentences(result | {"by_matcher": {"lexical": {"p_value": 0.001}}})
        ['Above the noise: what summaries draw on depends on the order (p = 0.0010, 80 sets).', 'What summaries draw on
        stands 20.0 % of the set further forward in their own order than in the others.']
    """
    score = result["order_sensitivity"]
    if score != score:
        return []
    way = "forward" if score >= 0 else "back"
    p, n = result["by_matcher"][result["matcher"]]["p_value"], count(result["n_articles_scored"], "set")
    if p < SELDOM:
        verdict = f"Above the noise: what summaries draw on depends on the order (p = {number(p)}, {n})."
    else:
        verdict = (
            "Not above the noise: what summaries draw on stands no further forward or back than chance puts it "
            f"(p = {number(p)}, {n})."
        )
    return [
        verdict,
        f"What summaries draw on stands {number(100 * abs(score), 1)} % of the set further {way} in their own order "
        "than in the others.",
    ]


def order_tables(result: Record) -> list[Part]:
    """The matchers, places, values that come first, and fairness scores by order."""
    matchers = result["by_matcher"]
    levels = [level for level in _LEVELS if level in next(iter(matchers.values()))]
    intervals = [_LEVELS[level] for level in levels]

    def ends(entry: Mapping[str, Any]) -> list[Any]:
        return [interval(entry[level]) for level in levels]

    scored = f"{result['n_articles_scored']} of {count(result['n_articles'], 'set')} count"
    parts: list[Part] = [
        Table(
            ["matcher", "primacy", *intervals, "p", "sets"],
            [
                [name, each["primacy"], *ends(each), each["p_value"], each["n_articles"]]
                for name, each in matchers.items()
            ],
            "By matcher",
            below=[f"The score is that of {result['matcher']}{_OVER.get(result['p_method'], '')}; {scored}."],
        ),
        Table(
            ["place", f"share by {result['matcher']} (1: even)", *intervals],
            [[f"{each['part']} third", each["ratio"], *ends(each)] for each in result["parts"]],
            "By place in the set",
        ),
    ]
    if result["first_values"]:
        rows = [
            [each["value"], each["first"], each["later"], each["gain"], *ends(each), each["p_value_corrected"]]
            for each in result["first_values"]
        ]
        header = ["value", "share if it comes first", "if not", "gain", *intervals, "p (Holm)"]
        parts.append(Table(header, rows, "What a value gains by coming first"))
    parts += _scores(result["scores_by_order"])
    return parts


def _scores(scores: Mapping[str, Mapping[str, Any]]) -> Sequence[Part]:
    told = {name: each for name, each in scores.items() if each["by_variant"]}
    if not told:
        return []
    variants = list(dict.fromkeys(variant for each in told.values() for variant in each["by_variant"]))
    rows = [
        [name, *(each["by_variant"].get(variant) for variant in variants), each["spread"], each["p_value"]]
        for name, each in told.items()
    ]
    return [Table(["score", *variants, "spread", "p"], rows, "Fairness scores by order")]
