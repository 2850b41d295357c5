"""The repository of a data set: its rows as Parquet files, and a card that makes ``load_dataset`` find them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fairsum_utils.corpora.card import PARQUET_FILE
from fairsum_utils.corpora.loading import corpus, export_dataset, write_card
from fairsum_utils.errors import require
from fairsum_utils.hub.contents import Contents, Remote
from fairsum_utils.io.folders import Folder

__all__ = ["dataset_contents"]

_MARK = "Exported by fairsum-utils"
_HERE = '"path/to/this/folder"'


def dataset_contents(name: str, remote: Remote, folder: Path, **options: Any) -> Contents:
    """Export a data set for its repository.

    Configurations that the repository holds and that are not exported now stay, and the card names them. A Parquet
    file that the card there names and the new one does not was published by an earlier version of fairsum-utils under
    another name: it is removed. Whatever else is there stays.

    Args:
        name: data set to export.
        remote: what is there.
        folder: an empty one, for the files.
        **options: those of `fairsum_utils.corpora.loading.export_dataset`.

    Returns:
        Path -> contents.

    Raises:
        InputError: an unknown name, configuration or option.
        DataSourceError: the input is missing or malformed.
        PublishingError: the repository is something else.
    """
    old_card = _card_there(remote, folder / "there")
    export = folder / "export"
    written = export_dataset(name, export, **options)
    exported = corpus(name)
    paths = {config: f"{config}/{PARQUET_FILE}" for config in exported.configurations}
    staying = [path for config, path in paths.items() if config not in written and path in remote.files]
    for path in staying:
        remote.fetch(path, export)
    if staying:
        write_card(exported, Folder(export))
    text = (export / "README.md").read_text(encoding="utf-8")
    contents: dict[str, bytes | Path | None] = {
        path: export / path for path in paths.values() if (export / path).is_file()
    }
    contents["README.md"] = text.replace(_HERE, f'"{remote.repository.id}"').encode()
    old_paths = _paths_of(old_card) & set(remote.files) - set(contents)
    return contents | dict.fromkeys(sorted(path for path in old_paths if path.endswith(".parquet")))


def _card_there(remote: Remote, folder: Path) -> str:
    """The card in the repository, empty if nothing is there yet; refuses a card that is not ours."""
    if not set(remote.files) - {".gitattributes"}:
        return ""
    text = remote.fetch("README.md", folder).read_text(encoding="utf-8") if "README.md" in remote.files else ""
    if _MARK not in text:
        raise remote.taken("no card of fairsum")
    return text


def _paths_of(card: str) -> set[str]:
    """The files that the configurations of a card name."""
    library: Any = require("huggingface_hub", extra="hub", purpose="read the card of a data set")
    configs = (library.DatasetCard(card).data.to_dict().get("configs") or []) if card else []
    return {entry["path"] for config in configs for entry in config["data_files"]}
