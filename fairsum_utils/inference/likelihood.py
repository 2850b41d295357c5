"""Likelihood of a text given another, under an encoder-decoder model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import require
from fairsum_utils.inference.encoding import Encodings, Key
from fairsum_utils.inference.pairs import FIRST, SECOND, as_inputs, encode_sides
from fairsum_utils.inference.runner import Runner


class SequenceLikelihood(Runner):
    """Mean log-likelihood of the tokens of a target text given a source text; natural logarithm, at most 0.

    Inputs are pairs (source, target). The tokens of the target are the tokenizer's, special tokens included; each is
    predicted from the source and the tokens before it, the first one from the decoder's start token.

    Args:
        model: id on the Hub, or a folder, of an encoder-decoder model such as BART.
        revision: branch, tag or commit on the Hub.
        settings: how to run it.
        offline: what works without a model, for the message when this one cannot be had.

    Raises:
        InputError: the model cannot be had or is of another kind.

    Source: papers/fairsumm-v2, section 3.2, Neural Matching: BARTScore, with equal weights of all tokens.
    """

    task = "likelihood"
    kind = "seq2seq"

    def encode(self, keys: Sequence[Key]) -> Encodings:
        """Tokenize sources and targets, each by itself and no longer than the model reads."""
        return encode_sides(self.loaded.tokenizer, keys, self.loaded.max_tokens)

    def forward(self, inputs: Sequence[dict[str, list[int]]]) -> npt.NDArray[np.float32]:
        """Mean log-likelihoods, shape (b, 1)."""
        torch = require("torch", extra="neural", purpose="run a model")
        model, device = self.loaded.model, self.loaded.device
        targets = [torch.tensor(entries[SECOND], device=device) for entries in inputs]
        # What stands right of a target's end changes nothing before it, so that any padding does.
        padded = torch.nn.utils.rnn.pad_sequence(targets, batch_first=True)
        start = torch.full((len(targets), 1), model.config.decoder_start_token_id, device=device)
        logits = model(
            **self.pad(as_inputs(entries[FIRST] for entries in inputs)),
            decoder_input_ids=torch.cat([start, padded[:, :-1]], dim=1),
            use_cache=False,
        ).logits
        # Text by text: all logits of a batch in float32 would need more memory than the model.
        losses = [
            torch.nn.functional.cross_entropy(of_text[: len(target)].float(), target)
            for of_text, target in zip(logits, targets, strict=True)
        ]
        return np.asarray(-torch.stack(losses).cpu().numpy()[:, None], dtype=np.float32)
