"""Shared parts of Equal Coverage and Coverage Parity."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, Any, Literal, get_args

from fairsum_utils.errors import InputError
from fairsum_utils.measures._measure import Measure
from fairsum_utils.settings import ChanceSettings, Checked, Count, Location, setting
from fairsum_utils.settings.models import EntailerSettings
from fairsum_utils.validation import describe, is_function

SPLITTERS = ("sentence", "llm")
Chunk = Literal["words", "sentence"]
CHUNKS = get_args(Chunk)


def _check_splitter(module: str, name: str, splitter: Any) -> Any:
    if not is_function(splitter) and not (isinstance(splitter, str) and splitter in SPLITTERS):
        raise InputError(
            f'{module}: {name} must be "sentence", "llm" or a function summary -> units, found {describe(splitter)}'
        )
    return splitter


class CoverageMeasure(EntailerSettings, ChanceSettings, Measure):
    """Measures of whose documents a summary covers.

    Example:
        >>> CoverageMeasure(entailer="lexical", revision="main", module="equal_coverage")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: equal_coverage: revision applies only to an entailer that is a model, found str
        'main'; leave it out, or name a model as entailer
    """

    family = "coverage"
    needs = ("predictions", "sources", "values")
    takes = ("summary_units", "coverage")

    splitter: Annotated[str | Callable[..., Any], Checked(_check_splitter)] = setting(
        "sentence",
        "way to split summaries into units: sentence, or llm, a chat model with the paper's prompt; in Python also a "
        "function summary -> units, such as an LLMSplitter",
        key="units",
    )
    chat_model: Location | None = setting(
        None, "for the splitter llm: name of a model at `chat_url`, or id or folder of a local model"
    )
    chat_url: str | None = setting(
        None,
        "for the splitter llm: OpenAI-compatible endpoint, with its key in $OPENAI_API_KEY",
    )
    chunk: Chunk = setting(
        "words",
        "pieces of a document: words (sentences up to `chunk_words` words) or sentence (one sentence each)",
        key="chunk",
    )
    chunk_words: Count = setting(100, "maximum words in a chunk; longer sentences are cut", key="chunk")
    protocol: Literal["paper", "released"] = setting(
        "paper",
        "paper; or released, as in the published code: windows of sentences overlap, entailment counts only if it is "
        "the likeliest class, units that entail each other are merged, uncovered units are left out, and the coverage "
        "of an empty document is 0",
        key="protocol",
        space=True,
    )

    @classmethod
    def needed(cls, given: Collection[str] = ()) -> tuple[str, ...]:
        """Return the columns that it needs; a given coverage replaces the texts."""
        return ("values",) if "coverage" in given else cls.needs

    def uses_model(self, given: Collection[str]) -> bool:
        """Check whether a model judges the texts or splits the summaries."""
        return "coverage" not in given and (self.entailer != "lexical" or self.splitter != "sentence")

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
    def draws_sentences(self) -> bool:
        """Check whether random summaries can be judged without a model."""
        return self.entailer == "lexical" and self.splitter == "sentence"

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
