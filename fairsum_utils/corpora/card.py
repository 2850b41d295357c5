"""What an exported folder says about itself: its README.md, whose YAML makes ``load_dataset`` find the files."""

from __future__ import annotations

from collections.abc import Mapping

from fairsum_utils._version import __version__
from fairsum_utils.corpora.corpus import Corpus

PARQUET_FILE = "test-00000-of-00001.parquet"
"""The file of a configuration in an export, in the folder of its name."""

_CARD = """\
---
pretty_name: {corpus.title}
language:
- en
license: {corpus.license}
task_categories:
- {corpus.task}
tags:
- fairness
size_categories:
- {size}
configs:
{configs}
---

# {corpus.title}

{corpus.summary}

Exported by fairsum-utils {version} (`fairsum data export {corpus.name}`). {corpus.made}

```python
from datasets import load_dataset

rows = load_dataset("path/to/this/folder", "{first}", split="test")
```

| configuration | rows | what |
| --- | --- | --- |
{table}

| column | meaning |
| --- | --- |
{columns}

Licences: {corpus.licenses}. Before you pass this folder on, check the terms of the corpora it was made from.

```bibtex
{corpus.citation}```
"""

_CONFIG = """\
- config_name: {name}
  data_files:
  - split: test
    path: {name}/{file}"""


def card(corpus: Corpus, rows: Mapping[str, int]) -> str:
    """Return the README.md of an exported folder.

    Args:
        corpus: the data set.
        rows: configuration -> number of rows, of the configurations in the folder; at least one.

    Returns:
        Markdown with YAML front matter.

    Example:
        >>> from fairsum_utils.corpora.perspectivesumm import PERSPECTIVESUMM
        >>> print(card(PERSPECTIVESUMM, {"yelp": 3})[:32])
        ---
        pretty_name: PerspectiveSumm
    """
    total = sum(rows.values())
    about = {name: corpus.configurations[name].about for name in rows}
    return _CARD.format(
        corpus=corpus,
        size="n<1K" if total < 1_000 else "1K<n<10K" if total < 10_000 else "10K<n<100K",
        configs="\n".join(_CONFIG.format(name=name, file=PARQUET_FILE) for name in rows),
        version=__version__,
        first=next(iter(rows)),
        table="\n".join(f"| `{name}` | {count:,} | {about[name]} |" for name, count in rows.items()),
        columns="\n".join(f"| `{column}` | {meaning} |" for column, meaning in corpus.meanings.items()),
    )
