"""The `datasets` builder. This module imports `datasets`; nothing else of the package imports it before it is used."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets

from fairsum_utils._version import __version__
from fairsum_utils.corpora import perspectivesumm
from fairsum_utils.corpora.card import CITATION, HOMEPAGE, LICENSES, SUMMARY
from fairsum_utils.corpora.rows import COLUMNS, Row

__all__ = ["PerspectiveSummBuilder", "PerspectiveSummConfig"]

# `datasets` 4 renamed the type of a list; the old name means something else for dicts.
_List = getattr(datasets, "List", datasets.Sequence)

_VERSION = datasets.Version(__version__)


@dataclass
class PerspectiveSummConfig(datasets.BuilderConfig):  # type: ignore[misc]  # datasets has no types
    """A configuration with its options; None is the configuration's own default (`perspectivesumm.CONFIGURATIONS`)."""

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

    def open(self) -> perspectivesumm.Source:
        """Find the input and settle the options."""
        return perspectivesumm.open_source(
            self.name,
            data_dir=self.data_dir,
            origin=self.origin,  # type: ignore[arg-type]  # checked there
            attribute=self.attribute,
            base_url=self.base_url,
            **{name: getattr(self, name) for name in perspectivesumm.OPTIONS},
        )

    def create_config_id(self, config_kwargs: dict[str, Any], custom_features: Any = None) -> str:
        """Name the cached build after everything its rows depend on.

        The library's own id holds the path of ``data_dir`` but not what is in it, and so would give old rows after a
        file has changed. This one holds the contents of the input, every option and the code that makes the rows.
        """
        depends_on = {**self.open().fingerprint(), "code": _code_digest(), "features": repr(custom_features)}
        digest = hashlib.sha256(json.dumps(depends_on, sort_keys=True, default=repr).encode()).hexdigest()
        return f"{self.name}-{digest[:16]}"


class PerspectiveSummBuilder(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """Builds any configuration of PerspectiveSumm as one split, "test"."""

    VERSION = _VERSION
    BUILDER_CONFIG_CLASS = PerspectiveSummConfig
    BUILDER_CONFIGS = [  # noqa: RUF012 - the name and type that `datasets` looks for
        PerspectiveSummConfig(name=name, version=_VERSION, description=configuration.about)
        for name, configuration in perspectivesumm.CONFIGURATIONS.items()
    ]

    def _info(self) -> datasets.DatasetInfo:
        kinds = {"string": datasets.Value("string"), "strings": _List(datasets.Value("string"))}
        return datasets.DatasetInfo(
            description=SUMMARY,
            features=datasets.Features({column: kinds[kind] for column, kind in COLUMNS.items()}),
            homepage=HOMEPAGE,
            license=LICENSES,
            citation=CITATION,
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        return [datasets.SplitGenerator(name=datasets.Split.TEST)]

    def _generate_examples(self) -> Iterator[tuple[str, Row]]:
        for row in self.config.open().rows():
            yield row["id"], row


@functools.cache
def _code_digest() -> str:
    """Return a digest of the code that reads and tokenizes, so that an upgrade never gives rows of the old code."""
    total = hashlib.sha256()
    package = Path(__file__).parent.parent
    for path in sorted([*package.glob("corpora/*.py"), *package.glob("text/*.py")]):
        total.update(path.read_bytes())
    return total.hexdigest()
