"""Publishing of Spaces, data sets and scores on the Hub.

All is checked before anything is sent. Each repository gets one upload of the files that differ, so that the same call
again finishes what an error interrupted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from fairsum_utils._util.installation import NAME, REGISTERED, requirement, with_requirements
from fairsum_utils._util.temporary import temporary_folder
from fairsum_utils._version import __version__
from fairsum_utils.corpora.catalog import corpus
from fairsum_utils.corpora.loading import PARQUET_FILE, export_dataset, without_links, write_card
from fairsum_utils.errors import InputError
from fairsum_utils.integrations.hub_client import HubClient, PublishingError, Remote, Repository
from fairsum_utils.integrations.model_card import card_with, scores_of
from fairsum_utils.integrations.modules import metric_folder, metric_names
from fairsum_utils.integrations.wheel import is_address, is_wheel, own_address, read_wheel, wheel_card
from fairsum_utils.io.folders import Folder
from fairsum_utils.measures import NAMESPACE, get_measure

# Path in a repository -> its contents.
Contents: TypeAlias = Mapping[str, bytes]


@dataclass(frozen=True)
class Published:
    """The outcome for a repository.

    Attributes:
        repository: its id.
        kind: space, dataset or model.
        revision: the branch.
        url: its page.
        state: created, updated or unchanged; planned in a dry run.
        commit: the commit that was made; None if there was nothing to change, and in a dry run.
        files: paths of the files that are published.
        note: further remarks; empty if there are none.
    """

    repository: str
    kind: str
    revision: str
    url: str
    state: str
    commit: str | None
    files: tuple[str, ...]
    note: str = ""


class _Draft(NamedTuple):
    """A repository to publish.

    Attributes:
        repository: its name and kind.
        write: puts its files into a folder, or refuses what is on the Hub.
        note: remark for the outcome.
    """

    repository: Repository
    write: Callable[[Remote, Path], None]
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Publisher:
    """Publisher of Spaces, data sets and scores on the Hub.

    Args:
        namespace: user or organization that owns Spaces and data sets.
        private: True if new repositories are private; existing ones stay as they are. Then Spaces need a ``package``.
        revision: branch, made from the main one if it does not exist; None is the main one.
        message: title of the commits; None for one that names this package.
        dry_run: only list the files; neither token nor network is needed.

    Raises:
        InputError: the namespace is not one name.
    """

    namespace: str = NAMESPACE
    private: bool = False
    revision: str | None = None
    message: str | None = None
    dry_run: bool = False

    def __post_init__(self) -> None:
        if not self.namespace or "/" in self.namespace:
            raise InputError(f"publish: the namespace must be one user or organization, found {self.namespace!r}")

    def metrics(self, names: Sequence[str] | None = None, *, package: str | None = None) -> list[Published]:
        """Publish modules as Spaces, so that ``evaluate.load("fairsum/bur")`` finds them.

        A Space of the same module is brought up to date, and any other is refused; further files in it stay. All
        Spaces are checked before the first one is changed. They install this package from a wheel in the repository
        ``<namespace>/fairsum-utils``, which is published first.

        Args:
            names: modules; None is all of them.
            package: wheel to upload, or address of a wheel or repository to install instead, such as
                ``"git+https://github.com/<you>/fairsum@<commit>"``; None is the address that this package was
                installed from or, in a checkout, a wheel of it.

        Returns:
            The outcome for each repository, that of the wheel first.

        Raises:
            InputError: there is no such module, or no package that a Space can install.
            PublishingError: token, network, Hub or a Space is in the way; the message says what is published.
        """
        chosen = metric_names() if names is None else [name.removeprefix(f"{NAMESPACE}/") for name in names]
        folders = [metric_folder(name) for name in chosen]  # refuses unknown names before a wheel is built
        address, wheel = self._package(package)
        spaces = [
            _Draft(
                Repository(f"{self.namespace}/{folder.name}", "space"),
                partial(_write_space, folder.name, space_contents(folder.name, address, self.namespace)),
            )
            for folder in folders
        ]
        return self._publish([*wheel, *spaces])

    def dataset(self, name: str, *, package: str | None = None, **options: Any) -> list[Published]:
        """Publish a data set as Parquet with a card, for `load_dataset`.

        Configurations that are there already and are not exported now stay. A repository that exists is brought up to
        date if its card was made by fairsum-utils, and refused otherwise. ``counterfactual_ontonotes`` is never
        published: its texts are licensed by the LDC.

        Args:
            name: data set to publish.
            package: see `metrics`; the card names it. Without one, the card of a private data set names none.
            **options: those of `fairsum_utils.corpora.loading.export_dataset`, such as ``configs`` and ``data_dir``.

        Returns:
            The outcome for each repository, that of the wheel first.

        Raises:
            InputError: an unknown name, configuration or option, or a data set that is never published.
            DataSourceError: the input is missing or malformed.
            PublishingError: token, network, Hub or the repository is in the way.
        """
        if withheld := corpus(name).withheld:
            raise InputError(f"publish: {name} is never published: {withheld}")
        address, wheel = (None, []) if self.private and package is None else self._package(package)
        repository = Repository(f"{self.namespace}/{name}", "dataset")
        return self._publish([*wheel, _Draft(repository, partial(_write_dataset, name, address, options))])

    def results(
        self,
        results: str | os.PathLike[str] | Mapping[str, Mapping[str, Any]],
        model: str,
        *,
        dataset: str | None = None,
        config: str | None = None,
        split: str | None = None,
    ) -> Published:
        """Write scores into the evaluation section of a model's card.

        Each score comes with its signature, its numbers of samples and, if it has one, its confidence interval. It
        takes the place of an earlier one of the same measure, data set, configuration, split and signature; other
        scores, metadata and the text stay. A score that is undefined is left out, and the note says so.

        Args:
            results: the file that ``fairsum score --output`` writes, or what `fairsum_utils.score` returns.
            model: id of an existing model, such as ``"user/model"``.
            dataset: id of the data set on the Hub, or any name; None takes that of the scored file.
            config: its configuration.
            split: its split.

        Returns:
            The outcome for the model's repository.

        Raises:
            InputError: the results or the card are not as described.
            PublishingError: token, network or Hub is in the way, or there is no such model.
        """
        if model.count("/") != 1:
            raise InputError(f"publish: the model must have the form USER/MODEL, found {model!r}")
        scores = scores_of(results, dataset=dataset, config=config, split=split)

        def write(remote: Remote, folder: Path) -> None:
            if remote.head is None and not self.dry_run:
                raise PublishingError(f"publish: the Hub has no model {model}, or you have no access")
            card = remote.read("README.md").decode() if "README.md" in remote.files else None
            (folder / "README.md").write_bytes(card_with(scores, card, model).encode())

        note = f"omitted because undefined: {', '.join(scores.undefined)}" if scores.undefined else ""
        return self._publish([_Draft(Repository(model, "model"), write, note)])[0]

    def _package(self, package: str | None) -> tuple[str | None, list[_Draft]]:
        """Return the address to install from, and the repository of our wheel."""
        if package is None and NAME in REGISTERED:
            return None, []
        package = own_address() if package is None else package
        if package is not None and is_address(package):
            return package, []
        file, wheel = read_wheel(package)
        repository = Repository(f"{self.namespace}/{NAME}", "model")
        address = HubClient(self.revision).address(repository, file)
        contents = {file: wheel, "README.md": wheel_card(address).encode()}
        return address, [_Draft(repository, partial(_write_wheel, contents, self.private))]

    def _publish(self, drafts: Sequence[_Draft]) -> list[Published]:
        """Write the files of all repositories, then upload them until one fails."""
        hub = HubClient(self.revision)
        if not self.dry_run:
            hub.check_token()
        with temporary_folder() as folder:
            written = []
            for number, draft in enumerate(drafts):
                place = folder / str(number)
                place.mkdir()
                remote = Remote(draft.repository) if self.dry_run else hub.look(draft.repository)
                draft.write(remote, place)
                written.append((draft, remote, place))
            done: list[Published] = []
            for draft, remote, place in written:
                try:
                    done.append(self._uploaded(hub, draft, remote, place))
                except PublishingError as error:
                    names = [each.repository.repo_id for each in drafts]
                    progress = (
                        f". Published: {', '.join(names[: len(done)]) or 'none'}. Failed: {names[len(done)]}. Not "
                        f"started: {', '.join(names[len(done) + 1 :]) or 'none'}. Run the same command again to finish"
                    )
                    raise PublishingError(f"{error}{progress if len(names) > 1 else ''}") from None
        return done

    def _uploaded(self, hub: HubClient, draft: _Draft, remote: Remote, folder: Path) -> Published:
        """Upload a repository unless this is a dry run, and describe the outcome."""
        if self.dry_run:
            state, commit = "planned", None
        else:
            message = self.message or f"Published by fairsum-utils {__version__}"
            commit = hub.upload(remote, folder, private=self.private, message=message)
            state = "updated" if commit or not remote.has_branch else "unchanged"
            state = state if remote.head else "created"
        url, revision = hub.page(draft.repository), self.revision or "main"
        files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        return Published(*draft.repository, revision, url, state, commit, tuple(files), draft.note)


# Text of a card about modules that are on this machine only.
_INSTALLED = re.compile(r" once\s+\[installed\]\([^)]*\)")
_APP = """from fairsum_utils.integrations.space import build_demo

