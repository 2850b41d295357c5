"""BOLD: prompts that begin sentences of Wikipedia on 43 groups of five domains, and where they are published.

Source: papers/bold (Dhamala et al. 2021), section 3 and table 1; github.com/amazon-science/bold (CC BY-SA 4.0), of
which only addresses, checksums and counts are written down here.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, TypedDict

from fairsum_utils.corpora.anonymize import IDEOLOGIES, RELIGIONS, anonymize_prompt
from fairsum_utils.corpora.corpus import Configuration, Corpus, Option, Source
from fairsum_utils.corpora.sources import check_folder, find_files, not_found
from fairsum_utils.errors import DataSourceError
from fairsum_utils.io.downloads import check_mirror, digest_files, download
from fairsum_utils.io.tables import read_json

logger = logging.getLogger(__name__)

#: Where the files are published. The branch may move on; the checksums hold what is read.
BASE_URL = "https://raw.githubusercontent.com/amazon-science/bold/main/"
#: Checksums of the published files.
SHA256: Mapping[str, str] = {
    "prompts/gender_prompt.json": "a863aaf2492e3c911c39f435005abee2eba5f5edabe836e97de110cd83273054",
    "prompts/political_ideology_prompt.json": "a83ea7cc272971b618231e13bcb5c1d1be5b208c92135c4ffde85be31f8ab4c6",
    "prompts/profession_prompt.json": "5508012069f20419559417e64d8bb2b8d864ebf8afedd21e5ca564393c291794",
    "prompts/race_prompt.json": "200337f6c43b09671e580b1df6aea2cdc0196ee02779260e9881da07029e1cb6",
    "prompts/religious_ideology_prompt.json": "633830ea87d569e5476895a93f68b8f686cb0dcae6d67a1091a9247c5c4c931d",
    "wikipedia/gender_wiki.json": "a6f3bb5139dc4e4615e199dfd56a971a5829b09cb78c790d6cad554e4b9111dc",
    "wikipedia/political_ideology_wiki.json": "a07fe5ec08abe793318c6394c397d9515c233ded7079c1ad9e947c546dc88fa6",
    "wikipedia/profession_wiki.json": "3d5f719a131e06d32d3bff709c613fc52c818c391262240cf0017522b3ed04a2",
    "wikipedia/race_wiki.json": "f87f64909db217119c1bca8e4f610876ae3bb48461b77ac863f09cc90e99c132",
    "wikipedia/religious_ideology_wiki.json": "094982f89659966d17e6c264f3abd8feae0415bb982e32166de93ea881bc63ef",
}

_ARTS, _SCIENCE = "arts & entertainment", "science & technology"
_INDUSTRY, _HEALTH = "industrial & manufacturing", "healthcare & medicine"
#: Group of the domain profession -> prompts, and merged group of table 3 or none. Source: section 6.1.1. Its list lacks
#: sewing, which industrial & manufacturing needs for the 1,699 texts of table 3.
_PROFESSIONS: Mapping[str, tuple[int, str | None]] = {
    "metalworking_occupations": (625, _INDUSTRY),
    "sewing_occupations": (830, _INDUSTRY),
    "healthcare_occupations": (531, _HEALTH),
    "computer_occupations": (209, _SCIENCE),
    "film_and_television_occupations": (245, _ARTS),
    "artistic_occupations": (433, _ARTS),
    "scientific_occupations": (824, _SCIENCE),
    "entertainer_occupations": (442, _ARTS),
    "dance_occupations": (626, _ARTS),
    "nursing_specialties": (293, _HEALTH),
    "writing_occupations": (421, _ARTS),
    "professional_driver_types": (62, None),
    "engineering_branches": (3120, _SCIENCE),
    "mental_health_occupations": (349, _HEALTH),
    "theatre_personnel": (842, _ARTS),
    "corporate_titles": (99, None),
    "industrial_occupations": (107, _INDUSTRY),
    "railway_industry_occupations": (137, _INDUSTRY),
}

#: Domain -> group -> prompts, in the order of table 1 and of the files. The paper prints the totals of the domains
#: (table 1), of the merged professions (table 3), of the races (table 9) and of the ideologies (tables 10 and 11).
GROUPS: Mapping[str, Mapping[str, int]] = {
    "profession": {group: prompts for group, (prompts, _) in _PROFESSIONS.items()},
    "gender": {"American_actors": 2048, "American_actresses": 1156},
    "race": {
        "Asian_Americans": 861,
        "African_Americans": 1854,
        "European_Americans": 4839,
        "Hispanic_and_Latino_Americans": 103,
    },
    "religious_ideology": {
        "judaism": 94,
        "christianity": 171,
        "islam": 109,
        "hinduism": 12,
        "buddhism": 134,
        "sikhism": 90,
        "atheism": 29,
    },
    "political_ideology": {
        "left-wing": 113,
        "right-wing": 82,
        "communism": 131,
        "socialism": 259,
        "democracy": 342,
        "liberalism": 92,
        "populism": 59,
        "conservatism": 92,
        "nationalism": 453,
        "anarchism": 158,
        "capitalism": 88,
        "fascism": 115,
    },
}

#: Group of the domain profession -> merged group of table 3. Corporate titles and drivers are in no merged group.
PROFESSION_GROUPS: Mapping[str, str] = {group: merged for group, (_, merged) in _PROFESSIONS.items() if merged}

#: Merged group of table 3 -> its groups, in the order of the table.
MERGED_PROFESSIONS: Mapping[str, tuple[str, ...]] = {
    merged: tuple(group for group, of_group in PROFESSION_GROUPS.items() if of_group == merged)
    for merged in (_ARTS, _SCIENCE, _INDUSTRY, _HEALTH)
}

_PEOPLE = ("gender", "race")
_BELIEFS = ("religious_ideology", "political_ideology")
_WORDS = range(6, 10)  # of a prompt, says section 3.2


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
    """Read the rows of a domain, and log how they compare with the paper when the last one is read.

    A prompt and its sentence have the same group, page and position. A prompt that does not begin its sentence is kept,
    with an empty continuation, and counted in the log; so is one that is empty, or not of 6 to 9 words.

    Source: papers/bold, sections 3.2 and 3.3.
    """
    texts = _read(sentences)
    counts: Counter[str] = Counter()
    odd: Counter[str] = Counter()
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
            odd["empty"] += not prompt.strip()
            odd["length"] += len(prompt.split()) not in _WORDS
            odd["apart"] += not begins
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
    _report(domain, counts, odd)


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


def _report(domain: str, counts: Mapping[str, int], odd: Mapping[str, int]) -> None:
    """Say where the counts differ from the paper's, and what is odd about the prompts."""
    paper = GROUPS[domain]
    other = {group: (counts.get(group, 0), paper.get(group, 0)) for group in [*paper, *(counts.keys() - paper)]}
    differ = [f"{group} has {here:,} instead of {there:,}" for group, (here, there) in other.items() if here != there]
    if differ:
        logger.warning(
            "%s: %d prompts, but the paper's table 1 has %d: %s. Is this the whole published file?",
            *(domain, sum(counts.values()), sum(paper.values()), "; ".join(differ)),
        )
    else:
        logger.info("%s: %d prompts in %d groups, as in the paper", domain, sum(counts.values()), len(counts))
    logger.info("%s: %d prompts are empty, %d are not of 6 to 9 words", domain, odd["empty"], odd["length"])
    if odd["apart"]:
        logger.warning("%s: %d prompts do not begin their sentence; they have no continuation", domain, odd["apart"])


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
    config: str, configuration: Configuration, data_dir: str | os.PathLike[str] | None, *, base_url: str | None = None
) -> Source:
    """Find the published files, in ``prompts/`` and ``wikipedia/`` or side by side; see `Corpus.open`."""
    folder = None if data_dir is None else check_folder(data_dir)
    pairs = {domain: () if folder is None else _find(folder, domain) for domain in _domains(config)}
    files = tuple(path for pair in pairs.values() for path in pair)
    logger.info("%s: using %s", config, ", ".join(map(str, files[:2])) or configuration.published)
    url = BASE_URL if base_url is None else base_url

    def fingerprint() -> dict[str, Any]:
        if files:
            return {"content": digest_files(files, folder)}
        return {"content": url, "files": [SHA256[name] for domain in pairs for name in _files(domain)]}

    def rows() -> Iterator[BoldRow]:
        for domain, pair in pairs.items():
            there = pair or [download(name, base_url=url, checksums=SHA256) for name in _files(domain)]
            yield from domain_rows(domain, *there)

    return Source("published", files, fingerprint, rows)


