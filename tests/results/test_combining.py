"""What `combine` gives comes back flat."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from fairsum_utils import combine, read_results
from fairsum_utils.results import CombinedResults


def test_a_combination_comes_back_flat(examples: ModuleType, tmp_path: Path) -> None:
    metrics = combine({"strict": "bur", "uer": "uer"}, options={"strict": {"tau": 0.9}})
    result = metrics.compute(predictions=examples.A, **examples.SUMMARIES)
    assert isinstance(result, CombinedResults)
    assert result["strict_bur"] == result.measures["strict"]["bur"]
    assert "BUR" in result.report()
    assert list(result.to_pandas()["measure"]) == ["strict", "uer"]
    result.save(tmp_path / "a.json")
    again = read_results(tmp_path / "a.json")
    assert isinstance(again, CombinedResults)
    assert (again, list(again)) == (result, list(result))
