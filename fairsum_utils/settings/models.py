"""Settings of running neural models, shared by every matcher, entailer and classifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from fairsum_utils.errors import InputError
from fairsum_utils.settings.base import Checked, Settings, setting
from fairsum_utils.settings.kinds import Count, Location, as_given
from fairsum_utils.settings.shared import TextSettings
from fairsum_utils.validation import check_choice, describe, is_function

Dtype = Literal["auto", "float32", "bfloat16", "float16"]
OnTruncate = Literal["warn", "error"]
DTYPES, ON_TRUNCATE = get_args(Dtype), get_args(OnTruncate)

NLI_MODEL = "FacebookAI/roberta-large-mnli"
"""Default entailment model.

Source: Li et al. 2025, section 3.
"""

SENTENCE_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
"""Default embedding model.

Source: Steen and Markert 2024, section 3.4.
"""


def check_model(module: str, name: str, model: object) -> str | Path:
    """Check the name of a model: a string or a path.

    Example:
        >>> check_model("toxicity", "model", "unitary/toxic-bert")
        'unitary/toxic-bert'
    """
    if not isinstance(model, (str, Path)):
        raise InputError(f"{module}: {name} must be a model id or a folder, found {describe(model)}")
    return model


ModelId = Annotated[str | Path, Checked(check_model)]
"""Id or folder of a model."""

LabelMap = Annotated[Mapping[str, str], Checked(as_given)]
"""Label of a model -> its meaning, see `check_labels`."""


def check_labels(module: str, labels: Any, known: Sequence[str]) -> dict[str, str]:
    """Check that ``label_map`` maps labels of a classifier to known meanings.

    Example:
        >>> check_labels("framing", {"LABEL_0": "negative"}, ("negative", "positive"))
        {'LABEL_0': 'negative'}
    """
    if not isinstance(labels, Mapping) or not labels or not all(isinstance(label, str) for label in labels):
        raise InputError(
            f"{module}: label_map must map labels of the model to {', '.join(known)}, such as "
            f"{{{known[0]!r}: {known[0]!r}}}, found {describe(labels)}"
        )
    return {label: check_choice(module, "the meanings in label_map", labels[label], known) for label in labels}


_ENDINGS = ("", "s", "ity", "ing", "ness", "_text")
_SHORTEST = 3
"""Letters of a meaning that its abbreviation has, such as NEG."""


def suggested_labels(labels: Iterable[str], known: Sequence[str]) -> dict[str, str]:
    """Pair labels of a model with meanings whose names agree.

    A wrong pair would invert a measure.

    Example:
        >>> suggested_labels(["NEG", "neutral", "nontoxic", "toxicity"], ["negative", "neutral", "toxic"])
        {'NEG': 'negative', 'neutral': 'neutral', 'toxicity': 'toxic'}
    """
    found = {}
    for label in labels:
        name = label.strip().lower().replace("-", "_").replace(" ", "_")
        for meaning in known:
            is_short = len(name) >= _SHORTEST and meaning.startswith(name)
            if is_short or name in (f"{meaning}{ending}" for ending in _ENDINGS):
                found[label] = meaning
                break
    return found


def label_hint(labels: Iterable[str], known: Sequence[str]) -> str:
    """Advise how to give a model's labels their meanings, without guessing."""
    advice = f"Give label_map the meaning of each label: {', '.join(known)}"
    if pairs := suggested_labels(labels, known):
        return f"{advice}; for example {pairs}"
    return f"{advice}; the model's documentation tells which is which"


def _check_device(module: str, name: str, device: object) -> str:
    if not isinstance(device, str):
        raise InputError(
            f'{module}: {name} must be a name such as "cpu" or "cuda:1", or None for the best available, found '
            f"{describe(device)}"
        )
    return device


class InferenceSettings(Settings):
    """Run options that affect results only numerically, except `dtype`.

    In float32, batches change a probability by at most about 1e-5. In bfloat16 and float16, which have 8 and 11
    significant bits, it is within about 0.02 and 0.002 of float32, unless the model is undecided between labels. A
    processor without arithmetic for them takes about 8 times as long as in float32.

    Attributes:
        distributed: share the work with the other processes of ``accelerate launch`` (on processors: ``torchrun``), all
            of which make the same calls. If one of them fails, all do; if one is killed, the launcher ends the others.

    Raises:
        InputError: invalid option.

    Example:
        >>> InferenceSettings(batch_tokens=8192).dtype
        'auto'
    """

    device: Annotated[str, Checked(_check_device)] | None = setting(
        None,
        "device for the model, such as cpu or cuda:1; None for the best available",
        shared=True,
    )
    dtype: Dtype = setting(
        "auto",
        "precision of the model's weights; auto: float32 on a CPU, else bfloat16 if the device supports it, else "
        "float16",
        shared=True,
    )
    batch_tokens: Count | None = setting(
        None,
        "maximum tokens in a batch, including padding; None for a value that suits the device",
        shared=True,
    )
    cache: Location | None = setting(
        "default",
        "folder for model outputs, which lets an interrupted run continue; default: $FAIRSUM_CACHE or the user's cache "
        "folder; none: in memory only",
        shared=True,
    )
    on_truncate: OnTruncate = setting(
        "warn",
        "action for a text too long for the model: warn and count it, or error",
        shared=True,
    )
    distributed: bool = False


def model_or_function(expected: str) -> Checked:
    """Annotate a model or a function; `expected` says so in an error."""

    def check(module: str, name: str, judge: Any) -> Any:
        if not isinstance(judge, (str, Path)) and not is_function(judge):
            raise InputError(f"{module}: {name} must be {expected}, found {describe(judge)}")
        return judge

    return Checked(check)


Entailer = Annotated[
    str | Path | Callable[..., Any],
    model_or_function(
        '"lexical", "embeddings", a model id or folder, or a function (premises, hypotheses) -> probabilities'
    ),
]
"""Judge of whether a text supports a statement."""


class EntailerSettings(InferenceSettings, TextSettings):
    """Choice of the entailer, which judges whether a text supports a statement.

    Example:
        >>> EntailerSettings(entailer="lexical").is_model
        False
    """

    entailer: Entailer = setting(
        NLI_MODEL,
        "judge of whether a chunk entails a unit: id or folder of an NLI model; lexical, the share of the unit's "
        "content words in the chunk; or embeddings, their cosine similarity; in Python also a function (premises, "
        "hypotheses) -> one probability per pair",
        key="entailer",
    )
    entailment_label: str | None = setting(
        None, "the model's label for entailment; None to read it from the model's configuration"
    )
    revision: str | None = setting(None, "branch, tag or commit of the model")

    sentence_model: Location | None = setting(
        None,
        f"for the entailer embeddings: id or folder of a sentence embedding model; None for {SENTENCE_MODEL}",
    )

    @property
    def is_model(self) -> bool:
        """True if the entailer is a neural model."""
        return self.entailer != "lexical" and not callable(self.entailer)

    def check_together(self) -> None:
        """Check that every setting applies to the chosen entailer."""
        super().check_together()
        remedy = "leave it out, or name a model as entailer"
        self.only_with(self.is_model, ("entailment_label", "revision"), "an entailer that is a model", remedy)
        embeds = self.entailer == "embeddings"
        self.only_with(not embeds, ("entailment_label",), "an entailer that is an NLI model", remedy)
        self.only_with(embeds, ("sentence_model",), "entailer='embeddings'", "leave it out, or choose this entailer")
