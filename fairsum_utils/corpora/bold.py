"""BOLD: prompts from Wikipedia sentences about 43 groups in five domains.

Source: Dhamala et al. 2021, section 3 and table 1; github.com/amazon-science/bold (CC BY-SA 4.0), of
which only addresses, checksums and counts are written down here.
"""

from __future__ import annotations

import functools
import logging
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypedDict

from fairsum_utils._util.resources import read_words
from fairsum_utils.corpora.corpus import Configuration, Source, check_folder, describe_corpus, find_input, read_toml
from fairsum_utils.errors import DataSourceError
from fairsum_utils.io.downloads import check_mirror, download
from fairsum_utils.io.objects import read_json

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
    prompt: Annotated[str, "beginning of the sentence, as published, with a trailing blank"]
    name: Annotated[str, "Wikipedia page: a person, a profession, a belief"]
    group: Annotated[str, "group of the domain"]
    domain: Annotated[str, "profession, gender, race, religious_ideology or political_ideology"]
    continuation: Annotated[str, "Wikipedia's continuation"]
    text: Annotated[str, "whole sentence: prompt and continuation"]
    anonymized_prompt: Annotated[
        str, 'prompt with names of people replaced by "Person", professions and beliefs by "XYZ"'
    ]


def domain_rows(domain: str, prompts: Path, sentences: Path) -> Iterator[BoldRow]:
    """Read the rows of a domain, then log a comparison with the paper.

    A prompt and its sentence have the same group, page and position. A prompt that does not begin its sentence is kept,
    with an empty continuation, and counted in the log.

    Source: Dhamala et al. 2021, sections 3.2 and 3.3.
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
    """Find the published files, in ``prompts/`` and ``wikipedia/`` or together; see `Corpus.open`."""
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


#: Placeholder of a person's name.
PERSON = "Person"
#: Placeholder of a profession, a religion or an ideology.
XYZ = "XYZ"

_WORDS = read_toml("bold.toml")["words"]
#: The religions of BOLD and their followers, and its political ideologies and their supporters.
RELIGIONS: tuple[str, ...] = tuple(_WORDS["religions"])
IDEOLOGIES: tuple[str, ...] = tuple(_WORDS["ideologies"])

# Parts of names that are no name alone.
_NEVER_ALONE = frozenset(read_words("not_alone"))
_PATTERNS = 4096  # compiled patterns in memory


class _Span(NamedTuple):
    """A part of a text, and what comes in its place."""

    start: int
    end: int
    mask: str


def anonymize_prompt(
    text: str,
    *,
    names: Sequence[str] = (),
    terms: Sequence[str] = (),
    ner: Callable[[str], Any] | None = None,
    end: int | None = None,
) -> str:
    """Replace people's names with "Person", and professions, religions and ideologies with "XYZ".

    Everything is matched as whole words, so that "Mark" leaves "Markets" alone.

    A name is found in full in any case, and in part (the first name alone, the last name alone, any run of its words,
    the last name first) where the part is capitalized. Initials, particles and "Jr." count with the words beside them.
    A term is found in any case, with blanks or hyphens between its words, and with the endings -er and -ist ("dance",
    "dancer"); a plural becomes "XYZs".

    Source: Dhamala et al. 2021, section 3.3.

    Example:
        >>> anonymize_prompt("On February 4, 2009, Debbie Allen was", names=["Debbie_Allen"])
        'On February 4, 2009, Person was'
        >>> anonymize_prompt("Flight nurses and Christian Allen's", names=["Debbie_Allen"],
        ...                  terms=["Flight_nurse", *RELIGIONS])
        "XYZs and XYZ Person's"
    """
    spans = [span for name in names for span in _name_spans(text, name)]
    spans += [span for term in terms for span in _term_spans(text, term)]
    if ner is not None:
        spans += _entity_spans(ner(text))
    return _replace(text, _disjoint(spans), len(text) if end is None else end)


def anonymize_text(text: str, page: str) -> str:
    """Replace the page's name with "XYZ" everywhere, in any case, even within words.

    With it the paper's table 3 can be computed from the published files.

    Source: Dhamala et al. 2021, section 3.3 and table 3; the rule was found by trying, for the paper gives none.

    Example:
        >>> anonymize_text("Flight nurses care; a flight nurse flies.", "Flight_nurse")
        'XYZs care; a XYZ flies.'
    """
    return re.sub(re.escape(page.replace("_", " ")), XYZ, text, flags=re.IGNORECASE)


def _name_spans(text: str, name: str) -> Iterator[_Span]:
    name, pattern = _name_pattern(name)
    for match in pattern.finditer(text):
        words = [word.rstrip(".,") for word in match[0].split()]
        telling = [word for word in words if len(word) > 1 and word.lower() not in _NEVER_ALONE]
        in_full = f" {name} " in f" {' '.join(words)} ".lower()
        if in_full or (telling and all(word[0].isupper() for word in telling)):
            yield _Span(match.start(), match.end(), PERSON)


@functools.lru_cache(_PATTERNS)
def _name_pattern(name: str) -> tuple[str, re.Pattern[str]]:
    """Return a name's words in lower case and a pattern for runs of them."""
    words = [word for word in name.replace("_", " ").split() if word.strip(".,")]
    # the full stop of "Jr." belongs to the name; that after "King" ends the sentence
    part = "|".join(re.escape(word.rstrip(".,")) + (r"\.?" if word.endswith(".") else "") for word in words)
    # not across lines, where a heading and a sentence meet; a comma only as in "King, Jr." and "King, Martin"
    between = r"(?:[^\S\n]|,[^\S\n](?-i:(?=[A-Z])))[^\S\n]*"
    pattern = rf"(?<!\w)(?:{part})(?:{between}(?:{part}))*(?!\w)"
    return " ".join(word.rstrip(".,") for word in words).lower(), re.compile(pattern, re.IGNORECASE)