demo = build_demo("{}")

if __name__ == "__main__":
    demo.launch()
"""


def space_contents(name: str, package: str | None = None, namespace: str = NAMESPACE) -> dict[str, bytes]:
    """Return the files of a Space, pinned to this package version.

    Args:
        name: name of the module.
        package: address to install from; None is this version in the package index.
        namespace: owner of the Space, for ``evaluate.load``.

    Example:
        >>> space_contents("bur", "https://example.org/fairsum.whl")["requirements.txt"].decode()
        'fairsum-utils[languages] @ https://example.org/fairsum.whl\\n'
    """
    folder, extra = metric_folder(name), get_measure(name).extra
    texts = {path: (folder / path).read_text(encoding="utf-8") for path in (f"{name}.py", "README.md")}
    texts["README.md"] = without_links(_INSTALLED.sub("", texts["README.md"]))
    texts["app.py"] = _APP.format(name)
    loads = (f'evaluate.load("{NAMESPACE}/', f'evaluate.load("{namespace}/')
    texts = {path: with_requirements(text, package).replace(*loads) for path, text in texts.items()}
    pinned = requirement(f"[{extra}]" if extra else "", package) + ("" if package else f"=={__version__}")
    texts["requirements.txt"] = f"{pinned}\n"
    return {path: text.encode() for path, text in texts.items()}


def _write(contents: Contents, folder: Path) -> None:
    for path, data in contents.items():
        (folder / path).write_bytes(data)


def _write_space(name: str, contents: Contents, remote: Remote, folder: Path) -> None:
    """Write a Space, unless the name is that of another one."""
    script = f"{name}.py"
    if not remote.has_only("README.md") and not remote.has_in(script, b"fairsum_utils"):
        raise remote.taken(f"no {script} of fairsum")
    _write(contents, folder)


def _write_wheel(contents: Contents, private: bool, remote: Remote, folder: Path) -> None:
    """Write a repository of wheels, if it is one that pip can read."""
    if not remote.has_only("README.md") and not any(map(is_wheel, remote.files)):
        raise remote.taken("no wheel of fairsum")
    if remote.is_private or (private and remote.head is None):
        raise PublishingError(
            f"publish: {remote.repository} would be private, and pip cannot install a wheel from there; leave out "
            "--private, or set --package to an address that pip can read. Nothing was uploaded"
        )
    _write(contents, folder)


def _write_dataset(name: str, address: str | None, options: Mapping[str, Any], remote: Remote, folder: Path) -> None:
    """Export a data set; the card keeps configurations already there."""
    if not remote.has_only() and not remote.has_in("README.md", b"Exported by fairsum-utils"):
        raise remote.taken("no card of fairsum")
    export_dataset(name, folder, **options)
    exported = corpus(name)
    for path in (folder / config / PARQUET_FILE for config in exported.configurations):
        there = path.relative_to(folder).as_posix()
        if there in remote.files and not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(remote.read(there))
    write_card(exported, Folder(folder))
    card = (folder / "README.md").read_text(encoding="utf-8")
    card = card.replace('"path/to/this/folder"', f'"{remote.repository.repo_id}"')
    if address or NAME in REGISTERED:
        made = f"(`fairsum data export {name}`"
        card = card.replace(made, f'{made} after `pip install "{requirement("", address)}"`')
    (folder / "README.md").write_bytes(card.encode())
