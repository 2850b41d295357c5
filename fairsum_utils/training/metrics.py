"""Fairness metrics for a Seq2SeqTrainer: `compute_metrics`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.families import summary_measures
from fairsum_utils.families.asked import asked_measures, refuse_settings
from fairsum_utils.families.warnings import warn
from fairsum_utils.session import Request, Session
from fairsum_utils.validation import check_columns, count, describe

# (summaries, references) -> scores by name, such as ROUGE.
ExtraMetrics: TypeAlias = Callable[[list[str], list[str]], Mapping[str, float]]

_MODULE = "compute_metrics"
# Stands for no token in labels, and in predictions where those of several devices differ in length.
_IGNORED = -100


class ComputeMetrics:
    """A function for a Seq2SeqTrainer to call at each evaluation; see `make_compute_metrics`.

    Args:
        tokenizer: tokenizer of the model.
        sources: source texts of each sample of the evaluation set.
        values: value of each source text.
        labels: token ids of each reference, to check the order of the predictions; None if unknown.
        session: session that scores the summaries.
        extra: other measures.
    """

    def __init__(
        self,
        tokenizer: Any,
        sources: Sequence[Sequence[str]],
        values: Sequence[Sequence[str]],
        *,
        labels: Sequence[Sequence[int]] | None,
        session: Session,
        extra: ExtraMetrics | None,
    ) -> None:
        self._tokenizer = tokenizer
        self._sources, self._values = sources, values
        padding = tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id
        if padding is None:
            raise InputError(
                f"{_MODULE}: the tokenizer has no padding token and no end token, so padded texts cannot be read; set "
                "tokenizer.pad_token"
            )
        self._padding = int(padding)
        self._labels = None if labels is None else [self._trimmed(row) for row in labels]
        self._session = session
        self._extra = extra
        self._known: set[str] = set()

    def __call__(self, prediction: Any, compute_result: bool | None = None) -> dict[str, float]:
        """Decode and score."""
        if compute_result is not None:
            raise InputError(
                f"{_MODULE}: fairness needs the whole evaluation set, but the Trainer evaluates single batches; set "
                "batch_eval_metrics=False"
            )
        rows, labels = _token_rows(prediction.predictions), _token_rows(prediction.label_ids)
        self._check_order(labels, len(rows))
        n_samples = len(self._sources)  # further ones are repetitions
        summaries = self._decoded(rows[:n_samples])
        columns = {"predictions": summaries, "sources": self._sources, "values": self._values}
        numbers = score_and_warn(self._session, columns, self._known)
        if self._extra is None:
            return numbers
        others = dict(self._extra(summaries, self._decoded(labels[:n_samples])))
        if taken := others.keys() & numbers.keys():
            raise InputError(f"{_MODULE}: extra returned {sorted(taken)[0]!r}, a name that fairsum uses; rename it")
        return numbers | others

    def _decoded(self, rows: Iterable[npt.NDArray[np.integer]]) -> list[str]:
        tokens = [np.where(row == _IGNORED, self._padding, row).tolist() for row in rows]
        return [text.strip() for text in self._tokenizer.batch_decode(tokens, skip_special_tokens=True)]

    def _trimmed(self, row: Iterable[int]) -> list[int]:
        return [int(token) for token in row if token not in (_IGNORED, self._padding)]

    def _check_order(self, label_rows: list[npt.NDArray[np.integer]], n_predictions: int) -> None:
        """Check that predictions match the evaluation set, ignoring repeats at the end."""
        labels = [self._trimmed(row) for row in label_rows]
        n_samples = len(self._sources)
        repeated = all(row == labels[place % n_samples] for place, row in enumerate(labels))
        if n_predictions < n_samples or len(labels) != n_predictions or not repeated:
            raise InputError(
                f"{_MODULE}: the Trainer passed {count(n_predictions, 'prediction')}, but this function's evaluation "
                f"set has {count(n_samples, 'sample')}; for another set, as in trainer.predict(...), set "
                "trainer.compute_metrics to one made for it"
            )
        for place, expected in enumerate(self._labels or ()):
            if labels[place] != expected:
                raise InputError(
                    f"{_MODULE}: the labels of prediction {place} differ from those of sample {place} in the "
                    "evaluation set; evaluate the same set in the same order (without "
                    'train_sampling_strategy="group_by_length"), or, if the collator changes labels, give a tuple of '
                    "sources and values instead of the set"
                )

    def close(self) -> None:
        """Release a loaded model; it is loaded again when needed."""
        self._session.close()


def make_compute_metrics(
    tokenizer: Any,
    eval_dataset: Any,
    *,
    metrics: Any = ("bur", "uer"),
    sources_column: str = "sources",
    values_column: str = "values",
    extra: ExtraMetrics | None = None,
    **settings: Any,
) -> ComputeMetrics:
    """Return a Seq2SeqTrainer's `compute_metrics` that logs ``eval_bur`` and others.

    Give the Trainer ``predict_with_generate=True``. To keep the fairest checkpoint set ``metric_for_best_model="uer"``
    and ``greater_is_better=False``. A summary that is empty or shares nothing with its sources counts as unfair to
    every value, and in ``eval_n_unmatched``; where all are, the scores are NaN, and the checkpoint is not chosen. Other
    warnings are given once, as a `ScoreWarning`.

    Args:
        tokenizer: tokenizer of the model.
        eval_dataset: Trainer's evaluation set, with columns for sources and values in addition to the model's; the
            Trainer drops what the model does not take. If it has ``labels``, order is checked by them. Or a tuple of
            two columns: sources and values.
        metrics: measures of summaries: names, such as ``"bur"`` or ``"equal_coverage"``, or with settings, such as
            ``BUR(tau=0.9)``; or a mapping of label -> one of these. A model is loaded once, at the first evaluation.
        sources_column: column with the source texts of each sample.
        values_column: column with the value of each source text.
        extra: function of summaries and references that returns more scores to log.
        **settings: refused, with the line to write instead.

    Returns:
        The function for the Trainer.

    Raises:
        InputError: An option or the evaluation set is not as described.
    """
    refuse_settings(_MODULE, asked_measures(_MODULE, metrics, summary_measures()), settings)
    session = open_session(_MODULE, metrics)
    labels = None
    if isinstance(eval_dataset, tuple) and len(eval_dataset) == 2:
        sources, values = eval_dataset
    elif isinstance(eval_dataset, Mapping):
        raise InputError(
            f"{_MODULE}: only one evaluation set is supported, because the Trainer does not name the current one; "
            f"found {', '.join(map(str, eval_dataset))}"
        )
    else:
        sources, values = (_column(eval_dataset, name) for name in (sources_column, values_column))
        labels = _labels(eval_dataset)
    check_columns(_MODULE, sources=sources, values=values)
    return ComputeMetrics(tokenizer, sources, values, labels=labels, session=session, extra=extra)


def _token_rows(outputs: Any) -> list[npt.NDArray[np.integer]]:
    """Split one array, or one per batch (``eval_do_concat_batches=False``), into token ids."""
    rows: list[npt.NDArray[np.integer]] = []
    for batch in outputs if isinstance(outputs, list) else [outputs]:
        ids = np.asarray(batch[0] if isinstance(batch, tuple) else batch)  # other outputs of the model come after
        if ids.ndim != 2 or ids.dtype.kind not in "iu":
            raise InputError(
                f"{_MODULE}: expected generated tokens, found an array of {ids.dtype} of shape {ids.shape}, such as "
                "scores of tokens; use Seq2SeqTrainer with predict_with_generate=True in its Seq2SeqTrainingArguments"
            )
        rows.extend(ids)
    return rows


def _column(dataset: Any, name: str) -> list[Any]:
    """Return a column of a `datasets.Dataset`, or of rows that are mappings."""
    names = getattr(dataset, "column_names", None)
    if names is not None:
        if name in names:
            return list(dataset.with_format(None)[name])
    elif hasattr(dataset, "__len__") and all(isinstance(row, Mapping) for row in dataset):
        names = list(dataset[0]) if len(dataset) else []
        if name in names:
            return [row[name] for row in dataset]
    else:
        raise InputError(
            f"{_MODULE}: eval_dataset must be a data set with rows that are mappings, or a tuple of sources and "
            f"values, found {describe(dataset)}"
        )
    raise InputError(
        f"{_MODULE}: the evaluation set has no column {name!r}, found {', '.join(names) or 'none'}; name the right one "
        "with sources_column or values_column"
    )


def _labels(dataset: Any) -> list[Sequence[int]] | None:
    """Return the references' token ids, if the data set has them."""
    try:
        labels = _column(dataset, "labels")
    except InputError:
        return None
    are_ids = (isinstance(row, (Sequence, np.ndarray)) and np.asarray(row).dtype.kind in "iu" for row in labels)
    return labels if all(are_ids) else None


