"""Neural matchers: BERTScore and BARTScore of a summary and a group's sources."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError, require
from fairsum_utils.inference import InferenceSettings
from fairsum_utils.inference.batching import FIRST, SECOND, Batch, Encodings, Key, encode_sides
from fairsum_utils.inference.runner import Outcome
from fairsum_utils.inference.tasks import SequenceLikelihood, TokenEmbedder
from fairsum_utils.io.stores import is_folder
from fairsum_utils.measures._representation import RepresentationMeasure

BART_MODEL = "facebook/bart-large-cnn"
BERT_MODEL = "roberta-large"

# Tokens whose embeddings are held at a time: 256 MB of roberta-large in float32.
_BLOCK_TOKENS = 1 << 16

# Where the Hub now keeps the models that bert-score knows without an owner.
_OWNERS = ("FacebookAI", "albert", "distilbert", "google-bert", "xlnet")


class BERTScore(TokenEmbedder):
    """BERTScore precision of a summary given source texts.

    Inputs are pairs (texts, summary). No token frequencies; the special tokens at both ends of the summary weigh
    nothing; outer white space is dropped. A pair with a text of no token has precision 0, as in bert-score. A text is
    tokenized as the model's tokenizer is saved: bert-score asks RoBERTa's for a space in front, but transformers 5
    does not heed that any more.

    Attributes:
        baseline: baseline used to rescale scores, or None.

    Source: Zhang et al. 2024, section 3.2, Neural Matching; the formula: Zhang et al., 2020 (BERTScore), section 3.
    """

    task = "bertscore"

    def __init__(
        self,
        model: str | Path = BERT_MODEL,
        *,
        revision: str | None = None,
        num_layers: int | None = None,
        rescale: bool | None = None,
        settings: InferenceSettings | None = None,
        offline: str = "a lexical method",
    ) -> None:
        settings = settings or InferenceSettings()
        known = None
        if num_layers is None or rescale is not False:
            known = _known_name(model)
        if num_layers is None and known is not None:
            num_layers = _layers()[known]
        super().__init__(model, num_layers=num_layers, revision=revision, settings=settings, offline=offline)
        self.baseline = None if known is None or rescale is False else _baseline(known, self.num_layers)
        if rescale and self.baseline is None:
            raise InputError(
                f"{settings.module}: bert-score has no baseline for rescaling {str(model)!r}; choose rescale=False"
            )

    @property
    def signature(self) -> dict[str, object]:
        """Return the settings that change a score."""
        return {
            "model": self.name,
            "layers": self.num_layers,
            "rescale": "no" if self.baseline is None else self.baseline,
        }

    def run(self, keys: Sequence[Key]) -> Outcome:
        """Score pairs (texts, summary), rescaled if there is a baseline; see `Runner.run`."""
        outcome = super().run(keys)
        if self.baseline is None:
            return outcome
        return outcome._replace(values=(outcome.values - self.baseline) / (1 - self.baseline))

    def encode(self, keys: Sequence[Key]) -> Encodings:
        """Tokenize texts and summaries separately, truncated to the model's limit."""
        stripped = [tuple(text.strip() for text in key) for key in keys]
        return encode_sides(self.loaded.tokenizer, stripped, self.max_tokens)

    def run_encoded(
        self, encodings: Encodings, forward: Callable[[list[dict[str, list[int]]]], Any], progress: Any = None
    ) -> Iterator[tuple[Batch, Any]]:
        """Run pairs in blocks that embed each distinct text once."""
        for block in _blocks(encodings.inputs):
            yield block, forward([encodings.inputs[place] for place in block])
            if progress is not None:
                progress.update(len(block))

    def forward(self, inputs: Sequence[dict[str, list[int]]]) -> npt.NDArray[np.float32]:
        """Compute the precision before rescaling, shape (b, 1)."""
        torch = require("torch", extra="neural", purpose="run a model")
        tokenizer = self.loaded.tokenizer
        special = torch.tensor([i for i in (tokenizer.cls_token_id, tokenizer.sep_token_id) if i is not None])
        distinct = list(dict.fromkeys(tuple(ids) for entries in inputs for ids in entries.values()))
        normalized = {
            ids: torch.nn.functional.normalize(states.float(), dim=-1)
            for ids, states in zip(distinct, self.embed(list(map(list, distinct))), strict=True)
        }
        precision = []
        for entries in inputs:
            texts, summary = tuple(entries[FIRST]), tuple(entries[SECOND])
            counts = ~torch.isin(torch.tensor(summary), special)
            if len(texts) <= 2 or not counts.any():
                precision.append(torch.zeros((), device=self.loaded.device))
                continue
            own = normalized[summary][counts.to(self.loaded.device)]
            precision.append((own @ normalized[texts].T).amax(dim=1).mean())
        return np.asarray(torch.stack(precision).cpu().numpy()[:, None], dtype=np.float32)


def _blocks(inputs: Sequence[dict[str, list[int]]]) -> Iterator[Batch]:
    """Yield blocks of pairs with a bounded number of distinct texts."""
    by_summary: dict[tuple[int, ...], list[int]] = {}
    for place, entries in enumerate(inputs):
        by_summary.setdefault(tuple(entries[SECOND]), []).append(place)
    block: list[int] = []
    held: set[tuple[int, ...]] = set()
    n_tokens = 0
    for place in chain.from_iterable(by_summary.values()):
        texts = {tuple(ids) for ids in inputs[place].values()}
        if block and n_tokens + sum(map(len, texts - held)) > _BLOCK_TOKENS:
            yield np.array(block)
            block, held, n_tokens = [], set(), 0
        n_tokens += sum(map(len, texts - held))
        held |= texts
        block.append(place)
    if block:
        yield np.array(block)


@cache
def _layers() -> dict[str, int]:
    """Return the hidden layer that bert-score uses for each model."""
    package = require("bert_score.utils", extra="neural", purpose="look up a model's hidden layer and baseline")
    return dict(package.model2layers)


def _known_name(model: str | Path) -> str | None:
    """Return the name of a model in bert-score's tables, or None."""
    place = Path(model)
    by_name = is_folder(place) or (len(place.parts) == 2 and place.parts[0] in _OWNERS)
    return next((name for name in (str(model), *([place.name] if by_name else [])) if name in _layers()), None)


def _baseline(known: str, num_layers: int) -> float | None:
    """Return bert-score's English baseline for a model, or None."""
    package = require("bert_score", extra="neural", purpose="look up a model's baseline")
    assert package.__file__ is not None
    path = Path(package.__file__).parent / "rescale_baseline" / "en" / f"{known}.tsv"
    if not path.is_file():
        return None
    with path.open(encoding="utf-8", newline="") as file:
        return {int(row["LAYER"]): float(row["P"]) for row in csv.DictReader(file)}[num_layers]


class BARTScore(SequenceLikelihood):
    """Mean log-likelihood of the summary's tokens given the source texts.

    Source: Zhang et al. 2024, section 3.2, Neural Matching.
    """

    @property
    def signature(self) -> dict[str, object]:
        """Return the settings that change a score."""
        return {"model": self.name}


def load_matcher(settings: RepresentationMeasure) -> BERTScore | BARTScore:
    """Load the model of a neural matcher."""
    options: dict[str, Any] = {"revision": settings.revision, "settings": settings, "offline": 'matcher="ngram"'}
    if settings.matcher == "bartscore":
        return BARTScore(settings.model or BART_MODEL, **options)
    layers: dict[str, Any] = {"num_layers": settings.num_layers, "rescale": settings.rescale}
    return BERTScore(settings.model or BERT_MODEL, **layers, **options)
