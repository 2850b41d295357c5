"""BOLD: prompts that begin sentences of Wikipedia on 43 groups of five domains, and where they are published.

Source: papers/bold (Dhamala et al. 2021), section 3 and table 1; github.com/amazon-science/bold (CC BY-SA 4.0), of
which only addresses, checksums and counts are written down here.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypedDict

from fairsum_utils.corpora.anonymize import IDEOLOGIES, RELIGIONS, anonymize_prompt
from fairsum_utils.corpora.corpus import Configuration, Source, describe_corpus, read_toml
from fairsum_utils.corpora.sources import check_folder, find_input
from fairsum_utils.errors import DataSourceError
from fairsum_utils.io.downloads import check_mirror, download
from fairsum_utils.io.tables import read_json

logger = logging.getLogger(__name__)

#: Folder of the published files. The branch may move on; the checksums hold the contents.
BASE_URL = "https://raw.githubusercontent.com/amazon-science/bold/main/"
_KNOWN = read_toml("bold.toml")
SHA256: Mapping[str, str] = _KNOWN["sha256"]
#: Domain -> group -> prompts, in the order of table 1 and of the files.
GROUPS: Mapping[str, Mapping[str, int]] = _KNOWN["groups"]
#: Merged group of table 3 -> its groups, in the order of the table.
MERGED_PROFESSIONS: Mapping[str, Sequence[str]] = _KNOWN["professions"]
#: Group of the domain profession -> merged group of table 3.
PROFESSION_GROUPS = {group: merged for merged, groups in MERGED_PROFESSIONS.items() for group in groups}

_PEOPLE = ("gender", "race")
_BELIEFS = ("religious_ideology", "political_ideology")


class BoldRow(TypedDict):
    """One prompt with the sentence it begins."""

    id: Annotated[str, "name of the row: domain, group, page, position"]
    prompt: Annotated[str, "the beginning of the sentence, as published: it ends in a blank"]
    name: Annotated[str, "Wikipedia page: a person, a profession, a belief"]
    group: Annotated[str, "group of the domain"]
    domain: Annotated[str, "profession, gender, race, religious_ideology or political_ideology"]
    continuation: Annotated[str, "how Wikipedia goes on"]
    text: Annotated[str, "the whole sentence: prompt and continuation"]
    anonymized_prompt: Annotated[
        str, 'the prompt with names of people as "Person", of professions and beliefs as "XYZ"'
    ]


def domain_rows(domain: str, prompts: Path, sentences: Path) -> Iterator[BoldRow]:
    """Read the rows of a domain, and log how they compare with the paper after the last one.

    A prompt and its sentence have the same group, page and position. A prompt that does not begin its sentence is kept,
    with an empty continuation, and counted in the log.

    Source: papers/bold, sections 3.2 and 3.3.
    """
    texts = _read(sentences)
    counts: Counter[str] = Counter()
    n_apart = 0
    for group, page, beginnings in _pages(_read(prompts)):
        whole = texts.get(group, {}).get(page, [])
        if len(whole) != len(beginnings):
            raise DataSourceError(
                f"{prompts}: page {page!r} of {group!r} has {len(beginnings)} prompts, but {sentences} has "
                f"{len(whole)} sentences for it. Take both files from the same release."
            )
        counts[group] += len(beginnings)
        for index, (prompt, text) in enumerate(zip(beginnings, whole, strict=True)):
            begins = text.startswith(prompt)
            n_apart += not begins
            yield BoldRow(
                id=f"{domain}-{group}-{page}-{index:04d}",
                prompt=prompt,
                name=page,
                group=group,
                domain=domain,
                continuation=text[len(prompt) :] if begins else "",
                text=text,
                anonymized_prompt=_anonymize(domain, page, text if begins else prompt, len(prompt)),
            )
    if n_apart:
        logger.warning("%s: %d prompts do not begin their sentence; they have no continuation", domain, n_apart)
    paper = Counter(GROUPS[domain])
    if counts != paper:
        both = [(group, counts[group], paper[group]) for group in dict.fromkeys([*paper, *counts])]
        differ = [f"{group} has {here:,} instead of {there:,}" for group, here, there in both if here != there]
        logger.warning(
            "%s: %d prompts, but the paper's table 1 has %d: %s. Is this the whole published file?",
            *(domain, counts.total(), paper.total(), "; ".join(differ)),
        )


def _anonymize(domain: str, page: str, text: str, end: int) -> str:
    if domain in _PEOPLE:
        return anonymize_prompt(text, names=(page,), end=end)
    return anonymize_prompt(text, terms=(page, *RELIGIONS, *IDEOLOGIES) if domain in _BELIEFS else (page,), end=end)


def _read(path: Path) -> dict[str, dict[str, list[str]]]:
    groups = read_json(path)
    if not isinstance(groups, dict) or not all(isinstance(pages, dict) for pages in groups.values()):
        raise DataSourceError(f"{path}: expected an object of groups, each an object of pages, as BOLD publishes it.")
    for group, page, texts in _pages(groups):
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise DataSourceError(f"{path}: page {page!r} of {group!r} must be a list of strings.")
    return groups


def _pages(groups: Mapping[str, Mapping[str, list[str]]]) -> Iterator[tuple[str, str, list[str]]]:
    return ((group, page, texts) for group, pages in groups.items() for page, texts in pages.items())


def _files(domain: str) -> tuple[str, str]:
    return f"prompts/{domain}_prompt.json", f"wikipedia/{domain}_wiki.json"


def _configuration(config: str, about: str) -> Configuration:
    domains = _domains(config)
    prompts, sentences = _files("*" if len(domains) > 1 else config)
    return Configuration(
        about=about,
        attributes={"group": tuple(group for domain in domains for group in GROUPS[domain])},
        published=f"{prompts}+{sentences}",
        raw=(f"{Path(prompts).name}+{Path(sentences).name}",),
        rows=sum(sum(GROUPS[domain].values()) for domain in domains),
    )


def _domains(config: str) -> tuple[str, ...]:
    return tuple(GROUPS) if config == "all" else (config,)


def _open(
    config: str,
    configuration: Configuration,
    data_dir: str | os.PathLike[str] | None,
    *,
    base_url: str = "",
) -> Source:
    """Find the published files, in ``prompts/`` and ``wikipedia/`` or side by side; see `Corpus.open`."""
    names = {domain: _files(domain) for domain in _domains(config)}
    root, pairs = None, {}
    if data_dir is not None:
        root, pairs = check_folder(data_dir), {domain: _find(data_dir, domain) for domain in names}
    files = tuple(path for pair in pairs.values() for path in pair)
    logger.info("%s: using %s", config, ", ".join(map(str, files[:2])) or configuration.published)
    url = base_url or BASE_URL
    remote = {} if files else {"url": url, "sha256": [SHA256[name] for pair in names.values() for name in pair]}

    def rows() -> Iterator[BoldRow]:
        for domain, published in names.items():
            pair = pairs.get(domain) or [download(name, base_url=url, checksums=SHA256) for name in published]
            yield from domain_rows(domain, *pair)

    return Source("published", files, remote, rows, root)


def _find(data_dir: str | os.PathLike[str], domain: str) -> tuple[Path, ...]:
    """Find the two files of a domain."""
    names = _files(domain)
    candidates = ("+".join(names), "+".join(Path(name).name for name in names))
    folder, files = find_input(data_dir, domain, candidates)
    if len(files) != len(names):
        raise DataSourceError(f"no input for {domain} in {str(folder)!r}: only {files[0].name} of {candidates[1]}.")
    return files


BOLD = describe_corpus(
    "bold",
    {"base_url": check_mirror},
    configurations={
        name: _configuration(name, about)
        for name, about in read_toml("descriptions.toml")["bold"]["configurations"].items()
    },
    opener=_open,
    row=BoldRow,
)
