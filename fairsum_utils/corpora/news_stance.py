"""News labelled with their stance toward a claim, from three data sets.

Source: Emergent (Ferreira and Vlachos 2016), the Fake News Challenge FNC-1 (Pomerleau and Rao 2017) and the Snopes
corpus (Hanselowski et al. 2019); filters as in papers/coverage-fairness, appendix A.3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from fairsum_utils.corpora.document_sets import LabelledText, Table
from fairsum_utils.corpora.parsing import labelled
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.columns import check_columns
from fairsum_utils.io.tables import read_table

_SNOPES_SENTENCE = re.compile(r"(?<!\d)\d+_\{(.*?)\}", re.DOTALL)

#: Place in a file, stance, claim, text, id.
_Text: TypeAlias = tuple[str, str, str, str, str]

_FNC = {"agree": "support", "disagree": "against", "discuss": None, "unrelated": None}
_EMERGENT = {"for": "support", "against": "against", "observing": None, "ignoring": None, "": None}
_SNOPES = {"agree": "support", "refute": "against", "nostance": None, "": None}


def read_news_stance(files: Sequence[Path], *, min_words: int, max_words: int) -> Table:
    """Read whichever of the three data sets is there; the topic is the claim.

    Texts that neither support nor oppose their claim are left out, and so are those of too few or too many words
    (white space separated). Duplicates are left out later, by the sampler.

    Args:
        files: FNC-1's ``*_stances.csv`` and ``*_bodies.csv``, Emergent's url-versions-2015-06-14.csv (not the "clean"
            one, which has headlines only), the Snopes corpus' snopes_corpus_2.csv.
        min_words: fewest words of a text, at least 1.
        max_words: most words.

    Returns:
        The texts.

    Raises:
        DataSourceError: a file is not in its published format; names file and line.
        InputError: no text can have both numbers of words.
    """
    if max_words < min_words:
        raise InputError(f"max_words is {max_words} and min_words is {min_words}: no text can have both.")
    with_stances = [path for path in files if path.name in _READERS]
    if not with_stances:
        raise DataSourceError(f"{files[0]}: these are texts without their stances. Fetch the file of stances too.")
    table = Table()
    for path in with_stances:
        read, stances = _READERS[path.name]
        for where, stance, claim, text, text_id in read(path):
            value = labelled(stance.strip(), stances, where)
            if not claim.strip():
                raise DataSourceError(f"{where}: the claim is empty.")
            if value is None:
                table.dropped["neither supports nor opposes the claim"] += 1
            elif min_words <= len(text.split()) <= max_words:
                table.texts.append(LabelledText(text.strip(), value, claim.strip(), text_id))
            else:
                table.dropped[f"not {min_words} to {max_words} words"] += 1
    return table


def _read_fnc(path: Path) -> Iterator[_Text]:
    bodies_path = path.with_name(path.name.replace("stances", "bodies"))
    if not bodies_path.is_file():
        raise DataSourceError(f"{path}: the texts are in {bodies_path.name}, which is not beside it. Fetch it too.")
    bodies = {
        record["Body ID"]: record["articleBody"]
        for _, record in read_table(bodies_path, ("Body ID", "articleBody"), what="the bodies of FNC-1")
    }
    needed = ("Headline", "Body ID", "Stance")
    for where, record in read_table(path, needed, what="the stances of FNC-1, with labels"):
        body = record["Body ID"]
        if body not in bodies:
            raise DataSourceError(
                f"{where}: {bodies_path.name} has no body {body!r}. Do the two files belong together?"
            )
        yield where, record["Stance"], record["Headline"], bodies[body], f"{path.name}:{body}"


def _read_emergent(path: Path) -> Iterator[_Text]:
    """Read the latest version of each article that has a text."""
    needed = ("claimId", "claimHeadline", "articleId", "articleVersion", "articleBody", "articleStance")
    latest: dict[tuple[str, str], tuple[float, str, dict[str, str]]] = {}
    for where, record in read_table(path, needed, what="url-versions-2015-06-14.csv of Emergent"):
        try:
            version = float(record["articleVersion"])
        except ValueError:
            raise DataSourceError(
                f"{where}: articleVersion is {record['articleVersion']!r}, expected a number."
            ) from None
        key = record["claimId"], record["articleId"]
        if record["articleBody"].strip() and (key not in latest or latest[key][0] <= version):
            latest[key] = version, where, record
    for _, where, record in latest.values():
        claim = record["claimHeadline"].removeprefix("Claim:")
        yield where, record["articleStance"], claim, record["articleBody"], record["articleId"]


def _read_snopes(path: Path) -> Iterator[_Text]:
    """Read evidence snippets, written as ``0_{first sentence}1_{second sentence}``."""
    what = "snopes_corpus_2.csv of the Snopes corpus"
    for index, (where, record) in enumerate(read_table(path, ("Claim", "Stance"), what=what)):
        column = next((name for name in record if name.startswith("Snippets")), "Snippets")
        check_columns(str(path), [column], record, what)
        sentences = _SNOPES_SENTENCE.findall(record[column])
        text = " ".join(sentence.strip() for sentence in sentences) if sentences else record[column]
        yield where, record["Stance"], record["Claim"], text, f"{path.name}:{index}"


#: Name of a file with stances -> its reader and stance -> value, None if it neither supports nor opposes the claim.
_READERS: Mapping[str, tuple[Callable[[Path], Iterator[_Text]], Mapping[str, str | None]]] = {
    "train_stances.csv": (_read_fnc, _FNC),
    "competition_test_stances.csv": (_read_fnc, _FNC),
    "url-versions-2015-06-14.csv": (_read_emergent, _EMERGENT),
    "snopes_corpus_2.csv": (_read_snopes, _SNOPES),
}
