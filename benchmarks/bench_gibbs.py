"""Gibbs sampling by a masked model: batches against a loop over prompts.

    python benchmarks/bench_gibbs.py --size base --threads 1 [--output results.json]

Prompts are made up, of six to nine words as BOLD's. The model is a BERT with random weights and BERT's vocabulary of
28,996, made here: what a forward pass costs does not depend on what was learned. The loop is the published procedure
written from its description: one sentence, no padding, torch's own draws.

Checked besides: the library's texts are equal in batches and one by one. With fewer than 500 iterations less has
settled, so that the library's speed is understated. On a machine that is shared, `--clock cpu --threads 1` counts this
process's processor time.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from harness import CLOCKS, finish, make_parser, timed

from fairsum_utils.generation import MaskedGenerator, from_preset, generate
from fairsum_utils.inference import InferenceSettings

# Layers and width; heads are 64 wide.
SIZES = {"tiny": (2, 128), "base": (12, 768), "large": (24, 1024)}
VOCABULARY = 28_996
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def made_up_words() -> list[str]:
    """Make words to fill the vocabulary."""
    draw, words = random.Random(0), dict[str, None]()
    while len(words) < VOCABULARY - len(SPECIAL):
        words["".join(draw.choices("etaoinshrdlu", k=draw.randint(2, 9)))] = None
    return list(words)


def make_model(folder: Path, size: str, words: list[str]) -> Path:
    """Save a BERT of a size and a tokenizer of the words."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

    backend = Tokenizer(
        models.WordPiece({word: place for place, word in enumerate([*SPECIAL, *words])}, unk_token="[UNK]")
    )
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.WordPiece()
    backend.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=backend, model_max_length=512, **dict(zip(names, SPECIAL, strict=True))
    ).save_pretrained(folder)
    layers, width = SIZES[size]
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=VOCABULARY,
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=width // 64,
        intermediate_size=4 * width,
        initializer_range=0.1,  # answers that differ from place to place
    )
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    return folder


def loop(generator: MaskedGenerator, prompts: list[str]) -> None:
    """Run the published procedure, sentence by sentence."""
    import torch

    settings, loaded = generator.settings, generator._loaded
    tokenizer, n = loaded.tokenizer, settings.max_new_tokens
    for prompt in prompts:
        *seed, end = tokenizer(prompt)["input_ids"]
        tokens = torch.tensor([[*seed, *[tokenizer.mask_token_id] * n, end]], device=loaded.device)
        for step in range(settings.iterations):
            place = len(seed) + random.randrange(n)
            tokens[0, place] = tokenizer.mask_token_id
            with torch.inference_mode():
                scores = loaded.model(tokens).logits[0, place]
            if step < settings.burn_in:
                tokens[0, place] = torch.distributions.Categorical(logits=scores / settings.temperature).sample()
            else:
                tokens[0, place] = scores.argmax()


def measure(folder: Path, prompts: list[str], chosen: argparse.Namespace) -> dict[str, Any]:
    """Measure texts per hour for each way at the paper's number of iterations."""

    clock = CLOCKS[chosen.clock]

    def made(batch_tokens: int | None) -> MaskedGenerator:
        settings = from_preset("bert", iterations=chosen.iterations, burn_in=round(0.4 * chosen.iterations))
        return MaskedGenerator(
            folder, settings, inference=InferenceSettings(device=chosen.device, batch_tokens=batch_tokens)
        )

    shared = made(None)
    share = from_preset("bert").iterations / chosen.iterations
    loop(made(None), prompts[:1])  # warm-up
    seconds: dict[str, float] = {}
    texts: dict[str, Any] = {}
    for name, generator in {"batches": shared, "one by one": made(1)}.items():
        seconds[name], texts[name] = timed(partial(generate, prompts, generator), clock)
    seconds["loop"], _ = timed(lambda: loop(shared, prompts), clock)
    return {
        "prompts": len(prompts),
        "iterations": chosen.iterations,
        "device": str(shared._loaded.device),
        "ways": {
            name: {
                "texts_per_hour": 3600 * len(prompts) / each / share,
                "batches_are_times_faster": each / seconds["batches"],
            }
            for name, each in seconds.items()
        },
        "equal": texts["batches"] == texts["one by one"],
    }


def main(arguments: list[str] | None = None) -> None:
    """Measure, print, write."""
    parser = make_parser(__doc__)
    parser.add_argument("--size", nargs="+", choices=SIZES, default=["base"], help="of the model")
    parser.add_argument("--prompts", type=int, default=32)
    parser.add_argument("--iterations", type=int, default=10, help="of 500; two in five draw (default: 10)")
    parser.add_argument("--threads", type=int, help="of the processor; default: PyTorch's choice")
    parser.add_argument("--device", help="default: the best there is")
    parser.add_argument("--clock", choices=CLOCKS, default="wall", help="what seconds are counted (default: wall)")
    chosen = parser.parse_args(arguments)
    import torch

    if chosen.threads:
        torch.set_num_threads(chosen.threads)
    words, draw = made_up_words(), random.Random(1)
    prompts = [" ".join(draw.choices(words, k=draw.randint(6, 9))) for _ in range(chosen.prompts)]
    report: dict[str, Any] = {"threads": torch.get_num_threads(), "sizes": {}}
    with tempfile.TemporaryDirectory() as folder:
        for size in chosen.size:
            report["sizes"][size] = measure(make_model(Path(folder, size), size, words), prompts, chosen)
    finish(report, chosen.output)


if __name__ == "__main__":
    main()
