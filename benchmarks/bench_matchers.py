"""Samples per second of the neural matchers, against scoring sample by sample.

    python benchmarks/bench_matchers.py --data FILE.jsonl.gz --size small --threads 2 [--output results.json]

Baselines, with the same weights and tokenizer and tokenization included:

- `bertscore`: the package bert-score, whose scorer stays loaded and gets one sample at a time: the summary against the
  joined texts of each value.
- `bartscore`: the procedure of BARTScore's code, written from its description: the texts of a sample in batches of
  four, padded, the model's output through a softmax, and the mean over the tokens of the summary.

The library's time is that of `DistributionScorer` with nothing in its cache, source tokens included. Models have
random weights and are made here: what a forward pass costs does not depend on what was learned. Without `--data` the
samples are made up, see bench_nli. The rounds take turns and the best of each counts.
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from bench_ngram import joined_texts
from bench_nli import SIZES, VOCABULARY, made_up_rows, make_model
from harness import finish, make_parser, read_rows

from fairsum_utils.families.representation.scorer import DistributionScorer
from fairsum_utils.inference.runner import TruncationWarning
from fairsum_utils.measures.uer import UER

# Default batch of BARTScore's code.
LOOP_BATCH = 4

TOLERANCE = 1e-4

Row = dict[str, Any]
# Score of each group of each sample.
Scores = list[list[float]]


def make_models(folder: Path, size: str, rows: list[Row]) -> dict[str, Path]:
    """Make an encoder and an encoder-decoder with one tokenizer."""
    import torch
    import transformers

    texts = [text for row in rows for text in (*row["sources"], row["prediction"])]
    encoder = make_model(folder / "encoder", size, texts)
    layers, width = SIZES[size]
    sides = {"encoder": layers, "decoder": layers}
    torch.manual_seed(0)
    config = transformers.BartConfig(
        vocab_size=VOCABULARY,
        d_model=width,
        max_position_embeddings=512,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        **{f"{side}_layers": count for side, count in sides.items()},
        **{f"{side}_attention_heads": width // 64 for side in sides},
        **{f"{side}_ffn_dim": 4 * width for side in sides},
    )
    decoder = folder / "encoder-decoder"
    transformers.BartForConditionalGeneration(config).eval().save_pretrained(decoder)
    transformers.AutoTokenizer.from_pretrained(encoder).save_pretrained(decoder)
    return {"bertscore": encoder, "bartscore": decoder}


def package_scorer(folder: Path, size: str, device: str | None) -> Callable[[list[str], str], list[float]]:
    """Compute the package's precision of a summary against texts."""
    import bert_score

    # The package chooses a model's class by its name, of which a path is taken for a part: "/tmp/tmpat5x/" is a T5.
    with contextlib.chdir(folder.parent):
        scorer = bert_score.BERTScorer(model_type=folder.name, num_layers=SIZES[size][0], device=device)
    return lambda texts, summary: scorer.score([summary] * len(texts), texts)[0].tolist()


def loop_scorer(folder: Path, size: str, device: str | None) -> Callable[[list[str], str], list[float]]:
    """Compute the mean log-likelihood of a summary given texts, by batch."""
    import torch
    import transformers

    place = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval().to(place)
    loss = torch.nn.NLLLoss(reduction="none", ignore_index=tokenizer.pad_token_id)

    def tokens(texts: list[str]) -> Any:
        return tokenizer(texts, truncation=True, padding=True, return_tensors="pt").to(place)

    def score(texts: list[str], summary: str) -> list[float]:
        scores: list[float] = []
        for start in range(0, len(texts), LOOP_BATCH):
            source = tokens(texts[start : start + LOOP_BATCH])
            target = tokens([summary] * len(source["input_ids"]))
            labels = target["input_ids"]
            with torch.no_grad():
                output = model(input_ids=source["input_ids"], attention_mask=source["attention_mask"], labels=labels)
            likely = output.logits.log_softmax(dim=-1).view(-1, output.logits.shape[-1])
            lost = loss(likely, labels.view(-1)).view(labels.shape).sum(dim=1) / target["attention_mask"].sum(dim=1)
            scores += [-one.item() for one in lost]
        return scores

    return score


