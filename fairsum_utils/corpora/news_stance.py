"""News labelled with their stance toward a claim, from three data sets.

Source: Emergent (Ferreira and Vlachos 2016), the Fake News Challenge FNC-1 (Pomerleau and Rao 2017) and the Snopes
corpus (Hanselowski et al. 2019); filters as in papers/coverage-fairness, appendix A.3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fairsum_utils.corpora.document_sets import LabelledText, Table
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.files.reading import check_columns, read_table
from fairsum_utils.validation import check_count

__all__ = ["read_news_stance"]

_SNOPES_SENTENCE = re.compile(r"\d+_\{(.*?)\}", re.DOTALL)

#: Stance in the data set -> value; None for stances that are neither support nor against.
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
        min_words: fewest words of a text.
        max_words: most words.

    Returns:
        The texts.

    Raises:
        DataSourceError: a file is not in its published format; names file and line.
        InputError: an option is out of range.
    """
    fewest = check_count("news_stance", "min_words", min_words)
    most = check_count("news_stance", "max_words", max_words)
    if most < fewest:
        raise InputError(f"max_words is {most} and min_words is {fewest}: no text can have both.")
    labelled = [path for path in files if path.name in _READERS]
    if not labelled:
        raise DataSourceError(f"{files[0]}: these are texts without their stances. Fetch the file of stances too.")
    found = Table()
    for path in labelled:
        _READERS[path.name](path, found)
    kept = Table(dropped=found.dropped)
    for item in found.texts:
        if fewest <= len(item.text.split()) <= most:
            kept.texts.append(item)
        else:
            kept.dropped[f"not {fewest} to {most} words"] += 1
    return kept


def _read_fnc(path: Path, table: Table) -> None:
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
        _add(table, where, record["Headline"], bodies[body], record["Stance"], _FNC, f"{path.name}:{body}")


def _read_emergent(path: Path, table: Table) -> None:
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
        _add(table, where, claim, record["articleBody"], record["articleStance"], _EMERGENT, record["articleId"])


def _read_snopes(path: Path, table: Table) -> None:
    """Read evidence snippets, written as ``0_{first sentence}1_{second sentence}``."""
    for index, (where, record) in enumerate(read_table(path, ("Claim", "Stance"), what=_SNOPES_WHAT)):
        column = next((name for name in record if name.startswith("Snippets")), "Snippets")
        check_columns(str(path), [column], record, _SNOPES_WHAT)
        sentences = _SNOPES_SENTENCE.findall(record[column])
        text = " ".join(sentence.strip() for sentence in sentences) if sentences else record[column]
        _add(table, where, record["Claim"], text, record["Stance"], _SNOPES, f"{path.name}:{index}")


_SNOPES_WHAT = "snopes_corpus_2.csv of the Snopes corpus"


def _add(
    table: Table, where: str, claim: str, text: str, stance: str, stances: Mapping[str, str | None], text_id: str
) -> None:
    """Add one text, or count why not."""
    if stance.strip() not in stances:
        names = ", ".join(name or "nothing" for name in stances)
        raise DataSourceError(f"{where}: the stance is {stance!r}, expected one of {names}.")
    if not claim.strip():
        raise DataSourceError(f"{where}: the claim is empty.")
    value = stances[stance.strip()]
    if value is None:
        table.dropped["neither supports nor opposes the claim"] += 1
    else:
        table.texts.append(LabelledText(text.strip(), value, claim.strip(), text_id))


_READERS: Mapping[str, Callable[[Path, Table], None]] = {
    "train_stances.csv": _read_fnc,
    "competition_test_stances.csv": _read_fnc,
    "url-versions-2015-06-14.csv": _read_emergent,
    "snopes_corpus_2.csv": _read_snopes,
}
