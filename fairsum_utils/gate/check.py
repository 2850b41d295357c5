"""Results held to rules: what each rule says, and what they say together."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import CheckFailed
from fairsum_utils.gate.policy import EXIT_STATUS, Outcome, Verdict, decide, overall

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part

__all__ = ["CheckResult", "check"]


@dataclass(frozen=True)
class CheckResult:
    """What `fairsum_utils.check` gives: a verdict a rule, and what follows from all of them.

    Attributes:
        verdicts: in the order of the rules; each has ``rule``, ``outcome``, ``found``, ``interval`` and ``reason``.
        title: what was checked.
        warnings: what the results have against them, whether a rule asks for it or not.

    Example:
        >>> from fairsum_utils import check, score
        >>> results = score(["Tasty."], [["Tasty.", "Awful."]], [["pos", "neg"]], metrics=["uer"])
        >>> checked = check(results, ["uer.n_samples == 1", "uer < 0.5"])
        >>> checked.passed, checked.outcome, checked.exit_status, [verdict.outcome for verdict in checked.verdicts]
        (False, 'undecided', 3, ['pass', 'undecided'])
    """

    verdicts: tuple[Verdict, ...]
    title: str
    warnings: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """``"fail"`` if any rule fails, else ``"undecided"`` if any is, else ``"pass"``."""
        return overall(verdict.outcome for verdict in self.verdicts)

    @property
    def passed(self) -> bool:
        """Whether every rule passes."""
        return self.outcome == "pass"

    @property
    def exit_status(self) -> int:
        """That of ``fairsum check``: 0 pass, 1 fail, 3 undecided."""
        return EXIT_STATUS[self.outcome]

    def raise_unless_passed(self) -> None:
        """Do nothing if every rule passes.

        Raises:
            CheckFailed: one fails or is undecided; the message has the table.
        """
        if not self.passed:
            raise CheckFailed(self.report())

    def report(self) -> str:
        """The table of verdicts as text."""
        return self._in("text")

    def to_markdown(self) -> str:
        """The table of verdicts as Markdown, such as for a pull request."""
        return self._in("markdown")

    def to_junit(self) -> str:
        """The verdicts as JUnit XML: a rule that fails is a failure, one that is undecided an error."""
        from fairsum_utils.gate.junit import as_junit

        return as_junit(self.title, self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """Outcome and verdicts as JSON has them: None for what is undefined, ``"inf"`` for infinity."""
        verdicts = [
            {
                **asdict(each),
                "found": _plain(each.found),
                "interval": None if each.interval is None else list(map(_plain, each.interval)),
            }
            for each in self.verdicts
        ]
        return {
            "outcome": self.outcome,
            "checked": self.title,
            "verdicts": verdicts,
            "warnings": list(self.warnings),
        }

    def __str__(self) -> str:
        """The table of verdicts."""
        return self.report()

    def _repr_html_(self) -> str:
        from fairsum_utils.reports.formats import notebook_page

        return notebook_page(None, self.parts())

    def _in(self, format: str) -> str:
        from fairsum_utils.reports.formats import FORMATS

        return FORMATS[format](self.parts())

    def parts(self) -> list[Part]:
        """What a person wants to see of it: the outcome in a line, the table, and the warnings of the results."""
        from fairsum_utils._util.terminal import on_one_line
        from fairsum_utils.reports.tables import Table, interval
        from fairsum_utils.validation import count

        n = {outcome: sum(each.outcome == outcome for each in self.verdicts) for outcome in EXIT_STATUS}
        told = [f"{n['pass']} of {count(len(self.verdicts), 'rule')} passed"]
        told += [f"{n['fail']} failed"] * (n["fail"] > 0) + [f"{n['undecided']} undecided"] * (n["undecided"] > 0)
        rows = [
            [" ".join(each.rule.split()), each.outcome, each.number(), interval(each.interval), each.reason]
            for each in self.verdicts
        ]
        header = ["rule", "outcome", "found", "interval", "reason"]
        table = Table(header, rows, n_texts=len(header))
        warnings = [[f"warning: {on_one_line(message)}" for message in self.warnings]] * bool(self.warnings)
        return [[f"{self.outcome}: {self.title}: {', '.join(told)}"], table, *warnings]


def _plain(number: float) -> float | str | None:
    return number if math.isfinite(number) else None if math.isnan(number) else str(number)


def check(results: Any, rules: str | os.PathLike[str] | Sequence[Any], baseline: Any = None) -> CheckResult:
    """Hold results to rules, as ``fairsum check`` does.

    A rule is a comparison such as ``uer.ci_high < 0.05``; `fairsum_utils.gate.rules.parse_rule` tells what it may name.
    On a number it passes or fails by the number. On an end of an interval it passes if it holds, fails if it does not
    hold at the other end either, and is undecided between these. It is undecided, too, where the number is undefined,
    and where fewer than 30 samples have a score, unless it is about how many there are.

    Args:
        results: of `score`, `compute`, `compare`, `compare_systems` or `combine`; the path of a file that ``save`` or
            ``--output`` wrote; the dict that such a file holds; or a list of these, whose labels differ.
        rules: a rule, the path of a ``.toml`` file with ``rules = [...]`` under ``[check]``, or a list of both.
        baseline: results that ``baseline`` in a rule stands for, as `results`.

    Returns:
        A result with ``verdicts``, ``outcome``, ``passed``, ``exit_status``, ``report()``, ``to_markdown()``,
        ``to_junit()``, ``to_dict()`` and ``raise_unless_passed()``; a notebook shows its table.

    Raises:
        InputError: there is no rule, something is no rule or no results, or a rule names what is not there, or has a
            bound that no score can reach.

    Example:
        >>> sources, values = [["Tasty soup.", "Awful soup."]] * 40, [["pos", "neg"]] * 40
        >>> from fairsum_utils import score
        >>> results = score(["Tasty."] * 40, sources, values, metrics=["uer"], confidence_level=0.95)
        >>> print(check(results, ["uer.ci_high < 0.3", "uer < 0.2"]).report())
        fail: the results: 1 of 2 rules passed, 1 failed
        <BLANKLINE>
        rule               outcome  found   interval          reason
        uer.ci_high < 0.3  pass     0.2749  [0.2251, 0.2749]
        uer < 0.2          fail     0.2500  [0.2251, 0.2749]
    """
    from fairsum_utils.gate.reading import sheet_of
    from fairsum_utils.gate.sources import read_rules

    read = read_rules(rules)
    sheet = sheet_of(results)
    before = None if baseline is None else sheet_of(baseline, what="baseline")
    title = sheet.where
    if before is not None and any(rule.needs_baseline for rule in read):
        title = f"{title}, against {before.where}"
    return CheckResult(tuple(decide(rule, sheet, before) for rule in read), title, tuple(sheet.warnings))
