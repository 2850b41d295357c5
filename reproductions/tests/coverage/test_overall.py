"""The study of overall scores: the paper's tables."""

from __future__ import annotations

import re

import fairsum_reproductions as studies
from fairsum_reproductions.coverage._printed import PRINTED as FIGURES
from fairsum_reproductions.coverage._printed import printed_results
from tests.reports._forms import texts

PRINTED = printed_results("equal_coverage")[0]


def test_the_papers_layout() -> None:
    results = {name: {**cells, **printed_results("coverage_parity")[0][name]} for name, cells in PRINTED.items()}
    results["GPT-4/Amazon"]["coverage_parity"] |= {"p_value_by_value": {"neg": 0.01, "pos": 0.2}}
    found = studies.overall(results)
    assert found["data_sets"] == FIGURES["data_sets"]
    header = found.to_csv().splitlines()[0]
    columns = [name for name in header.partition(",Amazon CP")[0].split(",") if not name.endswith(" mark")]
    assert columns == ["table", "system", *FIGURES["data_sets"], "overall"]
    table = found.to_markdown()
    # Table 3 prints Gemma's 0.047 on MITweet and Llama2-70b's overall score in bold.
    assert re.search(r"\| Gemma +\| +0.101 +\| +0.047\* +\|", table)
    assert re.search(r"\| Llama2-70b +\|.*0.22\d\* \|\n", table)
    assert re.search(r"\| GPT-4 +\| +0.029 +\| +neg\\\* +\| +pos +\| +0.011 +\| +left +\| +center +\|", table)
    assert "Amazon CP,Amazon CP mark,over,under,MITweet CP,MITweet CP mark,over,under" in header
    assert texts(found.plot()).count("Llama2-70b") >= 2


def test_what_is_compared_with_nothing_is_not_marked_as_the_fairest() -> None:
    def shown(**systems: float) -> list[str]:
        results = {name: {"equal_coverage": {"r_ec": score}} for name, score in systems.items()}
        rows = (line.split() for line in studies.overall(results).report().splitlines())
        return [row[1] for row in rows if row and row[0] in systems]

    assert shown(gpt4=0.25) == ["0.250"]
    assert shown(gpt3=0.5, gpt4=0.25) == ["0.500", "0.250*"]
