"""What an exported folder says about itself: its README.md, whose YAML makes ``load_dataset`` find the files."""

from __future__ import annotations

from collections.abc import Mapping

from fairsum_utils._version import __version__
from fairsum_utils.corpora.perspectivesumm import CONFIGURATIONS

__all__ = ["CITATION", "HOMEPAGE", "LICENSES", "SUMMARY", "card"]

SUMMARY = (
    "PerspectiveSumm: source texts written by people of different groups, with the social attribute value of each "
    "text, to measure whose perspectives a summary leaves out."
)
HOMEPAGE = "https://github.com/psunlpgroup/FairSumm"
LICENSES = "Apache-2.0 (published samples); MIT (tweets, FewSum reviews); the dialogue corpora have their own terms"
CITATION = """\
@inproceedings{zhang-etal-2024-fair,
  title     = {Fair Abstractive Summarization of Diverse Perspectives},
  author    = {Zhang, Yusen and Zhang, Nan and Liu, Yixin and Fabbri, Alexander and Liu, Junru and Kamoi, Ryo and
               Lu, Xiaoxin and Xiong, Caiming and Zhao, Jieyu and Radev, Dragomir and McKeown, Kathleen and Zhang, Rui},
  booktitle = {Proceedings of NAACL-HLT 2024},
  year      = {2024}
}
"""

_FRONT = """\
---
pretty_name: PerspectiveSumm
language:
- en
license: other
license_name: mixed
task_categories:
- summarization
tags:
- fairness
size_categories:
- {size}
configs:
{configs}
---
"""

_CONFIG = """\
- config_name: {name}
  data_files:
  - split: test
    path: {path}"""

_BODY = """
# PerspectiveSumm

{summary}

Exported by fairsum-utils {version} (`fairsum data export perspectivesumm`). How each row was made
stands in its `metadata` (JSON): whether it is a published sample or was drawn anew from raw files, and with which seed.

```python
from datasets import load_dataset

rows = load_dataset("path/to/this/folder", "{first}", split="test")
```

| configuration | rows | what |
| --- | --- | --- |
{table}

| column | meaning |
| --- | --- |
| `id` | name of the row |
| `sources` | source texts, in the order a model reads them |
| `values` | attribute value of each source text |
| `attribute` | what the values are values of |
| `references` | human summaries; empty where there are none |
| `prompt` | the paper's prompt with the sources filled in |
| `metadata` | JSON object: origin, and what is known of the sample |

Licences: {licenses}. Before you pass this folder on, check the terms of the corpora it was made from.

```bibtex
{citation}```
"""


def card(rows: Mapping[str, int], files: Mapping[str, str]) -> str:
    """Return the README.md of an exported folder.

    Args:
        rows: configuration -> number of rows.
        files: configuration -> path of its Parquet file below the folder.

    Returns:
        Markdown with YAML front matter.

    Example:
        >>> print(card({"yelp": 3}, {"yelp": "yelp/test-00000-of-00001.parquet"})[:32])
        ---
        pretty_name: PerspectiveSumm
    """
    total = sum(rows.values())
    size = "n<1K" if total < 1_000 else "1K<n<10K" if total < 10_000 else "10K<n<100K"
    configs = "\n".join(_CONFIG.format(name=name, path=files[name]) for name in rows)
    table = "\n".join(f"| `{name}` | {count:,} | {CONFIGURATIONS[name].about} |" for name, count in rows.items())
    front = _FRONT.format(size=size, configs=configs)
    return front + _BODY.format(
        summary=SUMMARY,
        version=__version__,
        first=next(iter(rows)),
        table=table,
        licenses=LICENSES,
        citation=CITATION,
    )