def open_session(module: str, metrics: Any, *, evidence: bool = False) -> Session:
    """Make a session for summaries; a model is loaded once.

    A summary that is empty or shares nothing with its sources counts as unfair to every value, unless the measures say
    otherwise: a model that says nothing must not win.

    Example:
        >>> from fairsum_utils.measures.uer import UER
        >>> session = open_session("example", [UER(target="equal")])
        >>> columns = {"predictions": ["Tasty."], "sources": [["Tasty.", "Awful."]], "values": [["pos", "neg"]]}
        >>> session.score(columns)["uer"]["uer"]
        0.25
    """
    asked = asked_measures(module, metrics, summary_measures())
    unfair = {"empty": "uniform", "unmatched": "unfair"}
    requests = [
        Request(each.completed(**(unfair if "unmatched" in each.infos() else {})), label, each.given())
        for label, each in asked.items()
    ]
    return Session(requests, module=module, evidence=evidence)


def score_and_warn(session: Session, columns: Mapping[str, Any], known: set[str]) -> dict[str, float]:
    """Score for a log; issue each warning code once, tracked in `known`."""
    results = session.score(columns)
    known |= warn(results, known=known)
    return flat(results)


def flat(results: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """Turn results into numbers by name, for the log of a Trainer.

    These are ``<name>``, ``<name>_by_value/<value>`` and, if requested, ``<name>_at_random`` of each measure; and the
    largest ``n_skipped`` (samples without a score) and ``n_unmatched`` (empty or unrelated summaries) of all measures.
    A measure is NaN if all summaries are unmatched, so that no checkpoint is chosen for saying nothing.

    Example:
        >>> uer = {"uer": 0.25, "uer_by_value": {"pos": 0.5}, "n_samples": 2, "n_skipped": 0, "n_unmatched": 1}
        >>> flat({"uer": uer})
        {'uer': 0.25, 'uer_by_value/pos': 0.5, 'n_skipped': 0, 'n_unmatched': 1}
        >>> flat({"uer": uer | {"n_unmatched": 2}})["uer"]
        nan
    """
    numbers: dict[str, float] = {}
    for name, result in results.items():
        numbers[name] = math.nan if result.get("n_unmatched") == result["n_samples"] else result[name]
        if f"{name}_at_random" in result:
            numbers[f"{name}_at_random"] = result[f"{name}_at_random"]
        numbers |= {f"{name}_by_value/{value}": score for value, score in result[f"{name}_by_value"].items()}
    for name in ("n_skipped", "n_unmatched"):
        counts = [result[name] for result in results.values() if name in result]
        numbers |= {name: max(counts)} if counts else {}
    return numbers
