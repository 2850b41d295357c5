"""Annotated documents in one line: ``{1:<Ann Lee>} of [Acme] said {1:she} won.``

``{1:...}`` is a mention of chain 1, ``<...>`` a PERSON and ``[...]`` an organization.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairsum_utils.counterfactual.documents import ContentWord, Document, Mention, NamedEntity, in_chains
from fairsum_utils.counterfactual.templates import Person, make_template

TOM = Person("male", "Tom", "Roe")
EVE = Person("female", "Eve", "Roe")
_MARK = re.compile(r"\{(\d+):|[}<>\[\]]")


def marked(line: str, words: Sequence[tuple[str, Sequence[int], str]] = (), name: str = "a") -> Document:
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


def filled(document: Document, *people: Person) -> str:
    """Return a document's text with e0, e1, ... replaced by these persons."""
    return make_template(document).fill({f"e{place}": person for place, person in enumerate(people)})
