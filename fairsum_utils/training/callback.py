"""Trainer callback that logs fairness at each evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from fairsum_utils.errors import InputError, require
from fairsum_utils.families import summary_measures
from fairsum_utils.families.asked import asked_measures, refuse_settings
from fairsum_utils.inference.decoding import BATCH_TOKENS, decoding_options, write_texts
from fairsum_utils.inference.models import LoadedModel, model_limit
from fairsum_utils.training.metrics import open_session, score_and_warn
from fairsum_utils.validation import check_columns, check_count, describe

_MODULE = "fairness_callback"
_PURPOSE = "watch a Trainer"


def fairness_callback(
    trainer: Any,
    prompts: Sequence[Any],
    sources: Sequence[Sequence[str]],
    values: Sequence[Sequence[str]],
    *,
    metrics: Any = ("bur", "uer"),
    max_new_tokens: int = 128,
    prefix: str = "fairness",
    **settings: Any,
) -> Any:
    """Return a `TrainerCallback` that logs fairness, also by group.

    At each evaluation the model writes its likeliest summary of each prompt, and ``fairness/bur``,
    ``fairness/bur_by_value/<value>`` and so on are logged as the Trainer logs its own numbers. It works with every
    Trainer of transformers and TRL, for causal and for sequence-to-sequence models::

        trainer.add_callback(fairness_callback(trainer, prompts, sources, values))

    Several devices share the prompts; all of them score, and reporters write on the main one, as always.

    Args:
        trainer: Trainer with a tokenizer as its processing_class.
        prompts: model inputs, a few; texts, or lists of messages, which go through the chat template. Those
            that are longer than the model reads are cut as its tokenizer cuts.
        sources: the source texts of each prompt.
        values: the value of each source text.
        metrics: measures of summaries: names, such as ``"bur"`` or ``"equal_coverage"``, or with settings, such as
            ``BUR(tau=0.9)``; or a mapping of label -> one of these. A model is loaded once, at the first evaluation.
        max_new_tokens: maximum length of a summary in tokens.
        prefix: prefix of the logged names.
        **settings: refused, with the line to write instead.

    Raises:
        InputError: an argument is not as described, or the weights of the model are spread over devices (FSDP,
            DeepSpeed ZeRO 3), so that no device can generate by itself.
    """
    refuse_settings(_MODULE, asked_measures(_MODULE, metrics, summary_measures()), settings)
    return _callback_class()(_Probe(trainer, prompts, sources, values, metrics, max_new_tokens, prefix))


@cache
def _callback_class() -> Any:
    """Create the class on first use; importing transformers takes seconds."""
    transformers = require("transformers", extra="train", purpose=_PURPOSE)

    class FairnessCallback(transformers.TrainerCallback):  # type: ignore[misc, name-defined]
        """See `fairness_callback`."""

        def __init__(self, probe: _Probe) -> None:
            self.probe = probe

        def on_evaluate(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            """Generate, score and log, once a step."""
            self.probe.log(state.global_step)

    return FairnessCallback


class _Probe:
    """Prompts, a scoring session and the Trainer under test."""

    def __init__(
        self,
        trainer: Any,
        prompts: Sequence[Any],
        sources: Sequence[Sequence[str]],
        values: Sequence[Sequence[str]],
        metrics: Any,
        max_new_tokens: int,
        prefix: str,
    ) -> None:
        check_columns(_MODULE, prompts=prompts, sources=sources, values=values)
        self._session = open_session(_MODULE, metrics)
        self._trainer = trainer
        self._columns = {"sources": sources, "values": values}
        self._max_new_tokens = check_count(_MODULE, "max_new_tokens", max_new_tokens)
        self._prefix = prefix
        self._step: int | None = None
        self._known: set[str] = set()
        if trainer.processing_class is None:
            raise InputError(f"{_MODULE}: the trainer has no processing_class; set it to the tokenizer")
        deepspeed = require("transformers.integrations.deepspeed", extra="train", purpose=_PURPOSE)
        if trainer.is_fsdp_enabled or deepspeed.is_deepspeed_zero3_enabled():
            raise InputError(
                f"{_MODULE}: the model's weights are split among devices, and no device can generate alone; use "
                "Seq2SeqTrainer with make_compute_metrics, or score checkpoints with fairsum generate and fairsum "
                "score"
            )
        self._inputs = [self._encoded(place, prompt) for place, prompt in enumerate(prompts)]

    def _encoded(self, place: int, prompt: object) -> list[int]:
        """Return the tokens of a prompt, no more than the model reads."""
        tokenizer, model = self._trainer.processing_class, self._trainer.model
        limit = model_limit(tokenizer, model)
        if limit is not None and not model.config.is_encoder_decoder:
            limit -= self._max_new_tokens
            if limit < 1:
                raise InputError(
                    f"{_MODULE}: max_new_tokens={self._max_new_tokens} leaves no room for a prompt; lower it"
                )
        options = {"truncation": limit is not None, "max_length": limit}
        if isinstance(prompt, list):  # the template holds the special tokens
            text = tokenizer.apply_chat_template(prompt, tokenize=False, add_generation_prompt=True)
            tokens = list(tokenizer(text, add_special_tokens=False, **options)["input_ids"])
        elif isinstance(prompt, str):
            tokens = list(tokenizer(prompt, **options)["input_ids"])
            # A token that ends texts would end the prompt before it is continued.
            if not model.config.is_encoder_decoder and len(tokens) > 1 and tokens[-1] == tokenizer.eos_token_id:
                del tokens[-1]
        else:
            raise InputError(
                f"{_MODULE}: prompt {place} must be a text or a list of messages, found {describe(prompt)}"
            )
        if not tokens:
            raise InputError(f"{_MODULE}: prompt {place} is empty; remove it")
        return tokens

    def log(self, step: int) -> None:
        """Score and log once per step, even with several evaluation sets."""
        if step == self._step:
            return
        self._step = step
        numbers = score_and_warn(self._session, {"predictions": self._summaries(), **self._columns}, self._known)
        self._trainer.log({f"{self._prefix}/{name}": number for name, number in numbers.items()})

    def _summaries(self) -> list[str]:
        """Summarize all prompts, shared among devices."""
        gather = require("accelerate.utils", extra="train", purpose=_PURPOSE).gather_object
        model = self._trainer.model
        is_training = model.training
        model.eval()
        try:
            with self._trainer.accelerator.split_between_processes(self._inputs) as share:
                return list(gather(self._written(list(share))))
        finally:
            model.train(is_training)

    def _written(self, inputs: list[list[int]]) -> list[str]:
        model, tokenizer = self._trainer.model, self._trainer.processing_class
        loaded = LoadedModel("the model in training", tokenizer, model, model.device, str(model.dtype), None)
        texts = dict(
            write_texts(
                loaded,
                inputs,
                max_new_tokens=self._max_new_tokens,
                batch_tokens=BATCH_TOKENS,
                module=_MODULE,
                **decoding_options(model),
            )
        )
        written = [texts[place].tokens for place in range(len(inputs))]
        return [text.strip() for text in tokenizer.batch_decode(written, skip_special_tokens=True)]
