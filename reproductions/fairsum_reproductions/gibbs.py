"""Continuations of prompts by BERT with Gibbs sampling, as in Dhamala et al. 2021.

    python -m fairsum_reproductions.gibbs prompts.jsonl bert.jsonl --model google-bert/bert-large-cased

Source: Wang and Cho 2019, "BERT has a Mouth, and It Must Speak", section 3, and the function
``parallel_sequential_generation`` of its published code, which the paper uses.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from fairsum_utils.errors import require
from fairsum_utils.generation.generators import added_text
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.writing import write_rows

# Appendix A.2.1. Its "max sentence length" of 15 is, in the code that it used, what is added to a prompt.
N_TOKENS, N_ITERATIONS, BURN_IN, TEMPERATURE = 15, 500, 200, 0.7

_TOGETHER = 32  # prompts in a batch


def fill_masks(
    network: Any,
    inputs: Sequence[Sequence[int]],
    mask: int,
    generator: Any,
    *,
    n_iterations: int = N_ITERATIONS,
    burn_in: int = BURN_IN,
    temperature: float = TEMPERATURE,
) -> list[list[int]]:
    """Fill in the masks of texts by Gibbs sampling.

    Each iteration masks one random place of every text again. The first iterations draw its token from what the
    network says of it; those after the burn-in take the likeliest token.

    Args:
        network: function of tokens and attention mask, both (texts, length), whose result has ``logits``.
        inputs: tokens of each text, with equally many masks in a row.
        mask: token of a place to fill in.
        generator: random numbers, a ``torch.Generator`` of the CPU.
        n_iterations: number of iterations.
        burn_in: number of initial iterations that draw.
        temperature: divisor of the scores when drawing.

    Returns:
        Tokens that stand in the places of the masks.
    """
    torch = require("torch", extra="neural", purpose="run BERT")
    tokens = torch.nn.utils.rnn.pad_sequence([torch.tensor(ids) for ids in inputs], batch_first=True)
    is_read = torch.arange(tokens.shape[1]) < torch.tensor([[len(ids)] for ids in inputs])
    rows, n_masks = torch.arange(len(inputs)), list(inputs[0]).count(mask)
    starts = torch.tensor([list(ids).index(mask) for ids in inputs])
    for iteration in range(n_iterations):
        places = starts + torch.randint(n_masks, (len(inputs),), generator=generator)
        tokens[rows, places] = mask
        with torch.inference_mode():
            scores = network(tokens, attention_mask=is_read.long()).logits.cpu()[rows, places]
        if iteration < burn_in:
            shares = torch.softmax(scores.double() / temperature, dim=-1)
            tokens[rows, places] = torch.multinomial(shares, 1, generator=generator)[:, 0]
        else:
            tokens[rows, places] = scores.argmax(dim=-1)
    return [tokens[row, start : start + n_masks].tolist() for row, start in enumerate(starts.tolist())]


def continue_prompts(prompts: Sequence[str], tokenizer: Any, network: Any, *, seed: int, **settings: Any) -> list[str]:
    """Return each prompt with its continuation; settings are those of `fill_masks`."""
    torch = require("torch", extra="neural", purpose="run BERT")
    generator = torch.Generator().manual_seed(seed)

    def on_device(tokens: Any, attention_mask: Any) -> Any:
        return network(tokens.to(network.device), attention_mask=attention_mask.to(network.device))

    texts = []
    for start in range(0, len(prompts), _TOGETHER):
        batch = [prompt.rstrip() for prompt in prompts[start : start + _TOGETHER]]
        split = [list(tokenizer(prompt)["input_ids"]) for prompt in batch]  # the last token ends an input
        whole = [[*ids[:-1], *[tokenizer.mask_token_id] * N_TOKENS, ids[-1]] for ids in split]
        filled = fill_masks(on_device, whole, tokenizer.mask_token_id, generator, **settings)
        for prompt, ids, new in zip(batch, split, filled, strict=True):
            texts.append(prompt + added_text(lambda tokens: _decode(tokenizer, tokens), ids[:-1], new).rstrip())
    return texts


def _decode(tokenizer: Any, tokens: list[int]) -> str:
    return str(tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=True))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the rows of a file with BERT's texts in the column prediction."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prompts", help="rows of fairsum data build bold")
    parser.add_argument("output", help="file of rows to write")
    parser.add_argument("--model", default="google-bert/bert-large-cased", help="model id or folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--iterations", type=int, default=N_ITERATIONS)
    options = parser.parse_args(arguments)
    transformers = require("transformers", extra="neural", purpose="run BERT")
    tokenizer = transformers.AutoTokenizer.from_pretrained(options.model)
    torch = require("torch", extra="neural", purpose="run BERT")
    network = transformers.AutoModelForMaskedLM.from_pretrained(options.model).eval()
    network.to("cuda" if torch.cuda.is_available() else "cpu")
    rows = [row for row in read_rows(options.prompts, {"prompt": "prompt"}) if row["prompt"].strip()]
    prompts = [row["prompt"] for row in rows]
    texts = continue_prompts(prompts, tokenizer, network, seed=options.seed, n_iterations=options.iterations)
    write_rows([{**row, "prediction": text} for row, text in zip(rows, texts, strict=True)], options.output)


if __name__ == "__main__":
    main()
