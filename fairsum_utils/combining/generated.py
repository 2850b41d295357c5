"""A metric for the evaluators of `evaluate`, which pass generated texts only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.combining.combination import Combination, combine
from fairsum_utils.errors import InputError
from fairsum_utils.validation import check_columns, describe

_MODULE = "OfGenerated"


class OfGenerated:
    """A metric of generated texts that knows the other columns of the data set that they were generated from.

    Give it to an `evaluate.evaluator` or to a task of an `evaluate.EvaluationSuite`, together with the same data::

        metric = OfGenerated(["bur", "uer"], data)
        evaluate.evaluator("text-generation").compute(model, data=data, input_column="prompt", metric=metric)

    Args:
        metric: a `Combination`, or what `combine` takes: names and modules.
        data: a `datasets.Dataset`, or a dict of columns.
        columns: which of its columns the metric gets; None for all that it takes.
        prompt: the column with the model's inputs.
        full_text: whether a causal model's texts begin with their prompts, as text generation has it by default; these
            are taken off. Summaries and translations never begin with them.

    Raises:
        InputError: a column that the data do not have or the metric does not take.

    Example:
        >>> data = {"prompt": ["Sum up: "], "sources": [["Tasty.", "Awful."]], "values": [["pos", "neg"]]}
        >>> OfGenerated(["uer"], data).compute(data=["Sum up: Tasty."])["uer"]
        0.25
    """

    def __init__(
        self,
        metric: Any,
        data: Any,
        columns: Sequence[str] | None = None,
        *,
        prompt: str = "prompt",
        full_text: bool = True,
    ) -> None:
        self.metric: Combination = metric if isinstance(metric, Combination) else combine(_listed(metric))
        there = list(data.column_names if hasattr(data, "column_names") else data)
        taken = [name for name in self.metric.columns if name != "predictions"]
        if columns is None:
            columns = [name for name in taken if name in there]
        for name in columns:
            if name not in there:
                raise InputError(f"{_MODULE}: the data have no column {name!r}; they have {', '.join(there)}")
            if name not in taken:
                raise InputError(f"{_MODULE}: the metric takes no column {name!r}; it takes {', '.join(taken)}")
        if full_text and prompt not in there:
            raise InputError(
                f"{_MODULE}: the data have no column {prompt!r} of prompts, which are taken off the texts; name it "
                "with prompt=, or give full_text=False if texts come without them"
            )
        self._columns = {name: list(data[name]) for name in columns}
        self._prompts = list(data[prompt]) if full_text else None

    def __repr__(self) -> str:
        return f"OfGenerated({self.metric!r}, columns={list(self._columns)})"

    def compute(
        self, data: Sequence[str] | None = None, *, predictions: Sequence[str] | None = None, **arguments: Any
    ) -> dict[str, Any]:
        """Score texts as an evaluator gives them.

        Args:
            data: texts as text generation gives them, with their prompts in front unless ``full_text=False``.
            predictions: texts as summarization and translation give them.
            **arguments: of `Combination.compute`. Columns that the evaluator gives, such as ``references``, count more
                than those of the data; those that the metric does not take are passed over.

        Returns:
            What `Combination.compute` returns.

        Raises:
            InputError: not one text for each sample of the data, or one that does not begin with its prompt.
        """
        if (data is None) == (predictions is None):
            raise InputError(f"{_MODULE}: give texts as data (with their prompts) or as predictions, one of the two")
        if predictions is None:
            assert data is not None
            predictions = self._without_prompts(list(data))
        references = arguments.pop("references", None)
        columns: dict[str, Any] = dict(self._columns)
        if references is not None and "references" in self.metric.columns:
            columns["references"] = references
        check_columns(_MODULE, predictions=predictions, **columns)
        return self.metric.compute(predictions=predictions, **columns, **arguments)

    def _without_prompts(self, texts: list[str]) -> list[str]:
        if self._prompts is None:
            return texts
        check_columns(_MODULE, texts=texts, prompts=self._prompts)
        for place, (text, prompt) in enumerate(zip(texts, self._prompts, strict=True)):
            if not text.startswith(prompt):
                raise InputError(
                    f"{_MODULE}: sample {place}: the text must begin with its prompt {describe(prompt)}, found "
                    f"{describe(text)}; give full_text=False if texts come without prompts (return_full_text=False of "
                    "the pipeline)"
                )
        return [text.removeprefix(prompt) for text, prompt in zip(texts, self._prompts, strict=True)]


def _listed(metric: Any) -> Any:
    """One name or module as a list of it."""
    return metric if isinstance(metric, (list, tuple, Mapping)) else [metric]