def _term_spans(text: str, term: str) -> Iterator[_Span]:
    for match in _term_pattern(term).finditer(text):
        yield _Span(match.start(), match.end(), XYZ + ("s" if match["plural"] else ""))


@functools.lru_cache(_PATTERNS)
def _term_pattern(term: str) -> re.Pattern[str]:
    *first, last = (re.escape(word) for word in re.split(r"[\s_-]+", term) if word)
    end = f"{last[:-1]}(?:y|(?P<plural>ies))" if last.endswith("y") else rf"{last}(?:e?r|ist)?(?P<plural>e?s)?"
    return re.compile(r"(?<!\w)" + r"[\s_-]+".join([*first, end]) + r"(?!\w)", re.IGNORECASE)


def _entity_spans(document: Any) -> Iterator[_Span]:
    for entity in document.ents:
        if entity.label_ == "PERSON":
            # spaCy may count the possessive in
            possessive = 2 if entity.text.endswith(("'s", "’s")) else 0
            yield _Span(entity.start_char, entity.end_char - possessive, PERSON)


def _disjoint(spans: Sequence[_Span]) -> list[_Span]:
    """Return the spans in order without overlaps; the first and longest wins."""
    apart: list[_Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not apart or span.start >= apart[-1].end:
            apart.append(span)
        elif span.mask == apart[-1].mask == PERSON:
            apart[-1] = apart[-1]._replace(end=max(apart[-1].end, span.end))
    return apart


def _replace(text: str, spans: Sequence[_Span], stop: int) -> str:
    """Return the first ``stop`` characters with the spans replaced that begin there."""
    head = text[:stop]
    pieces: list[str] = []
    place = 0
    for span in spans:
        if span.start < len(head):
            pieces += [head[place : span.start], span.mask]
            place = span.end
    if place > len(head):  # the last mention includes the trailing blank of a prompt
        return "".join(pieces) + head[len(head.rstrip()) :]
    return "".join(pieces) + head[place:]
