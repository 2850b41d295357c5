"""Croissant descriptions of exported data sets, with the fields for responsible AI (RAI)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fairsum_utils._version import __version__
from fairsum_utils.corpora.corpus import Corpus
from fairsum_utils.io.writing import Kind

_TERMS = (
    *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileObject"),
    *("fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5"),
    *("parentField", "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator"),
    *("source", "subField", "transform"),
)
_CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    **{term: f"cr:{term}" for term in _TERMS},
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "description": {"@container": "@language"},
    "name": {"@container": "@language"},
}


class DataFile(NamedTuple):
    """An exported file of a configuration."""

    path: str
    url: str
    size: int
    sha256: str
    n_rows: int


def croissant(corpus: Corpus, card: str, exported: Mapping[str, DataFile]) -> str:
    """Describe exported configurations in Croissant 1.1 and RAI 1.0."""
    sections = dict(re.findall(r"^##+ (.+?)\n\n(.*?)(?=^##+ |\Z)", card, re.MULTILINE | re.DOTALL))
    key, *details = corpus.license.splitlines()
    link = [line.split()[1] for line in details if line.startswith("license_link")]
    licence: Any = {"@type": "sc:CreativeWork", "name": corpus.licenses} | ({"url": link[0]} if link else {})
    document = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": corpus.title,
        "description": corpus.summary,
        "url": corpus.homepage,
        "version": __version__,
        "license": licence if key == "other" else f"https://choosealicense.com/licenses/{key}/",
        "citeAs": corpus.citation.strip(),
        "creator": [{"@type": "sc:Person", "name": name} for name in _authors(corpus.citation)],
        "datePublished": _cited(corpus.citation, "year"),
        "inLanguage": _listed(card, "language"),
        "keywords": _listed(card, "tags"),
        "rai:dataCollection": _plain(sections["How the rows are made"]),
        "rai:dataCollectionRawData": _plain(next(text for title, text in sections.items() if title[:6] == "Source")),
        "rai:dataAnnotationProtocol": [text for config in exported for text in _groups(corpus, config)],
        "rai:dataBiases": _items(sections["Biases"]),
        "rai:dataLimitations": _items(sections["Limits"]),
        "rai:personalSensitiveInformation": _items(sections["Personal information"]),
        "rai:dataUseCases": ["To " + corpus.summary.rpartition(", to ")[2]],
        "distribution": [_file(file) for file in exported.values()],
        "recordSet": [_record_set(corpus, config, file) for config, file in exported.items()],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _file(file: DataFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "contentUrl": file.url,
        "contentSize": f"{file.size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": file.sha256,
    }


def _record_set(corpus: Corpus, config: str, file: DataFile) -> dict[str, Any]:
    """Describe the columns of a configuration."""
    fields = []
    for column, kind in corpus.columns.items():
        source = {"fileObject": {"@id": file.path}, "extract": {"column": column}}
        field = _field(f"{config}/{column}", kind, source) | {"description": corpus.meanings[column]}
        fields.append(field)
    return {
        "@type": "cr:RecordSet",
        "@id": config,
        "name": config,
        "description": f"{corpus.configurations[config].about}; {file.n_rows:,} rows",
        "key": {"@id": f"{config}/id"},
        "field": fields,
    }


def _field(name: str, kind: Kind, source: Mapping[str, Any]) -> dict[str, Any]:
    field: dict[str, Any] = {"@type": "cr:Field", "@id": name, "name": name}
    if kind == "strings" or isinstance(kind, Mapping):
        field |= {"isArray": True, "arrayShape": "-1"}
    if not isinstance(kind, Mapping):
        return field | {"dataType": "sc:Boolean" if kind == "bool" else "sc:Text", "source": source}
    parts = [
        _field(f"{name}/{part}", inner, {**source, "transform": {"jsonPath": part}}) for part, inner in kind.items()
    ]
    return field | {"subField": parts}


def _groups(corpus: Corpus, config: str) -> Iterator[str]:
    """Yield the attributes of a configuration with their groups."""
    for attribute, groups in corpus.configurations[config].attributes.items():
        if groups != ():
            yield f"{config}, {attribute}: {', '.join(groups or ['any'])}"


def _plain(markdown: str) -> str:
    """Remove emphasis and line breaks within paragraphs and items."""
    return re.sub(r"\n +|(?<!\n)\n(?!\n|- |\d+\. )", " ", markdown.strip()).replace("**", "")


def _items(markdown: str) -> list[str]:
    return [item.removeprefix("- ") for item in _plain(markdown).splitlines() if item]


def _listed(card: str, key: str) -> list[str]:
    """Return a list of the card's metadata."""
    [found] = re.findall(rf"^{key}:\n((?:- .+\n)+)", card, re.MULTILINE)
    return _items(found)


def _cited(citation: str, field: str) -> str:
    [found] = re.findall(rf"^\s*{field}\s*=\s*\{{(.*?)\}},?$", citation, re.MULTILINE | re.DOTALL)
    return str(found)


def _authors(citation: str) -> list[str]:
    """Return the authors of a BibTeX entry, first names first."""
    names = re.split(r"\s+and\s+", _cited(citation, "author"))
    return [" ".join(reversed(name.split(", "))) for name in names]
