"""One call for every tracker, against stand-ins of their packages: what they are told, and that nothing is sent."""

from __future__ import annotations

import math
import posixpath
import re
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import compare
from fairsum_utils._version import __version__
from fairsum_utils.errors import FairSumError, InputError, MissingDependencyError
from fairsum_utils.integrations.tracking import Worst, contents_of, plain_names, require_tracker, track, tracker_names
from tests.integrations.conftest import SOURCES, TEXTS, VALUES


class Stand(SimpleNamespace):
    """A stand-in of a tracker's package.

    ``module`` replaces it; ``activate`` makes a run active; ``numbers``, ``texts`` and ``ended`` tell what it got.
    """


def wandb() -> Stand:
    module, run = MagicMock(run=None), MagicMock(offline=True)
    run.settings.sync_dir = "wandb/offline-run-1"
    module.init.return_value = run
    module.Table.side_effect = lambda **given: given["columns"] + given["data"]
    return Stand(
        module=module,
        begin=module.init,
        activate=lambda: setattr(module, "run", run),
        logging=run.log,
        numbers=lambda: run.log.call_args.args[0],
        told=lambda: repr([run.log.call_args_list, run.config.update.call_args_list]),
        ended=lambda: run.finish.called,
    )


def trackio() -> Stand:
    module = MagicMock()
    current = module.context_vars.current_run.get
    current.return_value = None
    module.Table.side_effect = lambda **given: given["columns"] + given["data"]
    return Stand(
        module=module,
        begin=module.init,
        activate=lambda: setattr(current, "return_value", module.init.return_value),
        logging=module.log,
        numbers=lambda: module.log.call_args.args[0],
        told=lambda: repr([module.log.call_args_list, module.init.call_args_list]),
        ended=lambda: module.finish.called,
    )


def mlflow() -> Stand:
    module = MagicMock()
    module.active_run.return_value = None
    return Stand(
        module=module,
        begin=module.start_run,
        activate=lambda: setattr(module.active_run, "return_value", module.start_run.return_value),
        logging=module.log_metrics,
        numbers=lambda: module.log_metrics.call_args.args[0],
        told=lambda: repr(module.mock_calls),
        ended=lambda: module.end_run.called,
    )


def tensorboard() -> Stand:
    module = MagicMock()
    writer = module.SummaryWriter.return_value
    return Stand(
        module=module,
        begin=module.SummaryWriter,
        activate=None,
        logging=writer.add_scalar,
        numbers=lambda: {call.args[0]: call.args[1] for call in writer.add_scalar.call_args_list},
        told=lambda: repr(writer.mock_calls),
        ended=lambda: writer.close.called,
    )


STANDS: dict[str, Callable[[], Stand]] = {
    "mlflow": mlflow,
    "tensorboard": tensorboard,
    "trackio": trackio,
    "wandb": wandb,
}


