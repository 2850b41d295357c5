"""Public functions on the inputs of `inputs.py`: what they return is recorded as numbers, what they print as words."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import fairsum_utils
from fairsum_utils import BUR, UER, CoverageParity, EqualCoverage, compare, compute, load, score
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.figures import save_figure

CALLS: dict[str, Callable[[], Any]] = {}
LEVEL: dict[str, Any] = {"confidence_level": 0.9, "n_resamples": 50}
FAMILIES = {
    "representation": ("reviews", ["bur", "uer", "auc", "sof"], {}),
    "coverage": ("reviews", ["equal_coverage", "coverage_parity"], {"entailer": "lexical"}),
    "polarity": ("texts", ["sentiment", "gender_polarity"], {}),
    "entities": ("news", ["word_list_inclusion", "entity_inclusion", "entity_hallucination", "distinguishability"], {}),
    "sensitivity": ("variants", ["counterfactual_gap", "counterfactual_outcomes"], {"n_permutations": 20}),
    "orders": ("orders", ["order_sensitivity"], {"n_permutations": 20}),
}
"""Name -> file, measures that need no model, settings."""


def call(function: Callable[[], Any]) -> Callable[[], Any]:
    """Add a function to the calls."""
    CALLS[function.__name__] = function
    return function


def rows_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def columns_of(name: str) -> dict[str, list[Any]]:
    """Read a file as arguments of `score`, such as `predictions` for the column `prediction`."""
    rows = rows_of(name)
    names = [key for key in sorted(rows[0]) if key not in ("id", "day", "rouge", "control")]
    return {key if key.endswith("s") else f"{key}s": [row[key] for row in rows] for key in names}


def score_family(name: str) -> Any:
    file, measures, settings = FAMILIES[name]
    metrics = [get_measure(measure)(**settings) for measure in measures]
    results = score(**columns_of(file), metrics=metrics, **LEVEL, return_samples=True)
    print(results.report())
    return results


def compute_by_module(name: str, family: str) -> Any:
    file, _, settings = FAMILIES[family]
    module = load(name, keep_in_memory=True)
    taken = {key: column for key, column in columns_of(file).items() if key in module.features}
    whole = module.compute(**taken, **settings, **LEVEL)
    print(module.description)
    return whole


MODULES = {"bur": "representation", "sentiment": "polarity", "entity_inclusion": "entities"}
CALLS |= {f"score_{name}": partial(score_family, name) for name in FAMILIES}
CALLS |= {f"module_{name}": partial(compute_by_module, name, family) for name, family in MODULES.items()}


@call
def module_in_batches() -> Any:
    columns = columns_of("reviews")
    module = load("uer", keep_in_memory=True)
    for start in range(0, len(columns["predictions"]), 10):
        module.add_batch(**{key: column[start : start + 10] for key, column in columns.items()})
    return module.compute(**LEVEL)


@call
def compute_one() -> Any:
    return compute("bur", **columns_of("reviews"), tau=0.5)


@call
def score_table() -> Any:
    import pandas

    frame = pandas.DataFrame(rows_of("reviews")).rename(columns={"prediction": "summary", "values": "stars"})
    results = score(frame, predictions="summary", values="stars", metrics="bur,uer", **LEVEL)
    print(results.to_pandas().to_string())
    print(results.by_value().to_string())
    return results


@call
def score_given_distributions() -> Any:
    columns = columns_of("reviews")
    shares = [{value: 1.0 + place for place, value in enumerate(dict.fromkeys(row))} for row in columns["values"]]
    return score(**columns, target_distributions=shares, metrics="bur,uer")


@call
def score_own_matcher() -> Any:
    def longest(texts: list[str], summary: str) -> list[float]:
        return [float(len(text)) for text in texts]

    return score(**columns_of("reviews"), metrics=UER(matcher=longest))


@call
def results_show_themselves() -> Any:
    results = score(**columns_of("reviews"), metrics=["bur"], **LEVEL)
    for shown in (results.to_markdown(), results.to_latex(), results.to_csv(), results["bur"].report()):
        print(shown)
    save_figure(results.plot(), "plot.svg")
    Path("notebook.html").write_text(results._repr_html_(), encoding="utf-8")
    results.save("results.json")
    return fairsum_utils.read_results("results.json") == results


@call
def compare_two() -> Any:
    columns, other = columns_of("reviews"), columns_of("last")["predictions"]
    found = compare(columns["predictions"], other, columns["sources"], columns["values"], **LEVEL)
    print(found.report())
    return found


@call
def compare_two_by_coverage() -> Any:
    columns, other = columns_of("reviews"), columns_of("last")["predictions"]
    metrics = [EqualCoverage(entailer="lexical"), CoverageParity(entailer="lexical")]
    return compare(columns["predictions"], other, columns["sources"], columns["values"], metrics=metrics, **LEVEL)


@call
def compare_three() -> Any:
    systems = {name: columns_of(name)["predictions"] for name in ("reviews", "last", "second")}
    columns = columns_of("reviews")
    found = compare(systems, columns["sources"], columns["values"], metrics=["bur", "uer"], **LEVEL)
    print(found.report())
    return found


@call
def combine_with_another_module() -> Any:
    columns = columns_of("reviews")
    combined = fairsum_utils.combine([BUR(tau=0.9), "sentiment"])
    print(combined)
    return combined.compute(**columns, groups=["x"] * len(columns["predictions"]))


@call
def check_rules() -> Any:
    results = score(**columns_of("reviews"), **LEVEL)
    checked = fairsum_utils.check(results, ["uer.ci_high < 0.5", "bur < 0.1"])
    print(checked.report())
    return [checked.outcome, checked.passed]


@call
def training_metrics() -> Any:
    from fairsum_utils.training import preference_pairs, rerank

    columns = columns_of("reviews")
    candidates = [[" ".join(texts[:1]), " ".join(texts), ""] for texts in columns["sources"][:6]]
    sources, values = columns["sources"][:6], columns["values"][:6]
    pairs = preference_pairs(["Sum up."] * 6, candidates, sources, values, metric="uer", margin=0.05)
    ranked = rerank(candidates, sources, values, metric="uer")
    return {"pairs": pairs.rows, "ranked": [list(each) for each in zip(*ranked, strict=False)] or list(ranked)}


@call
def compute_metrics_of_a_trainer() -> Any:
    from types import SimpleNamespace

    from fairsum_utils.training import make_compute_metrics

    columns = columns_of("reviews")

    class Tokenizer:
        pad_token_id = 0

        def batch_decode(self, ids: Any, **_: Any) -> list[str]:
            return [columns["predictions"][int(each[0])] for each in ids]

    computed = make_compute_metrics(Tokenizer(), (columns["sources"], columns["values"]), metrics=["bur", "uer"])
    import numpy as np

    ids = np.arange(len(columns["predictions"])).reshape(-1, 1)
    return computed(SimpleNamespace(predictions=ids, label_ids=ids))


@call
def score_and_keep_rows() -> Any:
    from fairsum_utils.run import from_rows
    from fairsum_utils.run import score as score_files

    first = score_files("reviews.jsonl", "bur,uer", rows="run", n_resamples=50)
    [run] = Path("run").iterdir()
    assert from_rows(run) == first
    return first


@call
def load_a_data_set() -> Any:
    folder = Path(os.environ["TMPDIR"], "built")
    built = fairsum_utils.load_dataset("bold", "religious_ideology", data_dir="raw", cache_dir=str(folder))
    return (
        [dict(row) for row in built]
        if not isinstance(built, dict)
        else {name: list(each) for name, each in built.items()}
    )


@call
def signatures() -> Any:
    for function in (
        score,
        compute,
        compare,
        fairsum_utils.check,
        fairsum_utils.combine,
    ):
        print(function.__name__, inspect.signature(function))
    return None


def _changed(**columns: Any) -> Any:
    return score(**{**columns_of("reviews"), **columns})


MISTAKES: dict[str, Callable[[], Any]] = {
    "lengths": lambda: _changed(values=[["a"]]),
    "value_for_each_source": lambda: score(["x"], [["a", "b"]], [["v"]]),
    "not_text": lambda: score([3], [["a"]], [["v"]]),
    "none": lambda: score(["x"], [["a", "b"]], [["v", None]]),
    "no_samples": lambda: score([], [], []),
    "unknown_setting": lambda: _changed(taux=0.8),
    "setting_of_another_measure": lambda: _changed(tau=0.8, metrics="uer"),
    "setting_as_keyword": lambda: _changed(tau=0.9),
    "out_of_range": lambda: _changed(metrics=BUR(tau=1.5)),
    "unknown_measure": lambda: _changed(metrics="burr"),
    "unreadable_script": lambda: score(["汤很好喝。"], [["汤很好喝，服务很慢。", "面包不新鲜。"]], [["a", "b"]]),
}
CALLS |= {f"mistake_{name}": call for name, call in MISTAKES.items()}
