"""Pytest plugin of fairsum-utils: the fixture `fairsum_check`.

    def test_the_new_summaries_are_no_worse(fairsum_check):
        fairsum_check("results.json", ["bur - baseline < 0.02", "uer.ci_high < 0.05"], baseline="main.json")

A rule that fails fails the test, which shows the table of verdicts. One that is undecided does, too, unless
``--fairsum-undecided=skip`` is given, or ``fairsum_undecided = skip`` in the section of pytest's settings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from fairsum_utils.gate import CheckResult


_CHOICES = ("fail", "skip")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for tests with undecided rules."""
    about = "outcome of a test if a fairsum rule is undecided and none fails"
    parser.getgroup("fairsum").addoption("--fairsum-undecided", choices=_CHOICES, help=f"{about} (default: fail)")
    parser.addini("fairsum_undecided", f"{about}: {' or '.join(_CHOICES)}", default=_CHOICES[0])


@pytest.fixture
def fairsum_check(request: pytest.FixtureRequest) -> Callable[..., CheckResult]:
    """Check results against rules: ``fairsum_check(results, rules, baseline=None)``.

    It takes what `fairsum_utils.check` takes, and gives the same result where all rules pass. Where one fails the test
    fails; where one is undecided it fails or is skipped, as pytest's settings say.
    """
    chosen = request.config.getoption("--fairsum-undecided") or request.config.getini("fairsum_undecided")
    if chosen not in _CHOICES:
        raise pytest.UsageError(f"fairsum_undecided must be {' or '.join(_CHOICES)}, found {chosen!r}")

    def hold(results: Any, rules: Any, baseline: Any = None) -> CheckResult:
        from fairsum_utils.gate import check

        checked = check(results, rules, baseline)
        if checked.outcome == "undecided" and chosen == "skip":
            pytest.skip(checked.report())
        if not checked.passed:
            pytest.fail(checked.report(), pytrace=False)
        return checked

    return hold