@pytest.fixture(params=STANDS)
def tracker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Stand]:
    for name in ("WANDB_MODE", "WANDB_PROJECT", "TRACKIO_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    for name in ("WANDB_ERROR_REPORTING", "MLFLOW_DISABLE_TELEMETRY"):
        monkeypatch.setenv(name, "as it was")
    stand = STANDS[request.param]()
    monkeypatch.setitem(sys.modules, require_package(request.param), stand.module)
    return request.param, stand


def require_package(name: str) -> str:
    return {"tensorboard": "tensorboardX"}.get(name, name)


def test_every_tracker_has_an_extra(setup_extras: dict[str, Any]) -> None:
    assert setup_extras.keys() == set(tracker_names())


def test_a_run_begins_and_ends(tracker: tuple[str, Stand], results: dict[str, Any]) -> None:
    name, stand = tracker
    assert track(results, name, name="demo").startswith(f"{name}: ")
    stand.begin.assert_called_once()
    assert "demo" in repr(stand.begin.call_args)
    assert stand.numbers()["fairness/uer"] == results["uer"]["uer"]
    assert stand.numbers()["fairness/uer_ci/low"] == results["uer"]["uer_ci"][0]
    assert results["bur"]["signature"] in stand.told().replace("\\", "")  # which Markdown needs in a table
    assert stand.ended()


def test_an_active_run_goes_on(tracker: tuple[str, Stand], results: dict[str, Any]) -> None:
    name, stand = tracker
    if stand.activate is None:
        pytest.skip("has no active run")
    stand.activate()
    track(results, name, step=7)
    assert stand.logging.call_args.kwargs["step"] == 7
    assert results["bur"]["signature"] in stand.told()
    assert not stand.begin.called
    assert not stand.ended()
    with pytest.raises(InputError, match=rf"a run of {name} is active, .*; leave out name, dir, or finish it"):
        track(results, name, name="demo", dir="x")


def test_texts_only_if_they_are_given(tracker: tuple[str, Stand], results: dict[str, Any]) -> None:
    name, stand = tracker
    track(results, name)
    assert "worst_samples" in stand.told()
    assert not any(text in stand.told() for text in TEXTS)
    track(results, name, texts=TEXTS)
    assert TEXTS[0] in stand.told()
    assert TEXTS[1] not in stand.told()  # a fair one


def test_a_tracker_that_refuses(tracker: tuple[str, Stand], results: dict[str, Any]) -> None:
    name, stand = tracker
    stand.logging.side_effect = RuntimeError("disk full")
    with pytest.raises(FairSumError, match=f"track: {name} refuses: RuntimeError: disk full"):
        track(results, name)
    assert stand.ended()
    if name == "mlflow":
        stand.module.end_run.assert_called_once_with("FAILED")


def test_standard_output_stays_clean(
    tracker: tuple[str, Stand], results: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    name, stand = tracker
    stand.logging.side_effect = lambda *_, **__: print("* Uploading!")
    track(results, name)
    captured = capsys.readouterr()
    assert (captured.out, "* Uploading!" in captured.err) == ("", True)


def test_wandb_is_offline_unless_told(
    results: dict[str, Any], tracker: tuple[str, Stand], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, stand = tracker
    if name != "wandb":
        pytest.skip("of wandb")
    track(results, name)
    assert stand.begin.call_args.kwargs["mode"] == "offline"
    monkeypatch.setenv("WANDB_MODE", "online")
    track(results, name)
    assert stand.begin.call_args.kwargs["mode"] == "online"
    track(results, name, mode="disabled", project="reviews")
    assert (stand.begin.call_args.kwargs["mode"], stand.begin.call_args.kwargs["project"]) == ("disabled", "reviews")


def test_an_unknown_tracker() -> None:
    with pytest.raises(InputError) as caught:
        track({}, "tensorbord")
    assert str(caught.value) == (
        "track: unknown tracker 'tensorbord'; did you mean tensorboard? The trackers are mlflow, tensorboard, trackio, "
        "wandb"
    )


@pytest.mark.parametrize("name", STANDS)
def test_a_missing_package(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in (require_package(name), "torch.utils.tensorboard"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingDependencyError, match=rf"is needed to track results with {name},.*\[{name}\]") as caught:
        require_tracker(name)
    assert "\n" not in str(caught.value)


def test_refused(results: dict[str, Any]) -> None:
    for wrong in (None, [1], {"bur": 0.5}):
        with pytest.raises(InputError, match="track: results must be what score or compare returns, found"):
            track(wrong, "wandb")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="worst must be a whole number of at least 0"):
        track(results, "wandb", worst=-1)


def test_numbers_are_those_of_the_results(results: dict[str, Any]) -> None:
    numbers = contents_of(results).numbers
    assert numbers["fairness/uer"] == results["uer"]["uer"]
    assert (numbers["fairness/uer_ci/low"], numbers["fairness/uer_ci/high"]) == tuple(results["uer"]["uer_ci"])
    assert numbers["fairness/bur_by_value/C#"] == results["bur"]["bur_by_value"]["C#"]
    assert numbers["fairness/uer_n_by_value/neg/a b"] == numbers["fairness/uer_n_samples"] == 3
    assert numbers["fairness/uer_warnings"] == len(results["uer"]["warnings"]) > 0
    assert all(map(math.isfinite, numbers.values()))


def test_what_decided_the_numbers_is_text(results: dict[str, Any]) -> None:
    config = contents_of(results).config
    assert config["bur_signature"] == results["bur"]["signature"]
    assert config["fairsum"] == __version__
    shown = contents_of(results).tables["warnings"]
    assert shown.header == ["measure", "code", "count", "share", "message"]
    assert len(shown.rows) == sum(len(result["warnings"]) for result in results.values())


def test_what_is_undefined_has_a_reason_and_no_number() -> None:
    found = contents_of({"uer": {"uer": math.nan, "uer_ci": [math.nan, math.nan], "undefined": "no sample left"}})
    assert (found.numbers, found.config["uer_undefined"]) == ({}, "no sample left")


def test_a_comparison() -> None:
    columns = ([SOURCES] * 3, [VALUES] * 3)
    found = compare(TEXTS, TEXTS[::-1], *columns, metrics=["uer"], n_resamples=99)
    numbers = contents_of(found).numbers
    assert numbers["fairness/uer_a"] == found["uer"]["a"]
    assert numbers["fairness/uer_p_value"] == found["uer"]["p_value"]
    assert numbers["fairness/uer_difference_ci/low"] == found["uer"]["difference_ci"][0]


@given(st.sets(st.text(min_size=1)))
def test_plain_names_differ_and_are_paths(names: set[str]) -> None:
    plain = plain_names(names)
    assert plain.keys() == names
    assert len({name.casefold() for name in plain.values()}) == len(names)
    for name in (f"fairness/{plain}" for plain in plain.values()):
        # What MLflow asks of a name.
        assert re.fullmatch(r"[/\w.\- ]*", name)
        assert posixpath.normpath(name) == name
        assert len(name) <= 250


def record(index: int, score: Any, measure: str = "uer") -> dict[str, Any]:
    return {"index": index, "id": f"s{index}", measure: score}


@given(st.lists(st.sampled_from([None, math.nan, 0.0, 0.1, 0.2, 0.5]), max_size=12), st.integers(0, 5))
def test_as_by_sorting_all(scores: list[float | None], count: int) -> None:
    worst = Worst(["uer"], count)
    for index, score in enumerate(scores):
        worst.add([record(index, score)])
    unfair = [(index, score) for index, score in enumerate(scores) if score is not None and score > 0]
    expected = sorted(unfair, key=lambda pair: -pair[1])[:count]  # of equal ones the first
    assert [row[1:] for row in worst.table().rows] == [[f"s{index}", score] for index, score in expected]
    assert worst.indices == {index for index, _ in expected}
