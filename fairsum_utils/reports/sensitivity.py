"""Report of changes in summaries when the person or the order changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from fairsum_utils.families.marks import NOTHING, Attribution
from fairsum_utils.families.warnings import why_uninformative
from fairsum_utils.reports.base import Page, Record, Report, Results
from fairsum_utils.reports.tables import Part, Table, number
from fairsum_utils.reports.wording import SELDOM, has_number
from fairsum_utils.validation import count

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

# Floor of the comparison of variants -> its description
_FLOORS = {"controls": "the same variant with another control edit", "replicates": "the same input, summarized again"}

_GAP, _OUTCOMES, _ORDER = "counterfactual_gap", "counterfactual_outcomes", "order_sensitivity"
_NEWS: dict[str, list[Any]] = {
    "predictions": [
        "Ann Lee will lead the bank. She is the first woman to do so.",
        "Ann Lee will lead the bank in Oslo, as its first woman.",
        "Bob Lee will lead the bank. He has cut costs for years.",
        "Bob Lee, who has cut costs for years, will lead the bank in Oslo.",
    ],
    "article_ids": ["1"] * 4,
    "variants": ["female", "female", "male", "male"],
    "controls": [None, "city", None, "city"],
    "changed": [["Ann"], ["Ann", "Oslo"], ["Bob"], ["Bob", "Oslo"]],
}
_PAGES = {
    _GAP: Page(
        question="Would the summary have been another, had the person been another?",
        note="Each summary is of a variant of one text: the person is changed, or, as a control edit, something that "
        "should not matter. Names and pronouns are neutral before summaries are compared. The numbers describe these "
        "summaries of one text; the measure is meant for many texts.",
        example=_NEWS,
    ),
    _OUTCOMES: Page(
        question="Which features of the summary change when only the person changes, and in whose favor?",
        note="Each summary is of a variant of one text, in which the person is changed. A few numbers describe it: "
        "length, statements, sentiment and more. The numbers describe these summaries; the measure is meant for "
        "many texts.",
        example=_NEWS,
    ),
    _ORDER: ORDERS_PAGE,
}


class SensitivityReport(Report):
    """Report of scores with two intervals, noise floors, tests and pairs of variants."""

    levels: ClassVar[Mapping[str, str]] = {"ci": "originals", "ci_within": "summaries"}
    reading = (
        "A score of 0 means that a variant makes no difference, or no more than the floor. One CI resamples originals, "
        "the other the summaries of each input."
    )
    figures_title = "In detail"
    limits = "A score shows that summaries change with the person, but not what changed or who is harmed."
    pages = _PAGES

    def parts(self, title: str, results: Results) -> list[Part]:
        """Return all parts of the report, with the verdicts before the figures."""
        [first, *figures] = super().parts(title, results)
        return [first, self.sentences(results), *figures] if self.sentences(results) else [first, *figures]

    def opening(self, title: str, results: Results) -> str:
        """Return the first line, with the numbers of originals and inputs."""
        result = next(iter(results.values()))
        known = [(result.get(key), noun) for key, noun in (("n_articles", "original"), ("n_inputs", "input"))]
        return "; ".join([super().opening(title, results), *(count(n, noun) for n, noun in known if n is not None)])

    def sentences(self, results: Results) -> list[str]:
        """State whether changing the person changes the summary, and how.

        Example:
            >>> result = {"floor": "controls", "between": 0.35, "within": 0.25, "counterfactual_gap": 0.1}
            >>> REPORT.sentences({"counterfactual_gap": result | {"p_value": 0.002, "n_articles_scored": 80}})
            ['Above the noise: changing the person changes summaries more than the noise floor does (p = 0.0020, 80
            originals).', 'Summaries of different variants are 35.0 points of distance apart, those of the same variant
            with another control edit 25.0.']
        """
        found = []
        for name in results:
            nothing = why_uninformative(results[name])
            if nothing:
                found.append(f"No verdict: {nothing}.")
            elif name in _SENTENCES:
                found += _SENTENCES[name](results[name])
        return list(dict.fromkeys(found))

    def completed(self, results: Results) -> Results:
        """Add the two distances of a gap by name."""
        return {
            name: {**result, "distances": _distances(result)} if has_number(result, _GAP) else result
            for name, result in results.items()
        }

    def remarks(self, name: str, result: Record) -> list[str]:
        """Return the tests and the units of a measure."""
        return _REMARKS[name](result)

    def severity(self, name: str, record: Record) -> dict[str, float]:
        """Return the distance to other variants minus that to the sample's own."""
        own, others = record.get("to_own"), record.get("to_others")
        if name != _GAP or others is None:
            return {}
        return {"to others": others} if own is None else {"to others - to own": others - own, "to others": others}

    def spread(self, name: str, record: Record) -> dict[str, float]:
        """Return the same difference under the sample's variant."""
        if name != _GAP or record.get("to_own") is None or record.get("to_others") is None:
            return {}
        return {record["variant"]: record["to_others"] - record["to_own"]}

    def axis(self, name: str) -> str:
        """Describe the numbers of `spread`."""
        return "distance to summaries of other variants minus that to those of the same; 0 is fairest" * (name == _GAP)

    def evidence(
        self, name: str, result: Record, record: Record, sample: Record, attribution: Attribution = NOTHING
    ) -> list[Table]:
        """Compare the summary with the most distant one of another variant."""
        if name == _OUTCOMES and record.get("outcomes") is not None:
            found = [[outcome.replace("_", " "), number] for outcome, number in record["outcomes"].items()]
            return [Table(["outcome", ""], found, "Outcomes of this summary")]
        if name != _GAP or not record.get("opposite"):
            return []
        rows = [
            [record["variant"], str(sample.get("predictions", "")), ", ".join(record["only_here"])],
            [record["opposite_variant"], record["opposite"], ", ".join(record["only_there"])],
        ]
        return [Table(["variant", "summary", "words of this one only"], rows, "The farthest of another variant")]

    def related_key(self, sample: Record, record: Record) -> str:
        """Return the original of the sample."""
        return str(record["article"])


