"""The miniature corpus: short annotated articles that are shipped with the package, to try everything on."""

from __future__ import annotations

import json

from fairsum_utils._util.resources import read_lines
from fairsum_utils.counterfactual.documents import Document, parse_document

_FILE = "mini_news.jsonl.gz"


def mini_news() -> list[Document]:
    """Twenty-four news-like articles about invented people: sport, family, business, politics and science.

    Written for this project (Apache-2.0), with the names, mentions and gendered words that templates are made from.
    They are for trying things out; what a summarizer does with them says little about what it does with news.

    Returns:
        Annotated documents; ids open with the topic, such as ``"sport-final"``.

    Example:
        >>> documents = mini_news()
        >>> len(documents), documents[0].id, documents[0].text[:44]
        (24, 'sport-final', 'Nora Whitfield scored in the last minute on ')
    """
    return [
        parse_document(json.loads(line), f"{_FILE}, line {number}")
        for number, line in enumerate(read_lines(_FILE), start=1)
    ]
