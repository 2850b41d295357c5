"""Who takes part in a combination: names, loaded modules, and what evaluate loads."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import BUR
from fairsum_utils.combining import combine
from fairsum_utils.errors import InputError
from tests.combining.conftest import ROOT, alone, columns_of, own, same_bits

from ..conftest import takes_long


def test_a_module_on_our_base_is_scored_as_its_measure(tmp_path: Path) -> None:
    from fairsum_utils.modules import Metric

    class Mine(Metric):
        measure, description, inputs = "bur", "", ""

    result = combine([Mine(cache_dir=str(tmp_path)), BUR(tau=0.5)]).compute(**columns_of("bur"))
    assert same_bits(own(result, "mine"), alone("bur", "mine"))
    assert "tau:0.5" in result["bur_signature"]
    with pytest.raises(
        InputError, match=r'^combine: .*write metrics=\{"mine": BUR\(tau=0\.5\)\}, with BUR from fairsum_utils$'
    ):
        combine([Mine(cache_dir=str(tmp_path))], options={"mine": {"tau": 0.5}})


def test_another_module_with_columns_and_settings_of_ours(tmp_path: Path) -> None:
    import datasets
    import evaluate

    class Mine(evaluate.Metric):  # type: ignore[misc]
        def _info(self) -> Any:
            texts = datasets.Sequence(datasets.Value("string"))
            features = datasets.Features({"predictions": datasets.Value("string"), "sources": texts, "values": texts})
            return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

        def _compute(self, predictions: Any, sources: Any, values: Any, tau: float = 0.8) -> Any:
            return {"mine": len(sources) * tau}

    metrics = combine([Mine(cache_dir=str(tmp_path)), BUR(tau=0.9)], options={"mine": {"tau": 0.5}})
    result = metrics.compute(**columns_of("bur"))
    assert result["mine"] == 4.0
    assert "tau:0.9" in result["bur_signature"]


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ([], "combine: metrics must be a non-empty list of names and evaluate modules, or a dict"),
        ("bur", "combine: metrics must be a non-empty list of names and evaluate modules, or a dict"),
        ([len], "combine: a metric must be a name, a path, a measure or a loaded evaluate module, found builtin"),
        ({1: "bur"}, "combine: the names in metrics must be strings, found int 1"),
        (
            ["bur", "fairsum/bur"],
            "combine: bur occurs 2 times in metrics; to use it with several settings, give each a name: {'bur_a",
        ),
    ],
)
def test_refused(metrics: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        combine(metrics)
    assert message in str(caught.value)


BY_PATH = """
import socket, sys
def refuse(*_, **__):
    raise OSError("no network")
socket.socket.connect = socket.getaddrinfo = refuse
sys.modules["transformers"] = None  # which evaluate would import, and that takes long
from fairsum_utils.combining import combine
from fairsum_utils.combining import make_members
members = make_members(["metrics/bur", "tests/_rouge_module/rouge.py", "uer"])
print([(type(member).__name__, member.label) for member in members])
try:
    combine(["bru"])
except ValueError as error:
    print(type(error).__name__, error)
"""


def test_measures_need_no_evaluate(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("evaluate", "datasets", "torch", "transformers"):
        monkeypatch.setitem(sys.modules, package, None)
    columns = {"predictions": ["a soup"], "sources": [["soup", "bread"]], "values": [["x", "y"]]}
    assert combine(["bur", "uer"]).compute(**columns)["uer"] == 0.25
    with pytest.raises(
        InputError, match="combine: a metric must be a name, a path, a measure or a loaded evaluate mod"
    ):
        combine(["bur", object()])


@takes_long
def test_names_and_paths_go_to_evaluate(light: Any, tmp_path: Path) -> None:
    places = {name: str(tmp_path / name) for name in ("HF_HOME", "FAIRSUM_CACHE")}
    done = light.start(["-c", BY_PATH], ROOT, **places).wait()
    assert done.returncode == 0, done.stderr
    members, refused = done.stdout.splitlines()
    assert members == "[('Ours', 'bur'), ('Module', 'rouge'), ('Ours', 'uer')]"
    assert refused.startswith("InputError combine: 'bru' is not a measure of fairsum (auc, bur, ")
    assert "Module 'bru' doesn't exist on the Hugging Face Hub either" in refused