BASELINES = {"bertscore": ("package, sample by sample", package_scorer), "bartscore": ("plain loop", loop_scorer)}


def library_scorer(matcher: str, folder: Path, chosen: argparse.Namespace) -> DistributionScorer:
    """Make a scorer with a loaded model and no cache."""
    settings = UER(
        matcher=matcher,
        model=folder,
        cache="none",
        device=chosen.device,
        dtype="float32",
        batch_tokens=chosen.batch_tokens,
    )
    scorer = DistributionScorer(("uer",), settings)
    assert scorer.neural
    return scorer


def compare(matcher: str, rows: list[Row], folder: Path, size: str, chosen: argparse.Namespace) -> dict[str, Any]:
    """Best time of both on the same rows."""
    title, make_baseline = BASELINES[matcher]
    baseline = make_baseline(folder, size, chosen.device)
    baseline([*joined_texts(rows[0]).values()], rows[0]["prediction"])  # warm-up
    names = {"predictions": "prediction", "sources": "sources", "values": "values"}
    columns = {name: [row[key] for row in rows] for name, key in names.items()}
    times: dict[str, list[float]] = {"library": [], "baseline": []}
    for _ in range(chosen.repeats):
        scorer = library_scorer(matcher, folder, chosen)
        start = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TruncationWarning)
            found = list(scorer.rows(scorer.read(columns)))
        times["library"].append(time.perf_counter() - start)
        scorer.close()
        start = time.perf_counter()
        theirs: Scores = [baseline([*joined_texts(row).values()], row["prediction"]) for row in rows]
        times["baseline"].append(time.perf_counter() - start)
    ours = [row.scores for row in found]
    difference = max(float(np.abs(np.subtract(a, b)).max()) for a, b in zip(ours, theirs, strict=True))
    assert difference <= TOLERANCE, f"{matcher}: scores differ by {difference}"
    best = {name: min(seconds) for name, seconds in times.items()}
    return {
        "matcher": matcher,
        "baseline": title,
        "size": size,
        "samples": len(rows),
        "values": sum(map(len, theirs)),
        "samples_cut": sum(row.truncated > 0 for row in found),
        "library_per_second": len(rows) / best["library"],
        "baseline_per_second": len(rows) / best["baseline"],
        "ratio": best["baseline"] / best["library"],
        "largest_difference": difference,
    }


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, help=".jsonl.gz, each row with sources, values and prediction")
    parser.add_argument("--samples", type=int, default=60, help="rows (default: 60)")
    parser.add_argument("--size", nargs="+", choices=SIZES, default=["small"], help="of the models")
    parser.add_argument("--matcher", nargs="+", choices=BASELINES, default=[*BASELINES])
    parser.add_argument("--threads", type=int, help="of the processor; default: PyTorch's choice")
    parser.add_argument("--device", help="default: the best there is")
    parser.add_argument("--batch-tokens", type=int, help="of the library; default: its own choice")
    parser.add_argument("--repeats", type=int, default=3, help="rounds, of which the best counts (default: 3)")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    import torch

    chosen = parse_arguments(arguments)
    if chosen.threads:
        torch.set_num_threads(chosen.threads)
    if chosen.data:
        rows = read_rows(chosen.data, chosen.samples)
    else:
        rows = [row | {"values": [*"abca"] * 2} for row in made_up_rows(chosen.samples)]
    report: dict[str, Any] = {"threads": torch.get_num_threads(), "results": []}
    report["data"] = chosen.data.name if chosen.data else "made up"
    for size in chosen.size:
        with tempfile.TemporaryDirectory() as folder:
            models = make_models(Path(folder), size, rows)
            report["results"] += [compare(name, rows, models[name], size, chosen) for name in chosen.matcher]
    return finish(report, chosen.output, ("nltk", "torch", "transformers", "bert-score"))


if __name__ == "__main__":
    main()
