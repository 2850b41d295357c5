"""Contents of repositories: Spaces of modules, and exported data sets with their cards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairsum_utils._util.installation import NAME, REGISTERED, requirement, with_requirements
from fairsum_utils._version import __version__
from fairsum_utils.corpora.loading import PARQUET_FILE, corpus, export_dataset, write_card
from fairsum_utils.errors import InputError
from fairsum_utils.hub.folders import metric_folder
from fairsum_utils.hub.remote import Contents, Remote, digest
from fairsum_utils.io.folders import Folder

_SUFFIXES = (".py", ".md", ".txt")
_OF_A_NEW_SPACE = {".gitattributes", "README.md"}
_TAGS = ("evaluate", "metric")
_OURS = re.compile(rf"(?:\.|{NAME})(\[[\w,-]+\])?")
_ADDRESS = re.compile(r"(?:git\+)?https://[\w.-]+(?::\d+)?/[\w./%@+~-]+")


def check_package(address: str | None) -> None:
    """Refuse to publish Spaces that would install the package from a place that is not the user's."""
    if address is None and NAME not in REGISTERED:
        raise InputError(
            f"publish: Spaces cannot install {NAME} by name, since that name on the package index is not ours; give "
            "--package with the address of your own wheel or repository, such as "
            "git+https://github.com/<you>/fairsum@<commit>"
        )
    if address is not None and not _ADDRESS.fullmatch(address):
        raise InputError(
            f"publish: --package must be an address such as https://<host>/{NAME.replace('-', '_')}-{__version__}"
            "-py3-none-any.whl or git+https://<host>/<repository>@<commit>, without user, password or query"
        )


def space_contents(name: str, package: str | None = None) -> dict[str, bytes]:
    """The files of a module's Space.

    Example:
        >>> space_contents("bur", "https://example.org/fairsum.whl")["requirements.txt"].decode()
        'fairsum-utils[languages] @ https://example.org/fairsum.whl\\n'
    """
    folder = metric_folder(name)
    contents = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in _SUFFIXES}
    needed = (f"{folder.name}.py", "app.py", "README.md", "requirements.txt")
    if missing := [path for path in needed if path not in contents]:
        raise InputError(f"publish: the module {folder.name} has no {', '.join(missing)}, which its Space needs")
    contents["README.md"] = _card(folder).encode()
    contents["requirements.txt"] = _pinned(contents["requirements.txt"].decode(), folder.name, package).encode()
    return {path: with_requirements(text.decode(), package).encode() for path, text in contents.items()}


def check_ours(name: str, contents: Mapping[str, bytes], remote: Remote, folder: Path) -> None:
    """Refuse to overwrite a Space that is something else.

    Ours is a Space that holds the module's script, as it is here or any that uses fairsum_utils, and one with nothing
    in it yet. Files that are not of the module stay.
    """
    if not set(remote.files) - _OF_A_NEW_SPACE:
        return
    script = f"{name}.py"
    if remote.holds(script, digest(contents[script])):
        return
    if script not in remote.files or b"fairsum_utils" not in remote.fetch(script, folder).read_bytes():
        raise remote.taken(f"no {script} of fairsum")


def _card(folder: Path) -> str:
    """The card; what is missing in its metadata is added, what is wrong is an error."""
    import huggingface_hub as library

    path = folder / "README.md"
    text = path.read_text(encoding="utf-8")
    try:
        data = library.SpaceCard(text).data.to_dict()
    except Exception as error:  # of the YAML library, of no type that is documented
        raise InputError(f"publish: the metadata of {path} cannot be read: {error}") from error
    wanted = {"title": folder.name, "sdk": "gradio", "app_file": "app.py", "pinned": False}
    missing = {key: entry for key, entry in wanted.items() if key not in data}
    if tags := [tag for tag in _TAGS if tag not in (data.get("tags") or [])]:
        missing["tags"] = [*(data.get("tags") or []), *tags]
    if not data.get("sdk_version"):
        raise InputError(f"publish: {path} has no sdk_version; add the version of gradio that the demo was tested with")
    for key in ("sdk", "app_file"):
        if data.get(key, wanted[key]) != wanted[key]:
            raise InputError(f"publish: {path} has {key}: {data[key]}, but a module's Space has {wanted[key]}")
    if not missing:
        return text
    card = library.SpaceCard(text)
    for key, entry in missing.items():
        card.data[key] = entry
    return str(card)


def _pinned(text: str, name: str, package: str | None) -> str:
    """The requirements with one package, so that a Space goes on computing what it computed."""
    lines = text.splitlines()
    ours = [place for place, line in enumerate(lines) if _OURS.fullmatch(line)]
    if len(ours) != 1:
        raise InputError(
            f"publish: the requirements of {name} need one line {requirement('[...]')} or {requirement()}, without a "
            "version"
        )
    needed = requirement(lines[ours[0]].removeprefix(NAME).removeprefix("."), package)
    lines[ours[0]] = needed if package else f"{needed}=={__version__}"
    return "".join(f"{line}\n" for line in lines)


_MARK = "Exported by fairsum-utils"
_HERE = '"path/to/this/folder"'


def dataset_contents(name: str, remote: Remote, folder: Path, **options: Any) -> Contents:
    """Export a data set for its repository.

    Configurations that the repository holds and that are not exported now stay, and the card names them. A Parquet
    file that the card there names and the new one does not was published by an earlier version of fairsum-utils under
    another name: it is removed. Whatever else is there stays.
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
    import huggingface_hub as library

    configs = (library.DatasetCard(card).data.to_dict().get("configs") or []) if card else []
    return {entry["path"] for config in configs for entry in config["data_files"]}
