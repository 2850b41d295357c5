"""Publishing on the Hub: modules as Spaces, data sets as Parquet, results in model cards.

Everything is compared with what is on the Hub before anything is sent, and each repository gets one commit, or none if
nothing differs. So whatever stopped a run, the same call again does what is left to do. The token is that of
`huggingface_hub`: its login, or the environment variable ``HF_TOKEN``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from fairsum_utils._version import __version__
from fairsum_utils.corpora.loading import corpus
from fairsum_utils.errors import InputError
from fairsum_utils.hub.folders import NAMESPACE, metric_names
from fairsum_utils.hub.remote import Contents, File, Hub, PublishingError, Remote, Repository, compare
from fairsum_utils.hub.results import card_with, scores_of
from fairsum_utils.hub.spaces import check_ours, check_package, dataset_contents, space_contents
from fairsum_utils.io.locks import temporary_folder

_MESSAGE = f"Published by fairsum-utils {__version__}"


@dataclass(frozen=True)
class Published:
    """The outcome for a repository, planned in a dry run.

    Attributes:
        repository: its id.
        kind: space, dataset or model.
        revision: the branch.
        url: its page.
        state: created, updated or unchanged; unknown in a dry run that could not ask the Hub.
        commit: the commit that was made; None if there was nothing to change, and in a dry run.
        files: the files that are published, and those that are removed.
        note: what should be known besides; empty if nothing.
    """

    repository: str
    kind: str
    revision: str
    url: str
    state: str
    commit: str | None
    files: tuple[File, ...]
    note: str = ""


class _Draft(NamedTuple):
    """The intended state of a repository."""

    repository: Repository
    contents: Callable[[Remote, Path], Contents]
    """(what is there, an empty folder) -> what is to be there; refuses what is something else."""
    note: str = ""
    may_make: bool = True
    """Whether to make the repository if it does not exist."""


@dataclass(frozen=True, kw_only=True)
class Publisher:
    """Publishes on the Hub, in one way for all that it is asked for.

    Args:
        namespace: user or organization that owns Spaces and data sets.
        private: whether repositories that are made are private; those that exist stay as they are.
        revision: branch, made from the main one if it does not exist; None is the main one.
        message: title of the commits; None for one that names this package.
        dry_run: compare only; nothing is sent, and neither token nor network is needed.

    Raises:
        InputError: the namespace is not one name.
    """

    namespace: str = NAMESPACE
    private: bool = False
    revision: str | None = None
    message: str | None = None
    dry_run: bool = False

    def __post_init__(self) -> None:
        name = self.namespace
        if not name or "/" in name:
            raise InputError(f"publish: a namespace is one name, of a user or an organization, not {name!r}")

    def metrics(self, names: Sequence[str] | None = None, *, package: str | None = None) -> list[Published]:
        """Publish modules as Spaces, so that ``evaluate.load("fairsum/bur")`` finds them.

        A Space that exists is brought up to date if it is that module's, and refused otherwise; files in it that are
        not the module's stay. All Spaces are looked at before the first one is touched.

        Args:
            names: modules; None is all of them.
            package: address of the wheel or repository that the Spaces install this package from, such as
                ``"git+https://github.com/<you>/fairsum@<commit>"``.

        Returns:
            For each module what became of its Space.

        Raises:
            InputError: there is no such module, its folder is incomplete, or there is no package to install.
            PublishingError: token, network, Hub or a Space is in the way; the message says what is published.
            MissingDependencyError: `huggingface_hub` is not installed.
        """
        chosen = metric_names() if names is None else [name.removeprefix(f"{NAMESPACE}/") for name in names]
        check_package(package)
        # Every mistake shows before the first request.
        contents = {name: space_contents(name, package) for name in chosen}

        def make(name: str, remote: Remote, folder: Path) -> Contents:
            check_ours(name, contents[name], remote, folder)
            return contents[name]

        return self._publish(
            _Draft(Repository(f"{self.namespace}/{name}", "space", self.revision), partial(make, name))
            for name in contents
        )

    def dataset(self, name: str, **options: Any) -> Published:
        """Publish a data set as Parquet with a card: ``load_dataset("fairsum/perspectivesumm", "yelp")`` finds it.

        Configurations that are there already and are not exported now stay. A repository that exists is brought up to
        date if its card was made by fairsum-utils, and refused otherwise. ``counterfactual_ontonotes`` is never
        published: its texts are licensed by the LDC.

        Args:
            name: data set to publish.
            **options: those of `fairsum_utils.corpora.loading.export_dataset`, such as ``configs`` and ``data_dir``.

        Returns:
            What became of the repository.

        Raises:
            InputError: an unknown name, configuration or option, or a data set that is never published.
            DataSourceError: the input is missing or malformed.
            PublishingError: token, network, Hub or the repository is in the way.
            MissingDependencyError: `huggingface_hub` is not installed.
        """
        if withheld := corpus(name).withheld:
            raise InputError(f"publish: {name} is never published: {withheld}")
        repository = Repository(f"{self.namespace}/{name}", "dataset", self.revision)
        return self._publish([_Draft(repository, partial(dataset_contents, name, **options))])[0]

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
        takes the place of an earlier one of the same measure, data set, configuration, split and signature; all else in
        the card stays, to the byte. A score that is undefined is left out, and the note says so.

        Args:
            results: the file that ``fairsum score --output`` writes, or what `fairsum_utils.score` returns.
            model: id of the model, such as ``"user/model"``; it has to exist.
            dataset: id of the data set on the Hub, or any name; None takes that of the scored file.
            config: its configuration.
            split: its split.

        Returns:
            What became of the model's repository.

        Raises:
            InputError: the results or the card are not as described.
            PublishingError: token, network or Hub is in the way, or there is no such model.
            MissingDependencyError: `huggingface_hub` is not installed.
        """
        if model.count("/") != 1:
            raise InputError(f"publish: a model is named USER/MODEL, but this one is {model!r}")
        scores = scores_of(results, dataset=dataset, config=config, split=split)

        def make(remote: Remote, folder: Path) -> Contents:
            card = remote.fetch("README.md", folder).read_bytes() if "README.md" in remote.files else None
            text = None if card is None else card.decode("utf-8")  # line ends stay as they are
            return {"README.md": card_with(scores, text, model).encode()}

        note = f"undefined, and left out: {', '.join(scores.undefined)}" if scores.undefined else ""
        return self._publish([_Draft(Repository(model, "model", self.revision), make, note, may_make=False)])[0]

    def _publish(self, drafts: Iterable[_Draft]) -> list[Published]:
        """Look at all repositories, then bring one after the other up to date; the first that fails ends it."""
        hub = Hub()
        if not self.dry_run:
            hub.check_token()
        with temporary_folder() as folder:
            plans = [self._plan(hub, draft, folder / str(number)) for number, draft in enumerate(drafts)]
            if self.dry_run:
                return [published for _, _, published in plans]
            done: list[Published] = []
            for remote, contents, published in plans:
                try:
                    message = self.message or _MESSAGE
                    commit = hub.commit(remote, contents, published.files, private=self.private, message=message)
                except PublishingError as error:
                    names = [planned.repository for _, _, planned in plans]
                    raise PublishingError(f"{error}{_progress(names, len(done))}") from None
                done.append(replace(published, commit=commit))
        return done

    def _plan(self, hub: Hub, draft: _Draft, folder: Path) -> tuple[Remote, Contents, Published]:
        repository, notes = draft.repository, [draft.note]
        try:
            remote = hub.look(repository)
        except PublishingError as error:
            if not self.dry_run:
                raise
            remote = Remote(repository, is_known=False)
            notes.append(str(error).removeprefix("publish: "))
        is_new = remote.is_known and remote.head is None
        if is_new and not draft.may_make:
            raise PublishingError(f"publish: the Hub has no {repository.kind} {repository.id}, or not for you")
        folder.mkdir()
        contents = draft.contents(remote, folder)
        files = compare(contents, remote)
        lacks_branch = repository.revision is not None and not remote.has_branch
        differs = lacks_branch or any(file.state != "unchanged" for file in files)
        published = Published(
            repository=repository.id,
            kind=repository.kind,
            revision=repository.revision or "main",
            url=hub.url(repository),
            state="unknown" if not remote.is_known else "created" if is_new else "updated" if differs else "unchanged",
            commit=None,
            files=files,
            note="; ".join(filter(None, notes)),
        )
        return remote, contents, published


def _progress(names: Sequence[str], n_done: int) -> str:
    """Describe the progress over several repositories after an error."""
    if len(names) == 1:
        return ""
    done, failed, left = names[:n_done], names[n_done], names[n_done + 1 :]
    return (
        f". Published: {', '.join(done) or 'none'}. Failed: {failed}. Not begun: {', '.join(left) or 'none'}. The same "
        "command again does what is left"
    )
