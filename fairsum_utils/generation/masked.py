"""Continuations from masked models by Gibbs sampling (papers/bold, section 5.1)."""

from __future__ import annotations

import secrets
from collections.abc import Generator, Sequence
from pathlib import Path

from fairsum_utils.errors import InputError
from fairsum_utils.generation.generators import Generated, added_text, too_long
from fairsum_utils.generation.settings import MASKED, GenerationSettings
from fairsum_utils.inference.gibbs import BATCH_TOKENS, GibbsSampler, GibbsSampling
from fairsum_utils.inference.models import KINDS, LoadedModel, load_model
from fairsum_utils.inference.settings import InferenceSettings


class MaskedGenerator:
    """A masked model of transformers that continues prompts; needs the extra ``neural``.

    A prompt is followed by `max_new_tokens` masks and what ends an input of the model. In each of `iterations` steps
    one of these places, drawn at random, is masked and filled in by what the model says of it: in the first `burn_in`
    steps drawn at the temperature, then the likeliest token, or one of the likeliest `top_k`. Every text has that many
    tokens, of which those that the model uses besides words are left out; it ends where they do (``"length"``).

    Texts do not depend on batches: a choice that lies so close that rounding could turn it is made again without the
    rest of the batch. That holds as long as batches move scores by less than 256 units in the last place of the
    largest; in float32, in which the model runs on every device, random weights of BERT's size move them by 5. Devices
    of another kind round differently, and may choose differently where two tokens are as good as equal.

    A prompt that is too long loses its beginning, but for the token that opens every input; what was cut is counted.

    Args:
        model: id on the Hub, or a folder; loaded at once.
        settings: Generation settings with `iterations`, such as `from_preset("bert")`.
        revision: branch, tag or commit on the Hub.
        inference: device, dtype, batch_tokens and on_truncate are used.

    Raises:
        InputError: the model cannot be had, is not of this kind or has no room for `max_new_tokens`; another dtype than
            float32; settings without iterations.

    Source: papers/bold, section 5.1 and appendix A.2.1; see `fairsum_utils.inference.gibbs.GibbsSampler`.
    """

    def __init__(
        self,
        model: str | Path,
        settings: GenerationSettings,
        *,
        revision: str | None = None,
        inference: InferenceSettings | None = None,
    ) -> None:
        if settings.iterations is None:
            raise InputError(f"{settings.module}: a masked model needs iterations; choose the preset {MASKED}")
        assert settings.max_new_tokens is not None
        assert settings.temperature is not None
        self.settings = settings
        self._seed = secrets.randbits(32) if settings.seed is None else settings.seed
        self._inference = _in_float32(inference or InferenceSettings(module=settings.module))
        self._loaded = self._load(model, revision)
        self._check_room()
        self._sampler = GibbsSampler(
            self._loaded,
            GibbsSampling(
                settings.max_new_tokens, settings.iterations, settings.burn_in, settings.temperature, settings.top_k
            ),
            seed=self._seed,
            batch_tokens=self._inference.batch_tokens or BATCH_TOKENS,
            module=settings.module,
        )

    def _load(self, model: str | Path, revision: str | None) -> LoadedModel:
        """Load the model; refuse one of another kind."""
        unfit = InputError(
            f"{self.settings.module}: the preset {MASKED!r} needs a masked model such as BERT, but {str(model)!r} is "
            "not one; choose another preset"
        )
        try:
            loaded = load_model(
                "masked", model, revision=revision, settings=self._inference, offline="an endpoint (--url)"
            )
        except InputError as error:
            raise (unfit if KINDS["masked"] in str(error) else error) from error.__cause__
        if loaded.tokenizer.mask_token_id is None or loaded.model.config.is_encoder_decoder:
            raise unfit
        return loaded

    def _check_room(self) -> None:
        """Refuse a model that has no room for the new tokens."""
        module, loaded, n_new = self.settings.module, self._loaded, self.settings.max_new_tokens or 0
        if loaded.max_tokens is not None and n_new + 2 + len(self._encode("")[1]) > loaded.max_tokens:
            raise InputError(
                f"{module}: {loaded.name} reads {loaded.max_tokens} tokens, too few for a prompt and "
                f"max_new_tokens={n_new}; lower max_new_tokens"
            )

    def identity(self) -> dict[str, object]:
        """Return the weights and the settings."""
        return self.settings.identity(self._loaded.name, self._seed, chat=self.settings.chat)

    def write(self, prompts: Sequence[str], draws: Sequence[int]) -> Generator[tuple[int, Generated]]:
        """Generate batch by batch, prompts of like length together."""
        inputs, cuts = [], []
        for prompt in prompts:
            before, after = self._encode(prompt)
            kept = self._cut(before, len(after))
            inputs.append((kept, after))
            cuts.append(len(before) - len(kept))
            if cuts[-1] and self._inference.on_truncate == "error":
                raise too_long(
                    self.settings.module, self._loaded, prompt, cuts[-1], options="a smaller max_new_tokens, "
                )
        names = [f"{prompt}\n{draw}" for prompt, draw in zip(prompts, draws, strict=True)]
        for place, tokens in self._sampler.run(inputs, names):
            yield place, Generated(added_text(self._decode, inputs[place][0], tokens), "length", cuts[place])

    def _encode(self, prompt: str) -> tuple[list[int], list[int]]:
        """Return the tokens before the text, and the end token."""
        tokenizer = self._loaded.tokenizer
        tokens = list(tokenizer(prompt.rstrip())["input_ids"])
        has_end = len(tokens) > 1 and tokens[-1] == tokenizer.sep_token_id
        return (tokens[:-1], tokens[-1:]) if has_end else (tokens, [])

    def _cut(self, tokens: list[int], n_after: int) -> list[int]:
        limit = self._loaded.max_tokens
        assert self.settings.max_new_tokens is not None
        room = len(tokens) if limit is None else limit - self.settings.max_new_tokens - n_after
        return tokens if len(tokens) <= room else [tokens[0], *tokens[len(tokens) - room + 1 :]]

    def _decode(self, tokens: list[int]) -> str:
        tokenizer = self._loaded.tokenizer
        # BERT's cuts "don't" in three, and writes the blanks unless it is asked not to; others write what they read.
        cuts = type(getattr(getattr(tokenizer, "backend_tokenizer", None), "model", None)).__name__ == "WordPiece"
        options = {"clean_up_tokenization_spaces": True} if cuts else {}
        return str(tokenizer.decode(tokens, skip_special_tokens=True, **options))


def _in_float32(inference: InferenceSettings) -> InferenceSettings:
    if inference.dtype not in ("auto", "float32"):
        raise InputError(
            f"{inference.module}: a masked model needs float32, because with lower precision a text would depend on "
            f"its batch; omit dtype {inference.dtype!r}"
        )
    return inference.replace(dtype="float32")
