"""The session: what is shared, what is kept, and that nobody's result depends on who else is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fairsum_utils import EntityHallucination, compute
from fairsum_utils.errors import InputError
from fairsum_utils.families import summary_measures
from fairsum_utils.measures import get_measure
from fairsum_utils.session import Request, Session
from fairsum_utils.session.systems import compare

SETTINGS: dict[str, dict[str, Any]] = {
    "equal_coverage": {"entailer": "lexical"},
    "coverage_parity": {"entailer": "lexical"},
}
SUMMARY_MEASURES = summary_measures()


def requests(*names: str, **settings: Any) -> list[Request]:
    return [Request(get_measure(name)(**{**SETTINGS.get(name, {}), **settings})) for name in names]


@pytest.fixture
def columns(paper: Any) -> dict[str, Any]:
    return {name: column * 3 for name, column in paper._asdict().items()}


def test_what_can_share_rows_does(columns: dict[str, Any]) -> None:
    asked = [*requests("bur", "uer", seed=1), *requests("auc", k=2), *requests("equal_coverage", "coverage_parity")]
    session = Session(asked)
    assert [each.measures for each in session.passes] == [
        ("bur", "uer"),
        ("auc",),
        ("equal_coverage", "coverage_parity"),
    ]
    assert list(session.score(columns)) == ["bur", "uer", "auc", "equal_coverage", "coverage_parity"]


@pytest.mark.parametrize("level", [None, 0.9])
def test_together_as_each_alone_to_the_bit(columns: dict[str, Any], level: float | None) -> None:
    settings = {"confidence_level": level, "return_samples": True}
    together = Session(requests(*SUMMARY_MEASURES, **settings)).score(columns)
    for name in SUMMARY_MEASURES:
        assert repr(together[name]) == repr(compute(name, **columns, **SETTINGS.get(name, {}), **settings))


def test_parts_make_up_the_whole(columns: dict[str, Any]) -> None:
    asked = requests("bur", "sof", "equal_coverage", confidence_level=0.9, return_samples=True)
    whole = Session(asked).score(columns)
    parts = [{name: column[start : start + 2] for name, column in columns.items()} for start in (0, 2, 4)]
    piecewise, of_rows = Session(asked), Session(asked)
    for start, part in zip((0, 2, 4), parts, strict=True):
        piecewise.add(part, start=start)
        of_rows.add_rows(Session(asked).rows(part, start=start))
    of_rows.take_columns(columns)
    assert piecewise.results() == whole
    assert of_rows.results() == whole


def test_lost_replicates_are_told_of_those_that_were_drawn() -> None:
    # Value c is in one of 200 samples, so a replicate loses it with probability (199/200)^200 = 0.37.
    columns = {
        "predictions": ["Soup."] * 200,
        "sources": [["Soup.", "Bread."]] * 200,
        "values": [*[["a", "b"]] * 199, ["a", "c"]],
    }
    asked = requests("sof", confidence_level=0.9, n_resamples=40)
    lost = Session(asked).score(columns)["sof"]["sof_ci_lost"]
    assert 0 < lost < 1
    for warnings in (
        Session(asked).score(columns)["sof"]["warnings"],
        compare(Session(asked), {"a": columns, "b": columns})["sof"]["warnings"],
    ):
        [record] = [warning for warning in warnings if warning["code"] == "lost_replicates"]
        assert record["count"] == round(40 * lost)
        assert record["message"].startswith(f"{record['count']} of 40 ")


def test_a_scorer_is_kept_as_long_as_it_serves_and_then_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(requests("uer"))
    scorer, closed = session.passes[0].scorer, []
    monkeypatch.setattr(type(scorer), "close", lambda scorer: closed.append(scorer.settings.k))
    session.ask(requests("uer", confidence_level=0.9))  # of the same rows
    assert session.passes[0].scorer is scorer
    session.ask(requests("uer", k=3))
    assert closed == [1]
    with session:
        assert session.passes[0].scorer is not scorer
    assert closed == [1, 3]


@pytest.mark.parametrize(
    ("asked", "given", "message"),
    [
        (["bur", "uer"], {"predictions": ["a"]}, "bur, uer: missing: sources (needed by bur, uer), values (needed"),
        (
            ["bur", "sentiment"],
            {"predictions": ["a"]},
            "bur, sentiment: missing: sources (needed by bur), values (needed by bur). Given: predictions",
        ),
        (["sentiment"], {}, "sentiment: missing: predictions (needed by sentiment). Given: none"),
        (
            ["bur"],
            {"predictions": ["a"], "sources": [["a"], ["b"]], "values": [["x"]]},
            "bur: predictions has 1 sample but sources has 2; every column needs one entry per sample",
        ),
    ],
)
def test_columns_that_are_missing_or_unequal(asked: list[str], given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        Session(requests(*asked)).score(given)
    assert str(error.value).startswith(message)


def test_all_samples_are_checked_before_any_is_scored(columns: dict[str, Any]) -> None:
    seen: list[str] = []

    def matcher(texts: list[str], summary: str) -> list[float]:
        seen.append(summary)
        return [1.0] * len(texts)

    columns["values"][-1] = ["pos"]
    with pytest.raises(InputError, match="sample 5: sources has 2 texts but values has 1 label"):
        Session(requests("uer", matcher=matcher)).score(columns)
    assert seen == []


@pytest.mark.parametrize("value", [{"a"}, bytearray(b"a"), np.array([["a"]]), np.array("a"), [{"a"}], {"a": {"b"}}])
def test_settings_that_cannot_be_hashed_are_refused_all_the_same(value: Any) -> None:
    with (
        pytest.raises(InputError, match="first_names must "),
        Session([Request(EntityHallucination(first_names=value))]) as session,
    ):
        session.score({"predictions": ["Ann."], "sources": ["Ann."], "mentions": [["Ann"]]})