def _find(folder: Path, domain: str) -> tuple[Path, ...]:
    """Return the two files of a domain."""
    names = _files(domain)
    candidates = ("+".join(names), "+".join(Path(name).name for name in names))
    files = find_files(folder, candidates)
    if len(files) != len(names):
        raise not_found(folder, domain, candidates)
    return files


BOLD = Corpus(
    name="bold",
    title="BOLD",
    summary=(
        "BOLD: beginnings of sentences from Wikipedia on people, professions and beliefs, for a language model to "
        "continue, to compare what it writes about one group with what it writes about another."
    ),
    homepage="https://github.com/amazon-science/bold",
    licenses="CC BY-SA 4.0 (name the authors; share alike)",
    citation="""\
@inproceedings{dhamala-etal-2021-bold,
  title     = {{BOLD}: Dataset and Metrics for Measuring Biases in Open-Ended Language Generation},
  author    = {Dhamala, Jwala and Sun, Tony and Kumar, Varun and Krishna, Satyapriya and Pruksachatkun, Yada and
               Chang, Kai-Wei and Gupta, Rahul},
  booktitle = {Proceedings of the 2021 ACM Conference on Fairness, Accountability, and Transparency},
  year      = {2021}
}
""",
    configurations={
        name: _configuration(name, about)
        for name, about in {
            "profession": "prompts about occupations of 18 kinds",
            "gender": "prompts about American actors and actresses",
            "race": "prompts about Americans of four origins",
            "religious_ideology": "prompts about seven religious and spiritual beliefs",
            "political_ideology": "prompts about twelve political ideologies",
            "all": "the five domains one after another",
        }.items()
    },
    options={"base_url": Option("folder to download from, for mirrors: of https, http or file", check_mirror)},
    opener=_open,
    row=BoldRow,
    task="text-generation",
    license="cc-by-sa-4.0",
    made="The rows are the published ones; only `anonymized_prompt` was added.",
)
