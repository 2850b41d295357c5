"""The `datasets` builder, imported on first use because it imports `datasets`."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import datasets

from fairsum_utils._version import __version__
from fairsum_utils.corpora.catalog import corpus
from fairsum_utils.corpora.corpus import Source
from fairsum_utils.io.writing import Kind

# `datasets` 4 renamed the type of a list; the old name means something else for dicts.
_List = getattr(datasets, "List", datasets.Sequence)


class Config(datasets.BuilderConfig):  # type: ignore[misc]  # datasets has no types
    """A configuration of a data set, with its options as attributes."""

    def __init__(self, corpus: str, **given: Any) -> None:
        options = _options(corpus)
        super().__init__(**{name: value for name, value in given.items() if name not in options})
        self.corpus = corpus
        for name in options:
            setattr(self, name, given.get(name))

    def open(self) -> Source:
        """Find the input and settle the options."""
        options = {name: getattr(self, name) for name in _options(self.corpus)}
        return corpus(self.corpus).open(self.name, data_dir=self.data_dir, **options)

    def create_config_id(self, config_kwargs: dict[str, Any], custom_features: Any = None) -> str:
        """Name the cached build after everything its rows depend on.

        The library's own id contains the path of ``data_dir`` but not its contents, so it would return old rows after a
        file has changed. This id contains the contents of the input, every option and the code that makes the rows.
        """
        depends_on = {**self.open().fingerprint(), "code": _code_digest(), "features": repr(custom_features)}
        digest = hashlib.sha256(json.dumps(depends_on, sort_keys=True, default=repr).encode()).hexdigest()
        return f"{self.name}-{digest[:16]}"


class Builder(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """Builds a configuration of a data set as one split, "test".

    Made with ``corpus``, the name of the data set, among its arguments; a subclass for one data set instead lists its
    `configurations` as ``BUILDER_CONFIGS``.
    """

    VERSION = datasets.Version(__version__)
    BUILDER_CONFIG_CLASS = Config

    def _info(self) -> datasets.DatasetInfo:
        described = corpus(self.config.corpus)
        return datasets.DatasetInfo(
            description=described.summary,
            features=datasets.Features({column: _feature(kind) for column, kind in described.columns.items()}),
            homepage=described.homepage,
            license=described.licenses,
            citation=described.citation,
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        return [datasets.SplitGenerator(name=datasets.Split.TEST)]

    def _generate_examples(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for row in self.config.open().rows():
            yield row["id"], row


def configurations(name: str) -> list[Config]:
    """Return the configurations of a data set for a loading script.

    Example:
        >>> [config.name for config in configurations("bold")][:2]
        ['profession', 'gender']
    """
    return [
        Config(name, name=config, version=Builder.VERSION, description=configuration.about)
        for config, configuration in corpus(name).configurations.items()
    ]


def _feature(kind: Kind) -> Any:
    if isinstance(kind, Mapping):
        # a list literal, since `Sequence` of the library's version 3 makes a dict of lists of it
        return [{field: _feature(inner) for field, inner in kind.items()}]
    return _List(datasets.Value("string")) if kind == "strings" else datasets.Value(kind)


def _options(name: str) -> tuple[str, ...]:
    return tuple(corpus(name).options)


@functools.cache
def _code_digest() -> str:
    """Digest the code that makes the rows, so upgrades rebuild cached data sets."""
    total = hashlib.sha256()
    package = Path(__file__).parent.parent
    tables = ("bbq_names.txt.gz", "first_names.txt.gz", "stopwords.txt.gz", "words.txt")
    folders = ("", "corpora/", "counterfactual/", "families/entities/", "io/", "stats/", "text/")
    code = [path for folder in folders for path in package.glob(f"{folder}*.py")]
    code += package.glob("corpora/*.toml")
    for path in sorted([*code, *(package / "_util" / "resources" / name for name in tables)]):
        total.update(path.read_bytes())
    return total.hexdigest()
