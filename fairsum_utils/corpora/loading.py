"""Data sets as a `datasets` object or as Parquet files.

An exported folder has a README.md, whose YAML makes ``load_dataset`` find the files.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from fairsum_utils._util.installation import folders
from fairsum_utils._version import __version__
from fairsum_utils.corpora.catalog import corpus
from fairsum_utils.corpora.corpus import Corpus, Source
from fairsum_utils.errors import DataSourceError, InputError, OutputError
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.writing import write_rows

#: The file of a configuration in an export, in the folder of its name.
PARQUET_FILE = "test-00000-of-00001.parquet"

_LINK_TO_FILE = re.compile(r"\[([^]]+)\]\((?![a-z]+:|#)[^)\s]+\)")
_KEPT = re.compile(r"^## (?:How the rows are made|Known problems)\n.*?(?=^## )", re.MULTILINE | re.DOTALL)

_CONFIG = "- config_name: {name}\n  data_files:\n  - split: test\n    path: {name}/{file}"


def card(corpus: Corpus, rows: Mapping[str, int]) -> str:
    """Write the README.md of an exported folder from ``card.md``."""
    total = sum(rows.values())
    about = {name: corpus.configurations[name].about for name in rows}
    builder_card = (folders() / "datasets" / corpus.name / "README.md").read_text(encoding="utf-8")
    template = files("fairsum_utils.corpora").joinpath("card.md").read_text("utf-8")
    return template.format(
        corpus=corpus,
        size="n<1K" if total < 1_000 else "1K<n<10K" if total < 10_000 else "10K<n<100K",
        configs="\n".join(_CONFIG.format(name=name, file=PARQUET_FILE) for name in rows),
        version=__version__,
        first=next(iter(rows)),
        table="\n".join(f"| `{name}` | {count:,} | {about[name]} |" for name, count in rows.items()),
        columns="\n".join(f"| `{column}` | {meaning} |" for column, meaning in corpus.meanings.items()),
        sections="".join(_KEPT.findall(without_links(builder_card))),
    )


def without_links(text: str) -> str:
    """Replace links to files of the project by their words, for a card elsewhere.

    Example:
        >>> without_links("[UER](../uer/README.md), [its paper](https://example.org)")
        'UER, [its paper](https://example.org)'
    """
    return _LINK_TO_FILE.sub(r"\1", text)


logger = logging.getLogger(__name__)


def load_dataset(
    name: str,
    config: str | None = None,
    *,
    data_dir: str | os.PathLike[str] | None = None,
    split: Any = None,
    cache_dir: str | os.PathLike[str] | None = None,
    streaming: bool = False,
    **options: Any,
) -> Any:
    """Load a data set as ``datasets.load_dataset`` did before it dropped builder scripts.

    Args:
        name: name of the data set.
        config: its configuration.
        data_dir: folder with the input; None downloads the published files.
        split: "test", or a part of it as `datasets` writes it; None for all splits.
        cache_dir: folder of the builds; by default the cache folder of `datasets`. A build is reused only
            if the contents of the input, the options and the code that makes the rows are the same.
        streaming: True makes rows while reading and stores nothing.
        **options: origin, attribute, and the configuration's options such as seed.

    Returns:
        A ``datasets.DatasetDict``, or a ``datasets.Dataset`` if ``split`` is given (iterable with
        ``streaming``).

    Raises:
        InputError: an unknown name, configuration, split or option.
        DataSourceError: the input is missing or malformed.
    """
    known = corpus(name)
    if config is None:
        raise InputError(f"{name} needs a configuration; choose one of {', '.join(known.configurations)}.")
    known.configuration(config)  # refuses an unknown one
    import datasets as library

    from fairsum_utils.corpora.builder import Builder

    if unknown := sorted(set(options) - set(known.options)):
        raise InputError(f"{name} has no option {', '.join(unknown)}; it has {', '.join(known.options)}.")
    if isinstance(split, str) and split.isidentifier() and split not in ("test", "all"):  # "test[:10]" is the library's
        raise InputError(f"{name} has one split, 'test', but split is {split!r}.")
    builder = Builder(
        corpus=name,
        config_name=config,
        dataset_name=name,
        data_dir=None if data_dir is None else os.fspath(data_dir),
        cache_dir=None if cache_dir is None else os.fspath(cache_dir),
        **options,
    )
    if streaming:
        return builder.as_streaming_dataset(split=split)
    try:
        builder.download_and_prepare()
    except library.exceptions.DatasetGenerationError as error:
        # the library wraps the builder's error; raise the original
        if isinstance(error.__cause__, InputError | DataSourceError):
            raise error.__cause__ from None
        raise
    return builder.as_dataset(split=split)


def export_dataset(
    name: str,
    to: str | os.PathLike[str],
    configs: Sequence[str] | None = None,
    data_dir: str | os.PathLike[str] | None = None,
    *,
    progress: Callable[[Iterable[Any], str], Iterable[Any]] | None = None,
    **options: Any,
) -> dict[str, int]:
    """Write a data set as Parquet files with a card, loadable without a script.

    Each file appears only when complete; the card is written last. Configurations already in the
    folder stay. Rows are streamed, so memory does not grow with the data set.

    Args:
        name: name of the data set.
        to: folder or address, created if missing.
        configs: configurations to write. None writes all, or with ``data_dir`` those with input in it (the
            others are named in the log).
        data_dir: folder with the input; None downloads the published files.
        progress: function that wraps a configuration's rows, given their name, to show progress.
        **options: options; each goes to the configurations that have it.

    Returns:
        Configuration -> rows written.

    Raises:
        InputError: an unknown name, configuration or option; ``to`` is a file.
        DataSourceError: the input is missing or malformed.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "claritin_raw.txt").write_text("1<||>male<||>good stuff\\n2<||>female<||>no help\\n")
        >>> options = dict(sizes=[2], ratios=[0.5], samples_per_cell=3, min_tokens=1)
        >>> export_dataset("perspectivesumm", folder / "out", data_dir=folder, **options)
        {'claritin': 3}
    """
    exported = corpus(name)
    sources = _open_all(exported, configs, data_dir, options)
    folder = Folder(to).made()
    written = {}
    for config, source in sources.items():
        path = Folder(folder.address(config)).made().address(PARQUET_FILE)
        rows = source.rows()
        written[config] = write_rows(rows if progress is None else progress(rows, config), path, exported.columns)
    write_card(exported, folder)
    return written


def _open_all(
    corpus: Corpus, configs: Sequence[str] | None, data_dir: str | os.PathLike[str] | None, options: Mapping[str, Any]
) -> dict[str, Source]:
    """Open every configuration before writing, so that a mistake leaves no partial export."""
    chosen = {
        config: corpus.configuration(config) for config in (corpus.configurations if configs is None else configs)
    }
    known = {config: {*corpus.common, *configuration.options} for config, configuration in chosen.items()}
    if unknown := sorted(set(options).difference(*known.values())):
        raise InputError(f"no configuration of {', '.join(chosen)} has the option {', '.join(unknown)}.")
    opened = {}
    missing = []
    for config, configuration in chosen.items():
        given = {name: options[name] for name in options if name in known[config]}
        if given.get("attribute") not in (None, *configuration.attributes) and configs is None:
            continue
        try:
            opened[config] = corpus.open(config, data_dir=data_dir, **given)
        except DataSourceError as error:
            if configs is not None:
                raise
            missing.append(config)
            logger.info("left out: %s", error)
    if not opened:
        raise DataSourceError(
            f"{str(data_dir)!r} has no input for any configuration of {corpus.name}. "
            f"Name one (of {', '.join(chosen)}) to see what it needs."
        )
    if missing:
        logger.warning("no input in %s for %s: left out of the export", data_dir, ", ".join(missing))
    return opened


def write_card(corpus: Corpus, folder: Folder) -> None:
    """Write the README.md of an exported folder."""
    import pyarrow.parquet as pq

    rows = {}
    for config in corpus.configurations:
        if folder.exists(path := f"{config}/{PARQUET_FILE}"):
            with folder.open(path) as file:
                rows[config] = int(pq.read_metadata(file).num_rows)
    if not rows:
        raise OutputError(f"{folder}: this folder or its files were removed during the export; run the command again")
    folder.write("README.md", card(corpus, rows).encode())
