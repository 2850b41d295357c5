"""Verdicts on single samples and the result of all samples, for other evaluation stacks.

Hosts call a metric once per sample and store what it returns. A `Judge` returns a score, its direction, whether the
sample passes, and the reason with the evidence, and keeps a JSON record from which the result of the corpus follows.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from decimal import Decimal
from typing import Any, NamedTuple

from fairsum_utils.cleaning import texts_as_read
from fairsum_utils.errors import InputError
from fairsum_utils.families import family_of
from fairsum_utils.families.arrow import from_plain
from fairsum_utils.families.asked import USUAL
from fairsum_utils.io.frames import as_plain
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.reports.formats import as_text
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import number
from fairsum_utils.reports.wording import short_name
from fairsum_utils.results import ScoreResults
from fairsum_utils.results.record import plain
from fairsum_utils.session import Request, Session
from fairsum_utils.validation import as_float, describe


class Verdict(NamedTuple):
    """Judgement of one sample.

    Attributes:
        score: score of the sample; None if the sample was skipped or the measure has no score of single samples.
        lower_is_better: True if a lower score is fairer.
        passed: True if the score is at most the threshold away from the fairest; None without a score.
        reason: score, threshold and evidence in words.
        record: JSON record of the sample, for `Judge.result`.
    """

    score: float | None
    lower_is_better: bool
    passed: bool | None
    reason: str
    record: dict[str, Any]

    @property
    def stored(self) -> str:
        """Record as one string, for hosts that store strings."""
        return json.dumps(self.record)


class Judge:
    """A measure that judges samples one by one, and then all of them together.

    Args:
        measure: the measure, or its name.
        threshold: largest distance from the fairest score at which a sample passes.
        **settings: settings of a measure that is given by name, such as ``tau=0.9``.

    Raises:
        InputError: the measure, the threshold or a setting is invalid.

    Example:
        >>> judge = Judge("bur")
        >>> verdict = judge.verdict(predictions="Tasty.", sources=["Tasty.", "Awful."], values=["pos", "neg"])
        >>> verdict.score, verdict.passed, verdict.reason.splitlines()[0]
        (1.0, False, 'BUR 1.0000, fails: above the threshold 0')
        >>> judge.result([verdict.record])["bur"]
        1.0
    """

    def __init__(self, measure: str | Measure, *, threshold: float = 0.0, **settings: Any) -> None:
        chosen = get_measure(measure)(**settings) if isinstance(measure, str) else measure.replace(**settings)
        self.measure = type(chosen)
        self.threshold = as_float(threshold)
        if not self.threshold >= 0:
            raise InputError(f"{chosen.name}: threshold must be a number of at least 0, found {describe(threshold)}")
        self.settings = chosen.given()
        self._family = family_of(chosen.name)
        self._checked = chosen.completed(**USUAL)
        self._session = Session([Request(self._checked, given=self.settings)], evidence=True)

    @property
    def title(self) -> str:
        """Name of the measure in a table of the host."""
        return short_name(self.measure.name)

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of a sample that the measure can use."""
        return tuple(column.name for column in self._family.columns_of(self.measure.name))

    def verdict(self, **sample: Any) -> Verdict:
        """Judge one sample.

        Args:
            **sample: entry of each column, such as ``predictions`` (the summary), ``sources`` and ``values``.

        Raises:
            InputError: a column is missing or malformed.
        """
        columns = {name: [entry] for name, entry in sample.items()}
        [[row]] = self._session.rows(columns, whole=False)
        record = {
            "fairsum": self.measure.name,
            "settings": plain(self.settings),
            "columns": sorted(columns),
            "row": as_plain(asdict(row)),
        }
        [shown] = self._family.records([row], (self.measure.name,), self._checked)
        score = None if self.measure.needs_all_rows else shown.get(self.measure.name)
        if not isinstance(score, (int, float)) or not math.isfinite(score):
            return Verdict(None, self.measure.lower_is_fairer, None, self._reason(sample, shown), record)
        passed = self.measure.unfairness(score) <= self.threshold
        verdict = "passes: at most" if passed else "fails: above"
        opening = f"{short_name(self.measure.name)} {number(score)}, {verdict} the threshold {self.threshold:g}"
        reason = f"{opening}\n{self._reason(sample, shown)}".strip()
        return Verdict(float(score), self.measure.lower_is_fairer, passed, reason, record)

    def verdict_among(self, given: Mapping[str, Any]) -> Verdict:
        """Judge a sample among other entries; None counts as missing."""
        return self.verdict(**{name: given[name] for name in self.columns if given.get(name) is not None})

    def _reason(self, sample: Mapping[str, Any], record: Mapping[str, Any]) -> str:
        """Return the evidence behind the score of a sample, or why it has none."""
        report, name = report_of(self._family.name), self.measure.name
        if record["skipped"] is not None:
            return f"no score: {report.skipped.get(record['skipped'], record['skipped'])}"
        sample = texts_as_read(sample, self._checked)
        attribution = self._family.attribution((name,), self._checked, sample, record)
        result = {"settings": {key: getattr(self._checked, key) for key in self._checked.infos()}}
        return as_text(report.evidence(name, result, record, sample, attribution)).strip()

    def result(self, records: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        """Return the result of all judged samples, as `fairsum_utils.score` does.

        Args:
            records: records of verdicts of this measure and these settings, as they are or read from JSON.

        Returns:
            The result; a score that cannot be computed is NaN, with the reason under ``undefined``.
        """
        kept, kind = list(records), self._family.table.row
        # Each sample was judged alone, as the first of its data.
        rows: list[Any] = [replace(from_plain(record["row"], kind), index=place) for place, record in enumerate(kept)]
        return result_of_rows(self._session.requests[0], kept[0]["columns"] if kept else (), rows)


def result_of_rows(request: Request, columns: Iterable[str], rows: Iterable[Any]) -> dict[str, Any]:
    """Return the result of a measure from the rows of all samples.

    A run has been paid for when it gets here, so a score that cannot be computed is no error: it is NaN, with the
    reason under ``undefined``.
    """
    session = Session([request])
    session.take_columns(columns)
    try:
        session.add_rows([rows])
        scored: dict[str, Any] = session.results()[request.label]
        return scored
    except InputError as error:
        return {request.measure: math.nan, "undefined": str(error)}


def read_list(entry: Any) -> Any:
    """Read a list that is written as JSON; return other entries unchanged.

    Example:
        >>> read_list('["Tasty.", "Awful."]'), read_list("Tasty.")
        (['Tasty.', 'Awful.'], 'Tasty.')
    """
    return json.loads(entry) if isinstance(entry, str) and entry.startswith("[") else entry


def higher_is_better(verdict: Verdict) -> float | None:
    """Invert a score in [0, 1] for hosts in which higher is better.

    Example:
        >>> higher_is_better(Verdict(0.25, True, False, "", {}))
        0.75
    """
    return None if verdict.score is None else invert(abs(verdict.score))


def invert(number: float) -> float:
    """Return 1 - number, rounded as in decimal arithmetic.

    Example:
        >>> invert(0.9), 1 - 0.9
        (0.1, 0.09999999999999998)
    """
    return float(1 - Decimal(repr(as_float(number))))


def check_invertible(judge: Judge, host: str) -> None:
    """Refuse a measure without scores of single samples in [0, 1]."""
    measure = judge.measure
    if not measure.averages or max(measure.high, -measure.low) > 1:
        raise InputError(
            f"{measure.name}: {host} needs a score in [0, 1] for each sample, which this measure does not have; choose "
            "another, or score the saved texts with fairsum score"
        )


def records_in(document: Any) -> Iterator[dict[str, Any]]:
    """Find records of verdicts in the JSON of a host, also within strings.

    Example:
        >>> [record["fairsum"] for record in records_in({"tests": [{"log": '{"fairsum": "bur", "row": {}}'}]})]
        ['bur']
    """
    if isinstance(document, str) and document.lstrip().startswith('{"fairsum"'):
        try:
            document = json.loads(document)
        except ValueError:
            return
    if isinstance(document, Mapping):
        if "fairsum" in document and "row" in document:
            yield dict(document)
            return
        document = list(document.values())
    if isinstance(document, list):
        for part in document:
            yield from records_in(part)


def results_in(document: Any, where: str) -> ScoreResults:
    """Compute the results of all records that a host saved.

    Args:
        document: parsed JSON of the host.
        where: name of the file, for messages.

    Returns:
        One result for each measure and settings; a second one of a measure has the label ``bur_2``.

    Raises:
        InputError: there is no record.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for record in records_in(document):
        found.setdefault(json.dumps([record["fairsum"], record["settings"]], sort_keys=True), []).append(record)
    if not found:
        raise InputError(
            f"{where}: there are neither results of fairsum score nor records of its metrics in other tools"
        )
    results: dict[str, Any] = {}
    for records in found.values():
        name = records[0]["fairsum"]
        label = name if name not in results else f"{name}_{2 + sum(known.startswith(f'{name}_') for known in results)}"
        results[label] = Judge(name, **records[0]["settings"]).result(records)
    return ScoreResults(results, title=where)
