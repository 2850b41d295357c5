"""Report of misattribution."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from fairsum_utils.families.contract import family_of
from fairsum_utils.families.marks import NOTHING, Attribution
from fairsum_utils.reports.base import Page, Record, Report, Results
from fairsum_utils.reports.tables import Cell, Part, Table, number, table_of
from fairsum_utils.validation import count

_MEETING: dict[str, list[Any]] = {
    "predictions": ["Ms Lee argued that costs rose. According to Mr Park, rents fell."],
    "sources": [["Costs rose again this year.", "Rents fell.", "We should meet again."]],
    "values": [["Mr Park", "Mr Park", "Ms Lee"]],
}
_OUTCOMES = ("misattributed", "unsupported", "supported")


class MisattributionReport(Report):
    """Report of claims by outcome, named speakers, and the turns behind each claim."""

    spread_axis = "claims attributed to a speaker that are misattributed; 0 is fairest"
    skipped = Report.skipped | {"single_speaker": "only one person speaks, so no claim can be given to another"}
    reading = (
        "Lower is fairer, and the score is a lower bound. Misattributed: only another speaker's turns support the "
        "claim. Unsupported: no speaker's turns do, or the difference is too small."
    )
    limits = (
        "Claims are found by reporting verbs in English, and pronouns are not resolved. With shared words as support, "
        "a paraphrase is unsupported, never misattributed."
    )
    figures_title = "Speakers by group"
    pages: ClassVar[Mapping[str, Page]] = {
        "": Page(
            question="Does a summary give a claim to the wrong speaker?",
            note="A turn supports a claim as far as it holds its words. The numbers describe this one summary.",
            example=_MEETING,
        )
    }

    def tables(self, results: Results) -> list[Part]:
        """Return claims by outcome, named speakers by third, and figures by group."""
        [result] = results.values()
        n, moved, open_ = (result[key] for key in ("n_claims", "n_misattributed", "n_unsupported"))
        numbers = {"claims": n, "misattributed": moved, "unsupported": open_, "supported": n - moved - open_}
        return [table_of([numbers], "Claims"), *super().tables(results)]

    def sentences(self, results: Results) -> list[str]:
        """Say how many claims are misattributed and how many speakers are named.

        Example:
            >>> figures = {"n_claims": 8, "n_misattributed": 2, "n_unsupported": 1, "n_speakers": 5, "n_named": 4}
            >>> REPORT.sentences({"misattribution": figures})
            ['2 of 8 claims are attributed to the wrong speaker; 1 is supported by no speaker. The summaries name 4 of 5
            speakers.']
        """
        [result] = results.values()
        if not result["n_claims"]:
            return []
        verb = "is" if result["n_misattributed"] == 1 else "are"
        also = "is" if result["n_unsupported"] == 1 else "are"
        return [
            f"{result['n_misattributed']} of {count(result['n_claims'], 'claim')} {verb} attributed to the wrong "
            f"speaker; {result['n_unsupported']} {also} supported by no speaker. The summaries name "
            f"{result['n_named']} of {count(result['n_speakers'], 'speaker')}."
        ]

    def closing(self, results: Results) -> list[str]:
        """Add the claims that were left out, and the share over supported claims."""
        [result] = results.values()
        left_out = [
            f"{result[key]} {reason}"
            for key, reason in (
                ("n_pronoun", "with a pronoun as subject"),
                ("n_several", "with several subjects"),
                ("n_ambiguous", "with a name that several speakers have"),
                ("n_wordless", "without a content word"),
                ("n_claimless", "in sentences that name a speaker in another way"),
            )
            if result[key]
        ]
        lines = [f"Claims left out: {', '.join(left_out)}."] if left_out else []
        share = result["misattribution_of_supported"]
        if not math.isnan(share):
            lines.append(f"Of the claims that some speaker supports, {number(share)} are misattributed.")
        return [*lines, *super().closing(results)]

    def severity(self, name: str, record: Record) -> dict[str, float]:
        """Return the share of misattributed claims, and of unsupported ones."""
        if not record["n_claims"]:
            return {}
        return {
            "misattributed": record["misattributed_share"],
            "unsupported": record["n_unsupported"] / record["n_claims"],
        }

    def spread(self, name: str, record: Record) -> dict[str, float]:
        """Return the share of misattributed claims of each speaker."""
        outcomes: dict[str, list[bool]] = {}
        for claim in record.get("claims") or ():
            outcomes.setdefault(claim["speaker"], []).append(claim["outcome"] == "misattributed")
        return {speaker: sum(moved) / len(moved) for speaker, moved in outcomes.items()}

    def evidence(
        self, name: str, result: Record, record: Record, sample: Record, attribution: Attribution = NOTHING
    ) -> list[Table]:
        """Return each claim with the best turns of its speaker and of another."""
        turns = sample.get("sources") or ()
        claims = sorted(record.get("claims") or (), key=lambda claim: _OUTCOMES.index(claim["outcome"]))
        rows: list[list[Cell]] = [[*_row(claim, turns)] for claim in claims]
        header = [
            "claim",
            "attributed to",
            "outcome",
            "support",
            "best turn",
            "other speaker",
            "support ",
            "other turn",
        ]
        tables = [Table(header, rows, "What each claim rests on", n_texts=3)] if rows else []
        outcomes = family_of(name).outcomes(sample, record)
        if outcomes:
            persons = [{"speaker": each.name, "in the summary": each.outcome} for each in outcomes]
            tables.append(table_of(persons, "Speakers", n_texts=2))
        return tables


def _row(claim: Record, turns: Any) -> list[Cell]:
    other = claim["other_turn"]
    texts = [turns[place] if place is not None and place < len(turns) else "" for place in (claim["turn"], other)]
    beside: list[Cell] = ["", "", ""] if other is None else [claim["other"], claim["other_probability"], texts[1]]
    return [claim["statement"], claim["speaker"], claim["outcome"], claim["probability"], texts[0], *beside]


REPORT = MisattributionReport()
