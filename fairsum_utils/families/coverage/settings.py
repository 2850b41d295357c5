"""Settings of Equal Coverage and Coverage Parity."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import InputError
from fairsum_utils.families import MeasureSettings, setting
from fairsum_utils.families.settings import MOST_DRAWS, ChanceSettings
from fairsum_utils.inference.settings import EntailerSettings
from fairsum_utils.validation import check_fraction, describe

if TYPE_CHECKING:
    from fairsum_utils.families.coverage.chunks import Splitter

# Splitters that are known by name.
SPLITTERS = ("sentence", "llm")
CHUNKS = ("words", "sentence")
PROTOCOLS = ("paper", "released")
SIGNIFICANCE = ("permutation", "strict")

_EQUAL_COVERAGE = ("equal_coverage",)


def _check_splitter(module: str, name: str, splitter: Any) -> Any:
    if not callable(splitter) and not (isinstance(splitter, str) and splitter in SPLITTERS):
        raise InputError(
            f'{module}: {name} must be "sentence", "llm" or a function summary -> units, found {describe(splitter)}'
        )
    return splitter


class CoverageSettings(EntailerSettings, ChanceSettings, MeasureSettings):
    """Settings of the coverage family.

    Example:
        >>> CoverageSettings(entailer="lexical", revision="main", module="equal_coverage")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: equal_coverage: revision applies only to an entailer that is a model, found str
        'main'; leave it out, or name a model as entailer
    """

    splitter: str | Splitter = setting(
        "sentence",
        "way to split summaries into units: sentence, or llm, a chat model with the paper's prompt; in Python also a "
        "function summary -> units, such as an LLMSplitter",
        check=_check_splitter,
        key="units",
    )
    chat_model: str | Path | None = setting(
        None, "for the splitter llm: name of a model at `chat_url`, or id or folder of a local model", metavar="ID"
    )
    chat_url: str | None = setting(
        None,
        "for the splitter llm: OpenAI-compatible endpoint, with its key in $OPENAI_API_KEY",
        flag="url",
        metavar="URL",
    )
    chunk: str = setting(
        "words",
        "pieces of a document: words (sentences up to `chunk_words` words) or sentence (one sentence each)",
        choices=CHUNKS,
        key="chunk",
    )
    chunk_words: int = setting(100, "maximum words in a chunk; longer sentences are cut", least=1, key="chunk")
    protocol: str = setting(
        "paper",
        "paper; or released, as in the published code: windows of sentences overlap, entailment counts only if it is "
        "the likeliest class, units that entail each other are merged, uncovered units are left out, and the coverage "
        "of an empty document is 0",
        choices=PROTOCOLS,
        key="protocol",
        space=True,
    )
    significance: str = setting(
        "permutation",
        "permutation; or strict, as printed in the paper (only assignments strictly above the score count)",
        choices=SIGNIFICANCE,
        only=_EQUAL_COVERAGE,
        key="sig",
        stage="results",
    )
    alpha: float = setting(
        0.05,
        "a sample is unequal below this p-value, in [0, 1]",
        check=check_fraction,
        only=_EQUAL_COVERAGE,
        key="alpha",
        stage="results",
    )
    max_exact: int = setting(
        20_000,
        "largest number of assignments to enumerate",
        least=0,
        most=MOST_DRAWS,
        only=_EQUAL_COVERAGE,
        key="exact",
        stage="results",
    )
    n_permutations: int = setting(
        5_000,
        "random assignments beyond that; more if p is close to alpha",
        least=1,
        most=MOST_DRAWS,
        only=_EQUAL_COVERAGE,
        key="perms",
        stage="results",
        flag="permutations",
    )

    def check_together(self) -> None:
        """Check that every setting applies to the chosen splitter."""
        super().check_together()
        is_cut = self.chunk == "words"
        self.only_with(is_cut, ("chunk_words",), "chunk='words'", "leave it out, or choose chunk='words'")
        is_paper = self.protocol == "paper"
        self.only_with(is_paper, ("chunk",), "protocol='paper'", "leave it out, or choose protocol='paper'")
        asks = self.splitter == "llm"
        self.only_with(asks, ("chat_model", "chat_url"), "splitter='llm'", "leave it out, or choose splitter='llm'")
        if asks and self.chat_model is None:
            raise InputError(
                f"{self.module}: splitter='llm' needs chat_model; give the name of the model at chat_url, or the id "
                "or folder of a local model"
            )

    @property
    def cutting(self) -> dict[str, Any]:
        """Options of `chunks.cut`: maximum words, language and overlap."""
        is_released = self.protocol == "released"
        longest = self.chunk_words if is_released else self.longest_chunk
        return {"chunk_words": longest, "language": self.language, "overlapping": is_released}

    @property
    def longest_chunk(self) -> int | None:
        """Maximum words of a chunk; None for one sentence each."""
        return self.chunk_words if self.chunk == "words" else None
