"""Data sets by name, and their plain rows."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping
from typing import Any

from fairsum_utils.corpora.corpus import Corpus
from fairsum_utils.errors import InputError


@functools.cache
def corpora() -> Mapping[str, Corpus]:
    """Map names to the descriptions of all data sets; imports their readers.

    Example:
        >>> list(corpora())
        ['perspectivesumm', 'coverage_sets', 'bold', 'counterfactual_ontonotes']
    """
    from fairsum_utils.corpora.bold import BOLD
    from fairsum_utils.corpora.counterfactual_ontonotes import COUNTERFACTUAL_ONTONOTES
    from fairsum_utils.corpora.coverage_sets import COVERAGE_SETS
    from fairsum_utils.corpora.perspectivesumm import PERSPECTIVESUMM

    described = (PERSPECTIVESUMM, COVERAGE_SETS, BOLD, COUNTERFACTUAL_ONTONOTES)
    return {corpus.name: corpus for corpus in described}


def corpus(name: str) -> Corpus:
    """Find a data set by its name."""
    if name not in corpora():
        raise InputError(f"there is no data set {name!r}; choose one of {', '.join(corpora())}.")
    return corpora()[name]


def iter_rows(
    name: str, config: str, *, data_dir: str | os.PathLike[str] | None = None, **options: Any
) -> Iterator[Any]:
    """Yield a data set's rows; needs optional packages only to cluster texts.

    Args:
        name: name of the data set.
        config: its configuration.
        data_dir: folder with the input; None downloads the published files.
        **options: origin, attribute, and the configuration's options such as seed.

    Returns:
        An iterator over the rows, dicts with the data set's columns (`Corpus.columns`). The input is looked for at
        once, and read as the rows are taken.

    Raises:
        InputError: an unknown name, configuration or option.
        DataSourceError: the input is missing or malformed.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "claritin_raw.txt").write_text("1<||>male<||>good stuff\\n2<||>female<||>no help\\n")
        >>> options = dict(sizes=[2], ratios=[0.5], samples_per_cell=1, min_tokens=1, seed=0)
        >>> [row] = iter_rows("perspectivesumm", "claritin", data_dir=folder, **options)
        >>> row["id"], sorted(row["values"])
        ('claritin-n2-male0.5-0000', ['female', 'male'])
    """
    return corpus(name).open(config, data_dir=data_dir, **options).rows()
