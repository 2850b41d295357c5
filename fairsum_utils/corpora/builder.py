"""The `datasets` builders. This module imports `datasets`; nothing else of the package imports it before it is used."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, cast

import datasets

from fairsum_utils._version import __version__
from fairsum_utils.corpora import bold, counterfactual_ontonotes, coverage_sets, perspectivesumm
from fairsum_utils.corpora.card import BOLD, COUNTERFACTUAL_ONTONOTES, COVERAGE_SETS, PERSPECTIVESUMM, About
from fairsum_utils.corpora.configurations import Source
from fairsum_utils.corpora.loading import Corpus
from fairsum_utils.files.writing import Kind

__all__ = [
    "BoldBuilder",
    "BoldConfig",
    "CounterfactualOntoNotesBuilder",
    "CounterfactualOntoNotesConfig",
    "CoverageSetsBuilder",
    "CoverageSetsConfig",
    "PerspectiveSummBuilder",
    "PerspectiveSummConfig",
]

# `datasets` 4 renamed the type of a list; the old name means something else for dicts.
_List = getattr(datasets, "List", datasets.Sequence)

_VERSION = datasets.Version(__version__)


class _Config(datasets.BuilderConfig):  # type: ignore[misc]  # datasets has no types
    """What the configurations of all data sets do; those of one have its options as fields, None for the default."""

    corpus: ClassVar[Corpus]

    def open(self) -> Source:
        """Find the input and settle the options."""
        options = {name: getattr(self, name) for name in (*self.corpus.COMMON, *self.corpus.OPTIONS)}
        return cast(Source, self.corpus.open_source(self.name, data_dir=self.data_dir, **options))

    def create_config_id(self, config_kwargs: dict[str, Any], custom_features: Any = None) -> str:
        """Name the cached build after everything its rows depend on.

        The library's own id holds the path of ``data_dir`` but not what is in it, and so would give old rows after a
        file has changed. This one holds the contents of the input, every option and the code that makes the rows.
        """
        depends_on = {**self.open().fingerprint(), "code": _code_digest(), "features": repr(custom_features)}
        digest = hashlib.sha256(json.dumps(depends_on, sort_keys=True, default=repr).encode()).hexdigest()
        return f"{self.name}-{digest[:16]}"


@dataclass
class PerspectiveSummConfig(_Config):
    """A configuration with its options; None is the configuration's own default (`perspectivesumm.CONFIGURATIONS`)."""

    corpus: ClassVar[Corpus] = perspectivesumm

    origin: str = "auto"
    attribute: str | None = None
    base_url: str | None = None
    seed: int | None = None
    sizes: Sequence[int] | None = None
    ratios: Sequence[float | Sequence[float]] | None = None
    samples_per_cell: int | None = None
    min_tokens: int | None = None
    max_tokens: int | None = None
    max_groups: int | None = None
    vader: str | None = None
    max_conversations: int | None = None
    max_tokens_per_segment: int | None = None


@dataclass
class CoverageSetsConfig(_Config):
    """A configuration with its options; None is the configuration's own default (`coverage_sets.CONFIGURATIONS`)."""

    corpus: ClassVar[Corpus] = coverage_sets

    attribute: str | None = None
    seed: int | None = None
    n_sets: int | None = None
    size: int | Sequence[int] | None = None
    keep_single_value: bool | None = None
    prompt: str | None = None
    max_reviews: int | None = None
    window_days: int | None = None
    similarity: float | None = None
    min_words: int | None = None
    max_words: int | None = None


@dataclass
class BoldConfig(_Config):
    """A configuration of BOLD (`bold.CONFIGURATIONS`)."""

    corpus: ClassVar[Corpus] = bold

    base_url: str | None = None


@dataclass
class CounterfactualOntoNotesConfig(_Config):
    """A configuration with its options; None is the default (`counterfactual_ontonotes.CONFIGURATIONS`)."""

    corpus: ClassVar[Corpus] = counterfactual_ontonotes

    seed: int | None = None
    n_inputs: int | None = None
    names: str | None = None


def _configurations(config_class: type[_Config]) -> list[_Config]:
    return [
        config_class(name=name, version=_VERSION, description=configuration.about)
        for name, configuration in config_class.corpus.CONFIGURATIONS.items()
    ]


def _feature(kind: Kind) -> Any:
    if isinstance(kind, Mapping):
        # a list literal, since `Sequence` of the library's version 3 makes a dict of lists of it
        return [{field: _feature(inner) for field, inner in kind.items()}]
    return _List(datasets.Value("string")) if kind == "strings" else datasets.Value(kind)


class _Builder(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """Builds any configuration as one split, "test"."""

    VERSION = _VERSION
    about: About

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(
            description=self.about.summary,
            features=datasets.Features({column: _feature(kind) for column, kind in self.config.corpus.COLUMNS.items()}),
            homepage=self.about.homepage,
            license=self.about.licenses,
            citation=self.about.citation,
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        return [datasets.SplitGenerator(name=datasets.Split.TEST)]

    def _generate_examples(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for row in self.config.open().rows():
            yield row["id"], row


class PerspectiveSummBuilder(_Builder):
    """Builds any configuration of PerspectiveSumm as one split, "test"."""

    BUILDER_CONFIG_CLASS = PerspectiveSummConfig
    BUILDER_CONFIGS = _configurations(PerspectiveSummConfig)
    about = PERSPECTIVESUMM


class CoverageSetsBuilder(_Builder):
    """Builds any of the coverage paper's document sets as one split, "test"."""

    BUILDER_CONFIG_CLASS = CoverageSetsConfig
    BUILDER_CONFIGS = _configurations(CoverageSetsConfig)
    about = COVERAGE_SETS


class BoldBuilder(_Builder):
    """Builds any configuration of BOLD as one split, "test"."""

    BUILDER_CONFIG_CLASS = BoldConfig
    BUILDER_CONFIGS = _configurations(BoldConfig)
    about = BOLD


class CounterfactualOntoNotesBuilder(_Builder):
    """Builds any configuration of the counterfactual news as one split, "test"."""

    BUILDER_CONFIG_CLASS = CounterfactualOntoNotesConfig
    BUILDER_CONFIGS = _configurations(CounterfactualOntoNotesConfig)
    about = COUNTERFACTUAL_ONTONOTES


@functools.cache
def _code_digest() -> str:
    """Return a digest of the code that makes the rows, so that an upgrade never gives rows of the old code."""
    total = hashlib.sha256()
    package = Path(__file__).parent.parent
    tables = ("bbq_names.txt.gz", "first_names.txt.gz", "stopwords.txt.gz")
    folders = ("corpora", "counterfactual", "entities", "files", "stats", "text")
    code = [path for folder in folders for path in package.glob(f"{folder}/*.py")]
    for path in sorted([*code, *(package / "resources" / name for name in tables)]):
        total.update(path.read_bytes())
    return total.hexdigest()
