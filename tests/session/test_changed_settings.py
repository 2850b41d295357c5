"""Settings that are in a signature only where they differ from their default."""

from __future__ import annotations

from typing import Any

from fairsum_utils.measures.uer import UER
from fairsum_utils.session import Request, Session
from fairsum_utils.session.systems import compare
from fairsum_utils.settings import Fraction, setting

COLUMNS = {"predictions": ["Tasty."] * 2, "sources": [["Tasty.", "Awful."]] * 2, "values": [["pos", "neg"]] * 2}


class Capped(UER):
    """A measure that got a setting after its first release."""

    ceiling: Fraction = setting(1.0, "largest shortfall that counts", changed_key="cap", stage="results")


def result_of(chosen: UER) -> dict[str, Any]:
    with Session([Request(chosen)]) as session:
        result: dict[str, Any] = session.score(COLUMNS)["uer"]
    return result


def test_the_default_leaves_stored_signatures_as_they_are() -> None:
    assert result_of(Capped())["signature"] == result_of(UER())["signature"]
    assert "ceiling" not in result_of(Capped())["settings"]


def test_another_value_is_in_settings_and_signature() -> None:
    result = result_of(Capped(ceiling=0.5))
    assert result["settings"]["ceiling"] == 0.5
    assert "|cap:0.5|v:" in result["signature"]


def test_in_comparisons_too() -> None:
    with Session([Request(Capped(ceiling=0.5))]) as session:
        compared = compare(session, {"a": COLUMNS, "b": COLUMNS})["uer"]
    assert "|cap:0.5|v:" in compared["signature"]