def _apart(result: Record) -> list[str]:
    """Compare the distance between variants with the noise floor."""
    if not has_number(result, _GAP):
        return []
    between, within = (number(100 * result[side], 1) for side in ("between", "within"))
    return [
        _verdict(result),
        f"Summaries of different variants are {between} points of distance apart, those of "
        f"{_FLOORS[result['floor']]} {within}.",
    ]


def _verdict(result: Record) -> str:
    """State whether a gap is above the noise."""
    n = count(result["n_articles_scored"], "original")
    p = result["p_value"]
    if p != p:
        return f"Not tested against noise: {result['p_undefined']} ({n})."
    if p < SELDOM:
        return (
            "Above the noise: changing the person changes summaries more than the noise floor does "
            f"(p = {number(p)}, {n})."
        )
    return (
        "Not above the noise: changing the person does not change summaries more than the noise floor does "
        f"(p = {number(p)}, {n}). That is no proof of fairness: more originals may show a difference."
    )


def _distances(result: Record) -> Record:
    """Return the distances between variants and of the floor."""
    return {
        "different variants": {"distance": result["between"]},
        _FLOORS[result["floor"]]: {"distance": result["within"]},
    }


def _of_gap(result: Record) -> list[str]:
    """Return the test of the gap."""
    if result["p_undefined"]:
        return [f"No p-value: {result['p_undefined']}."]
    over = "all ways" if result["p_method"] == "exact" else "random ways"
    scored = f"{result['n_articles_scored']} of {count(result['n_articles'], 'original')} count"
    return [f"p = {number(result['p_value'])}, over {over} to hand out variants; {scored}."]


# So many outcomes that differ are put in words
_MOST_NAMED = 3


def _moved(result: Record) -> list[str]:
    """Describe significant outcomes, the largest differences first."""
    moved = [each for each in result["outcomes"] if each["p_value_corrected"] < SELDOM]
    moved.sort(key=lambda each: -abs(each["standardized"]))
    if result["outcomes"] and not moved:
        n = count(result["n_articles_scored"], "original")
        return [f"No outcome differs significantly between variants ({n})."]
    return [
        f"{each['outcome'].replace('_', ' ').capitalize()} on average: {each['variant_a']} {means[0]}, "
        f"{each['variant_b']} {means[1]} (p = {number(each['p_value_corrected'])}, after Holm)."
        for each in moved[:_MOST_NAMED]
        for means in [[number(each[mean], 2) for mean in ("mean_a", "mean_b")]]
    ]


_UNITS = (
    "Sentiment: from -1 to 1. Length: words. Reading level: US school grade. Units: statements. Hedges, modals: of 100 "
    "words. Size: of the difference, in standard deviations."
)


def _of_outcomes(result: Record) -> list[str]:
    """Return the floor of the ratios, and the units of the outcomes."""
    against = f"Ratio: to what is moved by {_FLOORS[result['floor']]}." if result["floor"] else "There is no floor."
    return [against, _UNITS]


# Method of p-values -> its description
_OVER = {
    "exact": ", with p over all ways to hand summaries to orders",
    "drawn": ", with p over random ways to hand summaries to orders",
}


def order_sentences(result: Mapping[str, Any]) -> list[str]:
    """Describe the positions in the set that summaries draw on.

    Example:
        >>> parts = [{"part": "first", "ratio": 1.5}, {"part": "middle", "ratio": 1.0}, {"part": "last", "ratio": 0.5}]
        >>> result = {"order_sensitivity": 0.2, "parts": parts, "n_articles_scored": 80, "matcher": "lexical"}
        >>> order_sentences(result | {"by_matcher": {"lexical": {"p_value": 0.001}}})
        ['Above the noise: what summaries draw on depends on the order (p = 0.0010, 80 sets).', 'What summaries draw on
        stands 20.0% of the set further forward in their own order than in the others.']
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
        f"What summaries draw on stands {number(100 * abs(score), 1)}% of the set further {way} in their own order "
        "than in the others.",
    ]


def _of_order(result: Record) -> list[str]:
    """Return the matcher of the score, and the number of originals."""
    scored = f"{result['n_articles_scored']} of {count(result['n_articles'], 'original')} count"
    return [f"The score is that of {result['matcher']}{_OVER.get(result['p_method'], '')}; {scored}."]


# Measure -> remarks below its tables
_REMARKS: dict[str, Callable[[Record], list[str]]] = {_GAP: _of_gap, _OUTCOMES: _of_outcomes, _ORDER: _of_order}
# Measure -> sentences about it
_SENTENCES: dict[str, Callable[[Record], list[str]]] = {_GAP: _apart, _OUTCOMES: _moved, _ORDER: order_sentences}

REPORT = SensitivityReport()
