"""Annotated documents in one line: ``{1:<Ann Lee>} of [Acme] said {1:she} won.``

``{1:...}`` is a mention of chain 1, ``<...>`` a PERSON and ``[...]`` an organization.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from fairsum_utils.counterfactual.documents import ContentWord, Document, Mention, NamedEntity, in_chains
from fairsum_utils.counterfactual.templates import Person, make_template

_MARK = re.compile(r"\{(\d+):|[}<>\[\]]")


def _marked(line: str, words: Sequence[tuple[str, Sequence[int], str]] = (), name: str = "a") -> Document:
    """Make a document; ``words`` are (content word, its chains, "male/female/neutral")."""
    text, end = "", 0
    open_marks: list[tuple[str, str, int]] = []
    entities, mentions = [], []
    for match in _MARK.finditer(line):
        text += line[end : match.start()]
        end = match.end()
        if match[0] in "}>]":
            mark, chain, start = open_marks.pop()
            assert mark[0] + match[0] in ("{}", "<>", "[]")
            if mark[0] == "{":
                mentions.append((int(chain), Mention(start, len(text))))
            else:
                entities.append(NamedEntity(start, len(text), "PERSON" if mark == "<" else "ORG"))
        else:
            open_marks.append((match[0], match[1], len(text)))
    text += line[end:]
    assert not open_marks
    chains = in_chains(mentions)
    places = {chain: place for place, chain in enumerate(chains)}
    content = []
    for word, owners, forms in words:
        start = text.index(word)
        content.append(ContentWord(start, start + len(word), tuple(places[o] for o in owners), *forms.split("/")))
    return Document(name, text, tuple(sorted(entities)), tuple(chains.values()), tuple(content))


@pytest.fixture(scope="session")
def marked() -> Callable[..., Document]:
    return _marked


@pytest.fixture(scope="session")
def filled() -> Callable[..., str]:
    """Return a document's text with e0, e1, ... replaced by these persons."""

    def fill(document: Document, *people: Person) -> str:
        return make_template(document).fill({f"e{place}": person for place, person in enumerate(people)})

    return fill


@pytest.fixture
def damaged(tmp_path: Path) -> Callable[..., Path]:
    """Return a copy of a release in which text of one file is replaced."""

    def damage(release: Path, file: str, old: str, new: str) -> Path:
        shutil.copytree(release, tmp_path / "copy")
        path = tmp_path / "copy/english/annotations" / file
        content = path.read_text(encoding="utf-8")
        assert old in content
        path.write_bytes(content.replace(old, new).encode("utf-8", errors="surrogateescape"))
        return tmp_path / "copy"

    return damage
